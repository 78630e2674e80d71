/* heed-check: check that streams are complete, and compare their contents.  See heed-check(1). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/strmap.h"
#include "exchange/name-map.h"
#include "stream/header-parts.h"
#include "stream/record-hash.h"
#include "stream/record-parts.h"
#include "stream/stream.h"

static const char *sum_fields;
static bool force, list, quiet;

static const struct opt options[] = {
	OPT_ROW_FLAG(0, "list", &list,
		     "list declared fields, types, and the number of records with each"),
	OPT_ROW_TEXT(0, "sum", "name,name", &sum_fields,
		     "print and compare checksums of these fields"),
	OPT_MAX_RECORD,
	OPT_ROW_FLAG('q', "quiet", &quiet, "print only errors about malformed streams"),
	OPT_FORCE(&force),
	OPT_OLD_LETTER('l', "--list"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-check",
	.synopsis = "[-q] [--list] [--sum name,name] [--max-record mib] [file ...]",
	.summary = "check that streams are complete, and compare their contents",
	.example = "heed-check --sum id,src,tgt train.heed shuffled.heed",
	.options = options,
};

/* A hash sum over records that does not depend on their order. */
struct sum {
	const char *field;
	int64_t count;			/* records with this field */
	uint64_t sum;
};

struct check {
	const char *name;
	struct reader *in;
	int64_t *count;			/* records with each declared field */
	struct strmap undeclared;	/* names of fields that the header does not declare */
	struct sum *sum;		/* one per field of --sum, and one for all together */
	bool is_good;
};

static struct name_map summed;		/* the fields of --sum */

/* Makes all bits of the hash depend on each other; the same on all machines. */
static uint64_t
check_finish(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

static void
check_add_sums(struct check *c, const struct record *rec)
{
	uint64_t all = HASH_FNV1A;
	bool present;

	for (size_t i = 0; i < summed.n; i++) {
		const char *field = summed.pair[i].field;
		uint64_t h = check_finish(record_hash(rec, field, HASH_FNV1A, &present));

		c->sum[i].sum += present ? h : 0;
		c->sum[i].count += present;
		for (int k = 0; k < 8; k++)	/* the lowest byte first, on all machines */
			all = hash_fnv1a(all, &(unsigned char){ h >> 8 * k & 0xff }, 1);
	}
	c->sum[summed.n].sum += check_finish(all);
	c->sum[summed.n].count++;
}

static void
count_fields(struct check *c, const struct record *rec)
{
	for (size_t i = 0; i < rec->n; i++) {
		if (rec->cell[i].declared >= 0) {
			c->count[rec->cell[i].declared]++;
			continue;
		}
		if (c->undeclared.n < 10)
			strmap_add(&c->undeclared, rec->cell[i].name, rec->cell[i].name_n);
	}
}

static int
check_records(struct check *c, struct err *e)
{
	struct record *rec;
	int r;

	while ((r = reader_next(c->in, &rec, e)) > 0) {
		count_fields(c, rec);
		check_add_sums(c, rec);
	}
	return r;
}

/* A summed field that the stream does not have is probably a typing error. */
static int
check_summed(const struct check *c, struct err *e)
{
	const struct header *h = reader_header(c->in);

	for (size_t i = 0; i < summed.n; i++) {
		const struct field need[] = { { summed.pair[i].field, "str", 0 }, { 0 } };

		if (!c->sum[i].count && !header_type(h, need->name))
			return header_check(h, c->name, need, e);
	}
	return 0;
}

static bool
header_is_good(const struct check *c)
{
	const struct header *h = reader_header(c->in);
	bool good = true;

	for (int i = 0; i < header_n_fields(h); i++) {
		const char *type, *name = header_field(h, i, &type);

		if (h->field[i].parsed.base != TYPE_OTHER)
			continue;
		if (!quiet)
			warn("%s: field %s has unknown type %s", c->name, name, type);
		good = false;
	}
	for (int i = 0; i < (int)c->undeclared.n; i++)
		if (!quiet)
			warn("%s: records have a field %s, which the header does not declare",
			     c->name, strmap_text(&c->undeclared, i, NULL));
	return good && !c->undeclared.n;
}

/* Prints a table cell and a tab. */
static void
check_put(const char *cell)
{
	escape_put(stdout, cell, "");
	putchar('\t');
}

static void
check_print(const struct check *c)
{
	const struct header *h = reader_header(c->in);

	check_put(c->name);
	check_put(header_kind(h));
	printf("%" PRId64 "\n", reader_count(c->in));
	for (int i = 0; list && i < header_n_fields(h); i++) {
		const char *type, *name = header_field(h, i, &type);

		check_put(c->name);
		check_put("field");
		check_put(name);
		check_put(type);
		printf("%" PRId64 "\n", c->count[i]);
	}
	for (size_t i = 0; summed.n && i <= summed.n; i++) {
		check_put(c->name);
		check_put("sum");
		check_put(c->sum[i].field);
		printf("%016" PRIx64 "\t%" PRId64 "\n", c->sum[i].sum, c->sum[i].count);
	}
}

/* Checks one file and returns its exit status; its sums stay in c. */
static enum exit_status
check_input(struct check *c, const char *path)
{
	enum exit_status status = EXIT_OK;
	struct err e;

	c->name = path;
	c->sum = xcalloc(summed.n + 1, sizeof(*c->sum));
	for (size_t i = 0; i <= summed.n; i++)
		c->sum[i].field = i < summed.n ? summed.pair[i].field : "together";
	c->in = reader_open(path, NULL, NULL, force ? STREAM_FORCE : 0, &e);
	if (c->in) {
		c->count =
		    xcalloc((size_t)header_n_fields(reader_header(c->in)) + 1, sizeof(*c->count));
	}
	if (!c->in || check_records(c, &e) || check_summed(c, &e)) {
		err_print(&e);
		status = e.status;
	} else {
		if (!header_is_good(c))
			status = EXIT_NO;
		if (!quiet)
			check_print(c);
	}
	c->is_good = status == EXIT_OK || status == EXIT_NO;
	reader_close(c->in);
	strmap_release(&c->undeclared);
	free(c->count);
	return status;
}

static bool
same_sums(const struct check *a, const struct check *b)
{
	bool same = true;

	for (size_t i = 0; i <= summed.n; i++) {
		if (a->sum[i].sum == b->sum[i].sum && a->sum[i].count == b->sum[i].count)
			continue;
		if (!quiet)
			warn("%s and %s differ in %s", a->name, b->name,
			     i < summed.n ? a->sum[i].field : "the combinations of these fields");
		same = false;
	}
	return same;
}

int
main(int argc, char **argv)
{
	enum exit_status worst = EXIT_OK, status;
	struct check *c;
	char **path;
	int n = cli_begin(&program, argc, argv, &path), files = n ? n : 1;

	if (sum_fields && !*sum_fields)
		die_usage("--sum is empty, expected names of fields");
	name_map_fields(&summed, sum_fields);
	c = xcalloc((size_t)files, sizeof(*c));
	for (int i = 0; i < files; i++) {
		status = check_input(&c[i], n ? path[i] : "-");
		if (status > worst)
			worst = status;
	}
	for (int i = 1; summed.n && i < files; i++)
		if (c[0].is_good && c[i].is_good && !same_sums(&c[0], &c[i]) && worst < EXIT_NO)
			worst = EXIT_NO;
	for (int i = 0; i < files; i++)
		free(c[i].sum);
	name_map_release(&summed);
	free(c);
	return cli_end(worst);
}
