"""Words: every sentence that the course says, in English and in Spanish.

- `error.py`: the error that speaks the learner's language
- `messages.py`: what checks, cards and commands say; `say` gives both languages
- `counts.py`: nouns with a number before them; `counted` of `messages` says them
- `command_line.py`: the command's help and what it says of a slip, in Spanish
- `exceptions.py`: what common exceptions mean, in plain words
- `activities.py`: checkpoints, bug hunts, reviews, checks of notebooks
- `properties.py`: what is said of a wrong array, property by property; `messages` says it
- `watching.py`: what `minitorch watch` says; `messages` says it
- `running.py`: what is said of running what a learner wrote; `messages` says it
- `unreadable.py`: what is said of a file or notebook that cannot be read; `messages` says it
- `stand_ins.py`: what stands for a sign that a terminal lacks
- `exporting.py`: what is said of an engine that is exported, and in the package; `messages` says it
- `grading.py`: what is said of grading a class; `messages` says it
- `class_pages.py`: what the pages on a class say, and `minitorch grade doctor`; `messages` says it
- `porting.py`: what is said of a PyTorch program; `messages` says it
- `setup.py`: what is said of a learner's folder and machine; `tell` speaks the learner's language
"""
