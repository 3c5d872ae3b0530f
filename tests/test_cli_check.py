"""``check`` and ``convert``: answers in every form, reasons, formats, nonsense."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from cli_tools import Plumbench, kept_children, plumbench
from plumbench.puzzles.board import Board
from plumbench.puzzles.formats import dumps, loads
from plumbench.puzzles.topology import rotate

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

TWO = "3x3:1313f3131"
ANSWERS = ("3x3:1c89f6234", "3x3:8943fc162")
NET = "5x5:1115337157375775157135131"


def rows(net_id: str) -> list[list[int]]:
    """The masks of a turned board."""
    board = loads(net_id)[0]
    assert isinstance(board, Board)
    return board.pieces.reshape(board.height, board.width).tolist()


def saved(folder: Path, text: str) -> Path:
    """A file with this text."""
    file = folder / "answer"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("answer", ANSWERS)
def test_any_valid_solution_is_right(plumbench: Plumbench, tmp_path: Path, answer: str) -> None:
    """Case N09: both answers of the ambiguous board are accepted, in every form."""
    board = loads(TWO)[0]
    solution = board.encode(rows(answer))
    forms = [
        answer,
        json.dumps(rows(answer)),
        json.dumps({"puzzle": "x", "solution": rows(answer)}),
        json.dumps({"solution": rows(answer)}, indent=2),
        board.draw(solution),
        dumps(loads(answer)[0], "text"),
        dumps(loads(answer)[0], "json"),
    ]
    for form in forms:
        result = plumbench("check", TWO, "--solution", saved(tmp_path, form))
        assert (result.code, result.out) == (0, "right under the rule tree\n"), form
    assert plumbench("check", TWO, "--solution", answer).code == 0


def test_every_other_turning_is_wrong(plumbench: Plumbench, tmp_path: Path) -> None:
    """A piece turned once more is wrong, exit 1, and the reason names the leak."""
    answer = rows(ANSWERS[0])
    answer[0][0] = rotate(answer[0][0], 1, 4)
    file = saved(tmp_path, json.dumps(answer))
    result = plumbench("check", TWO, "--solution", file)
    assert result.code == 1
    assert result.out.startswith("wrong under the rule tree\n  ")
    (record,) = plumbench("check", TWO, "--solution", file, "--json").records
    assert record["verified"] is False
    assert len(record["reasons"]) >= 1


def test_other_pieces_are_wrong(plumbench: Plumbench) -> None:
    """A board without leaks that uses other pieces than the puzzle's is refused."""
    assert plumbench("check", "LL/LL", "--solution", "[[6, 12], [3, 9]]").code == 0
    result = plumbench("check", "LI/LL", "--solution", "[[6, 12], [3, 9]]")
    assert result.code == 1
    blank = plumbench("check", "LL/LL", "--solution", "[[0, 0], [0, 0]]")
    assert blank.code == 1


@pytest.mark.parametrize(
    ("puzzle", "answer", "reasons"),
    [
        (
            "LIL/TIT/LIL",
            [[6, 10, 12], [7, 10, 13], [3, 10, 12]],
            [
                "row 2, column 3 leaks down: row 3, column 3 does not open towards it",
                "row 3, column 3 leaks down: the border or a wall is there",
            ],
        ),
        (
            "LI/LL",
            [[6, 12], [3, 9]],
            [
                "row 1, column 2 opens down-left, "
                "the puzzle's piece there opens up-down or right-left"
            ],
        ),
        (
            "LL.LL/LL.LL",
            [[6, 12, 0, 6, 12], [3, 9, 0, 3, 9]],
            [
                "the pieces form 2 separate parts, in cells: 4 (with row 1, column 1); "
                "4 (with row 1, column 4)"
            ],
        ),
        (
            "rules: tree\nLL\nLL",
            [[6, 12], [3, 9]],
            ["cycle: row 2, column 2; row 2, column 1; row 1, column 1; row 1, column 2"],
        ),
        (
            "torus: yes\nrules: tree\nI",
            [[10]],
            ["cycle: row 1, column 1 is joined to itself"],
        ),
    ],
)
def test_reasons_speak_of_rows_and_columns(
    plumbench: Plumbench, puzzle: str, answer: list[list[int]], reasons: list[str]
) -> None:
    """What is wrong with an answer to a board is said by row, column and side."""
    result = plumbench("check", puzzle, "--solution", json.dumps(answer))
    assert result.code == 1
    assert [line.strip() for line in result.out.splitlines()[1:]] == reasons


def test_a_bad_picture_is_found(plumbench: Plumbench, tmp_path: Path) -> None:
    """A picture of another size among several is named by its file and line."""
    boards, pictures = tmp_path / "boards.txt", tmp_path / "pictures.txt"
    boards.write_text("LL/LL\nLL/LL\n", encoding="utf-8")
    pictures.write_text("\n┌─┐\n└─┘\n \n┌──┐\n└──┘\n", encoding="utf-8")
    result = plumbench("check", boards, "--solution", pictures)
    assert result.code == 2
    assert f"{pictures}, line 5: found 4 columns" in result.err


def test_an_answer_file_that_is_not_there_is_named(plumbench: Plumbench) -> None:
    """A mistyped file of answers is not only taken for a bad answer."""
    result = plumbench("check", "LL/LL", "--solution", "answer.txt")
    assert result.code == 2
    assert "(and there is no file 'answer.txt')" in result.err


def test_connectivity_is_judged(plumbench: Plumbench) -> None:
    """Case N03: all ends met but two components is wrong under connected, right under match."""
    rings, answer = "LL.LL/LL.LL", "[[6,12,0,6,12],[3,9,0,3,9]]"
    assert plumbench("check", rings, "--solution", answer).code == 1
    assert plumbench("check", rings, "--solution", answer, "--rules", "match").code == 0


@pytest.mark.parametrize(
    "answer",
    [
        "LL/LL",
        "[[6, 12], [3]]",
        "[[6, 12], [3, 16]]",
        "[[6, 12], [3, -1]]",
        "[[6, 12], [3, true]]",
        "[[6, 12], [3, 9.5]]",
        "[[6, 12], [3, NaN]]",
        "[6, 12, 3, 9]",
        "[[6, 12], [3, 9]",
        '{"solution": null}',
        '{"solution": {"a": 1}}',
        '{"status": "satisfiable"}',
        "3x3:1c89f6234",
        "[[6,12],[3,9]] [[6,12],[3,9]]",
        "[" * 100_000,
        "9" * 5000,
        "[" + "9" * 5000 + "]",
        "",
        "\x00",
        "none.json",
    ],
    ids=lambda text: text[:20].replace("\x00", "NUL"),
)
def test_unreadable_answers(plumbench: Plumbench, tmp_path: Path, answer: str) -> None:
    """What is no answer to this puzzle is exit 2 with one line, never "wrong"."""
    result = plumbench("check", "LL/LL", "--solution", saved(tmp_path, answer))
    assert result.code == 2
    assert result.is_one_error_line()


def test_solve_then_check_many(plumbench: Plumbench, tmp_path: Path) -> None:
    """The JSON lines of solve are answers for the same file, in order."""
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{NET}\n{TWO}\n5x5:12\nLL/LL\n".replace("LL/LL", "2x2:3333"))
    answers = saved(tmp_path, plumbench("solve", boards, "--json", "--rules", "connected").out)
    result = plumbench("check", boards, "--solution", answers, "--rules", "connected")
    assert result.code == 2
    assert [line.split(": ")[1] for line in result.out.splitlines()] == [
        "right under the rule connected"
    ] * 3
    assert result.err.count("\n") == 1
    boards.write_text(f"{NET}\n")
    assert plumbench("check", boards, "--solution", answers).code == 2


@pytest.mark.parametrize("to", ["text", "json", "net-id"])
def test_convert_round_trip(plumbench: Plumbench, tmp_path: Path, to: str) -> None:
    """Many puzzles in one format and back are the same puzzles."""
    source = tmp_path / "source.txt"
    source.write_text(f"{NET}\n{TWO}\n3x3w:1313f3131\n")
    there = tmp_path / "there"
    assert plumbench("convert", source, "--to", to, "-o", there).code == 0
    back = plumbench("convert", there, "--to", "net-id")
    assert [line.split()[0] for line in back.out.splitlines()] == source.read_text().split()


def test_convert_refuses_losses(plumbench: Plumbench) -> None:
    """A rule that the format cannot say is an error that names it; other puzzles go on."""
    result = plumbench("convert", "LL/LL", TWO, "--to", "net-id")
    assert result.code == 2
    assert result.out.split()[0] == TWO
    assert "rules connected" in result.err


def test_convert_to_dimacs(plumbench: Plumbench) -> None:
    """A match board becomes a formula; a rule that clauses cannot say is refused."""
    result = plumbench("convert", "LL/LL", "--rules", "match", "--to", "dimacs")
    assert result.code == 0
    assert any(line.startswith("p cnf ") for line in result.out.splitlines())
    refused = plumbench("convert", "LL/LL", "--to", "dimacs")
    assert refused.is_one_error_line()
    assert "dimacs would lose: connect used (rules connected)" in refused.err
    assert plumbench("convert", "LL/LL", "LL/LL", "--to", "dimacs").is_one_error_line()


def mutations(number: int) -> list[str]:
    """Puzzles with characters changed, dropped, doubled or swapped in."""
    seeds = [NET, TWO, "LIL/TIT/LIL", "4x4w:3a5v7h1c2b", '{"pieces": [[6, 12], [3, 9]]}',
             "rules: tree\n┌ ─ ┐\n└ ─ ┘", "name: a\n\nL.L\n\n", "[[6, 12], [3, 9]]"]  # fmt: skip
    chance = random.Random(8)
    letters = '0123456789abcdefvhwxLIETX./:,[]{}"┌─┐└┘│\n #-\t\x00é\U0001f600'
    out = []
    for _ in range(number):
        text = list(chance.choice(seeds))
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randint(0, 2)] = chance.choices(letters, k=chance.randint(0, 2))
        out.append("".join(text))
    return out


def test_mutated_input_never_gives_a_traceback(plumbench: Plumbench, tmp_path: Path) -> None:
    """Hundreds of damaged puzzles and answers: 0, 1 or 2, and an error is a line each."""
    for text in mutations(400):
        file = saved(tmp_path, text)
        for arguments in (
            ("convert", file, "--to", "json"),
            ("check", "LL/LL", "--solution", file),
            ("check", file, "--solution", "[[6, 12], [3, 9]]", "--json"),
        ):
            result = plumbench(*arguments)
            assert result.code in (0, 1, 2), (arguments[0], text)
            assert (result.code == 2) == bool(result.err), (arguments[0], text)
            assert all(line.startswith("plumbench: ") for line in result.err.splitlines())
