/*
 * stored-attention: any bytes are a stream with attention weights or are refused.  All weights are
 * finite and not negative, and the sentences can be measured.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/stored-attention.h"
#include "attention/attention-heads.h"
#include "data/links.h"

#include "fuzz.h"

static int
measure(void *arg, const struct sentence_attention *s, struct err *e)
{
	const struct stored_attention *a = arg;
	struct link_side side;

	for (size_t h = 0; h < heads_before(a->sites.site, a->sites.n); h++) {
		const struct head_weights w = sentence_attention_head(s, &a->sites, h);
		struct attention_sums sums = { 0 };

		must(w.rows >= 0 && w.rows <= w.queries && w.columns <= w.keys);
		for (ptrdiff_t i = 0; i < (ptrdiff_t)w.queries * w.keys; i++)
			must(isfinite(w.x[i]) && w.x[i] >= 0);
		attention_sums_add(&sums, &w);
	}
	if (link_side_read(&side, s->rec, "src.word", s->source - s->source_end, e))
		must(e->status == EXIT_INPUT);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct stored_attention a;
	struct err e;
	struct reader *in = reader_memory("fuzz", data, n, "sentence", NULL, &e);

	if (!in)
		return 0;
	if (stored_attention_begin(&a, in, &e))
		must(e.status == EXIT_INPUT || e.status == EXIT_USAGE);
	else if (stored_attention_each(&a, measure, &a, &e))
		must(e.status == EXIT_INPUT);
	stored_attention_close(&a);
	return 0;
}
