# pipeline.mk: from corpora to reports; see heed-pipeline(7).
#
#   make -f pipeline.mk demo                      LibreOffice help, from fetched packages to BLEU
#   make -f pipeline.mk demo DATA=dir PAIR=en-de  the same on your own corpus
#   make -f pipeline.mk reproduce-syntax DATA=dir tables and figures of papers; see heed-papers(7)
#   make -f pipeline.mk parser LANGUAGE=en TREEBANKS='a.conllu,a.ptb' TREEBANK_DEV=d.conllu,d.ptb
#
# Targets appear under their names only when they are complete.  All settings of a
# step are in one file, which is rewritten only if its text changes; then the targets
# that depend on it are made again.  An interrupted training resumes.
#
# All names here and in src/*.mk begin with _, except those that users may set, and those that
# the files of papers may read: bpe, closed, column, pair, seed, setting, tenth, treed.
SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
# The folder of this file: empty for "make -f pipeline.mk" in the source tree.  heed-pipeline(1) runs
# the file from any folder; results are always written in the current folder.
_self   := $(firstword $(MAKEFILE_LIST))
_top    := $(patsubst ./%,%,$(dir $(_self)))
# In a source tree the programs are built first, in the MODE of the Makefile; otherwise they are
# installed.  A copy of the pipeline may be next to a Makefile of the user's.
_source := $(and $(wildcard $(_top)Makefile),$(wildcard $(_top)tests/tests.mk))
_bin    := $(if $(_source),$(_top)$(if $(filter-out release,$(MODE)),build/$(MODE)/)bin/)
# heed-pipeline sets _called to its name.
_called := make -f $(_self)
export PATH := $(if $(_source),$(abspath $(_bin)):)$(PATH)
export LC_ALL := C.UTF-8

include $(_top)src/check.mk
PROFILE ?= cpu
PAIR    ?= en-de
THREADS ?= $(shell sh $(_top)src/papers/processors.sh)
SLOTS   ?= $(shell n=$$(($$(sh $(_top)src/papers/processors.sh) / $(THREADS))); echo $$((n > 1 ? n : 1)))
RUN     ?=
RUN_ONE ?=
TABLES  ?=
SYSTEMS ?=
W       := work/$(PROFILE)
R       := $(W)/results
MODELS  ?= $(if $(_source),$(_top)common/parser/models,$(W)/parsers)
$(if $(filter $(PROFILE),$(_profiles)),,$(error PROFILE=$(PROFILE), expected one of $(_profiles)))
include $(_top)src/profiles/$(PROFILE).mk
include $(_top)src/forms.mk
$(foreach p,$(_papers),$(call _read-paper,$(p)))
$(_check-command-line)
$(foreach p,$(_papers),$(call _check-paper-keys,$(p))$(call _check-paper-values,$(p)))

_targets = $(foreach p,$(_papers),$(call _target,$(p)))
_target = $(if $(filter demo,$(1)),,reproduce-)$(1)
$(foreach g,$(filter-out $(_targets),$(filter reproduce-%,$(MAKECMDGOALS))),\
    $(error $(g): no such target; expected one of $(_targets)))
_fetching = $(if $(DATA),,$(filter fetch plan prepare benchmark-heads all $(_targets),$(MAKECMDGOALS)))
$(foreach c,$(if $(_fetching),$(filter-out help manpages,$(CORPUS))),\
    $(error CORPUS=$(CORPUS): $(c), expected help or manpages; DATA=folder is your own corpus))

.DEFAULT_GOAL := help
help:
	@printf '%s\n' 'targets: $(_targets) all plan prepare run-one draw benchmark-heads benchmark-tables fetch keys parser grammar parser-scores' \
	    'settings: DATA=folder PAIR=en-de PROFILE=smoke|cpu|paper TABLES=names THREADS=n' \
	    'example: $(_called) demo DATA=corpus PAIR=en-cs' 'see heed-pipeline(7)'

# The keys that papers may set.
keys:
	@awk -f $(_top)src/papers/aligned.awk $(_top)src/papers.keys $(_top)src/papers.keys

# One make makes all goals of a command, so that -j never makes a file twice.  It is a second
# make, which runs after the texts are prepared: the number of pairs decides which sizes are
# possible, and missing texts are reported before any training.
_goals  = $(foreach p,$(_papers),$(if $(filter all $(call _target,$(p)),$(MAKECMDGOALS)),$(p)))
_reports = $(_goals:%=$(R)/%/report.html)
_texts  = $(foreach c,$(_read-columns),$(foreach s,$(_splits),\
              $(addprefix $(W)/text/$(c)/$(s),.src.raw .tgt.raw)))
_again  = $(MAKE) --no-print-directory -f $(_self) _goals='$(strip $(_goals))'
# Output goes to work/PROFILE/log, except for a line for each heavy step.  V=1 and -n show
# everything.
_dry    = $(findstring n,$(firstword -$(MAKEFLAGS)))
_loud   = $(or $(V),$(_dry))
_watch  = $(if $(_loud),,sh $(_top)src/papers/watch.sh $(W) $(SLOTS) $(call _quote,$(1)))
$(_targets) all: $(or $(filter help keys plan prepare,$(MAKECMDGOALS)),reports)
	@:
reports: build
	+@$(call _watch,preparing texts) $(_again) $(_texts) $(_read-columns:%=$(W)/text/%/pairs)
	+@$(call _watch,-) $(_again) data
	@printf 'report when done: %s\n' $(_reports)
	+@$(call _watch,-) $(_again) reported
	+@$(call _watch,writing the overview) $(_again) $(R)/report.html
	@cat $(W)/reported; echo 'report: $(R)/report.html'

# plan TARGET: lists the runs that the ledger lacks, given the present data.  prepare TARGET: the
# data only.
plan:
	+@{ $(_again) build; $(call _watch,preparing texts) $(_again) $(_texts) $(_read-columns:%=$(W)/text/%/pairs); } >&2
	+@$(_again) lacking
prepare: build
	+@$(call _watch,preparing texts) $(_again) $(_texts) $(_read-columns:%=$(W)/text/%/pairs)
	+@$(call _watch,-) $(_again) data

# run-one: one run or search by its name; of a run that the ledger has, the model.  Its data should be
# prepared, since other runs may use the same folder.  A search that it needs should be complete:
# several runs may need the same one.
run-one:
	@[ -n '$(filter $(RUN_NAME),$(_wanted) $(_all-searches))' ] || { echo "RUN_NAME=$(RUN_NAME): expected one of the runs" \
	    "that plan lists" >&2; exit 2; }
	@[ -z '$(_one-lacks)' ] || { echo "$(RUN_NAME) needs the search $(_one-lacks); first:" \
	    "run-one RUN_NAME=$(firstword $(_one-lacks))" >&2; exit 2; }
	+@$(_again) SLOTS=1000 $(or $(_one-search:%=$(R)/%/best),$(_one-kept:%=$(W)/run/%/model.tar),$(call _record,$(RUN_NAME)))
_one-search = $(filter $(_all-searches),$(RUN_NAME))
_one-kept = $(filter $(_kept),$(RUN_NAME))
_one-lacks = $(sort $(if $(_one-search),$(foreach *,$(call _as-search,$(RUN_NAME)),$(call _searched,$(_after))),\
                $(foreach *,$(call _and-before,$(RUN_NAME)),$(_search-before))))

include $(_top)src/draw.mk

# The part of the command line that a report depends on; DATA is represented by its name.
_given-set = $(foreach v,$(filter-out $(1) PROFILE DATA TRAIN DEV TEST R W THREADS SLOTS RUN RUN_ONE \
                 RUN_NAME DRAFTS V _%,$(_check-given)),$(v)=$(call _quote,$($(v))))
_command = PROFILE=$(PROFILE) $(if $(filter help,$(_corpora)),,CORPUS='$(_corpora)') $(call _given-set,CORPUS)
_keep-command = $(foreach p,$(1),printf '%s\n' $(call _quote,$(_command)) > $(R)/$(p)/command;)

build: packages
	@mkdir -p $(W)
	@: > $(W)/log
	+@$(if $(_source),$(call _watch,building programs) $(MAKE) --no-print-directory $(if $(_top),-C $(_top)) all)
packages:
	@$(if $(_source),sh $(_top)common/packages.sh build,:)

# --- names ---------------------------------------------------------------------------------

_paired = $(foreach c,$(1),$(PAIR:%=$(c).%))
# A column is CORPUS.PAIR, or CORPUS.PAIR@SIZE for a sample of SIZE pairs; .DRAW after it is the
# number of the sample.  A run is PAPER/COLUMN/VARIANT/SEED; its seed is also the number of the
# sample.  The name of a corpus may contain @, too; SIZE.DRAW consists of digits.
_columns := $(call _paired,$(_corpora))
include $(_top)src/made.mk
_after-at = $(if $(findstring @,$(1)),$(lastword $(subst @, ,$(1))))
_size-of = $(if $(call _check-no-number,$(subst .,,$(_after-at))),,$(_after-at))
_whole   = $(patsubst %@$(_size-of),%,$(1))
_draw    = $(subst ., ,$(_size-of))
_pair-of = $(subst .,,$(suffix $(_whole)))
_src     = $(word 1,$(subst -, ,$(_pair-of)))
_tgt     = $(word 2,$(subst -, ,$(_pair-of)))
_part    = $(word $(1),$(subst /, ,$*))

# setting PAPER,KEY,VARIABLE,COLUMN: the value from the command line; or that of the paper; or
# that of the profile.  A key for this profile and pair comes first, then one for this profile,
# then one for all.
_commanded = $(if $(filter command,$(origin $(1))),$($(1)))
_for-pair = $(1).$(2).$(PROFILE).$(call _pair-of,$(4))
setting  = $(or $(call _commanded,$(_for-pair)),$(call _commanded,$(1).$(2).$(PROFILE)),\
               $(call _commanded,$(1).$(2)),$(call _commanded,$(3)),\
               $($(_for-pair)),$($(1).$(2).$(PROFILE)),$($(1).$(2)),$($(3)))
_quote   = '$(subst ','\'',$(1))'
# into COMMAND: the output of COMMAND becomes the target when it is complete.  Other processes may make
# the same file at the same time, also on other machines.
_into    = mkdir -p $(@D); $(_new); { $(1); } > "$$new"; mv "$$new" $@
_new     = sh $(_top)src/papers/stray.sh $@; new=$@.$$$$-$$HOSTNAME.tmp; trap 'rm -f "$$new"' EXIT
# Rewrites a file only if its text changes, since other processes may use the folder; also under
# -n, when watch.sh counts the steps.
define _rewrite
$(if $(_plan),+)@text=$(call _quote,$(strip $(1))); \
cmp -s - $@ <<< "$$text" || { $(call _into,printf '%s\n' "$$text"); }
endef
# force-unless TEXT: the prerequisite force, unless the file has this text.  As .SECONDARY makes all files
# that rules name intermediate, make would make again whatever depends on a file with this prerequisite.
_force-unless = $(if $(call _same,$(strip $(1)),$(strip $(file < $@))),,force)
force:
tenth    = $(shell echo $$(($(1) / 10 + 1)))

# Heavy steps by kind: at most SLOTS of them run at a time, whatever -j is.
_slot = sh $(_top)src/papers/slot.sh $(SLOTS) $(W)/.slot bash $(_top)src/papers/step.sh $(W) $(1) $@

# --- corpora -------------------------------------------------------------------------------

fetch: $(foreach c,$(or $(CORPUS),help),$(PAIR:%=$(W)/fetched.$(patsubst help.,,$(c).)%))
$(W)/fetched.manpages.%:
	mkdir -p $(W)/packages
	$(call _into,corpus-fetch -o $(W)/packages manpages $(subst -, ,$*))
$(W)/fetched.%:
	mkdir -p $(W)/packages
	$(call _into,corpus-fetch -o $(W)/packages libreoffice-help $(subst -, ,$*))

# text/COLUMN/SPLIT.SIDE.raw: from a folder with train, dev (or val) and test, from LibreOffice
# help, or from manual pages.
_text-split = $(basename $(*F))
_text-side = $(subst .,,$(suffix $(*F)))
_text-lang = $(call _$(_text-side),$(*D))
ifeq ($(DATA),)
$(W)/text/help.%/aligned: $(W)/fetched.%
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align $(patsubst %,-l %,$(subst -, ,$*)) -o $(@D)/help "$${packages[@]}"
	touch $@
$(W)/text/manpages.%/aligned: $(W)/fetched.manpages.%
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align --manpages --dev 3 --test 3 $(patsubst %,-l %,$(subst -, ,$*)) -o $(@D)/help "$${packages[@]}"
	touch $@
$(W)/text/%.raw: $$(W)/text/$$(*D)/aligned
	$(call _into,cat $(@D)/help.$(_text-split).$(_text-lang))
else
# The first existing file among the names of a split, plain or compressed.  Of a name with
# wildcards there must be one file.
_names.train = $(or $(TRAIN),train)
_names.dev  = $(or $(DEV),dev val valid)
_names.test = $(or $(TEST),test test*)
_folders    = $(abspath $(DATA))
_folder     = $(firstword $(filter %/$(basename $(1)),$(_folders)))
_packed     = - .gz .xz .zst .bz2
_text-names = $(foreach n,$(_names.$(_text-split)),$(foreach z,$(_packed),$(n).$(_text-lang)$(z:-=)))
_text-files = $(addprefix $(call _folder,$(*D))/,$(_text-names))
_text-found = $(firstword $(wildcard $(_text-files)))
_text-all   = $(sort $(wildcard $(_text-files)))
_text-doubt = $(if $(filter $(_text-found),$(_text-files)),,$(if $(word 2,$(_text-all)),$(_text-all)))
_no-text    = no text, expected one of these files: $(_text-files)$(if $(word 2,$(_text-langs)),; found \
                  texts in $(_text-langs): PAIR=$(if $(word 3,$(_text-langs)),,$(subst $() $(),-,$(_text-langs)))?)
# The languages of this split in the folder; trees are no texts.
_text-langs = $(sort $(filter-out conllu ptb,$(foreach f,$(notdir $(wildcard $(foreach n,$(_names.$(_text-split)),\
                  $(call _folder,$(*D))/$(n).*))),$(lastword $(subst ., ,$(call _unpacked,$(f)))))))
_unpacked   = $(patsubst %.gz,%,$(patsubst %.xz,%,$(patsubst %.zst,%,$(patsubst %.bz2,%,$(1)))))
# The checksum of the file that was found, so that other text under the same name is noticed.  Text
# that is the same although the file is another keeps its time.
_text-sum   = $(if $(_text-found),$(shell cksum < $(call _quote,$(_text-found))))
$(W)/text/%.found: $$(call _force-unless,$$(_text-sum))
	$(call _rewrite,$(_text-sum))
$(W)/text/%.raw: $(W)/text/%.found
	$(if $(_text-doubt),$(error several files for $(_text-split): $(_text-doubt)$(_comma) expected \
	    one$(_comma) or its name without the language as TRAIN$(_comma) DEV or TEST))@mkdir -p $(@D)
	@[ -n $(call _quote,$(_text-found)) ] || { echo $(call _quote,$(_no-text)) >&2; exit 1; }
	$(_new); tokenize --type none $(call _quote,$(_text-found)) > "$$new"; \
	if cmp -s "$$new" $@; then touch -r $@ $<; else mv "$$new" $@; fi
endif

# The texts of made corpora are tokens.
$(foreach s,src tgt,$(_made:%=%.$(s).raw) $(_made:%=%.$(s).tok)): $$(basename $$(basename $$@)).heed
	$(call _into,heed-show -f $(patsubst .%,%,$(suffix $(basename $@))) $<)
$(W)/text/%.tok: $(W)/text/%.raw
	$(call _into,tokenize -l $(_text-lang) < $<)
$(W)/text/%/pairs: $(W)/text/%/train.src.tok
	$(call _into,wc -l < $<)

# parsed/NAME/COLUMN/SPLIT.heed: a corpus is parsed once by each parser (src/forms.mk).  Parser
# none: the text without trees.
_parse-from = $(if $(filter made,$(call _part,1)),$(W)/text,$(W)/parsed/$(or $(parse.$(call _part,1).from),none))/$(call _part,2)/$(call _part,3).heed
_parse-step = $(or $(strip $(parse.$(call _part,1))),cat)
_parse-with = $(filter $(MODELS)/%.parser,$(_parse-step))
$(W)/parsed/none/%.heed: $(W)/text/%.src.tok $(W)/text/%.tgt.tok
	@mkdir -p $(@D)
	heed-pack -o $@ $^
_parse-kind = $(if $(filter -p,$(_parse-step)),read-trees,parse)
_parse-settings = $(_parse-step)$(if $(filter -p,$(_parse-step)), $(_check-hash) $(_tree-sums))
$(W)/parsed/%.settings: $$(call _force-unless,$$(_parse-settings))
	$(call _rewrite,$(_parse-settings))
# The checksums of user-supplied trees, of both sides.
_tree-sums = $(foreach d,src tgt,$(foreach k,conllu ptb,\
                 $(foreach f,$(call _tree-found,$(d),$(k)),$(shell cksum < $(call _quote,$(f))))))
_splits = train dev test
# The benchmark of MODEL reads no training texts, help and keys read none.
$(if $(DATA),$(if $(MODEL)$(filter help keys,$(or $(MAKECMDGOALS),help)),,$(_check-own)))
_parsed = $(foreach f,$(_forms),$(foreach c,$(_columns) $(_made-columns),$(_splits:%=$(W)/parsed/$(f)/$(c)/%.heed)))
$(_parsed): $(W)/parsed/%.heed: $$(_parse-from) $$(_parse-with) $(W)/parsed/%.settings
	$(call _slot,$(_parse-kind)) bash $(_top)src/papers/into.sh $@ $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) $(call _quote,$(_parse-step)) < $<

# A sample has the same pairs in all preparations.
_sample = $(call _draw-from,$(call _draw,$(1)))
_draw-from = $(if $(1),heed-sample -n $(word 1,$(1)) -s $(word 2,$(1)) |)

# codes/COLUMN/MERGES: joint BPE for both sides; MERGES.src and MERGES.tgt: of one side each.
$(W)/codes/%: $$(W)/parsed/none/$$(call _whole,$$(*D))/train.heed
	$(call _into,for side in $(or $(subst .,,$(suffix $(*F))),src tgt); do \
	    { $(call _sample,$(*D)) heed-show -f $$side; } < $<; done | bpe-learn --text --merges $(basename $(*F)))

# prepared/PAPER/NAME/COLUMN/SPLIT.heed: a parsed corpus prepared for a paper, once for all runs
# that read it.  The parser is the one after which the preparation is named, or that of the paper.
_merges       = $(W)/codes/$(2)/$(call setting,$(1),merges,MERGES,$(2))
_codes        = $(patsubst %.both,%,$(addprefix $(_merges),$(or $(call setting,$(1),codes),.both)))
_code-option  = $(or $(patsubst .%,--%-codes,$(filter .src .tgt,$(suffix $(1)))),-c)
bpe           = bpe-apply $(foreach f,$(_prepare-codes),$(call _code-option,$(f)) $(f))
_parse-of     = $(or $($(1).parse.$(2)),$(if $(value parse.$(2)),$(2)),$($(1).parse),none)
_prepare-parse = $(call _parse-of,$(call _part,1),$(call _part,2))
_prepare-from = $(W)/parsed/$(_prepare-parse)/$(call _whole,$(call _part,3))/$(call _part,4).heed
_prepare-codes = $(call _codes,$(call _part,1),$(call _part,3))
_prepare-step = $(or $($(call _part,1).prepare.$(call _part,2)),$($(call _part,1).prepare),$(bpe))
_prepare-settings = $(_prepare-step) < $(_prepare-from)
$(W)/prepared/%.settings: $$(call _force-unless,$$(_prepare-settings))
	$(call _rewrite,$(_prepare-settings))
$(W)/prepared/%.heed: $$(_prepare-from) $$(_prepare-codes) $(W)/prepared/%.settings
	$(call _into,{ $(if $(filter train,$(*F)),$(call _sample,$(call _part,3))) $(_prepare-step); } < $<)
# Checksums of all fields that models can read, together and one by one.
_read-fields = $$(heed-check --list $(1) | awk -F '\t' '$$2 == "field" && $$3 !~ /^((src|tgt)([.]upos)?|x[.].*)$$/ \
                 { print $$3 }' | \
                  paste -s -d , -)
$(W)/prepared/%/sums: $$(foreach s,$(_splits),$$(@D)/$$s.heed)
	$(call _into,for s in $(_splits); do f=$(@D)/$$s.heed; heed-check --sum "$(call _read-fields,$$f)" $$f | \
	    sed -n "s/^[^\t]*\tsum\t/$$s\t/p"; done)

# SPLIT.sum: the checksum of all fields of a split, for files that are made from it (src/ledger.mk).
_all-fields = $$(heed-check --list $< | awk -F '\t' '$$2 == "field" { print $$3 }' | paste -s -d , -)
$(W)/prepared/%.sum: $(W)/prepared/%.heed
	$(call _into,heed-check --sum "$(_all-fields)" $< | sed -n 's/^[^\t]*\tsum\ttogether\t\([^\t]*\).*/\1/p')

# Shared by all runs: not deleted when a step fails, since another process may just have made the file.
.PRECIOUS: $(addprefix $(W)/text/%,.found .raw .tok /pairs) $(W)/parsed/none/%.heed $(_parsed) $(W)/codes/% \
    $(addprefix $(W)/prepared/%,.heed .sum /sums)

# The runs that tables need.
include $(_top)src/grids.mk

# --- runs ----------------------------------------------------------------------------------

_paper    = $(call _part,1)
column    = $(call _part,2)
pair      = $(call _pair-of,$(column))
_variant  = $(call _part,3)
seed      = $(call _part,4)
_drawn    = $(column)$(if $(call _size-of,$(column)),.$(seed))
_data     = $(_paper)/$(or $($(_paper).data.$(_variant)),$($(_paper).data),plain)/$(_drawn)
_streams  = $(W)/prepared/$(_data)
_run-codes = $(call _codes,$(_paper),$(_drawn))
# The run that this one continues: another variant of the same column and seed.
_begin    = $($(_paper).begin.$(_variant):%=$(W)/run/$(_paper)/$(column)/%/$(seed)/model.tar)
# PAPER.aligned.VARIANT: another variant, whose run of the same column and seed aligns the words of
# the data that this one is trained on.
_aligner  = $($(_paper).aligned.$(_variant):%=$(W)/run/$(_paper)/$(column)/%/$(seed)/model.tar)
_stream   = $(if $(_aligner),$(W)/run/$*/aligned.$(1).heed,$(_streams)/$(1).heed)
# PAPER.closed.VARIANT = OTHER HOW: the list of heads that the run of another variant pruned, or
# that a measure selects instead (src/heads.mk).  strip: some versions of make keep the last
# newline of a long file.
_closed-of = $($(_paper).closed.$(_variant))
_closed-in = $(if $(_closed-of),\
                $(W)/run/$(_paper)/$(column)/$(firstword $(_closed-of))/$(seed)/closed.$(lastword $(_closed-of)))
closed    = $(if $(_closed-in),$(strip $(file < $(_closed-in))))
# PAPER.tested.VARIANT: the model that translates, model or pruned.
_tested   = $(W)/run/$*/$(or $($(_paper).tested.$(_variant)),model).tar
_beam     = $(call setting,$(_paper),beam,BEAM)

_common   = --preset $(or $($(_paper).preset),fairseq) --size $(call setting,$(_paper),size,SIZE) \
            $(addprefix --arch ,$(call setting,$(_paper),arch,ARCH)) $(1) \
            $(addprefix --updates ,$(call setting,$(_paper),updates,UPDATES)) \
            --batch-tokens $(call setting,$(_paper),batch,BATCH) \
            --validate-every $(call setting,$(_paper),validate,VALIDATE) \
            $(call setting,$(_paper),recipe,RECIPE,$(column))
_arguments = $(call _last-given,$(call _common,--seed $(seed)) $(and $(_best),$(file < $(_best))) \
                $($(_paper).variant.$(_variant)))
# If profile and variant give the same option, the last one counts.  Options in add-up accumulate.
_add-up    = --arch -a --attention --freeze
_blank    := $() $()
_glued     = $(subst ¤-, -,$(subst $(_blank),¤,$(strip $(1))))
_name-of   = $(foreach o,$(1),$(firstword $(subst ¤, ,$(o))))
_but-first = $(wordlist 2,$(words $(1)),$(1))
_given-later = $(filter-out $(_add-up),$(filter $(call _name-of,$(firstword $(1))),$(call _name-of,$(_but-first))))
_last-of   = $(if $(1),$(if $(_given-later),,$(firstword $(1))) $(call _last-of,$(_but-first)))
_last-given = $(strip $(subst ¤, ,$(call _last-of,$(call _glued,$(1)))))

_engine  := $(shell sed -n 's/^\#define HEED_ENGINE //p' $(_top)common/model/engine.h)
_settings = engine=$(_engine) $(_data) $(_begin) $(_aligner) $(_arguments)
$(W)/run/%/settings: $$(call _force-unless,$$(_settings)) $$(_best) $$(_closed-in)
	$(call _rewrite,$(_settings))

# search/PAPER/COLUMN/NAME/best: the settings that a search found, after those of PAPER.after.NAME
# if any; kept as $(R)/PAPER/search/COLUMN/NAME/best (src/ledger.mk).  PAPER.search.VARIANT is the
# search that a variant takes its settings from: whole/NAME on the whole corpus, size/NAME on the
# size of the run.
_best     = $(call _best-of,$(_paper)/$(column)/$(_variant))
_best-of  = $(call _best-named,$(call _row,1,$(1)),$(call _row,2,$(1)),$(call _search-of,$(1)))
_search-of = $($(call _row,1,$(1)).search.$(call _row,3,$(1)))
_best-named = $(if $(3),$(R)/$(1)/search/$(call _search-on,$(2),$(3))/$(notdir $(3))/best)
_search-on = $(if $(filter whole/%,$(2)),$(call _whole,$(1)),$(1))
_searches = $(foreach p,$(_papers),$(foreach c,$(sort $(_columns) $(_cells.$(p).sizes)),\
                $($(p).searches:%=$(W)/search/$(p)/$(c)/%/best)))
_after    = $($(_paper).after.$(call _part,3):%=$(R)/$(_paper)/search/$(column)/%/best)
_tried    = $(W)/prepared/$(_paper)/$(or $($(_paper).data),plain)/$(call _first-draw,$(column))
_first-draw = $(1)$(if $(_size-of),.1)
_trial    = $(if $(SEARCH_RUNGS),$(call _no-updates,$(call _common)),$(call _common)) $(and $(_after),$(file < $(_after)))
# SEARCH_RUNGS sets the updates of trials itself.
_no-updates = $(subst ¤, ,$(filter-out --updates¤%,$(call _glued,$(1))))
_grid-file = $(_top)src/papers/$(_paper).$(call _part,3).$(PROFILE)
$(W)/search/%/settings: $$(call _force-unless,$$(_trial)) $$(_after)
	$(call _rewrite,$(_trial))
$(_searches): $(W)/search/%/best: $$(_tried)/train.heed $$(_tried)/dev.heed $$(_after) \
                                 $(W)/search/%/settings $$(_grid-file) | $$(_tried)/sums
	$(call _begun,journal*,$(_tried)/sums)
	$(call _slot,search) $(RUN_ONE) nmt-search --threads $(THREADS) --grid $(_grid-file) --journal $(@D)/journal \
	    --seeds $(SEARCH_SEEDS) $(addprefix --rungs ,$(SEARCH_RUNGS)) --dev $(_tried)/dev.heed \
	    -o $(@D)/winner $(_tried)/train.heed -- $(_trial)
	cat $(_after) $(@D)/winner | xargs > $@.tmp
	mv $@.tmp $@

# begun FILES,SUMS: removes unfinished work that was begun with other settings, training or development
# data.
_begun    = { cat $(@D)/settings; sed '/^test/d' $(2); } > $(@D)/settings.now; \
            cmp -s $(@D)/settings.now $(@D)/settings.begun || rm -rf $(addprefix $(@D)/,$(1)); \
            mv $(@D)/settings.now $(@D)/settings.begun

# The commit of the source tree.  A repository around an installation, or around a source tree that
# is not in git, has nothing to do with the programs.
_git      = git $(_top:%=-C %)
_describe = $(if $(_source),{ [ -z "$$($(_git) rev-parse --show-prefix)" ] && $(_git) describe --always --dirty; } \
                2> /dev/null,false)
# refuse-draft COMMIT,COMMAND: unless DRAFTS is set, the message for a run that the ledger does not
# accept, and then the command.
_refuse-draft = $(if $(DRAFTS),:,case $(1) in \
    ('') echo 'the ledger $(R) accepts no runs without a commit, and the programs are not from a git repository;' \
        'set DRAFTS=1 or another R' >&2; $(2) ;; \
    (*-dirty) echo 'the ledger $(R) accepts no runs of a source tree with changes; commit them or set' \
        'DRAFTS=1' >&2; $(2) ;; esac)

# The runs that the ledger has.
_form     = $(or $($(_paper).scored),raw)
_reference = $(W)/text/$(call _whole,$(column))/test.tgt
include $(_top)src/ledger.mk

# The options of all missing runs, but those with a list of heads that a run makes; for run-one, only of
# its paper.  They are handed over in a file, since a command line ends at 128 KB.
_to-check = $(foreach *,$(if $(RUN_NAME),$(filter $(call _row,1,$(RUN_NAME))/%,$(_lacking)),$(_lacking)),$(if $(_closed-of),,$(_paper) $(_variant) $(_arguments)$(_newline)))
.PHONY: options-checked
options-checked:
	@$(if $(and $(_lacking),$(if $(_dry),,run)),$(file > $(_list),$(_to-check))sh $(_top)src/papers/options.sh < $(_list); \
	    r=$$?; rm $(_list); exit $$r)

_align    = nmt-score -q --threads $(THREADS) --alignment -m $< -o $@ $(word 2,$^)
$(W)/run/%/aligned.train.heed: $$(_aligner) $$(_streams)/train.heed | $(W)/run/%/settings ; $(_align)
$(W)/run/%/aligned.dev.heed: $$(_aligner) $$(_streams)/dev.heed | $(W)/run/%/settings ; $(_align)

# An interrupted training resumes from its checkpoint.
_models   = $(_wanted:%=$(W)/run/%/model.tar)
$(_models): $(W)/run/%/model.tar: $$(call _stream,train) $$(call _stream,dev) $$(_begin) $$(_best) \
                                 $$(_closed-in) $(W)/run/%/settings | options-checked $$(_streams)/sums
	$(call _begun,checkpoint.tar,$(_streams)/sums)
	$(_describe) > $(@D)/commit || rm -f $(@D)/commit
	@$(call _refuse-draft,"$$(cat $(@D)/commit 2> /dev/null)",exit 1)
	$(call _slot,train) $(RUN) nmt-train --threads $(THREADS) $(_begin:%=--init %) $(_arguments) \
	    $(patsubst %,-c %,$(filter-out %.src %.tgt,$(_run-codes))) --dev $(call _stream,dev) \
	    --checkpoint $(@D)/checkpoint.tar --log $(@D)/log.heed -o $@ $<

$(W)/run/%/beam: $$(call _force-unless,$$(_beam))
	$(call _rewrite,$(_beam))
$(W)/run/%/test.hyp.heed: $$(_tested) $$(_streams)/test.heed $(W)/run/%/beam
	$(call _slot,translate) $(RUN_ONE) nmt-translate --threads $(THREADS) --beam $(_beam) \
	    -m $< -o $@ $(_streams)/test.heed

# data: all data of the wanted runs; and what draw needs besides runs, the settings and sizes of corpora.
# lacking: the runs that are missing, with their commands, and those of the ledger whose models they need.
data: $(sort $(foreach *,$(_wanted),$(_streams)/sums))
	@mkdir -p $(_with-runs:%=$(R)/%) $(R)
	@$(call _keep-command,$(_with-runs))
	@$(foreach c,$(_read-columns),cp $(W)/text/$(c)/pairs $(R)/$(c).pairs;)
lacking:
	@$(if $(_lacking),$(call _refuse-draft,"$$($(_describe))",:))
	@$(file > $(W)/wanted,$(_wanted-all))sed 's/^ //; /./!d' $(W)/wanted | $(_plan-runs) --command \
	    $(call _quote,$(strip $(_called) $(foreach v,\
	        $(sort $(filter-out _% RUN_NAME V,$(_check-given))),$(v)=$(call _quote,$($(v)))) \
	        run-one RUN_NAME=))

include $(_top)src/results.mk
include $(_top)src/heads.mk
include $(_top)src/curves.mk
include $(_top)src/benchmark.mk
# The data that tables are made from; its checksums decide whether they are made again.
data: $(foreach p,$(_goals),$(if $(filter statistics,$($(p).also)),$(call _counted-sums,$(p))) \
          $(if $(call _whole-run,$(p)),$(call _probe-sum,$(p))))

# --- parsers -------------------------------------------------------------------------------

# Trains the parsers that come with the programs on the treebanks TREEBANKS.  src/parsers.mk has
# the options for each language.
LANGUAGE    ?= en
TREEBANKS   ?=
TREEBANK_DEV ?=
include $(_top)src/parsers.mk
define _treebanks
@[ -n '$(TREEBANKS)' ] || { echo "$(1): no treebanks, expected for example" \
    "TREEBANKS='a.conllu,a.ptb b.conllu'; see heed-pipeline(7)" >&2; exit 1; }
endef

# The checkpoint is in work/; the old parser stays in place until the training is complete.
parser: build
	$(call _treebanks,parser)
	mkdir -p $(MODELS) $(W)/parser
	$(call _slot,parser) $(RUN_ONE) parse-train --threads $(THREADS) --language $(LANGUAGE) $(parser.$(LANGUAGE)) \
	    $(TREEBANK_DEV:%=--dev %) --checkpoint $(W)/parser/$(LANGUAGE).checkpoint \
	    -o $(MODELS)/$(LANGUAGE).parser $(TREEBANKS)
grammar: build
	$(call _treebanks,grammar)
	mkdir -p $(MODELS)
	parse-train --pcfg $(filter --leave-out=%,$(parser.$(LANGUAGE))) \
	    -o $(MODELS)/$(LANGUAGE).pcfg $(TREEBANKS)

# Scores on text; of TREEBANK_DEV=d.conllu,d.ptb the first file is used.
parser-scores: build
	@[ -n '$(TREEBANK_DEV)' ] || { echo "$@: no treebank, expected TREEBANK_DEV=d.conllu" >&2; exit 1; }
	sh $(_top)src/papers/parser-scores.sh $(LANGUAGE) $(firstword $(subst $(_comma), ,$(TREEBANK_DEV)))

.PHONY: help keys plan prepare run-one draw drawn data lacking all build fetch packages force reports reported \
    parser grammar parser-scores $(_targets)
