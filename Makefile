# Every target sets up .venv by itself; a machine needs Python 3.11 or newer, gcc and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: bench browser experiments experiments-quick test check fuzz clean

bench: $(READY)
	@$(BIN)/plumbench bench quick

experiments: $(READY)
	@$(BIN)/plumbench experiment all --out results/experiments >/dev/null
	@echo results/experiments/index.html

experiments-quick: $(READY)
	@$(BIN)/plumbench experiment all --quick --out results/experiments-quick >/dev/null
	@echo results/experiments-quick/index.html

test: $(READY)
	@echo "running the test suite"
	@$(BIN)/python -m pytest -n 2 --dist worksteal

browser:
	@sh .ci/browser

check: $(READY)
	@sh .ci/check

fuzz: $(READY)
	@echo "running the heavy random tests"
	@$(BIN)/python -m pytest -n 2 -m fuzz

clean:
	@echo "removing .venv, results and caches"
	@rm -rf .venv .check build dist results .hypothesis .pytest_cache .ruff_cache *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml setup.py constraints.txt
	@echo "setting up .venv (once; downloads about 280 MB)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "plumbench needs Python 3.11 or newer: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt setuptools
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $(READY)
