# cpu: real corpora of tens of thousands of pairs on a workstation; the default.
# These few numbers hold for all papers' runs; a paper may differ, src/papers/NAME.mk says where.
UPDATES    = 1200
BATCH      = 1024
RECIPE     = --schedule inverse_sqrt --lr 0.004 --warmup 300 --beta2 0.98 --dropout 0.1 --label-smoothing 0.1
SIZE       = small
LAYERS     = 3
ARCH       = width=128,ff=512,tie=all,init=fairseq,pre_norm=on,final_norm=on
MERGES     = 4000
VALIDATE   = 300
BEAM       = 5
SEEDS      = 1 2 3
MORE_SEEDS = 1
SEARCH_SEEDS = 1
SEARCH_RUNGS = 300,1200
