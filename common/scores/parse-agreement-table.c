/* parse-agreement-table: prints scores; see parse-agreement.h and parse-score(1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "scores/parse-agreement.h"

/* A percentage of gold items, an F1 with precision and recall, or a mean over gold items. */
enum kind { SHARE, F1, MEAN };

struct row {
	char *name;
	enum kind kind;
	struct agreement of;
};

struct rows {
	struct row *row;
	size_t n, room;
};

static void
parse_table_add_row(struct rows *r, enum kind kind, const char *name, const char *suffix,
		    struct agreement counts)
{
	r->row = mem_grow(r->row, &r->room, r->n + 1, sizeof(*r->row));
	r->row[r->n++] = (struct row){ xasprintf("%s%s", name, suffix), kind, counts };
}

static void
add_share(struct rows *r, const char *name, const char *suffix, int64_t correct, int64_t gold)
{
	parse_table_add_row(r, SHARE, name, suffix,
			    (struct agreement){ .correct = correct, .gold = gold });
}

/* The most frequent in gold first. */
static int
compare_rows(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->of.gold != b->of.gold)
		return (a->of.gold < b->of.gold) - (a->of.gold > b->of.gold);
	return strcmp(a->name, b->name);
}

static void
add_each_measure(struct rows *r, const char *name, const struct agreements *a)
{
	const size_t before = r->n;

	for (size_t i = 0; i < a->names.n; i++)
		parse_table_add_row(r, F1, name, strmap_text(&a->names, (int)i, NULL), a->of[i]);
	if (r->n > before)
		qsort(r->row + before, r->n - before, sizeof(*r->row), compare_rows);
}

static void
parse_table_add_deps(struct rows *r, const struct dep_score *d, bool each)
{
	static const char *const name[DEP_MEASURES] = {
		[DEP_UAS] = "uas", [DEP_LAS] = "las", [DEP_LAS_SUBTYPES] = "las-subtypes",
		[DEP_RELS] = "rels", [DEP_RELS_SUBTYPES] = "rels-subtypes"
	};
	const unsigned both = d->gold_has & d->system_has;
	const int n = both & DEP_HAS_RELS ? DEP_MEASURES : 1;

	for (int i = 0; i < n; i++)
		add_share(r, name[i], "", d->correct[0][i], d->words);
	for (int i = 0; i < n && d->no_punct < d->words; i++)
		add_share(r, name[i], "-no-punct", d->correct[1][i], d->no_punct);
	if (both & DEP_HAS_UPOS)
		add_share(r, "upos", "", d->upos, d->words);
	if (both & DEP_HAS_XPOS)
		add_share(r, "xpos", "", d->xpos, d->words);
	if (each && both & DEP_HAS_RELS)
		add_each_measure(r, "rel=", &d->rels);
}

static void
add_brackets(struct rows *r, const struct bracket_score *b, bool each)
{
	const struct agreement crossing = { .correct = b->crossing, .gold = b->sentences };
	const char *suffix = b->punctuation ? "-punct" : "";

	parse_table_add_row(r, F1, "f1", suffix, b->labeled);
	parse_table_add_row(r, F1, "f1-unlabeled", suffix, b->unlabeled);
	add_share(r, "complete", suffix, b->complete, b->sentences);
	parse_table_add_row(r, MEAN, "crossing", suffix, crossing);
	add_share(r, "no-crossing", suffix, b->none_crossing, b->sentences);
	add_share(r, "tags", suffix, b->tags, b->words);
	if (each)
		add_each_measure(r, "label=", &b->labels);
}

static double
parse_table_ratio(int64_t a, int64_t b)
{
	return b ? (double)a / (double)b : 0;
}

/* F1 is 2PR / (P + R) with P = correct / system, R = correct / gold. */
static double
parse_table_score(const struct row *r)
{
	if (r->kind == F1)
		return 200 * parse_table_ratio(r->of.correct, r->of.gold + r->of.system);
	return (r->kind == MEAN ? 1 : 100) * parse_table_ratio(r->of.correct, r->of.gold);
}

/* Cells of TSV, or of columns with a width. */
static void
add_score(const struct score_table *t, int width, double x, struct buf *out)
{
	if (t->tsv)
		buf_printf(out, "\t%.6f", x);
	else
		buf_printf(out, " %*.2f", width, x);
}

static void
add_items(const struct score_table *t, int64_t n, struct buf *out)
{
	buf_printf(out, t->tsv ? "\t%" PRId64 : " %9" PRId64, n);
}

/* Only an F1 has precision and recall, and a number of items of the system. */
static void
write_score_row(const struct score_table *t, const struct row *r, int width, struct buf *out)
{
	buf_printf(out, "%-*s", t->tsv ? 0 : width, r->name);
	add_score(t, 8, parse_table_score(r), out);
	if (r->kind == F1) {
		add_score(t, 9, 100 * parse_table_ratio(r->of.correct, r->of.system), out);
		add_score(t, 8, 100 * parse_table_ratio(r->of.correct, r->of.gold), out);
	} else {
		buf_printf(out, t->tsv ? "\t%s\t%s" : " %9s %8s", "", "");
	}
	add_items(t, r->of.correct, out);
	add_items(t, r->of.gold, out);
	if (r->kind == F1)
		add_items(t, r->of.system, out);
	else if (t->tsv)
		buf_add_char(out, '\t');
	buf_add_char(out, '\n');
}

static void
write_score_rows(const struct score_table *t, const struct rows *r, struct buf *out)
{
	int width = 0;

	for (size_t i = 0; i < r->n; i++)
		if (strlen(r->row[i].name) < 40 && (int)strlen(r->row[i].name) > width)
			width = (int)strlen(r->row[i].name);
	if (t->tsv)
		buf_add_str(out, "measure\tscore\tprecision\trecall\tcorrect\tgold\tsystem\n");
	else
		buf_printf(out, "%-*s %8s %9s %8s %9s %9s %9s\n", width, "", "score", "precision",
			   "recall", "correct", "gold", "system");
	for (size_t i = 0; i < r->n; i++)
		write_score_row(t, &r->row[i], width, out);
}

static int
write_one(const struct rows *r, const char *name, struct buf *out, struct err *e)
{
	for (size_t i = 0; i < r->n; i++) {
		if (strcmp(r->row[i].name, name))
			continue;
		buf_printf(out, "%.6f\n", parse_table_score(&r->row[i]));
		return 0;
	}
	return err_set(e, EXIT_USAGE, "the parses have no measure '%s'", name);
}

int
score_table_write(const struct score_table *t, const struct dep_score *d,
		  const struct bracket_score *b, const struct bracket_score *b_punct,
		  struct buf *out, struct err *e)
{
	const bool each = t->each || t->only;
	struct rows r = { .n = 0 };
	int bad = 0;

	if (d)
		parse_table_add_deps(&r, d, each);
	if (b)
		add_brackets(&r, b, each);
	if (b_punct)
		add_brackets(&r, b_punct, false);
	if (t->only)
		bad = write_one(&r, t->only, out, e);
	else
		write_score_rows(t, &r, out);
	for (size_t i = 0; i < r.n; i++)
		free(r.row[i].name);
	free(r.row);
	return bad;
}
