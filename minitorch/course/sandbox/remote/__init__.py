"""The remote driver: a check's driver runs on proxies, in a process between the judge and the learner's code.

In a class nobody can trust a driver that runs in the process that it observes. Here the child holds the learner's file,
NumPy, the lesson's given code and a small loop; a driver's process of its own holds the driver, unchanged, and a proxy
for each of the learner's things; and the judge, as ever, judges plain values. What a child can send is a value that an
honest run could have produced, and nothing else counts.

- `runner.py`: the judge's side: starts, asks and ends both processes
- `driver.py`: the driver's process
- `server.py`: makes drivers and children by copying a process that has NumPy loaded
- `box.py`: the command that puts a child into a box of bubblewrap
- `link.py`: its side of the talk with the child: asks, answers calls, refuses what is out of turn
- `proxies.py`: what stands there for the learner's things
- `loop.py`: the child
- `mirrors.py`: what stands there for the driver's things
- `space.py`: the table of shared things, and the messages about them; the same on both sides
- `plain.py`: values that cross as they are
- `arrays.py`: arrays, their views, and what was written to them
- `sleep.py`: shared things that no code can reach need no look
- `specials.py`: the special methods, and what the child does for each
"""
