"""How the answers of lesson 12 are judged: the search for parameters, and the flag of every module.

A case is a text such as "module(weight=w1, parts=[module(bias=b1)])". Modules are made of it beside the learner's code;
what is expected comes from reading the same text as plain dicts and lists, without any module.
"""

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong

PARAMETERS = ("w1", "w2", "w3", "b1", "b2")


class Part(dict):
    """A module of a text: its attributes."""


def read(code, part=Part):
    """What a text stands for: parts, lists, dicts. Parameters and all else that lies there are their own names."""
    names = {name: name for name in (*PARAMETERS, "constant", "array", "tool")}
    shared = part(weight="w1", bias="b1")
    return eval(code, {"module": part, "shared": shared, **names})  # noqa: S307 - the text is this file's own


def ways(thing, way=()):
    """Every way to a parameter in what `read` gave, with the parameter, in order."""
    if isinstance(thing, (dict, list, tuple)):
        for name, inside in thing.items() if isinstance(thing, dict) else enumerate(thing):
            yield from ways(inside, (*way, str(name)))
    elif thing in PARAMETERS:
        yield ".".join(way), thing


def line_of(code):
    """Python that makes the module of a text, for a learner to run."""
    made = ["module = lambda **parts: (made := m.Module(), vars(made).update(parts))[0]"]
    made += [f"{name} = m.Tensor([0.0], requires_grad=True)" for name in PARAMETERS if name in code or "shared" in code]
    if "shared" in code:
        made.append("shared = module(weight=w1, bias=b1)")
    made += ["constant = m.Tensor([0.0])"] * ("constant" in code) + ["array = np.zeros(1)"] * ("array" in code)
    made += ["tool = type('Tool', (), {'weight': m.Tensor([0.0], requires_grad=True)})()"] * ("tool" in code)
    return "; ".join([*made, f"net = {code}"])


# --------------------------------------------------------------------------------------------------------- parameters


def searched(module_class, tensor_class, code):
    """Given code: make the module of a text, ask it twice for its parameters, tell them by their names in the text."""
    import numpy as np

    def module(**parts):
        made = module_class()
        vars(made).update(parts)
        return made

    names = {name: tensor_class(np.zeros(2), requires_grad=True) for name in ("w1", "w2", "w3", "b1", "b2")}
    constant, array = tensor_class(np.zeros(2)), np.zeros(2)
    tool = type("Tool", (), {})()  # neither a module nor a list: what lies in it is no parameter of the network
    tool.weight = tensor_class(np.zeros(2), requires_grad=True)
    told = {id(each): name for name, each in names.items()} | {id(constant): "a constant", id(array): "an array"}
    told |= {id(each.data): f"the array of {name}" for name, each in names.items()}
    shared = module(weight=names["w1"], bias=names["b1"])
    others = {"constant": constant, "array": array, "tool": tool}
    net = eval(code, {"module": module, "shared": shared, **others, **names})  # noqa: S307
    seen = []
    for _ in range(2):
        found = net.named_parameters()
        if not isinstance(found, dict):
            return {"no dict": type(found).__name__}
        seen.append([(str(way), told.get(id(each), type(each).__name__)) for way, each in found.items()])
    late = tensor_class(np.zeros(2), requires_grad=True)
    vars(net)["late"] = late
    found = net.named_parameters()
    late_found = isinstance(found, dict) and any(each is late for each in found.values())
    return {"first": seen[0], "second": seen[1], "late found": late_found}


def observe_search(learner, x, given):
    """What `searched` saw; all of it happens beside the learner's code."""
    return given(learner.Module, learner.Tensor, x["code"])


@exercise("parameters")
class Parameters:
    """Attributes; what is no parameter; modules in modules, lists, tuples, dicts, and deeper; shared ones; nothing."""

    in_order = True

    def inputs(self, rng):
        texts = (
            "module(weight=w1, bias=b1)",
            "module(weight=w1, scale=0.5, name='dense', last=None)",
            "module(first=module(weight=w1, bias=b1), last=module(weight=w2, bias=b2))",
            "module(layers=[module(weight=w1), module(weight=w2)])",
            "module(heads={'left': module(weight=w1), 'right': module(weight=w2)}, pair=(module(bias=b1),))",
            "module(scales=[w1, w2], shifts={'up': b1})",
            "module(weight=w1, mean=constant, table=array, rows=[array, constant])",
            "module(embed=w1, middle=w2, out=w1)",
            "module(first=shared, last=shared)",
            "module(blocks=[[module(weight=w1)], {'a': [module(weight=w2)]}], rest=((b1,),))",
            "module(net=module(net=module(net=module(weight=w1), bias=b1), bias=b2))",
            "module(body=module(embed=w1, parts=[w2, w1]), head=module(weight=w1, bias=b1), last=w3)",
            "module()",
            "module(_hidden=module(_weight=w1), heads={0: w2, 1: module(bias=b1)})",
            "module(weight=w1, tool=tool)",
        )
        return [{"code": text} for text in texts]

    observe, given = observe_search, searched

    def line(self, x):
        return f"{line_of(x['code'])}; list(net.named_parameters())"

    def judge(self, x, got):
        if got.get("no dict") == "NoneType":
            return Wrong(
                "named_parameters returned None: is a `return` missing?", expected=Message("a dict"), got="None"
            )
        if "no dict" in got:
            return Wrong(
                "named_parameters must return a dict from names to parameters",
                expected=Message("a dict"),
                got=got["no dict"],
                hint=2,
            )
        return first_wrong(*self.found(x, got["first"]), *self.again(got))

    def compared(self, x, got):
        """For each parameter its names, so that two mistakes in one answer show side by side; and the order, as one."""
        if "first" not in got:
            return got
        told = {"is": "a dict", "late found": got["late found"]}  # also where nothing was found
        for name in ("first", "second"):
            leaves = [leaf for _, leaf in got[name]]
            told[name] = {leaf: sorted(way for way, each in got[name] if each == leaf) for leaf in sorted(set(leaves))}
        want = [leaf for _, leaf in ways(read(x["code"]))]
        if len(set(want)) == len(want) == len(leaves):  # else a name, or its absence, tells more than the order
            told["in order"] = leaves == want
        return told

    def found(self, x, pairs):
        """What is wrong with the first answer: a parameter too few, one too many, a name, the order."""
        want = {}
        for way, leaf in ways(read(x["code"])):
            if leaf not in want.values():
                want[way] = leaf
        got = dict(pairs)
        shown = {"expected": list(want), "got": list(got)}
        for leaf in want.values():
            if leaf not in got.values():
                yield Wrong("{leaf} is a parameter, and is not found", leaf=leaf, hint=1, **shown)
        for way, leaf in got.items():
            if leaf not in PARAMETERS:
                yield Wrong("what stands under {way} is no parameter", way=repr(way), hint=1, **shown)
            if list(got.values()).count(leaf) > 1:
                yield Wrong("{leaf} is one parameter, and is there more than once", leaf=leaf, hint=4, **shown)
        for way, leaf in want.items():
            for found in (name for name, each in got.items() if each == leaf and name != way):
                yield Wrong(
                    "{leaf} stands under {found}, and the first way that leads to it is {way}",
                    leaf=leaf,
                    found=repr(found),
                    way=repr(way),
                    hint=3,
                    **shown,
                )
        if set(got) != set(want):
            yield Wrong("these are the right parameters, but their names are not the ways to them", hint=3, **shown)
        if list(got.items()) != list(want.items()):
            yield Wrong("the names are in another order", hint=2, **shown)

    def again(self, got):
        """What is wrong with the second answer of the same module."""
        if got["second"] != got["first"]:
            yield Wrong(
                "the second call on the same module finds something else than the first",
                expected=[way for way, _ in got["first"]],
                got=[way for way, _ in got["second"]],
                hint=2,
            )
        if not got["late found"]:
            yield Wrong("a parameter that the module got after the first calls, net.late, is not found", hint=2)


# --------------------------------------------------------------------------------------------------------------- mode


def switched(module_class, tensor_class, code, modes, first):
    """Given code: make the module of a text and one beside it, call train with each mode, tell all flags after it.

    first: the flag that all modules of the text begin with, or a list with one for each, inner ones before those that
    hold them; None leaves them that of their class.
    """
    import numpy as np

    made_here = []

    def module(**parts):
        made = module_class()
        vars(made).update(parts)
        made_here.append(made)
        return made

    names = {name: tensor_class(np.zeros(2), requires_grad=True) for name in ("w1", "w2", "w3", "b1", "b2")}
    beside = module_class()
    shared = module(weight=names["w1"], bias=names["b1"]) if "shared" in code else None
    others = {"constant": tensor_class(np.zeros(2)), "array": np.zeros(2)}
    net = eval(code, {"module": module, "shared": shared, **others, **names})  # noqa: S307
    flags = first if isinstance(first, list) else [first] * len(made_here)
    for each, flag in zip(made_here, flags if first is not None else ()):
        each.training = flag
    seen = []
    for mode in modes:
        out = net.train() if mode is None else net.train(mode)
        flags = [each.training for each in made_here]
        odd = [name for name, each in names.items() if hasattr(each, "training")]
        seen.append({"flags": flags, "returned itself": out is net, "beside": beside.training, "marked": odd})
    return seen


def observe_mode(learner, x, given):
    """What `switched` saw; all of it happens beside the learner's code."""
    return given(learner.Module, learner.Tensor, x["code"], x["modes"], x["first"])


@exercise("train_mode")
class TrainMode:
    """One module, one in another, in lists, tuples and dicts, deeper; on again; train() without a flag; mixed flags."""

    in_order = True

    def inputs(self, rng):
        def case(code, *modes, first=True):
            return {"code": code, "modes": list(modes), "first": first}

        return [
            case("module(weight=w1)", False),
            case("module(weight=w1)", False, True),
            case("module(first=module(weight=w1), last=module(weight=w2))", False),
            case("module(layers=[module(weight=w1), module(weight=w2)])", False),
            case("module(heads={'left': module(weight=w1)}, pair=(module(bias=b1), 0.5, None))", False),
            case("module(blocks=[[module(weight=w1)], {'a': [module(table=array)]}], mean=constant)", False),
            case("module(net=module(net=module(net=module(weight=w1))))", False, None),
            case("module(first=shared, last=shared)", False, True, False),
            case("module(layers=[module(weight=w1)], last=module(weight=w2))", True, False, False, first=False),
            case("module(weight=w1, parts=[module(bias=b1)], last=module())", False, first=None),
            case("module(layers=[module(weight=w1)])", False, first=[True, False]),
        ]

    observe, given = observe_mode, switched

    def line(self, x):
        calls = "; ".join(f"net.train({'' if mode is None else mode})" for mode in x["modes"])
        top = f"net.training = {x['first'][-1]}; " if isinstance(x["first"], list) else ""
        return f"{line_of(x['code'])}; {top}{calls}; net.training"

    def judge(self, x, got):
        return first_wrong(
            *(wrong for mode, seen in zip(x["modes"], got, strict=True) for wrong in self.one(x, mode, seen))
        )

    def one(self, x, mode, seen):
        """What is wrong after one call: a flag, a flag of somebody else, what came back."""
        wanted = True if mode is None else mode
        said = "train()" if mode is None else f"train({mode})"
        flags = seen["flags"]
        if any(flag is not wanted for flag in flags):
            yield Wrong(
                "after {said} not every module in it has the flag {wanted}",
                said=said,
                wanted=wanted,
                expected=[wanted] * len(flags),
                got=flags,
                hint=1,
            )
        if seen["beside"] is not True:
            yield Wrong(
                "a module beside it, which is no part of it, has another flag too",
                expected=True,
                got=seen["beside"],
                hint=2,
            )
        if seen["marked"]:
            yield Wrong("a parameter has a flag `training` now: only modules have one", got=seen["marked"], hint=3)
        if seen["returned itself"] is not True:
            yield Wrong(
                "train must return the module itself, so that calls can be chained",
                expected=Message("the module"),
                got=Message("something else"),
                hint=3,
            )
