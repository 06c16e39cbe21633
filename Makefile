# Two commands matter: `make site` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
PORT ?= 8000
JOBS ?= 2
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help site build evaluate test lint types unit browser coverage format programs tools screenshots lighthouse clean weights

help: ## Say what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 14

site: $(VENV)/.site ## Build this repository's site and serve it, rebuilding on every change
	$(BIN)/torus-site serve --port $(PORT)

build: $(VENV)/.site ## Build this repository's site into build/
	$(BIN)/torus-site build

evaluate: weights ## Run the open run again from nothing, and compare it with the committed one
	@sh tests/tools/install-programs.sh flite espeak-ng fluidsynth timgm6mb-soundfont
	rm -rf .cache/evaluate
	$(BIN)/torus-eval run --benchmark torus --runs .cache/evaluate --executor process --jobs $(JOBS)
	$(BIN)/torus-eval measure .cache/evaluate/torus/*
	$(BIN)/torus-eval export .cache/evaluate/torus/* --output .cache/evaluate/export
	$(BIN)/python benchmarks/evaluate.py .cache/evaluate/export

test: programs $(VENV)/.test tools lint weights ## Run every check and every test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

lint: $(VENV)/.test ## Check style, types and spelling
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy --no-error-summary
	$(BIN)/codespell

unit: $(VENV)/.test ## Run the tests that need neither a browser nor npm nor packaging
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not browser and not npm and not packaging"

browser: programs $(VENV)/.test tools ## Run the browser tests, and fail if one is skipped
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile -m browser --require-browser

coverage: $(VENV)/.test ## Run the tests under coverage: 90 % overall, every branch of records, stats and views
	$(BIN)/python -m pytest -q -n $(WORKERS) --cov --cov-report= -m "not browser and not npm"
	$(BIN)/coverage report --skip-covered --fail-under=90
	$(BIN)/coverage report --skip-covered --fail-under=100 \
		--include='*/torus_site/records/*,*/torus_site/stats/*,*/torus_site/views/*'

format: $(VENV)/.test ## Format the Python files and mend what can be mended
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

screenshots: build programs $(VENV)/.test ## Photograph every page, wide and narrow, light and dark, into .cache/screenshots
	$(BIN)/python benchmarks/screenshots.py build .cache/screenshots

lighthouse: programs $(VENV)/.test tools ## Score home, an example and the results with Lighthouse
	$(BIN)/python benchmarks/lighthouse.py

clean: ## Remove the built site, the caches and what was installed
	rm -rf build dist .cache $(VENV) tests/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

programs: # Chromium, speech, Node.js and Java, where the system's package manager can bring them
	@sh tests/tools/install-programs.sh

weights: $(VENV)/.models # The models that listen and measure, into the user's cache: 100 MB once
	@$(BIN)/torus-eval models install --quiet

tools: tests/node_modules/.installed

tests/node_modules/.installed: tests/package.json
	@if command -v npm >/dev/null 2>&1; then \
		npm --prefix tests install --loglevel=error && touch $@; \
	else \
		echo "npm is missing: the tests that need its packages will be skipped"; \
	fi

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with make PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.site: pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV): this takes a minute or two"
	$(PIP) install --editable .
	@touch $@

$(VENV)/.models: pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV): this takes a minute or two"
	$(PIP) install --editable '.[models]'
	@touch $@ $(VENV)/.site

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV): this takes a minute or two"
	$(PIP) install --editable '.[test]'
	@$(PIP) install --editable '.[server]' || echo "no small chat server to be had: its test will be skipped"
	@touch $@ $(VENV)/.site $(VENV)/.models
