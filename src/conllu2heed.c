/* conllu2heed: add dependencies from CoNLL-U files to a stream; see conllu2heed(1). */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/input.h"
#include "trees/parse-join.h"

static struct join_options o;
static bool upos;

static const struct opt options[] = {
	OPT_GROUP("Parses"),
	OPT_JOIN_PARSES(&o, "read CoNLL-U, CoNLL-X or another stream (required)"),
	OPT_ROW_FLAG(0, "heads", &o.heads, "read heads only, one sentence per line"),
	OPT_ROW_FLAG(0, "upos", &upos, "add universal part-of-speech tags"),
	OPT_SIDE(&o.side),
	OPT_JOIN_ALIGN(&o), OPT_JOIN_INVALID(&o),
	OPT_GROUP("Other"),
	OPT_OUTPUT(&o.output), OPT_MAX_LINE, OPT_MAX_RECORD,
	OPT_FORCE(&o.force), OPT_NO_PG, OPT_QUIET(&o.quiet),
	OPT_NOT_WITH("upos", "--heads"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "conllu2heed",
	.synopsis = "-p parses [options] [file]",
	.summary = "add dependencies from CoNLL-U files to a stream",
	.options = options,
	.example = "heed-pack t.en t.de | conllu2heed -p t.conllu > parsed.heed",
};

struct deps_join {
	struct join join;		/* first, for join_filter() */
	int32_t *head;
	struct str *rel, *upos;
	size_t head_room, rel_room, upos_room;
};

static void
set_deps(struct record *rec, struct deps_join *w)
{
	const struct dep_sentence *s = &w->join.text;
	const struct side_fields *name = &w->join.field;
	const size_t n = (size_t)s->n;

	w->head = mem_grow(w->head, &w->head_room, n, sizeof(*w->head));
	w->rel = mem_grow(w->rel, &w->rel_room, n, sizeof(*w->rel));
	w->upos = mem_grow(w->upos, &w->upos_room, n, sizeof(*w->upos));
	for (size_t i = 0; i < n; i++) {
		w->head[i] = s->word[i].head;
		w->rel[i] = (struct str){ s->word[i].rel, strlen(s->word[i].rel) };
		w->upos[i] = (struct str){ s->word[i].upos, strlen(s->word[i].upos) };
	}
	record_set_ints(rec, name->heads, w->head, n);
	if (!o.heads)
		record_set_strs(rec, name->rels, w->rel, n);
	if (upos)
		record_set_strs(rec, name->upos, w->upos, n);
}

static int
add_deps(struct record *rec, void *arg, struct err *e)
{
	struct deps_join *w = arg;
	const int found = join_next(&w->join, rec, e);

	if (found < 0)
		return -1;
	if (found == JOIN_FOUND || (found == JOIN_NONE && !w->join.text.n)) {
		set_deps(rec, w);
	} else {
		record_delete(rec, w->join.field.heads);
		record_delete(rec, w->join.field.rels);
		if (upos)
			record_delete(rec, w->join.field.upos);
	}
	return found != JOIN_LEFT_OUT;
}

int
main(int argc, char **argv)
{
	struct deps_join w = { .head = NULL };
	const struct side_fields *name = &w.join.field;
	const char *drops[DEP_MAX_DERIVED + 1] = { NULL };
	const char *path = cli_begin_one(&program, argc, argv);

	join_begin(&w.join, &o, PARSES_DEPS);
	dep_derived(name, DEP_FROM_HEADS | (o.heads ? DEP_WITH_HEADS : 0), drops);
	join_filter(&w.join, &o, (const struct field[]){
			{ name->heads, "[int]", 0 }, { o.heads ? NULL : name->rels, "[str]", 0 },
			{ upos ? name->upos : NULL, "[str]", 0 }, { 0 }
		    },
		    drops, add_deps, path);
	free(w.head);
	free(w.rel);
	free(w.upos);
	return cli_end(EXIT_OK);
}
