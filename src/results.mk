# results.mk: tables, figures and reports from the records of runs; included by pipeline.mk.

# --- tables --------------------------------------------------------------------------------

# $(R)/PAPER/SECTION.tsv has every value, SECTION.md the table for readers.
# They are made again with another program: after an update of the source tree, all look alike.
_made-by  = $(wildcard $(_bin)$(1))
_section  = $(call _part,2)
_runs-in  = $(if $(filter claims%,$(2)),$(_runs.$(1)),$(filter $(_runs.$(1)),$(call _runs,$(1),$(2))))
_records  = $(call _record,$(call _runs-in,$(1),$(2)))
_table    = heed-table $(_drafts) --grid $(call _grid,$(_paper)) --section $(_section) \
            --to $(1) -o $(2) $(filter %/record,$^)
_record-list = $(call _records,$(_paper),$(_section))
$(W)/brief/%.list: $$(call _force-unless,$$(_record-list))
	$(call _rewrite,$(_record-list))
$(R)/%.tsv $(R)/%.md: $$(call _records,$$(_paper),$$(_section)) $(W)/brief/%.list \
    $$(call _grid,$$(_paper)) $(call _made-by,heed-table)
	@mkdir -p $(R)/$(_paper)
	$(call _table,tsv,$(R)/$*.tsv)
	$(call _table,md,$(R)/$*.md)

$(R)/%/runs.jsonl: $$(call _records,$$(_paper),claims) $(W)/brief/%/claims.list
	@mkdir -p $(@D)
	heed-record --to json $(filter %/record,$^) > $@.tmp
	mv $@.tmp $@

# PAPER.also: tables that are not made from runs: statistics of trees in the preparation
# PAPER.statistics, settings that searches found, and others.  The paper's own rows are in
# $(_top)src/papers/NAME.TABLE and come last.  Tables in PAPER.brief are also written in Markdown.
# Tables of runs are left out if these are not requested.
_also-of  = $(filter-out $(if $(call _posthoc-runs,$(1)),,posthoc-% roles-updates) \
                $(if $(call _study-all,$(1),timed),,speed) \
                $(if $(call _whole-run,$(1)),,heads kept roles syntax rare measures),$($(1).also))
_also     = $(foreach p,$(_papers),$(patsubst %,$(R)/$(p)/%.tsv,$(call _also-of,$(p))))
_counted  = $(foreach c,$(_columns),$(_splits:%=$(W)/prepared/$(1)/$($(1).statistics)/$(c)/%.heed))
_counted-sums = $(patsubst %.heed,%.sum,$(_counted))
_stats-how = $(foreach p,$(call _paper-of,$(1)),$(patsubst $(W)/%,%,$(call _counted,$(p))) \
                  $(call _of-data,$(call _counted-sums,$(p)),$(1)) $(file < $(_top)src/papers/$(p).statistics))
$(call _stale,$(filter %/statistics.tsv,$(_also)),_nothing,_stats-how): $(R)/%/statistics.tsv: \
        $$(call _counted,$$*) $$(call _counted-sums,$$*) $(_top)src/papers/%.statistics
	@mkdir -p $(@D)
	{ tree-stats $(filter %.heed,$^) | sed 's,^$(W)/prepared/[^/]*/[^/]*/,,'; \
	  cat $(_top)src/papers/$*.statistics; } > $@.tmp
	$(call _signed,,$(call _stats-how,$@))
	mv $@.tmp $@
_found    = $(sort $(foreach r,$(_runs.$(1)),$(call _best-of,$(r))))
$(filter %/found.tsv,$(_also)): $(R)/%/found.tsv: $$(call _found,$$*) $(_top)src/papers/%.found
	@mkdir -p $(@D)
	{ printf 'search\tsettings\tdev NLL of the best trial\tof the default\n'; for f in $(filter %/best,$^); do \
	    trials=$${f%best}trials; [ -e "$$trials" ] || trials=/dev/null; \
	    awk -v name="$$(echo $$f | sed 's,^$(R)/[^/]*/search/\(.*\)/best,\1,')" -v best="$$(cat $$f)" \
	        -f $(_top)src/papers/found.awk "$$trials"; \
	  done; sed 's/$$/\t\t/' $(_top)src/papers/$*.found; } > $@.tmp
	mv $@.tmp $@

# --- figures -------------------------------------------------------------------------------

# Learning curves: runs of the main tables with the first seed that there is, and the runs that they
# continue.
$(W)/curve/%.tsv: $$(call _record,$$*)
	@mkdir -p $(@D)
	heed-show -f step,nll,dev.nll $(<D)/log.heed.zst > $@.tmp
	mv $@.tmp $@
_first-of = $(firstword $(foreach s,$(call setting,$(1),seeds,SEEDS),$(filter $(2)$(s),$(_runs.$(1)))))
_curved-in = $(foreach d,$(sort $(dir $(call _runs-in,$(1),$(2)))),$(call _first-of,$(1),$(d)))
_curved   = $(foreach t,$(or $($(1).main),table1),$(call _curved-in,$(1),$(t)))
_bases    = $(foreach *,$(1),$(_begin-run))
_with-bases = $(if $(1),$(1) $(call _with-bases,$(call _bases,$(1))))
_curves   = $(patsubst %,$(W)/curve/%.tsv,$(sort $(call _with-bases,$(call _curved,$(1)))))
_curve-list = $(foreach t,$(or $($(1).main),table1),\
                 $(foreach *,$(call _curved-in,$(1),$(t)),$(t) $* $(or $(_begin-run),-)))
$(W)/brief/%/curves: $$(call _force-unless,$$(call _curve-list,$$*))
	$(call _rewrite,$(call _curve-list,$*))
$(R)/%/curves.svg: $(W)/brief/%/names $(W)/brief/%/curves $$(call _curves,$$*) $(_top)src/papers/curves.awk
	@mkdir -p $(@D)
	awk -v place=$(W)/curve -f $(_top)src/papers/curves.awk $(filter-out %.awk,$^) < /dev/null | \
	    heed-plot --x updates --title 'Learning curves' -o $@

# Forest plot of the claims of a paper.
_forest-of = $(if $(call _claims,$(1)),$(R)/$(1)/claims.svg)
$(_papers:%=$(R)/%/claims.svg): $(R)/%/claims.svg: $$(call _records,$$*,claims) \
    $(W)/brief/%/claims.list $$(call _grid,$$*) $(call _made-by,heed-table)
	@mkdir -p $(@D)
	heed-table $(_drafts) --grid $(call _grid,$*) --to forest -o $@ $(filter %/record,$^)

# Effects of the systems of claims by the length of the sentences.
_lengths-of = $(if $(call _claims,$(1)),$(R)/$(1)/lengths.tsv)
$(_papers:%=$(R)/%/lengths.tsv): $(R)/%/lengths.tsv: $$(call _records,$$*,claims) \
    $(W)/brief/%/claims.list $$(call _grid,$$*) $(call _made-by,heed-table)
	@mkdir -p $(@D)
	heed-table $(_drafts) --grid $(call _grid,$*) --to lengths -o $@ $(filter %/record,$^)

# Sections as plots.  PAPER.over.SECTION = MEASURE LABEL: the measure on the x axis, and its
# label.  With measure -, x is the number after " = " in the label of a row.  Without it, x is the
# number of training pairs, on a logarithmic axis.
_plots-of = $(foreach t,$(filter $($(1).plots),$(call _sections,$(1))),\
                $(if $(call $(if $(filter-out -,$(firstword $($(1).over.$(t)))),_compared-in,_runs-in),$(1),$(t)),$(R)/$(1)/$(t).svg))
# The rows of a section with a run for which the ledger also has that of the baseline.
_has-run  = $(filter $(1)/$(2)/$(3)/$(4),$(_runs.$(1)))
_compared = $(foreach c,$(call _cells,$(1),$(2)),$(foreach s,$(call _seeds,$(1),$(call _row,3,$(2))),\
                $(and $(call _has-run,$(1),$(c),$(call _row,3,$(2)),$(s)),$(call _has-run,$(1),$(c),$(call _row,4,$(2)),$(s)))))
_compared-in = $(strip $(foreach r,$(call _rows,$(1),$(2)),$(call _compared,$(1),$(r))))
_plots    = $(foreach p,$(_papers),$(call _plots-of,$(p)))
_over     = $($(_paper).over.$(_section))
_axis     = --x $(call _quote,$(or $(wordlist 2,20,$(_over)),training sentence pairs)) \
            $(if $(_over),,--log-x)
$(_plots): $(R)/%.svg: $(R)/%.tsv $(_top)src/papers/points.awk
	awk -v over=$(filter-out -,$(firstword $(_over))) -f $(_top)src/papers/points.awk $< | \
	    heed-plot $(_axis) --title $(call _caption,$(_paper),$(_section)) -o $@

# Heat maps: PAPER.map.NAME = VARIANT and options of head-map.  They show the first test sentence of
# 7 to 11 words with a translation below 20 words, from the first requested run of the variant.
# VARIANT@least: from the run on the smallest number of pairs.
_middling = heed-show -f id,src,hyp $< | awk -F '\t' '\
            { s = split($$2, word, " "); t = split($$3, word, " ") } \
            $$1 && s > 6 && s < 12 && t < 20 && n++ < $(1) { \
                printf "%s%s", (n > 1 ? "," : ""), $$1 }'
_map      = $($(_paper).map.$(_section))
_map-where = $(if $(findstring @least,$(2)),$(firstword $(_cells.$(1).sizes)),$(firstword $(_columns)))
_map-variant = $(firstword $(subst @, ,$(firstword $(1))))
_map-name = $(1)/$(call _map-where,$(1),$(2))/$(call _map-variant,$(2))/%
_map-of   = $(firstword $(filter $(call _map-name,$(1),$(firstword $(2))),$(_runs.$(1))))
_map-reads = $(if $(filter strengths,$(_map)),,yes)
_map-run  = $(W)/run/$(call _map-of,$(_paper),$(_map))
_maps-of  = $(foreach m,$($(1).maps),$(if $(call _map-of,$(1),$($(1).map.$(m))),$(R)/$(1)/$(m).svg))
_maps     = $(foreach p,$(_papers),$(call _maps-of,$(p)))
_map-runs = $(foreach *,$(call _in-results,$(1)),$(call _map-of,$(_paper),$(_map)))
_map-how  = $(foreach *,$(call _in-results,$(1)),$(_map))
$(call _stale,$(_maps),_map-runs,_map-how): $(R)/%.svg: $$(_map-run)/test.hyp.heed \
                                                    $$(call _record,$$(call _map-of,$$(_paper),$$(_map))) \
                                                    | $(W)/brief/$$(_paper)/names
	@mkdir -p $(@D)
	id=$(if $(_map-reads),$$($(call _middling,1))); \
	head-map -m $(_map-run)/model.tar $${id:+--id $$id} $(wordlist 2,20,$(_map)) \
	    --title $(call _title,$(_paper),$(call _map-variant,$(_map))) --to svg -o $@ $(if $(_map-reads),$<)
	$(call _signed,$(call _map-of,$(_paper),$(_map)),$(_map))

# Systems in the order of the grid: the run with the first seed that there is on the first corpus.
_systems  = $(foreach v,$(call _unique,$(_main.$(1))),$(call _first-of,$(1),$(1)/$(firstword $(call _paper-columns,$(1)))/$(v)/))
# Interactive view of the heads of the variant PAPER.walk, or of the first main run, in WALK
# sentences, with roles and confidence from a sample of the test set.
_walk-of  = $(firstword $(and $($(1).walk),$(call _map-of,$(1),$($(1).walk))) \
                $(call _systems,$(1)))
_walk-run = $(W)/run/$(call _walk-of,$(_paper))
_walk-made = $(if $(call _walk-of,$(1)),$(R)/$(1)/walk.html.gz)
_walk-file = $(filter-out $(_not-drawn),$(_walk-made))
_walks    = $(foreach p,$(_papers),$(call _walk-made,$(p)))
WALK     ?= 4
_walk-runs = $(foreach p,$(call _paper-of,$(1)),$(call _walk-of,$(p)))
_walk-how = $(WALK) sentences, measures of 200
$(call _stale,$(_walks),_walk-runs,_walk-how): $(R)/%/walk.html.gz: $$(_walk-run)/test.hyp.heed \
                                                                $$(call _record,$$(call _walk-of,$$*)) \
                                                                | $(W)/brief/$$*/names
	@mkdir -p $(@D)
	heed-sample -n 200 -o $@.in $<
	head-stat -q --threads $(THREADS) -m $(_walk-run)/model.tar --target hyp -o $@.heads $@.in
	ids=$$($(call _middling,$(WALK))); \
	head-map -m $(_walk-run)/model.tar --head-measures $@.heads $${ids:+--id $$ids} --target hyp --to html \
	    --title $(call _title,$(_paper),$(call _row,3,$(call _walk-of,$(_paper)))) $< | gzip -n9 > $@.tmp
	$(call _signed,$(call _walk-of,$*),$(_walk-how))
	rm $@.in $@.heads; mv $@.tmp $@

# --- report --------------------------------------------------------------------------------

_caption  = $(call _quote,$(or $($(1).caption.$(2)),$(_caption.$(2)),$(2)))
_caption.curves = Learning curves of the first seed: development NLL against updates; fine-tuned \
                 systems start at the end of their base; later points above the upper limit are drawn there
_caption.statistics = Corpus and tree statistics
_caption.found = Settings found by the searches
_caption.walk = Attention weights of one layer and head at a time, in test sentences and their \
               translations. Select by mouse, touch or keyboard
_figures  = $(filter-out $(_not-drawn),$(filter $(R)/$(1)/%,$(_plots) $(_maps) $(_head-maps))) \
            $(if $(strip $(call _curved,$(1))),$(R)/$(1)/curves.svg)
_extras   = $(filter-out $(_not-drawn),$(filter $(R)/$(1)/%,$(_also)))
_shown    = $(filter-out $(_not-drawn),$(foreach t,$(call _also-of,$(1)),$(R)/$(1)/$(t).$(if $(filter $(t),$($(1).brief)),md,tsv)))
_tables   = $(foreach t,$(call _sections,$(1)),$(R)/$(1)/$(t).tsv $(R)/$(1)/$(t).md)

# names: for each variant, all row labels of the tables (shown as an explanation), and the first
# label.
_named-in    = $(filter-out $(R)/$(1)/claims%,$(call _tables,$(1)))
$(W)/brief/%/names: $$(call _tables,$$*) $(_top)src/papers/names.awk
	@mkdir -p $(@D)
	awk -f $(_top)src/papers/names.awk $(filter %.tsv,$(call _named-in,$*)) < /dev/null > $@.tmp
	mv $@.tmp $@
_named       = "$$(awk -F '\t' '$$1 == "$(2)" { print $$3 }' $(W)/brief/$(1)/names)"
_title       = $(if $(call _named-in,$(1)),$(call _named,$(1),$(2)),$(2))
_part-names  = $(if $(call _named-in,$(1)),--terms $(W)/brief/$(1)/names \
                   --caption 'Names of systems in figures and runs')
_lead     = Profile: $(PROFILE). Corpus: $(call _paper-columns,$(1)). Seeds of the main tables: \
            $(call setting,$(1),seeds,SEEDS).$(_missing-shown)$(if $(filter smoke,$(PROFILE)), This profile is a \
            self-test: its models are too small for the scores to mean anything.)

_legend   = Mean ± standard deviation over the seeds; ¹ marks a single seed. † means better and \
            ‡ worse than the baseline of the row: the 95% confidence interval of the difference \
            excludes 0. Tinted columns have the numbers that the paper reports.
_forest-key  = Each row of the forest plot is a claim. The dot is the mean difference between \
               the system and its baseline over the seeds, the bar its 95% confidence \
               interval. An arrow means that the interval extends beyond the axis. Right of 0 \
               the system is better, in NLL as in BLEU. The diamond is the BLEU difference that \
               the paper reports. A short line left of 0 is the margin of a claim that the \
               system is worse by less than this margin.
_part-forest = $(1:%=--figure % --caption 'Forest plot of the claims' \
                   --alt 'Forest plot of the claims')
_part-by     = $(and $($(1).by),--text $(call _quote,$($(1).by).))
_part-claims = --heading 'Claims and replications' \
               $(call _part-forest,$(2)) $(if $(2),--text $(call _quote,$(_forest-key))) \
               $(1:%=--claims %) \
               --terms $(_top)src/papers/verdicts.terms --caption 'Verdicts and columns explained'
_part-table  = $(if $(filter %.md,$(1)),--subheading $(2) --table $(1),--table $(1) --caption $(2))
_part-tables = --heading Tables --text $(call _quote,$(_legend)) $(1:%=--table %) \
               $(foreach t,$(2),$(call _part-table,$(t),$(call _caption,$*,$(basename $(notdir $(t)))))) \
               --terms $(_top)src/papers/tables.terms --caption 'Marks and columns explained'
_part-figures = --heading Figures $(_part-names) \
               $(foreach f,$(2),--figure $(f) \
                   --caption $(call _caption,$(1),$(basename $(notdir $(f)))))
_part-walk   = --heading 'Attention heads' --walk $(R)/$(1)/walk.html.gz \
               --caption $(call _quote,$(_caption.walk))
_part-samples = --heading Translations --samples $(or $($(1).samples),3) \
               --text 'The first sentences of the test set. \
                   Words that are not in the reference are highlighted.' \
               $(foreach r,$(2),--translations $(call _entry,$(r))/sentences.heed.zst \
                   --caption $(call _named,$(1),$(call _row,3,$(r))))
_part-runs   = --heading Runs $(_part-names) $(addprefix --run ,$(call _entry,$(2)))
_md-of       = $(patsubst %,$(R)/$(1)/%.md,$(2))
_claims-of   = $(call _md-of,$(1),$(filter claims%,$(2)))
_tables-of   = $(call _md-of,$(1),$(filter-out claims%,$(2)))
_filled      = $(if $(strip $(2)),$(call $(1),$(2),$(3)))
# The table of effects by length, if it has a line, as the arguments of the shell.
_with-lengths = set --; $(if $(1),if [ $$(wc -l < $(1)) -gt 1 ]; then set -- --table $(1) --caption \
                'Differences in NLL by length of the reference with 95% intervals'; fi;)
# A report is made again if its parts are others, even if no file is newer.  The overview tells, too,
# what is missing.
_contents    = $(strip $(call _lead,$(1)) $(_runs.$(1)) $(call _tables,$(1)) $(call _figures,$(1)) $(call _shown,$(1)) \
                  $(call _walk-file,$(1)))
$(W)/brief/%/contents: $$(call _force-unless,$$(call _contents,$$*))
	$(call _rewrite,$(call _contents,$*))
$(W)/brief/%/missing: $$(call _force-unless,$$(_missing-shown))
	$(call _rewrite,$(_missing-shown))
$(R)/%/report.html: $$(call _tables,$$*) $(R)/%/runs.jsonl $$(call _figures,$$*) $$(call _extras,$$*) \
                    $$(call _shown,$$*) $(W)/brief/%/contents $(W)/brief/%/missing $(W)/brief/%/names $$(call _walk-file,$$*) \
                    $$(call _forest-of,$$*) $$(call _lengths-of,$$*) $(wildcard $(_top)src/papers/*.terms) \
                    $(call _made-by,heed-report)
	$(call _with-lengths,$(call _lengths-of,$*)) \
	heed-report --title $(call _quote,$($*.title)) $(call _part-by,$*) \
	    $(patsubst %,--findings %,$(call _claims-of,$*,$(call _sections,$*))) \
	    --text $(call _quote,$(strip $(call _lead,$*))) \
	    $(call _filled,_part-claims,$(call _claims-of,$*,$(call _sections,$*)),$(call _forest-of,$*)) "$$@" \
	    $(call _filled,_part-tables,$(call _tables-of,$*,$(call _sections,$*)),$(call _shown,$*)) \
	    $(call _part-figures,$*,$(call _figures,$*)) $(if $(call _walk-file,$*),$(call _part-walk,$*)) \
	    $(call _part-samples,$*,$(call _systems,$*)) $(call _part-runs,$*,$(_runs.$*)) -o $@

# The reports of the requested papers, but for those of which TABLES requests no section.
_with-runs = $(foreach p,$(_goals),$(if $(_runs.$(p)),$(p)))
reported: $(_with-runs:%=$(R)/%/report.html)
	@$(if $(_with-runs),,echo '$(strip $(foreach v,TABLES SYSTEMS,$(if $($(v)),$(v)=$($(v))))): no runs, expected a section with runs' >&2; exit 2)
	@printf 'report: %s\n' $^ > $(W)/reported

# The overview: claims and main table of each paper with a report, and links to the reports.
_reported = $(foreach p,$(_papers),$(if $(wildcard $(R)/$(p)/report.html),$(p)))
_main-md  = $(firstword $(wildcard $(call _md-of,$(1),$($(1).main) table1)))
_part-missing = $(foreach f,$(wildcard $(W)/brief/$(1)/missing),$(if $(strip $(file < $(f))),--text $(call _quote,$(strip $(file < $(f))))))
_part-paper = --heading $(call _quote,$($(1).title)) $(_part-by) $(_part-missing) \
             $(call _part-forest,$(wildcard $(R)/$(1)/claims.svg)) \
             $(patsubst %,--claims %,$(_mds)) \
             $(patsubst %,--table %,$(call _main-md,$(1))) \
             --link $(1)/report.html --caption 'Full report: all tables, figures, heads and runs'
# The number of claims by verdict, one line per paper.
_sums     = 'confirmed' 'reversed' 'smaller than reported' 'no difference' 'NLL and BLEU disagree' 'open' \
            'not judged: waits for claims of the paper' 'not judged: A/A rows differ' 'not judged: one seed' 'not judged: no test NLL' 'not judged: no BLEU' 'not judged: both below 1 BLEU' \
            'not judged: NLL of different tokens' 'not judged: equal differences' 'not run'
# Reasons that no claim has are left out.
_used-sums = awk -F '\t' '{ row[NR] = $$0 } NR > 1 { for (i = 2; i <= NF; i++) sum[i] += $$i } \
             END { n = split(row[1], name); for (r = 1; r <= NR; r++) { split(row[r], cell); \
             for (i = 1; i <= n; i++) if (sum[i] || name[i] !~ /^not judged/) \
             printf("%s%s", i == 1 ? "" : "\t", cell[i]); print "" } }'
_mds      = $(wildcard $(R)/$(1)/claims.md $(R)/$(1)/claims-*.md)
_sum-up   = printf '%s' $(call _quote,$($(1).title)); for v in $(_sums); do \
            printf '\t%s' "$$(cat $(2) | grep -c "| $$v\( larger than [^|]*\|: [^|]*\)\? |$$")"; done; echo;
$(R)/report.html: force
	@mkdir -p $(W)/brief
	{ printf paper; printf '\t%s' $(_sums); echo; \
	  $(foreach p,$(_reported),$(if $(call _mds,$(p)),$(call _sum-up,$(p),$(call _mds,$(p))))) \
	} | $(_used-sums) > $(W)/brief/sums.tsv
	heed-report --title 'Attention-head papers: claims and replications' \
	    --table $(W)/brief/sums.tsv --caption 'Number of claims by verdict, including our own claims' \
	    --text $(call _quote,$(_forest-key)) \
	    $(foreach p,$(_reported),$(call _part-paper,$(p))) --heading 'Explanations' \
	    --terms $(_top)src/papers/verdicts.terms --caption 'Verdicts and columns explained' \
	    --terms $(_top)src/papers/tables.terms --caption 'Marks and columns explained' -o $@.tmp
	cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
