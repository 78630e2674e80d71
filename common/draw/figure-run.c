/* figure-run: figures from files; see figure-run.h. */
#include "draw/figure-run.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stored-attention.h"
#include "base/mem.h"
#include "data/audit.h"
#include "model-file/model-file.h"

static int
draw_sentence(struct figure *f, struct look *l, const struct pick_source *source, struct err *e)
{
	struct reader *in = pick_open(source, l->m, e);
	struct pick p = { 0 };
	int bad;

	if (!in)
		return -1;
	bad = pick_read(&p, in, source, e) || pick_fit(&p, source, l->m, in, e);
	if (!bad && p.n > 1)
		bad = err_usage(e, "%d sentences, expected one without --to html", p.n);
	l->cut = source->too_long == TOO_LONG_CUT;
	if (!bad && look_at(l, p.rec[0], p.number[0], e))
		bad = err_wrap(e, "%s", reader_name(in));
	if (!bad)
		bad = figure_add_model(f, l, p.id[0], e);
	pick_release(&p);
	reader_close(in);
	return bad ? -1 : 0;
}

int
figure_run_model(struct figure *f, const char *model, const struct pick_source *source, bool words,
		 bool read, struct err *e)
{
	struct look *l = &f->look;	/* its axes are those of the panels */
	struct model *m;
	struct runtime run;
	int bad;

	*l = (struct look){ .words = words, .read = read };
	m = model_load(model, false, NULL, NULL, e);
	if (!m || runtime_open(&run, NULL, PRECISION_FP32, 1, e)) {
		model_free(m);
		return -1;
	}
	look_set_model(l, m, &run);
	/* Parameters of the model are of no sentence. */
	bad = figure_picture(f->kind)->sentence ? draw_sentence(f, l, source, e)
						: figure_add_model(f, l, NULL, e);
	model_free(m);
	runtime_close(&run);
	return bad;
}

/* Draws the sentence if it is the selected one: 1, or 0. */
static int
draw_stored(struct figure *f, const struct stored_attention *a, const struct pick_source *source,
	    struct err *e)
{
	struct look *l = &f->look;
	char *id = pick_id(a->sentence.rec, a->sentence.number + 1);
	int r = !source->ids || !strcmp(id, source->ids);

	if (r && (look_stored(l, &a->sentence, e) || figure_add_model(f, l, id, e)))
		r = -1;
	l->stored = NULL;
	free(id);
	return r;
}

int
figure_run_stored(struct figure *f, const struct pick_source *source, bool words, bool read,
		  struct err *e)
{
	struct stored_attention a;
	int more, done = 0;

	if (stored_attention_open(&a, source->path, NULL, source->force ? STREAM_FORCE : 0, e))
		return -1;
	f->look = (struct look){ .words = words, .read = read, .sites = a.sites };
	/* To its end, to verify that it is complete. */
	while ((more = stored_attention_next(&a, e)) > 0 && done >= 0)
		if (!done)
			done = draw_stored(f, &a, source, e);
	if (!more && !done)
		done = err_set(e, EXIT_INPUT, "%s: no sentence with id %s and attention weights, "
			       "expected one", reader_name(a.in), source->ids);
	stored_attention_close(&a);
	f->look.sites = (struct site_list){ NULL, 0 };
	return more < 0 || done < 0 ? -1 : 0;
}

int
figure_run_tables(struct figure *f, char **path, int n, bool words, struct err *e)
{
	for (int i = 0; i < (n ? n : 1); i++)
		if (figure_add_table(f, n ? path[i] : NULL, words, e))
			return -1;
	return 0;
}

int
figure_run_heads(struct figure *f, char **path, int n, const char *measures, bool force,
		 struct err *e)
{
	struct head_table t = { .n = 0 };
	int bad = 0;

	f->of_heads = xcalloc(1, sizeof(*f->of_heads));
	for (int i = 0; !bad && i < (n ? n : 1); i++) {
		struct reader *in = reader_open(n ? path[i] : NULL, "head", NULL,
						force ? STREAM_FORCE : 0, e);

		bad = !in || head_table_read(&t, in, e);
		reader_close(in);
	}
	bad = bad || head_figure_make(f->of_heads, &t, measures, n ? path[0] : "standard input",
				      e);
	head_table_release(&t);
	return bad ? -1 : 0;
}
