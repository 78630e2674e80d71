/* model-measures: see model-measures.h. */
#include "draw/model-measures.h"

static bool
has_head(const struct site_list *sites, const struct head_row *row)
{
	for (size_t i = 0; i < sites->n; i++)
		if (sites->site[i].where == row->where && sites->site[i].layer == row->layer)
			return row->head <= sites->site[i].all_heads;
	return false;
}

static int
check_heads(const struct site_list *sites, const struct head_table *t, struct err *e)
{
	for (size_t i = 0; i < t->n; i++)
		if (!has_head(sites, &t->row[i]))
			return err_set(e, EXIT_INPUT, "measures of head %d of %s.%d, expected "
				       "heads of the model", t->row[i].head,
				       site_kinds[t->row[i].where], t->row[i].layer);
	return 0;
}

int
model_measures_read(struct head_table *t, const char *path, struct site_list sites,
		    const char *model, bool force, struct err *e)
{
	struct reader *in = reader_open(path, "head", NULL, force ? STREAM_FORCE : 0, e);
	const int bad = !in || head_table_read(t, in, e);

	reader_close(in);
	if (bad)
		return -1;
	if (check_heads(&sites, t, e))
		return err_wrap(e, "%s", path);
	return head_table_check_name(t, model, path, NULL, e);
}
