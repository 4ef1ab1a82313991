# Everything a developer does. Building needs git, python3, g++ and cmake; `make setup` installs the rest.

PYTHON ?= python3
JOBS ?= $(shell nproc)
DEMO_LOG ?= tests/data/example.darshan
WERROR ?= OFF

MAKEFLAGS += --no-print-directory
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
venv := .venv
python := $(venv)/bin/python
sources := CMakeLists.txt pyproject.toml $(shell find cmake include src python -type f -not -name '*.pyc')

.PHONY: help setup install demo test check docs bench format sanitize clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

setup: ## install the compilers' libraries that are missing (Debian packages)
	@PYTHON=$(PYTHON) tools/setup.sh

# The environment: what building needs, what testing needs, and the package with the command.
$(venv)/.build: pyproject.toml | setup
	$(PYTHON) -m venv $(venv)
	$(python) -m pip install -q $$($(python) tools/requirements.py build)
	@touch $@
$(venv)/.test: $(venv)/.build
	$(python) -m pip install -q $$($(python) tools/requirements.py test)
	@touch $@
$(venv)/.installed: $(sources) $(venv)/.build
	$(python) -m pip install -q --no-build-isolation --no-deps --force-reinstall \
	  --config-settings=build-dir=build/python \
	  --config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=$(WERROR) .
	@touch $@
install: $(venv)/.installed ## build the package and the command into .venv

demo: install ## build everything, then summarise a log
	$(venv)/bin/darrow summary $(DEMO_LOG)

test: install $(venv)/.test ## all tests of the core, the command and the package
	cmake -DDARROW_BUILD_TESTS=ON build/python >/dev/null
	cmake --build build/python
	ctest --test-dir build/python -j $(JOBS) --output-on-failure --no-tests=error
	$(python) -m pytest -q -n $(JOBS)

check: $(venv)/.test ## format, lint, layers, types
	@$(venv)/bin/clang-format --dry-run --Werror $(cpp)
	$(venv)/bin/ruff format --check -q
	$(venv)/bin/ruff check -q
	$(python) tools/check_layers.py
	@$(MAKE) install # the types of the extension are known once it is built
	cd build && ../$(venv)/bin/mypy --config-file ../pyproject.toml -p darrow

docs: install ## write docs/metrics.md anew
	$(python) tools/metrics_page.py $(venv)/bin/darrow >build/metrics.md
	mv build/metrics.md docs/metrics.md

# The binding tests load the instrumented extension from build/sanitize/site: every fifth case of each. The command is not instrumented;
# lakes and SQL are Python over scans, which other tests read.
sanitize: $(venv)/.build $(venv)/.test ## tests of the core and the bindings under ASan and UBSan
	cmake --preset sanitize -DDARROW_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(abspath $(python)) >/dev/null
	cmake --build --preset sanitize
	ctest --preset sanitize -j $(JOBS)
	rm -rf build/sanitize/site
	cmake --install build/sanitize --component python --prefix build/sanitize/site >/dev/null
	cp -r python/darrow build/sanitize/site/
	PYTHONPATH=build/sanitize/site ASAN_OPTIONS=detect_leaks=0 \
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	  $(python) -m pytest -q -n $(JOBS) tests/python -m 'not slow' --every 5 --ignore=tests/python/compat \
	  --ignore-glob='*/test_cli*' --ignore-glob='*/test_lake*' --ignore-glob='*/test_sql*'

bench: install $(venv)/.test ## time Darrow against the machine's limits and its peers
	$(python) bench/run.py

format: $(venv)/.test ## format C++ and Python sources in place
	@$(venv)/bin/clang-format -i $(cpp)
	$(venv)/bin/ruff format -q
	$(venv)/bin/ruff check -q --fix

clean: ## remove everything that was built
	rm -rf build $(venv)

cpp = $(shell git ls-files '*.cpp' '*.hpp' '*.h')
