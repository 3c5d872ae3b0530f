"""Engines measured and compared.

- ``processes``: one run of one engine, in a child process with hard limits;
- ``judging``: do the engines agree, and who is right;
- ``campaign``: suites of puzzles, run and stored, and the machine they ran on;
- ``statistics``, ``report``: what the stored runs say, as numbers, pages and plots;
- ``experiments``: those of the articles, redone;
- ``matrix`` tries every engine at every job, ``selection`` chooses generated puzzles, ``doctor``
  looks at this installation.
"""
