"""The command `minitorch` as `python -m minitorch`, for where PATH does not have it."""

from minitorch.course.cli import main

if __name__ == "__main__":
    main()
