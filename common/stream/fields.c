/* fields: see fields.h and heed-fields(5). */
#include "stream/fields.h"

#include <stddef.h>
#include <string.h>

#include "stream/stream.h"

#define SIDE(s, n) \
	{ "sentence", s, "str", "heed-pack", "text; tokens are separated by spaces" }, \
	{ "sentence", s ".heads", "[int]", "parse", \
	  "number of the syntactic head of each word, counting from 1; 0 for the root" }, \
	{ "sentence", s ".rels", "[str]", "parse", \
	  "dependency relation of each word to its head" }, \
	{ "sentence", s ".upos", "[str]", "parse", \
	  "universal part-of-speech tag of each word" }, \
	{ "sentence", s ".tree", "str", "parse", \
	  "bracketed constituency tree with a leaf for each word" }, \
	{ "sentence", s ".pieces", "[str]", "bpe-apply", \
	  "subwords; with BPE, @@ at the end of a subword means that the word continues" }, \
	{ "sentence", s ".word", "[int]", "bpe-apply", \
	  "index of the word to which each subword belongs, counting from 0" }, \
	{ "sentence", s ".cut", "int", "nmt-score", \
	  "number of subwords that are kept, if --too-long cut truncates the sentence" }, \
	{ "sentence", s ".parent", "[int]", "tree-linearize", \
	  "in a linearized tree: index of the parent of each node, counting from 0; -1 " \
	  "for the root" }, \
	{ "sentence", s ".dep", "bits[" n "," n "]", "tree2mask", \
	  "whether subword i is allowed to attend to subword j; to itself if to no other" }, \
	{ "sentence", s ".phrase", "i8[" n "," n "]", "phrase-rp", \
	  "relative phrasal position; 127 outside the local phrase" }, \
	{ "sentence", s ".relation", "i8[" n "," n "]", "tree2mask", \
	  "one of nine relations of node j to node i; nodes are numbered in preorder" }

static const struct field_info table[] = {
	{ "sentence", "id", "int", "heed-pack", "line number of the sentence, counting from 1" },
	SIDE("src", "n"),
	SIDE("tgt", "m"),
	{ "sentence", "corrupted", "str", "heed-paste",
	  "another source, with as many tokens as src, for activation patching" },
	{ "sentence", "corrupted.pieces", "[str]", "heed-paste",
	  "subwords of corrupted, as many as src.pieces" },
	{ "sentence", "hyp", "str", "nmt-translate",
	  "translation; tokens are separated by spaces" },
	{ "sentence", "hyp.pieces", "[str]", "nmt-translate", "subwords of the translation" },
	{ "sentence", "hyp.score", "float", "nmt-translate",
	  "score that the beam search maximized" },
	{ "sentence", "hyp.alignment", "str", "nmt-translate",
	  "links between source words and words of hyp, such as 0-0 1-2, counting from 0" },
	{ "sentence", "score", "float", "nmt-score",
	  "log-probability of tgt, including EOS, given src" },
	{ "sentence", "score.tokens", "f32[t]", "nmt-score",
	  "log-probability of each target token; the last one is EOS" },
	{ "sentence", "alignment", "str", "nmt-score",
	  "links between source and target words, such as 0-0 1-2, counting from 0" },
	{ "sentence", "att.enc-self.*", "f32[h,s,s]", "nmt-score",
	  "self-attention weights of an encoder layer; dimensions are head, query and key; "
	  "layers are numbered from 1" },
	{ "sentence", "att.dec-self.*", "f32[h,t,t]", "nmt-score",
	  "self-attention weights of a decoder layer; dimensions are head, query and key; "
	  "layers are numbered from 1" },
	{ "sentence", "att.cross.*", "f32[h,t,s]", "nmt-score",
	  "encoder-decoder attention weights of a decoder layer; dimensions are head, query "
	  "and key; layers are numbered from 1" },
	{ "sentence", "nll", "float", "heed-record",
	  "negative log-likelihood of the reference in nats, summed over its tokens" },
	{ "sentence", "tokens", "int", "heed-record",
	  "number of tokens of the reference, including EOS" },
	{ "sentence", "bleu", "[int]", "heed-record",
	  "lengths of hypothesis and reference, and numbers of matching n-grams of orders 1 to 4" },
	{ "sentence", "sacrebleu", "[int]", "heed-record",
	  "the same numbers as in bleu, with the tokenizer of sacreBLEU" },
	{ "sentence", "chrf", "[int]", "heed-record",
	  "numbers of characters in hypothesis and reference, and of matching n-grams of "
	  "orders 1 to 6" },
	{ "sentence", "relevance.best", "[str]", "head-lrp",
	  "most probable token at each target position; the last position is that of EOS" },
	{ "sentence", "relevance.src", "f32[t,s]", "head-lrp",
	  "relevance of each source token to the prediction of relevance.best" },
	{ "sentence", "relevance.tgt", "f32[t,t]", "head-lrp",
	  "relevance of each decoder input to the prediction of relevance.best; "
	  "the first input is the start token" },
	{ "sentence", "patch.total", "float", "head-stat",
	  "log-probability of the target given the source minus that given the corrupted source" },
	{ "sentence", "patch.heads", "f32[h]", "head-stat",
	  "effect of patching each head on the log-probability of the target; heads are in the "
	  "order of the head records" },
	{ "sentence", "patch.gradient.heads", "f32[h]", "head-stat",
	  "patch.heads by the gradient in the run that is patched" },
	{ "sentence", "patch.integrated.heads", "f32[h]", "head-stat",
	  "patch.heads by the mean gradient between the two sources" },
	{ "sentence", "hyp.nbest", "[str]", "nmt-translate", "n-best translations, best first" },
	{ "sentence", "hyp.nbest.score", "f32[k]", "nmt-translate",
	  "score of each n-best translation" },
	{ "sentence", "x.place", "str", "corpus-align",
	  "origin of the pair, as PAGE:NUMBER: the help or manual page, and the number of "
	  "the pair on it" },
	{ "step", "step", "int", "nmt-train", "number of the update" },
	{ "step", "epoch", "int", "nmt-train", "number of the pass over the training data" },
	{ "step", "loss", "float", "nmt-train",
	  "mean training loss per target subword since the previous record" },
	{ "step", "nll", "float", "nmt-train",
	  "mean training loss per target subword, without label smoothing" },
	{ "step", "lr", "float", "nmt-train", "learning rate" },
	{ "step", "norm", "float", "nmt-train",
	  "mean norm of the gradient since the previous record" },
	{ "step", "tokens", "int", "nmt-train", "number of source and target tokens so far" },
	{ "step", "speed", "float", "nmt-train", "source and target tokens per second" },
	{ "step", "waiting", "float", "nmt-train",
	  "with several processes, fraction of the time for computing and summing gradients "
	  "in which they wait for each other" },
	{ "step", "dev.nll", "float", "nmt-train",
	  "negative log-likelihood per target token on the development set" },
	{ "step", "dev.bleu", "float", "nmt-train", "BLEU on the development set" },
	{ "step", "dev.treeless.*", "float", "nmt-train",
	  "fraction of development sentences without a tree; their attention is unmodified" },
	{ "step", "dev.redundant.*", "float", "nmt-train",
	  "fraction of parsed development sentences in which a head is redundant" },
	{ "step", "dev.confidence.*", "float", "nmt-train",
	  "mean maximum attention weight of a head in parsed development sentences" },
	{ "step", "dev.syntax.*", "float", "nmt-train",
	  "mean attention weight of a head along dependencies in parsed development sentences" },
	{ "step", "dev.dependencies.*", "float", "nmt-train",
	  "fraction of dependencies for which the supervised head attends most to the "
	  "syntactic head" },
	{ "step", "dev.alignment.*", "float", "nmt-train",
	  "fraction of linked target tokens for which the supervised head gives a linked source "
	  "token the largest weight" },
	{ "step", "dev.synchrony", "float", "nmt-train",
	  "loss term of synchronous attention, not multiplied by its weight" },
	{ "step", "dev.importance.*", "float", "nmt-train",
	  "with the attention variant head-importance: mean weights of heads, and measures "
	  "of their inequality" },
	{ "step", "dev.gates.*", "float", "nmt-train",
	  "with the attention variant l0-gate: gate of a head at inference, before rounding; "
	  "number of open, closed and fractional gates; expected and target number of open gates" },
	{ "step", "dev.open.*", "float", "nmt-train",
	  "with the attention variant l0-gate: probability that the gate of a head is "
	  "nonzero in training" },
	{ "step", "dev.subset.*", "float", "nmt-train",
	  "with the attention variant subset: importance of a head; temperature of the gates" },
	{ "head", "site", "str", "head-stat", "enc-self, dec-self or cross" },
	{ "head", "layer", "int", "head-stat", "number of the layer, counting from 1" },
	{ "head", "head", "int", "head-stat", "number of the head in the layer, counting from 1" },
	{ "head", "relevance", "float", "head-lrp",
	  "the head's fraction of the layer's relevance in layer-wise relevance propagation "
	  "(LRP)" },
	{ "head", "relevance.raw", "float", "head-lrp",
	  "fraction of the relevance of a prediction that passes through the head" },
	{ "head", "attnlrp", "float", "head-lrp",
	  "relevance (see above) with the options --rule attnlrp --name attnlrp" },
	{ "head", "attnlrp.raw", "float", "head-lrp",
	  "relevance.raw (see above) with these options" },
	{ "head", "confidence", "float", "head-stat", "mean maximum attention weight" },
	{ "head", "entropy", "float", "head-stat",
	  "mean entropy of the attention weights, in nats" },
	{ "head", "distance", "float", "head-stat",
	  "mean distance between query and key in subwords, weighted by attention" },
	{ "head", "positional", "float", "head-stat",
	  "fraction of queries whose maximum weight is at the head's most frequent offset" },
	{ "head", "offset", "int", "head-stat",
	  "most frequent offset of the head's maximum weight, key minus query" },
	{ "head", "offsets.*", "float", "head-stat",
	  "fraction of queries whose maximum weight is at this offset, from -5 to 5"
	  ", of those with a key there" },
	{ "head", "rare", "float", "head-stat",
	  "fraction of queries that attend most to the rarest token" },
	{ "head", "rare2", "float", "head-stat",
	  "fraction of queries that attend most to one of the two rarest tokens" },
	{ "head", "syntax.*", "float", "head-stat",
	  "accuracy of the attention head for a dependency relation: .dep from dependent "
	  "to syntactic head, .head in the other direction; .base: accuracy of the best "
	  "fixed offset" },
	{ "head", "role", "str", "head-stat", "positional, syntactic, rare or other" },
	{ "head", "gradient", "float", "head-stat",
	  "gradient.raw, divided by its norm over the heads of the layer" },
	{ "head", "gradient.raw", "float", "head-stat",
	  "mean absolute gradient of the loss with respect to a factor on the head output" },
	{ "head", "ablation.bleu", "float", "head-stat",
	  "BLEU with all heads minus BLEU without this head" },
	{ "head", "translation", "float", "head-stat",
	  "fraction of target words aligned as in gold alignments" },
	{ "head", "aer", "float", "head-stat",
	  "alignment error rate of cross-attention against gold alignments" },
	{ "head", "fisher", "float", "head-stat",
	  "Fisher information of a factor on the head output: mean squared gradient" },
	{ "head", "gating", "float", "head-stat",
	  "causal head gating: from -1, a head that does harm, to 1, a head that is needed" },
	{ "head", "gating.plus", "float", "head-stat",
	  "gate of the head, fitted with a penalty on gates that are not 1" },
	{ "head", "gating.minus", "float", "head-stat",
	  "gate of the head, fitted with a penalty on gates that are not 0" },
	{ "head", "gating.class", "str", "head-stat",
	  "facilitating, irrelevant or interfering, by the two gates" },
	{ "head", "gating.error", "float", "head-stat", "standard error of gating over fits" },
	{ "head", "saliency", "float", "head-stat",
	  "sum of positive products of attention weights and their gradients, per target token" },
	{ "head", "greedy", "float", "head-stat",
	  "position of the head in the order in which greedy search masks heads" },
	{ "head", "logit", "float", "head-stat",
	  "direct logit attribution: contribution of the head to the logit of the target token" },
	{ "head", "norm", "float", "head-stat",
	  "mean norm of the head's contribution to the output of its layer" },
	{ "head", "shapley", "float", "head-stat",
	  "Shapley value: mean increase of the loss without the head, over random orders" },
	{ "head", "shapley.error", "float", "head-stat", "standard error of shapley" },
	{ "head", "ablation", "float", "head-stat",
	  "increase of the loss without the head, in nats per target token" },
	{ "head", "patch", "float", "head-stat",
	  "effect of activation patching on the log-probability of the target: mean per "
	  "sentence, in nats" },
	{ "head", "patch.error", "float", "head-stat", "standard error of patch" },
	{ "head", "patch.share", "float", "head-stat",
	  "effect of activation patching, divided by the effect of the corrupted source" },
	{ "head", "patch.gradient", "float", "head-stat",
	  "attribution patching: patch by the gradient in the run that is patched" },
	{ "head", "patch.gradient.error", "float", "head-stat",
	  "standard error of patch.gradient" },
	{ "head", "patch.gradient.share", "float", "head-stat",
	  "patch.gradient, divided by the effect of the corrupted source" },
	{ "head", "patch.integrated", "float", "head-stat",
	  "EAP-IG: patch by the mean gradient between the two sources" },
	{ "head", "patch.integrated.error", "float", "head-stat",
	  "standard error of patch.integrated" },
	{ "head", "patch.integrated.share", "float", "head-stat",
	  "patch.integrated, divided by the effect of the corrupted source" },
	{ "head", "gate", "float", "head-stat",
	  "with the attention variant l0-gate: gate at inference before rounding, from 0 to 1" },
	{ "head", "importance", "float", "head-stat",
	  "with the attention variant subset: importance of the head" },
	{ "head", "open", "float", "head-stat",
	  "with the attention variant l0-gate: probability that the gate is nonzero in "
	  "training" },
	{ "head", "redundancy", "float", "head-stat",
	  "fraction of sentences in which the attention variant redundant-heads finds the "
	  "head redundant" },
	{ "head", "weight", "float", "head-stat",
	  "with the attention variant head-importance: mean weight of the head" },
	{ "head", "*.error", "float", "head-stat",
	  "standard error over sentences of the measure with this name; also of head-lrp" },
	{ "count", "order", "str", "head-curve",
	  "masking order: a measure of heads, or random.SEED; of token-curve, a rule of head-lrp, "
	  "or random.SEED" },
	{ "count", "site", "str", "head-curve",
	  "enc-self, dec-self, cross or all; of token-curve, source" },
	{ "count", "heads", "int", "head-curve", "number of heads of this site" },
	{ "count", "retained", "int", "head-curve",
	  "number of these heads that are not masked; of token-curve, percentage of source "
	  "tokens" },
	{ "count", "masked", "str", "head-curve", "list of masked heads" },
	{ "count", "nll", "float", "head-curve",
	  "loss per target token with these heads masked" },
	{ "count", "bleu", "float", "head-curve",
	  "BLEU with these heads masked, from 0 to 100" },
	{ "count", "drop", "float", "token-curve",
	  "drop of the log-probability of a predicted token, in nats, with only this percentage of "
	  "the source tokens retained" },
	{ NULL, "x.*", "", NULL, "fields for your own use" },
	{ NULL, NULL, NULL, NULL, NULL }
};

const char *const stream_sides[] = { "src", "tgt", NULL };

#define SIDE_FIELDS(s) { s, s ".heads", s ".rels", s ".upos", s ".tree", s ".pieces", s ".word", \
	s ".parent", s ".dep", s ".phrase", s ".relation", s ".cut" }

const struct side_fields side_fields[2] = { SIDE_FIELDS("src"), SIDE_FIELDS("tgt") };

const struct side_fields *
side_fields_of(const char *side)
{
	return &side_fields[!strcmp(side, stream_sides[1])];
}

const struct field_info *
fields_table(void)
{
	return table;
}

static int
fields_matches(const char *pattern, const char *name)
{
	const size_t n = strlen(pattern), named = strlen(name);

	if (*pattern == '*')
		return named >= n && !strcmp(pattern + 1, name + named - (n - 1));
	if (n > 1 && pattern[n - 1] == '*')
		return !strncmp(pattern, name, n - 1) && name[n - 1];
	return !strcmp(pattern, name);
}

const struct field_info *
fields_find(const char *kind, const char *name)
{
	for (const struct field_info *f = table; f->name; f++)
		if ((!kind || !f->kind || !strcmp(kind, f->kind)) && fields_matches(f->name, name))
			return f;
	return NULL;
}
