"""``python -m plumbench`` and the ``plumbench`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """The program; Ctrl-C while it is still being loaded ends it as quietly as later."""
    try:
        from .cli import main as program

        program()
    except KeyboardInterrupt:
        sys.stderr.write("plumbench: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
