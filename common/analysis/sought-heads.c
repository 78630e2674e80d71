/* sought-heads: see sought-heads.h. */
#include "analysis/sought-heads.h"

#include "analysis/head-measures.h"

int
sought_heads_begin(struct sought_heads *s, struct site_list sites, struct err *e)
{
	struct head_roles *r = &s->found.roles;

	if (s->kind == FOUND_ALIGN)
		return aligning_heads_begin(&s->aligning, sites, s->gold, s->one_based,
					    s->content_only, e);
	s->found.sought = s->kind;
	r->sites = sites;
	r->relations = &s->list;
	if (head_roles_margin(r, s->margin, e))
		return -1;
	if (relation_list_parse(&s->list, s->relations, e))
		return err_wrap(e, "--relations");
	return found_heads_begin(&s->found, e);
}

void
sought_heads_release(struct sought_heads *s)
{
	aligning_report_release(&s->report);
	aligning_heads_release(&s->aligning);
	found_heads_release(&s->found);
	relation_list_release(&s->list);
}

int
sought_heads_check_header(const struct sought_heads *s, const struct header *h, struct err *e)
{
	if (s->kind != FOUND_SYNTAX || head_measures_has_trees(h))
		return 0;
	return err_set(e, EXIT_INPUT, "no trees, expected src.heads, src.rels and src.word for "
		       "--what syntax");
}

int
sought_heads_add(void *arg, const struct sentence_attention *sentence, struct err *e)
{
	struct sought_heads *s = arg;

	return s->kind == FOUND_ALIGN ? aligning_heads_add(&s->aligning, sentence, e)
				      : found_heads_add(&s->found, sentence, e);
}

int
sought_heads_end(struct sought_heads *s, int64_t records, struct err *e)
{
	if (s->kind != FOUND_ALIGN)
		return found_heads_rank(&s->found, e);
	if (aligning_heads_check(&s->aligning, records, e))
		return -1;
	aligning_report_begin(&s->report, &s->aligning, s->rows);
	return 0;
}

size_t
sought_heads_set(const struct sought_heads *s, bool *set)
{
	const struct aligning_heads *a = &s->aligning;
	size_t n = 0;

	for (size_t i = 0; i < s->found.n_found; i++, n++)
		set[s->found.row[i].at] = true;
	for (size_t i = 0; s->kind == FOUND_ALIGN && i < a->n; i++)
		if (s->report.set[s->rows][i]) {
			set[a->head[i]] = true;
			n++;
		}
	return n;
}

void
sought_heads_write(struct sought_heads *s, const struct set_losses *losses, const char *model,
		   enum aligning_form form, struct buf *out)
{
	const struct found_report found = { &s->found, losses, model };

	s->report.losses = losses;
	s->report.model = model;
	if (s->kind == FOUND_ALIGN)
		aligning_report_write(&s->report, form, out);
	else
		found_report_write(&found, form, out);
}
