# made.mk: corpora that a paper makes; included by pipeline.mk, see heed-pipeline(7).
#
# PAPER.corpora.SECTION: the corpora of a section of the grid, in place of those of DATA or CORPUS.
# PAPER.text.CORPUS: the commands that make one.  A name that begins with + is made from each corpus
# of DATA or CORPUS, with the trees of the parser src.
_maker    = $(firstword $(foreach p,$(_papers),$(if $(value $(p).text.$(1)),$(p))))
_own      = $(foreach n,$(1),$(if $(filter +%,$(n)),$(_corpora:%=%$(n)),$(n)))
_section-columns = $(or $(call _paired,$(call _own,$($(1).corpora.$(2)))),$(_columns))
_grid-sections = $(shell sed -n 's/^section  *\([^ ]*\).*/\1/p' $(_top)src/papers/$(1).grid)
_read-sections = $(filter $(or $(TABLES),%),$(filter-out claims%,$(call _grid-sections,$(1))))
_paper-columns = $(sort $(foreach s,$(_read-sections),$(call _section-columns,$(1),$(s))))
_read-columns := $(sort $(foreach p,$(_goals),$(call _paper-columns,$(p))))
_made-columns := $(filter-out $(_columns),$(sort $(foreach p,$(_papers),\
    $(foreach s,$(call _check-set,$(p).corpora),$(call _section-columns,$(p),$(s))))))

# text/COLUMN/SPLIT.heed: a stream with texts and trees.
_made     = $(foreach c,$(_made-columns),$(foreach s,train dev test,$(W)/text/$(c)/$(s)))
_made-corpus = $(patsubst %.$(call _pair-of,$(*D)),%,$(*D))
_made-part = $(lastword $(subst +, ,$(_made-corpus)))
_made-name = $(if $(findstring +,$(_made-corpus)),+)$(_made-part)
_made-from = $(if $(findstring +,$(_made-corpus)),$(W)/parsed/src/$(_made-corpus:%+$(_made-part)=%).$(call _pair-of,$(*D))/$(*F).heed)
_made-step = $($(call _maker,$(_made-name)).text.$(_made-name))
# For these commands, the split.  For all commands, the folder with the files of the papers.
split     = $(*F)
papers    = $(_top)src/papers
$(W)/text/%.settings: $$(call _force-unless,$$(_made-step))
	$(call _rewrite,$(_made-step))
$(_made:%=%.heed): $(W)/text/%.heed: $$(_made-from) $(W)/text/%.settings
	$(call _into,{ $(_made-step); } < $(or $(_made-from),/dev/null))
