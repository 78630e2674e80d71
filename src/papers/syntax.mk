# syntax: the systems of rhe, syncattn and treemask with one baseline.  They share corpus,
# segmentation, model and recipe, those of the profile, so that their differences are comparable;
# see heed-papers(7).  Settings that are the same as in the file of a paper are read from there.
syntax.title        = Syntax in attention: three papers on one baseline
syntax.by           = Systems of Zhang et al. 2021 (RHE), Deguchi et al. 2021 (SyncAttn) and \
                      McDonald and Chiang 2021 (tree masks)
syntax.preset       = fairseq
syntax.main         = rhe syncattn treemask controls variants rhe-fig4 \
                      host same headroom
syntax.own          = more heads layers every
syntax.facts        = src/papers/uas.sh
# The corpus sizes of Table 2 of treemask.
syntax.sizes.paper  = 20000 50000 100000 all
syntax.sizes.cpu    = 5000 10000 20000 all
syntax.sizes.smoke  = 500 all

# Preparations.  The sources of treemask are sequences of tree nodes; the other systems read the
# sentence.
syntax.parse                 = src
syntax.parse.both            = both
syntax.prepare.src           = $(bpe) | tree2mask | phrase-rp
syntax.prepare.both          = $(bpe)
$(foreach d,nodes phrases brackets,$(eval syntax.prepare.$(d) = $$(treemask.prepare.$(d))))
syntax.data                  = src

$(foreach v,plain rel-pos localness dea dea-rhe lpea lpea-rhe,\
    $(eval syntax.variant.$(v) = $$(rhe.variant.$(v))))

# The weight of the loss is the same for all pairs.
syntax.variant.dbsa          = $(syncattn.dbsa)
syntax.variant.sync          = $(syncattn.dbsa) -a sync:weight=0.5
syntax.variant.sync-renorm   = $(syncattn.dbsa) -a sync:weight=0.5,map=renorm
$(foreach v,dbsa sync sync-renorm,$(eval syntax.data.$(v) = both))

$(foreach v,nodes mask mask-phrases,\
    $(eval syntax.variant.$(v) = $$(treemask.variant.$(v)))\
    $(eval syntax.data.$(v) = $$(treemask.data.$(v))))
syntax.variant.brackets      = $(treemask.variant.linearized)
syntax.data.brackets         = $(treemask.data.linearized)

# Controls: the same systems with trees that depend only on the length of the sentence.
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

# --- variants of other papers -------------------------------------------------------------------

# Raganato et al. 2020: the default leaves one learned head.  Bugliarello and Okazaki 2020: in the
# first layer; the authors scale 2 of 8 heads and ignore 40% of the parents for their smallest
# English-German corpus.  Wang et al. 2019 and Omote et al. 2019: in all encoder layers; k is that of
# Rel_Pos, and rel-pos-enc has positions in the same places.  Garg et al. 2019: the plain Transformer
# aligns the words.
syntax.variant.fixed          = -a fixed-heads
syntax.variant.fixed-contexts = -a fixed-heads:patterns=left+right+end
syntax.variant.pascal         = -a parent-scaled
syntax.variant.pascal-ignore  = -a parent-scaled:heads=1,ignore=0.4
syntax.variant.structure      = -a structural-position:k=20
syntax.variant.depth          = -a structural-position:by=depth,k=20
syntax.variant.rel-pos-enc    = -a relative:k=20,share_kv=off,decoder=off
syntax.variant.guided         = -a guided-alignment
syntax.aligned.guided         = plain
# With the previous word as head, differences of depth are distances, up to the sign of the position
# of the end-of-sentence token: there is no depth-adjacent.
$(foreach v,pascal-adjacent pascal-random structure-adjacent structure-random depth-random,\
    $(eval syntax.data.$(v)    = src-$(lastword $(subst -, ,$(v))))\
    $(eval syntax.variant.$(v) = $$(syntax.variant.$(firstword $(subst -, ,$(v))))))

# --- trees with relative positions, and headroom -------------------------------------------------

# The plain Transformer has sinusoids only, and gains from all positions that tell left from right,
# even those of random trees.  With Rel_Pos, it has them already.
syntax.variant.rel-mask      = $(syntax.variant.rel-pos) $(syntax.variant.mask)
syntax.variant.rel-dea       = $(syntax.variant.rel-pos) $(syntax.variant.dea)
syntax.variant.rel-lpea      = $(syntax.variant.rel-pos) $(syntax.variant.lpea)
syntax.variant.rel-structure = $(syntax.variant.rel-pos) $(syntax.variant.structure)
syntax.data.rel-mask         = nodes
$(foreach t,adjacent random,$(foreach v,mask dea lpea structure,\
    $(eval syntax.variant.rel-$(v)-$(t) = $$(syntax.variant.rel-$(v)))\
    $(eval syntax.data.rel-$(v)-$(t)    = $(if $(filter mask,$(v)),nodes,src)-$(t))))

# The same systems with another stream of dropout: any difference is due to chance.
$(foreach v,plain rel-pos,$(foreach n,1 2,\
    $(eval syntax.variant.$(v)-aa$(n) = $$(syntax.variant.$(v)) --dropout-seed $(n)00$$(seed))))

# What syntax can add at most: the encoder without self-attention, from the first update; source words in
# random order.
syntax.heads.cpu             = 1-4
syntax.heads.paper           = 1-8
syntax.heads.smoke           = 1-4
syntax.layers                = $(wordlist 1,$(LAYERS),1 2 3 4 5 6 7 8 9 10 11 12)
syntax.every                 = $(foreach l,$(syntax.layers),enc.$(l).self:$(syntax.heads.$(PROFILE)))
syntax.variant.no-self       = -a l0-gate:fixed=$(subst $() ,/,$(strip $(syntax.every)))
syntax.variant.shuffled      =
syntax.data.shuffled         = shuffled
syntax.parse.shuffled        = none
syntax.prepare.shuffled      = heed-show --header --map src=src,tgt=tgt | awk -f $(papers)/shuffle.awk | \
                               heed-pack --tsv --map src=src,tgt=tgt | $(bpe)

# --- ablations of the papers, with the seeds MORE_SEEDS ------------------------------------------

# RHE, Table 2: the pruned model and its baseline both continue from the plain model.
syntax.more.paper    = --updates $(call tenth,$(call setting,syntax,updates,UPDATES))
syntax.more.cpu      = --updates 700 --epochs 0 --patience 0 --schedule constant --lr 0.0007 \
                      --warmup 30
syntax.more.smoke    = --updates 7
syntax.more          = $(syntax.more.$(PROFILE))
syntax.variant.prune = -a redundant-heads:mode=prune $(syntax.more)
syntax.begin.prune   = plain
syntax.variant.longer = $(syntax.more)
syntax.begin.longer   = plain

# RHE, Table 2; Table 3: maximum position k; Figure 4: fixed gates; Table A3: worse parses.
$(foreach v,rel-pos-rhe localness-rhe k0 k2 k4 k8 dea-conf lpea-conf \
    $(foreach g,0.1 0.2 0.3 0.4 0.5,dea-$(g) lpea-$(g)),\
    $(eval syntax.variant.$(v) = $$(rhe.variant.$(v))))
$(foreach t,pcfg corrupt10 corrupt25 corrupt50,\
    $(eval syntax.parse.src-$(t)        = $(t))\
    $(eval syntax.prepare.src-$(t)      = $$(syntax.prepare.src))\
    $(eval syntax.data.lpea-rhe-$(t)    = src-$(t))\
    $(eval syntax.variant.lpea-rhe-$(t) = $$(rhe.variant.lpea-rhe-$(t))))

# SyncAttn: weight of the loss; 0.5 is sync.  Tree masks: separate strengths for each layer.
$(foreach w,0.1 1 10,\
    $(eval syntax.variant.sync-$(w) = $$(syncattn.variant.sync-$(w)))\
    $(eval syntax.data.sync-$(w)    = both))
syntax.variant.mask-layers   = $(treemask.variant.mask-layers)
syntax.data.mask-layers      = nodes

# Choice of model and recipe: one learning rate for all systems, and the smallest sufficient model.
$(foreach v,plain rel-pos dea,\
    $(eval syntax.variant.$(v)-half  = $$(syntax.variant.$(v)) --lr 0.002)\
    $(eval syntax.variant.$(v)-twice = $$(syntax.variant.$(v)) --lr 0.008))
syntax.variant.wide          = --arch width=256,ff=1024 --lr 0.002 --dropout 0.3
syntax.variant.dropout-1     = --dropout 0.1
syntax.variant.dropout-3     = --dropout 0.3

syntax.walk          = lpea-rhe
syntax.plots         = rhe-fig4 treemask-sizes
syntax.over.rhe-fig4 = - value of the fixed gate
syntax.also          = trace-redundant
syntax.trace.redundant = rhe-fig4 dev.redundant.
syntax.maps          = heads-plain heads-lpea-rhe heads-rel-pos heads-localness sync-plain \
                      sync-dbsa sync masks strengths
syntax.map.heads-plain    = plain --site enc.1.self
syntax.map.heads-lpea-rhe = lpea-rhe --site enc.1.self
syntax.map.heads-rel-pos  = rel-pos --site enc.1.self
syntax.map.heads-localness = localness --site enc.1.self
syntax.map.sync-plain     = plain --draw sync --words
syntax.map.sync-dbsa      = dbsa --draw sync --words
syntax.map.masks          = mask --draw masks
syntax.map.sync           = sync --draw sync --words
syntax.map.strengths      = mask --draw strengths --numbers
syntax.caption.heads-plain    = Transformer: attention weights of the first encoder layer
syntax.caption.heads-lpea-rhe = LPEA+RHE: attention weights of the first encoder layer
syntax.caption.heads-rel-pos  = Rel_Pos: attention weights of the first encoder layer
syntax.caption.heads-localness = Localness: attention weights of the first encoder layer
syntax.caption.sync-plain     = Transformer: $(syncattn.matrices)
syntax.caption.sync-dbsa      = DBSA: $(syncattn.matrices)
syntax.caption.masks          = Tree masks: values subtracted from the attention scores of one \
                      sentence
syntax.caption.rhe-fig4       = BLEU against the value of the fixed gate (RHE, Figure 4); \
                      lines: the dynamic gate
syntax.caption.trace-redundant = Fraction of heads that each gate calls redundant (RHE), over training: \
                      mean of the heads and of the development sentences
syntax.caption.treemask-sizes = BLEU against the number of training sentence pairs \
                      (tree masks, Table 2)
syntax.caption.sync           = SyncAttn: $(syncattn.matrices)
syntax.caption.strengths      = Tree masks: strengths by head and by relation of the key to the \
                      query
