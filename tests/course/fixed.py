"""Numbers that a program begins with, the same in both frameworks: `from fixed import data, fix`."""

import numpy as np


def data(*shape, seed=0, kind="normal", high=10):
    """An array of numbers of one seed."""
    rng = np.random.RandomState(seed)
    if kind == "int":
        return rng.randint(0, high, shape)
    return rng.rand(*shape) if kind == "uniform" else rng.randn(*shape)


def fix(model, seed=0, scale=0.3):
    """Fill a model's weights; statistics, masks and positions stay."""
    rng = np.random.RandomState(seed)
    state = model.state_dict()
    for name in state:
        at = state[name].numpy()
        if at.dtype.kind == "f" and "running" not in name and "mask" not in name and name != "pe":
            at[...] = rng.randn(*at.shape) * scale
    model.load_state_dict(state)
    return model
