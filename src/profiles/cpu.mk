# cpu: real corpora of tens of thousands of pairs on a workstation; the default
SIZE     = small
MERGES   = 8000
UPDATES  = 4000
BATCH    = 4096
WARMUP   = 1000
VALIDATE = 200
BEAM     = 5
