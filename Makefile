# Two commands on a fresh machine:   make demo   and   make test
# Both need Python 3.11 or later and make; uv is used when it is there.

PYTHON ?= python3
VAULT  ?= examples/vault
BIN    := .venv/bin
UV     := $(shell command -v uv 2>/dev/null)

.PHONY: demo test check lint types floors docs bench interop crash fuzz load plots screenshots eval eval-explain eval-engines eval-public eval-retrieval lock sbom advisories clean help

help:           ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ —/'

demo: .venv/ready-to-run   ## set everything up, then answer three questions over VAULT=… through a real MCP client
	@$(BIN)/python examples/demo.py "$(VAULT)"

test: .venv/ready-to-test check   ## set everything up, then run the checks and the tests
	$(BIN)/python -m pytest -n auto

check: lint types floors   ## style, types and floors: the three below

lint: .venv/ready-to-test   ## ruff, rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready-to-test   ## mypy, strict
	$(BIN)/mypy

floors: .venv/ready-to-test   ## import-linter: a floor imports only floors below it
	$(BIN)/lint-imports

docs: .venv/ready-to-test   ## write the pages that are made from the code
	$(BIN)/python -m mmind.config.document > docs/configuration.md

screenshots: .venv/ready-to-test   ## take the pictures of the dashboard and the page anew
	$(BIN)/python -m tests.dashboard.pictures
	$(BIN)/python -m tests.page.picture

interop:   ## install the official TypeScript clients and the Inspector, for the tests that use them
	cd tests/interop && npm install --no-audit --no-fund --no-package-lock

bench: .venv/ready-to-test   ## measure start-up, indexing and retrieve
	$(BIN)/python bench/startup_bench.py
	$(BIN)/python bench/index_bench.py
	$(BIN)/python bench/retrieve_bench.py
	$(BIN)/python bench/evidence_bench.py

eval: .venv/ready-to-test   ## grade the labelled cases against the recorded baseline
	$(BIN)/python -m evals.run

eval-explain: .venv/ready-to-test   ## the arithmetic of one case: CASE=family/name
	$(BIN)/python -m evals.run --explain "$(CASE)"

eval-engines: .venv/ready-to-test   ## ask every labelled case of the served engines too, and compare scores and order
	MMIND_TEST_CASES_ALL=1 $(BIN)/python -m pytest tests/evals/test_same_ranking.py tests/evals/test_engines.py

eval-public: .venv/ready-to-test   ## conflicts and agreement on public labelled pairs in DATA=folder
	$(BIN)/python -m evals.contradiction_eval "$(DATA)" --half test
	$(BIN)/python -m evals.agreement_eval "$(DATA)" --half test

plots: .venv/ready-to-test   ## draw the pictures of the docs from what was measured
	$(BIN)/python -m evals.plots

eval-retrieval: .venv/ready-to-test   ## grade retrieve on labelled sets in MMIND_EVAL_DATA=folder
	$(BIN)/python -m evals.retrieval --half test --write

crash: .venv/ready-to-test   ## kill writers, servers and commands, and cut the power: ARGS="--seed N --kills N sqlite index power"
	$(BIN)/python -m tests.crash.run $(ARGS)

fuzz: .venv/ready-to-test   ## 1,000 examples of each property and 10,000 raw messages, with seeds of today
	MMIND_TEST_FUZZ=long $(BIN)/python -m pytest tests/fuzz -n 2 -o faulthandler_timeout=4000 $(ARGS)

load: .venv/ready-to-test   ## five servers and the command line on one home for two minutes; a vault of 20,000 notes
	$(BIN)/python -m tests.load.run $(ARGS)

lock: .venv/ready-to-lock   ## pin every package that can come along, with its hashes, for all systems and Pythons
	$(BIN)/uv pip compile --universal --python-version 3.11 --all-extras --generate-hashes --no-header --quiet --upgrade \
		pyproject.toml -o requirements.lock

sbom: .venv/ready-to-lock   ## the bill of materials of what is pinned, in dist/sbom.json (CycloneDX)
	@mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible -o dist/sbom.json

advisories: .venv/ready-to-lock   ## ask the public database of advisories about what is pinned; needs the network
	$(BIN)/pip-audit -r requirements.lock --require-hashes --disable-pip

clean:          ## remove what the commands above made
	rm -rf .venv .demo tests/interop/node_modules

.venv/ready-to-run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "mmind needs Python 3.11 or later; set PYTHON=…")'
	@echo "setting up: this takes about a minute, once"
ifdef UV
	@test -x $(BIN)/python || uv venv --quiet --python $(PYTHON) .venv
	uv pip install --quiet --python $(BIN)/python -e .
else
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
endif
	@touch $@

.venv/ready-to-test: .venv/ready-to-run
ifdef UV
	uv pip install --quiet --python $(BIN)/python -e '.[servers]' --group dev
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[servers]' --group dev
endif
	@touch $@

.venv/ready-to-lock: .venv/ready-to-run
ifdef UV
	uv pip install --quiet --python $(BIN)/python --group supply
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group supply
endif
	@touch $@
