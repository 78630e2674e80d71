# heads.mk: analysis of attention heads, and lists of heads to mask; included by pipeline.mk.

# --- runs ----------------------------------------------------------------------------------

# run/.../pruned.tar: the model without the heads whose gates are closed; a copy if it has no gates.
$(W)/run/%/pruned.tar: $(W)/run/%/model.tar
	case $$(nmt-info $<) in *l0-gate*) head-prune -q -m $< -o $@ ;; *) cp $< $@ ;; esac

# run/.../heads.heed: statistics of heads on parsed development sentences.  run/.../measures.heed:
# the same on fewer sentences, with relevance, gradients and ablation.
probe     = $(W)/prepared/$(paper)/probe/$(call whole,$(column))/dev.heed
sampled   = $(call slot,heads) $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) \
            $(call quote,heed-sample -n $(call setting,$(paper),$(1)) $(probe) | $(2) -m $< -o $(3))
stat      = head-stat -q --threads $(THREADS) $(call setting,$(paper),heads)
$(W)/run/%/heads.heed: $$(tested) $$(probe)
	$(call sampled,probe,$(stat),$@)
$(W)/run/%/measures.heed: $$(tested) $(W)/run/%/heads.heed $$(probe)
	$(call sampled,few,$(stat) --gradient --ablation,$@.stat)
	$(call sampled,few,head-lrp -q --threads $(THREADS),$@.lrp)
	heed-paste -r -o $@ $@.stat $@.lrp $(@D)/heads.heed
	rm $@.stat $@.lrp

# run/.../closed.gate: the heads whose gates this run closed, as a list for l0-gate.
# closed.MEASURE: the same number of encoder heads of the model that the run began with, those
# with the lowest values of the measure.  closed.random-N: random heads; the draws depend on the
# seed.
list-of   = nmt-info $(1) | awk -v closed=1 -f src/papers/heads-left.awk
count-of  = nmt-info $(1) | awk -f src/papers/heads-left.awk | sed -n 's/^heads.enc-self.//p'
$(W)/run/%/closed.gate: $(W)/run/%/pruned.tar
	$(call list-of,$<) > $@.tmp
	mv $@.tmp $@
draws     = random-1 random-2 random-3
define closed-at-random
$(W)/run/%/closed.$(1): $(W)/run/%/pruned.tar $$$$(begin)
	n=$$$$(($$$$($$(call count-of,$$(begin))) - $$$$($$(call count-of,$$<)))); \
	nmt-info $$(begin) | awk -v n=$$$$n -v seed=$$(seed) -v nth=$(1:random-%=%) \
	    -f src/papers/heads-drawn.awk > $$@.tmp
	mv $$@.tmp $$@
endef
$(foreach d,$(draws),$(eval $(call closed-at-random,$(d))))
define closed-by
$(W)/run/%/closed.$(1): $(W)/run/%/pruned.tar $$$$(begin) $$$$(dir $$$$(begin))measures.heed
	head-prune -q -m $$(begin) --site enc-self --keep $$$$($$(call count-of,$$<)) --by $(1) \
	    -o $$@.tar $$(lastword $$^)
	$$(call list-of,$$@.tar) > $$@.tmp
	rm $$@.tar; mv $$@.tmp $$@
endef
$(foreach m,gradient relevance confidence,$(eval $(call closed-by,$(m))))

# --- tables --------------------------------------------------------------------------------

# PAPER.studied: variants whose heads are described, the whole model first.  The first requested run
# of each variant is used.
study     = $(firstword $(filter $(1)/$(firstword $(columns))/$(2)/%,$(runs.$(1))))
study-all = $(foreach v,$($(1).$(2)),$(call study,$(1),$(v)))
studies   = $(addprefix $(W)/run/,$(study-all))
whole-run = $(firstword $(call studies,$(1),studied))
# The runs that files are made from, and the settings (src/ledger.mk).
studied-runs = $(foreach p,$(call paper-of,$(1)),$(call study-all,$(p),studied))
whole-runs   = $(firstword $(studied-runs))
timed-runs   = $(foreach p,$(call paper-of,$(1)),$(call study-all,$(p),timed))
probe-how    = $(foreach p,$(call paper-of,$(1)),probe=$(call setting,$(p),probe) \
                  few=$(call setting,$(p),few) \
                   $(call setting,$(p),heads))
timed-how    = $(foreach p,$(call paper-of,$(1)),$(call setting,$(p),timed-on) sentences)
studied-old  = $(call stale,$(1),studied-runs,probe-how)
whole-old    = $(call stale,$(1),whole-runs,probe-how)
whole-signed = $(call signed,$(call whole-runs,$@),$(call probe-how,$@))
whole-record = $(call record,$(firstword $(call study-all,$(1),studied)))
run-name  = $(notdir $(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $(1))))))
also-named      = $(filter %/$(1).tsv,$(also))
into      = mkdir -p $(@D); { $(1); } > $@.tmp; mv $@.tmp $@
# heads.tsv, the first prerequisite, with labels instead of variants; the last one has the names.
labeled   = sed 1d $< | awk -f src/papers/labels.awk $(lastword $^) -

# heads.tsv: every head of every run.  From it: numbers of heads by kind and layer, and by role,
# with the labels of the tables for the runs.
heads-row = heed-show -f site,layer,head,role,confidence $(1) | sed 's/^/$(call run-name,$(1))\t/';
$(call studied-old,$(call also-named,heads)): $(R)/%/heads.tsv: \
        $$(addsuffix /heads.heed,$$(call studies,$$*,studied)) \
        $$(call record,$$(call study-all,$$*,studied))
	$(call into,printf 'run\tsite\tlayer\thead\trole\tconfidence\n'; \
	    $(foreach f,$(filter %/heads.heed,$^),$(call heads-row,$(f))) :)
	$(call signed,$(call studied-runs,$@),$(call probe-how,$@))
$(call also-named,kept) $(call also-named,roles): $(R)/%.tsv: $$(@D)/heads.tsv \
    $(W)/brief/$$(paper)/names
	$(call into,$(labeled) | awk -f src/papers/heads-$(@F:.tsv=.awk))

# The most accurate heads for relations, heads for rare words, and the agreement of measures.
heads-all = sh src/papers/heads-table.sh $<
$(call whole-old,$(call also-named,syntax)): $(R)/%/syntax.tsv: $$(call whole-run,$$*)/heads.heed \
                                                          $$(call whole-record,$$*) src/papers/%.syntax
	$(call into,$(heads-all) | awk -f src/papers/heads-syntax.awk src/papers/$*.syntax -)
	$(whole-signed)
$(call whole-old,$(call also-named,rare)): $(R)/%/rare.tsv: $$(call whole-run,$$*)/heads.heed \
    $$(call whole-record,$$*)
	$(call into,$(heads-all) | awk -f src/papers/heads-rare.awk)
	$(whole-signed)
$(call whole-old,$(foreach t,$(call also-named,measures),$(t) $(t:.tsv=.md))): $(R)/%: \
        $$(call whole-run,$$(paper))/measures.heed $$(call whole-record,$$(paper))
	$(call into,head-compare --to $(subst .,,$(suffix $@)) --measures $(call quote,$($(paper).compared)) $<)
	$(whole-signed)

# Speed of models that take turns, with all translations of one length.
$(call stale,$(call also-named,speed),timed-runs,timed-how): $(R)/%/speed.tsv: \
        $$(addsuffix /pruned.tar,$$(call studies,$$*,timed)) \
        $$(call record,$$(call study-all,$$*,timed)) \
        | $(W)/brief/$$*/names
	@mkdir -p $(@D)
	heed-sample -n $(call setting,$(paper),timed-on) -o $@.in $(W)/prepared/$*/plain/$(firstword $(columns))/test.heed
	$(call slot,speed) $(RUN_ONE) bash src/papers/speed.sh $@.in $(foreach f,$(filter %/pruned.tar,$^),$(call run-name,$(f))=$(f)) | \
	    awk -f src/papers/labels.awk $(W)/brief/$*/names - > $@.tmp
	$(call signed,$(call timed-runs,$@),$(call timed-how,$@))
	rm $@.in; mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# PAPER.head-maps: heat maps of the tables $(W)/brief/PAPER/NAME.KIND.
head-maps = $(foreach p,$(PAPERS),$(if $(call whole-run,$(p)),$($(p).head-maps:%=$(R)/$(p)/%.svg)))
mapped    = $(foreach m,$(1),$(filter %/$(m).svg,$(head-maps)))
brief     = $(W)/brief/$*
kinds     = enc-self dec-self cross
kind-maps = $(kinds:%=$(brief).%)
each-kind = for k in $(kinds); do \
                case $$k in enc-*) t='encoder self-attention';; \
                dec-*) t='decoder self-attention';; *) t=cross-attention;; esac; \
                awk -v where=$$k -v title="$$t" -f src/papers/$(1) $(brief).in > $(brief).$$k; done
head-draw = head-map --draw table --title $(call caption,$(paper),$(section)) -o $@

# Relevance or confidence of each head of the whole model, with its role.
$(call whole-old,$(call mapped,relevance confidence)): $(R)/%.svg: \
        $$(call whole-run,$$(paper))/measures.heed \
                                                               $$(call whole-record,$$(paper))
	@mkdir -p $(@D) $(dir $(brief))
	heed-show -f site,layer,head,$(section),role $< > $(brief).in
	$(call each-kind,heads-map.awk)
	$(head-draw) $(kind-maps)
	$(whole-signed)

# Share of each offset, by head.
$(call whole-old,$(call mapped,offsets)): $(R)/%.svg: $$(call whole-run,$$(paper))/heads.heed \
                                                  $$(call whole-record,$$(paper))
	@mkdir -p $(@D) $(dir $(brief))
	$(heads-all) > $(brief).in
	$(call each-kind,heads-offsets.awk)
	$(head-draw) $(brief).enc-self $(brief).dec-self
	$(whole-signed)

# Retained heads by layer; confidence and role of encoder heads before and after pruning.
$(call mapped,layers): $(R)/%.svg: $$(@D)/heads.tsv $(W)/brief/$$(paper)/names
	@mkdir -p $(@D) $(dir $(brief))
	$(labeled) > $(brief).in
	$(call each-kind,heads-layers.awk)
	$(head-draw) --numbers $(kind-maps)
$(call mapped,drift): $(R)/%.svg: $$(@D)/heads.tsv $(W)/brief/$$(paper)/names
	@mkdir -p $(@D) $(dir $(brief))
	$(labeled) | awk -f src/papers/heads-drift.awk > $(brief).in
	$(head-draw) $(brief).in

# Probability that the gates of PAPER.gated are closed, by update.
gated     = $(call entry,$(call study,$(1),$($(1).gated)))
log-names = heed-check -l $(1) | awk -F '\t' '$$3 ~ /^dev\.(open|gates)\..*\.[0-9]+$$/ { print \
               $$3 }'
gates-log = $(<D)/log.heed.zst
$(call mapped,gates): $(R)/%.svg: $$(call gated,$$(paper))/record
	@mkdir -p $(@D) $(dir $(brief))
	names=step,$$($(call log-names,$(gates-log)) | sort -V | paste -s -d , -); \
	{ echo $$names | tr , '\t'; heed-show -f $$names $(gates-log); } | \
	    awk -f src/papers/heads-gates.awk > $(brief).in
	$(head-draw) $(brief).in
