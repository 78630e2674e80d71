# tests.mk: targets check, check-long, asan, tsan, fuzz and bench; included by the Makefile.
UNIT     = $(patsubst tests/unit/%.c,$(B)/tests/unit/%.t,$(wildcard tests/unit/*.c))
# Engine tests, tests/ops and tests/variant, are built in double precision.
ENGINE   = $(foreach d,ops variant,$(patsubst tests/$(d)/%.c,$(B)/tests/$(d)/%.t,$(wildcard tests/$(d)/*.c)))
# Shared by all fuzz targets: valid checksums (seal), a step of a model, and the replay driver
# without libFuzzer.
FUZZ_PART = seal step replay
FUZZ_OBJ = $(B)/tests/fuzz/seal.o $(B)/tests/fuzz/step.o
FUZZ_SRC = $(filter-out $(FUZZ_PART:%=tests/fuzz/%.c),$(wildcard tests/fuzz/*.c))
REPLAY   = $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%.t,$(FUZZ_SRC))
FUZZERS  = $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(FUZZ_SRC))
INJECT   = $(patsubst tests/inject/%.c,$(B)/tests/inject/%.so,$(wildcard tests/inject/*.c))
SCRIPTS  = $(wildcard tests/cli/*.t)
TEST_BIN = $(UNIT) $(ENGINE) $(REPLAY)

# The compiler names the header, and this the package.
$(UNIT:.t=.o) $(patsubst $(B)/tests/%.t,$(B)/double/tests/%.o,$(ENGINE)): | $(B)/has-cmocka
$(B)/has-cmocka:
	@mkdir -p $(@D)
	@printf '\043include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h cmocka.h | $(CC) $(ALL_CPPFLAGS) -E - > /dev/null 2>&1 || \
	    { echo "the tests need cmocka.h, of the Debian package libcmocka-dev; 'make packages' installs it" >&2; exit 1; }
	@touch $@
$(B)/tests/unit/%.t: $(B)/tests/unit/%.o $(B)/libcommon.a
	$(call run,LD)$(LINK) -o $@ $^ $(ALL_LIBS) -lcmocka
# The test reads SVG.
$(B)/tests/unit/draw.t: private LDLIBS += $(shell pkg-config --libs libxml-2.0)
# The test plants other processors.
$(B)/tests/unit/runtime.t: private LDFLAGS += -Wl,--wrap=processor_read,--wrap=syscall
$(B)/tests/ops/%.t: $(B)/double/tests/ops/%.o $(B)/double/libcommon.a
	@mkdir -p $(@D)
	$(call run,LD)$(LINK) -o $@ $^ $(ALL_LIBS) -lcmocka
# The tests of variants also try the example of attention(3).
EXAMPLE = $(B)/examples/attention
$(EXAMPLE).c: man/attention.3 tests/example.awk
	@mkdir -p $(@D); awk -f tests/example.awk $< > $@
$(B)/tests/variant/%.t: $(B)/double/tests/variant/%.o $(B)/double/$(EXAMPLE).o $(B)/double/libcommon.a
	@mkdir -p $(@D)
	$(call run,LD)$(LINK) -o $@ $^ $(ALL_LIBS) -lcmocka
$(B)/tests/fuzz/%.t: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/replay.o $(FUZZ_OBJ) $(B)/libcommon.a
	$(call run,LD)$(LINK) -o $@ $^ $(ALL_LIBS)
$(B)/fuzz/%: $(B)/tests/fuzz/%.o $(FUZZ_OBJ) $(B)/libcommon.a
	@mkdir -p $(@D)
	$(call run,LD)$(LINK) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS)
$(B)/tests/inject/%.so: tests/inject/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CPPFLAGS) -D_GNU_SOURCE $(filter-out -fsanitize%,$(ALL_CFLAGS)) -U_FORTIFY_SOURCE -shared -fPIC -o $@ $< -ldl

# Environment of tests: the programs are in PATH; HEED_TOP, HEED_BUILD, HEED_MODE and HEED_HARDEN
# are set. Libraries that are not instrumented, such as Open MPI, synchronize in ways that tsan
# cannot see.
TSAN = $(if $(filter tsan,$(MODE)),TSAN_OPTIONS=ignore_noninstrumented_modules=1)
# Fontconfig, which librsvg uses, keeps its font data until the program exits.
ASAN = $(if $(filter asan,$(MODE)),LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks:print_suppressions=0)
TEST_ENV = PATH="$(CURDIR)/$(OUT):$$PATH" HEED_TOP="$(CURDIR)" HEED_BUILD="$(CURDIR)/$(B)" HEED_MODE=$(MODE) HEED_HARDEN=$(HARDEN) $(TSAN) $(ASAN) \
           CMOCKA_MESSAGE_OUTPUT=TAP TMPDIR="$${TMPDIR:-/tmp}" LC_ALL=C.UTF-8
# Long tests begin first, so that the others fill the other processors beside them.
FIRST = $(patsubst %,tests/cli/%.t,pipeline pipeline-data inject verdicts tutorial install)
T = $(FIRST) $(filter-out $(FIRST),$(TEST_BIN) $(SCRIPTS))
PROVE = prove -j$(shell nproc) --timer

test-programs: all $(TEST_BIN) $(INJECT) $(MPI_TRAIN) $(if $(PIC),shared)

check: packages
	+@$(MAKE) --no-print-directory run-tests layers
run-tests: test-programs
	$(TEST_ENV) $(PROVE) $(T)

# Includes and symbols lead from a room only to rooms before it; only stream/ includes msgpack and
# libarchive.  Files, functions, lines and programs have at most the sizes of tests/size.pl.
layers: $(B)/libcommon.a
	@sh tests/layers.sh $(B) $(ROOMS)
	@perl tests/size.pl
	@perl tests/names.pl
	@perl tests/speaks.pl

# Checks commit messages in this clone from now on.
hooks:
	@install -m 755 tests/commit-msg.sh "$$(git rev-parse --git-path hooks)/commit-msg"

asan tsan portable:
	+@$(MAKE) --no-print-directory MODE=$@ run-tests
# Tests with a long form, or only that: kill -9 at fifty points, every bit of a model file, more
# damaged inputs of each reader; and whole pipelines.  They are those that read HEED_LONG.
LONG = $(wildcard tests/papers/*.t) $(patsubst %,tests/cli/%.t,heed-explore mpich nmt-import-damaged resume spm tutorial) \
       $(patsubst %,$(B)/tests/unit/%.t,bundle model-file) $(REPLAY)
check-long: check
	+@$(MAKE) --no-print-directory CC=clang MODE=clang all
	+@$(MAKE) --no-print-directory asan
	+@$(MAKE) --no-print-directory portable
	$(TEST_ENV) HEED_LONG=1 $(PROVE) $(LONG)
# Runs all fuzz targets, or TARGETS, for SECONDS_EACH, with -j jobs; from the corpus, or with
# FROM=empty without it.  A finding does not stop the other targets; all findings are listed at
# the end.
SECONDS_EACH = 60
FROM         = corpus
FUZZ_RUNS    = $(if $(TARGETS),$(TARGETS:%=$(B)/fuzz/%),$(FUZZERS))
fuzz:
	+@$(MAKE) --no-print-directory CC=clang MODE=fuzz build-fuzz
	@rm -rf build/fuzz/runs
	+@$(MAKE) --no-print-directory CC=clang MODE=fuzz run-fuzz
	@cat $$(ls -d build/fuzz/runs/* | grep -v '\.log$$') | awk -F'\t' -f tests/fuzz/sum.awk
run-fuzz: $(patsubst %,%.run,$(FUZZ_RUNS))
%.run: %
	@sh tests/fuzz/run.sh $(B) $< $(SECONDS_EACH) $(FROM)
build-fuzz: $(FUZZERS)
# Makes the golden files again with the reference programs MOSES and SUBWORD_NMT (see the script).
golden:
	@MOSES='$(MOSES)' SUBWORD_NMT='$(SUBWORD_NMT)' PYTHON='$(PYTHON)' sh tests/golden/text/make.sh
	@git diff --stat -- tests/golden

# Benchmark programs of tests/perf, which the .sh files there run.
PERF = $(patsubst tests/perf/%.c,$(B)/tests/perf/%,$(wildcard tests/perf/*.c))
$(B)/tests/perf/%: $(B)/tests/perf/%.o $(B)/libcommon.a
	$(LINK) -o $@ $^ $(ALL_LIBS)
bench: all $(PERF)
	@for b in $(sort $(wildcard tests/perf/*.sh)); do $(TEST_ENV) sh $$b || exit 1; done

.PHONY: test-programs check run-tests layers hooks asan tsan portable check-long golden fuzz build-fuzz run-fuzz bench

# The guides as Markdown, for forges, which show mdoc as source; see man/guides.py.
GUIDES = $(patsubst %,man/heed-%.md,coming-from models papers pipeline tutorial)
guides:
	@for g in $(GUIDES:.md=); do python3 man/guides.py $$g.7 > $$g.tmp && mv $$g.tmp $$g.md || exit 1; done
# All manual pages as HTML, in build/html; see man/pages.py.
html:
	@python3 -B man/pages.py build/html && echo build/html/index.html
.PHONY: guides html
