# forms.mk: parsers and controls by name; included by pipeline.mk, see heed-pipeline(7).
# parse.NAME is a filter that adds trees to the stream parsed/FROM; FROM is parse.NAME.from, by
# default the text alone. User-supplied trees in CoNLL-U or brackets are files next to the text:
# train.en.conllu, train.en.ptb.
_tree-lang = $(call _$(1),$(call _part,2))
_tree-names = $(_names.$(call _part,3):%=$(call _folder,$(call _part,2))/%.$(_tree-lang).$(2)*)
_tree-found = $(firstword $(wildcard $(_tree-names)))
_given     = $(if $(_tree-found),$(3) --align char --side $(1) $(_invalid) -p $(call _quote,$(_tree-found)))
_invalid   = $(addprefix --invalid ,$(filter drop-tree,$(INVALID)))
_conllu    = $(call _given,$(1),conllu,conllu2heed)
_ptb       = $(call _given,$(1),ptb,ptb2heed)
_trees     = $(_conllu) $(if $(_conllu),$(if $(_ptb),| $(_ptb),--upos | dep2const --side $(1)),$(_ptb))
# own-trees SIDE,-,COLUMN,SPLIT: the kinds of user-supplied trees, which all splits must have.
_own-trees = $(strip $(foreach *,-/$(3)/$(4),$(foreach k,conllu ptb,$(if $(call _tree-found,$(1),$(k)),$(k)))))
_check-own = $(foreach c,$(_columns),$(foreach d,src tgt,$(foreach s,dev test,\
    $(if $(call _same,$(call _own-trees,$(d),,$(c),train),$(call _own-trees,$(d),,$(c),$(s))),,\
        $(error $(call _folder,$(c)): the trees of $(s).$(call _$(d),$(c)) are \
            '$(call _own-trees,$(d),,$(c),$(s))', expected those of train.$(call _$(d),$(c)): \
            '$(call _own-trees,$(d),,$(c),train)')))))
# dep2const adds constituents to the output of parsers that predict dependencies only.  Their labels
# are the tags of the source; no method reads those of the target, whose tags would change the data
# of the published runs.  What a parser predicts is in its file: upos, xpos, rel, span.
# Each file is read once: _read-labels stores what it has found.
_in-parser = $(if $(_known),$(if $(_labels.$(_known)),,$(_read-labels))$(filter-out -,$(_labels.$(_known))))
_read-labels = $(eval _labels.$(_known) := - $(shell $(_bin)nmt-info $(_known) 2> /dev/null | \
                   sed -n 's/^labels[.]\([a-z]*\)\t[1-9].*/\1/p'))
_predicts  = $(if $(filter en,$(_tree-lang)),span,$(or $(_in-parser),upos rel))
_upos      = $(and $(filter src,$(1)),$(filter upos,$(_predicts)),--upos)
_phrases   = $(if $(filter span,$(_predicts)),,$(_upos) | dep2const --side $(1))
_parser    = parse -q --side $(1) --language $(_tree-lang) $(_trained:%=-m %) $(2) $(_phrases)
# The built-in parser of a language, or the one that the target parser has trained.
_built-in  = $(wildcard $(_top)common/parser/models/$(_tree-lang).parser)
_trained   = $(if $(_built-in),,$(wildcard $(MODELS)/$(_tree-lang).parser))
_known     = $(_built-in)$(_trained)
# treed SIDE: not empty if the side has trees.
treed      = $(strip $(_known) $(call _trees,$(1)))

parse.src       = $(or $(strip $(call _trees,src)),$(call _parser,src))
parse.both      = $(or $(strip $(call _trees,tgt)),$(if $(call _known,tgt),$(call _parser,tgt)))
parse.both.from = src

# The trees with which a paper has made the text (src/made.mk).
parse.made      = cat

# Controls, and parsers of lower quality.
parse.adjacent  = parse -q --control adjacent
parse.adjacent-both      = parse -q --control adjacent --side tgt
parse.adjacent-both.from = adjacent
parse.random    = parse -q --control random
parse.random-both        = parse -q --control random --side tgt
parse.random-both.from   = random
parse.pcfg      = parse -q --pcfg
parse.pcfg.from = src
parse.corrupt10 = $(call _parser,src,--corrupt 0.1)
parse.corrupt25 = $(call _parser,src,--corrupt 0.25)
parse.corrupt50 = $(call _parser,src,--corrupt 0.5)

_forms = $(patsubst parse.%,%,$(filter-out %.from,$(filter parse.%,$(.VARIABLES))))
