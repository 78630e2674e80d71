/* tree-mark: add marks to the target that depend on the tree of the source; see tree-mark(1). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/strmap.h"
#include "data/side-tokens.h"
#include "stream/filter.h"
#include "trees/dependents.h"
#include "trees/record-pieces.h"

enum { BY_LINKS, BY_SIBLINGS };

static const char *const by_names[] = { "links", "siblings", NULL };
static const char *output;
static double share = 1, class_share = 0.5;
static int by;
static int64_t seed = 1;
static bool force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Marks"),
	OPT_ROW_CHOICE("by", "what", &by, by_names,
		       "words that decide the mark: linked words, or siblings (links)"),
	OPT_ROW_FLOAT("class", &class_share, 0, 1,
		      "fraction of the vocabulary that belongs to the class (0.5)"),
	OPT_ROW_FLOAT("share", &share, 0, 1, "mark about the fraction x of the words (1)"),
	OPT_SEED(&seed, "1"),
	OPT_GROUP("Other"),
	OPT_OUTPUT(&output), OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tree-mark",
	.synopsis = "[--by what] [--class x] [--share x] [options] [file]",
	.summary = "add marks to the target that depend on the tree of the source",
	.options = options,
	.example = "heed-pack t.en t.de | parse | tree-mark --share 0.1 > marked.heed",
};

/* What is known of a word of the sentence. */
struct mark_word {
	int type;			/* its number in types */
	int phrase;			/* the node of the phrase right above it, for siblings */
	int near;			/* linked words or siblings in the class */
	bool in_class;
};

struct tree_mark_work {
	struct replacement target;	/* first, for replacement_run() */
	struct dep_sentence sentence;
	struct tree tree;
	struct strmap types;		/* of the sentence */
	struct mark_word *word;
	int *count;			/* by type: occurrences; by node: words in the class */
	size_t word_room, count_room;
	struct buf out;
	int64_t all, without;		/* sentences; of these, without a tree */
	int64_t marks, tokens;		/* in the output */
};

static const char *
tree_field(void)
{
	return by == BY_LINKS ? "src.heads" : "src.tree";
}

static int *
tree_mark_counts(struct tree_mark_work *w, size_t n)
{
	w->count = mem_grow(w->count, &w->count_room, n, sizeof(*w->count));
	memset(w->count, 0, n * sizeof(*w->count));
	return w->count;
}

/* Whether a word belongs to the class depends on the word alone, not on the corpus. */
static bool
is_in_class(const char *word)
{
	return rng_key(hash_fnv1a(HASH_FNV1A, word, strlen(word))) < class_share * 4294967296.0;
}

static void
find_types(struct tree_mark_work *w)
{
	const struct dep_sentence *s = &w->sentence;

	w->word = mem_grow(w->word, &w->word_room, (size_t)s->n, sizeof(*w->word));
	strmap_clear(&w->types);
	for (int i = 0; i < s->n; i++) {
		const char *form = s->word[i].form;

		w->word[i] = (struct mark_word){ .type = strmap_add(&w->types, form, strlen(form)),
						 .in_class = is_in_class(form) };
	}
}

static void
count_links(struct tree_mark_work *w)
{
	for (int i = 0; i < w->sentence.n; i++) {
		const int head = w->sentence.word[i].head - 1;

		if (head < 0)
			continue;
		w->word[i].near += w->word[head].in_class;
		w->word[head].near += w->word[i].in_class;
	}
}

static void
count_siblings(struct tree_mark_work *w)
{
	const struct tree *t = &w->tree;
	int *in_class = tree_mark_counts(w, (size_t)t->n);

	for (int i = 0; i < t->n; i++) {
		struct mark_word *word = &w->word[t->node[i].first];

		if (!t->node[i].leaf)
			continue;
		word->phrase = t->node[i].parent;
		if (tree_is_tag(t, word->phrase) && t->node[word->phrase].parent >= 0)
			word->phrase = t->node[word->phrase].parent;
		in_class[word->phrase] += word->in_class;
	}
	for (int i = 0; i < t->n_words; i++)
		w->word[i].near = in_class[w->word[i].phrase] - w->word[i].in_class;
}

/* Reads the words and their tree: 1, 0 if the sentence has words but no tree, -1 on error. */
static int
read_words_and_tree(const struct record *rec, struct tree_mark_work *w, struct err *e)
{
	const char *field = tree_field();

	if (record_words(rec, "src", &w->sentence, e))
		return -1;
	if (!record_has(rec, field))
		return !w->sentence.n;
	if (by == BY_LINKS)
		return record_heads(rec, field, &w->sentence, e) ? -1 : 1;
	if (record_tree(rec, field, &w->tree, e))
		return -1;
	if (w->tree.n_words != w->sentence.n && w->tree.n)
		return err_set(e, EXIT_INPUT, "%s has %d words, expected %d as in src", field,
			       w->tree.n_words, w->sentence.n);
	return w->tree.n || !w->sentence.n;
}

/* Appends the words that are drawn, with their marks, to the text. */
static void
add_marks(struct tree_mark_work *w)
{
	const uint64_t number = (uint64_t)w->all;
	int *times = tree_mark_counts(w, w->types.n);
	struct rng r;

	rng_init(&r, (uint64_t)seed, rng_purpose("tree-mark") + (uint32_t)(number >> 32),
		 (uint32_t)number);
	for (int i = 0; i < w->sentence.n; i++)
		times[w->word[i].type]++;
	for (int i = 0; i < w->sentence.n; i++) {
		const bool drawn = rng_uniform(&r) < share;

		if (!drawn || times[w->word[i].type] > 1)
			continue;
		buf_printf(&w->out, "%s%s %c", w->out.n ? " " : "", w->sentence.word[i].form,
			   w->word[i].near ? '+' : '-');
		w->marks++;
	}
}

static int
mark_record(struct record *rec, void *arg, struct err *e)
{
	struct tree_mark_work *w = arg;
	const int has_tree = read_words_and_tree(rec, w, e);
	struct str text = { "", 0 };

	if (has_tree < 0 || (record_has(rec, "tgt") && record_text(rec, "tgt", &text, e)))
		return -1;
	buf_clear(&w->out);
	buf_add(&w->out, text.s, text.n);
	if (has_tree) {
		find_types(w);
		if (by == BY_LINKS)
			count_links(w);
		else
			count_siblings(w);
		add_marks(w);
	}
	w->without += !has_tree;
	w->all++;
	w->tokens += (int64_t)text_tokens((struct str){ w->out.data, w->out.n });
	record_set_str(rec, "tgt", w->out.n ? w->out.data : "", w->out.n);
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct field adds[] = { { "tgt", "str", 0 }, { 0 } };
	struct tree_mark_work w = { .all = 0 };
	const char *path = cli_begin_one(&program, argc, argv);
	const struct field needs[] = {
		{ "src", "str", 0 }, { tree_field(), by == BY_LINKS ? "[int]" : "str", 0 }, { 0 }
	};

	w.target.field = "tgt";
	w.target.filter = (struct filter){
		.kind = "sentence", .needs = needs, .adds = adds, .work = mark_record,
		.input = path, .output = output, .force = force
	};
	replacement_run(&w.target);
	if (!quiet) {
		report_without(program.name, w.without, w.all, tree_field(), "marks");
		fprintf(stderr, "%s: %" PRId64 " marks in %" PRId64 " target tokens\n",
			program.name, w.marks, w.tokens);
	}
	dep_sentence_release(&w.sentence);
	tree_release(&w.tree);
	strmap_release(&w.types);
	buf_release(&w.out);
	free(w.word);
	free(w.count);
	return cli_end(EXIT_OK);
}
