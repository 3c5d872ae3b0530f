"""What a puzzle is: model, families, topologies, formats, generators, checker."""
