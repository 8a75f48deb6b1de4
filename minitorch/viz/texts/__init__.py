"""Words: every sentence that a picture says, in English and in Spanish.

- `catalogue.py`: `say`, and one table of both languages made of the files below
- `births.py`: where a nan or an inf comes from
- `boards.py`: the board of a training
- `curves.py`: curves of numbers
- `fan_out.py`: backward walks, right and wrong
- `passing.py`: a backward pass, contribution by contribution
- `folding.py`: what is drawn as one in a large graph
"""
