# run · test · lint · bench. Each recipe is a line or two; what is longer is a script in scripts/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := run
.PHONY: run test test-rust test-web test-e2e lint lint-rust lint-web doc bench bench-engine torture web clean

CARGO ?= cargo
KILLS ?= 100
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name dist -prune -o -name test-results -prune -o -name tests -prune -o -type f -print 2>/dev/null)

# The development profile optimises the dependencies, so it answers fast, builds in minutes and is shared with the tests.
run: web ## Open the sample shop at http://127.0.0.1:8787
	@scripts/need.sh cargo
	$(CARGO) run --package mercer -- serve --demo

test: test-rust test-web test-e2e ## Everything: Rust, web, and the whole program in a browser

test-rust: web
	@scripts/need.sh cargo
	if cargo nextest --version >/dev/null 2>&1; then $(CARGO) nextest run --workspace --no-fail-fast; else $(CARGO) test --workspace --no-fail-fast --tests; fi

test-web: web
	cd web && npm test

test-e2e: web
	@scripts/need.sh cargo node && scripts/setup-test.sh
	@scripts/e2e.sh

lint: lint-rust lint-web doc ## Format, clippy, docs, types, eslint, licences

lint-rust:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	if cargo deny --version >/dev/null 2>&1; then $(CARGO) deny check licenses bans sources; else echo "cargo-deny is not installed: licences not checked"; fi

lint-web: web/node_modules/.package-lock.json
	cd web && npm run lint

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

bench: ## Import and first answer, measured on this machine
	@scripts/need.sh cargo && scripts/bench.sh

torture: ## Kill the program KILLS times at random moments and count what was lost or done twice
	@scripts/need.sh cargo
	$(CARGO) run --quiet --package mercer -- torture --kills $(KILLS)

bench-engine: ## Durable steps a second, CPU a step, bytes a turn; and LangGraph's, when it is installed
	@scripts/need.sh cargo && scripts/bench-engine.sh

web: web/dist/index.html ## Build the web rooms when their sources are newer

web/node_modules/.package-lock.json: web/package-lock.json
	@scripts/need.sh node
	cd web && npm ci --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

clean:
	rm -rf web/dist web/node_modules
	$(CARGO) clean
