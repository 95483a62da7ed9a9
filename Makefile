# Every target makes the virtual environment it needs. `make help` lists them.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin

# One thread a process: the models and matrices are small, and more threads only fight each other.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# The first interpreter that runs and is new enough; a name on PATH alone proves nothing.
FIND_PYTHON = for name in $${PYTHON:-} python3.12 python3.11 python3.13 python3 python; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo $$name; exit 0; fi; done; \
	echo "Mnemis needs Python 3.11 or newer; set PYTHON=/path/to/python" >&2; exit 1

.PHONY: help setup demo check check-slow bench format clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' Makefile | column -t -s '|' 2>/dev/null \
		|| sed -nE 's/^([a-z-]+):.*## (.*)/  make \1  \2/p' Makefile

setup: $(READY) ## a virtual environment with everything, in .venv

$(READY): pyproject.toml
	@python=$$($(FIND_PYTHON)); \
	echo "Setting up $(VENV) (once, a few minutes)…" >&2; \
	rm -rf $(VENV); $$python -m venv $(VENV); \
	$(BIN)/python -m pip install -qq --disable-pip-version-check --upgrade pip; \
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[all,dev]'; \
	touch $@

demo: $(READY) ## remember the shipped conversation and ask it questions
	@$(BIN)/mnemis demo

check: $(READY) ## what CI runs: format, lint, types, layers, tests, recipes, wheel
	@echo "== format and lint"; $(BIN)/ruff format --check --quiet .; $(BIN)/ruff check --quiet .
	@echo "== types"; $(BIN)/pyright --pythonpath $(BIN)/python; $(BIN)/mypy
	@echo "== layers"; $(BIN)/lint-imports --no-cache > .import-linter.log \
		|| { cat .import-linter.log; exit 1; }; grep 'Contracts:' .import-linter.log
	@echo "== tests"; $(BIN)/python -m pytest -q

check-slow: $(READY) ## the tests that take minutes: crashes, extras alone, big memories
	@$(BIN)/python -m pytest -q -m slow --timeout 1200

bench: $(READY) ## measure recall and speed; results in bench-results/
	@$(BIN)/python -m tests.benchmarks $(if $(POOLS),--pools "$(POOLS)") $(BENCH)

format: $(READY) ## let ruff format and fix what it can
	@$(BIN)/ruff format --quiet .; $(BIN)/ruff check --fix --quiet .

clean: ## remove what the other targets made
	@rm -rf $(VENV) build dist bench-results demo-memory .pytest_cache .mypy_cache .ruff_cache \
		.hypothesis .import_linter_cache .import-linter.log
