# Copyright Cryptile contributors.
# Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
# (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

PYTHON := .venv/bin/python
CRYPTILE := .venv/bin/cryptile

.PHONY: help demo test soak docs lint bootstrap clean

help: ## say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: ## set everything up, encrypt a real file on the RTL, print the benchmark table
	@echo "== about four minutes on two cores the first time, less when it is repeated"
	@scripts/bootstrap
	@scripts/demo

test: bootstrap lint ## set everything up and run the tests
	@$(PYTHON) -m pytest -n 2 --dist loadgroup --no-loadscope-reorder --durations 20 tests

soak: bootstrap ## run what `make test` leaves out: whole proofs of large designs, campaigns, long benchmarks
	@$(PYTHON) -m pytest -n 2 --dist loadgroup --no-loadscope-reorder --durations 20 -m soak tests

docs: bootstrap ## make the documentation's site in build/site/html
	@$(PYTHON) -m cryptile.site

lint: bootstrap ## check style and types of Python, C, shell and RTL
	@scripts/lint

bootstrap: ## install Debian packages and the Python environment, if missing
	@scripts/bootstrap

clean: ## delete everything that was built
	rm -rf "$${CRYPTILE_BUILD:-build}"
