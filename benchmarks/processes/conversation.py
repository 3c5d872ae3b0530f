"""Questions to one engine, each of which depends on the answers before: in one child process."""

from __future__ import annotations

from collections.abc import Iterator

from .jobs import Job, Result
from .runner import run_many


class Conversation:
    """A child process that is kept from job to job; a context manager that ends it."""

    def __init__(self) -> None:
        self._job: Job | None = None
        self._results = run_many(self._feed(), 1)

    def _feed(self) -> Iterator[Job]:
        while self._job is not None:
            job, self._job = self._job, None
            yield job

    def ask(self, job: Job) -> Result:
        """The record of the job, however it ended; raises UsageError as ``run_many`` does."""
        self._job = job
        return next(self._results)[1]

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.close()
