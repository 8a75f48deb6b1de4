"""Programs whose memory the tests follow: each function makes (model, optimizer or None, program, input or None)."""

import numpy as np
from viz_models import GPT, UNet, gpt, unet

import minitorch as mt
from minitorch import Tensor, manual_seed, nn, no_grad, optim
from minitorch.autograd import checkpoint


def network(depth=3, width=32):
    manual_seed(0)
    layers = [each for _ in range(depth) for each in (nn.Linear(width, width), nn.Tanh())]
    return nn.Sequential(*layers), Tensor(np.linspace(-1, 1, 16 * width, dtype="f").reshape(16, width))


def training_step():
    model, x = network()
    optimizer = optim.Adam(model.parameters())

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()

    return model, optimizer, program, x


def transformer():
    model = GPT(1)
    return model, None, lambda: gpt(model)[1].backward(), None


def images():
    model = UNet()
    return model, None, lambda: unet(model)[1].backward(), None


def recurrent():
    manual_seed(0)
    cell = nn.LSTMCell(4, 6)
    x = Tensor(np.ones((2, 4), "f"))

    def program():
        h = c = Tensor(np.zeros((2, 6), "f"))
        for _ in range(5):
            h, c = cell(x, (h, c))
        (h * h).sum().backward()

    return cell, None, program, x


def checkpointed():
    model, x = network(6)

    def program():
        h = x
        for layer in model:
            h = checkpoint(layer, h)
        (h * h).sum().backward()

    return model, None, program, x


def with_hooks():
    model, x = network()

    def program():
        h = model(x)
        h.register_hook(lambda g: g * 2)
        (h * h + h).sum().backward()

    return model, None, program, x


def several_roots():
    model, x = network()

    def program():
        h = model(x)
        mt.autograd.backward([h.sum(), (h * h).sum()])

    return model, None, program, x


def in_place():
    model, x = network()

    def program():
        h = model(x)
        h[0] = h[1] * 2
        h += 1.0
        with no_grad():
            constant = h.detach().clone()
            constant *= 3.0
            constant[0] = 1.0
        (h * constant).sum().backward()

    return model, None, program, x


def views():
    model, x = network()
    return model, None, lambda: (model(x).reshape(4, 4, 32).transpose(0, 1)[1:] ** 2).sum().backward(), x


def kept_and_walked_again():
    model, x = network()

    def program():
        loss = (model(x) ** 2).mean()
        loss.backward(retain_graph=True)
        loss.backward()

    return model, None, program, x


PROGRAMS = (
    training_step, transformer, images, recurrent, checkpointed, with_hooks, several_roots, in_place, views,
    kept_and_walked_again,
)  # fmt: skip
