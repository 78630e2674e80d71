# grids.mk: the runs that the tables of a paper need; included by pipeline.mk.
#
# The tables of a paper are in src/papers/NAME.grid, see heed-table(1).  rows.PAPER has their rows
# as words SECTION/SCOPE/VARIANT/BASE; scope is whole or sizes, base a variant or -.  Goals that
# build the programs first do not read grids; the make that they call does.
grid      = src/papers/$(1).grid
row       = $(word $(1),$(subst /, ,$(2)))
variants  = $(filter-out -,$(call row,3,$(1)) $(call row,4,$(1)))
unique    = $(if $(1),$(firstword $(1)) $(call unique,$(filter-out $(firstword $(1)),$(1))))
early     = $(TARGETS) all help build packages fetch parser grammar plan prepare draw
read-rows = $(eval rows.$(1) := $(shell bin/heed-table --rows --grid $(grid) 2>&1))\
            $(if $(filter 0,$(.SHELLSTATUS)),,$(error $(rows.$(1))))
$(if $(filter-out $(early),$(or $(MAKECMDGOALS),help)),\
    $(foreach p,$(PAPERS),$(call read-rows,$(p)))\
    $(foreach p,$(PAPERS),$(call check-rows,$(p)))$(check-tables))
rows      = $(filter $(2:%=%/%),$(rows.$(1)))

# Columns of a section: the corpora, or their sizes; size all is the whole corpus.
pairs     = $(or $(file < $(W)/text/$(1)/pairs),$(file < $(R)/$(1).pairs),1000000000)
fits      = $(or $(filter all,$(2)),$(shell [ $(2) -lt $(call pairs,$(1)) ] && echo $(2)))
sizes     = $(foreach s,$(call setting,$(1),sizes,SIZES),$(call fits,$(2),$(s)))
sized     = $(patsubst $(2)@all,$(2),$(addprefix $(2)@,$(call sizes,$(1),$(2))))
$(foreach p,$(PAPERS),$(eval cells.$(p).sizes := $(foreach c,$(columns),$(call sized,$(p),$(c)))))
cells     = $(or $(cells.$(1).$(call row,2,$(2))),$(columns))

# Requested sections.  Claims are judged by the runs of the other sections.
claims    = $(filter claims%,$(rows.$(1)))
asked     = $(if $(TABLES),$(call rows,$(1),$(TABLES)),$(filter-out claims%,$(rows.$(1))))
sections  = $(call unique,$(foreach r,$(call asked,$(1)) $(call claims,$(1)),$(call row,1,$(r))))

# Variants of the main sections have the seeds SEEDS, all others MORE_SEEDS.
$(foreach p,$(PAPERS),$(eval \
    main.$(p) := $(foreach r,$(call rows,$(p),$(or $($(p).main),table1)),$(call variants,$(r)))))
seeds     = $(if $(filter $(2),$(main.$(1))),$(call setting,$(1),seeds,SEEDS),\
                $(call setting,$(1),more_seeds,MORE_SEEDS))

# The runs of some sections.
runs-at   = $(foreach s,$(call seeds,$(1),$(3)),$(1)/$(2)/$(3)/$(s))
runs-row  = $(foreach c,$(call cells,$(1),$(2)),\
                $(foreach v,$(call variants,$(2)),$(call runs-at,$(1),$(c),$(v))))
runs      = $(sort $(foreach r,$(filter-out claims%,$(call rows,$(1),$(2))),\
                $(call runs-row,$(1),$(r))))
$(foreach p,$(PAPERS),$(eval runs.$(p) := $(call runs,$(p),$(call sections,$(p)))))
