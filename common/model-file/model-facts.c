/* model-facts: see model-facts.h. */
#include "model-file/model-facts.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "attention/attention-heads.h"
#include "base/num.h"
#include "model-file/model-file.h"
#include "model-file/model-info.h"

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

static int
number_of_rows(const char *rows, const char *name, struct buf *out, struct err *e)
{
	int64_t v;

	if (row_number(rows, name, INT64_MAX, &v, e))
		return -1;
	buf_printf(out, "%s\t%lld\n", name, (long long)v);
	return 0;
}

/* All but id.  The records of heed-record(1) have the version before the sizes. */
static int
facts_of_rows(const char *rows, bool version_first, struct buf *out, struct err *e)
{
	const char *at = rows, *value;
	size_t n;

	/* Files of heed 0.5 and earlier have no engine. */
	if (model_facts_row(&at, "engine", &value, &n) && number_of_rows(rows, "engine", out, e))
		return -1;
	if (version_first)
		version_of_rows(rows, out);
	if (number_of_rows(rows, "parameters", out, e) ||
	    number_of_rows(rows, "vocab.src", out, e) || number_of_rows(rows, "vocab.tgt", out, e))
		return -1;
	variants_of_rows(rows, out);
	if (!version_first)
		version_of_rows(rows, out);
	return heads_of_rows(rows, out, e);
}

int
model_facts_of_rows(const char *rows, struct model_id *id, struct buf *out, struct err *e)
{
	const char *at = rows, *value;
	size_t n;

	*id = (struct model_id){ .step = 0 };
	if (row_number(rows, "step", INT64_MAX, &id->step, e))
		return -1;
	if (model_facts_row(&at, "training", &value, &n)) {
		if (n >= sizeof(id->training))
			return err_set(e, EXIT_INPUT, "training: %zu bytes, expected a digest", n);
		memcpy(id->training, value, n);
	}
	return facts_of_rows(rows, false, out, e);
}

/* --- from a model --- */

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
add_finished(const char *path, struct buf *out)
{
	struct stat st;
	char when[40];

	if (!stat(path, &st) &&
	    strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime(&st.st_mtime)))
		buf_printf(out, "finished\t%s\n", when);
}

int
model_facts(const char *path, struct model_id *id, struct buf *info, struct buf *out, struct err *e)
{
	struct model *m = model_load(path, false, NULL, NULL, e);
	struct buf rows = { 0 };
	size_t n;
	int r;

	if (!m)
		return -1;
	_Static_assert(sizeof(id->digest) >= MODEL_DIGEST_SIZE, "the digest of a model fits");
	model_digest(m, id->digest);
	memcpy(id->training, m->training, sizeof(id->training));
	id->step = m->step;
	model_info(m, &rows);
	info_provenance(m->pg, &rows);
	r = facts_of_rows(rows.data, true, out, e);
	add_strengths(m, out);
	add_finished(path, out);
	for (const char *s = rows.data; *s; s += n) {
		n = strcspn(s, "\n") + 1;
		if (strncmp(s, "parameter\t", 10))
			buf_add(info, s, n);
	}
	buf_release(&rows);
	model_free(m);
	return r;
}
