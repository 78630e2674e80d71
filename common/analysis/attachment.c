/* attachment: attachment scores of supervised heads; see attachment.h. */
#include "analysis/attachment.h"

#include <string.h>

#include "trees/piece-heads.h"

static const char *const names[ATTACHMENT_SIDES] = { "src", "tgt" };
static const enum site_where wheres[ATTACHMENT_SIDES] = { ENCODER_SELF, DECODER_SELF };

/* The site whose first head is not pruned, in the first layer; -1 without one. */
static int
first_site(const struct model *m, enum site_where where)
{
	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];

		if (s->where == where && s->layer == 1 && s->heads && !s->head[0])
			return (int)i;
	}
	return -1;
}

/* 1 if the model is trained with dbsa:align=input, whose rows are those that read a subword. */
static int
shift_of(const struct model *m)
{
	bool input = false;

	for (size_t i = 0; i < attention_set_n(m->attention); i++) {
		struct buf spec = { 0 };
		int version;

		attention_set_describe(m->attention, i, &spec, &version);
		input |= !strncmp(spec.data, "dbsa:", 5) && strstr(spec.data, "align=input");
		buf_release(&spec);
	}
	return input;
}

void
attachment_begin(struct attachment *a, const struct model *m, const struct header *h)
{
	*a = (struct attachment){ .m = m };
	for (int k = 0; k < ATTACHMENT_SIDES; k++) {
		struct attachment_side *s = &a->side[k];

		s->fields = side_fields[k];
		s->site = header_type(h, s->fields.heads) && header_type(h, s->fields.word)
			? first_site(m, wheres[k]) : -1;
		s->shift = k ? shift_of(m) : 0;
	}
}

void
attachment_release(struct attachment *a)
{
	piece_words_release(&a->pieces);
}

int
attachment_count(const struct head_weights *w, const int32_t *head, int n_words,
		 const struct piece_words *p, int shift, int *counted)
{
	int correct = 0;

	*counted = 0;
	for (int k = 0; k < n_words; k++) {
		const int gold = head[k] ? head[k] - 1 : k;
		const int row = piece_last(p->word, p->n, k);
		int best;

		if (w->causal && piece_first(p->word, p->n, gold) > row)
			continue;
		best = head_weights_best(w, row + shift) - shift;
		correct += best >= 0 && best < p->n && p->word[best] == gold;
		++*counted;
	}
	return correct;
}

/* Reads the tree of a sentence of n subwords; *n_words is 0 if it has no tree. */
static int
attachment_read_tree(struct attachment *a, const struct attachment_side *s,
		     const struct record *rec, int n,
		     const int32_t **head, int *n_words, struct err *e)
{
	size_t words;

	*n_words = 0;
	if (record_ints(rec, s->fields.heads, head, &words) || !words ||
	    !record_has(rec, s->fields.word))
		return 0;
	for (size_t k = 0; k < words; k++)
		if ((*head)[k] < 0 || (size_t)(*head)[k] > words)
			return err_set(e, EXIT_INPUT, "%s: %d, expected a word from 1 to %zu or 0",
				       s->fields.heads, (int)(*head)[k], words);
	if (record_pieces(rec, &s->fields, (int)words, &a->pieces, e))
		return -1;
	if (a->pieces.n != n)
		return err_set(e, EXIT_INPUT, "%s has %d entries, expected one for each of %d "
			       "subwords", s->fields.word, a->pieces.n, n);
	*n_words = (int)words;
	return 0;
}

static int
add_side(struct attachment *a, int k, struct tape *t, const struct batch *b, struct err *e)
{
	struct attachment_side *s = &a->side[k];
	const struct layout *layout = k ? &b->tgt.layout : &b->src.layout;
	const int end = k ? 1 : b->src_end;
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *x = s->site < 0 ? NULL
		: model_site_weights(a->m, t, (size_t)s->site, &block, &queries, &keys);

	for (int i = 0; x && i < b->n; i++) {
		const int n = layout->len[i];
		const struct head_weights w = { .x = x + block[i], .queries = n, .keys = n,
						.rows = n, .columns = n, .causal = k };
		const int32_t *head;
		int n_words, counted;

		if (attachment_read_tree(a, s, b->record[i], n - end, &head, &n_words, e))
			return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
		s->correct += attachment_count(&w, head, n_words, &a->pieces, s->shift, &counted);
		s->words += counted;
	}
	return 0;
}

int
attachment_add(struct attachment *a, struct tape *t, const struct batch *b, struct err *e)
{
	for (int k = 0; k < ATTACHMENT_SIDES; k++)
		if (add_side(a, k, t, b, e))
			return -1;
	return 0;
}

void
attachment_put(const struct attachment *a, struct buf *out)
{
	for (int k = 0; k < ATTACHMENT_SIDES; k++)
		if (a->side[k].words)
			buf_printf(out, "uas.%s\t%.4f\n", names[k], 100 *
				   (double)a->side[k].correct / (double)a->side[k].words);
}
