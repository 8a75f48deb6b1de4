"""Races in real processes, and what is made of their figures: tables, pictures, pyperf's JSON. No figure is judged."""

import dataclasses
import io
import sys
from pathlib import Path

import numpy as np
import pyperf
import pytest
from click.testing import CliRunner
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks import __main__ as cli  # noqa: E402
from benchmarks import figures, memory, page, plot, race, table  # noqa: E402
from benchmarks.operations import Measured  # noqa: E402
from benchmarks.steps.mlp import MLP  # noqa: E402

sys.path.remove(str(ROOT))

TOY = MLP("toy", (3, 4, 2), 5, "SGD", {"numpy": 2.0, "torch": 0.5}, lr=0.1)
TIMES = {"numpy": [3e-6, 2e-6, 4e-6], "minitorch": [3e-6, 5e-6, 9e-6], "torch": [5e-6, 5e-6, 8e-6]}
RACED = race.Raced(TOY, {name: race.benchmark(f"toy: {name}", seconds) for name, seconds in TIMES.items()})


@pytest.fixture
def importable(monkeypatch):
    """New processes find the benchmarks as this one did."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def printed(sheet) -> str:
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(sheet.printed())
    return console.export_text()


# -- the race --------------------------------------------------------------------------------------------------------


def test_contenders_run_in_processes_and_take_turns(importable, monkeypatch):
    asked = []
    seconds = race.Runner.seconds
    monkeypatch.setattr(
        race.Runner, "seconds", lambda runner, steps: asked.append(runner.contender) or seconds(runner, steps)
    )
    seen = []
    raced = race.race(TOY, ("numpy", "minitorch"), rounds=3, seed=1, watch=seen.append)
    assert {name: each.get_nvalue() for name, each in raced.times.items()} == {"numpy": 3, "minitorch": 3}
    assert [each.get_name() for each in raced.times.values()] == ["toy: numpy", "toy: minitorch"]
    assert asked == ["numpy", "minitorch"] * 4  # the first to find out how many steps make a round
    assert seen == [1, 2, 3]


def test_a_slow_contender_sits_out_after_the_fewest_rounds(importable, monkeypatch):
    monkeypatch.setattr(race, "SLOW_SECONDS", 0.0)
    raced = race.race(TOY, ("numpy", "minitorch"), rounds=6)
    assert {each.get_nvalue() for each in raced.times.values()} == {race.FEWEST_ROUNDS}


def test_a_contender_that_fails_is_named_with_its_error(importable):
    broken = dataclasses.replace(TOY, optimizer="Nobody")
    with pytest.raises(race.RaceError, match=r"toy: numpy failed:(.|\n)*KeyError: 'Nobody'"):
        race.race(broken, ("numpy", "minitorch"), rounds=1)


def test_a_process_that_dies_is_an_error(importable):
    runner = race.Runner(TOY, "numpy", 0)
    runner._process.kill()
    runner._process.join()
    with pytest.raises(race.RaceError, match="toy: the process of numpy ended without an answer"):
        runner.losses(1)
    runner.stop()


@pytest.mark.parametrize("loss", [1.001, float("nan")])
def test_curves_that_differ_may_not(loss):
    with pytest.raises(
        race.RaceError, match=r"toy: minitorch and numpy do not compute the same: in step 1 the loss of"
    ):
        race.require_same_curves("toy", {"numpy": [2.0, 1.0], "minitorch": [2.0, loss]})


def test_another_problem_is_seen_in_the_curves(importable):
    first, second = race.Runner(TOY, "numpy", 0), race.Runner(TOY, "minitorch", 1)
    try:
        with pytest.raises(race.RaceError, match="do not compute the same"):
            race.require_same_curves("toy", {"numpy": first.losses(8), "minitorch": second.losses(8)})
    finally:
        first.stop()
        second.stop()


# -- figures ---------------------------------------------------------------------------------------------------------


def test_ratios_are_those_of_the_minima():
    assert RACED.minimum("minitorch") == 3e-6
    assert RACED.median("minitorch") == 5e-6
    assert RACED.ratio_to("numpy") == pytest.approx(1.5)
    assert RACED.is_met("numpy")
    assert not RACED.is_met("torch")


def test_the_table_has_a_line_for_each_contender_and_the_goal_beside_the_ratio():
    lines = printed(table.steps_sheet([RACED])).splitlines()
    (numpy,) = [line for line in lines if "NumPy by hand" in line]
    (ours,) = [line for line in lines if "│ minitorch" in line]
    (torch,) = [line for line in lines if "PyTorch eager" in line]
    assert "MLP 3-4-2, batch 5, SGD" in ours
    assert [cell.strip() for cell in numpy.split("│")[3:-1]] == ["2 µs", "3 µs", "1.500", "≤ 2.000", "met"]
    assert [cell.strip() for cell in ours.split("│")[3:-1]] == ["3 µs", "5 µs", "", "", ""]
    assert [cell.strip() for cell in torch.split("│")[3:-1]] == ["5 µs", "5 µs", "0.600", "≤ 0.500", "missed"]


def test_rows_and_operations_are_printed_beside_their_goals():
    text = printed(table.rows_sheet([table.Row("a peak", 12.0, "MB", 13)], "memory"))
    assert [cell.strip() for cell in text.splitlines()[4].split("│")[1:-1]] == ["a peak", "12", "MB", "≤ 13", "met"]
    assert "1 of 2 met" in printed(table.operations_sheet([Measured("exp", 9, 1), Measured("log", 1, 1)]))


@pytest.mark.gate
def test_the_engine_is_timed_by_pyperf(importable, monkeypatch):
    quick = ("--processes=1", "--values=1", "--warmups=0", "--loops=1")
    monkeypatch.setattr(figures, "PLANS", dict.fromkeys(figures.PLANS, quick))
    rows = figures.engine(figures.timed())
    assert [row.what for row in rows if row.goal][:1] == ["chain of 10,000 adds, size 1: forward + backward + free"]
    assert all(row.value > 0 for row in rows[:-1])


# -- the picture -----------------------------------------------------------------------------------------------------


def test_the_picture_says_each_ratio_its_goal_and_whether_it_is_met(tmp_path):
    pytest.importorskip("matplotlib")
    path = plot.checked_path(tmp_path / "steps.svg")
    plot.save([RACED], path)
    text = path.read_text("utf-8")
    for words in (
        "beside NumPy by hand",
        "beside PyTorch eager",
        "1.500  (goal 2.000, met)",
        "0.600  (goal 0.500, missed)",
    ):
        assert words in text
    assert plot.MET in text
    assert plot.MISSED in text


@pytest.mark.parametrize(("name", "words"), [("steps.gif", ".png or .svg"), ("no/steps.svg", "there is no directory")])
def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_measured(name, words, tmp_path):
    with pytest.raises(plot.PlotError, match=words):
        plot.checked_path(tmp_path / name)


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def raced(monkeypatch):
    """The command without its measurements: which races it asks for, and a result that is always the same."""
    asked = []

    def pretend(workload, *rest):
        asked.append((workload, *rest))
        times = {name: race.benchmark(f"{workload.name}: {name}", seconds) for name, seconds in TIMES.items()}
        return race.Raced(dataclasses.replace(TOY, name=workload.name), times)

    monkeypatch.setattr(cli, "race", pretend)
    return asked


def test_the_command_races_the_workloads_that_begin_so_and_writes_what_pyperf_reads(raced, tmp_path):
    file = tmp_path / "figures.json"
    arguments = ["--workload", "mlp", "--variant", "odd", "--rounds", "7", "--seed", "3", "--json", str(file)]
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 0, result.output
    assert [workload.name for workload, *_ in raced] == ["mlp-sgd", "mlp-adam", "mlp-large"]
    assert [rest[1:3] for _, *rest in raced] == [[7, 3]] * 3
    assert "NumPy by hand" in result.output
    kept = pyperf.BenchmarkSuite.load(str(file)).get_benchmark("mlp-adam: minitorch")
    assert kept.get_values() == tuple(TIMES["minitorch"])


def test_packages_that_are_not_installed_do_not_race(raced, monkeypatch):
    monkeypatch.setattr(figures, "is_installed", lambda package: False)
    assert CliRunner().invoke(cli.main, ["--workload", "scalar"]).exit_code == 0
    assert raced[0][1] == ["floats", "minitorch", "minitorch_signs"]


def test_a_workload_that_is_none_is_refused_with_the_names(raced):
    result = CliRunner().invoke(cli.main, ["--workload", "transformer"])
    assert result.exit_code == 2
    assert "mlp-sgd" in result.output
    assert "gpt" in result.output


def test_a_failed_race_is_one_message(monkeypatch):
    def fail(*_):
        raise race.RaceError("toy: they differ")

    monkeypatch.setattr(cli, "race", fail)
    result = CliRunner().invoke(cli.main, ["--workload", "gpt"])
    assert result.exit_code == 1
    assert "Error: toy: they differ" in result.output


def test_a_plot_of_nothing_is_refused(raced, tmp_path):
    result = CliRunner().invoke(cli.main, ["--only", "memory", "--plot", str(tmp_path / "p.svg")])
    assert result.exit_code == 1
    assert "--only memory leaves them out" in result.output


# -- the page --------------------------------------------------------------------------------------------------------


def test_the_figures_replace_those_that_stand_in_the_page(raced, tmp_path):
    file = tmp_path / "performance.md"
    file.write_text(f"# Speed\n\n{page.BEGIN}\n\nold figures\n\n{page.END}\n\nMore.\n", encoding="utf-8")
    for _ in range(2):
        result = CliRunner().invoke(cli.main, ["--workload", "gpt", "--page", str(file)])
        assert result.exit_code == 0, result.output
    text = file.read_text("utf-8")
    assert "old figures" not in text
    assert text.startswith(f"# Speed\n\n{page.BEGIN}\n\nMeasured on ")
    assert text.endswith(f"\n\n{page.END}\n\nMore.\n")
    assert text.count("| MLP 3-4-2, batch 5, SGD | minitorch | 3 µs | 5 µs |  |  |  |") == 1
    assert text.count("|  | PyTorch eager | 5 µs | 5 µs | 0.600 | ≤ 0.500 | missed |") == 1


def test_a_page_without_a_place_for_them_is_refused_and_left_alone(raced, tmp_path):
    file = tmp_path / "performance.md"
    file.write_text("# Speed\n", encoding="utf-8")
    result = CliRunner().invoke(cli.main, ["--workload", "gpt", "--page", str(file)])
    assert result.exit_code == 1
    assert "<!-- as last measured -->" in result.output
    assert raced == []
    assert file.read_text("utf-8") == "# Speed\n"


def test_rows_and_operations_of_a_page():
    rows = [table.Row("a peak", 12.0, "MB", 13), table.Row("    by hand", 11.0, "MB")]
    section = table.rows_sheet(rows, "memory").as_markdown()
    assert section.splitlines()[0] == "| memory | value | unit | goal |  |"
    assert section.splitlines()[2:] == ["| a peak | 12 | MB | ≤ 13 | met |", "| … by hand | 11 | MB |  |  |"]
    assert "1 of 2 take at most 3 times" in page.operations_section([Measured("exp", 9, 1), Measured("log", 1, 1)])


# -- memory ----------------------------------------------------------------------------------------------------------


def test_what_must_be_alive_of_one_layer_is_counted_by_hand():
    """Weights 3·2 + 2 = 8, their gradients 8, the batch 5·3 = 15, and the gradient of the output 5·2 = 10."""
    assert memory.must_be_alive((3, 2), 5) == 4 * (8 + 8 + 15 + 10)


def test_what_must_be_alive_is_the_most_of_all_moments():
    """Weights 8 + 6. At the last layer inputs 15 + 10, its weights' gradient 6, gradients 10 + 10; then less."""
    assert memory.must_be_alive((3, 2, 2), 5) == 4 * (14 + 15 + 10 + 6 + 10 + 10)
    assert memory.must_be_alive((30, 30, 30), 1) == 4 * (1860 + 30 + 1860 + 30)


def test_the_traced_peak_of_a_step_is_at_least_what_must_be_alive():
    workload = MLP("deep", (64,) * 11, 64, "SGD", {}, lr=0.01)
    alive = memory.must_be_alive(workload.widths, workload.batch)
    for contender in ("numpy", "minitorch"):
        try:
            assert alive <= memory.traced_peak(workload, contender) <= 1.6 * alive
        finally:
            memory.tracemalloc.stop()


def test_a_leak_would_be_counted(monkeypatch):
    """Steps that each leave a cycle and an array behind."""
    kept = []

    def step() -> None:
        kept.append(np.zeros(100))
        cycle = []
        cycle.append(cycle)

    monkeypatch.setattr(memory, "begun", lambda *_: step)
    found = memory.leak(TOY, steps=50)
    assert found["bytes"] > 50 * 800
    assert found["tracked"] >= 50
    assert found["unreachable"] >= 55


def test_steps_leave_nothing_behind():
    found = memory.leak(TOY, steps=50)
    assert found["tracked"] == 0
    assert found["unreachable"] == 0
    assert found["ours"] == 0
