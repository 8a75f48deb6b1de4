"""What common exceptions mean, in plain words: the type, a pattern of its message, and the sentence.

The first row that fits is used. A sentence says what must be so wherever Python or NumPy raises this; `{0}`, `{1}` are
the pattern's groups. The exception's own text and the learner's line are shown beside it.
"""

from __future__ import annotations

from minitorch.language import N_

ROWS: tuple[tuple[str, str, str], ...] = (
    # -------------------------------------------------------------------------------------------------- the keyboard
    (
        "EOFError",
        r"EOF when reading a line",
        N_("a check runs the file without a keyboard, so `input()` reads nothing: take the value from an argument"),
    ),
    (
        "BdbQuit",
        r"",
        N_("a check runs the file without a keyboard, so `breakpoint()` stops it: delete it, or use `check --pdb`"),
    ),
    # ---------------------------------------------------------------------------------------- None, and plain numbers
    (
        "TypeError",
        r"'NoneType' object is not callable",
        N_("what is called in this line is None"),
    ),
    (
        "TypeError|AttributeError|ValueError",
        r".*'NoneType'.*",
        N_("something in this line is None: ask `is None` before you use it, or look where a `return` is missing"),
    ),
    (
        "AttributeError",
        r"'(int|float|bool|complex|numpy\.(?:float|int|bool)\w*)' object has no attribute '(\w+)'",
        N_("a plain number ({0}) stands in this line where one with `.{1}` is expected: look at its type first"),
    ),
    (
        "AttributeError",
        r"'numpy\.ndarray' object has no attribute '(requires_grad|accumulate|result|grad|_backward|_prev|_op|label)'",
        (
            N_(
                "an array stands where a Tensor is needed: only a Tensor has `.{0}`. In one calculation "
                "take `.data` of every Tensor; what gets a gradient is the Tensor itself, never its `.data`"
            )
        ),
    ),
    (
        "AttributeError",
        r"'numpy\.ndarray' object has no attribute '(zero_|norm|clone|detach|numpy|backward|add_|sub_|mul_|div_)'",
        (
            N_(
                "`.grad` and `.data` are NumPy arrays, and an array has no `.{0}`, as PyTorch's tensors have: write "
                "`np.linalg.norm(g)`, `g.copy()`, `g *= 0.5`, or `p.grad = None` to clear a gradient"
            )
        ),
    ),
    (
        "AttributeError",
        r"'(list|tuple|dict|set|str|generator|numpy\.ndarray|function|method)' object has no attribute '(\w+)'",
        N_("a {0} has no `.{1}`: this line expects something else there"),
    ),
    (
        "AttributeError",
        r"'?(\w+)'? object has no attribute '(\w+)'",
        N_("no `.{1}` was ever set on this {0}: is the name spelt as in the exercise?"),
    ),
    (
        "AttributeError",
        r"module '(\S+)' has no attribute '(\w+)'",
        N_("the module {0} has no `{1}`: is it called otherwise?"),
    ),
    (
        "TypeError",
        r"len\(\) of unsized object|object of type '(?:int|float|numpy\.\w+)' has no len\(\)",
        N_("a single number has no length: an array of shape () comes here as well"),
    ),
    (
        "TypeError",
        r"iteration over a 0-d array|'(?:int|float|numpy\.float64)' object is not iterable",
        N_("a single number cannot be walked through: an array of shape (), or a plain number, comes here as well"),
    ),
    (
        "TypeError|IndexError",
        r"'(int|float)' object is not subscriptable|invalid index to scalar variable.*",
        N_("a single number has no entries to pick with [...]"),
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not iterable",
        N_("this line walks through something of type {0}, and that has no entries"),
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not subscriptable",
        N_("this line takes [...] of something of type {0}, and that has no entries"),
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not callable",
        N_(
            "something of type {0} is called here like a function: is a pair of brackets too many, or a "
            "name used twice?"
        ),
    ),
    (
        "TypeError",
        r"'(tuple|str)' object does not support item assignment",
        N_("a {0} cannot be changed: make a list of it first, list(...)"),
    ),
    (
        "TypeError",
        r"(list|tuple|string) indices must be integers or slices, not (\S+)",
        N_("the entries of a {0} are picked with whole numbers, and this line takes a {1}"),
    ),
    (
        "TypeError",
        r"only (?:integer scalar|length-1|0-dimensional) arrays can be converted .*",
        N_("an array with several numbers stands here where one number is wanted"),
    ),
    (
        "TypeError",
        r"'(\S+)' object cannot be interpreted as an integer",
        N_("a whole number is wanted here, and it is of type {0}"),
    ),
    (
        "TypeError",
        r"can only concatenate (\w+) \(not \"(\S+)\"\) to \w+",
        N_("+ on a {0} appends, it does not add numbers: a {0} and a {1} do not go together"),
    ),
    (
        "TypeError",
        r"can't multiply sequence by non-int of type '(\S+)'",
        N_("* on a list or tuple repeats it, it does not multiply its numbers"),
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for (\S+)(?: or pow\(\))?: '(\S+)' and '(\S+)'",
        N_("{0} stands between a {1} and a {2} in this line, and Python knows no such operation"),
    ),
    (
        "TypeError",
        r"bad operand type for unary (\S): '(\S+)'",
        N_("{0} stands before a {1} in this line, and Python knows no such operation"),
    ),
    (
        "TypeError",
        r"'(\S+)' not supported between instances of '(\S+)' and '(\S+)'",
        N_("a {1} and a {2} cannot be compared with {0}"),
    ),
    (
        "TypeError",
        r"unhashable type: '(\S+)'",
        N_("a {0} can be no key of a dict and no member of a set"),
    ),
    (
        "TypeError",
        r"(\S+\(\)) missing (\d+) required .*|(\S+\(\)) takes .* positional arguments? but .*",
        N_("this line calls a function with too few or too many arguments"),
    ),
    (
        "TypeError",
        r"(\S+\(\)) got an unexpected keyword argument '(\w+)'",
        N_("{0} knows no argument called {1}"),
    ),
    # ----------------------------------------------------------------------------------------------------------- arrays
    (
        "TypeError",
        r"(?:The )?numpy boolean (?:negative|subtract), the `-` operator, .*",
        N_("an array of True and False has no minus: ~ turns True into False and False into True"),
    ),
    (
        "ValueError",
        r"The truth value of an array .*",
        N_("`if`, `and`, `or`, `not` want one yes or no, and here stands an array of them: .any() or .all() makes one"),
    ),
    (
        "ValueError",
        r"operands could not be broadcast together with (?:remapped )?shapes (.*)",
        N_("the shapes {0} do not fit: lined up at the right, sizes must be equal, or 1"),
    ),
    (
        "ValueError",
        r"non-broadcastable output operand with shape (\(.*?\)) doesn't match the broadcast shape (\(.*?\))",
        N_("an in-place operation keeps the shape {0}, but the result needs {1}"),
    ),
    (
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        N_("an array of shape {0} does not fit into a place of shape {1}"),
    ),
    (
        "ValueError",
        r"matmul: .*|shapes .* not aligned: .*",
        N_("for @ the last size on the left must equal the last but one on the right, and batch axes must fit"),
    ),
    (
        "ValueError",
        r"cannot reshape array of size (\d+) into shape (.*)",
        N_("reshape neither adds nor drops numbers: {0} of them do not fill the shape {1}"),
    ),
    (
        "ValueError",
        r"axes don't match array|repeated axis in transpose",
        N_("transpose wants each axis of the array exactly once"),
    ),
    (
        "ValueError",
        r"duplicate value in 'axis'",
        N_("an axis is named twice here"),
    ),
    (
        "AxisError",
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        N_("there is no axis {0} here: the array is {1}-dimensional, and axes are counted from 0"),
    ),
    (
        "ValueError",
        r"cannot select an axis to squeeze out which has size not equal to one",
        N_("squeeze drops axes of size 1 only"),
    ),
    (
        "ValueError",
        r"(?:assignment destination|output array) is read-only",
        N_("this line writes into an array that it was given: make a new one, others still need it as it is"),
    ),
    (
        "UFuncTypeError|_UFuncOutputCastingError",
        r"Cannot cast ufunc '(\w+)' output from dtype\('(\w+)'\) to dtype\('(\w+)'\).*",
        N_("an array of whole numbers ({2}) cannot take the result in place: begin with an array of floats"),
    ),
    (
        "ValueError",
        r"setting an array element with a sequence.*",
        N_("one entry has room for one number, and gets several"),
    ),
    (
        "IndexError",
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        N_("axis {1} has {2} entries here, so there is no entry {0}"),
    ),
    (
        "IndexError",
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        N_("this line picks along {1} axes, and the array is {0}-dimensional"),
    ),
    (
        "IndexError",
        r"arrays used as indices must be of integer .*|only integers, slices .*",
        N_("this picks entries with something that is no whole number, slice or mask"),
    ),
    (
        "IndexError",
        r"(list|tuple|string|pop from empty list)(?: .*)?",
        N_("this line asks for an entry that is not there"),
    ),
    ("ZeroDivisionError", r".*", N_("this line divides by 0")),
    (
        "OverflowError",
        r".*",
        N_("the number in this line grows too large for a float"),
    ),
    # ------------------------------------------------------------------------------------------------------------ names
    (
        "UnboundLocalError",
        r".*'(\w+)'.*",
        N_("`{0}` is given a value somewhere in this function, so it is the function's own, and here it has none yet"),
    ),
    (
        "NameError",
        r"name '(\w+)' is not defined.*",
        N_("nothing in the file is called `{0}`: is it spelt as where it was made, or is an import missing?"),
    ),
    (
        "KeyError",
        r".*",
        N_("the dict has no entry for this key yet: d.get(key, 0) gives 0 where there is none"),
    ),
    (
        "ModuleNotFoundError|ImportError",
        r"No module named '(\S+)'",
        N_("there is no module {0} here: NumPy and Python's own are what an exercise may use"),
    ),
    (
        "ValueError",
        r"(?:not enough|too many) values to unpack .*",
        N_("the names on the left of = are not as many as the values on the right"),
    ),
    (
        "AssertionError",
        r".*",
        N_("an `assert` in this line was not fulfilled"),
    ),
    (
        "RuntimeError",
        r"(?:dictionary|Set|deque) (?:changed size|mutated) during iteration",
        N_("this loop changes what it walks through: walk through a copy, list(...)"),
    ),
)
