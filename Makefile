# Everything runs in .venv, which is made when it is missing or older than pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin
TOOLS := tests/web/node_modules/.bin
# style.css is ordered by the parts of the page, and !important is for what has to win: hidden
# elements, less motion, print.
PAGE := --error-on-warnings --skip=style/noDescendingSpecificity \
  --skip=complexity/noImportantStyles solver/web/*/*.js solver/web/*/*.ts solver/web/*/*.css \
  tests/web/browser/*.js tests/web/javascript
FORMAT := --indent-style=space --line-width=100

.PHONY: install modules solve verify tables quick test test-large campaigns coverage mutants lint lint-page format-page docs bench bench-large clean

install: .venv/installed

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "perfectplay needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# What tests of the page need beside a browser, and what lints it.
modules: tests/web/node_modules/installed

tests/web/node_modules/installed: tests/web/package.json
	npm install --no-package-lock --no-audit --no-fund --prefix tests/web
	@touch $@

solve: install
	$(BIN)/perfectplay solve tictactoe --method search --output data/tictactoe.json

verify: install
	$(BIN)/perfectplay verify data/tictactoe.json --game tictactoe
	$(BIN)/python -m scripts.verify_alone data/tictactoe.json --game tictactoe

# The large tables that a release offers, packed and proved, with a list: build/tables.
tables: install
	$(BIN)/python -m scripts.tables

# What to run at each save: two cases of each test; no browser, no installs.
quick: install
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow and not large and not campaign' \
	  --ignore tests/web/browser --hypothesis-profile quick

# Everything a user should see pass.
test: install
	$(BIN)/python -m pytest -n auto --dist worksteal

coverage: install
	$(BIN)/python -m pytest -n auto --dist worksteal --cov

# The rest: whole matrices, gigabytes, and properties with many examples.
test-large: install
	$(BIN)/python -m pytest -n auto --dist worksteal -m '(large or hypothesis) and not campaign' \
	  --hypothesis-profile thorough

# Thousands of random games and of random bodies of rules.
campaigns: install
	$(BIN)/python -m pytest -n auto --dist worksteal -m campaign

# A sample of changed lines in the core rooms: at least 95 % must fail a test.
mutants: install
	$(BIN)/python -m scripts.mutants

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/python -m scripts.public_types
	@if [ -n "$$PERFECTPLAY_ALL_TESTS" ] || command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory lint-page; else \
	  echo "make lint: JavaScript and CSS were not checked, since npm is not installed" >&2; fi

lint-page: modules
	$(TOOLS)/biome check $(FORMAT) $(PAGE)
	$(TOOLS)/tsc --project tests/web

format-page: modules
	$(TOOLS)/biome check --write $(FORMAT) $(PAGE)

# The documentation as a site: build/docs/site/index.html.
docs: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m scripts.docs --check
	$(BIN)/python -m scripts.site

bench: install
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m scripts.bench

# Connect 4 on 5x6: a billion positions.
bench-large: install
	$(BIN)/python -m scripts.bench_large

clean:
	rm -rf .venv tests/web/node_modules build dist .coverage .mypy_cache .pytest_cache .ruff_cache
