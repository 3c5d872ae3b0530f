"""The formats that are read, in the order in which a line is tried against them."""

from __future__ import annotations

from . import dominoes, json_values, letters, maze, net_id, net_save, number_map, picture, text
from .format import Format
from .page import Line

FORMATS: tuple[Format, ...] = (
    dominoes.FORMAT,
    json_values.FORMAT,
    net_save.FORMAT,
    number_map.FORMAT,
    maze.FORMAT,
    net_id.FORMAT,
    text.FORMAT,
    picture.FORMAT,
    letters.FORMAT,
)


def recognise(line: Line) -> Format | None:
    """The format of the puzzle that begins on this line, None if it looks like none."""
    return next((form for form in FORMATS if form.begins(line)), None)
