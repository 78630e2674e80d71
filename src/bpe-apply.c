/*
 * bpe-apply: segment words into subwords with BPE codes.
 *
 * Segments text as subword-nmt's apply-bpe does; adds to the sentences of a stream
 * their subwords and the word of each subword.  See bpe-apply(1).
 */
#include <string.h>

#include "base/cli.h"
#include "base/rng.h"
#include "bpe/bpe-sentence.h"
#include "stream/filter.h"
#include "stream/input.h"
#include "text/lines.h"

/* One side of a stream, or the text. */
struct apply_side {
	const char *name, *pieces_name, *word_name;
	bool wanted;
	struct bpe *bpe;
	struct bpe_coder *coder;
	struct bpe_sentence sentence;
	uint32_t number;	/* number of the sentence, from 1 */
};

enum { SIDE_AUTO, SIDE_SRC, SIDE_TGT, SIDE_BOTH };
static const char *const side_names[] = { "auto", "src", "tgt", "both", NULL };

static const char *codes, *side_codes[2], *vocabulary, *side_vocabularies[2], *output;
static const char *separator = "@@";
static int side_choice;
static int64_t merges = BPE_NO_LIMIT, threshold = INT64_MIN, seed = 1;
static double dropout;
static bool text, restore, flush, force;
static struct opt_list glossaries;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	{ .kind = OPT_FLAG, .long_name = "text", .help = "read and write text, not streams",
	  .to = &text },
	{ .kind = OPT_FLAG, .long_name = "restore", .help = "join the subwords of text into words",
	  .to = &restore },
	{ .kind = OPT_CHOICE, .long_name = "side", .arg = "side",
	  .help = "segment these sides of a stream (auto)", .to = &side_choice,
	  .choice = side_names },
	OPT_MAX_LINE,
	OPT_GROUP("BPE codes"),
	{ .kind = OPT_STRING, .short_name = 'c', .long_name = "codes", .arg = "file",
	  .help = "read BPE codes of bpe-learn, subword-nmt or fastBPE", .to = &codes },
	{ .kind = OPT_STRING, .long_name = "src-codes", .arg = "file",
	  .help = "use these codes for src", .to = &side_codes[0] },
	{ .kind = OPT_STRING, .long_name = "tgt-codes", .arg = "file",
	  .help = "use these codes for tgt", .to = &side_codes[1] },
	{ .kind = OPT_INT, .long_name = "merges", .arg = "n",
	  .help = "use only the first n merges (all)", .to = &merges, .min = 0, .max = 1e9 },
	{ .kind = OPT_STRING, .long_name = "separator", .arg = "text",
	  .help = "append text to subwords that do not end a word (@@)", .to = &separator },
	OPT_GROUP("Vocabulary"),
	{ .kind = OPT_STRING, .long_name = "vocabulary", .arg = "file",
	  .help = "split subwords that are not in this vocabulary", .to = &vocabulary },
	{ .kind = OPT_STRING, .long_name = "src-vocabulary", .arg = "file",
	  .help = "use this vocabulary for src", .to = &side_vocabularies[0] },
	{ .kind = OPT_STRING, .long_name = "tgt-vocabulary", .arg = "file",
	  .help = "use this vocabulary for tgt", .to = &side_vocabularies[1] },
	{ .kind = OPT_INT, .long_name = "vocabulary-threshold", .arg = "n",
	  .help = "ignore vocabulary entries with a frequency below n", .to = &threshold,
	  .min = 0, .max = 1e15 },
	OPT_GROUP("Segmentation"),
	{ .kind = OPT_LIST, .long_name = "glossaries", .arg = "regex",
	  .help = "do not segment text that matches regex; may be repeated", .to = &glossaries },
	{ .kind = OPT_FLOAT, .long_name = "dropout", .arg = "p",
	  .help = "skip each possible merge with probability p (0)", .to = &dropout,
	  .min = 0, .max = 1 },
	OPT_SEED(&seed),
	OPT_GROUP("Other"),
	{ .kind = OPT_FLAG, .long_name = "flush", .help = "write each line of text immediately",
	  .to = &flush },
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "bpe-apply", .synopsis = "-c file [--text | --restore] [file ...]",
	.summary = "segment words into subwords with BPE codes",
	.example = "heed-pack train.en train.de | bpe-apply -c codes > train.heed",
	.options = options, .reads = "sentence", .writes = "sentence",
};

static int
code_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	struct bpe_coder *coder = arg;

	(void)e;
	if (dropout > 0)
		bpe_coder_at(coder, (uint32_t)number);
	bpe_coder_line(coder, line, n, out);
	return 0;
}

static int
restore_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	(void)number;
	(void)arg;
	(void)e;
	bpe_restore(line, n, separator, out);
	return 0;
}

static int
side_vocabulary(struct apply_side *s, const char *path, struct err *e)
{
	struct buf list = { 0 };
	int bad = lines_read_all(path, &list, e);

	if (!bad && bpe_coder_vocabulary(s->coder, list.data, list.n, threshold, e))
		bad = err_wrap(e, "%s", path);
	buf_release(&list);
	return bad;
}

static int
side_open(struct apply_side *s, const char *codes_path, const char *vocabulary_path,
	  const char *purpose, struct err *e)
{
	s->bpe = bpe_open(codes_path, merges, e);
	if (!s->bpe)
		return -1;
	s->coder = bpe_coder_new(s->bpe, separator);
	if (vocabulary_path && side_vocabulary(s, vocabulary_path, e))
		return -1;
	for (size_t i = 0; i < glossaries.n; i++)
		if (bpe_coder_glossary(s->coder, glossaries.v[i], e))
			return -1;
	if (dropout > 0)
		bpe_coder_dropout(s->coder, dropout, (uint64_t)seed, rng_purpose(purpose));
	return 0;
}

static void
side_close(struct apply_side *s)
{
	bpe_coder_free(s->coder);
	bpe_free(s->bpe);
	bpe_sentence_release(&s->sentence);
}

static void
run_text(char **paths)
{
	struct apply_side s = { .wanted = true };
	struct lines l = { .work = code_line, .output = output, .flush = flush };
	struct err e;

	if (!codes)
		die_usage("no BPE codes, expected -c file");
	if (side_open(&s, codes, vocabulary, "bpe-apply text", &e))
		die(&e);
	l.arg = s.coder;
	lines_run(&l, paths);
	side_close(&s);
}

/* Sets side[].wanted for the sides to segment; returns the fields that they add to the stream. */
static const struct field *
choose_fields(const struct header *h, void *arg, struct err *e)
{
	static struct field adds[5];
	struct apply_side *side = arg;
	size_t n = 0;

	for (int i = 0; i < 2; i++) {
		const bool present = header_type(h, side[i].name);
		const bool asked = side_choice == SIDE_SRC + i || side_choice == SIDE_BOTH;

		if (asked && !present) {
			err_set(e, EXIT_INPUT, "the stream has no %s", side[i].name);
			return NULL;
		}
		side[i].wanted = present && side[i].bpe;
		if (!side[i].wanted)
			continue;
		adds[n++] = (struct field){ side[i].pieces_name, "[str]", 0 };
		adds[n++] = (struct field){ side[i].word_name, "[int]", 0 };
	}
	adds[n] = (struct field){ 0 };
	if (!n)
		err_set(e, EXIT_INPUT, "the stream has no %s, expected a side with codes",
			side[0].bpe ? side[1].bpe ? "src and no tgt" : "src" : "tgt");
	return n ? adds : NULL;
}

static int
code_record(struct record *rec, void *arg, struct err *e)
{
	struct apply_side *side = arg;

	for (int i = 0; i < 2; i++) {
		const struct bpe_sentence *b = &side[i].sentence;
		struct str s;

		if (!side[i].wanted)
			continue;
		if (record_str(rec, side[i].name, &s))
			return err_set(e, EXIT_INPUT, "no %s", side[i].name);
		side[i].number++;
		if (dropout > 0)
			bpe_coder_at(side[i].coder, side[i].number);
		bpe_sentence_cut(&side[i].sentence, side[i].coder, s);
		record_set_strs(rec, side[i].pieces_name, b->piece, b->n);
		record_set_ints(rec, side[i].word_name, b->word, b->n);
	}
	return 1;
}

static void
run_stream(const char *path)
{
	struct apply_side side[2] = {
		{ .name = "src", .pieces_name = "src.pieces", .word_name = "src.word" },
		{ .name = "tgt", .pieces_name = "tgt.pieces", .word_name = "tgt.word" }
	};
	struct filter f = { .choose = choose_fields, .work = code_record, .arg = side,
			    .input = path, .output = output, .force = force };
	struct err e;

	for (int i = 0; i < 2; i++) {
		const char *c = side_codes[i] ? side_codes[i] : codes;
		const char *v = side_vocabularies[i] ? side_vocabularies[i] : vocabulary;

		if (side_choice == (i ? SIDE_SRC : SIDE_TGT))
			continue;
		if (!c && side_choice != SIDE_AUTO)
			die_usage("no BPE codes for %s, expected -c or --%s-codes", side[i].name,
				  side[i].name);
		if (c && side_open(&side[i], c, v, i ? "bpe-apply tgt" : "bpe-apply src", &e))
			die(&e);
	}
	if (!side[0].bpe && !side[1].bpe)
		die_usage("no BPE codes, expected -c file");
	filter_run(&f);
	side_close(&side[0]);
	side_close(&side[1]);
}

int
main(int argc, char **argv)
{
	char **paths;
	const int n = cli_begin(&program, argc, argv, &paths);

	if (!*separator || strpbrk(separator, " \r\n"))
		die_usage("separator '%s', expected text without spaces", separator);
	if ((text || restore) && (side_choice || side_codes[0] || side_codes[1] ||
				  side_vocabularies[0] || side_vocabularies[1]))
		die_usage("text has no sides, expected options for one side with a stream only");
	if (!text && !restore && n > 1)
		die_usage("%d operands, expected one stream", n);
	if (restore) {
		const struct lines l = { .work = restore_line, .output = output, .flush = flush };

		lines_run(&l, paths);
	} else if (text) {
		run_text(paths);
	} else {
		run_stream(paths[0]);
	}
	return cli_end(EXIT_OK);
}
