# forms.mk: parsers and controls by name; included by pipeline.mk, see heed-pipeline(7).
# parse.NAME is a filter that adds trees to the stream parsed/FROM; FROM is parse.NAME.from, by
# default the text alone. User-supplied trees in CoNLL-U or brackets are files next to the text:
# train.en.conllu, train.en.ptb.
tree-lang  = $(call $(1),$(call part,2))
tree-names = $(names.$(call part,3):%=$(call folder,$(call part,2))/%.$(tree-lang).$(2)*)
tree-found = $(firstword $(wildcard $(tree-names)))
given      = $(if $(tree-found),$(3) --align char --side $(1) -p $(call quote,$(tree-found)))
conllu     = $(call given,$(1),conllu,conllu2heed)
ptb        = $(call given,$(1),ptb,ptb2heed)
trees      = $(conllu) $(if $(conllu),$(if $(ptb),|)) $(ptb)
# The parsers for other languages than English have dependencies only; dep2const adds constituents.
phrases    = $(if $(filter-out en,$(tree-lang)),| dep2const --side $(1))
parser     = parse -q --side $(1) --lang $(tree-lang) $(2) $(phrases)
known      = $(wildcard common/parser/models/$(tree-lang).parser)

parse.src       = $(or $(strip $(call trees,src)),$(call parser,src))
parse.both      = $(or $(strip $(call trees,tgt)),$(if $(call known,tgt),$(call parser,tgt)))
parse.both.from = src

# Controls, and parsers of lower quality.
parse.adjacent  = parse -q --control adjacent
parse.adjacent-both      = parse -q --control adjacent --side tgt
parse.adjacent-both.from = adjacent
parse.random    = parse -q --control random
parse.random-both        = parse -q --control random --side tgt
parse.random-both.from   = random
parse.pcfg      = parse -q --pcfg
parse.pcfg.from = src
parse.corrupt10 = $(call parser,src,--corrupt 0.1)
parse.corrupt25 = $(call parser,src,--corrupt 0.25)
parse.corrupt50 = $(call parser,src,--corrupt 0.5)

forms = $(patsubst parse.%,%,$(filter-out %.from,$(filter parse.%,$(.VARIABLES))))
