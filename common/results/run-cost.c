/* run-cost: see run-cost.h. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "results/facts.h"
#include "results/run-cost.h"

#define SPEED 2e10			/* operations per second, without any measurement */
/* Operations per parameter and token, and guesses: vocabulary size, tokens per epoch. */
enum { PER_TOKEN = 6, VOCABULARY = 8000, EPOCH = 1000000 };

static void
add_entry(struct run_costs *c, const char *path)
{
	struct facts f;
	struct err e;
	double seconds;

	if (!facts_read(&f, path, &e)) {
		seconds = facts_number(&f, "seconds");
		if (seconds > 0) {
			c->entry = xreallocarray(c->entry, c->n + 1, sizeof(*c->entry));
			c->entry[c->n++] = (struct run_cost_entry) {
				.name = xasprintf("%s/%s/%s/%s", f.paper, f.column, f.variant,
						  f.seed),
				.seconds = seconds, .tokens = facts_number(&f, "tokens"),
				.parameters = facts_number(&f, "parameters")
			};
		}
	}
	facts_release(&f);
}

void
run_costs_read(struct run_costs *c, const char *ledger)
{
	struct buf pattern = { 0 };
	glob_t found;

	*c = (struct run_costs){ 0 };
	for (const char *s = ledger; *s; s++)
		buf_printf(&pattern, "%s%c", strchr("*?[\\", *s) ? "\\" : "", *s);
	buf_add_str(&pattern, "/*/run/*/*/*/record");
	if (!glob(pattern.data, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_entry(c, found.gl_pathv[i]);
		globfree(&found);
	}
	buf_release(&pattern);
}

void
run_costs_release(struct run_costs *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->entry[i].name);
	free(c->entry);
	*c = (struct run_costs){ 0 };
}

/* Part i of PAPER/COLUMN/VARIANT/SEED. */
static const char *
part(const char *name, int i, size_t *n)
{
	for (; i > 0; i--)
		name += strcspn(name, "/") + 1;
	*n = strcspn(name, "/");
	return name;
}

static bool
same_part(const char *a, const char *b, int i)
{
	size_t n, m;
	const char *x = part(a, i, &n), *y = part(b, i, &m);

	return n == m && !memcmp(x, y, n);
}

/* Mean seconds of the entries with the same parts of the name, or NAN. */
static double
mean_of(const struct run_costs *c, const char *name, const int *parts, int n_parts)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		bool same = true;

		for (int k = 0; k < n_parts; k++)
			same = same && same_part(c->entry[i].name, name, parts[k]);
		sum += same ? c->entry[i].seconds : 0;
		n += same;
	}
	return n ? sum / (double)n : NAN;
}

/* --- from settings --- */

/* The positive number after the last occurrence of key in the settings, or fallback. */
static double
number_after(const char *settings, const char *key, double fallback)
{
	const size_t n = strlen(key);

	for (const char *s = settings; (s = strstr(s, key)); s += n) {
		char *end;
		const double v = strtod(s + n, &end);

		if (end > s + n && v > 0 && (s == settings || strchr(" ,", s[-1])))
			fallback = v;
	}
	return fallback;
}

static double
parameters_of(const char *settings)
{
	static const struct { const char *name; double layers, width, ff; } size[] = {
		{ "--size tiny", 2, 64, 128 }, { "--size base", 6, 512, 2048 },
		{ "--size iwslt", 6, 512, 1024 }, { "--size big", 6, 1024, 4096 },
		{ "--size small", 3, 256, 1024 }
	};
	size_t i = 0;
	double width, ff, enc, dec;

	while (i < 4 && !strstr(settings, size[i].name))
		i++;
	width = number_after(settings, "width=", size[i].width);
	ff = number_after(settings, "ff=", size[i].ff);
	enc = number_after(settings, "enc_layers=", size[i].layers);
	dec = number_after(settings, "dec_layers=", size[i].layers);
	return enc * (4 * width * width + 2 * width * ff) +
	       dec * (8 * width * width + 2 * width * ff) + VOCABULARY * width;
}

static double
tokens_of(const char *settings)
{
	const double updates = number_after(settings, "--updates ", 0);
	const double epochs = number_after(settings, "--epochs ", 10);

	return updates > 0 ? 2 * updates * number_after(settings, "--batch-tokens ", 4096)
			   : epochs * EPOCH;
}

/* Mean operations per second of the ledger's runs. */
static double
speed_of(const struct run_costs *c)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct run_cost_entry *r = &c->entry[i];

		if (r->tokens > 0 && r->parameters > 0) {
			sum += PER_TOKEN * r->parameters * r->tokens / r->seconds;
			n++;
		}
	}
	return n ? sum / (double)n : SPEED;
}

double
run_cost_minutes(const struct run_costs *c, const char *name, const char *settings)
{
	static const int parts[][3] = { { 0, 1, 2 }, { 0, 1 }, { 1 } };

	for (int k = 0; k < 3; k++) {
		const double seconds = mean_of(c, name, parts[k], 3 - k);

		if (!isnan(seconds))
			return seconds / 60;
	}
	return PER_TOKEN * parameters_of(settings) * tokens_of(settings) / speed_of(c) / 60;
}
