# smoke: a self-test of some minutes, which makes every table and figure.  Its models are too small
# for the scores to mean anything.
UPDATES    = 60
BATCH      = 512
RECIPE     = --schedule inverse_sqrt --lr 0.003 --warmup 20
SIZE       = tiny
LAYERS     = 2
ARCH       = width=32,ff=64,tie=all,pre_norm=on,final_norm=on
MERGES     = 300
VALIDATE   = 20
BEAM       = 1
SEEDS      = 1 2
MORE_SEEDS = 1
SEARCH_SEEDS = 1
SEARCH_RUNGS =
