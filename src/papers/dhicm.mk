# dhicm: Goindani, Shrivastava 2021, A Dynamic Head Importance Computation Mechanism for NMT;
# see heed-papers(7)
dhicm.own          = cross module
dhicm.title        = Dynamic head importance (DHICM)
dhicm.by           = Goindani, Shrivastava 2021, A Dynamic Head Importance Computation \
                     Mechanism for Neural Machine Translation
dhicm.preset       = fairseq
dhicm.recipe.paper = --eps 1e-6 --patience 10 --keep-best
dhicm.recipe       = $(RECIPE) --keep-best
dhicm.recipe.cpu   = $(RECIPE)
dhicm.batch.paper  = 8000
dhicm.merges.paper = 10000
dhicm.scored       = tok
dhicm.bleu         = --variant multi-bleu --lc
dhicm.main         = table4 first-search
dhicm.sizes.paper  = 10000 20000 30000 40000 80000 120000 all
dhicm.sizes.cpu    = 5000 10000 all
dhicm.sizes.smoke  = 500 all

# Settings are searched with the plain model: on the whole corpus, as in the paper, which uses the
# result for all sizes, and also at each size.  DHICM starts from these settings; its own two settings
# are searched after that.  The default settings are the first trial of the search retune.  They were not
# among the trials of the first searches, tune, module and module-update, whose runs are kept.
dhicm.searches             = retune retune-module tune module module-update
dhicm.after.retune-module  = retune
dhicm.after.module         = tune
dhicm.after.module-update  = tune

dhicm.variant.base           =
dhicm.variant.searched       =
dhicm.search.searched        = whole/retune
dhicm.variant.sized          =
dhicm.search.sized           = size/retune
dhicm.variant.dhicm-searched =
dhicm.search.dhicm-searched  = whole/retune-module
dhicm.variant.dhicm-sized    =
dhicm.search.dhicm-sized     = size/retune-module

dhicm.variant.optimal =
dhicm.search.optimal  = whole/tune
dhicm.variant.tuned   =
dhicm.search.tuned    = size/tune
dhicm.variant.dhicm   =
dhicm.search.dhicm    = whole/module
dhicm.variant.dhicm-update =
dhicm.search.dhicm-update  = whole/module-update

# Layers with a module; dropout and weight are those of most models in the paper.
dhicm.module                = -a head-importance:dropout=0.2,weight=0.1
dhicm.variant.layers-last   = $(dhicm.module)
dhicm.variant.layers-first  = $(dhicm.module),enc=1,dec=1,cross=1
dhicm.variant.layers-enc    = $(dhicm.module),dec=0,cross=0
dhicm.variant.layers-dec    = $(dhicm.module),enc=0,cross=0
dhicm.variant.layers-cross  = $(dhicm.module),enc=0,dec=0
$(foreach l,last first enc dec cross,$(eval dhicm.search.layers-$(l) = whole/tune))

# Table 2 lists settings.  Figures 1 and 2 show the cross-attention of the last decoder layer,
# trained on the smallest size and on all pairs; Figure 3 the importance of each head for each
# token.
dhicm.also         = found
dhicm.plots        = table4
dhicm.cross        = --site dec.$(LAYERS).cross --words --heads
dhicm.walk         = dhicm-searched
dhicm.maps         = fig1-optimal fig1-dhicm fig2-optimal fig2-dhicm fig3
dhicm.map.fig1-optimal = searched@least $(dhicm.cross) mean
dhicm.map.fig1-dhicm   = dhicm-searched@least $(dhicm.cross) weighted
dhicm.map.fig2-optimal = searched $(dhicm.cross) mean
dhicm.map.fig2-dhicm   = dhicm-searched $(dhicm.cross) weighted
dhicm.map.fig3         = dhicm-searched --draw importance --site enc.$(LAYERS).self
dhicm.caption.table4   = BLEU against the number of training sentence pairs (Table 4)
dhicm.caption.found    = Settings found by the searches (Table 2)
dhicm.caption.fig1-optimal = Figure 1, T-optimal on the smallest size: cross-attention of the \
                             last decoder layer, mean of the heads
dhicm.caption.fig1-dhicm   = Figure 1, DHICM on the smallest size: cross-attention of the last \
                             decoder layer, heads weighted by importance
dhicm.caption.fig2-optimal = Figure 2, T-optimal on all pairs: cross-attention of the last \
                             decoder layer, mean of the heads
dhicm.caption.fig2-dhicm   = Figure 2, DHICM on all pairs: cross-attention of the last decoder \
                             layer, heads weighted by importance
dhicm.caption.fig3     = Figure 3: importance of each head of the last encoder layer for each token
