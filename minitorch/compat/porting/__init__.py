"""`minitorch port FILE`: what of a PyTorch program must change so that it runs here.

- `aliases.py`, `program.py`: what the program calls PyTorch's parts; its functions and classes
- `kinds.py`, `results.py`, `facts.py`, `expressions.py`, `inference.py`: type inference; the program is never run
- `names.py`: which names there are here, asked of the package; `instead.py`: what to write for those that are not
- `reader.py`: all rules: `imports.py`, `uses.py` (names, calls), `tensors.py` (`==`, `.grad`, `.data`); `sentences.py`
- `findings.py`: a line and its replacement, and the text with all of them done
"""
