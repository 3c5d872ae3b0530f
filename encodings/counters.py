"""Clauses on how many of many inputs are on: parity and unary counters.

Every auxiliary variable is a function of the inputs, defined in both directions, so that
auxiliaries never multiply models.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .implicates import prime_implicates

Clauses = list[list[int]]
NewVariable = Callable[[], int]

CHUNK = 4
"""Inputs of one parity constraint before the rest is cut off behind an auxiliary."""


def small_count(inputs: Sequence[int], weights: Sequence[int], numbers: set[int]) -> Clauses:
    """Prime implicates of "the weights of the inputs that are on add up to one of numbers";
    for at most 8 inputs (variables).
    """
    allowed = frozenset(
        mask
        for mask in range(1 << len(inputs))
        if sum(w for i, w in enumerate(weights) if mask >> i & 1) in numbers
    )
    return _rename(inputs, prime_implicates(len(inputs), allowed))


def parity(inputs: Sequence[int], odd: bool, new: NewVariable) -> Clauses:
    """An odd (or even) number of the inputs is on, in chunks linked by auxiliaries.

    Cutting long XORs is folklore (e.g. Soos, Nohl, Castelluccia 2009): n inputs cost 2^(n-1)
    clauses in one piece and a linear number in chunks.
    """
    rest, clauses = list(inputs), []
    while len(rest) > CHUNK + 1:
        chunk, rest = rest[:CHUNK], rest[CHUNK:]
        link = new()
        clauses += _xor([*chunk, link], odd=False)
        rest.append(link)
    return clauses + _xor(rest, odd)


def _xor(inputs: Sequence[int], odd: bool) -> Clauses:
    return small_count(inputs, [1] * len(inputs), set(range(odd, len(inputs) + 1, 2)))


def counter(
    inputs: Sequence[int], weights: Sequence[int], numbers: set[int], new: NewVariable
) -> Clauses:
    """The weights of the inputs that are on add up to one of ``numbers``.

    A sequential counter (Sinz 2005) in both directions: the auxiliary "at least j of the first
    i" equals "at least j of the first i - 1, or input i and at least j - weight of them". It
    counts no further than one beyond the greatest number, and the inputs that are off where
    that is less far. Raises ValueError for no numbers.
    """
    full = sum(weights)
    if full - min(numbers) < max(numbers) <= full:
        return counter([-x for x in inputs], weights, {full - n for n in numbers}, new)
    top = max(numbers) + 1
    clauses: Clauses = []
    row: list[int] = []  # row[j - 1] says "at least j of the inputs so far"
    for x, weight in zip(inputs, weights, strict=True):
        old, row = row, [new() for _ in range(min(top, len(row) + weight))]
        for j, now in enumerate(row, 1):
            before = old[j - 1] if j <= len(old) else None
            lower = old[j - weight - 1] if j > weight else None
            clauses += _step(now, x, before, lower)
    for j in set(range(len(row) + 1)) - numbers:
        at_least = [-row[j - 1]] if j else []
        clauses.append(at_least + row[j : j + 1])
    return clauses


def _step(now: int, x: int, before: int | None, lower: int | None) -> Clauses:
    """Define ``now`` as "before, or x and lower", where before implies lower; a ``before`` of
    None is false, a ``lower`` of None is true.
    """
    clauses = [[-now, x] if before is None else [-now, before, x]]
    if before is not None:
        clauses.append([-before, now])
    if lower is None:
        clauses.append([-x, now])
    else:
        clauses += [[-lower, -x, now], [-now, lower]]
    return clauses


def _rename(inputs: Sequence[int], clauses: Sequence[tuple[int, ...]]) -> Clauses:
    return [[inputs[abs(k) - 1] * (1 if k > 0 else -1) for k in clause] for clause in clauses]
