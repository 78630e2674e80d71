/* detokenize: detokenize text with the rules of Moses.  See detokenize(1). */
#include "base/cli.h"
#include "stream/input.h"
#include "text/lines.h"
#include "text/moses.h"

static const char *language = "en", *output;
static bool flush;

static const struct opt options[] = {
	OPT_ROW_TEXT('l', "language", "code", &language, "use the rules of this language (en)"),
	OPT_ROW_FLAG(0, "flush", &flush, "write each line immediately"),
	OPT_MAX_LINE,
	OPT_OUTPUT(&output),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "detokenize", .synopsis = "[-l code] [file ...]",
	.summary = "detokenize text with the rules of Moses",
	.example = "detokenize -l de out.tok.de > out.de",
	.options = options,
};

static int
one_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	(void)number;
	(void)e;
	moses_detokenize(arg, line, n, out);
	return 0;
}

int
main(int argc, char **argv)
{
	struct lines l = { .work = one_line };
	char **paths;

	cli_begin(&program, argc, argv, &paths);
	if (!moses_is_language(language))
		die_usage("language '%s', expected a code of two or three lower-case letters "
			  "such as en", language);
	l.output = output;
	l.flush = flush;
	l.arg = moses_new(language);
	lines_run(&l, paths);
	moses_free(l.arg);
	return cli_end(EXIT_OK);
}
