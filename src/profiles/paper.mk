# paper: the published sizes; for a cluster and patience
SIZE     = base
MERGES   = 32000
UPDATES  = 100000
BATCH    = 16384
WARMUP   = 4000
VALIDATE = 2000
BEAM     = 5
