"""Rare functions of neural networks, imported when one of their names is asked for (`nn.functional` says which).

conv, pool, mean_pool     of rows and volumes, transposed and undone; means and p-norms of windows
padding, unfold           pad; windows as columns, and back
norm, batchnorm           rms_norm, group_norm, local_response_norm; instance_norm
dropout                   of whole channels, and beside selu. _axes: one function for each number of axes
adaptive_pool, resize     pools that are told the size of their result; interpolate
margins, class_margins    far enough apart, ranked, counted, of a Gaussian; one class ahead of the others
ctc                       sequences of labels whose positions in time are not known
similarity                normalize, cosine_similarity
shrink, pixels            small numbers vanish, gumbel_softmax; channels as pixels and back
"""
