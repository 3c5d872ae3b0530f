"""A line that says how far things are."""

from __future__ import annotations

import sys
import time


class Progress:
    """A line on standard error, on a terminal only: how much is done."""

    def __init__(self) -> None:
        self.shown = False
        self.wanted = sys.stderr.isatty()
        self.begin = self.last = time.monotonic()

    def say(self, text: str) -> None:
        """Show this text in place of the last, a few times a second at most."""
        now = time.monotonic()
        if self.wanted and now - self.last > 0.2:
            sys.stderr.write(f"\r\x1b[K{text} ({now - self.begin:.0f} s)")
            sys.stderr.flush()
            self.last, self.shown = now, True

    def clear(self) -> None:
        """Take the line away before something else is printed."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False
