"""PyTorch programs on minitorch: what must change in a program's text. `minitorch port` prints it and writes it.

- `table.py`: PyTorch's names that are not here, with a replacement, or the reason and the remedy
- `names.py`: PyTorch's names that are here, looked up in the package; `imports.py`: the program's imports
- `visitor.py`: one visitor, which finds the Tensors of a program by local facts (`program_scopes.py`, `kinds.py`,
  `tensor_results.py`)
- `porting_rules.py`: what must change at a name, a call, a comparison, an attribute; `rewriting.py`: the new text
"""
