# curves.mk: pruning curves without retraining, and roles against updates; included by pipeline.mk.
#
# The curves of each model are kept with the results; tables and plots need nothing else.

# --- pruning curves ------------------------------------------------------------------------

# $(R)/PAPER/posthoc/NAME/SEED.heed.gz: for all seeds of the first variant of PAPER.studied.
posthoc-runs  = $(filter $(1)/$(firstword $(columns))/$(firstword $($(1).studied))/%,$(runs.$(1)))
posthoc-seeds = $(foreach r,$(call posthoc-runs,$(1)),$(call row,4,$(r)))
posthoc-of    = $(foreach s,$(call posthoc-seeds,$(1)),$(R)/$(1)/posthoc/$(2)/$(s).heed.gz)
posthoc-all   = $(foreach p,$(PAPERS),$(foreach n,$($(p).posthoc),$(call posthoc-of,$(p),$(n))))
posthoc-name  = $(patsubst posthoc-%,%,$(section))
posthoc-at    = $(W)/run/$(paper)/$(firstword $(columns))/$(firstword $($(paper).studied))/$(subst .heed.gz,,$(seed))
posthoc-test  = $(W)/prepared/$(paper)/plain/$(firstword $(columns))/test.heed
# The run of a curve, and its settings (src/ledger.mk).
posthoc-run   = $(foreach *,$(1:$(R)/%.heed.gz=%),$(posthoc-at:$(W)/run/%=%))
posthoc-how   = $(foreach *,$(1:$(R)/%.heed.gz=%),$($(paper).curve-on.$(variant)) sentences \
                    $($(paper).posthoc-by) $($(paper).curve.$(variant)))
$(call stale,$(posthoc-all),posthoc-run,posthoc-how): $(R)/%: $$(posthoc-at)/model.tar \
        $$(posthoc-at)/measures.heed $$(posthoc-test) $$(call record,$$(call posthoc-run,$$@))
	@mkdir -p $(@D)
	heed-sample -n $($(paper).curve-on.$(variant)) -o $@.in $(posthoc-test)
	$(call slot,curve) $(RUN_ONE) head-curve -q --threads $(THREADS) -m $< --from $(word 2,$^) \
	    $($(paper).posthoc-by) $($(paper).curve.$(variant)) -o $@.heed $@.in
	gzip -9nc $@.heed > $@.tmp
	$(call signed,$(call posthoc-run,$@),$(call posthoc-how,$@))
	rm $@.in $@.heed; mv $@.tmp $@

posthoc-tables  = $(foreach p,$(PAPERS),$(foreach n,$($(p).posthoc),$(if $(call posthoc-of,$(p),$(n)),$(R)/$(p)/posthoc-$(n))))
$(foreach t,$(posthoc-tables),$(t).tsv $(t).md): $(R)/%: \
        $$(call posthoc-of,$$(paper),$$(basename $$(posthoc-name)))
	$(call into,curve-compare --to $(subst .,,$(suffix $@)) $^)
$(posthoc-tables:%=%.svg): $(R)/%.svg: $$(call posthoc-of,$$(paper),$$(posthoc-name))
	$(call into,curve-compare --to plot $^ | heed-plot --x 'retained heads' \
	    --title $(call caption,$(paper),$(section)))

# --- roles against updates -----------------------------------------------------------------

# For the intermediate models of the first variant of PAPER.studied (nmt-train --keep-every).
arcs-noted  = 's/^\["heed-note","syntax\.\([^"]*\)","\([0-9]*\) arcs.*/arcs\t\1\t\2/p'
role-tables = $(call also-named,roles-updates)
$(call whole-old,$(role-tables)): $(R)/%/roles-updates.tsv: $$(call whole-run,$$*)/model.tar \
        $$(call whole-run,$$*)/heads.heed $$(call whole-record,$$*) src/papers/roles-updates.awk
	@mkdir -p $(@D)
	heed-sample -n $(call setting,$*,probe) -o $@.in $(W)/prepared/$*/probe/$(firstword $(columns))/dev.heed
	for m in $$(ls $(<D)/model.*.tar | sort -V); do \
	    $(call slot,heads) $(RUN_ONE) head-stat -q --threads $(THREADS) $(call setting,$*,heads) \
	        -m $$m -o $@.heads $@.in < /dev/null; \
	    { heed-show $@.heads | sed -n $(arcs-noted); sh src/papers/heads-table.sh $@.heads; } | \
	        sed "s/^/$$(nmt-info $$m | sed -n 's/^step\t//p')\t/"; \
	done | awk -f src/papers/roles-updates.awk > $@.tmp
	$(whole-signed)
	rm $@.in $@.heads; mv $@.tmp $@
role-plots  = $(role-tables:.tsv=.svg)
$(role-plots): %.svg: %.tsv src/papers/roles-plot.awk
	awk -f src/papers/roles-plot.awk $< | heed-plot --x updates --title 'Roles against updates' -o $@

head-maps += $(posthoc-tables:%=%.svg) $(role-plots)
