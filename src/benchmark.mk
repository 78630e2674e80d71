# benchmark.mk: the benchmark of measures of attention heads; included by pipeline.mk.
#
# Measures are computed on development sentences, curves on test sentences.  Each step is a file in
# the folder of a model; only the page depends on all models.  run.mk has the rules of the texts and trees.
.SECONDEXPANSION:

MODEL     ?=
SENTENCES ?= 300
BLEU_SENTENCES ?= 100
SHAPLEY   ?=
GREEDY    ?=
GATING    ?=
TUNE      ?=
ALIGN     ?=
_bench-column = $(firstword $(_corpora)).$(firstword $(PAIR))
# A file whose text is another is made again.
_bench-force = $(if $(call _bench-same,$(strip $(1)),$(strip $(file < $@))),,force)
_bench-same  = $(if $(subst x$(1),,x$(2))$(subst x$(2),,x$(1)),,yes)
_bench-in  = $(W)/benchmark/$(_bench-column)
_bench-id  = $(subst /,-,$(patsubst /%,%,$(patsubst ./%,%,$(1:%.tar=%))))
_bench-ids = $(foreach m,$(MODEL),$(call _bench-id,$(m)))
_bench-dirs = $(_bench-ids:%=$(_bench-in)/%)
_bench-of  = $(foreach m,$(MODEL),$(if $(filter $(call _bench-id,$(m)),$(1)),$(m)))
_bench-page = $(_bench-in)/benchmark.html
define _bench-check
@[ -n '$(MODEL)' ] || { echo "$@: no model, expected for example MODEL=model.tar" >&2; exit 1; }
@for f in $(MODEL) $(ALIGN); do [ -f "$$f" ] || { echo "$$f: no such file" >&2; exit 1; }; done
endef
benchmark-heads: build checked
	$(_bench-check)
	+@$(_plan)
	+@$(call _watch,preparing texts) $(_again) texts
	+@$(call _watch,-) $(_again) $(_bench-page)
	@printf 'page: %s\n' $(_bench-page)
.PHONY: benchmark-heads

# --- sentences -----------------------------------------------------------------------------

# MODEL/dev.heed and MODEL/test.heed: the sample; MODEL/train.heed: all sentences.  Source sentences are parsed if
# there is a parser.
_bench-form  = $(bench-form)
_bench-split = $(basename $(@F))
_bench-stem  = $(_bench-column)/$(_bench-split)
_bench-data  = $(foreach d,$(_bench-dirs),$(d)/dev.heed $(d)/test.heed)
_bench-model = $(call _bench-of,$(notdir $(patsubst %/,%,$(1))))
_bench-sampled = $(SENTENCES) sentences$(ALIGN:%=$(_comma) %)
$(_bench-dirs:%=%/settings): $$(call _bench-force,$$(_bench-sampled))
	@$(rewrite) $(call _quote,$(strip $(_bench-sampled)))
$(_bench-data): $$(call _bench-model,$$(@D)) $(W)/parsed/$$(_bench-form)/$$(_bench-stem).heed \
    $(W)/text/$$(_bench-stem).src.raw $(W)/text/$$(_bench-stem).tgt.raw $$(@D)/settings $(ALIGN)
	sh $(_top)src/papers/benchmark-data.sh $(wordlist 1,4,$^) $(if $(filter dev,$(_bench-split)),$(ALIGN)) | \
	    heed-sample -n $(SENTENCES) -s 1 > $@.tmp
	mv $@.tmp $@
$(_bench-dirs:%=%/train.heed): $$(call _bench-model,$$(@D)) $(W)/parsed/$$(_bench-form)/$$(_bench-stem).heed \
    $(W)/text/$$(_bench-stem).src.raw $(W)/text/$$(_bench-stem).tgt.raw
	@mkdir -p $(@D)
	sh $(_top)src/papers/benchmark-data.sh $^ > $@.tmp
	mv $@.tmp $@

# --- measures of heads ---------------------------------------------------------------------

# MODEL/measure/NAME.heed; empty if the model does not support it, and NAME.heed.why has the reason.
_bench-measures = weights gradient ablation bleu patch relevance attnlrp \
                  $(if $(SHAPLEY),shapley) $(if $(GREEDY),greedy) $(if $(GATING),gating) $(if $(ALIGN),alignment)
_bench-step = $(slot) $(1) $@ $(RUN_ONE) sh $(_top)src/papers/benchmark-step.sh $@ $(2) -q --threads $(THREADS) \
                  -m $(call _bench-model,$(3)) --target ref --too-long skip -o $@.tmp
_bench-up   = $(patsubst %/,%,$(dir $(@D)))
_bench-each = $(foreach d,$(_bench-dirs),$(d)/measure/$(1).heed)
_bench-stat = head-stat --measure $(1)
# Random orders and permutations are independent over models: their seed is a checksum of the model file.
_bench-seed = --seed $$(cksum < $(call _bench-model,$(1)) | cut -d ' ' -f 1)
_bench-cmd.weights  = $(call _bench-stat,logit$(_comma)norm)
_bench-cmd.gradient = $(call _bench-stat,fisher$(_comma)gradient$(_comma)saliency)
_bench-cmd.ablation = $(call _bench-stat,ablation)
_bench-cmd.bleu     = $(call _bench-stat,ablation-bleu)
_bench-cmd.patch    = head-stat --patch noise --patch-method exact$(_comma)gradient$(_comma)integrated
_bench-cmd.shapley  = $(call _bench-stat,shapley --permutations $(SHAPLEY) $(call _bench-seed,$(_bench-up)))
_bench-cmd.greedy   = $(call _bench-stat,greedy)
_bench-cmd.gating   = $(call _bench-stat,gating --gating $(GATING) $(call _bench-seed,$(_bench-up)))
_bench-cmd.alignment = head-stat --align $@.gold
_bench-cmd.relevance = head-lrp
_bench-cmd.attnlrp  = head-lrp --rule attnlrp --name attnlrp
_bench-first.bleu   = heed-sample -n $(BLEU_SENTENCES) -s 1 -o $@.in $<
_bench-first.patch  = sh $(_top)src/papers/benchmark-corrupt.sh $< $@.in
_bench-first.alignment = heed-show -f x.gold $< > $@.gold
_bench-input = $(if $(filter bleu patch,$(1)),$@.in,$<)
_bench-how.bleu     = $(BLEU_SENTENCES) sentences
_bench-how.shapley  = $(SHAPLEY) permutations
_bench-how.gating   = $(GATING)
_bench-settings = $(foreach d,$(_bench-dirs),$(_bench-measures:%=$(d)/measure/%.settings))
_bench-how = $(_bench-how.$(basename $(@F)))
$(_bench-settings): $$(call _bench-force,$$(_bench-how))
	@$(rewrite) $(call _quote,$(strip $(_bench-how)))
define _bench-rule
$(call _bench-each,$(1)): $$$$(_bench-up)/dev.heed $$$$(@D)/$(1).settings
	@mkdir -p $$(@D)
	$$(_bench-first.$(1))
	$$(call _bench-step,$(1),$$(_bench-cmd.$(1)),$$(_bench-up)) $$(call _bench-input,$(1))
endef
$(foreach m,$(_bench-measures),$(eval $(call _bench-rule,$(m))))

# MODEL/heads.heed: all measures.
_bench-found = $(foreach f,$(filter %.heed,$^),$$([ ! -s $(f) ] || echo $(f)))
$(_bench-dirs:%=%/heads.heed): %/heads.heed: $(_bench-measures:%=$$*/measure/%.heed)
	heed-paste --replace -o $@.tmp $(_bench-found)
	mv $@.tmp $@

# --- curves --------------------------------------------------------------------------------

# MODEL/curve/SITE.heed: loss against retained heads; MODEL/curve/bleu.heed: BLEU, of all heads.
_bench-by = confidence,positional,norm,logit,gradient,gradient.raw,fisher,saliency,ablation,ablation.bleu,patch,patch.gradient,patch.integrated,relevance,relevance.raw,attnlrp,attnlrp.raw$(SHAPLEY:%=,shapley)$(if $(GREEDY),$(_comma)greedy)$(if $(GATING),$(_comma)gating)
_bench-cross = $(if $(ALIGN),$(_comma)translation)
_bench-lists = --by $(_bench-by)$(if $(filter cross,$(1)),$(_bench-cross)) \
               --reverse entropy$(if $(filter cross,$(1)),$(ALIGN:%=$(_comma)aer)) --skip-missing \
               --random 10 $(if $(filter all bleu,$(1)),--stratify) \
               $(call _bench-seed,$(_bench-up))
_bench-site.bleu = all
_bench-curve = head-curve -q --threads $(THREADS) -m $(call _bench-model,$(_bench-up)) --too-long skip \
                   --from $(word 2,$^) $(call _bench-lists,$(1)) --site $(or $(_bench-site.$(1)),$(1))
_bench-sites = all enc-self dec-self cross
_bench-points.all = 13
_bench-points.enc-self = 7
_bench-points.dec-self = 7
_bench-points.cross = 7
_bench-curves = $(foreach d,$(_bench-dirs),$(d)/curve/$(1).heed)
$(foreach s,$(_bench-sites),$(call _bench-curves,$(s))): $$(_bench-up)/test.heed $$(_bench-up)/heads.heed
	@mkdir -p $(@D)
	$(slot) curve $@ $(RUN_ONE) $(call _bench-curve,$(basename $(@F))) --points $(_bench-points.$(basename $(@F))) -o $@.tmp $<
	mv $@.tmp $@
$(call _bench-curves,bleu): $$(_bench-up)/test.heed $$(_bench-up)/heads.heed $$(_bench-up)/measure/bleu.settings
	@mkdir -p $(@D)
	heed-sample -n $(BLEU_SENTENCES) -s 1 -o $@.in $<
	$(slot) bleucurve $@ $(RUN_ONE) $(call _bench-curve,bleu) --bleu --points 7 -o $@.tmp $@.in
	rm $@.in; mv $@.tmp $@

# MODEL/curve/tuned.heed: loss of all heads and of half of them after further training with the options TUNE.
$(_bench-dirs:%=%/curve/tuned.settings): $$(call _bench-force,$$(TUNE))
	@mkdir -p $(@D)
	@$(rewrite) $(call _quote,$(strip $(TUNE)))
$(call _bench-curves,tuned): $$(@D)/all.heed $$(_bench-up)/train.heed $$(_bench-up)/test.heed $$(@D)/tuned.settings
	$(slot) tune $@ $(RUN_ONE) sh $(_top)src/papers/benchmark-tune.sh $@.losses $(call _bench-model,$(_bench-up)) \
	    $(wordlist 1,3,$^) $(THREADS) $(TUNE) > $@.tmp
	rm -r $@.losses; mv $@.tmp $@

# curves/MODEL/SITE.heed.gz: the curves of a model as they are published, a few KB; tables and figures of
# curves need nothing else.
_bench-curved = $(_bench-sites) bleu tuned
_bench-kept = $(foreach i,$(_bench-ids),$(_bench-in)/curves/$(i)/$(1).heed.gz)
$(foreach s,$(_bench-curved),$(call _bench-kept,$(s))): $(_bench-in)/curves/%.heed.gz: $(_bench-in)/$$(*D)/curve/$$(*F).heed
	@mkdir -p $(@D)
	gzip -9nc $< > $@.tmp; mv $@.tmp $@

# benchmark-tables: the tables of published curves, in $(R)/benchmark/CORPUS.PAIR, again.
benchmark-tables: build checked
	@[ -n '$(wildcard $(R)/benchmark/*/curves)' ] || { echo "$(R)/benchmark/CORPUS.PAIR/curves: no such folder" >&2; exit 1; }
	$(foreach d,$(patsubst %/curves,%,$(wildcard $(R)/benchmark/*/curves)),$(foreach s,$(_bench-curved),\
	    $(if $(wildcard $(d)/curves/*/$(s).heed.gz),$(call _bench-compare,$(s),$(sort $(wildcard $(d)/curves/*/$(s).heed.gz))) > \
	        $(d)/$(s).tsv$(_newline)	)))
.PHONY: benchmark-tables

# MODEL/tokens/RULE.heed: attributions of tokens; MODEL/deletion.heed: their deletion curves.
_bench-rules = alti chefer value-zeroing integrated-gradients rollout attnlrp alpha-beta epsilon
_bench-tokens = $(foreach d,$(_bench-dirs),$(_bench-rules:%=$(d)/tokens/%.heed))
$(_bench-tokens): $$(_bench-up)/test.heed
	@mkdir -p $(@D)
	$(call _bench-step,tokens,head-lrp --tokens --rule $(basename $(@F)),$(_bench-up)) $<
$(_bench-dirs:%=%/deletion.heed): %/deletion.heed: $(_bench-rules:%=$$*/tokens/%.heed)
	$(slot) deletion $@ $(RUN_ONE) token-curve -q --threads $(THREADS) -m $(call _bench-model,$*) --random 10 \
	    $(call _bench-seed,$*) -o $@.tmp $(_bench-found) < /dev/null
	mv $@.tmp $@

# MODEL/aligned/RULE.heed: attributions of tokens of the development sentences, for their gold alignments;
# MODEL/aligned/scores.tsv: their alignment error rates, empty if the gold alignments are of other words.
_bench-aligned = $(if $(ALIGN),$(foreach d,$(_bench-dirs),$(_bench-rules:%=$(d)/aligned/%.heed)))
$(_bench-aligned): $$(_bench-up)/dev.heed
	@mkdir -p $(@D)
	$(call _bench-step,tokens,head-lrp --tokens --rule $(basename $(@F)),$(_bench-up)) $<
$(_bench-dirs:%=%/aligned/scores.tsv): %/aligned/scores.tsv: %/dev.heed $(_bench-rules:%=$$*/aligned/%.heed)
	heed-show -f x.gold $< > $@.gold
	sh $(_top)src/papers/benchmark-step.sh $@ align-score -r $@.gold -o $@.tmp \
	    $(foreach f,$(filter-out $<,$^),$$([ ! -s $(f) ] || echo $(f))) < /dev/null

# --- the page ------------------------------------------------------------------------------

_bench-error-rates = $(if $(ALIGN),$(_bench-in)/aligned.tsv)
_bench-figures = $(addprefix $(_bench-in)/,all bleu enc-self dec-self cross $(if $(TUNE),tuned))
$(_bench-in)/models: $$(call _bench-force,$$(MODEL))
	@$(rewrite) $(call _quote,$(strip $(MODEL)))
_bench-stale = $(_bench-in)/models
# BLEU alone, without the loss of the few sentences that are translated.
_bench-alone = $(if $(filter bleu,$(1)),| grep -v -e '^loss ' -e '^nll')
_bench-compare = curve-compare $(3) $(2) $(call _bench-alone,$(1))
$(_bench-figures:%=%.tsv): $(_bench-in)/%.tsv: $$(call _bench-kept,$$*) $(_bench-stale)
	$(call _bench-compare,$*,$(filter %.gz,$^)) > $@.tmp; mv $@.tmp $@
$(_bench-figures:%=%.svg): $(_bench-in)/%.svg: $$(call _bench-kept,$$*) $(_bench-stale)
	$(call _bench-compare,$*,$(filter %.gz,$^),--to plot) | heed-plot --x 'retained heads' -o $@
$(_bench-in)/deletion.tsv: $(_bench-dirs:%=%/deletion.heed) $(_bench-stale)
	curve-compare $(filter %.heed,$^) > $@.tmp; mv $@.tmp $@
$(_bench-in)/deletion.svg: $(_bench-dirs:%=%/deletion.heed) $(_bench-stale)
	curve-compare --to plot $(filter %.heed,$^) | heed-plot --x 'retained source tokens (%)' -o $@
$(_bench-in)/aligned.tsv: $(_bench-dirs:%=%/aligned/scores.tsv) $(_bench-stale)
	awk -F '\t' -v OFS='\t' 'FNR == 1 { n = split(FILENAME, part, "/"); $$1 = "model"; if (!lines++) print; next } \
	    { $$1 = part[n - 2]; print }' $(filter %.tsv,$^) > $@.tmp; mv $@.tmp $@
$(_bench-in)/clusters.tsv $(_bench-in)/matrix.tsv: $(_bench-in)/%.tsv: $(_bench-dirs:%=%/heads.heed) $(_bench-stale)
	head-compare --to $* $(filter %.heed,$^) > $@.tmp; mv $@.tmp $@
$(_bench-in)/matrix.svg: $(_bench-in)/matrix.tsv
	head-map --draw table --colors diverging --range -1,1 --numbers -o $@ $<
$(_bench-in)/correlations.tsv: $(_bench-dirs:%=%/heads.heed) $(_bench-stale)
	head-compare -o $@ $<
$(_bench-dirs:%=%/heads.tsv): %.tsv: %.heed
	head-compare --table --brief -o $@ $<
$(_bench-dirs:%=%/walk.html): %/walk.html: %/test.heed %/heads.heed
	ids=$$(sh $(_top)src/papers/middling.sh $< $(WALK)); \
	head-map -m $(call _bench-model,$*) --head-measures $*/heads.heed --too-long skip $${ids:+--id $$ids} --title $(notdir $*) --to html -o $@ $<
$(_bench-in)/steps.tsv: $(_bench-dirs:%=%/heads.heed) $(_bench-dirs:%=%/deletion.heed) $(_bench-stale) $(_bench-error-rates) \
    $(_top)src/papers/benchmark-list.sh
	sh $(_top)src/papers/benchmark-list.sh $(_bench-dirs) > $@.tmp; mv $@.tmp $@

_bench-verdict = $$(awk -F '\t' -v score=$(2) -f $(_top)src/papers/benchmark-verdict.awk $(_bench-in)/$(1).tsv)
_bench-title.all      = Loss against retained heads, all kinds of attention
_bench-title.bleu     = BLEU against retained heads, all kinds of attention
_bench-title.enc-self = Loss against retained heads of encoder self-attention
_bench-title.dec-self = Loss against retained heads of decoder self-attention
_bench-title.cross    = Loss against retained heads of encoder-decoder attention
_bench-title.tuned    = Loss of all heads and of half of them after fine-tuning: $(TUNE)
_bench-title.aligned  = Token attributions as word alignments of the development sentences: alignment error rate and other measures
_bench-title.deletion = Drop of the log-probability of predicted tokens as source tokens are deleted
_bench-part = --figure $(_bench-in)/$(1).svg --caption $(call _quote,$(_bench-title.$(1))) \
              --text "$(call _bench-verdict,$(1),$(2))" --table $(_bench-in)/$(1).tsv
_bench-map  = --heads $(1)/heads.tsv --walk-page $(notdir $(1))/walk.html $(if $(word 2,$(MODEL)),--caption $(notdir $(1)))
_bench-lead = $(words $(MODEL)) model$(if $(word 2,$(MODEL)),s): $(MODEL). Corpus $(_bench-column). \
   Measures are computed on $(SENTENCES) development sentences, curves on $(SENTENCES) test sentences, BLEU on \
   $(BLEU_SENTENCES). Samples have fixed seeds, random orders one for each model.$(if $(TUNE),, Nothing is trained.)
_bench-rule-of = The area of a curve is that of the loss above the loss of the whole model$(_comma) up to 0.2 nats. Random \
   orders mask heads of all kinds of attention in parallel. A measure is better than random orders if p$(_comma) adjusted for \
   the number of measures$(_comma) is below 0.05$(_comma) the difference of areas over the models is on the better side of \
   0$(_comma) and in each model the area is better than that of every random order; worse in the same way on the other side. \
   Otherwise$(_comma) and always with one model$(_comma) the verdict is undecided.
_bench-rho  = Spearman rank correlation of each pair of measures over all heads$(if $(word 2,$(MODEL)),$(_comma) \
   averaged over the models). Letters are clusters: average linkage of |rho|, threshold 0.7. Pairs without a value \
   are measured on different heads.
_bench-shade = The shade of a value is its rank among all heads of the model. Each head links to its attention weights.
$(_bench-page): $(_bench-error-rates) $(foreach s,$(_bench-figures) $(_bench-in)/deletion,$(s).tsv $(s).svg) \
    $(foreach t,clusters.tsv matrix.svg correlations.tsv steps.tsv,$(_bench-in)/$(t)) \
    $(foreach d,$(_bench-dirs),$(d)/heads.tsv $(d)/walk.html) $(_top)src/papers/benchmark-verdict.awk
	heed-report --title 'Benchmark of measures of attention heads' --text $(call _quote,$(strip $(_bench-lead))) \
	    --heading 'Pruning curves' --text $(call _quote,$(strip $(_bench-rule-of))) \
	    $(call _bench-part,all,nll) $(call _bench-part,bleu,bleu) \
	    $(foreach s,enc-self dec-self cross $(if $(TUNE),tuned),$(call _bench-part,$(s),nll)) \
	    --heading 'Token attributions' $(call _bench-part,deletion,drop) \
	    $(if $(ALIGN),--table $(_bench-in)/aligned.tsv --caption $(call _quote,$(_bench-title.aligned))) \
	    --heading 'Agreement of measures' --text $(call _quote,$(strip $(_bench-rho))) \
	    --figure $(_bench-in)/matrix.svg --caption 'Rank correlations, sorted by cluster' \
	    --table $(_bench-in)/clusters.tsv --caption 'Clusters of measures' \
	    --heading Heads --text $(call _quote,$(_bench-shade)) $(foreach d,$(_bench-dirs),$(call _bench-map,$(d))) \
	    --heading 'Steps' --table $(_bench-in)/steps.tsv --caption 'Measures and their cost' -o $@
