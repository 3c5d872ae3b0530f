"""DIMACS CNF text, written and read without losing the number of variables."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..puzzles.errors import InputError, Unsupported
from ..puzzles.model import Puzzle
from .cnf import encode


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over variables 1 to ``variables``; those in no clause count, too."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]


def export(puzzle: Puzzle) -> str:
    """The puzzle as DIMACS: its models, projected on the variables of the ports, are its
    solutions. A comment ``c port P variable V`` names each port's variable.

    Raises Unsupported where clauses made in advance do not say everything: a connect rule,
    acyclic, costs.
    """
    if puzzle.rules.connect != "none" or puzzle.rules.acyclic:
        rule = "acyclic" if puzzle.rules.connect == "none" else f"connect {puzzle.rules.connect}"
        raise Unsupported("dimacs", rule)
    if puzzle.costs is not None:
        raise Unsupported("dimacs", "an objective")
    cnf = encode(puzzle)
    comments = [f"variables 1 to {cnf.problem} decide the ports, others are functions of them"]
    comments += [f"port {p} variable {v}" for p, v in enumerate(cnf.of_port.tolist()) if v]
    return write(cnf.variables, cnf.clauses, comments)


def write(variables: int, clauses: Iterable[Sequence[int]], comments: Iterable[str] = ()) -> str:
    """DIMACS text; the header says ``variables`` even if the clauses use fewer."""
    body = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    head = [*(f"c {line}" for line in comments), f"p cnf {variables} {len(body)}"]
    return "\n".join([*head, *body, ""])


def read(text: str, file: str | None = None) -> Formula:
    """Read DIMACS text; a clause may span lines. Raises InputError for anything malformed.

    Keeps the header's number of variables, and warns (UserWarning) where the header and the
    clauses disagree: a model counter is off by a factor of two for every variable lost.
    """
    header: tuple[int, int] | None = None
    clauses: list[tuple[int, ...]] = []
    open_clause: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("c") or not line.strip():
            continue
        if line.strip() == "%":  # SATLIB's files end so
            break
        if header is None:
            header = _header(line, file, number)
            continue
        for word in line.split():
            literal = _literal(word, file, number)
            if literal:
                open_clause.append(literal)
            else:
                clauses.append(tuple(open_clause))
                open_clause = []
    if header is None:
        raise InputError("no header", "a line 'p cnf VARIABLES CLAUSES'", file=file)
    if open_clause:
        raise InputError("an unfinished clause", "a 0 after the last literal", file=file)
    return Formula(_reconciled(header, clauses), tuple(clauses))


def _header(line: str, file: str | None, number: int) -> tuple[int, int]:
    match = re.fullmatch(r"p\s+cnf\s+([0-9]+)\s+([0-9]+)\s*", line.strip())
    if match is None:
        raise InputError(repr(line[:40]), "'p cnf VARIABLES CLAUSES'", file=file, line=number)
    return int(match[1]), int(match[2])


def _literal(word: str, file: str | None, number: int) -> int:
    if not re.fullmatch(r"-?[0-9]+", word):
        raise InputError(repr(word[:40]), "a literal", file=file, line=number)
    return int(word)


def _reconciled(header: tuple[int, int], clauses: list[tuple[int, ...]]) -> int:
    """The number of variables to believe, after complaining about a header that is wrong."""
    variables, announced = header
    used = max((abs(literal) for clause in clauses for literal in clause), default=0)
    if announced != len(clauses):
        warnings.warn(
            f"the header announces {announced} clauses, found {len(clauses)}", stacklevel=3
        )
    if used > variables:
        warnings.warn(
            f"the header announces {variables} variables, found variable {used}", stacklevel=3
        )
    return max(variables, used)
