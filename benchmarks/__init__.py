"""Engines measured and compared.

``jobs``, ``runner`` and ``worker`` run engines in child processes, ``agreement`` judges them,
``bench`` and ``store`` make and keep a campaign, ``matrix`` tries every engine at every job,
``selection`` chooses generated puzzles, ``experiments`` redoes those of the articles.
"""
