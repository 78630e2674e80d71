# voita: Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head Self-Attention:
# Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned; see heed-papers(7)
voita.own           = extra total long retrained frozen encoder coefs learn coef gates fixed step more retain ramp \
                      importance target subset curved precise
voita.title         = The story of heads
voita.by            = Voita, Talbot, Moiseev, Sennrich, Titov 2019, Analyzing Multi-Head \
                      Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned
voita.preset        = story
voita.batch.paper   = 16000
voita.merges.paper  = 32000
voita.codes.paper   = .src .tgt
voita.beam          = 4
voita.beam.smoke    = 1
voita.main          = main encoder long
# Six layers of eight heads of size 32, so that maps over layers and heads are informative.  Base
# is trained for 30 epochs and averaged over its last models; intermediate models are kept for roles
# against updates.
voita.arch.cpu      = enc_layers=6,dec_layers=6,width=256,ff=1024,heads=8,tie=all,init=fairseq,pre_norm=on,final_norm=on,dropout_attention=0,dropout_relu=0
voita.arch.smoke    = $(ARCH),heads=4
voita.batch.cpu     = 2048
voita.merges.cpu    = 4000
voita.validate.cpu  = 250
voita.updates.cpu   = 0
voita.updates.smoke = 200
voita.recipe.paper  = --save-every 2000 --keep-last 10 --average 10 --keep-every 10000
voita.recipe.cpu    = --precision bf16 --schedule inverse_sqrt --lr 0.003 --warmup 400 \
                      --beta2 0.98 --dropout 0.3 --label-smoothing 0.1 --epochs 30 --patience 5 \
                      --save-every 100 --keep-last 5 --average 5 \
                      --keep-every 400
voita.recipe.smoke  = $(RECIPE) --save-every 20 --keep-last 2 --average 2 --keep-every 40

# Parsed sentences on which heads are described; --frequent: word types that are not rare.
voita.parse.probe   = src
voita.probe.paper   = 50000
voita.probe.cpu     = 1000
voita.probe.smoke   = 60
voita.few.paper     = 500
voita.few.cpu       = 200
voita.few.smoke     = 10
voita.heads.smoke   = --frequent 50
voita.facts         = src/papers/heads.sh

# All runs but those from scratch continue from base for the same number of updates, with gates,
# or with heads that are masked from the first of these updates.
voita.variant.base   =
voita.more.paper     = 50000
voita.more.cpu       = 1200
voita.more.smoke     = 60
voita.extra.paper    = --keep-every 0
voita.extra.cpu      = --epochs 0 --patience 0 --schedule constant --lr 0.0007 --warmup 30 \
                      --keep-every 0
voita.extra.smoke    = --schedule constant --lr 0.003 --warmup 1 --keep-every 0
voita.extra          = --updates $(voita.more.$(PROFILE)) $(voita.extra.$(PROFILE))
voita.variant.longer = $(voita.extra)
voita.begin.longer   = base

# Encoder heads: the decoder is frozen, so that it cannot compensate for pruned heads.  Embeddings
# that both sides share are frozen with it.
voita.frozen.paper   = 'dec.*' 'tgt.*' 'output.*'
voita.frozen         = $(or $(voita.frozen.$(PROFILE)),'dec.*' 'embed.*')
voita.encoder        = $(addprefix --freeze ,$(voita.frozen)) $(voita.extra)
voita.variant.longer-enc = $(voita.encoder)
voita.begin.longer-enc   = base

# Penalty coefficients in ascending order, λ1 first.  The penalty is a mean over layers, so that those
# of the encoder alone are smaller than those of all attention.  In PROFILE=cpu, they were chosen by the
# number of retained heads, not by scores.  In short runs gates begin open, so that the model does not
# have to recover, and have a higher learning rate than the weights.
voita.coefs.enc.paper = 0.01 0.02 0.05 0.1 0.2 0.5
voita.coefs.all.paper = 0.02 0.05 0.1 0.2
voita.coefs.enc.cpu   = 0.005 0.01 0.02 0.04 0.08 0.16
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

# Exactly as many heads of all attention: gates with a target, and differentiable subset pruning.
# ramp: updates in which the target or the temperature falls.  The authors' program for translation
# has importances with 285 times the learning rate of the weights; with 50, importances do not
# outgrow their noise in so few updates, and the last updates train other heads than those that
# remain.
voita.retain.paper     = 36
voita.retain.cpu       = 36
voita.retain.smoke     = 6
voita.ramp.paper       = 10000
voita.ramp.cpu         = 400
voita.ramp.smoke       = 20
voita.importance.paper = ,rate=100
voita.importance.cpu   = ,rate=200
voita.importance.smoke = ,rate=30
voita.target = target=$(voita.retain.$(PROFILE)),warmup=$(voita.ramp.$(PROFILE))$(voita.learn.$(PROFILE))
voita.subset = heads=$(voita.retain.$(PROFILE)),anneal=$(voita.ramp.$(PROFILE))$(voita.importance.$(PROFILE))
voita.variant.target = -a l0-gate:at=all,$(voita.target) $(voita.extra)
voita.variant.subset = -a subset:at=all,$(voita.subset) $(voita.extra)
voita.begin.target   = base
voita.begin.subset   = base

# From scratch: the number of updates of base and of the pruned model together.  In a plan, where
# the list of masked heads is given by name (src/ledger.mk), the updates of base are given by
# name, too.
voita.total = $(if $(filter @%,$(closed)),\
                  @base+$(voita.more.$(PROFILE)),\
                  $(shell nmt-info $(W)/run/voita/$(column)/base/$(seed)/model.tar | \
                      awk '$$1 == "step" { print $$2 + $(voita.more.$(PROFILE)) }'))

# Heads that are masked from the first update: from scratch, those that gates closed; continuing
# from base, the same number as enc-4 closed: those with the lowest values of a measure, random ones
# in three draws, or those of the last layers, since gates retain mainly the first layer.  all-HOW:
# heads of all attention, the same number as target closed.
voita.fixed = $(if $(closed),-a l0-gate:fixed=$(closed))
$(foreach n,1 2 3 4,\
    $(eval voita.variant.scratch-$(n) = $$(voita.fixed) --epochs 0 --patience 0 --keep-every 0 \
        --updates $$(voita.total))\
    $(eval voita.closed.scratch-$(n) = all-$(n) gate))
$(foreach m,gradient relevance confidence first random-1 random-2 random-3,\
    $(eval voita.variant.$(m) = $$(voita.fixed) $$(voita.encoder))\
    $(eval voita.begin.$(m) = base)\
    $(eval voita.closed.$(m) = enc-4 $(m)))
$(foreach m,gradient random-1 random-2 random-3,\
    $(eval voita.variant.all-$(m) = $$(voita.fixed) $$(voita.extra))\
    $(eval voita.begin.all-$(m) = base)\
    $(eval voita.closed.all-$(m) = target all-$(m)))

# A second base, for pruning against training from scratch: the first one is worse than models from
# scratch with fewer heads, and is not improved by fine-tuning at a constant rate.  All runs end at the rate
# 0, so that none of them is stopped in the middle of a schedule: base-long, and those that continue from
# it, with a schedule of their own; and those from scratch, for the total number of updates.  With the
# mean rate, the gates have the same rate as in the runs above.
voita.long.paper     = 200000
voita.long.cpu       = 8000
voita.long.smoke     = 200
voita.long.recipe    = --schedule linear --epochs 0 --patience 0 --keep-every 0
voita.retrained.paper = --updates $(voita.more.paper) --lr 0.0001 --warmup 1000
voita.retrained.cpu  = --updates $(voita.more.cpu) --lr 0.001 --warmup 30
voita.retrained.smoke = --updates $(voita.more.smoke) --lr 0.003 --warmup 1
voita.retrained      = $(voita.long.recipe) $(voita.retrained.$(PROFILE))
voita.retrained.gates = -a l0-gate:at=all,coef=$(call voita.coef,all,$(1))$(subst rate=50,rate=70,$(voita.learn.$(PROFILE)))
voita.long.total     = $(shell echo $$(($(voita.long.$(PROFILE)) + $(voita.more.$(PROFILE)))))
voita.variant.base-long    = $(voita.long.recipe) --updates $(voita.long.$(PROFILE))
voita.variant.longer-long  = $(voita.retrained)
voita.begin.longer-long    = base-long
$(foreach n,2 3,\
    $(eval voita.variant.all-$(n)-long = $$(call voita.retrained.gates,$(n)) $$(voita.retrained))\
    $(eval voita.begin.all-$(n)-long = base-long)\
    $(eval voita.tested.all-$(n)-long = pruned))
voita.variant.scratch-long = $(voita.long.recipe) --updates $(voita.long.total)
voita.variant.scratch-2-long = $(voita.fixed) $(voita.variant.scratch-long)
voita.closed.scratch-2-long = all-2-long gate
voita.tested.scratch-2-long = pruned

# These runs translate with the pruned model.
$(foreach v,$(addprefix enc-,1 2 3 4 5 6) $(addprefix all-,1 2 3 4) $(addprefix scratch-,1 2 3 4) \
    target subset gradient relevance confidence first random-1 random-2 random-3 \
    all-gradient all-random-1 all-random-2 all-random-3,$(eval voita.tested.$(v) = pruned))

# Tables and figures of heads.
voita.walk      = base
voita.studied   = base $(addprefix enc-,1 2 3 4 5 6) $(addprefix all-,1 2 3 4)
voita.timed     = base enc-4 enc-6 all-2 all-4
voita.timed-on  = 1000
voita.gated     = enc-4
voita.compared  = relevance,relevance.raw,confidence,entropy,gradient,ablation,positional,rare
voita.also      = syntax rare kept roles heads speed measures roles-updates posthoc-encoder \
                  posthoc-all posthoc-bleu
voita.brief     = measures posthoc-encoder posthoc-all posthoc-bleu
# Pruning curves without retraining, on the test set; measures are from the development set.  The
# models of profile cpu are trained in bf16, which halves the time of their curves.
voita.posthoc          = encoder all bleu
voita.posthoc-by       = --by relevance,relevance.raw,confidence,gradient,gradient.raw,ablation,positional \
                         --reverse entropy --random 10 $(voita.precise.$(PROFILE))
voita.precise.cpu      = --precision bf16
voita.step.paper       = 1
voita.step.cpu         = 2
voita.step.smoke       = 2
voita.curve.encoder    = --site enc-self --step $(voita.step.$(PROFILE))
voita.curve.all        = --points 19
voita.curve.bleu       = --site enc-self --points 7 --bleu
voita.curved.smoke     = 60
voita.curve-on.encoder = $(or $(voita.curved.$(PROFILE)),1000)
voita.curve-on.all     = $(or $(voita.curved.$(PROFILE)),1000)
voita.curve-on.bleu    = $(or $(voita.curved.$(PROFILE)),300)
voita.plots     = encoder attention
voita.head-maps = relevance confidence offsets layers drift gates
voita.over.encoder   = heads.enc-self retained encoder heads
voita.over.attention = heads retained heads
voita.caption.encoder    = BLEU difference from the base against retained encoder heads (Figure 7)
voita.caption.attention  = BLEU difference from the base against retained heads of all attention (Table 2)
voita.caption.syntax     = Accuracy of the best encoder head for each dependency relation (Table 1)
voita.caption.rare       = Attention to rare tokens: share of rows in %, heads of the first \
                      encoder layer (Figure 5)
voita.caption.kept       = Retained heads by kind of attention and by layer (Figure 9)
voita.caption.roles      = Roles of the retained encoder heads (Figure 8)
voita.caption.heads      = All heads
voita.caption.speed      = Translation speed on one thread, all translations of the mean \
                      reference length
voita.caption.measures   = Agreement of measures of head importance, over all heads of the whole \
                      model
voita.caption.roles-updates = Roles of encoder heads during the training of base: shares and \
                      thresholds
voita.caption.posthoc-encoder = Masking encoder heads one after another, without retraining: test \
                      NLL
voita.caption.posthoc-all = Masking all heads one after another, without retraining: test NLL
voita.caption.posthoc-bleu = Masking encoder heads one after another, without retraining: BLEU \
                      with greedy search
voita.caption.relevance  = Relevance of heads (LRP). p: positional, s: syntactic, r: rare words \
                      (Figure 1)
voita.caption.confidence = Confidence of heads. p: positional, s: syntactic, r: rare words \
                      (Figure 1)
voita.caption.offsets    = Share of rows that attend most to each offset (Figure 3)
voita.caption.layers     = Retained heads of each layer, by run and total number of heads \
                      (Figure 10)
voita.caption.drift      = Confidence and role of the retained encoder heads
voita.caption.gates      = Probability that each gate is closed during training, L0 gates, λ4
