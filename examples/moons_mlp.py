"""A small network learns to tell two half moons apart, and draws the border that it found."""

import numpy as np
from shared import draw_losses, options, pyplot, saved

from minitorch import Tensor, manual_seed, nn, no_grad, optim
from minitorch.data import DataLoader, TensorDataset, moons, spirals
from minitorch.train import accuracy, evaluate, fit


def main() -> None:
    args = options(
        __doc__,
        spirals=(False, "three spirals instead of two moons"),
        hidden=(32, "neurons in each of the two hidden layers"),
        steps=(960, "steps of training"),
        lr=(0.02, "largest learning rate"),
        seed=(0, "another seed, another run"),
        plot=("moons_mlp.png", "where the plot is saved"),
    )
    plt = pyplot()
    manual_seed(args.seed)

    X, y = spirals(300, noise=0.1, seed=args.seed) if args.spirals else moons(300, noise=0.1, seed=args.seed)
    loader = DataLoader(TensorDataset(X, y), batch_size=32, shuffle=True)
    classes = int(y.max().item()) + 1

    model = nn.Sequential(
        nn.Linear(2, args.hidden),
        nn.ReLU(),
        nn.Linear(args.hidden, args.hidden),
        nn.ReLU(),
        nn.Linear(args.hidden, classes),
    ).to(args.device)
    optimizer = optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.steps, pct_start=0.1)

    loss_fn = nn.CrossEntropyLoss()
    history = fit(model, loader, optimizer, loss_fn, steps=args.steps, scheduler=scheduler)
    reached = evaluate(model, loader, loss_fn, {"accuracy": accuracy})
    print(f"Loss {reached['loss']:.4f}, {reached['accuracy']:.1%} of the points are on the right side.")

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    draw_losses(left, history)
    draw_border(right, model, X.numpy(), y.numpy())
    saved(figure, args.plot)


def draw_border(axes, model: nn.Module, points: np.ndarray, labels: np.ndarray) -> None:
    """The plane in the colour of the class that the model sees there, and the points in that of their own."""
    low, high = points.min(axis=0) - 0.3, points.max(axis=0) + 0.3
    xs, ys = np.meshgrid(np.linspace(low[0], high[0], 200), np.linspace(low[1], high[1], 200))
    grid = Tensor(np.stack([xs.ravel(), ys.ravel()], axis=1).astype(np.float32))
    with no_grad():
        seen = model(grid.to(model[0].weight.device)).argmax(dim=1).cpu().numpy().reshape(xs.shape)
    axes.contourf(xs, ys, seen, alpha=0.25, levels=np.arange(labels.max() + 2) - 0.5, cmap="viridis")
    axes.scatter(points[:, 0], points[:, 1], c=labels, s=12, cmap="viridis", edgecolors="white", linewidths=0.3)
    axes.set(title="What the network sees", aspect="equal")


if __name__ == "__main__":
    main()
