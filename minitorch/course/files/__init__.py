"""The learner's files: where they lie, how they are read, and how they are taken back.

- `course_folder.py`: the folder that holds `exercises/`, found from anywhere below it
- `learner_file.py`: one file, read once through its descriptor
- `decoding.py`: the text in bytes, of a file or a notebook, or why there is none
- `notebook_json.py`: a notebook, or why a file is none
- `syntax_errors.py`: what is said of a text that is no Python
- `source_code.py`: one definition in a file's text, found, emptied or replaced; the rest stays byte for byte
- `stubs.py`: what a learner starts from, derived from the solutions
- `statements.py`: what a stub says, in another language
- `chosen.py`: the language that a folder was last opened in
- `learner.py`: who learns here, a number drawn once
- `reset.py`: an exercise or a file back to its stub, after a dated backup
"""
