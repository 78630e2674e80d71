/* score: see score.h. */
#include "scores/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/tokenizers.h"

/* Sentences in a batch, and in a unit of work of a thread. */
enum { BATCH = 1024, PIECE = 16 };
#define BATCH_BYTES ((size_t)8 << 20)	/* a batch with long lines ends at this size */

struct text { size_t at, n; };		/* n bytes from offset at in the buffer of the batch */

struct score_work {
	const struct contest *contest;
	struct side **side;		/* [n_sides] systems and references */
	size_t n_sides;
	size_t texts;			/* per sentence: references, then systems */
	struct buf buf;
	struct text *text;		/* [BATCH, texts] */
	size_t n;			/* sentences in the batch */
	void **scratch;			/* [threads, metrics] */
	int32_t *stats;			/* [metrics, systems, BATCH, METRIC_MAX_WIDTH] */
};

/* Without separate references, the streams contain one. */
static size_t
n_references(const struct contest *c)
{
	return c->n_refs ? c->n_refs : 1;
}

static void
score_work_init(struct score_work *w, const struct contest *c, struct pool *pool)
{
	const size_t threads = (size_t)pool_threads(pool);

	memset(w, 0, sizeof(*w));
	w->contest = c;
	w->n_sides = c->n_refs + c->n_systems;
	w->side = xcalloc(w->n_sides, sizeof(struct side *));
	for (size_t k = 0; k < w->n_sides; k++)
		w->side[k] = k < c->n_systems ? c->system[k] : c->ref[k - c->n_systems];
	w->texts = n_references(c) + c->n_systems;
	w->text = xcalloc(BATCH * w->texts, sizeof(*w->text));
	w->scratch = xcalloc(threads * c->n_metrics, sizeof(void *));
	for (size_t k = 0; k < threads * c->n_metrics; k++) {
		const struct metric *m = &c->metric[k % c->n_metrics];

		w->scratch[k] = m->open(m->how);
	}
	w->stats = xcalloc(c->n_metrics * c->n_systems * BATCH,
			   METRIC_MAX_WIDTH * sizeof(*w->stats));
}

static void
score_work_release(struct score_work *w, struct pool *pool)
{
	const struct contest *c = w->contest;

	for (size_t k = 0; k < (size_t)pool_threads(pool) * c->n_metrics; k++)
		c->metric[k % c->n_metrics].close(w->scratch[k]);
	free(w->scratch);
	free(w->stats);
	free(w->text);
	free(w->side);
	buf_release(&w->buf);
}

static int
score_add_text(struct score_work *w, size_t k, const struct side *side, const char *field,
	       struct err *e)
{
	struct str s;

	if (side_text(side, field, &s, e))
		return -1;
	if (s.n > INT32_MAX)
		return err_set(e, EXIT_INPUT, "%s: sentence %lld has %zu bytes, "
			       "expected at most %d", side_name(side),
			       (long long)side_count(side), s.n, INT32_MAX);
	w->text[w->n * w->texts + k] = (struct text) { w->buf.n, s.n };
	buf_add(&w->buf, s.s, s.n);
	return 0;
}

/* Checks that tgt of this stream is the same as that of the first. */
static int
check_reference(struct score_work *w, const struct side *side, struct err *e)
{
	const struct text *ref = &w->text[w->n * w->texts];
	struct str s;

	if (side_text(side, "tgt", &s, e))
		return -1;
	if (s.n == ref->n && (!s.n || !memcmp(s.s, w->buf.data + ref->at, s.n)))
		return 0;
	return err_set(e, EXIT_INPUT, "record %lld: tgt of %s differs from tgt of %s",
		       (long long)side_count(side), side_name(side), side_name(w->side[0]));
}

static int
score_add_sentence(struct score_work *w, struct err *e)
{
	const struct contest *c = w->contest;
	const size_t refs = n_references(c);

	for (size_t k = 0; k < c->n_refs; k++)
		if (score_add_text(w, k, c->ref[k], "tgt", e))
			return -1;
	if (!c->n_refs && score_add_text(w, 0, c->system[0], "tgt", e))
		return -1;
	for (size_t k = 0; k < c->n_systems; k++) {
		if (score_add_text(w, refs + k, c->system[k], "hyp", e))
			return -1;
		if (!c->n_refs && k > 0 && check_reference(w, c->system[k], e))
			return -1;
	}
	w->n++;
	return 0;
}

/* Returns 1 if there may be more, 0 at the end, -1 on error. */
static int
read_batch(struct score_work *w, struct err *e)
{
	int r = 1;

	w->n = 0;
	buf_clear(&w->buf);
	while (w->n < BATCH && w->buf.n < BATCH_BYTES) {
		r = sides_next(w->side, w->n_sides, e);
		if (r <= 0)
			break;
		if (score_add_sentence(w, e))
			return -1;
	}
	return r;
}

static int32_t *
stats_of(const struct score_work *w, size_t metric, size_t system, size_t sentence)
{
	const size_t row = (metric * w->contest->n_systems + system) * BATCH + sentence;

	return w->stats + row * METRIC_MAX_WIDTH;
}

static void
score_sentence(const struct score_work *w, size_t i, size_t metric, void *scratch)
{
	const struct contest *c = w->contest;
	const struct metric *m = &c->metric[metric];
	const struct text *t = w->text + i * w->texts;
	const size_t refs = n_references(c);
	const char *all = w->buf.data ? w->buf.data : "";

	for (size_t k = 0; k < refs; k++)
		m->reference(scratch, k, all + t[k].at, t[k].n);
	for (size_t k = 0; k < c->n_systems; k++)
		m->hypothesis(scratch, all + t[refs + k].at, t[refs + k].n,
			      stats_of(w, metric, k, i));
}

static void
score_piece(void *arg, int piece, int thread)
{
	const struct score_work *w = arg;
	const size_t from = (size_t)piece * PIECE, to = from + PIECE < w->n ? from + PIECE : w->n;
	const size_t metrics = w->contest->n_metrics;

	for (size_t k = 0; k < metrics; k++)
		for (size_t i = from; i < to; i++)
			score_sentence(w, i, k, w->scratch[(size_t)thread * metrics + k]);
}

static void
tally_add(struct tally *t, const int32_t *stats, int width, bool stored)
{
	for (int k = 0; k < width; k++)
		t->sums[k] += stats[k];
	if (stored) {
		const size_t need = (t->n + 1) * (size_t)width;

		t->stats = mem_grow(t->stats, &t->room, need, sizeof(*t->stats));
		memcpy(t->stats + t->n * (size_t)width, stats, (size_t)width * sizeof(*stats));
	}
	t->n++;
}

bool
score_spaced(const char *s, size_t n)
{
	return n >= 2 && !memcmp(s + n - 2, " .", 2);
}

static void
count_spaced(struct contest *c, const struct score_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct text *ref = &w->text[i * w->texts], *hyp = ref + n_references(c);

		c->lines++;
		c->ref_unspaced += tokenizer_unspaced(w->buf.data + ref->at, ref->n);
		c->ref_spaced += score_spaced(w->buf.data + ref->at, ref->n);
		c->system_spaced += score_spaced(w->buf.data + hyp->at, hyp->n);
	}
}

static void
warn_spaced(const struct side *text, size_t lines)
{
	if (lines >= SCORE_SPACED)
		warn("%zu lines of %s end in a space and a period, as tokenized text does; "
		     "detokenize it, or use --tokenizer none", lines, side_name(text));
}

void
contest_warn_tokens(const struct contest *c, const char *name)
{
	if (!strcmp(name, "none"))
		return;
	if (2 * c->ref_unspaced > c->lines &&
	    (!strcmp(name, "13a") || !strcmp(name, "intl")))
		warn("%zu of %zu references are Japanese, Chinese, Korean or Thai, which tokenizer "
		     "%s does not split into words; use --tokenizer ja-mecab, zh or char, or "
		     "--metric chrf", c->ref_unspaced, c->lines, name);
	warn_spaced(c->system[0], c->system_spaced);
	if (c->n_refs)
		warn_spaced(c->ref[0], c->ref_spaced);
}

static int
score_take_batch(struct score_work *w, bool stored, score_each *each, void *arg,
		 struct tally *tally, struct err *e)
{
	const struct contest *c = w->contest;

	for (size_t m = 0; m < c->n_metrics; m++)
		for (size_t k = 0; k < c->n_systems; k++)
			for (size_t i = 0; i < w->n; i++)
				tally_add(&tally[m * c->n_systems + k], stats_of(w, m, k, i),
					  c->metric[m].width, stored);
	for (size_t i = 0; each && i < w->n; i++)
		if (each(stats_of(w, 0, 0, i), arg, e))
			return -1;
	return 0;
}

int
contest_score(struct contest *c, bool stored, score_each *each, void *arg, struct pool *pool,
	      struct tally *tally, struct err *e)
{
	struct score_work w;
	int r;

	score_work_init(&w, c, pool);
	do {
		r = read_batch(&w, e);
		if (r < 0)
			break;
		pool_run(pool, (int)((w.n + PIECE - 1) / PIECE), score_piece, &w);
		count_spaced(c, &w);
		if (score_take_batch(&w, stored, each, arg, tally, e))
			r = -1;
	} while (r > 0);
	if (!r && !tally[0].n)
		r = err_set(e, EXIT_INPUT, "%s is empty: no sentence to score",
			    side_name(w.side[0]));
	score_work_release(&w, pool);
	return r;
}

void
tally_release(struct tally *t)
{
	free(t->stats);
	memset(t, 0, sizeof(*t));
}

/* --- opening --- */

static int
open_sides(struct side **side, size_t *opened, const char *const *path, size_t n,
	   const struct field *needs, struct err *e)
{
	for (; *opened < n; ++*opened) {
		side[*opened] = side_open(path[*opened], needs, e);
		if (!side[*opened])
			return -1;
	}
	return 0;
}

int
contest_open(struct contest *c, const char *const *ref, size_t n_refs, const char *const *system,
	     size_t n_systems, struct err *e)
{
	static const struct field tgt[] = { { "tgt", "str", 0 }, { 0 } };
	static const struct field hyp[] = { { "hyp", "str", 0 }, { 0 } };
	static const struct field both[] = { { "hyp", "str", 0 }, { "tgt", "str", 0 }, { 0 } };

	c->ref = xcalloc(n_refs + 1, sizeof(*c->ref));
	c->system = xcalloc(n_systems + 1, sizeof(*c->system));
	if (open_sides(c->ref, &c->n_refs, ref, n_refs, tgt, e) ||
	    open_sides(c->system, &c->n_systems, system, n_systems, n_refs ? hyp : both, e))
		return -1;
	for (size_t k = 0; k < c->n_systems && !c->n_refs; k++) {
		const char *name = side_name(c->system[k]);

		if (side_is_stream(c->system[k]))
			continue;
		return side_is_empty(c->system[k])
			? err_set(e, EXIT_INPUT, "%s is empty, expected a heed stream with "
				  "hyp and tgt", name)
			: err_usage(e, "no reference for %s, expected -r file or a heed stream "
				    "with hyp and tgt", name);
	}
	return 0;
}

void
contest_close(struct contest *c)
{
	for (size_t k = 0; k < c->n_systems; k++)
		side_close(c->system[k]);
	for (size_t k = 0; k < c->n_refs; k++)
		side_close(c->ref[k]);
	free(c->system);
	free(c->ref);
}
