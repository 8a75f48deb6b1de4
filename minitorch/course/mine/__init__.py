"""The learner's engine: `engine("mine")` puts together what the learner wrote and what is given.

- `assembled.py`: the engine, piece by piece, the learner's where they are right
- `loading.py`: a lesson's code in a module of its own; `yours("08")`, the learner's file wrong or not
- `merging.py`: one lesson's code out of the learner's file and the solution
- `carrying.py`: what one lesson asks for and a later one gives, one and the same in both
- `classes.py`: a class that several lessons write is one class, and a Tensor has its signs
- `operators.py`: a Tensor whose signs call the learner's functions
- `page.py`, `exhibits.py`: `minitorch report`, one page of HTML; what the engine does on it
- `moons.py`: lesson 04's moons on an engine's single numbers, in a report and in a package
- `gpt.py`: lesson 19's GPT on an engine, in a report
- `export.py`: `minitorch export DIR`, the engine as a package of its own; `test_engine.py.txt` has its tests
- `written.py`: a lesson's merged code as text, the learner's lines as they stand
- `badge.py`: how many pieces are whose, and why
"""
