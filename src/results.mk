# results: tables, figures and reports from records of runs; included by pipeline.mk.

# --- tables --------------------------------------------------------------------------------

# Files $(R)/PAPER/SECTION: everything there is to know, the same for readers, and for the report.
section   = $(call part,2)
runs-in   = $(if $(filter claims%,$(2)),$(runs.$(1)),$(call runs,$(1),$(2)))
records   = $(patsubst %,$(W)/run/%/record,$(call runs-in,$(1),$(2)))
tests     = $(patsubst %,$(W)/versus/%.tsv,$(call versus,$(1),$(2)))
table     = heed-table --grid $(call grid,$(paper)) --section $(section) --versus $(W)/versus \
            --form $(1) -o $(2) $(filter %/record,$^)
$(W)/brief/%.list: force
	$(call rewrite,$(call records,$(paper),$(section)) $(call tests,$(paper),$(section)))
$(R)/%.tsv $(R)/%.md $(W)/brief/%.tsv: $$(call records,$$(paper),$$(section)) \
                                       $$(call tests,$$(paper),$$(section)) \
                                       $(W)/brief/%.list $$(call grid,$$(paper))
	@mkdir -p $(R)/$(paper)
	$(call table,tsv,$(R)/$*.tsv)
	$(call table,md,$(R)/$*.md)
	$(call table,brief,$(W)/brief/$*.tsv)

$(R)/%/runs.jsonl: $$(call records,$$(paper),claims) $(W)/brief/%/claims.list src/papers/records.awk
	@mkdir -p $(@D)
	awk -f src/papers/records.awk $(filter %/record,$^) < /dev/null > $@.tmp
	mv $@.tmp $@

# Tables without runs, PAPER.also: trees of the corpora, as the preparation PAPER.statistics has
# them, and what searches found; the paper's own lines, src/papers/NAME.TABLE, come last.
also      = $(foreach p,$(PAPERS),$($(p).also:%=$(R)/$(p)/%.tsv))
counted   = $(foreach c,$(columns),$(splits:%=$(W)/prepared/$(1)/$($(1).statistics)/$(c)/%.heed))
$(filter %/statistics.tsv,$(also)): $(R)/%/statistics.tsv: $$(call counted,$$*) \
                                                           src/papers/%.statistics
	@mkdir -p $(@D)
	{ tree-stats $(filter %.heed,$^) | sed 's,^$(W)/prepared/[^/]*/[^/]*/,,'; \
	  cat src/papers/$*.statistics; } > $@.tmp
	mv $@.tmp $@
found     = $(sort $(foreach r,$(runs.$(1)),$(call best-of,$(r))))
$(filter %/found.tsv,$(also)): $(R)/%/found.tsv: $$(call found,$$*) src/papers/%.found
	@mkdir -p $(@D)
	{ printf 'search\tsettings\n'; for f in $(filter %/best,$^); do \
	    printf '%s\t%s\n' "$$(echo $$f | sed 's,^$(W)/search/[^/]*/\(.*\)/best,\1,')" "$$(cat $$f)"; \
	  done; cat src/papers/$*.found; } > $@.tmp
	mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# Learning curves: of the main runs those of the first seed.
$(W)/run/%/curve.tsv: $(W)/run/%/model.tar
	heed-show -f step,nll,dev.nll $(@D)/log.heed > $@.tmp
	mv $@.tmp $@
main-runs = $(filter $(call runs,$(1),$(firstword $($(1).main) table1)),$(runs.$(1)))
first     = %/$(firstword $(call setting,$(1),seeds,SEEDS))
curves    = $(patsubst %,$(W)/run/%/curve.tsv,$(filter $(first),$(main-runs)))
$(R)/%/curves.svg: $$(call curves,$$*) src/papers/curve.gp
	@mkdir -p $(@D)
	gnuplot -e "out='$@.tmp'; files='$(filter %/curve.tsv,$^)'" \
	    -e "names='$(patsubst $(W)/run/$*/%/curve.tsv,%,$(filter %/curve.tsv,$^))'" src/papers/curve.gp
	mv $@.tmp $@

# Sections as curves, over what stands behind @ in their rows, or over sizes.
plots-of  = $(patsubst %,$(R)/$(1)/%.svg,$(filter $($(1).plots),$(call sections,$(1))))
plots     = $(foreach p,$(PAPERS),$(call plots-of,$(p)))
$(plots): $(R)/%.svg: $(R)/%.tsv src/papers/points.awk src/papers/points.gp
	awk -f src/papers/points.awk $< > $(W)/brief/$*.points
	gnuplot -e "out='$@.tmp'; points='$(W)/brief/$*.points'" src/papers/points.gp
	mv $@.tmp $@

# Heat maps, PAPER.map.NAME = VARIANT and options of head-map: of a test sentence that is neither
# short nor long, by the first run of that variant that was asked for; VARIANT@least by that on the
# fewest pairs.
map       = $($(paper).map.$(section))
map-where = $(if $(findstring @least,$(2)),$(firstword $(cells.$(1).sizes)),$(firstword $(columns)))
map-name  = $(1)/$(call map-where,$(1),$(2))/$(firstword $(subst @, ,$(2)))/%
map-of    = $(firstword $(filter $(call map-name,$(1),$(firstword $(2))),$(runs.$(1))))
map-run   = $(W)/run/$(call map-of,$(paper),$(map))
maps-of   = $(foreach m,$($(1).maps),$(if $(call map-of,$(1),$($(1).map.$(m))),$(R)/$(1)/$(m).svg))
maps      = $(foreach p,$(PAPERS),$(call maps-of,$(p)))
$(maps): $(R)/%.svg: $$(map-run)/test.hyp.heed
	@mkdir -p $(@D)
	id=$$(heed-show -f id,src $< | awk '$$1 && NF > 7 && NF < 13 && !n++ { print $$1 }'); \
	head-map -m $(map-run)/model.tar $${id:+--id $$id} $(wordlist 2,20,$(map)) \
	    --title '$(firstword $(map))' --to svg -o $@ $(if $(filter strengths,$(map)),,$<)

# --- report --------------------------------------------------------------------------------

title     = $(2): $(shell sed -n 's/^section $(2) *//p' $(call grid,$(1)))
caption   = $(call quote,$(or $($(1).caption.$(2)),$(caption.$(2)),$(2)))
caption.curves = Negative log-likelihood per target token of the development set while training
figures   = $(filter $(R)/$(1)/%,$(plots) $(maps)) $(if $(call curves,$(1)),$(R)/$(1)/curves.svg)
extras    = $(filter $(R)/$(1)/%,$(also))
forms-of  = $(R)/$(1).tsv $(R)/$(1).md $(W)/brief/$(1).tsv
tables    = $(foreach t,$(call sections,$(1)),$(call forms-of,$(1)/$(t)))
$(R)/%/report.html: $$(call tables,$$*) $(R)/%/runs.jsonl $$(call figures,$$*) $$(call extras,$$*)
	heed-report --title '$($*.title)' \
	    $(foreach t,$(call sections,$*),\
	        --heading $(call quote,$(call title,$*,$(t))) --table $(W)/brief/$*/$(t).tsv) \
	    $(foreach t,$($*.also),--heading $(t) --table $(R)/$*/$(t).tsv) --heading Figures \
	    $(foreach f,$(call figures,$*),\
	        --figure $(f) --caption $(call caption,$*,$(basename $(notdir $(f))))) --heading Runs \
	    $(foreach r,$(runs.$*),--run '$(W)/run/$(r)') --samples $(or $($*.samples),3) -o $@
