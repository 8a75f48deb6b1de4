"""`minitorch port FILE`: what of a PyTorch program must change so that it runs here. The rules are in `compat/porting`.

- `program_file.py`: the file, or a notebook's cells
- `listing.py`: what is said of it, and the file with the certain changes; `command.py`: the command
"""
