# heads: what the heads of runs do, and which of them stay; included by pipeline.mk.

# --- runs ----------------------------------------------------------------------------------

# run/.../probe.heed: parsed development sentences, and what the model makes of them; heads.heed: what
# its heads do there.
probe-from = $(W)/prepared/$(paper)/probe/$(call whole,$(column))/dev.heed
$(W)/run/%/probe.heed: $$(tested) $$(probe-from)
	heed-sample -n $(call setting,$(paper),probe,PROBE) -o $@.in $(probe-from)
	$(slot) $(RUN_ONE) nmt-translate -q --threads $(THREADS) \
	    --beam $(call setting,$(paper),beam,BEAM) -m $< -o $@ $@.in
	rm $@.in
$(W)/run/%/heads.heed: $$(tested) $(W)/run/%/probe.heed
	$(slot) $(RUN_ONE) head-stat -q --threads $(THREADS) --hyp $(call setting,$(paper),heads,HEADS) \
	    -m $< -o $@ $(@D)/probe.heed

# run/.../closed.gate: the heads that this run's gates closed, as l0-gate takes them; closed.MEASURE:
# as many of the encoder's in the model that it began with, the least by this measure, or by chance.
$(W)/run/%/closed.gate: $(W)/run/%/model.tar
	sh src/papers/heads-closed.sh $(@D) > $@.tmp
	mv $@.tmp $@
define closed-by
$(W)/run/%/closed.$(1): $(W)/run/%/closed.gate $$$$(dir $$$$(begin))heads.heed
	heed-show -f site,layer,head,$(2) $$(lastword $$^) | grep '^enc-self' | \
	    awk -v n=$$$$(tr -cd ':+' < $$< | wc -c) $(3) -f src/papers/heads-last.awk > $$@.tmp
	mv $$@.tmp $$@
endef
$(foreach m,confidence,$(eval $(call closed-by,$(m),$(m))))
$(eval $(call closed-by,random,head,-v seed=$$(seed)))

# --- tables --------------------------------------------------------------------------------

# PAPER.studied are the variants whose heads are looked at, the whole model first; of each the first
# run that was asked for.
study     = $(firstword $(filter $(1)/$(firstword $(columns))/$(2)/%,$(runs.$(1))))
whole-run = $(W)/run/$(call study,$(1),$(firstword $($(1).studied)))

# The heads that are right most often, and those that look at rare words.
$(filter %/syntax.tsv,$(also)): $(R)/%/syntax.tsv: $$(call whole-run,$$*)/heads.heed src/papers/%.syntax
	@mkdir -p $(@D)
	sh src/papers/heads-table.sh $< | awk -f src/papers/heads-syntax.awk src/papers/$*.syntax - > $@.tmp
	mv $@.tmp $@
$(filter %/rare.tsv,$(also)): $(R)/%/rare.tsv: $$(call whole-run,$$*)/heads.heed
	@mkdir -p $(@D)
	sh src/papers/heads-table.sh $< | awk -f src/papers/heads-rare.awk > $@.tmp
	mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# PAPER.heads: measures of heads as maps of layers and heads, with their roles, of the whole model.
head-maps = $(foreach p,$(PAPERS),$(if $(call study,$(p),$(firstword $($(p).studied))),\
                $($(p).head-maps:%=$(R)/$(p)/%.svg)))
head-draw = head-map --draw table --title $(call caption,$(paper),$(section)) -o $@
kinds     = enc-self dec-self cross
$(head-maps): $(R)/%.svg: $$(call whole-run,$$(paper))/heads.heed src/papers/heads-map.awk
	@mkdir -p $(@D) $(W)/brief/$(paper)
	for k in $(kinds); do \
	    heed-show -f site,layer,head,$(section),role $< | \
	        awk -v where=$$k -v title=$$k -f src/papers/heads-map.awk > $(W)/brief/$*.$$k; done
	$(head-draw) $(kinds:%=$(W)/brief/$*.%)
