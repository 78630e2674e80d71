# install.mk: the shared library, and the targets shared, install and uninstall; included by the
# Makefile.
#
# The programs in bin/ have their own copy of the library: they start faster, and tests need no
# library path.  Installed programs share one library, which makes them small.

# Raise SOVERSION when an installed header changes incompatibly; see HACKING.md.
SOVERSION = 0
S        := $(B)/shared
SO        = libheed.so.$(SOVERSION)

# Headers for programs of users, with the headers that they include.
API       = base/cli.h stream/stream.h tensor/backend/backend.h tensor/product.h tape/tape.h tape/op.h \
            ops/ops.h attention/attention.h
# Objects that take the place of those of the library in the programs that need them, so that only
# these programs load librsvg, libmicrohttpd, libsentencepiece, libmecab and MPI.
PARTS     = $(if $(WITH_RSVG),$(B)/common/draw/png-rsvg.o) $(if $(WITH_MHD),$(B)/common/explore/server-mhd.o) \
            $(if $(WITH_SPM),$(B)/common/bpe/spm-lib.o $(B)/common/bpe/spm-lib-train.o) \
            $(if $(WITH_MECAB),$(B)/common/text/mecab-lib.o) \
            $(if $(WITH_MPI),$(call MPI_OBJS,$(MPI_DIR)))
# The library has no parsers: installed.c reads them as files.
SO_OBJS   = $(filter-out $(PARTS) %/embedded.o,$(LIB_OBJS)) \
            $(addprefix $(B)/common/,parser/models/installed.o draw/png-none.o explore/server-none.o bpe/spm-none.o text/mecab-none.o)

$(S)/api.c: force ; $(call write-if-changed,$(API:%='#include "%"'))
$(S)/api: $(S)/api.c $(B)/flags $(B)/ops/ops.h
	@$(CC) $(ALL_CPPFLAGS) -E -P $< > $@
$(S)/headers: $(S)/api.c $(B)/flags $(B)/ops/ops.h
	@$(CC) $(ALL_CPPFLAGS) -MM $< | tr ' \\' '\n\n' | grep '\.h$$' > $@

$(S)/libheed.a: $(SO_OBJS) $(B)/objects
	@mkdir -p $(@D)
	$(call run,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$(S)/libheed.map: $(S)/libheed.a $(S)/api $(PARTS) $(PROGRAMS_C:%=$(B)/src/%.o) common/exports.sh
	@sh common/exports.sh $$(cat VERSION) $(SOVERSION) $(S)/libheed.a $(S)/api $(filter %.o,$^) > $@
# Functions that the library does not bind to its own definitions.
$(S)/libheed.dynamic: $(S)/libheed.map $(PARTS)
	@{ echo '{'; $(if $(PARTS),nm -g --defined-only $(PARTS) | awk 'NF == 3 { print "\t" $$3 ";" }' | \
	    grep -Fxf - $(S)/libheed.map;) echo '};'; } > $@
$(S)/$(SO): $(SO_OBJS) $(S)/libheed.map $(S)/libheed.dynamic
	$(call run,LD)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SO) -Wl,--as-needed -Wl,-z,defs \
	    -Wl,-z,relro,-z,now -Wl,--version-script=$(S)/libheed.map -Wl,--dynamic-list=$(S)/libheed.dynamic \
	    -Wl,--dynamic-list-data -o $@ $(filter %.o,$^) $(LIBS) $(LDLIBS) -ldl -lm

# An installed program finds the library relative to its own folder, unless the loader knows the
# folder of the library.
RUNPATH   = $(if $(filter /usr,$(PREFIX)),,-Wl,-rpath,'$$ORIGIN/$(shell realpath -m --relative-to=$(BINDIR) $(LIBDIR))')
$(S)/runpath: force ; $(call write-if-changed,"$(subst $$,\$$,$(RUNPATH))")
$(S)/bin/%: $(B)/src/%.o $(OUT)/% $(S)/$(SO) $(S)/runpath $(PARTS) common/parts.sh
	@mkdir -p $(@D)
	$(call run,LD)$(LINK) $(RUNPATH) -o $@ $< $$(sh common/parts.sh $(OUT)/$* $(S)/libheed.dynamic $(PARTS)) \
	    $(S)/$(SO) $(ALL_LIBS)

# Completions of bash and zsh, from the option tables of the programs.
$(S)/completions/_heed: $(PROGRAMS:%=$(OUT)/%) src/completions.awk common/completions.sh pipeline.mk $(wildcard man/*)
	@mkdir -p $(@D)
	$(call run,AWK)sh common/completions.sh $(OUT) $(@D)

define PC
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(INCLUDEDIR)

Name: heed
Description: streams of records, tensor operations and attention variants
Version: $(shell cat VERSION)
Libs: -L$${libdir} -lheed
Cflags: -I$${includedir}/heed
endef
$(S)/heed.pc: force
	@mkdir -p $(@D)
	$(file > $@,$(PC))

# The files to install: options of install(1), file, and place, separated by tabs.
$(S)/manifest: force
	@B=$(B) S=$(S) BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DATADIR='$(DATADIR)' \
	    MANDIR='$(MANDIR)' SO=$(SO) sh common/manifest.sh $(PROGRAMS_C:%=$(S)/bin/%) $(PROGRAMS_SH:%=$(OUT)/%) > $@

shared: $(PROGRAMS_C:%=$(S)/bin/%) $(PROGRAMS_SH:%=$(OUT)/%) $(S)/completions/_heed $(S)/headers $(S)/heed.pc
$(S)/manifest: | shared

install: $(S)/manifest
	@INSTALL='$(INSTALL)' sh common/install.sh $< '$(DESTDIR)' '$(DATADIR)/heed/manifest'
	@echo 'heed is installed in $(DESTDIR)$(PREFIX)'

uninstall:
	@sh common/install.sh /dev/null '$(DESTDIR)' '$(DATADIR)/heed/manifest' '$(DATADIR)/heed' '$(INCLUDEDIR)/heed'

.PHONY: shared install uninstall
