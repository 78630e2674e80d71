/*
 * nmt-translate: translate sentences with a model of nmt-train.
 *
 * Reads a stream of sentences and adds the best hypotheses, or, with --text, translates
 * lines of text.  See nmt-translate(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "bpe/bpe.h"
#include "data/unknown.h"
#include "model-file/model-file.h"
#include "model/first-token.h"
#include "model/runtime.h"
#include "model/too-long.h"
#include "search/translate.h"
#include "stream/input.h"
#include "stream/stream.h"

/* Sentences read ahead: until they fill WINDOW_BATCHES batches, but at most WINDOW_MAX. */
enum { WINDOW_BATCHES = 32, WINDOW_MAX = 65536 };

static const char *model_path, *output, *first_src, *first_tgt, *prefix_text, *prefix_field, *backend, *mask;
static int precision = PRECISION_FP32;
static int variant = -1, too_long = TOO_LONG_SKIP;
static int64_t beam = -1, n_best = 1, max_extra = -1, min_length = -1;
static int64_t batch_tokens = TRANSLATE_BATCH, threads = 1;
static double length_penalty = -1, max_ratio = -1, spread = -1;
static bool text, flush, quiet, force;

#define MANY 1e9

static const struct opt options[] = {
	OPT_GROUP("Model"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "translate with this model (required)", .to = &model_path },
	OPT_MASK_HEADS(&mask),
	{ .kind = OPT_STRING, .long_name = "first-src", .arg = "token",
	  .help = "first token of every source, instead of the model's", .to = &first_src },
	{ .kind = OPT_STRING, .long_name = "first-tgt", .arg = "token",
	  .help = "first token of every target, instead of the model's", .to = &first_tgt },
	OPT_GROUP("Search"),
	{ .kind = OPT_CHOICE, .long_name = "search", .arg = "variant",
	  .help = "beam search variant", .to = &variant, .choice = search_variants },
	{ .kind = OPT_INT, .long_name = "beam", .arg = "n", .help = "beam size; 1: greedy search",
	  .to = &beam, .min = 1, .max = 1000 },
	{ .kind = OPT_INT, .long_name = "n-best", .arg = "n",
	  .help = "write the n best hypotheses of each sentence (1)", .to = &n_best,
	  .min = 1, .max = 1000 },
	{ .kind = OPT_FLOAT, .long_name = "length-penalty", .arg = "x",
	  .help = "exponent of the length normalization; 0: no normalization", .to = &length_penalty,
	  .min = 0, .max = 100 },
	{ .kind = OPT_FLOAT, .long_name = "spread", .arg = "x",
	  .help = "search voita: drop hypotheses more than x below the best; 0: none (3)", .to = &spread,
	  .min = 0, .max = MANY },
	{ .kind = OPT_FLOAT, .long_name = "max-ratio", .arg = "x",
	  .help = "maximum length: x tokens per source token ...", .to = &max_ratio,
	  .min = 0, .max = 1000 },
	{ .kind = OPT_INT, .long_name = "max-extra", .arg = "n", .help = "... plus n",
	  .to = &max_extra, .min = 0, .max = MANY },
	{ .kind = OPT_INT, .long_name = "min-length", .arg = "n",
	  .help = "minimum length in tokens (1; search marian: 0)", .to = &min_length, .min = 0, .max = MANY },
	{ .kind = OPT_STRING, .long_name = "prefix", .arg = "text",
	  .help = "start every translation with text", .to = &prefix_text },
	{ .kind = OPT_STRING, .long_name = "prefix-field", .arg = "field",
	  .help = "start each translation with this field of its record", .to = &prefix_field },
	OPT_GROUP("Input and output"),
	{ .kind = OPT_FLAG, .long_name = "text", .help = "read and write lines of text",
	  .to = &text },
	{ .kind = OPT_FLAG, .long_name = "flush",
	  .help = "translate and write each sentence immediately", .to = &flush },
	OPT_MAX_LINE,
	OPT_TOO_LONG(&too_long, "skip"),
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_GROUP("Speed and memory"),
	OPT_THREADS(&threads),
	{ .kind = OPT_INT, .long_name = "batch-tokens", .arg = "n",
	  .help = "source tokens in a batch (4096)", .to = &batch_tokens, .min = 1, .max = MANY },
	OPT_PRECISION(&precision, precision_names),
	OPT_BACKEND(&backend),
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-translate", .synopsis = "-m model [options] [file]",
	.summary = "translate sentences with a trained model",
	.options = options,
	.example = "tokenize -l en < in.en | nmt-translate -m model.tar --text | detokenize -l de",
	.reads = "sentence", .writes = "sentence",
};

/* The sentences that are translated together, and the state for translating them. */
struct window {
	struct translator translator;
	struct bpe *codes;		/* the model's BPE codes, or NULL */
	struct bpe_coder *coder;
	struct record **rec;
	struct job *job;
	size_t n, room;
	size_t records;			/* records allocated, reused by the next window */
	int64_t tokens, read;		/* source tokens in the window; sentences read */
	struct too_long too_long;
	struct unknown unknown;
	struct buf line, pieces;
	struct progress progress;
};

/* Adds a sentence to the window; returns its empty record. */
static struct record *
window_record(struct window *w)
{
	size_t room = w->room;

	w->rec = mem_grow(w->rec, &room, w->n + 1, sizeof(*w->rec));
	w->job = mem_grow(w->job, &w->room, w->n + 1, sizeof(*w->job));
	if (w->n == w->records)
		w->rec[w->records++] = record_new();
	record_clear(w->rec[w->n]);
	w->job[w->n] = (struct job){ .rec = w->rec[w->n], .number = w->read };
	return w->rec[w->n];
}

static struct str *
split(const char *s, size_t n, struct arena *mem, size_t *count)
{
	struct str *v = ARENA_ARRAY(mem, struct str, n / 2 + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == ' ')
			continue;
		v[k].s = s + i;
		while (i < n && s[i] != ' ')
			i++;
		v[k].n = (size_t)(s + i - v[k].s);
		k++;
	}
	*count = k;
	return v;
}

/*
 * Segments a text with the model's BPE codes, or splits it at blanks if there are no codes.
 * Returns *count subwords, which are valid until the next call.
 */
static struct str *
cut(struct window *w, const char *s, size_t n, size_t *count)
{
	buf_clear(&w->line);
	buf_clear(&w->pieces);
	for (size_t i = 0; i < n; i++)
		buf_add_char(&w->line, s[i] == '\t' || s[i] == '\r' ? ' ' : s[i]);
	if (w->coder && n)
		bpe_coder_line(w->coder, w->line.data, n, &w->pieces);
	else
		buf_add(&w->pieces, w->line.data, n);
	return split(w->pieces.data, w->pieces.n, &w->translator.results, count);
}

static int
set_prefix(struct window *w, struct job *job, struct err *e)
{
	const struct str *v = NULL;
	struct str s = { prefix_text, prefix_text ? strlen(prefix_text) : 0 };
	size_t n = 0;

	if (prefix_field && !record_has(job->rec, prefix_field))
		return 0;
	if (prefix_field && record_strs(job->rec, prefix_field, &v, &n) &&
	    record_str(job->rec, prefix_field, &s))
		return err_set(e, EXIT_INPUT, "%s is neither a text nor a list of texts",
			       prefix_field);
	if (s.n && !v)
		v = cut(w, s.s, s.n, &n);
	if (n)
		translate_prefix(&w->translator, job, v, n);
	return 0;
}

/* Takes the record of the last window_record(), now filled.  where: like "in.en: line 3". */
static int
window_add(struct window *w, const char *where, struct err *e)
{
	struct job *job = &w->job[w->n];
	int skip;

	job->n_tokens = batch_pieces(job->rec, false);
	if (job->n_tokens < 0)
		return err_set(e, EXIT_INPUT, "no src.pieces and no src, expected one of them");
	skip = too_long_check(&w->too_long, job->rec, where, e);
	if (skip < 0 || (!skip && set_prefix(w, job, e)))
		return -1;
	if (!skip) {
		unknown_add(&w->unknown, job->rec, &w->translator.model->src, NULL);
		w->tokens += job->n_tokens;
	}
	job->skip = skip;
	w->read++;
	w->n++;
	return 0;
}

static bool
window_full(const struct window *w)
{
	return flush || w->n == WINDOW_MAX || w->tokens >= WINDOW_BATCHES * batch_tokens;
}

static int
window_translate(struct window *w, struct err *e)
{
	if (translate_window(&w->translator, w->job, (int)w->n, e))
		return -1;
	if (!quiet)
		progress_at(&w->progress, w->translator.n_sentences, "%lld tokens",
			    (long long)w->translator.n_tokens);
	return 0;
}

static void
window_clear(struct window *w)
{
	w->n = 0;
	w->tokens = 0;
	translate_begin(&w->translator);
}

/* Appends a hypothesis to w->line, with subwords joined into words. */
static void
restore(struct window *w, const struct hypothesis *h)
{
	const struct str *v = translate_pieces(w->translator.model, h, &w->translator.results);

	buf_clear(&w->pieces);
	for (int i = 0; i < h->n; i++) {
		if (i)
			buf_add_char(&w->pieces, ' ');
		buf_add(&w->pieces, v[i].s, v[i].n);
	}
	if (h->n)
		bpe_restore(w->pieces.data, w->pieces.n, "@@", &w->line);
}

static void
set_n_best(struct window *w, struct record *rec, const struct translation *t)
{
	struct arena *mem = &w->translator.results;
	struct str *v = ARENA_ARRAY(mem, struct str, t->n);
	float *score = ARENA_ARRAY(mem, float, t->n);

	for (int i = 0; i < t->n; i++) {
		buf_clear(&w->line);
		restore(w, &t->best[i]);
		v[i].s = arena_copy(mem, w->line.n ? w->line.data : "", w->line.n + 1);
		v[i].n = w->line.n;
		score[i] = (float)t->best[i].score;
	}
	record_set_strs(rec, "hyp.nbest", v, (size_t)t->n);
	record_set_tensor(rec, "hyp.nbest.score",
			  &(struct tensor){ .type = TENSOR_F32, .n_dim = 1, .d = { t->n },
					    .data = score });
}

static const struct field adds[] = {
	{ "hyp", "str", 0 }, { "hyp.pieces", "[str]", 0 }, { "hyp.score", "float", 0 },
	{ "hyp.nbest", "[str]", 0 }, { "hyp.nbest.score", "f32[k]", 0 }, { 0 }
};
enum { ADDS_OF_BEST = 3 };		/* without --n-best */

/* Removes a translation by another model, so that it is not taken for one by this model. */
static void
delete_translation(struct record *rec)
{
	for (const struct field *f = adds; f->name; f++)
		record_delete(rec, f->name);
}

static void
set_translation(struct window *w, struct record *rec, const struct translation *t)
{
	const struct hypothesis *best = &t->best[0];

	buf_clear(&w->line);
	restore(w, best);
	record_set_str(rec, "hyp", w->line.n ? w->line.data : "", w->line.n);
	record_set_strs(rec, "hyp.pieces",
			translate_pieces(w->translator.model, best, &w->translator.results),
			(size_t)best->n);
	record_set_float(rec, "hyp.score", best->score);
	if (n_best > 1)
		set_n_best(w, rec, t);
}

static int
write_records(struct window *w, struct writer *out, struct err *e)
{
	for (size_t i = 0; i < w->n; i++) {
		struct record *rec = w->rec[i];

		if (w->job[i].skip)
			delete_translation(rec);
		else
			set_translation(w, rec, &w->job[i].out);
		too_long_mark(&w->too_long, rec, rec);
		if (writer_put(out, rec, e))
			return -1;
	}
	return flush ? writer_flush(out, e) : 0;
}

static int
write_lines(struct window *w, struct output *out, struct err *e)
{
	for (size_t i = 0; i < w->n; i++) {
		buf_clear(&w->line);
		restore(w, &w->job[i].out.best[0]);
		buf_add_char(&w->line, '\n');
		if (output_write(out, w->line.data, w->line.n, e))
			return -1;
	}
	return flush ? output_flush(out, e) : 0;
}

static int
translate_stream(struct window *w, struct reader *in, struct writer *out, struct err *e)
{
	struct record *rec;
	int r;

	do {
		while ((r = reader_next(in, &rec, e)) > 0) {
			if (record_copy(window_record(w), rec) ||
			    window_add(w, reader_where(in), e))
				return err_wrap(e, "%s", reader_where(in));
			if (window_full(w))
				break;
		}
		if (r < 0)
			return -1;
		if (window_translate(w, e))	/* the error names the record */
			return err_wrap(e, "%s", reader_name(in));
		if (write_records(w, out, e))
			return -1;
		window_clear(w);
	} while (r);
	return 0;
}

static int
add_line(struct window *w, struct input *in, const char *line, size_t n, struct err *e)
{
	char *where = xasprintf("%s: line %lld", input_name(in), (long long)input_line_number(in));
	struct record *rec = window_record(w);
	size_t count;
	const struct str *v = cut(w, line, n, &count);
	int r;

	record_set_strs(rec, "src.pieces", v, count);
	r = window_add(w, where, e);
	if (r)
		err_wrap(e, "%s", where);
	free(where);
	return r;
}

static int
translate_lines(struct window *w, struct input *in, struct output *out, struct err *e)
{
	const char *line;
	size_t n;
	int r;

	do {
		while ((r = input_line(in, &line, &n, e)) > 0) {
			if (add_line(w, in, line, n, e))
				return -1;
			if (window_full(w))
				break;
		}
		if (r < 0)
			return -1;
		if (window_translate(w, e))
			return err_wrap(e, "%s", input_name(in));
		if (write_lines(w, out, e))
			return -1;
		window_clear(w);
	} while (r);
	return 0;
}

/* Was the model trained on BPE subwords?  Then the stream must have them too. */
static bool
has_pieces(const struct vocab *v)
{
	for (int i = VOCAB_SPECIALS; i < v->n; i++) {
		size_t n;
		const char *s = vocab_text(v, i, &n);

		if (n > 2 && s[n - 1] == '@' && s[n - 2] == '@')
			return true;
	}
	return false;
}

/* The required fields: subwords if the model uses them, and fields of the attention variants. */
static struct field *
all_needs(const struct model *m)
{
	const struct field *more = attention_set_needs(m->attention, false);
	size_t n = 0, k = 0;
	struct field *needs;

	while (more[n].name)
		n++;
	needs = xcalloc(n + 2, sizeof(*needs));
	if (m->spm[0] || has_pieces(&m->src))
		needs[k++] = (struct field){ "src.pieces", "[str]", 0 };
	memcpy(needs + k, more, n * sizeof(*needs));
	return needs;
}

static void
run_stream(struct window *w, const char *path)
{
	const unsigned flags = (force ? STREAM_FORCE : 0u) | (cli_no_pg ? STREAM_NO_PG : 0u);
	struct field *needs = all_needs(w->translator.model);
	struct field best[ADDS_OF_BEST + 1] = { { 0 } };
	struct writer *out = NULL;
	struct err e;
	struct reader *in = reader_open(path, "sentence", needs, flags, &e);

	memcpy(best, adds, ADDS_OF_BEST * sizeof(*best));
	if (in)
		out = writer_open(output, "sentence", reader_header(in),
				  n_best > 1 ? adds : best, flags, &e);
	if (!out)
		die(&e);
	too_long_declare(&w->too_long, false, out);
	reader_notes_to(in, out);
	if (translate_stream(w, in, out, &e)) {
		writer_abandon(out);
		die(&e);
	}
	if (writer_finish(out, &e))
		die(&e);
	reader_close(in);
	free(needs);
}

static void
run_text(struct window *w, const char *path)
{
	struct output *out = NULL;
	struct err e;
	struct input *in = input_open(path, INPUT_UTF8, &e);

	if (in)
		out = output_open(output, 0, &e);
	if (!out)
		die(&e);
	if (translate_lines(w, in, out, &e)) {
		output_abandon(out);
		die(&e);
	}
	if (output_finish(out, &e))
		die(&e);
	input_close(in);
}

/* The command line overrides the model's recipe. */
static void
choose_search(struct search_settings *s)
{
	if (variant >= 0)
		search_defaults(s, (enum search_variant)variant);
	if (beam > 0)
		s->beam = (int)beam;
	if (length_penalty >= 0)
		s->length_penalty = length_penalty;
	if (spread >= 0)
		s->spread = spread;
	if (max_ratio >= 0)
		s->max_ratio = max_ratio;
	if (max_extra >= 0)
		s->max_extra = (int)max_extra;
	if (min_length >= 0)
		s->min_length = (int)min_length;
	s->n_best = (int)n_best;
	if (s->n_best > s->beam)
		die_usage("--n-best %d with a beam of %d, expected at most %d", s->n_best, s->beam,
			  s->beam);
}

static void
open_codes(struct window *w)
{
	const struct model *m = w->translator.model;
	struct err e;

	if (!m->codes)
		return;
	w->codes = bpe_read(m->codes, m->codes_n, BPE_NO_LIMIT, &e);
	if (!w->codes) {
		err_wrap(&e, "%s: codes", model_path);
		die(&e);
	}
	w->coder = bpe_coder_new(w->codes, NULL);
}

static void
close_window(struct window *w)
{
	translator_release(&w->translator);
	bpe_coder_free(w->coder);
	bpe_free(w->codes);
	for (size_t i = 0; i < w->records; i++)
		record_free(w->rec[i]);
	free(w->rec);
	free(w->job);
	buf_release(&w->line);
	buf_release(&w->pieces);
}

int
main(int argc, char **argv)
{
	struct window w = { .n = 0 };
	struct runtime runtime;
	struct model *m;
	struct err e;
	char **path;
	int n;

	n = cli_begin(&program, argc, argv, &path);
	if (n > 1)
		die_usage("%d input files, expected at most one", n);
	if (!model_path)
		die_usage("no model, expected -m file");
	if (text && (n_best > 1 || prefix_field))
		die_usage("--n-best and --prefix-field cannot be used with --text");
	if (prefix_text && prefix_field)
		die_usage("--prefix cannot be used with --prefix-field");
	if (runtime_open(&runtime, backend, precision, threads, &e) ||
	    !(m = model_load(model_path, false, NULL, NULL, &e)))
		die(&e);
	if ((mask && model_mask(m, mask, &e)) || first_token_set(m, false, first_src, &e) ||
	    first_token_set(m, true, first_tgt, &e))
		die(&e);
	model_prepare(m, &runtime.backend, runtime.pool);
	translator_init(&w.translator, m, &runtime.pass);
	w.translator.batch_tokens = batch_tokens;
	w.translator.cut = too_long == TOO_LONG_CUT;
	w.too_long.action = too_long;
	if (too_long_begin(&w.too_long, m, false, &e))
		die(&e);
	choose_search(&w.translator.search);
	open_codes(&w);
	if (!quiet && precision == PRECISION_AUTO)
		runtime_print(&runtime);
	if (!quiet)
		progress_start(&w.progress, "sentences", 0);
	(text ? run_text : run_stream)(&w, *path);
	if (!quiet)
		progress_end(&w.progress);
	too_long_end(&w.too_long);
	unknown_warn(&w.unknown, model_has_pieces(m));
	close_window(&w);
	model_free(m);
	runtime_close(&runtime);
	return cli_end(EXIT_OK);
}
