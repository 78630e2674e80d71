/*
 * pcfg-parse: the most probable tree, by CKY with chains of unary rules; see pcfg.h.
 *
 * Cells are filled by end position, then from right to left.  So all labels that end where a cell
 * begins are known.  A part of a phrase is pruned if no label that it can follow ends there.
 *
 * At each split, left and right sides are combined once for all rules with the same pair; rules are
 * applied after the last split.  There are no backpointers: the tree is read off from the top, by
 * searching the rule that gives exactly the score of a cell.
 */
#include <math.h>
#include <string.h>

#include "parser/chart.h"
#include "parser/pcfg-parts.h"

/* A part of a phrase as the right side of a pair; one for each label that ends before it. */
struct right_part {
	int pair, left;
	float log_p;
};

/* The labels and parts over the words of a cell. */
struct cell {
	float *best;		/* [label] */
	float *made;		/* [label] from a word or two cells, before unary rules */
	int *label, n_labels;	/* labels with a finite score */
	struct right_part *part;
	int n_parts;
};

struct chart {
	const struct pcfg *g;
	int n;
	struct cell *cell;	/* [j (j - 1) / 2 + i] of words [i, j) */
	bool *ends;		/* [k][label] does a phrase with the label end before word k? */
	float *both;		/* [pair] best left + right of the current cell */
	struct right_part *part;	/* scratch memory for the parts of one cell */
	struct arena *mem;
};

static struct cell *
cell_at(const struct chart *c, int i, int j)
{
	return &c->cell[(size_t)j * (size_t)(j - 1) / 2 + (size_t)i];
}

static bool *
ends_before(const struct chart *c, int k)
{
	return c->ends + (size_t)k * (size_t)c->g->n_labels;
}

/* Always added in this order, because pcfg_parse_read_off() compares sums for equality. */
static float
pcfg_parse_join(float left, float right, float rule)
{
	return (left + right) + rule;
}

/* Updates the best score of each pair with one split. */
static void
pcfg_parse_combine(struct chart *c, const struct cell *left, const struct cell *right)
{
	int labels = c->g->n_labels;

	if (!left->n_labels)
		return;
	for (int i = 0; i < right->n_labels; i++) {
		int s = right->label[i];

		chart_raise(right->best[s], left->best, c->both + s * labels, labels);
	}
	for (int i = 0; i < right->n_parts; i++) {
		const struct right_part *p = &right->part[i];
		float v = left->best[p->left] + p->log_p;

		c->both[p->pair] = v > c->both[p->pair] ? v : c->both[p->pair];
	}
}

/* The best score of the rules of a symbol, after the last split. */
static float
best_rule(const struct chart *c, int symbol)
{
	const struct pcfg *g = c->g;
	float best = -INFINITY;

	for (int r = g->rules[symbol]; r < g->rules[symbol + 1]; r++) {
		float v = c->both[g->binary[r].pair] + g->binary[r].log_p;

		best = v > best ? v : best;
	}
	return best;
}

static void
add_tags(struct chart *c, const char *word, float *made)
{
	struct arena_mark mark = arena_mark(c->mem);
	double *p = ARENA_ARRAY(c->mem, double, c->g->n_labels);
	struct tag_score *tag = ARENA_ARRAY(c->mem, struct tag_score, c->g->n_labels);
	int n = lexicon_tags(c->g, word, p, tag);

	for (int i = 0; i < n; i++)
		made[tag[i].tag] = tag[i].log_p;
	arena_rewind_to(c->mem, mark);
}

static void
add_unaries(const struct pcfg *g, const float *made, float *best)
{
	const struct unaries *u = &g->unary;

	memcpy(best, made, (size_t)g->n_labels * sizeof(*best));
	for (int child = 0; child < g->n_labels; child++) {
		if (made[child] == -INFINITY)
			continue;
		for (int i = u->above.start[child]; i < u->above.start[child + 1]; i++) {
			int parent = u->above.item[i];
			float v = unary_log_p(g, parent, child) + made[child];

			if (v > best[parent])
				best[parent] = v;
		}
	}
}

/* Scores labels by binary rules, or by the tags of a word, and then by unary rules. */
static void
pcfg_parse_fill_labels(struct chart *c, struct cell *cell, const char *word)
{
	int n = c->g->n_labels;

	cell->best = ARENA_ARRAY(c->mem, float, n);
	cell->made = ARENA_ARRAY(c->mem, float, n);
	chart_clear(cell->made, n);
	if (word)
		add_tags(c, word, cell->made);
	for (int s = 0; s < n && !word; s++)
		cell->made[s] = best_rule(c, s);
	add_unaries(c->g, cell->made, cell->best);
}

static void
list_labels(struct chart *c, struct cell *cell, int j)
{
	cell->label = ARENA_ARRAY(c->mem, int, c->g->n_labels);
	for (int s = 0; s < c->g->n_labels; s++)
		if (cell->best[s] > -INFINITY) {
			ends_before(c, j)[s] = true;
			cell->label[cell->n_labels++] = s;
		}
}

/* Adds a part that begins at i, once for each label on its left that ends there. */
static void
pcfg_parse_add_part(struct chart *c, struct cell *cell, int symbol, int i)
{
	const struct pcfg *g = c->g;
	const bool *ends = ends_before(c, i);
	int first = cell->n_parts;
	float log_p;

	for (int p = g->pairs[symbol]; p < g->pairs[symbol + 1]; p++) {
		int left = g->pair_left[p - g->pairs[g->n_labels]];

		if (ends[left])
			c->part[cell->n_parts++] = (struct right_part){ p, left, 0 };
	}
	if (cell->n_parts == first)
		return;
	log_p = best_rule(c, symbol);
	if (log_p == -INFINITY)
		cell->n_parts = first;
	for (int k = first; k < cell->n_parts; k++)
		c->part[k].log_p = log_p;
}

static void
list_parts(struct chart *c, struct cell *cell, int i)
{
	for (int s = c->g->n_labels; s < c->g->n_symbols; s++)
		pcfg_parse_add_part(c, cell, s, i);
	cell->part = arena_copy(c->mem, c->part, (size_t)cell->n_parts * sizeof(*c->part));
}

static void
fill_cell(struct chart *c, int i, int j, const char *word)
{
	struct cell *cell = cell_at(c, i, j);

	chart_clear(c->both, c->g->n_pairs);
	for (int k = i + 1; k < j; k++)
		pcfg_parse_combine(c, cell_at(c, i, k), cell_at(c, k, j));
	pcfg_parse_fill_labels(c, cell, j - i == 1 ? word : NULL);
	list_labels(c, cell, j);
	if (j - i > 1)
		list_parts(c, cell, i);
}

static void
chart_init(struct chart *c)
{
	size_t n = (size_t)c->n, labels = (size_t)c->g->n_labels;

	c->cell = arena_zero(c->mem, n * (n + 1) / 2 * sizeof(*c->cell));
	c->ends = arena_zero(c->mem, (n + 1) * labels * sizeof(*c->ends));
	c->both = ARENA_ARRAY(c->mem, float, c->g->n_pairs);
	c->part = ARENA_ARRAY(c->mem, struct right_part, c->g->n_binary);
}

static void
fill_chart(struct chart *c, const char *const *word)
{
	for (int j = 1; j <= c->n; j++)
		for (int i = j - 1; i >= 0; i--)
			fill_cell(c, i, j, word[i]);
}

/* The label of the root, or -1 without a parse. */
static int
best_root(const struct chart *c, double *log_p)
{
	const float *best = cell_at(c, 0, c->n)->best;
	int root = -1;

	*log_p = -INFINITY;
	for (int s = 0; s < c->g->n_labels; s++)
		if ((double)(c->g->root_log_p[s] + best[s]) > *log_p) {
			*log_p = (double)(c->g->root_log_p[s] + best[s]);
			root = s;
		}
	return root;
}

/* Reading off the tree */

/* A span to read off; with symbol < 0, i phrases to close. */
struct open_span {
	int symbol, i, j;
	float log_p;
};

/* The score of the right side of a rule; parts are sorted by pair. */
static float
right_log_p(const struct chart *c, const struct cell *cell, int right, int pair)
{
	int low = 0, high = cell->n_parts;

	if (right < c->g->n_labels)
		return cell->best[right];
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (cell->part[middle].pair < pair)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cell->n_parts && cell->part[low].pair == pair ?
	       cell->part[low].log_p : -INFINITY;
}

/* The two parts of a symbol whose rule makes it as probable as the cell has it. */
static void
pcfg_parse_split(const struct chart *c, struct open_span s, struct open_span part[2])
{
	const int *rules = c->g->rules;

	for (int k = s.i + 1; k < s.j; k++) {
		const struct cell *left = cell_at(c, s.i, k), *right = cell_at(c, k, s.j);

		for (int r = rules[s.symbol]; r < rules[s.symbol + 1]; r++) {
			const struct binary_rule *rule = &c->g->binary[r];
			const struct sides *of = &c->g->sides[r];
			float a = left->best[of->left];
			float b = right_log_p(c, right, of->right, rule->pair);

			if (pcfg_parse_join(a, b, rule->log_p) != s.log_p)
				continue;
			part[0] = (struct open_span){ of->left, s.i, k, a };
			part[1] = (struct open_span){ of->right, k, s.j, b };
			return;
		}
	}
	bug("no rule gives the score of a cell");
}

/* The label at the lower end of the best chain of unary rules from a label. */
static int
end_of_chain(const struct chart *c, const struct cell *cell, int label)
{
	for (int s = 0; s < c->g->n_labels; s++)
		if (unary_log_p(c->g, label, s) + cell->made[s] == cell->best[label])
			return s;
	bug("no chain of rules gives the score of a cell");
}

static void
pcfg_parse_open_label(const struct pcfg *g, struct tree *out, int label)
{
	size_t n;
	const char *s = strmap_text(&g->label, label, &n);

	tree_open(out, s, n);
}

/* Opens the phrases from label down to end and returns their number; no label occurs twice. */
static int
open_chain(const struct pcfg *g, struct tree *out, int label, int end)
{
	int n = 1;

	for (; label != end && n < g->n_labels; n++) {
		pcfg_parse_open_label(g, out, label);
		label = g->unary.next[(size_t)label * (size_t)g->n_labels + (size_t)end];
	}
	pcfg_parse_open_label(g, out, end);
	return n;
}

static void
pcfg_parse_close_phrases(struct tree *out, int n)
{
	while (n-- > 0)
		tree_close(out);
}

static void
pcfg_parse_read_off(const struct chart *c, int root, const char *const *word, struct tree *out)
{
	struct open_span *todo = ARENA_ARRAY(c->mem, struct open_span, 3 * (size_t)c->n + 3);
	int n = 0;

	todo[n++] = (struct open_span){ root, 0, c->n, 0 };
	while (n > 0) {
		struct open_span s = todo[--n], part[2];
		const struct cell *cell;

		if (s.symbol < 0) {
			pcfg_parse_close_phrases(out, s.i);
			continue;
		}
		cell = cell_at(c, s.i, s.j);
		if (s.symbol < c->g->n_labels) {
			int label = s.symbol;

			s.symbol = end_of_chain(c, cell, label);
			s.log_p = cell->made[s.symbol];
			todo[n++] = (struct open_span){
				-1, open_chain(c->g, out, label, s.symbol), 0, 0
			};
		}
		if (s.j - s.i == 1) {
			tree_leaf(out, word[s.i], strlen(word[s.i]));
			continue;
		}
		pcfg_parse_split(c, s, part);
		todo[n++] = part[1];
		todo[n++] = part[0];
	}
}

/* Sentences without a parse */

static int
best_tag(const struct pcfg *g, const char *word, double *p, struct tag_score *tag)
{
	int best = 0;

	lexicon_tags(g, word, p, tag);
	for (int t = 1; t < g->n_labels; t++)
		if (p[t] > p[best])
			best = t;
	return best;
}

static void
branch_right(const struct pcfg *g, const char *const *word, int n, struct tree *out,
	     struct arena *mem)
{
	double *p = ARENA_ARRAY(mem, double, g->n_labels);
	struct tag_score *tag = ARENA_ARRAY(mem, struct tag_score, g->n_labels);

	for (int i = 0; i < n; i++) {
		if (i == 0 || i + 1 < n)
			pcfg_parse_open_label(g, out, g->best_root);
		pcfg_parse_open_label(g, out, best_tag(g, word[i], p, tag));
		tree_leaf(out, word[i], strlen(word[i]));
		tree_close(out);
	}
	pcfg_parse_close_phrases(out, n > 1 ? n - 1 : 1);
}

double
pcfg_parse(const struct pcfg *g, const char *const *word, int n, struct arena *scratch,
	   struct tree *out, bool *fallback)
{
	struct arena_mark mark = arena_mark(scratch);
	struct chart c = { .g = g, .n = n, .mem = scratch };
	double log_p = -INFINITY;
	int root = -1;

	if (n <= PCFG_MAX_WORDS) {
		chart_init(&c);
		fill_chart(&c, word);
		root = best_root(&c, &log_p);
	}
	tree_clear(out);
	if (root >= 0)
		pcfg_parse_read_off(&c, root, word, out);
	else
		branch_right(g, word, n, out, scratch);
	*fallback = root < 0;
	arena_rewind_to(scratch, mark);
	return log_p;
}
