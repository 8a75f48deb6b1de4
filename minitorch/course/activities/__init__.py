"""What a lesson does besides exercises: bug hunts, reviews, and its notebook as an answer.

- `planted.py`: `planted("09")` deals functions of which one is wrong
- `hunt.py`: `found("09", "name")` judges what the learner holds for the bug, and lets them mend it
- `notebooks.py`: `check --notebooks`, a learner's notebook run on the learner's engine and compared
- `nbval_notebook.py`: what nbval compares in a notebook, and the course folder that it runs in
- `lecture.py`, `rerun.py`: `lecture 08`, the notebook as slides; its cells, run once more for their pictures
- `minutes.py`: how long a lesson takes, computed from its notebook
- `review.py`: `review("08")`, four questions about what was met before
"""
