# Everything runs in .venv, which gets what a target needs when that is missing or older than
# pyproject.toml: first the package alone, then what tests need, then what lints.

PYTHON ?= python3
BIN := .venv/bin
PIP := install --quiet --disable-pip-version-check --no-warn-conflicts --no-compile --editable
INSTALL := $(BIN)/python -m pip $(PIP)
TOOLS := tests/web/node_modules/.bin
# style.css is ordered by the parts of the page, and !important is for what has to win: hidden
# elements, less motion, print.
PAGE := --error-on-warnings --skip=style/noDescendingSpecificity \
  --skip=complexity/noImportantStyles solver/web/*/*.js solver/web/*/*.ts solver/web/*/*.css \
  docs/site/playground/*.js docs/site/playground/*.css tests/web/browser/*.js tests/web/javascript
TABLES := connect4:4x4 connect4:4x5 connect4:5x4 connect4:5x5 connect4:6x4 connect4:5x6 mnk:4,4,4 \
  morris morris:any kingspawns kingspawns:..k./.pp./.PP./.K.. kingspawns:.k../pppp/PPPP/.K..
QUICK := -n logical --dist worksteal -m 'not slow and not large and not campaign' \
  --hypothesis-profile quick
CORE := rules tables solving proof agent arena
FORMAT := --indent-style=space --line-width=100

.PHONY: install dev modules solve verify tables release quick test test-large campaigns coverage mutants lint lint-page format-page site bench clean

install: .venv/installed

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "perfectplay needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 1; }
	if $(PYTHON) -c 'import pip; assert int(pip.__version__.split(".")[0]) >= 23' 2>/dev/null; then \
	  $(PYTHON) -m venv --without-pip .venv && \
	  $(PYTHON) -m pip --python $(BIN)/python $(PIP) . pip; \
	else $(PYTHON) -m venv .venv && $(INSTALL) .; fi  # which installs pip first, and is slower
	@touch $@

.venv/for-tests: .venv/installed
	$(INSTALL) '.[test]'
	@touch $@

dev: .venv/for-development

.venv/for-development: .venv/for-tests
	$(INSTALL) '.[dev]' --no-build-isolation
	@touch $@

# What tests of the page need beside a browser, and what lints it.
modules: .venv/for-development tests/web/node_modules/installed

tests/web/node_modules/installed: tests/web/package.json
	npm install --no-package-lock --no-audit --no-fund --prefix tests/web
	@touch $@

solve: install
	$(BIN)/perfectplay solve tictactoe --method search --output data/tictactoe.json

verify: install
	$(BIN)/perfectplay verify data/tictactoe.json --game tictactoe
	$(BIN)/python -m examples.checkers.verify_alone data/tictactoe.json --game tictactoe

# The large tables that a release offers, packed and proved, with their hashes: build/tables. All take
# about an hour, 4 GB of memory and 20 GB of disk; tables that are there already are proved again.
tables: .venv/for-tests
	mkdir -p build/tables
	set -e; for game in $(TABLES); do \
	  name=$$(echo "$$game" | tr ':/' '-_').safetensors; file=build/tables/$$name; \
	  if [ ! -e "$$file" ]; then \
	    $(BIN)/perfectplay solve "$$game" --memory 4GB -o "build/$$name"; \
	    $(BIN)/perfectplay export "build/$$name" --game "$$game" -o "$$file"; \
	    rm "build/$$name"; \
	  fi; \
	  $(BIN)/perfectplay verify "$$file" --game "$$game"; \
	done
	cd build/tables && sha256sum *.safetensors > SHA256SUMS

# What a release uploads, built and tried in empty environments: build/release.
release: .venv/for-tests
	$(BIN)/python -m scripts.release

# What to run at each save: two cases of each test; no browser, no installs.
quick: .venv/for-tests
	$(BIN)/python -m pytest $(QUICK) --ignore tests/web/browser

# Everything a user should see pass.
test: .venv/for-tests
	$(BIN)/python -m pytest -n auto --dist worksteal

# Which lines of the core rooms no quick test of them runs; fails below the floor in pyproject.toml.
coverage: .venv/for-tests
	$(BIN)/python -m pytest $(QUICK) -m 'not slow and not large and not campaign and not no_cover' \
	  $(CORE:%=tests/%) $(CORE:%=--cov=solver/%)

# The rest: whole matrices, gigabytes, and properties with many examples.
test-large: .venv/for-tests
	$(BIN)/python -m pytest -n auto --dist worksteal -m '(large or hypothesis) and not campaign' \
	  --hypothesis-profile thorough

# Thousands of random games, of forged tables, of random bodies of rules and of command lines.
campaigns: coverage
	$(BIN)/python -m pytest -n auto --dist worksteal -m campaign --hypothesis-seed 1

# A sample of changed lines in the core rooms: at least 95 % must fail a test.
mutants: .venv/for-tests
	$(BIN)/python -m scripts.mutants

lint: .venv/for-development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -n "$$PERFECTPLAY_ALL_TESTS" ] || command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory lint-page; else \
	  echo "make lint: JavaScript and CSS were not checked, since npm is not installed" >&2; fi

lint-page: modules
	$(TOOLS)/biome check $(FORMAT) $(PAGE)
	$(TOOLS)/tsc --project tests/web

format-page: modules
	$(TOOLS)/biome check --write $(FORMAT) $(PAGE)

# The documentation, the page with small games and the playground, for any web server: build/site.
site: modules
	$(INSTALL) '.[docs]' --no-build-isolation
	$(BIN)/python -m scripts.docs --check
	$(BIN)/python -m scripts.site

# Exits with 1 if a row misses its target; python -m scripts.bench --slow measures large games, too.
bench: .venv/for-tests
	-$(INSTALL) '.[bench]' --no-build-isolation
	$(BIN)/python -m scripts.bench

clean:
	rm -rf .venv tests/web/node_modules build dist .coverage .mypy_cache .pytest_cache .ruff_cache
