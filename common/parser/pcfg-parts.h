/* pcfg-parts: declarations that the files of the grammar share; see pcfg.h. */
#ifndef PCFG_PARTS_H
#define PCFG_PARTS_H

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "parser/counts.h"
#include "parser/pcfg.h"

/*
 * Symbols.  When counting, labels of tags and phrases are 0, 1, ..., and parts of phrases, which
 * binarization makes, are -1, -2, ...  When parsing, the numbers of parts follow those of labels;
 * symbol_of() converts.
 */
enum { NO_SYMBOL = INT_MIN };
struct rule_key { int parent, left, right; };	/* right: NO_SYMBOL in a unary rule */
struct lex_key { int tag, word; };

/*
 * A rule refers to its two sides as a pair, because the left and right side of a split are combined
 * once for all rules with the same sides.  Pairs with a label on the right are numbered as a full
 * table [right][left]; pairs with a part on the right are few and follow the table.
 */
struct binary_rule {
	float log_p;
	int pair;
};
struct sides { int left, right; };	/* symbols of a rule */

/* The best chain of unary rules between each two labels. */
struct unaries {
	float *log_p;		/* [parent][child], 0 on the diagonal, -INFINITY without a chain */
	int *next;		/* [parent][child]: the first step down */
	struct groups above;	/* by child: its parents, without itself */
};

struct tag_count { int tag; double count; };

/* Counts of tags by key, which is a word or a word class. */
struct tag_table {
	int *start;		/* [keys + 1] */
	struct tag_count *tag;		/* those of key k are tag[start[k]] to tag[start[k + 1] -
					 * 1] */
	double *n;		/* [keys] the sum of the counts of a key */
};

struct lexicon {
	struct tag_table of_word, of_class;
	struct strmap class;
	double *of_tag, n_tokens;	/* [label] */
	float *emit;			/* [label] log of the share of its uses as a tag */
};

struct pcfg {
	int order;
	struct strmap label, part, word;
	struct counts root, rule, lex;

	/* made by pcfg_finish() */
	struct arena mem;
	int n_labels, n_symbols;
	float *root_log_p;		/* [label] */
	int best_root;
	struct binary_rule *binary;	/* those of parent p have the indices rules[p] to
					 * rules[p+1]-1 */
	struct sides *sides;		/* [rule], separate because they are rarely needed */
	int n_binary, n_unary, n_pairs;
	int *rules;
	int *pairs;			/* pairs with right side p have the numbers pairs[p] to
					 * pairs[p+1]-1 */
	int *pair_left;			/* [pair - n_labels^2] */
	struct unaries unary;
	struct lexicon lexicon;
};

/*
 * The i-th key of rule, lex and root.  Keys are copied because the bytes of a strmap are not
 * aligned.
 */
static inline struct rule_key
rule_at(const struct pcfg *g, int i)
{
	struct rule_key r;

	memcpy(&r, strmap_text(&g->rule.key, i, NULL), sizeof(r));
	return r;
}

static inline struct lex_key
lex_at(const struct pcfg *g, int i)
{
	struct lex_key l;

	memcpy(&l, strmap_text(&g->lex.key, i, NULL), sizeof(l));
	return l;
}

static inline int
root_at(const struct pcfg *g, int i)
{
	int label;

	memcpy(&label, strmap_text(&g->root.key, i, NULL), sizeof(label));
	return label;
}

static inline int
symbol_of(const struct pcfg *g, int counted)
{
	return counted >= 0 ? counted : g->n_labels - 1 - counted;
}

static inline float
unary_log_p(const struct pcfg *g, int parent, int child)
{
	return g->unary.log_p[(size_t)parent * (size_t)g->n_labels + (size_t)child];
}

/* The symbol with this name; the name of a part begins with @. */
int pcfg_symbol(struct pcfg *g, const char *name, size_t n);
const char *pcfg_symbol_name(const struct pcfg *g, int counted);

/*
 * Makes g->lexicon from the counts; `uses[label]` is the number of occurrences of a label as a tag
 * or phrase.
 */
void lexicon_finish(struct pcfg *g, const double *uses);

struct tag_score { int tag; float log_p; };

/*
 * Writes the tags of a word with log P(word | tag) to `out`, at most n_labels, and returns their
 * number.  p is scratch memory for n_labels values.
 */
int lexicon_tags(const struct pcfg *g, const char *word, double *p, struct tag_score *out);

#endif
