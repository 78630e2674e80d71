/* explorer: see explorer.h. */
#include "explore/explorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "data/side-tokens.h"
#include "draw/content-policy.h"
#include "draw/model-measures.h"
#include "draw/walk-data.h"
#include "draw/walk.h"
#include "model-file/model-file.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "search/next-token.h"
#include "stream/json-out.h"
#include "tensor/backend/backend.h"

/* --- opening --- */

static bool
is_model_part(const struct opt_part *p)
{
	return !strcmp(p->opt->long_name, "model");
}

static int
load_model(struct explorer *x, const char *path, int precision, struct err *e)
{
	if (x->n == EXPLORE_MODELS)
		return err_usage(e, "more than %d models", EXPLORE_MODELS);
	x->path[x->n] = path;
	x->name[x->n] = xstrdup(path_name(path));
	x->model[x->n] = model_load_to_run(path, precision, e);
	if (!x->model[x->n++])
		return -1;
	if (x->n > 1 && !strcmp(x->name[0], x->name[1]))
		for (int i = 0; i < x->n; i++) {	/* the same name in two folders */
			free(x->name[i]);
			x->name[i] = xstrdup(x->path[i]);
		}
	return 0;
}

/* Adds measures of the last model. */
static int
load_measures(struct explorer *x, const char *path, struct err *e)
{
	const struct model *m;
	char digest[MODEL_DIGEST_SIZE];

	if (!x->n)
		return err_usage(e, "--head-measures %s, expected -m before it", path);
	m = x->model[x->n - 1];
	model_digest(m, digest);
	return model_measures_read(&x->measures[x->n - 1], path, sites_of_model(m), digest, false,
				   e);
}

static int
load_all(struct explorer *x, const struct opt_parts *models, int precision, struct err *e)
{
	for (size_t i = 0; i < models->n; i++) {
		const struct opt_part *p = &models->part[i];

		if (is_model_part(p) ? load_model(x, p->v, precision, e)
				     : load_measures(x, p->v, e))
			return -1;
	}
	return x->n ? 0 : err_usage(e, "no model, expected -m FILE");
}

int
explorer_open(struct explorer *x, const struct opt_parts *models, const char *backend,
	      int precision, struct err *e)
{
	*x = (struct explorer){ .backend = backend };
	if (load_all(x, models, precision, e) ||
	    runtime_open(&x->run, backend, precision_for(x->model[0], precision), 1, e))
		return -1;
	for (int i = 0; i < x->n; i++) {
		if (x->run.precision == PRECISION_INT8)
			matrices_round_int8(x->model[i]);
		model_prepare_steps(x->model[i], &x->run.backend, x->run.pool);
	}
	return 0;
}

/* A stream has the subwords of one segmentation, and models may have several. */
static void
warn_of_foreign_tokens(const struct explorer *x, const struct reader *reader)
{
	for (int i = 0; i < x->n; i++) {
		const struct model *m = x->model[i];
		struct audit_tokens t = { .all = { 0 } };
		char *name = xasprintf("%s, model %s", reader_name(reader), x->name[i]);

		for (int k = 0; k < x->dev.n; k++)
			audit_tokens(&t, x->dev.rec[k], &m->src, &m->tgt);
		model_audit_warn_tokens(m, &t, reader_header(reader), name);
		free(name);
	}
}

static int
open_dev(struct explorer *x, const struct pick_source *source, struct reader **reader,
	 struct err *e)
{
	*reader = pick_open(source, x->model[0], e);
	if (!*reader)
		return -1;
	for (int i = 1; i < x->n; i++)
		if (forced_check(x->model[i], source->target, *reader, e))
			return -1;
	if (pick_read(&x->dev, *reader, source, e))
		return -1;
	warn_of_foreign_tokens(x, *reader);
	return 0;
}

int
explorer_read_dev(struct explorer *x, const char *path, int number, struct err *e)
{
	const struct pick_source source = { .path = path, .number = number };
	struct reader *in = NULL;
	const int bad = open_dev(x, &source, &in, e);

	reader_close(in);
	return bad;
}

/* Models with SentencePiece read raw text; those with BPE codes read tokens. */
static const char *
language_for(const struct model *m, const char *language)
{
	return m->spm[0] ? "" : language ? language : m->languages.side[0];
}

int
explorer_tokenize(struct explorer *x, const char *language, struct err *e)
{
	const char *wanted = language && !strcmp(language, "none") ? "" : language;
	bool any = false;

	for (int i = 0; i < x->n; i++) {
		const char *code = language_for(x->model[i], wanted);

		if (*code && !moses_is_language(code))
			return err_usage(e, "language '%s', expected a code of two or three "
					 "lower-case letters such as en", code);
		any |= *code != '\0';
		snprintf(x->language[i], sizeof(x->language[i]), "%s", code);
	}
	if (wanted && *wanted && !any)
		return err_usage(e, "--language with a SentencePiece model, which reads raw text");
	return 0;
}

void
explorer_close(struct explorer *x)
{
	for (int i = 0; i < x->n; i++) {
		head_table_release(&x->measures[i]);
		model_free(x->model[i]);
		free(x->name[i]);
	}
	pick_release(&x->dev);
	source_tree_close(x->parser);
	if (x->run.tape)
		runtime_close(&x->run);
}

/* --- workers --- */

int
explorer_worker_open(struct explorer_worker *w, struct explorer *x, struct err *e)
{
	*w = (struct explorer_worker){ .x = x };
	if (runtime_open(&w->run, x->backend, x->run.precision, 1, e))
		return -1;
	w->run.pass.backend = x->run.pass.backend;	/* that of the prepared weights */
	for (; w->n < x->n; w->n++)
		if (probe_open(&w->probe[w->n], x->model[w->n], &w->run, x->path[w->n], e)) {
			explorer_worker_close(w);
			return -1;
		}
	for (int i = 0; i < x->n; i++)
		if (*x->language[i])
			w->moses[i] = moses_new(x->language[i]);
	return 0;
}

void
explorer_worker_close(struct explorer_worker *w)
{
	for (int i = 0; i < w->n; i++) {
		probe_close(&w->probe[i]);
		moses_free(w->moses[i]);
	}
	buf_release(&w->text);
	runtime_close(&w->run);
}

/* --- the configuration of the page --- */

static void
add_model(struct explorer *x, int i, struct walk_data *d)
{
	const struct model *m = x->model[i];
	struct buf *out = &d->json;

	buf_printf(out, "%s{\"name\":", i ? "," : "");
	json_add_text(out, x->name[i]);
	buf_add_str(out, ",\"path\":");
	json_add_text(out, x->path[i]);
	buf_printf(out, ",\"beam\":%lld,\"penalty\":%g,\"raw\":%s,"
		   "\"language\":\"%s\",", (long long)m->recipe.beam, m->recipe.length_penalty,
		   m->spm[0] ? "true" : "false", x->language[i]);
	walk_data_heads(d, sites_of_model(m), &x->measures[i]);
	buf_add_char(out, '}');
}

/* The text of a side of a sentence: its words or its subwords. */
static void
add_side_text(const struct record *rec, bool target, struct buf *out)
{
	struct side_tokens t;
	struct arena mem;
	struct buf text = { 0 };
	struct err none;
	struct str s;

	arena_init(&mem, 0);
	if (!record_str(rec, target ? "tgt" : "src", &s))
		buf_add(&text, s.s, s.n);
	else if (!side_tokens_of(&t, rec, target, &mem, &none))
		for (size_t i = 0; i < t.n; i++)
			buf_printf(&text, "%s%.*s", i ? " " : "", (int)t.token[i].n, t.token[i].s);
	buf_add(&text, "", 1);
	json_add_text(out, text.data);
	buf_release(&text);
	arena_release(&mem);
}

/* Adds what the page needs to know at first: options, models, measures, sentences. */
static void
put_page_config(struct explorer *x, const char *dev, struct walk_data *d)
{
	struct buf *out = &d->json;

	buf_add_str(out, "{\"dev\":");
	json_add_text(out, dev ? dev : "");
	buf_add_str(out, ",\"precision\":");
	json_add_text(out, precision_names[x->run.precision]);
	buf_add_str(out, ",\"backend\":");
	json_add_text(out, x->backend ? x->backend : "");
	buf_add_str(out, ",\"models\":[");
	for (int i = 0; i < x->n; i++)
		add_model(x, i, d);
	buf_add_str(out, "],\"sentences\":[");
	for (int i = 0; i < x->dev.n; i++) {
		buf_add_str(out, i ? ",{\"id\":" : "{\"id\":");
		json_add_text(out, x->dev.id[i]);
		buf_add_str(out, ",\"source\":");
		add_side_text(x->dev.rec[i], false, out);
		buf_add_str(out, ",\"reference\":");
		add_side_text(x->dev.rec[i], true, out);
		buf_add_char(out, '}');
	}
	buf_add_str(out, "]}");
}

/* --- the page: that of head-map with an input line and a further script --- */

__asm__(".pushsection .rodata\n"
	"explore_input:\n.incbin \"common/explore/explore.html\"\n.byte 0\n"
	"explore_style:\n.incbin \"common/explore/explore.css\"\n.byte 0\n"
	"explore_script:\n.incbin \"common/explore/explore.js\"\n.byte 0\n"
	".popsection\n");
extern const char explore_input[], explore_style[], explore_script[];

#define RULES CONTENT_RULES(WALK_STYLE " " EXPLORE_STYLE, WALK_SCRIPT " " EXPLORE_SCRIPT) \
	"; connect-src 'self'"
const char explore_policy[] = RULES "; frame-ancestors 'none'";

/* The configuration as an element; walk_escape() keeps it from ending there. */
static void
add_config(struct explorer *x, const char *dev, struct buf *out)
{
	struct walk_data d = { .digits = 3 };

	put_page_config(x, dev, &d);
	buf_add_str(out, "<script type=\"application/json\" id=\"config\">");
	walk_escape(out, &d.json);
	buf_add_str(out, "</script>\n");
	walk_data_release(&d);
}

void
explore_page(struct explorer *x, const char *dev, struct buf *out)
{
	static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"" RULES
		"\">\n";
	struct buf style = { 0 }, end = { 0 }, title = { 0 };

	buf_printf(&style, "<style>%s</style>\n", explore_style);
	add_config(x, dev, &end);
	buf_printf(&end, "<script>%s</script>\n", explore_script);
	for (int i = 0; i < x->n; i++)
		buf_printf(&title, "%s%s", i ? ", " : "Explore ", x->name[i]);
	walk_page_more(out, title.data, NULL, &(struct walk_more){ policy, style.data,
								    explore_input, end.data });
	buf_release(&style);
	buf_release(&end);
	buf_release(&title);
}
