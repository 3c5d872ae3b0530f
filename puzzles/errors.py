"""Every exception plumbench raises on purpose.

::

    PlumbenchError
    ├── InputError          bad text, with file, line and column          (exit 2)
    ├── InvalidPuzzle       a puzzle that breaks the model's own rules    (exit 2)
    ├── UsageError          an option or name that is not accepted        (exit 2)
    ├── Unsupported         a job this engine cannot do                   (exit 2)
    ├── MissingBackend      the engine's library is not installed         (exit 2)
    ├── GenerationFailed    a generator's budget ran out                  (exit 3)
    └── WrongAnswer         a solution the checker refused                (exit 4)
"""

from __future__ import annotations


class PlumbenchError(Exception):
    """Base of all deliberate errors; ``exit_code`` is what the command line returns."""

    exit_code = 2


class InputError(PlumbenchError):
    """Text that cannot be read as a puzzle: where, what was found, what was expected.

    ``line`` and ``column`` count from 1; None where they mean nothing.
    """

    def __init__(
        self,
        found: str,
        expected: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.found, self.expected = found, expected
        self.file, self.line, self.column = file, line, column
        super().__init__(found, expected)

    def __str__(self) -> str:
        place = [self.file or "input"]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        return f"{', '.join(place)}: found {self.found}, expected {self.expected}"


class InvalidPuzzle(PlumbenchError, ValueError):
    """Arguments that do not describe a puzzle of the model."""


class UsageError(PlumbenchError, ValueError):
    """An unknown engine, variant, rule, format or option value."""


class Unsupported(PlumbenchError):
    """The engine has no way to do this job; said at once, never by a wrong answer."""

    def __init__(self, engine: str, job: str) -> None:
        self.engine, self.job = engine, job
        super().__init__(f"engine {engine!r} cannot do this: {job}")


class MissingBackend(PlumbenchError):
    """The library behind an engine cannot be imported."""

    def __init__(self, engine: str, why: str) -> None:
        self.engine, self.why = engine, why
        super().__init__(f"engine {engine!r} is not available: {why}")


class GenerationFailed(PlumbenchError):
    """No puzzle as asked was found within the budget."""

    exit_code = 3


class WrongAnswer(PlumbenchError):
    """An engine returned a solution that the checker refuses; ``reasons`` say why."""

    exit_code = 4

    def __init__(self, engine: str, reasons: tuple[str, ...]) -> None:
        self.engine, self.reasons = engine, reasons
        super().__init__(f"engine {engine!r} gave a wrong answer: {'; '.join(reasons)}")
