/* head-alignment: see head-alignment.h. */
#include "analysis/head-alignment.h"

#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"

int
head_alignment_begin(struct head_alignment *a, struct site_list sites, const char *path, int first,
		     bool errors, struct err *e)
{
	const size_t heads = heads_before(sites.site, sites.n);
	size_t k = 0;

	while (k < sites.n && sites.site[k].where != DECODER_CROSS)
		k++;
	if (k == sites.n)
		return err_usage(e, "%s: no weights of cross-attention, expected some for "
				 "alignments", path);

	/* links: one head at a time */
	*a = (struct head_alignment){ .links.sites = sites, .errors = errors };
	if (link_file_open(&a->gold, path, first, e))
		return -1;
	a->head = xcalloc(heads + 1, sizeof(*a->head));
	a->n = heads_of_kind(sites.site, sites.n, DECODER_CROSS, a->head);
	a->score = xcalloc(a->n + 1, sizeof(*a->score));
	return 0;
}

void
head_alignment_release(struct head_alignment *a)
{
	word_alignment_release(&a->links);
	link_file_release(&a->gold);
	link_set_release(&a->gold_links);
	link_set_release(&a->head_links);
	free(a->head);
	free(a->score);
	*a = (struct head_alignment){ .score = NULL };
}

static void
add_head_links(struct head_alignment *a, struct alignment_score *sum)
{
	struct link_score one = { 0 };

	word_alignment_links(&a->links, &a->head_links);
	link_score_add(&sum->counts, &a->gold_links, &a->head_links);
	if (!a->errors)
		return;
	link_score_add(&one, &a->gold_links, &a->head_links);
	ratio_error_add(&sum->aer, (double)(one.sure + one.possible),
			(double)(one.links + one.gold_sure));
	ratio_error_add(&sum->translation, (double)one.right, (double)one.words);
}

int
head_alignment_add(struct head_alignment *a, const struct sentence_attention *s, struct err *e)
{
	for (size_t i = 0; i < a->n; i++) {
		if (word_alignment_of(&a->links, s, (ptrdiff_t)a->head[i], e) ||
		    (!i && link_file_read(&a->gold, s->number, a->links.sums.source_words,
					  a->links.sums.words, &a->gold_links, e)))
			return -1;
		add_head_links(a, &a->score[i]);
	}
	return 0;
}

int
head_alignment_check(struct head_alignment *a, int64_t records, struct err *e)
{
	return a->score ? link_file_check(&a->gold, records, e) : 0;
}

void
head_alignment_fill(const struct head_alignment *a, struct head_table *t)
{
	const struct site *sites = a->links.sites.site;

	for (size_t i = 0; i < a->n; i++) {
		const struct alignment_score *s = &a->score[i];

		head_table_fill_mean(t, sites, a->head[i], "aer", link_score_aer(&s->counts),
				     ratio_error_of(&s->aer));
		head_table_fill_mean(t, sites, a->head[i], "translation",
				     link_score_translation(&s->counts),
				     ratio_error_of(&s->translation));
	}
}
