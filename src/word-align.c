/*
 * word-align: aligns the words of sentence pairs, by a hidden Markov model in both directions.  See
 * word-align(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/aligner.h"
#include "align/symmetrize.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/pool.h"
#include "base/strmap.h"
#include "data/side-tokens.h"
#include "stream/input.h"
#include "text/joined.h"
#include "text/lowercase.h"
#include "text/side.h"

static const char *output, *with;
static int64_t ibm1 = 5, hmm = 5, longest = 200, threads;
static double null_probability = 0.2, prior = 0.1;
static int symmetrization;
static bool fold, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model"),
	OPT_ROW_INT("ibm1", &ibm1, 0, 1000, "iterations of IBM model 1 (5)"),
	OPT_ROW_INT("hmm", &hmm, 0, 1000, "then iterations of the HMM (5)"),
	OPT_ROW_FLOAT("null", &null_probability, 1e-6, 0.9,
		      "probability of the empty word in the HMM (0.2)"),
	OPT_ROW_FLOAT("prior", &prior, 0, 100,
		      "Dirichlet prior of translations (0.1); 0: maximum likelihood"),
	OPT_ROW_FLAG(0, "lowercase", &fold, "compare words in lower case"),
	OPT_ROW_INT("max-words", &longest, 1, 10000,
		    "give longer sentences no links (200)"),
	OPT_ROW_TEXT(0, "with", "stream", &with,
		     "train on these sentence pairs, too, but do not print their links"),
	OPT_GROUP("Output"),
	OPT_ROW_CHOICE("symmetrize", "method", &symmetrization, symmetrizations,
		       "how to combine both directions (grow-diag-final-and)"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Other"),
	OPT_THREADS(&threads),
	OPT_QUIET(&quiet),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NOT_WITH("null", "--hmm 0"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "word-align", .synopsis = "[options] [stream | source target]",
	.summary = "align the words of sentence pairs",
	.options = options,
	.example = "word-align train.en train.de > train.align\n"
		   "  heed-pack train.en train.de | heed-paste --text alignment=train.align",
};

/* The words of both sides, and the sentence that is read. */
struct words {
	struct strmap map[2];		/* of a side: word 0 is the empty word */
	int *id[2];
	size_t room[2];
	int n[2];
	struct buf text, lower;
	struct joined joined[2];
	int64_t empty, beyond;		/* pairs that get no links: with an empty side, or too
					 * long */
};

static void
add_text_word(struct words *w, int side, struct str word)
{
	const int i = w->n[side]++;

	w->id[side] = mem_grow(w->id[side], &w->room[side], (size_t)w->n[side], sizeof(**w->id));
	if (fold) {
		w->lower.n = 0;
		lowercase(word.s, word.n, &w->lower);
		word = (struct str){ w->lower.data, w->lower.n };
	}
	w->id[side][i] = strmap_add(&w->map[side], word.s, word.n);
}

/* A pair that gets no links is added without words, which would change the links of others. */
static void
read_words(struct words *w, const struct str *text, struct bitext *b)
{
	const size_t n = text_tokens(text[0]), m = text_tokens(text[1]);
	const bool empty = !n || !m, beyond = n > (size_t)longest || m > (size_t)longest;

	for (int k = 0; k < 2; k++) {
		struct str word;
		size_t at = 0;

		w->n[k] = 0;
		while (!empty && !beyond && text_token(text[k], &at, &word))
			add_text_word(w, k, word);
		w->text.n = 0;
		buf_add(&w->text, text[k].s, text[k].n);
		joined_add_line(&w->joined[k], w->text.data);
	}
	bitext_add(b, w->n[0], w->id[0], w->n[1], w->id[1]);
	w->empty += empty;
	w->beyond += beyond;
}

static int
word_align_read_pairs(struct side *const *side, size_t n, struct words *w, struct bitext *b,
		      struct err *e)
{
	static const char *const field[2] = { "src", "tgt" };
	int more;

	while ((more = sides_next(side, n, e)) > 0) {
		struct str text[2];

		for (int k = 0; k < 2; k++)
			if (side_text(side[n == 2 ? k : 0], field[k], &text[k], e))
				return -1;
		read_words(w, text, b);
	}
	b->src.n_vocab = (int)w->map[0].n;
	b->tgt.n_vocab = (int)w->map[1].n;
	return more;
}

/* The error of a single input that is no stream: it is text, empty, or broken. */
static int
refuse_text(struct side *side, struct err *e)
{
	if (side_is_empty(side))
		return err_set(e, EXIT_INPUT, "%s is empty, expected a heed stream",
			       side_name(side));
	return side_next(side, e) < 0 ? -1 :
		err_set(e, EXIT_USAGE, "%s: one text, expected a stream or two texts",
			side_name(side));
}

/* Opens a stream, or two texts, and reads them. */
static int
word_align_read_all(char **path, int n, struct words *w, struct bitext *b, struct err *e)
{
	static const struct field needs[] = { { "src", "str", false }, { "tgt", "str", false },
					      { 0 } };
	struct side *side[2] = { NULL, NULL };
	const size_t sides = n == 2 ? 2 : 1;
	int r = 0;

	for (size_t k = 0; k < sides && !r; k++) {
		side[k] = side_open(n ? path[k] : NULL, n == 2 ? NULL : needs, e);
		if (!side[k])
			r = -1;
		else if (n == 2 && side_is_stream(side[k]))
			r = err_set(e, EXIT_INPUT, "%s: a stream, expected text: one stream has "
				    "both sides", side_name(side[k]));
		else if (n != 2 && !side_is_stream(side[k]))
			r = refuse_text(side[k], e);
	}
	if (!r)
		r = word_align_read_pairs(side, sides, w, b, e);
	for (int k = 0; k < 2; k++)
		side_close(side[k]);
	return r;
}

/* --- output --- */

/* Prints the links of all sentence pairs from the first one. */
static int
put_all(const struct bitext *b, size_t first, int *const *other, struct err *e)
{
	struct link_set links = { .n = 0 };
	struct buf out = { 0 };

	for (size_t k = first; k < b->sentences; k++) {
		struct both_directions a = { .source_of = other[0] + b->tgt.start[k],
					     .target_of = other[1] + b->src.start[k] };

		bitext_sentence(&b->src, k, &a.n_src);
		bitext_sentence(&b->tgt, k, &a.n_tgt);
		symmetrize(&a, (enum symmetrization)symmetrization, &links);
		for (size_t i = 0; i < links.n; i++)
			buf_printf(&out, "%s%d-%d", i ? " " : "", links.v[i].source,
				   links.v[i].target);
		buf_add_char(&out, '\n');
	}
	link_set_release(&links);
	return output_text(output, &out, e);
}

static void
tell(void *arg, const char *model, int iteration, double perplexity)
{
	fprintf(stderr, "%s: %s, iteration %d: perplexity %.2f\n", (const char *)arg, model,
		iteration, perplexity);
}

/* Of the words of each side, their words on the other side. */
static void
align_both(struct bitext *b, int **other)
{
	const struct aligner_options o = { .ibm1 = (int)ibm1, .hmm = (int)hmm,
					   .null = null_probability, .prior = prior };
	struct bitext reversed = { b->tgt, b->src, b->sentences };
	struct pool *pool = threads == 1 ? NULL : pool_new((int)threads);

	for (int k = 0; k < 2; k++) {
		static const char *const direction[] = { "source to target", "target to source" };
		const struct aligner_progress progress = { tell, (void *)direction[k] };
		const struct bitext *one = k ? &reversed : b;

		other[k] = xcalloc(one->tgt.n + 1, sizeof(**other));
		if (symmetrization != (k ? SYMMETRIZE_FORWARD : SYMMETRIZE_BACKWARD))
			aligner_run(one, &o, pool, quiet ? NULL : &progress, other[k]);
	}
	pool_free(pool);
}

static void
warn_of_input(const struct bitext *b, const struct words *w)
{
	if (w->empty)
		warn("%lld of %zu sentence pairs have an empty side and get no links",
		     (long long)w->empty, b->sentences);
	if (w->beyond)
		warn("%lld of %zu sentence pairs have more than %lld words on a side and get no "
		     "links", (long long)w->beyond, b->sentences, (long long)longest);
	for (int k = 0; k < 2; k++)
		joined_warn(&w->joined[k], (int64_t)b->sentences);
}

int
main(int argc, char **argv)
{
	struct words w = { .n = { 0 } };
	struct bitext b;
	struct err e;
	int *other[2];
	size_t first;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (n > 2)
		die_usage("%d files, expected a stream or two texts", n);
	if (ibm1 + hmm < 1)
		die_usage("--ibm1 0 with --hmm 0, expected at least one iteration");
	if (input_stdin_once(!n + (size_t)(with && !strcmp(with, "-")), path, n, &e))
		die(&e);
	bitext_init(&b, 1, 1);
	for (int k = 0; k < 2; k++)
		strmap_add(&w.map[k], "", 0);
	if (with && word_align_read_all((char **)&with, 1, &w, &b, &e))
		die(&e);
	first = b.sentences;
	if (word_align_read_all(path, n, &w, &b, &e) ||
	    (b.sentences == first &&
	     err_set(&e, EXIT_INPUT, "no sentence pairs, expected at least one")))
		die(&e);
	warn_of_input(&b, &w);
	align_both(&b, other);
	if (put_all(&b, first, other, &e))
		die(&e);
	for (int k = 0; k < 2; k++) {
		strmap_release(&w.map[k]);
		free(w.id[k]);
		free(other[k]);
	}
	buf_release(&w.text);
	buf_release(&w.lower);
	bitext_release(&b);
	return cli_end(EXIT_OK);
}
