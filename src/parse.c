/*
 * parse: add dependency and constituency trees to sentences; see parse(1).
 */
#include "base/output.h"
#include "base/progress.h"
#include "parser/embedded.h"
#include "parser/grammar.h"
#include "parser/parse-ahead.h"
#include "stream/input.h"
#include "stream/stream.h"

enum { TO_STREAM, TO_CONLLU, TO_PTB };

static const char *const outputs[] = { "stream", "conllu", "ptb", NULL };
static const char *output, *model, *backend, *lang;
static int precision = PRECISION_INT16, to = TO_STREAM, side, control = -1, words = -1;
static int64_t threads, seed = 1, max_words = 200, batch_words = 1000;
static double corrupt;
static bool text, tokens, projective, pcfg, upos, quiet, force;

static const struct opt options[] = {
	OPT_GROUP("Parser"),
	OPT_ROW_TEXT('m', "model", "file", &model,
		     "use the parser in file instead of the built-in parser"),
	OPT_ROW_TEXT('l', "language", "code", &lang,
		     "set the language of the sentences (that of -m, or en)"),
	OPT_ROW_FLAG(0, "pcfg", &pcfg, "predict constituents with a context-free grammar"),
	OPT_ROW_FLAG(0, "projective", &projective, "predict projective dependency trees"),
	OPT_GROUP("Baselines"),
	OPT_ROW_CHOICE("control", "name", &control, control_names,
		       "generate trees without a parser"),
	OPT_ROW_FLOAT("corrupt", &corrupt, 0, 1,
		      "corrupt a random fraction x of the arcs and phrases (0)"),
	OPT_SEED(&seed, "1"),
	OPT_GROUP("Input and output"),
	OPT_ROW_FLAG(0, "text", &text, "read plain text, one sentence per line, and tokenize it"),
	OPT_ROW_FLAG(0, "tokens", &tokens, "read tokens, one sentence per line"),
	OPT_ROW_CHOICE("tokenization", "name", &words, word_transfer_names,
		       "parse the words as given, or as a treebank divides them"),
	OPT_ROW_CHOICE("to", "form", &to, outputs, "output format (stream)"),
	OPT_ROW_FLAG(0, "upos", &upos, "add universal part-of-speech tags to a stream"),
	OPT_SIDE(&side),
	OPT_OUTPUT(&output),
	OPT_GROUP("Speed and memory"),
	OPT_THREADS(&threads), OPT_BACKEND(&backend),
	OPT_PRECISION(&precision, precision_names),
	OPT_ROW_INT("batch-words", &batch_words, 1, 1000000,
		    "parse batches of at most n words (1000)"),
	OPT_ROW_INT("max-words", &max_words, 1, 10000,
		    "split sentences of more than n words (200)"),
	OPT_GROUP("Other"),
	OPT_MAX_LINE, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	OPT_NEEDS("seed", "--corrupt or --control random"),
	OPT_NOT_WITH("backend precision", "--pcfg or --control"),
	OPT_NOT_WITH("projective", "--pcfg or --control or --to ptb"),
	OPT_NOT_WITH("side", "--text or --tokens"),
	OPT_OLD_NAME("lang", "--language"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse", .synopsis = "[-m parser] [options] [file]",
	.summary = "add dependency and constituency trees to sentences",
	.options = options,
	.example = "heed-pack t.en t.de | parse > parsed.heed\n"
		   "  parse --text --to conllu t.en",
};

static struct progress progress;

/* --- the loop --- */

/* Input and output are text or a stream each; the other pointer is NULL. */
struct from { struct input *text; struct reader *records; };
struct into { struct output *text; struct writer *records; };

static int
parse_all(struct parse_ahead *a, const struct from *input, const struct into *out, struct err *e)
{
	int r = 1;

	while (r > 0) {
		parse_ahead_clear(a);
		while (r > 0 && !parse_ahead_full(a))
			r = input->text ? parse_ahead_line(a, input->text, e)
				     : parse_ahead_record(a, input->records, e);
		if (r < 0)
			return -1;
		/* Of the first sentences only, before most of the time is spent. */
		if (a->read == a->n && !quiet)
			parse_ahead_warn(a);
		parse_ahead_parse(a);
		progress_at(&progress, a->read, "%lld split",
			    (long long)parsing_counts(a->parsing).split);
		if (out->text ? parse_ahead_print(a, to == TO_CONLLU, out->text, e)
			      : parse_ahead_put(a, out->records, e))
			return -1;
	}
	return 0;
}

/* --- files --- */

/* Opens text; a stream is an error. */
static struct input *
open_text(const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	int stream = in ? stream_ahead(in, e) : -1;

	if (stream > 0) {
		err_set(e, EXIT_INPUT, "%s is a heed stream, expected text", input_name(in));
		err_hint(e, "omit --%s", text ? "text" : "tokens");
	}
	if (!stream)
		return in;
	input_close(in);
	return NULL;
}

static int
parse_open_both(const struct parse_ahead *a, const char *path, struct from *input, struct into *out,
		struct err *e)
{
	const unsigned flags = force ? STREAM_FORCE : 0;
	const struct field needs[] = { { a->field.text, "str", 0 }, { 0 } };

	if (text || tokens)
		input->text = open_text(path, e);
	else
		input->records = reader_open(path, "sentence", needs, flags, e);
	if (!input->text && !input->records)
		return -1;
	if (input->records && !quiet)
		parse_ahead_compare(a, input->records);
	if (to == TO_STREAM)
		out->records = writer_open(output, "sentence", reader_header(input->records), NULL,
					   flags, e);
	else
		out->text = output_open(output, 0, e);
	if (out->records) {
		parse_ahead_declare(a, out->records);
		reader_notes_to(input->records, out->records);
	}
	return out->text || out->records ? 0 : -1;
}

static void
parse_file(struct parse_ahead *a, const char *path)
{
	struct from in = { NULL, NULL };
	struct into out = { NULL, NULL };
	struct err e;
	int bad;

	if (parse_open_both(a, path, &in, &out, &e))
		die(&e);
	bad = parse_all(a, &in, &out, &e);
	if (out.text ? output_end(out.text, bad, &e) : writer_end(out.records, bad, &e))
		die(&e);
	input_close(in.text);
	reader_close(in.records);
}

static void
open_chosen_parser(struct parser *p)
{
	struct bundle_in *b;
	struct err e;

	if (model && grammar_is(model))
		die_usage("%s is a grammar, expected a parser; a grammar needs --pcfg", model);
	b = model ? parser_read(p, model, false, &e) : embedded_parser(p, lang, &e);
	if (!b || bundle_in_close(b, 0, &e))
		die(&e);
}

/* Without -l, the language is that of the parser file, or English. */
static void
choose_language(const struct parser *p)
{
	if (!lang)
		lang = p->lang && *p->lang ? p->lang : "en";
	if (text && !moses_is_language(lang))
		die_usage("--language is '%s', expected two or three lower-case letters", lang);
	if (words == TRANSFER_TREEBANK && !treebank_rules_of(lang))
		die_usage("--tokenization treebank has no rules for '%s', expected en or de", lang);
}

static struct pcfg *
open_grammar(void)
{
	struct err e;
	struct pcfg *g = model ? grammar_read(model, &e) : embedded_grammar(lang, &e);

	if (!g)
		die(&e);
	return g;
}

static void
print_counts(const struct parse_ahead *a)
{
	const struct parsing_counts counts = parsing_counts(a->parsing);

	progress_end(&progress);
	if (counts.split && !quiet)
		warn("%lld sentences of more than %lld words were parsed in parts",
		     (long long)counts.split, (long long)max_words);
	if (counts.fallbacks && !quiet)
		warn("%lld sentences or parts without a parse by the grammar "
		     "have right-branching trees",
		     (long long)counts.fallbacks);
}

/* The default is the treebank's words for text, whose tokens parse makes itself. */
static const struct treebank_rules *
rules(void)
{
	const bool ours = words < 0 && text && !model && control < 0;

	return ours || words == TRANSFER_TREEBANK ? treebank_rules_of(lang) : NULL;
}

static void
parse(const struct parser *parser, const struct pcfg *grammar, const char *path)
{
	struct moses *moses = text ? moses_new(lang) : NULL;
	struct parse_ahead ahead;
	struct err e;
	struct network *net = parser->network;
	const char *own = parser->lang && *parser->lang ? parser->lang : NULL;
	const struct parse_settings set = {
		.language = own || model ? own : lang,
		.network = net, .grammar = grammar, .control = control, .projective = projective,
		.arcs = to != TO_PTB && !grammar && (!net || network_has_arcs(net)),
		.spans = to != TO_CONLLU && (!net || network_has_spans(net)),
		.corrupt = corrupt, .seed = (uint64_t)seed, .max_words = (int)max_words,
		.batch_words = (int)batch_words, .backend = backend, .precision = precision,
		.threads = threads,
	};

	if (to == TO_PTB && !set.spans)
		die_usage("the parser predicts no constituents, expected --to conllu");
	if (to == TO_STREAM && !set.arcs && !set.spans)
		die_usage("the parser predicts part-of-speech tags only, expected --to conllu");
	if (upos && (to != TO_STREAM || !net || !net->labels[LABEL_UPOS].n))
		die_usage(to != TO_STREAM ? "--upos adds a field, expected --to stream" :
			  "--upos without a parser that predicts universal part-of-speech tags");
	if (parse_ahead_init(&ahead, &set, stream_sides[side], moses, rules(), &e))
		die(&e);
	ahead.upos = upos;
	if (!quiet)
		progress_start(&progress, "sentences",
			       text || tokens ? 0 : reader_count_file(path, "sentence"));
	parse_file(&ahead, path);
	print_counts(&ahead);
	parse_ahead_release(&ahead);
	moses_free(moses);
}

int
main(int argc, char **argv)
{
	struct parser parser = { 0 };
	struct pcfg *grammar = NULL;
	char **operand;
	int n;

	n = cli_begin(&program, argc, argv, &operand);
	if (n > 1)
		die_usage("%d files, expected at most one: %s ...", n, operand[0]);
	if (text && tokens)
		die_usage("--text and --tokens, expected one of them");
	if ((text || tokens) && to == TO_STREAM)
		die_usage("--text and --tokens need --to conllu or --to ptb; "
			  "heed-pack makes streams of text");
	if (pcfg && (control >= 0 || to == TO_CONLLU))
		die_usage(to == TO_CONLLU ? "--pcfg predicts no dependencies, expected --to ptb" :
			  "--pcfg and --control, expected one of them");
	if (control >= 0 && model)
		die_usage("--model and --control, expected one of them");
	if (!model || pcfg)
		choose_language(&parser);
	if (pcfg)
		grammar = open_grammar();
	else if (control < 0)
		open_chosen_parser(&parser);
	choose_language(&parser);
	parse(&parser, grammar, operand[0]);
	parser_release(&parser);
	pcfg_free(grammar);
	return cli_end(EXIT_OK);
}
