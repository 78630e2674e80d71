/* model-info: see model-info.h. */
#include "model-file/model-info.h"

#include <string.h>

#include "base/near-name.h"
#include "bpe/bytes.h"
#include "model-file/member.h"
#include "model-file/model-file.h"

void
info_settings(const char *prefix, const struct opt *table, const void *state, struct buf *out)
{
	struct buf b = { 0 };

	cli_settings_describe(table, state, &b);
	for (char *s = b.data, *next; s && *s; s = next) {
		const size_t n = strcspn(s, ","), key = strcspn(s, "=");

		next = s + n + (s[n] == ',');
		buf_printf(out, "%s.%.*s\t%.*s\n", prefix, (int)key, s, (int)(n - key - 1),
			   s + key + 1);
	}
	buf_release(&b);
}

static void
model_info_add_attention(const struct attention_set *set, struct buf *out)
{
	if (!attention_set_n(set))
		buf_add_str(out, "attention\tplain\n");
	for (size_t i = 0; i < attention_set_n(set); i++) {
		struct buf b = { 0 };
		int version;

		attention_set_describe(set, i, &b, &version);
		buf_printf(out, "attention\t%s\t%d\n", b.data, version);
		buf_release(&b);
	}
}

/* The retained heads of each pruned site, and all pruned heads as one list. */
static void
model_info_add_heads(const struct model *m, struct buf *out)
{
	struct buf removed = { 0 };

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];

		if (s->heads == s->all_heads)
			continue;
		buf_printf(out, "heads\t%s\t%d\t", s->name, s->heads);
		for (int h = 0; h < s->heads; h++)
			buf_printf(out, "%s%d", h ? "," : "", s->head[h] + 1);
		buf_add_str(out, s->heads ? "\n" : "-\n");
	}
	model_removed_heads(m, NULL, &removed);
	if (removed.n)
		buf_printf(out, "removed\t%s\n", removed.data);
	buf_release(&removed);
	if (m->rounding.heads)
		info_settings("rounded", rounding_options, &m->rounding, out);
}

static size_t
count_elements(const struct params *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->list[i]->n;
	return n;
}

void
info_parameters(const struct params *p, struct buf *out)
{
	buf_printf(out, "parameters\t%zu\n", count_elements(p));
	for (size_t i = 0; i < p->n; i++) {
		buf_printf(out, "parameter\t%s\t", p->list[i]->name);
		member_shape(p->list[i], out);
		buf_printf(out, "\t%zu\t%s\n", p->list[i]->n, p->list[i]->i8 ? "i8" : "f32");
	}
}

int
info_tensor(const struct params *p, const char *name, struct buf *out, struct err *e)
{
	const struct param *t = params_find(p, name);
	struct near_name best = { .name = NULL };
	size_t columns;

	if (!t) {
		for (size_t i = 0; i < p->n; i++)
			near_name_add(&best, name, strlen(name), p->list[i]->name);
		err_set(e, EXIT_USAGE, "no parameter is called %s", name);
		near_name_hint(&best, e);
		return -1;
	}
	columns = (size_t)t->d[t->n_dim - 1];
	for (size_t i = 0; i < t->n; i++)
		buf_printf(out, "%.9g%c", (double)p->x[t->at + i],
			   (i + 1) % columns ? '\t' : '\n');
	return 0;
}

static void
add_vocabulary(const char *side, const struct vocab *v, struct buf *out)
{
	buf_printf(out, "vocab.%s\t%d\t%016llx\n", side, v->n, (unsigned long long)vocab_digest(v));
}

void
model_info(const struct model *m, struct buf *out)
{
	buf_printf(out, "preset\t%s\n", m->preset);
	buf_printf(out, "step\t%lld\n", (long long)m->step);
	if (m->engine)
		buf_printf(out, "engine\t%lld\n", (long long)m->engine);
	if (*m->training)
		buf_printf(out, "training\t%s\n", m->training);
	info_settings("config", model_config_options, &m->config, out);
	info_settings("recipe", recipe_options, &m->recipe, out);
	model_info_add_attention(m->attention, out);
	model_info_add_heads(m, out);
	add_vocabulary("src", &m->src, out);
	add_vocabulary("tgt", &m->tgt, out);
	if (m->tgt_valid)
		buf_printf(out, "mask.tgt\t%d\n", model_masked_entries(m));
	buf_printf(out, "bpe\t%s\n", m->codes ? "yes" : "no");
	for (int side = 0; side < 2; side++)
		if (*m->languages.side[side])
			buf_printf(out, "language.%s\t%s\n", side ? "tgt" : "src",
				   m->languages.side[side]);
	for (int side = 0; side < 2; side++) {
		if (bytes_is(m->spm[side], m->spm_n[side]))
			buf_printf(out, "spm.%s\tbytes\n", side ? "tgt" : "src");
		else if (m->spm[side])
			buf_printf(out, "spm.%s\t%zu\n", side ? "tgt" : "src", m->spm_n[side]);
		if (m->first_token[side])
			buf_printf(out, "first.%s\t%s\n", side ? "tgt" : "src",
				   m->first_token[side]);
	}
	info_parameters(&m->params, out);
}

void
info_provenance(const char *pg, struct buf *out)
{
	while (pg && *pg) {
		const size_t n = strcspn(pg, "\n");

		buf_printf(out, "pg\t%.*s\n", (int)n, pg);
		pg += n + (pg[n] == '\n');
	}
}
