from minitorch.compat.backends.cudnn import *
