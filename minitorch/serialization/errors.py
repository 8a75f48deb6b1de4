"""UnreadableFileError: what is said of a file that cannot be read."""


class UnreadableFileError(ValueError):
    """A file is truncated, of another format, or made to do harm. Nothing of it has been used."""
