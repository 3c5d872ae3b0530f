"""The puzzle files that ship with the package, made by its own generators."""
