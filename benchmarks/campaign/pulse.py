"""How far a campaign is: a line that changes on a terminal, else a plain one now and then."""

from __future__ import annotations

import sys
import time

from ..progress import Progress
from ..units import span_text

PLAIN_SECONDS = 15.0


class Pulse(Progress):
    """Says how much is done, and how long the rest may take."""

    def __init__(self) -> None:
        super().__init__()
        self.last_line = self.begin

    def beat(self, text: str, done: int, left: int, start: float) -> None:
        """``done`` runs have ended since ``start`` (monotonic clock), ``left`` are to come."""
        now = time.monotonic()
        plain = not self.wanted and now - self.last_line > PLAIN_SECONDS
        if not self.wanted and not plain:
            return
        if done and left:
            text = f"{text}, {about((now - start) / done * left)} left"
        self.say(text)
        if plain:
            self.last_line = now
            print(f"{text} ({now - self.begin:.0f} s)", file=sys.stderr, flush=True)


def about(seconds: float) -> str:
    """A rough span: it is only an estimate."""
    if seconds < 100:
        return f"about {span_text(max(1, round(seconds)))}"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 100 else f"about {minutes / 60:.1f} h"
