"""Apple's GPUs, which neither NumPy nor CuPy computes on."""

__all__ = ["is_available", "is_built"]


def is_available() -> bool:
    """False.

    >>> is_available()
    False
    """
    return False


is_built = is_available
