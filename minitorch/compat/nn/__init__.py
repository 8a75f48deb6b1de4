"""Rare layers, imported when one of their names is asked for (`minitorch.nn` says which). Their functions: functional/.

function_layer                  bases of layers and losses that call one function with their fields
activation                      smooth, with a corner, or of several elements at once, as GLU
linear, embedding               Bilinear and Identity; EmbeddingBag
container, init                 ModuleDict, ParameterDict, ParameterList; more first values of weights
recurrent                       RNN, LSTM and GRU, and one step of each. _recurrence: LSTM and GRU as one operation
conv, pool                      of rows and volumes, transposed and undone; p-norms; told the size of their result
padding, flatten                more around the edges; Unflatten
norm, batchnorm                 RMSNorm, GroupNorm, LocalResponseNorm; BatchNorm3d, InstanceNorm
dropout                         of whole channels, and beside SELU
adaptive_softmax                a softmax over very many classes, and its loss
transformer                     stacks of layers, the decoder layer, the whole transformer
lazy                            layers that learn how many inputs they have from the first
loss                            distances, cross-entropy of logits, margins, rates, labels at times not known (CTC)
resize, unfold                  upsampling, channels as pixels and back; windows as columns, and back
utils/                          parametrized weights, all parameters as a vector, packed sequences
"""
