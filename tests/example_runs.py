"""How the examples are run in tests: briefly, each to its end."""

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SHORT = {
    "moons_mlp": ["--steps", "5"],
    "digits_mlp": ["--epochs", "1", "--hidden", "8"],
    "digits_cnn": ["--epochs", "1", "--channels", "2"],
    "names_mlp": ["--steps", "5", "--hidden", "8"],
    "tiny_gpt": ["--steps", "3", "--width", "8", "--layers", "1", "--context", "8"],
}
