"""`minitorch port`: what it finds, what it leaves alone, and what it says of a file that is no program."""

from __future__ import annotations

import ast
import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from minitorch.compat.porting import names
from minitorch.compat.porting.porting_rules import findings_in
from minitorch.compat.porting.rewriting import Draft, Edit, rewritten, span_of
from minitorch.course.cli import cli

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
OURS = "import minitorch as torch\nfrom minitorch import nn\nimport minitorch.nn.functional as F\n"


def after(program: str) -> str:
    return rewritten(program, findings_in(program))


def port(*words: str, lang: str = "en"):
    return CliRunner().invoke(cli, ["port", *map(str, words)], env={"MINITORCH_LANG": lang})


# -- rules -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("import torch", "import minitorch as torch"),
        ("import torch as t", "import minitorch as t"),
        ("import torch.nn as nn, os", "import minitorch.nn as nn, os"),
        ("import torch.nn", "import minitorch as torch"),
        ("import torch, torch.utils.data", "import minitorch as torch"),
        ("from torch.nn import functional as F", "from minitorch.nn import functional as F"),
        ("from torch import (nn,\n  Tensor)", "from minitorch import nn, Tensor"),
        ("from torch.nn.modules.module import Module", "from minitorch.nn import Module"),
        ("from torch.optim.adam import Adam", "from minitorch.optim.adam import Adam"),
        ("from torch.optim.sgd_of_old import SGD", "from minitorch.optim import SGD"),
        ("from torch.utils.tensorboard import SummaryWriter as W", "from tensorboardX import SummaryWriter as W"),
        ("from torch.autograd import Variable, grad", "from minitorch.autograd import grad"),
    ],
)
def test_an_import_becomes_one_from_here_under_the_same_name(before, wanted):
    assert after(before) == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("m = torch.ones(3)\nm[m == 0]", "m[m.eq(0)]"),
        ("m = torch.ones(3)\n0 != m", "m.ne(0)"),
        ("a, b = torch.ones(3), torch.ones(3)\n(a + b == b).sum()", "((a + b).eq(b)).sum()"),
        ("def f(x):\n    return x.unsqueeze(0) == 1", "    return x.unsqueeze(0).eq(1)"),
        ("w.masked_select(m).sum() == 0", "w.masked_select(m).sum().eq(0)"),
        ("t = torch.tensor(3)\nt in [1, 2]", "t.item() in [1, 2]"),
        ("for x, y in torch.utils.data.DataLoader([]):\n    print(y == 1)", "    print(y.eq(1))"),
        ("def acc(p, y):\n    return (p == y).float()", "    return (torch.eq(p, y)).float()"),
        ("n = 0\nfor i in range(3):\n    n = n + torch.ones(1)\nn == 3", "torch.eq(n, 3)"),
    ],
)
def test_a_comparison_of_tensors_becomes_eq(before, wanted):
    assert after(HEAD + before).splitlines()[-1] == wanted


@pytest.mark.parametrize(
    "line",
    [
        'mode = "train"\nmode == "train"',
        "x = torch.ones(3)\nx.shape == (3,)",
        "x = torch.ones(3)\nx.size(0) == 3 and x.dim() != 2 and x.dtype == torch.float32",
        "for i in range(3):\n    i == 2",
        "x = torch.ones(3)\nx.item() == 1",
        "x = torch.ones(3).numpy()\nx == 1",
        "p = torch.ones(3, requires_grad=True)\np.grad == 0",
        "x = torch.ones(3)\nx is None or x > 2",
        "p = torch.ones(3, requires_grad=True)\np.data -= 0.1 * p.grad",
        "p = torch.ones(3, requires_grad=True)\np.data = p.data - 0.1 * p.grad\nprint(p.grad.sum().item())",
        "class Batch:\n    pass\nb = Batch()\nb.data == 1\nb.data.items()",
        "def equal(a, b):\n    return a == b",
        "from numpy import ones\nones(3) == 1",
    ],
)
def test_what_means_the_same_here_is_left_alone(line):
    assert after(HEAD + line) == OURS + line


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("p.grad.zero_()", "torch.as_tensor(p.grad).zero_()"),
        ("p.grad.data.zero_()", "torch.as_tensor(p.grad).zero_()"),
        ("g = p.grad\ng.norm()", "torch.as_tensor(g).norm()"),
        ("p.register_hook(lambda g: g.clamp(0, 1))", "p.register_hook(lambda g: torch.as_tensor(g).clamp(0, 1))"),
        ("p.data.copy_(p * 2)", "p.detach().copy_(p * 2)"),
        ("w = p.data", "w = p.detach()"),
        ("p.grad.sum(dim=0)", "torch.as_tensor(p.grad).sum(dim=0)"),
    ],
)
def test_methods_of_arrays_go_through_a_tensor(before, wanted):
    program = HEAD + "p = torch.ones(3, requires_grad=True)\n" + before
    assert after(program).splitlines()[-1] == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("torch.Tensor(3, 4)", "torch.empty(3, 4)"),
        ("torch.Tensor([1, 2])", "torch.tensor([1, 2], dtype=torch.float32)"),
        ("torch.Tensor()", "torch.empty(0)"),
        ("x = torch.ones(2)\ntorch.Tensor(*x.shape)", "torch.empty(*x.shape)"),
        ("x = torch.ones(2)\ntorch.Tensor(x.size())", "torch.empty(x.size())"),
        ("torch.Tensor(*sizes)", "torch.Tensor(*sizes)"),
    ],
)
def test_a_constructor_becomes_what_makes_the_same(before, wanted):
    assert after(HEAD + before).splitlines()[-1] == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("for v in held:\n    v.dtype.is_floating_point", "    torch.empty(0, dtype=v.dtype).is_floating_point()"),
        ("(x + 1).dtype.is_floating_point", "torch.empty(0, dtype=(x + 1).dtype).is_floating_point()"),
        ("x.grad.dtype.is_floating_point", "torch.empty(0, dtype=x.grad.dtype).is_floating_point()"),
        ("def f(dtype):\n    dtype.is_floating_point", "    torch.empty(0, dtype=dtype).is_floating_point()"),
        ("x.dtype.is_complex", "False"),
        ("x.is_floating_point()", "x.is_floating_point()"),
    ],
)
def test_what_a_dtype_has_no_attribute_for_is_asked_of_a_tensor(before, wanted):
    assert after(HEAD + "x = torch.ones(3, requires_grad=True)\n" + before).splitlines()[-1] == wanted


# Each of these names stands for a Tensor elsewhere, and here for an array, a data set, a set, a logger …
@pytest.mark.parametrize(
    "program",
    [
        "import numpy as np\ny = torch.tensor([0, 1])\nlab = np.array(y.clone())\nidx = np.where(lab == 1)[0]",
        "import numpy as np\nlab = np.asarray(torch.ones(3))\nlab[lab == 1]",
        "import numpy as np\nx = torch.ones(3)\nif quick:\n    x = x.numpy()\nprint(x == 1)",
        "import numpy as np\nx = np.ones(3)\nfor _ in range(3):\n    print(x == 1)\nx = torch.ones(3)",
        "def f(x):\n    if isinstance(x, np.ndarray):\n        return x == 1\n    return x.unsqueeze(0)",
        "def f(x, quick):\n    if quick:\n        x.unsqueeze(0)\n    return x == 1",
        "def f(m):\n    if type(m) != nn.Linear:\n        m.weight == 1",
        "import numpy as np\nx = torch.ones(3)\ndef f():\n    global x\n    x = np.ones(3)\nf()\nx == 1",
        "def f(items):\n    return items\nfor x, y in torch.utils.data.DataLoader(d, collate_fn=f):\n    x == 1",
        "seen = set()\nseen.add(3)\nlater = seen\nlater == {3}",
        "import random\nbatch = random.sample(memory, 3)\nbatch[0] == 3",
        "a = env.action_space.sample()\na == 3",
        'print("loss %d" % torch.ones(1) == "loss 1")',
        "g = logger.log('a')\ng == 1",
        "class Value:\n    def relu(self):\n        return 3\nv.relu() == 3",
        "class Memory:\n    def sample(self):\n        return torch.ones(3)\ndef f(m):\n    return m.sample() == 1",
        "def f(layer, x):\n    layer.relu(x)\n    layer.softmax(x)\n    return layer.query",
        "class A:\n    @classmethod\n    def made(cls):\n        return cls().load_state_dict({})\nA.made() == 3",
        "import pickle\ntorch.save(net, f)\nd = pickle.load(open('data.pt', 'rb'))",
        "df = frame()\ndf.data.items()\ndf.data.shape\ndf.grad.rolling(3)",
    ],
)
def test_what_is_not_known_to_be_a_tensor_is_not_changed(program):
    assert after(HEAD + program) == OURS + program


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "def acc(p, y):\n    return (p == y).sum().item()",
            "what p is: if it is a Tensor, write torch.eq(…, …)",
        ),
        ("keep = rows[labels == 3]", "it is not known what labels is"),
        (
            "worst = out.data.max(1)[1]",
            "what out.data is: if it is a Tensor, write torch.as_tensor(out",
        ),
        ("x = torch.Tensor(space.shape)", "for a shape, torch.empty(space.shape)"),
        ("x = torch.Tensor(state)", "for values, write torch.tensor(state, dtype=torch.float32)"),
    ],
)
def test_what_may_be_a_tensor_is_left_to_a_person(program, said):
    assert after(HEAD + program) == OURS + program
    findings = findings_in(HEAD + program)
    assert [said in each.why.to("en") for each in findings if each.edit is None] == [True]


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ('ds = Scans("x")\nimages = ds.data.unsqueeze(1)', "images = torch.as_tensor(ds.data).unsqueeze(1)"),
        ("for p in found:\n    p.data.mul_(0.5)", "    torch.as_tensor(p.data).mul_(0.5)"),
        ("g = p.grad\ng.mul_(2)", "torch.as_tensor(g).mul_(2)"),
        ("for p in found:\n    p.grad.is_sparse", "    False"),
        ("for p in found:\n    g = p.grad\n    g.is_sparse", "    False"),
        ("nn.init.normal_(m.weight.data)", "nn.init.normal_(torch.as_tensor(m.weight.data))"),
        ("def f(m):\n    m.weight.data.fill_(0)\nnn.Linear(2, 2).apply(f)\npass", "pass"),
    ],
)
def test_what_is_an_array_here_or_a_tensor_is_made_a_tensor_of(before, wanted):
    assert after(HEAD + before).splitlines()[-1] == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("def f(x):\n    if isinstance(x, torch.Tensor):\n        return x == 1", "        return x.eq(1)"),
        ("def f(x):\n    if not torch.is_tensor(x):\n        x = torch.tensor(x)\n    x == 1", "    x.eq(1)"),
        ("def f(m):\n    if type(m) == nn.Linear:\n        m.bias.data.fill_(0)", "        m.bias.detach().fill_(0)"),
        ("def f(x):\n    y = F.relu(x)\n    return x == 0", "    return x.eq(0)"),
        ("def f(x):\n    m = x == 0\n    return x.unsqueeze(0), m", "    return x.unsqueeze(0), m"),
        ("net = nn.LSTM(2, 3)\nout, (h, c) = net(x)\nh == 0", "h.eq(0)"),
        ("a, b = x.max(1)\nb == 0", "b.eq(0)"),
        ("x.sort().indices == 0", "x.sort().indices.eq(0)"),
        ("(a == b)[:, None].unsqueeze(0)", "(torch.eq(a, b))[:, None].unsqueeze(0)"),
        ("net = nn.MultiheadAttention(4, 2)\nnet(x, x, x, key_padding_mask=(ids == 0))",
         "net(x, x, x, key_padding_mask=(torch.eq(ids, 0)))"),
        ("def f(t=None):\n    return x == t", "    return (t is not None and x.eq(t))"),
        ("def f(t=None):\n    return x != t", "    return (t is None or x.ne(t))"),
        ("torch.maximum(x, y, out=z)", "z.copy_(torch.maximum(x, y))"),
        ("torch.zeros_like(x, memory_format=torch.preserve_format)", "torch.zeros_like(x)"),
        ("torch.Tensor(rows, columns)", "torch.empty(rows, columns)"),
        ("for p in found:\n    g = p.grad.data", "    g = torch.as_tensor(p.grad)"),
    ],
)  # fmt: skip
def test_what_the_program_says_of_a_type_is_followed(before, wanted):
    assert after(HEAD + "x = torch.ones(2, 2)\n" + before).splitlines()[-1] == wanted


@pytest.mark.parametrize(
    "program",
    [
        "from torch import optim\noptim = optim.Adam(net.parameters())\noptim.step()",
        "def f(nn):\n    return nn.Nothing()",
    ],
)
def test_a_name_that_stands_for_something_else_by_then_is_not_looked_up(program):
    assert [each for each in findings_in("from torch import nn\n" + program) if each.edit is None] == []


def test_what_is_written_stands_where_there_is_no_name_for_all_of_pytorch():
    program = '"""A page."""\nfrom torch import nn\ndef f(p):\n    p.grad.zero_()\n'
    assert after(program) == (
        '"""A page."""\nimport minitorch\nfrom minitorch import nn\n'
        "def f(p):\n    minitorch.as_tensor(p.grad).zero_()\n"
    )


def test_a_name_that_is_nowhere_is_left_to_a_person_with_its_reason():
    found = findings_in("import torch.distributed as dist\ndist.barrier()\n")
    assert [(each.span[0], each.edit) for each in found] == [(1, None)]
    assert "one process" in found[0].why.to("en")
    assert "un solo proceso" in found[0].why.to("es")


def test_arguments_that_change_no_number_go_and_others_are_told_of(monkeypatch):
    monkeypatch.setattr(names, "keywords", lambda _: frozenset({"input"}))
    found = findings_in("import torch\ntorch.relu(x, fused=True, how=3)\n")
    assert [each.why.to("en") for each in found[1:]] == [
        "relu takes no fused here; it changes no number",
        "relu takes no argument how here: leave it out if the result stays the same",
    ]


def test_a_decorator_goes_with_its_line():
    program = "import torch\n@torch.jit.script\ndef f(x):\n    return x\n"
    assert after(program) == "import minitorch as torch\ndef f(x):\n    return x\n"


def test_a_program_that_is_none_of_pytorchs_is_left_alone():
    assert after("import numpy as np\nx = np.ones(3)\nx == 1\n").startswith("import numpy")


# -- the text ----------------------------------------------------------------------------------------------------------

WORDS = st.recursive(
    st.sampled_from(["x", "y", "x.grad", "f(x)", "1", "'ñ → x'", "[x, y]"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) == ({two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) + ({two[1]})"),
        inner.map(lambda one: f"g(({one}), k=({one}))"),
        inner.map(lambda one: f"(  # here\n  {one})"),
    ),
    max_leaves=8,
)


class Equals(ast.NodeTransformer):
    """The same change, made in the tree."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        return ast.Call(ast.Attribute(node.left, "eq", ast.Load()), node.comparators, [])


@given(WORDS)
def test_edits_inside_edits_give_what_the_tree_gives(text):
    tree = ast.parse(text)
    edits = [
        Edit(span_of(node), "{x}.eq({y})", {"x": node.left, "y": node.comparators[0]})
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
    ]
    written = Draft(text, edits).whole()
    assert ast.dump(ast.parse(written)) == ast.dump(Equals().visit(ast.parse(text)))


@given(WORDS)
def test_a_program_can_be_written_whatever_it_says(text):
    assert ast.parse(after(f"import torch\nx = torch.ones(3)\n{text}\n"))


# -- the command -------------------------------------------------------------------------------------------------------

PROGRAM = "import torch\nx = torch.ones(3)  # ñ\nprint((x == 1).sum())\n"


def test_the_list_says_line_replacement_and_why(tmp_path):
    file = tmp_path / "train.py"
    file.write_text(PROGRAM, encoding="utf-8")
    said = port(file)
    assert said.exit_code == 0
    assert "3  == asks here whether both are the same Tensor" in said.output
    assert "x == 1\n    → x.eq(1)" in said.output
    assert "2 changes, of which 2 are certain" in said.output
    assert "pregunta aquí si ambos" in port(file, lang="es").output
    assert file.read_text(encoding="utf-8") == PROGRAM


def test_json_has_the_same(tmp_path):
    file = tmp_path / "train.py"
    file.write_text(PROGRAM, encoding="utf-8")
    first, second = json.loads(port(file, "--json").output)
    assert (first["instead"], second["line"], second["instead"]) == ("import minitorch as torch", 3, "x.eq(1)")


def test_write_changes_the_file_and_keeps_what_was_there(tmp_path):
    file = tmp_path / "train.py"
    file.write_bytes(PROGRAM.replace("\n", "\r\n").encode("latin-1"))
    file.write_bytes(b"# coding: latin-1\r\n" + file.read_bytes())
    old = file.read_bytes()
    assert port(file, "--write").exit_code == 0
    wanted = PROGRAM.replace("import torch", "import minitorch as torch").replace("x == 1", "x.eq(1)")
    assert file.read_bytes() == b"# coding: latin-1\r\n" + wanted.replace("\n", "\r\n").encode("latin-1")
    assert (tmp_path / "train.torch.py").read_bytes() == old
    assert "nothing has to change" in port(file).output
    file.write_bytes(old)
    port(file, "--write")
    assert (tmp_path / "train.torch2.py").read_bytes() == old


def test_what_is_left_to_a_person_makes_the_exit_status_1(tmp_path):
    file = tmp_path / "train.py"
    file.write_text("import torch.fx as fx\n", encoding="utf-8")
    said = port(file, "--write")
    assert said.exit_code == 1
    assert said.output.startswith("! 1  torch.fx is not here")
    assert [each.name for each in tmp_path.iterdir()] == ["train.py"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.py", None, "there is no file"),
        ("folder", "folder", "is a folder: name one Python file"),
        ("a.py", b"def f(:\n", "Python cannot read"),
        ("a.py", b"\xff\xfe\x00", "is no text"),
        ("a.py", "import torch\n".encode("utf-16"), "is UTF-16 text, which Python does not read: save it as UTF-8"),
        (
            "a.py",
            b"import torch\n<<<<<<< mine\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n",
            "line 2 is a mark of a merge conflict",
        ),
        ("a.ipynb", b'{"cells": [\n<<<<<<< mine\n=======\n>>>>>>> theirs\n]}', "line 2, is a mark of a merge conflict"),
        ("a.py", b"x = 1\0", "Python cannot read"),
        ("a.ipynb", b"{}", "is no notebook: it is JSON, but holds no cells"),
        ("a.py", b"(" * 500 + b")" * 500, "Python cannot read"),
    ],
)
def test_a_file_that_is_no_program_gets_a_sentence(tmp_path, name, content, said):
    file = tmp_path / name
    if content == "folder":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    answer = port(file)
    assert answer.exit_code == 2
    assert said in answer.output.replace("\n", " ")
    assert "Traceback" not in answer.output


@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_a_byte_order_mark_is_read_over_and_kept(tmp_path, name):
    text = json.dumps({"cells": [{"cell_type": "code", "source": PROGRAM}]}) if name == "a.ipynb" else PROGRAM
    file = tmp_path / name
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert "x == 1\n    → x.eq(1)" in port(file).output
    if name == "a.py":
        assert port(file, "--write").exit_code == 0
        assert file.read_bytes().startswith(b"\xef\xbb\xbfimport minitorch")


def test_each_line_that_is_left_says_what_to_write():
    program = "import torch\ntorch.nothing_such(x)\ntorch.ones(2).nothing_such()\ntorch.relu(x, how=3)\n"
    left = [each.why for each in findings_in(program) if each.edit is None]
    assert len(left) == 3
    assert all(": " in why.to("en") and ": " in why.to("es") for why in left)


def test_a_notebook_is_read_cell_by_cell_and_not_written(tmp_path):
    cells = [["%matplotlib inline\n", "import torch"], ["x = torch.ones(3)\n", "\n", "x == 1"]]
    code = [{"cell_type": "code", "source": source} for source in cells]
    file = tmp_path / "a.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "# ñ"}, *code]}), encoding="utf-8")
    said = port(file)
    assert "cell 1, line 2  the import" in said.output
    assert "cell 2, line 3  ==" in said.output
    refused = port(file, "--write")
    assert refused.exit_code == 2
    assert "--write changes Python files alone" in refused.output
