"""cuDNN's settings. cuDNN is not used: whatever a program assigns here has no effect."""

__all__ = ["allow_tf32", "benchmark", "deterministic", "enabled", "is_available"]

enabled = False
benchmark = False
deterministic = True
allow_tf32 = False


def is_available() -> bool:
    """False: convolutions are products of matrices here.

    >>> is_available()
    False
    """
    return False
