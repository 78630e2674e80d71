/*
 * shortlist-learn: learns which target vocabulary entries may translate a source entry, for
 * nmt-translate --shortlist.  See shortlist-learn(1).
 */
#include <stdlib.h>
#include <string.h>

#include "align/aligner.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/ranked.h"
#include "model-file/model-file.h"
#include "model/model-input.h"
#include "search/shortlist.h"

static const char *model_path, *output;
static int64_t frequent = 200, best = 100, iterations = 5;
static double min_probability = 0.001;
static bool quiet, force;

static const struct opt options[] = {
	OPT_ROW_TEXT('m', "model", "file", &model_path,
		     "take the vocabularies of this model (required)"),
	OPT_ROW_INT("frequent", &frequent, 0, 1e9,
		    "candidates for every sentence: the n most frequent entries (200)"),
	OPT_ROW_INT("best", &best, 0, 1e9,
		    "candidates for each source entry: its n most probable translations (100)"),
	OPT_ROW_FLOAT("min-probability", &min_probability, 0, 1,
		      "leave out translations with a probability below x (0.001)"),
	OPT_ROW_INT("iterations", &iterations, 1, 1000, "iterations of IBM model 1 (5)"),
	OPT_MAX_RECORD,
	OPT_OUTPUT(&output),
	OPT_QUIET(&quiet),
	OPT_FORCE(&force),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "shortlist-learn", .synopsis = "-m model [options] [file]",
	.summary = "learn a lexical shortlist for translation",
	.options = options,
	.example = "shortlist-learn -m model.tar -o shortlist train.heed",
};

static struct reader *
open_pairs(const char *path, const struct model *m, struct err *e)
{
	const bool pieces = model_has_pieces(m);
	struct field needs[] = {
		{ "src.pieces", "[str]", !pieces }, { "tgt.pieces", "[str]", !pieces },
		{ "src", "str", pieces }, { "tgt", "str", pieces }, { 0 }
	};

	return reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, e);
}

/* A copy of the ids of entries of the vocabulary, without special tokens; sets their number. */
static const int *
without_specials(struct arena *mem, const int *id, int n, int *kept)
{
	int *to = ARENA_ARRAY(mem, int, n);

	*kept = 0;
	for (int i = 0; i < n; i++)
		if (id[i] >= VOCAB_SPECIALS)
			to[(*kept)++] = id[i];
	return to;
}

static void
shortlist_learn_add_pair(struct bitext *pairs, const struct batch *b, struct arena *mem)
{
	int n, n_tgt;
	const int *src = without_specials(mem, b->src.id, b->src.layout.rows, &n);
	const int *tgt = without_specials(mem, b->tgt.out, b->tgt.layout.rows, &n_tgt);

	bitext_add(pairs, n, src, n_tgt, tgt);
}

/* Reads all sentence pairs.  Subwords become ids by the rules of the model's batches. */
static int
read_pairs(struct reader *reader, const struct model *m, struct bitext *pairs, struct err *e)
{
	struct progress progress = { 0 };
	struct batch_rules rules;
	struct record *rec;
	struct arena mem;
	int r;

	model_batch_rules(m, &rules);
	rules.max_length = 0;
	rules.word_dropout = 0;
	arena_init(&mem, 0);
	if (!quiet)
		progress_start(&progress, "sentences", 0);
	while ((r = reader_next(reader, &rec, e)) > 0) {
		const struct record *one = rec;
		const int64_t number = (int64_t)pairs->sentences;
		struct batch b;

		if (batch_make(&b, &mem, &one, &number, 1, &rules, e)) {
			r = err_wrap(e, "%s", reader_name(reader));
			break;
		}
		shortlist_learn_add_pair(pairs, &b, &mem);
		arena_rewind(&mem);
		progress_at(&progress, number + 1, " ");
	}
	progress_end(&progress);
	arena_release(&mem);
	return r;
}

/* A text with a space or a line end cannot be written. */
static bool
can_write(const struct vocab *v, int id)
{
	size_t n;
	const char *s = vocab_text(v, id, &n);

	return !memchr(s, ' ', n) && !memchr(s, '\t', n) && !memchr(s, '\r', n);
}

/* Adds a candidate to a line, which begins with a source entry and a tab. */
static void
put_entry(const struct vocab *v, int id, struct buf *out)
{
	size_t n;
	const char *s = vocab_text(v, id, &n);

	if (out->data[out->n - 1] != '\t')
		buf_add_char(out, ' ');
	buf_add(out, s, n);
}

/* The line for all sentences: the most frequent entries. */
static void
put_frequent(const struct model *m, const struct bitext_side *tgt, struct buf *out)
{
	struct ranked *f = xcalloc((size_t)m->tgt.n, sizeof(*f));
	int64_t n = 0;

	for (int id = 0; id < m->tgt.n; id++)
		f[id].at = (size_t)id;
	for (size_t i = 0; i < tgt->n; i++)
		f[tgt->word[i]].value++;
	ranked_sort(f, (size_t)m->tgt.n);
	buf_add_char(out, '\t');
	for (int i = 0; i < m->tgt.n && f[i].value > 0 && n < frequent; i++) {
		if (!can_write(&m->tgt, (int)f[i].at))
			continue;
		put_entry(&m->tgt, (int)f[i].at, out);
		n++;
	}
	buf_add_char(out, '\n');
	free(f);
}

/* The probable translations of a source entry, in an array that the caller frees. */
static struct ranked *
translations_of(const struct translation_table *t, int source, size_t *n)
{
	struct ranked *of = xcalloc(t->first[source + 1] - t->first[source], sizeof(*of));

	*n = 0;
	for (size_t i = t->first[source]; i < t->first[source + 1]; i++)
		if (t->slot[i].target >= 0 && (double)t->slot[i].p >= min_probability)
			of[(*n)++] = (struct ranked){ t->slot[i].p, (size_t)t->slot[i].target };
	ranked_sort(of, *n);
	return of;
}

/* The line of a source entry: the same text as a target entry, then its translations. */
static void
put_source(const struct model *m, const struct translation_table *t, int id, struct buf *out)
{
	size_t n, translations;
	const char *s = vocab_text(&m->src, id, &n);
	const int same = vocab_id(&m->tgt, s, n);
	struct ranked *of = translations_of(t, id, &translations);
	int64_t taken = 0;

	buf_add(out, s, n);
	buf_add_char(out, '\t');
	if (same != VOCAB_UNK)
		put_entry(&m->tgt, same, out);
	for (size_t i = 0; i < translations && taken < best; i++) {
		const int target = (int)of[i].at;

		if (!can_write(&m->tgt, target))
			continue;
		taken++;
		if (target != same)
			put_entry(&m->tgt, target, out);
	}
	buf_add_char(out, '\n');
	free(of);
}

static int
write_shortlist(const struct model *m, const struct bitext *pairs,
		const struct translation_table *t, struct err *e)
{
	struct buf out = { 0 };
	int n = 1;

	for (int id = VOCAB_SPECIALS; id < m->src.n; id++)
		n += can_write(&m->src, id);
	buf_printf(&out, SHORTLIST_MAGIC " %d\n", n);
	put_frequent(m, &pairs->tgt, &out);
	for (int id = VOCAB_SPECIALS; id < m->src.n; id++)
		if (can_write(&m->src, id))
			put_source(m, t, id, &out);
	return output_text(output, &out, e);
}

int
main(int argc, char **argv)
{
	struct translation_table table;
	struct bitext pairs;
	struct reader *in;
	struct model *m;
	struct err e;
	char **path;

	if (cli_begin(&program, argc, argv, &path) > 1)
		die_usage("more than one input file, expected at most one");
	if (!model_path)
		die_usage("no model, expected -m file");
	m = model_load(model_path, false, NULL, NULL, &e);
	if (!m)
		die(&e);
	in = open_pairs(*path, m, &e);
	if (!in)
		die(&e);
	bitext_init(&pairs, m->src.n, m->tgt.n);
	if (read_pairs(in, m, &pairs, &e))
		die(&e);
	aligner_ibm1(&pairs, (int)iterations, 0, NULL, &table);
	if (write_shortlist(m, &pairs, &table, &e))
		die(&e);
	translation_table_release(&table);
	bitext_release(&pairs);
	reader_close(in);
	model_free(m);
	return cli_end(EXIT_OK);
}
