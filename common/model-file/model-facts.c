/* model-facts: see model-facts.h. */
#include "model-file/model-facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "model-file/model-file.h"
#include "model-file/model-info.h"

static void
add_heads(const struct model *m, struct buf *out)
{
	int all = 0, kind[3] = { 0 };

	for (size_t i = 0; i < m->n_sites; i++) {
		all += m->sites[i].heads;
		kind[m->sites[i].where] += m->sites[i].heads;
	}
	buf_printf(out, "heads\t%d\n", all);
	for (int k = 0; k < 3; k++)
		buf_printf(out, "heads.%s\t%d\n", site_kinds[k], kind[k]);
}

/* The range of the relation strengths (relation-mask) as they are learned, before exp. */
static void
add_strengths(const struct model *m, struct buf *out)
{
	static const char name[] = "relation.strength";
	double min = 0, max = 0;
	bool any = false;

	for (size_t i = 0; i < m->params.n; i++) {
		const struct param *p = m->params.list[i];
		const size_t n = strlen(p->name);

		if (n + 1 < sizeof(name) || strcmp(p->name + n + 1 - sizeof(name), name))
			continue;
		for (size_t k = 0; k < p->n; k++) {
			const double v = (double)m->params.x[p->at + k];

			min = !any || v < min ? v : min;
			max = !any || v > max ? v : max;
			any = true;
		}
	}
	if (any)
		buf_printf(out, "strength.min\t%.4f\nstrength.max\t%.4f\nstrength.range\t%.4f\n",
			   min, max, max - min);
}

static void
add_variants(const struct model *m, struct buf *out)
{
	for (size_t i = 0; i < attention_set_n(m->attention); i++) {
		struct buf b = { 0 };
		int version;

		attention_set_describe(m->attention, i, &b, &version);
		buf_printf(out, "attention.%zu\t%s\n", i + 1, b.data);
		buf_release(&b);
	}
}

/* The version of the program that trained it. */
static void
add_version(const struct model *m, struct buf *out)
{
	static const char name[] = "nmt-train ";
	const char *last = NULL;

	for (const char *s = m->pg; s && (s = strstr(s, name)); s++)
		if (s == m->pg || s[-1] == '\n')
			last = s + sizeof(name) - 1;
	if (last)
		buf_printf(out, "version\t%.*s\n", (int)strcspn(last, " \n"), last);
}

static void
add_finished(const char *path, struct buf *out)
{
	struct stat st;
	char when[40];

	if (!stat(path, &st) &&
	    strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime(&st.st_mtime)))
		buf_printf(out, "finished\t%s\n", when);
}

static void
add_facts(const struct model *m, struct buf *out)
{
	size_t n = 0;

	if (m->engine)
		buf_printf(out, "engine\t%lld\n", (long long)m->engine);
	add_version(m, out);
	for (size_t i = 0; i < m->params.n; i++)
		n += m->params.list[i]->n;
	buf_printf(out, "parameters\t%zu\nvocab.src\t%d\nvocab.tgt\t%d\n", n, m->src.n,
		   m->tgt.n);
	add_variants(m, out);
	add_heads(m, out);
	add_strengths(m, out);
}

/* The lines of nmt-info(1) without single parameters. */
static void
add_info(const struct model *m, struct buf *out)
{
	struct buf rows = { 0 };
	size_t n;

	model_info(m, &rows);
	info_provenance(m->pg, &rows);
	for (const char *s = rows.data; s && *s; s += n) {
		n = strcspn(s, "\n") + 1;
		if (strncmp(s, "parameter\t", 10))
			buf_add(out, s, n);
	}
	buf_release(&rows);
}

int
model_facts(const char *path, struct model_id *id, struct buf *info, struct buf *out, struct err *e)
{
	struct model *m = model_load(path, false, NULL, NULL, e);

	if (!m)
		return -1;
	_Static_assert(sizeof(id->digest) >= MODEL_DIGEST_SIZE, "the digest of a model fits");
	model_digest(m, id->digest);
	memcpy(id->training, m->training, sizeof(id->training));
	id->step = m->step;
	add_facts(m, out);
	add_finished(path, out);
	add_info(m, info);
	model_free(m);
	return 0;
}
