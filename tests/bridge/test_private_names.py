"""`bridge/compat.py` is the only file that says a private name of PyTorch. This test needs no PyTorch."""

import ast
from pathlib import Path

import minitorch

PACKAGE = Path(minitorch.__file__).parent
OURS = frozenset({"_graph", "_data", "_node"})


def _private(path: Path) -> set[str]:
    """Private attributes of what is not `self` or `cls`, in a file that imports torch."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    if not any(name == "torch" or name.startswith("torch.") for name in imports):
        return set()
    found = {name for name in imports if name.startswith("torch.") and "._" in name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                continue
            found.add(node.attr)
    return found - OURS


def test_private_names_stand_in_one_file() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.name != "compat.py":
            assert _private(path) == set(), path


def test_the_one_file_is_seen_by_this_test() -> None:
    assert "_C" in _private(PACKAGE / "bridge" / "compat.py")
