"""The program's standard streams where they are closed, full or cannot show a board."""

from __future__ import annotations

import errno
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def open_streams() -> None:
    """Give the program all three standard streams: one that the caller closed becomes the null
    device, and no pipe or file of ours gets its number.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def output_trouble(error: Exception) -> str | None:
    """What to say of an output that cannot be written; None for any other error."""
    if isinstance(error, UnicodeEncodeError):
        sign = ascii(error.object[error.start])
        return (
            f"found an output in {error.encoding}, which cannot show {sign}, "
            "expected UTF-8 (such as PYTHONIOENCODING=utf-8)"
        )
    if isinstance(error, OSError) and error.errno in FULL:
        return f"the output cannot be written: {error.strerror}"
    return None
