"""What stored runs say, in numbers: scores, portfolios, ratios, curves, fits, noise, changes.

All functions read the table that ``frame.frame`` makes, one row per run; docs/statistics.md
defines every figure. Where a figure would mislead it is None with its reason, never a NaN.
"""
