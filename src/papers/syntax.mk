# syntax: the systems of rhe, syncattn and treemask on one baseline: one corpus, segmentation, model and
# recipe, which are the profile's, so that their differences can be compared; see heed-papers(7)
syntax.title        = Syntax in attention, on one baseline
syntax.by           = The systems of Zhang et al. 2021 (RHE), Deguchi et al. 2021 (SyncAttn) and McDonald and \
                      Chiang 2021 (tree masks)
syntax.preset       = fairseq
syntax.main         = rhe syncattn treemask controls
syntax.own          = nodes phrases brackets tgt dbsa

# What systems read.  Sources of treemask are sequences of nodes; the others read the sentence.
syntax.parse                 = src
syntax.parse.both            = both
syntax.prepare.src           = $(bpe) | tree2mask | phrase-rp
syntax.prepare.both          = $(bpe)
syntax.prepare.nodes         = $(bpe) | tree-linearize | tree2mask -r
syntax.prepare.phrases       = $(bpe) | tree-linearize --tags drop | tree2mask -r
syntax.prepare.brackets      = $(bpe) | tree-linearize -b
syntax.data                  = src

# A batch of longer sources has more tokens, so that it has as many sentences (src/papers/treemask.mk).
syntax.nodes.cpu             = --batch-tokens 4400
syntax.phrases.cpu           = --batch-tokens 2920
syntax.brackets.cpu          = --batch-tokens 7040

syntax.variant.plain         =
syntax.variant.rel-pos       = -a relative:k=20,share_kv=on
syntax.variant.localness     = -a localness:first=1,last=1
syntax.variant.dea           = -a dependency-mask
syntax.variant.dea-rhe       = -a dependency-mask -a redundant-heads
syntax.variant.lpea          = -a phrase-position
syntax.variant.lpea-rhe      = -a phrase-position -a redundant-heads

# Both sides are parsed; where there is no parser for the target, its head is not supervised.
syntax.tgt                   = $(if $(strip $(call known,tgt) $(call trees,tgt)),0.5,0)
syntax.dbsa                  = -a dbsa:enc=1,dec=1,tgt_weight=$(syntax.tgt)
syntax.variant.dbsa          = $(syntax.dbsa)
syntax.variant.sync          = $(syntax.dbsa) -a sync:weight=0.5
syntax.variant.sync-renorm   = $(syntax.dbsa) -a sync:weight=0.5,map=renorm
$(foreach v,dbsa sync sync-renorm,$(eval syntax.data.$(v) = both))

syntax.variant.nodes         = $(syntax.nodes.$(PROFILE))
syntax.data.nodes            = nodes
syntax.variant.mask          = -a relation-mask $(syntax.nodes.$(PROFILE))
syntax.data.mask             = nodes
syntax.variant.mask-phrases  = -a relation-mask $(syntax.phrases.$(PROFILE))
syntax.data.mask-phrases     = phrases
syntax.variant.brackets      = $(syntax.brackets.$(PROFILE))
syntax.data.brackets         = brackets

# Controls: the same systems over trees that know nothing of the sentence but its length.
$(foreach t,adjacent random,\
    $(eval syntax.parse.src-$(t)       = $(t))\
    $(eval syntax.prepare.src-$(t)     = $$(syntax.prepare.src))\
    $(eval syntax.parse.both-$(t)      = $(t)-both)\
    $(eval syntax.prepare.both-$(t)    = $$(syntax.prepare.both))\
    $(eval syntax.parse.nodes-$(t)     = $(t))\
    $(eval syntax.prepare.nodes-$(t)   = $$(syntax.prepare.nodes))\
    $(eval syntax.data.dea-$(t)        = src-$(t))\
    $(eval syntax.variant.dea-$(t)     = $$(syntax.variant.dea))\
    $(eval syntax.data.lpea-$(t)       = src-$(t))\
    $(eval syntax.variant.lpea-$(t)    = $$(syntax.variant.lpea))\
    $(eval syntax.data.dbsa-$(t)       = both-$(t))\
    $(eval syntax.variant.dbsa-$(t)    = -a dbsa:enc=1,dec=1)\
    $(eval syntax.data.mask-$(t)       = nodes-$(t))\
    $(eval syntax.variant.mask-$(t)    = $$(syntax.variant.mask)))

# How model and recipe were chosen: is one learning rate fair to all systems, how small may the model be?
$(foreach v,plain rel-pos dea,\
    $(eval syntax.variant.$(v)-half  = $$(syntax.variant.$(v)) --lr 0.002)\
    $(eval syntax.variant.$(v)-twice = $$(syntax.variant.$(v)) --lr 0.008))
syntax.variant.wide          = --arch width=256,ff=1024 --lr 0.002
syntax.variant.dropout-1     = --dropout 0.1
syntax.variant.dropout-2     = --dropout 0.2

syntax.walk          = lpea-rhe
syntax.maps          = heads-plain heads-lpea-rhe heads-rel-pos sync strengths
syntax.map.heads-plain    = plain --site enc.1.self
syntax.map.heads-lpea-rhe = lpea-rhe --site enc.1.self
syntax.map.heads-rel-pos  = rel-pos --site enc.1.self
syntax.map.sync           = sync --draw sync --words
syntax.map.strengths      = mask --draw strengths --numbers
syntax.caption.heads-plain    = Transformer: the heads of the first encoder layer
syntax.caption.heads-lpea-rhe = LPEA+RHE: the heads of the first encoder layer
syntax.caption.heads-rel-pos  = Rel_Pos: the heads of the first encoder layer
syntax.caption.sync           = SyncAttn: E, C, D, C E C' and D' of a sentence
syntax.caption.strengths      = Relation mask: strengths by head and relation of the key to the query
