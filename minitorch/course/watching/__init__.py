"""`minitorch watch`: an event comes in, the state changes, and what is to be done goes out.

- `state.py`: the state and its one step, without a terminal
- `screen.py`: what is shown for a state and a size, as plain data
- `files.py`: noticing that a learner's file was saved
- `checks.py`: one thread that judges, and can be told to judge something else
- `app.py`: the terminal around them
"""
