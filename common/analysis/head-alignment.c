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
	a->score = xcalloc(heads + 1, sizeof(*a->score));
	a->error = xcalloc(heads + 1, sizeof(*a->error));
	return 0;
}

void
head_alignment_release(struct head_alignment *a)
{
	word_alignment_release(&a->links);
	link_file_release(&a->gold);
	link_set_release(&a->gold_links);
	link_set_release(&a->head_links);
	free(a->score);
	free(a->error);
	*a = (struct head_alignment){ .score = NULL };
}

static void
add_errors(struct alignment_errors *sum, const struct link_score *one)
{
	ratio_error_add(&sum->aer, (double)(one->sure + one->possible),
			(double)(one->links + one->gold_sure));
	ratio_error_add(&sum->translation, (double)one->right, (double)one->words);
}

static void
add_head_links(struct head_alignment *a, size_t head)
{
	struct link_score one = { 0 };

	word_alignment_links(&a->links, &a->head_links);
	link_score_add(&a->score[head], &a->gold_links, &a->head_links);
	if (!a->errors)
		return;
	link_score_add(&one, &a->gold_links, &a->head_links);
	add_errors(&a->error[head], &one);
}

int
head_alignment_add(struct head_alignment *a, const struct sentence_attention *s, struct err *e)
{
	const struct site *site = a->links.sites.site;
	bool known = false;

	for (size_t k = 0; k < a->links.sites.n; k++)
		for (int h = 0; site[k].where == DECODER_CROSS && h < site[k].heads; h++) {
			if (word_alignment_of(&a->links, s, (int)k, h, e) ||
			    (!known && link_file_read(&a->gold, s->number,
						      a->links.sums.source_words,
						      a->links.sums.words, &a->gold_links, e)))
				return -1;
			known = true;
			add_head_links(a, heads_before(site, k) + (size_t)h);
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
	const struct site *site = a->links.sites.site;

	for (size_t k = 0; k < a->links.sites.n; k++)
		for (int h = 0; site[k].where == DECODER_CROSS && h < site[k].heads; h++) {
			const size_t at = heads_before(site, k) + (size_t)h;
			const struct link_score *s = &a->score[at];
			const int head = site[k].head[h] + 1;

			head_table_fill_mean(t, &site[k], head, "aer", link_score_aer(s),
					     ratio_error_of(&a->error[at].aer));
			head_table_fill_mean(t, &site[k], head, "translation",
					     link_score_translation(s),
					     ratio_error_of(&a->error[at].translation));
		}
}
