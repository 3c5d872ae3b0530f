"""Build script. Metadata and the package list stand in pyproject.toml."""

from setuptools import setup

setup()
