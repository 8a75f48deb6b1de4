from minitorch.compat.backends.mps import *
