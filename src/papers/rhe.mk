# rhe: Zhang, Huang, Feng, Cao 2021, Enlivening Redundant Heads in Multi-head Self-attention for MT;
# see heed-papers(7)
PAPERS            += rhe
rhe.title          = Enlivening redundant heads
rhe.preset         = onmt
rhe.bleu           = --variant mteval13a --case
rhe.recipe.paper   = --save-every 2000 --keep-last 10 --average 10

# Dependencies and phrases of the source, whose parser stands behind the preparation's name.
rhe.prepare        = $(bpe) | tree2mask | phrase-rp
rhe.data           = src

rhe.variant.plain     =
rhe.variant.rel-pos   = -a relative:k=20,share_kv=on
rhe.variant.localness = -a localness:first=1,last=1
rhe.variant.dea       = -a dependency-mask
rhe.variant.dea-rhe   = -a dependency-mask -a redundant-heads
rhe.variant.lpea      = -a phrase-position
rhe.variant.lpea-rhe  = -a phrase-position -a redundant-heads
