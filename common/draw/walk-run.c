/* walk-run: runs models over sentences, or takes the weights of a stream; see walk-run.h. */
#include "draw/walk-run.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stored-attention.h"
#include "base/mem.h"
#include "base/output.h"
#include "data/audit.h"
#include "draw/model-measures.h"
#include "draw/walk.h"
#include "draw/without.h"
#include "model-file/model-file.h"
#include "model/runtime.h"
#include "stream/signature.h"

/* Digits after the decimal point: those that weights have, and those that are seen. */
enum { JSON_DIGITS = 6, PAGE_DIGITS = 3 };

/* --- the list of options --- */

static bool
is_model(const struct walk_run *r, size_t i)
{
	return !strcmp(r->models->part[i].opt->long_name, "model");
}

static int
walk_check_options(const struct walk_run *r, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < r->models->n; i++)
		n += is_model(r, i);
	if (r->models->n && !is_model(r, 0))
		return err_set(e, EXIT_USAGE, "--head-measures %s, expected -m before it",
			       r->models->part[0].v);
	if (!n || n > WALK_MODELS)
		return err_set(e, EXIT_USAGE, "%zu models, expected 1 to %d", n, WALK_MODELS);
	return 0;
}

/* The file name of a model, or its path if another model has the same file name. */
static const char *
walk_name_of(const struct walk_run *r, size_t model)
{
	const char *path = r->models->part[model].v, *name = path_name(path);

	for (size_t i = 0; i < r->models->n; i++)
		if (i != model && is_model(r, i) && !strcmp(path_name(r->models->part[i].v), name))
			return path;
	return name;
}

/* Reads the measures in the options from i on, to the next model. */
static int
walk_read_measures(const struct walk_run *r, size_t i, struct site_list sites, const char *model,
		   struct head_table *t, struct err *e)
{
	for (; i < r->models->n && !is_model(r, i); i++)
		if (model_measures_read(t, r->models->part[i].v, sites, model, r->from.force, e))
			return -1;
	return 0;
}

/* The first measure of the page must be one of each model that has measures. */
static int
walk_check_by(const struct walk_run *r, const struct head_table *t, struct err *e)
{
	const struct head_column *c = r->by ? head_table_find(t, r->by) : NULL;

	if (!r->by || !t->n || (c && c->type != HEAD_STR))
		return 0;
	return err_usage(e, "--by %s: the head measures have no number of this name", r->by);
}

/* --- sentences --- */

static int
add_sentences(struct look *l, const struct pick *p, const struct without *w, const char *name,
	      struct walk_data *d, struct err *e)
{
	for (int i = 0; i < p->n; i++) {
		int bad;

		d->more = w->more ? &w->more[i] : NULL;
		bad = look_at(l, p->rec[i], p->number[i], e) ||
		      walk_data_add(d, l, p->id[i], e);
		look_clear(l);
		if (bad)
			return err_wrap(e, "%s: id %s", name, p->id[i]);
	}
	return 0;
}

/* Opens the stream with the first model's needs, and checks that it has those of the others. */
static int
walk_check_stream(const struct walk_run *r, const struct model *m, struct reader **reader,
		  struct err *e)
{
	if (*reader)
		return forced_check(m, r->from.target, *reader, e);
	*reader = pick_open(&r->from, m, e);
	return *reader ? 0 : -1;
}

/* The sentences, which are read once, and change with each model. */
struct sentences {
	struct reader *in;
	struct pick read;
	char *signature;		/* of the measures of the models so far, or NULL */
};

static int
walk_add_model(const struct walk_run *r, size_t model, struct sentences *s, struct look *l,
	       struct walk_data *d, struct err *e)
{
	const bool first = !s->in;
	struct without w = { NULL, 0 };
	struct head_table t = { .n = 0 };
	struct pick p = { 0 };
	char digest[MODEL_DIGEST_SIZE];
	int bad;

	model_digest(l->m, digest);
	bad = walk_check_stream(r, l->m, &s->in, e) ||
	      (first && pick_read(&s->read, s->in, &r->from, e)) ||
	      pick_copy(&p, &s->read, e) ||
	      walk_read_measures(r, model + 1, l->sites, digest, &t, e) ||
	      walk_check_by(r, &t, e) ||
	      pick_fit(&p, &r->from, l->m, s->in, e);
	bad = bad || (r->without && without_run(&w, l->m, l->run, walk_name_of(r, model), &p, &t,
						e));
	if (!bad) {
		signature_take(&s->signature, t.signature, walk_name_of(r, model));
		walk_data_model(d, l, walk_name_of(r, model), &t, r->by);
		bad = add_sentences(l, &p, &w, reader_name(s->in), d, e);
	}
	without_release(&w);
	pick_release(&p);
	head_table_release(&t);
	return bad ? -1 : 0;
}

static int
run_models(const struct walk_run *r, struct sentences *s, struct walk_data *d, struct err *e)
{
	for (size_t i = 0; i < r->models->n; i++) {
		struct look l = { .read = r->read, .cut = r->from.too_long == TOO_LONG_CUT };
		struct model *m;
		struct runtime run;
		int bad;

		if (!is_model(r, i))
			continue;
		m = model_load(r->models->part[i].v, false, NULL, NULL, e);
		if (!m || runtime_open(&run, NULL, PRECISION_FP32, 1, e)) {
			model_free(m);
			return -1;
		}
		look_set_model(&l, m, &run);
		bad = walk_add_model(r, i, s, &l, d, e);
		model_free(m);
		runtime_close(&run);
		if (bad)
			return -1;
	}
	return 0;
}

static int
add_models(const struct walk_run *r, struct walk_data *d, struct err *e)
{
	struct sentences s = { .in = NULL };
	int bad;

	if (walk_check_options(r, e))
		return -1;
	bad = run_models(r, &s, d, e);
	pick_release(&s.read);
	reader_close(s.in);
	free(s.signature);
	return bad;
}

/* --- weights in the stream --- */

static const char *
walk_stream_name(const struct walk_run *r)
{
	const char *path = r->from.path;

	return path && strcmp(path, "-") ? path_name(path) : "standard input";
}

static int
add_stored_sentence(struct look *l, const struct sentence_attention *s, struct walk_data *d,
		    struct err *e)
{
	char *id = pick_id(s->rec, s->number + 1);
	const int bad = look_stored(l, s, e) || walk_data_add(d, l, id, e);

	look_clear(l);
	free(id);
	return bad ? -1 : 0;
}

/* Reads the stream to its end, to verify that it is complete. */
static int
add_stored_sentences(const struct walk_run *r, struct stored_attention *a, struct look *l,
		     struct walk_data *d, struct err *e)
{
	struct pick p;
	int more;

	pick_begin(&p, &r->from);
	while ((more = stored_attention_next(a, e)) > 0) {
		const int taken = pick_take(&p, a->sentence.rec, a->sentence.number, e);

		if (taken < 0 || (taken && add_stored_sentence(l, &a->sentence, d, e))) {
			more = err_wrap(e, "%s", stored_attention_where(a));
			break;
		}
	}
	if (!more && pick_end(&p, &r->from, reader_name(a->in), e)) {
		if (a->without)
			err_hint(e, "%lld sentences of the stream have no attention weights",
				 (long long)a->without);
		more = -1;
	}
	pick_release(&p);
	return more;
}

static int
add_stored(const struct walk_run *r, struct walk_data *d, struct err *e)
{
	struct stored_attention a;
	struct look l = { .read = r->read };
	struct head_table t = { .n = 0 };
	const char *model;
	int bad = stored_attention_open(&a, r->from.path, NULL, r->from.force ? STREAM_FORCE : 0,
					e);

	l.sites = a.sites;
	if (!bad) {
		model = header_meta(reader_header(a.in), HEADER_SCORED);
		bad = walk_read_measures(r, 0, a.sites, model, &t, e) || walk_check_by(r, &t, e);
	}
	if (!bad) {
		walk_data_model(d, &l, walk_stream_name(r), &t, r->by);
		bad = add_stored_sentences(r, &a, &l, d, e);
	}
	head_table_release(&t);
	stored_attention_close(&a);
	return bad ? -1 : 0;
}

/* --- the page --- */

/* The title of a page without --title has the names of the models; the caller frees it. */
static char *
make_title(const struct walk_run *r)
{
	struct buf names = { 0 };
	char *title;

	if (r->title)
		return xstrdup(r->title);
	if (r->stored)
		return xasprintf("Attention heads of %s", walk_stream_name(r));
	for (size_t i = 0; i < r->models->n; i++)
		if (is_model(r, i))
			buf_printf(&names, "%s%s", names.n ? ", " : "", walk_name_of(r, i));
	title = names.n ? xasprintf("Attention heads of %s", names.data)
			: xstrdup("Attention weights");
	buf_release(&names);
	return title;
}

int
walk_write(const struct walk_run *r, bool json, const char *output, struct err *e)
{
	char *title = make_title(r);
	struct buf page = { 0 }, *out = &page;
	struct walk_data d;
	int bad;

	walk_data_begin(&d, json ? JSON_DIGITS : PAGE_DIGITS);
	bad = r->stored ? add_stored(r, &d, e) : r->models->n && add_models(r, &d, e);
	walk_data_end(&d);
	if (json)
		out = &d.json;
	else
		walk_page(&page, title, d.models ? &d.json : NULL);
	bad = bad || output_all(output, 0, out->data, out->n, e);
	walk_data_release(&d);
	buf_release(&page);
	free(title);
	return bad ? -1 : 0;
}
