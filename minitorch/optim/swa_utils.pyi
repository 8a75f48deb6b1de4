from minitorch.compat.optim.swa_utils import *
