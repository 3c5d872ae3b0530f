"""One contract, one file or folder per engine.

``contract`` says what an engine is, ``registry`` names them, ``run`` and ``api`` put questions to
them. Engines: ``propagation``, ``sat``, ``cpsat``, ``milp``, ``reference`` (the articles'
searches), ``brute``; ``template`` is one to copy.
"""
