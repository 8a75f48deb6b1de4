"""A training that a test kills: run as a program. Prints the last loss and a digest of the weights, to the bit."""

import argparse
import hashlib
import os
import signal

import numpy as np

from minitorch import manual_seed, nn, optim, serialization
from minitorch.data import DataLoader, TensorDataset, spirals
from minitorch.train import accuracy, fit

parser = argparse.ArgumentParser()
parser.add_argument("checkpoint")
parser.add_argument("--prefetch", type=int, default=0)
parser.add_argument("--width", type=int, default=16)
parser.add_argument("--die-before-replacing", type=int, default=0, help="in which write to die, its file not in place")
parser.add_argument(
    "--die-while-flushing", type=int, default=0, help="in which flush to the disk to die; every write has two"
)
args = parser.parse_args()


def killing(function, at):
    """`function`, which kills the process when it is called for the time number `at`."""
    calls = 0

    def wrapper(*values, **options):
        nonlocal calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*values, **options)

    return wrapper


if args.die_before_replacing:
    os.replace = killing(os.replace, args.die_before_replacing)
if args.die_while_flushing:
    os.fsync = killing(os.fsync, args.die_while_flushing)

manual_seed(1)
X, y = spirals(90, seed=3)
loader = DataLoader(TensorDataset(X, y), batch_size=8, shuffle=True, prefetch=args.prefetch)
held_out = DataLoader(TensorDataset(X, y), batch_size=32, shuffle=True, generator=5)
model = nn.Sequential(
    nn.Linear(2, args.width), nn.BatchNorm1d(args.width), nn.ReLU(), nn.Dropout(0.3), nn.Linear(args.width, 3)
)
optimizer = optim.AdamW(model.parameters(), lr=0.01)
scheduler = optim.lr_scheduler.OneCycleLR(optimizer, 0.02, total_steps=60)
print("ready", flush=True)
history = fit(
    model,
    loader,
    optimizer,
    nn.CrossEntropyLoss(),
    epochs=5,
    scheduler=scheduler,
    valid=held_out,
    metrics={"accuracy": accuracy},
    clip_grad_norm=1.0,
    checkpoint=args.checkpoint,
    checkpoint_every=1,
    progress=False,
)
assert serialization.load(args.checkpoint)
weights = b"".join(np.ascontiguousarray(value.numpy()).tobytes() for value in model.state_dict().values())
print(history.losses[-1].hex(), history.records, len(history.losses), hashlib.sha256(weights).hexdigest())
