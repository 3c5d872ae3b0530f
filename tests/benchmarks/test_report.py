"""The report: judged anew, red at a lie, tolerant of damage, the same in every form."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from plumbench import cli
from plumbench.benchmarks import report
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.campaign.suites import find_suite, shipped
from plumbench.benchmarks.processes.jobs import Outcome
from plumbench.benchmarks.report import Content, canvas
from plumbench.benchmarks.report.toml_text import toml
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.contract import Status
from report_tools import HOST, Measured, boards, make_store, plain_runs, row


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command line; gives the exit code and what was printed."""

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = cli.run(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def content(path: Path, campaign: int | None = None) -> Content:
    """What the report of a store is made of."""
    with Store(path, create=False) as store:
        return report.load(store, campaign)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which all is well."""
    return make_store(tmp_path_factory.mktemp("plain") / "s.sqlite", plain_runs())


@pytest.fixture(scope="module")
def lying(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which slow calls a solvable board unsatisfiable, and quickly."""
    runs = plain_runs()
    lie = Measured(runs[0].instance, "slow", 1e-6, claim=Status.UNSATISFIABLE)
    runs[1] = lie
    return make_store(tmp_path_factory.mktemp("lying") / "s.sqlite", runs)


def test_a_good_store_is_green(run, plain: Path, tmp_path: Path):
    """Exit code 0, every engine, puzzle and counter is there (counters not in the short report on
    the console), and no figure says DISAGREEMENT.
    """
    code, out, _ = run("report", str(plain), "-o", str(tmp_path / "out"))
    assert code == 0, out
    assert out.splitlines()[-1] == f"report: {tmp_path / 'out' / 'index.html'}"
    html = (tmp_path / "out" / "index.html").read_text()
    words = (tmp_path / "out" / "report.md").read_text()
    for text in (out, html, words):
        assert "DISAGREEMENT" not in text
        assert ("choices of the quick one" in text) == (text is not out)
        assert "net 6 no 11" in text
        assert "timeout" in text
    assert 'class="banner good"' in html
    assert "a &lt;fast&gt; one" in html
    assert "<fast>" not in html


def test_a_lie_turns_the_report_red(run, lying: Path, tmp_path: Path):
    """Exit code 4; banner, Markdown and console name the liar and the puzzle; no statistic of
    slow holds the time of its lie.
    """
    code, out, _ = run("report", str(lying), "-o", str(tmp_path))
    assert code == 4
    said = "net 3 no 0: slow is wrong: says unsatisfiable, but 1 solution passed the checker"
    html, words = (tmp_path / "index.html").read_text(), (tmp_path / "report.md").read_text()
    for text in (out, html, words):
        assert "DISAGREEMENT" in text
        assert said in text
        assert "WRONG" in text
    assert 'class="banner bad"' in html
    assert not content(lying).agreed


def test_a_lost_puzzle_is_said(run, tmp_path: Path):
    """Where the store has no puzzle claims are compared, nothing is called checked; a
    contradiction is unresolved and still exit code 4.
    """
    runs = plain_runs(number=4)
    fine = make_store(tmp_path / "fine.sqlite", runs, puzzles=False)
    code, out, _ = run("report", str(fine))
    assert code == 0
    names = "net 3 no 0, net 4 no 1, net 5 no 2, net 6 no 3"
    said = f"{names}: not checked again: the store does not hold the puzzle"
    assert " ".join(out.split()).count(said) == 1
    assert "(claimed)" in out
    runs[0] = Measured(runs[0].instance, "quick", 0.1, claim=Status.UNSATISFIABLE)
    code, out, _ = run("report", str(make_store(tmp_path / "odd.sqlite", runs, puzzles=False)))
    assert code == 4
    assert "unresolved: quick says unsatisfiable; slow says at least 1" in out


def test_what_cannot_be_read_is_named_and_the_rest_reported(run, tmp_path: Path):
    """Case H11: a row with a duration "True" and a damaged puzzle are named, others counted."""
    path = make_store(tmp_path / "s.sqlite", plain_runs(number=4))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE runs SET solve_s = 'True' WHERE id = 1")
        db.execute("UPDATE instances SET puzzle = '{' WHERE name = 'net 4 no 1'")
    db.close()
    code, out, err = run("report", str(path))
    assert code == 0, err
    assert re.search(r"^1 +solve_s: found 'True'", out, re.MULTILINE)
    assert "net 4 no 1: not checked again" in out
    assert "Agreement: 4 of 4 puzzles" in out


def test_the_last_campaign_is_the_default(run, tmp_path: Path):
    """--campaign chooses another; a number that is not there is one clear line."""
    path = make_store(tmp_path / "s.sqlite", plain_runs(number=2))
    make_store(path, plain_runs(number=3))
    assert len(content(path).judgements) == 3
    assert len(content(path, 1).judgements) == 2
    code, _, err = run("report", str(path), "--campaign", "7")
    assert code == 2
    assert "campaign 7: expected one of 1, 2" in err


def test_an_empty_campaign_can_be_reported(run, tmp_path: Path):
    """A campaign killed before its first run gives a page that says so; an empty store is said."""
    path = make_store(tmp_path / "s.sqlite", [])
    code, _, err = run("report", str(path), "-o", str(tmp_path / "out"))
    assert code == 0, err
    assert "nothing to compare" in (tmp_path / "out" / "index.html").read_text()
    with Store(tmp_path / "empty.sqlite"):
        pass
    code, _, err = run("report", str(tmp_path / "empty.sqlite"))
    assert code == 2
    assert "no campaign" in err


def test_figures_are_files_of_their_own(run, plain: Path, tmp_path: Path):
    """Each plot in each format; another format, and --format alone, are refused."""
    folder = tmp_path / "figures"
    code, out, _ = run(
        "report", str(plain), "--figures", str(folder), "--format", "svg", "--format", "pdf"
    )
    assert code == 0
    names = {path.name for path in folder.iterdir()}
    assert {n.removesuffix(".pdf") for n in names if n.endswith(".pdf")} == {
        n.removesuffix(".svg") for n in names if n.endswith(".svg")
    }
    assert out.count("figure: ") == len(names)
    code, _, err = run("report", str(plain), "--figures", str(folder), "--format", "gif")
    assert code == 2
    assert "expected one of svg, png, pdf" in err
    assert run("report", str(plain), "--format", "svg")[0] == 2


def test_without_matplotlib_there_is_still_a_page(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The page says that its figures are missing; --figures is one clear error."""

    def gone() -> None:
        raise UsageError("figures cannot be drawn: no matplotlib; install plumbench[plots]")

    monkeypatch.setattr(canvas, "load_matplotlib", gone)
    monkeypatch.setattr("plumbench.benchmarks.report.writing.load_matplotlib", gone)
    html = report.write(content(plain), tmp_path).read_text()
    assert "<svg" not in html
    assert "matplotlib is not installed" in html
    with pytest.raises(UsageError, match=r"install plumbench\[plots\]"):
        report.figures(content(plain), tmp_path, ("svg",))


def test_a_folder_that_cannot_be_written_is_said(run, plain: Path, tmp_path: Path):
    """One line, exit code 2."""
    (tmp_path / "file").write_text("")
    code, _, err = run("report", str(plain), "-o", str(tmp_path / "file"))
    assert code == 2
    assert "expected one that can be written" in err


def test_the_store_is_left_as_it_was(run, plain: Path, tmp_path: Path):
    """A report reads: not a byte of the store changes, and none is made where there is none."""
    before = plain.read_bytes()
    run("report", str(plain))
    assert plain.read_bytes() == before
    assert run("report", str(tmp_path / "none.sqlite"))[0] == 2
    assert not (tmp_path / "none.sqlite").exists()


def test_failures_are_listed_with_their_last_words(run, tmp_path: Path):
    """A crash is no verdict; it is listed with what it said last."""
    board, *_ = boards(1)
    runs = [
        Measured(board, "quick", 0.1),
        Measured(board, "slow", None, Outcome.CRASHED),
    ]
    code, out, _ = run("report", str(make_store(tmp_path / "s.sqlite", runs)))
    assert code == 0
    assert re.search(r"net 3 no 0 +slow +solve +- +crashed +ended as crashed", out)


def test_what_was_not_measured_is_said_first(run, tmp_path: Path):
    """An engine that is not there, and puzzles that one cannot do, beside what they solved."""
    runs = plain_runs(number=4)
    runs[0] = replace(runs[0], seconds=None, outcome=Outcome.UNSUPPORTED)
    runs += [Measured(board, "own", None, Outcome.MISSING) for board in boards(4)]
    _, out, _ = run("report", str(make_store(tmp_path / "s.sqlite", runs)))
    first = " ".join(out.split("Agreement")[0].split())
    assert "quick solved all 3 (besides 1 unsupported)" in first
    assert "Mind: not there, so not measured: own." in first


@pytest.mark.parametrize(
    ("then", "now", "warns"),
    [
        ({"commit": "a", "dirty": False}, {"commit": "a", "dirty": False}, False),
        ({"commit": "a", "dirty": False}, {"commit": "b", "dirty": False}, True),
        ({"commit": "a", "dirty": True}, {"commit": "a", "dirty": True}, True),
        (None, {"commit": "a", "dirty": False}, True),
        (None, None, False),
    ],
)
def test_runs_kept_from_another_source_are_told(then, now, warns: bool, tmp_path: Path, run):
    """Two commits may have one version: --resume keeps the runs, and the report says so."""
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        first = store.begin_campaign("s", {}, {**HOST, "git": then})
        for one in plain_runs(number=2):
            store.add(first, row(one))
        second = store.begin_campaign("s", {}, {**HOST, "git": now})
        store.keep(second, store.rows(first))
    _, out, _ = run("report", str(path))
    assert ("4 of 4 runs were kept from campaigns of another commit" in out) == warns


def test_units_with_fewer_repeats_are_told(run, tmp_path: Path):
    """Of eight units one was asked twice, as after the end of a budget."""
    runs = plain_runs(number=4)
    runs.append(replace(runs[0], repeat=1))
    _, out, _ = run("report", str(make_store(tmp_path / "s.sqlite", runs)))
    assert "Mind: 7 of 8 units have fewer than 2 repeats." in out


def test_two_equal_campaigns_have_not_changed(plain: Path, run):
    """A store beside itself: nothing beyond noise, exit code 0."""
    code, out, _ = run("report", str(plain), str(plain))
    assert code == 0
    assert out.splitlines()[0] == "Nothing changed beyond noise."


def test_what_changed_is_named(plain: Path, tmp_path: Path, run):
    """Slow three times as slow as before, and a board that it no longer solves; in a page too."""
    runs = plain_runs(factor=9.0)
    runs[1] = Measured(runs[1].instance, "slow", None, Outcome.TIMEOUT)
    after = make_store(tmp_path / "after.sqlite", runs, settings={"seconds": 4.0})
    code, out, _ = run("report", str(plain), str(after), "-o", str(tmp_path / "out"))
    assert code == 0
    html = (tmp_path / "out" / "index.html").read_text()
    for text in (out, html):
        assert "Something changed beyond noise." in text
        assert "slow takes 3.00 times as long as before (3.00 to 3.00) for one solution." in text
        assert "slow no longer solves 1 that it did." in text
        assert "quick takes" not in text
    _, out, _ = run("report", str(after), str(plain))
    assert "slow now solves 1 that it did not." in out
    assert re.search(r"^setting +seconds +4\.0 +3\.0$", out, re.MULTILINE)


def test_what_befell_all_engines_is_the_machines_doing(plain: Path, tmp_path: Path, run):
    """Both engines take twice as long, or half: that is said. One alone: it is not."""
    runs = [replace(run, seconds=run.seconds and 2 * run.seconds) for run in plain_runs()]
    after = make_store(tmp_path / "after.sqlite", runs)
    for stores, word in (((plain, after), "slower"), ((after, plain), "faster")):
        _, out, _ = run("report", *map(str, stores))
        assert f"Mind: every engine became {word}: the machine" in out
    one = make_store(tmp_path / "one.sqlite", plain_runs(factor=9.0))
    assert "every engine" not in run("report", str(plain), str(one))[1]


def test_a_disagreement_on_either_side_is_code_4(plain: Path, lying: Path, run):
    """Whichever comes first; and the side is named."""
    for stores in ((plain, lying), (lying, plain)):
        code, out, _ = run("report", *map(str, stores))
        assert code == 4
        assert out.startswith("DISAGREEMENT in s.sqlite campaign 1")
        assert "slow is wrong" in out


def test_campaigns_of_one_store_are_compared(tmp_path: Path, run):
    """--campaign twice; one too few or too many is refused."""
    path = make_store(tmp_path / "s.sqlite", plain_runs(number=4))
    make_store(path, plain_runs(number=4, factor=12.0))
    code, out, _ = run("report", str(path), "--campaign", "1", "--campaign", "2")
    assert code == 0
    assert "slow takes 4.00 times as long as before" in out
    assert run("report", str(path), str(path), "--campaign", "1")[0] == 2
    assert run("report", *[str(path)] * 3)[0] == 2


def test_ratios_and_scores_are_in_words(plain: Path, run):
    """Slow took 3 times as long on the 11 boards both solved, exactly; what one alone solved is
    said beside it, and PAR-2 of slow holds twice the limit for it.
    """
    _, out, _ = run("report", str(plain))
    words = " ".join(out.split())
    assert "One solution within 3s: quick solved all 12, slow solved 11 of 12." in words
    assert (
        "slow took 3.00 times as long as quick (3.00 to 3.00) on the 11 that both solved; "
        "1 more only by quick."
    ) in words
    found = content(plain)
    [units] = found.units.values()
    assert not isinstance(units, str)
    from plumbench.benchmarks.statistics.scores import scores

    slow = next(s for s in scores(units).scores if s.series == "slow")
    times = [run.seconds for run in plain_runs() if run.solver == "slow" and run.seconds]
    assert slow.par2.value == pytest.approx((sum(times) + 6.0) / 12)
    assert re.search(r"^slow +12 +11 +1 +506 ms", out, re.MULTILINE)


def test_mixed_limits_are_refused_not_averaged(tmp_path: Path, run):
    """Runs of one question under two limits: no scores, no ratios, and a line that says why."""
    path = make_store(tmp_path / "s.sqlite", plain_runs(number=4))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE runs SET wall_limit_s = 9.0 WHERE id = 1")
    db.close()
    code, out, _ = run("report", str(path))
    assert code == 0
    assert "runs under different limits" in out
    assert "limits of wall time differ: 3s, 9s" in out
    assert "PAR-2" not in out
    assert "Ratios" not in out


@pytest.mark.parametrize("name", shipped())
def test_a_suite_can_be_made_again_from_its_report(name: str, tmp_path: Path):
    """The TOML that the page shows gives the suite that was run."""
    suite = find_suite(name)
    path = tmp_path / f"{name}.toml"
    path.write_text(toml(suite.plain()), encoding="utf-8")
    assert find_suite(str(path)).plain() == suite.plain()


@pytest.mark.parametrize("damaged", [False, True])
def test_kept_evidence_is_named_and_shown(tmp_path: Path, run, damaged: bool):
    """The file with both sides, and the smallest puzzle in it; a damaged file hides nothing."""
    runs = plain_runs(number=2)
    runs[1] = Measured(runs[0].instance, "slow", 0.1, claim=Status.UNSATISFIABLE)
    path = make_store(tmp_path / "s.sqlite", runs)
    folder = tmp_path / "s.sqlite.disagreements"
    folder.mkdir()
    kept = folder / f"board-{runs[0].instance.puzzle.fingerprint[:12]}.json"
    smallest = {"smallest": {"note": "about 1 of 9 vertices", "where": ["[L] I", " T  I"]}}
    kept.write_text("{" if damaged else json.dumps(smallest), encoding="utf-8")
    code, out, _ = run("report", str(path))
    assert code == 4
    assert "slow is wrong: says unsatisfiable" in out
    assert kept.name in out
    assert ("about 1 of 9 vertices\n[L] I\n T  I\n" in out) is not damaged
