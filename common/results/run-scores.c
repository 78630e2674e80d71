/* run-scores: see run-scores.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/regular.h"
#include "base/output.h"
#include "results/run-scores.h"
#include "scores/ngram.h"
#include "stream/stream.h"

enum { CHRF_ORDER = 6, NLL_WIDTH = 2 };
#define NLL_UNIT 1e-4			/* unit of NLLs in the statistics, in nats */
#define MAX_COUNT 100000000		/* of tokens, characters or n-grams of a sentence */
#define MAX_NLL 200000.0		/* nats; in units of NLL_UNIT it fits in an int32_t */

const char *const score_names[] = { "bleu", "sacrebleu", "chrf", "nll", NULL };

static const struct field needs[] = {
	{ "hyp", "str", 0 }, { "nll", "float", 0 }, { "tokens", "int", 0 },
	{ "bleu", "[int]", 0 }, { "sacrebleu", "[int]", 0 }, { "chrf", "[int]", 0 }, { 0 }
};

/* --- statistics in the stream and in full --- */

static int
packed_width(enum score_kind kind)
{
	return 2 + (kind == SCORE_CHRF ? CHRF_ORDER : BLEU_ORDER);
}

int
run_scores_pack(enum score_kind kind, const int32_t *stats, int32_t packed[SCORE_MAX_PACKED])
{
	if (kind == SCORE_CHRF) {
		packed[0] = stats[0];
		packed[1] = stats[1];
		for (int k = 0; k < CHRF_ORDER; k++)
			packed[2 + k] = stats[3 * k + 2];
	} else {
		packed[0] = stats[BLEU_HYP_LEN];
		packed[1] = stats[BLEU_REF_LEN];
		memcpy(packed + 2, stats + BLEU_MATCH, BLEU_ORDER * sizeof(*packed));
	}
	return packed_width(kind);
}

static int32_t
grams(int32_t n, int order)
{
	return (int32_t)ngrams_total((size_t)n, order);
}

/* The inverse of run_scores_pack(); -1 if the values are impossible. */
static int
unpack(enum score_kind kind, const int32_t *packed, int32_t *stats)
{
	const int orders = packed_width(kind) - 2;
	const int32_t hyp = packed[0], ref = packed[1];

	for (int k = 0; k < orders + 2; k++)
		if (packed[k] < 0 || packed[k] > MAX_COUNT)
			return -1;
	for (int k = 0; k < orders; k++)
		if (packed[2 + k] > grams(hyp, k + 1))
			return -1;
	if (kind != SCORE_CHRF) {
		stats[BLEU_HYP_LEN] = hyp;
		stats[BLEU_REF_LEN] = ref;
		memcpy(stats + BLEU_MATCH, packed + 2, BLEU_ORDER * sizeof(*stats));
	}
	for (int k = 0; k < orders; k++) {
		if (kind != SCORE_CHRF) {
			stats[BLEU_TOTAL + k] = grams(hyp, k + 1);
			continue;
		}
		stats[3 * k] = grams(ref, k + 1) ? grams(hyp, k + 1) : 0;
		stats[3 * k + 1] = grams(ref, k + 1);
		stats[3 * k + 2] = packed[2 + k];
	}
	return 0;
}

/* --- reading --- */

/* Recovers the BLEU variant from a signature that heed-record wrote. */
static int
find_bleu(struct bleu *b, const char *name, const char *signature, struct err *e)
{
	const char *variant = strstr(signature, "|variant:");
	const size_t n = variant ? strcspn(variant + 9, "|") : 0;

	*b = (struct bleu){ .variant = BLEU_SACREBLEU, .smooth = BLEU_EXP, .smooth_value = -1 };
	for (int k = 0; variant && bleu_variants[k]; k++)
		if (strlen(bleu_variants[k]) == n && !memcmp(bleu_variants[k], variant + 9, n)) {
			b->variant = (enum bleu_variant)k;
			return 0;
		}
	if (!variant && strstr(signature, "|eff:no|") && strstr(signature, "|smooth:exp"))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: signature '%s', expected one that heed-record writes",
		       name, signature);
}

static int
take_header(struct run_scores *s, const struct reader *reader, struct err *e)
{
	for (enum score_kind k = SCORE_BLEU; k < SCORE_NLL; k++) {
		const char *signature = header_meta(reader_header(reader), score_names[k]);

		if (!signature)
			return err_set(e, EXIT_INPUT, "%s: no signature of %s in the header",
				       reader_name(reader), score_names[k]);
		s->score[k].signature = xstrdup(signature);
		if (k < SCORE_CHRF && find_bleu(&s->bleu[k], reader_name(reader), signature, e))
			return -1;
	}
	s->score[SCORE_BLEU].width = s->score[SCORE_SACREBLEU].width = BLEU_WIDTH;
	s->chrf = (struct chrf){ .char_order = CHRF_ORDER, .beta = 2 };
	s->score[SCORE_CHRF].width = 3 * CHRF_ORDER;
	s->score[SCORE_NLL].width = NLL_WIDTH;
	return 0;
}

static void
run_scores_make_room(struct run_scores *s, size_t *room)
{
	if (s->n < *room)
		return;
	*room = *room ? 2 * *room : 1024;
	s->nll = xreallocarray(s->nll, *room, sizeof(*s->nll));
	s->tokens = xreallocarray(s->tokens, *room, sizeof(*s->tokens));
	for (int k = 0; k < SCORE_KINDS; k++)
		s->score[k].stats = xreallocarray(s->score[k].stats,
						  *room * (size_t)s->score[k].width,
						  sizeof(int32_t));
}

static int
take_stats(struct run_scores *s, enum score_kind kind, const struct record *rec, struct err *e)
{
	struct score_stats *to = &s->score[kind];
	const int32_t *v;
	size_t n;

	if (record_ints(rec, score_names[kind], &v, &n) || n != (size_t)packed_width(kind) ||
	    unpack(kind, v, to->stats + s->n * (size_t)to->width))
		return err_set(e, EXIT_INPUT, "%s is not a list of %d statistics of a sentence",
			       score_names[kind], packed_width(kind));
	return 0;
}

static int
run_scores_take_record(struct run_scores *s, const struct record *rec, struct err *e)
{
	int32_t *stats = s->score[SCORE_NLL].stats + NLL_WIDTH * s->n;
	double nll;
	int64_t tokens;

	if (record_float(rec, "nll", &nll) || !(nll >= 0 && nll <= MAX_NLL))
		return err_set(e, EXIT_INPUT, "nll is not a sum of log-likelihoods");
	if (record_int(rec, "tokens", &tokens) || tokens < 1 || tokens > MAX_COUNT)
		return err_set(e, EXIT_INPUT, "tokens is not a number from 1 to %d", MAX_COUNT);
	for (enum score_kind k = SCORE_BLEU; k < SCORE_NLL; k++)
		if (take_stats(s, k, rec, e))
			return -1;
	s->nll[s->n] = nll;
	s->tokens[s->n] = (int32_t)tokens;
	stats[0] = (int32_t)lround(nll / NLL_UNIT);
	stats[1] = (int32_t)tokens;
	s->n++;
	return 0;
}

/* Takes ownership of in.  If in is NULL, e holds the reason already. */
static int
run_scores_read_all(struct run_scores *s, struct reader *reader, struct err *e)
{
	struct record *rec;
	size_t room = 0;
	int more = -1;

	*s = (struct run_scores){ 0 };
	if (reader && !take_header(s, reader, e))
		while ((more = reader_next(reader, &rec, e)) > 0) {
			run_scores_make_room(s, &room);
			if (run_scores_take_record(s, rec, e)) {
				more = err_wrap(e, "%s", reader_where(reader));
				break;
			}
		}
	if (!more && !s->n)
		more = err_set(e, EXIT_INPUT, "%s: no sentences, expected at least one",
			       reader_name(reader));
	reader_close(reader);
	if (more)
		run_scores_release(s);
	return more;
}

bool
run_scores_exist(const char *record)
{
	char *path = path_beside(record, SCORES_FILE);
	const bool there = !access(path, F_OK);

	free(path);
	return there;
}

int
run_scores_read(struct run_scores *s, const char *record, struct err *e)
{
	char *path = path_beside(record, SCORES_FILE);
	struct reader *in = regular_check(path, e) ? NULL
						   : reader_open(path, "sentence", needs, 0, e);
	const int r = run_scores_read_all(s, in, e);

	free(path);
	return r;
}

int
run_scores_read_memory(struct run_scores *s, const char *name, const void *p, size_t n,
		       struct err *e)
{
	return run_scores_read_all(s, reader_memory(name, p, n, "sentence", needs, e), e);
}

void
run_scores_release(struct run_scores *s)
{
	for (int k = 0; k < SCORE_KINDS; k++) {
		free(s->score[k].stats);
		free(s->score[k].signature);
	}
	free(s->nll);
	free(s->tokens);
	*s = (struct run_scores){ 0 };
}

/* --- scores and tests --- */

static double
mean_nll(const int64_t *sums, const void *settings)
{
	(void)settings;
	return sums[1] ? NLL_UNIT * (double)sums[0] / (double)sums[1] : 0;
}

struct scored
run_scores_of(const struct run_scores *s, enum score_kind kind)
{
	struct scored of = {
		.stats = s->score[kind].stats, .n = s->n, .width = s->score[kind].width,
		.score = mean_nll
	};

	if (kind == SCORE_NLL)
		return of;
	of.how = kind == SCORE_CHRF ? (const void *)&s->chrf : &s->bleu[kind];
	of.score = kind == SCORE_CHRF ? chrf_metric(&s->chrf).score
				      : bleu_metric(&s->bleu[kind]).score;
	return of;
}

double
run_scores_value(const struct run_scores *s, enum score_kind kind)
{
	const struct scored of = run_scores_of(s, kind);

	return scored_corpus(&of);
}

void
run_scores_facts(const struct run_scores *s, struct buf *out)
{
	const struct score_stats *of = &s->score[SCORE_SACREBLEU];
	int64_t tokens = 0, hyp = 0, ref = 0;

	for (size_t i = 0; i < s->n; i++) {
		tokens += s->tokens[i];
		hyp += of->stats[i * (size_t)of->width + BLEU_HYP_LEN];
		ref += of->stats[i * (size_t)of->width + BLEU_REF_LEN];
	}
	for (int k = 0; k < SCORE_NLL; k++)
		buf_printf(out, "%s.signature\t%s\n", score_names[k], s->score[k].signature);
	buf_printf(out, "length\t%.4f\ntest.tokens\t%lld\ntest.sentences\t%zu\n",
		   ref ? (double)hyp / (double)ref : 0, (long long)tokens, s->n);
}

/* Length of a signature without the version of the program: "nrefs:1|case:mixed|...". */
static size_t
scoring(const char *signature)
{
	const char *version = strstr(signature, "|version:");

	return version ? (size_t)(version - signature) : strlen(signature);
}

bool
run_scores_alike(const char *a, const char *b)
{
	const size_t n = scoring(a);

	return n == scoring(b) && !memcmp(a, b, n);
}

/* The lengths of the references agree; for the NLL, their numbers of tokens. */
static int
check_same(const struct run_scores *base, const struct run_scores *run, enum score_kind kind,
	   struct err *e)
{
	const struct score_stats *a = &base->score[kind], *b = &run->score[kind];
	const char *name = score_names[kind];

	if (base->n != run->n)
		return err_set(e, EXIT_INPUT, "%zu sentences, expected %zu", run->n, base->n);
	if (a->signature && !run_scores_alike(a->signature, b->signature))
		return err_set(e, EXIT_INPUT, "signature of %s '%s', expected '%s'", name,
			       b->signature, a->signature);
	for (size_t i = 0; i < base->n; i++)
		if (a->stats[i * (size_t)a->width + 1] != b->stats[i * (size_t)b->width + 1])
			return err_set(e, EXIT_INPUT, "%s of sentence %zu: reference length %d, "
				       "expected %d", name, i + 1,
				       b->stats[i * (size_t)b->width + 1],
				       a->stats[i * (size_t)a->width + 1]);
	return 0;
}

int
run_scores_test(const struct run_scores *base, const struct run_scores *run, enum score_kind kind,
		enum paired_test test, double *p, struct err *e)
{
	struct paired asked = { .resamples = 1000, .trials = 10000, .seed = 12345 };
	struct scored system[2] = { run_scores_of(base, kind), run_scores_of(run, kind) };
	struct interval ci[2];
	struct comparison c[2];

	if (check_same(base, run, kind, e))
		return -1;
	asked.test[test] = true;
	paired_run(&asked, system, 2, NULL, ci, c);
	*p = test == PAIRED_BOOTSTRAP ? c[1].p_centered : test == PAIRED_KOEHN ? c[1].p_koehn
	     : test == PAIRED_SIGN ? c[1].sign.p : c[1].p_randomization;
	return 0;
}
