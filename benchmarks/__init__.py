"""What the engine costs, measured: `python -m benchmarks`, or `make bench`."""
