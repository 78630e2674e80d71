/*
 * bpe-learn: learn the merges of byte pair encoding (BPE), or a SentencePiece model.
 *
 * Reads text, or streams of sentences with src and tgt, and writes BPE codes as
 * subword-nmt's learn-bpe and learn-joint-bpe-and-vocab do, or a model as spm_train does.  See
 * bpe-learn(1).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/output.h"
#include "bpe/bpe-train.h"
#include "bpe/bpe.h"
#include "bpe/piece-counts.h"
#include "bpe/spm.h"
#include "stream/input.h"
#include "stream/stream.h"
#include "text/word-count.h"

#define MAX_INPUTS 64	/* each may have its own vocabulary */

enum { SIDE_AUTO, SIDE_SRC, SIDE_TGT, SIDE_BOTH };
static const char *const sides[] = { "auto", "src", "tgt", "both", NULL };

enum { SPM_NONE, SPM_UNIGRAM, SPM_BPE };
static const char *const spm_types[] = { "none", "unigram", "bpe", NULL };

static int64_t merges = 10000, min_frequency = 2, vocabulary_size = 8000;
static double coverage = 0.9995;
static int side_choice, spm, normalization;
static bool text, dict_input, total_symbols, quiet, force;
static const char *output, *separator;
static struct opt_list vocabularies;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_FLAG(0, "text", &text, "read tokenized text instead of streams"),
	OPT_ROW_FLAG(0, "dict-input", &dict_input,
		     "read a dictionary: lines of a word and its frequency"),
	OPT_ROW_CHOICE("side", "side", &side_choice, sides, "select the sides of a stream (auto)"),
	OPT_MAX_LINE,
	OPT_GROUP("Merges"),
	OPT_ROW_INT("merges", &merges, 0, 1e9, "learn n merges (10000)"),
	OPT_ROW_INT("min-frequency", &min_frequency, 1, 1e15,
		    "stop when no pair occurs at least n times (2)"),
	OPT_ROW_FLAG(0, "total-symbols", &total_symbols,
		     "subtract the number of distinct characters from --merges"),
	OPT_GROUP("SentencePiece"),
	OPT_ROW_CHOICE("spm", "type", &spm, spm_types,
		       "train a SentencePiece model: unigram or bpe (none)"),
	OPT_ROW_INT("vocabulary-size", &vocabulary_size, 1, 1000000,
		    "maximum number of entries of the model (8000)"),
	OPT_ROW_FLOAT("coverage", &coverage, 0.98, 1,
		      "fraction of the characters that get entries (0.9995)"),
	OPT_ROW_CHOICE("normalization", "rules", &normalization, spm_normalizations,
		       "normalization of the text (nmt_nfkc); identity: none"),
	OPT_GROUP("Vocabulary"),
	OPT_ROW_LIST(0, "write-vocabulary", "file", &vocabularies,
		     "write subwords and their frequencies; once per file or side"),
	OPT_ROW_TEXT(0, "separator", "text", &separator,
		     "append text to subwords that do not end a word (@@)"),
	OPT_GROUP("Other"),
	OPT_OUTPUT(&output),
	OPT_ROW_FLAG('q', "quiet", &quiet, "do not report when fewer merges or entries are found"),
	OPT_FORCE(&force),
	OPT_NEEDS("separator", "--write-vocabulary"),
	OPT_NEEDS("vocabulary-size coverage normalization", "--spm unigram or --spm bpe"),
	OPT_NOT_WITH("merges min-frequency total-symbols write-vocabulary dict-input",
		     "--spm unigram or --spm bpe"),
	OPT_NOT_WITH("text", "--dict-input"),
	OPT_OLD_LETTER('n', "--merges"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "bpe-learn",
	.synopsis = "[--text | --dict-input] [--merges n] [-o file] [file ...]",
	.summary = "learn the merges of byte pair encoding (BPE), or a SentencePiece model",
	.example = "bpe-learn --text --merges 8000 -o codes train.en train.de\n"
		   "  bpe-learn --text --spm unigram -o ja.model train.ja",
	.options = options,
};

/* What is kept of a text: the words of BPE, or the lines of SentencePiece. */
struct learn_text { struct word_count words; struct buf lines; };

static void
add_text_line(struct learn_text *text_of, const char *line, size_t n)
{
	if (spm == SPM_NONE) {
		word_count_line(&text_of->words, line, n);
		return;
	}
	buf_add(&text_of->lines, line, n);
	buf_add_char(&text_of->lines, '\n');
}

/* *total: see word_count_entry(). */
static int
count_text(const char *path, struct learn_text *side, int64_t *total, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	const char *line;
	size_t n;
	int more;

	if (!in)
		return -1;
	while ((more = input_line(in, &line, &n, e)) > 0) {
		if (!dict_input) {
			add_text_line(side, line, n);
		} else if (word_count_entry(&side->words, line, n, total, e)) {
			err_wrap(e, "%s: line %lld", input_name(in),
				 (long long)input_line_number(in));
			more = -1;
			break;
		}
	}
	input_close(in);
	return more;
}

static int
count_field(const struct record *rec, const char *name, struct learn_text *side, struct err *e)
{
	struct str s;

	if (record_str(rec, name, &s))
		return err_set(e, EXIT_INPUT, "no %s", name);
	add_text_line(side, s.s, s.n);
	return 0;
}

/* The sides to count: bit 0 for src, bit 1 for tgt; 0 and e if the stream lacks them. */
static int
choose_sides(const struct header *h, struct err *e)
{
	static const int wanted[] = { 3, 1, 2, 3 };
	const int present = (header_type(h, "src") ? 1 : 0) | (header_type(h, "tgt") ? 2 : 0);
	const int take = wanted[side_choice] & present;

	if (!take || (side_choice != SIDE_AUTO && take != wanted[side_choice])) {
		err_set(e, EXIT_INPUT, "the stream has no %s",
			!(present & 1) && side_choice != SIDE_TGT ? "src" : "tgt");
		return 0;
	}
	return take;
}

/* Counts the words of a stream: side[0], and side[1] if it takes two sides; *n: sides. */
static int
count_stream(const char *path, struct learn_text *side, size_t *n, struct err *e)
{
	struct reader *in = reader_open(path, NULL, NULL, force ? STREAM_FORCE : 0, e);
	const int take = in ? choose_sides(reader_header(in), e) : 0;
	struct record *rec;
	int r = take ? 1 : -1, bad = 0;

	if (in && !take)
		err_wrap(e, "%s", reader_name(in));
	*n = take == 3 ? 2 : 1;
	while (r > 0 && (r = reader_next(in, &rec, e)) > 0) {
		if (take & 1)
			bad = count_field(rec, "src", &side[0], e);
		if (!bad && take & 2)
			bad = count_field(rec, "tgt", &side[*n - 1], e);
		if (bad)
			r = err_wrap(e, "%s", reader_where(in));
	}
	reader_close(in);
	return r;
}

static int
learn(struct learn_text *side, size_t n, struct err *e)
{
	struct bpe_train t = { .merges = merges, .min_frequency = min_frequency,
			       .total_symbols = total_symbols };
	struct buf codes = { 0 };
	int bad = 0;

	for (size_t i = 0; i < n; i++)
		word_count_merge(&side[MAX_INPUTS].words, &side[i].words);
	bpe_train(&t, &side[MAX_INPUTS].words, &codes);
	if (!quiet && t.made < merges)
		fprintf(stderr, "bpe-learn: learned %lld merges%s\n", (long long)t.made,
			total_symbols ? "; the rest are characters, or no pair is left" :
			": no other pair is frequent enough");
	for (size_t i = 0; i < vocabularies.n && !bad; i++)
		bad = piece_counts_write(&codes, &side[i].words, separator ? separator :
					   BPE_SEPARATOR, vocabularies.v[i], e);
	if (!bad)
		bad = output_all(output, 0, codes.data, codes.n, e);
	buf_release(&codes);
	return bad;
}

static int
learn_spm(struct learn_text *side, size_t n, struct err *e)
{
	struct spm_train t = { .bpe = spm == SPM_BPE, .size = vocabulary_size,
				     .coverage = coverage,
				     .normalization = normalization };
	struct buf *lines = &side[MAX_INPUTS].lines, model = { 0 };
	int64_t skipped;
	int bad;

	for (size_t i = 0; i < n; i++)
		buf_add(lines, side[i].lines.data, side[i].lines.n);
	skipped = spm_train_skips(lines);
	if (skipped && !quiet)
		warn("%" PRId64 " lines of more than %d bytes are left out", skipped, SPM_MAX_LINE);
	bad = spm_train(&t, lines, &model, e);
	if (!bad && !quiet && t.made < vocabulary_size)
		fprintf(stderr, "bpe-learn: learned %" PRId64 " entries: no other subword is "
			"frequent enough\n", t.made);
	if (!bad)
		bad = output_all(output, OUTPUT_BINARY | (force ? OUTPUT_FORCE : 0), model.data,
				 model.n, e);
	buf_release(&model);
	return bad;
}

/* Fills side and returns its length: one element per text, or one per side of the streams. */
static size_t
count_inputs(char **paths, size_t n, struct learn_text *side)
{
	size_t sides_n = n, first = 0;
	int64_t total = 0;
	struct err e;

	for (size_t i = 0; i < n; i++) {
		const int bad = text || dict_input ? count_text(paths[i], &side[i], &total, &e) :
				count_stream(paths[i], side, &sides_n, &e);

		if (bad)
			die(&e);
		if (!text && !dict_input && i > 0 && sides_n != first)
			die_usage("%s has %zu sides, expected %zu, as in the first stream",
				  paths[i], sides_n, first);
		first = sides_n;
	}
	return sides_n;
}

/* Dies if one output would replace another. */
static void
check_outputs(void)
{
	for (size_t i = 0; i < vocabularies.n; i++) {
		if (output && output_same(output, vocabularies.v[i]))
			die_usage("%s: both -o and --write-vocabulary, expected different files",
				  output);
		for (size_t k = 0; k < i; k++)
			if (output_same(vocabularies.v[k], vocabularies.v[i]))
				die_usage("--write-vocabulary %s twice, expected different files",
					  vocabularies.v[i]);
	}
}

int
main(int argc, char **argv)
{
	struct learn_text side[MAX_INPUTS + 1] = { 0 };
	char **paths;
	size_t n = (size_t)cli_begin(&program, argc, argv, &paths);
	struct err e;

	if (!n)
		n = 1;			/* standard input: NULL */
	if (n > MAX_INPUTS)
		die_usage("%zu inputs, expected at most %d", n, MAX_INPUTS);
	if ((text || dict_input) && side_choice != SIDE_AUTO)
		die_usage("text has no sides, expected --side with a stream only");
	if (separator && (!*separator || strpbrk(separator, " \r\n")))
		die_usage("separator '%s', expected text without spaces", separator);
	check_outputs();
	n = count_inputs(paths, n, side);
	if (vocabularies.n && vocabularies.n != n)
		die_usage("%zu vocabularies for %zu %s, expected one for each", vocabularies.n, n,
			  text || dict_input ? "inputs" : "sides");
	if (spm == SPM_NONE ? learn(side, n, &e) : learn_spm(side, n, &e))
		die(&e);
	for (size_t i = 0; i <= MAX_INPUTS; i++) {
		word_count_release(&side[i].words);
		buf_release(&side[i].lines);
	}
	return cli_end(EXIT_OK);
}
