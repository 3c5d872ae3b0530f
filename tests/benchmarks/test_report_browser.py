"""The pages in a real browser: the report of a campaign, and that of the experiments."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plumbench import cli
from plumbench.benchmarks import report
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.experiments.page import page_html
from plumbench.benchmarks.experiments.report import Claim, Histogram, Report, Scatter
from plumbench.benchmarks.report.document import Table
from report_tools import make_store, plain_runs

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium, started once."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed: see make browser")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def experiments_page() -> str:
    """A page of experiments with a table, a claim and both kinds of figures."""
    dots = Scatter("dots", "Dots", {"s": ("x", "y")}, {"s": ([1.0, 2.0], [3.0, 4.0])})
    bars = Histogram("bars", "Bars", {"b": "x"}, {"b": [1.0, 2.0, 2.0]})
    claim = Claim("a statement " * 9, "yes", "no", "-", "1 board", "does not hold")
    columns = [f"column {i}" for i in range(20)]
    table = Table("Numbers", ("n", *columns), [[n] + ["word"] * 20 for n in (10, 9, 100)])
    return page_html([Report("sample", "A sample", ["note"], [claim], [table], [dots, bars])], True)


@pytest.fixture(scope="module", params=["report", "experiments"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A written page of each kind."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "experiments":
        path = folder / "index.html"
        path.write_text(experiments_page(), encoding="utf-8")
        return path
    with Store(make_store(folder / "s.sqlite", plain_runs()), create=False) as store:
        return report.write(report.load(store), folder / "report")


class Visit:
    """An open page, with what it complained of and what it asked for."""

    def __init__(self, browser: Any, page: Path, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.tab = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.tab.on("console", lambda said: self.complaints.append(said.text))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("request", lambda asked: self.requests.append(asked.url))
        self.address = page.resolve().as_uri()
        self.tab.goto(self.address)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


def test_a_page_needs_nothing_and_complains_of_nothing(browser: Any, page: Path):
    """No error on the console, no request but for the file itself; its figures are shown."""
    with Visit(browser, page, viewport=DESKTOP) as visit:
        visit.tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        assert visit.tab.locator("figure svg").count() > 0
        box = visit.tab.locator("figure svg").first.bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
        assert visit.complaints == []
        outside = [url for url in visit.requests if not url.startswith("data:")]
        assert outside == [visit.address]


SORTING = """() => {
  const bad = [], values = (table, i) => [...table.tBodies[0].rows].map(
    (row) => row.cells[i].dataset.sort === undefined ? null : Number(row.cells[i].dataset.sort));
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      const known = values(table, i).filter((v) => v !== null).sort((a, b) => a - b);
      for (const [order, wanted] of [["ascending", known], ["descending", known.toReversed()]]) {
        head.querySelector("button").click();
        const found = values(table, i);
        const numbers = order === "ascending" ? found.slice(0, known.length)
          : found.filter((v) => v !== null);
        if (JSON.stringify(numbers) !== JSON.stringify(wanted)
            || head.getAttribute("aria-sort") !== order
            || table.querySelectorAll("th[aria-sort]").length !== 1) {
          bad.push([table.caption.textContent, head.textContent, order, found]);
        }
      }
    });
  }
  return bad;
}"""


def test_tables_sort_on_click_by_number(browser: Any, page: Path):
    """A click on any heading of any table sorts it up, another down, by value and not by text;
    words come behind the numbers, and only that heading says that it is sorted.
    """
    with Visit(browser, page, viewport=DESKTOP) as visit:
        assert visit.tab.locator("th button").count() > 0
        assert visit.tab.evaluate(SORTING) == []
        assert visit.complaints == []


def test_the_order_really_changes_and_is_numeric(browser: Any, tmp_path: Path):
    """10, 9, 100 become 9, 10, 100 by a real click, and then 100, 10, 9."""
    path = tmp_path / "index.html"
    path.write_text(experiments_page(), encoding="utf-8")
    with Visit(browser, path, viewport=DESKTOP) as visit:
        table = visit.tab.locator("table", has_text="Numbers")
        first = table.locator("tbody tr td:first-child")
        assert first.all_inner_texts() == ["10", "9", "100"]
        table.locator("thead th button").first.click()
        assert first.all_inner_texts() == ["9", "10", "100"]
        table.locator("thead th button").first.press("Enter")
        assert first.all_inner_texts() == ["100", "10", "9"]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_is_wider_than_the_window(browser: Any, page: Path, viewport: dict[str, int]):
    """Tables and figures scroll inside their boxes; the page itself never scrolls sideways."""
    with Visit(browser, page, viewport=viewport) as visit:
        visit.tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        wide = visit.tab.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"]


def test_the_dark_is_dark(browser: Any, page: Path):
    """The page's colours and those of the figures' text follow the reader's choice."""
    found = {}
    for scheme in ("light", "dark"):
        with Visit(browser, page, viewport=DESKTOP, color_scheme=scheme) as visit:
            back = visit.tab.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
            text = visit.tab.locator("figure svg text").first
            ink = text.evaluate("e => getComputedStyle(e).fill")
            found[scheme] = _lightness(back), _lightness(ink)
    assert found["light"][0] > 200
    assert found["light"][1] < 80
    assert found["dark"][0] < 60
    assert found["dark"][1] > 180


def _lightness(colour: str) -> float:
    numbers = [float(n) for n in colour.strip("rgba()").split(",")[:3]]
    return sum(numbers) / 3


def test_without_script_everything_is_there(browser: Any, page: Path):
    """With scripts off tables are plain tables."""
    with Visit(browser, page, viewport=PHONE, java_script_enabled=False) as visit:
        assert visit.tab.locator("table").count() > 0
        assert visit.tab.locator("th button").count() == 0


@pytest.mark.fuzz
def test_the_report_of_the_default_suite(browser: Any, tmp_path: Path):
    """As much of the suite as half a minute allows, measured and reported by the program: the
    page complains of nothing, needs nothing, sorts, and fits a phone.
    """
    store = tmp_path / "s.sqlite"
    assert cli.run(["bench", "default", "--budget", "30s", "--store", str(store)]) == 0
    with Visit(browser, tmp_path / "s" / "index.html", viewport=PHONE) as visit:
        assert visit.tab.locator("figure svg").count() > 1
        assert visit.tab.evaluate(SORTING) == []
        assert visit.tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith("data:")] == [visit.address]
