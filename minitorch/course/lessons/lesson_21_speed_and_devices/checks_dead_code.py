"""How `without_dead_code` is judged: which lines are needed is found out forwards, from who reads whom."""

from minitorch.course.judging.checks import Wrong, exercise, first_wrong
from minitorch.course.sandbox.values import type_name


def needed_lines(lines, returned):
    """The numbers of the lines that are needed: forwards it is found out who reads whom, then these are followed."""
    writer, reads = {}, []
    for number, (name, read) in enumerate(lines):
        reads.append([writer[each] for each in read if each in writer])
        writer[name] = number
    found, open_lines = set(), [writer[name] for name in returned if name in writer]
    while open_lines:
        number = open_lines.pop()
        if number not in found:
            found.add(number)
            open_lines += reads[number]
    return sorted(found)


def written_line(line):
    """A line as a reader sees it: t = f(x, y)."""
    return f"{line[0]} = f({', '.join(line[1])})"


@exercise("without_dead_code")
class WithoutDeadCode:
    """A dead line; a chain; an overwritten one; its own name; read in between; a constant; none; all; twice; many."""

    in_order = True

    def inputs(self, rng):
        programs = ["a:x b:a c:a > c", "a:x b:a d:b c:x > c", "t:x t:y c:t > c", "t:x t:ty t:t > t"]
        programs += ["t:x a:t t:y b:at > b", "k: c:kx > c", "a:x b:a > x", "a:x b:ax c:ab > c", "a:x b:x c:ab > ba"]
        programs += ["t:x u:t t:u v:t t:x c:tv > c", " > a", "a: b: b:ab a:b c:b > a"]
        programs += ["h:xW r:h q:r p:rh g:xp m:pW > qg"]
        return [*map(self.read, programs), self.drawn(rng)]

    def read(self, text):
        program, _, returned = text.partition(">")
        lines = [[name, list(read)] for name, _, read in (each.partition(":") for each in program.split())]
        return {"lines": lines, "returned": list(returned.strip())}

    def drawn(self, rng):
        names = "abcdef"
        lines = []
        for _ in range(12):
            read = sorted({names[int(each)] for each in rng.integers(0, len(names), 2)})
            lines.append([names[int(rng.integers(0, len(names)))], read])
        return {"lines": lines, "returned": [lines[-1][0], lines[5][0]]}

    def line(self, x):
        lines = [(name, tuple(read)) for name, read in x["lines"]]
        return f"m.without_dead_code({lines}, {tuple(x['returned'])})"

    def observe(learner, x):
        lines = [(name, tuple(read)) for name, read in x["lines"]]
        returned = tuple(x["returned"])
        out = learner.without_dead_code(lines, returned)
        if isinstance(out, (list, tuple)) and all(
            isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[1], (list, tuple)) for each in out
        ):
            out = [[name, list(read)] for name, read in out]
        return {"out": out, "after": [[name, list(read)] for name, read in lines]}

    def judge(self, x, got):
        lines, out = x["lines"], got["out"]
        if not isinstance(out, list) or any(each not in lines for each in out):
            return Wrong(
                "without_dead_code must return a list of lines that the program has, as pairs (name, read)",
                got="None" if out is None else f"one {type_name(out)}" if not isinstance(out, list) else str(out),
                hint=None if out is None else 3,
            )
        changed = None
        if got["after"] != lines:
            changed = Wrong(
                "after the call lines has other lines than before: put those that stay into a new list", hint=3
            )
        return first_wrong(changed, self.compared_lines(lines, out, needed_lines(lines, x["returned"])))

    def compared_lines(self, lines, out, numbers):
        want = [lines[number] for number in numbers]
        if out == want:
            return None
        counted = [(line, want.count(line), out.count(line)) for line in lines]
        told = {"expected": "; ".join(map(written_line, want)), "got": "; ".join(map(written_line, out))}
        for line, wanted, found in counted:
            if found < wanted:
                return Wrong(
                    "the line {line} is needed, and was left out",
                    line=written_line(line),
                    **told,
                    hint=4 if line[0] in line[1] else 3,
                )
        for line, wanted, found in counted:
            if found > wanted:
                return Wrong(
                    "nobody uses the number of the line {line}, and it was kept",
                    line=written_line(line),
                    **told,
                    hint=3,
                )
        return Wrong(
            "the lines are the right ones, in another order: they run from the first to the last", **told, hint=1
        )
