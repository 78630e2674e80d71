# grids.mk: the runs that the tables of a paper need; included by pipeline.mk.
#
# The tables of a paper are in src/papers/NAME.grid, see heed-table(1).  rows.PAPER has their rows
# as words SECTION/SCOPE/VARIANT/BASE; scope is whole or sizes, base a variant or -.  Goals that
# build the programs first do not read grids; the make that they call does.
_grid     = $(_top)src/papers/$(1).grid
_row      = $(word $(1),$(subst /, ,$(2)))
_variants = $(filter-out -,$(call _row,3,$(1)) $(call _row,4,$(1)))
_unique   = $(if $(1),$(firstword $(1)) $(call _unique,$(filter-out $(firstword $(1)),$(1))))
_early    = $(_targets) all help keys build packages fetch parser grammar parser-scores plan prepare draw \
            benchmark-heads benchmark-tables
_read-rows = $(eval _rows.$(1) := $(shell $(_bin)heed-table --rows --grid $(_grid) 2>&1))\
            $(if $(filter 0,$(.SHELLSTATUS)),,$(error $(_rows.$(1))))
$(if $(filter-out $(_early),$(or $(MAKECMDGOALS),help)),\
    $(foreach p,$(_papers),$(call _read-rows,$(p)))\
    $(foreach p,$(_papers),$(call _check-rows,$(p)))$(_check-tables)$(_check-chosen))
_rows     = $(filter $(2:%=%/%),$(_rows.$(1)))

# Columns of a section: the corpora, or their sizes; size all is the whole corpus.
_pairs    = $(or $(file < $(W)/text/$(1)/pairs),$(file < $(R)/$(1).pairs),1000000000)
_fits     = $(or $(filter all,$(2)),$(shell [ $(2) -lt $(call _pairs,$(1)) ] && echo $(2)))
_sizes    = $(foreach s,$(call setting,$(1),sizes,SIZES),$(call _fits,$(2),$(s)))
_sized    = $(patsubst $(2)@all,$(2),$(addprefix $(2)@,$(call _sizes,$(1),$(2))))
$(foreach p,$(_papers),$(eval _cells.$(p).sizes := $(foreach c,$(_columns),$(call _sized,$(p),$(c)))))
_cells    = $(or $(_cells.$(1).$(call _row,2,$(2))),$(call _section-columns,$(1),$(call _row,1,$(2))))

# Requested sections.  Claims are judged by the runs of the other sections.
_claims   = $(filter claims%,$(_rows.$(1)))
_asked    = $(if $(TABLES),$(call _rows,$(1),$(TABLES)),$(filter-out claims%,$(_rows.$(1))))
_sections = $(call _unique,$(foreach r,$(call _asked,$(1)) $(call _claims,$(1)),$(call _row,1,$(r))))

# Variants of the main sections have the seeds SEEDS, all others MORE_SEEDS.
$(foreach p,$(_papers),$(eval \
    _main.$(p) := $(foreach r,$(call _rows,$(p),$(or $($(p).main),table1)),$(call _variants,$(r)))))
_seeds    = $(if $(filter $(2),$(_main.$(1))),$(call setting,$(1),seeds,SEEDS),\
                $(call setting,$(1),more_seeds,MORE_SEEDS))

# On a whole corpus, a variant with the search size/NAME is the same system as one with whole/NAME and
# otherwise the same settings.  It is not trained twice, and does not count twice in the tables.
_search-at = $(if $(findstring @,$(2)),,$(filter size/%,$($(1).search.$(3))))
_alike     = $(and $(call _same,$($(1).search.$(3)),$(4)),$(call _same,$(value $(1).variant.$(2)),$(value $(1).variant.$(3))),\
                 $(call _same,$($(1).data.$(2)),$($(1).data.$(3))),$(3))
_twin-of   = $(foreach s,$(call _search-at,$(1),$(2),$(3)),\
                 $(foreach v,$(call _check-set,$(1).search),$(call _alike,$(1),$(3),$(v),$(s:size/%=whole/%))))

# The runs of some sections; with SYSTEMS, only of the rows of these variants, with their baselines.
_chosen   = $(if $(SYSTEMS),$(filter $(SYSTEMS),$(call _row,3,$(1))),yes)
_runs-at  = $(if $(strip $(call _twin-of,$(1),$(2),$(3))),,$(foreach s,$(call _seeds,$(1),$(3)),$(1)/$(2)/$(3)/$(s)))
_runs-row = $(foreach c,$(call _cells,$(1),$(2)),\
                $(foreach v,$(if $(call _chosen,$(2)),$(call _variants,$(2))),$(call _runs-at,$(1),$(c),$(v))))
_runs     = $(sort $(foreach r,$(filter-out claims%,$(call _rows,$(1),$(2))),\
                $(call _runs-row,$(1),$(r))))
$(foreach p,$(_papers),$(eval _runs.$(p) := $(call _runs,$(p),$(call _sections,$(p)))))
