/* figure-run: figures from files; see figure-run.h. */
#include "draw/figure-run.h"

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
	struct runtime run;
	int bad;

	*l = (struct look){ .words = words, .read = read };
	l->m = model_load(model, false, NULL, NULL, e);
	if (!l->m || runtime_open(&run, NULL, PRECISION_FP32, 1, e)) {
		model_free(l->m);
		return -1;
	}
	l->run = &run;
	/* Parameters of the model are of no sentence. */
	bad = figure_picture(f->kind)->sentence ? draw_sentence(f, l, source, e)
						: figure_add_model(f, l, NULL, e);
	model_free(l->m);
	runtime_close(&run);
	return bad;
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
	struct head_table t;
	int bad = 0;

	f->of_heads = xcalloc(1, sizeof(*f->of_heads));
	head_table_init(&t);
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
