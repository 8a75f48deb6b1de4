from minitorch.compat.distributions.constraints import *
