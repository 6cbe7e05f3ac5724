# The whole of fringe from one place; `make help` lists what there is. CMake does the building.
BUILD  ?= build
PREFIX ?= /usr/local
CMAKE  ?= cmake
FLAGS  ?=
FRINGE  = $(BUILD)/fringe
COUNT   ?= 0

.PHONY: help build release counting demo test test-all nightly test-gpu test-random as-it-is wheel deb release-check dist install docs format lint clean
.PHONY: bench-load bench-cpu bench-peers bench-papers
.DEFAULT_GOAL := build

demo: ## try fringe: build the command alone into build-demo/, BFS and SSSP on a real graph, verified
	@CMAKE=$(CMAKE) tools/demo.sh

build: ## use fringe: build the library and the command into $(BUILD)/, for the GPU of this machine
	@tools/setup.sh build
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DFRINGE_TESTS=OFF -DFRINGE_CUDA_OPTIMIZE=ON $(FLAGS) >/dev/null
	@$(CMAKE) --build $(BUILD)

# Made from $(BUILD)/ as it was configured: what `make test` left there keeps its tests.
as-it-is:
	@[ -e $(BUILD)/build.ninja ] || $(MAKE) --no-print-directory build
	@$(CMAKE) --build $(BUILD) --target fringe fringe_shared

release: ## package fringe: the same for every GPU from compute capability 7.5 on, into build-release/
	@$(MAKE) --no-print-directory build BUILD=build-release FLAGS="-DFRINGE_CUDA_ARCHITECTURES=release $(FLAGS)"

counting: ## measure fringe: a build whose GPU kernels count events (--counters), into build-counting/
	@$(MAKE) --no-print-directory build BUILD=build-counting FLAGS="-DFRINGE_CUDA=ON -DFRINGE_COUNTING=ON $(FLAGS)"

test: ## what is quick: one build, units, the command, strategies in brief, Python; STAGE="quick" for a part
	@tools/test.sh test $(STAGE)

test-all: ## after `make test`, before a change lands: kernels on the host, sanitizers, fuzzers, all of Python, site; STAGE="fuzzers"
	@tools/test.sh $(CHANGED) test-all $(STAGE)

nightly: ## what takes hours: all settings, two compilers, packages, NetworkX's suite, Arm; NIGHTLY="wheel deb" for some of it
	@tools/test.sh nightly $(NIGHTLY)

test-gpu: ## on a GPU: the suite, a reduced one under compute-sanitizer, a stress; LOG=FILE GPU_TEST="--only bfs"
	@tests/gpu/run_gpu.py $(if $(LOG),--log $(LOG)) $(GPU_TEST)

test-random: as-it-is ## random calls and graphs against plain references; SECONDS=3600, COUNT=2000, SEED=N
	@$(CMAKE) -S . -B $(BUILD) -DFRINGE_TESTS=ON >/dev/null && $(CMAKE) --build $(BUILD) --target random_interface ranks_of_file
	@$(BUILD)/tests/random/random_interface --large --found $(BUILD)/random-found \
	    $(if $(SECONDS),--seconds $(SECONDS)) --count $(COUNT) $(if $(SEED),--seed $(SEED))
	@tests/random/random_ranks.py --fringe $(FRINGE) $(if $(SECONDS),--seconds $(SECONDS)) --count $(COUNT) \
	    --ranks $(BUILD)/tests/ranks/ranks_of_file --keep $(BUILD)/random-found $(if $(SEED),--seed $(SEED))

wheel: ## package pyfringe: a wheel for other machines, with GPU code where nvcc is, and the sdist; tries both
	@tools/setup.sh build test wheel
	@tools/build_wheel.sh sdist

deb: ## package fringe for Debian, check with lintian, install in a bare Debian and try, as root
	@tools/setup.sh build test deb
	@tools/build_deb.sh

release-check: as-it-is ## before a release (RELEASING.md): versions, ABI, clean tree, documents, samples; CHECK="versions tag" for some of it
	@BUILD=$(BUILD) tools/release_check.sh $(CHECK)

dist: ## what a release gives away, into dist/: sources, wheels, Debian packages, checksums, bill of materials; DIST="source wheel"
	@tools/dist.sh $(DIST)

install: build ## use fringe everywhere: the command, libraries, headers below PREFIX (/usr/local); says what a shell needs to find them
	@$(CMAKE) --install $(BUILD) >$(BUILD)/install.log 2>&1 || { cat $(BUILD)/install.log; \
	    echo "make install: if you may not write to $(PREFIX): make install PREFIX=\$$HOME/.local"; exit 1; }
	@tools/installed.sh $(PREFIX) $(BUILD)/install_manifest.txt

bench-load: build ## time the readers and the CSR builder
	bench/load.py --fringe $(FRINGE)

bench-cpu: build ## compare the CPU strategies with the other programs that are installed
	bench/compare_peers.py --cpu --fringe $(FRINGE)

bench-peers: build ## the same with every peer that is found, on the CPU and the GPU; names the absent ones
	bench/compare_peers.py --fringe $(FRINGE)
	bench/compare_peers.py --fringe $(FRINGE) --problem sssp

bench-papers: ## build, run and draw the papers' tables and figures; PAPERS="--limit 600", --draw, --dry-run
	@papers/lab/run.py $(PAPERS)

docs: as-it-is ## write the generated parts of the documents: measured tables and plot
	@bench/readme_table.py --fringe $(FRINGE)
	@bench/scaling_table.py
	@bench/cores_table.py

format: ## clang-format over all sources
	@clang-format -i $$(git ls-files '*.c' '*.h')

lint: ## the checks of the sources: layout, includes, sizes, names, cppcheck, shellcheck
	@tools/setup.sh build test test-all
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DFRINGE_TESTS=ON >/dev/null
	@ctest --test-dir $(BUILD) -L lint --output-on-failure

clean: ## remove what was built
	@rm -rf build build-* dist

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
