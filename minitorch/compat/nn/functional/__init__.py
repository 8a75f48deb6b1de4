"""Rare functions of neural networks, imported when one of their names is asked for (`nn.functional` says which).

adaptive_pool, resize     pools that are told the size of their result; interpolate
margins, class_margins    far enough apart, ranked, counted, of a Gaussian; one class ahead of the others
ctc                       sequences of labels whose positions in time are not known
similarity                normalize, cosine_similarity
shrink, pixels            small numbers vanish, gumbel_softmax; channels as pixels and back
"""
