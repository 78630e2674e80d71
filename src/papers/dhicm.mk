# dhicm: Goindani, Shrivastava 2021, A Dynamic Head Importance Computation Mechanism for NMT;
# see heed-papers(7)
PAPERS            += dhicm
dhicm.title        = Dynamic head importance
dhicm.preset       = fairseq
dhicm.recipe.paper = --eps 1e-6 --patience 10 --keep-best
dhicm.recipe       = $(RECIPE) --keep-best
dhicm.batch.paper  = 8000
dhicm.merges.paper = 10000
dhicm.scored       = tok
dhicm.bleu         = --variant multi-bleu --lc
dhicm.main         = table4
dhicm.sizes.paper  = 10000 20000 30000 40000 80000 120000 all
dhicm.sizes.cpu    = 5000 10000 all
dhicm.sizes.smoke  = 500 all


# Settings are searched on the plain model: on the whole corpus, which the paper takes for all sizes, and
# again at each size, which it does not.  DHICM takes the former, and searches for its own two behind them.
dhicm.searches       = tune module
dhicm.after.module   = tune

dhicm.variant.base    =
dhicm.variant.optimal =
dhicm.search.optimal  = whole/tune
dhicm.variant.tuned   =
dhicm.search.tuned    = size/tune
dhicm.variant.dhicm   =
dhicm.search.dhicm    = whole/module

# Figures: BLEU over sizes; 1 and 2 what the last layer of the decoder looks at.
dhicm.plots        = table4
