/*
 * trials: all variants, alone and combined, on sentences with all fields that they need.  Each test
 * file is one program and includes this at most once.
 */
#ifndef TRIALS_H
#define TRIALS_H

#include "checks.h"

#include "stream/stream.h"

/* Artificial trees: values computed from the sentence's number. */
static uint32_t
made_up(int64_t number, int what, int i, int j)
{
	const uint64_t all = (uint64_t)number << 32 ^ (uint64_t)what << 24 ^ (uint64_t)i << 12;

	return rng_key(all ^ (uint64_t)j) >> 4;
}

/* Two subwords per word, and a tree in which heads are earlier words, or always the next word. */
static void
annotate_side(struct record *rec, int64_t number, bool source, int n)
{
	int32_t word[16], head[16];
	const int words = (n + 1) / 2;

	for (int i = 0; i < n; i++)
		word[i] = i / 2;
	for (int w = 0; w < words; w++)
		head[w] = number % 2 ? w + 1 < words ? w + 2 : 0
			: w ? (int32_t)(made_up(number, source, w, 0) % (uint32_t)w) + 1 : 0;
	record_set_ints(rec, source ? "src.word" : "tgt.word", word, (size_t)n);
	record_set_ints(rec, source ? "src.heads" : "tgt.heads", head, (size_t)words);
}

/* All sentences have relations, as after tree-linearize; sentence 1 has no tree. */
static void
annotate(struct record *rec, int64_t number, int src, int tgt)
{
	unsigned char dep[16 * 2] = { 0 };
	signed char phrase[16 * 16], relation[16 * 16];

	for (int i = 0; i < src; i++)
		for (int j = 0; j < src; j++) {
			const bool linked = i == j ||
				made_up(number, 2, i < j ? i : j, i < j ? j : i) % 2;

			if (linked)
				dep[i * ((src + 7) / 8) + j / 8] |= (unsigned char)(1 << j % 8);
			phrase[i * src + j] = (signed char)(i == j ? 0 : !linked ? 127
				: (int)(made_up(number, 3, i, j) % 7) - 3);
			relation[i * src + j] = (signed char)(i == j ? 0
				: 1 + made_up(number, 4, i, j) % 8);
		}
	set_pairs(rec, "src.relation", TENSOR_I8, src, relation);
	if (number == 1)
		return;
	set_pairs(rec, "src.dep", TENSOR_BITS, src, dep);
	set_pairs(rec, "src.phrase", TENSOR_I8, src, phrase);
	annotate_side(rec, number, true, src);
	annotate_side(rec, number, false, tgt);
}

/* Combinations of variants. */
static const char *const trials[][4] = {
	{ "dependency-mask" },
	{ "dependency-mask:last=0" },
	{ "phrase-position:k=2" },
	{ "phrase-position:first=2,last=2,k=1,label=distance" },
	{ "dependency-mask", "redundant-heads" },
	{ "phrase-position:last=2", "redundant-heads:last=2,gate=conf" },
	{ "phrase-position:k=3", "redundant-heads:gate=fixed,value=0.6,diagonal=off" },
	{ "redundant-heads:mode=prune,gate=fixed,value=0.5" },
	{ "relation-mask" },
	{ "relation-mask:share=layer,last=1,fixed=anc:-2+desc:never" },
	{ "dbsa" },
	{ "dbsa:heads=2,enc=2,dec=2,bias=off,align=input,src_weight=1.5" },
	{ "dbsa:enc=0,tgt_weight=2" },
	{ "dbsa", "sync" },
	{ "dbsa:dec=2,src_weight=0", "sync:weight=3,layer=2,head=2,norm=cell,map=renorm" },
	{ "dbsa", "sync:norm=sentence,temperature=0.3" },
	{ "relation-mask", "phrase-position", "redundant-heads", "dbsa" },
	{ "relative:k=2" },
	{ "relative:k=1,share_kv=off,first=2,decoder=off" },
	{ "relative:k=3,share_kv=off,decoder=off,first=2" },
	{ "localness" },
	{ "localness:window=layer" },
	{ "localness:proj=full,last=1" },
	{ "relative:k=2", "redundant-heads:gate=fixed,value=0.6" },
	{ "localness:last=1", "relative:k=3,last=1" },
	{ "localness:first=2,window=layer,proj=full" },
	{ "localness:last=2,window=fixed,width=3", "redundant-heads:last=2,gate=conf", "dbsa",
	  "sync" },
	{ "head-importance" },
	{ "head-importance:enc=1,dec=0,cross=1,width=3,dropout=0,weight=2" },
	{ "head-importance:keep_out=on,dec=1,cross=0" },
	{ "head-importance:norm=per-token-of-update,weight=3" },
	{ "relative:k=2", "dbsa", "sync", "head-importance:dec=1" },
	{ "phrase-position:last=0", "redundant-heads:last=0", "head-importance", "localness" },
	{ "l0-gate:coef=0.7" },
	{ "l0-gate:at=all,norm=sum,init=0.3,test=round" },
	{ "l0-gate:fixed=enc-self:2/dec.1.cross:1" },
	{ "dbsa", "sync", "l0-gate:at=dec-self+cross", "head-importance" },
	{ "relative:k=2", "phrase-position", "redundant-heads:gate=fixed,value=0.6", "l0-gate" },
};
enum { TRIALS = sizeof(trials) / sizeof(*trials) };

UNUSED static size_t
n_specs(size_t i)
{
	size_t n = 0;

	while (n < 4 && trials[i][n])
		n++;
	return n;
}

UNUSED static struct model *
build(size_t i, double dropout)
{
	struct model_config c = setup_config(i % 2 ? "onmt" : "fairseq");
	struct model *m;

	c.dropout_attention = dropout;
	c.src_eos = i % 3 != 2;
	m = setup_model_of(&c, i % 2 ? "onmt" : "fairseq", trials[i], n_specs(i), 7 + i);
	setup_stir(m);
	return m;
}

typedef void model_check(struct model *m);

UNUSED static void
each(model_check *check, double dropout)
{
	setup_annotate = annotate;
	for (size_t i = 0; i < TRIALS; i++) {
		struct model *m = build(i, dropout);

		print_message("# %s %s\n", trials[i][0], trials[i][1] ? trials[i][1] : "");
		check(m);
		model_free(m);
	}
	setup_annotate = NULL;
}

#endif
