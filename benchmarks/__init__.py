"""Suites, runner, store, agreement, statistics, report, experiments."""
