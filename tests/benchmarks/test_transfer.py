"""CSV: what is exported comes back, byte for byte; what cannot be read is named, not fatal."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from harness import parallel
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.benchmarks.campaign.columns import COLUMNS, ORIGIN
from plumbench.benchmarks.campaign.store import BadRow, Row, Store
from plumbench.benchmarks.campaign.transfer import HEADER, Imported, export, insert, parse
from plumbench.puzzles.errors import InputError
from run_strategies import stored_rows
from test_store import a_row, same


def exported(store: Store, campaign: int | None = None) -> bytes:
    """All lines; every row must have been readable."""
    bad: list[BadRow] = []
    data = b"".join(export(store, campaign, bad))
    assert bad == []
    return data


def imported(store: Store, data: bytes) -> tuple[Imported, list[str]]:
    """What an import did, and its complaints."""
    said: list[InputError] = []
    done = insert(store, parse(data, "runs.csv", said.append), said.append)
    return done, [str(error) for error in said]


@pytest.fixture
def three(tmp_path: Path) -> bytes:
    """The export of a store with three runs, none of whose cells needs a line of its own."""
    with Store(tmp_path / "three.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(3):
            store.add(campaign, a_row(solver=f"engine{number}"))
        return exported(store)


def with_cell(data: bytes, line: int, name: str, text: str) -> bytes:
    """The file with one cell changed."""
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    rows[line - 1][HEADER.index(name)] = text
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


@settings(max_examples=40)
@given(st.lists(stored_rows(), max_size=4), st.sets(st.integers(0, 3)))
def test_every_run_survives_store_and_csv(rows: list[Row], kept: set[int]):
    """Store, export, import, export: equal rows, identical bytes, nothing doubled."""
    with TemporaryDirectory() as folder:
        one, two = Store(Path(folder, "1.sqlite")), Store(Path(folder, "2.sqlite"))
        with one, two:
            first = one.begin_campaign("=s,1", {"seconds": 1}, {})
            for row in rows:
                one.add(first, row)
            back = list(one.rows())
            assert len(rows) == len(back)
            assert all(map(same, rows, back))
            assert [row.ended for row in rows] == [row.ended for row in back]
            later = one.begin_campaign("later", {}, {})
            one.keep(later, [row for number, row in enumerate(back) if number in kept])
            data = exported(one)
            for new in (len(rows), 0):
                done, said = imported(two, data)
                assert (done.new, done.known, said) == (new, len(rows) - new, [])
                assert exported(two) == data
            again = list(two.rows())
            assert len(back) == len(again)
            assert all(map(same, back, again))
            marks = {c.uuid: len(list(two.rows(c.id))) for c in two.campaigns()}
            wanted = {c.uuid: len(list(one.rows(c.id))) for c in one.campaigns()}
            assert marks == {uuid: n for uuid, n in wanted.items() if n}


def test_the_file_holds_rows_and_nothing_else(three: bytes):
    """H10: a line of names, a line per run, RFC 4180; no summary, no index, no comment."""
    assert three.endswith(b"\r\n")
    header, *rows = csv.reader(io.StringIO(three.decode(), newline=""), strict=True)
    assert tuple(header) == HEADER
    assert len(rows) == 3
    assert {len(row) for row in rows} == {len(HEADER)}
    first = dict(zip(header, rows[0], strict=True))
    assert first["solve_s"] == "0.02"
    assert first["reason"] == "nodes"
    assert first["suite"] == "s"
    assert first["kept_by"] == ""
    assert first["cores"] == "[0, 4]"
    assert first["solutions"].startswith("11:")


def test_pandas_reads_it(three: bytes):
    """Numbers are numbers, missing values are missing, to the reader most will use."""
    import pandas

    frame = pandas.read_csv(io.BytesIO(three))
    assert frame["solve_s"].tolist() == [0.02] * 3
    assert frame["peak_rss"].tolist() == [123456789] * 3
    assert frame["cost"].isna().tolist() == [True] * 3
    assert frame["run"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("solve_s", "True", "a number, 0 or more"),
        ("solve_s", "nan", "a number, 0 or more"),
        ("total_s", "inf", "a number, 0 or more"),
        ("total_s", "1e999", "a number, 0 or more"),
        ("cpu_s", "-0.5", "a number, 0 or more"),
        ("cpu_s", "1_0", "a number, 0 or more"),
        ("cpu_s", "0,5", "a number, 0 or more"),
        ("wall_limit_s", " 3", "a number, 0 or more"),
        ("peak_rss", "1e9", "a whole number"),
        ("peak_rss", "5.0", "a whole number"),
        ("peak_rss", str(2**63), "a whole number"),
        ("repeat", "", "a whole number"),
        ("count", "2.0", "a whole number"),
        ("exact", "2", "0 or 1"),
        ("exact", "True", "0 or 1"),
        ("outcome", "solved", "one of answered, timeout"),
        ("status", "", "one of satisfiable"),
        ("task", "sing", "one of solve"),
        ("solver", "", "a name"),
        ("fingerprint", "", "a name"),
        ("ended", "yesterday", "a time as in ISO 8601"),
        ("campaign", "1", "a UUID"),
        ("kept_by", "me", "UUIDs"),
        ("cores", "[0, -1]", "a JSON list"),
        ("stats", '{"a": NaN}', "a JSON object"),
        ("stats", '{"a": [1]}', "a JSON object"),
        ("stats", "[" * 100_000, "a JSON object"),
        ("versions", '{"python": 3}', "a JSON object"),
        ("versions", "", "a JSON object"),
        ("solutions", "11:ff", "solutions as"),
        ("solutions", "11:ffff", "solutions as"),  # bits behind the last port
        ("solutions", "11:FFE0", "solutions as"),
    ],
)
def test_a_bad_cell_costs_its_row_alone(tmp_path, three, name, text, expected):
    """H11, H12: the row is named with line, column, what was found and expected; two remain."""
    with Store(tmp_path / "x.sqlite") as store:
        done, [said] = imported(store, with_cell(three, 3, name, text))
        assert (done.new, done.bad) == (2, 1)
        assert [row.key.solver for row in store.rows()] == ["engine0", "engine2"]
    assert said.startswith(f"runs.csv, line 3, column {HEADER.index(name) + 1}: found ")
    assert (repr(text)[:40] if text else "nothing") in said
    assert f"as {name}, expected {expected}" in said
    assert len(said) < 300


@pytest.mark.parametrize("name", [c.name for c in (*ORIGIN, *COLUMNS) if c.optional])
def test_an_empty_cell_is_a_missing_value(tmp_path, three, name):
    """H12: what may be missing may be empty, and is None, never 0."""
    with Store(tmp_path / "x.sqlite") as store:
        done, said = imported(store, with_cell(three, 3, name, ""))
        assert (done.new, said) == (3, [])
        assert exported(store) == with_cell(three, 3, name, "")
        [record] = store.query("SELECT * FROM runs WHERE run = 2")
        assert record[name] is None


def line_of(data: bytes, line: int) -> bytes:
    """One physical line."""
    return data.splitlines(keepends=True)[line - 1]


@pytest.mark.parametrize("end", [1, 36, 40, 200, -1, -3, -20, b"a no", b'""dec'])
def test_a_cut_line_costs_its_row_alone(tmp_path, three, end):
    """A line that lost its end, even within quotes, does not take the next ones along."""
    old = line_of(three, 3)
    cut = old.rstrip()[: old.index(end) + len(end) if isinstance(end, bytes) else end]
    with Store(tmp_path / "x.sqlite") as store:
        done, [said] = imported(store, three.replace(old, cut + b"\r\n"))
        assert (done.new, done.bad) == (2, 1)
        assert [row.key.solver for row in store.rows()] == ["engine0", "engine2"]
    assert said.startswith("runs.csv, line 3")


def test_every_cut_of_the_last_line_is_noticed(tmp_path, three):
    """A file that ends in the middle of a run, wherever, does not give half a run."""
    last = line_of(three, 4).rstrip()
    whole = three[: -len(last) - 2]
    with Store(tmp_path / "x.sqlite") as store:
        for length in range(1, len(last)):
            parsed = parse(whole + last[:length], "runs.csv", lambda _: None)
            assert (len(parsed.records), parsed.bad) == (2, 1), length
        done, said = imported(store, whole + last)  # only the line break is gone
    assert (done.new, said) == (3, [])


def test_bad_rows_with_line_breaks_are_named_once(tmp_path):
    """A row with a cell too many whose message has many lines is one complaint."""
    trace = 'Traceback, "most recent"\n  line 1,\n\n  line 2\n'
    with Store(tmp_path / "a.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(3):
            store.add(campaign, a_row(solver=f"engine{number}", message=trace))
        rows = list(csv.reader(io.StringIO(exported(store).decode(), newline="")))
    rows[2].append("more")
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    with Store(tmp_path / "b.sqlite") as store:
        done, [said] = imported(store, out.getvalue().encode())
        assert (done.new, done.bad) == (2, 1)
        assert {row.result.message for row in store.rows()} == {trace}
    assert said == f"runs.csv, line 7: found {len(HEADER) + 1} cells, expected {len(HEADER)} cells"


def test_foreign_lines_are_named(tmp_path, three):
    """H10 turned round: another tool's summary line is refused, the runs are read."""
    with Store(tmp_path / "x.sqlite") as store:
        data = three + b"\r\n\nSUCCESS (took 123 seconds)\n"
        done, [said] = imported(store, data)
    assert (done.new, done.bad) == (3, 1)
    assert said == f"runs.csv, line 7: found 1 cells, expected {len(HEADER)} cells"


def test_bytes_that_are_no_utf_8_cost_their_row_alone(tmp_path, three):
    """Latin-1 in one message does not stop the others; a byte order mark is no part of a name."""
    old = line_of(three, 3)
    bad = old.replace(b"a note", b"a n\xf6te")
    with Store(tmp_path / "x.sqlite") as store:
        done, [said] = imported(store, b"\xef\xbb\xbf" + three.replace(old, bad))
    assert (done.new, done.bad) == (2, 1)
    assert said.startswith("runs.csv, line 3, column")
    assert "as message, expected UTF-8 text" in said


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (b"", "found nothing"),
        (b"instance,solver,status,time\r\n", "column 1: found 'instance' as a column's name"),
        (";".join(HEADER).encode(), "column 1: found"),
        (",".join((*HEADER, "mood")).encode(), "such as 'mood'"),
        (",".join(HEADER[:-1]).encode(), f"found {len(HEADER) - 1} columns"),
        (",".join((*HEADER[:3], "mine", *HEADER[4:])).encode(), "column 4: found 'mine'"),
        (b"a\rb\rc", "column 1"),
        (b"\x00\xff\xfe" * 50, "column 1"),
    ],
)
def test_other_columns_are_refused(header, found):
    """An unknown, missing or misplaced column would lose or mix up values: the file is refused."""
    with pytest.raises(InputError) as caught:
        parse(header, "runs.csv", lambda error: pytest.fail(str(error)))
    assert found in str(caught.value)


def test_a_run_that_differs_from_the_store_is_refused(tmp_path, three):
    """The store's own run stands; the line is named, whatever differs, and also in one file."""
    with Store(tmp_path / "x.sqlite") as store:
        imported(store, three)
        done, [said] = imported(store, with_cell(three, 3, "solve_s", "0.03"))
        assert (done.new, done.known, done.bad) == (0, 2, 1)
        assert said == (
            "runs.csv, line 3: found 0.03 as solve_s, "
            "expected 0.02, as run 2 of this campaign has in the store"
        )
        done, [said] = imported(store, with_cell(three, 3, "suite", "other"))
        assert (done.known, done.bad) == (2, 1)
        assert "suite 'other'" in said
        assert exported(store) == three
        twice = three + with_cell(three, 3, "count", "9").splitlines(keepends=True)[2]
    with Store(tmp_path / "y.sqlite") as store:
        done, [said] = imported(store, twice)
        assert (done.new, done.bad) == (3, 1)


def test_stores_can_be_brought_together(tmp_path, three):
    """Runs of two stores lie side by side; order of import does not change the export."""
    with Store(tmp_path / "a.sqlite") as store:
        store.add(store.begin_campaign("other", {}, {}), a_row())
        other = exported(store)
    stores = [Store(tmp_path / f"{name}.sqlite") for name in "xy"]
    for store, parts in zip(stores, [(three, other), (other, three)], strict=True):
        for part in parts:
            assert imported(store, part)[1] == []
    one, two = map(exported, stores)
    assert one == two
    assert one.count(b"\r\n") == 5
    assert {c.suite for c in stores[0].campaigns()} == {"s", "other"}
    for store in stores:
        store.close()


def test_one_campaign_and_what_it_kept(tmp_path):
    """--campaign gives the runs that a report of that campaign would use, their origin said."""
    with Store(tmp_path / "x.sqlite") as store:
        first = store.begin_campaign("s", {}, {})
        store.add(first, a_row(solver="old"))
        store.add(first, a_row(solver="left"))
        second = store.begin_campaign("s", {}, {})
        store.keep(second, [row for row in store.rows() if row.key.solver == "old"])
        store.add(second, a_row(solver="new"))
        reader = csv.DictReader(io.StringIO(exported(store, second).decode(), newline=""))
        found = {line["solver"]: line for line in reader}
        origins = [info.uuid for info in store.campaigns()]
    assert list(found) == ["old", "new"]
    assert found["old"]["campaign"] == origins[0]
    assert found["old"]["kept_by"] == origins[1]
    assert found["new"]["campaign"] == origins[1]


def test_unreadable_runs_of_a_store_are_left_out_and_named(tmp_path):
    """A damaged run of a store does not damage its export."""
    with Store(tmp_path / "x.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(3):
            store.add(campaign, a_row(solver=f"engine{number}"))
        store.execute("UPDATE runs SET solve_s = 'True' WHERE run = 2")
        bad: list[BadRow] = []
        assert len(list(export(store, None, bad))) == 3
    assert bad == [BadRow(2, "solve_s: found 'True', expected a number, 0 or more")]


def plumbench(*arguments: str, folder: Path, given: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, standard output and error of the program."""
    command = [sys.executable, "-m", "plumbench", *arguments]
    done = subprocess.run(command, cwd=folder, input=given, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def test_the_commands(tmp_path, three):
    """Export and import: files and streams, exit code 2 and one line for each thing wrong."""
    (tmp_path / "good.csv").write_bytes(three)
    (tmp_path / "bad.csv").write_bytes(with_cell(three, 2, "cpu_s", "True"))
    code, out, said = plumbench("import", "good.csv", "--store", "x.sqlite", folder=tmp_path)
    assert (code, said) == (0, "")
    assert out == b"good.csv: 3 imported, 0 already there, 0 refused\n"
    code, out, said = plumbench("export", "x.sqlite", folder=tmp_path)
    assert (code, out, said) == (0, three, "")
    code, out, said = plumbench(
        "import", "bad.csv", "missing.csv", "-", "--store", "x.sqlite", folder=tmp_path, given=three
    )
    assert code == 2
    assert out.splitlines()[1] == b"-: 0 imported, 3 already there, 0 refused"
    assert len(said.splitlines()) == 2
    assert "bad.csv, line 2, column" in said
    assert "missing.csv" in said
    code, out, _ = plumbench("export", "x.sqlite", "-o", "o.csv", folder=tmp_path)
    assert (code, out, (tmp_path / "o.csv").read_bytes()) == (0, b"", three)
    before = (tmp_path / "x.sqlite").read_bytes()
    for arguments in (
        ("export", "x.sqlite", "-o", "x.sqlite"),
        ("export", "x.sqlite", "--campaign", "7"),
        ("export", "none.sqlite"),
        ("export", "x.sqlite", "-o", "none/o.csv"),
        ("import", "good.csv", "--store", "good.csv"),
        ("import", "x.sqlite", "--store", "y.sqlite"),
    ):
        code, out, said = plumbench(*arguments, folder=tmp_path)
        assert (code, out, len(said.splitlines())) == (2, b"", 1), (arguments, said)
    assert (tmp_path / "x.sqlite").read_bytes() == before
    assert not (tmp_path / "none.sqlite").exists()
    assert not (tmp_path / "y.sqlite").exists()


def test_numbers_beyond_what_python_prints_survive(tmp_path):
    """A count of 6000 digits and solutions longer than csv's bound on a cell."""
    long = tuple(np.random.default_rng(1).random((1, 1_200_000)) < 0.5)
    row = a_row(parallel(2), count=10**6000 + 1, solutions=long)
    with Store(tmp_path / "x.sqlite") as store, Store(tmp_path / "y.sqlite") as other:
        store.add(store.begin_campaign("s", {}, {}), replace(row, ended="2026-01-01T00:00:00"))
        done, said = imported(other, exported(store))
        assert (done.new, said) == (1, [])
        [back] = other.rows()
    assert same(row, back)
