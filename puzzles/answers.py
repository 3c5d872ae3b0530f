"""Answers that people bring to be checked, in any form in which boards are written.

Rows of masks as JSON, an object with a field ``solution`` (what ``solve --json`` prints), or a
board whose given turns are the answer: a picture, a Net ID, a board in text or JSON. For dominoes
the tiles as they lie: ``[tile, flipped]``, ``[pip, pip]``, or ``0|1 1|2``.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from .board import Board
from .check import Report, check
from .dominoes import Dominoes
from .errors import InputError
from .flow import Flow
from .instance import Instance
from .model import Solution
from .terms import terms_of


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing in box characters; how to read it depends on the size of the board. As many line
    breaks stand before it as in its file.
    """

    text: str
    file: str


def read_answers(argument: str) -> list[Any]:
    """The answers in a file, on standard input (``-``), or in the argument itself.

    Raises InputError.
    """
    from .formats.page import file_text, shown

    if argument == "-" or os.path.exists(argument):
        return answers(file_text(argument), file=argument)
    try:
        return answers(argument)
    except InputError as error:
        if not re.search(r"[\n\[{]", argument):
            error.expected += f" (and there is no file {shown(argument)})"
        raise


def answers(text: str, *, file: str = "literal") -> list[Any]:
    """Every answer in the text, in order, still to be fitted to a puzzle by ``fit``.

    Raises InputError for text that holds none.
    """
    stripped = text.strip()
    if stripped[:1] in ("[", "{"):
        values = _json_values(stripped, file)
        if len(values) == 1 and _is_list_of_answers(values[0]):
            values = values[0]
        if not any(isinstance(v, dict) and "solution" not in v for v in values):
            return [v["solution"] if isinstance(v, dict) else v for v in values]
    pictures = _pictures(text.replace("\r\n", "\n"), file)
    if pictures:
        return list(pictures)
    from .formats import loads

    return list(loads(text, file=file))


def fit(instance: Instance, answer: Any) -> tuple[Solution, Report]:
    """The answer as a solution of the instance's puzzle, shape (ports,), and whether it is right.

    Raises InputError if it has another size, or does not say how the pieces are turned.
    """
    plain = _plain(instance, answer)
    solution, objections = instance.encode(plain), instance.objections(plain)
    if objections:
        return solution, Report(False, objections)
    return solution, check(instance.puzzle, solution, terms_of(instance))


def _plain(instance: Instance, answer: Any) -> Any:
    """The answer in the form that the instance encodes."""
    if answer is None:
        raise InputError("null", "an answer: the run that wrote this found none")
    if isinstance(answer, Picture):
        return _picture_rows(instance, answer)
    if not isinstance(answer, Instance):
        return answer
    if isinstance(answer, Dominoes) and isinstance(instance, Dominoes):
        return [list(tile) for tile in answer.tiles]
    if isinstance(answer, Flow):
        answer = answer.board
    if not isinstance(answer, Board):
        raise InputError(f"a {answer.family}", "a board that is the answer")
    full = (1 << answer.topology.directions) - 1
    if not answer.oriented and np.any(~answer.locked & (answer.pieces % full != 0)):
        raise InputError("pieces without their turns", "masks, a picture or a Net ID")
    if isinstance(instance, Board) and _size(answer) != _size(instance):
        raise InputError(f"a {_size(answer)} board", f"an answer to a {_size(instance)} board")
    return answer.pieces.reshape(answer.height, answer.width).tolist()


def _picture_rows(instance: Instance, picture: Picture) -> list[list[int]]:
    from .formats.picture import read_masks

    board = instance.board if isinstance(instance, Flow) else instance
    if not isinstance(board, Board) or board.topology.kind != "square":
        raise InputError("a picture", f"an answer to a {instance.family} in JSON")
    return read_masks(picture.text, board.width, board.height, picture.file)


def _size(board: Board) -> str:
    """A picture cannot show whether its board is a torus, so that is not asked for."""
    return f"{board.width}x{board.height} {board.topology.kind}"


def _is_list_of_answers(value: Any) -> bool:
    """Objects, or several lists of rows; rows of masks themselves are one answer."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, dict)
            or (isinstance(item, list) and bool(item) and all(isinstance(x, list) for x in item))
            for item in value
        )
    )


def _pictures(text: str, file: str) -> list[Picture]:
    """The blocks between blank lines if they are nothing but pictures."""
    pictures = []
    numbered = enumerate(text.split("\n"))
    for blank, block in groupby(numbered, lambda line: not line[1].strip()):
        if blank:
            continue
        (before, first), *rest = block
        if not any("\u2500" <= character < "\u2580" for character in first):
            return []
        lines = [first, *(line for _, line in rest)]
        pictures.append(Picture("\n" * before + "\n".join(lines), file))
    return pictures


def _json_values(text: str, file: str) -> list[Any]:
    """All JSON values in the text, one after the other."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            found = repr(text[error.pos : error.pos + 10]) if error.pos < len(text) else "the end"
            raise InputError(
                found, f"JSON ({error.msg})", file=file, line=error.lineno, column=error.colno
            ) from None
        except (RecursionError, ValueError) as error:
            raise InputError(
                f"JSON that cannot be read ({error})", "an answer", file=file
            ) from None
        values.append(value)
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
    return values
