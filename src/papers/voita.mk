# voita: Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head Self-Attention: Specialized
# Heads Do the Heavy Lifting, the Rest Can Be Pruned; see heed-papers(7)
PAPERS             += voita
voita.title         = The story of heads
voita.by            = Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head Self-Attention: \
                      Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned
voita.preset        = story
voita.batch.paper   = 16000
voita.merges.paper  = 32000
voita.codes.paper   = .src .tgt
voita.beam          = 4
voita.main          = main
# Maps of layers and heads need some of both.
voita.arch.cpu      = $(ARCH),enc_layers=6,dec_layers=6,heads=8
voita.arch.smoke    = $(ARCH),heads=4

# What heads do is looked at on so many parsed sentences; so many types are not rare.
voita.parse.probe   = src
voita.probe.paper   = 50000
voita.probe.cpu     = 1000
voita.probe.smoke   = 60
voita.heads.smoke   = --frequent 50
voita.facts         = src/papers/heads.sh

# Every run but those from scratch goes on from base for as many updates, with what is told of gates
# and of heads that are closed from the start.
voita.variant.base   =
voita.extra.paper    = --updates 50000
voita.extra.cpu      = --updates 400 --schedule constant --lr 0.002 --warmup 30
voita.extra.smoke    = --updates 40 --schedule constant --lr 0.003 --warmup 1
voita.extra          = $(voita.extra.$(PROFILE))
voita.variant.longer = $(voita.extra)
voita.begin.longer   = base

# The encoder's heads: the decoder stays as it is, so that it does not take over what they did, and
# with it, where both sides share them, the embeddings.
voita.frozen.paper   = 'dec.*' 'tgt.*' 'output.*'
voita.frozen         = $(or $(voita.frozen.$(PROFILE)),'dec.*' 'embed.*')
voita.encoder        = $(addprefix --freeze ,$(voita.frozen)) $(voita.extra)
voita.variant.longer-enc = $(voita.encoder)
voita.begin.longer-enc   = base

# Prices of an open gate, from those that leave the most heads; in short runs gates learn faster.
voita.prices.enc.paper = 0.01 0.02 0.05 0.1 0.2 0.5
voita.prices.all.paper = 0.02 0.05 0.1 0.2
voita.prices.enc.cpu   = 0.0005 0.001 0.002 0.005 0.01 0.03
voita.prices.all.cpu   = 0.003 0.01 0.03 0.1
voita.prices.enc.smoke = 0.001 0.003 0.01 0.03 0.1 0.3
voita.prices.all.smoke = 0.003 0.01 0.03 0.1
voita.rate.cpu         = ,rate=10
voita.rate.smoke       = ,rate=30
voita.price = $(word $(2),$(voita.prices.$(1).$(PROFILE)))
voita.gates = -a l0-gate:at=$(1),coef=$(voita.price)$(voita.rate.$(PROFILE)),test=round
$(foreach n,1 2 3 4 5 6,\
    $(eval voita.variant.enc-$(n) = $$(call voita.gates,enc,$(n)) $$(voita.encoder))\
    $(eval voita.begin.enc-$(n) = base))
$(foreach n,1 2 3 4,\
    $(eval voita.variant.all-$(n) = $$(call voita.gates,all,$(n)) $$(voita.extra))\
    $(eval voita.begin.all-$(n) = base))

# Heads that are closed from the start: those that gates closed, from scratch; and as many as enc-4
# closed, by what is known of base's heads.
voita.closed = $(if $(closed),-a l0-gate:fixed=$(closed))
$(foreach n,1 2 3 4,\
    $(eval voita.variant.scratch-$(n) = $$(voita.closed))\
    $(eval voita.closed.scratch-$(n) = all-$(n) gate))
$(foreach m,confidence random,\
    $(eval voita.variant.$(m) = $$(voita.closed) $$(voita.encoder))\
    $(eval voita.begin.$(m) = base)\
    $(eval voita.closed.$(m) = enc-4 $(m)))

# What is told of heads, beside tables of runs.
voita.walk           = base
voita.studied        = base
voita.also           = syntax rare
voita.caption.syntax = How often the best head of the encoder looks where a dependency leads, in per cent
voita.caption.rare   = How often heads of the first layer look at the rarest token of a sentence, in per cent
voita.plots          = encoder attention
voita.over.encoder   = heads.enc-self heads of the encoder that stay
voita.over.attention = heads heads that stay
voita.head-maps      = confidence
voita.caption.encoder    = BLEU by the heads that the encoder has left
voita.caption.attention  = BLEU by the heads that the model has left
voita.caption.confidence = Confidence of heads; p positional, s syntactic, r rare words
