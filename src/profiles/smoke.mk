# smoke: minutes; checks that every stage runs and every table and figure appears
SIZE     = tiny
MERGES   = 1000
UPDATES  = 300
BATCH    = 1024
WARMUP   = 100
VALIDATE = 50
BEAM     = 2
