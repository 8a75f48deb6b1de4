"""A GPT of 112,000 parameters reads little stories for a minute or two, and then tells one of its own."""

from shared import draw_losses, options, pyplot, saved

from minitorch import Tensor, cat, manual_seed, multinomial, nn, no_grad, optim
from minitorch.data import CharacterWindows, DataLoader, Subset, Vocabulary, stories
from minitorch.train import fit


class Block(nn.Module):
    """Every place looks at those before it, then thinks by itself; each time the result is added to what it knew."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:  # (B, T, C)
        q, k, v = self.qkv(self.norm_1(x)).unflatten(-1, (3, 4, -1)).permute(2, 0, 3, 1, 4)  # (B, 4 heads, T, C / 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm_2(x))


class GPT(nn.Module):
    """Characters (B, T) in, the logits of the character that follows each (B, T, characters) out."""

    def __init__(self, characters: int, width: int, layers: int, context: int) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(characters, width), nn.Embedding(context, width)
        self.body = nn.Sequential(*map(Block, [width] * layers), nn.LayerNorm(width), nn.Linear(width, characters))

    def forward(self, numbers: Tensor) -> Tensor:
        return self.body(self.token(numbers) + self.place.weight[: numbers.shape[1]])

    @no_grad()
    def write(self, numbers: Tensor, length: int) -> Tensor:  # (1, T) to (1, T + length)
        for _ in range(length):
            logits = self(numbers[:, -self.place.num_embeddings :])[:, -1]
            numbers = cat([numbers, multinomial((logits / 0.8).softmax(dim=-1), 1)], dim=1)
        return numbers


def main() -> None:
    args = options(
        __doc__,
        width=(64, "how many numbers stand for a character"),
        layers=(2, "blocks, one after another"),
        context=(64, "how many characters it sees"),
        steps=(2000, "steps of training"),
        lr=(5e-3, "largest learning rate"),
        checkpoint=("", "a file to go on from when interrupted, such as gpt.npz"),
        seed=(0, "another seed, another run"),
        plot=("tiny_gpt.png", "where the plot is saved"),
    )
    plt, told = pyplot(), stories()
    manual_seed(args.seed)
    vocabulary = Vocabulary.of(told.text)
    windows = CharacterWindows(vocabulary.encode(told.text), args.context)
    end = len(told.text) * 9 // 10  # the last tenth is not read, but used to see how well the rest was understood
    loader = DataLoader(Subset(windows, range(end - args.context)), batch_size=24, shuffle=True)
    held_out = DataLoader(Subset(windows, range(end, len(windows), args.context)), batch_size=64)

    model = GPT(len(vocabulary), args.width, args.layers, args.context).to(args.device)
    print(f"{len(told.text):,} characters; {sum(each.numel() for each in model.parameters()):,} parameters")
    optimizer = optim.AdamW(model.parameters(), args.lr, betas=(0.9, 0.99), weight_decay=0.1)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, args.lr, args.steps, pct_start=0.1, cycle_momentum=False)
    history = fit(
        model, loader, optimizer, lambda logits, y: nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()),
        steps=args.steps, scheduler=scheduler, clip_grad_norm=1.0, checkpoint=args.checkpoint or None,
        valid=held_out, evaluate_every=max(1, args.steps // 4), checkpoint_every=100,
    )  # fmt: skip
    written = vocabulary.decode(model.write(vocabulary.encode("One day")[None].to(args.device), 400))
    print(history, f"No loss stays below {told.floor:.2f}.", written, sep="\n\n")
    saved(draw_losses(plt.subplots()[1], history), args.plot)


if __name__ == "__main__":
    main()
