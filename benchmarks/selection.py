"""Generated boards as asked for: none twice, and with as many solutions as wanted.

Candidates come from consecutive seeds (the article's generator: from its one random stream);
each that fails is dropped, which a budget bounds. Numbers of solutions are judged by an engine
in child processes, under the rule the board is given out with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, TypeVar

from ..puzzles.errors import GenerationFailed, UsageError, WrongAnswer
from ..puzzles.generators import JavaGenerator, make, options
from ..puzzles.instance import Instance
from .processes.jobs import Job, Outcome, Result
from .processes.runner import run_many

T = TypeVar("T")
TRIES = 2000
Draw = Callable[[int], Instance]


@dataclass(frozen=True, slots=True)
class Wish:
    """What boards are asked for.

    ``settings`` are the generator's own; ``max_solutions`` K keeps boards with 1 to K solutions
    under ``rules`` (None: the generator's rule), judged by ``solver``, each within ``seconds`` and
    ``nodes``; ``tries`` candidates in a row without a hit end the search.
    """

    kind: str
    width: int
    height: int
    seed: int = 1
    number: int = 1
    wrap: bool | None = None
    rules: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    max_solutions: int | None = None
    solver: str = "propagation"
    seconds: float | None = None
    nodes: int | None = None
    tries: int = TRIES
    workers: int = 1


def select(wish: Wish) -> Iterator[Instance]:
    """The boards, one by one. Raises UsageError at once; GenerationFailed, saying how many
    there were and what stood against more, when the budget is used up.
    """
    if wish.number < 1 or wish.tries < 1:
        raise UsageError(f"number {wish.number}, tries {wish.tries}: expected at least 1")
    if wish.max_solutions is not None and wish.max_solutions < 1:
        raise UsageError(f"max-solutions {wish.max_solutions}: expected at least 1")
    search = _Search(wish)
    boards = search.judged() if wish.max_solutions is not None else search.candidates()
    return _first(boards, wish.number)


def _first(boards: Iterator[Instance], number: int) -> Iterator[Instance]:
    with ended(boards):
        yield from islice(boards, number)


class _Search:
    """Candidates and why they were dropped.

    ``misses`` counts drops since the last board that was kept, whatever their cause: what is
    left of the budget is ``tries - misses``.
    """

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.draw = _drawer(wish)
        self.most = wish.max_solutions or 1
        self.seen: set[object] = set()
        self.kept = self.misses = 0
        self.dropped: dict[str, int] = {}
        self.last = ""

    def drop(self, why: str, detail: str = "") -> None:
        """Count a candidate that is not given out."""
        self.misses += 1
        self.dropped[why] = self.dropped.get(why, 0) + 1
        self.last = detail or self.last

    def keep(self) -> None:
        """Count one that is."""
        self.kept += 1
        self.misses = 0

    def failure(self) -> GenerationFailed:
        """What to raise when the budget is used up."""
        why = ", ".join(f"{number} {reason}" for reason, number in self.dropped.items())
        last = f"; last: {self.last}" if self.last else ""
        return GenerationFailed(
            f"{self.kept} of {self.wish.number} {self.wish.kind} boards found, then "
            f"{self.misses} tries in a row without another (dropped: {why}{last})"
        )

    def candidates(self) -> Iterator[Instance]:
        """Boards of which no two are the same up to symmetry."""
        for board in self.fresh():
            if board is None:
                raise self.failure()
            self.keep()
            yield board

    def fresh(self) -> Iterator[Instance | None]:
        """Boards not met before; None once the budget is used up."""
        for index in count():
            if self.misses >= self.wish.tries:
                yield None
                return
            try:
                board = self.draw(index)
            except GenerationFailed as error:
                if self.wish.kind == "java":
                    # Its random stream has run on: what comes next is no board of the article.
                    raise
                self.drop("not generated", str(error))
                continue
            key = board.canonical()
            if key in self.seen:
                self.drop("repeats up to symmetry")
                continue
            self.seen.add(key)
            yield board

    def judged(self) -> Iterator[Instance]:
        """Boards with 1 to ``max_solutions`` solutions, in the order of their seeds."""
        wish, most = self.wish, self.most
        asked: dict[int, Instance] = {}

        def jobs() -> Iterator[Job]:
            for index, board in enumerate(self.fresh()):
                if board is None:
                    return
                asked[index] = board
                yield Job(board.puzzle, wish.solver, "count", most + 1, wish.seconds, wish.nodes)

        with ended(run_many(jobs(), wish.workers)) as results:
            for index, result in in_order(results):
                board = asked.pop(index)
                if self.accepts(result):
                    self.keep()
                    yield board
                elif self.misses >= wish.tries:
                    break
        raise self.failure()

    def accepts(self, result: Result) -> bool:
        """Whether the count is as wished; an undecided candidate is dropped and counted."""
        if result.outcome is Outcome.WRONG:
            raise WrongAnswer(self.wish.solver, (result.message,))
        if result.outcome in (Outcome.UNSUPPORTED, Outcome.MISSING):
            raise UsageError(result.message)
        if result.outcome not in (Outcome.ANSWERED, Outcome.TIMEOUT, Outcome.MEMOUT):
            raise RuntimeError(result.message or f"the engine ended: {result.outcome}")
        if result.count and result.count > self.most:
            self.drop("with too many solutions")
        elif not result.exact:
            self.drop("undecided within the limit")
        elif not result.count:
            self.drop("without a solution")
        else:
            return True
        return False


@contextmanager
def ended(source: Iterator[T]) -> Iterator[Iterator[T]]:
    """The iterator, closed at the end if it is one that can be: runs then leave no child."""
    try:
        yield source
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()


def in_order(results: Iterator[tuple[int, Result]]) -> Iterator[tuple[int, Result]]:
    """The same results, sorted by their index as they come."""
    waiting: dict[int, Result] = {}
    turn = 0
    for index, result in results:
        waiting[index] = result
        while turn in waiting:
            yield turn, waiting.pop(turn)
            turn += 1


def _drawer(wish: Wish) -> Draw:
    """The candidate of each number from 0."""
    options(wish.kind)
    if wish.kind == "java":
        return _java(wish)

    def draw(index: int) -> Instance:
        seed = wish.seed + index
        board = make(wish.kind, wish.width, wish.height, seed, wrap=wish.wrap, **wish.settings)
        return _ruled(board, wish)

    return draw


def _java(wish: Wish) -> Draw:
    """The article's generator makes one board after the other from one stream."""
    if wish.width != wish.height or wish.wrap:
        raise UsageError("generator 'java' makes square boards without wrap")
    unknown = set(wish.settings) - set(options("java"))
    if unknown:
        raise UsageError(f"options of generator 'java': found {unknown}, expected budget")
    stream = JavaGenerator(wish.seed)
    return lambda _: _ruled(stream.generate(wish.width, **wish.settings).board, wish)


def _ruled(board: Instance, wish: Wish) -> Instance:
    ruled = board if wish.rules is None else board.with_rules(wish.rules)
    if wish.max_solutions is not None and ruled.rules in ruled.loose_rules:
        others = ", ".join(name for name in ruled.rules_offered if name not in ruled.loose_rules)
        raise UsageError(
            f"few solutions cannot be asked for under the rule {ruled.rules}, which lets most "
            f"pieces lie as they like: expected --rules with one of {others}"
        )
    return ruled


def settings_text(kind: str) -> str:
    """The generator's own settings and their defaults, a line each."""
    lines = [f"{name}={value}" for name, value in options(kind).items()]
    return "\n".join(lines) or f"generator {kind!r} has no settings"


def read_settings(kind: str, given: Sequence[str]) -> dict[str, Any]:
    """``name=value`` texts as values of the kinds that the generator's defaults have.

    Raises UsageError for an unknown name or a value of another kind.
    """
    known = options(kind)
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            accepted = ", ".join(f"{n}={v}" for n, v in known.items()) or "none"
            raise UsageError(f"setting {text!r} of generator {kind!r}: expected {accepted}")
        wanted = type(known[name])
        try:
            found[name] = wanted(value) if wanted in (int, float) else value
        except ValueError:
            raise UsageError(f"setting {text!r} of generator {kind!r}: expected a number") from None
    return found
