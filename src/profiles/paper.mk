# paper: the published sizes, for a cluster.  Recipes are those of the papers' toolkits.
UPDATES    = 100000
BATCH      = 16384
RECIPE     =
SIZE       = base
LAYERS     = 6
ARCH       =
MERGES     = 32000
VALIDATE   = 2000
BEAM       = 5
SEEDS      = 1 2 3
MORE_SEEDS = 1
SEARCH_SEEDS = 1
SEARCH_RUNGS =
