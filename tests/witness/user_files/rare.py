"""Names that few programs ask for."""

from typing import reveal_type

import minitorch
from minitorch import distributions, nn
from minitorch.distributions import Categorical, MultivariateNormal, Normal, kl_divergence
from minitorch.nn.utils import parametrizations
from minitorch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from minitorch.optim import swa_utils
from minitorch.special import gammaln
from minitorch.utils.checkpoint import checkpoint
from minitorch.utils.data import DataLoader

x = minitorch.rand(3, 3)
reveal_type(nn.CTCLoss())
reveal_type(nn.CTCLoss(blank=1, reduction="sum"))
reveal_type(nn.AdaptiveLogSoftmaxWithLoss(3, 4, [2])(x, minitorch.tensor([0, 1, 2])))
reveal_type(nn.TripletMarginLoss()(x, x, x))
reveal_type(nn.PixelShuffle(2))
reveal_type(nn.EmbeddingBag(4, 2))
reveal_type(nn.ConvTranspose2d(1, 1, 2))
reveal_type(nn.LazyLinear(2))
reveal_type(nn.Transformer(4, 2))
reveal_type(gammaln(x))
reveal_type(minitorch.special.gammaln(x))
reveal_type(minitorch.special.bessel_j0(x))
reveal_type(minitorch.linalg.lu(x))
reveal_type(minitorch.linalg.svd(x))
reveal_type(minitorch.linalg.lstsq(x, x))
reveal_type(minitorch.linalg.eigh(x))
reveal_type(minitorch.linalg.norm(x))
reveal_type(minitorch.lgamma(x))
reveal_type(minitorch.quantile(x, 0.5))
reveal_type(parametrizations.weight_norm(nn.Linear(3, 2)))
reveal_type(nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)))
reveal_type(nn.utils.parameters_to_vector(nn.Linear(3, 2).parameters()))
reveal_type(pack_padded_sequence(x[:, :, None], [3, 2, 1]))
reveal_type(pad_packed_sequence(pack_padded_sequence(x[:, :, None], [3, 2, 1])))
reveal_type(distributions.Normal(0.0, 1.0))
reveal_type(Normal(0.0, 1.0).rsample((2,)))
reveal_type(Normal(0.0, 1.0).log_prob(x))
reveal_type(Categorical(logits=x).entropy())
reveal_type(MultivariateNormal(x[0], minitorch.eye(3)).mean)
reveal_type(kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0)))
reveal_type(swa_utils.AveragedModel(nn.Linear(3, 2)))
reveal_type(swa_utils.get_ema_multi_avg_fn(0.9))
reveal_type(minitorch.optim.Muon([x], lr=0.1))
reveal_type(minitorch.optim.lr_scheduler.ReduceLROnPlateau(minitorch.optim.SGD([x])))
reveal_type(checkpoint(nn.Linear(3, 2), x))
reveal_type(minitorch.signal.windows.hann(4))
reveal_type(DataLoader([1, 2], batch_size=2))
reveal_type(minitorch.amp.GradScaler())
with minitorch.autocast("cpu"):
    reveal_type(nn.functional.linear(x, x))
