/* fields: see fields.h and heed-fields(5). */
#include "stream/fields.h"

#include <stddef.h>
#include <string.h>

#define SIDE(s, n) \
	{ "sentence", s, "str", "heed-pack", "text, tokens separated by a blank" }, \
	{ "sentence", s ".heads", "[int]", "parse", \
	  "the head of each word, from 1; 0 is the root" }, \
	{ "sentence", s ".rels", "[str]", "parse", \
	  "the relation of each word to its head" }, \
	{ "sentence", s ".tree", "str", "parse", \
	  "PTB brackets over the same words; dep2const makes them of heads" }, \
	{ "sentence", s ".pieces", "[str]", "bpe-apply", \
	  "subwords; those that do not end a word end in @@" }, \
	{ "sentence", s ".word", "[int]", "bpe-apply", "the word of each piece, from 0" }, \
	{ "sentence", s ".cut", "int", "nmt-score", \
	  "subwords that a model read, where --too-long cut left out those after them" }, \
	{ "sentence", s ".parent", "[int]", "tree-linearize", \
	  "the parent of each piece that is a node of a tree, from 0; -1 of the root" }, \
	{ "sentence", s ".dep", "bits[" n "," n "]", "tree2mask", "may piece i look at piece j" }, \
	{ "sentence", s ".phrase", "i8[" n "," n "]", "phrase-rp", \
	  "relative phrasal position; 127 outside the local phrase" }, \
	{ "sentence", s ".relation", "i8[" n "," n "]", "tree2mask", \
	  "one of the nine relations in a tree, over a preorder" }

static const struct field_info table[] = {
	{ "sentence", "id", "int", "heed-pack",
	  "number of the line the sentence came from, from 1" },
	SIDE("src", "n"),
	SIDE("tgt", "m"),
	{ "sentence", "hyp", "str", "nmt-translate",
	  "the translation, tokens separated by a blank" },
	{ "sentence", "hyp.pieces", "[str]", "nmt-translate", "the subwords of the translation" },
	{ "sentence", "hyp.score", "float", "nmt-translate", "what the search maximised" },
	{ "sentence", "score", "float", "nmt-score",
	  "log-probability of tgt and its end, given src" },
	{ "sentence", "score.tokens", "f32[t]", "nmt-score",
	  "log-probability of each target symbol, its end the last" },
	{ "sentence", "att.enc-self.*", "f32[h,s,s]", "nmt-score",
	  "weights of an encoder layer, from 1: head, query, key; ends counted" },
	{ "sentence", "att.dec-self.*", "f32[h,t,t]", "nmt-score",
	  "the same of a decoder layer, over what it reads" },
	{ "sentence", "att.cross.*", "f32[h,t,s]", "nmt-score",
	  "the same of a decoder layer over the source" },
	{ "sentence", "relevance.best", "[str]", "head-lrp",
	  "what the model holds most probable at each target position, its end the last" },
	{ "sentence", "relevance.src", "f32[t,s]", "head-lrp",
	  "what each source symbol contributed to that; ends counted" },
	{ "sentence", "relevance.tgt", "f32[t,t]", "head-lrp",
	  "the same of each symbol the decoder has read, from the one before the first" },
	{ "sentence", "hyp.nbest", "[str]", "nmt-translate", "the best translations, best first" },
	{ "sentence", "hyp.nbest.score", "f32[k]", "nmt-translate", "the score of each of them" },
	{ "sentence", "x.place", "str", "corpus-align", "file and identifier of the text" },
	{ "step", "step", "int", "nmt-train", "number of the update" },
	{ "step", "epoch", "int", "nmt-train", "number of the pass over the corpus" },
	{ "step", "loss", "float", "nmt-train",
	  "mean loss of a target subword since the row before" },
	{ "step", "nll", "float", "nmt-train", "the same without label smoothing" },
	{ "step", "lr", "float", "nmt-train", "learning rate" },
	{ "step", "norm", "float", "nmt-train", "norm of the gradient" },
	{ "step", "tokens", "int", "nmt-train", "tokens of both sides so far" },
	{ "step", "speed", "float", "nmt-train", "tokens of both sides a second" },
	{ "step", "dev.nll", "float", "nmt-train", "loss of the development set" },
	{ "step", "dev.bleu", "float", "nmt-train", "BLEU of the development set" },
	{ "step", "dev.treeless.*", "float", "nmt-train",
	  "share of its sentences that have no tree, and plain attention at a site" },
	{ "step", "dev.redundant.*", "float", "nmt-train",
	  "share of its sentences with a tree in which a head, from 1, of a site is redundant" },
	{ "step", "dev.confidence.*", "float", "nmt-train",
	  "mean of the head's greatest weights there" },
	{ "step", "dev.syntax.*", "float", "nmt-train", "mean of its weights along dependencies" },
	{ "step", "dev.dependencies.*", "float", "nmt-train",
	  "share of pieces that a site's first head looks at the head of most" },
	{ "step", "dev.synchrony", "float", "nmt-train",
	  "what synchronous attention would have as small as can be" },
	{ "step", "dev.importance.*", "float", "nmt-train",
	  "a head's mean weight in head-importance; of the site, how far from equal they are" },
	{ "step", "dev.gates.*", "float", "nmt-train",
	  "l0-gate's gate of a head, from 1, outside training; open, closed, fractional: how many "
	  "are" },
	{ "step", "dev.open.*", "float", "nmt-train",
	  "how probable it is that l0-gate's gate of a head is open in training" },
	{ "head", "site", "str", "head-stat", "enc-self, dec-self or cross" },
	{ "head", "layer", "int", "head-stat", "the layer, from 1" },
	{ "head", "head", "int", "head-stat", "the head in its layer, from 1" },
	{ "head", "relevance", "float", "head-lrp",
	  "share of the head in its layer by layer-wise relevance propagation" },
	{ "head", "relevance.raw", "float", "head-lrp",
	  "share of a prediction that flows through the head" },
	{ "head", "confidence", "float", "head-stat", "mean of its greatest weights" },
	{ "head", "entropy", "float", "head-stat", "mean entropy of its weights, in nats" },
	{ "head", "distance", "float", "head-stat", "mean distance in pieces, by weight" },
	{ "head", "positional", "float", "head-stat",
	  "how often its greatest weight is at one offset" },
	{ "head", "offset", "int", "head-stat", "that offset" },
	{ "head", "offsets.*", "float", "head-stat",
	  "how often it is at this offset, from -5 to 5" },
	{ "head", "rare", "float", "head-stat", "how often it looks at the rarest token" },
	{ "head", "rare2", "float", "head-stat", "how often it looks at one of the two rarest" },
	{ "head", "syntax.*", "float", "head-stat",
	  "how often it looks along that relation: .dep to the head, .head to the "
	  "dependent, .base what a fixed offset gets" },
	{ "head", "role", "str", "head-stat", "positional, syntactic, rare or other" },
	{ "head", "gradient", "float", "head-stat",
	  "how much the loss depends on it at first order, over its layer's norm" },
	{ "head", "gradient.raw", "float", "head-stat", "the same in nats a target symbol" },
	{ "head", "ablation", "float", "head-stat",
	  "what is lost without it, in nats a target symbol" },
	{ "head", "gate", "float", "head-stat", "its gate in l0-gate, from 0 to 1" },
	{ "head", "open", "float", "head-stat",
	  "how probable it is that this gate is open in training" },
	{ "head", "redundancy", "float", "head-stat",
	  "share of sentences in which redundant-heads finds it redundant" },
	{ "head", "weight", "float", "head-stat", "its mean weight in head-importance" },
	{ "count", "order", "str", "head-curve",
	  "what heads are masked by: a measure, or random.SEED" },
	{ "count", "site", "str", "head-curve", "enc-self, dec-self, cross or all" },
	{ "count", "heads", "int", "head-curve", "number of heads there that may be masked" },
	{ "count", "retained", "int", "head-curve", "number of those that are not masked" },
	{ "count", "masked", "str", "head-curve", "the masked heads, as a list" },
	{ "count", "nll", "float", "head-curve", "loss of a target token without them" },
	{ "count", "bleu", "float", "head-curve", "BLEU without them, from 0 to 100" },
	{ NULL, "x.*", "", NULL, "private: whatever its program says" },
	{ NULL, NULL, NULL, NULL, NULL }
};

const struct field_info *
fields_table(void)
{
	return table;
}

static int
matches(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (n > 1 && pattern[n - 1] == '*')
		return !strncmp(pattern, name, n - 1) && name[n - 1];
	return !strcmp(pattern, name);
}

const struct field_info *
fields_find(const char *kind, const char *name)
{
	for (const struct field_info *f = table; f->name; f++)
		if ((!kind || !f->kind || !strcmp(kind, f->kind)) && matches(f->name, name))
			return f;
	return NULL;
}
