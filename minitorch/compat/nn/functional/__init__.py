"""Rare functions of neural networks, imported when one of their names is asked for (`nn.functional` says which).

activation                smooth, with a corner, or of several elements at once, as glu
linear, embedding         bilinear; embedding_bag
conv, pool                of rows and volumes, transposed and undone; p-norms; told the size of their result
padding, unfold           pad; windows as columns, and back
norm, batchnorm           rms_norm, group_norm, local_response_norm, normalize, cosine_similarity; instance_norm
dropout                   of whole channels, and beside selu. _axes: one function for each number of axes
resize                    interpolate; channels as pixels and back
loss                      distances, cross-entropy of logits, margins, rates, one class ahead of the others
ctc                       sequences of labels whose positions in time are not known
"""
