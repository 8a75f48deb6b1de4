"""Words: every sentence that a picture says, in English and in Spanish.

- `catalogue.py`: `say`, and one table of both languages made of the files below
- `births.py`: where a nan or an inf comes from
- `boards.py`: the board of a training
- `boundary.py`: a classifier's regions
- `compare.py`: two graphs beside each other
- `curves.py`: curves of numbers
- `descent.py`: paths across a function of two numbers
- `fan_out.py`: backward walks, right and wrong
- `folding.py`: what is drawn as one in a large graph
- `grades.py`: the figures of a training at the nodes of a graph
- `graphs.py`: a graph and its backward pass, drawn, listed and exported
- `lectures.py`: slides, their keys, and graphs that grow
- `memory.py`: the memory of a program
- `nudging.py`: a graph whose numbers are changed in the picture
- `passing.py`: a backward pass, contribution by contribution
- `players.py`: the controls of players
- `predicting.py`: a backward pass that is predicted, and its mistakes
- `program.py`: a step that is replayed
- `reprs.py`: a Tensor, a module and a training at the end of a cell
- `routes.py`: numbers that are stretched, moved and picked, and come back
- `shapes.py`: gradient shapes, rules of operations, what can be wrong
"""
