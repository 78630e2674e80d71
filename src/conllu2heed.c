/* conllu2heed: add dependencies from CoNLL-U files to a stream; see conllu2heed(1). */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/filter.h"
#include "stream/input.h"
#include "trees/parse-join.h"

enum { ALIGN_WORDS, ALIGN_CHAR };
static const char *const sides[] = { "src", "tgt", NULL };

static const char *output, *parses;
static int align, invalid, side;
static bool force, heads, quiet;

static const struct opt options[] = {
	OPT_GROUP("Parses"),
	{ .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", .arg = "file",
	  .help = "read CoNLL-U, CoNLL-X or another stream (required)", .to = &parses },
	{ .kind = OPT_FLAG, .long_name = "heads", .to = &heads,
	  .help = "read heads only, one sentence per line" },
	{ .kind = OPT_CHOICE, .long_name = "side", .arg = "name",
	  .help = "side of the stream (src)", .to = &side, .choice = sides },
	{ .kind = OPT_CHOICE, .long_name = "align", .arg = "how", .to = &align,
	  .help = "match parses by words or characters (words)", .choice = join_align_names },
	{ .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", .arg = "what",
	  .to = &invalid, .help = "what to do with an invalid parse (error)",
	  .choice = join_invalid_names },
	OPT_GROUP("Other"),
	OPT_OUTPUT(&output), OPT_MAX_LINE, OPT_MAX_RECORD,
	OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "conllu2heed",
	.synopsis = "-p file [-q] [-i what] [-o file] [--align how] [--heads] "
		    "[--max-line mib] [--max-record mib] [--no-pg] [--side name] [file]",
	.summary = "add dependencies from CoNLL-U files to a stream",
	.options = options, .reads = "sentence", .writes = "sentence",
	.example = "heed-pack t.en t.de | conllu2heed -p t.conllu > parsed.heed",
};

struct work {
	struct join join;		/* first: the argument of join_end() */
	int32_t *head;
	struct str *rel;
	size_t head_room, rel_room;
};

static void
set_deps(struct record *rec, struct work *w)
{
	const struct dep_sentence *s = &w->join.text;
	const struct dep_fields *name = &w->join.field;
	const size_t n = (size_t)s->n;

	w->head = mem_grow(w->head, &w->head_room, n, sizeof(*w->head));
	w->rel = mem_grow(w->rel, &w->rel_room, n, sizeof(*w->rel));
	for (size_t i = 0; i < n; i++) {
		w->head[i] = s->word[i].head;
		w->rel[i] = (struct str){ s->word[i].rel, strlen(s->word[i].rel) };
	}
	record_set_ints(rec, name->heads, w->head, n);
	if (!heads)
		record_set_strs(rec, name->rels, w->rel, n);
}

static int
add_deps(struct record *rec, void *arg, struct err *e)
{
	struct work *w = arg;
	const int found = join_next(&w->join, rec, e);

	if (found < 0)
		return -1;
	if (found == JOIN_FOUND || (found == JOIN_NONE && !w->join.text.n)) {
		set_deps(rec, w);
	} else {
		record_delete(rec, w->join.field.heads);
		record_delete(rec, w->join.field.rels);
	}
	return found != JOIN_LEFT_OUT;
}

static void
run(struct work *w, const char *input)
{
	const struct dep_fields *name = &w->join.field;
	const struct field needs[] = { { name->text, "str", 0 }, { 0 } };
	const struct field adds[] = {
		{ name->heads, "[int]", 0 }, { heads ? NULL : name->rels, "[str]", 0 }, { 0 }
	};
	/* Fields that were made from other heads. */
	const char *const drops[] = { name->dep, heads ? name->rels : NULL, NULL };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops,
		.work = add_deps, .end = join_end, .arg = w, .input = input, .output = output,
		.force = force
	};

	filter_run(&f);
}

int
main(int argc, char **argv)
{
	struct work w = { .head = NULL };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (n > 1)
		die_usage("%d files, expected at most one", n);
	if (!parses)
		die_usage("no parses, expected -p file");
	if (heads && align == ALIGN_CHAR)
		die_usage("--heads has no words to align, expected --align words");
	w.join.side = sides[side];
	w.join.invalid = (enum join_invalid)invalid;
	w.join.by_characters = align == ALIGN_CHAR;
	if (join_open(&w.join, parses, PARSES_DEPS, heads, &e))
		die(&e);
	run(&w, path[0]);
	if (!quiet)
		join_report(&w.join, program.name);
	join_release(&w.join);
	free(w.head);
	free(w.rel);
	return cli_end(EXIT_OK);
}
