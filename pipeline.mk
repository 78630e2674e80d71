# pipeline.mk: from corpora to reports; see heed-pipeline(7).
#
#   make -f pipeline.mk demo                      LibreOffice help, from fetched packages to BLEU
#   make -f pipeline.mk demo DATA=dir PAIR=en-de  the same on your own corpus
#   make -f pipeline.mk reproduce-syntax DATA=dir tables and figures of papers; see heed-papers(7)
#   make -f pipeline.mk parser LANGUAGE=en TREEBANKS='a.conllu,a.ptb' TREEBANK_DEV=d.conllu,d.ptb
#
# The papers are in src/papers, how each file is made in src/stages.in.  heed-plan(1) checks them and
# writes work/PROFILE/run.mk, with a rule for every file, which this file includes.
#
# Targets appear under their names only when they are complete.  All settings of a step are in one
# file, which is rewritten only if its text changes; then the targets that depend on it are made again.
# An interrupted training resumes.
SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
# Every file has a rule of its own: make need not try the built-in ones.
MAKEFLAGS += -r

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
# For commands of papers in Python: the folder of heed.py.
export PYTHONPATH := $(abspath $(if $(_source),$(_top)src,$(or $(_top),.)))$(if $(PYTHONPATH),:$(PYTHONPATH))

# --- settings ------------------------------------------------------------------------------

# Values become names of files and arguments of commands: what a shell or make would run is refused
# here, before a value is used.  heed-plan checks names and values.  RUN and RUN_ONE are commands.
define _newline


endef
_comma  := ,
_hash   := \#
_given  := $(strip $(foreach v,$(filter-out -% .% MAKE%,$(.VARIABLES)),$(if $(filter command,$(origin $(v))),$(v))))
_environment := $(strip $(foreach v,PROFILE PAIR DATA CORPUS TRAIN DEV TEST TABLES SYSTEMS R W MODELS THREADS SLOTS WALK,\
    $(if $(filter environment,$(origin $(v))),$(v))))
_refuse = $(error $(1): $(2) cannot be used; expected a value without blanks, quotes, wildcards and \
             other characters that a shell or make interprets)
$(foreach v,$(filter-out RUN RUN_ONE V CC %FLAGS LDLIBS _%,$(_given)) $(_environment),\
    $(if $(findstring $(_newline),$(value $(v))),$(call _refuse,$(v),a line break))\
    $(foreach c,$$ ' " ` ; & | < > ( ) { } \ $(_hash),\
        $(if $(findstring $(c),$(value $(v))),$(call _refuse,$(v),character $(c)))))
# Of the settings that are in names of targets, make also interprets these; heed-plan refuses more.
$(foreach v,$(filter R W DATA CORPUS PAIR PROFILE MODEL MODELS,$(_given) $(_environment)),\
    $(foreach c,= % : * ? [ ],$(if $(findstring $(c),$(value $(v))),$(call _refuse,$(v),character $(c)))))

PROFILE ?= cpu
PAIR    ?= en-de
ifeq ($(origin THREADS),undefined)
THREADS := $(shell sh $(_top)src/papers/processors.sh)
endif
ifeq ($(origin SLOTS),undefined)
SLOTS   := $(shell (n=$$(($$(sh $(_top)src/papers/processors.sh) / ($(or $(THREADS),1)))); echo $$((n > 1 ? n : 1))) 2> /dev/null)
endif
RUN     ?=
RUN_ONE ?=
WALK    ?= 4
W       := work/$(PROFILE)
R       := $(W)/results
MODELS  ?= $(if $(_source),$(_top)common/parser/models,$(W)/parsers)
# Drafts are accepted everywhere except in the published results of a source tree.
DRAFTS  ?= $(if $(and $(_source),$(filter $(abspath $(_top)results),$(abspath $(R)))),,1)

_quote   = '$(subst ','\'',$(1))'
drafts   = $(DRAFTS:%=--drafts)
_used    = $(sort W R MODELS $(_environment) $(filter-out _% V RUN RUN_ONE DRAFTS,$(_given)))
_papers := $(basename $(notdir $(sort $(wildcard $(_top)src/papers/*.conf))))
_target  = $(if $(filter demo,$(1)),,reproduce-)$(1)
_targets = $(foreach p,$(_papers),$(call _target,$(p)))
_goals   = $(foreach p,$(_papers),$(if $(filter all $(call _target,$(p)),$(MAKECMDGOALS)),$(p)))
$(foreach g,$(filter-out $(_targets),$(filter reproduce-%,$(MAKECMDGOALS))),\
    $(error $(g): no such target; expected one of $(_targets)))

_dry     = $(findstring n,$(firstword -$(MAKEFLAGS)))
_settings = $(foreach v,$(_used),$(call _quote,$(v)=$($(v))))
# Several commands may use the folder W at the same time, such as tasks of an array job.  The rules of
# each, the lists next to them and its log are in a folder of their own, by its goals and settings.  The
# rules of a dry run are in a temporary folder.
ifneq ($(origin _rules),command line)
_id      = $(addsuffix -,$(firstword $(_goals)))$(firstword $(shell printf %s $(call _quote,$(strip $(drafts) $(_goals) $(_settings))) | cksum))
_planning = $(filter $(_targets) all plan prepare run-one draw draw-one benchmark-heads,$(MAKECMDGOALS))
_rules  := $(if $(and $(_dry),$(_planning)),$(shell mktemp -d),$(W)/rules/$(_id))/run.mk
_clean   = $(if $(_dry),rm -r $(dir $(_rules)))
endif
_place   = $(patsubst %/,%,$(dir $(_rules)))
# _plan: checks everything, and writes the rules.  All plans share the checksums of texts; W/run.mk and
# W/log lead to the rules and the log of the last command.
_plan    = sh $(_top)src/papers/clock.sh $(W) $(R) && mkdir -p $(dir $(_rules)) && heed-plan -q $(drafts) --make $(_rules) --top=$(_top) --papers=$(call _quote,$(strip $(_goals))) \
               $(if $(_drawing),--draw) $(_settings) \
               $(if $(_dry),,&& { [ ! -e $(_place)/cksums ] || mv $(_place)/cksums $(W)/cksums; } \
                   && { ln -sfn $(patsubst $(W)/%,%,$(_place))/run.mk $(patsubst $(W)/%,%,$(_place))/log $(W) 2> /dev/null || :; })
_again   = $(MAKE) --no-print-directory -f $(_self) _goals='$(strip $(_goals))' _rules=$(_rules) _planned=1
# Output goes to a log next to the rules, except for a line for each heavy step.  V=1 and -n show everything.
_loud    = $(or $(V),$(_dry))
_watch   = $(if $(_loud),,sh $(_top)src/papers/watch.sh $(_place) $(SLOTS) $(call _quote,$(1)))

# --- targets -------------------------------------------------------------------------------

.DEFAULT_GOAL := help
help: checked
	@printf '%s\n' 'targets: $(_targets) all plan prepare run-one draw benchmark-heads benchmark-tables fetch keys parser grammar parser-scores' \
	    'settings: DATA=folder PAIR=en-de PROFILE=smoke|cpu|paper TABLES=names THREADS=n' \
	    'example: $(_called) demo DATA=corpus PAIR=en-cs' 'see heed-pipeline(7)'

# The keys that papers may set.
keys:
	@awk -f $(_top)src/papers/aligned.awk $(_top)src/papers.keys $(_top)src/papers.keys

# In a fresh source tree, heed-plan is built first.
checked:
	+@! command -v heed-plan > /dev/null || heed-plan -q --check --top=$(_top) $(_settings)

build: packages
	+@$(if $(_source),$(if $(_dry),[ -x $(_bin)heed-plan ] || ,mkdir -p $(_place); : > $(_place)/log; )$(call _watch,building programs) $(MAKE) --no-print-directory $(if $(_top),-C $(_top)) all)
packages:
	@$(if $(_source),sh $(_top)common/packages.sh build,:)

# The number of pairs decides which sizes are possible, the data which figures are up to date, and the
# searches which settings runs have: then the rules are written again.  One make makes all goals of a
# command, so that -j never makes a file twice.
$(_targets) all: $(or $(filter help keys plan prepare,$(MAKECMDGOALS)),reports)
	@:
_texts   = $(_plan) && $(call _watch,preparing texts) $(_again) texts && $(_plan)
_search  = while grep -q '^searches: .' $(_rules); do $(call _watch,-) $(_again) searches && $(_plan) || exit; done
reports: build
	+@$(_texts)
	+@$(call _watch,-) $(_again) data
	+@$(_plan)
	+@$(if $(_dry),$(_again) searches,$(_search))
	+@$(call _watch,-) $(_again) reported
	+@$(call _watch,writing the overview) $(_again) $(R)/report.html
	+@$(_clean)
	@cat $(_place)/reported; echo 'report: $(R)/report.html'

# Only the rules, for goals of another make.
planned:
	+@$(_plan)

# plan TARGET: lists the runs that the ledger lacks, given the present data.  prepare TARGET: the data
# only.  Runs without a time in the ledger have that of the published one.
plan:
	+@{ $(MAKE) --no-print-directory -f $(_self) _rules=$(_rules) build; $(_texts); } >&2
	+@$(if $(_dry),,$(_again) -n data 2> /dev/null | sh $(_top)src/papers/stale.sh >&2)
	@$(call _refuse-draft,"$$($(_describe))",:)
	+@heed-plan --ledger $(R) $(addprefix --timed ,$(wildcard $(_top)results)) --models $(W)/run $(drafts) --command \
	    $(call _quote,$(strip $(_called) $(foreach v,$(sort $(filter-out _% RUN_NAME V,$(_given) $(_environment))),$(v)=$(call _quote,$($(v)))) \
	        run-one RUN_NAME=)) $(_place)/wanted
	+@$(_clean)
prepare: build
	+@$(_texts)
	+@$(call _watch,-) $(_again) data
	+@$(_clean)

# run-one: one run or search by its name; of a run that the ledger has, the model.  Its data should be
# prepared, since other runs may use the same folder.  A search that it needs should be complete:
# several runs may need the same one.  Each run has rules of its own.
run-one: _goals = $(firstword $(subst /, ,$(RUN_NAME)))
run-one:
	@$(if $(RUN_NAME),,echo 'run-one: no RUN_NAME, expected one of the runs that plan lists' >&2; exit 2)
	+@$(_plan)
	+@$(_again) SLOTS=1000 one
	+@$(_clean)

# draw: results from the ledger alone.  All tables, figures and pages of the runs that the ledger has,
# with the settings of the last command, which heed-plan reads, and those of this one.  Warnings tell
# what is not drawn.  The names of folders in the ledger are not ours: no make or shell interprets them.
_drawn = $(foreach p,$(_papers),$(if $(wildcard $(R)/$(p)/command),$(p)))
draw: build
	@for d in $(R)/*/run; do d=$${d%/run}; [ ! -d "$$d/run" ] || [ -e "$$d/command" ] || \
	    echo "draw: warning: the runs in $$d are not drawn, as there is no $$d/command" >&2; done
	@for f in $(R)/*/command; do d=$${f%/command}; [ ! -e "$$f" ] || [ -e "$(_top)src/papers/$${d##*/}.conf" ] || \
	    echo "draw: warning: the runs in $$d are not drawn, as there is no paper $${d##*/}" >&2; done
	@[ -n '$(_drawn)' ] || { echo '$(R)/PAPER/command: no such file; prepare and reproduce-PAPER write it' >&2; exit 1; }
	@mkdir -p $(_place); : > $(_place)/drawn-papers
	+@$(foreach p,$(_drawn),$(call _watch,drawing $(p)) \
	    $(MAKE) --no-print-directory -f $(_self) draw-one _goals=$(p) _rules=$(_rules) _drawing=1 &&) true
	@[ -s $(_place)/drawn-papers ] || { echo 'draw: no paper has runs in $(R)' >&2; exit 1; }
	+@$(call _watch,writing the overview) $(_again) $(R)/report.html
	+@$(_clean)
draw-one:
	+@$(_plan)
	+@$(_again) drawn
	+@$(_clean)
_command = $(_place)/command
drawn:
	@$(if $^,echo $(_goals) >> $(_place)/drawn-papers)
	@$(if $^,cmp -s $(_command) $(R)/$(_goals)/command || cp $(_command) $(R)/$(_goals)/command)

_corpora = $(if $(DATA),$(foreach d,$(DATA),$(notdir $(or $(realpath $(d)),$(abspath $(d))))),$(or $(CORPUS),help))

reported:
	@$(if $^,,echo '$(strip $(foreach v,TABLES SYSTEMS,$(if $($(v)),$(v)=$($(v))))): no runs, expected a section with runs' >&2; exit 2)
	@printf 'report: %s\n' $^ > $(_place)/reported

# --- stages: what the rules of src/stages.in have in common ---------------------------------

# $(begin) COMMAND $(end): the output of COMMAND becomes the target when it is complete.  Other
# processes may make the same file at the same time, also on other machines.
new      = $(place); new=$@.$$$$-$$(hostname).tmp; trap 'rm -f "$$new"' EXIT
begin    = $(new); {
end      = ; } > "$$new"; mv "$$new" $@
# The same in rules of several lines: $(own) is the name of this make, until the target is complete.
place    = sh $(_top)src/papers/place.sh $@
_make   := $(shell echo $$PPID-$$(hostname))
own      = $@.$(_make).tmp
# After a command that writes "$$new": an equal target keeps its time, and its settings get it.
unless-same = if cmp -s "$$new" $@; then touch -r $@ $<; else mv "$$new" $@; fi
# Rewrites a file only if its text changes, since other processes may use the folder; also under -n,
# when watch.sh counts the steps.
rewrite  = $(place)
# $(of-records) TEXT: rewrites a list if the records of its prerequisites, or the text, change.
of-records = sum () { $(rewrite) "$$(cat /dev/null $(filter %/record,$^) | cksum) $$*"; }; sum
force:
# Heavy steps by kind: at most SLOTS of them run at a time, whatever -j is.
slot     = sh $(_top)src/papers/lock.sh slot $(SLOTS) $(W)/.slot bash $(_top)src/papers/step.sh $(W)
# $(begun) FILES SUMS FILE...; WORK; $(still-begun) FILES SUMS FILE...: work that is resumed, by one make
# at a time, and none of whose settings and data another make may change.
begun    = exec 5>> $(@D)/lock; sh $(_top)src/papers/begun.sh $(@D)
still-begun = sh $(_top)src/papers/begun.sh --still $@ $(@D)
# Several runs need a file, and run-one may make several runs at the same time: one of them makes it.
alone    = sh $(_top)src/papers/lock.sh alone $@ '$^'
# Fields of the stream $$f that models can read, and all fields.
read-fields = heed-check --list $$f | awk -F '\t' '$$2 == "field" && $$3 !~ /^((src|tgt)([.]upos)?|x[.].*)$$/ { print $$3 }' | \
    paste -s -d , -
all-fields = heed-check --list $$f | awk -F '\t' '$$2 == "field" { print $$3 }' | paste -s -d , -
# heads.tsv, the first prerequisite, with labels instead of variants; the last one has the names.
labeled  = sed 1d $< | awk -f $(_top)src/papers/labels.awk $(lastword $^) -
# A stream of heads as a table with column names; tables of heads.
heads-table = heed-show --header -f "$$(f=$<; $(all-fields))" $<
heads-of-runs = awk -f $(_top)src/papers/heads-runs.awk
heads-map = awk -f $(_top)src/papers/heads-map.awk

# The commit of the source tree.  A repository around an installation, or around a source tree that
# is not in git, has nothing to do with the programs.
_describe = $(if $(_source),sh $(_top)src/papers/describe.sh $(_top),false)
# refuse-draft COMMIT,COMMAND: unless DRAFTS is set, the message for a run that the ledger does not
# accept, and then the command.
_refuse-draft = $(if $(DRAFTS),:,case $(1) in \
    ('') echo 'the ledger $(R) accepts no runs without a commit, and the programs are not from a git repository;' \
        'set DRAFTS=1 or another R' >&2; $(2) ;; \
    (*-dirty) echo 'the ledger $(R) accepts no runs of a source tree with changes; commit them or set' \
        'DRAFTS=1' >&2; $(2) ;; esac)
commit   = $(_describe) > $(@D)/commit || rm -f $(@D)/commit; $(call _refuse-draft,"$$(cat $(@D)/commit 2> /dev/null)",exit 1)

# The options of all missing runs, but those with a list of heads that a run makes.
options-checked:
	@$(if $(_dry),,sh $(_top)src/papers/options.sh < $(_place)/options)

_walk-caption = 'Attention weights of one layer and head at a time, in test sentences and their translations. \
    Select by mouse, touch or keyboard'
_legend  = 'Mean ± standard deviation over the seeds; ¹ marks a single seed. † means better and \
    ‡ worse than the baseline of the row: the 95% confidence interval of the difference \
    excludes 0. Tinted columns have the numbers that the paper reports.'
_forest-key = 'Each row of the forest plot is a claim, with its verdict and the reason. The dot is the mean difference between \
    the system and its baseline over the seeds, the bar its 95% confidence \
    interval. An arrow means that the interval extends beyond the axis. Right of 0 \
    the system is better, in NLL as in BLEU. If a claim compares the system with a multiple of its baseline, the dot is \
    the mean difference from this multiple, and right of 0 the claim holds. The diamond is the BLEU difference that \
    the paper reports. A short line left of 0 is the margin of a claim that the \
    system is worse by less than this margin.'

# --- corpora that are fetched ---------------------------------------------------------------

fetch: checked $(foreach c,$(or $(CORPUS),help),$(PAIR:%=$(W)/fetched.$(patsubst help.,,$(c).)%))
$(W)/fetched.manpages.%:
	mkdir -p $(W)/packages
	$(begin) corpus-fetch -o $(W)/packages manpages $(subst -, ,$*) $(end)
$(W)/fetched.%:
	mkdir -p $(W)/packages
	$(begin) corpus-fetch -o $(W)/packages libreoffice-help $(subst -, ,$*) $(end)
$(W)/text/help.%/aligned: $(W)/fetched.%
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align $(patsubst %,-l %,$(subst -, ,$*)) -o $(@D)/help "$${packages[@]}"
	touch $@
# Wesnoth has packages for all languages together.  Two campaigns each are development and test data.
$(W)/fetched.wesnoth.%: $(W)/fetched.wesnoth
	cp $< $@
$(W)/fetched.orders.%: $(W)/fetched.wesnoth $(W)/fetched.orders
	cat $^ > $@
$(W)/fetched.wesnoth:
	mkdir -p $(W)/packages
	$(begin) corpus-fetch -o $(W)/packages wesnoth $(end)
_stories = --context-mark ^ --min-words 4 --dev-page wesnoth-dw --dev-page wesnoth-sof --test-page wesnoth-ei --test-page wesnoth-sota
$(W)/text/wesnoth.%/aligned: $(W)/fetched.wesnoth
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align --dev 0 --test 0 $(_stories) $(patsubst %,-l %,$(subst -, ,$*)) "$${packages[@]/#/--catalogs=}" -o $(@D)/help
	touch $@
# The sentences of Wesnoth and the help pages that all of these languages have; for a self-test, some.
_orders  = de fr ja ru tr zh
_part    = $(if $(filter smoke,$(PROFILE)),head -n 300,cat)
$(foreach p,$(if $(filter orders,$(CORPUS)),$(filter-out $(_orders:%=en-%),$(PAIR))),\
    $(error PAIR=$(PAIR): corpus orders has no $(p), expected some of $(_orders:%=en-%)))
$(W)/fetched.orders:
	mkdir -p $(W)/packages
	$(begin) corpus-fetch -o $(W)/packages libreoffice-help en $(_orders) $(end)
$(W)/text/orders/aligned: $(W)/fetched.orders $(W)/fetched.wesnoth
	mkdir -p $(@D)
	mapfile -t help < $<; mapfile -t packages < $(word 2,$^); \
	corpus-align --dev 2 --test 2 $(_stories) -l en $(_orders:%=-l %) "$${packages[@]/#/--catalogs=}" --stats $(@D)/counts \
	    -o $(@D)/all "$${help[@]}"
	touch $@
$(W)/text/orders.en-%/aligned: $(W)/text/orders/aligned
	mkdir -p $(@D)
	for s in train dev test; do for l in en $*; do $(_part) $(<D)/all.$$s.$$l > $(@D)/help.$$s.$$l; done; done
	touch $@
$(W)/text/manpages.%/aligned: $(W)/fetched.manpages.%
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align --manpages --dev 3 --test 3 $(patsubst %,-l %,$(subst -, ,$*)) -o $(@D)/help "$${packages[@]}"
	touch $@

# --- the overview of all papers --------------------------------------------------------------

$(R)/report.html: force
	bash $(_top)src/papers/overview.sh '$(_top)' $(R) $(W) $(_forest-key) $(_place)/papers

# --- rules of the papers --------------------------------------------------------------------

# Goals that plan first do not read the rules; the make that they call does.
_first   = $(_targets) all help keys checked build packages reports plan planned prepare run-one draw draw-one fetch parser \
           grammar parser-scores benchmark-tables benchmark-heads
ifneq ($(filter-out $(_first),$(MAKECMDGOALS)),)
-include $(_rules)
endif
include $(_top)src/benchmark.mk

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
parser: build checked
	$(call _treebanks,parser)
	mkdir -p $(MODELS) $(W)/parser
	$(slot) parser $@ $(RUN_ONE) parse-train --threads $(THREADS) --language $(LANGUAGE) $(parser.$(LANGUAGE)) \
	    $(TREEBANK_DEV:%=--dev %) --checkpoint $(W)/parser/$(LANGUAGE).checkpoint \
	    -o $(MODELS)/$(LANGUAGE).parser $(TREEBANKS)
grammar: build checked
	$(call _treebanks,grammar)
	mkdir -p $(MODELS)
	parse-train --pcfg $(filter --leave-out=%,$(parser.$(LANGUAGE))) \
	    -o $(MODELS)/$(LANGUAGE).pcfg $(TREEBANKS)

# Scores on text; of TREEBANK_DEV=d.conllu,d.ptb the first file is used.
parser-scores: build checked
	@[ -n '$(TREEBANK_DEV)' ] || { echo "$@: no treebank, expected TREEBANK_DEV=d.conllu" >&2; exit 1; }
	sh $(_top)src/papers/parser-scores.sh $(LANGUAGE) $(firstword $(subst $(_comma), ,$(TREEBANK_DEV)))

.PHONY: help keys checked plan planned prepare run-one one draw draw-one drawn texts data searches reports reported all build \
    fetch packages force options-checked parser grammar parser-scores $(_targets)
