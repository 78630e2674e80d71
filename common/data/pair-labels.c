/* pair-labels: see pair-labels.h. */
#include "data/pair-labels.h"

/* The field of a record, whose type and shape have been checked. */
struct pairs {
	const unsigned char *data;
	int n;				/* subwords */
	bool bits;
};

static int
pair_labels_value_of(const struct pairs *p, int i, int j)
{
	const unsigned char *row;

	if (!p->bits)
		return (signed char)p->data[(ptrdiff_t)i * p->n + j];
	row = p->data + (ptrdiff_t)i * ((p->n + 7) / 8);
	return row[j / 8] >> j % 8 & 1;
}

/* The number of subwords of record i: the source without an end token. */
static int
pieces_of(const struct batch *b, int i)
{
	const struct str *piece;
	size_t n;

	if (record_strs(b->record[i], "src.pieces", &piece, &n))
		return -1;
	return (int)n;
}

static int
find_pairs(const struct batch *b, int i, const struct label_rule *rule, struct pairs *p,
	   struct err *e)
{
	struct tensor t;

	if (!record_has(b->record[i], rule->field)) {
		err_set(e, EXIT_INPUT, "no %s, expected a matrix over src.pieces", rule->field);
		err_hint(e, "%s", rule->cure);
		return -1;
	}
	if (record_tensor(b->record[i], rule->field, &t) || t.n_dim != 2 || t.type == TENSOR_F32)
		return err_set(e, EXIT_INPUT,
			       "%s is not a matrix of bits or bytes, expected one over src.pieces",
			       rule->field);
	p->n = pieces_of(b, i);
	if (t.d[0] != p->n || t.d[1] != p->n)
		return err_set(e, EXIT_INPUT, "%s is %lld by %lld, expected %d by %d as src.pieces",
			       rule->field, (long long)t.d[0], (long long)t.d[1], p->n, p->n);
	p->data = t.data;
	p->bits = t.type == TENSOR_BITS;
	return 0;
}

static int
pair_labels_fill(const struct pairs *p, const struct label_rule *rule, int len,
		 unsigned char *label, struct err *e)
{
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < p->n; j++) {
			const int value = pair_labels_value_of(p, i, j);
			const int l = rule->label(rule, value, i, j);

			if (l < 0)
				return err_set(e, EXIT_INPUT, "%s has %d at row %d, column %d",
					       rule->field, value, i + 1, j + 1);
			label[i * len + j] = (unsigned char)l;
		}
	return 0;
}

/* A query that may attend to nothing attends to itself. */
static void
open_rows(const struct label_rule *rule, int n, int len, unsigned char *label)
{
	for (int i = 0; i < n; i++) {
		unsigned char *row = label + i * len;
		int j = 0;

		while (j < n && row[j] == LABEL_NEVER)
			j++;
		if (j == n)
			row[i] = (unsigned char)rule->end_self;
	}
}

static void
fill_ends(const struct pairs *p, const struct label_rule *rule, int len, unsigned char *label)
{
	for (int at = p->n; at < len; at++) {
		for (int j = 0; j < len; j++) {
			label[at * len + j] = (unsigned char)rule->end_row;
			label[j * len + at] = (unsigned char)rule->end_column;
		}
		label[at * len + at] = (unsigned char)rule->end_self;
	}
}

static int
pair_labels_label_sentence(struct batch *b, int i, const struct label_rule *rule,
			   const unsigned char **row, struct err *e)
{
	const int len = b->src.layout.len[i];
	unsigned char *label;
	struct pairs p = { 0 };

	*row = NULL;
	if (rule->optional && !record_has(b->record[i], rule->field))
		return 0;
	if (find_pairs(b, i, rule, &p, e))
		return -1;
	*row = label = ARENA_ARRAY(b->mem, unsigned char, (size_t)len * (size_t)len);
	if (pair_labels_fill(&p, rule, len, label, e))
		return -1;
	open_rows(rule, p.n, len, label);
	fill_ends(&p, rule, len, label);
	return 0;
}

const struct labels *
labels_make(struct batch *b, const struct label_rule *rule, struct err *e)
{
	const struct labels *kept = batch_kept(b, rule);
	const unsigned char **of;
	struct labels *l;

	if (kept)
		return kept;
	of = ARENA_ARRAY(b->mem, const unsigned char *, b->n);
	for (int i = 0; i < b->n; i++)
		if (pair_labels_label_sentence(b, i, rule, &of[i], e)) {
			err_wrap(e, "record %lld", (long long)b->number[i] + 1);
			return NULL;
		}
	l = ARENA_ARRAY(b->mem, struct labels, 1);
	*l = (struct labels){ of, rule->n };
	batch_keep(b, rule, l);
	return l;
}

/* Label 0 for bit 1, LABEL_NEVER for bit 0. */
static int
label_bit(const struct label_rule *rule, int value, int i, int j)
{
	(void)rule;
	(void)i;
	(void)j;
	return value ? 0 : LABEL_NEVER;
}

const struct label_rule label_dependency = {
	.field = "src.dep", .optional = true, .n = 1, .label = label_bit,
	.end_row = 0, .end_column = LABEL_NEVER, .end_self = 0,
};
