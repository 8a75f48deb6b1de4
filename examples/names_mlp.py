"""A network learns how Python's functions are called, character by character, and makes names up."""

from shared import draw_losses, options, pyplot, saved

from minitorch import manual_seed, multinomial, nn, no_grad, optim
from minitorch.data import DataLoader, Vocabulary, function_names, name_contexts, random_split
from minitorch.train import evaluate, fit


def main() -> None:
    args = options(
        __doc__,
        context=(8, "how many characters the network sees"),
        hidden=(200, "neurons in the hidden layer"),
        steps=(2000, "steps of training"),
        lr=(0.01, "largest learning rate"),
        temperature=(0.8, "below 1: names are more ordinary"),
        seed=(0, "another seed, another run"),
        plot=("names_mlp.png", "where the plot is saved"),
    )
    plt = pyplot()
    manual_seed(args.seed)

    names = function_names()
    vocabulary = Vocabulary.of([*names, "\n"])
    known, unknown = random_split(names, [0.9, 0.1])
    train, test = (name_contexts(part, vocabulary, args.context) for part in (known, unknown))
    loader = DataLoader(train, batch_size=128, shuffle=True)
    held_out = DataLoader(test, batch_size=1024)
    print(f"{len(names):,} names of {len(vocabulary)} characters, among them: {', '.join(names[::500])}")

    model = nn.Sequential(
        nn.Embedding(len(vocabulary), 16),  # (N, context, 16)
        nn.Flatten(),
        nn.Linear(16 * args.context, args.hidden),
        nn.ReLU(),
        nn.Linear(args.hidden, len(vocabulary)),
    ).to(args.device)
    optimizer = optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.steps, pct_start=0.1)

    loss_fn = nn.CrossEntropyLoss()
    history = fit(model, loader, optimizer, loss_fn, steps=args.steps, scheduler=scheduler, valid=held_out)
    learnt = evaluate(model, DataLoader(train, batch_size=1024), loss_fn)["loss"]
    print(f"{learnt:.3f} nats a character on the names that it learnt from, {history['valid_loss'][-1]:.3f} on others.")
    print("Made up: " + ", ".join(made_up(model, vocabulary, args.context, args.temperature) for _ in range(12)))
    saved(draw_losses(plt.subplots()[1], history), args.plot)


@no_grad()
def made_up(model: nn.Module, vocabulary: Vocabulary, context: int, temperature: float) -> str:
    """One character after another, each drawn with the probability that the model gives it."""
    name = ""
    while not name.endswith("\n") and len(name) < 40:
        seen = ("\n" * context + name)[-context:]
        logits = model(vocabulary.encode(seen).unsqueeze(0).to(model[0].weight.device))  # (1, characters)
        chances = (logits / temperature).softmax(dim=1)
        name += vocabulary.decode(multinomial(chances, 1))
    return name.strip()


if __name__ == "__main__":
    main()
