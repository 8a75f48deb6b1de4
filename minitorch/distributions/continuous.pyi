from minitorch.compat.distributions.continuous import *
