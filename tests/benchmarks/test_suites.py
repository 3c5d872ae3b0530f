"""Suites: TOML files and their mistakes, the puzzles they name, the order of their runs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from plumbench.benchmarks import units
from plumbench.benchmarks.campaign.instances import load_instances
from plumbench.benchmarks.campaign.listing import listing
from plumbench.benchmarks.campaign.plan import Planned, plan
from plumbench.benchmarks.campaign.suites import Puzzles, Question, Suite, find_suite, shipped
from plumbench.puzzles.errors import InputError, PlumbenchError, UsageError
from plumbench.solvers.registry import ENGINES

WHOLE = """
name = "mine"
about = "a few boards"
engines = ["propagation", "sat:minisat22"]
limits = { wall = "1500ms", cpu = "2m", memory = "2GiB" }
repeats = 2
seeds = ["given", 7]
shuffle = 5
warmup = false
budget = "1h"

[[instances]]
file = "boards.txt"
group = "own"

[[instances]]
generate = "net"
size = [4, "6x3"]
wrap = true
seed = 3
number = 2
settings = { walls = 0.1 }

[[questions]]
task = "count"
limit = 2
engines = ["propagation"]
most_vertices = 16

[[questions]]
task = "optimise"
objective = "minimise rotations"
groups = ["net"]
"""


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A suite that uses most of what there is, and its boards."""
    (tmp_path / "boards.txt").write_text("LL\nLL\n\nLL\nLX\n")
    path = tmp_path / "whole.toml"
    path.write_text(WHOLE)
    return path


def test_a_suite_is_read_as_it_is_written(whole):
    """Units become seconds and bytes; paths are relative to the file; groups name sizes."""
    suite = find_suite(str(whole))
    assert (suite.name, suite.engines, suite.repeats) == (
        "mine",
        ("propagation", "sat:minisat22"),
        2,
    )
    assert (suite.limits.wall, suite.limits.cpu, suite.limits.memory) == (1.5, 120.0, 2**31)
    assert (suite.budget, suite.warmup, suite.seeds) == (3600.0, False, ("given", 7))
    groups = Counter(group for group, _ in load_instances(suite))
    assert groups == {"own": 2, "net 4x4w": 2, "net 6x3w": 2}
    assert {i.name for g, i in load_instances(suite) if g == "net 6x3w"} == {
        "net-6x3w-3", "net-6x3w-4",
    }  # fmt: skip
    plain = suite.plain()
    assert plain["limits"] == {"wall": "1.5s", "cpu": "2m", "memory": "2GiB"}
    assert plain["instances"][1]["settings"] == {"walls": 0.1}


def test_questions_choose_their_engines_and_puzzles(whole):
    """Engines, sizes, groups and objectives of a question restrict what is asked."""
    suite = find_suite(str(whole))
    runs = plan(suite, load_instances(suite))
    small = [p for p in runs if p.job.task == "count"]
    assert {p.job.solver for p in small} == {"propagation"}
    assert {p.group for p in small} == {"own", "net 4x4w"}
    assert {p.job.limit for p in small} == {2}
    best = [p for p in runs if p.job.task == "optimise"]
    assert {p.group for p in best} == {"net 4x4w", "net 6x3w"}
    assert all(p.job.puzzle.costs is not None and p.instance.objective for p in best)
    assert all(p.job.puzzle is p.instance.puzzle for p in runs)
    assert len(runs) == len(set(map(_what, runs))) == 2 * 2 * (4 * 1 + 4 * 2)
    limits = {(p.job.seconds, p.job.cpu, p.job.memory) for p in runs}
    assert limits == {(1.5, 120.0, 2**31)}


def _what(planned: Planned) -> tuple[object, ...]:
    job = planned.job
    return job.puzzle.fingerprint, job.solver, job.task, job.seed, planned.repeat


def boards_suite(number: int = 4, **more) -> Suite:
    """A suite of some small boards."""
    puzzles = Puzzles(generate="net", size=3, number=number)
    return Suite(**{"engines": ("a", "b", "c"), "instances": (puzzles,), **more})


@pytest.fixture
def abc(monkeypatch):
    """Three engines that are known, but need not be there."""
    monkeypatch.setenv("PLUMBENCH_EXTRA_ENGINES", "a=x:A,b=x:B,c=x:C")


def test_no_engine_has_a_time_of_its_own(abc):
    """Repeats are the outer loop; each puzzle is asked of all engines before the next one; the
    order of puzzles and engines is mixed, differently in each repeat, and depends on the seed
    alone.
    """
    suite = boards_suite(repeats=3, shuffle=1)
    instances = load_instances(suite)

    def order(suite: Suite) -> list[tuple[int, str, str]]:
        return [(p.repeat, p.job.puzzle.fingerprint, p.job.solver) for p in plan(suite, instances)]

    runs = order(suite)
    assert [repeat for repeat, *_ in runs] == sorted(repeat for repeat, *_ in runs)
    for start in range(0, len(runs), 3):
        block = runs[start : start + 3]
        assert len({(repeat, puzzle) for repeat, puzzle, _ in block}) == 1
        assert {solver for *_, solver in block} == {"a", "b", "c"}
    assert len({tuple(s for *_, s in runs[i : i + 3]) for i in range(0, len(runs), 3)}) > 2
    puzzles = [[p for r, p, s in runs if r == repeat and s == "a"] for repeat in range(3)]
    assert len({tuple(p) for p in puzzles}) > 1
    assert len({frozenset(p) for p in puzzles}) == 1
    assert order(suite) == runs
    other = order(boards_suite(repeats=3, shuffle=2))
    assert other != runs
    assert sorted(other) == sorted(runs)


def test_seeds_are_for_engines_that_take_them(abc):
    """An engine whose order is its meaning is asked once, about the puzzle as it is."""
    suite = boards_suite(1, seeds=("given", 1, 2))
    runs = plan(suite, load_instances(suite), seeded=lambda name: name != "b")
    found = Counter((p.job.solver, p.job.seed) for p in runs)
    assert found == {
        ("b", None): 1, **{(s, seed): 1 for s in ("a", "c") for seed in (None, 1, 2)},
    }  # fmt: skip


def test_equal_puzzles_are_measured_once(tmp_path):
    """The first of equal puzzles gives the name and the group."""
    path = tmp_path / "twice.txt"
    path.write_text("LL\nLL\n\nLL\nLL\n")
    first, second = Puzzles(file=str(path), group="one"), Puzzles(file=str(path), group="two")
    suite = Suite(engines=("brute",), instances=(first, second))
    assert [(g, i.name) for g, i in load_instances(suite)] == [("one", "twice:1")]


def test_generated_boards_can_be_asked_to_be_unique():
    """``unique`` judges the boards of the generator."""
    from plumbench.solvers.run import count

    puzzles = Puzzles(generate="dense", size=3, number=3, settings={"x": 0.5}, unique=True)
    suite = Suite(engines=("brute",), instances=(puzzles,))
    boards = [instance for _, instance in load_instances(suite)]
    assert [count(b.puzzle, "brute", limit=2).value for b in boards] == [1, 1, 1]


MISTAKES: list[tuple[str, int | None, str]] = [
    ("engines = [", None, "TOML"),
    ("engines = ['brute']", None, "no instances"),
    ("engine = ['brute']", 1, "'engine', expected one of .*engines"),
    ("x = " + "[" * 3000 + "]" * 3000, None, "too many brackets"),
    ("repeats = 99999999999999999999 | SAT | FILE", None, "expected 1 to 10000"),
    ("seeds = [-1] | SAT | FILE", None, "found seed -1"),
    ("seeds = [9223372036854775808] | SAT | FILE", None, "found seed 9223372036854775808"),
    ("shuffle = -1 | SAT | FILE", None, "found shuffle -1"),
    (f"SAT | FILE | [[questions]] | task = 'count' | limit = {2**63}", 4, "at most 64 bits"),
    ("SAT | FILE | [[questions]] | most_vertices = 0", None, ": most_vertices 0"),
    ("engines = 'brute' | FILE", 1, "engines: str, expected array"),
    ("engines = ['brut'] | FILE", 1, "found solver 'brut', expected one of"),
    ("engines = ['sat:x'] | FILE", 1, "'sat:x', expected an option of"),
    ("engines = [] | FILE", None, "no engine"),
    ("engines = ['sat','sat'] | FILE", None, "twice"),
    ("SAT | budget = '3 days' | FILE", 2, "'3 days', expected a time"),
    ("SAT | [limits] | wall = '0s' | FILE", 3, "'0s', expected a time"),
    ("SAT | [limits] | memory = '1' | FILE", 3, "'1', expected a size"),
    ("SAT | [limits] | walls = '1s' | FILE", 3, "'walls', expected one of wall, cpu"),
    ("SAT | repeats = 0 | FILE", None, "repeats 0"),
    ("SAT | seeds = ['x'] | FILE", 2, r"seeds\[1\]"),
    ("SAT | FILE | FILE | glob='*'", 4, "file and glob"),
    ("SAT | FILE | [[instances]] | number=1", 4, "none of file"),
    ("SAT | FILE | size=4", 2, "size of a file"),
    ("SAT | [[instances]] | generate='nett' | size=4", 2, "'nett', expected one of net,"),
    ("SAT | NET", 2, "no size"),
    ("SAT | NET | size='4x'", 2, "'4x'"),
    ("SAT | NET | size=4 | settings={x=1}", 2, "setting 'x', expected walls"),
    ("SAT | FILE | [[questions]] | task='guess'", 5, r"questions\[1\]\.task"),
    ("SAT | FILE | [[questions]] | limit=2", 4, "limit 2 of solve"),
    (
        "SAT | FILE | [[questions]] | task='optimise' | objective='rotations'",
        4,
        "such as 'minimise rotations'",
    ),
    ("SAT | FILE | [[questions]] | engines=['x']", 5, "'x', expected one of"),
]
"""A suite's text with | between its lines, the line that is named, words of the message."""

SHORT = {
    "SAT": "engines = ['sat']",
    "FILE": "[[instances]]\nfile = 'b.txt'",
    "NET": "[[instances]]\ngenerate = 'net'",
}


@pytest.mark.parametrize(("text", "line", "words"), MISTAKES)
def test_a_mistake_is_one_line_with_its_place(text: str, line, words, tmp_path):
    """Exit code 2; file, line, what was found and what is expected."""
    path = tmp_path / "bad.toml"
    path.write_text("\n".join(SHORT.get(part, part) for part in text.split(" | ")))
    with pytest.raises(InputError, match=words) as caught:
        find_suite(str(path))
    assert caught.value.exit_code == 2
    assert caught.value.file == str(path)
    assert "\n" not in str(caught.value)
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("file = 'none.txt'", "none.txt: found no such file"),
        ("glob = 'x*.txt'", r"x\*.txt: found no puzzles"),
        ("file = 'b.txt'\nrules = 'path'", "b.txt, line 1: found .*path"),
        ("generate = 'net'\nsize = 4\nrules = 'chain'", "net 4x4: .*chain"),
        ("generate = 'net'\nsize = 4\nsettings = { walls = 'x' }", "net 4x4"),
        ("generate = 'mut'\nsize = [8]", "mut"),
    ],
)
def test_puzzles_that_are_not_there_are_named(text, words, tmp_path):
    """A file that is missing, a rule that does not fit, a size that a generator cannot make."""
    (tmp_path / "b.txt").write_text("LL\nLL\n")
    path = tmp_path / "bad.toml"
    path.write_text(f"engines = ['brute']\n[[instances]]\n{text}")
    with pytest.raises(PlumbenchError, match=words) as caught:
        load_instances(find_suite(str(path)))
    assert caught.value.exit_code in (2, 3)


def test_bad_puzzles_are_all_named_or_left_out(tmp_path):
    """A campaign does not change silently: bad puzzles are refused, unless told to be skipped."""
    path = tmp_path / "some.txt"
    path.write_text("LL\nLL\n\nL?\nLL\n\n9x\n\nLL\nLX\n")
    suite = find_suite(str(path))
    with pytest.raises(InputError, match="2 puzzles") as caught:
        load_instances(suite)
    assert re.search(r"some.txt, line 4.*some.txt, line 7.*--skip-bad", str(caught.value))
    bad: list[InputError] = []
    assert len(load_instances(suite, bad)) == 2
    assert [error.line for error in bad] == [4, 7]


def test_what_two_questions_share_is_asked_once(abc):
    """A run is the same run whichever question asks for it."""
    few = Question(engines=("a", "a", "b"))
    suite = boards_suite(2, questions=(Question(), few), repeats=2)
    assert len(plan(suite, load_instances(suite))) == 2 * 2 * 3


def test_a_wrong_seed_is_refused_before_anything_runs(abc):
    """Not when its turn comes."""
    with pytest.raises(ValueError, match="seed -1"):
        boards_suite(1, seeds=(-1,))


def test_a_question_that_fits_nothing_is_refused(abc):
    """A suite must not promise what no puzzle can give."""
    asked = Question(task="optimise", objective="minimise length")
    suite = boards_suite(questions=(asked,))
    with pytest.raises(UsageError, match=r"question 1 \(minimise length\): fits none"):
        plan(suite, load_instances(suite))


def test_a_suite_is_a_name_a_file_or_a_folder(tmp_path):
    """A path makes a suite of its puzzles; anything else is an error that names the choices."""
    boards = tmp_path / "boards.txt"
    boards.write_text("LL\nLL\n\nLL\nLX\n")
    assert find_suite("quick").name == "quick"
    for name in (str(boards), str(tmp_path)):
        suite = find_suite(name)
        assert len(load_instances(suite)) == 2
        assert suite.budget is None
    (tmp_path / "folder.txt").mkdir()
    assert len(load_instances(find_suite(str(tmp_path)))) == 2
    for name in ("nonsense", "", "none.toml"):
        with pytest.raises(UsageError, match="default"):
            find_suite(name)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"found no puzzles"):
        load_instances(find_suite(str(empty)))


def test_the_shipped_suites_hold_what_they_say():
    """All can be planned and are listed; quick asks every engine about the whole library, and
    every engine is in some question about each task it is for.
    """
    names = ["ablation", "default", "families", "hard", "quick", "speed"]
    assert shipped() == names
    quick = find_suite("quick")
    assert set(quick.engines) == set(ENGINES)
    assert quick.repeats == 1
    assert find_suite("default").repeats == 3
    solved = {
        (p.job.solver, p.instance.name) for p in plan(quick, load_instances(quick))
    }  # fmt: skip
    assert len({solver for solver, _ in solved}) == len(ENGINES)
    text = listing(["quick", "families"])
    assert re.search(r"^quick +38 +6 +2 +1 +1 +\d+", text, re.MULTILINE)
    families = find_suite("families")
    asked = {(p.instance.family, p.job.task) for p in plan(families, load_instances(families))}
    assert {
        (f, t) for f in ("board", "flow", "path", "dominoes") for t in ("solve", "optimise")
    } <= asked


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("500ms", 0.5), ("2m", 120), ("1.5h", 5400), ("3", 3)]
)
def test_spans_of_time_are_read_and_written(text, seconds):
    """What is written reads back as the same."""
    assert units.span(text) == seconds
    assert units.span(units.span_text(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "number"), [("1GB", 10**9), ("2GiB", 2**31), ("800001B", 800001), ("1.5 MB", 1500000)]
)
def test_sizes_of_memory_are_read_and_written(text, number):
    """What is written reads back as the same; a size needs a unit."""
    assert units.memory(text) == number
    assert units.memory(units.memory_text(number)) == number
    for bad in ("1", "GB", "-1GB", "0GB", "1gb", "nanMB"):
        with pytest.raises(ValueError, match="expected a size"):
            units.memory(bad)
