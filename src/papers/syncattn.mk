# syncattn: Deguchi, Tamura, Ninomiya 2021, Synchronous Syntactic Attention for Transformer NMT;
# see heed-papers(7)
syncattn.own          = tgt dbsa weight matrices
syncattn.title        = Synchronous syntactic attention (SyncAttn)
syncattn.by           = Deguchi, Tamura, Ninomiya 2021, Synchronous Syntactic Attention for \
                        Transformer Neural Machine Translation
syncattn.preset       = fairseq
syncattn.arch.paper   = dropout_attention=0.1,dropout_relu=0.1
syncattn.recipe.paper = --lr 7e-4 --warmup 4000
syncattn.batch.paper  = 12000
syncattn.merges.paper = 16000
syncattn.codes.paper  = .src .tgt
syncattn.beam.paper   = 4
syncattn.scored       = tok
syncattn.bleu         = --variant multi-bleu
syncattn.facts        = src/papers/uas.sh
syncattn.main         = table1 controls

# Both sides are parsed.  Without a parser for the target language its head is not supervised.
syncattn.data         = both
syncattn.tgt          = $(if $(call treed,tgt),0.5,0)
syncattn.dbsa         = -a dbsa:enc=1,dec=1,tgt_weight=$(syncattn.tgt)
# Weights of the loss in the paper, by language pair.
syncattn.weight.en-ro = 0.1
syncattn.weight.ja-en = 10
syncattn.weight       = $(or $(syncattn.weight.$(pair)),0.5)

syncattn.variant.plain    =
syncattn.variant.dbsa     = $(syncattn.dbsa)
syncattn.variant.sync     = $(syncattn.dbsa) -a sync:weight=$(syncattn.weight)

# Weights of the loss, and a renormalized target, which has no second softmax.
$(foreach w,0.1 0.5 1 10,$(eval syncattn.variant.sync-$(w) = $$(syncattn.dbsa) -a sync:weight=$(w)))
syncattn.variant.renorm   = $(syncattn.dbsa) -a sync:weight=$(syncattn.weight),map=renorm

# Controls: the head of each word is the previous word.
syncattn.prepare.neighbours      = $(bpe)
syncattn.parse.neighbours        = adjacent-both
syncattn.variant.dbsa-neighbours = -a dbsa:enc=1,dec=1
syncattn.data.dbsa-neighbours    = neighbours
syncattn.variant.sync-neighbours = -a dbsa:enc=1,dec=1 -a sync:weight=$(syncattn.weight)
syncattn.data.sync-neighbours    = neighbours

# Figures 2 to 4: the supervised heads E and D, the cross-attention C, C E C' and D'.
syncattn.walk      = sync
syncattn.maps      = fig2-plain fig2-dbsa fig2-sync
$(foreach v,plain dbsa sync,$(eval syncattn.map.fig2-$(v) = $(v) --draw sync --words))
syncattn.matrices           = encoder head E, cross-attention C, decoder head D, C E C' and D' of \
                      one sentence
syncattn.caption.fig2-plain = Figures 2 to 4, Transformer: $(syncattn.matrices)
syncattn.caption.fig2-dbsa  = Figures 2 to 4, DBSA: $(syncattn.matrices)
syncattn.caption.fig2-sync  = Figures 2 to 4, SyncAttn: $(syncattn.matrices)
