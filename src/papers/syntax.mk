# syntax: the systems of rhe, syncattn and treemask on one baseline: one corpus, segmentation, model and
# recipe, which are the profile's, so that their differences can be compared; see heed-papers(7)
syntax.title        = Syntax in attention, on one baseline
syntax.by           = The systems of Zhang et al. 2021 (RHE), Deguchi et al. 2021 (SyncAttn) and McDonald and \
                      Chiang 2021 (tree masks)
syntax.preset       = fairseq
syntax.main         = rhe syncattn treemask controls
syntax.own          = nodes phrases brackets tgt dbsa more
syntax.facts        = src/papers/uas.sh
# The sizes of treemask's Table 2.
syntax.sizes.paper  = 20000 50000 100000 all
syntax.sizes.cpu    = 5000 10000 20000 all
syntax.sizes.smoke  = 500 all

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

# --- ablations of the papers; MORE_SEEDS seeds each ---------------------------------------------

# RHE, Table 2: pruning continues from the plain model, and so does the model that it is compared with.
syntax.more.paper    = --updates $(call tenth,$(call setting,syntax,updates,UPDATES))
syntax.more.cpu      = --updates 700 --epochs 0 --patience 0 --schedule constant --lr 0.0007 --warmup 30
syntax.more.smoke    = --updates 7
syntax.more          = $(syntax.more.$(PROFILE))
syntax.variant.prune = -a redundant-heads:mode=prune $(syntax.more)
syntax.begin.prune   = plain
syntax.variant.longer = $(syntax.more)
syntax.begin.longer   = plain
syntax.variant.rel-pos-rhe   = $(syntax.variant.rel-pos) -a redundant-heads
syntax.variant.localness-rhe = $(syntax.variant.localness) -a redundant-heads

# RHE, Table 3: the largest position k; 6 is lpea-rhe.  Figure 4: fixed gates.  Table A3: worse parses.
$(foreach k,0 2 4 8,$(eval syntax.variant.k$(k) = -a phrase-position:k=$(k) -a redundant-heads))
$(foreach g,0.1 0.2 0.3 0.4 0.5,\
    $(eval syntax.variant.dea-$(g)  = -a dependency-mask -a redundant-heads:gate=fixed,value=$(g))\
    $(eval syntax.variant.lpea-$(g) = -a phrase-position -a redundant-heads:gate=fixed,value=$(g)))
syntax.variant.lpea-conf     = -a phrase-position -a redundant-heads:gate=conf
$(foreach t,pcfg corrupt10 corrupt25 corrupt50,\
    $(eval syntax.parse.src-$(t)        = $(t))\
    $(eval syntax.prepare.src-$(t)      = $$(syntax.prepare.src))\
    $(eval syntax.data.lpea-rhe-$(t)    = src-$(t))\
    $(eval syntax.variant.lpea-rhe-$(t) = $$(syntax.variant.lpea-rhe)))

# SyncAttn: the weight of the loss; 0.5 is sync.  Tree masks: a table of strengths for each layer.
$(foreach w,0.1 1 10,\
    $(eval syntax.variant.sync-$(w) = $$(syntax.dbsa) -a sync:weight=$(w))\
    $(eval syntax.data.sync-$(w)    = both))
syntax.variant.mask-layers   = -a relation-mask:share=layer $(syntax.nodes.$(PROFILE))
syntax.data.mask-layers      = nodes

# How model and recipe were chosen: is one learning rate fair to all systems, how small may the model be?
$(foreach v,plain rel-pos dea,\
    $(eval syntax.variant.$(v)-half  = $$(syntax.variant.$(v)) --lr 0.002)\
    $(eval syntax.variant.$(v)-twice = $$(syntax.variant.$(v)) --lr 0.008))
syntax.variant.wide          = --arch width=256,ff=1024 --lr 0.002
syntax.variant.dropout-1     = --dropout 0.1
syntax.variant.dropout-2     = --dropout 0.2

syntax.walk          = lpea-rhe
syntax.plots         = rhe-fig4 treemask-sizes
syntax.maps          = heads-plain heads-lpea-rhe heads-rel-pos heads-localness sync-plain sync-dbsa sync masks strengths
syntax.map.heads-plain    = plain --site enc.1.self
syntax.map.heads-lpea-rhe = lpea-rhe --site enc.1.self
syntax.map.heads-rel-pos  = rel-pos --site enc.1.self
syntax.map.heads-localness = localness --site enc.1.self
syntax.map.sync-plain     = plain --draw sync --words
syntax.map.sync-dbsa      = dbsa --draw sync --words
syntax.map.masks          = mask --draw masks
syntax.map.sync           = sync --draw sync --words
syntax.map.strengths      = mask --draw strengths --numbers
syntax.caption.heads-plain    = Transformer: the heads of the first encoder layer
syntax.caption.heads-lpea-rhe = LPEA+RHE: the heads of the first encoder layer
syntax.caption.heads-rel-pos  = Rel_Pos: the heads of the first encoder layer
syntax.caption.heads-localness = Localness: the heads of the first encoder layer
syntax.caption.sync-plain     = Transformer: E, C, D, C E C' and D' of a sentence
syntax.caption.sync-dbsa      = DBSA: E, C, D, C E C' and D' of a sentence
syntax.caption.masks          = Relation mask: what the masks subtract from the scores of a sentence
syntax.caption.rhe-fig4       = BLEU by fixed gate (RHE, Figure 4), and with the dynamic one
syntax.caption.treemask-sizes = BLEU by number of training pairs (tree masks, Table 2)
syntax.caption.sync           = SyncAttn: E, C, D, C E C' and D' of a sentence
syntax.caption.strengths      = Relation mask: strengths by head and relation of the key to the query
