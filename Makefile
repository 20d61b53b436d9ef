# Two commands for everybody: `make demo` and `make test`. The rest is for those who work on discreet.
PYTHON ?= python3
VENV ?= .venv
PROCESSES ?= 2
SET := $(if $(DISCREET_FULL),full,dev)
READY := $(VENV)/.ready-$(SET)
BIN := $(VENV)/bin
# most modules of most packages are never imported, so none is compiled before
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
PART := @.ci/part
# every process of a test run would compile every module again
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-fast test-section check format wheel supply-chain vulnerabilities lock docs bench clean
.DEFAULT_GOAL := demo

$(READY): requirements/pip.txt requirements/$(SET).txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements/pip.txt || echo "The pip that came with Python goes on; it takes longer."
	$(PART) "Setting up $(VENV) (once; $(SET) requirements)" $(PIP) --require-hashes -r requirements/$(SET).txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: ready
ready: $(READY)

PACKING := $(VENV)/.ready-packing
$(PACKING): requirements/packing.txt $(READY)
	$(PART) "Setting up what packs and locks" $(PIP) --require-hashes -r requirements/packing.txt
	@touch $@

demo: $(READY)  ## make a population, design, prove, release, read: under a minute
	@$(BIN)/discreet demo

test: $(READY)  ## all the tests this machine can run; says what it left out
	$(PART) "All the tests this machine can run, slow ones too, in $(PROCESSES) processes" \
		env DISCREET_SLOW=1 $(BIN)/python -m pytest -n $(PROCESSES) -q --durations=15
	$(if $(DISCREET_FULL),,@echo "Left out: Spark, studio and browser tests (.ci/run installs what they need and runs them).")

test-fast: $(READY)  ## a cross-section of the tests, in a minute or two
	$(PART) "The fast tests on $$($(BIN)/python --version)" $(BIN)/python -m pytest -n $(PROCESSES) -q

test-section: $(READY)  ## every fast test with two of its cases and few examples: for a second Python (tests/amounts.py)
	$(PART) "Two cases of every fast test on $$($(BIN)/python --version)" env DISCREET_SECTION=1 $(BIN)/python -m pytest -q

check: $(READY)  ## formatter, linter, strict types
	$(PART) "The formatter" $(BIN)/ruff format --check .
	$(PART) "The linter" $(BIN)/ruff check .
	$(PART) "Strict types" $(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

wheel: $(PACKING)  ## build, check the metadata, install in a clean environment, run the smoke tests against it
	rm -rf dist build/wheel-venv
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/wheel-venv
	build/wheel-venv/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[tables]" pytest hypothesis
	cd build && DISCREET_WHEEL=1 wheel-venv/bin/python -m pytest -q -m smoke -o pythonpath=. -c ../pyproject.toml --rootdir=.. ../tests

TOOLS := build/tools/bin
$(TOOLS)/cyclonedx-py:
	$(PYTHON) -m venv build/tools
	$(TOOLS)/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom pip-licenses pip-audit

supply-chain: wheel $(TOOLS)/cyclonedx-py  ## licences of what the wheel needs, and a bill of materials beside it
	$(TOOLS)/cyclonedx-py environment build/wheel-venv --output-reproducible --of JSON -o dist/discreet.cdx.json
	$(TOOLS)/pip-licenses --python build/wheel-venv/bin/python --from=mixed --order=license \
		--partial-match --allow-only="Apache;BSD;MIT;PSF;Python Software Foundation;MPL;Mozilla;ISC;LGPL;0BSD;Unlicense;Zlib"

vulnerabilities: supply-chain  ## known vulnerabilities of what the wheel needs; asks a database over the network
	$(PYTHON) .ci/known-vulnerabilities $(TOOLS)/pip-audit build/wheel-venv/bin/python

lock: $(PACKING)  ## compile the requirements with hashes, for every supported Python
	$(foreach set,pip dev full packing,$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-package discreet --no-emit-index-url --no-annotate --no-header -o requirements/$(set).txt requirements/$(set).in;)

docs: $(READY)  ## the documentation site, strict
	@$(BIN)/python -c "import mkdocs, material" 2>/dev/null || $(PIP) mkdocs-material
	$(BIN)/mkdocs build --strict

bench: $(READY)  ## everything measured side by side; needs the network to fetch the peers (python -m bench --quick is smaller)
	$(BIN)/python -m bench

clean:
	rm -rf .venv .venv-newest build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .artefacts
