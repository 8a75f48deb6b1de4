"""Draw the README's picture with minitorch itself: `python scripts/make_readme_picture.py`."""

from pathlib import Path

from minitorch import viz
from minitorch.scalar import Value

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "backward.svg"


def picture() -> str:
    """Return the SVG: one neuron's backward pass at the step where x, used twice, gets its second contribution."""
    x, w, b = Value(2.0, label="x"), Value(-3.0, label="w"), Value(6.5, label="b")
    loss = (x * w + b).tanh() + x
    loss.label = "loss"
    return viz.step(loss).svg(step=7)


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE.name}: written")
