"""Prime implicates: the clauses that say all a table implies.

A clause over a table's inputs is an implicate if no allowed mask breaks it, and prime if no
literal can be dropped. Unit propagation on all prime implicates achieves GAC on the table,
since whatever some inputs imply is itself an implicate (Quine 1952 for the construction; the
property is what knowledge compilation calls unit-propagation completeness).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from ..puzzles.model import BoolArray

Clause = tuple[int, ...]

FALSE_INPUT = -1
"""In a pattern: this input is false for good."""


@cache
def prime_implicates(inputs: int, allowed: frozenset[int]) -> tuple[Clause, ...]:
    """All prime implicates of the allowed masks of at most 8 inputs, shortest first.

    Literal i + 1 says that bit i is set, its negative that it is not. No allowed mask gives
    the empty clause, all masks give no clause.
    """
    forbidden = np.ones(1 << inputs, dtype=np.bool_)
    forbidden[sorted(allowed)] = False
    cubes = _cubes(forbidden.reshape((2,) * inputs))
    primes = cubes.copy()
    for axis in range(inputs):
        wider = cubes.take([2], axis=axis)
        fixed = [slice(None)] * inputs
        fixed[axis] = slice(0, 2)
        primes[tuple(fixed)] &= ~wider
    # The first axis of the C-ordered table is the highest bit.
    found = np.argwhere(primes)[:, ::-1].tolist()
    clauses = [
        tuple(bit + 1 if digit == 0 else -(bit + 1) for bit, digit in enumerate(cube) if digit < 2)
        for cube in found
    ]
    return tuple(sorted(clauses, key=lambda clause: (len(clause), clause)))


def _cubes(forbidden: BoolArray) -> BoolArray:
    """Shape (3, 3, …): is the cube with digits 0, 1 or 2 (either) wholly forbidden?"""
    for axis in range(forbidden.ndim):
        either = forbidden.all(axis=axis, keepdims=True)
        forbidden = np.concatenate([forbidden, either], axis=axis)
    return forbidden


def project(masks: Iterable[int], pattern: tuple[int, ...]) -> tuple[tuple[int, ...], set[int]]:
    """The masks over distinct inputs, where ports share inputs.

    ``pattern`` names for each port the first port that shares its input (itself if it is the
    first), or FALSE_INPUT. Returns the ports that stand for the inputs and the masks over
    those, bit i for the i-th; masks that give one input two values are dropped.
    """
    inputs = tuple(sorted(set(pattern) - {FALSE_INPUT}))
    kept = set()
    for mask in masks:
        bits = [mask >> port & 1 for port in range(len(pattern))]
        wanted = [bits[first] if first >= 0 else 0 for first in pattern]
        if bits == wanted:
            kept.add(sum(bits[port] << i for i, port in enumerate(inputs)))
    return inputs, kept
