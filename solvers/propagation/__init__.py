"""The hand-written engine."""
