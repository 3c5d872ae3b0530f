"""The experiments of article 000 beside exact answers, and the page of all experiments."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from plumbench.benchmarks.experiments import EXPERIMENTS, ablation, assembly, rings, run, scaling
from plumbench.benchmarks.experiments.page import page_html, page_markdown
from plumbench.benchmarks.experiments.report import Claim, Report, Scatter
from plumbench.benchmarks.experiments.subgraphs import components, even_subgraphs
from plumbench.benchmarks.report.document import Table
from plumbench.benchmarks.statistics.estimates import proportion
from plumbench.solvers.propagation.variants import SWITCHES


@pytest.mark.parametrize("size", range(1, 6))
def test_exact_probabilities(size: int, shared) -> None:
    """Random assemblies are solvable with the golden probabilities, 1x1 to 5x5."""
    golden = json.loads(shared("golden", "000_random_prob.json").read_text())["exact"]
    facts = next(entry for entry in golden if entry["n"] == size)
    masks = even_subgraphs(size, size)
    assert len(masks) == facts["even_subgraphs"]
    assert int((components(masks, size) <= 1).sum()) == facts["connected_incl_empty"]
    assert assembly.probability(size) == pytest.approx(facts["P_conn"], rel=1e-5)
    assert assembly.probability(size, connected=False) == pytest.approx(facts["P_noconn"], rel=1e-5)


def test_every_even_subgraph_comes_once() -> None:
    """The subgraphs of a 3x4 grid are distinct, leak-free and of even degrees."""
    masks = even_subgraphs(3, 4)
    assert len(np.unique(masks, axis=0)) == len(masks) == 2**6
    grid = masks.reshape(-1, 3, 4)
    assert ((grid[:, :, :-1] & 2 > 0) == (grid[:, :, 1:] & 8 > 0)).all()
    assert ((grid[:, :-1, :] & 4 > 0) == (grid[:, 1:, :] & 1 > 0)).all()
    assert not (grid[:, 0, :] & 1).any()
    assert not (grid[:, :, 0] & 8).any()
    assert all(int(m).bit_count() % 2 == 0 for m in np.unique(masks))


def test_no_face_is_too_many() -> None:
    """Beyond 16 faces the subgraphs are refused, not half made."""
    with pytest.raises(ValueError, match="at most 16"):
        even_subgraphs(6, 6)


def test_the_smallest_boards_of_two_rings() -> None:
    """None at 3x3; the first at 2x4, the first square at 4x4."""
    sizes = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]
    assert [rings.two_rings(*s) > 0 for s in sizes] == [False, False, True, False, True, True]


def test_half_leaks() -> None:
    """On 2x3, each pair tested once lets 5,381 choices pass where 5 are leak-free."""
    assert rings.half_leaking(2, 3) == (5, 5381, 5)


def test_marks_of_a_walk() -> None:
    """On a triangle with a tail: V, 2E + 1 and, from an odd vertex, E + 1 vertices."""
    ends = [(0, 1), (1, 2), (2, 0), (2, 3)]
    assert len(rings.walk(ends, 2, "vertices")) == 4
    assert len(rings.walk(ends, 2, "arcs")) == 9
    assert rings.walk(ends, 3, "edges")[0] == 3
    assert len(rings.walk(ends, 3, "edges")) == 5


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples small enough for a test of the form."""
    monkeypatch.setattr(scaling, "QUICK", 2)
    monkeypatch.setattr(scaling, "SIZES", (5, 8, 16))
    monkeypatch.setattr(scaling, "JAVA_BUDGET", 2_000)
    monkeypatch.setattr(assembly, "QUICK", {2: 200, 3: 50})
    monkeypatch.setattr(assembly, "ARTICLE_SAMPLE", 10)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("experiment", [rings, scaling, assembly])
def test_the_claims_have_verdicts(experiment) -> None:
    """Every claim has its measurement and a verdict."""
    report = experiment.run(quick=True, progress=lambda _: None)
    assert report.claims
    assert all(c.measured and c.verdict and c.sample for c in report.claims)


def test_the_verdicts_on_rings() -> None:
    """The verdicts are those of the exact answers."""
    report = rings.run(quick=True, progress=lambda _: None)
    verdicts = [claim.verdict for claim in report.claims]
    assert verdicts == [
        "does not hold",
        "does not hold",
        "does not hold as worded",
        "depends on the reading",
        "holds once connectivity is required",
        "holds",
    ]


def test_an_ablation_row() -> None:
    """Without propagating domains the search needs more nodes, and none without a reason."""
    sample = ablation.Sample("net", 6, False, "tree")
    [board] = sample.boards(1)
    assert ablation.nodes(board, "propagation:no-gac") > ablation.nodes(board, "propagation")


def test_the_ablation_leaves_out_what_cannot_matter() -> None:
    """No deduction that is not listed is worth a node on a board; all the others are listed."""
    [board] = ablation.Sample("net", 6, True, "tree").boards(1)
    plain = ablation.nodes(board, "propagation")
    for name in ablation.IDLE:
        assert ablation.nodes(board, f"propagation:no-{name}") == plain
    listed = {switch.name for switch in ablation.USED}
    assert listed | set(ablation.IDLE) == {switch.name for switch in SWITCHES}


def test_a_share_and_its_interval() -> None:
    """Clopper-Pearson for 0 of 300: the upper end is 1 - 0.025^(1/300)."""
    share = proportion(0, 300)
    assert share.low == 0
    assert share.high == pytest.approx(1 - 0.025 ** (1 / 300))


def sample_report() -> Report:
    """A report with everything in it, and with characters that HTML must escape."""
    claim = Claim("a < b & c", "yes", "no", "-", "1 board", "does not hold")
    table = Table("T|able", ("x", "y"), [[1, None], ["<i>", 2.5]], "t")
    figure = Scatter("dots", "Dots", {"s": ("x", "y")}, {"s": ([1.0, 2.0], [3.0, 4.0])})
    return Report("sample", "A sample", ["note"], [claim], [table], [figure])


def test_the_page_is_one_escaped_file() -> None:
    """The HTML holds claims, tables and figures, escapes text, and asks for no other file."""
    html = page_html([sample_report()], quick=True)
    assert "a &lt; b &amp; c" in html
    assert "<i>" not in html
    assert html.count("<svg role=") == 1
    assert 'src="' not in html
    assert '<td class="bad">does not hold</td>' in html
    assert "http" not in html.replace("http://www.w3.org", "")
    assert "1 claims and measurements: 1 do not hold" in html


def test_the_markdown_page_nests_the_headings() -> None:
    """The page has one title; every report's headings are one level deeper."""
    text = page_markdown([sample_report()], [[Path("dots.svg")]], quick=False)
    assert [line for line in text.splitlines() if line.startswith("# ")] == [text.splitlines()[0]]
    assert "## A sample" in text
    assert "### Claim beside measurement" in text


def test_all_writes_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiment 'all' measures each, writes each, and links them on one page."""
    from plumbench.benchmarks import experiments

    asked = []

    def measure(name: str, **_: object) -> Report:
        asked.append(name)
        return sample_report()

    monkeypatch.setattr(experiments, "measure", measure)
    text = run("all", quick=True, out=tmp_path, formats=("svg",))
    assert asked == list(EXPERIMENTS)
    assert "written: " in text
    assert "![Dots](dots.svg)" in (tmp_path / "index.md").read_text()
    assert "A sample" in (tmp_path / "index.html").read_text()
