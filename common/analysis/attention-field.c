/* attention-field: see attention-field.h. */
#include "analysis/attention-field.h"

#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"

struct field
attention_field(const struct site *s)
{
	static const char *const type[] = { "f32[h,s,s]", "f32[h,t,t]", "f32[h,t,s]" };

	return (struct field){ xasprintf("att.%s.%d", site_kinds[s->where], s->layer),
			       type[s->where], 0 };
}

/* Sets the weights of one sentence: [heads, queries, keys] at x. */
static void
set_heads(struct record *rec, const char *name, const struct site *site, int queries, int keys,
	  const real *x)
{
	const size_t n = (size_t)queries * (size_t)keys;	/* weights of a head */
	float *w = xcalloc((size_t)site->all_heads * n + 1, sizeof(*w));
	struct tensor t = { .type = TENSOR_F32, .n_dim = 3, .d = { site->all_heads, queries, keys },
			    .data = w };

	for (int h = 0; h < site->heads; h++)
		for (size_t i = 0; i < n; i++)
			w[(size_t)site->head[h] * n + i] = (float)x[(size_t)h * n + i];
	record_set_tensor(rec, name, &t);
	free(w);
}

void
attention_field_set(const struct model *m, struct tape *t, const struct batch *b, size_t i,
		    const char *name, struct record *const *rec)
{
	const struct site *site = &m->sites[i];
	const struct layout *queries = site->where == ENCODER_SELF
		? &b->src.layout : &b->tgt.layout;
	const struct layout *keys = site->where == DECODER_SELF ? &b->tgt.layout : &b->src.layout;
	const ptrdiff_t *block = NULL;
	const real *x = model_site_weights(m, t, i, &block, &queries, &keys);

	if (!x && site->heads)
		bug("no attention weights of %s", site->name);
	for (int k = 0; k < b->n; k++)
		set_heads(rec[k], name, site, queries->len[k], keys->len[k],
			  x ? x + block[k] : NULL);
}

bool
attention_fields_foreign(const struct header *h, const char *digest, const char *precision)
{
	const char *named = header_meta(h, HEADER_SCORED);

	if (!named || strcmp(named, digest))
		return true;
	named = header_meta(h, HEADER_SCORED_IN);
	return named && strcmp(named, precision);
}

/* Is this one of attention weights that is not in the fields at arg? */
static bool
attention_is_other(const char *name, size_t n, const void *arg)
{
	const struct field *adds = arg;

	if (n < 4 || memcmp(name, "att.", 4))
		return false;
	while (adds->name && (strlen(adds->name) != n || memcmp(adds->name, name, n)))
		adds++;
	return !adds->name;
}

void
attention_fields_drop(struct writer *w, const struct field *adds)
{
	writer_drop_fields(w, attention_is_other, adds);
}

void
attention_fields_delete(struct record *rec, const struct field *adds)
{
	record_delete_fields(rec, attention_is_other, adds);
}
