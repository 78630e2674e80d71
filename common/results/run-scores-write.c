/* run-scores-write: scores a test set for the ledger; see run-scores.h. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "results/run-scores.h"
#include "scores/score.h"
#include "stream/stream.h"
#include "text/lowercase.h"
#include "text/moses.h"
#include "text/side.h"
#include "text/unicode.h"

enum { METRICS = SCORE_NLL };

struct scores_work {
	const struct scoring *how;
	struct bleu sacrebleu;
	struct chrf chrf;
	struct metric metric[METRICS];
	void *scratch[METRICS];
	struct moses *moses;
	struct buf raw;			/* the detokenized translation */
	struct buf lower, letters[2];	/* of tgt and its reference */
	int64_t unlike, first_unlike;	/* references with other letters than tgt */
	int64_t spaced;			/* references that end with " ." */
	struct record *out;
	int64_t sums[METRICS][METRIC_MAX_WIDTH];
	double nll;
	int64_t tokens, masked, n;
};

static const struct field needs[] = {
	{ "hyp", "str", 0 }, { "tgt", "str", 0 }, { "score.tokens", "f32[t]", 0 },
	{ "src", "str", 1 }, { 0 }
};
static const struct field adds[] = {
	{ "src", "str", 1 }, { "tgt", "str", 1 }, { "hyp", "str", 0 }, { "nll", "float", 0 },
	{ "tokens", "int", 0 }, { "bleu", "[int]", 0 }, { "sacrebleu", "[int]", 0 },
	{ "chrf", "[int]", 0 }, { 0 }
};

/* --- likelihood --- */

struct likelihood { double nll; int64_t tokens, masked; };

static int
likelihood_of(const struct record *rec, struct likelihood *l, struct err *e)
{
	struct tensor t;

	*l = (struct likelihood){ 0 };
	if (record_tensor(rec, "score.tokens", &t) || t.type != TENSOR_F32 || t.n_dim != 1)
		return err_set(e, EXIT_INPUT, "no score.tokens, expected that of nmt-score");
	for (int64_t i = 0; i < t.d[0]; i++) {
		float v;

		memcpy(&v, (const char *)t.data + sizeof(v) * (size_t)i, sizeof(v));
		if (isnan(v) || v > 0)
			return err_set(e, EXIT_INPUT, "score.tokens: %g, expected "
				       "log-probabilities", (double)v);
		l->masked += isinf(v) != 0;
		l->tokens += !isinf(v);
		l->nll -= isinf(v) ? 0 : (double)v;
	}
	if (!l->tokens)
		return err_set(e, EXIT_INPUT, "no target token with a probability above 0");
	return 0;
}

/* The keys of a header with the model and the precision of a program. */
struct made_by { const char *program, *model, *precision; };
static const struct made_by translated = {
	"nmt-translate", HEADER_TRANSLATED, HEADER_TRANSLATED_IN
};
static const struct made_by scored = { "nmt-score", HEADER_SCORED, HEADER_SCORED_IN };

/*
 * Streams of older versions name neither model nor precision, those of ensembles no model.  Runs of
 * a ledger are compared, so that all are translated and scored in the same precision.
 */
static int
check_made(const struct reader *reader, const struct made_by *made, const char *model,
	   struct err *e)
{
	const struct header *h = reader_header(reader);
	const char *named = header_meta(h, made->model);

	if (named && strcmp(named, model))
		return err_set(e, EXIT_INPUT, "%s: %s is not that of the given model, %s, expected "
			       "a stream of this model", reader_name(reader), made->model, model);
	named = header_meta(h, made->precision);
	if (!named || !strcmp(named, "fp32"))
		return 0;
	err_set(e, EXIT_INPUT, "%s: %s is %s, expected fp32, as in all entries of a ledger",
		reader_name(reader), made->precision, named);
	err_hint(e, "use %s --precision fp32", made->program);
	return -1;
}

int
run_scores_nll(const char *path, const char *model, double *nll, struct err *e)
{
	static const struct field tokens[] = { { "score.tokens", "f32[t]", 0 }, { 0 } };
	struct reader *in = reader_open(path, "sentence", tokens, 0, e);
	struct likelihood one, all = { 0 };
	struct record *rec;
	int more = -1;

	while (in && !check_made(in, &scored, model, e) &&
	       (more = reader_next(in, &rec, e)) > 0) {
		if (likelihood_of(rec, &one, e)) {
			more = err_wrap(e, "%s", reader_where(in));
			break;
		}
		all.nll += one.nll;
		all.tokens += one.tokens;
	}
	if (!more && !all.tokens)
		more = err_set(e, EXIT_INPUT, "%s: no sentences, expected at least one", path);
	reader_close(in);
	*nll = all.nll / (double)(all.tokens ? all.tokens : 1);
	return more;
}

/* --- sentences --- */

static void
work_init(struct scores_work *w, const struct scoring *scoring)
{
	*w = (struct scores_work) {
		.how = scoring, .chrf = { .char_order = 6, .beta = 2 },
		.sacrebleu = { .tokenizer = "13a", .tokenize = tokenize_13a, .smooth_value = -1 },
		.moses = moses_new(scoring->language), .out = record_new()
	};
	w->metric[SCORE_BLEU] = bleu_metric(scoring->bleu);
	w->metric[SCORE_SACREBLEU] = bleu_metric(&w->sacrebleu);
	w->metric[SCORE_CHRF] = chrf_metric(&w->chrf);
	for (int k = 0; k < METRICS; k++)
		w->scratch[k] = w->metric[k].open(w->metric[k].how);
}

static void
work_release(struct scores_work *w)
{
	for (int k = 0; k < METRICS; k++)
		w->metric[k].close(w->scratch[k]);
	moses_free(w->moses);
	record_free(w->out);
	buf_release(&w->raw);
	buf_release(&w->lower);
	buf_release(&w->letters[0]);
	buf_release(&w->letters[1]);
}

static void
add_stats(struct scores_work *w, int k, struct str hyp, struct str ref)
{
	const struct metric *m = &w->metric[k];
	int32_t stats[METRIC_MAX_WIDTH], packed[SCORE_MAX_PACKED];
	int n;

	m->reference(w->scratch[k], 0, ref.s, ref.n);
	m->hypothesis(w->scratch[k], hyp.s, hyp.n, stats);
	for (int i = 0; i < m->width; i++)
		w->sums[k][i] += stats[i];
	n = run_scores_pack((enum score_kind)k, stats, packed);
	record_set_ints(w->out, score_names[k], packed, (size_t)n);
}

/* Letters and digits in lower case, which tokenizing and normalizing punctuation do not change. */
static void
take_letters(struct scores_work *w, struct str text, struct buf *out)
{
	size_t n;

	buf_clear(&w->lower);
	buf_clear(out);
	lowercase(text.s, text.n, &w->lower);
	for (size_t at = 0; at < w->lower.n; at += n)
		if (unicode_classes(utf8_next(w->lower.data + at, w->lower.n - at, &n)) &
		    UNICODE_ALNUM)
			buf_add(out, w->lower.data + at, n);
}

static bool
has_letters(struct scores_work *w, struct str s, const struct buf *text)
{
	struct buf *own = &w->letters[0];

	take_letters(w, s, own);
	return own->n == text->n && (!text->n || !memcmp(own->data, text->data, text->n));
}

/* The field as it is, or detokenized, which removes the escapes of tokenizers. */
static void
compare_reference(struct scores_work *w, struct str tgt, struct str ref)
{
	take_letters(w, ref, &w->letters[1]);
	if (has_letters(w, tgt, &w->letters[1]))
		return;
	buf_clear(&w->raw);
	moses_detokenize(w->moses, tgt.s, tgt.n, &w->raw);
	if (has_letters(w, (struct str){ w->raw.n ? w->raw.data : "", w->raw.n }, &w->letters[1]))
		return;
	if (!w->unlike++)
		w->first_unlike = w->n + 1;
}

static void
copy_text(const struct record *original, const char *name, struct record *copy)
{
	struct str s;

	if (!record_str(original, name, &s))
		record_set_str(copy, name, s.s, s.n);
}

static int
one_sentence(struct scores_work *w, const struct record *rec, struct str ref, struct err *e)
{
	struct likelihood l;
	struct str hyp, tgt, raw;
	const void *id;
	size_t n;

	if (likelihood_of(rec, &l, e))
		return -1;
	if (record_str(rec, "hyp", &hyp) || record_str(rec, "tgt", &tgt))
		return err_set(e, EXIT_INPUT, "no hyp or no tgt, expected both");
	record_clear(w->out);
	if (!record_raw(rec, "id", &id, &n))
		record_set_raw(w->out, "id", id, n);
	if (w->n < w->how->texts) {
		copy_text(rec, "src", w->out);
		copy_text(rec, "tgt", w->out);
	}
	copy_text(rec, "hyp", w->out);
	record_set_float(w->out, "nll", (double)(float)l.nll);
	record_set_int(w->out, "tokens", l.tokens);
	compare_reference(w, tgt, ref);
	w->spaced += score_spaced(ref.s, ref.n);
	buf_clear(&w->raw);
	moses_detokenize(w->moses, hyp.s, hyp.n, &w->raw);
	raw = (struct str){ w->raw.n ? w->raw.data : "", w->raw.n };
	add_stats(w, SCORE_BLEU, w->how->tokenized ? hyp : raw, w->how->tokenized ? tgt : ref);
	add_stats(w, SCORE_SACREBLEU, raw, ref);
	add_stats(w, SCORE_CHRF, raw, ref);
	w->nll += l.nll;
	w->tokens += l.tokens;
	w->masked += l.masked;
	w->n++;
	return 0;
}

/* The next line of the reference; more is 0 at the end of the test set. */
static int
next_reference(struct side *side, const char *test, int more, struct str *ref, struct err *e)
{
	const int line = side_next(side, e);

	if (line < 0)
		return -1;
	if (line != more)
		return err_set(e, EXIT_INPUT, "%s: %s lines than sentences in %s, expected the "
			       "same number", side_name(side), line ? "more" : "fewer", test);
	return line ? side_text(side, "tgt", ref, e) : 0;
}

static int
all_sentences(struct scores_work *w, struct reader *reader, struct side *side, struct writer *out,
	      struct err *e)
{
	struct record *rec;
	struct str ref;
	int more;

	do {
		more = reader_next(reader, &rec, e);
		if (more < 0 || next_reference(side, reader_name(reader), more, &ref, e))
			return -1;
		if (more && one_sentence(w, rec, ref, e))
			return err_wrap(e, "%s", reader_where(reader));
		if (more && writer_put(out, w->out, e))
			return -1;
	} while (more);
	return w->n ? 0 : err_set(e, EXIT_INPUT, "%s: no sentences, expected at least one",
				  reader_name(reader));
}

/* --- facts --- */

static void
sign(const struct scores_work *w, int k, struct buf *out)
{
	const struct signature s = { .n_refs = 1, .version = "heed-bleu-" HEED_VERSION };

	metric_signature(&w->metric[k], &s, out);
}

static void
run_scores_add_facts(const struct scores_work *w, struct buf *out)
{
	struct bleu_score s;

	for (int k = 0; k < METRICS; k++) {
		buf_printf(out, "%s\t%.4f\n%s.signature\t", score_names[k],
			   w->metric[k].score(w->sums[k], w->metric[k].how), score_names[k]);
		sign(w, k, out);
		buf_add_char(out, '\n');
	}
	bleu_compute(&w->sacrebleu, w->sums[SCORE_SACREBLEU], &s);
	buf_printf(out, "length\t%.4f\ntest.nll\t%.6f\ntest.tokens\t%lld\ntest.sentences\t%lld\n",
		   s.ratio, w->nll / (double)w->tokens, (long long)w->tokens, (long long)w->n);
	if (w->masked)
		buf_printf(out, "test.masked\t%lld\n", (long long)w->masked);
}

/* Not an error: a test set may have several references, of which tgt is another one. */
static void
warn_of_references(const struct scores_work *w)
{
	if (w->unlike)
		warn("%s: %lld of %lld references have other letters or digits than tgt of %s, the "
		     "first of them in line %lld", w->how->reference, (long long)w->unlike,
		     (long long)w->n, w->how->test, (long long)w->first_unlike);
	if (w->spaced >= SCORE_SPACED)
		warn("%s: %lld lines end in a space and a period, as tokenized text does, expected "
		     "untokenized references", w->how->reference, (long long)w->spaced);
}

static struct writer *
run_scores_open_stream(const struct scores_work *w, const struct header *header, const char *path,
		       struct err *e)
{
	struct writer *out = writer_open(path, "sentence", NULL, adds,
					 STREAM_ZSTD | STREAM_NO_PG, e);

	if (out && header_type(header, "id"))
		writer_add_field(out, "id", header_type(header, "id"));
	for (int k = 0; out && k < METRICS; k++) {
		struct buf text = { 0 };

		sign(w, k, &text);
		writer_set_meta(out, score_names[k], text.data);
		buf_release(&text);
	}
	return out;
}

int
run_scores_write(const struct scoring *scoring, const char *path, struct buf *out, struct err *e)
{
	struct reader *in = reader_open(scoring->test, "sentence", needs, 0, e);
	struct side *side = in ? side_open(scoring->reference, NULL, e) : NULL;
	struct writer *stream = NULL;
	struct scores_work w;
	int r = -1;

	work_init(&w, scoring);
	if (side && !check_made(in, &translated, scoring->model, e) &&
	    !check_made(in, &scored, scoring->model, e))
		stream = run_scores_open_stream(&w, reader_header(in), path, e);
	if (stream)
		r = all_sentences(&w, in, side, stream, e);
	if (!r) {
		run_scores_add_facts(&w, out);
		warn_of_references(&w);
		r = writer_finish(stream, e);
	} else {
		writer_abandon(stream);
	}
	work_release(&w);
	side_close(side);
	reader_close(in);
	return r;
}
