# check.mk: checks variables, keys and grids before anything runs; included first by pipeline.mk.
# Unknown names, which make would ignore, and values that a shell would run are errors.

# --- values from the command line and the environment --------------------------------------

# Values become file names, targets and arguments of commands.  $(value) does not expand them.
# Only RUN and RUN_ONE are commands.
define _newline


endef
_comma       := ,
_check-dollar := $$
_check-hash  := \#
_check-unsafe := ' " ` ; & | < > ( ) { } \ $(_check-hash)
_check-refuse = $(error $(1): $(2) cannot be used; expected a value without \
                   blanks, quotes, wildcards and other characters that a shell or make interprets)
_check-value = $(if $(findstring $(_check-dollar),$(value $(1))),$(call _check-refuse,$(1),character $(_check-dollar)))\
               $(if $(findstring $(_newline),$(value $(1))),$(call _check-refuse,$(1),a line \
               break))\
               $(foreach c,$(2),$(if $(findstring $(c),$(value $(1))),$(call _check-refuse,$(1),character $(c))))
_check-word  = $(if $(word 2,$(value $(1))),$(call _check-refuse,$(1),a blank))
_check-digits = $(if $(2),$(call _check-digits,$(subst $(firstword $(2)),,$(1)),$(wordlist 2,10,$(2))),$(1))
_check-no-number = $(call _check-digits,$(1),0 1 2 3 4 5 6 7 8 9)
# Numbers are parts of names, so 01 would be another run than 1.
_check-bad   = $(call _check-no-number,$(1))$(filter 0%,$(filter-out 0,$(1)))
_check-spaced := SEEDS MORE_SEEDS SIZES
_check-commas := SEARCH_SEEDS SEARCH_RUNGS
_check-number = $(foreach n,$(filter-out $(if $(filter SIZES,$(1)),all),$(if $(filter $(_check-commas),$(1)),\
                   $(subst $(_comma), ,$(value $(1))),$(value $(1)))),\
                   $(if $(call _check-bad,$(n)),$(error $(1)=$(value $(1)): expected $(_check-form))))
_check-form  = $(if $(filter $(_check-spaced) $(_check-commas),$(1)),numbers separated by $(if \
                  $(filter $(_check-spaced),$(1)),spaces,commas),a number)$(_comma) without leading zeros
# One number, and not 0.
_check-positive = $(if $(call _check-no-number,$(strip $(value $(1))))$(if $(subst 0,,$(strip $(value $(1)))),,0),\
                      $(error $(1)=$(value $(1)): expected a number of 1 or more))

_check-numbers := THREADS SLOTS SEEDS MORE_SEEDS SIZES WALK UPDATES BATCH LAYERS MERGES VALIDATE \
                 BEAM SEARCH_SEEDS SEARCH_RUNGS SENTENCES BLEU_SENTENCES SHAPLEY
_check-single := PROFILE LANGUAGE R W MODELS RUN_NAME ALIGN INVALID
_check-lists  := DATA CORPUS PAIR TABLES SYSTEMS TREEBANKS TREEBANK_DEV MODEL
_check-globs  := TRAIN DEV TEST
_check-options := SIZE ARCH RECIPE
$(foreach v,$(_check-single) $(_check-lists),$(call _check-value,$(v),$(_check-unsafe) = % : * ? [ ]))
$(foreach v,$(_check-single),$(call _check-word,$(v)))
$(foreach v,$(_check-globs),$(call _check-value,$(v),$(_check-unsafe) = % : /))
$(foreach v,$(_check-options),$(call _check-value,$(v),$(_check-unsafe) * ? [ ]))
$(foreach v,$(_check-numbers),$(call _check-value,$(v),$(_check-unsafe))$(call _check-number,$(v)))
$(foreach v,BATCH BEAM MERGES,$(if $(filter command,$(origin $(v))),$(call _check-positive,$(v))))
$(foreach v,THREADS SLOTS,$(if $(filter undefined,$(origin $(v))),,$(call _check-positive,$(v))))
$(foreach v,$(filter-out $(_check-spaced),$(_check-numbers)),$(if $(filter command,$(origin $(v))),$(call _check-word,$(v))))
$(foreach v,SEEDS MORE_SEEDS,$(if $(filter command,$(origin $(v))),$(if $(strip $($(v))),,\
    $(error $(v): no value, expected one or more numbers))))

$(foreach v,DATA MODELS PAIR R W,$(if $(filter command environment,$(origin $(v))),$(if $(strip $($(v))),,\
    $(error $(v): no value; expected one, or no $(v)=))))

_check-pair  = $(if $(filter 2,$(words $(subst -, ,$(1)))),$(if $(filter -% %-,$(1)),,$(1)))
$(foreach p,$(PAIR),$(if $(call _check-pair,$(subst /,-x-,$(subst @,-x-,$(subst .,-x-,$(p))))),,\
    $(error PAIR=$(PAIR): $(p), expected two languages, such as en-de)))
$(foreach f,$(DATA),$(if $(wildcard $(f)/.),,$(error DATA=$(DATA): there is no folder \
    $(f)$(if $(word 2,$(DATA)), (blanks separate folders; names of folders must not contain \
    blanks)))))
_corpora    := $(if $(DATA),$(notdir $(abspath $(DATA))),$(or $(CORPUS),help))
$(foreach c,$(_corpora),$(if $(word 2,$(filter $(c),$(_corpora))),\
    $(error DATA=$(DATA): two folders are called $(c); expected different names, one for each \
    column)))

$(if $(filter-out error drop-tree,$(INVALID)),$(error INVALID=$(INVALID): expected error or drop-tree))

# Misspelt variables on the command line.  CC and others belong to the Makefile.  One make passes
# _goals and others to another.  Keys of papers are checked below.
_check-known := $(_check-numbers) $(_check-single) $(_check-lists) $(_check-globs) $(_check-options) \
                RUN RUN_ONE V DRAFTS _called _drawing _goals _plan \
                CC CFLAGS CPPFLAGS LDFLAGS LDLIBS KERNEL_FLAGS MODE WITH_% PREFIX BINDIR MANDIR
_check-given := $(strip $(foreach v,$(filter-out -% .% MAKE%,$(.VARIABLES)),\
                    $(if $(filter command,$(origin $(v))),$(v))))
_check-forms-set = $(shell sed -n 's/^\(parse\.[^ =]*\) *=.*/\1/p' $(_top)src/forms.mk)
_check-theirs = $(filter $(_papers:%=%.%) $(_check-forms-set) parser.$(or $(LANGUAGE),en),$(_check-given))
_check-command-line = $(foreach v,$(_check-theirs),$(call _check-value,$(v),$(_check-unsafe)))\
    $(foreach v,$(filter-out $(_check-known) $(_check-theirs),$(_check-given)),\
        $(error $(v): unknown variable on the command line; heed-pipeline(7) lists all variables))

# --- papers --------------------------------------------------------------------------------

# src/papers.keys is the table of keys: KEY, KEY.KIND, KEY[.KIND] or KEY[.PROFILE[.PAIR]];
# default; example; meaning. heed-pipeline(7) has the same table.  check-keys has it as words KEY:KIND;
# kind - is the key alone.
_check-split = 's/^([a-z_-]+)\[\.PROFILE\[\.PAIR\]\]\t.*/\1:- \1:PROFILE \1:PAIR/; \
                s/^([a-z_-]+)\[\.([A-Z]+)\]\t.*/\1:- \1:\2/; s/^([a-z_-]+)\.([A-Z]+)\t.*/\1:\2/; \
                s/\t.*/:-/'
_check-keys := $(shell sed -E $(_check-split) $(_top)src/papers.keys)
_profiles   := $(basename $(notdir $(wildcard $(_top)src/profiles/*.mk)))
_papers     := $(basename $(notdir $(sort $(wildcard $(_top)src/papers/*.mk))))

# Valid names for each kind; % matches any name.
_check-set   = $(patsubst $(1).%,%,$(filter $(1).%,$(.VARIABLES)))
_check-all   = $($(1).$(2)) $(foreach n,$(call _check-set,$(1).$(2)),$($(1).$(2).$(n)))
_check-is.VARIANT = $(call _check-set,$(1).variant)
_check-is.DATA   = plain $(if $($(1).studied),probe) $($(1).statistics) $(call _check-all,$(1),data)
_check-is.SEARCH = $($(1).searches)
_check-is.SECTION = $($(1).plots)
_check-is.TRACE  = $(patsubst trace-%,%,$(filter trace-%,$($(1).also)))
_check-is.MAP    = $($(1).maps)
_check-is.NAME   = %
_check-is.PROFILE = $(_profiles)
_check-is.PAIR   = $(_profiles:%=%.%)
_check-forms = $(if $(filter -,$(3)),$(2),$(addprefix $(2).,$(call _check-is.$(3),$(1))))
_check-may   = $(foreach k,$(_check-keys),$(call _check-forms,$(1),$(firstword $(subst :, ,$(k))),$(lastword $(subst :, ,$(k)))))\
               $(foreach o,$($(1).own),$(o) $(o).%)

# check-fault PAPER,KEY,WHAT: the error message, with the place where the key is set.
_check-where = $(if $(filter command,$(origin $(1).$(2))),command line,$(_top)src/papers/$(1).mk)
_check-fault = $(error $(_check-where): $(1).$(2): $(3))
_check-why   = $(if $(filter data.% begin.% aligned.% closed.% tested.% search.%,$(1)), or unknown variant)
_check-paper-keys = $(foreach k,$(1),$(call _check-unknown,$(k),$(filter-out $(_check-may),$(_check-set))))
_check-unknown = $(foreach k,$(2),$(warning $(call _check-where,$(1),$(k)): $(1).$(k): unknown \
                   key$(call _check-why,$(k))))\
    $(if $(2),$(error unknown keys; heed-pipeline(7) lists all keys))

# check-each PAPER,KEY,VALUES,CHOICES,WHAT: each value must be one of the choices. check-every
# PAPER,KEY,FUNCTION,CHOICES,WHAT: the same for FUNCTION of the values of all keys KEY.NAME.
_check-each  = $(foreach v,$(filter-out $(4),$(3)),$(call _check-fault,$(1),$(2),$(v)$(_comma) \
                  expected $(5)))
_check-every = $(foreach n,$(call _check-set,$(1).$(2)),\
                   $(call _check-each,$(1),$(2).$(n),$(call $(3),$($(1).$(2).$(n))),$(4),$(5)))
_check-words = $(1)
_check-first = $(firstword $(subst @, ,$(1)))
_check-last  = $(lastword $(1))
_check-has   = $(filter-out undefined,$(flavor $(1)))
_check-set-for = $(strip $(foreach n,$(2) $(2).$(PROFILE),$(call _check-has,$(1).$(n))))
_check-need  = $(foreach k,$(2),$(if $(call _check-set-for,$(1),$(k)),,\
                   $(call _check-fault,$(1),$(k),this key is missing)))
_check-file  = $(if $(wildcard $(2)),,$(error $(_top)src/papers/$(1).mk: there is no file $(2)))
# A preparation has its own commands or parser, or is named after a parser, or the paper has
# commands and a parser for all preparations.
_check-made  = $(or $(filter plain,$(2)),$(call _check-has,$(1).prepare.$(2)),$(call _check-has,$(1).parse.$(2)),\
                   $(call _check-has,parse.$(2)),$(and $($(1).prepare),$($(1).parse)))
_check-data  = $(foreach d,$($(1).$(2)),$(if $(call _check-made,$(1),$(d)),,\
                   $(call _check-fault,$(1),$(2),$(d)$(_comma) expected a preparation; \
                   $(1).prepare.$(d) is missing)))
_check-count = $(foreach v,$(filter-out $(if $(filter sizes sizes.%,$(2)),all),$($(1).$(2))),$(if $(call _check-bad,$(v)),\
                   $(call _check-fault,$(1),$(2),$(v)$(_comma) expected a number without leading zeros)))
_check-counts = sizes seeds more_seeds updates batch validate merges beam samples timed-on probe few
_check-some  = gradient relevance confidence random-1 random-2 random-3
_check-hows  = gate first $(_check-some) $(_check-some:%=all-%)
# The words that src/papers.keys lists for these keys.
_check-words-of := $(shell awk -F "'" '/^(also|head-maps)\t.*any of / { sub(/\t.*/, "", $$1); \
                       for (i = 2; i < NF; i += 2) print $$1 ":" $$i }' $(_top)src/papers.keys)
_check-listed = $(patsubst $(1):%,%,$(filter $(1):%,$(_check-words-of)))
_check-also   = $(patsubst %-NAME,%-%,$(call _check-listed,also))
_check-head-maps = $(call _check-listed,head-maps)
_check-sources = $(addprefix whole/,$($(1).searches)) $(addprefix size/,$($(1).searches))
_check-paper-values = $(call _check-need,$(1),title $(if $(_check-is.VARIANT),,variant.NAME))\
    $(call _check-need,$(1),$(addprefix map.,$($(1).maps)) $(addprefix trace.,$(call _check-is.TRACE,$(1))) \
        $(if $(filter statistics,$($(1).also)),statistics) $(if $($(1).studied),probe few) \
        $(if $($(1).timed),timed-on) $(if $($(1).posthoc),posthoc-by) \
        $(addprefix curve.,$($(1).posthoc)) $(addprefix curve-on.,$($(1).posthoc)))\
    $(foreach k,$(filter $(_check-counts) $(_check-counts:%=%.%),$(_check-set)),$(_check-count.now))\
    $(foreach k,data $(addprefix data.,$(call _check-set,$(1).data)),$(call _check-data,$(1),$(k)))\
    $(call _check-each,$(1),parse,$($(1).parse),none $(_forms),none or one of $(_forms))\
    $(call _check-every,$(1),parse,_check-words,none $(_forms),none or one of $(_forms))\
    $(call _check-every,$(1),begin,_check-words,$(_check-is.VARIANT),a variant)\
    $(call _check-every,$(1),aligned,_check-words,$(_check-is.VARIANT),a variant)\
    $(call _check-every,$(1),closed,_check-first,$(_check-is.VARIANT),a variant)\
    $(call _check-every,$(1),closed,_check-last,$(_check-hows),a variant and one of $(_check-hows))\
    $(call _check-every,$(1),tested,_check-words,model pruned,model or pruned)\
    $(call _check-every,$(1),search,_check-words,$(_check-sources),whole/SEARCH or size/SEARCH)\
    $(call _check-every,$(1),after,_check-words,$($(1).searches),one of the searches)\
    $(call _check-every,$(1),map,_check-first,$(_check-is.VARIANT),a variant and options of head-map)\
    $(call _check-every,$(1),corpora,_check-words,$(call _check-set,$(1).text),a corpus of $(1).text.NAME)\
    $(foreach k,studied timed gated walk,\
        $(call _check-each,$(1),$(k),$($(1).$(k)),$(_check-is.VARIANT),variants))\
    $(call _check-each,$(1),scored,$($(1).scored),raw tok,raw or tok)\
    $(call _check-each,$(1),also,$($(1).also),$(_check-also),$(_check-also))\
    $(call _check-each,$(1),head-maps,$($(1).head-maps),$(_check-head-maps),$(_check-head-maps))\
    $(call _check-each,$(1),brief,$($(1).brief),$($(1).also),tables that also names)\
    $(foreach f,$(addprefix $(_top),src/papers/$(1).grid $($(1).facts) $($(1).searches:%=src/papers/$(1).%.$(PROFILE))),\
        $(call _check-file,$(1),$(f)))
_check-count.now = $(call _check-count,$(1),$(k))

# The file of a paper may only set keys of this paper, and change nothing else.
_same        = $(if $(subst x$(1),,x$(2))$(subst x$(2),,x$(1)),,yes)
_check-names = $(foreach v,$(filter-out $(1).% _check-was.% MAKEFILE_LIST,$(.VARIABLES)),\
                   $(if $(filter file override,$(origin $(v))),$(v)))
_check-keep  = $(foreach v,$(_check-names),$(eval _check-was.$(v) := $$(value $(v))))
_check-new   = $(foreach v,$(_check-names),$(if $(call _same,$(value $(v)),$(_check-was.$(v))),,$(v)))
_read-paper  = $(if $(filter _% parse parser,$(1)),$(error $(_top)src/papers/$(1).mk: $(1) is no name for \
                   a paper; pipeline.mk uses it))\
    $(_check-keep)$(eval include $(_top)src/papers/$(1).mk)$(foreach v,$(_check-new),\
        $(error $(_top)src/papers/$(1).mk: $(v): unknown key; expected names that begin with '$(1).'))

# --- grids ---------------------------------------------------------------------------------

# Rows, sections and captions are checked once heed-table is built, which reads grids
# (src/grids.mk).
_check-sections = $(call _unique,$(foreach r,$(_rows.$(1)),$(call _row,1,$(r))))
_check-captions = $(_check-sections) $($(1).also) $($(1).maps) $($(1).head-maps) curves
_check-row   = $(foreach v,$(call _variants,$(2)),$(if $(call _check-has,$(1).variant.$(v)),,\
    $(error $(_top)src/papers/$(1).grid: section $(call _row,1,$(2)): row $(v) has no settings; \
        $(1).variant.$(v) is missing in $(_top)src/papers/$(1).mk)))
_check-rows  = $(foreach r,$(_rows.$(1)),$(call _check-row,$(1),$(r)))\
    $(foreach k,main plots,\
        $(call _check-each,$(1),$(k),$($(1).$(k)),$(_check-sections),a section of \
        src/papers/$(1).grid))\
    $(foreach k,$(addprefix trace.,$(call _check-is.TRACE,$(1))),\
        $(call _check-each,$(1),$(k),$(firstword $($(1).$(k))),$(_check-sections),a section of \
        src/papers/$(1).grid and the beginning of a name in logs))\
    $(foreach s,$(filter-out $(_check-sections),$(call _check-set,$(1).corpora)),\
        $(call _check-fault,$(1),corpora.$(s),unknown section))\
    $(foreach c,$(filter-out $(_check-captions),$(call _check-set,$(1).caption)),\
        $(call _check-fault,$(1),caption.$(c),unknown table or figure))
# With draw, each paper is drawn by itself, and need not have all of them.
_check-among = $(or $(if $(_drawing),,$(strip $(_goals))),$(_papers))
_check-asked = $(call _unique,$(foreach p,$(_check-among),$(call _check-sections,$(p))))
_check-tables = $(foreach t,$(filter-out $(_check-asked),$(TABLES)),\
    $(error TABLES=$(TABLES): unknown section $(t), expected some of $(strip $(_check-asked))))
_check-systems = $(sort $(foreach p,$(_check-among),$(foreach r,$(_rows.$(p)),$(call _variants,$(r)))))
_check-chosen = $(foreach v,$(filter-out $(_check-systems),$(SYSTEMS)),\
    $(error SYSTEMS=$(SYSTEMS): unknown variant $(v), expected some of $(_check-systems)))
