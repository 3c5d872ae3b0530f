"""The command line from inside: exit codes, lines for people, JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_tools import kept_children, plumbench
from plumbench.cli_render import FIELDS, TIMES, WORST_FIRST, worst
from plumbench.puzzles.check import check
from plumbench.puzzles.formats import loads

NET = "5x5:1115337157375775157135131"
TWO = "3x3:1313f3131"
NONE = "XX/XX"


pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children


# solve, solutions, count


def test_solve_names_rule_and_solver_and_draws(plumbench) -> None:
    """The text says the rule, the solver, that it is verified, shows the board and counters."""
    result = plumbench("solve", NET)
    assert result.code == 0
    first, *board, last = result.out.splitlines()
    assert first == "satisfiable under the rule tree, by propagation, verified"
    assert len(board) == 5
    assert last.startswith("propagation: nodes ")
    assert result.err == ""


def test_solve_json_has_every_field(plumbench) -> None:
    """One object on one line with the fields of the contract; the solution is right."""
    result = plumbench("solve", NET, "--json")
    (record,) = result.records
    assert set(FIELDS) <= set(record)
    assert record["puzzle"] == NET
    assert (record["family"], record["solver"], record["rules"]) == ("board", "propagation", "tree")
    assert (record["status"], record["verified"], record["reason"]) == ("satisfiable", True, None)
    assert set(record["times"]) == set(TIMES)
    assert all(seconds >= 0 for seconds in record["times"].values())
    board = loads(NET)[0]
    assert check(board.puzzle, board.encode(record["solution"])).ok


def test_solve_unsolvable(plumbench) -> None:
    """Proved unsolvable is exit 1; there is nothing to verify, so that field is null."""
    assert plumbench("solve", NONE).code == 1
    result = plumbench("solve", NONE, "--json")
    (record,) = result.records
    assert result.code == 1
    assert record["status"] == "unsatisfiable"
    assert record["verified"] is None
    assert record["solution"] is None


def test_rules_option_is_obeyed_and_named(plumbench) -> None:
    """Two rings are a match but not connected; the output names the rule in force."""
    rings = "LL.LL/LL.LL"
    match, connected = plumbench("solve", rings, "--rules", "match"), plumbench("solve", rings)
    assert (match.code, connected.code) == (0, 1)
    assert "under the rule match" in match.out
    assert "under the rule connected" in connected.out


def test_solutions_lists_each_once(plumbench) -> None:
    """Both answers drawn and the number exact; the limit stops earlier and says so."""
    result = plumbench("solutions", TWO)
    assert result.code == 0
    assert "solution 2" in result.out
    assert "exactly 2 solutions under the rule tree" in result.out
    (record,) = plumbench("solutions", TWO, "--json").records
    assert len({json.dumps(s) for s in record["solutions"]}) == 2
    assert (record["count"], record["count_exact"]) == (2, True)
    limited = plumbench("solutions", TWO, "--limit", "1")
    assert limited.code == 0
    assert "at least 1 solution under" in limited.out
    assert "solution 2" not in limited.out


@pytest.mark.parametrize(
    ("limit", "words", "code"),
    [(None, "exactly 2 solutions", 0), ("2", "at least 2 solutions", 0), ("3", "exactly 2", 0)],
)
def test_count(plumbench, limit: str | None, words: str, code: int) -> None:
    """Exact, or at least the limit."""
    result = plumbench("count", TWO, *(("--limit", limit) if limit else ()))
    assert result.code == code
    assert result.out.startswith(words)


def test_count_of_nothing(plumbench) -> None:
    """No solution is an answer with exit 1."""
    result = plumbench("count", NONE)
    assert result.code == 1
    assert result.out.startswith("no solution under the rule connected")
    (record,) = plumbench("count", NONE, "--json").records
    assert (record["count"], record["count_exact"]) == (0, True)


def test_node_limit_is_unknown(plumbench) -> None:
    """A limit that ends the search is exit 3 with the reason, never a verdict."""
    result = plumbench("solve", NET, "--solver", "brute", "--node-limit", "1", "--json")
    assert result.code == 3
    (record,) = result.records
    assert (record["status"], record["reason"]) == ("unknown", "nodes")


def test_what_an_engine_cannot_do(plumbench) -> None:
    """Unsupported is exit 2 with one line, and an error in the JSON object."""
    big = "20x20:" + "5" * 400
    assert plumbench("solve", big, "--solver", "brute").is_one_error_line()
    result = plumbench("solve", big, "--solver", "brute", "--json")
    assert result.code == 2
    assert "cannot do this" in result.records[0]["error"]


# unique


def test_unique_shows_two_answers(plumbench) -> None:
    """Case N09's board: exit 5, both answers, marks, a forced cell and a hint."""
    result = plumbench("unique", TWO)
    assert result.code == 5
    assert "ambiguous under the rule tree, by propagation" in result.out
    for words in ("first answer", "second answer", "forced", "hint: locking row", "["):
        assert words in result.out


def test_unique_json(plumbench) -> None:
    """The object holds the verdict, both verified answers and what was found about them."""
    (record,) = plumbench("unique", TWO, "--json").records
    assert record["verdict"] == "ambiguous"
    assert record["status"] == "satisfiable"
    board = loads(TWO)[0]
    first, second = record["solutions"]
    assert first != second
    assert all(check(board.puzzle, board.encode(s)).ok for s in record["solutions"])
    cells = [[r, c] for r in range(3) for c in range(3)]
    assert record["differing"] == [[r, c] for r, c in cells if first[r][c] != second[r][c]]
    assert record["forced"] == [[1, 1]]
    row, column = record["hint"]["cell"]
    assert record["hint"]["mask"] == first[row][column]
    assert record["hint"]["makes_unique"] is True


@pytest.mark.parametrize(
    ("puzzle", "code", "verdict"), [(NET, 0, "unique"), (NONE, 1, "unsolvable")]
)
def test_unique_verdicts(plumbench, puzzle: str, code: int, verdict: str) -> None:
    """Unique is exit 0, unsolvable exit 1."""
    result = plumbench("unique", puzzle)
    assert result.code == code
    assert result.out.startswith(f"{verdict} under the rule")
    assert plumbench("unique", puzzle, "--json").records[0]["verdict"] == verdict


def test_unique_unknown(plumbench) -> None:
    """Without a proof the verdict is unknown, exit 3."""
    result = plumbench("unique", NET, "--solver", "brute", "--node-limit", "1")
    assert result.code == 3
    assert result.out.startswith("unknown under the rule tree")


@pytest.fixture
def hundred(plumbench, tmp_path: Path) -> Path:
    """A file of 100 boards, 99 of them unique, one a line."""
    made = plumbench(
        "generate", "net", "--size", "5x5", "-n", "99", "--unique", "--seed", "3", "--to", "net-id",
        "--jobs", "2",
    )  # fmt: skip
    assert made.code == 0
    lines = made.out.splitlines()
    assert len(set(lines)) == 99
    file = tmp_path / "hundred.txt"
    file.write_text("\n".join([*lines[:40], TWO, *lines[40:]]) + "\n")
    return file


def test_unique_on_a_hundred_boards(plumbench, hundred: Path) -> None:
    """One line per board in the file's order; ambiguous wins over unique."""
    result = plumbench("unique", hundred, "--jobs", "2")
    lines = result.out.splitlines()
    assert len(lines) == 100
    assert result.code == 5
    for number, line in enumerate(lines, 1):
        verdict = "ambiguous" if number == 41 else "unique"
        assert line.startswith(f"{hundred}:{number}: {verdict} under the rule tree")
    records = plumbench("unique", hundred, "--jobs", "2", "--json").records
    assert [r["puzzle"] for r in records] == [f"{hundred}:{n}" for n in range(1, 101)]
    assert sum(r["verdict"] == "unique" for r in records) == 99


def test_unique_show(plumbench, tmp_path: Path) -> None:
    """--show draws every puzzle of a file."""
    file = tmp_path / "two.txt"
    file.write_text(f"{TWO}\n{NET}\n")
    assert "first answer" not in plumbench("unique", file).out
    shown = plumbench("unique", file, "--show").out
    assert "first answer" in shown
    assert "└" in shown.split("unique under")[1]


# many puzzles, errors


def test_a_bad_puzzle_does_not_stop_the_rest(plumbench, tmp_path: Path) -> None:
    """Each JSON line belongs to a puzzle, the bad one holds its error; its code wins."""
    file = tmp_path / "some.txt"
    file.write_text(f"{NET}\n5x5:12\n{TWO}\n")
    result = plumbench("solve", file, "--json")
    assert result.code == 2
    good, bad, last = result.records
    assert good["verified"] is True
    assert last["verified"] is True
    assert bad["puzzle"] == f"{file}:2"
    assert "line 2" in bad["error"]
    assert bad["status"] is None
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("puzzles", "code"),
    [
        ((NET, TWO), 0),
        ((NET, NONE), 1),
        ((NONE, "5x5:1"), 2),
    ],
)
def test_worst_code_wins(plumbench, puzzles: tuple[str, ...], code: int) -> None:
    """Of several puzzles the worst code is given."""
    assert plumbench("solve", *puzzles).code == code


def test_order_of_exit_codes() -> None:
    """The documented order, for every pair."""
    assert WORST_FIRST == (130, 70, 4, 2, 3, 5, 1, 0)
    for i, worse in enumerate(WORST_FIRST):
        for better in WORST_FIRST[i:]:
            assert worst([better, worse]) == worse
    assert worst([]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("solv",),
        ("solve",),
        ("solve", "no such file"),
        ("solve", "nowhere.txt"),
        ("solve", "."),
        ("solve", "9999999x9999999:1"),
        ("solve", NET, "--solver", "magic"),
        ("solve", NET, "--solver", "sat:nothing"),
        ("solve", NET, "--solver", "propagation:fast"),
        ("solve", NET, "--solver", "a b\nc"),
        ("solve", NET, "--rules", "chess"),
        ("solve", NET, "--time-limit", "soon"),
        ("solve", NET, "--time-limit", "0"),
        ("solve", NET, "--jobs", "0"),
        ("solve", NET, "--frobnicate"),
        ("solutions", NET, "--limit", "0"),
        ("count", NET, "--limit", "-1"),
        ("count", NET, "--limit", "many"),
        ("unique", "5x5:zz"),
        ("compare", NET, "--solvers", "sat,,cpsat"),
        ("compare", NET, "--limit", "2"),
        ("check", NET),
        ("check", NET, "--solution", "nowhere.json"),
        ("convert", NET),
        ("convert", NET, "--to", "papyrus"),
        ("convert", "LL/LL", "--to", "net-id"),
        ("convert", NET, "--to", "text", "-o", "no/such/folder/file"),
        ("generate", "net"),
        ("generate", "nothing", "--size", "5x5"),
        ("generate", "net", "--size", "5by5"),
        ("generate", "net", "--size", "0x5"),
        ("generate", "net", "--size", "5x5", "--set", "colour=red"),
        ("generate", "net", "--size", "5x5", "--rules", "chess"),
        ("generate", "net", "--size", "5x5", "--to", "papyrus"),
        ("generate", "net", "--size", "5x5", "--unique", "--max-solutions", "2"),
        ("generate", "mut", "--size", "5x5"),
        ("bench", "no-such-suite"),
        ("experiment", "alchemy"),
        ("experiment", "counts", "--format", "gif"),
        ("euler", NET, "--start", "9,9"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line(plumbench, arguments: tuple[str, ...]) -> None:
    """Bad usage or input of every kind: exit 2, one line, nothing else."""
    result = plumbench(*arguments)
    assert result.code == 2
    assert result.is_one_error_line()


def test_an_unknown_generator_is_told_first(plumbench) -> None:
    """Without a size, too, an unknown kind is what the message speaks of, with the known ones."""
    result = plumbench("generate", "nothing")
    assert result.code == 2
    assert "'nothing'" in result.err
    assert "net" in result.err


@pytest.mark.parametrize(
    ("puzzle", "noun"),
    [
        ("LL/LL", "a board"),
        ("2 2/5 5/1 1", "a plumber map"),
        ("0|1 1|2", "a set of dominoes"),
        ("F7/SJ", "a pipe maze"),
    ],
)
def test_messages_name_the_kind_of_puzzle(plumbench, puzzle: str, noun: str) -> None:
    """An objective that a family does not have is refused in words, not by the family's key."""
    result = plumbench("solve", puzzle, "--minimise", "beauty")
    assert result.code == 2
    assert f"{noun} offers " in result.err


def test_internal_errors_are_one_line(plumbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug of ours is exit 70 and one line; the traceback only if asked for."""

    def bug(*_: object) -> int:
        raise ZeroDivisionError("a bug\nof two lines")

    monkeypatch.setattr("plumbench.cli_jobs.solve", bug)
    monkeypatch.delenv("PLUMBENCH_DEBUG", raising=False)
    result = plumbench("solve", NET)
    assert result.code == 70
    assert result.is_one_error_line()
    monkeypatch.setenv("PLUMBENCH_DEBUG", "1")
    assert "Traceback" in plumbench("solve", NET).err


# compare, solvers, doctor


def test_compare_agrees(plumbench, tmp_path: Path) -> None:
    """Engines agree on status and count; the worst code of the puzzles is given."""
    engines = ("--solvers", "propagation,sat,brute", "--evidence", tmp_path)
    result = plumbench("compare", TWO, "--count", *engines)
    assert result.code == 0
    assert "3 of 3 answered and agree: satisfiable, exactly 2" in result.out
    records = plumbench("compare", TWO, NONE, "--count", "--json", *engines).records
    assert [r["count"] for r in records] == [2, 0]
    assert all(r["agreed"] and len(r["runs"]) == 3 for r in records)
    assert [run["count"] for run in records[0]["runs"]] == [2, 2, 2]
    assert plumbench("compare", TWO, NONE, *engines).code == 1
    assert list(tmp_path.iterdir()) == []


def test_compare_takes_a_node_limit(plumbench) -> None:
    """The limit reaches every engine: brute cannot answer within one node."""
    result = plumbench("compare", TWO, "--solvers", "brute", "--node-limit", "1", "--json")
    assert result.code == 3
    (run,) = result.records[0]["runs"]
    assert (run["status"], run["reason"]) == ("unknown", "nodes")


def test_solvers_lists_all_engines(plumbench) -> None:
    """Every registered engine is there with its versions, or missing with a reason."""
    from plumbench.solvers.registry import ENGINES

    result = plumbench("solvers", "--json")
    assert result.code == 0
    assert [r["engine"] for r in result.records] == list(ENGINES)
    for record in result.records:
        assert record["available"] or record["missing"]
    text = plumbench("solvers", "--counters").out
    assert all(name in text for name in ENGINES)
    assert "nodes: " in text


def test_doctor_finds_nothing_wrong_here(plumbench) -> None:
    """In a working environment doctor is content, and has tried engines in children."""
    result = plumbench("doctor", "--json")
    assert result.code == 0
    assert any("child process" in r["what"] and r["ok"] for r in result.records)
    assert all(r["ok"] is not False for r in result.records)


def test_doctor_finds_a_fault(plumbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is needed and absent is a fault, exit 1, with what to install."""
    monkeypatch.setattr("plumbench.benchmarks.doctor.PACKAGES", {"no-such-package": None})
    result = plumbench("doctor")
    assert result.code == 1
    assert "FAULT  no-such-package: missing: pip install 'plumbench'" in result.out
