# The two commands are `make lab` and `make test`; what `make test` leaves out is in `make gates`.
# Another Python: `make lab PYTHON=python3.12`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest -q -rs --numprocesses logical --maxprocesses 8

# `make quick`: every operation's values, the backward pass, layers, one lesson's checks, the examples in the manual.
QUICK := tests/ops/test_cases.py tests/ops/test_formula.py tests/nn/test_module.py tests/nn/test_layers.py \
         tests/test_scalar.py tests/test_tensor.py \
         $(addprefix tests/autograd/test_,accumulation.py backward.py function.py gradcheck.py higher_order.py in_place.py) \
         tests/course/test_diagnosis.py tests/test_docs.py tests/test_doctests.py tests/house/test_hygiene.py tests/house/test_readme.py

# More than one BLAS thread makes a busy machine slower, not faster.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS      := 1
export MKL_NUM_THREADS      := 1

# An environment works only where it was made: when the folder was moved or copied, it is made anew.
MADE_IN := $(shell cat $(VENV)/made-in 2>/dev/null)
ifneq ($(MADE_IN),)
ifneq ($(MADE_IN),$(CURDIR))
REMAKE := remake
endif
endif

.PHONY: help lab quick test gates site lite release bench lint format translations clean remake
.DEFAULT_GOAL := help

help:
	@echo "make lab     set up and open the course in JupyterLab"
	@echo "make quick   set up and test a part: style and the unit tests of the core; a minute"
	@echo "make test    set up and test: style, types, the notebooks, every unit test; minutes"
	@echo "make gates   set up and run the long tests: more seeds, wrong answers, a browser; more minutes"
	@echo "make site    set up and build the site, in English and in Spanish, into build/site"
	@echo "make lite    set up and build the course for the browser into build/lite: make lite NUMPY=its wheel for the browser"
	@echo "make bench   measure, beside the goals"
	@echo "make lint    style, words and types only"
	@echo "make release build what is committed, try it in fresh environments, say how to publish it"
	@echo "make format  lay the code out"
	@echo "make translations  bring each language's messages up to date, and look them over"
	@echo "make clean   remove what the tools made; your notebooks and exercises stay"

lab: $(VENV)/.lab
	@$(BIN)/minitorch lab

quick: $(VENV)/.test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(PYTEST) --dist worksteal -m 'not gate and not live' $(QUICK)

test: $(VENV)/.test lint
	@$(PYTEST) --dist loadfile --nbval notebooks --ignore=notebooks/es
	@$(PYTEST) --dist worksteal -m 'not gate and not live'

# A file of gates stays with one process: what it has started, a server or a wheel, all of its tests use.
gates: $(VENV)/.test $(VENV)/.site $(VENV)/.lite
	@$(BIN)/python scripts/notebooks.py test solved disorder spanish
	@$(PYTEST) --dist loadfile --no-loadscope-reorder -m 'gate and not exhaustive'

site: $(VENV)/.site
	@$(BIN)/python site/make.py

lite: $(VENV)/.lite
	@$(BIN)/python scripts/lite.py $(if $(NUMPY),--numpy '$(NUMPY)')

release: $(VENV)/.test
	@$(BIN)/python scripts/release.py

bench: $(VENV)/.test
	@$(BIN)/python -m benchmarks

lint: $(VENV)/.test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/python scripts/prose.py
	@$(BIN)/mypy

translations: $(VENV)/.test
	@$(BIN)/python scripts/messages.py update
	@$(BIN)/python scripts/messages.py check

format: $(VENV)/.test
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

clean:
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './work/*' -prune -exec rm -rf {} +

$(BIN)/python: $(REMAKE)
	@command -v $(PYTHON) >/dev/null || { echo "minitorch needs Python 3.11 or newer, and there is no $(PYTHON) here. Install one, or name yours: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "minitorch needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name a newer one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Making an environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); echo "Python could not make an environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }

$(VENV)/.lab: pyproject.toml constraints.txt $(REMAKE) | $(BIN)/python
	@echo "Installing JupyterLab and minitorch (once; this takes a minute or two)"
	@$(PIP) --editable '.[lab]' || { echo "Installing failed: the lines above say why. The first run needs a network."; exit 1; }
	@printf '%s' '$(CURDIR)' > $(VENV)/made-in
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt $(REMAKE) | $(BIN)/python
	@echo "Installing minitorch and its test tools (once; this takes a minute or two)"
	@$(PIP) --editable '.[lab,test,dev]' || { echo "Installing failed: the lines above say why. The first run needs a network."; exit 1; }
	@printf '%s' '$(CURDIR)' > $(VENV)/made-in
	@touch $@ $(VENV)/.lab

$(VENV)/.site: pyproject.toml constraints.txt $(REMAKE) | $(BIN)/python
	@echo "Installing what builds the site and making the lectures (once; this takes some minutes)"
	@$(PIP) --editable '.[site]' || { echo "Installing failed: the lines above say why. The first run needs a network."; exit 1; }
	@$(BIN)/python site/lectures.py
	@printf '%s' '$(CURDIR)' > $(VENV)/made-in
	@touch $@

$(VENV)/.lite: pyproject.toml constraints.txt $(REMAKE) | $(BIN)/python
	@echo "Installing what builds the browser edition (once; this takes a minute or two)"
	@$(PIP) --editable '.[lite]' || { echo "Installing failed: the lines above say why. The first run needs a network."; exit 1; }
	@printf '%s' '$(CURDIR)' > $(VENV)/made-in
	@touch $@
