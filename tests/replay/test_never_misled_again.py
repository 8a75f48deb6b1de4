"""What made a replay do something else than its step, in programs of readers who knew the documentation alone.

Orders of parameters and layers, methods and bases of classes that are replaced, errors in the middle of a step, and
what stands in the modules of Python's own library.
"""

from __future__ import annotations

import copyreg
import logging
import sys
import types
import warnings
import weakref

import numpy as np
import pytest
from replay_outcome import Case, batch, outcome

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

# -- orders ------------------------------------------------------------------------------------------------------------


def parameters_in_another_order(case):
    case.train(lambda _: 1.0, lambda: case.optimizer.param_groups[0]["params"].reverse())


def a_parameter_in_another_group(case):
    first, second = case.optimizer.param_groups

    def change():
        second["params"].append(first["params"].pop(0))

    case.train(lambda _: 1.0, change)


def layers_in_another_order(case):
    def change():
        activation = case.model[1]
        delattr(case.model, "1")
        setattr(case.model, "1", activation)

    case.train(lambda _: 1.0, change)


def groups(parameters):
    first, *others = parameters
    return optim.SGD([{"params": [first]}, {"params": others, "lr": 0.01}], lr=0.1, momentum=0.9)


ORDERS = {
    parameters_in_another_order: lambda parameters: optim.Adam(parameters, lr=0.1),
    a_parameter_in_another_group: groups,
    layers_in_another_order: lambda parameters: optim.SGD(parameters, lr=0.1),
}


@pytest.mark.parametrize("program", ORDERS, ids=lambda program: program.__name__)
def test_another_order_is_noticed(program):
    found = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        case = Case(is_captured, nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2)), ORDERS[program])
        program(case)
        found.append(case)
    assert found[0].found == found[1].found
    assert found[1].was_captured


# -- classes -----------------------------------------------------------------------------------------------------------


class Half:
    def scale(self):
        return 0.5


class Double:
    def scale(self):
        return 2.0


def other_bases(case):
    kind = type("Made", (Half,), {"__module__": "program"})
    made = kind()
    case.train(lambda _: made.scale(), lambda: setattr(kind, "__bases__", (Double,)))


def the_level_of_all_logs(case):
    before = logging.root.level
    logging.root.setLevel(30)
    try:
        case.train(lambda _: float(logging.root.level), lambda: logging.root.setLevel(10))
    finally:
        logging.root.setLevel(before)


@pytest.mark.parametrize("program", [other_bases, the_level_of_all_logs], ids=lambda program: program.__name__)
def test_a_replay_is_not_misled(program):
    eager, captured = outcome(program, False), outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured


def doubled(method):
    return lambda *arguments: method(*arguments) * 2


REPLACED = {
    "a layer's forward": (nn.Linear, "forward", doubled),
    "every module's call": (nn.Module, "__call__", doubled),
    "an optimiser's step": (optim.SGD, "step", lambda _: lambda *arguments: None),
    "every optimiser's zero_grad": (optim.Optimizer, "zero_grad", lambda _: lambda *arguments: None),
    "a Tensor's backward": (Tensor, "backward", lambda method: lambda tensor: method(tensor * 2)),
}


@pytest.mark.parametrize("name", REPLACED)
@pytest.mark.filterwarnings("ignore:this step is not captured:RuntimeWarning")
def test_a_method_of_the_library_that_is_replaced_is_noticed(name):
    kind, method, made = REPLACED[name]

    def program(case):
        with pytest.MonkeyPatch.context() as patch:
            case.train(lambda _: 1.0, lambda: patch.setattr(kind, method, made(getattr(kind, method))))

    eager, captured = outcome(program, False), outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured


# -- errors ------------------------------------------------------------------------------------------------------------

MATRIX = np.diag([1.0, 2.0, 3.0]).astype(np.float32) + 0.1
PROBLEMS = {
    "det": lambda z: minitorch.linalg.det(z),
    "inv": lambda z: minitorch.linalg.inv(z).sum(),
    "cholesky": lambda z: minitorch.linalg.cholesky(z @ z.mT).sum(),
    "solve": lambda z: minitorch.linalg.solve(z, z + 1).sum(),
    "slogdet": lambda z: minitorch.linalg.slogdet(z)[1],
}


def seen_of(step, model, x):
    try:
        said = step(x).detach().numpy().tobytes()
    except Exception as error:  # noqa: BLE001 (what it says is compared)
        said = f"{type(error).__name__}: {error}"
    return said, [
        (each.detach().numpy().tobytes(), None if each.grad is None else each.grad.tobytes()) for each in model
    ]


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_matrix_that_turns_out_singular_ends_a_replay_as_it_ends_the_step(name):
    found = []
    for is_captured in (False, True):
        scale = nn.Parameter(minitorch.ones(3, 3))
        model = nn.ParameterList([scale])
        optimizer = optim.Adam(model.parameters(), lr=0.01)

        def train(x, scale=scale, optimizer=optimizer):
            optimizer.zero_grad()
            loss = PROBLEMS[name](x * scale)
            loss.backward()
            optimizer.step()
            return loss

        step = capture(train, model, optimizer) if is_captured else train
        batches = [MATRIX] * 6 + [np.zeros_like(MATRIX)] + [MATRIX] * 3
        found.append([seen_of(step, [scale], Tensor(each)) for each in batches])
    assert step.is_captured
    assert found[1] == found[0]


def test_a_warning_of_numpy_that_is_raised_ends_a_replay_as_it_ends_the_step():
    found = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        model = nn.Linear(3, 2)
        optimizer = optim.SGD(model.parameters(), lr=0.001)

        def train(x, model=model, optimizer=optimizer):
            optimizer.zero_grad()
            loss = (model(x).exp() - 1.0).mean()
            loss.backward()
            optimizer.step()
            return loss

        step = capture(train, model, optimizer) if is_captured else train
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            factors = [1.0] * 6 + [1e4] + [1.0] * 3
            found.append([seen_of(step, list(model.parameters()), batch(each)) for each in factors])
    assert "overflow" in found[0][6][0]
    assert step.is_captured
    assert found[1] == found[0]


def test_an_option_that_asks_for_another_state_fails_as_it_fails_in_the_step():
    def program(case):
        case.optimizer = optim.AdamW(case.model.parameters(), lr=0.01)

        def change():
            case.optimizer.param_groups[0]["amsgrad"] = True
            with pytest.raises(KeyError):
                case.step(batch())
            case.optimizer.param_groups[0]["amsgrad"] = False

        case.train(lambda _: 1.0, change)

    eager, captured = outcome(program, False), outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured


# -- what cannot be seen -----------------------------------------------------------------------------------------------


def folders_of_modules(case):
    case.train(lambda _: float("folder" in sys.path), lambda: None)


def a_table_of_the_library(case):
    case.train(lambda _: float(len(copyreg.dispatch_table)), lambda: None)


def a_module_by_its_long_name(case):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "settings_of_a_user.inner", types.SimpleNamespace(scale=1.0))
        case.train(lambda _: sys.modules["settings_of_a_user.inner"].scale)


def classes_below(case):
    case.train(lambda _: float(len(Half.__subclasses__())))


def who_refers_to_it(case):
    half = Half()
    case.train(lambda _: float(weakref.getweakrefcount(half)))


REFUSED = {
    folders_of_modules: "`sys.path`, which others may change",
    a_table_of_the_library: "`copyreg.dispatch_table`, which others may change",
    a_module_by_its_long_name: "`sys.modules`, which others may change",
    classes_below: "it calls .*__subclasses__",
    who_refers_to_it: "it calls weakref.getweakrefcount",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_cannot_be_seen_is_refused(program):
    eager = outcome(program, False)
    with pytest.warns(RuntimeWarning, match=REFUSED[program]):
        captured = outcome(program, True)
    assert captured.found == eager.found
    assert not captured.step.is_captured


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_number_that_an_operation_needs_is_told_with_the_operation():
    with pytest.warns(RuntimeWarning, match=r"as \.item\(\) does \(.*, in ChannelNorm\.forward\)"):
        Case(True, nn.Sequential(nn.BatchNorm1d(3, momentum=None), nn.Linear(3, 2))).train(lambda _: 1.0)


@pytest.mark.parametrize("calls", [2, 3, 4])
@pytest.mark.parametrize("outside", [False, True])
def test_gradients_that_are_gathered_over_some_calls(calls, outside):
    """A call that begins without gradients has another program than one that begins with those of the call before."""
    outcomes = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        model = nn.Linear(3, 2)
        optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

        def step(x, is_last, model=model, optimizer=optimizer):
            loss = (model(x) ** 2).mean() / calls
            loss.backward()
            if outside or is_last:
                optimizer.step()
            if is_last and not outside:
                optimizer.zero_grad()
            return loss

        run = capture(step, model, optimizer) if is_captured else step
        for number in range(9 * calls):
            if outside and number % calls == 0:
                optimizer.zero_grad()
            loss = run(minitorch.randn(4, 3), False if outside else number % calls == calls - 1)
            grads = [None if each.grad is None else each.grad.tobytes() for each in model.parameters()]
            outcomes.append((is_captured, number, loss.item(), grads, [p.data.tobytes() for p in model.parameters()]))
    plain, replayed = ([each[1:] for each in outcomes if each[0] is kind] for kind in (False, True))
    assert plain == replayed
    assert run._replays >= 5 * calls


def test_an_optimiser_that_never_steps_is_told():
    model = nn.Linear(3, 2)
    step = capture(lambda x: (model(x) ** 2).mean().backward(), model, optim.SGD(model.parameters(), lr=0.1))
    with pytest.warns(RuntimeWarning, match=r"not each of its optimisers has made a step") as told:
        assert [step(batch()) for _ in range(40)]
    assert len(told) == 1


def test_the_source_is_that_of_the_program_which_ran_last():
    case = Case(True)
    case.train(lambda _: 1.0)
    case.call(case.step, 1)
    whole = case.step.source
    for _ in range(4):
        case.step(batch()[:2])
    assert case.step.source != whole
    case.call(case.step, 1)
    assert case.step.source == whole


def test_an_operation_of_several_results_of_which_one_is_what_it_was_given():
    """`igamma` brings its two inputs to one shape, which one of them has already."""

    def program(case):
        case.train(lambda x: 1.0 + functional.relu(x).igamma(x.sum().abs()).mean())

    eager, captured = outcome(program, False), outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured
