/* tree-reorder: put the words of the source in the order of its tree; see tree-reorder(1). */
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "stream/filter.h"
#include "trees/dependents.h"
#include "trees/record-pieces.h"

enum { HEAD_FINAL, HEAD_INITIAL };

static const char *const order_names[] = { "head-final", "head-initial", NULL };
static const char *output;
static int order;
static bool force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Order"),
	OPT_ROW_CHOICE("order", "order", &order, order_names,
		       "head-final: dependents before their heads; or head-initial (head-final)"),
	OPT_GROUP("Other"),
	OPT_OUTPUT(&output), OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tree-reorder", .synopsis = "[--order order] [options] [file]",
	.summary = "put the words of the source in the order of its tree",
	.options = options,
	.example = "heed-pack t.en | parse | tree-reorder --order head-final > reordered.heed",
};

/* The dependents of a word, from left to right; -1: none, or no other. */
struct reorder_word { int first, last, next; };

struct tree_reorder_work {
	struct replacement target;	/* first, for replacement_run() */
	struct dep_sentence sentence;
	struct reorder_word *word;	/* [n + 1]: word 0 is above the roots */
	int *stack, *place;		/* [n + 1]; the words in their new order */
	size_t word_room, stack_room, place_room;
	int placed;
	struct buf out, links;
	int64_t all, without;		/* sentences; of these, without a tree */
};

static void
find_dependents(struct tree_reorder_work *w)
{
	const int n = w->sentence.n;

	w->word = mem_grow(w->word, &w->word_room, (size_t)n + 1, sizeof(*w->word));
	w->stack = mem_grow(w->stack, &w->stack_room, (size_t)n + 1, sizeof(*w->stack));
	w->place = mem_grow(w->place, &w->place_room, (size_t)n + 1, sizeof(*w->place));
	for (int i = 0; i <= n; i++)
		w->word[i] = (struct reorder_word){ -1, -1, -1 };
	for (int i = 1; i <= n; i++) {
		struct reorder_word *head = &w->word[w->sentence.word[i - 1].head];

		if (head->last < 0)
			head->first = i;
		else
			w->word[head->last].next = i;
		head->last = i;
	}
}

/* Visits the words from the roots down, without recursion, because trees may be deep. */
static void
find_order(struct tree_reorder_work *w)
{
	int depth = 1;

	w->placed = 0;
	w->stack[0] = 0;
	while (depth) {
		const int i = w->stack[depth - 1], down = w->word[i].first;

		if (down >= 0) {	/* visit the next dependent, once */
			w->word[i].first = w->word[down].next;
			w->stack[depth++] = down;
			if (order == HEAD_INITIAL)
				w->place[w->placed++] = down;
			continue;
		}
		depth--;
		if (order == HEAD_FINAL && i)
			w->place[w->placed++] = i;
	}
}

static void
write_order(struct tree_reorder_work *w, struct record *rec)
{
	buf_clear(&w->out);
	buf_clear(&w->links);
	for (int k = 0; k < w->placed; k++) {
		const int i = w->place[k] - 1;

		buf_printf(&w->out, "%s%s", k ? " " : "", w->sentence.word[i].form);
		buf_printf(&w->links, "%s%d-%d", k ? " " : "", i, k);
	}
	record_set_str(rec, "tgt", w->out.n ? w->out.data : "", w->out.n);
	record_set_str(rec, "alignment", w->links.n ? w->links.data : "", w->links.n);
}

static int
tree_reorder_reorder(struct record *rec, void *arg, struct err *e)
{
	struct tree_reorder_work *w = arg;

	if (record_words(rec, "src", &w->sentence, e))
		return -1;
	w->all++;
	/* Without a tree, all words are roots, and keep the order of the source. */
	if (!record_has(rec, "src.heads"))
		w->without += w->sentence.n > 0;
	else if (record_heads(rec, "src.heads", &w->sentence, e))
		return -1;
	find_dependents(w);
	find_order(w);
	write_order(w, rec);
	return 1;
}

/* The words of the target are those of the source, and so is its language. */
static void
set_language(struct writer *out, const struct header *h, void *arg)
{
	(void)arg;
	writer_set_meta(out, HEADER_TGT_LANGUAGE, header_meta(h, HEADER_SRC_LANGUAGE));
}

int
main(int argc, char **argv)
{
	static const struct field needs[] = { { "src", "str", 0 }, { "src.heads", "[int]", 0 },
					      { 0 } };
	static const struct field adds[] = { { "tgt", "str", 0 }, { "alignment", "str", 0 },
					     { 0 } };
	struct tree_reorder_work w = { .all = 0 };
	const char *path = cli_begin_one(&program, argc, argv);

	w.target.field = "tgt";
	w.target.filter = (struct filter){
		.kind = "sentence", .needs = needs, .adds = adds, .work = tree_reorder_reorder,
		.begin = set_language, .input = path, .output = output, .force = force
	};
	replacement_run(&w.target);
	if (!quiet)
		report_without(program.name, w.without, w.all, "src.heads", "order of their own");
	dep_sentence_release(&w.sentence);
	buf_release(&w.out);
	buf_release(&w.links);
	free(w.word);
	free(w.stack);
	free(w.place);
	return cli_end(EXIT_OK);
}
