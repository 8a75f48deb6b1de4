from minitorch.compat.signal.windows import *
