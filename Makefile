.PHONY: test
VENV := .venv
PY := $(VENV)/bin/python

$(VENV)/.test: pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --editable '.[test]'
	touch $@

test: $(VENV)/.test
	$(PY) -m ruff check .
	$(PY) -m pytest
