"""``python -m plumbench`` and the ``plumbench`` command."""

from .cli import main

if __name__ == "__main__":
    main()
