/*
 * token-curve: the drop of the log-probability of predictions as source tokens are deleted in the
 * order of token attributions.  See token-curve(1).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/deletion-curve.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "search/forced.h"
#include "stream/signature.h"

enum { MAX_METHODS = 64 };
enum form { TO_STREAM, TO_TSV };

static const char *const forms[] = { "stream", "tsv", NULL };

static const char *output, *model_path, *backend;
static int form;
static int64_t threads, n_random, seed = 1, points = 5, positions = 4;
static bool force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and orders"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "use this model (required)"),
	OPT_ROW_INT("random", &n_random, 0, 1000, "number of random orders (0)"),
	OPT_SEED(&seed, "1"),
	OPT_GROUP("Points"),
	OPT_ROW_INT("points", &points, 1, 100, "number of deletions of each curve (5)"),
	OPT_ROW_INT("positions", &positions, 1, 1000000,
		    "target positions per sentence, drawn at random (4)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, forms, "write a stream or a table (stream)"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "token-curve",
	.synopsis = "-m model [--random n] [--points n] [--positions n] [options] [file ...]",
	.summary = "measure token attributions by deleting tokens",
	.example = "token-curve -m model.tar --random 10 -o deletion.curve alti.heed attnlrp.heed",
	.options = options,
};

struct run {
	struct model *m;
	struct audit audit;
	struct runtime runtime;
	struct deletion_curve curve;
	struct reader *in[MAX_METHODS];
	const char *name[MAX_METHODS];	/* lrp.rule of each stream */
	enum forced_target target;
	struct progress progress;
};

/* --- input --- */

static const char *
token_curve_setting(struct reader *reader, const char *key)
{
	const char *value = header_meta(reader_header(reader), key);
	struct err e;

	if (value)
		return value;
	err_set(&e, EXIT_INPUT, "%s: the header has no %s, expected a stream of head-lrp --tokens",
		reader_name(reader), key);
	die(&e);
}

static enum forced_target
target_of(struct reader *reader)
{
	const char *name = token_curve_setting(reader, "lrp.target");
	const int i = name_index(forced_targets, name, strlen(name));
	struct err e;

	if (i < 0 && err_set(&e, EXIT_INPUT, "%s: lrp.target is '%.20s', expected any, hyp or ref",
			     reader_name(reader), name))
		die(&e);
	return (enum forced_target)i;
}

/* Streams of older versions name no model. */
static void
check_same_model(struct reader *reader, const struct model *m)
{
	const char *model = header_meta(reader_header(reader), "lrp.model");
	char digest[MODEL_DIGEST_SIZE];
	struct err e;

	model_digest(m, digest);
	if (model && strcmp(model, digest) &&
	    err_set(&e, EXIT_INPUT, "%s: attributions of the model %.60s, expected %s, the given "
		    "one", reader_name(reader), model, digest))
		die(&e);
}

/* Opens the stream of a method; the method must be another one than those before. */
static void
open_method(struct run *r, int i, const char *path)
{
	static const struct field fields[] = { { "relevance.src", "f32[t,s]", 1 },
					       { "relevance.best", "[str]", 1 }, { 0 } };
	struct err e;

	r->in[i] = forced_open(r->m, TARGET_ANY, fields, path, force ? STREAM_FORCE : 0, &e);
	if (!r->in[i] || token_relevance_check(r->in[i], &e))
		die(&e);
	check_same_model(r->in[i], r->m);
	r->name[i] = xstrdup(token_curve_setting(r->in[i], "lrp.rule"));
	for (int k = 0; k < i; k++)
		if (!strcmp(r->name[k], r->name[i]))
			die_usage("%s and %s have the same rule %s, expected different methods",
				  reader_name(r->in[k]), reader_name(r->in[i]), r->name[i]);
	if (i && target_of(r->in[i]) != r->target)
		die_usage("%s and %s have different targets, expected the same --target",
			  reader_name(r->in[0]), reader_name(r->in[i]));
	r->target = target_of(r->in[i]);
}

/* --- the run --- */

static bool
same_field(const struct record *a, const struct record *b, const char *field)
{
	const void *p, *q;
	size_t n, m;

	return !record_raw(a, field, &p, &n) && !record_raw(b, field, &q, &m) && n == m &&
	       !memcmp(p, q, n);
}

/* Reads the next sentence of all streams.  Returns 1, 0 at the end, or -1. */
static int
next_sentence(struct run *r, struct record **rec, struct err *e)
{
	int more = 0;

	for (int i = 0; i < r->curve.n_methods; i++) {
		const int now = reader_next(r->in[i], &rec[i], e);

		if (now < 0)
			return -1;
		if (i && now != more)
			return err_set(e, EXIT_INPUT, "%s has %s sentences than %s, expected the "
				       "same", reader_name(r->in[i]), now ? "more" : "fewer",
				       reader_name(r->in[0]));
		more = now;
	}
	return more;
}

static int
token_curve_add_sentence(struct run *r, struct record **rec, struct err *e)
{
	struct token_relevance relevance[MAX_METHODS];
	int none = 0;

	arena_rewind(&r->curve.mem);
	for (int i = 0; i < r->curve.n_methods; i++) {
		none = token_relevance_read(&relevance[i], rec[i], &r->curve.mem, e);
		if (none < 0)
			return err_wrap(e, "%s", reader_where(r->in[i]));
		if (none)
			return 0;
		if (i && !same_field(rec[0], rec[i], "relevance.best"))
			return err_set(e, EXIT_INPUT, "%s: other predictions than in %s, expected "
				       "attributions of the same sentences by the same model",
				       reader_where(r->in[i]), reader_name(r->in[0]));
	}
	audit_fields(&r->audit, rec[0]);
	if (forced_choose(r->m, rec[0], r->target, e))
		return err_wrap(e, "%s", reader_where(r->in[0]));
	audit_tokens(&r->audit.tokens, rec[0], &r->m->src, &r->m->tgt);
	if (deletion_curve_add(&r->curve, rec[0], reader_count(r->in[0]) - 1, relevance, e))
		return err_wrap(e, "%s", reader_where(r->in[0]));
	return 0;
}

static int
run_all(struct run *r, struct err *e)
{
	struct record *rec[MAX_METHODS];
	int more;

	while ((more = next_sentence(r, rec, e)) > 0) {
		if (token_curve_add_sentence(r, rec, e))
			return -1;
		progress_at(&r->progress, reader_count(r->in[0]), "%s", "");
	}
	if (more)
		return -1;
	progress_end(&r->progress);
	model_audit_warn(r->m, &r->audit, reader_header(r->in[0]), reader_name(r->in[0]));
	if (r->curve.positions)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: no sentence with relevance.src, expected at least one",
		       reader_name(r->in[0]));
}

/* --- output --- */

static int
token_curve_write_stream(const struct run *r, struct err *e)
{
	struct writer *out = writer_open(output, "count", NULL, deletion_curve_fields,
					 force ? STREAM_FORCE : 0, e);
	char *signature;

	if (!out)
		return -1;
	signature = xasprintf("heed|what:deletion|target:%s|positions:%" PRId64 "|sentences:%"
			      PRId64 "|version:%s", forced_targets[r->target], positions,
			      r->curve.sentences, cli_version());
	writer_set_meta(out, HEADER_SIGNATURE, signature);
	free(signature);
	writer_add_provenance(out, reader_header(r->in[0]));
	return writer_end(out, deletion_curve_put(&r->curve, out, e), e);
}

static int
token_curve_write_table(const struct run *r, struct err *e)
{
	struct buf text = { 0 };

	deletion_curve_tsv(&r->curve, &text);
	return output_text(output, &text, e);
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (!model_path)
		die_usage("no model, expected -m FILE");
	if (n > MAX_METHODS)
		die_usage("%d inputs, expected at most %d", n, MAX_METHODS);
	if (output && output_check(output, &e))
		die(&e);
	r.m = model_load(model_path, false, NULL, NULL, &e);
	if (!r.m || runtime_open(&r.runtime, backend, PRECISION_FP32, threads, &e) ||
	    model_audit(r.m, true, &r.audit, &e))
		die(&e);
	r.curve = (struct deletion_curve){ .m = r.m, .tape = r.runtime.tape, .method = r.name,
					.n_methods = n ? n : 1,
					.seed = (uint64_t)seed, .n_random = (int)n_random,
					.n_points = (int)points,
					.per_sentence = (int)positions };
	for (int i = 0; i < r.curve.n_methods; i++)
		open_method(&r, i, file[i]);
	deletion_curve_begin(&r.curve);
	if (!quiet)
		progress_start(&r.progress, "sentences", reader_count_file(file[0], "sentence"));
	if (run_all(&r, &e) ||
	    (form == TO_STREAM ? token_curve_write_stream(&r, &e)
	     : token_curve_write_table(&r, &e)))
		die(&e);
	deletion_curve_release(&r.curve);
	for (int i = 0; i < r.curve.n_methods; i++) {
		reader_close(r.in[i]);
		free((char *)(uintptr_t)r.name[i]);
	}
	model_free(r.m);
	runtime_close(&r.runtime);
	return cli_end(EXIT_OK);
}
