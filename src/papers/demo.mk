# demo: no paper, the plain Transformer from package to BLEU; see heed-pipeline(7)
PAPERS            += demo
demo.title         = The plain Transformer, end to end
demo.seeds         = 1
demo.variants      = plain
demo.variant.plain =
demo.arch          = tie=all,dropout_attention=0.1,dropout_relu=0.1
demo.options       = --lr 1e-3
demo.updates.cpu   = 700
demo.warmup.cpu    = 300
demo.validate.cpu  = 100
