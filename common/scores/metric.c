/* metric: see metric.h. */
#include <inttypes.h>

#include "scores/metric.h"

static void
add_count(struct buf *out, const char *key, int64_t n)
{
	if (n)
		buf_printf(out, "%s:%" PRId64 "|", key, n);
}

void
metric_signature(const struct metric *m, const struct signature *s, struct buf *out)
{
	buf_printf(out, "%s:%zu|", s->brief ? "#" : "nrefs", s->n_refs);
	add_count(out, "bs", s->resamples);
	add_count(out, "ar", s->trials);
	if (s->resamples || s->trials)
		buf_printf(out, "%s:%" PRId64 "|", s->brief ? "rs" : "seed", s->seed);
	m->signature(m->how, s->brief, out);
	buf_printf(out, "|%s:%s", s->brief ? "v" : "version", s->version);
}
