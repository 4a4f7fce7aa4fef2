# The build itself is CMake's (CMakeLists.txt); this file gives its common uses
# short names.
#
#   make            build the command and the library in $(BUILD)
#   make demo       link the example for three targets and show the result
#   make check      run all tests
#   make check-threads  links in many threads of one process, under the thread sanitizer
#   make coverage   run all tests and show which lines of src/ they ran
#   make fuzz       fuzz the readers and whole links for FUZZ_SECONDS
#   make analyze    static analysis by the tools that are installed
#   make install    install below $(PREFIX)

BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# An existing build folder keeps the generator it was made with.
ninja = $(if $(shell command -v ninja 2>/dev/null),-G Ninja)
generator = $(if $(wildcard $(BUILD)/CMakeCache.txt),,$(ninja))
sources = $(shell find src include tests bench -name '*.[ch]' ! -path 'tests/gpu/*' ! -path 'tests/links/*')

all:
	@cmake -S . -B $(BUILD) $(generator) $(CMAKE_FLAGS) > /dev/null
	@cmake --build $(BUILD) --parallel $(JOBS)

setup-%:
	@scripts/setup $*

demo: setup-build
	@$(MAKE) --no-print-directory all
	@scripts/demo $(BUILD)

check: setup-check
	@$(MAKE) --no-print-directory all
	@scripts/check $(BUILD)

check-threads: setup-check
	@$(MAKE) --no-print-directory all BUILD=build-threads CMAKE_FLAGS="-DCMAKE_BUILD_TYPE=Debug -DCULD_SANITIZE=thread"
	@TSAN_OPTIONS=exitcode=99:halt_on_error=1 ctest --test-dir build-threads --output-on-failure -R "test_concurrent_links|test_api"
	@CULD=$(CURDIR)/build-threads/culd TSAN_OPTIONS=exitcode=99 python3 tests/threads.py --every 40

install:
	@$(MAKE) --no-print-directory all CMAKE_FLAGS="$(CMAKE_FLAGS) -DCMAKE_INSTALL_PREFIX=$(PREFIX)"
	@cmake --install $(BUILD)

# Lines that the test suite runs. gcov counts, so that the library needs no
# optimisation to be told apart line by line.
coverage: setup-check
	@find build-coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory all BUILD=build-coverage CMAKE_FLAGS="-DCMAKE_BUILD_TYPE=Debug \
		-DCMAKE_C_FLAGS=--coverage -DCMAKE_EXE_LINKER_FLAGS=--coverage"
	@scripts/check build-coverage > build-coverage/check.log || { tail -n 20 build-coverage/check.log; exit 1; }
	@tail -n 1 build-coverage/check.log
	@scripts/coverage --least 90 build-coverage

# libFuzzer on every target of tests/fuzz/targets.txt, FUZZ_SECONDS in all; findings stay in build/fuzz/run.
FUZZ_SECONDS ?= 300
fuzz: setup-ci
	@tests/fuzz/build.sh build/fuzz
	@tests/fuzz/campaign.py --folder build/fuzz --out build/fuzz/run --seconds $(FUZZ_SECONDS) --jobs $(JOBS)

# clang-tidy, cppcheck, gcc -fanalyzer: whichever are installed.
analyze: all
	@scripts/analyze $(BUILD)

format:
	clang-format -i $(sources)

format-check:
	clang-format --dry-run --Werror $(sources)

clean:
	rm -rf $(BUILD)

ifneq ($(wildcard bench/run),)
bench: all
	@bench/run $(BUILD)
.PHONY: bench
endif

.PHONY: all demo check check-threads coverage analyze fuzz install format format-check clean
