from minitorch.compat.distributions.multivariate import *
