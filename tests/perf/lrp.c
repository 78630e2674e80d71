/*
 * lrp: relevance of all target positions of made-up sentences, for a model of size base with random
 * weights: how many times a forward pass it takes.
 *
 *	lrp [length [threads [sentences [rounds [rule]]]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "attribution/lrp.h"
#include "base/mem.h"
#include "base/rng.h"
#include "clock.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "search/next-token.h"
#include "stream/stream.h"

enum { TYPES = 32000, TOGETHER = 25, MOST = 256, MAX_SENTENCES = 10000 };

static int sentences = 100, rounds = 3;

static char *
type_of(int i)
{
	return xasprintf("w%d", i);
}

static struct vocab
vocabulary(void)
{
	struct vocab v;
	struct strmap types;
	int64_t *count = xcalloc(TYPES, sizeof(*count));

	types = (struct strmap){ 0 };
	for (int i = 0; i < TYPES; i++) {
		char *s = type_of(i);

		strmap_add(&types, s, strlen(s));
		count[i] = TYPES - i;
		free(s);
	}
	vocab_from_counts(&v, &types, count, 1, 0);
	strmap_release(&types);
	free(count);
	return v;
}

static struct model *
model(struct runtime *run, int rule)
{
	struct model_config c = preset_find("fairseq")->config;
	struct vocab src = vocabulary(), tgt = vocabulary();
	struct model *m;
	struct err e;

	if (model_size(&c, "base", &e) || !(m = model_new(&c, &src, &tgt, NULL, 0, &e)))
		die(&e);
	params_allocate(&m->params, rule == RULE_CHEFER);
	model_randomize(m, 1);
	model_prepare(m, &run->backend, run->pool);
	return m;
}

/* Half to one and a half times the length. */
static void
set_side(struct record *rec, const char *field, int length, struct rng *r)
{
	const int n = (length + 1) / 2 + (int)rng_below(r, (uint32_t)length);
	struct str piece[MOST];

	for (int i = 0; i < n; i++) {
		piece[i].s = type_of((int)rng_below(r, TYPES));
		piece[i].n = strlen(piece[i].s);
	}
	record_set_strs(rec, field, piece, (size_t)n);
	for (int i = 0; i < n; i++)
		free((char *)piece[i].s);
}

/* Encoder, decoder and output layer, as nmt-score runs them. */
static double
forward(struct model *m, struct runtime *run, const struct lrp_job *job)
{
	const double start = now();

	for (int i = 0; i < sentences; i += TOGETHER) {
		const struct record *rec[TOGETHER];
		int64_t number[TOGETHER];
		struct batch_rules rules;
		struct batch b;
		const int n = sentences - i < TOGETHER ? sentences - i : TOGETHER;
		struct err e;

		for (int k = 0; k < n; k++) {
			rec[k] = job[i + k].rec;
			number[k] = i + k;
		}
		tape_rewind(run->tape);
		model_batch_rules(m, &rules);
		if (model_batch(m, &b, tape_arena(run->tape), rec, number, n, &rules, &e))
			die(&e);
		model_loss(m, run->tape, &b, NULL);
	}
	return now() - start;
}

static double
backward(struct lrp_tracer *t, struct lrp_job *job)
{
	const double start = now();
	struct err e;

	if (lrp_trace(t, job, sentences, &e))
		die(&e);
	return now() - start;
}

static void
run_all(struct lrp_job *job, int threads, int rule)
{
	const struct lrp how = lrp_defaults(rule);
	double least[2] = { 1e9, 1e9 }, off = 0;
	struct lrp_tracer t;
	struct runtime run;
	struct rusage usage;
	struct model *m;
	int positions = 0;
	struct err e;

	if (runtime_open(&run, NULL, PRECISION_FP32, threads, &e))
		die(&e);
	m = model(&run, rule);
	lrp_init(&t, m, &run.pass, &how);
	for (int i = 0; i < rounds; i++) {
		const double f = forward(m, &run, job), b = backward(&t, job);

		least[0] = f < least[0] ? f : least[0];
		least[1] = b < least[1] ? b : least[1];
	}
	for (int i = 0; i < sentences; i++) {
		positions += job[i].out.positions;
		off = job[i].out.error > off ? job[i].out.error : off;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%d sentences, %d positions, %d threads: forward %.2f s, relevance %.2f s, %.1f "
	       "times; %.1g lost, "
	       "peak %ld MiB\n", sentences, positions, threads, least[0], least[1],
	       least[1] / least[0], off,
	       usage.ru_maxrss / 1024);
}

int
main(int argc, char **argv)
{
	const int length = argc > 1 ? atoi(argv[1]) : 14, threads = argc > 2 ? atoi(argv[2]) : 1;
	static struct lrp_job job[MAX_SENTENCES];
	struct rng r;

	sentences = argc > 3 ? atoi(argv[3]) : sentences;
	rounds = argc > 4 ? atoi(argv[4]) : rounds;
	if (length < 1 || length > MOST / 2 || sentences < 1 || sentences > MAX_SENTENCES)
		return EXIT_USAGE;
	if (threads == 1)
		measure = CLOCK_PROCESS_CPUTIME_ID;
	rng_init(&r, 1, rng_purpose("sentences"), 0);
	for (int i = 0; i < sentences; i++) {
		struct record *rec = record_new();

		set_side(rec, "src.pieces", length, &r);
		set_side(rec, "tgt.pieces", length, &r);
		job[i] = (struct lrp_job){ .rec = rec, .number = i };
	}
	run_all(job, threads, argc > 5 ? atoi(argv[5]) : LRP_ALPHABETA);
	return 0;
}
