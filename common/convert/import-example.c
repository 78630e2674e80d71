/* import-example: see import-example.h. */
#include "convert/import-example.h"

#include <string.h>

#include "data/side-tokens.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "model-file/model-file.h"
#include "search/translate.h"

enum { TOKENS = 3, MOST = 8 };	/* in the source; in the translation */

struct example {
	struct import *im;
	struct model *m;		/* as it was written */
	struct runtime runtime;
	struct record *rec;
	struct str piece[TOKENS];
};

/* What the original calls the row of a special token, or what it is called here. */
static const char *
special_text(const struct ids *v, int row, const char *here)
{
	size_t n;

	for (size_t i = 0; row >= 0 && i < v->texts.n; i++)
		if (v->of_text[i] == row)
			return strmap_text(&v->texts, (int)i, &n);
	return here;
}

/* Appends "NUMBER ENTRY", the number of the original. */
static void
put_token(const struct example *x, int side, int id, struct buf *out)
{
	const int own = x->im->one_vocab ? 0 : side;
	const int row = x->im->side[own].row[id];
	const char *text = vocab_text(side ? &x->m->tgt : &x->m->src, id, NULL);

	if (row >= 0)
		buf_printf(out, "%d ", row);
	buf_add_str(out, id < VOCAB_SPECIALS ? special_text(&x->im->ids[own], row, text) : text);
}

/* Entries that look like tokens of a language or of a use are left out. */
static int
choose_pieces(struct example *x)
{
	const struct vocab *v = &x->m->src;
	int n = 0;

	for (int id = VOCAB_SPECIALS; n < TOKENS && id < v->n; id++) {
		size_t length;
		const char *text = vocab_text(v, id, &length);

		if (!memchr("<>[_", *text, 4))
			x->piece[n++] = (struct str){ text, length };
	}
	return n;
}

/* What the encoder reads, as batches are made everywhere. */
static int
note_source(struct example *x, struct err *e)
{
	const struct record *const rec = x->rec;
	const int64_t number = 0;
	struct buf line = { 0 };
	struct arena mem;
	struct batch b;
	int r;

	arena_init(&mem, 0);
	r = model_batch(x->m, &b, &mem, &rec, &number, 1, NULL, e);
	for (int i = 0; !r && i < b.src.layout.rows; i++) {
		buf_add_str(&line, i ? ", " : "");
		put_token(x, 0, b.src.id[i], &line);
	}
	if (!r)
		import_note(x->im, "example, source: %s", line.data);
	buf_release(&line);
	arena_release(&mem);
	return r;
}

static void
note_target(struct example *x, const struct hypothesis *h)
{
	static const int start[] = { [TARGET_BOS] = VOCAB_BOS, [TARGET_EOS] = VOCAB_EOS };
	const char *first = x->m->first_token[1];
	const int begin = x->m->config.first;
	struct buf line = { 0 };

	buf_add_str(&line, "the decoder reads ");
	if (begin == TARGET_ZERO)
		buf_add_str(&line, "a zero vector");
	else
		put_token(x, 1, start[begin], &line);
	if (first) {
		buf_add_str(&line, ", is given ");
		put_token(x, 1, vocab_id(&x->m->tgt, first, strlen(first)), &line);
	}
	buf_add_str(&line, ", and produces ");
	for (int i = 0; i < h->n; i++) {
		put_token(x, 1, h->id[i], &line);
		buf_add_str(&line, ", ");
	}
	if (h->n < MOST)
		put_token(x, 1, VOCAB_EOS, &line);
	else
		buf_add_str(&line, "...");
	import_note(x->im, "example, target: %s", line.data);
	buf_release(&line);
}

/* A model that says <s> after it has read <s> was trained on targets that begin with it. */
static void
note_start(struct example *x, const struct hypothesis *h)
{
	const struct vocab_side *s = &x->im->side[!x->im->one_vocab];
	size_t n;

	if (x->m->config.first != TARGET_BOS || !h->n || s->row[h->id[0]] != s->row[VOCAB_BOS])
		return;
	import_note(x->im, "translations begin with %s: to leave it out, import with "
		    "--first-tgt '%s'", vocab_text(&x->m->tgt, h->id[0], &n),
		    vocab_text(&x->m->tgt, h->id[0], &n));
}

static int
import_translate(struct example *x, struct err *e)
{
	struct translate_job job = { .rec = x->rec };
	struct translator t;
	int r;

	translator_init(&t, x->m, &x->runtime.pass);
	t.search.max_ratio = 0;
	t.search.max_extra = MOST;
	translate_begin(&t);
	job.n_tokens = side_tokens_count(x->rec, false);
	r = note_source(x, e) || translate_window(&t, &job, 1, e);
	if (!r && job.out.n) {
		note_target(x, &job.out.best[0]);
		note_start(x, &job.out.best[0]);
	}
	translator_release(&t);
	return r ? -1 : 0;
}

static int
import_run(struct example *x, const char *path, struct err *e)
{
	int r;

	x->m = model_load(path, false, NULL, NULL, e);
	if (!x->m || runtime_open(&x->runtime, NULL, PRECISION_FP32, 1, e))
		return -1;
	x->rec = record_new();
	record_set_strs(x->rec, "src.pieces", x->piece, (size_t)choose_pieces(x));
	r = import_translate(x, e);
	record_free(x->rec);
	runtime_close(&x->runtime);
	return r;
}

void
import_example(struct import *im, const char *path)
{
	struct example x = { .im = im };
	struct err e;

	if (import_run(&x, path, &e))
		import_note(im, "example: %s", e.text);
	model_free(x.m);
}
