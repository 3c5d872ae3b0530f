"""Pipe mazes (case J06): the loop through the start, farthest step, enclosed cells."""

from __future__ import annotations

import json

import pytest
from engines import GENERAL
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.formats import dumps, loads
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.loop import TILES, PipeLoop
from plumbench.solvers.run import count, optimise, solve

CROOKED = ("..F7.", ".FJ|.", "SJ.L7", "|F--J", "LJ...")
"""A loop of 16 tiles, made public with the answers 8 and 1."""


def walked(tiles: tuple[str, ...]) -> tuple[int, int]:
    """Farthest step and enclosed cells, by following the pipe and by flooding the grid at
    double size from outside.
    """
    grid = {(r, c): t for r, row in enumerate(tiles) for c, t in enumerate(row)}
    steps = {1: (-1, 0), 2: (0, 1), 4: (1, 0), 8: (0, -1)}
    back = {1: 4, 2: 8, 4: 1, 8: 2}
    start = next(cell for cell, tile in grid.items() if tile == "S")
    line: list[tuple[tuple[int, int], int]] = []
    for first in steps:
        line, here, way = [], start, first
        while True:
            line.append((here, way))
            here = (here[0] + steps[way][0], here[1] + steps[way][1])
            mask = TILES.get(grid.get(here, "."), 0)
            if here == start or not mask & back[way]:
                break
            way = mask ^ back[way]
        if here == start:
            break
    blocked = {(2 * r + 1, 2 * c + 1) for (r, c), _ in line}
    blocked |= {(2 * r + 1 + steps[w][0], 2 * c + 1 + steps[w][1]) for (r, c), w in line}
    height, width = 2 * len(tiles) + 1, 2 * len(tiles[0]) + 1
    flooded, stack = {(0, 0)}, [(0, 0)]
    while stack:
        r, c = stack.pop()
        for dr, dc in steps.values():
            there = (r + dr, c + dc)
            inside = 0 <= there[0] < height and 0 <= there[1] < width
            if inside and there not in flooded and there not in blocked:
                flooded.add(there)
                stack.append(there)
    dry = [c for c in grid if (2 * c[0] + 1, 2 * c[1] + 1) not in flooded | blocked]
    return len(line) // 2, len(dry)


def answers(maze: PipeLoop, solver: str) -> tuple[int, int]:
    """Farthest step and enclosed cells of the verified loop, which is the only one."""
    assert count(maze.puzzle, solver).value == 1
    solution = solve(maze.puzzle, solver).solution
    assert solution is not None
    return maze.farthest(solution), len(maze.enclosed(solution))


@pytest.mark.parametrize("name", GENERAL)
def test_published_samples(name: str, shared) -> None:
    """J06: farthest step and enclosed cells of all eight mazes, also by walking them."""
    cases = json.loads(shared("cases", "inputs", "J06.json").read_text())["cases"]
    assert len(cases) == 8
    for case in cases:
        (maze,) = loads("\n".join(case["grid"]))
        assert isinstance(maze, PipeLoop)
        expected = (case["farthest"], case["enclosed"])
        assert answers(maze, name) == walked(maze.tiles) == expected


@pytest.mark.parametrize("name", [*GENERAL, "brute"])
def test_one_maze(name: str) -> None:
    """J06: the crooked loop in every general engine and by brute force."""
    assert answers(PipeLoop(CROOKED), name) == walked(CROOKED) == (8, 1)


def test_picture_and_answer() -> None:
    """The loop is drawn with what it encloses; decoding starts at S and encoding inverts it."""
    maze = PipeLoop(CROOKED)
    solution = solve(maze.puzzle, "brute").solution
    assert solution is not None
    assert maze.draw(solution).splitlines() == [
        "· · ┌─┐ ·",
        "· ┌─┘ │ ·",
        "┌─┘ I └─┐",
        "│ ┌─────┘",
        "└─┘ · · ·",
        "farthest 8, enclosed 1",
    ]
    decoded = maze.decode(solution)
    assert (decoded[0], len(decoded)) == ([2, 0, 2], 16)
    assert (maze.encode(decoded) == solution).all()
    assert maze.draw().splitlines()[2] == "S J . L 7"


def test_two_loops_through_the_start() -> None:
    """Where S may close two loops each is a solution; shortest and longest are found."""
    both = PipeLoop(("F7.", "LS7", ".LJ"))
    assert count(both.puzzle, "brute").value == 2
    longer = PipeLoop(("F7F7", "LSJ|", ".L-J"))
    lengths = [
        optimise(longer.with_objective(Objective("length", most)).puzzle, "brute").cost
        for most in (False, True)
    ]
    assert lengths == [4, 8]


def test_no_loop() -> None:
    """A start without a loop is unsolvable."""
    for tiles in (("S",), ("S7", "L."), ("S-7", "|.|", "L--")):
        assert solve(PipeLoop(tiles).puzzle, "brute").status == "unsatisfiable"


def test_formats() -> None:
    """Rows, a line with slashes, spaced rows and JSON are one maze, also if the first row could
    be letters.
    """
    for tiles in (CROOKED, ("....", ".S7.", ".LJ."), ("L..L", "S7..", "LJ.."), ("7F7", "S--")):
        spaced = "\n".join(" ".join(row) for row in tiles)
        for text in ("\n".join(tiles), "/".join(tiles), spaced, json.dumps({"maze": tiles})):
            (found,) = loads(text)
            assert isinstance(found, PipeLoop)
            assert found.tiles == tiles
            (again,) = loads(dumps(found, "json"))
            assert again.puzzle.fingerprint == found.puzzle.fingerprint
            assert again.name == found.name
    assert len(loads("S7\nLJ\n\nLLL\nLLL\n\nF7/SJ")) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F7/LJ", "one S in it"),
        ("SF/SJ", "one start"),
        ("SF7/LJ", "3 as in the first row"),
        ("F7\nS#", "one of |-LJ7F. or S"),
        ('{"maze": ["..", "S"]}', "2 as in the first row"),
        ('{"maze": ["..", "SX"]}', "a pipe maze"),
        ('{"maze": []}', "at least 1x1"),
    ],
)
def test_bad_mazes(text: str, expected: str) -> None:
    """What is no maze is refused with what is expected."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert expected in caught.value.expected


def test_bad_arguments() -> None:
    """Uneven rows, other tiles, no start or two, other rules."""
    for tiles in ((), ("",), ("S", ".."), ("S?",), ("..",), ("SS",)):
        with pytest.raises(InvalidPuzzle):
            PipeLoop(tiles)
    with pytest.raises(UsageError, match="only 'loop'"):
        PipeLoop(CROOKED).with_rules("path")
    assert not check(PipeLoop(CROOKED).puzzle, PipeLoop(CROOKED).encode([])).ok
