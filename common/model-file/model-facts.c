/* model-facts: see model-facts.h. */
#include "model-file/model-facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/num.h"
#include "model-file/model-file.h"
#include "model-file/model-info.h"

static void
model_add_heads(const struct model *m, struct buf *out)
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
model_add_facts(const struct model *m, struct buf *out)
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
	model_add_heads(m, out);
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
	model_add_facts(m, out);
	add_finished(path, out);
	add_info(m, info);
	model_free(m);
	return 0;
}

/* --- from the lines of nmt-info(1) --- */

bool
model_facts_row(const char **rows, const char *name, const char **value, size_t *n)
{
	const size_t length = strlen(name);

	for (const char *s = *rows; *s; ) {
		const char *line = s;

		s += strcspn(s, "\n");
		s += *s == '\n';
		if (strncmp(line, name, length) || line[length] != '\t')
			continue;
		*rows = s;
		*value = line + length + 1;
		*n = strcspn(*value, "\t\n");
		return true;
	}
	return false;
}

/* The number in the second column of the first line with this name. */
static int
row_number(const char *rows, const char *name, int64_t max, int64_t *v, struct err *e)
{
	const char *value;
	struct err found;
	size_t n;

	if (!model_facts_row(&rows, name, &value, &n) || num_int(value, n, 0, max, v, &found))
		return err_set(e, EXIT_INPUT, "no line '%s' with an integer, expected one as of "
			       "nmt-info", name);
	return 0;
}

/* All heads of the settings, without those that a line "heads SITE RETAINED LIST" lacks. */
static int
heads_of_rows(const char *rows, struct buf *out, struct err *e)
{
	int64_t heads, enc, dec, kind[3], retained;
	const char *site;
	struct err found;
	size_t n;

	if (row_number(rows, "config.heads", 256, &heads, e) ||
	    row_number(rows, "config.enc_layers", 256, &enc, e) ||
	    row_number(rows, "config.dec_layers", 256, &dec, e))
		return -1;
	kind[0] = heads * enc;
	kind[1] = kind[2] = heads * dec;
	while (model_facts_row(&rows, "heads", &site, &n)) {
		const bool self = n > 4 && !memcmp(site + n - 4, "self", 4);
		const int k = !strncmp(site, "enc", 3) ? 0 : self ? 1 : 2;
		const char *count = site + n + (site[n] == '\t');

		if (num_int(count, strcspn(count, "\t\n"), 0, heads, &retained, &found))
			return err_set(e, EXIT_INPUT, "heads: %s", found.text);
		kind[k] -= heads - retained;
	}
	buf_printf(out, "heads\t%lld\n", (long long)(kind[0] + kind[1] + kind[2]));
	for (int k = 0; k < 3; k++)
		buf_printf(out, "heads.%s\t%lld\n", site_kinds[k], (long long)kind[k]);
	return 0;
}

static void
variants_of_rows(const char *rows, struct buf *out)
{
	const char *value;
	size_t n;

	for (int i = 1; model_facts_row(&rows, "attention", &value, &n); i++)
		if (value[n] == '\t')		/* the version follows, except after "plain" */
			buf_printf(out, "attention.%d\t%.*s\n", i, (int)n, value);
}

/* The last program that trained the model. */
static void
version_of_rows(const char *rows, struct buf *out)
{
	static const char name[] = "nmt-train ";
	const char *value, *last = NULL;
	size_t n;

	while (model_facts_row(&rows, "pg", &value, &n))
		if (!strncmp(value, name, sizeof(name) - 1))
			last = value + sizeof(name) - 1;
	if (last)
		buf_printf(out, "version\t%.*s\n", (int)strcspn(last, " \n"), last);
}

int
model_facts_of_rows(const char *rows, struct model_id *id, struct buf *out, struct err *e)
{
	static const char *const number[] = { "engine", "parameters", "vocab.src", "vocab.tgt" };
	const char *at = rows, *value;
	int64_t v;
	size_t n;

	*id = (struct model_id){ .step = 0 };
	if (row_number(rows, "step", INT64_MAX, &id->step, e))
		return -1;
	if (model_facts_row(&at, "training", &value, &n)) {
		if (n >= sizeof(id->training))
			return err_set(e, EXIT_INPUT, "training: %zu bytes, expected a digest", n);
		memcpy(id->training, value, n);
	}
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
		at = rows;
		if (!i && !model_facts_row(&at, number[i], &value, &n))
			continue;		/* files of heed 0.5 and earlier have no engine */
		if (row_number(rows, number[i], INT64_MAX, &v, e))
			return -1;
		buf_printf(out, "%s\t%lld\n", number[i], (long long)v);
	}
	variants_of_rows(rows, out);
	version_of_rows(rows, out);
	return heads_of_rows(rows, out, e);
}
