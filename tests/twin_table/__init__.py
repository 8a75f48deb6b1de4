"""The twin table: every operation that is computed as one, beside what a lesson would derive it from."""

from twin_table import activations, losses, networks, normalization, wide, windows
from twin_table.row import ELEMENTARY, OF_GRADIENTS, Row, operations

MODULES = (activations, losses, networks, normalization, wide, windows)
ROWS: tuple[Row, ...] = tuple(row for module in MODULES for row in module.ROWS)

assert len({row.title for row in ROWS}) == len(ROWS), "two rows share a title"

__all__ = ["ELEMENTARY", "OF_GRADIENTS", "ROWS", "Row", "operations"]
