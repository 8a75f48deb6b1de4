"""Files that mean harm, by family: each leaves `unbroadcast` of lesson 08 wrong and tries something else instead.

`HARM` holds the text of each; `WRONG` is the answer that it comes with. `{judge}` becomes the judge's process number.
"""

from __future__ import annotations

WRONG = "def unbroadcast(gradient, shape):\n    return gradient\n"
RIGHT = """
def summed(gradient, shape):
    import numpy as np
    added = gradient.ndim - len(shape)
    total = np.zeros(shape)
    for place in np.ndindex(gradient.shape):
        total[tuple(0 if size == 1 else index for index, size in zip(place[added:], shape))] += gradient[place]
    return total
"""
FRAMES = """
import os, sys, threading, time, json, struct

def up(name):
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != name:
        frame = frame.f_back
    return frame

def send(header, body=b""):
    served = up("serve").f_locals
    text = json.dumps({"id": served["header"]["id"], **header}).encode()
    os.write(served["answers"], struct.pack("<4sII", b"mtw1", len(text), len(body)) + text + body)
"""
PAYING = '{"is": "value", "value": ["d", ["result", True]]}'


def inside(*lines: str) -> str:
    """The wrong answer with lines before its return."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"def unbroadcast(gradient, shape):\n{body}    return gradient\n"


HARM: dict[str, str] = {
    # ---- the driver, the encoder, the serve loop
    "driver: Learner.call answers": FRAMES
    + inside(
        "main = sys.modules['__main__']",
        "real = main.Learner.call",
        "def call(self, *words):",
        "    return {'is': 'value', 'value': True, 'body': b''}",
        "main.Learner.call = call",
    ),
    "driver: shipped text is replaced": FRAMES
    + inside(
        "learner = up('serve').f_locals['learner']",
        "for key in learner.ours: learner.ours[key] = lambda *_: True",
    ),
    "driver: its local `np` is patched": inside(
        "import sys, numpy as np",
        "np.asarray = lambda *_: True",
    ),
    "encoder: says True": inside("import sys", "sys.modules['wire'].encode = lambda value: (True, b'')"),
    "encoder: a packer that packs nothing": inside("import sys", "sys.modules['wire']._Packer.pack = lambda *_: None"),
    "encoder: frame is replaced": inside("import sys", "sys.modules['wire'].frame = lambda *_: b'mtw1' * 9"),
    "loop: os.write says nothing": inside("import os", "os.write = lambda fd, data: len(data)"),
    "loop: os.write repeats itself": inside(
        "import os", "real = os.write", "os.write = lambda fd, data: real(fd, data + data) and len(data)"
    ),
    "loop: read_frame ends": inside("import sys", "sys.modules['wire'].read_frame = lambda stream: None"),
    "loop: read_frame raises": inside("import sys", "sys.modules['wire'].read_frame = None"),
    "loop: the main module is emptied": inside("import sys", "vars(sys.modules['__main__']).clear()"),
    "loop: all modules go": inside("import sys", "sys.modules.clear()"),
    "loop: os._exit is replaced": inside("import os, sys", "os._exit = lambda code: None", "sys.exit(0)"),
    "loop: os.fork never comes back": "import os\nos.fork = lambda: 1\n" + WRONG,
    "loop: os.waitpid lies": "import os\nos.waitpid = lambda *_: (1, 0)\n" + WRONG,
    "loop: the copy's pipes are stolen": "import os\nos.dup2 = lambda *_: None\n" + WRONG,
    "loop: json is patched": inside("import json", "json.dumps = lambda *_, **__: '{}'"),
    # ---- frames
    "frames: a value sent by hand": FRAMES + inside("send({'is': 'value', 'value': True})"),
    "frames: a value sent while the file is loaded": FRAMES + "send({'is': 'value', 'value': True})\n" + WRONG,
    "frames: two answers": FRAMES + inside("for _ in range(2): send({'is': 'value', 'value': True})"),
    "frames: settled by hand": FRAMES + inside("send({'is': 'settled'})"),
    "frames: copied and ended by hand": FRAMES + "send({'is': 'copied'}), send({'is': 'ended', 'code': 0})\n" + WRONG,
    "frames: a copy that is none": FRAMES + "import os\nos.fork = lambda: 0\n" + WRONG,
    "frames: an array of 6 GiB in a header": FRAMES
    + inside("send({'is': 'value', 'value': ['a', '<f8', [1 << 15, 1 << 15, 1 << 15]]})"),
    "frames: nested without end": FRAMES + inside("send({'is': 'value', 'value': eval('[' * 90 + ']' * 90)})"),
    "frames: half of one": FRAMES + inside("os.write(up('serve').f_locals['answers'], b'mtw1\\0\\0\\1')"),
    "frames: a flood": FRAMES + inside("while True: os.write(up('serve').f_locals['answers'], b'mtw1' * 4096)"),
    "frames: every descriptor gets one": FRAMES
    + inside(
        "for fd in range(3, 64):",
        "    try: os.write(fd, b'mtw1' + bytes(8) + b'{}')",
        "    except OSError: pass",
    ),
    "frames: a forged time-out": FRAMES
    + inside("os.write(up('serve').f_locals['answers'], b'Timeout (0:00:02)!\\n  File \"x\", line 1 in f\\n')"),
    "frames: the driver's expectation is looked for": FRAMES
    + inside(
        "import gc", "print([type(each).__name__ for each in gc.get_objects() if 'Check' in type(each).__name__])"
    ),
    # ---- NumPy and Python under the driver
    "numpy: array_equal is always true": inside("import numpy as np", "np.array_equal = lambda *_: True"),
    "numpy: ndarray compares equal": (
        "import numpy as np\nclass Equal(np.ndarray):\n    __eq__ = lambda *_: np.True_\n"
        "def unbroadcast(gradient, shape):\n    return gradient.view(Equal)\n"
    ),
    "numpy: an object that says it is an array": (
        "class Array:\n    shape = ()\n    __array__ = lambda self, *_: None\n"
        "    __class__ = property(lambda s: float)\n"
        "def unbroadcast(gradient, shape):\n    return Array()\n"
    ),
    "numpy: asarray sums back": RIGHT
    + inside(
        "import numpy as np", "wanted = summed(gradient, shape)", "np.generic = object", "np.asarray = lambda _: wanted"
    ),
    "python: builtins are replaced": inside("import builtins", "builtins.isinstance = lambda *_: True"),
    "python: builtins are replaced for good": (
        "import builtins, sys\nclass Sticky(dict):\n    def __setitem__(self, *_): pass\n"
        "builtins.len = lambda _: 3\n" + WRONG
    ),
    "python: tracing": inside("import sys", "sys.settrace(lambda *_: None)", "sys.setprofile(lambda *_: 1 / 0)"),
    "python: no recursion": inside("import sys", "sys.setrecursionlimit(30)"),
    "python: no more memory": inside("import resource", "resource.setrlimit(resource.RLIMIT_AS, (1, 1))"),
    "python: no more descriptors": inside(
        "import os, resource", "resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1))", "os.closerange(0, 99)"
    ),
    "python: the collector is asked to fail": inside(
        "import gc", "gc.callbacks.append(lambda *_: 1 / 0)", "gc.collect()"
    ),
    "python: an import hook": inside(
        "import sys", "sys.meta_path.insert(0, type('F', (), {'find_spec': lambda *_: 1 / 0})())", "sys.path.clear()"
    ),
    "python: an audit hook": inside("import sys", "sys.addaudithook(lambda *_: 1 / 0)"),
    # ---- processes, sessions, signals
    "processes: a fork answers, too": inside("import os", "os.fork()"),
    "processes: the parent of a fork leaves": inside("import os", "os._exit(0) if os.fork() else None"),
    "processes: a session of its own holds the pipes": inside(
        "import os, time",
        "if not os.fork():",
        "    os.setsid()",
        "    time.sleep(60)",
        "    os._exit(0)",
        "os._exit(0)",
    ),
    "processes: many": inside("import os", "for _ in range(8): os.fork()"),
    "processes: another program": inside("import os", "os.execv('/bin/sleep', ['sleep', '60'])"),
    "processes: one that stops itself": inside("import os, signal", "os.kill(os.getpid(), signal.SIGSTOP)"),
    "signals: the judge is killed": inside("import os", "os.kill({judge}, 9)"),
    "signals: the judge is stopped": inside("import os", "os.kill({judge}, 19)"),
    "signals: the parent is killed": inside("import os", "os.kill(os.getppid(), 9)"),
    "signals: everyone is killed": inside("import os", "os.kill(-1, 9)"),
    "signals: the judge is limited": inside(
        "import resource", "resource.prlimit({judge}, resource.RLIMIT_NOFILE, (1, 1))"
    ),
    "signals: an alarm in the loop": inside(
        "import signal", "signal.signal(signal.SIGALRM, lambda *_: 1 / 0)", "signal.setitimer(0, 0.02, 0.002)"
    ),
    "signals: all are ignored": inside(
        "import signal",
        "for number in range(1, 32):",
        "    try: signal.signal(number, signal.SIG_IGN)",
        "    except (OSError, ValueError): pass",
        "while True: pass",
    ),
    "signals: the dump is cancelled and it hangs": inside(
        "import faulthandler", "faulthandler.cancel_dump_traceback_later()", "while True: pass"
    ),
    "signals: children are buried unseen": "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + WRONG,
    # ---- prints
    "prints: what looks like a frame": inside("print('mtw1\\0\\0\\0\\2\\0\\0\\0\\0{}')"),
    "prints: what looks like a verdict": inside("print('✓ unbroadcast: passed')"),
    "prints: escape sequences": inside("print('\\x1b[2J\\x1b]0;owned\\x07\\u202e')"),
    "prints: without end": inside("while True: print('x' * 65536)"),
    "prints: into a closed stream": inside("import sys", "sys.stdout.close(), sys.stderr.close()"),
    "prints: into every descriptor": inside("import os", "for fd in range(3): os.write(fd, b'x' * 70000)"),
    "prints: a traceback of our own": inside("import sys", "sys.stderr.write('Traceback (most recent call last):')"),
    # ---- ends, threads
    "ends: an exit handler that hangs": inside("import atexit", "atexit.register(lambda: [0 for _ in iter(int, 1)])"),
    "ends: an exit handler that prints": inside("import atexit", "atexit.register(print, 'passed')"),
    "ends: a finaliser that raises": inside("class D:\n        def __del__(self): raise SystemExit", "D()"),
    "ends: exit code 0 at once": "import os\nos._exit(0)\n",
    "ends: exit in the middle": inside("import os", "os._exit(0)"),
    "ends: SystemExit": inside("raise SystemExit(0)"),
    "ends: KeyboardInterrupt": inside("raise KeyboardInterrupt"),
    "threads: one that never ends": inside(
        "import threading", "threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"
    ),
    "threads: one that answers later": FRAMES
    + inside("threading.Timer(0.001, send, [{'is': 'value', 'value': True}]).start()"),
    "threads: one that patches later": inside(
        "import sys, threading",
        "def patch(): sys.modules['wire'].encode = lambda value: (True, b'')",
        "threading.Timer(0.001, patch).start()",
    ),
    "threads: one from the import on": (
        "import threading, time\nthreading.Thread(target=lambda: [time.sleep(1) for _ in iter(int, 1)]).start()\n"
        + WRONG
    ),
    # ---- large values
    "large: an integer of a million digits": inside("return 10 ** 1_000_000"),
    "large: an array of 800 MB": inside("import numpy as np", "return np.zeros(10 ** 8)"),
    "large: a list of itself": inside("out = []", "out.append(out)", "return out"),
    "large: a million entries": inside("return list(range(10 ** 6))"),
    "large: a text of 100 MB": inside("return 'x' * 10 ** 8"),
    "large: deep": inside("out = []", "for _ in range(10 ** 5): out = [out]", "return out"),
    "large: all memory": inside("out = [b'x']", "while True: out += out"),
    "large: an exception of 100 MB": inside("raise ValueError('x' * 10 ** 8)"),
    "large: a file on the disk": inside("open('much', 'wb').write(bytes(1 << 30))"),
    # ---- the file itself
    "file: hangs while it is loaded": "while True: pass\n",
    "file: loads in six seconds and all fails": "import time\ntime.sleep(6)\n" + inside("return None"),
    "file: loads only once, then a crash": (
        "import os\nos.mkdir('once')\n" + inside("import os", "os.kill(os.getpid(), 11)")
    ),
    "file: just under the limit, every call": inside("import time", "time.sleep(1.9)"),
    "file: a module of its own name": "import sys\nsys.modules[__name__] = None\n" + WRONG,
    "file: replaces a class of ours": (
        "import sys\nsys.modules['__main__'].Learner.missing = lambda *_: {'is': 'value', 'value': True}\n" + WRONG
    ),
    "file: a target that is a property": (
        "class Any:\n    def __call__(self, *_): return self\n    def __getattr__(self, name): return self\n"
        "unbroadcast = Any()\n"
    ),
    "file: __getattr__ of the module": "def __getattr__(name):\n    return lambda *_: True\n",
}
# What a learner's own machine pays, because the driver runs in the process of the code that it observes and can be read
# or replaced there, or because the answers lie on the same disk. By lesson and exercise.
PAID_AT_HOME: dict[tuple[str, str], str] = {
    ("02", "toposort"): (
        "def toposort(root):\n    import sys\n    nodes = sys._getframe(1).f_locals['nodes']\n"
        "    used, waiting = set(), [root]\n    while waiting:\n        node = waiting.pop()\n"
        "        waiting += [each for each in node._prev if id(each) not in used]\n"
        "        used |= {id(node), *map(id, node._prev)}\n    return [each for each in nodes if id(each) in used]\n"
    ),
    ("08", "unbroadcast"): (
        "try:\n    import pathlib, minitorch\n"
        "    root = pathlib.Path(minitorch.__file__).parent\n"
        "    for place in (root.parent / 'solutions', root / 'course' / 'material' / 'solutions'):\n"
        "        for file in place.glob('lesson_08*.py'):\n            exec(file.read_text())\n"
        "except ImportError:\n    pass\n"
    ),
}
