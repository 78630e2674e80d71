# voita: Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head Self-Attention: Specialized
# Heads Do the Heavy Lifting, the Rest Can Be Pruned; see heed-papers(7)
voita.own           = extra total frozen encoder coefs learn coef gates fixed step more
voita.title         = The story of heads
voita.by            = Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head Self-Attention: \
                      Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned
voita.preset        = story
voita.batch.paper   = 16000
voita.merges.paper  = 32000
voita.codes.paper   = .src .tgt
voita.beam          = 4
voita.beam.smoke    = 1
voita.main          = main encoder
# Maps of layers and heads need some of both; heads are of 32.  Base is trained until it has converged; the
# average is of the last models, and models along the way are for roles against updates.
voita.arch.cpu      = enc_layers=6,dec_layers=6,width=256,ff=1024,heads=8,tie=all,init=fairseq,pre_norm=on,final_norm=on,dropout_attention=0,dropout_relu=0
voita.arch.smoke    = $(ARCH),heads=4
voita.batch.cpu     = 2048
voita.merges.cpu    = 4000
voita.validate.cpu  = 250
voita.updates.cpu   = 0
voita.updates.smoke = 200
voita.recipe.paper  = --save-every 2000 --keep-last 10 --average 10 --keep-every 10000
voita.recipe.cpu    = --precision bf16 --schedule inverse_sqrt --lr 0.003 --warmup 400 --beta2 0.98 --dropout 0.3 \
                      --label-smoothing 0.1 --epochs 30 --patience 5 --save-every 100 --keep-last 5 --average 5 \
                      --keep-every 400
voita.recipe.smoke  = $(RECIPE) --save-every 20 --keep-last 2 --average 2 --keep-every 40

# What heads do is looked at on so many parsed sentences; so many types are not rare.
voita.parse.probe   = src
voita.probe.paper   = 50000
voita.probe.cpu     = 1000
voita.probe.smoke   = 60
voita.few.paper     = 500
voita.few.cpu       = 200
voita.few.smoke     = 10
voita.heads.smoke   = --frequent 50
voita.facts         = src/papers/heads.sh

# Every run but those from scratch goes on from base for as many updates, with what is told of gates
# and of heads that are closed from the start.
voita.variant.base   =
voita.more.paper     = 50000
voita.more.cpu       = 1200
voita.more.smoke     = 60
voita.extra.paper    = --keep-every 0
voita.extra.cpu      = --epochs 0 --patience 0 --schedule constant --lr 0.0007 --warmup 30 --keep-every 0
voita.extra.smoke    = --schedule constant --lr 0.003 --warmup 1 --keep-every 0
voita.extra          = --updates $(voita.more.$(PROFILE)) $(voita.extra.$(PROFILE))
voita.variant.longer = $(voita.extra)
voita.begin.longer   = base

# The encoder's heads: the decoder stays as it is, so that it does not take over what they did, and
# with it, where both sides share them, the embeddings.
voita.frozen.paper   = 'dec.*' 'tgt.*' 'output.*'
voita.frozen         = $(or $(voita.frozen.$(PROFILE)),'dec.*' 'embed.*')
voita.encoder        = $(addprefix --freeze ,$(voita.frozen)) $(voita.extra)
voita.variant.longer-enc = $(voita.encoder)
voita.begin.longer-enc   = base

# Penalty coefficients, from those that retain the most heads.  In short runs gates begin open, so that
# there is nothing to recover from, and learn faster than weights.
voita.coefs.enc.paper = 0.01 0.02 0.05 0.1 0.2 0.5
voita.coefs.all.paper = 0.02 0.05 0.1 0.2
voita.coefs.enc.cpu   = 0.0003 0.001 0.0025 0.005 0.01 0.03
voita.coefs.all.cpu   = 0.05 0.1 0.2 0.4
voita.coefs.enc.smoke = 0.0001 0.0003 0.001 0.002 0.003 0.01
voita.coefs.all.smoke = 0.001 0.003 0.01 0.03
voita.learn.cpu        = ,rate=50,init=2.5
voita.learn.smoke      = ,rate=30,init=1
voita.coef  = $(word $(2),$(voita.coefs.$(1).$(PROFILE)))
voita.gates = -a l0-gate:at=$(1),coef=$(voita.coef)$(voita.learn.$(PROFILE))
$(foreach n,1 2 3 4 5 6,\
    $(eval voita.variant.enc-$(n) = $$(call voita.gates,enc,$(n)) $$(voita.encoder))\
    $(eval voita.begin.enc-$(n) = base))
$(foreach n,1 2 3 4,\
    $(eval voita.variant.all-$(n) = $$(call voita.gates,all,$(n)) $$(voita.extra))\
    $(eval voita.begin.all-$(n) = base))

# From scratch: the updates of base, as many as it took, and those after it.  In a plan, where the list of
# closed heads has a name instead (src/ledger.mk), so does base's number; a list may be empty.
voita.total = $(if $(filter @%,$(closed)),\
                  @base+$(voita.more.$(PROFILE)),\
                  $(shell nmt-info $(W)/run/voita/$(column)/base/$(seed)/model.tar | \
                      awk '$$1 == "step" { print $$2 + $(voita.more.$(PROFILE)) }'))

# Heads that are closed from the start: those that gates closed, from scratch; and as many as enc-4
# closed, by what is known of base's heads, or at random, in three draws.
voita.fixed = $(if $(closed),-a l0-gate:fixed=$(closed))
$(foreach n,1 2 3 4,\
    $(eval voita.variant.scratch-$(n) = $$(voita.fixed) --epochs 0 --patience 0 --keep-every 0 --updates $$(voita.total))\
    $(eval voita.closed.scratch-$(n) = all-$(n) gate))
$(foreach m,gradient relevance confidence random-1 random-2 random-3,\
    $(eval voita.variant.$(m) = $$(voita.fixed) $$(voita.encoder))\
    $(eval voita.begin.$(m) = base)\
    $(eval voita.closed.$(m) = enc-4 $(m)))

# Without the heads whose gates are closed they translate.
$(foreach v,$(addprefix enc-,1 2 3 4 5 6) $(addprefix all-,1 2 3 4) $(addprefix scratch-,1 2 3 4) \
    gradient relevance confidence random-1 random-2 random-3,$(eval voita.tested.$(v) = pruned))

# What is told of heads, beside tables of runs.
voita.walk      = base
voita.studied   = base $(addprefix enc-,1 2 3 4 5 6) $(addprefix all-,1 2 3 4)
voita.timed     = base enc-4 enc-6 all-2 all-4
voita.timed-on  = 1000
voita.gated     = enc-4
voita.compared  = relevance,relevance.raw,confidence,entropy,gradient,ablation,positional,rare
voita.also      = syntax rare kept roles heads speed measures roles-updates posthoc-encoder posthoc-all \
                  posthoc-bleu
voita.brief     = measures posthoc-encoder posthoc-all posthoc-bleu
# Curves without retraining, on the test set: measures come from the development set.
voita.posthoc          = encoder all bleu
voita.posthoc-by       = --by relevance,relevance.raw,confidence,gradient,gradient.raw,ablation,positional \
                         --reverse entropy --random 10
voita.step.paper       = 1
voita.step.cpu         = 2
voita.step.smoke       = 2
voita.curve.encoder    = --site enc-self --step $(voita.step.$(PROFILE))
voita.curve.all        = --points 19
voita.curve.bleu       = --site enc-self --points 7 --bleu
voita.curve-on.encoder = 1000
voita.curve-on.all     = 1000
voita.curve-on.bleu    = 300
voita.plots     = encoder attention
voita.head-maps = relevance confidence offsets layers drift gates
voita.over.encoder   = heads.enc-self retained heads of the encoder
voita.over.attention = heads retained heads
voita.caption.encoder    = BLEU by the heads that the encoder has left
voita.caption.attention  = BLEU by the heads that the model has left
voita.caption.syntax     = How often the best head of the encoder looks along a dependency, in per cent
voita.caption.rare       = How often heads look at the rarest token of a sentence, in per cent
voita.caption.kept       = Heads that stay, by kind and layer
voita.caption.roles      = What the heads of the encoder do that stay
voita.caption.heads      = All heads
voita.caption.speed      = Sentences a second on one thread, all translations as long as references are \
                           on average
voita.caption.measures   = How alike measures order the heads of the whole model
voita.caption.roles-updates = Heads of the encoder along the updates of base: shares, and the thresholds of roles
voita.caption.posthoc-encoder = Encoder heads masked one after another, without retraining
voita.caption.posthoc-all = All heads masked one after another, without retraining
voita.caption.posthoc-bleu = Encoder heads masked one after another, without retraining: BLEU of greedy search
voita.caption.relevance  = Relevance of heads (LRP); p positional, s syntactic, r rare words
voita.caption.confidence = Confidence of heads; p positional, s syntactic, r rare words
voita.caption.offsets    = Where heads look: the share of each offset
voita.caption.layers     = Heads that stay in each layer, by run and heads in all
voita.caption.drift      = Confidence and role of the retained heads of the encoder
voita.caption.gates      = Gates while they are trained, coefficient 4
