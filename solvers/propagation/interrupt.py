"""Ctrl-C at a moment when the search state is whole, not in the middle of a step."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class HeldInterrupt:
    """While entered, SIGINT is only noted; ``deliver`` (and leaving) hands it to the handler
    that was there before, which normally raises KeyboardInterrupt.

    Does nothing outside the main thread, which alone receives signals, or where SIGINT is
    ignored or left to the system.
    """

    def __init__(self) -> None:
        self._seen: list[tuple[int, FrameType | None]] = []
        self._before: object = None

    def __enter__(self) -> HeldInterrupt:
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if callable(self._before):
            signal.signal(signal.SIGINT, self._before)
        if error is None:
            self.deliver()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._seen.append((number, frame))

    def deliver(self) -> None:
        """Hand over what has been noted; raises whatever the earlier handler raises."""
        if self._seen and callable(self._before):
            number, frame = self._seen.pop()
            self._seen.clear()
            self._before(number, frame)
