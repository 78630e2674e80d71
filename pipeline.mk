# pipeline.mk: from corpora to reports; see heed-pipeline(7).
#
#   make -f pipeline.mk demo                       LibreOffice's help, English to German, from package to BLEU
#   make -f pipeline.mk demo DATA=dir PAIR=en-de   the same on one's own pairs
#   make -f pipeline.mk reproduce-rhe DATA=dir     a paper's tables and figures; see heed-papers(7)
#   make -f pipeline.mk parser LANGUAGE=en TREEBANKS='a.conllu,a.ptb' TREEBANK_DEV=d.conllu,d.ptb
#
# A target is a file that appears whole.  All settings of a step stand in one
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
SLOTS   ?= $(shell n=$$(($$(nproc) / $(THREADS))); echo $$((n > 1 ? n : 1)))
RUN     ?=
RUN_ONE ?=
TABLES  ?=
W       := work/$(PROFILE)
R       := $(W)/results
include src/profiles/$(PROFILE).mk
include src/forms.mk
include $(sort $(wildcard src/papers/*.mk))

TARGETS = $(foreach p,$(PAPERS),$(call target,$(p)))
target  = $(if $(filter demo,$(1)),,reproduce-)$(1)

.DEFAULT_GOAL := help
help:
	@echo "targets: $(TARGETS) all fetch; settings: PROFILE=smoke|cpu|paper PAIR=en-de DATA=folder" \
	    "THREADS=n TABLES=names RUN=prefix RUN_ONE=prefix; see heed-pipeline(7)"

# All goals of one command are made by one make, so that -j never makes a file twice; by a second one,
# because how many pairs there are decides which sizes can be drawn from them.
goals   = $(foreach p,$(PAPERS),$(if $(filter all $(call target,$(p)),$(MAKECMDGOALS)),$(p)))
reports = $(goals:%=$(R)/%/report.html)
again   = $(MAKE) --no-print-directory -f pipeline.mk
$(TARGETS) all: reports ;
reports: build
	+@$(again) $(columns:%=$(W)/text/%/pairs)
	+@$(again) $(reports)
	@printf 'report: %s\n' $(reports)

build: packages
	+@$(MAKE) --no-print-directory all
packages:
	@sh common/packages.sh demo

# --- names ---------------------------------------------------------------------------------

# A column is CORPUS.PAIR, where text comes from, or CORPUS.PAIR@SIZE, that many of its pairs; with .DRAW
# behind it a certain draw.  A run is PAPER/COLUMN/VARIANT/SEED; the seed says the draw, too.
corpora := $(if $(DATA),$(notdir $(patsubst %/,%,$(DATA))),help)
columns := $(foreach c,$(corpora),$(foreach p,$(PAIR),$(c).$(p)))
whole    = $(firstword $(subst @, ,$(1)))
draw     = $(subst ., ,$(word 2,$(subst @, ,$(1))))
pair     = $(subst -, ,$(subst .,,$(suffix $(call whole,$(1)))))
src      = $(word 1,$(call pair,$(1)))
tgt      = $(word 2,$(call pair,$(1)))
side     = $(if $(filter src,$(1)),$(call src,$(2)),$(call tgt,$(2)))
part     = $(word $(1),$(subst /, ,$*))

# A setting: that of the command line, the paper's for this profile, the paper's, or the profile's.
setting  = $(or $(if $(filter command,$(origin $(3))),$($(3))),$($(1).$(2).$(PROFILE)),$($(1).$(2)),$($(3)))
quote    = '$(subst ','\'',$(1))'
# Written only when the text changes.
define rewrite
@mkdir -p $(@D); printf '%s\n' $(call quote,$(strip $(1))) > $@.tmp; cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
endef
force:
empty    =
tenth    = $(shell echo $$(($(1) / 10 + 1)))

# Heavy steps: as many side by side as there are slots, whatever -j says.
slot = sh src/papers/slot.sh $(SLOTS) $(W)/.slot

# --- corpora -------------------------------------------------------------------------------

fetch: $(foreach p,$(PAIR),$(W)/fetched.$(p))
$(W)/fetched.%:
	mkdir -p $(W)/packages
	corpus-fetch -o $(W)/packages libreoffice-help $(subst -, ,$*) > $@.tmp
	mv $@.tmp $@

# text/COLUMN/SPLIT.SIDE.raw: a folder with train, dev (or val) and test files, or LibreOffice's help.
text-split = $(basename $(*F))
text-side  = $(subst .,,$(suffix $(*F)))
text-lang  = $(call side,$(text-side),$(*D))
ifeq ($(DATA),)
$(W)/text/help.%/aligned: $(W)/fetched.%
	mkdir -p $(@D)
	mapfile -t packages < $<; \
	corpus-align $(patsubst %,-l %,$(subst -, ,$*)) -o $(@D)/help "$${packages[@]}"
	touch $@
$(W)/text/%.raw: $$(W)/text/$$(*D)/aligned
	cp $(@D)/help.$(text-split).$(text-lang) $@.tmp
	mv $@.tmp $@
else
# The first file there is of a split's names, plain or compressed.
names.train = $(or $(TRAIN),train)
names.dev   = $(or $(DEV),dev val valid)
names.test  = $(or $(TEST),test test*)
folder      = $(firstword $(foreach d,$(patsubst %/,%,$(DATA)),$(if $(filter $(basename $(1)),$(notdir $(d))),$(d))))
text-files  = $(foreach n,$(names.$(text-split)),$(call folder,$(*D))/$(n).$(text-lang){,.gz,.xz,.zst,.bz2})
$(W)/text/%.raw:
	@mkdir -p $(@D)
	f=$$(ls -d $(text-files) 2> /dev/null | head -n 1 || true); \
	[ -n "$$f" ] || { echo "none of these is there: $(text-files)" >&2; exit 1; }; \
	tokenize -t none "$$f" > $@.tmp
	mv $@.tmp $@
endif

$(W)/text/%.tok: $(W)/text/%.raw
	tokenize -l $(text-lang) < $< > $@.tmp
	mv $@.tmp $@
$(W)/text/%/pairs: $(W)/text/%/train.src.tok
	wc -l < $< > $@.tmp
	mv $@.tmp $@

# parsed/NAME/COLUMN/SPLIT.heed: trees are made once for each corpus and parser (src/forms.mk); none is
# the text alone.
parse-from = $(W)/parsed/$(or $(parse.$(call part,1).from),none)/$(call part,2)/$(call part,3).heed
parse-step = $(or $(strip $(parse.$(call part,1))),cat)
$(W)/parsed/none/%.heed: $(W)/text/%.src.tok $(W)/text/%.tgt.tok
	@mkdir -p $(@D)
	heed-pack -o $@ $^
$(W)/parsed/%.settings: force
	$(call rewrite,$(parse-step))
forms  = $(patsubst parse.%,%,$(filter-out %.from,$(filter parse.%,$(.VARIABLES))))
parsed = $(foreach f,$(forms),$(foreach c,$(columns),$(foreach s,train dev test,$(W)/parsed/$(f)/$(c)/$(s).heed)))
$(parsed): $(W)/parsed/%.heed: $$(parse-from) $(W)/parsed/%.settings
	$(slot) $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) $(call quote,$(parse-step)) < $< > $@.tmp
	mv $@.tmp $@

# A draw has the same pairs whatever was made of them.
sample = $(if $(call draw,$(1)),heed-sample -n $(word 1,$(call draw,$(1))) -s $(word 2,$(call draw,$(1))) |)

# codes/COLUMN/MERGES: BPE of both sides together, or MERGES.src and MERGES.tgt.
$(W)/codes/%: $$(W)/parsed/none/$$(call whole,$$(*D))/train.heed
	@mkdir -p $(@D)
	{ $(call sample,$(*D)) cat; } < $< > $@.heed
	for side in $(or $(subst .,,$(suffix $(*F))),src tgt); do heed-show -f $$side $@.heed; done | \
	    bpe-learn --text -n $(basename $(*F)) > $@.tmp
	rm $@.heed; mv $@.tmp $@

# prepared/PAPER/NAME/COLUMN/SPLIT.heed: what a paper makes of a parsed corpus, once for all runs that
# read it.  The parser is the one that the preparation is named after, or the paper's.
codes         = $(patsubst %.both,%,$(addprefix $(W)/codes/$(2)/$(call setting,$(1),merges,MERGES),$(or $(call setting,$(1),codes),.both)))
code-option   = $(patsubst %.src,--src-codes %,$(patsubst %.tgt,--tgt-codes %,$(1)))
bpe           = bpe-apply $(foreach f,$(prepare-codes),$(or $(filter --%,$(call code-option,$(f))),-c) $(f))
parse-of      = $(or $($(1).parse.$(2)),$(if $(value parse.$(2)),$(2)),$($(1).parse),none)
prepare-step  = $(or $($(call part,1).prepare.$(call part,2)),$($(call part,1).prepare),$(bpe))
prepare-from  = $(W)/parsed/$(call parse-of,$(call part,1),$(call part,2))/$(call whole,$(call part,3))/$(call part,4).heed
prepare-codes = $(call codes,$(call part,1),$(call part,3))
$(W)/prepared/%.settings: force
	$(call rewrite,$(prepare-step) < $(prepare-from))
$(W)/prepared/%.heed: $$(prepare-from) $$(prepare-codes) $(W)/prepared/%.settings
	{ $(if $(filter train,$(*F)),$(call sample,$(call part,3))) $(prepare-step); } < $< > $@.tmp
	mv $@.tmp $@
$(W)/prepared/%/sums: $(W)/prepared/%/train.heed $(W)/prepared/%/dev.heed $(W)/prepared/%/test.heed
	for s in train dev test; do \
	    heed-check --sum src.pieces,tgt.pieces $(@D)/$$s.heed | sed -n "s/.*\ttogether\t/$$s\t/p"; done > $@.tmp
	mv $@.tmp $@

# --- grids ---------------------------------------------------------------------------------

# A paper's tables and figures stand in src/papers/NAME.grid, heed-table(1); their rows are words here:
# SECTION/SCOPE/VARIANT/BASE, where scope is whole or sizes, and base a variant or -.  (None before the
# programs are built; then the make that is called behind "build" has them.)
grid      = src/papers/$(1).grid
title     = $(2): $(shell sed -n 's/^section $(2) *//p' $(call grid,$(1)))
row       = $(word $(1),$(subst /, ,$(2)))
unique    = $(if $(1),$(firstword $(1)) $(call unique,$(filter-out $(firstword $(1)),$(1))))

# Sizes that the corpus has; all is the whole of it.
pairs     = $(or $(file < $(W)/text/$(1)/pairs),1000000000)
fits      = $(or $(filter all,$(2)),$(shell [ $(2) -lt $(call pairs,$(1)) ] && echo $(2)))
sizes     = $(foreach s,$(call setting,$(1),sizes,SIZES),$(call fits,$(2),$(s)))
$(foreach p,$(PAPERS),$(eval rows.$(p) := $(shell heed-table --rows --grid $(call grid,$(p)) 2> /dev/null))\
    $(foreach c,$(columns),$(eval cells.$(p).sizes += $(patsubst $(c)@all,$(c),$(addprefix $(c)@,$(call sizes,$(p),$(c)))))))
cells     = $(or $(cells.$(1).$(call row,2,$(2))),$(columns))

# Sections that are asked for; claims are judged by the runs of the others.
rows      = $(filter $(2:%=%/%),$(rows.$(1)))
sections  = $(call unique,$(foreach r,$(if $(TABLES),$(call rows,$(1),$(TABLES)),$(filter-out claims%,$(rows.$(1)))) $(filter claims%,$(rows.$(1))),$(call row,1,$(r))))
# Variants of the main sections have all seeds, the others fewer.
main      = $(foreach r,$(call rows,$(1),$(or $($(1).main),table1)),$(call row,3,$(r)) $(call row,4,$(r)))
seeds     = $(if $(filter $(2),$(main.$(1))),$(call setting,$(1),seeds,SEEDS),$(call setting,$(1),more_seeds,MORE_SEEDS))
$(foreach p,$(PAPERS),$(eval main.$(p) := $(call main,$(p))))
# The runs of some sections, and how each is compared with its base, as far as both are there.
runs      = $(sort $(foreach r,$(filter-out claims%,$(call rows,$(1),$(2))),$(foreach v,$(filter-out -,$(call row,3,$(r)) $(call row,4,$(r))),\
                $(foreach c,$(call cells,$(1),$(r)),$(foreach s,$(call seeds,$(1),$(v)),$(1)/$(c)/$(v)/$(s))))))
$(foreach p,$(PAPERS),$(eval runs.$(p) := $(call runs,$(p),$(call sections,$(p)))))
both      = $(and $(filter $(1)/$(2)/$(3)/$(5),$(runs.$(1))),$(filter $(1)/$(2)/$(4)/$(5),$(runs.$(1))))
versus    = $(sort $(foreach r,$(call rows,$(1),$(2)),$(foreach c,$(call cells,$(1),$(r)),$(foreach s,$(call seeds,$(1),$(call row,3,$(r))),\
                $(if $(call both,$(1),$(c),$(call row,3,$(r)),$(call row,4,$(r)),$(s)),$(1)/$(c)/$(call row,3,$(r))/$(s)/$(call row,4,$(r)))))))

# --- runs ----------------------------------------------------------------------------------

paper     = $(call part,1)
column    = $(call part,2)
variant   = $(call part,3)
seed      = $(call part,4)
drawn     = $(column)$(if $(findstring @,$(column)),.$(seed))
data      = $(paper)/$(or $($(paper).data.$(variant)),$($(paper).data),plain)/$(drawn)
streams   = $(W)/prepared/$(data)
run-codes = $(call codes,$(paper),$(drawn))
# The run that this one begins with: another variant of the same column and seed.
begin     = $($(paper).begin.$(variant):%=$(W)/run/$(paper)/$(column)/%/$(seed)/model.tar)

common    = --preset $(or $($(paper).preset),fairseq) --size $(call setting,$(paper),size,SIZE) \
            $(addprefix --arch ,$(call setting,$(paper),arch,ARCH)) $(1) \
            --updates $(call setting,$(paper),updates,UPDATES) --batch-tokens $(call setting,$(paper),batch,BATCH) \
            --validate-every $(call setting,$(paper),validate,VALIDATE) $(call setting,$(paper),recipe,RECIPE)
arguments = $(call common,--seed $(seed)) $(and $(best),$(file < $(best))) $($(paper).variant.$(variant))

$(W)/run/%/settings: force $$(best)
	$(call rewrite,$(data) $(begin) $(arguments))

# search/PAPER/COLUMN/NAME/best: what a search found best, behind another's winner if it is said to come
# after that.  PAPER.search.VARIANT says which a variant takes: whole/NAME is that of the whole corpus,
# size/NAME that of the run's own size.
best      = $(call best-of,$(paper)/$(column)/$(variant))
best-of   = $(foreach s,$($(call row,1,$(1)).search.$(call row,3,$(1))),$(W)/search/$(call row,1,$(1))/$(if $(filter whole/%,$(s)),$(call whole,$(call row,2,$(1))),$(call row,2,$(1)))/$(call row,2,$(s))/best)
searches  = $(foreach p,$(PAPERS),$(foreach n,$($(p).searches),$(foreach c,$(sort $(columns) $(cells.$(p).sizes)),$(W)/search/$(p)/$(c)/$(n)/best)))
after     = $($(paper).after.$(call part,3):%=$(W)/search/$(paper)/$(column)/%/best)
tried     = $(W)/prepared/$(paper)/$(or $($(paper).data),plain)/$(column)$(if $(findstring @,$(column)),.1)
trial     = $(call common) $(and $(after),$(file < $(after)))
$(W)/search/%/settings: force $$(after)
	$(call rewrite,$(trial))
$(searches): $(W)/search/%/best: $$(tried)/train.heed $$(tried)/dev.heed $$(after) $(W)/search/%/settings $$(call search-grid)
	cmp -s $(@D)/settings $(@D)/settings.begun || { rm -rf $(@D)/journal*; cp $(@D)/settings $(@D)/settings.begun; }
	$(slot) $(RUN_ONE) nmt-search --threads $(THREADS) --grid $(search-grid) --journal $(@D)/journal --seeds $(SEARCH_SEEDS) \
	    $(addprefix --rungs ,$(SEARCH_RUNGS)) --dev $(tried)/dev.heed -o $(@D)/winner $(tried)/train.heed -- $(trial)
	{ cat $(after) $(@D)/winner | tr '\n' ' '; echo; } > $@.tmp
	mv $@.tmp $@
search-grid = src/papers/$(paper).$(call part,3).$(PROFILE)

# An interrupted training resumes from its checkpoint, unless what it was started with has changed.
models    = $(foreach p,$(PAPERS),$(runs.$(p):%=$(W)/run/%/model.tar))
$(models): $(W)/run/%/model.tar: $$(streams)/train.heed $$(streams)/dev.heed $$(begin) $$(best) $(W)/run/%/settings
	cmp -s $(@D)/settings $(@D)/settings.begun || { rm -f $(@D)/checkpoint.tar; cp $(@D)/settings $(@D)/settings.begun; }
	$(slot) $(RUN) nmt-train --threads $(THREADS) $(begin:%=--init %) $(arguments) $(patsubst %,-c %,$(filter-out %.src %.tgt,$(run-codes))) \
	    --dev $(streams)/dev.heed --checkpoint $(@D)/checkpoint.tar --log $(@D)/log.heed -o $@ $<

$(W)/run/%/test.hyp.heed: $(W)/run/%/model.tar $$(streams)/test.heed
	$(slot) $(RUN_ONE) nmt-translate --threads $(THREADS) --beam $(call setting,$(paper),beam,BEAM) -m $< -o $@ $(streams)/test.heed

# Scored as readers see it, detokenised against the raw reference, and as the paper scored it.
$(W)/run/%/test.tok: $(W)/run/%/test.hyp.heed
	heed-show -f hyp $< > $@.tmp
	mv $@.tmp $@
$(W)/run/%/test.raw: $(W)/run/%/test.tok
	detokenize -l $(call tgt,$(column)) < $< > $@.tmp
	mv $@.tmp $@
scored     = $(or $($(1).scored),raw)
reference  = $(W)/text/$(call whole,$(column))/test.tgt.$(1)
$(W)/run/%/bleu.tsv: $(W)/run/%/test.raw $(W)/run/%/test.tok $$(call reference,raw) $$(call reference,tok)
	{ bleu --format tsv -w 6 $($(paper).bleu) -r $(call reference,$(call scored,$(paper))) $(@D)/test.$(call scored,$(paper)); \
	  bleu --format tsv -w 6 -r $(call reference,raw) $(@D)/test.raw | sed 1d; } > $@.tmp
	mv $@.tmp $@

# What a run came to, a line a fact: the one file that tables are made of.
$(W)/run/%/record: $(W)/run/%/bleu.tsv $(W)/run/%/model.tar $$(streams)/sums src/papers/record.sh $$($$(paper).facts)
	sh src/papers/record.sh $(@D) $(streams) $(or $($(paper).facts),-) paper=$(paper) column=$(column) variant=$(variant) seed=$(seed) \
	    profile=$(PROFILE) 'command=nmt-train $(arguments)' > $@.tmp
	mv $@.tmp $@

# versus/PAPER/COLUMN/VARIANT/SEED/BASE.tsv: what of the difference between two runs is chance.
base     = $(call part,5)
rivals   = $(foreach v,$(base) $(variant),$(W)/run/$(paper)/$(column)/$(v)/$(seed)/test.$(call scored,$(paper)))
$(W)/versus/%.tsv: $$(rivals) $$(call reference,$$(call scored,$$(paper)))
	@mkdir -p $(@D)
	bleu --format tsv --paired --test bootstrap --test sign $($(paper).bleu) -r $(call reference,$(call scored,$(paper))) \
	    $(rivals) > $@.tmp
	mv $@.tmp $@

# --- results -------------------------------------------------------------------------------

records   = $(patsubst %,$(W)/run/%/record,$(if $(filter claims%,$(2)),$(runs.$(1)),$(call runs,$(1),$(2))))
tests     = $(patsubst %,$(W)/versus/%.tsv,$(call versus,$(1),$(2)))

# Everything there is to know, the same for readers, and for the report.
table-inputs = $(call records,$(call part,1),$(call part,2)) $(call tests,$(call part,1),$(call part,2)) $(call grid,$(call part,1))
define table
@mkdir -p $(@D)
heed-table --grid $(call grid,$(call part,1)) --section $(call part,2) --versus $(W)/versus --form $(1) -o $@ $(filter %/record,$^)
endef
$(R)/%.tsv: $$(table-inputs)
	$(call table,tsv)
$(R)/%.md: $$(table-inputs)
	$(call table,md)
$(W)/brief/%.tsv: $$(table-inputs)
	$(call table,brief)

$(R)/%/runs.jsonl: $$(call records,$$*,claims) src/papers/records.awk
	@mkdir -p $(@D)
	awk -f src/papers/records.awk $(filter %/record,$^) > $@.tmp
	mv $@.tmp $@

$(W)/run/%/curve.tsv: $(W)/run/%/model.tar
	heed-show -f step,nll,dev.nll $(@D)/log.heed > $@.tmp
	mv $@.tmp $@
# Learning curves: of the main runs those of the first seed.
curves = $(foreach r,$(filter %/$(firstword $(call setting,$(1),seeds,SEEDS)),\
             $(filter $(call runs,$(1),$(firstword $($(1).main) table1)),$(runs.$(1)))),$(W)/run/$(r)/curve.tsv)
$(R)/%/curves.svg: $$(call curves,$$*) src/papers/curve.gp
	@mkdir -p $(@D)
	gnuplot -e "out='$@.tmp'; files='$(filter %/curve.tsv,$^)'; names='$(patsubst $(W)/run/$*/%/curve.tsv,%,$(filter %/curve.tsv,$^))'" src/papers/curve.gp
	mv $@.tmp $@

# Sections as curves, over what stands behind @ in their rows, or over sizes.
plots   = $(foreach p,$(PAPERS),$(foreach t,$(filter $($(p).plots),$(call sections,$(p))),$(R)/$(p)/$(t).svg))
$(plots): $(R)/%.svg: $(R)/%.tsv src/papers/points.awk src/papers/points.gp
	awk -f src/papers/points.awk $< > $(W)/brief/$*.points
	gnuplot -e "out='$@.tmp'; points='$(W)/brief/$*.points'" src/papers/points.gp
	mv $@.tmp $@

# Heat maps, PAPER.map.NAME = VARIANT and options of head-map: of a test sentence that is neither short nor
# long, by the first run of that variant that was asked for; VARIANT@least by that on the fewest pairs.
map       = $($(call part,1).map.$(call part,2))
map-where = $(if $(findstring @least,$(2)),$(firstword $(cells.$(1).sizes)),$(firstword $(columns)))
map-of    = $(firstword $(filter $(1)/$(call map-where,$(1),$(2))/$(firstword $(subst @, ,$(2)))/%,$(runs.$(1))))
map-run   = $(W)/run/$(call map-of,$(call part,1),$(firstword $(map)))
maps      = $(foreach p,$(PAPERS),$(foreach m,$($(p).maps),$(if $(call map-of,$(p),$(firstword $($(p).map.$(m)))),$(R)/$(p)/$(m).svg)))
$(maps): $(R)/%.svg: $$(map-run)/test.hyp.heed
	@mkdir -p $(@D)
	id=$$(heed-show -f id,src $< | awk '$$1 && NF > 7 && NF < 13 { print $$1; exit }'); \
	head-map -m $(map-run)/model.tar $${id:+--id $$id} $(wordlist 2,20,$(map)) --title '$(firstword $(map))' --to svg -o $@ $<

# Tables without runs, PAPER.also: trees of the corpora, as prepared/PAPER/PAPER.statistics has them, and
# what searches found; the paper's own lines, src/papers/NAME.TABLE, come last.
also      = $(foreach p,$(PAPERS),$(foreach t,$($(p).also),$(R)/$(p)/$(t).tsv))
counted   = $(foreach c,$(columns),$(foreach s,train dev test,$(W)/prepared/$(1)/$($(1).statistics)/$(c)/$(s).heed))
$(filter %/statistics.tsv,$(also)): $(R)/%/statistics.tsv: $$(call counted,$$*) src/papers/%.statistics
	@mkdir -p $(@D)
	{ tree-stats $(filter %.heed,$^) | sed 's,^$(W)/prepared/[^/]*/[^/]*/,,'; cat src/papers/$*.statistics; } > $@.tmp
	mv $@.tmp $@
found     = $(filter $(W)/search/$(1)/%,$(sort $(foreach r,$(filter $(1)/%,$(runs.$(1))),$(call best-of,$(r)))))
$(filter %/found.tsv,$(also)): $(R)/%/found.tsv: $$(call found,$$*) src/papers/%.found
	@mkdir -p $(@D)
	{ printf 'search\tsettings\n'; for f in $(filter %/best,$^); do \
	    printf '%s\t%s\n' "$$(echo $$f | sed 's,^$(W)/search/[^/]*/\(.*\)/best,\1,')" "$$(xargs < $$f)"; done; cat src/papers/$*.found; } > $@.tmp
	mv $@.tmp $@

extras  = $(filter $(R)/$(1)/%,$(also))
figures = $(filter $(R)/$(1)/%,$(plots) $(maps)) $(if $(call curves,$(1)),$(R)/$(1)/curves.svg)
caption = $(or $($(1).caption.$(2)),$(if $(filter curves,$(2)),Negative log-likelihood per target token of the development set while training,$(2)))
$(R)/%/report.html: $$(foreach t,$$(call sections,$$*),$(R)/$$*/$$t.tsv $(R)/$$*/$$t.md $(W)/brief/$$*/$$t.tsv) $(R)/%/runs.jsonl $$(call figures,$$*) \
                    $$(call extras,$$*)
	heed-report --title '$($*.title)' \
	    $(foreach t,$(call sections,$*),--heading $(call quote,$(call title,$*,$(t))) --table $(W)/brief/$*/$(t).tsv) \
	    $(foreach t,$($*.also),--heading $(t) --table $(R)/$*/$(t).tsv) --heading Figures \
	    $(foreach f,$(call figures,$*),--figure $(f) --caption $(call quote,$(call caption,$*,$(basename $(notdir $(f)))))) --heading Runs \
	    $(foreach r,$(runs.$*),--run '$(W)/run/$(r)') --samples $(or $($*.samples),3) -o $@

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
	$(slot) $(RUN_ONE) parse-train --threads $(THREADS) --lang $(LANGUAGE) $(parser.$(LANGUAGE)) \
	    $(TREEBANK_DEV:%=--dev %) --checkpoint $(W)/parser/$(LANGUAGE).checkpoint -o $(MODELS)/$(LANGUAGE).parser $(TREEBANKS)
grammar: build
	@[ -n "$(TREEBANKS)" ] || { echo "grammar: TREEBANKS='a.conllu,a.ptb' is needed; see heed-pipeline(7)" >&2; exit 1; }
	mkdir -p $(MODELS)
	parse-train --pcfg $(filter --leave-out=%,$(parser.$(LANGUAGE))) -o $(MODELS)/$(LANGUAGE).pcfg $(TREEBANKS)

.PHONY: help all build fetch packages force reports parser grammar $(TARGETS)
