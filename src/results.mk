# results.mk: tables, figures and reports from the records of runs; included by pipeline.mk.

# --- tables --------------------------------------------------------------------------------

# $(R)/PAPER/SECTION.tsv has every value, SECTION.md the table for readers.
section   = $(call part,2)
runs-in   = $(if $(filter claims%,$(2)),$(runs.$(1)),$(call runs,$(1),$(2)))
records   = $(call record,$(call runs-in,$(1),$(2)))
table     = heed-table $(drafts) --grid $(call grid,$(paper)) --section $(section) \
            --form $(1) -o $(2) $(filter %/record,$^)
$(W)/brief/%.list: force
	$(call rewrite,$(call records,$(paper),$(section)))
$(R)/%.tsv $(R)/%.md: $$(call records,$$(paper),$$(section)) $(W)/brief/%.list \
    $$(call grid,$$(paper))
	@mkdir -p $(R)/$(paper)
	$(call table,tsv,$(R)/$*.tsv)
	$(call table,md,$(R)/$*.md)

$(R)/%/runs.jsonl: $$(call records,$$(paper),claims) $(W)/brief/%/claims.list src/papers/records.awk
	@mkdir -p $(@D)
	awk -f src/papers/records.awk $(filter %/record,$^) < /dev/null > $@.tmp
	mv $@.tmp $@

# PAPER.also: tables that are not made from runs: statistics of trees in the preparation
# PAPER.statistics, settings that searches found, and others.  The paper's own rows are in
# src/papers/NAME.TABLE and come last.  Tables in PAPER.brief are also written in Markdown.
# Pruning curves and roles are left out if their runs are not requested.
also-of   = $(filter-out $(if $(call posthoc-runs,$(1)),,posthoc-% roles-updates),$($(1).also))
also      = $(foreach p,$(PAPERS),$(patsubst %,$(R)/$(p)/%.tsv,$(call also-of,$(p))))
counted   = $(foreach c,$(columns),$(splits:%=$(W)/prepared/$(1)/$($(1).statistics)/$(c)/%.heed))
stats-how = $(foreach p,$(call paper-of,$(1)),$(patsubst $(W)/%,%,$(call counted,$(p))))
stats-old = $(if $(drawing),$(call stale,$(1),nothing,stats-how),$(1))
$(call stats-old,$(filter %/statistics.tsv,$(also))): $(R)/%/statistics.tsv: $$(call counted,$$*) \
                                                           src/papers/%.statistics
	@mkdir -p $(@D)
	{ tree-stats $(filter %.heed,$^) | sed 's,^$(W)/prepared/[^/]*/[^/]*/,,'; \
	  cat src/papers/$*.statistics; } > $@.tmp
	$(call signed,,$(call stats-how,$@))
	mv $@.tmp $@
found     = $(sort $(foreach r,$(runs.$(1)),$(call best-of,$(r))))
$(filter %/found.tsv,$(also)): $(R)/%/found.tsv: $$(call found,$$*) src/papers/%.found
	@mkdir -p $(@D)
	{ printf 'search\tsettings\n'; for f in $(filter %/best,$^); do \
	    printf '%s\t%s\n' "$$(echo $$f | sed 's,^$(R)/[^/]*/search/\(.*\)/best,\1,')" "$$(cat $$f)"; \
	  done; cat src/papers/$*.found; } > $@.tmp
	mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# Learning curves: runs of the main tables with the first seed, and the runs that they continue.
$(W)/curve/%.tsv: $$(call record,$$*)
	@mkdir -p $(@D)
	heed-show -f step,nll,dev.nll $(<D)/log.heed.zst > $@.tmp
	mv $@.tmp $@
main-runs = $(filter $(call runs,$(1),$(firstword $($(1).main) table1)),$(runs.$(1)))
first     = %/$(firstword $(call setting,$(1),seeds,SEEDS))
curved-in = $(filter $(first),$(filter $(runs.$(1)),$(call runs,$(1),$(2))))
curved    = $(foreach t,$(or $($(1).main),table1),$(call curved-in,$(1),$(t)))
bases     = $(foreach *,$(1),$(begin-run))
with-bases = $(if $(1),$(1) $(call with-bases,$(call bases,$(1))))
curves    = $(patsubst %,$(W)/curve/%.tsv,$(sort $(call with-bases,$(call curved,$(1)))))
curve-list = $(foreach t,$(or $($(1).main),table1),\
                 $(foreach *,$(call curved-in,$(1),$(t)),$(t) $* $(or $(begin-run),-)))
$(W)/brief/%/curves: force
	$(call rewrite,$(call curve-list,$*))
$(R)/%/curves.svg: $(W)/brief/%/names $(W)/brief/%/curves $$(call curves,$$*) src/papers/curves.awk
	@mkdir -p $(@D)
	awk -v place=$(W)/curve -f src/papers/curves.awk $(filter-out %.awk,$^) < /dev/null | \
	    heed-plot --x updates --title 'Learning curves' -o $@

# Forest plot of the claims of a paper.
forest-of = $(if $(call claims,$(1)),$(R)/$(1)/claims.svg)
$(PAPERS:%=$(R)/%/claims.svg): $(R)/%/claims.svg: $$(call records,$$*,claims) \
    $(W)/brief/%/claims.list \
                                                  $$(call grid,$$*)
	@mkdir -p $(@D)
	heed-table $(drafts) --grid $(call grid,$*) --form forest -o $@ $(filter %/record,$^)

# Sections as plots.  PAPER.over.SECTION = MEASURE LABEL: the measure on the x axis, and its
# label. Without it, or with measure -, x is the number after " = " in the label of a row, else
# the number of training pairs.
plots-of  = $(patsubst %,$(R)/$(1)/%.svg,$(filter $($(1).plots),$(call sections,$(1))))
plots     = $(foreach p,$(PAPERS),$(call plots-of,$(p)))
over      = $($(paper).over.$(section))
$(plots): $(R)/%.svg: $(R)/%.tsv src/papers/points.awk src/papers/figure.gp src/papers/points.gp
	awk -v over=$(filter-out -,$(firstword $(over))) -f src/papers/points.awk $< > $(W)/brief/$*.points
	gnuplot -e "out='$@.tmp'; points='$(W)/brief/$*.points'; label='$(wordlist 2,20,$(over))'" \
	    $(filter %.gp,$^)
	mv $@.tmp $@

# Heat maps: PAPER.map.NAME = VARIANT and options of head-map.  They show the first test sentence of
# 7 to 11 words with a translation below 20 words, from the first requested run of the variant.
# VARIANT@least: from the run on the smallest number of pairs.
middling  = heed-show -f id,src,hyp $< | awk -F '\t' '\
            { s = split($$2, word, " "); t = split($$3, word, " ") } \
            $$1 && s > 6 && s < 12 && t < 20 && n++ < $(1) { \
                printf "%s%s", (n > 1 ? "," : ""), $$1 }'
map       = $($(paper).map.$(section))
map-where = $(if $(findstring @least,$(2)),$(firstword $(cells.$(1).sizes)),$(firstword $(columns)))
map-variant = $(firstword $(subst @, ,$(firstword $(1))))
map-name  = $(1)/$(call map-where,$(1),$(2))/$(call map-variant,$(2))/%
map-of    = $(firstword $(filter $(call map-name,$(1),$(firstword $(2))),$(runs.$(1))))
map-reads = $(if $(filter strengths,$(map)),,yes)
map-run   = $(W)/run/$(call map-of,$(paper),$(map))
maps-of   = $(foreach m,$($(1).maps),$(if $(call map-of,$(1),$($(1).map.$(m))),$(R)/$(1)/$(m).svg))
maps      = $(foreach p,$(PAPERS),$(call maps-of,$(p)))
map-runs  = $(foreach *,$(call in-results,$(1)),$(call map-of,$(paper),$(map)))
map-how   = $(foreach *,$(call in-results,$(1)),$(map))
$(call stale,$(maps),map-runs,map-how): $(R)/%.svg: $$(map-run)/test.hyp.heed \
                                                    $$(call record,$$(call map-of,$$(paper),$$(map))) \
                                                    | $(W)/brief/$$(paper)/names
	@mkdir -p $(@D)
	id=$(if $(map-reads),$$($(call middling,1))); \
	head-map -m $(map-run)/model.tar $${id:+--id $$id} $(wordlist 2,20,$(map)) \
	    --title $(call title,$(paper),$(call map-variant,$(map))) --to svg -o $@ $(if $(map-reads),$<)
	$(call signed,$(call map-of,$(paper),$(map)),$(map))

# Interactive view of the heads of the variant PAPER.walk, or of the first main run, in WALK
# sentences.
walk-of   = $(firstword $(and $($(1).walk),$(call map-of,$(1),$($(1).walk))) \
                $(filter $(first),$(main-runs)))
walk-run  = $(W)/run/$(call walk-of,$(paper))
walks     = $(foreach p,$(PAPERS),$(if $(call walk-of,$(p)),$(R)/$(p)/walk.html.gz))
WALK     ?= 4
walk-runs = $(foreach p,$(call paper-of,$(1)),$(call walk-of,$(p)))
walk-how  = $(WALK) sentences
$(call stale,$(walks),walk-runs,walk-how): $(R)/%/walk.html.gz: $$(walk-run)/test.hyp.heed \
                                                                $$(call record,$$(call walk-of,$$*)) \
                                                                | $(W)/brief/$$*/names
	@mkdir -p $(@D)
	ids=$$($(call middling,$(WALK))); \
	head-map -m $(walk-run)/model.tar $${ids:+--id $$ids} --target hyp --html \
	    --title $(call title,$(paper),$(call row,3,$(call walk-of,$(paper)))) $< | gzip -n9 > $@.tmp
	$(call signed,$(call walk-of,$*),$(walk-how))
	mv $@.tmp $@

# --- report --------------------------------------------------------------------------------

caption   = $(call quote,$(or $($(1).caption.$(2)),$(caption.$(2)),$(2)))
caption.curves = Learning curves: development NLL against updates; fine-tuned systems start at \
                 the end of their base
caption.statistics = Corpus and tree statistics
caption.found = Settings found by the searches
caption.walk = Attention weights of one layer and head at a time, in test sentences and their \
               translations. Select by mouse, touch or keyboard
figures   = $(filter $(R)/$(1)/%,$(plots) $(maps) $(head-maps)) \
            $(if $(strip $(call curved,$(1))),$(R)/$(1)/curves.svg)
extras    = $(filter $(R)/$(1)/%,$(also))
shown     = $(foreach t,$(call also-of,$(1)),$(R)/$(1)/$(t).$(if $(filter $(t),$($(1).brief)),md,tsv))
tables    = $(foreach t,$(call sections,$(1)),$(R)/$(1)/$(t).tsv $(R)/$(1)/$(t).md)

# names: for each variant, all row labels of the tables (shown as an explanation), and the first
# label.
named-in     = $(filter-out $(R)/$(1)/claims%,$(call tables,$(1)))
$(W)/brief/%/names: $$(call tables,$$*) src/papers/names.awk
	@mkdir -p $(@D)
	awk -f src/papers/names.awk $(filter %.tsv,$(call named-in,$*)) < /dev/null > $@.tmp
	mv $@.tmp $@
named        = "$$(awk -F '\t' '$$1 == "$(2)" { print $$3 }' $(W)/brief/$(1)/names)"
title        = $(if $(call named-in,$(1)),$(call named,$(1),$(2)),$(2))
part-names   = $(if $(call named-in,$(1)),--terms $(W)/brief/$(1)/names \
                   --caption 'Names of systems in figures and runs')
# Systems in the order of the grid: the run with the first seed on the first corpus.
systems   = $(filter $(runs.$(1)),$(foreach v,$(call unique,$(main.$(1))),\
                $(1)/$(firstword $(columns))/$(v)/$(firstword $(call seeds,$(1),$(v)))))
lead      = Profile: $(PROFILE). Corpus: $(columns). Seeds of the main tables: \
            $(call setting,$(1),seeds,SEEDS).$(if $(filter smoke,$(PROFILE)), This profile is a \
            self-test: its models are too small for the scores to mean anything.)

legend    = Mean ± standard deviation over the seeds; ¹ marks a single seed. † means better and \
            ‡ worse than the baseline of the row: the 95% confidence interval of the difference \
            excludes 0. Tinted columns have the numbers that the paper reports.
forest-key   = Each row of the forest plot is a claim. The dot is the mean difference between \
               the system and its baseline over the seeds, the bar its 95% confidence \
               interval. An arrow means that the interval extends beyond the axis. Right of 0 \
               the system is better, in NLL as in BLEU. The diamond is the BLEU difference that \
               the paper reports.
part-forest  = $(1:%=--figure % --caption 'Forest plot of the claims' \
                   --alt 'Forest plot of the claims')
part-by      = $(and $($(1).by),--text $(call quote,$($(1).by).))
part-claims  = --heading 'Claims and replications' \
               $(call part-forest,$(2)) $(if $(2),--text $(call quote,$(forest-key))) \
               $(1:%=--claims %) \
               --terms src/papers/verdicts.terms --caption 'Verdicts and columns explained'
part-table   = $(if $(filter %.md,$(1)),--subheading $(2) --table $(1),--table $(1) --caption $(2))
part-tables  = --heading Tables --text $(call quote,$(legend)) $(1:%=--table %) \
               $(foreach t,$(2),$(call part-table,$(t),$(call caption,$*,$(basename $(notdir $(t)))))) \
               --terms src/papers/tables.terms --caption 'Marks and columns explained'
part-figures = --heading Figures $(part-names) \
               $(foreach f,$(2),--figure $(f) \
                   --caption $(call caption,$(1),$(basename $(notdir $(f)))))
part-walk    = --heading 'Attention heads' --walk $(R)/$(1)/walk.html.gz \
               --caption $(call quote,$(caption.walk))
part-samples = --heading Translations --samples $(or $($(1).samples),3) \
               --text 'The first sentences of the test set. \
                   Words that are not in the reference are highlighted.' \
               $(foreach r,$(2),--translations $(call entry,$(r))/sentences.heed.zst \
                   --caption $(call named,$(1),$(call row,3,$(r))))
part-runs    = --heading Runs $(part-names) $(addprefix --run ,$(call entry,$(2)))
md-of        = $(patsubst %,$(R)/$(1)/%.md,$(2))
claims-of    = $(call md-of,$(1),$(filter claims%,$(2)))
tables-of    = $(call md-of,$(1),$(filter-out claims%,$(2)))
filled       = $(if $(strip $(2)),$(call $(1),$(2),$(3)))
$(R)/%/report.html: $$(call tables,$$*) $(R)/%/runs.jsonl $$(call figures,$$*) $$(call extras,$$*) \
                    $$(call shown,$$*) $(W)/brief/%/names $(R)/%/walk.html.gz \
                    $$(call forest-of,$$*) $(wildcard src/papers/*.terms)
	heed-report --title $(call quote,$($*.title)) $(call part-by,$*) \
	    --text $(call quote,$(strip $(call lead,$*))) \
	    $(call filled,part-claims,$(call claims-of,$*,$(call sections,$*)),$(call forest-of,$*)) \
	    $(call filled,part-tables,$(call tables-of,$*,$(call sections,$*)),$(call shown,$*)) \
	    $(call part-figures,$*,$(call figures,$*)) $(call part-walk,$*) \
	    $(call part-samples,$*,$(call systems,$*)) $(call part-runs,$*,$(runs.$*)) -o $@

# The overview: claims and main table of each paper with a report, and links to the reports.
reported  = $(foreach p,$(PAPERS),$(if $(wildcard $(R)/$(p)/report.html),$(p)))
main-md   = $(firstword $(wildcard $(call md-of,$(1),$($(1).main) table1)))
part-paper = --heading $(call quote,$($(1).title)) $(part-by) \
             $(call part-forest,$(wildcard $(R)/$(1)/claims.svg)) \
             $(patsubst %,--claims %,$(mds)) \
             $(patsubst %,--table %,$(call main-md,$(1))) \
             --link $(1)/report.html --caption 'Full report: all tables, figures, heads and runs'
# The number of claims by verdict, one line per paper.
sums      = 'confirmed' 'reversed' 'smaller than reported' 'NLL and BLEU disagree' 'inconclusive' \
            'not judged: one seed' 'not judged: no test NLL' 'not judged: both below 1 BLEU' \
            'not run'
mds       = $(wildcard $(R)/$(1)/claims.md $(R)/$(1)/claims-*.md)
sum-up    = printf '%s' $(call quote,$($(1).title)); for v in $(sums); do \
            printf '\t%s' "$$(cat $(2) | grep -c "| $$v |$$")"; done; echo;
$(R)/report.html: force
	@mkdir -p $(W)/brief
	{ printf paper; printf '\t%s' $(sums); echo; \
	  $(foreach p,$(reported),$(if $(call mds,$(p)),$(call sum-up,$(p),$(call mds,$(p))))) \
	} > $(W)/brief/sums.tsv
	heed-report --title 'Attention-head papers: claims and replications' \
	    --table $(W)/brief/sums.tsv --caption 'Number of claims by verdict, including our own claims' \
	    --text $(call quote,$(forest-key)) \
	    $(foreach p,$(reported),$(call part-paper,$(p))) --heading 'Explanations' \
	    --terms src/papers/verdicts.terms --caption 'Verdicts and columns explained' \
	    --terms src/papers/tables.terms --caption 'Marks and columns explained' -o $@.tmp
	cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
