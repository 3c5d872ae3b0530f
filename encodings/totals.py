"""Totalizers: unary sums of literals that can be asked for more and more.

Bailleux and Boufkhad 2003; grown step by step as in Martins, Joshi, Manquinho, Lynce 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .counters import Clauses, NewVariable


@dataclass
class _Node:
    """The sum of ``size`` inputs: ``outputs[k - 1]`` is implied by "at least k of them"."""

    outputs: list[int]
    size: int
    parts: tuple[_Node, _Node] | None = None


class Totalizer:
    """The sum of some literals. Outputs are implied by the inputs, not the other way
    round: that is enough to bound a sum from above.
    """

    def __init__(self, inputs: Sequence[int]) -> None:
        self.size = len(inputs)
        # In the order in which they are built: the parts of each come before it.
        self._nodes = [_Node([x], 1) for x in inputs]
        place = 0
        while place < len(self._nodes) - 1:
            one, other = self._nodes[place : place + 2]
            self._nodes.append(_Node([], one.size + other.size, (one, other)))
            place += 2

    def at_least(self, number: int, new: NewVariable) -> tuple[int, Clauses]:
        """A literal that is true if at least so many inputs are (1 to ``size``), and the clauses
        that it needs beyond those of earlier calls.
        """
        clauses: Clauses = []
        for node in self._nodes:
            if node.parts is not None:
                clauses += _grow(node, *node.parts, number, new)
        return self._nodes[-1].outputs[number - 1], clauses


def _grow(node: _Node, one: _Node, other: _Node, number: int, new: NewVariable) -> Clauses:
    known, wanted = len(node.outputs), min(number, node.size)
    if wanted <= known:
        return []
    node.outputs += [new() for _ in range(known, wanted)]
    clauses = [[-node.outputs[k], node.outputs[k - 1]] for k in range(max(1, known), wanted)]
    for i in range(min(one.size, wanted) + 1):
        for j in range(max(0, known + 1 - i), min(other.size, wanted - i) + 1):
            because = [-one.outputs[i - 1]] * (i > 0) + [-other.outputs[j - 1]] * (j > 0)
            clauses.append([*because, node.outputs[i + j - 1]])
    return clauses
