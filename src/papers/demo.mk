# demo: no paper, the plain Transformer from package to BLEU; see heed-pipeline(7)
PAPERS            += demo
demo.title         = The plain Transformer, end to end
demo.seeds         = 1
demo.variants      = plain
demo.variant.plain =
demo.arch          = tie=all,dropout_attention=0.1,dropout_relu=0.1
demo.options       = --lr 1e-3

# The default profile's run takes about ten minutes on two processors.
demo.updates.cpu   = 900
demo.batch.cpu     = 2048
demo.warmup.cpu    = 400
demo.validate.cpu  = 150
