# heed: "make" builds, "make check" tests, "make install" installs; see HACKING.md.

# Settings; override them on the command line or in config.mk.
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
DATADIR = $(PREFIX)/share
MANDIR = $(DATADIR)/man
# Installed programs have no debugging symbols; INSTALL='install --strip-program=true' keeps them.
INSTALL = install
CC     = cc
# The C++ compiler of the same family; only for common/bpe/spm-lib*.cc.
CXX    = $(if $(findstring clang,$(CC)),$(subst clang,clang++,$(CC)),$(subst gcc,g++,$(patsubst cc,c++,$(CC))))
CFLAGS = -O2 -g
MODE   = release
-include config.mk

# One job per processor unless -j is given; sub-makes share the job slots of the first make.
ifeq ($(MAKELEVEL),0)
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
endif

# Warnings are errors with the tested compilers only; others may have other warnings.
FAMILY := $(if $(findstring clang,$(shell $(CC) --version)),clang,gcc)
TESTED := $(filter gcc-12 clang-14,$(FAMILY)-$(firstword $(subst ., ,$(shell $(CC) -dumpversion))))
WARN    = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
          -Wmissing-prototypes -Wwrite-strings -Wvla $(if $(TESTED),-Werror)
FLAGS_release =
FLAGS_asan    = -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    = -O1 -fsanitize=thread
# What processors other than x86-64 get, on x86-64; on ARM, char is unsigned.
FLAGS_portable = -DPORTABLE -funsigned-char
FLAGS_fuzz    = -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
# Hardening flags of distributions, if the compiler has them; they cost no measurable time.  Not
# used with sanitizers, nor with "make HARDEN=".
HARDEN      := $(if $(filter asan tsan fuzz,$(MODE)),,yes)
knows        = $(if $(HARDEN),$(shell for f in $(1); do $(CC) -Werror $$f -S -o /dev/null -x c - < /dev/null 2>/dev/null && echo $$f; done))
HARDEN_CODE := $(call knows,-fstack-protector-strong -fstack-clash-protection -fcf-protection)
# One object file for programs in bin/, which are linked statically, and for the shared library.
PIC          = $(if $(filter asan tsan fuzz,$(MODE)),,-fPIC -fno-semantic-interposition)
HARDEN_LIBC  = $(if $(HARDEN),$(if $(filter -O -O1 -O2 -O3 -Os,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
HARDEN_LINK  = $(if $(HARDEN),-pie -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now$(comma)-z$(comma)noexecstack)
comma       := ,
B       = build/$(MODE)
OUT     = $(if $(filter release,$(MODE)),bin,$(B)/bin)

# Libraries by their pkg-config names; "make packages" installs them on Debian.  msgpack-c 6 has a new name.
MSGPACK  := $(shell pkg-config --exists msgpack 2>/dev/null && echo msgpack || echo msgpack-c)
PACKAGES  = openblas libarchive $(MSGPACK) libxml-2.0
LIB_FLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
# These are loaded at run time: common/base/library.h and tensor/backend/backend-openblas.c have the reasons.
LATE       = openblas libarchive libxml-2.0
LIBS      := $(shell pkg-config --libs $(filter-out $(LATE),$(PACKAGES)) 2>/dev/null)
# The name by which programs load lib$(1).so; or $(2), if that file is not to be found.
soname     = $(or $(shell readelf -d "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'),$(2))
# PNG and PDF output need librsvg; without it, or with "make WITH_RSVG=", pictures are SVG only.
WITH_RSVG  := $(shell pkg-config --exists librsvg-2.0 cairo-png cairo-pdf 2>/dev/null && echo 1)
RSVG_FLAGS := $(if $(WITH_RSVG),$(patsubst -I%,-isystem %,$(shell pkg-config --cflags librsvg-2.0)))
RSVG_LIBS  := $(if $(WITH_RSVG),$(shell pkg-config --libs librsvg-2.0))
# heed-explore needs libmicrohttpd; without it, or with "make WITH_MHD=", it says so.
WITH_MHD  := $(shell pkg-config --exists libmicrohttpd 2>/dev/null && echo 1)
MHD_FLAGS := $(if $(WITH_MHD),$(patsubst -I%,-isystem %,$(shell pkg-config --cflags libmicrohttpd)))
MHD_LIBS  := $(if $(WITH_MHD),$(shell pkg-config --libs libmicrohttpd))
# Subwords of SentencePiece need its library and a C++ compiler; "make WITH_SPM=" builds without them.
# On Debian 13, its pkg-config file needs that of a library that programs do not.
spm-config = $(shell pkg-config --exists sentencepiece 2>/dev/null && pkg-config $(1) sentencepiece)
SPM_FLAGS := $(patsubst -I%,-isystem %,$(call spm-config,--cflags))
WITH_SPM  := $(shell printf '\043include <sentencepiece_trainer.h>\n' | $(CXX) -std=c++17 $(SPM_FLAGS) -fsyntax-only -x c++ - 2>/dev/null && echo 1)
SPM_LIBS  := $(if $(WITH_SPM),$(or $(call spm-config,--libs),-lsentencepiece -lsentencepiece_train) -lstdc++)
# Tokenizer ja-mecab needs libmecab, which has no pkg-config file; "make WITH_MECAB=" builds without it.
WITH_MECAB := $(shell printf '\043include <mecab.h>\n' | $(CC) -fsyntax-only -x c - 2>/dev/null && command -v mecab-config > /dev/null && echo 1)
MECAB_FLAGS := $(if $(WITH_MECAB),$(patsubst -I%,-isystem %,$(filter -I%,$(shell mecab-config --cflags))))
MECAB_LIBS := $(if $(WITH_MECAB),$(shell mecab-config --libs))
# Flags of kernels and of their reference versions: with -O2 gcc 12 vectorizes very little, and
# -std=c11 disables contraction to fma.
KERNEL_FLAGS =
ALL_CFLAGS   = -std=c11 $(WARN) $(CFLAGS) $(PIC) $(HARDEN_CODE) $(KERNEL_FLAGS) $(FLAGS_$(MODE)) -fno-math-errno -fno-trapping-math -pthread
# Programs are linked as C, without the parts of the sanitizers for C++.
ALL_CXXFLAGS = -std=c++17 $(filter-out -std=c11 -Wstrict-prototypes -Wmissing-prototypes,$(ALL_CFLAGS)) \
               $(if $(filter asan fuzz,$(MODE)),-fno-sanitize=vptr$(if $(findstring clang,$(CC)),$(comma)function)) \
               -Icommon $(SPM_FLAGS) $(CPPFLAGS) $(HARDEN_LIBC)
ALL_CPPFLAGS = -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Icommon -I$(B) \
               -DHEED_VERSION='"$(shell cat VERSION)"' $(LIB_FLAGS) $(MPI_FLAGS) $(FILE_FLAGS) $(CPPFLAGS) $(HARDEN_LIBC)
LINK         = $(CC) $(ALL_CFLAGS) -Wl,--as-needed $(HARDEN_LINK) $(LDFLAGS)
ALL_LIBS     = $(LIBS) $(MPI_LIBS) $(RSVG_LIBS) $(MHD_LIBS) $(SPM_LIBS) $(MECAB_LIBS) $(LDLIBS) -ldl -lm

PROGRAMS_C  = $(patsubst src/%.c,%,$(wildcard src/*.c))
PROGRAMS_SH = $(patsubst src/%.sh,%,$(wildcard src/*.sh))
PROGRAMS = $(PROGRAMS_C) $(PROGRAMS_SH)
names    = $(sort $(filter-out $(2),$(patsubst common/$(1)/%.c,%,$(wildcard common/$(1)/*.c))))
OPS      = $(call names,ops)
VARIANTS = $(call names,attention,attention attention-%)
BACKENDS = $(patsubst backend-%,%,$(filter backend-%,$(call names,tensor/backend,backend)))
# The rooms of common/, from the ground up: a room includes and calls only rooms before it (make layers).
ROOMS    = base stream tensor text exchange trees tape bpe corpora scores ops data align attention model model-file search convert export analysis attribution \
           draw train tune results parser explore plan
room_src = $(wildcard $(foreach r,$(1),common/$(r)/*.c common/$(r)/*/*.c))
LIB_SRC  = $(filter-out %-mpi.c %/png-$(if $(WITH_RSVG),none,rsvg).c %/server-$(if $(WITH_MHD),none,mhd).c $(if $(WITH_SPM),%/spm-none.c) %/mecab-$(if $(WITH_MECAB),none,lib).c %/installed.c, \
             $(call room_src,$(ROOMS)))
LIB_OBJS = $(patsubst %.c,$(B)/%.o,$(LIB_SRC)) $(if $(WITH_SPM),$(B)/common/bpe/spm-lib.o $(B)/common/bpe/spm-lib-train.o)

$(B)/common/tensor/%.o $(B)/double/common/tensor/%.o: private KERNEL_FLAGS = -O3 -ffp-contract=fast -Wno-psabi
# Fuzzers do not run these, and with all checks clang needs half an hour to compile them.
$(B)/common/tensor/fast/%.o: private FLAGS_fuzz = -O1
$(B)/common/parser/chart.o: private KERNEL_FLAGS = -O3 -Wno-psabi
$(B)/common/stream/libarchive.o $(B)/double/common/stream/libarchive.o: private FILE_FLAGS = -DLIBARCHIVE='"$(call soname,archive,libarchive.so.13)"'
$(B)/common/exchange/libxml2.o $(B)/double/common/exchange/libxml2.o: private FILE_FLAGS = -DLIBXML2='"$(call soname,xml2,libxml2.so.2)"'
$(B)/common/text/mecab-lib.o: private FILE_FLAGS = $(MECAB_FLAGS)
$(B)/common/draw/png-rsvg.o: private FILE_FLAGS = $(RSVG_FLAGS)
$(B)/common/explore/server-mhd.o: private FILE_FLAGS = $(MHD_FLAGS)

# The numerical part in double precision, for the op checker.
DOUBLE_ROOMS = $(filter-out exchange draw explore corpora tune results parser plan convert export,$(ROOMS))
# Parsers without their decoders, which need single precision.
DOUBLE_PARSER = $(patsubst %,common/parser/%.c,network network-input gold treebank binary)
DOUBLE_OBJS = $(patsubst %.c,$(B)/double/%.o,$(filter-out %-mpi.c %/mecab-lib.c,$(call room_src,$(DOUBLE_ROOMS)) $(DOUBLE_PARSER)))

# One short line per command; "make V=1" shows commands in full.
run = $(if $(V),,@echo '$(1) $@' && )

all: $(PROGRAMS:%=$(OUT)/%)

$(OUT)/%: $(B)/src/%.o $(B)/libcommon.a | libraries
	@mkdir -p $(@D)
	$(call run,LD)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(ALL_LIBS)

# nmt-train over several processes: *-mpi.o are linked before the library, which has ranks-one.o.
# WITH_MPI=1 builds it with Open MPI, WITH_MPI=mpich with MPICH; the tests have their own copies
# for the libraries that are installed, in $(B)/mpi and $(B)/mpich.
MPI_PC     = $(if $(filter mpich%,$(1)),mpich,ompi-c)
MPI_OBJS   = $(patsubst %.c,$(B)/$(1)/%.o,$(wildcard common/train/*-mpi.c))
MPI_DIR    = $(if $(filter mpich,$(WITH_MPI)),mpich,mpi)
MPI_TRAIN := $(if $(shell command -v mpirun.openmpi mpirun && pkg-config --exists ompi-c && echo yes),$(B)/mpi/nmt-train) \
             $(if $(shell command -v mpiexec.mpich && pkg-config --exists mpich && echo yes),$(B)/mpich/nmt-train)
$(OUT)/nmt-train: $(B)/with-mpi $(if $(WITH_MPI),$(call MPI_OBJS,$(MPI_DIR)))
$(OUT)/nmt-train $(B)/shared/bin/nmt-train: private MPI_LIBS = $(if $(WITH_MPI),$(shell pkg-config --libs $(call MPI_PC,$(WITH_MPI))))
$(B)/with-mpi: force ; $(call write-if-changed,'$(WITH_MPI)')
define mpi-rules
$$(B)/$(1)/%-mpi.o: private MPI_FLAGS = $$(patsubst -I%,-isystem %,$$(shell pkg-config --cflags $$(call MPI_PC,$(1))))
$$(B)/$(1)/%-mpi.o: %-mpi.c $$(B)/flags | libraries
	@mkdir -p $$(@D)
	$$(call run,CC)$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) -MMD -MP -c -o $$@ $$<
$$(B)/$(1)/nmt-train: private MPI_LIBS = $$(shell pkg-config --libs $$(call MPI_PC,$(1)))
$$(B)/$(1)/nmt-train: $$(B)/src/nmt-train.o $$(call MPI_OBJS,$(1)) $$(B)/libcommon.a
	@mkdir -p $$(@D)
	$$(call run,LD)$$(LINK) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $$(ALL_LIBS)
endef
$(foreach m,mpi mpich,$(eval $(call mpi-rules,$(m))))

$(OUT)/%: src/%.sh VERSION $(B)/tasks
	@mkdir -p $(@D)
	$(call run,SH)sed -e "s/@VERSION@/$$(cat VERSION)/" -e '/@TASKS@/{r $(B)/tasks' -e 'd}' $< > $@.tmp && chmod 755 $@.tmp && mv $@.tmp $@

# The programs and pages by task, which heed(7) lists and the program heed prints.
$(B)/tasks: man/heed.7 src/tasks.awk
	@mkdir -p $(@D)
	$(call run,AWK)awk -f src/tasks.awk $< > $@.tmp && mv $@.tmp $@

$(B)/libcommon.a: $(LIB_OBJS) $(B)/objects
	$(call run,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/double/libcommon.a: $(DOUBLE_OBJS) $(B)/double/objects
	$(call run,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/%.o: %.c $(B)/flags | libraries $(B)/ops/ops.h
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/%.o: %.cc $(B)/flags-cc | libraries
	@mkdir -p $(@D)
	$(call run,CXX)$(CXX) $(ALL_CXXFLAGS) -MMD -MP -c -o $@ $<

$(B)/double/%.o: %.c $(B)/flags | libraries $(B)/ops/ops.h
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -I$(B)/double $(ALL_CPPFLAGS) $(ALL_CFLAGS) -DREAL_DOUBLE -MMD -MP -c -o $@ $<

# Files that are rewritten only if their text changes, so that new flags and new files rebuild
# their dependents.
define write-if-changed
@mkdir -p $(@D); printf '%s\n' $(1) | cmp -s - $@ || printf '%s\n' $(1) > $@
endef
$(B)/flags: force ; $(call write-if-changed,"$(subst ",\",$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS))")
$(B)/flags-cc: force ; $(call write-if-changed,"$(subst ",\",$(CXX) $(ALL_CXXFLAGS))")
$(B)/objects: force ; $(call write-if-changed,'$(LIB_OBJS)')
$(B)/double/objects: force ; $(call write-if-changed,'$(DOUBLE_OBJS)')
$(B)/op-list.inc: force ; $(call write-if-changed,$(foreach o,$(subst -,_,$(OPS)),'O($(o))'))
$(B)/attention-list.inc: force ; $(call write-if-changed,$(foreach v,$(subst -,_,$(VARIANTS)),'V($(v))'))
$(B)/backend-list.inc: force ; $(call write-if-changed,$(foreach b,$(subst -,_,$(BACKENDS)),'B($(b))'))
$(B)/common/ops/kit/op-list.o $(B)/double/common/ops/kit/op-list.o: $(B)/op-list.inc

# The prototypes of the ops, from their files.
$(B)/ops/ops.h: $(OPS:%=common/ops/%.c) src/ops-header.awk $(B)/op-list.inc
	@mkdir -p $(@D); awk -f src/ops-header.awk $(filter %.c,$^) > $@.tmp && if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi

# Built-in parsers and grammars.
_embedded = $(wildcard common/parser/models/*.parser common/parser/models/*.pcfg)
$(B)/parser-list.inc: force ; $(call write-if-changed,$(foreach m,$(_embedded),'$(if $(m:%.pcfg=),PARSER,GRAMMAR)($(basename $(notdir $(m))))'))
$(B)/common/parser/embedded.o: $(B)/parser-list.inc $(_embedded)
_walk_style = common/draw/walk.css
_walk_script = $(addprefix common/draw/walk,-data.js -draw.js -heads.js .js)
_page_style = common/results/page.css
_page_script = common/results/page.js
$(B)/common/draw/walk.o: common/draw/walk.html $(_walk_style) $(_walk_script) $(B)/draw/content-hashes.h
$(B)/common/explore/explorer.o: $(addprefix common/explore/explore.,html css js) $(B)/draw/content-hashes.h
$(B)/common/results/page.o: $(_page_style) $(_page_script) $(B)/draw/content-hashes.h
$(B)/draw/content-hashes.h: src/content-hash.awk $(_walk_style) $(_walk_script) $(_page_style) $(_page_script) $(addprefix common/explore/explore.,css js)
	@mkdir -p $(@D); hash() { name=$$1; shift; cat "$$@" | sha256sum | awk -v name=$$name -f src/content-hash.awk; }; \
	{ hash WALK_STYLE $(_walk_style) && hash WALK_SCRIPT $(_walk_script) && hash PAGE_STYLE $(_page_style) && \
	hash PAGE_SCRIPT $(_page_script) && hash EXPLORE_STYLE common/explore/explore.css && \
	hash EXPLORE_SCRIPT common/explore/explore.js; } > $@.tmp && mv $@.tmp $@
$(B)/common/attention/attention.o $(B)/double/common/attention/attention.o: $(B)/attention-list.inc
$(B)/common/tensor/backend/backend.o $(B)/double/common/tensor/backend/backend.o: $(B)/backend-list.inc

# Reports missing libraries in one line, instead of a page of compiler errors.
libraries:
	@missing=; for p in openblas:libopenblas-dev libarchive:libarchive-dev $(MSGPACK):libmsgpack-dev libxml-2.0:libxml2-dev \
	    $(if $(WITH_MPI),$(if $(filter mpich,$(WITH_MPI)),mpich:libmpich-dev,ompi-c:libopenmpi-dev)); do \
	    pkg-config --exists $${p%:*} || missing="$$missing $${p#*:}"; done; \
	[ -z "$$missing" ] || { echo "missing Debian packages:$$missing; 'make packages' installs them" >&2; exit 1; }

packages:
	@sh common/packages.sh $(if $(WITH_MPI),$(MPI_DIR),test)

clean:
	rm -rf build bin/[!.]*

include common/install.mk
include tests/tests.mk

force:
.PHONY: all libraries packages clean force
.DELETE_ON_ERROR:
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
