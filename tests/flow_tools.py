"""Flow boards of article 001, and what the rules say of layouts, written apart from the package.

The oracle walks whole layouts with a breadth-first search from the sources; it knows nothing of
the model, its helper vertices, or the checker.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from plumbench.puzzles.board import Board
from plumbench.puzzles.flow import Flow
from plumbench.puzzles.formats import loads
from plumbench.puzzles.topology import Square

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
TYPES = {
    "STRAIGHT_H": 10,
    "STRAIGHT_V": 5,
    "ELBOW_UR": 3,
    "ELBOW_RD": 6,
    "ELBOW_DL": 12,
    "ELBOW_LU": 9,
    "TEE_UP": 11,
    "TEE_RIGHT": 14,
    "TEE_DOWN": 13,
    "TEE_LEFT": 7,
    "CROSS": 15,
}
COLUMNS = {
    ("reach", "closed"): "reach(R0: BFS only)",
    ("article", "closed"): "seed rule = prune+reach",
    ("sealed", "closed"): "water-reached component leak-free + reach",
    ("sealed", "free"): "path source->sink reach & component has no dead end (border free)",
    ("strict", "closed"): "strict + reach",
    ("strict", "terminals"): "strict, border openings allowed only at source/sink + reach",
    ("strict", "free"): "mutual among neighbours but border openings free + reach",
}
"""Rule and border to the name of the golden count."""


def turned(mask: int) -> int:
    """A quarter turn clockwise."""
    return (mask << 1 | mask >> 3) & 15


def golden_flows(path: Path) -> list[tuple[Flow, dict[str, Any]]]:
    """The 13 boards of article 001, each with the facts written beside it."""
    found = []
    for facts in json.loads(path.read_text())["boards"]:
        masks, locked = [], []
        for cell in facts["cells"]:
            mask = 0 if cell is None else TYPES[cell["type"]]
            for _ in range(0 if cell is None else cell["rot"]):
                mask = turned(mask)
            masks.append(mask)
            locked.append(cell is not None and cell["fixed"])
        width = facts["cols"]
        board = Board(
            Square(width, facts["rows"]), np.array(masks), oriented=True, locked=np.array(locked)
        )
        source, sink = (row * width + column for row, column in (facts["src"], facts["dst"]))
        found.append((Flow(board, (source,), (sink,), name=facts["name"]), facts))
    return found


def layouts(flow: Flow) -> Iterator[tuple[int, ...]]:
    """Every layout of the pieces, whatever the rule."""
    choices = []
    for mask, lock in zip(flow.board.pieces.tolist(), flow.board.locked.tolist(), strict=True):
        ways = [mask]
        while not lock and (further := turned(ways[-1])) not in ways:
            ways.append(further)
        choices.append(ways)
    return product(*choices)


def right(flow: Flow, masks: tuple[int, ...]) -> bool:
    """Whether a layout is a solution."""
    sight = _Sight(flow, masks)
    waters = {source: sight.water([source]) for source in flow.sources}
    wet = set().union(*waters.values())
    if flow.wish == "paired":
        pairs = zip(flow.sources, flow.sinks, strict=True)
        flows = all(sink in waters[source] for source, sink in pairs)
    else:
        flows = (all if flow.wish == "all" else any)(sink in wet for sink in flow.sinks)
    if not flows or flow.rules == "reach":
        return flows
    if flow.rules == "article":
        return not any(sight.pruned(cell) for cell in range(len(masks)))
    cells = wet if flow.rules == "sealed" else range(len(masks))
    return not any(sight.leaks(cell) for cell in cells)


class _Sight:
    """A layout on its grid."""

    def __init__(self, flow: Flow, masks: tuple[int, ...]) -> None:
        self.flow, self.masks = flow, masks
        self.width, self.height = flow.board.width, flow.board.height
        self.wrap = flow.board.topology.wrap

    def beyond(self, cell: int, side: int) -> int | None:
        """The neighbour, None off the board."""
        row, column = divmod(cell, self.width)
        row, column = row + STEPS[side][0], column + STEPS[side][1]
        if self.wrap:
            row, column = row % self.height, column % self.width
        inside = 0 <= row < self.height and 0 <= column < self.width
        return row * self.width + column if inside else None

    def sides(self, cell: int) -> list[int]:
        """The open sides."""
        return [side for side in range(4) if self.masks[cell] >> side & 1]

    def walled(self, cell: int, side: int) -> bool:
        """Whether a wall stands there."""
        return bool(self.flow.board.walls[cell, side])

    def met(self, cell: int, side: int) -> int | None:
        """The neighbour that opens back, if there is one."""
        there = self.beyond(cell, side)
        if there is None or self.walled(cell, side):
            return None
        return there if self.masks[there] >> (side + 2) % 4 & 1 else None

    def water(self, starts: list[int]) -> set[int]:
        """All cells that water from there reaches."""
        reached, waiting = set(starts), deque(starts)
        while waiting:
            here = waiting.popleft()
            for side in self.sides(here):
                there = self.met(here, side)
                if there is not None and there not in reached:
                    reached.add(there)
                    waiting.append(there)
        return reached

    def leaks(self, cell: int) -> bool:
        """Whether an opening meets none where it should."""
        for side in self.sides(cell):
            if self.met(cell, side) is not None:
                continue
            off = self.beyond(cell, side) is None
            terminal = cell in (*self.flow.sources, *self.flow.sinks)
            free = self.flow.border == "free" or (self.flow.border == "terminals" and terminal)
            if not (off and free):
                return True
        return False

    def pruned(self, cell: int) -> bool:
        """Whether the article's prunings would not let this cell lie so."""
        if self.flow.board.locked[cell]:
            return False
        for side in self.sides(cell):
            there = self.beyond(cell, side)
            if there is None or self.walled(cell, side):
                return True
            fixed = self.flow.board.locked[there] and self.masks[there]
            if fixed and self.met(cell, side) is None:
                return True
        return False


def flow_of(rows: str, **keys: str) -> Flow:
    """The flow board of these rows and keys of plumbench text."""
    head = "".join(f"{key}: {value}\n" for key, value in keys.items())
    [flow] = loads(head + rows)
    assert isinstance(flow, Flow)
    return flow
