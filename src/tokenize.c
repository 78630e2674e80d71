/*
 * tokenize: tokenize text with the rules of Moses or sacreBLEU.
 *
 * Follows Moses' rules for a language, or one of sacreBLEU's tokenizers.  See tokenize(1).
 */
#include "base/cli.h"
#include "stream/input.h"
#include "text/lines.h"
#include "text/moses.h"
#include "text/tokenizers.h"

static const char *const types[] = { "moses", "13a", "intl", "zh", "char", "none", "ja-mecab",
				     NULL };	/* tokenizer_names after moses */

static const char *language = "en", *prefixes, *output;
static int type;
static bool aggressive, escape, flush;

static const struct opt options[] = {
	OPT_ROW_TEXT('l', "language", "code", &language,
		     "use the rules and prefixes of this language (en)"),
	OPT_ROW_FLAG(0, "aggressive", &aggressive, "write hyphens as tokens: a-b becomes a @-@ b"),
	OPT_ROW_FLAG(0, "escape", &escape, "write & | < > ' \" [ ] as entities"),
	OPT_ROW_TEXT(0, "nonbreaking-prefix", "file", &prefixes,
		     "read the nonbreaking prefixes from file"),
	OPT_ROW_CHOICE("type", "type", &type, types,
		       "select Moses' or one of sacreBLEU's tokenizers (moses)"),
	OPT_ROW_FLAG(0, "flush", &flush, "write each line immediately"),
	OPT_MAX_LINE,
	OPT_OUTPUT(&output),
	OPT_OLD_LETTER('a', "--aggressive"),
	OPT_OLD_LETTER('t', "--type"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tokenize", .synopsis = "[-l code] [--aggressive] [--type type] [file ...]",
	.summary = "tokenize text with the rules of Moses or sacreBLEU",
	.example = "tokenize -l de train.de > train.tok.de",
	.options = options,
};

static int
moses_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	(void)number;
	(void)e;
	moses_tokenize(arg, line, n, aggressive, escape, out);
	return 0;
}

static int
other_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	tokenizer *const *how = arg;

	(void)number;
	(void)e;
	(*how)(line, n, out);
	return 0;
}

static struct moses *
open_moses(struct err *e)
{
	struct moses *m = moses_new(language);
	struct buf list = { 0 };
	int bad = prefixes ? lines_read_all(prefixes, &list, e) : 0;

	if (!prefixes && !moses_has_rules(language))
		warn("no rules for language '%s', using the default rules and the English "
		     "nonbreaking prefixes", language);
	if (!bad && prefixes && moses_prefixes(m, list.data, list.n, e))
		bad = err_wrap(e, "%s", prefixes);
	buf_release(&list);
	if (!bad)
		return m;
	moses_free(m);
	return NULL;
}

int
main(int argc, char **argv)
{
	struct lines l = { .work = other_line };
	struct moses *m = NULL;
	tokenizer *how;
	char **paths;
	struct err e;

	cli_begin(&program, argc, argv, &paths);
	if (type && (aggressive || escape || prefixes))
		die_usage("--type %s does not use --aggressive, --escape and --nonbreaking-prefix, "
			  "expected --type moses", types[type]);
	if (!moses_is_language(language))
		die_usage("language '%s', expected a code of two or three lower-case letters "
			  "such as en", language);
	l.output = output;
	l.flush = flush;
	if (type) {
		how = tokenizer_find(type - 1, &e);
		if (!how)
			die(&e);
		l.arg = &how;
	} else {
		l.work = moses_line;
		l.arg = m = open_moses(&e);
		if (!m)
			die(&e);
	}
	lines_run(&l, paths);
	moses_free(m);
	return cli_end(EXIT_OK);
}
