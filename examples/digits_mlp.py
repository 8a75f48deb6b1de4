"""A network with two hidden layers learns to read handwritten digits, and shows those that it reads wrongly."""

from shared import draw_losses, options, pyplot, saved

from minitorch import manual_seed, nn, no_grad, optim
from minitorch.data import DataLoader, load_digits
from minitorch.train import accuracy, fit


def main() -> None:
    args = options(
        __doc__,
        hidden=(64, "neurons in each of the two hidden layers"),
        epochs=(30, "passes over the training digits"),
        lr=(0.01, "largest learning rate"),
        seed=(0, "another seed, another run"),
        plot=("digits_mlp.png", "where the plot is saved"),
    )
    plt = pyplot()
    manual_seed(args.seed)

    train, test = load_digits()
    loader = DataLoader(train, batch_size=64, shuffle=True)
    held_out = DataLoader(test, batch_size=len(test))

    model = nn.Sequential(
        nn.Flatten(),
        nn.Linear(64, args.hidden),
        nn.ReLU(),
        nn.Linear(args.hidden, args.hidden),
        nn.ReLU(),
        nn.Linear(args.hidden, 10),
    ).to(args.device)
    optimizer = optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.05)
    scheduler = optim.lr_scheduler.OneCycleLR(
        optimizer, args.lr, epochs=args.epochs, steps_per_epoch=len(loader), pct_start=0.1
    )
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)  # the digits are few: not to be too sure helps with others
    history = fit(
        model, loader, optimizer, loss_fn, args.epochs,
        scheduler=scheduler, valid=held_out, metrics={"accuracy": accuracy},
    )  # fmt: skip
    print(history)
    print(f"{history['accuracy'][-1]:.1%} of the {len(test)} test digits are read rightly.")

    images, labels = test.tensors
    with no_grad():
        read = model(images.to(args.device)).argmax(dim=1).cpu()
    wrong = read.ne(labels).nonzero().flatten().tolist()[:5]

    figure, axes = plt.subplots(1, 6, figsize=(15, 3), width_ratios=[4, 1, 1, 1, 1, 1])
    draw_losses(axes[0], history)
    for picture in axes[1:]:
        picture.axis("off")
    for picture, number in zip(axes[1:], wrong, strict=False):
        picture.imshow(images[number, 0].numpy(), cmap="gray_r")
        picture.set_title(f"{labels[number].item()}, read as {read[number].item()}")
    saved(figure, args.plot)


if __name__ == "__main__":
    main()
