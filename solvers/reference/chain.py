"""The search of article 003 for the longest chain of dominoes, and the ideas it lists.

From every pip depth first along tiles not used yet, in the order in which the set gives them; a
call is cut where the tiles left cannot beat the best chain so far. Corrected: a double is two
halves of its pip, a tile keeps its identity, and the chain its beginning. Its "components' longest
chains spliced together" cannot be: parts that share no pip are never in one chain.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzles.model import Puzzle, Solution
from ..contract import Limits, Reason, Search
from .calls import CallSearch
from .chain_form import ChainForm, read
from .kind import Kind

OPTIONS = ("subsets", "rich", "both-ends", "odd-start", "components")


@dataclass(slots=True)
class _Frame:
    """A call: the tiles to try from here (tile, pip at its other end), and which comes next."""

    choices: list[tuple[int, int]]
    next: int = 0


class ChainSearch(CallSearch):
    """Depth first along the tiles, from one pip after the other.

    - ``ends``: the pips at the chain's left and right end; it grows on the right, with
      ``both-ends`` on the right and the left in turns, from each pip as its middle;
    - ``path``: the tiles of the chain, with the end that each replaced;
    - ``used`` has a bit per tile, ``worth`` is what the chain is worth, ``left`` what the tiles
      are that it may still get.

    ``improving``: hands out only what beats all before; else every set of tiles once.
    """

    calls_per_clock = 256

    def __init__(
        self, form: ChainForm, limits: Limits, options: frozenset[str], worths: list[int] | None
    ) -> None:
        super().__init__(limits)
        self.form = form
        self.improving = worths is not None
        self.worths = [1] * len(form.tiles) if worths is None else worths
        self.rich, self.memo = "rich" in options, "subsets" in options
        self.both = "both-ends" in options
        self.beside = _beside(form)
        self.part = _parts(form, self.beside)
        self.by_part = "components" in options
        self.starts = self._starts("odd-start" in options)
        if self.improving:
            self.bound = self._most()
        self.best = -1
        self.seen: set[int] = set()
        self.met: set[tuple[int, int, int]] = set()
        self.fresh, self.calling = True, False
        self.frames: list[_Frame] = []
        self.path: list[tuple[int, int]] = []
        self.ends = [0, 0]
        self.used = self.worth = self.left = 0

    def _starts(self, odd_only: bool) -> list[int]:
        """Where chains begin (with both ends: have their middle), last first.

        A chain that cannot grow at either end is closed or has odd pips at its ends, and one
        worth most never needs to grow; where a part has no odd pip, its tiles are one circuit.
        """
        form, pips = self.form, sorted(self.beside)
        if form.start is not None and not self.both:
            pips = [form.start] if form.start in self.beside else []
        elif odd_only and not self.both and not form.closed and (self.improving or form.every):
            odd = [v for v in pips if _halves(self.beside, v) % 2]
            parts = {self.part[v] for v in odd}
            for v in pips:
                if self.part[v] not in parts:
                    parts.add(self.part[v])
                    odd.append(v)
            pips = odd
        elif odd_only:
            pips.sort(key=lambda v: _halves(self.beside, v) % 2 == 0)
        return pips[::-1]

    def _most(self) -> int:
        """No chain is worth more."""
        if not self.by_part:
            return sum(self.worths)
        return max((self._left_at(v) for v in self.beside), default=0)

    def _left_at(self, start: int) -> int:
        """What the tiles are worth that a chain from there may use."""
        if not self.by_part:
            return sum(self.worths)
        tiles = zip(self.form.tiles, self.worths, strict=True)
        return sum(worth for (u, _), worth in tiles if self.part[u] == self.part[start])

    def next(self) -> Solution | Reason | None:
        """As the contract says; first of all the chain without a tile, where it counts."""
        if self.fresh:
            self.fresh = False
            if not self.form.every or not self.form.tiles:
                self.best = 0
                self.seen.add(0)
                start = self.form.start or 0
                return self.form.solution([], start, start)
        return super().next()

    def _go_on(self) -> bool:
        if self.frames:
            self._advance()
        elif self.starts:
            start = self.starts.pop()
            self.ends = [start, start]
            self.left = self._left_at(start)
            self.calling = True
        else:
            return False
        return True

    def _call(self) -> bool:
        """Cut, or open a frame; whether the chain is one to hand out."""
        self.frames.append(_Frame([]))
        if self.improving and self.worth + self.left <= self.best:
            return False
        if self.memo:
            key = (self.used, self.ends[1], self.ends[0] if self.both else -1)
            if key in self.met:
                return False
            self.met.add(key)
        side = self._side()
        choices = [c for c in self.beside[self.ends[side]] if not self.used >> c[0] & 1]
        if self.rich:
            choices.sort(key=lambda c: -self._unused(c[1], c[0]))
        self.frames[-1].choices = choices
        return self._is_chain() and self._is_news()

    def _side(self) -> int:
        """Which end grows next: 1 the right one."""
        return 0 if self.both and len(self.path) % 2 else 1

    def _unused(self, pip: int, but: int) -> int:
        """How many other unused tiles are there."""
        return sum(tile != but and not self.used >> tile & 1 for tile, _ in self.beside[pip])

    def _is_chain(self) -> bool:
        """Whether the rule takes the chain as it is."""
        form, (left, right) = self.form, self.ends
        if not self.path or (form.every and len(self.path) < len(form.tiles)):
            return False
        if form.closed:
            if left != right or form.start is None:
                return left == right
            return any(form.start in form.tiles[tile] for tile, _ in self.path)
        return form.start is None or form.start in (left, right)

    def _is_news(self) -> bool:
        if self.improving:
            better = self.worth > self.best
            self.best = max(self.best, self.worth)
            return better
        news = self.used not in self.seen
        self.seen.add(self.used)
        return news

    def _solution(self) -> Solution:
        first, last = self.ends
        if self.form.start is not None and first != self.form.start:
            first, last = last, first
        return self.form.solution([tile for tile, _ in self.path], first, last)

    def _advance(self) -> None:
        """Lay the next tile of the top frame, or leave the frame and take its tile back."""
        frame = self.frames[-1]
        if frame.next == len(frame.choices):
            self.frames.pop()
            if self.path and self.frames:
                tile, before = self.path.pop()
                self.ends[self._side()] = before
                self.used ^= 1 << tile
                self.worth -= self.worths[tile]
                self.left += self.worths[tile]
            return
        tile, there = frame.choices[frame.next]
        frame.next += 1
        side = self._side()
        self.path.append((tile, self.ends[side]))
        self.ends[side] = there
        self.used |= 1 << tile
        self.worth += self.worths[tile]
        self.left -= self.worths[tile]
        self.calling = True


def _beside(form: ChainForm) -> dict[int, list[tuple[int, int]]]:
    """Per pip with tiles: (tile, other pip) in the tiles' order; a double stands there once."""
    beside: dict[int, list[tuple[int, int]]] = {}
    for tile, (u, v) in enumerate(form.tiles):
        beside.setdefault(u, []).append((tile, v))
        if u != v:
            beside.setdefault(v, []).append((tile, u))
    return beside


def _halves(beside: dict[int, list[tuple[int, int]]], pip: int) -> int:
    """The degree of a pip, where a double counts two."""
    return sum(2 if there == pip else 1 for _, there in beside[pip])


def _parts(form: ChainForm, beside: dict[int, list[tuple[int, int]]]) -> dict[int, int]:
    """Per pip with tiles the first pip of its component."""
    part: dict[int, int] = {}
    for root in sorted(beside):
        waiting = [root]
        while waiting:
            here = waiting.pop()
            if here not in part:
                part[here] = root
                waiting += [there for _, there in beside[here]]
    return part


def _start(puzzle: Puzzle, limits: Limits, options: frozenset[str]) -> Search:
    return _search(puzzle, limits, options, improving=False)


def _improve(puzzle: Puzzle, limits: Limits, options: frozenset[str]) -> Search:
    return _search(puzzle, limits, options, improving=True)


def _search(puzzle: Puzzle, limits: Limits, options: frozenset[str], *, improving: bool) -> Search:
    form = read(puzzle)
    assert form is not None
    worths = form.prices() if improving else None
    assert worths is not None or not improving
    return ChainSearch(form, limits, options, worths)


def _optimises(puzzle: Puzzle) -> bool:
    """Whether the costs are those of tiles that are worth something."""
    form = read(puzzle)
    return form is not None and form.prices() is not None


CHAIN = Kind(
    "chains of dominoes (article 003)",
    lambda puzzle: read(puzzle) is not None,
    OPTIONS,
    _start,
    _improve,
    _optimises,
)
