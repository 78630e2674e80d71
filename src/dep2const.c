/* dep2const: constituency trees from dependency trees.  See dep2const(1). */
#include <stdlib.h>

#include "base/mem.h"
#include "base/output.h"
#include "stream/filter.h"
#include "stream/input.h"
#include "text/dep-phrases.h"
#include "text/record-deps.h"

static const char *const sides[] = { "src", "tgt", NULL };

static const char *output, *tags;
static int side;
static bool force;

static const struct opt options[] = {
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_OUTPUT(&output),
	{ .kind = OPT_CHOICE, .long_name = "side", .arg = "name",
	  .help = "side of a stream: src or tgt",
	  .to = &side, .choice = sides },
	{ .kind = OPT_STRING, .long_name = "tags", .arg = "field",
	  .help = "field of a stream with the tag of each word", .to = &tags },
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "dep2const",
	.synopsis = "[-f] [-o file] [--max-line mib] [--max-record mib] [--no-pg] [--side name] "
		    "[--tags field] "
		    "[file]",
	.summary = "make constituency trees from dependency trees",
	.options = options, .reads = "sentence", .writes = "sentence",
};

/* A sentence and what becomes of it; reused from one to the next. */
struct work {
	struct dep_sentence sentence;
	struct tree tree;
	struct buf out;
	struct dep_fields field;
};

static void
convert(struct work *w)
{
	buf_clear(&w->out);
	dep_phrases(&w->sentence, &w->tree);
	tree_write(&w->tree, &w->out);
}

static void
release(struct work *w)
{
	dep_sentence_release(&w->sentence);
	tree_release(&w->tree);
	buf_release(&w->out);
}

/* --- CoNLL-U to trees, one a line --- */

static int
convert_one(struct work *w, const char *name, struct output *o, struct err *e)
{
	const struct dep_sentence *s = &w->sentence;

	if (!s->has_heads)
		return err_set(e, EXIT_INPUT, "%s: line %lld: a sentence without heads", name,
			       (long long)s->line);
	convert(w);
	buf_add_char(&w->out, '\n');
	return output_write(o, w->out.data, w->out.n, e);
}

static int
convert_all(struct work *w, struct conllu_reader *r, const char *name, struct output *o,
	    struct err *e)
{
	int more;

	while ((more = conllu_next(r, &w->sentence, false, e)) > 0)
		if (convert_one(w, name, o, e))
			return -1;
	return more;
}

static void
run_text(struct work *w, struct input *in)
{
	char *name = xstrdup(input_name(in));
	struct conllu_reader *r = conllu_from(in);
	struct output *o;
	struct err e;

	o = output_open(output, 0, &e);
	if (!o)
		die(&e);
	if (convert_all(w, r, name, o, &e)) {
		output_abandon(o);
		die(&e);
	}
	conllu_close(r);
	free(name);
	if (output_finish(o, &e))
		die(&e);
}

/* --- streams --- */

static int
add_tree(struct record *rec, void *arg, struct err *e)
{
	struct work *w = arg;

	if (record_words(rec, w->field.text, &w->sentence, e) ||
	    record_heads(rec, w->field.heads, false, &w->sentence, e) ||
	    (tags && record_column(rec, tags, DEP_UPOS, &w->sentence, e)))
		return -1;
	convert(w);
	record_set_str(rec, w->field.tree, w->out.n ? w->out.data : "", w->out.n);
	return 1;
}

static void
run_stream(struct work *w, struct input *in)
{
	const struct field needs[] = {
		{ w->field.text, "str", 0 }, { w->field.heads, "[int]", 0 }, { tags, "[str]", 0 },
		{ 0 }
	};
	const struct field adds[] = { { w->field.tree, "str", 0 }, { 0 } };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .work = add_tree, .arg = w,
		.opened = in, .output = output, .force = force
	};

	filter_run(&f);
}

int
main(int argc, char **argv)
{
	struct work w = { .field.text = "" };
	struct input *in;
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);
	int stream;

	if (n > 1)
		die_usage("%d files, at most one was expected", n);
	dep_fields_of(&w.field, sides[side]);
	in = input_open(path[0], INPUT_UTF8, &e);
	stream = in ? stream_ahead(in, &e) : -1;
	if (stream < 0)
		die(&e);
	if (stream)
		run_stream(&w, in);
	else
		run_text(&w, in);
	release(&w);
	return cli_end(EXIT_OK);
}
