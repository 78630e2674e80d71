/*
 * head-curve: the loss of a model whose heads are masked one after another, without retraining.
 * See head-curve(1).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-curve.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "search/forced.h"

enum form { TO_STREAM, TO_TSV };
enum { ALL_SITES = 3 };

static const char *const forms[] = { "stream", "tsv", NULL };
static const char *const sites[] = { "enc-self", "dec-self", "cross", "all", NULL };

static const char *output, *model_path, *backend, *by, *from, *reversed;
static int form, site = ALL_SITES, precision = PRECISION_FP32, too_long;
static int64_t threads = 1, batch_tokens = 2048, beam, n_random, seed = 1, step, points;
static bool bleu, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use this model (required)", .to = &model_path },
	{ .kind = OPT_STRING, .long_name = "from", .arg = "file", .to = &from,
	  .help = "stream of kind head with the measures of --by and --reverse" },
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Orders"),
	{ .kind = OPT_STRING, .long_name = "by", .arg = "list", .to = &by,
	  .help = "measures, separated by commas; lowest value masked first" },
	{ .kind = OPT_STRING, .long_name = "reverse", .arg = "list", .to = &reversed,
	  .help = "measures, separated by commas; highest value masked first" },
	{ .kind = OPT_INT, .long_name = "random", .arg = "n", .to = &n_random,
	  .help = "number of random orders (0)", .min = 0, .max = 100000 },
	{ .kind = OPT_INT, .short_name = 's', .long_name = "seed", .arg = "n", .to = &seed,
	  .help = "seed of the first random order (1)", .min = 0, .max = 9007199254740992.0 },
	{ .kind = OPT_CHOICE, .long_name = "site", .arg = "kind", .to = &site, .choice = sites,
	  .help = "mask only heads of this kind of attention (all)" },
	OPT_GROUP("Points and scores"),
	{ .kind = OPT_INT, .long_name = "step", .arg = "n", .to = &step,
	  .help = "heads masked from one point to the next (1)", .min = 1, .max = 1000000 },
	{ .kind = OPT_INT, .long_name = "points", .arg = "n", .to = &points,
	  .help = "number of evenly spaced points", .min = 2, .max = 1000000 },
	{ .kind = OPT_FLAG, .long_name = "bleu", .to = &bleu,
	  .help = "also translate at each point; slow" },
	{ .kind = OPT_INT, .long_name = "beam", .arg = "n", .to = &beam,
	  .help = "beam size of the translations for --bleu (1)", .min = 1, .max = 1000 },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	{ .kind = OPT_CHOICE, .long_name = "to", .arg = "form", .to = &form,
	  .help = "write a stream or a table (stream)", .choice = forms },
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	{ .kind = OPT_INT, .long_name = "batch-tokens", .arg = "n", .to = &batch_tokens,
	  .help = "tokens of both sides per batch (2048)", .min = 1, .max = 10000000 },
	OPT_PRECISION(&precision, training_precisions),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-curve",
	.synopsis = "-m model [--from file --by list] [--random n] [--site kind] [-o file] [file]",
	.summary = "measure the loss as heads are masked, without retraining",
	.example = "head-curve -m model.tar --from heads.heed --by gradient --random 10 \\\n"
		   "      -o curve.heed dev.heed",
	.options = options, .reads = "sentence", .writes = "count",
};

struct run {
	struct model *m;
	struct runtime run;
	struct forced passes;
	struct head_curve curve;
	struct progress progress;
	int64_t sentences, in_batch;
};

/* --- orders --- */

static bool
has_order(const struct head_curve *c, const char *name)
{
	for (size_t i = 0; i < c->n_orders; i++)
		if (!strcmp(c->order[i].name, name))
			return true;
	return false;
}

static void
add_measure(struct head_curve *c, struct head_table *t, char *measure, bool highest)
{
	char *name = xasprintf("%s%s", measure, highest ? ".reverse" : "");
	struct err e;

	if (has_order(c, name))
		die_usage("--%s: %s is given twice, expected once", highest ? "reverse" : "by",
			  measure);
	if (head_curve_by(c, t, measure, highest, from, &e))
		die(&e);
	free(name);
}

static void
add_measures(struct head_curve *c, struct head_table *t, const char *list, bool highest)
{
	while (list && *list) {
		const size_t n = strcspn(list, ",");
		char *measure = xstrndup(list, n);

		add_measure(c, t, measure, highest);
		free(measure);
		list += n + (list[n] == ',');
	}
}

static void
read_measures(struct head_curve *c)
{
	struct head_table t;
	struct reader *in;
	struct err e;

	if (!from)
		return;
	in = reader_open(from, "head", NULL, force ? STREAM_FORCE : 0, &e);
	head_table_init(&t);
	if (!in || head_table_read(&t, in, &e))
		die(&e);
	add_measures(c, &t, by, false);
	add_measures(c, &t, reversed, true);
	head_table_release(&t);
	reader_close(in);
}

static void
begin_curve(struct run *r)
{
	struct head_curve *c = &r->curve;
	struct err e;

	if (head_curve_init(c, r->m, site == ALL_SITES ? -1 : site, &e))
		die(&e);
	read_measures(c);
	for (int64_t i = 0; i < n_random; i++)
		head_curve_random(c, (uint64_t)(seed + i));
	if (!c->n_orders)
		die_usage("--by and --reverse are empty, expected a measure");
	if (points)
		head_curve_points(c, (size_t)points);
	else
		head_curve_step(c, step ? (size_t)step : 1);
	head_curve_begin(c);
}

/* --- passes --- */

static void
show_losses(void *arg, size_t masks)
{
	struct run *r = arg;

	progress_at(&r->progress, r->sentences * (int64_t)r->curve.n_masks +
		    r->in_batch * (int64_t)masks, "%s", "");
}

static int
add_batch(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct run *r = arg;

	r->in_batch = f->n;
	head_curve_add(&r->curve, r->run.tape, b, show_losses, r);
	r->sentences += f->n;
	for (int i = 0; bleu && i < f->n; i++)
		if (head_curve_keep(&r->curve, f->rec[i], e))
			return err_wrap(e, "%s", reader_name(f->in));
	return 0;
}

static void
show_translations(void *arg, size_t masks)
{
	struct run *r = arg;

	progress_at(&r->progress, r->sentences * (int64_t)masks, "%s", "");
}

/* Number of records, for the progress line; 0 if the input cannot be read twice. */
static int64_t
count_records(const char *path)
{
	struct reader *in;
	struct record *rec;
	struct err e;
	int64_t n;

	if (quiet || !path || !strcmp(path, "-"))
		return 0;
	in = reader_open(path, "sentence", NULL, 0, &e);
	if (!in)
		return 0;
	while (reader_next(in, &rec, &e) > 0)
		;
	n = reader_count(in);
	reader_close(in);
	return n;
}

static void
begin(struct run *r, const char *path)
{
	struct forced *f = &r->passes;
	struct field *needs;
	struct err e;

	if (output && output_check(output, &e))
		die(&e);
	r->m = model_load(model_path, false, NULL, NULL, &e);
	if (!r->m || runtime_open(&r->run, backend, precision, threads, &e))
		die(&e);
	begin_curve(r);
	*f = (struct forced){ .m = r->m, .run = &r->run, .batch_tokens = batch_tokens,
			      .target = TARGET_REF, .work = add_batch, .arg = r,
			      .too_long.action = too_long,
			      .masked_effect = "left out of the loss" };
	needs = forced_needs(r->m, TARGET_REF, NULL);
	f->in = reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, &e);
	if (!f->in)
		die(&e);
	free(needs);
	if (!quiet)
		progress_start(&r->progress, "sentences",
			       count_records(path) * (int64_t)r->curve.n_masks);
}

static void
run(struct run *r)
{
	struct head_curve *c = &r->curve;
	struct err e;

	if (forced_run(&r->passes, &e))
		die(&e);
	progress_end(&r->progress);
	if (head_curve_check(c, &e)) {
		err_wrap(&e, "%s", reader_name(r->passes.in));
		die(&e);
	}
	if (!bleu)
		return;
	if (!quiet)
		progress_start(&r->progress, "translations",
			       r->sentences * (int64_t)c->n_masks);
	if (head_curve_translate(c, &r->run.pass, beam ? (int)beam : 1,
				 too_long == TOO_LONG_CUT, show_translations, r, &e)) {
		err_wrap(&e, "%s", reader_name(r->passes.in));
		die(&e);
	}
	progress_end(&r->progress);
}

static void
end(struct run *r)
{
	head_curve_release(&r->curve);
	reader_close(r->passes.in);
	model_free(r->m);
	runtime_close(&r->run);
}

/* --- output --- */

static const struct field fields[] = {
	{ "order", "str", 0 }, { "site", "str", 0 }, { "heads", "int", 0 },
	{ "retained", "int", 0 }, { "masked", "str", 0 }, { "nll", "float", 0 },
	{ "bleu", "float", 1 }, { 0 }
};

static int
put_point(const struct head_curve *c, size_t order, size_t point, struct record *rec,
	  struct writer *out, struct err *e)
{
	const size_t mask = head_curve_mask(c, order, point);
	const char *name = c->order[order].name;
	struct buf masked = { 0 };

	head_curve_describe(c, mask, &masked);
	record_clear(rec);
	record_set_str(rec, "order", name, strlen(name));
	record_set_str(rec, "site", sites[site], strlen(sites[site]));
	record_set_int(rec, "heads", (int64_t)c->n_heads);
	record_set_int(rec, "retained", (int64_t)c->retained[point]);
	record_set_str(rec, "masked", masked.n ? masked.data : "", masked.n);
	buf_release(&masked);
	record_set_float(rec, "nll", head_curve_nll(c, mask));
	if (bleu)
		record_set_float(rec, "bleu", c->bleu[mask]);
	return writer_put(out, rec, e);
}

static int
put_notes(const struct run *r, struct writer *out, struct err *e)
{
	const struct too_long *long_ones = &r->passes.too_long;
	const struct { const char *name; int64_t n; } note[] = {
		{ "sentences", r->sentences }, { "tokens", r->curve.tokens },
		{ "targets.masked", r->curve.masked },
		{ long_ones->found ? too_long_note(long_ones) : NULL, long_ones->found }
	};

	for (size_t i = 0; i < sizeof(note) / sizeof(*note); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%" PRId64, note[i].n);
		if (note[i].name && writer_note(out, note[i].name, text, e))
			return -1;
	}
	return 0;
}

static int
put_points(const struct run *r, struct writer *out, struct err *e)
{
	const struct head_curve *c = &r->curve;
	struct record *rec = record_new();
	int bad = put_notes(r, out, e);

	for (size_t i = 0; i < c->n_orders; i++)
		for (size_t k = 0; !bad && k < c->n_points; k++)
			bad = put_point(c, i, k, rec, out, e);
	record_free(rec);
	return bad;
}

static int
write_stream(const struct run *r, struct err *e)
{
	const unsigned flags = (force ? STREAM_FORCE : 0) | (cli_no_pg ? STREAM_NO_PG : 0);
	struct writer *out = writer_open(output, "count", NULL, fields, flags, e);

	if (!out)
		return -1;
	writer_add_provenance(out, reader_header(r->passes.in));
	if (!put_points(r, out, e))
		return writer_finish(out, e);
	writer_abandon(out);
	return -1;
}

static void
add_row(const struct head_curve *c, size_t order, size_t point, struct buf *text)
{
	const size_t mask = head_curve_mask(c, order, point);

	buf_printf(text, "%s\t%s\t%zu\t%zu\t%.6f", c->order[order].name, sites[site], c->n_heads,
		   c->retained[point], head_curve_nll(c, mask));
	if (bleu)
		buf_printf(text, "\t%.4f", c->bleu[mask]);
	buf_add_char(text, '\n');
}

static int
write_table(const struct run *r, struct err *e)
{
	struct output *out = output_open(output, 0, e);
	struct buf text = { 0 };
	int bad;

	if (!out)
		return -1;
	buf_printf(&text, "order\tsite\theads\tretained\tnll%s\n", bleu ? "\tbleu" : "");
	for (size_t i = 0; i < r->curve.n_orders; i++)
		for (size_t k = 0; k < r->curve.n_points; k++)
			add_row(&r->curve, i, k, &text);
	bad = output_write(out, text.data, text.n, e);
	buf_release(&text);
	if (!bad)
		return output_finish(out, e);
	output_abandon(out);
	return -1;
}

/* --- options --- */

static void
check_options(int n)
{
	if (!model_path)
		die_usage("no model, expected -m FILE");
	if (n > 1)
		die_usage("%d inputs, expected one", n);
	if ((by || reversed) != (from != NULL))
		die_usage(from ? "--from without --by or --reverse, expected one of them"
			       : "--by or --reverse without --from, expected --from");
	if (!by && !reversed && !n_random)
		die_usage("no order, expected --by, --reverse or --random");
	if (step && points)
		die_usage("both --step and --points, expected one of them");
	if (beam && !bleu)
		die_usage("--beam without --bleu, expected --bleu");
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	check_options(n);
	begin(&r, file[0]);
	run(&r);
	if (form == TO_STREAM ? write_stream(&r, &e) : write_table(&r, &e))
		die(&e);
	end(&r);
	return cli_end(EXIT_OK);
}
