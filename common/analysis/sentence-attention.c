/* sentence-attention: see sentence-attention.h. */
#include "analysis/sentence-attention.h"

#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "model/model-input.h"

struct site_list
sites_of_model(const struct model *m)
{
	return (struct site_list){ m->sites, m->n_sites };
}

/* Sets s to sentence i. */
static void
set_sentence(struct sentence_attention *s, const struct model *m, struct tape *t,
	     const struct batch *b, int i)
{
	s->rec = b->record[i];
	s->number = b->number[i];
	s->source = b->src.layout.len[i];
	s->source_end = b->src_end;
	s->target = b->tgt.layout.n > 0 ? b->tgt.layout.len[i] : 0;
	s->id = b->src.id + b->src.layout.start[i];
	for (size_t k = 0; k < m->n_sites; k++) {
		const struct layout *queries, *keys;
		const ptrdiff_t *block;
		const bool ran = s->target || m->sites[k].where == ENCODER_SELF;
		const real *x = ran ? model_site_weights(m, t, k, &block, &queries, &keys) : NULL;

		s->x[k] = x ? x + block[i] : NULL;
	}
}

int
sentence_attention_each(const struct model *m, struct tape *t, const struct batch *b,
			sentence_attention_take *take, void *arg, struct err *e)
{
	struct sentence_attention s = { .rec = NULL };
	struct batch_rules rules;
	int bad = 0;

	model_batch_rules(m, &rules);
	s.first = rules.first_token[0].n > 0;
	s.first_target = rules.first_token[1].n > 0;
	s.x = xcalloc(m->n_sites + 1, sizeof(*s.x));
	for (int i = 0; !bad && i < b->n; i++) {
		set_sentence(&s, m, t, b, i);
		bad = take(arg, &s, e);
		if (bad)
			err_wrap(e, "record %lld", (long long)s.number + 1);
	}
	free(s.x);
	return bad;
}

struct head_weights
sentence_attention_shape(const struct sentence_attention *s, enum site_where where)
{
	struct head_weights w = { .queries = s->target, .keys = s->source, .rows = s->target - 1,
				  .columns = s->source - s->source_end };

	if (where == ENCODER_SELF) {
		w.queries = s->source;
		w.rows = w.columns;
	} else if (where == DECODER_SELF) {
		w.keys = w.columns = s->target;
		w.causal = true;
	}
	return w;
}

struct head_weights
sentence_attention_head(const struct sentence_attention *s, const struct site_list *sites,
			size_t head)
{
	const struct site *at = site_of_head(sites->site, head, NULL);
	const size_t site = (size_t)(at - sites->site);
	struct head_weights w = sentence_attention_shape(s, at->where);

	if (s->x[site])
		w.x = s->x[site] + (ptrdiff_t)(head - heads_before(sites->site, site)) *
				   w.queries * w.keys;
	return w;
}
