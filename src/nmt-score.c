/*
 * nmt-score: what a model thinks of given translations: log-probabilities of
 * the target, and on demand all attention weights.  See nmt-score(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/progress.h"
#include "model/model-file.h"
#include "model/runtime.h"
#include "stream/stream.h"

enum { MOST_SENTENCES = 512, SUSPICIOUS = 5 };	/* unknown symbols, one in so many */

static const char *output, *model_path, *backend, *mask;
static int precision = PRECISION_FP32;
static int64_t threads = 1, batch_tokens = 2048;
static bool with_attention, force, quiet;

static const struct opt options[] = {
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "the model; must be given", .to = &model_path },
	OPT_OUTPUT(&output),
	{ .kind = OPT_FLAG, .long_name = "attention", .to = &with_attention,
	  .help = "add the weights of every site, layer and head" },
	{ .kind = OPT_INT, .long_name = "batch-tokens", .arg = "n", .to = &batch_tokens,
	  .help = "symbols of both sides in a batch", .min = 1, .max = 10000000 },
	OPT_BACKEND(&backend),
	OPT_MASK_HEADS(&mask),
	OPT_PRECISION(&precision, precision_names),
	OPT_THREADS(&threads),
	OPT_FORCE(&force),
	OPT_QUIET(&quiet),
	OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-score", .synopsis = "-m model [-t n] [--attention] [-o file] [file]",
	.summary = "score translations with a model",
	.options = options, .reads = "sentence", .writes = "sentence",
};

struct scoring {
	struct model *m;
	struct runtime run;
	struct reader *in;
	struct writer *out;
	struct field *needs, *adds;
	struct record *rec[MOST_SENTENCES];
	int64_t number[MOST_SENTENCES];
	int n;				/* records waiting */
	int64_t tokens, done;
	int64_t symbols[2], unknown[2];	/* of source and target */
	struct progress progress;
};

/* Name of a site's field: "att.enc-self.1", "att.dec-self.1", "att.cross.1". */
static char *
site_field(const struct site *s)
{
	return xasprintf("att.%s.%d", site_kinds[s->where], s->layer);
}

static void
make_needs(struct scoring *s)
{
	const struct field *more = attention_set_needs(s->m->attention, false);
	const bool pieces = s->m->codes != NULL;
	size_t n = 0, n_more = 0;

	while (more[n_more].name)
		n_more++;
	s->needs = xcalloc(n_more + 5, sizeof(*s->needs));
	s->needs[n++] = (struct field){ "src.pieces", "[str]", !pieces };
	s->needs[n++] = (struct field){ "tgt.pieces", "[str]", !pieces };
	s->needs[n++] = (struct field){ "src", "str", pieces };
	s->needs[n++] = (struct field){ "tgt", "str", pieces };
	memcpy(s->needs + n, more, n_more * sizeof(*more));
}

static void
make_adds(struct scoring *s)
{
	static const char *const type[] = { "f32[h,s,s]", "f32[h,t,t]", "f32[h,t,s]" };
	size_t n = 0;

	s->adds = xcalloc(s->m->n_sites + 3, sizeof(*s->adds));
	s->adds[n++] = (struct field){ "score", "float", 0 };
	s->adds[n++] = (struct field){ "score.tokens", "f32[t]", 0 };
	for (size_t i = 0; with_attention && i < s->m->n_sites; i++)
		s->adds[n++] = (struct field){ site_field(&s->m->sites[i]),
					       type[s->m->sites[i].where], 0 };
}

static void
begin(struct scoring *s, const char *path)
{
	const unsigned flags = (force ? STREAM_FORCE : 0) | (cli_no_pg ? STREAM_NO_PG : 0);
	struct err e;

	s->m = model_load(model_path, false, NULL, NULL, &e);
	if (!s->m || runtime_open(&s->run, backend, precision, threads, &e) || (mask && model_mask(s->m, mask, &e)))
		die(&e);
	make_needs(s);
	make_adds(s);
	s->in = reader_open(path, "sentence", s->needs, flags, &e);
	if (!s->in)
		die(&e);
	s->out = writer_open(output, "sentence", reader_header(s->in), s->adds, flags, &e);
	if (!s->out)
		die(&e);
	reader_notes_to(s->in, s->out);
	for (int i = 0; i < MOST_SENTENCES; i++)
		s->rec[i] = record_new();
	if (!quiet)
		progress_start(&s->progress, "sentences", 0);
}

static void
set_scores(struct record *rec, const real *nll, int n)
{
	float *tokens = xcalloc((size_t)n + 1, sizeof(*tokens));
	struct tensor t = { .type = TENSOR_F32, .n_dim = 1, .d = { n }, .data = tokens };
	double sum = 0;

	for (int i = 0; i < n; i++) {
		tokens[i] = (float)-nll[i];
		sum -= (double)nll[i];
	}
	record_set_float(rec, "score", sum);
	record_set_tensor(rec, "score.tokens", &t);
	free(tokens);
}

static void
set_weights(struct scoring *s, const struct field *f, size_t site)
{
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *x = model_site_weights(s->m, s->run.tape, site, &block, &queries, &keys);

	if (!x)
		bug("no attention weights of %s", f->name);
	for (int i = 0; i < s->n; i++) {
		const ptrdiff_t n = block[i + 1] - block[i];
		float *w = xcalloc((size_t)n + 1, sizeof(*w));
		struct tensor t = { .type = TENSOR_F32, .n_dim = 3, .data = w,
				    .d = { s->m->sites[site].heads, queries->len[i], keys->len[i] } };

		for (ptrdiff_t j = 0; j < n; j++)
			w[j] = (float)x[block[i] + j];
		record_set_tensor(s->rec[i], f->name, &t);
		free(w);
	}
}

static void
count_unknown(struct scoring *s, int side, const struct layout *rows, const int *id)
{
	s->symbols[side] += rows->rows;
	for (int i = 0; i < rows->rows; i++)
		s->unknown[side] += id[i] == VOCAB_UNK;
}

/* Pieces made with other codes are not wrong in form; this is how they show. */
static void
warn_unknown(const struct scoring *s)
{
	static const char *const side[] = { "source", "target" };

	for (int k = 0; k < 2; k++)
		if (s->unknown[k] * SUSPICIOUS > s->symbols[k])
			warn("the model does not know %lld of %lld %s symbols; were they made with "
			     "its codes (nmt-info --codes)?",
			     (long long)s->unknown[k], (long long)s->symbols[k], side[k]);
}

static int
run_batch(struct scoring *s, struct err *e)
{
	struct batch_rules rules;
	struct node *nll;
	struct batch b;

	tape_rewind(s->run.tape);
	model_batch_rules(s->m, &rules);
	rules.word_dropout = 0;
	if (model_batch(s->m, &b, tape_arena(s->run.tape), (const struct record *const *)s->rec,
			s->number, s->n, &rules, e))
		return -1;
	count_unknown(s, 0, &b.src.layout, b.src.id);
	count_unknown(s, 1, &b.tgt.layout, b.tgt.out);
	model_loss(s->m, s->run.tape, &b, &nll);
	for (int i = 0; i < s->n; i++)
		set_scores(s->rec[i], op_cross_entropy_rows(nll) + b.tgt.layout.start[i],
			   b.tgt.layout.len[i]);
	for (size_t i = 0; with_attention && i < s->m->n_sites; i++)
		set_weights(s, &s->adds[2 + i], i);
	return 0;
}

/* Scores and writes what is waiting. */
static int
flush(struct scoring *s, struct err *e)
{
	if (s->n && run_batch(s, e))
		return err_wrap(e, "%s", reader_name(s->in));
	for (int i = 0; i < s->n; i++)
		if (writer_put(s->out, s->rec[i], e))
			return -1;
	s->done += s->n;
	s->n = 0;
	s->tokens = 0;
	progress_at(&s->progress, s->done, "%s", "");
	return 0;
}

/* About as many symbols as a side of the record has. */
static int64_t
length_of(const struct record *rec, const char *pieces, const char *text)
{
	const struct str *v;
	struct str s;
	size_t n;

	if (!record_strs(rec, pieces, &v, &n))
		return (int64_t)n + 1;
	return record_str(rec, text, &s) ? 1 : (int64_t)s.n / 4 + 1;
}

static int
score_all(struct scoring *s, struct err *e)
{
	struct record *rec;
	int r;

	while ((r = reader_next(s->in, &rec, e)) == 1) {
		const int64_t n = length_of(rec, "src.pieces", "src") +
				  length_of(rec, "tgt.pieces", "tgt");

		if (s->n && (s->n == MOST_SENTENCES || s->tokens + n > batch_tokens) && flush(s, e))
			return -1;
		record_clear(s->rec[s->n]);
		if (record_copy(s->rec[s->n], rec))
			return err_set(e, EXIT_INPUT, "%s: cannot be copied", reader_where(s->in));
		s->number[s->n++] = reader_count(s->in) - 1;
		s->tokens += n;
	}
	return r ? -1 : flush(s, e);
}

static void
end(struct scoring *s)
{
	for (int i = 0; i < MOST_SENTENCES; i++)
		record_free(s->rec[i]);
	for (size_t i = 2; s->adds[i].name; i++)
		free((char *)s->adds[i].name);
	free(s->adds);
	free(s->needs);
	reader_close(s->in);
	model_free(s->m);
	runtime_close(&s->run);
	progress_end(&s->progress);
}

int
main(int argc, char **argv)
{
	static struct scoring s;
	struct err e;
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (!model_path)
		die_usage("no model: -m FILE");
	if (n > 1)
		die_usage("one input at a time, found %d", n);
	begin(&s, n ? file[0] : NULL);
	if (score_all(&s, &e)) {
		writer_abandon(s.out);
		die(&e);
	}
	if (writer_finish(s.out, &e))
		die(&e);
	warn_unknown(&s);
	end(&s);
	return cli_end(EXIT_OK);
}
