"""The learner's engine: `engine("mine")` puts together what the learner wrote and what is given.

- `assembled.py`: the engine, piece by piece, the learner's where they are right
- `loading.py`: a lesson's code in a module of its own; `yours("06")`, the learner's file wrong or not
- `merging.py`: one lesson's code out of the learner's file and the solution
- `operators.py`: a Tensor whose signs call the learner's functions
- `badge.py`: how many pieces are whose, and why
"""
