from minitorch.compat.utils.checkpoint import *
