"""What a puzzle is.

``model`` and ``check`` say what all puzzles are and when an answer is right; ``instance`` what
files hold. Families: ``board`` (pipes), ``flow``, ``path`` and ``loop``, ``dominoes``, ``raw``
(the model itself). Beside them ``topology``, ``formats``, ``generators``, ``euler``, ``library``.
"""
