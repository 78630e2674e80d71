# cpu: the default, for corpora of tens of thousands of pairs on a workstation.  All papers share
# one small model and one recipe, with at most 30 epochs; the sections rates and models of
# src/papers/syntax.grid are the study that chose them.  Exceptions are in src/papers/NAME.mk.
UPDATES    =
BATCH      = 2048
RECIPE     = --schedule inverse_sqrt --lr 0.004 --warmup 400 --beta2 0.98 --dropout 0.2 --label-smoothing 0.1 \
             --precision bf16 --epochs 30 --patience 5 --save-every 100 --keep-last 5 --average 5
SIZE       = small
LAYERS     = 3
ARCH       = width=128,ff=512,tie=all,init=fairseq,pre_norm=on,final_norm=on,dropout_attention=0,dropout_relu=0
MERGES     = 4000
VALIDATE   = 0
BEAM       = 5
SEEDS      = 1 2 3
MORE_SEEDS = 1
SEARCH_SEEDS = 1
SEARCH_RUNGS =
