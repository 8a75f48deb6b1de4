"""The sandbox: learner's code runs in a child that knows no expectation, and plain values come back.

- `runner.py`: the parent's side: asks one thing at a time, ends what takes too long, starts again
- `limits.py`: how long a call, an exercise and a file may take; `waiting.py`: what a busy machine takes of that
- `child.py`: one child process, or a copy that it makes of itself: its pipes, its deadline, its end
- `family.py`: everything that a child started, found and ended
- `scratch.py`: the folder a child works in
- `surroundings.py`: what a child is started with: a bare environment, limits, packages
- `worker.py`: the child itself; it imports `wire` and `keeper` and nothing else of ours
- `keeper.py`: stands between the judge and that code: it can name nobody outside, and all of it ends
- `wire.py`: values as a JSON header and raw array bytes, bounded, never pickled
- `outcome.py`: what happened at one call
- `values.py`: plain values, shown and compared
- `in_process.py`: the same without a child, for a debugger
- `inside.py`: the child's work in this process, for a browser; `deadline.py`: ends what runs too long there
- `platforms.py`: which of the two it is
- `remote/`: the driver in a process of its own, for a class
- `tiers.py`: how well a class's submissions are shut in, and the tests that choose a tier; `acts.py.txt`: what is tried
- `confinement.py`: what a process gives up for good: `landlock.py` files and network, `seccomp.py` system calls
"""
