# check.mk: checks variables, keys and grids before anything runs; included first by pipeline.mk.
# Unknown names, which make would ignore, and values that a shell would run are errors.  All names
# here begin with check-.

# --- values from the command line and the environment --------------------------------------

# Values become file names, targets and arguments of commands.  $(value) does not expand them.
# Only RUN and RUN_ONE are commands.
define check-newline


endef
comma        := ,
check-dollar := $$
check-hash   := \#
check-unsafe := ' " ` ; & | < > ( ) { } \ $(check-hash)
check-refuse = $(error $(1): $(2) cannot be used; expected a value without \
                   blanks, quotes, wildcards and other characters that a shell or make interprets)
check-value  = $(if $(findstring $(check-dollar),$(value $(1))),$(call check-refuse,$(1),character $(check-dollar)))\
               $(if $(findstring $(check-newline),$(value $(1))),$(call check-refuse,$(1),a line \
               break))\
               $(foreach c,$(2),$(if $(findstring $(c),$(value $(1))),$(call check-refuse,$(1),character $(c))))
check-word   = $(if $(word 2,$(value $(1))),$(call check-refuse,$(1),a blank))
check-digits = $(if $(2),$(call check-digits,$(subst $(firstword $(2)),,$(1)),$(wordlist 2,10,$(2))),$(1))
check-no-number = $(filter-out all,$(call check-digits,$(1),0 1 2 3 4 5 6 7 8 9))
check-number = $(foreach n,$(subst $(comma), ,$(value $(1))),$(if $(call check-no-number,$(n)),\
                   $(error $(1)=$(value $(1)): expected a number)))

check-numbers := THREADS SLOTS SEEDS MORE_SEEDS SIZES WALK UPDATES BATCH LAYERS MERGES VALIDATE \
                 BEAM SEARCH_SEEDS SEARCH_RUNGS
check-single  := PROFILE LANGUAGE R W MODELS RUN_NAME
check-lists   := DATA CORPUS PAIR TABLES TREEBANKS TREEBANK_DEV
check-globs   := TRAIN DEV TEST
check-options := SIZE ARCH RECIPE
$(foreach v,$(check-single) $(check-lists),$(call check-value,$(v),$(check-unsafe) = % : * ? [ ]))
$(foreach v,$(check-single),$(call check-word,$(v)))
$(foreach v,$(check-globs),$(call check-value,$(v),$(check-unsafe) = % : /))
$(foreach v,$(check-options),$(call check-value,$(v),$(check-unsafe) * ? [ ]))
$(foreach v,$(check-numbers),$(call check-value,$(v),$(check-unsafe))$(call check-number,$(v)))

check-pair   = $(if $(filter 2,$(words $(subst -, ,$(1)))),$(if $(filter -% %-,$(1)),,$(1)))
$(foreach p,$(PAIR),$(if $(call check-pair,$(subst /,-x-,$(subst @,-x-,$(subst .,-x-,$(p))))),,\
    $(error PAIR=$(PAIR): $(p), expected two languages, such as en-de)))
$(foreach f,$(DATA),$(if $(wildcard $(f)/.),,$(error DATA=$(DATA): there is no folder \
    $(f)$(if $(word 2,$(DATA)), (blanks separate folders; names of folders must not contain \
    blanks)))))
corpora     := $(if $(DATA),$(notdir $(abspath $(DATA))),$(or $(CORPUS),help))
$(foreach c,$(corpora),$(if $(word 2,$(filter $(c),$(corpora))),\
    $(error DATA=$(DATA): two folders are called $(c); expected different names, one for each \
    column)))

# Misspelt variables on the command line.  CC and others belong to the Makefile.  One make passes
# goals and plan to another.  Keys of papers are checked below.
check-known  := $(check-numbers) $(check-single) $(check-lists) $(check-globs) $(check-options) \
                RUN RUN_ONE V DRAFTS drawing goals plan \
                CC CFLAGS CPPFLAGS LDFLAGS LDLIBS KERNEL_FLAGS MODE WITH_% PREFIX BINDIR MANDIR
check-given  := $(strip $(foreach v,$(filter-out -% .% MAKE%,$(.VARIABLES)),\
                    $(if $(filter command,$(origin $(v))),$(v))))
check-theirs = $(filter $(PAPERS:%=%.%) parse.% parser.%,$(check-given))
check-command-line = $(foreach v,$(check-theirs),$(call check-value,$(v),$(check-unsafe)))\
    $(foreach v,$(filter-out $(check-known) $(check-theirs),$(check-given)),\
        $(error $(v): unknown variable on the command line; heed-pipeline(7) lists all variables))

# --- papers --------------------------------------------------------------------------------

# src/papers.keys is the table of keys: KEY, KEY.KIND, KEY[.KIND] or KEY[.PROFILE[.PAIR]];
# default; meaning. heed-pipeline(7) has the same table.  check-keys has it as words KEY:KIND;
# kind - is the key alone.
check-split  = 's/^([a-z_-]+)\[\.PROFILE\[\.PAIR\]\]\t.*/\1:- \1:PROFILE \1:PAIR/; \
                s/^([a-z_-]+)\[\.([A-Z]+)\]\t.*/\1:- \1:\2/; s/^([a-z_-]+)\.([A-Z]+)\t.*/\1:\2/; \
                s/\t.*/:-/'
check-keys  := $(shell sed -E $(check-split) src/papers.keys)
profiles    := $(basename $(notdir $(wildcard src/profiles/*.mk)))
PAPERS      := $(basename $(notdir $(sort $(wildcard src/papers/*.mk))))

# Valid names for each kind; % matches any name.
check-set    = $(patsubst $(1).%,%,$(filter $(1).%,$(.VARIABLES)))
check-all    = $($(1).$(2)) $(foreach n,$(call check-set,$(1).$(2)),$($(1).$(2).$(n)))
check-is.VARIANT = $(call check-set,$(1).variant)
check-is.DATA    = plain $(if $($(1).studied),probe) $($(1).statistics) $(call check-all,$(1),data)
check-is.SEARCH  = $($(1).searches)
check-is.SECTION = $($(1).plots)
check-is.MAP     = $($(1).maps)
check-is.NAME    = %
check-is.PROFILE = $(profiles)
check-is.PAIR    = $(profiles:%=%.%)
check-forms  = $(if $(filter -,$(3)),$(2),$(addprefix $(2).,$(call check-is.$(3),$(1))))
check-may    = $(foreach k,$(check-keys),$(call check-forms,$(1),$(firstword $(subst :, ,$(k))),$(lastword $(subst :, ,$(k)))))\
               $(foreach o,$($(1).own),$(o) $(o).%)

# check-fault PAPER,KEY,WHAT: the error message, with the place where the key is set.
check-where  = $(if $(filter command,$(origin $(1).$(2))),command line,src/papers/$(1).mk)
check-fault  = $(error $(check-where): $(1).$(2): $(3))
check-why    = $(if $(filter data.% begin.% closed.% tested.% search.%,$(1)), or unknown variant)
check-paper-keys = $(foreach k,$(1),$(call check-unknown,$(k),$(filter-out $(check-may),$(check-set))))
check-unknown = $(foreach k,$(2),$(warning $(call check-where,$(1),$(k)): $(1).$(k): unknown \
                   key$(call check-why,$(k))))\
    $(if $(2),$(error unknown keys; heed-pipeline(7) lists all keys))

# check-each PAPER,KEY,VALUES,CHOICES,WHAT: each value must be one of the choices. check-every
# PAPER,KEY,FUNCTION,CHOICES,WHAT: the same for FUNCTION of the values of all keys KEY.NAME.
check-each   = $(foreach v,$(filter-out $(4),$(3)),$(call check-fault,$(1),$(2),$(v)$(comma) \
                  expected $(5)))
check-every  = $(foreach n,$(call check-set,$(1).$(2)),\
                   $(call check-each,$(1),$(2).$(n),$(call $(3),$($(1).$(2).$(n))),$(4),$(5)))
check-words  = $(1)
check-first  = $(firstword $(subst @, ,$(1)))
check-last   = $(lastword $(1))
check-has    = $(filter-out undefined,$(flavor $(1)))
check-need   = $(foreach k,$(2),$(if $(call check-has,$(1).$(k)),,$(call check-fault,$(1),$(k),this key is missing)))
check-file   = $(if $(wildcard $(2)),,$(error src/papers/$(1).mk: there is no file $(2)))
# A preparation has its own commands or parser, or is named after a parser, or the paper has
# commands and a parser for all preparations.
check-made   = $(or $(filter plain,$(2)),$(call check-has,$(1).prepare.$(2)),$(call check-has,$(1).parse.$(2)),\
                   $(call check-has,parse.$(2)),$(and $($(1).prepare),$($(1).parse)))
check-data   = $(foreach d,$($(1).$(2)),$(if $(call check-made,$(1),$(d)),,\
                   $(call check-fault,$(1),$(2),$(d)$(comma) expected a preparation; \
                   $(1).prepare.$(d) is missing)))
check-count  = $(foreach v,$($(1).$(2)),$(if $(call check-no-number,$(v)),\
                   $(call check-fault,$(1),$(2),$(v)$(comma) expected a number)))
check-counts = sizes seeds more_seeds updates batch validate merges beam samples timed-on probe few
check-hows   = gate gradient relevance confidence random-1 random-2 random-3
check-sources = $(addprefix whole/,$($(1).searches)) $(addprefix size/,$($(1).searches))
check-paper-values = $(call check-need,$(1),title $(if $(check-is.VARIANT),,variant.NAME))\
    $(call check-need,$(1),$(addprefix map.,$($(1).maps)) \
    $(if $(filter statistics,$($(1).also)),statistics))\
    $(foreach k,$(filter $(check-counts) $(check-counts:%=%.%),$(check-set)),$(check-count.now))\
    $(foreach k,data $(addprefix data.,$(call check-set,$(1).data)),$(call check-data,$(1),$(k)))\
    $(call check-each,$(1),parse,$($(1).parse),none $(forms),none or one of $(forms))\
    $(call check-every,$(1),parse,check-words,none $(forms),none or one of $(forms))\
    $(call check-every,$(1),begin,check-words,$(check-is.VARIANT),a variant)\
    $(call check-every,$(1),closed,check-first,$(check-is.VARIANT),a variant)\
    $(call check-every,$(1),closed,check-last,$(check-hows),a variant and one of $(check-hows))\
    $(call check-every,$(1),tested,check-words,model pruned,model or pruned)\
    $(call check-every,$(1),search,check-words,$(check-sources),whole/SEARCH or size/SEARCH)\
    $(call check-every,$(1),after,check-words,$($(1).searches),one of the searches)\
    $(call check-every,$(1),map,check-first,$(check-is.VARIANT),a variant and options of head-map)\
    $(foreach k,studied timed gated walk,\
        $(call check-each,$(1),$(k),$($(1).$(k)),$(check-is.VARIANT),variants))\
    $(call check-each,$(1),scored,$($(1).scored),raw tok,raw or tok)\
    $(call check-each,$(1),brief,$($(1).brief),$($(1).also),tables that also names)\
    $(foreach f,src/papers/$(1).grid $($(1).facts) $($(1).searches:%=src/papers/$(1).%.$(PROFILE)),\
        $(call check-file,$(1),$(f)))
check-count.now = $(call check-count,$(1),$(k))

# The file of a paper may only set keys of this paper.
read-paper = $(eval check-before := $$(.VARIABLES) check-before)$(eval include src/papers/$(1).mk)\
    $(foreach v,$(filter-out $(check-before) $(1).%,$(.VARIABLES)),\
        $(error src/papers/$(1).mk: $(v): unknown key; expected names that begin with $(1).))

# --- grids ---------------------------------------------------------------------------------

# Rows, sections and captions are checked once heed-table is built, which reads grids
# (src/grids.mk).
check-sections = $(call unique,$(foreach r,$(rows.$(1)),$(call row,1,$(r))))
check-captions = $(check-sections) $($(1).also) $($(1).maps) $($(1).head-maps) curves
check-row    = $(foreach v,$(call variants,$(2)),$(if $(call check-has,$(1).variant.$(v)),,\
    $(error src/papers/$(1).grid: section $(call row,1,$(2)): row $(v) has no settings; \
        $(1).variant.$(v) is missing in src/papers/$(1).mk)))
check-rows   = $(foreach r,$(rows.$(1)),$(call check-row,$(1),$(r)))\
    $(foreach k,main plots,\
        $(call check-each,$(1),$(k),$($(1).$(k)),$(check-sections),a section of \
        src/papers/$(1).grid))\
    $(foreach c,$(filter-out $(check-captions),$(call check-set,$(1).caption)),\
        $(call check-fault,$(1),caption.$(c),unknown table or figure))
check-asked  = $(call unique,$(foreach p,$(or $(strip $(goals)),$(PAPERS)),$(call check-sections,$(p))))
check-tables = $(foreach t,$(filter-out $(check-asked),$(TABLES)),\
    $(error TABLES=$(TABLES): unknown section $(t), expected some of $(check-asked)))
