/* word-alignment: see word-alignment.h. */
#include "analysis/word-alignment.h"

#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/links.h"

/* The weights of a head in a sentence: [queries, keys]. */
struct weights { const real *x; int keys; };

static void
choose_default(struct word_alignment *a)
{
	const struct model *m = a->m;
	size_t last = m->n_sites, site;

	for (size_t i = 0; i < m->n_sites; i++)
		if (m->sites[i].where == DECODER_CROSS)
			last = i;
	site = last && m->sites[last].layer > 1 ? last - 1 : last;
	for (int h = 0; h < m->sites[site].heads; h++) {
		const size_t at = heads_before(m->sites, site) + (size_t)h;

		a->chosen[at] = !m->mask || m->mask[at] != 0;
	}
}

/* Are there heads, and only such of cross-attention? */
static int
word_alignment_check_heads(const struct word_alignment *a, struct err *e)
{
	const struct model *m = a->m;
	bool any = false;

	for (size_t i = 0; i < m->n_sites; i++)
		for (int h = 0; h < m->sites[i].heads; h++) {
			if (!a->chosen[heads_before(m->sites, i) + (size_t)h])
				continue;
			any = true;
			if (m->sites[i].where != DECODER_CROSS)
				return err_usage(e, "%s is no cross-attention, expected heads of "
						 "cross-attention", m->sites[i].name);
		}
	return any ? 0 : err_usage(e, "no heads of cross-attention, expected at least one");
}

int
word_alignment_begin(struct word_alignment *a, const struct model *m, const char *heads,
		     struct err *e)
{
	*a = (struct word_alignment){ .m = m };
	a->chosen = xcalloc(heads_before(m->sites, m->n_sites) + 1, sizeof(*a->chosen));
	if (!heads)
		choose_default(a);
	else if (head_set_add(a->chosen, heads, m->sites, m->n_sites, e))
		return -1;
	if (!word_alignment_check_heads(a, e))
		return 0;
	if (!heads) {
		err_set(e, EXIT_USAGE, "no heads of cross-attention in the penultimate decoder "
			"layer are left, expected some");
		err_hint(e, "--alignment-heads chooses heads of other layers");
	}
	return -1;
}

void
word_alignment_release(struct word_alignment *a)
{
	free(a->chosen);
	free(a->source);
	word_sums_release(&a->sums);
	*a = (struct word_alignment){ .m = NULL };
}

/* Adds the weights of a head, from tokens to tokens, to those from words to words. */
static void
word_alignment_add_head(struct word_alignment *a, const struct weights *w,
			const struct link_side *src, const struct link_side *tgt)
{
	for (int i = 0; i < tgt->tokens; i++) {
		double *row = word_sums_row(&a->sums, link_side_word(tgt, i));

		for (int j = 0; j < src->tokens; j++)
			row[link_side_word(src, j)] += (double)w->x[(ptrdiff_t)i * w->keys + j];
	}
}

/* Adds the heads of a site: the chosen ones, or only head, if it is not negative. */
static void
word_alignment_add_site(struct word_alignment *a, struct tape *t, int sentence, size_t site,
			int head, const struct link_side *src, const struct link_side *tgt)
{
	const size_t first = heads_before(a->m->sites, site);
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *x = model_site_weights(a->m, t, site, &block, &queries, &keys);

	for (int h = 0; x && h < a->m->sites[site].heads; h++) {
		const struct weights w = {
			x + block[sentence] +
				(ptrdiff_t)h * queries->len[sentence] * keys->len[sentence],
			keys->len[sentence]
		};

		if (head < 0 ? a->chosen[first + (size_t)h] : h == head)
			word_alignment_add_head(a, &w, src, tgt);
	}
}

int
word_alignment_of(struct word_alignment *a, struct tape *t, const struct batch *b, int i, int site,
		  int head, struct err *e)
{
	struct link_side src, tgt;

	if (link_side_read(&src, b->record[i], "src.word", b->src.layout.len[i] - b->src_end, e) ||
	    link_side_read(&tgt, b->record[i], "tgt.word", b->tgt.layout.len[i] - 1, e))
		return -1;
	a->words = tgt.words;
	a->source_words = src.words;
	a->source = mem_grow(a->source, &a->source_room, (size_t)tgt.words + 1, sizeof(*a->source));
	word_sums_begin(&a->sums, tgt.words, src.words);
	for (size_t k = 0; k < a->m->n_sites; k++)
		if (a->m->sites[k].where == DECODER_CROSS && (site < 0 || (int)k == site))
			word_alignment_add_site(a, t, i, k, site < 0 ? -1 : head, &src, &tgt);
	for (int v = 0; v < tgt.words; v++)
		a->source[v] = word_sums_best(&a->sums, v);
	return 0;
}

void
word_alignment_put(const struct word_alignment *a, struct buf *out)
{
	const char *blank = "";

	for (int v = 0; v < a->words; v++)
		if (a->source[v] >= 0) {
			buf_printf(out, "%s%d-%d", blank, a->source[v], v);
			blank = " ";
		}
}
