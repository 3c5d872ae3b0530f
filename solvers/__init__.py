"""One contract, one file or folder per engine."""
