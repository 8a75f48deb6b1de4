from minitorch.compat.distributions.distribution import *
