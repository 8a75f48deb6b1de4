from minitorch.compat.distributions.discrete import *
