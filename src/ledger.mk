# ledger.mk: entries of runs, and the runs that are missing; included by pipeline.mk, see
# heed-pipeline(7).
#
# The entry of a run is the folder $(R)/PAPER/run/COLUMN/VARIANT/SEED, see heed-record(1).  It is
# used if its settings, the runs that it depends on and its data are the wanted ones; file times
# do not matter.  Only entries that are missing or differ have a rule.

_entry  = $(foreach r,$(1),$(foreach p,$(call _row,1,$(r)),$(r:$(p)/%=$(R)/$(p)/run/%)))
_record = $(addsuffix /record,$(_entry))

# Drafts are accepted everywhere except in the published results of a source tree.
DRAFTS ?= $(if $(and $(_source),$(filter $(abspath $(_top)results),$(abspath $(R)))),,1)
_drafts = $(DRAFTS:%=--drafts)

# --- files that are made from models or data -------------------------------------------------

# They are kept in the ledger.  FILE.of has the digests of the runs that FILE was made from, and
# its settings. belongs FILE,RUNS,HOW: FILE exists and FILE.of is up to date.  signed RUNS,HOW:
# writes FILE.of.
_belongs  = $(and $(wildcard $(1)),$(wildcard $(1).of),$(if $(filter-out $(_kept),$(2)),,yes),\
                $(call _same,$(strip $(file < $(1).of)),$(strip $(foreach r,$(2),$(_digest.$(r))) \
                $(3))))
_signed   = echo $$(sed -n 's/^digest\t//p' $(call _record,$(1)) /dev/null) \
               $(call _quote,$(strip $(2))) > $@.of
# stale FILES,RUNS,HOW: the files that must be made, whatever their times are; RUNS and HOW are
# functions of a file.  The other files get an empty rule, so that no pattern rule applies to them.
# With draw, stale files are left out (src/draw.mk).
_strange  = $(foreach f,$(1),$(if $(call _belongs,$(f),$(call $(2),$(f)),$(call $(3),$(f))),$(eval $(f): ;),$(f)))
_stale    = $(foreach f,$(_strange),$(call _leave-out,$(f))$(eval .PHONY: $(f))$(f))
# of-data SUMS,FILE: the checksums in these files, as a setting of FILE.  If the data is not there,
# as in draw from the ledger alone, they are those that FILE has.
_sums-in  = $(foreach f,$(1),$(patsubst %,data=%,$(strip $(file < $(f)))))
_of-data  = $(if $(call _same,$(words $(1)),$(words $(_sums-in))),$(_sums-in),$(filter data=%,$(file < $(2).of)))
_nothing  =
_in-results = $(basename $(patsubst $(R)/%,%,$(1)))
_paper-of = $(call _row,1,$(patsubst $(R)/%,%,$(1)))

# The winner of a search depends on its settings and on its grid.
_kept-search = $(foreach p,$(call _paper-of,$(1)),$(1:$(R)/$(p)/search/%/best=$(p)/%))
_search-how = $(foreach *,$(_kept-search),$(strip engine=$(_engine) $(_trial) seeds=$(SEARCH_SEEDS) \
                  rungs=$(SEARCH_RUNGS) $(file < $(_grid-file))))
_kept-searches = $(foreach s,$(_searches:$(W)/search/%/best=%),\
                    $(foreach p,$(call _row,1,$(s)),$(s:$(p)/%=$(R)/$(p)/search/%/best)))
_new-searches := $(call _strange,$(_kept-searches),_nothing,_search-how)
$(foreach s,$(_new-searches),$(eval $(s): $(W)/search/$(call _kept-search,$(s))/best))
# trials: the score of each trial of a search, so that its result can be compared with the default.
$(_new-searches):
	@mkdir -p $(@D)
	awk -f $(_top)src/papers/trials.awk $(<D)/journal > $(@D)/trials
	cp $< $@.tmp
	$(call _signed,,$(call _search-how,$@))
	mv $@.tmp $@

# Searches that are missing are lines of the plan, PAPER/search/COLUMN/NAME, on which the runs that
# take their settings from them depend.  searched BEST: the lines of these winners that are missing.
# A search is known as PAPER/COLUMN/NAME to the rules of searches.
_searched = $(patsubst $(R)/%/best,%,$(filter $(_new-searches),$(1)))
_as-search = $(subst /search/,/,$(1))
_and-earlier = $(sort $(1) $(foreach *,$(_as-search),$(call _searched,$(_after))))
_missing-searches = $(call _and-earlier,$(call _and-earlier,$(sort $(foreach *,$(_wanted),$(call _searched,$(_best))))))
_last-rung = $(addprefix --updates ,$(lastword $(subst $(_comma), ,$(SEARCH_RUNGS))))
_search-line = $(foreach *,$(_as-search),$(1)$(_tab)$(or $(call _searched,$(_after)),-)$(_tab)-$(_tab)$(_trial) $(_last-rung))
_all-searches = $(_kept-searches:$(R)/%/best=%)

# --- runs ------------------------------------------------------------------------------------

# The runs that a run depends on: the one that it continues, the one that aligns its data, and the
# one whose list of heads it masks.
_begin-run = $($(_paper).begin.$(_variant):%=$(_paper)/$(column)/%/$(seed))
_closed-run = $(if $(_closed-of),$(_paper)/$(column)/$(firstword $(_closed-of))/$(seed))
_aligned-run = $($(_paper).aligned.$(_variant):%=$(_paper)/$(column)/%/$(seed))
_before    = $(_begin-run) $(_aligned-run) $(_closed-run)
_and-before = $(sort $(1) $(foreach *,$(1),$(_before)))

# Everything that determines a run besides its data.  A list of masked heads is given by its run and,
# if a measure selects them, by the settings of the measure.
_closed-measure = $(filter-out gate first random-% all-random-%,$(lastword $(_closed-of)))
_measured = probe=$(call setting,$(1),probe) few=$(call setting,$(1),few) $(call setting,$(1),heads)
_closed-as = $(if $(_closed-of),$(subst $() ,/,$(strip @ $(_closed-of))))
_as-closed = $(if $(_closed-as),$(foreach closed,$(_closed-as),$(_arguments)),$(_arguments))
_asked-for = $(strip data=$(_data) merges=$(call setting,$(_paper),merges,MERGES,$(column)) \
                 $(addprefix aligned=,$($(_paper).aligned.$(_variant))) \
                 $(_as-closed) $(if $(_closed-measure),by $(call _measured,$(_paper))) \
                 nmt-translate --beam $(_beam) \
                 on $(or $($(_paper).tested.$(_variant)),model) \
                 bleu $($(_paper).bleu) $(_form))
_tab      := $(shell printf '\t')
_search-before = $(call _searched,$(_best))
_wanted-as = $*$(_tab)$(or $(strip $(_before) $(_search-before)),-)$(_tab)$(_streams)/sums$(_tab)$(_asked-for)$(if \
                 $(_search-before), of a new search)
_wanted-all = $(foreach s,$(_missing-searches),$(call _search-line,$(s))$(_newline)) \
                 $(foreach *,$(_wanted),$(_wanted-as)$(_newline))

# kept: runs with a valid entry; digest.RUN: their digests; lacking: all others.
_wanted   := $(call _and-before,$(call _and-before,$(call _and-before,\
                 $(foreach p,$(or $(strip $(_goals)),$(_papers)),$(_runs.$(p))))))
ifneq ($(_wanted),)
_list     := $(shell mktemp)
$(file > $(_list),$(_wanted-all))
_found-runs := $(shell sed 's/^ //; /./!d' $(_list) | $(_bin)heed-plan -q --ledger $(R) --kept $(_drafts) | \
                 tr '\t' ':' && rm $(_list))
$(if $(filter 0,$(.SHELLSTATUS)),,$(error heed-plan cannot compare the runs with the ledger $(R)))
endif
$(foreach r,$(_found-runs),$(eval _digest.$(firstword $(subst :, ,$(r))) := \
    $(lastword $(subst :, ,$(r)))))
_kept     := $(foreach r,$(_found-runs),$(firstword $(subst :, ,$(r))))
_lacking  := $(filter-out $(_kept),$(_wanted))

# Runs without a time in the ledger have that of the published one.
_plan-runs = $(_bin)heed-plan --ledger $(R) $(addprefix --timed ,$(wildcard $(_top)results)) --models $(W)/run $(_drafts)
$(if $(_drawing),$(foreach p,$(_goals),$(call _draw-kept,$(p))))

# A new entry is copied to the ledger, the record last, even if the ledger has another one that is newer.
$(foreach r,$(_lacking),$(eval $(call _record,$(r)): $(W)/run/$(r)/entry/record)$(eval .PHONY: $(call _record,$(r))))
$(call _record,$(_lacking)):
	@mkdir -p $(@D)
	cp $(<D)/model.tsv $(<D)/sentences.heed.zst $(<D)/log.heed.zst $(@D)
	cp $< $@.tmp
	mv $@.tmp $@

$(W)/run/%/asked: $$(call _force-unless,$$(_asked-for)) $$(_best)
	$(call _rewrite,$(_asked-for))
$(W)/run/%/entry/record: $$(_tested) $(W)/run/%/test.hyp.heed $$(_streams)/dev.heed $$(_streams)/sums \
                         $$(_reference).raw $$(addprefix $(_top),$$($$(_paper).facts)) $$(call _record,$$(_before)) \
                         $(W)/run/%/asked
	$(if $($(_paper).facts),sh $(_top)$($(_paper).facts) $(W)/run/$* $(_streams) > $(W)/run/$*/facts)
	nmt-score -q --threads $(THREADS) -m $< -o $(W)/run/$*/test.scored.heed $(word 2,$^)
	nmt-score -q --threads $(THREADS) -m $< -o $(W)/run/$*/dev.scored.heed $(_streams)/dev.heed
	heed-record -m $< --log $(W)/run/$*/log.heed --test $(W)/run/$*/test.scored.heed \
	    --dev $(W)/run/$*/dev.scored.heed -r $(_reference).raw \
	    -l $(call _tgt,$(column)) $(if $(filter tok,$(_form)),--tokenized) $($(_paper).bleu) --sums $(_streams)/sums \
	    $(foreach r,$(_before),--after $(call _record,$(r))) $(_closed-in:%=--closed %) \
	    $(if $($(_paper).facts),--facts $(W)/run/$*/facts) -o $(@D) paper=$(_paper) column=$(column) \
	    variant=$(_variant) seed=$(seed) profile=$(PROFILE) commit="$$(cat $(W)/run/$*/commit || true)" \
	    $(call _quote,settings=$(_asked-for)) $(call _quote,command=nmt-train $(strip $(_arguments)))
	rm $(W)/run/$*/test.scored.heed $(W)/run/$*/dev.scored.heed
