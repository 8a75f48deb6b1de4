"""A learner's folder and machine: made, looked over, brought up to date, opened.

- `workspace.py`: the folder a learner works in, laid out once, never overwritten
- `upgrade.py`: a folder made with an older version gets what is new, and keeps what the learner wrote
- `carried.py`: a folder as one zip file, brought from a browser to a computer
- `here.py`: a folder where a notebook is, on Colab or Binder
- `lab.py`: JupyterLab on the learner's working copies; `jupyter/` is its configuration
- `prepared.py`: where it begins, and the workspace that it opens
- `terminal.py`: the shells of its terminals
- `memory.py`: how much memory a program may use
- `processor.py`: one set of kernels for the outputs of notebooks
- `products.py`: who multiplies matrices here, and what other kernels would give
- `doctor.py`, `self_check.py`: faults of the installation, and whether checks can run at all
- `shadowing.py`: files of the learner's that have a module's name, and hide the module
- `shipped.json`: every stub that was ever shipped, as hashes, for `upgrade`
"""
