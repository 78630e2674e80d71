# ledger.mk: entries of runs, and the runs that are missing; included by pipeline.mk, see
# heed-pipeline(7).
#
# The entry of a run is the folder $(R)/PAPER/run/COLUMN/VARIANT/SEED, see heed-record(1).  It is
# used if its settings, the runs that it depends on and its data are the wanted ones; file times
# do not matter.  Only entries that are missing or differ have a rule.

entry   = $(foreach r,$(1),$(foreach p,$(call row,1,$(r)),$(r:$(p)/%=$(R)/$(p)/run/%)))
record  = $(addsuffix /record,$(entry))

# Drafts are accepted everywhere except in the published results.
DRAFTS ?= $(if $(filter $(abspath results),$(abspath $(R))),,1)
drafts  = $(DRAFTS:%=--drafts)

# --- files that are made from models or data -------------------------------------------------

# They are kept in the ledger.  FILE.of has the digests of the runs that FILE was made from, and
# its settings. belongs FILE,RUNS,HOW: FILE exists and FILE.of is up to date.  signed RUNS,HOW:
# writes FILE.of.
same      = $(if $(subst x$(1),,x$(2))$(subst x$(2),,x$(1)),,yes)
belongs   = $(and $(wildcard $(1)),$(wildcard $(1).of),$(if $(filter-out $(kept),$(2)),,yes),\
                $(call same,$(strip $(file < $(1).of)),$(strip $(foreach r,$(2),$(digest.$(r))) \
                $(3))))
signed    = echo $$(sed -n 's/^digest\t//p' $(call record,$(1)) /dev/null) \
               $(call quote,$(strip $(2))) > $@.of
# stale FILES,RUNS,HOW: the files that must be made; RUNS and HOW are functions of a file.  The
# other files get an empty rule, so that no pattern rule applies to them.  With draw, stale files
# are an error.
strange   = $(foreach f,$(1),$(if $(call belongs,$(f),$(call $(2),$(f)),$(call $(3),$(f))),$(eval $(f): ;),$(f)))
stale     = $(foreach f,$(strange),$(call lost,$(f))$(f))
nothing   =
in-results = $(basename $(patsubst $(R)/%,%,$(1)))
paper-of  = $(call row,1,$(patsubst $(R)/%,%,$(1)))
lost      = $(if $(and $(drawing),$(filter $(goals:%=$(R)/%/%),$(1))),\
                $(error $(1) is missing or out of date, and needs a model or data))

# The winner of a search depends on its settings and on its grid.
kept-search = $(foreach p,$(call paper-of,$(1)),$(1:$(R)/$(p)/search/%/best=$(p)/%))
search-how  = $(foreach *,$(kept-search),$(strip engine=$(engine) $(trial) seeds=$(SEARCH_SEEDS) \
                  rungs=$(SEARCH_RUNGS) $(file < $(grid-file))))
kept-searches = $(foreach s,$(searches:$(W)/search/%/best=%),\
                    $(foreach p,$(call row,1,$(s)),$(s:$(p)/%=$(R)/$(p)/search/%/best)))
new-searches := $(call strange,$(kept-searches),nothing,search-how)
$(foreach s,$(new-searches),$(eval $(s): $(W)/search/$(call kept-search,$(s))/best))
$(new-searches):
	@mkdir -p $(@D)
	cp $< $@.tmp
	$(call signed,,$(call search-how,$@))
	mv $@.tmp $@

# --- runs ------------------------------------------------------------------------------------

# The runs that a run depends on: the one that it continues, and the one whose list of heads it
# masks.
begin-run  = $($(paper).begin.$(variant):%=$(paper)/$(column)/%/$(seed))
closed-run = $(if $(closed-of),$(paper)/$(column)/$(firstword $(closed-of))/$(seed))
before     = $(begin-run) $(closed-run)
and-before = $(sort $(1) $(foreach *,$(1),$(before)))

# Everything that determines a run besides its data.  A list of masked heads is given by its run.
closed-as  = $(if $(closed-of),$(subst $() ,/,$(strip @ $(closed-of))))
as-closed  = $(if $(closed-as),$(foreach closed,$(closed-as),$(arguments)),$(arguments))
asked-for  = $(strip data=$(data) merges=$(call setting,$(paper),merges,MERGES,$(column)) \
                 $(as-closed) nmt-translate --beam $(call setting,$(paper),beam,BEAM) \
                 on $(or $($(paper).tested.$(variant)),model) \
                 bleu $($(paper).bleu) $(form))
tab       := $(shell printf '\t')
wanted-as  = $*$(tab)$(or $(strip $(before)),-)$(tab)$(streams)/sums$(tab)$(asked-for)$(if \
                 $(filter $(new-searches),$(best)), of a new search)
define newline


endef
wanted-all = $(foreach *,$(wanted),$(wanted-as)$(newline))

# kept: runs with a valid entry; digest.RUN: their digests; lacking: all others.
wanted    := $(call and-before,$(call and-before,$(call and-before,\
                 $(foreach p,$(or $(strip $(goals)),$(PAPERS)),$(runs.$(p))))))
ifneq ($(wanted),)
list      := $(shell mktemp)
$(file > $(list),$(wanted-all))
found-runs := $(shell sed 's/^ //; /./!d' $(list) | bin/heed-plan -q -l $(R) --kept $(drafts) | \
                 tr '\t' ':' && rm $(list))
$(if $(filter 0,$(.SHELLSTATUS)),,$(error heed-plan cannot compare the runs with the ledger $(R)))
endif
$(foreach r,$(found-runs),$(eval digest.$(firstword $(subst :, ,$(r))) := \
    $(lastword $(subst :, ,$(r)))))
kept      := $(foreach r,$(found-runs),$(firstword $(subst :, ,$(r))))
lacking   := $(filter-out $(kept),$(wanted))

plan-runs  = bin/heed-plan -l $(R) $(drafts)
$(if $(and $(drawing),$(lacking)),$(error the ledger $(R) lacks $(words $(lacking)) runs, the \
    first of them \
    $(firstword $(lacking)); "make -f pipeline.mk plan TARGET" lists them))

# A new entry is copied to the ledger, the record last.
$(foreach r,$(lacking),$(eval $(call record,$(r)): $(W)/run/$(r)/entry/record))
$(call record,$(lacking)):
	@mkdir -p $(@D)
	cp $(<D)/model.tsv $(<D)/sentences.heed.zst $(<D)/log.heed.zst $(@D)
	cp $< $@.tmp
	mv $@.tmp $@

$(W)/run/%/asked: force $$(best)
	$(call rewrite,$(asked-for))
$(W)/run/%/entry/record: $$(tested) $(W)/run/%/test.hyp.heed $$(streams)/dev.heed $$(streams)/sums \
                         $$(reference).raw $$($$(paper).facts) $$(call record,$$(before)) \
                         $(W)/run/%/asked
	$(if $($(paper).facts),sh $($(paper).facts) $(W)/run/$* $(streams) > $(W)/run/$*/facts)
	nmt-score -q --threads $(THREADS) -m $< -o $(W)/run/$*/test.scored.heed $(word 2,$^)
	nmt-score -q --threads $(THREADS) -m $< -o $(W)/run/$*/dev.scored.heed $(streams)/dev.heed
	heed-record -m $< --log $(W)/run/$*/log.heed --test $(W)/run/$*/test.scored.heed \
	    --dev $(W)/run/$*/dev.scored.heed -r $(reference).raw \
	    -l $(call tgt,$(column)) $(if $(filter tok,$(form)),--tokenized) $($(paper).bleu) --sums $(streams)/sums \
	    $(foreach r,$(before),--after $(call record,$(r))) $(closed-in:%=--closed %) \
	    $(if $($(paper).facts),--facts $(W)/run/$*/facts) -o $(@D) paper=$(paper) column=$(column) \
	    variant=$(variant) seed=$(seed) profile=$(PROFILE) commit="$$(cat $(W)/run/$*/commit || true)" \
	    $(call quote,settings=$(asked-for)) $(call quote,command=nmt-train $(strip $(arguments)))
	rm $(W)/run/$*/test.scored.heed $(W)/run/$*/dev.scored.heed
