# rhe: Zhang, Huang, Feng, Cao 2021, Enlivening Redundant Heads in Multi-head Self-attention for MT;
# see heed-papers(7)
rhe.own            = tenth deep
rhe.title          = Enlivening redundant heads (RHE)
rhe.by             = Zhang, Huang, Feng, Cao 2021, Enlivening Redundant Heads in Multi-head \
                     Self-attention for Machine Translation
rhe.preset         = onmt
rhe.recipe.paper   = --save-every 2000 --keep-last 10 --average 10
rhe.bleu           = --variant mteval13a --case
rhe.main           = table1 controls

# Dependencies and phrases of the source.  The preparation is named after its parser (src/forms.mk).
rhe.prepare        = $(bpe) | tree2mask | phrase-rp
rhe.data           = src

# Table 1.  Syntax is used in the first encoder layer only.
rhe.variant.plain     =
rhe.variant.rel-pos   = -a relative:k=20,share_kv=on
rhe.variant.localness = -a localness:first=1,last=1
rhe.variant.dea       = -a dependency-mask
rhe.variant.dea-rhe   = -a dependency-mask -a redundant-heads
rhe.variant.lpea      = -a phrase-position
rhe.variant.lpea-rhe  = -a phrase-position -a redundant-heads

# Table 2.  The pruned model continues from the plain model, for a tenth of its updates.
rhe.tenth                 = $(or $(rhe.tenth.$(PROFILE)),$(call tenth,$(call setting,rhe,updates,UPDATES)))
rhe.tenth.cpu             = 700
rhe.variant.prune         = -a redundant-heads:mode=prune --updates $(rhe.tenth)
rhe.begin.prune           = plain
rhe.variant.rel-pos-rhe   = -a relative:k=20,share_kv=on -a redundant-heads
rhe.variant.localness-rhe = -a localness:first=1,last=1 -a redundant-heads

# Table 3: maximum relative position k; k = 6 is lpea-rhe.
rhe.variant.k0 = -a phrase-position:k=0 -a redundant-heads
rhe.variant.k2 = -a phrase-position:k=2 -a redundant-heads
rhe.variant.k4 = -a phrase-position:k=4 -a redundant-heads
rhe.variant.k8 = -a phrase-position:k=8 -a redundant-heads

# Figure 4: fixed gates.
$(foreach g,0.1 0.2 0.3 0.4 0.5,\
    $(eval rhe.variant.dea-$(g)  = -a dependency-mask -a redundant-heads:gate=fixed,value=$(g))\
    $(eval rhe.variant.lpea-$(g) = -a phrase-position -a redundant-heads:gate=fixed,value=$(g)))

# Table A2: layers with LPEA+RHE, in models of six layers; narrower if the profile has fewer layers.
rhe.deep.cpu       = --arch enc_layers=6,dec_layers=6,width=64,ff=256
rhe.deep.smoke     = --arch enc_layers=6
rhe.deep           = $(rhe.deep.$(PROFILE))
rhe.variant.deep   = $(rhe.deep)
$(foreach l,1-6 1-1 1-2 1-3 1-4 4-6,$(eval rhe.variant.deep-$(l) = $$(rhe.deep) \
    -a phrase-position:first=$(word 1,$(subst -, ,$(l))),last=$(word 2,$(subst -, ,$(l))) \
    -a redundant-heads:first=$(word 1,$(subst -, ,$(l))),last=$(word 2,$(subst -, ,$(l)))))

# Table A3 and controls: other trees, and gates without sigmoid, which can be above the attention to
# syntax or not.  The dynamic gate of the paper is never below 0.5.
$(foreach t,pcfg corrupt10 corrupt25 corrupt50 adjacent random,\
    $(eval rhe.variant.lpea-rhe-$(t) = $(rhe.variant.lpea-rhe))\
    $(eval rhe.data.lpea-rhe-$(t) = $(t)))
rhe.variant.dea-rhe-adjacent = $(rhe.variant.dea-rhe)
rhe.data.dea-rhe-adjacent    = adjacent
rhe.variant.dea-conf         = -a dependency-mask -a redundant-heads:gate=conf
rhe.variant.lpea-conf        = -a phrase-position -a redundant-heads:gate=conf

# Table A1: sizes of the corpora and depth of their trees.
rhe.also           = statistics
rhe.statistics     = src

# Figure 4 as curves.  Figure 5: the heads of the first encoder layer, some of which are redundant.
rhe.plots          = fig4
rhe.over.fig4      = - value of the fixed gate
rhe.walk           = lpea-rhe
rhe.maps           = fig5-plain fig5-lpea-rhe fig5-rel-pos fig5-localness
$(foreach v,plain lpea-rhe rel-pos localness,$(eval rhe.map.fig5-$(v) = $(v) --site enc.1.self))
rhe.caption.fig5-plain     = Figure 5, Transformer: attention weights of the first encoder layer
rhe.caption.fig5-lpea-rhe  = Figure 5, +LPEA+RHE: attention weights of the first encoder layer
rhe.caption.fig5-rel-pos   = Figure 5, +Rel_Pos: attention weights of the first encoder layer
rhe.caption.fig5-localness = Figure 5, +Localness: attention weights of the first encoder layer
rhe.caption.fig4           = Figure 4: BLEU against the value of the fixed gate; lines: the \
                      dynamic gate
rhe.caption.statistics     = Corpus and tree statistics (Table A1)
