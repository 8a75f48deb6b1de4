"""Rare layers, imported when one of their names is asked for (`minitorch.nn` says which). Their functions: functional/.

function_layer                  bases of layers and losses that call one function with their fields
activation, rectifier           smooth, or of several elements at once, as GLU; with a corner at zero
linear, embedding               Bilinear and Identity; EmbeddingBag
container, init                 ModuleDict, ParameterDict, ParameterList; more first values of weights
recurrent, cells                RNN, LSTM and GRU; one step of each. _recurrence: LSTM and GRU as one operation
conv, pool, mean_pool           of rows and volumes, transposed and undone; means and p-norms of windows
padding, flatten                more around the edges; Unflatten
norm, batchnorm                 RMSNorm, GroupNorm, LocalResponseNorm; BatchNorm3d, InstanceNorm
dropout                         of whole channels; alpha dropout
adaptive_pool                   pools that are told the size of their result
adaptive_softmax                a softmax over very many classes, and its loss
ctc                             the loss of sequences of labels whose positions in time are not known
transformer                     stacks of layers, the decoder layer, the whole transformer
lazy                            layers that learn how many inputs they have from the first
loss                            distances, the Kullback-Leibler divergence, cross-entropy of logits
margins, class_margins          losses of margins, rates and distributions; of margins between classes
shrink, pixels                  small numbers vanish; channels as pixels and back
similarity, resize, unfold      the cosine; upsampling; windows as columns, and back
utils/                          parametrized weights, all parameters as a vector, packed sequences
"""
