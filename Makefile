# Everything runs in a virtual environment of its own, made when it is first needed.

VENV ?= .venv
PYTHON ?= python3
BIN = $(abspath $(VENV))/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test check lint types wheel bench growth generated clean

$(VENV)/.base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -e ".[compiler]"
	touch $@

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -e ".[dev]"
	touch $@

demo: $(VENV)/.base
	$(BIN)/compile-template templates/smollm3.json -o build/demo/smollm3.py
	$(BIN)/python examples/stream_smollm3.py build/demo/smollm3.py

test: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal

check: $(VENV)/.dev
	$(BIN)/compile-template templates/*.json -o generated/ --check

generated: $(VENV)/.dev
	$(BIN)/compile-template templates/*.json -o generated/

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy finds the packages of a mapped layout only if they are laid out as they are imported.
types: $(VENV)/.dev
	rm -rf build/types && mkdir -p build/types/untemplate
	for part in compiler runtime generated integrations templates; do ln -s $(CURDIR)/$$part build/types/untemplate/$$part; done
	cd build/types && $(BIN)/mypy --config-file $(CURDIR)/pyproject.toml

wheel: $(VENV)/.dev
	rm -rf build/wheel && $(BIN)/python -m build --quiet --wheel --outdir build/wheel
	rm -rf build/clean && $(PYTHON) -m venv build/clean
	build/clean/bin/pip install --quiet build/wheel/*.whl
	cd build/clean && bin/python -I $(CURDIR)/examples/stream_smollm3.py

bench: $(VENV)/.dev
	$(BIN)/pip install --quiet -e ".[bench]"
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/deltas.py

growth: $(VENV)/.dev
	$(BIN)/pip install --quiet -e ".[bench]"
	$(BIN)/python benchmarks/growth.py

clean:
	rm -rf build dist .venv *.egg-info
