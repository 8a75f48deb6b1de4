"""The operations, grouped by family; each is declared once, forward and gradient together."""
