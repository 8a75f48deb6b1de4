"""What the functions of `minitorch.viz` give back: one file a view."""
