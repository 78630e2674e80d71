/* pcfg: counts a grammar and computes its probabilities; see pcfg.h. */
#include "parser/pcfg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/pcfg-parts.h"

#define NO_TAG "X"		/* of a word that is a direct child of a phrase */

struct pcfg *
pcfg_new(int order)
{
	struct pcfg *g = xcalloc(1, sizeof(*g));

	g->order = order;
	arena_init(&g->mem, 0);
	return g;
}

void
pcfg_free(struct pcfg *g)
{
	if (!g)
		return;
	strmap_release(&g->label);
	strmap_release(&g->part);
	strmap_release(&g->word);
	word_count_release(&g->root);
	word_count_release(&g->rule);
	word_count_release(&g->lex);
	strmap_release(&g->lexicon.class);
	arena_release(&g->mem);
	free(g);
}

int
pcfg_symbol(struct pcfg *g, const char *name, size_t n)
{
	if (n && *name == '@')
		return -1 - strmap_add(&g->part, name, n);
	return strmap_add(&g->label, name, n);
}

const char *
pcfg_symbol_name(const struct pcfg *g, int counted)
{
	return counted >= 0 ? strmap_text(&g->label, counted, NULL) :
			      strmap_text(&g->part, -1 - counted, NULL);
}

/* Counting */

struct adder {
	struct pcfg *g;
	const struct tree *t;
	struct buf name;
};

/* Copies a text with spaces and control characters replaced, for the grammar's file. */
static void
set_name(struct buf *b, const char *s)
{
	buf_clear(b);
	for (; *s; s++)
		buf_add_char(b, (unsigned char)*s <= ' ' ? '_' : *s);
	if (!b->n)
		buf_add_str(b, NO_TAG);
}

static int
pcfg_label_of(struct adder *a, int node)
{
	const char *s = a->t->node[node].leaf ? NO_TAG : a->t->node[node].label;

	while (*s == '@')
		s++;
	set_name(&a->name, s);
	return pcfg_symbol(a->g, a->name.data, a->name.n);
}

static void
count_word(struct adder *a, int tag, const char *word)
{
	struct lex_key key = { .tag = tag };

	set_name(&a->name, word);
	key.word = strmap_add(&a->g->word, a->name.data, a->name.n);
	word_count_add(&a->g->lex, &key, sizeof(key), 1);
}

static void
count_rule(struct adder *a, int parent, int left, int right)
{
	struct rule_key key = { parent, left, right };

	word_count_add(&a->g->rule, &key, sizeof(key), 1);
}

/* The part of a phrase after its first n children. */
static int
pcfg_part_of(struct adder *a, int phrase, const int *child, int n)
{
	struct pcfg *g = a->g;
	int from = n > g->order ? n - g->order : 0;

	buf_clear(&a->name);
	buf_printf(&a->name, "@%s|", pcfg_symbol_name(g, phrase));
	for (int i = from; i < n; i++)
		buf_printf(&a->name, "%s%s", i > from ? " " : "", pcfg_symbol_name(g, child[i]));
	return pcfg_symbol(g, a->name.data, a->name.n);
}

static void
count_phrase(struct adder *a, int node, int *child)
{
	const struct tree_node *v = a->t->node;
	int phrase = pcfg_label_of(a, node), parent = phrase, n = 0;

	for (int i = node + 1; i <= v[node].last; i = tree_after(a->t, i)) {
		child[n++] = pcfg_label_of(a, i);
		if (v[i].leaf)
			count_word(a, child[n - 1], v[i].label);
	}
	if (n == 1) {
		if (child[0] != phrase)
			count_rule(a, phrase, child[0], NO_SYMBOL);
		return;
	}
	for (int i = 1; i + 1 < n; i++) {
		int part = pcfg_part_of(a, phrase, child, i);

		count_rule(a, parent, child[i - 1], part);
		parent = part;
	}
	count_rule(a, parent, child[n - 2], child[n - 1]);
}

void
pcfg_add(struct pcfg *g, const struct tree *t)
{
	struct adder a = { .g = g, .t = t };
	int *child, root;

	if (!t->n)
		return;
	child = xreallocarray(NULL, (size_t)t->n, sizeof(*child));
	root = pcfg_label_of(&a, 0);
	word_count_add(&g->root, &root, sizeof(root), 1);
	for (int i = 0; i < t->n; i++)
		if (tree_is_tag(t, i))
			count_word(&a, pcfg_label_of(&a, i), t->node[i + 1].label);
		else if (!t->node[i].leaf)
			count_phrase(&a, i, child);
	free(child);
	buf_release(&a.name);
}

/* Probabilities */

static double *
count_uses(struct pcfg *g)
{
	double *uses = arena_zero(&g->mem, (size_t)g->n_symbols * sizeof(*uses));

	for (int i = 0; i < (int)g->rule.words.n; i++)
		uses[symbol_of(g, rule_at(g, i).parent)] += (double)g->rule.count[i];
	for (int i = 0; i < (int)g->lex.words.n; i++)
		uses[lex_at(g, i).tag] += (double)g->lex.count[i];
	return uses;
}

static void
finish_roots(struct pcfg *g)
{
	int64_t all = 0, max = 0;

	g->root_log_p = ARENA_ARRAY(&g->mem, float, g->n_labels);
	for (int i = 0; i < g->n_labels; i++)
		g->root_log_p[i] = -INFINITY;
	for (size_t i = 0; i < g->root.words.n; i++)
		all += g->root.count[i];
	for (int i = 0; i < (int)g->root.words.n; i++) {
		int label = root_at(g, i);

		g->root_log_p[label] = (float)log((double)g->root.count[i] / (double)all);
		if (g->root.count[i] > max) {
			max = g->root.count[i];
			g->best_root = label;
		}
	}
}

/* A binary rule before rules are sorted. */
struct loose_rule {
	float log_p;
	int parent, left, right, pair;
};

/* Puts binary rules into the list and unary rules into the table. */
static void
split_rules(struct pcfg *g, const double *uses, struct loose_rule *binary)
{
	for (int i = 0; i < (int)g->rule.words.n; i++) {
		struct rule_key r = rule_at(g, i);
		int parent = symbol_of(g, r.parent), left = symbol_of(g, r.left);
		float log_p = (float)log((double)g->rule.count[i] / uses[parent]);

		if (r.right != NO_SYMBOL) {
			int right = symbol_of(g, r.right);

			binary[g->n_binary++] =
				(struct loose_rule){ log_p, parent, left, right, 0 };
			continue;
		}
		g->unary.log_p[(size_t)parent * (size_t)g->n_labels + (size_t)left] = log_p;
		g->n_unary++;
	}
}

/* Sorts rules by a field, stably; (*start)[v] is the index of the first rule with value v. */
static struct loose_rule *
sort_rules(struct pcfg *g, const struct loose_rule *rule, size_t field, int **start)
{
	struct loose_rule *sorted = ARENA_ARRAY(&g->mem, struct loose_rule, g->n_binary);
	int *key = xreallocarray(NULL, (size_t)g->n_binary + 1, sizeof(*key));
	struct groups by;

	for (int i = 0; i < g->n_binary; i++)
		memcpy(&key[i], (const char *)&rule[i] + field, sizeof(*key));
	by = group_by(key, g->n_binary, g->n_symbols, &g->mem);
	for (int i = 0; i < g->n_binary; i++)
		sorted[i] = rule[by.item[i]];
	free(key);
	*start = by.start;
	return sorted;
}

/* Numbers the pairs of rules with the same right symbol, sorted by left symbol. */
static void
number_pairs(struct pcfg *g, struct loose_rule *r, int n)
{
	int labels = g->n_labels, table = labels * labels;

	for (int i = 0; i < n; i++) {
		if (r[i].right < labels) {
			r[i].pair = r[i].right * labels + r[i].left;
			continue;
		}
		if (!i || r[i].left != r[i - 1].left)
			g->pair_left[g->n_pairs++ - table] = r[i].left;
		r[i].pair = g->n_pairs - 1;
	}
}

/* start[s]: the index of the first rule with right symbol s. */
static void
pcfg_find_pairs(struct pcfg *g, struct loose_rule *rule, const int *start)
{
	g->n_pairs = g->n_labels * g->n_labels;
	g->pair_left = ARENA_ARRAY(&g->mem, int, g->n_binary);
	g->pairs = ARENA_ARRAY(&g->mem, int, (size_t)g->n_symbols + 1);
	for (int s = 0; s < g->n_symbols; s++) {
		g->pairs[s] = g->n_pairs;
		number_pairs(g, rule + start[s], start[s + 1] - start[s]);
	}
	g->pairs[g->n_symbols] = g->n_pairs;
}

static void
finish_binary(struct pcfg *g, struct loose_rule *rule)
{
	int *start;

	rule = sort_rules(g, rule, offsetof(struct loose_rule, left), &start);
	rule = sort_rules(g, rule, offsetof(struct loose_rule, right), &start);
	pcfg_find_pairs(g, rule, start);
	rule = sort_rules(g, rule, offsetof(struct loose_rule, parent), &g->rules);
	g->binary = ARENA_ARRAY(&g->mem, struct binary_rule, g->n_binary);
	g->sides = ARENA_ARRAY(&g->mem, struct sides, g->n_binary);
	for (int i = 0; i < g->n_binary; i++) {
		g->binary[i] = (struct binary_rule){ rule[i].log_p, rule[i].pair };
		g->sides[i] = (struct sides){ rule[i].left, rule[i].right };
	}
}

/* Extends all chains by those through label k (Floyd 1962). */
static void
join_chains(struct unaries *u, int n, int k)
{
	const float *below = u->log_p + (size_t)k * (size_t)n;

	for (int i = 0; i < n; i++) {
		float *from = u->log_p + (size_t)i * (size_t)n;
		int *next = u->next + (size_t)i * (size_t)n;

		if (i == k || from[k] == -INFINITY)
			continue;
		for (int j = 0; j < n; j++)
			if (from[k] + below[j] > from[j]) {
				from[j] = from[k] + below[j];
				next[j] = next[k];
			}
	}
}

static void
unaries_init(struct pcfg *g)
{
	struct unaries *u = &g->unary;
	size_t n = (size_t)g->n_labels;

	u->log_p = ARENA_ARRAY(&g->mem, float, n * n);
	u->next = ARENA_ARRAY(&g->mem, int, n * n);
	for (size_t i = 0; i < n * n; i++) {
		u->log_p[i] = -INFINITY;
		u->next[i] = (int)(i % n);
	}
}

/* Lists the possible parents of each child. */
static void
find_above(struct unaries *u, int n, struct arena *mem)
{
	size_t pairs = 0, side = (size_t)n;

	for (size_t i = 0; i < side * side; i++)
		pairs += u->log_p[i] > -INFINITY;
	u->above.start = ARENA_ARRAY(mem, int, side + 1);
	u->above.item = ARENA_ARRAY(mem, int, pairs);
	u->above.start[0] = 0;
	for (size_t child = 0, at = 0; child < side; child++) {
		for (size_t i = 0; i < side; i++)
			if (i != child && u->log_p[i * side + child] > -INFINITY)
				u->above.item[at++] = (int)i;
		u->above.start[child + 1] = (int)at;
	}
}

static void
finish_unary(struct pcfg *g)
{
	size_t n = (size_t)g->n_labels;

	for (size_t i = 0; i < n; i++)
		g->unary.log_p[i * n + i] = 0;
	for (int k = 0; k < g->n_labels; k++)
		join_chains(&g->unary, g->n_labels, k);
	find_above(&g->unary, g->n_labels, &g->mem);
}

int
pcfg_finish(struct pcfg *g, struct err *e)
{
	struct loose_rule *rule;
	double *uses;

	if (!g->root.words.n)
		return err_set(e, EXIT_INPUT, "no trees, expected at least one");
	if (g->label.n > PCFG_MAX_LABELS)
		return err_set(e, EXIT_INPUT, "%zu labels, expected at most %d", g->label.n,
			       PCFG_MAX_LABELS);
	g->n_labels = (int)g->label.n;
	g->n_symbols = g->n_labels + (int)g->part.n;
	uses = count_uses(g);
	rule = xreallocarray(NULL, g->rule.words.n + 1, sizeof(*rule));
	finish_roots(g);
	unaries_init(g);
	split_rules(g, uses, rule);
	finish_binary(g, rule);
	finish_unary(g);
	lexicon_finish(g, uses);
	free(rule);
	return 0;
}

bool
pcfg_knows(const struct pcfg *g, const char *word)
{
	return strmap_find(&g->word, word, strlen(word)) >= 0;
}

struct pcfg_size
pcfg_size(const struct pcfg *g)
{
	return (struct pcfg_size){ .labels = g->n_labels, .parts = (int)g->part.n,
				   .unary = g->n_unary, .binary = g->n_binary,
				   .words = (int)g->word.n };
}
