from minitorch.compat.distributions.mixture import *
