# ledger: entries of runs, and which of them must be made; included by pipeline.mk, see heed-pipeline(7).
#
# The entry of a run is the folder $(R)/PAPER/run/COLUMN/VARIANT/SEED, heed-record(1).  One whose settings, runs
# before it and data are those that are wanted is kept, whatever the times of files say; only the others have a
# rule.

entry   = $(foreach r,$(1),$(foreach p,$(call row,1,$(r)),$(r:$(p)/%=$(R)/$(p)/run/%)))
record  = $(addsuffix /record,$(entry))

# Where the tree may have changes: anywhere but in the published results.
DRAFTS ?= $(if $(filter $(abspath results),$(abspath $(R))),,1)
drafts  = $(DRAFTS:%=--drafts)

# --- files that are made of models or data, not of entries -----------------------------------

# They are kept beside what they belong to: FILE.of has the digests of the runs that FILE was made of, and how
# it was made.  belongs FILE,RUNS,HOW: FILE is there, and still is that; signed RUNS,HOW: writes FILE.of.
same      = $(if $(subst x$(1),,x$(2))$(subst x$(2),,x$(1)),,yes)
belongs   = $(and $(wildcard $(1)),$(wildcard $(1).of),$(if $(filter-out $(kept),$(2)),,yes),\
                $(call same,$(strip $(file < $(1).of)),$(strip $(foreach r,$(2),$(digest.$(r))) $(3))))
signed    = echo $$(sed -n 's/^digest\t//p' $(call record,$(1)) /dev/null) $(call quote,$(strip $(2))) > $@.of
# stale FILES,RUNS,HOW: those that must be made; the functions RUNS and HOW take a file.  The others get an
# empty rule, so that no pattern is found for them.  Without models and data, it is an error if there are any.
strange   = $(foreach f,$(1),$(if $(call belongs,$(f),$(call $(2),$(f)),$(call $(3),$(f))),$(eval $(f): ;),$(f)))
stale     = $(foreach f,$(strange),$(call lost,$(f))$(f))
nothing   =
in-results = $(basename $(patsubst $(R)/%,%,$(1)))
paper-of  = $(call row,1,$(patsubst $(R)/%,%,$(1)))
lost      = $(if $(and $(drawing),$(filter $(goals:%=$(R)/%/%),$(1))),\
                $(error $(1) does not belong to the entries of the ledger, and needs a model or data))

# Searches: what they chose belongs to their settings, and to the grid that they went through.
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

# The runs that a run depends on: the one that it begins with, and the one whose heads it closes.
begin-run  = $($(paper).begin.$(variant):%=$(paper)/$(column)/%/$(seed))
closed-run = $(if $(closed-of),$(paper)/$(column)/$(firstword $(closed-of))/$(seed))
before     = $(begin-run) $(closed-run)
and-before = $(sort $(1) $(foreach *,$(1),$(before)))

# All that determines a run beside its data; of heads that are closed, whose they are.
closed-as  = $(if $(closed-of),$(subst $() ,/,$(strip @ $(closed-of))))
as-closed  = $(if $(closed-as),$(foreach closed,$(closed-as),$(arguments)),$(arguments))
asked-for  = $(strip data=$(data) merges=$(call setting,$(paper),merges,MERGES,$(column)) $(as-closed) \
                 nmt-translate --beam $(call setting,$(paper),beam,BEAM) on $(or $($(paper).tested.$(variant)),model) \
                 bleu $($(paper).bleu) $(form))
tab       := $(shell printf '\t')
wanted-as  = $*$(tab)$(or $(strip $(before)),-)$(tab)$(streams)/sums$(tab)$(asked-for)$(if \
                 $(filter $(new-searches),$(best)), of a new search)
define newline


endef
wanted-all = $(foreach *,$(wanted),$(wanted-as)$(newline))

# kept: those that are there; digest.RUN: their digests; lacking: the others.
wanted    := $(call and-before,$(call and-before,$(call and-before,\
                 $(foreach p,$(or $(strip $(goals)),$(PAPERS)),$(runs.$(p))))))
ifneq ($(wanted),)
list      := $(shell mktemp)
$(file > $(list),$(wanted-all))
found-runs := $(shell sed 's/^ //; /./!d' $(list) | bin/heed-plan -q -l $(R) --kept $(drafts) | tr '\t' ':' && rm $(list))
$(if $(filter 0,$(.SHELLSTATUS)),,$(error heed-plan cannot compare the runs with the ledger $(R)))
endif
$(foreach r,$(found-runs),$(eval digest.$(firstword $(subst :, ,$(r))) := $(lastword $(subst :, ,$(r)))))
kept      := $(foreach r,$(found-runs),$(firstword $(subst :, ,$(r))))
lacking   := $(filter-out $(kept),$(wanted))

plan-runs  = bin/heed-plan -l $(R) $(drafts)
$(if $(and $(drawing),$(lacking)),$(error the ledger $(R) lacks $(words $(lacking)) runs, the first of them \
    $(firstword $(lacking)); "make -f pipeline.mk plan TARGET" lists them))

# A new entry is copied to its place, the record last.
$(foreach r,$(lacking),$(eval $(call record,$(r)): $(W)/run/$(r)/entry/record))
$(call record,$(lacking)):
	@mkdir -p $(@D)
	cp $(<D)/model.tsv $(<D)/sentences.heed.zst $(<D)/log.heed.zst $(@D)
	cp $< $@.tmp
	mv $@.tmp $@

$(W)/run/%/asked: force $$(best)
	$(call rewrite,$(asked-for))
$(W)/run/%/entry/record: $$(tested) $(W)/run/%/test.hyp.heed $$(streams)/dev.heed $$(streams)/sums \
                         $$(reference).raw $$($$(paper).facts) $$(call record,$$(before)) $(W)/run/%/asked
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
