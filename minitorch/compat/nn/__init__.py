"""Rare layers, imported when one of their names is asked for (`minitorch.nn` says which). Their functions: functional/.

function_layer                  base of layers that call one function with their fields
conv, pool, mean_pool           of rows and volumes, transposed and undone; means and p-norms of windows
padding, flatten                more around the edges; Unflatten
norm, batchnorm                 RMSNorm, GroupNorm, LocalResponseNorm; BatchNorm3d, InstanceNorm
dropout                         of whole channels, and beside SELU
adaptive_pool                   pools that are told the size of their result
adaptive_softmax                a softmax over very many classes, and its loss
ctc                             the loss of sequences of labels whose positions in time are not known
decoder                         the transformer's other half, and the whole
lazy                            layers that learn how many inputs they have from the first
margins, class_margins          losses of margins, rates and distributions; of margins between classes
shrink, pixels                  small numbers vanish; channels as pixels and back
similarity, resize, unfold      the cosine; upsampling; windows as columns, and back
utils/                          parametrized weights
"""
