from minitorch.compat.distributions.kl import *
