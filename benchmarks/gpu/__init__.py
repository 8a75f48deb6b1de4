"""What is to be found out on a machine with a GPU: whether CuPy computes what NumPy does, and how quickly."""
