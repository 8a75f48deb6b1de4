"""Cards: what a learner sees of verdicts, hints, quizzes and progress, in a terminal and in a notebook.

- `report.py`: verdicts as lines, as text, as a card
- `code_words.py`, `links.py`: code inside a sentence, and links to the learner's files
- `terminal.py`: the same in a terminal, with colours and links
- `stand_ins.py`: what stands for a sign that a terminal lacks
- `following.py`: what comes next after a pass
- `check_button.py`, `button_view.py`: the check button, and how it looks
- `live.py`: cards that answer a press, with their script and style in `static/`
- `hints.py`, `hint_log.py`: hints in steps, and which have been shown
- `questions.py`: predict-then-look questions
- `standing.py`, `overview.py`: how far the learner is, as numbers and as the map of the course
"""
