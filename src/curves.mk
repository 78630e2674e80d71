# curves.mk: pruning curves without retraining, values over training, and roles against updates; included
# by pipeline.mk.
#
# The curves of each model are kept with the results; tables and plots need nothing else.

# --- pruning curves ------------------------------------------------------------------------

# $(R)/PAPER/posthoc/NAME/SEED.heed.gz: for all seeds of the first variant of PAPER.studied.
_posthoc-runs = $(filter $(1)/$(firstword $(_columns))/$(firstword $($(1).studied))/%,$(_runs.$(1)))
_posthoc-seeds = $(foreach r,$(call _posthoc-runs,$(1)),$(call _row,4,$(r)))
_posthoc-of   = $(filter-out $(_left-out),$(foreach s,$(call _posthoc-seeds,$(1)),$(R)/$(1)/posthoc/$(2)/$(s).heed.gz))
_posthoc-all  = $(foreach p,$(_papers),$(foreach n,$($(p).posthoc),$(call _posthoc-of,$(p),$(n))))
_posthoc-name = $(patsubst posthoc-%,%,$(_section))
_posthoc-at   = $(W)/run/$(_paper)/$(firstword $(_columns))/$(firstword $($(_paper).studied))/$(subst .heed.gz,,$(seed))
_posthoc-test = $(W)/prepared/$(_paper)/plain/$(firstword $(_columns))/test.heed
# Each seed has random orders of its own: the ten from SEED00 on.
_posthoc-opts = $($(_paper).posthoc-by) --seed $(subst .heed.gz,,$(seed))00 $($(_paper).curve.$(_variant))
# The run of a curve, and its settings (src/ledger.mk).
_posthoc-run  = $(foreach *,$(1:$(R)/%.heed.gz=%),$(_posthoc-at:$(W)/run/%=%))
_posthoc-how  = $(foreach *,$(1:$(R)/%.heed.gz=%),$($(_paper).curve-on.$(_variant)) sentences $(_posthoc-opts) \
                   by $(call _measured,$(_paper)))
$(call _stale,$(_posthoc-all),_posthoc-run,_posthoc-how): $(R)/%: $$(_posthoc-at)/model.tar \
        $$(_posthoc-at)/measures.heed $$(_posthoc-test) $$(call _record,$$(call _posthoc-run,$$@))
	@mkdir -p $(@D)
	heed-sample -n $($(_paper).curve-on.$(_variant)) -o $@.in $(_posthoc-test)
	$(call _slot,curve) $(RUN_ONE) head-curve -q --threads $(THREADS) -m $< --from $(word 2,$^) \
	    $(_posthoc-opts) -o $@.heed $@.in
	gzip -9nc $@.heed > $@.tmp
	$(call _signed,$(call _posthoc-run,$@),$(call _posthoc-how,$@))
	rm $@.in $@.heed; mv $@.tmp $@

_posthoc-tables = $(foreach p,$(_papers),$(foreach n,$($(p).posthoc),$(if $(call _posthoc-of,$(p),$(n)),$(R)/$(p)/posthoc-$(n))))
$(_posthoc-tables:$(R)/%=$(W)/brief/%.list): $(W)/brief/%.list: \
        $$(call _force-unless,$$(call _posthoc-of,$$(_paper),$$(_posthoc-name)))
	$(call _rewrite,$(call _posthoc-of,$(_paper),$(_posthoc-name)))
$(foreach t,$(_posthoc-tables),$(t).tsv $(t).md): $(R)/%: \
        $$(call _posthoc-of,$$(_paper),$$(basename $$(_posthoc-name))) $(W)/brief/$$(basename $$*).list
	$(call _into,curve-compare --to $(subst .,,$(suffix $@)) $(filter %.gz,$^))
$(_posthoc-tables:%=%.svg): $(R)/%.svg: $$(call _posthoc-of,$$(_paper),$$(_posthoc-name)) $(W)/brief/%.list
	$(call _into,curve-compare --to plot $(filter %.gz,$^) | heed-plot --x 'retained heads' \
	    --title $(call _caption,$(_paper),$(_section)))

# --- values over training --------------------------------------------------------------------

# PAPER.trace.NAME = SECTION PREFIX: for the runs of a section of the grid, the values in their logs
# whose names begin with PREFIX.
_trace-named = $(patsubst trace-%,%,$(_section))
_traced-in   = $(call _runs-in,$(_paper),$(firstword $($(_paper).trace.$(_trace-named))))
_traced-list = $(call _record,$(_traced-in))
_trace-tables = $(foreach p,$(_papers),$(filter $(R)/$(p)/trace-%.tsv,$(_also)))
$(_trace-tables:$(R)/%.tsv=$(W)/brief/%.list): $(W)/brief/%.list: $$(call _force-unless,$$(_traced-list))
	$(call _rewrite,$(_traced-list))
$(_trace-tables): $(R)/%.tsv: $(W)/brief/$$(_paper)/names $$(_traced-list) $(W)/brief/%.list \
        $(_top)src/papers/trace.sh $(_top)src/papers/trace.awk
	$(call _into,sh $(_top)src/papers/trace.sh $(lastword $($(_paper).trace.$(_trace-named))) \
	    $(patsubst %/record,%,$(filter %/record,$^)) | awk -f $(_top)src/papers/trace.awk $< -)

# --- roles against updates -----------------------------------------------------------------

# For the intermediate models of the first variant of PAPER.studied (nmt-train --keep-every), whose
# number is not known before training: one step for all of them.
_arcs-noted = 's/^\["heed-note","syntax\.\([^"]*\)","\([0-9]*\) arcs.*/arcs\t\1\t\2/p'
_role-step   = for m in $$(ls $(<D)/model.*.tar | sort -V); do \
                   head-stat -q --threads $(THREADS) $(call setting,$*,heads) -m $$m -o $@.heads $@.in; \
                   { heed-show $@.heads | sed -n $(_arcs-noted); sh $(_top)src/papers/heads-table.sh $@.heads; } | \
                       sed "s/^/$$(nmt-info $$m | sed -n 's/^step\t//p')\t/"; \
               done
_role-tables = $(call _also-named,roles-updates)
$(call _whole-old,$(_role-tables)): $(R)/%/roles-updates.tsv: $$(call _whole-run,$$*)/model.tar \
        $$(call _whole-run,$$*)/heads.heed $$(call _whole-record,$$*) $(_top)src/papers/roles-updates.awk \
        | $$(call _probe-sum,$$*)
	@mkdir -p $(@D)
	heed-sample -n $(call setting,$*,probe) -o $@.in $(W)/prepared/$*/probe/$(firstword $(_columns))/dev.heed
	$(call _slot,heads) $(RUN_ONE) $(SHELL) $(.SHELLFLAGS) $(call _quote,$(_role-step)) | \
	    awk -f $(_top)src/papers/roles-updates.awk > $@.tmp
	$(_whole-signed)
	rm $@.in $@.heads; mv $@.tmp $@
_role-plots = $(_role-tables:.tsv=.svg)
$(_role-plots): %.svg: %.tsv $(_top)src/papers/roles-plot.awk
	awk -f $(_top)src/papers/roles-plot.awk $< | heed-plot --x updates --title 'Roles against updates' -o $@

_head-maps += $(_posthoc-tables:%=%.svg) $(_role-plots)
