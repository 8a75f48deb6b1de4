"""The remedy that an error names mends the case at hand: it is read from the sentence, and carried out.

A row is (what is there, the wrong line, and for each remedy: the words that name it, the line that follows them).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import autograd, data, func, graph, nn, optim, train
from minitorch.nn import functional
from minitorch.optim import lr_scheduler

F64 = "x = tensor(np.ones((3, 2)))"
PAIR = "a, b = tensor(np.ones((2, 2))), ones(2, 2)"
WHOLE = "a, b = ones(2, 2), tensor([[1, 2], [3, 4]])"
WEIGHTS = "m = nn.Linear(2, 2)"
LEAF = "x = ones(2, requires_grad=True)"
SCHEDULED = "w = ones(2, requires_grad=True); o = optim.Adagrad([w])"
FIT = (
    "m = nn.Linear(2, 1); o = optim.SGD(m.parameters(), lr=0.1)\n"
    "dataset = data.TensorDataset(ones(4, 2), ones(4, 1)); loader = data.DataLoader(dataset, batch_size=2)"
)
ROWS: dict[str, tuple[str, str, dict[str, str]]] = {
    # -- dtypes that do not mix
    "a layer and float64 data": (
        F64,
        "nn.Linear(2, 2)(x)",
        {
            "convert input, as in x.to('float32')": "nn.Linear(2, 2)(x.to('float32'))",
            "or the layer, as in layer.double()": "nn.Linear(2, 2).double()(x)",
        },
    ),
    "a layer in float64": (
        "layer = nn.Linear(2, 2).double(); x = ones(3, 2)",
        "layer(x)",
        {"convert input, as in x.to('float64')": "layer(x.to('float64'))", "layer.float()": "layer.float()(x)"},
    ),
    "a layer and integers": (
        "x = tensor([[1, 2]])",
        "nn.Linear(2, 2)(x)",
        {"convert input, as in x.to('float32')": "nn.Linear(2, 2)(x.to('float32'))"},
    ),
    "a convolution": (
        "x = tensor(np.ones((1, 1, 4, 4))); layer = nn.Conv2d(1, 1, 2)",
        "layer(x)",
        {"convert input, as in x.to('float32')": "layer(x.to('float32'))", "layer.double()": "layer.double()(x)"},
    ),
    "an LSTM": (
        "x = tensor(np.ones((5, 1, 2))); layer = nn.LSTM(2, 3)",
        "layer(x)",
        {"convert input, as in x.to('float32')": "layer(x.to('float32'))", "layer.double()": "layer.double()(x)"},
    ),
    "a normalisation": (
        F64 + "; layer = nn.LayerNorm(2)",
        "layer(x)",
        {"convert input, as in x.to('float32')": "layer(x.to('float32'))", "layer.double()": "layer.double()(x)"},
    ),
    "an attention": (
        "x = tensor(np.ones((5, 1, 4))); layer = nn.MultiheadAttention(4, 2)",
        "layer(x, x, x)",
        {"as in x.to('float32')": "x = x.to('float32'); layer(x, x, x)"},
    ),
    "a product, float64 first": (PAIR, "a @ b", {"convert input, as in x.to('float32')": "a.to('float32') @ b"}),
    "a product, float64 second": (PAIR, "b @ a", {"convert other, as in x.to('float32')": "b @ a.to('float32')"}),
    "a product with integers": (WHOLE, "a @ b", {"convert other, as in x.to('float32')": "a @ b.to('float32')"}),
    "a product of integers": (WHOLE, "b @ a", {"convert input, as in x.to('float32')": "b.to('float32') @ a"}),
    "a product with bools": (
        WHOLE,
        "b @ (b > 2)",
        {"convert other, as in x.to('int64')": "b @ (b > 2).to('int64')"},
    ),
    "a product with an array": (
        "a = np.ones((2, 2)); b = ones(2, 2)",
        "b @ a",
        {"convert other, as in x.astype('float32')": "b @ a.astype('float32')"},
    ),
    "two of three": (
        "a = ones(2, 2); b = a.double()",
        "addmm(a, b, b)",
        {"convert mat1 and mat2, as in x.to('float32')": "b = b.to('float32'); addmm(a, b, b)"},
    ),
    "einsum": (
        PAIR,
        "einsum('ij,jk->ik', a, b)",
        {"convert the left operand, as in x.astype('float32')": "einsum('ij,jk->ik', a.astype('float32'), b)"},
    ),
    "einsum with an array": (
        "a, b = ones(2, 2), np.ones((2, 2))",
        "einsum('ij,jk->ik', a, b)",
        {"convert the right operand, as in x.astype('float32')": "einsum('ij,jk->ik', a, b.astype('float32'))"},
    ),
    "tensordot": (PAIR, "tensordot(b, a, 1)", {"convert b, as in x.to('float32')": "tensordot(b, a.to('float32'), 1)"}),
    "a target of integers": (
        "p, t = tensor([0.2, 0.1]), tensor([0, 1])",
        "functional.binary_cross_entropy(p, t)",
        {"convert target, as in x.to('float32')": "functional.binary_cross_entropy(p, t.to('float32'))"},
    ),
    "scatter": (
        "t, i, src = zeros(3), tensor([0]), tensor(np.ones(1))",
        "t.scatter(0, i, src)",
        {"as in src.to('float32')": "t.scatter(0, i, src.to('float32'))"},
    ),
    "scatter of an array": (
        "t, i, src = zeros(3), tensor([0]), np.ones(1)",
        "t.scatter(0, i, src)",
        {"as in src.astype('float32')": "t.scatter(0, i, src.astype('float32'))"},
    ),
    "eigenvalues of integers": (
        WHOLE,
        "linalg.eigvalsh(b)",
        {"as in A.to('float32')": "linalg.eigvalsh(b.to('float32'))"},
    ),
    "a resized image of integers": (
        "x = ones(1, 1, 4, 4, dtype='int64')",
        "functional.interpolate(x, 2, mode='bilinear')",
        {"as in x.to('float32')": "functional.interpolate(x.to('float32'), 2, mode='bilinear')"},
    ),
    "integers that want a gradient": (
        "values = tensor([1, 2])",
        "values.requires_grad_()",
        {"use Tensor(values, dtype='float32')": "Tensor(values, dtype='float32').requires_grad_()"},
    ),
    "a parameter of integers": (
        "",
        "nn.Parameter(tensor([1, 2]))",
        {
            "give floats": "nn.Parameter(tensor([1.0, 2.0]))",
            "requires_grad=False": "nn.Parameter(tensor([1, 2]), requires_grad=False)",
        },
    ),
    "data of integers": (
        LEAF + "; values = np.array([1, 2])",
        "x.data = values",
        {"write values.astype('float32')": "x.data = values.astype('float32')"},
    ),
    "bits of floats": (LEAF, "x & x", {"compare first, as in x > 0": "(x > 0) & (x > 0)"}),
    "a mask of floats": (LEAF, "x.masked_fill(x, 1.0)", {"compare, as in x > 0": "x.masked_fill(x > 0, 1.0)"}),
    "a Python bool": (LEAF, "where(True, x, x)", {"One bool for all is Tensor(True)": "where(Tensor(True), x, x)"}),
    # -- the graph
    "a leaf in place": (
        LEAF,
        "x -= 1",
        {"write `with no_grad():` around it": "with no_grad():\n    x -= 1"},
    ),
    "a view of a leaf": (
        LEAF,
        "v = x[:1]\nv += 1",
        {"write `with no_grad():` around it": "v = x[:1]\nwith no_grad():\n    v += 1"},
    ),
    "an expanded view": ("x = zeros(1).expand(3)", "x += 1", {"work on a clone()": "x = x.clone(); x += 1"}),
    "a leaf of another shape": (LEAF, "x.unsqueeze_(0)", {"write t = t.unsqueeze(…)": "x = x.unsqueeze(0)"}),
    "a vector's backward": (
        LEAF + "; loss = x * 2",
        "loss.backward()",
        {
            "as in loss.sum().backward()": "loss.sum().backward()",
            "pass gradient= of that shape": "loss.backward(gradient=ones(2))",
        },
    ),
    "the same graph twice": (
        LEAF + "; loss = (x * x).sum()",
        "loss.backward(); loss.backward()",
        {
            "pass retain_graph=True to that earlier call": "loss.backward(retain_graph=True); loss.backward()",
            "compute the result again": "loss.backward(); loss = (x * x).sum(); loss.backward()",
        },
    ),
    "a state of an earlier step": (
        "w = ones(2, requires_grad=True); h = ones(2)",
        "for _ in range(2):\n    h = (h * w).tanh()\n    h.sum().backward()",
        {
            "as in h = h.detach()": "for _ in range(2):\n    h = (h.detach() * w).tanh()\n    h.sum().backward()",
            "pass retain_graph=True": "for _ in range(2):\n    h = (h * w).tanh(); h.sum().backward(retain_graph=True)",
        },
    ),
    "a step between two passes": (
        LEAF + "; o = optim.SGD([x], lr=0.1); loss = (x * x).sum()",
        "loss.backward(retain_graph=True); o.step(); loss.backward()",
        {
            "call backward() before": "loss.backward(retain_graph=True); loss.backward(); o.step()",
            "compute the result again after it": "loss.backward(); o.step(); loss = (x * x).sum(); loss.backward()",
        },
    ),
    "a saved array under detect_anomaly": (
        LEAF,
        "with detect_anomaly():\n    y = x * x\n    x.data += 1",
        {"call backward() first": "with detect_anomaly():\n    y = (x * x).sum()\n    y.backward()\n    x.data += 1"},
    ),
    "a result that requires grad": (LEAF + "; y = x * 2", "y.requires_grad = False", {"use detach()": "y.detach()"}),
    "a copy of a result": (
        LEAF + "; t = x * 2",
        "copy.deepcopy(t)",
        {"t.detach()": "copy.deepcopy(t.detach())", "t.clone()": "t.clone()"},
    ),
    "NumPy and a leaf": (
        LEAF,
        "np.asarray(x)",
        {"write t.detach().numpy()": "np.asarray(x.detach().numpy())"},
    ),
    "tensor of leaves": (LEAF, "tensor([x, x])", {"stack([…])": "stack([x, x])"}),
    "tensor of single numbers": (
        "x = tensor(1.0, requires_grad=True)",
        "tensor([x, 2.0])",
        {"stack([…])": "stack([x, 2.0])"},
    ),
    "as_tensor of leaves": (LEAF, "as_tensor([x, x])", {"stack([…])": "as_tensor(stack([x, x]))"}),
    "a parameter of leaves": (LEAF, "nn.Parameter([x, x])", {"stack([…])": "nn.Parameter(stack([x, x]))"}),
    "an array of leaves": (
        LEAF,
        "np.array([x, x])",
        {"write t.detach().numpy()": "np.array([x.detach().numpy()] * 2)", "stack([…])": "stack([x, x])"},
    ),
    "an operand of leaves": (LEAF, "ones(2, 2) + [x, x]", {"stack([…])": "ones(2, 2) + stack([x, x])"}),
    "a loss of leaves": (
        LEAF,
        "functional.mse_loss([x, x], ones(2, 2))",
        {"stack([…])": "functional.mse_loss(stack([x, x]), ones(2, 2))"},
    ),
    "a row of leaves": (
        "x = tensor(1.0, requires_grad=True); t = zeros(2, 2)",
        "t[0] = [x, x]",
        {"stack([…])": "t[0] = stack([x, x])"},
    ),
    "from_numpy of a list": ("", "from_numpy([1, 2])", {"use as_tensor(data)": "as_tensor([1, 2])"}),
    "from_numpy of a Tensor": (LEAF, "from_numpy(x)", {"use as_tensor(data)": "as_tensor(x)"}),
    "numpy() of a leaf": (LEAF, "x.numpy()", {"write t.detach().numpy()": "x.detach().numpy()"}),
    "an input that is not used": (
        LEAF + "; y = ones(2, requires_grad=True)",
        "autograd.grad(x.sum(), [x, y])",
        {"pass allow_unused=True": "autograd.grad(x.sum(), [x, y], allow_unused=True)"},
    ),
    "a vjp without v": (
        "x = ones(2)",
        "autograd.functional.vjp(lambda x: x * 2, x)",
        {"pass v of the shapes of the outputs, [(2,)]": "autograd.functional.vjp(lambda x: x * 2, x, ones(2))"},
    ),
    "a jvp without v": (
        "x = ones(2)",
        "autograd.functional.jvp(lambda x: x.sum(), x)",
        {"pass v of the shapes of the inputs, [(2,)]": "autograd.functional.jvp(lambda x: x.sum(), x, ones(2))"},
    ),
    "no rule in PyTorch either": (
        LEAF,
        "special.bessel_y0(x)",
        {"give it x.detach()": "special.bessel_y0(x.detach())"},
    ),
    "a decorated generator": (
        "",
        "@no_grad()\ndef g():\n    yield 1",
        {"write `with no_grad():` inside it": "def g():\n    with no_grad():\n        yield 1\nnext(g())"},
    ),
    "an array that a Tensor of the graph is added to": (
        LEAF + "; a = np.ones(2)",
        "a += x",
        {"write a = a + t": "a = a + x"},
    ),
    # -- shapes, and numbers where something else is meant
    "the truth of many numbers": (
        LEAF,
        "if x > 0: pass",
        {"reduce it with all() or any()": "if (x > 0).all() or (x > 0).any(): pass", "equal()": "if x.equal(x): pass"},
    ),
    "cat of single numbers": ("a = tensor(1.0)", "cat([a, a])", {"use stack": "stack([a, a])"}),
    "t of three axes": (
        "input = ones(2, 2, 2)",
        "input.t()",
        {"write transpose(input, dim0, dim1)": "transpose(input, 0, 1)"},
    ),
    "@ and a number": ("a = ones(2, 2)", "a @ tensor(2.0)", {"use * instead": "a * tensor(2.0)"}),
    "mm of batches": ("a = ones(2, 2, 2)", "mm(a, a)", {"matmul takes all of them": "matmul(a, a)"}),
    "axes that an equation leaves out": (
        "x = ones(2, 2, 2)",
        "einsum('ij->i', x)",
        {"name them all": "einsum('ijk->i', x)", "or write ...": "einsum('ij...->i...', x)"},
    ),
    "sizes as data": ("", "Tensor(3, 4)", {"write Tensor([3, 4])": "Tensor([3, 4])", "zeros(3, 4)": "zeros(3, 4)"}),
    "integers over zero": ("a = tensor([1, 2])", "a // 0", {"a float can": "a.float() // 0.0"}),
    "random integers": ("", "rand(3, dtype='int64')", {"use randint": "randint(9, (3,))"}),
    "many fill values": (LEAF, "x.masked_fill(x > 0, x)", {"use where": "where(x > 0, x, x)"}),
    "no classes to tell": (
        "x = zeros(0, dtype='int64')",
        "functional.one_hot(x)",
        {"pass num_classes=": "functional.one_hot(x, num_classes=3)"},
    ),
    "a device by another name": ("", "zeros(2, device='gpu')", {"write 'cpu'": "zeros(2, device='cpu')"}),
    # -- layers
    "no super().__init__()": (
        "class M(nn.Module):\n    def __init__(self): self.l = nn.Linear(2, 2)",
        "M()",
        {"call super().__init__()": "class M(nn.Module):\n    def __init__(self): super().__init__()\nM()"},
    ),
    "a Tensor as a parameter": (
        WEIGHTS + "; w = ones(2, 2)",
        "m.weight = w",
        {"assign a Parameter": "m.weight = nn.Parameter(w)", "`del` it first": "del m.weight; m.weight = w"},
    ),
    "a class as a layer": ("", "nn.Sequential(nn.ReLU)", {"call it, as in ReLU(…)": "nn.Sequential(nn.ReLU())"}),
    "a list of layers": (
        "layers = [nn.ReLU()]",
        "nn.Sequential(layers)",
        {"Sequential(*layers)": "nn.Sequential(*layers)"},
    ),
    "a causal mask": (
        "m = nn.MultiheadAttention(4, 2); x = ones(5, 1, 4); L = 5",
        "m(x, x, x, is_causal=True)",
        {
            "attn_mask=ones(L, L, dtype='bool').triu(1)": (
                "m(x, x, x, is_causal=True, attn_mask=ones(L, L, dtype='bool').triu(1))"
            )
        },
    ),
    "weights of classes": (
        "x = ones(1, 2, requires_grad=True); t = tensor([0]); weight = ones(2, requires_grad=True)",
        "functional.cross_entropy(x, t, weight)",
        {"pass weight.detach()": "functional.cross_entropy(x, t, weight.detach())"},
    ),
    "a large kernel": (
        "x = ones(1, 1, 4, 4)",
        "nn.Conv2d(1, 1, 5)(x)",
        {"kernel smaller": "nn.Conv2d(1, 1, 4)(x)", "padding larger": "nn.Conv2d(1, 1, 5, padding=1)(x)"},
    ),
    "fans of a bias": (
        "b = zeros(3)",
        "nn.init.xavier_uniform_(b)",
        {"use zeros_": "nn.init.zeros_(b)", "or uniform_": "nn.init.uniform_(b)"},
    ),
    "lengths that rise": (
        "x = ones(4, 2, 1); pack = nn.utils.rnn.pack_padded_sequence",
        "pack(x, [2, 4])",
        {
            "sort the sequences": "pack(x, [4, 2])",
            "enforce_sorted=False": "pack(x, [2, 4], enforce_sorted=False)",
        },
    ),
    # -- optimisers, data, training, files, graphs
    "one Tensor": (LEAF, "optim.SGD(x, lr=0.1)", {"put it into a list": "optim.SGD([x], lr=0.1)"}),
    "a model": (WEIGHTS, "optim.SGD(m, lr=0.1)", {"write model.parameters()": "optim.SGD(m.parameters(), lr=0.1)"}),
    "a result to optimise": (
        LEAF + "; w = x * 2",
        "optim.SGD([w], lr=0.1)",
        {
            "give the Tensor that it was computed from": "optim.SGD([x], lr=0.1)",
            "w = w.detach().requires_grad_()": "w = w.detach().requires_grad_(); optim.SGD([w], lr=0.1)",
        },
    ),
    "a vector for Muon": (LEAF, "optim.Muon([x])", {"give it to AdamW": "optim.AdamW([x])"}),
    "LBFGS without a closure": (
        LEAF + "; o = optim.LBFGS([x])\ndef closure():\n    loss = (x * x).sum(); loss.backward(); return loss",
        "o.step()",
        {"write optimizer.step(closure)": "o.step(closure)"},
    ),
    "no momentum to cycle": (
        SCHEDULED,
        "lr_scheduler.CyclicLR(o, 0.1, 0.2)",
        {"write cycle_momentum=False": "lr_scheduler.CyclicLR(o, 0.1, 0.2, cycle_momentum=False)"},
    ),
    "samples of two shapes": (
        "loader = lambda **k: list(data.DataLoader([ones(2), ones(3)], 2, **k))",
        "loader()",
        {"give the DataLoader a collate_fn": "loader(collate_fn=list)"},
    ),
    "a split": (
        "",
        "data.random_split([1, 2, 3], [1, 1])",
        {
            "counts that sum to 3": "data.random_split([1, 2, 3], [2, 1])",
            "fractions between 0 and 1 that sum to 1": "data.random_split([1, 2, 3], [0.5, 0.5])",
        },
    ),
    "how long to train": (
        FIT,
        "train.fit(m, loader, o, nn.MSELoss())",
        {
            "epochs=…": "train.fit(m, loader, o, nn.MSELoss(), epochs=1)",
            "steps=…": "train.fit(m, loader, o, nn.MSELoss(), steps=1)",
        },
    ),
    "a data set for a loader": (
        FIT,
        "train.fit(m, dataset, o, nn.MSELoss(), epochs=1)",
        {
            "DataLoader(dataset, batch_size=…)": (
                "train.fit(m, data.DataLoader(dataset, batch_size=2), o, nn.MSELoss(), epochs=1)"
            )
        },
    ),
    "the class of a loss": (
        FIT,
        "train.fit(m, loader, o, nn.MSELoss, epochs=1)",
        {"as in MSELoss(…)": "train.fit(m, loader, o, nn.MSELoss(), epochs=1)"},
    ),
    "a file for a model": (
        WEIGHTS,
        "save(m, 'a.npz')",
        {"give a dict, as Linear.state_dict() gives it": "save(m.state_dict(), 'a.npz')"},
    ),
    "a file that says no format": (
        "s = {'a': ones(2)}",
        "save(s, 'a.weights')",
        {".safetensors": "save(s, 'a.safetensors')", ".npz": "save(s, 'a.npz')"},
    ),
    "a file open for text": (
        "save({'a': ones(2)}, 'a.npz')",
        "with open('a.npz') as f: load(f)",
        {"open it with mode 'rb'": "with open('a.npz', 'rb') as f: load(f)"},
    ),
    "a number in vmap": (
        "f = lambda x, y: x * y",
        "func.vmap(f)(ones(3), 2.0)",
        {"give None for it in in_dims": "func.vmap(f, in_dims=(0, None))(ones(3), 2.0)"},
    ),
    "two ends of a recorded graph": (
        LEAF + "; g = graph.AutogradGraph()\nwith g: a = (x * 2).sum(); b = (x * 3).sum()",
        "graph.GraphExecutor(g).backward()",
        {
            "pass the one that is meant": "graph.GraphExecutor(g).backward(a)",
            "or add them up": "with g: c = a + b\ngraph.GraphExecutor(g).backward()",
        },
    ),
    "a full graph": (
        LEAF,
        "with graph.AutogradGraph(max_nodes=2): y = x * 2 * 3",
        {"AutogradGraph(max_nodes=…)": "with graph.AutogradGraph(max_nodes=9): y = x * 2 * 3"},
    ),
}


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    monkeypatch.chdir(tmp_path)
    own = {name: getattr(minitorch, name) for name in minitorch.__all__}
    modules = [autograd, copy, data, func, functional, graph, lr_scheduler, nn, optim, train]
    own |= {each.__name__.rpartition(".")[2]: each for each in modules}
    with np.errstate(all="ignore"):
        yield own | {"np": np, **{name: getattr(minitorch, name) for name in ("linalg", "load", "save", "special")}}


@pytest.mark.parametrize("row", ROWS)
def test_a_remedy_mends_the_case_at_hand(row: str, names: dict[str, Any]) -> None:
    given, wrong, remedies = ROWS[row]
    exec(given, names)
    with pytest.raises(Exception) as raised:
        exec(wrong, names)
    for words, line in remedies.items():
        assert words in str(raised.value)
        again = dict(names)
        exec(given, again)
        exec(line, again)
