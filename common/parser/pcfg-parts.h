/* pcfg-parts: the structures of a grammar, for the files that implement pcfg.h. */
#ifndef PCFG_PARTS_H
#define PCFG_PARTS_H

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "parser/groups.h"
#include "parser/pcfg.h"
#include "text/word-count.h"

/*
 * Symbols of a grammar are labels, those of tags and phrases, and parts, the symbols that
 * binarization makes.  In counts, labels are numbered 0, 1, 2 and so on, and parts -1, -2, -3 and
 * so on.  In parsing, the numbers of parts follow those of labels.  symbol_of() converts a number
 * of counts to one of parsing.
 */
enum { NO_SYMBOL = INT_MIN };
struct rule_key { int parent, left, right; };	/* a counted rule; right: NO_SYMBOL in a unary
						 * rule */
struct lex_key { int tag, word; };

/*
 * A rule refers to its left and right symbol by the number of their pair, because parsing combines
 * the two sides of a split once for all rules with the same pair.  Pairs with a label on the right
 * have the numbers of a full table [right][left].  Pairs with a part on the right are few, and
 * their numbers follow.
 */
struct binary_rule {
	float log_p;
	int pair;
};
struct sides { int left, right; };	/* left and right symbol of a rule */

/*
 * The most probable chain of unary rules from each label, the parent, to each other label, the
 * child.
 */
struct unaries {
	float *log_p;		/* [parent][child] log-probability; 0 on the diagonal, -INFINITY if
				 * there is no chain */
	int *next;		/* [parent][child] the second label of the chain */
	struct groups above;	/* for each child, the parents that have a chain to it, without
				 * itself */
};

struct tag_count { int tag; double count; };

/* Counts of tags for each key, which is a word or a class of words. */
struct tag_table {
	int *start;		/* [keys + 1] */
	struct tag_count *tag;		/* the tags of key k are tag[start[k]] to tag[start[k + 1] -
					 * 1] */
	double *n;		/* [keys] sum of the counts of each key */
};

struct lexicon {
	struct tag_table of_word, of_class;
	struct strmap class;		/* names of classes of words: which letters and digits they
				 * have, and how they end (pcfg-lexicon.c) */
	double *of_tag, n_tokens;	/* [label] number of tokens with each tag; of all tokens */
	float *emit;			/* [label] log of its number of uses as a tag, divided by
					 * that of all its uses */
};

struct pcfg {
	int order;			/* number of siblings in the name of a part (pcfg.h) */
	struct strmap label, part, word;
	struct word_count root, rule, lex;	/* counts of roots, rules and words with tags;
						 * the "words" are the bytes of a label (int), a
						 * struct rule_key and a struct lex_key */

	/* The members below are made by pcfg_finish(). */
	struct arena mem;
	int n_labels, n_symbols;
	float *root_log_p;		/* [label] */
	int best_root;			/* the most frequent label of a root */
	struct binary_rule *binary;	/* the rules of parent p are binary[rules[p]] to
					 * binary[rules[p + 1] - 1] */
	struct sides *sides;		/* [n_binary] separate because they are rarely needed */
	int n_binary, n_unary, n_pairs;
	int *rules;
	int *pairs;			/* the pairs whose right symbol is the part p have the
					 * numbers pairs[p] to pairs[p + 1] - 1 */
	int *pair_left;			/* [pair - n_labels^2] left label of these pairs */
	struct unaries unary;
	struct lexicon lexicon;
};

/*
 * The i-th key of g->rule, g->lex and g->root.  Keys are copied because the bytes of a strmap are
 * not aligned.
 */
static inline struct rule_key
rule_at(const struct pcfg *g, int i)
{
	struct rule_key r;

	memcpy(&r, strmap_text(&g->rule.words, i, NULL), sizeof(r));
	return r;
}

static inline struct lex_key
lex_at(const struct pcfg *g, int i)
{
	struct lex_key l;

	memcpy(&l, strmap_text(&g->lex.words, i, NULL), sizeof(l));
	return l;
}

static inline int
root_at(const struct pcfg *g, int i)
{
	int label;

	memcpy(&label, strmap_text(&g->root.words, i, NULL), sizeof(label));
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

/*
 * The number, as in counts, of the symbol with this name, which is added if it is new.  The name of
 * a part begins with @.
 */
int pcfg_symbol(struct pcfg *g, const char *name, size_t n);
const char *pcfg_symbol_name(const struct pcfg *g, int counted);

/*
 * Makes g->lexicon from the counts.  `uses[label]` is the number of uses of a label, as a tag or as
 * the parent of a counted rule.
 */
void lexicon_finish(struct pcfg *g, const double *uses);

struct tag_score { int tag; float log_p; };

/*
 * Writes the possible tags of a word to `out` [n_labels], each with log P(word | tag) + emit[tag],
 * and returns their number.  Stores P(tag | word) in p [n_labels].
 */
int lexicon_tags(const struct pcfg *g, const char *word, double *p, struct tag_score *out);

#endif
