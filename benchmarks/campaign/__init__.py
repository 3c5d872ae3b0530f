"""A measured campaign: suites, the machine, the runs in their store."""
