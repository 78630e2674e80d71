/* dep2const: convert dependency trees to constituency trees; see dep2const(1). */
#include "base/output.h"
#include "stream/filter.h"
#include "stream/input.h"
#include "trees/dep-phrases.h"
#include "trees/record-deps.h"
#include "trees/record-pieces.h"

static const char *output, *tags;
static int side;
static bool force, quiet;

static const struct opt options[] = {
	OPT_ROW_TEXT(0, "tags", "field", &tags,
		     "read part-of-speech tags from this field (src.upos)"),
	OPT_SIDE(&side),
	OPT_OUTPUT(&output), OPT_MAX_LINE, OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "dep2const",
	.synopsis = "[--tags field] [options] [file]",
	.summary = "convert dependency trees to constituency trees",
	.options = options,
	.example = "dep2const t.conllu > t.ptb\n"
		   "  heed-pack t.en t.de | conllu2heed --upos -p t.conllu | dep2const",
};

/* A sentence, its tree and the text of the tree; reused from one sentence to the next. */
struct dep2const_work {
	struct dep_sentence sentence;
	struct tree tree;
	struct buf out;
	struct side_fields field;
	int64_t all, without;		/* sentences; of these, without heads */
};

static void
dep2const_convert(struct dep2const_work *w)
{
	buf_clear(&w->out);
	dep_phrases(&w->sentence, &w->tree);
	tree_write(&w->tree, &w->out);
}

/* --- CoNLL-U to bracketed trees, one per line --- */

/* "(())" stands for a missing tree, as in ptb2heed(1). */
static int
convert_all(struct dep2const_work *w, struct conllu_reader *r, struct output *o, struct err *e)
{
	int more;

	while ((more = conllu_next(r, &w->sentence, e)) > 0) {
		w->all++;
		if (w->sentence.has_heads) {
			dep2const_convert(w);
		} else {
			w->without++;
			buf_clear(&w->out);
			buf_add_str(&w->out, "(())");
		}
		buf_add_char(&w->out, '\n');
		if (output_write(o, w->out.data, w->out.n, e))
			return -1;
	}
	return more;
}

static void
dep2const_run_text(struct dep2const_work *w, struct input *input)
{
	struct conllu_reader *r = conllu_from(input);
	struct output *o;
	struct err e;

	o = output_open(output, 0, &e);
	if (!o)
		die(&e);
	if (output_end(o, convert_all(w, r, o, &e), &e))
		die(&e);
	conllu_close(r);
}

/* --- streams --- */

static int
dep2const_add_tree(struct record *rec, void *arg, struct err *e)
{
	struct dep2const_work *w = arg;
	const char *column = tags ? tags : w->field.upos;

	w->all++;
	if (dep_check_pieces(rec, &w->field, e))
		return -1;
	if (!record_has(rec, w->field.heads)) {
		w->without++;
		record_delete(rec, w->field.tree);
		return 1;
	}
	if (record_words(rec, w->field.text, &w->sentence, e) ||
	    record_heads(rec, w->field.heads, &w->sentence, e) ||
	    ((tags || record_has(rec, column)) &&
	     record_column(rec, column, DEP_UPOS, &w->sentence, e)))
		return -1;
	dep2const_convert(w);
	record_set_str(rec, w->field.tree, w->out.n ? w->out.data : "", w->out.n);
	return 1;
}

static void
dep2const_run_stream(struct dep2const_work *w, struct input *input)
{
	const struct field needs[] = {
		{ w->field.text, "str", 0 }, { w->field.heads, "[int]", 0 },
		{ tags ? tags : w->field.upos, "[str]", !tags }, { 0 }
	};
	const struct field adds[] = { { w->field.tree, "str", 0 }, { 0 } };
	const char *drops[DEP_MAX_DERIVED + 1] = { NULL };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops,
		.work = dep2const_add_tree, .arg = w, .opened = input, .output = output,
		.force = force
	};

	dep_derived(&w->field, DEP_FROM_TREE, drops);
	filter_run(&f);
}

int
main(int argc, char **argv)
{
	struct dep2const_work w = { .field.text = "" };
	struct input *in;
	struct err e;
	const char *path = cli_begin_one(&program, argc, argv);
	int stream;

	w.field = side_fields[side];
	in = input_open(path, INPUT_UTF8, &e);
	stream = in ? stream_ahead(in, &e) : -1;
	if (stream < 0)
		die(&e);
	if (tags && !stream)
		die_usage("--tags, expected a stream with it");
	if (stream)
		dep2const_run_stream(&w, in);
	else
		dep2const_run_text(&w, in);
	if (!quiet)
		report_without(program.name, w.without, w.all, stream ? w.field.heads : "heads",
			       stream ? w.field.tree : "tree");
	dep_sentence_release(&w.sentence);
	tree_release(&w.tree);
	buf_release(&w.out);
	return cli_end(EXIT_OK);
}
