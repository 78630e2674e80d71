/*
 * parse: add dependency and constituency trees to sentences; see parse(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "parser/embedded.h"
#include "parser/grammar.h"
#include "parser/parsing.h"
#include "stream/input.h"
#include "stream/stream.h"
#include "text/joined.h"
#include "text/moses.h"
#include "trees/record-deps.h"

/* Sentences and words that are read before they are parsed; the last sentence may exceed them. */
enum { WINDOW = 4096, WINDOW_WORDS = 1 << 18 };
enum { TO_STREAM, TO_CONLLU, TO_PTB };

static const char *const outputs[] = { "stream", "conllu", "ptb", NULL };
static const char *const sides[] = { "src", "tgt", NULL };
static const char *output, *model, *backend, *lang = "en";
static int precision = PRECISION_INT16, to = TO_STREAM, side, control = -1;
static int64_t threads, seed = 1, max_words = 200, batch_words = 1000;
static double corrupt;
static bool text, tokens, projective, pcfg, quiet, force;

#define FLAG(name, to_, help_) { .kind = OPT_FLAG, .long_name = name, .help = help_, .to = &to_ }
#define WORD(name, word, to_, words, help_) { .kind = OPT_CHOICE, .long_name = name, .arg = word, \
	.help = help_, .to = &to_, .choice = words }
#define WHOLE(name, to_, upto, help_) { .kind = OPT_INT, .long_name = name, .arg = "n", \
	.help = help_, .to = &to_, .min = 1, .max = upto }

static const struct opt options[] = {
	OPT_GROUP("Parser"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use the parser in file instead of the built-in one", .to = &model },
	{ .kind = OPT_STRING, .long_name = "lang", .arg = "code",
	  .help = "language of the sentences (en)", .to = &lang },
	FLAG("pcfg", pcfg, "predict constituents with a context-free grammar"),
	FLAG("projective", projective, "predict projective dependency trees"),
	OPT_GROUP("Baselines"),
	WORD("control", "name", control, control_names, "generate trees without a parser"),
	{ .kind = OPT_FLOAT, .long_name = "corrupt", .arg = "x",
	  .help = "corrupt a random fraction x of the arcs and phrases (0)", .to = &corrupt,
	  .min = 0, .max = 1 },
	OPT_SEED(&seed),
	OPT_GROUP("Input and output"),
	FLAG("text", text, "read plain text, one sentence per line, and tokenize it"),
	FLAG("tokens", tokens, "read tokens, one sentence per line"),
	WORD("to", "form", to, outputs, "output format (stream)"),
	WORD("side", "name", side, sides, "side of the stream (src)"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Speed and memory"),
	OPT_THREADS(&threads), OPT_BACKEND(&backend), OPT_PRECISION(&precision, precision_names),
	WHOLE("batch-words", batch_words, 1000000, "maximum number of words in a batch (1000)"),
	WHOLE("max-words", max_words, 10000, "split sentences of more than n words (200)"),
	OPT_GROUP("Other"),
	OPT_MAX_LINE, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse", .synopsis = "[-m parser] [options] [file]",
	.summary = "add dependency and constituency trees to sentences",
	.options = options, .reads = "sentence", .writes = "sentence",
	.example = "heed-pack t.en t.de | parse > parsed.heed\n"
		   "  parse --text --to conllu t.en",
};

/* Sentences that are read, parsed and written together. */
struct window {
	struct parsing *parsing;
	struct parse_job *job;
	struct record **rec;		/* [records] the input records, if the input is a stream */
	int n, n_words, records;	/* sentences; their words; records allocated so far */
	int64_t read;			/* sentences read so far, in all windows */
	struct dep_fields field;
	struct arena words;
	struct moses *moses;		/* the tokenizer of --text, or NULL */
	struct buf line;
	struct dep_sentence dep;
	struct progress progress;
};

/*
 * Adds a sentence to the window: a copy of s, split into words at the characters in `blanks`.  A
 * tab or line end inside a word becomes '_', because neither brackets nor columns can hold it.
 */
static void
take_words(struct window *w, const char *s, size_t n, const char *blanks)
{
	struct parse_job *job = &w->job[w->n++];
	char *copy = arena_get(&w->words, n + 1);
	const char **word = ARENA_ARRAY(&w->words, const char *, n / 2 + 1);
	int k = 0;

	memcpy(copy, s, n);
	copy[n] = 0;
	for (char *at = copy; *at; at++)
		if (strchr("\t\r\n", *at) && !strchr(blanks, *at))
			*at = '_';
	for (char *at = copy; *at;) {
		at += strspn(at, blanks);
		if (*at)
			word[k++] = at;
		at += strcspn(at, blanks);
		if (*at)
			*at++ = 0;
	}
	w->n_words += k;
	*job = (struct parse_job){ .word = word, .n = k, .number = (uint32_t)w->read++ };
}

static void
parse_window(struct window *w)
{
	parsing_begin(w->parsing);
	parsing_window(w->parsing, w->job, w->n);
	if (!quiet)
		progress_at(&w->progress, w->read, "%lld split",
			    (long long)parsing_counts(w->parsing).split);
}

/* --- output */

static void
set_labels(struct record *rec, const char *field, const char *const *text_, int n,
	   struct arena *mem)
{
	struct str *v = ARENA_ARRAY(mem, struct str, n);

	for (int i = 0; i < n; i++)
		v[i] = (struct str){ text_[i], strlen(text_[i]) };
	record_set_strs(rec, field, v, (size_t)n);
}

static void
fill_record(struct window *w, struct record *rec, const struct parse_job *job,
	    const struct parse_settings *set)
{
	const struct dep_fields *name = &w->field;

	if (set->arcs) {
		record_set_ints(rec, name->heads, job->head, (size_t)(job->head ? job->n : 0));
		set_labels(rec, name->rels, job->rel, job->head ? job->n : 0, &w->words);
	}
	if (set->spans)
		record_set_str(rec, name->tree, job->tree ? job->tree : "",
			       job->tree ? strlen(job->tree) : 0);
}

static int
write_conllu(struct window *w, const struct parse_job *job, struct output *out, struct err *e)
{
	dep_sentence_clear(&w->dep);
	for (int i = 0; i < job->n; i++) {
		const char *form = job->word[i];
		struct dep_word *word = dep_sentence_add(&w->dep, form, strlen(form));

		if (job->upos)
			word->upos = job->upos[i];
		if (job->xpos)
			word->xpos = job->xpos[i];
		if (job->head) {
			word->head = job->head[i];
			word->rel = job->rel[i];
		}
	}
	w->dep.has_heads = job->head != NULL;
	buf_clear(&w->line);
	conllu_write(&w->dep, &w->line);
	return output_write(out, w->line.data, w->line.n, e);
}

static int
write_texts(struct window *w, struct output *out, struct err *e)
{
	for (int i = 0; i < w->n; i++) {
		const struct parse_job *job = &w->job[i];

		if (to == TO_CONLLU) {
			if (write_conllu(w, job, out, e))
				return -1;
			continue;
		}
		if ((job->tree && output_write(out, job->tree, strlen(job->tree), e)) ||
		    output_write(out, "\n", 1, e))
			return -1;
	}
	return 0;
}

static int
write_records(struct window *w, const struct parse_settings *set, struct writer *out, struct err *e)
{
	for (int i = 0; i < w->n; i++) {
		fill_record(w, w->rec[i], &w->job[i], set);
		if (writer_put(out, w->rec[i], e))
			return -1;
	}
	return 0;
}

/* --- input */

/* Reads one sentence into the window: 1, 0 at the end, -1 on error. */
static int
read_line(struct window *w, struct input *in, struct err *e)
{
	const char *line;
	size_t n;
	int r = input_line(in, &line, &n, e);

	if (r <= 0)
		return r;
	if (w->moses) {
		buf_clear(&w->line);
		moses_tokenize(w->moses, line, n, false, false, &w->line);
		line = w->line.n ? w->line.data : "";
		n = w->line.n;
	}
	take_words(w, line, n, " \t\r");
	return 1;
}

static int
read_record(struct window *w, struct reader *in, struct err *e)
{
	struct record *rec;
	struct str s;
	int r = reader_next(in, &rec, e);

	if (r <= 0)
		return r;
	if (w->n == w->records)
		w->rec[w->records++] = record_new();
	record_clear(w->rec[w->n]);
	if (record_copy(w->rec[w->n], rec) || record_text(rec, w->field.text, &s, e))
		return err_wrap(e, "%s", reader_where(in));
	take_words(w, s.s, s.n, " ");
	return 1;
}

/* --- the loop */

/* Input and output are text or a stream each; the other pointer is NULL. */
struct from { struct input *text; struct reader *records; };
struct into { struct output *text; struct writer *records; };

/* Reads sentences until the window is full: 1, 0 at the end, -1 on error. */
static int
fill_window(struct window *w, const struct from *in, struct err *e)
{
	int r = 1;

	w->n = w->n_words = 0;
	arena_rewind(&w->words);
	while (r > 0 && w->n < WINDOW && w->n_words < WINDOW_WORDS)
		r = in->text ? read_line(w, in->text, e) : read_record(w, in->records, e);
	return r;
}

/* Checks the first window only, so that the warning comes before most of the time is spent. */
static void
warn_of_joined(const struct window *w)
{
	struct joined j = { 0 };

	for (int i = 0; i < w->n; i++)
		joined_add(&j, w->job[i].word, w->job[i].n);
	if (joined_mostly(&j))
		warn("%lld of the first %d sentences have punctuation attached to words%s%s%s, "
		     "expected tokens: run tokenize(1) first", (long long)j.joined, w->n,
		     *j.example ? ", such as '" : "", j.example, *j.example ? "'" : "");
}

static int
loop(struct window *w, const struct parse_settings *set, const struct from *in,
     const struct into *out, struct err *e)
{
	int r;

	do {
		r = fill_window(w, in, e);
		if (r < 0)
			return -1;
		if (w->read == w->n && !quiet)
			warn_of_joined(w);
		parse_window(w);
		if (out->text ? write_texts(w, out->text, e) :
				write_records(w, set, out->records, e))
			return -1;
	} while (r);
	return 0;
}

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

static struct writer *
open_records(const struct window *w, const struct parse_settings *set, struct reader *in,
	     unsigned flags, struct err *e)
{
	struct field adds[4] = { { 0 } };
	struct writer *out;
	int n = 0;

	if (set->arcs) {
		adds[n++] = (struct field){ w->field.heads, "[int]", 0 };
		adds[n++] = (struct field){ w->field.rels, "[str]", 0 };
	}
	if (set->spans)
		adds[n++] = (struct field){ w->field.tree, "str", 0 };
	out = writer_open(output, "sentence", reader_header(in), adds, flags, e);
	if (out)
		reader_notes_to(in, out);
	return out;
}

static int
open_both(const struct window *w, const struct parse_settings *set, const char *path,
	  struct from *in, struct into *out, struct err *e)
{
	const unsigned flags = (force ? STREAM_FORCE : 0u) | (cli_no_pg ? STREAM_NO_PG : 0u);
	const struct field needs[] = { { w->field.text, "str", 0 }, { 0 } };

	if (text || tokens)
		in->text = open_text(path, e);
	else
		in->records = reader_open(path, "sentence", needs, flags, e);
	if (!in->text && !in->records)
		return -1;
	if (to == TO_STREAM)
		out->records = open_records(w, set, in->records, flags, e);
	else
		out->text = output_open(output, 0, e);
	return out->text || out->records ? 0 : -1;
}

static void
run(struct window *w, const struct parse_settings *set, const char *path)
{
	struct from in = { NULL, NULL };
	struct into out = { NULL, NULL };
	struct err e;

	if (open_both(w, set, path, &in, &out, &e))
		die(&e);
	if (loop(w, set, &in, &out, &e)) {
		output_abandon(out.text);
		writer_abandon(out.records);
		die(&e);
	}
	if (out.text ? output_finish(out.text, &e) : writer_finish(out.records, &e))
		die(&e);
	input_close(in.text);
	reader_close(in.records);
}

static void
open_parser(struct parser *p)
{
	struct bundle_in *b;
	struct err e;

	b = model ? parser_read(p, model, false, &e) : embedded_parser(p, lang, &e);
	if (!b || bundle_in_close(b, 0, &e))
		die(&e);
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
window_open(struct window *w, const struct parse_settings *set)
{
	struct err e;

	w->parsing = parsing_new(set, &e);
	if (!w->parsing)
		die(&e);
	w->job = xcalloc(WINDOW, sizeof(*w->job));
	w->rec = xcalloc(WINDOW, sizeof(*w->rec));
	dep_fields_of(&w->field, sides[side]);
	arena_init(&w->words, 0);
	dep_sentence_init(&w->dep);
	if (text)
		w->moses = moses_new(lang);
	progress_start(&w->progress, "sentences", 0);
	w->progress.visible &= !quiet;
}

static void
window_close(struct window *w)
{
	struct parsing_counts counts = parsing_counts(w->parsing);

	progress_end(&w->progress);
	if (counts.split && !quiet)
		warn("%lld sentences of more than %lld words were parsed in parts",
		     (long long)counts.split, (long long)max_words);
	if (counts.fallbacks && !quiet)
		warn("%lld sentences or parts without a parse by the grammar "
		     "have right-branching trees",
		     (long long)counts.fallbacks);
	parsing_free(w->parsing);
	for (int i = 0; i < w->records; i++)
		record_free(w->rec[i]);
	free(w->rec);
	free(w->job);
	arena_release(&w->words);
	dep_sentence_release(&w->dep);
	moses_free(w->moses);
	buf_release(&w->line);
}

static void
parse(struct window *w, const struct parser *parser, const struct pcfg *grammar, const char *path)
{
	struct network *net = parser->network;
	const struct parse_settings set = {
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
	window_open(w, &set);
	run(w, &set, path);
}

int
main(int argc, char **argv)
{
	struct parser parser = { 0 };
	struct window w = { 0 };
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
	if (text && !moses_is_language(lang))
		die_usage("--lang is '%s', expected two or three lower-case letters", lang);
	if (pcfg && (control >= 0 || to == TO_CONLLU))
		die_usage(to == TO_CONLLU ? "--pcfg predicts no dependencies, expected --to ptb" :
			  "--pcfg and --control, expected one of them");
	if (control >= 0 && model)
		die_usage("--model and --control, expected one of them");
	if (pcfg)
		grammar = open_grammar();
	else if (control < 0)
		open_parser(&parser);
	parse(&w, &parser, grammar, operand[0]);
	window_close(&w);
	parser_release(&parser);
	pcfg_free(grammar);
	return cli_end(EXIT_OK);
}
