"""Rare functions of neural networks, imported when one of their names is asked for (`nn.functional` says which).

activation, rectifier     smooth, or of several elements at once, as glu; with a corner at zero
linear, embedding         bilinear; embedding_bag
conv, pool, mean_pool     of rows and volumes, transposed and undone; means and p-norms of windows
padding, unfold           pad; windows as columns, and back
norm, batchnorm           rms_norm, group_norm, local_response_norm; instance_norm
dropout                   of whole channels; alpha dropout. _axes: one function for each number of axes
adaptive_pool, resize     pools that are told the size of their result; interpolate
loss                      l1_loss, huber_loss, kl_div, binary_cross_entropy_with_logits
margins, class_margins    far enough apart, ranked, counted, of a Gaussian; one class ahead of the others
ctc                       sequences of labels whose positions in time are not known
similarity                normalize, cosine_similarity
shrink, pixels            small numbers vanish, gumbel_softmax; channels as pixels and back
"""
