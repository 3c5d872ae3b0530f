"""Flow boards (article 001): turn pieces so that water runs from the sources to the sinks.

Rules, all of them with *the water reaches the sinks it should*:

- *reach*: pieces may leak as they like;
- *article*: what the article's program accepts: no cell that may turn opens off the board, into
  a wall, or towards a locked piece that does not open back; other leaks are no matter;
- *sealed*: nothing leaks in what hangs together with a source;
- *strict*: nothing leaks anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from .board import Board
from .check import check
from .draw_flow import draw_flow
from .errors import InvalidPuzzle, UsageError
from .flow_copies import CopiesForm
from .flow_form import LEAKS, PlainForm
from .flow_sealed import SealedForm
from .instance import Instance, Objective, Source
from .model import Puzzle, Solution, masks_of, ports_from_masks
from .terms import terms_of
from .topology import opposite
from .values import Frozen, whole_numbers

WISHES = ("all", "any", "paired")
BORDERS = ("closed", "free", "terminals")


@dataclass(frozen=True, eq=False)
class Flow(Frozen, Instance):
    """A flow board.

    - ``board``: a square-celled board with its pieces, locks, walls and ways to turn; its own
      rules, name and objective mean nothing here;
    - ``sources``, ``sinks``: cells, at least one of each;
    - ``wish``: *all* sinks are to be reached from some source, or *any* of them, or (*paired*)
      each sink is to hang together with the source in the same place of the other list;
    - ``border``: whether an opening off the board leaks under sealed and strict (*closed*), does
      not (*free*), or does not at sources and sinks (*terminals*).

    Raises InvalidPuzzle for cells that are not there and lists that do not fit, UsageError for
    unknown rules, wishes and borders, or an objective if it is unknown how the pieces lie.
    """

    family: ClassVar[str] = "flow"
    rules_offered: ClassVar[tuple[str, ...]] = tuple(LEAKS)
    objectives: ClassVar[tuple[str, ...]] = ("rotations",)
    loose_rules: ClassVar[tuple[str, ...]] = ("reach",)

    board: Board
    sources: tuple[int, ...]
    sinks: tuple[int, ...]
    wish: str = "all"
    border: str = "closed"
    rules: str = "reach"
    name: str = "flow"
    source: Source = field(default_factory=Source)
    objective: Objective | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board) or self.board.topology.kind != "square":
            raise InvalidPuzzle("flow: expected a board of square cells")
        for what, given, known in (
            ("rules", self.rules, LEAKS),
            ("wish", self.wish, WISHES),
            ("border", self.border, BORDERS),
        ):
            if given not in known:
                raise UsageError(f"{what} {given!r}: a flow board knows {', '.join(known)}")
        for what in ("sources", "sinks"):
            object.__setattr__(self, what, self._terminals(what))
        if self.wish == "paired" and len(self.sources) != len(self.sinks):
            raise InvalidPuzzle(
                f"{len(self.sources)} sources and {len(self.sinks)} sinks: expected as many, paired"
            )
        inside = self.board.neighbours >= 0
        walls = self.board.walls & inside
        board = replace(self.board, rules="match", objective=None, walls=walls)
        object.__setattr__(self, "board", board)
        if self.objective is not None:
            replace(board, objective=self.objective)

    def _terminals(self, what: str) -> tuple[int, ...]:
        cells = whole_numbers(getattr(self, what), what)
        if not cells:
            raise InvalidPuzzle(f"no {what}: expected at least one")
        for cell in cells:
            if not 0 <= cell < self.board.cells:
                raise InvalidPuzzle(f"{what}: there is no cell {cell}")
        return cells if self.wish == "paired" else tuple(dict.fromkeys(cells))

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return self.board.width

    @property
    def sides(self) -> tuple[str, ...]:
        """The directions, in the order of a cell's first ports."""
        return self.board.sides

    @property
    def extra(self) -> tuple[str, ...]:
        """The helpers' names."""
        return self._form.extra

    def is_locked(self, vertex: int) -> bool:
        """Whether it is a locked cell."""
        return vertex < self.board.cells and self.board.is_locked(vertex)

    @property
    def groups(self) -> list[list[int]]:
        """Of paired terminals: the sets of cells that must hang together, each at least one
        source; pairs that share a cell make one set.
        """
        parent: dict[int, int] = {}

        def root(cell: int) -> int:
            while parent.setdefault(cell, cell) != cell:
                cell = parent[cell]
            return cell

        for source, sink in zip(self.sources, self.sinks, strict=True):
            parent[root(sink)] = root(source)
        found: dict[int, list[int]] = {}
        for cell in dict.fromkeys([*self.sources, *self.sinks]):
            found.setdefault(root(cell), []).append(cell)
        return list(found.values())

    @cached_property
    def _form(self) -> PlainForm | CopiesForm | SealedForm:
        if self.wish != "paired":
            return PlainForm(self, self.sources, self.sinks)
        groups = [group for group in self.groups if len(group) > 1]
        if not groups:
            return PlainForm(self, self.sources, self.sources[:1])
        alone = self.rules != "sealed" or len(self.groups) == 1
        if len(groups) == 1 and alone:
            return PlainForm(self, groups[0][:1], groups[0])
        if self.rules == "sealed":
            return SealedForm(self, self.groups)
        return CopiesForm(self, groups)

    def build(self) -> Puzzle:
        """Vertices are cells first, a cell's first ports its sides."""
        return self._form.build()

    def with_rules(self, name: str) -> Self:
        """The same board under reach, article, sealed or strict."""
        if name not in LEAKS:
            raise UsageError(f"rules {name!r}: a flow board knows {', '.join(LEAKS)}")
        return replace(self, rules=name)

    def with_turns(self, permission: int) -> Self:
        """The same board, all its pieces (but the locked ones) free to turn that way."""
        return replace(self, board=self.board.with_turns(permission))

    def canonical(self) -> object:
        """Equal for boards that a turn or a mirror makes the same, terminals included."""
        from .generators.flow import canonical

        return canonical(self)

    def wet(self, masks: Sequence[int], sources: Sequence[int] | None = None) -> set[int]:
        """The cells that hang together with a source (or one of these), by the cells' masks."""
        topology, walls = self.board.topology, self.board.walls
        beside = self.board.neighbours
        waiting = list(self.sources if sources is None else sources)
        reached = set(waiting)
        while waiting:
            here = waiting.pop()
            for side, there in enumerate(beside[here].tolist()):
                back = opposite(topology, side)
                if there < 0 or there in reached or walls[here, side]:
                    continue
                if masks[here] >> side & 1 and masks[there] >> back & 1:
                    reached.add(there)
                    waiting.append(there)
        return reached

    def _masks(self, solution: Solution) -> list[int]:
        return [mask & 15 for mask in masks_of(self.puzzle, solution)[: self.board.cells]]

    def decode(self, solution: Solution) -> list[list[int]]:
        """Rows of masks."""
        masks, width = self._masks(solution), self.board.width
        return [masks[at : at + width] for at in range(0, len(masks), width)]

    def details(self, solution: Solution) -> dict[str, Any]:
        """``wet``: the cells that water reaches, as [row, column]; ``turns`` as of a board if
        rotations count.
        """
        masks = self._masks(solution)
        wet = [list(divmod(cell, self.board.width)) for cell in sorted(self.wet(masks))]
        if self.objective is None:
            return {"wet": wet}
        board = replace(self.board, objective=self.objective)
        return {"wet": wet, **board.details(ports_from_masks(board.puzzle, masks))}

    def encode(self, answer: Any) -> Solution:
        """From rows of masks."""
        plain = masks_of(self.board.puzzle, self.board.encode(answer))
        return ports_from_masks(self.puzzle, self._form.complete(plain))

    @property
    def _waterless(self) -> Self:
        """The same board asked for no sink: its puzzle has no helpers."""
        return replace(self, sinks=self.sources, wish="all", objective=None)

    def objections(self, answer: Any) -> tuple[str, ...]:
        """Of any and paired sinks: what is wrong in terms of the cells, not of helpers."""
        if self.wish == "all":
            return ()
        plain = self._waterless
        solution, terms = plain.encode(answer), terms_of(plain)
        reasons = list(check(plain.puzzle, solution, terms).reasons)
        masks = plain._masks(solution)
        if self.wish == "any" and not self.wet(masks) & set(self.sinks):
            reasons.append("no sink is reached")
        if self.wish == "paired":
            reasons += [
                f"{terms.vertex(sink)} does not hang together with {terms.vertex(source)}"
                for source, sink in dict.fromkeys(zip(self.sources, self.sinks, strict=True))
                if sink not in self.wet(masks, [source])
            ]
        return tuple(reasons)

    def joints(self, solution: Solution) -> tuple[Puzzle, Solution]:
        """The board without its helpers."""
        plain = self._waterless
        return plain.puzzle, plain.encode(self.decode(solution))

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """Box characters, see ``draw_flow``."""
        masks = None if solution is None else self._masks(solution)
        cells = frozenset(v for v in marked if v < self.board.cells)
        return draw_flow(self, masks, marked=cells, colour=colour)
