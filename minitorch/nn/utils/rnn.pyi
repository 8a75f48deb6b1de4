from minitorch.compat.nn.utils.rnn import *
