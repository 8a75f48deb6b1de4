"""The command `minitorch` as `python -m minitorch`, for where PATH does not have it, and where there is no make."""

import sys

from minitorch.starting import set_out

if __name__ == "__main__":
    set_out(sys.argv[1:])
    from minitorch.course.cli import main

    main()
