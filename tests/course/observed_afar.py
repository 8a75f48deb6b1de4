"""A learner's file with a little of everything, for test_remote.py: it is read as text."""

import numpy as np


class LostError(ValueError):
    def __str__(self):
        return f"lost {self.args[0]}"


class Length(float):
    pass


class Point:
    """A point."""

    kind = "point"
    __slots__ = ("__dict__", "x", "y")

    def __init__(self, x, y=0.0):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __add__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return Point(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        return Point(other + self.x, other + self.y)

    def __iadd__(self, other):
        self.x += other
        return self

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __lt__(self, other):
        return self.x < other.x

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return (self.x, self.y)[index]

    def __setitem__(self, index, value):
        setattr(self, "xy"[index], value)

    def __contains__(self, number):
        return number in (self.x, self.y)

    def __call__(self, times=1, *, more=0):
        return self.x * times + more

    def __float__(self):
        return float(self.x)

    def __array__(self, dtype=None, copy=None):
        return np.array([self.x, self.y])

    @property
    def size(self):
        return abs(self.x) + abs(self.y)

    @classmethod
    def zero(cls):
        return cls(0.0)


class Sub(Point):
    __hash__ = None

    def __eq__(self, other):
        return True


class Opened:
    def __enter__(self):
        self.inside = True
        return self

    def __exit__(self, kind, error, trace):
        self.inside = False
        return kind is KeyError


def same(*things):
    return things[0] if len(things) == 1 else things


def calls(function, *args, **named):
    return function(*args, **named)


def fails(error):
    raise error


def lost():
    raise LostError(7)


def missing(key):
    return {}[key]


def deep(n):
    return deep(n + 1)


def catches(function):
    try:
        return function()
    except Exception as error:  # noqa: BLE001 - what it is, is returned
        return [type(error).__name__, str(error)]


def passes_on(function):
    try:
        function()
    except ValueError as error:
        raise error


def counted(n):
    yield from range(n)


def appends(row):
    row.append(len(row))


def writes(array, index=0, value=9.0):
    array[index] = value


def resizes(array, shape):
    array.resize(shape, refcheck=False)


def gathers(make, n):
    things = [make(i) for i in range(n)]
    for thing in things:
        thing.i += 1
        thing.row.append(0)
        thing.pair[1].append(0)
    return things


def draws(rng, n):
    return [rng.random() for _ in range(n)] + [rng.gauss(0, 1)]


def contains(thing):
    return thing in kept[:1]


def last_called(*args):
    return kept[-1](*args)


kept = []


def keeps(thing):
    kept.append(thing)
    return kept


def first():
    return kept[0]


class Several(ExceptionGroup):
    pass


def several(x):
    raise Several("two at once", [ValueError(x), KeyError("k")])
