# The whole of fringe from one place; `make help` lists what there is. CMake does the building.
BUILD  ?= build
PREFIX ?= /usr/local
CMAKE  ?= cmake
FLAGS  ?=
FRINGE  = $(BUILD)/fringe
COUNT   ?= 0

.PHONY: help build release counting demo test test-asan test-python test-python-asan test-python-oldest test-aarch64 test-full nightly wheel deb test-gpu test-random fuzz install bench-load bench-cpu bench-peers bench-papers docs format lint clean
.PHONY: as-it-is site test-networkx-all test-slurm test-demo wheel-arm64
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

test: ## install what is missing, build with gcc and clang, run every test
	@tools/setup.sh build test
	@tools/test.sh

test-asan: ## the suite under AddressSanitizer and UndefinedBehaviorSanitizer only
	@tools/setup.sh build test
	@tools/test.sh asan

test-python: ## the Python package: its tests, SciPy's and NetworkX's, in a virtual environment; PYTHON=python3.14t
	@tools/setup.sh build test
	@tools/test_python.sh

test-python-asan: ## nightly: the same under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup.sh build test
	@VARIANT=asan tools/test_python.sh

test-python-oldest: ## nightly: the same with the oldest NumPy, SciPy and NetworkX that are supported
	@tools/setup.sh build test
	@VARIANT=oldest tools/test_python.sh

test-aarch64: ## nightly: cross-compile for 64-bit Arm and run the unit and conformance tests under qemu, as root
	@tools/setup.sh build test
	@tools/test_aarch64.sh

test-full: ## nightly: conformance, with kernels on the host and under the sanitizers, with more settings than `make test`
	@tools/setup.sh build test
	@FRINGE_FULL=1 CTEST_ARGS="-R ^(simt_|test_conform_) --timeout 7200" tools/test.sh

test-slurm: ## nightly: ranks started by Slurm, on a cluster of two nodes that lives in namespaces of this host, as root
	@tools/setup.sh build test slurm
	@tools/test_slurm.sh

test-demo: ## nightly: the kernels of `make demo`, which nvcc is enough for: what is built, and within which time
	@tools/setup.sh build
	@tools/test_demo.sh

nightly: ## every target that takes too long for CI, one after the other; NIGHTLY="wheel deb" for some of them
	@tools/nightly.sh $(NIGHTLY)
test-networkx-all: ## nightly: NetworkX's whole suite with the backend fringe, minutes
	@tools/setup.sh build test
	@tools/test_networkx.sh

test-gpu: ## on a GPU: the suite, a reduced one under compute-sanitizer, a stress; LOG=FILE GPU_TEST="--only bfs"
	@tests/gpu/run_gpu.py $(if $(LOG),--log $(LOG)) $(GPU_TEST)

test-random: as-it-is ## random calls and graphs against plain references; SECONDS=3600, COUNT=2000, SEED=N
	@$(CMAKE) -S . -B $(BUILD) -DFRINGE_TESTS=ON >/dev/null && $(CMAKE) --build $(BUILD) --target random_interface
	@$(BUILD)/tests/random/random_interface --large --found $(BUILD)/random-found \
	    $(if $(SECONDS),--seconds $(SECONDS)) --count $(COUNT) $(if $(SEED),--seed $(SEED))
	@tests/random/random_run.py --fringe $(FRINGE) $(if $(SECONDS),--seconds $(SECONDS)) --count $(COUNT) --jobs $$(nproc) \
	    --keep $(BUILD)/random-found $(if $(SEED),--seed $(SEED))

fuzz: ## the fuzzers; FUZZ_SECONDS=600 for a long run
	@tools/setup.sh build test
	@tests/fuzz/run.sh $(FUZZ_SECONDS)

wheel: ## package pyfringe: a wheel for other machines, with GPU code where nvcc is, and the sdist; tries both
	@tools/setup.sh build test wheel
	@tools/build_wheel.sh sdist

wheel-arm64: ## nightly: cross-compile pyfringe's wheel for 64-bit Arm, install and try it under qemu, as root
	@tools/setup.sh build test wheel
	@tools/build_wheel_arm64.sh

deb: ## package fringe for Debian, check with lintian, install in a bare Debian and try, as root
	@tools/setup.sh build test deb
	@tools/build_deb.sh

install: build ## install below $(PREFIX), or DESTDIR
	@$(CMAKE) --install $(BUILD)

bench-load: build ## time the readers and the CSR builder
	@BUILD=$(BUILD) bench/load.sh

bench-cpu: build ## compare the CPU strategies with the other programs that are installed
	bench/compare_cpu.py --fringe $(FRINGE)

bench-peers: build ## the same with every peer that is found, on the CPU and the GPU; names the absent ones
	bench/compare_peers.py --fringe $(FRINGE)
	bench/compare_peers.py --fringe $(FRINGE) --problem sssp

bench-papers: ## build, run and draw the papers' tables and figures; PAPERS="--part 1/3", --draw, --dry-run
	@bench/papers.sh $(PAPERS)

docs: as-it-is ## write the generated parts of the documents: measured tables and plot, knobs, API reference
	@bench/readme_table.py --fringe $(FRINGE)
	@bench/scaling_table.py
	@tools/strategy_tables.py $(FRINGE)
	@tools/api_reference.py

site: ## the documentation site in build/site/html, looked at in a browser where chromium is installed
	@tools/setup.sh build test
	@tools/site.sh

format: ## clang-format over all sources, long lines of Markdown wrapped
	@clang-format -i $$(git ls-files '*.c' '*.h')
	@tools/wrap_markdown.py

lint: ## the checks of the sources: layout, includes, sizes, names, cppcheck, shellcheck
	@tools/setup.sh build test
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DFRINGE_TESTS=ON >/dev/null
	@ctest --test-dir $(BUILD) -L lint --output-on-failure

clean: ## remove what was built
	@rm -rf build build-*

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
