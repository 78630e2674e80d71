# demo: the plain Transformer from fetched packages to BLEU; see heed-pipeline(7)
demo.title         = Demo: the plain Transformer from text to BLEU
demo.seeds         = 1
demo.samples       = 12
demo.variant.plain =
demo.arch          = tie=all,dropout_attention=0.1,dropout_relu=0.1

demo.recipe.smoke  = --lr 1e-3 --warmup 100
demo.updates.smoke = 300
demo.batch.smoke   = 1024
demo.merges.smoke  = 1000
demo.validate.smoke = 50
# In the default profile the run takes about ten minutes on two processors.
demo.recipe        = --lr 1e-3 --warmup 400
demo.updates.cpu   = 900
demo.batch.cpu     = 2048
demo.merges.cpu    = 8000
demo.validate.cpu  = 150
