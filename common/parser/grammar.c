/* grammar: see grammar.h. */
#include "parser/grammar.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/output.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "parser/pcfg-parts.h"
#include "parser/treebank.h"
#include "stream/cells.h"
#include "stream/input.h"
#include "text/lines.h"

static int
add_trees(struct pcfg *g, const char *files, struct leave_out *leave_out, struct err *e)
{
	struct bank_reader r;
	int status = bank_open(&r, files, leave_out, e) ? -1 : 1;

	while (status > 0 && (status = bank_next(&r, e)) > 0)
		if (r.ptb)
			pcfg_add(g, &r.tree);
	bank_close(&r);
	return status;
}

static int
write_grammar(const struct pcfg *g, const char *path, struct err *e)
{
	struct buf text = { 0 };
	int r;

	pcfg_write(g, &text);
	r = output_all(path, 0, text.data, text.n, e);
	buf_release(&text);
	return r;
}

int
grammar_train(char *const *treebanks, const struct opt_list *without, const char *output,
	      struct err *e)
{
	struct leave_out leave_out;
	struct pcfg *g;
	int r = 0;

	if (output_check(output, e))
		return -1;
	g = pcfg_new(PCFG_ORDER);
	leave_out_init(&leave_out, without);
	for (; !r && *treebanks; treebanks++)
		r = add_trees(g, *treebanks, &leave_out, e);
	if (!r)
		leave_out_warn(&leave_out);
	leave_out_release(&leave_out);
	r = r || pcfg_finish(g, e) || write_grammar(g, output, e) ? -1 : 0;
	pcfg_free(g);
	return r;
}

bool
grammar_is(const char *path)
{
	static const char magic[] = "heed-pcfg	";
	char first[sizeof(magic) - 1];
	struct stat at;
	FILE *f = !stat(path, &at) && S_ISREG(at.st_mode) ? fopen(path, "r") : NULL;
	bool is = f && fread(first, 1, sizeof(first), f) == sizeof(first) &&
		  !memcmp(first, magic, sizeof(first));

	if (f)
		fclose(f);
	return is;
}

struct pcfg *
grammar_read(const char *path, struct err *e)
{
	struct pcfg *g = NULL;
	struct buf text = { 0 };

	if (!lines_read_all(path, &text, e)) {
		g = pcfg_read(text.data, text.n, e);
		if (!g && input_is_tar(text.data, text.n)) {
			err_set(e, EXIT_INPUT, "%s is a tar file, such as a parser, expected a "
				"grammar", path);
			err_hint(e, "omit --pcfg");
		} else if (!g) {
			err_wrap(e, "%s", path);
		}
	}
	buf_release(&text);
	return g;
}

/* --- text --- */

#define MAX_COUNT ((int64_t)1 << 40)

enum { MAX_FIELDS = 5 };

/* Appends a line for each count: name, labels, parts and words of the key, and the count. */
static void
write_counts(const struct pcfg *g, const char *name, const struct word_count *c, struct buf *out)
{
	for (int i = 0; i < (int)c->words.n; i++) {
		int key[3];
		size_t bytes;
		const char *p = strmap_text(&c->words, i, &bytes);

		memcpy(key, p, bytes);
		buf_add_str(out, name);
		for (size_t k = 0; k < bytes / sizeof(*key) && key[k] != NO_SYMBOL; k++)
			buf_printf(out, "\t%s", c == &g->lex && k == 1 ?
				   strmap_text(&g->word, key[k], NULL) :
				   pcfg_symbol_name(g, key[k]));
		buf_printf(out, "\t%lld\n", (long long)c->count[i]);
	}
}

void
pcfg_write(const struct pcfg *g, struct buf *out)
{
	buf_add_str(out, "heed-pcfg\t1\n");
	write_counts(g, "root", &g->root, out);
	write_counts(g, "rule", &g->rule, out);
	write_counts(g, "word", &g->lex, out);
	buf_printf(out, "end\t%zu\n", g->root.words.n + g->rule.words.n + g->lex.words.n + 1);
}

/* Reading */

struct grammar_lines {
	struct text_line line;
	struct str field[MAX_FIELDS];
	int n_fields;
};

static int
malformed(struct err *e, const char *message)
{
	return err_set(e, EXIT_INPUT, "%s, expected tab-separated fields: root LABEL count, "
		       "rule PARENT CHILD count, rule PARENT LEFT RIGHT count, "
		       "word TAG WORD count, or end", message);
}

static int
split_fields(struct grammar_lines *l, struct err *e)
{
	struct str rest = { l->line.s, l->line.n }, f;

	l->n_fields = 0;
	while (cell_next(&rest, &f)) {
		if (l->n_fields == MAX_FIELDS)
			return malformed(e, "too many fields");
		if (!f.n)
			return malformed(e, "an empty field");
		l->field[l->n_fields++] = f;
	}
	return 0;
}

static int
pcfg_file_next_line(struct grammar_lines *l, struct err *e)
{
	const char *s;

	if (!text_line_next(&l->line)) {
		l->line.number++;
		return err_set(e, EXIT_INPUT, "no more lines, expected end");
	}
	if (!l->line.ended)
		return err_set(e, EXIT_INPUT, "a truncated line, expected a line end");
	s = l->line.s;
	for (size_t i = 0; i < l->line.n; i++)
		if ((unsigned char)s[i] < ' ' && s[i] != '\t')
			return err_set(e, EXIT_INPUT, "a control character (%d)", s[i]);
	if (utf8_check(s, l->line.n) < l->line.n)
		return err_set(e, EXIT_INPUT, "not UTF-8, expected UTF-8");
	return split_fields(l, e);
}

/* The kinds of lines: their fields between the name and the count, and where these are counted. */
struct kind {
	const char *name;
	const char *fields;		/* l: a label; s: a label or part; w: a word */
	struct word_count *counts;
	size_t n_key;			/* numbers of the key */
};

/* Labels have no spaces; names of parts of phrases, which begin with @, may. */
static int
read_key_item(struct pcfg *g, char type, struct str f, int *number, struct err *e)
{
	const bool part = type == 's' && *f.s == '@';

	if (type == 'w') {
		*number = strmap_add(&g->word, f.s, f.n);
		return 0;
	}
	if (!part && (*f.s == '@' || memchr(f.s, ' ', f.n)))
		return err_set(e, EXIT_INPUT, "'%.*s', expected a label without @ and spaces",
			       (int)(f.n < 60 ? f.n : 60), f.s);
	*number = pcfg_symbol(g, f.s, f.n);
	return 0;
}

static int
read_counted(struct pcfg *g, const struct kind *k, const struct str *f, struct err *e)
{
	const struct str last = f[strlen(k->fields) + 1];
	const size_t before = k->counts->words.n;
	int key[3] = { 0, 0, NO_SYMBOL };	/* a label, struct rule_key or struct lex_key */
	int64_t count;
	int n = 0;

	if (num_int(last.s, last.n, 1, MAX_COUNT, &count, e)) {
		e->status = EXIT_INPUT;
		return -1;
	}
	for (; k->fields[n]; n++)
		if (read_key_item(g, k->fields[n], f[n + 1], &key[n], e))
			return -1;
	if (k->counts == &g->rule && n == 2 && key[0] == key[1])
		return err_set(e, EXIT_INPUT, "a unary rule from a label to itself");
	word_count_add(k->counts, key, k->n_key * sizeof(*key), count);
	if (k->counts->words.n == before)
		return err_set(e, EXIT_INPUT, "a duplicate line, expected each only once");
	return 0;
}

static int
read_entry(struct pcfg *g, const struct grammar_lines *l, struct err *e)
{
	const struct kind kind[] = {
		{ "root", "l", &g->root, 1 }, { "rule", "ll", &g->rule, 3 },
		{ "rule", "sls", &g->rule, 3 }, { "word", "lw", &g->lex, 2 },
	};

	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++)
		if (str_is(l->field[0], kind[i].name) &&
		    (size_t)l->n_fields == strlen(kind[i].fields) + 2)
			return read_counted(g, &kind[i], l->field, e);
	return malformed(e, "a line of another kind");
}

/* The line has the number of lines before it. */
static int
pcfg_file_read_end(const struct grammar_lines *l, struct err *e)
{
	int64_t n;

	if (l->n_fields != 2 || num_int(l->field[1].s, l->field[1].n, 0, INT64_MAX, &n, e) ||
	    n != (int64_t)l->line.number - 1)
		return err_set(e, EXIT_INPUT, "end with another number of lines, expected %zu",
			       l->line.number - 1);
	if (l->line.rest != l->line.end)
		return err_set(e, EXIT_INPUT, "text after end, expected nothing");
	return 0;
}

static int
pcfg_file_read_lines(struct pcfg *g, struct grammar_lines *l, struct err *e)
{
	if (pcfg_file_next_line(l, e))
		return -1;
	if (l->n_fields != 2 || !str_is(l->field[0], "heed-pcfg"))
		return err_set(e, EXIT_INPUT, "not a grammar, expected heed-pcfg, a tab and 1");
	if (!str_is(l->field[1], "1"))
		return err_set(e, EXIT_INPUT, "a grammar of format %.*s, expected 1",
			       (int)(l->field[1].n < 60 ? l->field[1].n : 60), l->field[1].s);
	for (;;) {
		if (pcfg_file_next_line(l, e))
			return -1;
		if (str_is(l->field[0], "end"))
			return pcfg_file_read_end(l, e);
		if (read_entry(g, l, e))
			return -1;
	}
}

struct pcfg *
pcfg_read(const char *text, size_t n, struct err *e)
{
	struct grammar_lines l = { .line = text_lines(text, n) };
	struct pcfg *g = pcfg_new(PCFG_ORDER);

	if (pcfg_file_read_lines(g, &l, e))
		err_wrap(e, "line %zu", l.line.number);
	else if (pcfg_finish(g, e) == 0)
		return g;
	pcfg_free(g);
	return NULL;
}
