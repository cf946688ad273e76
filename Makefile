# What a newcomer needs: make run, make test. The rest is listed by make help.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
export PORT

.DEFAULT_GOAL := help
.PHONY: help run admin test quick lint types check bench screenshot requirements clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

run: $(VENV)/base ## Serve the site at http://127.0.0.1:8000/ (PORT= changes it)
	@$(BIN)/python manage.py setup_site
	@exec $(BIN)/gunicorn --config gunicorn.conf.py confsched.wsgi

admin: $(VENV)/base ## Make an organizer's account
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py createsuperuser

test: $(VENV)/dev ## Run the whole test suite (TEST_DATABASE_URL= adds a run on PostgreSQL)
	@$(BIN)/pytest -n 2 --dist loadfile
	@if [ -n "$$TEST_DATABASE_URL" ]; then \
	  echo "Once more on PostgreSQL: what touches the database."; \
	  DATABASE_URL="$$TEST_DATABASE_URL" $(BIN)/pytest -n 2 --dist loadfile tests/bridges tests/pages; \
	elif [ "$$CI" = true ]; then echo "TEST_DATABASE_URL is not set: nothing was tried on PostgreSQL."; exit 1; fi

quick: $(VENV)/dev ## Run the tests that need no browser, server or installation
	@$(BIN)/pytest -n 2 --dist load --ignore tests/browser -m "not postgres and not slow"

lint: $(VENV)/dev ## Check style, templates, types and import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@git ls-files 'templates/*.html' | xargs $(BIN)/djade --check --target-version 5.2
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python manage.py makemigrations --check --dry-run

bench: $(VENV)/dev ## Measure speed as ratios to a bare Django view
	@$(BIN)/python -m bench

screenshot: $(VENV)/dev ## Make the picture in the README
	@$(BIN)/python -m tests.screenshot docs/schedule.png

requirements: $(VENV)/dev ## Pin the newest versions of what requirements/*.in names
	@$(BIN)/pip install --quiet uv
	@for set in base dev; do $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate requirements/$$set.in --output-file requirements/$$set.txt; done

clean: ## Remove the environment and caches; the data in var/ stay
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamps are the requirements themselves, so that a change of them installs anew.
$(VENV)/base: requirements/base.txt | $(VENV)/bin/python
	@echo "Installing what the site needs into $(VENV) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/dev: requirements/dev.txt | $(VENV)/bin/python
	@echo "Installing what the tests need into $(VENV) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@ $(VENV)/base
