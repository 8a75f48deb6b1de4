"""Judging: from cases to a verdict that names the mistake. Nothing here runs learner's code; `sandbox/` does.

- `checks.py`: what an exercise's check is made of, and reading a lesson's `checks.py`
- `compare.py`: helpers for judges: what is wrong with a value, in a sentence
- `properties.py`: which property of an array is wrong, each with a hint of its own
- `arrays.py`: what the checks of rules over arrays share
- `contract.py`: what every backward pass over numbers must keep, for the checks of several lessons
- `judge.py`: every case goes to the child, its values come back, the verdict is made
- `mistakes.py`: the known-wrong versions of the exercises, edits of the solution in `mistakes/EXERCISE.toml`
- `known_mistakes.py`: the table of them that a wheel carries, so that a diagnosis needs no solution
- `behaviour.py`: what each of them does, case by case: remembered, or run in one child
- `facts.py`: what is kept of one call to compare it with others
- `diagnosis.py`: which of them behaves as the learner's code does
- `reasons.py`: why a case failed, in a sentence
- `exception_meanings.py`: what common exceptions of Python and NumPy mean, in plain words
- `verdict.py`: the seven kinds of verdict
- `met.py`: the misconceptions that a learner has met
- `progress.py`: what has been found out so far, one small file an exercise
"""
