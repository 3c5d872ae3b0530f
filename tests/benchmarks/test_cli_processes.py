"""The command line from outside: imports, signals, pipes, engines that misbehave."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from cli_tools import Plumbench, plumbench
from harness import alive

_ = plumbench

NET = "5x5:1115337157375775157135131"
HEAVY = ["numpy", "scipy", "pysat", "ortools", "matplotlib", "pandas", "rich", "networkx"]
COMMAND = [sys.executable, "-m", "plumbench"]


def program(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
    """Run the program and wait for it."""
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=120, **more
    )


@pytest.mark.parametrize(
    "arguments", [["--help"], ["solve", "--help"], ["--version"], ["nonsense"]]
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help, version and usage errors import neither numpy nor any back end."""
    code = (
        "import sys\n"
        "from plumbench.cli import run\n"
        f"run({arguments!r})\n"
        f"print(sorted(set({HEAVY}) & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "[]"


def test_reads_standard_input() -> None:
    """``-`` is standard input; the exit code is the program's."""
    done = program("unique", "-", "--json", input=f"{NET}\n3x3:1313f3131\n")
    assert done.returncode == 5
    assert [json.loads(line)["puzzle"] for line in done.stdout.splitlines()] == ["-:1", "-:2"]
    assert done.stderr == ""


def test_no_colour_in_a_pipe() -> None:
    """Output that is no terminal has no escape codes, even if colours are asked for."""
    done = program("solve", NET, env={**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"})
    assert "\x1b" not in done.stdout


def on_terminal(*arguments: str, **environment: str) -> str:
    """What the program writes to a terminal, both streams together."""
    leader, follower = pty.openpty()
    given = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=follower, stderr=follower,
        env={**given, "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(follower)
    text = b""
    # A terminal whose other side is closed reads as an error on Linux.
    with contextlib.suppress(OSError):
        while piece := os.read(leader, 65536):
            text += piece
    os.close(leader)
    process.wait(timeout=60)
    return text.decode()


def test_colour_on_a_terminal_only() -> None:
    """The verdict is coloured on a terminal, not under NO_COLOR; words are the same."""
    colourful = on_terminal("solve", "LL/LL")
    assert colourful.startswith("\x1b[32m\x1b[1msatisfiable\x1b[0m under the rule")
    assert on_terminal("solve", "LL/LL", NO_COLOR="1").startswith("satisfiable under the rule")


def test_a_closed_pipe_is_quiet() -> None:
    """A reader that leaves early (``| head``) causes no message."""
    many = "\n".join([NET] * 200)
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", "--to", "json"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(many)
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141


def wait_for(noted, seconds: float = 60) -> list[int]:
    """The numbers of the engines' processes once there are any."""
    end = time.monotonic() + seconds
    while not noted() and time.monotonic() < end:
        time.sleep(0.05)
    return noted()


@pytest.mark.parametrize("engine", ["hang", "deaf"])
def test_interrupt_kills_the_children(fakes, engine: str) -> None:
    """Ctrl-C: exit 130, one line, and no engine survives, not even one that ignores it."""
    process = subprocess.Popen(
        [*COMMAND, "solve", "LL/LL", "--solver", engine],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    pids = wait_for(fakes)
    assert pids
    children = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "plumbench: interrupted\n")
    assert not alive([*pids, *children])


def test_what_is_done_is_printed_at_once(fakes) -> None:
    """The first puzzle's line comes although the second one never ends; Ctrl-C then is 130."""
    process = subprocess.Popen(
        [*COMMAND, "unique", "XX/XX", "LL/LL", "LLL/LLL", "--solver", "drip", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["verdict"] == "unsolvable"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "plumbench: interrupted\n")


@pytest.mark.parametrize("engine", ["hang", "deaf", "stray"])
def test_a_time_limit_kills(plumbench: Plumbench, fakes, engine: str) -> None:
    """An engine that cannot be interrupted is killed: unknown, time, exit 3."""
    result = plumbench("solve", "LL/LL", "--solver", engine, "--time-limit", "300ms", "--json")
    assert result.code == 3
    (record,) = result.records
    assert (record["status"], record["reason"]) == ("unknown", "time")
    assert record["verified"] is None
    assert fakes()
    assert not alive(fakes())


def test_a_killed_run_has_still_found(plumbench: Plumbench, fakes) -> None:
    """One solution found, then the kill: counted as at least 1, unique as unknown."""
    limit = ("--solver", "drip", "--time-limit", "500ms")
    counted = plumbench("count", "LL/LL", *limit)
    assert counted.code == 3
    assert counted.out.startswith("at least 1 solution under")
    judged = plumbench("unique", "LL/LL", *limit)
    assert judged.code == 3
    assert judged.out.startswith("unknown under the rule")


@pytest.mark.parametrize(
    ("engine", "code"),
    [("liar_board", 4), ("raiser", 70), ("segv", 70), ("silent", 70), ("absent", 2), ("picky", 2)],
)
def test_engines_that_fail(plumbench: Plumbench, fakes, engine: str, code: int) -> None:
    """A wrong answer is exit 4, a crash 70, a missing or unable engine 2; one line each, and an
    object with the error under --json.
    """
    result = plumbench("solve", "LL/LL", "--solver", engine)
    assert result.code == code
    assert result.is_one_error_line()
    as_json = plumbench("solve", "LL/LL", "--solver", engine, "--json")
    (record,) = as_json.records
    assert record["error"]
    assert record["solution"] is None


@pytest.mark.parametrize("absent", ["absent", "absent:option"])
def test_compare_goes_on_without_a_missing_engine(plumbench: Plumbench, fakes, absent: str) -> None:
    """An engine that is not installed, plain or as a variant, is recorded as missing."""
    result = plumbench("compare", "LL/LL", "--solvers", f"honest,{absent}", "--json")
    assert result.code == 0
    (record,) = result.records
    assert [run["outcome"] for run in record["runs"]] == ["answered", "missing"]
    alone = plumbench("solve", "LL/LL", "--solver", absent, "--json")
    assert alone.code == 2
    assert "no module named nothing" in alone.records[0]["error"]


def test_a_killed_engine_does_not_stop_the_rest(plumbench: Plumbench, fakes) -> None:
    """After a crash the next puzzle gets a new child; every puzzle has its line, in order."""
    result = plumbench("solve", "LL/LL", "XX/XX", "LLL/LLL", "--solver", "segv", "--json")
    assert result.code == 70
    assert [r["puzzle"] for r in result.records] == ["LL/LL", "XX/XX", "LLL/LLL"]


def test_compare_catches_a_liar(plumbench: Plumbench, fakes, tmp_path: Path) -> None:
    """Case H17: two engines say unsatisfiable, one shows a valid board: exit 4, the liars are
    named, and both sides are kept.
    """
    result = plumbench(
        "compare", "LL/LL", "--solvers", "liar_unsat,honest,liar_unsat:again", "--evidence",
        tmp_path / "kept",
    )  # fmt: skip
    assert result.code == 4
    assert "liar_unsat is wrong" in result.err
    assert "honest is wrong" not in result.err
    (kept,) = (tmp_path / "kept").iterdir()
    assert str(kept) in result.err
    (tmp_path / "file").touch()
    unkept = plumbench(
        "compare", "LL/LL", "--solvers", "liar_unsat,honest", "--evidence", tmp_path / "file"
    )
    assert unkept.code == 4


def test_uniqueness_is_judged_by_evidence(plumbench: Plumbench, fakes) -> None:
    """An engine that claims a second, wrong answer is caught, never called ambiguous."""
    result = plumbench("unique", "LL/LL", "--solver", "liar_board")
    assert result.code == 4
    assert result.is_one_error_line()


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [("solve LL/LL", 0), ("solve LLL/LLL/LLL --json", 1), ("count -", 2), ("--help", 0)],
)
def test_closed_streams(arguments: str, code: int, closed: str) -> None:
    """A standard stream that is closed changes no exit code, and nothing is a traceback."""
    line = f"exec {closed} {shlex.join(COMMAND)} {arguments}"
    done = subprocess.run(["sh", "-c", line], input="", capture_output=True, text=True, timeout=120)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize(
    "arguments", ["solve LL/LL", "--help", "solvers", "convert LL/LL --to json -o /dev/full"]
)
def test_no_room_for_the_output(arguments: str) -> None:
    """A full disk is said in one line and is no internal error."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments.split()], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=120,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "plumbench: the output cannot be written: No space left on device\n"


def test_an_output_that_cannot_show_boards() -> None:
    """An encoding without box characters is said in one line and is no internal error."""
    done = program("solve", "LL/LL", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "latin-1, which cannot show '\\u250c'" in done.stderr


def test_interrupted_while_loading() -> None:
    """Ctrl-C before the program is loaded ends it as quietly as later."""
    code = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from plumbench.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "plumbench: interrupted\n")


def test_solutions_found_before_an_interruption_are_printed(tmp_path: Path) -> None:
    """``solutions`` prints each solution when it is found; Ctrl-C loses none of them."""
    board = tmp_path / "board.txt"
    board.write_text("rules: match\ntorus: yes\n" + ("L" * 12 + "\n") * 12, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "solutions", str(board)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "solution 1\n"
        run.send_signal(signal.SIGINT)
        rest = run.stdout.read()
        assert run.wait(60) == 130
    assert rest.count("┄") + rest.count("┆") > 0
