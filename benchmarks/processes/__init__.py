"""One run of one engine, in a process of its own: jobs, children, limits, records."""
