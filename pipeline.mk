# pipeline.mk: from corpora to reports; see heed-pipeline(7).
#
#   make -f pipeline.mk demo                      LibreOffice help, from fetched packages to BLEU
#   make -f pipeline.mk demo DATA=dir PAIR=en-de  the same on your own corpus
#   make -f pipeline.mk reproduce-rhe DATA=dir    a paper's tables and figures; see heed-papers(7)
#   make -f pipeline.mk parser LANGUAGE=en TREEBANKS='a.conllu,a.ptb' TREEBANK_DEV=d.conllu,d.ptb
#
# Targets appear under their names only when they are complete.  All settings of a
# step are in one file, which is rewritten only if its text changes; then the targets
# that depend on it are made again.  An interrupted training resumes.
SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
export PATH := $(CURDIR)/bin:$(PATH)
export LC_ALL := C.UTF-8

include src/check.mk
PROFILE ?= cpu
PAIR    ?= en-de
THREADS ?= $(shell nproc)
SLOTS   ?= $(shell n=$$(($$(nproc) / $(THREADS))); echo $$((n > 1 ? n : 1)))
RUN     ?=
RUN_ONE ?=
TABLES  ?=
W       := work/$(PROFILE)
R       := $(W)/results
$(if $(filter $(PROFILE),$(profiles)),,$(error PROFILE=$(PROFILE), expected one of $(profiles)))
include src/profiles/$(PROFILE).mk
include src/forms.mk
$(foreach p,$(PAPERS),$(call read-paper,$(p)))
$(check-command-line)
$(foreach p,$(PAPERS),$(call check-paper-keys,$(p))$(call check-paper-values,$(p)))

TARGETS = $(foreach p,$(PAPERS),$(call target,$(p)))
target  = $(if $(filter demo,$(1)),,reproduce-)$(1)

.DEFAULT_GOAL := help
help:
	@printf '%s\n' 'targets: $(TARGETS) all plan prepare draw fetch' \
	    'settings: DATA=folder PAIR=en-de PROFILE=smoke|cpu|paper TABLES=names THREADS=n' \
	    'example: make -f pipeline.mk demo DATA=corpus PAIR=en-cs' 'see heed-pipeline(7)'

# One make makes all goals of a command, so that -j never makes a file twice.  It is a second
# make, which runs after the texts are prepared: the number of pairs decides which sizes are
# possible, and missing texts are reported before any training.
goals   = $(foreach p,$(PAPERS),$(if $(filter all $(call target,$(p)),$(MAKECMDGOALS)),$(p)))
reports = $(goals:%=$(R)/%/report.html)
texts   = $(foreach c,$(columns),$(foreach s,$(splits),\
              $(addprefix $(W)/text/$(c)/$(s),.src.raw .tgt.raw)))
again   = $(MAKE) --no-print-directory -f pipeline.mk goals='$(strip $(goals))'
# Output goes to work/PROFILE/log, except for a line for each heavy step.  V=1 and -n show
# everything.
loud    = $(or $(V),$(findstring n,$(firstword -$(MAKEFLAGS))))
watch   = $(if $(loud),,sh src/papers/watch.sh $(W) $(SLOTS) $(call quote,$(1)))
$(TARGETS) all: $(or $(filter plan prepare,$(MAKECMDGOALS)),reports)
	@:
reports: build
	+@$(call watch,preparing texts) $(again) $(texts) $(columns:%=$(W)/text/%/pairs)
	+@$(call watch,-) $(again) data
	@printf 'report when done: %s\n' $(reports)
	+@$(call watch,-) $(again) $(reports)
	@$(foreach p,$(goals),printf '%s\n' $(call quote,$(command)) > $(R)/$(p)/command;)
	@$(foreach c,$(columns),cp $(W)/text/$(c)/pairs $(R)/$(c).pairs;)
	+@$(call watch,writing the overview) $(again) $(R)/report.html
	@printf 'report: %s\n' $(reports) $(R)/report.html

# plan TARGET: lists the runs that the ledger lacks, given the present data.  prepare TARGET: the
# data only.
plan:
	+@{ $(again) build; $(call watch,preparing texts) $(again) $(texts) $(columns:%=$(W)/text/%/pairs); } >&2
	+@$(again) lacking
prepare: build
	+@$(call watch,preparing texts) $(again) $(texts) $(columns:%=$(W)/text/%/pairs)
	+@$(call watch,-) $(again) data

# run-one: one run by its name.  Its data should be prepared, since other runs may use the same
# folder.
run-one:
	@[ -n '$(filter $(RUN_NAME),$(wanted))' ] || { echo "RUN_NAME=$(RUN_NAME): expected one of the runs that" \
	    "plan lists" >&2; exit 2; }
	+@$(again) SLOTS=1000 $(call record,$(RUN_NAME))

# draw: all tables, figures and pages from the ledger alone, with the settings of the last command.
draw: build
	@[ -n '$(wildcard $(R)/*/command)' ] || { echo '$(R): no ledger, expected $(R)/PAPER/command' >&2; exit 1; }
	+@$(foreach f,$(sort $(wildcard $(R)/*/command)),$(call draw-paper,$(notdir $(f:/command=)),$(file < $(f))) &&) true
	+@$(call watch,writing the overview) $(again) $(R)/report.html
draw-paper = $(call watch,drawing $(1)) $(MAKE) --no-print-directory -f pipeline.mk drawn \
                drawing=1 goals=$(1) $(2)
drawn: $(goals:%=$(R)/%/report.html)

# The part of the command line that a report depends on; DATA is represented by its name.
command = PROFILE=$(PROFILE) $(if $(filter help,$(corpora)),,CORPUS='$(corpora)') $(foreach v,\
              $(filter-out PROFILE DATA CORPUS TRAIN DEV TEST R W THREADS SLOTS RUN RUN_ONE \
                  RUN_NAME DRAFTS V goals plan drawing,$(check-given)),$(v)=$(call quote,$($(v))))

build: packages
	@mkdir -p $(W)
	@: > $(W)/log
	+@$(call watch,building programs) $(MAKE) --no-print-directory all
packages:
	@sh common/packages.sh demo

# --- names ---------------------------------------------------------------------------------

# A column is CORPUS.PAIR, or CORPUS.PAIR@SIZE for a sample of SIZE pairs; .DRAW after it is the
# number of the sample.  A run is PAPER/COLUMN/VARIANT/SEED; its seed is also the number of the
# sample.  The name of a corpus may contain @, too; SIZE.DRAW consists of digits.
columns := $(foreach c,$(corpora),$(foreach p,$(PAIR),$(c).$(p)))
after-at = $(if $(findstring @,$(1)),$(lastword $(subst @, ,$(1))))
size-of  = $(if $(call check-no-number,$(subst .,,$(after-at))),,$(after-at))
whole    = $(patsubst %@$(size-of),%,$(1))
draw     = $(subst ., ,$(size-of))
pair     = $(subst -, ,$(subst .,,$(suffix $(call whole,$(1)))))
src      = $(word 1,$(call pair,$(1)))
tgt      = $(word 2,$(call pair,$(1)))
side     = $(if $(filter src,$(1)),$(call src,$(2)),$(call tgt,$(2)))
part     = $(word $(1),$(subst /, ,$*))

# setting PAPER,KEY,VARIABLE,COLUMN: the value from the command line; or that of the paper for
# this profile and pair, for this profile, or for all; or that of the profile.
commanded = $(if $(filter command,$(origin $(1))),$($(1)))
setting  = $(or $(call commanded,$(1).$(2).$(PROFILE)),$(call commanded,$(1).$(2)),$(call commanded,$(3)),\
               $($(1).$(2).$(PROFILE).$(subst .,,$(suffix $(call whole,$(4))))),$($(1).$(2).$(PROFILE)),\
               $($(1).$(2)),$($(3)))
quote    = '$(subst ','\'',$(1))'
# Rewrites a file only if its text changes, since other processes may use the folder; also under
# -n, when watch.sh counts the steps.
define rewrite
$(if $(plan),+)@text=$(call quote,$(strip $(1))); \
cmp -s - $@ <<< "$$text" || { mkdir -p $(@D); printf '%s\n' "$$text" > $@.tmp; mv $@.tmp $@; }
endef
force:
tenth    = $(shell echo $$(($(1) / 10 + 1)))

# Heavy steps by kind: at most SLOTS of them run at a time, whatever -j is.
slot = sh src/papers/slot.sh $(SLOTS) $(W)/.slot bash src/papers/step.sh $(W) $(1) $@

# --- corpora -------------------------------------------------------------------------------

fetch: $(foreach c,$(or $(CORPUS),help),$(PAIR:%=$(W)/fetched.$(patsubst help.,,$(c).)%))
$(W)/fetched.manpages.%:
	mkdir -p $(W)/packages
	corpus-fetch -o $(W)/packages manpages $(subst -, ,$*) > $@.tmp
	mv $@.tmp $@
$(W)/fetched.%:
	mkdir -p $(W)/packages
	corpus-fetch -o $(W)/packages libreoffice-help $(subst -, ,$*) > $@.tmp
	mv $@.tmp $@

# text/COLUMN/SPLIT.SIDE.raw: from a folder with train, dev (or val) and test, from LibreOffice
# help, or from manual pages.
text-split = $(basename $(*F))
text-side  = $(subst .,,$(suffix $(*F)))
text-lang  = $(call side,$(text-side),$(*D))
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
	cp $(@D)/help.$(text-split).$(text-lang) $@.tmp
	mv $@.tmp $@
else
# The first existing file among the names of a split, plain or compressed.
names.train = $(or $(TRAIN),train)
names.dev   = $(or $(DEV),dev val valid)
names.test  = $(or $(TEST),test test*)
folders     = $(abspath $(DATA))
folder      = $(firstword $(filter %/$(basename $(1)),$(folders)))
packed      = - .gz .xz .zst .bz2
text-names  = $(foreach n,$(names.$(text-split)),$(foreach z,$(packed),$(n).$(text-lang)$(z:-=)))
text-files  = $(addprefix $(call folder,$(*D))/,$(text-names))
text-found  = $(firstword $(wildcard $(text-files)))
$(W)/text/%.raw:
	@mkdir -p $(@D)
	@[ -n $(call quote,$(text-found)) ] || { echo 'no text, expected one of these files: $(text-files)' >&2; exit 1; }
	tokenize -t none $(call quote,$(text-found)) > $@.tmp
	mv $@.tmp $@
endif

$(W)/text/%.tok: $(W)/text/%.raw
	tokenize -l $(text-lang) < $< > $@.tmp
	mv $@.tmp $@
$(W)/text/%/pairs: $(W)/text/%/train.src.tok
	wc -l < $< > $@.tmp
	mv $@.tmp $@

# parsed/NAME/COLUMN/SPLIT.heed: a corpus is parsed once by each parser (src/forms.mk).  Parser
# none: the text without trees.
parse-from = $(W)/parsed/$(or $(parse.$(call part,1).from),none)/$(call part,2)/$(call part,3).heed
parse-step = $(or $(strip $(parse.$(call part,1))),cat)
$(W)/parsed/none/%.heed: $(W)/text/%.src.tok $(W)/text/%.tgt.tok
	@mkdir -p $(@D)
	heed-pack -o $@ $^
$(W)/parsed/%.settings: force
	$(call rewrite,$(parse-step))
splits = train dev test
parsed = $(foreach f,$(forms),$(foreach c,$(columns),$(splits:%=$(W)/parsed/$(f)/$(c)/%.heed)))
$(parsed): $(W)/parsed/%.heed: $$(parse-from) $(W)/parsed/%.settings
	$(call slot,parse) $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) $(call quote,$(parse-step)) < $< > $@.tmp
	mv $@.tmp $@

# A sample has the same pairs in all preparations.
sample = $(call draw-from,$(call draw,$(1)))
draw-from = $(if $(1),heed-sample -n $(word 1,$(1)) -s $(word 2,$(1)) |)

# codes/COLUMN/MERGES: joint BPE for both sides; MERGES.src and MERGES.tgt: of one side each.
$(W)/codes/%: $$(W)/parsed/none/$$(call whole,$$(*D))/train.heed
	@mkdir -p $(@D)
	{ $(call sample,$(*D)) cat; } < $< > $@.heed
	for side in $(or $(subst .,,$(suffix $(*F))),src tgt); do heed-show -f $$side $@.heed; done | \
	    bpe-learn --text -n $(basename $(*F)) > $@.tmp
	rm $@.heed; mv $@.tmp $@

# prepared/PAPER/NAME/COLUMN/SPLIT.heed: a parsed corpus prepared for a paper, once for all runs
# that read it.  The parser is the one after which the preparation is named, or that of the paper.
merges        = $(W)/codes/$(2)/$(call setting,$(1),merges,MERGES,$(2))
codes         = $(patsubst %.both,%,$(addprefix $(merges),$(or $(call setting,$(1),codes),.both)))
code-option   = $(or $(patsubst .%,--%-codes,$(filter .src .tgt,$(suffix $(1)))),-c)
bpe           = bpe-apply $(foreach f,$(prepare-codes),$(call code-option,$(f)) $(f))
parse-of      = $(or $($(1).parse.$(2)),$(if $(value parse.$(2)),$(2)),$($(1).parse),none)
prepare-parse = $(call parse-of,$(call part,1),$(call part,2))
prepare-from  = $(W)/parsed/$(prepare-parse)/$(call whole,$(call part,3))/$(call part,4).heed
prepare-codes = $(call codes,$(call part,1),$(call part,3))
prepare-step  = $(or $($(call part,1).prepare.$(call part,2)),$($(call part,1).prepare),$(bpe))
$(W)/prepared/%.settings: force
	$(call rewrite,$(prepare-step) < $(prepare-from))
$(W)/prepared/%.heed: $$(prepare-from) $$(prepare-codes) $(W)/prepared/%.settings
	{ $(if $(filter train,$(*F)),$(call sample,$(call part,3))) $(prepare-step); } < $< > $@.tmp
	mv $@.tmp $@
# Checksums of all fields that models can read, together and one by one.
read-fields = $$(heed-check -l $(1) | awk -F '\t' '$$2 == "field" && $$3 !~ /^(src|tgt|x[.].*)$$/ \
                 { print $$3 }' | \
                  paste -s -d , -)
$(W)/prepared/%/sums: $$(foreach s,$(splits),$$(@D)/$$s.heed)
	for s in $(splits); do f=$(@D)/$$s.heed; heed-check --sum "$(call read-fields,$$f)" $$f | \
	    sed -n "s/^[^\t]*\tsum\t/$$s\t/p"; done > $@.tmp
	mv $@.tmp $@

# The runs that tables need.
include src/grids.mk

# --- runs ----------------------------------------------------------------------------------

paper     = $(call part,1)
column    = $(call part,2)
variant   = $(call part,3)
seed      = $(call part,4)
drawn     = $(column)$(if $(call size-of,$(column)),.$(seed))
data      = $(paper)/$(or $($(paper).data.$(variant)),$($(paper).data),plain)/$(drawn)
streams   = $(W)/prepared/$(data)
run-codes = $(call codes,$(paper),$(drawn))
# The run that this one continues: another variant of the same column and seed.
begin     = $($(paper).begin.$(variant):%=$(W)/run/$(paper)/$(column)/%/$(seed)/model.tar)
# PAPER.closed.VARIANT = OTHER HOW: the list of heads that the run of another variant pruned, or
# that a measure selects instead (src/heads.mk).  strip: some versions of make keep the last
# newline of a long file.
closed-of = $($(paper).closed.$(variant))
closed-in = $(if $(closed-of),\
                $(W)/run/$(paper)/$(column)/$(firstword $(closed-of))/$(seed)/closed.$(lastword $(closed-of)))
closed    = $(if $(closed-in),$(strip $(file < $(closed-in))))
# PAPER.tested.VARIANT: the model that translates, model or pruned.
tested    = $(W)/run/$*/$(or $($(paper).tested.$(variant)),model).tar

common    = --preset $(or $($(paper).preset),fairseq) --size $(call setting,$(paper),size,SIZE) \
            $(addprefix --arch ,$(call setting,$(paper),arch,ARCH)) $(1) \
            $(addprefix --updates ,$(call setting,$(paper),updates,UPDATES)) \
            --batch-tokens $(call setting,$(paper),batch,BATCH) \
            --validate-every $(call setting,$(paper),validate,VALIDATE) \
            $(call setting,$(paper),recipe,RECIPE,$(column))
arguments = $(call last-given,$(call common,--seed $(seed)) $(and $(best),$(file < $(best))) \
                $($(paper).variant.$(variant)))
# If profile and variant give the same option, the last one counts.  Options in add-up accumulate.
add-up     = --arch -a --attention --freeze
blank     := $(empty) $(empty)
glued      = $(subst ¤-, -,$(subst $(blank),¤,$(strip $(1))))
name-of    = $(foreach o,$(1),$(firstword $(subst ¤, ,$(o))))
but-first  = $(wordlist 2,$(words $(1)),$(1))
given-later = $(filter-out $(add-up),$(filter $(call name-of,$(firstword $(1))),$(call name-of,$(but-first))))
last-of    = $(if $(1),$(if $(given-later),,$(firstword $(1))) $(call last-of,$(but-first)))
last-given = $(strip $(subst ¤, ,$(call last-of,$(call glued,$(1)))))

engine   := $(shell sed -n 's/^\#define HEED_ENGINE //p' common/model/engine.h)
$(W)/run/%/settings: force $$(best) $$(closed-in)
	$(call rewrite,engine=$(engine) $(data) $(begin) $(arguments))

# search/PAPER/COLUMN/NAME/best: the settings that a search found, after those of PAPER.after.NAME
# if any; kept as $(R)/PAPER/search/COLUMN/NAME/best (src/ledger.mk).  PAPER.search.VARIANT is the
# search that a variant takes its settings from: whole/NAME on the whole corpus, size/NAME on the
# size of the run.
best      = $(call best-of,$(paper)/$(column)/$(variant))
best-of   = $(call best-named,$(call row,1,$(1)),$(call row,2,$(1)),$(call search-of,$(1)))
search-of = $($(call row,1,$(1)).search.$(call row,3,$(1)))
best-named = $(if $(3),$(R)/$(1)/search/$(call search-on,$(2),$(3))/$(notdir $(3))/best)
search-on = $(if $(filter whole/%,$(2)),$(call whole,$(1)),$(1))
searches  = $(foreach p,$(PAPERS),$(foreach c,$(sort $(columns) $(cells.$(p).sizes)),\
                $($(p).searches:%=$(W)/search/$(p)/$(c)/%/best)))
after     = $($(paper).after.$(call part,3):%=$(R)/$(paper)/search/$(column)/%/best)
tried     = $(W)/prepared/$(paper)/$(or $($(paper).data),plain)/$(call first-draw,$(column))
first-draw = $(1)$(if $(size-of),.1)
trial     = $(call common) $(and $(after),$(file < $(after)))
grid-file = src/papers/$(paper).$(call part,3).$(PROFILE)
$(W)/search/%/settings: force $$(after)
	$(call rewrite,$(trial))
$(searches): $(W)/search/%/best: $$(tried)/train.heed $$(tried)/dev.heed $$(after) \
                                 $(W)/search/%/settings $$(grid-file)
	$(call begun,journal*)
	$(call slot,search) $(RUN_ONE) nmt-search --threads $(THREADS) --grid $(grid-file) --journal $(@D)/journal \
	    --seeds $(SEARCH_SEEDS) $(addprefix --rungs ,$(SEARCH_RUNGS)) --dev $(tried)/dev.heed \
	    -o $(@D)/winner $(tried)/train.heed -- $(trial)
	cat $(after) $(@D)/winner | xargs > $@.tmp
	mv $@.tmp $@

# Removes unfinished work that was begun with other settings.
begun     = cmp -s $(@D)/settings $(@D)/settings.begun || \
            { rm -rf $(addprefix $(@D)/,$(1)); cp $(@D)/settings $(@D)/settings.begun; }

# The runs that the ledger has.
form      = $(or $($(paper).scored),raw)
reference = $(W)/text/$(call whole,$(column))/test.tgt
include src/ledger.mk

# An interrupted training resumes from its checkpoint.
models    = $(wanted:%=$(W)/run/%/model.tar)
$(models): $(W)/run/%/model.tar: $$(streams)/train.heed $$(streams)/dev.heed $$(begin) $$(best) \
                                 $$(closed-in) $(W)/run/%/settings
	$(call begun,checkpoint.tar)
	git describe --always --dirty > $(@D)/commit 2> /dev/null || rm -f $(@D)/commit
	@[ -n '$(DRAFTS)' ] || grep -vqs -- '-dirty$$' $(@D)/commit || { echo 'the ledger $(R) accepts no runs of a' \
	    'source tree with changes; commit them or set DRAFTS=1' >&2; exit 1; }
	$(call slot,train) $(RUN) nmt-train --threads $(THREADS) $(begin:%=--init %) $(arguments) \
	    $(patsubst %,-c %,$(filter-out %.src %.tgt,$(run-codes))) --dev $(streams)/dev.heed \
	    --checkpoint $(@D)/checkpoint.tar --log $(@D)/log.heed -o $@ $<

$(W)/run/%/beam: force
	$(call rewrite,$(call setting,$(paper),beam,BEAM))
$(W)/run/%/test.hyp.heed: $$(tested) $$(streams)/test.heed $(W)/run/%/beam
	$(call slot,translate) $(RUN_ONE) nmt-translate --threads $(THREADS) --beam $(call setting,$(paper),beam,BEAM) \
	    -m $< -o $@ $(streams)/test.heed

# data: all data of the wanted runs.  lacking: the runs that are missing, with their commands.
data: $(sort $(foreach *,$(wanted),$(streams)/sums))
lacking:
	@$(file > $(W)/wanted,$(wanted-all))sed 's/^ //; /./!d' $(W)/wanted | $(plan-runs) --command \
	    $(call quote,$(strip make -f pipeline.mk $(foreach v,\
	        $(sort $(filter-out goals plan drawing RUN_NAME V,$(check-given))),$(v)=$(call quote,$($(v)))) \
	        run-one RUN_NAME=))

include src/results.mk
include src/heads.mk
include src/curves.mk

# --- parsers -------------------------------------------------------------------------------

# Trains the parsers that come with the programs on the treebanks TREEBANKS.  src/parsers.mk has
# the options for each language.
LANGUAGE    ?= en
TREEBANKS   ?=
TREEBANK_DEV ?=
MODELS      ?= common/parser/models
include src/parsers.mk
define treebanks
@[ -n '$(TREEBANKS)' ] || { echo "$(1): no treebanks, expected for example" \
    "TREEBANKS='a.conllu,a.ptb b.conllu'; see heed-pipeline(7)" >&2; exit 1; }
endef

# The checkpoint is in work/; the old parser stays in place until the training is complete.
parser: build
	$(call treebanks,parser)
	mkdir -p $(MODELS) $(W)/parser
	$(call slot,parser) $(RUN_ONE) parse-train --threads $(THREADS) --lang $(LANGUAGE) $(parser.$(LANGUAGE)) \
	    $(TREEBANK_DEV:%=--dev %) --checkpoint $(W)/parser/$(LANGUAGE).checkpoint \
	    -o $(MODELS)/$(LANGUAGE).parser $(TREEBANKS)
grammar: build
	$(call treebanks,grammar)
	mkdir -p $(MODELS)
	parse-train --pcfg $(filter --leave-out=%,$(parser.$(LANGUAGE))) \
	    -o $(MODELS)/$(LANGUAGE).pcfg $(TREEBANKS)

.PHONY: help plan prepare run-one draw drawn data lacking all build fetch packages force reports \
    parser grammar $(TARGETS)
