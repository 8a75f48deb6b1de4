"""A convolutional network learns to read handwritten digits, and shows what its first filters look for."""

from shared import draw_losses, options, pyplot, saved

from minitorch import manual_seed, nn, optim
from minitorch.data import DataLoader, load_digits
from minitorch.train import accuracy, fit


def main() -> None:
    args = options(
        __doc__,
        channels=(16, "filters of the first layer; twice as many follow"),
        epochs=(12, "passes over the training digits"),
        lr=(0.01, "largest learning rate"),
        seed=(0, "another seed, another run"),
        plot=("digits_cnn.png", "where the plot is saved"),
    )
    plt = pyplot()
    manual_seed(args.seed)

    train, test = load_digits()
    loader = DataLoader(train, batch_size=64, shuffle=True)
    held_out = DataLoader(test, batch_size=len(test))

    c = args.channels
    model = nn.Sequential(  # (N, 1, 8, 8)
        nn.Conv2d(1, c, kernel_size=3, padding=1),
        nn.BatchNorm2d(c),
        nn.ReLU(),
        nn.MaxPool2d(2),  # (N, c, 4, 4)
        nn.Conv2d(c, 2 * c, kernel_size=3, padding=1),
        nn.BatchNorm2d(2 * c),
        nn.ReLU(),
        nn.MaxPool2d(2),  # (N, 2c, 2, 2)
        nn.Flatten(),
        nn.Linear(8 * c, 10),
    ).to(args.device)
    optimizer = optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.05)
    scheduler = optim.lr_scheduler.OneCycleLR(
        optimizer, args.lr, epochs=args.epochs, steps_per_epoch=len(loader), pct_start=0.2
    )
    loss_fn = nn.CrossEntropyLoss()
    history = fit(
        model, loader, optimizer, loss_fn, args.epochs,
        scheduler=scheduler, valid=held_out, metrics={"accuracy": accuracy},
    )  # fmt: skip
    print(history)
    print(f"{history['accuracy'][-1]:.1%} of the {len(test)} test digits are read rightly.")

    filters = model[0].weight.detach().cpu().numpy()[:8, 0]
    figure, axes = plt.subplots(1, 1 + len(filters), figsize=(15, 3), width_ratios=[5] + [1] * len(filters))
    draw_losses(axes[0], history)
    for picture, weights in zip(axes[1:], filters, strict=True):
        picture.imshow(weights, cmap="coolwarm", vmin=-abs(weights).max(), vmax=abs(weights).max())
        picture.axis("off")
    saved(figure, args.plot)


if __name__ == "__main__":
    main()
