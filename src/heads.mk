# heads.mk: analysis of attention heads, and lists of heads to mask; included by pipeline.mk.

# --- runs ----------------------------------------------------------------------------------

# Several runs need these files, and run-one may make several runs at the same time: each file is
# made once, by one of them.  A finished file is not deleted if another make is interrupted.
_alone    = sh $(_top)src/papers/alone.sh $@ $(call _quote,$^) $(1)
_alone-in-shell = $(call _alone,$(SHELL) $(.SHELLFLAGS) $(call _quote,$(1)))
.PRECIOUS: $(W)/run/%/pruned.tar $(W)/run/%/heads.heed $(W)/run/%/measures.heed $(W)/run/%/measures.heed.stat \
    $(W)/run/%/measures.heed.lrp $(W)/run/%/closed.gate

# run/.../pruned.tar: the model without the heads whose gates are closed; a copy if it has no gates.
$(W)/run/%/pruned.tar: $(W)/run/%/model.tar
	$(call _alone-in-shell,case $$(nmt-info $<) in (*l0-gate*|*attention?subset:*) head-prune -q -m $< -o $@ ;; \
	    (*) cp $< $@.tmp; mv $@.tmp $@ ;; esac)

# run/.../heads.heed: statistics of heads on parsed development sentences.  run/.../measures.heed:
# the same on fewer sentences, with relevance, gradients and ablation.
_probe    = $(W)/prepared/$(_paper)/probe/$(call _whole,$(column))/dev.heed
_sampled  = $(call _alone,$(call _slot,heads) $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) \
            $(call _quote,heed-sample -n $(call setting,$(_paper),$(1)) $(_probe) | $(2) -m $< -o $@))
_stat     = head-stat -q --threads $(THREADS) $(call setting,$(_paper),heads)
$(W)/run/%/measured: $$(call _force-unless,$$(call _measured,$$(_paper)))
	$(call _rewrite,$(call _measured,$(_paper)))
$(W)/run/%/heads.heed: $$(_tested) $$(_probe) $(W)/run/%/measured
	$(call _sampled,probe,$(_stat))
$(W)/run/%/measures.heed.stat: $$(_tested) $(W)/run/%/heads.heed $$(_probe)
	$(call _sampled,few,$(_stat) --measure ablation$(_comma)gradient)
$(W)/run/%/measures.heed.lrp: $$(_tested) $(W)/run/%/heads.heed $$(_probe)
	$(call _sampled,few,head-lrp -q --threads $(THREADS))
$(W)/run/%/measures.heed: $(W)/run/%/measures.heed.stat $(W)/run/%/measures.heed.lrp $(W)/run/%/heads.heed
	$(call _alone,heed-paste --replace -o $@ $^)

# run/.../closed.HOW: heads of the model that the run began with, as a list for l0-gate.  gate: those
# whose gates this run closed.  All others have the same number of encoder heads.  A measure: those
# with the lowest values.  first: all but those of the first layers.  random-N: random heads; the
# draws depend on the seed.  all-MEASURE and all-random-N: heads of all attention.
_list-of = nmt-info $(1) | sed -n 's/^removed\t//p'
$(W)/run/%/closed.gate: $(W)/run/%/pruned.tar
	$(call _alone-in-shell,$(call _list-of,$<) > $@.tmp; mv $@.tmp $@)
# _closed-by HOW,SITES,CHOICE,PREREQUISITE
define _closed-by
.PRECIOUS: $(W)/run/%/closed.$(1)
$(W)/run/%/closed.$(1): $(W)/run/%/pruned.tar $$$$(_begin) $(4)
	$$(call _alone-in-shell,head-prune -q -m $$(_begin) $(2) --keep-as $$< --by $(3) -o $$@.tar; \
	    $$(call _list-of,$$@.tar) > $$@.tmp; rm $$@.tar; mv $$@.tmp $$@)
endef
_closed-ways = $(eval $(call _closed-by,$(1)$(3),$(2),$(3) $$(lastword $$^),$$$$(dir $$$$(_begin))measures.heed))
_closed-draws = $(eval $(call _closed-by,$(1)random-$(3),$(2),random --seed $$(seed)00$(3),))
$(foreach m,gradient relevance confidence,\
    $(call _closed-ways,,--site enc-self,$(m))$(call _closed-ways,all-,,$(m)))
$(eval $(call _closed-by,first,--site enc-self,layer --lowest $$(lastword $$^),$$$$(dir $$$$(_begin))heads.heed))
$(foreach n,1 2 3,$(call _closed-draws,,--site enc-self,$(n))$(call _closed-draws,all-,,$(n)))

# --- tables --------------------------------------------------------------------------------

# PAPER.studied: variants whose heads are described, the whole model first.  The first requested run
# of each variant is used.
_study    = $(firstword $(filter $(1)/$(firstword $(_columns))/$(2)/%,$(_runs.$(1))))
_study-all = $(foreach v,$($(1).$(2)),$(call _study,$(1),$(v)))
_studies  = $(addprefix $(W)/run/,$(_study-all))
_whole-run = $(firstword $(call _studies,$(1),studied))
# The runs that files are made from, and the settings (src/ledger.mk).
_studied-runs = $(foreach p,$(call _paper-of,$(1)),$(call _study-all,$(p),studied))
_whole-runs  = $(firstword $(_studied-runs))
_timed-runs  = $(foreach p,$(call _paper-of,$(1)),$(call _study-all,$(p),timed))
_probe-sum   = $(W)/prepared/$(1)/probe/$(call _whole,$(firstword $(_columns)))/dev.sum
_probe-how   = $(foreach p,$(call _paper-of,$(1)),$(call _measured,$(p)) \
                   $(call _of-data,$(call _probe-sum,$(p)),$(1)))
_timed-how   = $(foreach p,$(call _paper-of,$(1)),$(call setting,$(p),timed-on) sentences)
_studied-old = $(call _stale,$(1),_studied-runs,_probe-how)
_whole-old   = $(call _stale,$(1),_whole-runs,_probe-how)
_whole-signed = $(call _signed,$(call _whole-runs,$@),$(call _probe-how,$@))
_whole-record = $(call _record,$(firstword $(call _study-all,$(1),studied)))
_run-name = $(notdir $(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $(1))))))
_also-named     = $(filter %/$(1).tsv,$(_also))
# heads.tsv, the first prerequisite, with labels instead of variants; the last one has the names.
_labeled  = sed 1d $< | awk -f $(_top)src/papers/labels.awk $(lastword $^) -

# heads.tsv: every head of every run.  From it: numbers of heads by kind and layer, and by role,
# with the labels of the tables for the runs.
_heads-row = heed-show -f site,layer,head,role,confidence $(1) | sed 's/^/$(call _run-name,$(1))\t/';
$(call _studied-old,$(call _also-named,heads)): $(R)/%/heads.tsv: \
        $$(addsuffix /heads.heed,$$(call _studies,$$*,studied)) \
        $$(call _record,$$(call _study-all,$$*,studied)) | $$(call _probe-sum,$$*)
	$(call _into,printf 'run\tsite\tlayer\thead\trole\tconfidence\n'; \
	    $(foreach f,$(filter %/heads.heed,$^),$(call _heads-row,$(f))) :)
	$(call _signed,$(call _studied-runs,$@),$(call _probe-how,$@))
$(call _also-named,kept) $(call _also-named,roles): $(R)/%.tsv: $$(@D)/heads.tsv \
    $(W)/brief/$$(_paper)/names
	$(call _into,$(_labeled) | awk -f $(_top)src/papers/heads-$(@F:.tsv=.awk))

# The most accurate heads for relations, heads for rare words, and the agreement of measures.
_heads-all = sh $(_top)src/papers/heads-table.sh $<
$(call _whole-old,$(call _also-named,syntax)): $(R)/%/syntax.tsv: $$(call _whole-run,$$*)/heads.heed \
                                                          $$(call _whole-record,$$*) $(_top)src/papers/%.syntax \
                                                          | $$(call _probe-sum,$$*)
	$(call _into,$(_heads-all) | awk -f $(_top)src/papers/heads-syntax.awk $(_top)src/papers/$*.syntax -)
	$(_whole-signed)
$(call _whole-old,$(call _also-named,rare)): $(R)/%/rare.tsv: $$(call _whole-run,$$*)/heads.heed \
    $$(call _whole-record,$$*) | $$(call _probe-sum,$$*)
	$(call _into,$(_heads-all) | awk -f $(_top)src/papers/heads-rare.awk)
	$(_whole-signed)
$(call _whole-old,$(foreach t,$(call _also-named,measures),$(t) $(t:.tsv=.md))): $(R)/%: \
        $$(call _whole-run,$$(_paper))/measures.heed $$(call _whole-record,$$(_paper)) \
        | $$(call _probe-sum,$$(_paper))
	$(call _into,head-compare --to $(subst .,,$(suffix $@)) --measure $(call _quote,$($(_paper).compared)) $<)
	$(_whole-signed)

# Speed of models that take turns, with all translations of one length.
$(call _stale,$(call _also-named,speed),_timed-runs,_timed-how): $(R)/%/speed.tsv: \
        $$(addsuffix /pruned.tar,$$(call _studies,$$*,timed)) \
        $$(call _record,$$(call _study-all,$$*,timed)) \
        | $(W)/brief/$$*/names
	@mkdir -p $(@D)
	heed-sample -n $(call setting,$(_paper),timed-on) -o $@.in $(W)/prepared/$*/plain/$(firstword $(_columns))/test.heed
	$(call _slot,speed) $(RUN_ONE) bash $(_top)src/papers/speed.sh $@.in $(foreach f,$(filter %/pruned.tar,$^),$(call _run-name,$(f))=$(f)) | \
	    awk -f $(_top)src/papers/labels.awk $(W)/brief/$*/names - > $@.tmp
	$(call _signed,$(call _timed-runs,$@),$(call _timed-how,$@))
	rm $@.in; mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# PAPER.head-maps: heat maps of the tables $(W)/brief/PAPER/NAME.KIND.
_head-maps-of = $(filter-out $(if $(call _study,$(1),$($(1).gated)),,gates),$($(1).head-maps))
_head-maps = $(foreach p,$(_papers),$(if $(call _whole-run,$(p)),$(patsubst %,$(R)/$(p)/%.svg,$(call _head-maps-of,$(p)))))
_mapped   = $(foreach m,$(1),$(filter %/$(m).svg,$(_head-maps)))
_brief    = $(W)/brief/$*
_kinds    = enc-self dec-self cross
_kind-maps = $(_kinds:%=$(_brief).%)
_each-kind = for k in $(_kinds); do \
                case $$k in enc-*) t='encoder self-attention';; \
                dec-*) t='decoder self-attention';; *) t=cross-attention;; esac; \
                awk -v where=$$k -v title="$$t" -f $(_top)src/papers/$(1) $(_brief).in > $(_brief).$$k; done
_head-draw = head-map --draw table --title $(call _caption,$(_paper),$(_section)) -o $@

# Relevance or confidence of each head of the whole model, with its role.
$(call _whole-old,$(call _mapped,relevance confidence)): $(R)/%.svg: \
        $$(call _whole-run,$$(_paper))/measures.heed $$(call _whole-record,$$(_paper)) \
        | $$(call _probe-sum,$$(_paper))
	@mkdir -p $(@D) $(dir $(_brief))
	heed-show -f site,layer,head,$(_section),role $< > $(_brief).in
	$(call _each-kind,heads-map.awk)
	$(_head-draw) --unit $(_section) $(_kind-maps)
	$(_whole-signed)

# Share of each offset, by head.
$(call _whole-old,$(call _mapped,offsets)): $(R)/%.svg: $$(call _whole-run,$$(_paper))/heads.heed \
                                                  $$(call _whole-record,$$(_paper)) \
                                                  | $$(call _probe-sum,$$(_paper))
	@mkdir -p $(@D) $(dir $(_brief))
	$(_heads-all) > $(_brief).in
	$(call _each-kind,heads-offsets.awk)
	$(_head-draw) --unit 'fraction of queries' $(_brief).enc-self $(_brief).dec-self
	$(_whole-signed)

# Retained heads by layer; confidence and role of encoder heads before and after pruning.
$(call _mapped,layers): $(R)/%.svg: $$(@D)/heads.tsv $(W)/brief/$$(_paper)/names
	@mkdir -p $(@D) $(dir $(_brief))
	$(_labeled) > $(_brief).in
	$(call _each-kind,heads-layers.awk)
	$(_head-draw) --unit heads --numbers $(_kind-maps)
$(call _mapped,drift): $(R)/%.svg: $$(@D)/heads.tsv $(W)/brief/$$(_paper)/names
	@mkdir -p $(@D) $(dir $(_brief))
	$(_labeled) | awk -f $(_top)src/papers/heads-drift.awk > $(_brief).in
	$(_head-draw) --unit confidence $(_brief).in

# Probability that the gates of PAPER.gated are closed, by update.
_gated    = $(call _entry,$(call _study,$(1),$($(1).gated)))
_log-names = heed-check --list $(1) | awk -F '\t' '$$3 ~ /^dev\.(open|gates)\..*\.[0-9]+$$/ { print \
               $$3 }'
_gates-log = $(<D)/log.heed.zst
$(W)/brief/%/gated: $$(call _force-unless,$$(call _gated,$$*))
	$(call _rewrite,$(call _gated,$*))
$(call _mapped,gates): $(R)/%.svg: $$(call _gated,$$(_paper))/record $(W)/brief/$$(_paper)/gated
	@mkdir -p $(@D) $(dir $(_brief))
	names=step,$$($(call _log-names,$(_gates-log)) | sort -V | paste -s -d , -); \
	{ echo $$names | tr , '\t'; heed-show -f $$names $(_gates-log); } | \
	    awk -f $(_top)src/papers/heads-gates.awk > $(_brief).in
	$(_head-draw) $(_brief).in
