"""Grading a class: from a folder of submissions to points. A learner's file is only ever text here: nothing imports it.

- `archives.py`, `submissions.py`: what was handed in, read in memory and with bounds; `notebooks.py`: notebooks in it
- `hand_in_names.py`: whose a file is, and of which lesson, by its name; `misnamed.py`: what is told of one of no lesson
- `settings.py`: `course.toml`, read and held against what is allowed; `courses.py`: the lessons that are graded
- `keys.py`: the seed of the hidden cases; `store.py`: the one SQLite file that all results are in
- `judged.py`: one file judged in a sandbox; `crew.py`: who does that, processes or a Dask cluster; `run.py`: a class
- `points.py`: from verdicts to points; `exports.py`: points and verdicts for other programs
- `insight.py`: what a class misses, counted; `anonymous.py`: code that is nobody's
- `report.py`: a class's pages: `class_page.py`, `student_page.py`, made with `sheet.py` and `charts.py`
- `doctor.py`: what this machine's tiers stop, tried
- `corpus.py`: files that mean harm or are broken, put through a tier; `corpus.toml` holds them
- `handout.py`: what goes out: a student's folder, Gradescope's zip; `autograder.py`: what judges there
- `commands.py`: `minitorch grade`, and what judges a class; `outputs.py`: its commands that write something;
  `options.py`: what all of them have
"""
