/* step: see step.h. */
#include "step.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "search/next-token.h"
#include "search/search.h"

enum { PIECES = 3 };

static void
add_side(struct record *rec, const char *const name[4])
{
	static const struct str piece[] = { { "a", 1 }, { "b@@", 3 }, { "\xc3\x84", 2 } };
	static const int32_t word[] = { 0, 1, 1 }, head[] = { 2, 0 };
	static const struct str relation[] = { { "nsubj", 5 }, { "root", 4 } };

	record_set_strs(rec, name[0], piece, PIECES);
	record_set_ints(rec, name[1], word, PIECES);
	record_set_ints(rec, name[2], head, 2);
	record_set_strs(rec, name[3], relation, 2);
}

static void
add_pairs(struct record *rec, const char *name, enum tensor_type type, const void *values)
{
	const struct tensor t = {
		.type = type, .n_dim = 2, .d = { PIECES, PIECES }, .data = values
	};

	record_set_tensor(rec, name, &t);
}

struct record *
step_sentence(void)
{
	static const char *const src[] = { "src.pieces", "src.word", "src.heads", "src.deprel" };
	static const char *const tgt[] = { "tgt.pieces", "tgt.word", "tgt.heads", "tgt.deprel" };
	static const unsigned char dep[PIECES] = { 3, 7, 6 };
	static const signed char phrase[] = { 0, 1, 127, -1, 0, 1, 127, -1, 0 };
	static const signed char relation[] = { 0, 1, 2, 3, 0, 4, 5, 6, 0 };
	struct record *rec = record_new();

	add_side(rec, src);
	add_side(rec, tgt);
	add_pairs(rec, "src.dep", TENSOR_BITS, dep);
	add_pairs(rec, "src.phrase", TENSOR_I8, phrase);
	add_pairs(rec, "src.relation", TENSOR_I8, relation);
	return rec;
}

/* Opened by the first use, and never closed. */
static struct runtime *
runtime(bool int8)
{
	static struct runtime both[2];
	struct runtime *run = &both[int8];
	struct err e;

	if (!run->tape &&
	    runtime_open(run, NULL, int8 ? PRECISION_INT8 : PRECISION_FP32, 1, &e))
		bug("%s", e.text);
	tape_rewind(run->tape);
	return run;
}

static int
translate(struct model *m, struct runtime *run, const struct record *rec, struct arena *mem,
	  struct err *e)
{
	const int64_t number = 0;
	struct search_settings s;
	struct translation out;
	struct searcher *by;
	struct batch b;
	int r;

	if (model_batch(m, &b, mem, &rec, &number, 1, NULL, e))
		return -1;
	search_defaults(&s, (enum search_variant)m->recipe.search);
	s.length_penalty = m->recipe.length_penalty;
	s.beam = s.n_best = 2;
	s.max_ratio = 0;
	s.max_extra = 2;
	by = searcher_new(m, &run->pass, &s);
	r = search_batch(by, &b, NULL, NULL, mem, &out, e);
	searcher_free(by);
	return r;
}

static int
loss(struct model *m, const struct record *rec, struct arena *mem, struct err *e)
{
	const int64_t number = 0;
	struct batch_rules rules;
	struct batch b;

	model_batch_rules(m, &rules);
	rules.word_dropout = 0;
	if (model_batch(m, &b, mem, &rec, &number, 1, &rules, e))
		return -1;
	model_loss(m, runtime(false)->tape, &b, NULL);
	return 0;
}

/* An error must be one of the input. */
static void
check_error(int r, const struct err *e)
{
	if (r && (e->status != EXIT_INPUT || !e->text[0]))
		bug("status %d: %s", (int)e->status, e->text);
}

void
step_model(struct model *m, const struct record *rec)
{
	struct arena mem;
	struct err e;

	arena_init(&mem, 0);
	check_error(loss(m, rec, &mem, &e) || translate(m, runtime(false), rec, &mem, &e), &e);
	arena_release(&mem);
}

void
step_narrow(struct model *m, const struct record *rec)
{
	struct runtime *run = runtime(true);
	struct arena mem;
	struct err e;

	arena_init(&mem, 0);
	matrices_round_int8(m);
	model_prepare(m, &run->backend, run->pool);
	check_error(translate(m, run, rec, &mem, &e), &e);
	arena_release(&mem);
}
