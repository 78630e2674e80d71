/*
 * bpe-apply: cut words into pieces by learned merges.
 *
 * Text becomes text as subword-nmt's apply-bpe makes it; sentences of a stream
 * get their pieces and the word of each piece.  See bpe-apply(1).
 */
#include <string.h>

#include "base/cli.h"
#include "base/rng.h"
#include "text/bpe.h"
#include "text/lines.h"

/* One side of a stream, or the text. */
struct side {
	struct bpe *bpe;
	struct bpe_coder *coder;
};

static const char *codes, *vocabulary, *output, *separator = "@@";
static int64_t merges = BPE_NO_LIMIT, threshold = INT64_MIN, seed = 1;
static double dropout;
static bool text, restore, flush;
static struct opt_list glossaries;

static const struct opt options[] = {
	{ .kind = OPT_STRING, .short_name = 'c', .long_name = "codes", .arg = "file",
	  .help = "the merges, as bpe-learn, subword-nmt and fastBPE write them", .to = &codes },
	{ .kind = OPT_FLAG, .long_name = "text", .help = "text in, text out", .to = &text },
	{ .kind = OPT_FLAG, .long_name = "restore", .help = "the other way round: text of pieces into words",
	  .to = &restore },
	{ .kind = OPT_INT, .long_name = "merges", .arg = "n", .help = "use only the first so many merges",
	  .to = &merges, .min = 0, .max = 1e9 },
	{ .kind = OPT_STRING, .long_name = "separator", .arg = "text",
	  .help = "what marks a piece that is not the last of its word", .to = &separator },
	{ .kind = OPT_STRING, .long_name = "vocabulary", .arg = "file",
	  .help = "take pieces apart again that are not in this list of pieces and counts", .to = &vocabulary },
	{ .kind = OPT_INT, .long_name = "vocabulary-threshold", .arg = "n",
	  .help = "or that occur less often there", .to = &threshold, .min = 0, .max = 1e15 },
	{ .kind = OPT_LIST, .long_name = "glossaries", .arg = "regex",
	  .help = "leave whole what matches; may be given several times", .to = &glossaries },
	{ .kind = OPT_FLOAT, .long_name = "dropout", .arg = "p",
	  .help = "skip each possible merge with this probability", .to = &dropout, .min = 0, .max = 1 },
	OPT_SEED(&seed),
	{ .kind = OPT_FLAG, .long_name = "flush", .help = "write each line at once", .to = &flush },
	OPT_OUTPUT(&output),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "bpe-apply", .synopsis = "-c codes [--text] [file ...]",
	.summary = "cut words into pieces by learned merges",
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
side_vocabulary(struct side *s, const char *path, struct err *e)
{
	struct buf list = { 0 };
	int bad = lines_read_all(path, &list, e);

	if (!bad && bpe_coder_vocabulary(s->coder, list.data, list.n, threshold, e))
		bad = err_wrap(e, "%s", path);
	buf_release(&list);
	return bad;
}

static int
side_open(struct side *s, const char *codes_path, const char *vocabulary_path, const char *purpose,
	  struct err *e)
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
side_close(struct side *s)
{
	bpe_coder_free(s->coder);
	bpe_free(s->bpe);
}

static void
run_text(char **paths)
{
	struct side s = { NULL, NULL };
	struct lines l = { .work = code_line, .output = output, .flush = flush };
	struct err e;

	if (!codes)
		die_usage("no codes, expected -c file");
	if (side_open(&s, codes, vocabulary, "bpe-apply text", &e))
		die(&e);
	l.arg = s.coder;
	lines_run(&l, paths);
	side_close(&s);
}

int
main(int argc, char **argv)
{
	char **paths;

	cli_begin(&program, argc, argv, &paths);
	if (!*separator || strpbrk(separator, " \r\n"))
		die_usage("separator '%s', expected something without blanks", separator);
	if (restore) {
		const struct lines l = { .work = restore_line, .output = output, .flush = flush };

		lines_run(&l, paths);
	} else {
		run_text(paths);
	}
	return cli_end(EXIT_OK);
}
