# draw.mk: results from the ledger alone; included by pipeline.mk, see heed-pipeline(7).
#
# All tables, figures and pages of the runs that the ledger has, with the settings of the last command,
# and those of this one.  Warnings tell what is not drawn.
draw: build
	@[ -n '$(wildcard $(R)/*/command)' ] || { echo '$(R)/PAPER/command: no such file; prepare and reproduce-PAPER write it' >&2; exit 1; }
	@$(foreach d,$(filter-out $(patsubst %/command,%,$(wildcard $(R)/*/command)),$(patsubst %/run,%,$(wildcard $(R)/*/run))),\
	    echo 'draw: warning: the runs in $(d) are not drawn, as there is no $(d)/command' >&2;)
	@: > $(W)/drawn
	+@$(foreach f,$(sort $(wildcard $(R)/*/command)),$(call _draw-paper,$(notdir $(f:/command=)),$(file < $(f))) &&) true
	@[ -s $(W)/drawn ] || { echo 'draw: no paper has runs in $(R)' >&2; exit 1; }
	+@$(call _watch,writing the overview) $(_again) $(R)/report.html
_draw-paper = $(call _watch,drawing $(1)) $(MAKE) --no-print-directory -f $(_self) drawn _goals=$(1) $(2) \
                $(_given-set) _drawing=$(if $(_given-set),anew,again)
drawn: $$(foreach p,$$(_with-runs),$$(R)/$$(p)/report.html)
	@$(if $(_with-runs),echo $(_with-runs) >> $(W)/drawn)
	@$(if $(filter anew,$(_drawing)),$(call _keep-command,$(_with-runs)))
	@$(foreach w,$(if $(_with-runs),_undrawn _missing _left-out,_none),$(if $($(w)),echo $(call _quote,draw: warning: $(strip $($(w)-said))) >&2;))

# Runs that these settings leave out, as after a merge of ledgers.
_undrawn  = $(filter-out $(_wanted),$(foreach p,$(_goals),$(patsubst $(R)/$(p)/run/%/record,$(p)/%,\
                $(wildcard $(R)/$(p)/run/*/*/*/record))))
_undrawn-said = $(words $(_undrawn)) runs in the ledger are not drawn, the first of them \
                   $(firstword $(_undrawn)); see SEEDS, MORE_SEEDS, TABLES, SYSTEMS, PAIR and CORPUS

# Runs that the ledger lacks, as long as a grid is not complete: tables and figures have those that
# there are.
_missing  = $(if $(_drawing),$(_lacking))
_missing-said = the ledger lacks $(words $(_lacking)) of $(words $(_wanted)) runs, the first of them \
                   $(firstword $(_lacking)); "$(_called) plan TARGET" lists them
_missing-shown = $(if $(_missing), $(words $(_lacking)) of the $(words $(_wanted)) runs are missing.)
_draw-kept = $(eval _runs.$(1) := $(filter $(_kept),$(_runs.$(1))))

# Papers without a run, for example because SYSTEMS or TABLES are those of other papers.
_none     = $(_goals)
_none-said = $(_goals) is not drawn: $(if $(_wanted),the ledger lacks all of its $(words $(_wanted)) runs$(_comma) \
                such as $(firstword $(_lacking)),none of its systems and sections is requested)

# Files that need a model or data, and are missing or out of date.  not-drawn: also those that are made
# from them.
_left-out =
_left-out-said = left out, as a model or data would be needed: $(_left-out)
_leave-out = $(if $(and $(_drawing),$(filter $(_goals:%=$(R)/%/%),$(1))),$(eval _left-out += $(1)))
_not-drawn = $(_left-out) $(foreach p,$(_goals),$(addprefix $(R)/$(p)/,\
                $(if $(filter $(R)/$(p)/heads.tsv,$(_left-out)),kept.tsv roles.tsv layers.svg drift.svg) \
                $(if $(filter $(R)/$(p)/roles-updates.tsv,$(_left-out)),roles-updates.svg) \
                $(foreach n,$($(p).posthoc),$(if $(call _posthoc-of,$(p),$(n)),,$(addprefix posthoc-$(n),.tsv .md .svg)))))
