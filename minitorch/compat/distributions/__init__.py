"""Probability distributions, as torch.distributions has them: drawn from, with densities that can be differentiated.

    distribution    what they share: shapes, checks, standard deviation, and Independent
    constraints     what parameters and values must be
    continuous      Normal, Uniform, Exponential, Laplace
    discrete        Bernoulli, Categorical
    mixture         MixtureSameFamily
    multivariate    MultivariateNormal
    kl              kl_divergence, and register_kl for pairs of one's own

Numbers are drawn from the package's generator: `minitorch.manual_seed` starts it.
"""

from minitorch.compat.distributions import constraints
from minitorch.compat.distributions.continuous import Exponential, Laplace, Normal, Uniform
from minitorch.compat.distributions.discrete import Bernoulli, Categorical
from minitorch.compat.distributions.distribution import Distribution, Independent
from minitorch.compat.distributions.kl import kl_divergence, register_kl
from minitorch.compat.distributions.mixture import MixtureSameFamily
from minitorch.compat.distributions.multivariate import MultivariateNormal

__all__ = ["Bernoulli", "Categorical", "Distribution", "Exponential", "Independent", "Laplace", "MixtureSameFamily"]
__all__ += ["MultivariateNormal", "Normal", "Uniform", "constraints", "kl_divergence", "register_kl"]
