"""Messages on a pipe: frames that tell what is ours from whatever else a process may write.

A frame is four fixed bytes, a checksum and the length of its body, then the body. An engine that
writes to the wrong descriptor, or a fork of it that writes at the same time, is noticed before
anything of it is unpickled.
"""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from collections.abc import Iterator
from typing import Any

HEADER = struct.Struct("<4sIQ")
MAGIC = b"plmb"
MAX_BODY = 1 << 34
"""Bytes; no message of ours comes near it."""


class Garbled(ValueError):
    """What came on the pipe is no message."""


def frame(body: bytes) -> bytes:
    """The body with its header."""
    return HEADER.pack(MAGIC, zlib.crc32(body), len(body)) + body


def length_of(header: bytes) -> int:
    """The length of the body that follows; raises Garbled."""
    magic, _, length = HEADER.unpack(header)
    if magic != MAGIC or length > MAX_BODY:
        raise Garbled(f"no header of a message: {header!r}")
    return length


def check(header: bytes, body: bytes) -> None:
    """Raises Garbled if the body is not the one that was sent."""
    if zlib.crc32(body) != HEADER.unpack(header)[1]:
        raise Garbled(f"a message of {len(body)} bytes arrived damaged")


def send(descriptor: int, message: tuple[Any, ...]) -> None:
    """Write one message, however long it takes."""
    view = memoryview(frame(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)))
    while view:
        view = view[os.write(descriptor, view) :]


class Inbox:
    """What has come so far, taken apart into messages."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, piece: bytes) -> None:
        """Add what was read."""
        self._data += piece

    def messages(self) -> Iterator[tuple[Any, ...]]:
        """The messages that are whole; raises Garbled, after which the rest is worth nothing."""
        while len(self._data) >= HEADER.size:
            header = bytes(self._data[: HEADER.size])
            end = HEADER.size + length_of(header)
            if len(self._data) < end:
                return
            body = bytes(self._data[HEADER.size : end])
            del self._data[:end]
            check(header, body)
            yield _unpickled(body)


def _unpickled(body: bytes) -> tuple[Any, ...]:
    try:
        message = pickle.loads(body)
    except Exception as error:  # pickle raises anything
        raise Garbled(f"a message that cannot be read: {error!r}") from error
    if not isinstance(message, tuple) or not message:
        raise Garbled(f"a message that is none: {message!r:.100}")
    return message
