# dhicm-deep: the systems of dhicm in a deep model with layer normalization after the sublayers and
# much dropout, as in the paper; see heed-papers(7)
dhicm-deep.own        = regularized module
dhicm-deep.title      = Dynamic head importance (DHICM) in a deep post-norm model
dhicm-deep.by         = $(dhicm.by)
dhicm-deep.preset     = fairseq
dhicm-deep.merges.paper = 10000
dhicm-deep.batch.paper = 8000
dhicm-deep.recipe.paper = $(dhicm.recipe.paper)
dhicm-deep.scored     = tok
dhicm-deep.bleu       = --variant multi-bleu --lc
dhicm-deep.main       = systems
dhicm-deep.sizes      = 10000
dhicm-deep.sizes.smoke = 500

# Widths are those of dhicm with this profile.  The warm-up is long and the rate low, since with the
# normalization after the sublayers these models diverge at the rate of the other papers.
dhicm-deep.arch.cpu   = enc_layers=6,dec_layers=6,width=128,ff=512,tie=all,init=fairseq,pre_norm=off,final_norm=off
dhicm-deep.recipe.cpu = --schedule inverse_sqrt --lr 0.001 --warmup 1000 --beta2 0.98 --label-smoothing 0.1 \
                        --precision bf16 --epochs 40 --patience 10 --save-every 100 --keep-last 5 --average 5

# The default settings of the paper, and those that its search found for German-English.
dhicm-deep.variant.base    = --arch heads=8,dropout_attention=0,dropout_relu=0 --dropout 0.1
dhicm-deep.regularized     = --arch heads=4,dropout_attention=0.1,dropout_relu=0.3 --dropout 0.5
dhicm-deep.module          = $(dhicm-deep.regularized) -a head-importance:norm=per-token-of-update,dropout=0.5
dhicm-deep.variant.optimal = $(dhicm-deep.regularized)
dhicm-deep.variant.dhicm   = $(dhicm-deep.module),weight=0.1
dhicm-deep.variant.dhicm-0 = $(dhicm-deep.module),weight=0
dhicm-deep.variant.dhicm-out = $(dhicm-deep.module),weight=0.1,keep_out=on
