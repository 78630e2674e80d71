# pipeline.mk: from corpora to reports; see heed-pipeline(7).
#
#   make -f pipeline.mk demo                       LibreOffice's help, English to German, from package to BLEU
#   make -f pipeline.mk demo DATA=dir PAIR=en-de   the same on one's own pairs
#   make -f pipeline.mk parser LANGUAGE=en TREEBANKS='a.conllu,a.ptb' TREEBANK_DEV=d.conllu,d.ptb
#
# A target is a file that appears whole.  All settings of a run stand in one
# settings file, rewritten only when its text changes; what depends on it, and
# nothing else, is made again.  An interrupted training resumes.
SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
export PATH := $(CURDIR)/bin:$(PATH)
export LC_ALL := C.UTF-8

PROFILE ?= cpu
PAIR    ?= en-de
THREADS ?= $(shell nproc)
RUN     ?=
RUN_ONE ?=
W       := work/$(PROFILE)
R       := results
include src/profiles/$(PROFILE).mk
include $(sort $(wildcard src/papers/*.mk))

src = $(word 1,$(subst -, ,$(PAIR)))
tgt = $(word 2,$(subst -, ,$(PAIR)))

# Where text comes from: a folder with train, dev (or val) and test files, or LibreOffice's help.
CORPUS := $(if $(DATA),$(notdir $(patsubst %/,%,$(DATA))),help)
D      := $(W)/data/$(CORPUS).$(PAIR)

# A run is PAPER/CORPUS.PAIR/VARIANT/SEED.
NAME    = $(CORPUS).$(PAIR)
paper   = $(word 1,$(subst /, ,$*))
variant = $(word 3,$(subst /, ,$*))
seed    = $(word 4,$(subst /, ,$*))
# A setting of this run: the paper's for this profile, the paper's, or the profile's.
setting = $(or $($(paper).$(1).$(PROFILE)),$($(paper).$(1)),$($(2)))
runs    = $(foreach v,$($(1).variants),$(foreach s,$($(1).seeds),$(1)/$(NAME)/$(v)/$(s)))

arguments = --preset $(or $($(paper).preset),fairseq) --size $(call setting,size,SIZE) \
            $(if $($(paper).arch),--arch '$($(paper).arch)') \
            $($(paper).variant.$(variant):%=-a '%') --seed $(seed) \
            --updates $(call setting,updates,UPDATES) --batch-tokens $(call setting,batch,BATCH) \
            --warmup $(call setting,warmup,WARMUP) --validate-every $(call setting,validate,VALIDATE) $($(paper).options)
prepare   = $(or $($(paper).prepare),bpe-apply -c $(D)/codes)
inputs    = prepare=$(prepare) | codes=$(MERGES)

.DEFAULT_GOAL := help
help:
	@echo "targets: $(PAPERS) all fetch; settings: PROFILE=smoke|cpu|paper PAIR=en-de DATA=folder THREADS=n RUN=prefix RUN_ONE=prefix; see heed-pipeline(7)"

$(PAPERS): %: build
	+@$(MAKE) --no-print-directory -f pipeline.mk $(R)/$*/report.html
	@echo "report: $(R)/$*/report.html"
all: $(PAPERS)

build: packages
	+@$(MAKE) --no-print-directory all
packages:
	@sh common/packages.sh demo

# --- corpora -------------------------------------------------------------------------------

fetch: $(W)/fetched.$(PAIR)
$(W)/fetched.$(PAIR):
	mkdir -p $(W)/packages
	corpus-fetch -o $(W)/packages libreoffice-help $(src) $(tgt) > $@.tmp
	mv $@.tmp $@

SPLITS = $(foreach s,train dev test,$(D)/raw.$(s).$(src) $(D)/raw.$(s).$(tgt))

ifeq ($(DATA),)
$(SPLITS) &: $(W)/fetched.$(PAIR)
	mkdir -p $(D)
	mapfile -t packages < $<; \
	corpus-align -l $(src) -l $(tgt) -o $(D)/raw "$${packages[@]}"
else
# The first file there is of a split's names, plain or compressed.
names.train = $(or $(TRAIN),train)
names.dev   = $(or $(DEV),dev val valid)
names.test  = $(or $(TEST),test test*)
candidates  = $(foreach n,$(names.$(1)),$(DATA)/$(n)$(2) $(DATA)/$(n)$(2).*)
$(D)/raw.%:
	@mkdir -p $(@D)
	f=$$(ls -d $(call candidates,$(basename $*),$(suffix $*)) 2> /dev/null | head -n 1 || true); \
	[ -n "$$f" ] || { echo "none of these is there: $(call candidates,$(basename $*),$(suffix $*))" >&2; exit 1; }; \
	tokenize -t none "$$f" > $@.tmp
	mv $@.tmp $@
endif

$(D)/tok.%: $(D)/raw.%
	tokenize -l $(subst .,,$(suffix $*)) < $< > $@.tmp
	mv $@.tmp $@

$(W)/settings.bpe: force
	$(call rewrite,merges=$(MERGES))

$(D)/codes: $(D)/tok.train.$(src) $(D)/tok.train.$(tgt) $(W)/settings.bpe
	cat $(D)/tok.train.$(src) $(D)/tok.train.$(tgt) | bpe-learn --text -n $(MERGES) > $@.tmp
	mv $@.tmp $@

$(D)/%.heed: $(D)/tok.%.$(src) $(D)/tok.%.$(tgt)
	heed-pack -o $@ $^

# --- runs ----------------------------------------------------------------------------------

# Rewritten only when the text changes.
define rewrite
@mkdir -p $(@D); printf '%s\n' "$(subst ",\",$(1))" > $@.tmp; cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
endef
force:

$(W)/run/%/settings: force
	$(call rewrite,$(arguments) | $(inputs))

$(W)/run/%/train.heed: $(D)/train.heed $(D)/codes $(W)/run/%/settings
	{ $(prepare); } < $< > $@.tmp
	mv $@.tmp $@
$(W)/run/%/dev.heed: $(D)/dev.heed $(D)/codes $(W)/run/%/settings
	{ $(prepare); } < $< > $@.tmp
	mv $@.tmp $@
$(W)/run/%/test.heed: $(D)/test.heed $(D)/codes $(W)/run/%/settings
	{ $(prepare); } < $< > $@.tmp
	mv $@.tmp $@

# Heavy steps take turns on the processors even under -j; an interrupted one resumes from its
# checkpoint, unless what it was started with has changed.
$(W)/run/%/model.tar: $(W)/run/%/train.heed $(W)/run/%/dev.heed $(W)/run/%/settings
	cmp -s $(@D)/settings $(@D)/settings.begun || { rm -f $(@D)/checkpoint.tar; cp $(@D)/settings $(@D)/settings.begun; }
	flock $(W)/.cpu $(RUN) nmt-train --threads $(THREADS) $(arguments) -c $(D)/codes --dev $(@D)/dev.heed \
	    --checkpoint $(@D)/checkpoint.tar --log $(@D)/log.heed -o $@ $<

$(W)/run/%/test.hyp.heed: $(W)/run/%/model.tar $(W)/run/%/test.heed
	flock $(W)/.cpu $(RUN_ONE) nmt-translate --threads $(THREADS) --beam $(BEAM) -m $< -o $@ $(@D)/test.heed

# Scored as readers see it: detokenised, against the raw reference.
$(W)/run/%/test.hyp: $(W)/run/%/test.hyp.heed
	heed-show -f hyp $< | detokenize -l $(tgt) > $@.tmp
	mv $@.tmp $@
$(W)/run/%/bleu: $(W)/run/%/test.hyp $(D)/raw.test.$(tgt)
	bleu -r $(D)/raw.test.$(tgt) < $< > $@.tmp
	mv $@.tmp $@

$(W)/run/%/curve.tsv: $(W)/run/%/model.tar
	heed-show -f step,nll,dev.nll $(@D)/log.heed > $@.tmp
	mv $@.tmp $@

# --- results -------------------------------------------------------------------------------

paper-runs = $(call runs,$(patsubst $(R)/%/table1.tsv,%,$@))

$(R)/%/table1.tsv: $$(foreach r,$$(call runs,$$*),$(W)/run/$$(r)/bleu)
	@mkdir -p $(@D)
	{ printf 'corpus\tvariant\tseed\tprofile\tBLEU\tsignature\n'; \
	for r in $(call runs,$*); do IFS=/ read -r _ corpus variant seed <<< "$$r"; \
	    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$$corpus" "$$variant" "$$seed" $(PROFILE) \
	        "$$(sed 's/^[^=]* = \([0-9.]*\) .*/\1/; q' $(W)/run/$$r/bleu)" "$$(sed 's/ = .*//; q' $(W)/run/$$r/bleu)"; \
	done; } > $@.tmp
	mv $@.tmp $@

$(R)/%/fig1.svg: $$(foreach r,$$(call runs,$$*),$(W)/run/$$(r)/curve.tsv) src/papers/curve.gp
	@mkdir -p $(@D)
	gnuplot -e "out='$@.tmp'; files='$(filter %/curve.tsv,$^)'; names='$(call runs,$*)'" src/papers/curve.gp
	mv $@.tmp $@

$(R)/%/report.html: $(R)/%/table1.tsv $(R)/%/fig1.svg $$(foreach r,$$(call runs,$$*),$(W)/run/$$(r)/settings)
	heed-report --title '$($*.title)' --table $(R)/$*/table1.tsv --figure $(R)/$*/fig1.svg \
	    --caption 'Negative log-likelihood per target token while training: the batches (thin) and the development set (thick)' \
	    $(foreach r,$(call runs,$*),--run '$(W)/run/$(r)') --samples 12 -o $@

# --- parsers -------------------------------------------------------------------------------

# The parsers that come with the programs, from treebanks that are named on the command line; how each
# language's is made stands in src/parsers.mk.
LANGUAGE    ?= en
TREEBANKS   ?=
TREEBANK_DEV ?=
MODELS      ?= common/parser/models
include src/parsers.mk

# Trained in work/, so that a stop in the middle leaves the old one where it is.
parser: build
	@[ -n "$(TREEBANKS)" ] || { echo "parser: TREEBANKS='a.conllu,a.ptb b.conllu' is needed; see heed-pipeline(7)" >&2; exit 1; }
	mkdir -p $(MODELS) $(W)/parser
	flock $(W)/.cpu $(RUN_ONE) parse-train --threads $(THREADS) --lang $(LANGUAGE) $(parser.$(LANGUAGE)) \
	    $(TREEBANK_DEV:%=--dev %) --checkpoint $(W)/parser/$(LANGUAGE).checkpoint -o $(MODELS)/$(LANGUAGE).parser $(TREEBANKS)
grammar: build
	@[ -n "$(TREEBANKS)" ] || { echo "grammar: TREEBANKS='a.conllu,a.ptb' is needed; see heed-pipeline(7)" >&2; exit 1; }
	mkdir -p $(MODELS)
	parse-train --pcfg $(filter --leave-out=%,$(parser.$(LANGUAGE))) -o $(MODELS)/$(LANGUAGE).pcfg $(TREEBANKS)

.PHONY: help all fetch build packages force parser grammar $(PAPERS)
