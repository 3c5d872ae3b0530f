"""One planted type error, through the same import that the tests use."""

from plumbench.puzzles.topology import Square

Square("three", 3)
