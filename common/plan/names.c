/* names: values that depend on what is made; see plan.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/engine.h"
#include "plan/plan.h"

struct named {
	const struct scope *s;
	const char *arg; /* the text after the name */
	struct buf *out;
	struct err *e;
};

/* --- arguments --- */

/* A word of the argument: a number, or a key whose value is one. */
static int
number(const struct named *n, const char *word, int64_t *v)
{
	const char *text = word;
	struct err e;

	if (num_int(word, strlen(word), 0, INT32_MAX, v, &e)) {
		text = n->s->paper ? setting(n->s, word, n->e) : "";
		if (!text)
			return -1;
		if (num_int(text, strlen(text), 0, INT32_MAX, v, &e))
			return scope_fault(n->s, n->e, "%s is '%s', expected a number", word, text);
	}
	return 0;
}

/* The words of the argument, whose names are expanded. */
static int
arguments(const struct named *n, size_t least, struct list *words)
{
	const char *text = expanded(n->s, n->arg, n->e);

	if (!text)
		return -1;
	*words = list_words(n->s->p->a, text);
	return words->n >= least ? 0
				 : scope_fault(n->s, n->e, "'%s', expected %zu words", text, least);
}

/* {tenth KEY}: a tenth, plus 1. */
static int
add_tenth(const struct named *n)
{
	struct list word;
	int64_t v;

	if (arguments(n, 1, &word) || number(n, word.s[0], &v))
		return -1;
	buf_printf(n->out, "%lld", (long long)(v / 10 + 1));
	return 1;
}

/* {sum KEY KEY} */
static int
add_sum(const struct named *n)
{
	int64_t v, sum = 0;
	struct list word;

	if (arguments(n, 2, &word))
		return -1;
	for (size_t i = 0; i < word.n; i++, sum += v)
		if (number(n, word.s[i], &v))
			return -1;
	buf_printf(n->out, "%lld", (long long)sum);
	return 1;
}

/* {word N WORD...}: one of the words. */
static int
add_word(const struct named *n)
{
	struct list word;
	int64_t i;

	if (arguments(n, 2, &word) || number(n, word.s[0], &i))
		return -1;
	if (i < 1 || (size_t)i >= word.n)
		return scope_fault(n->s, n->e, "word %lld of %zu", (long long)i, word.n - 1);
	buf_add_str(n->out, word.s[i]);
	return 1;
}

/* {steps VARIANT KEY}: the updates of the run of another variant, and some more. */
static int
add_steps(const struct named *n)
{
	const struct run *r = n->s->run;
	struct list word;
	int64_t more;

	if (arguments(n, 2, &word) || number(n, word.s[1], &more))
		return -1;
	if (!n->s->shell || !r)
		buf_printf(n->out, "@%s+%lld", word.s[0], (long long)more);
	else
		buf_printf(n->out,
			   "$(nmt-info %s/run/%s/%s/%s/%s/model.tar | awk '$1 == \"step\" "
			   "{ print $2 + %lld }')",
			   n->s->p->work, r->paper->name, r->column, word.s[0], r->seed,
			   (long long)more);
	return 1;
}

/* {closed OPTION}: the option and the list of masked heads; nothing if no head is masked. */
static int
add_closed(const struct named *n)
{
	const struct run *r = n->s->run;

	if (!r || !r->before[RUN_CLOSED])
		return 1;
	if (!n->s->shell)
		buf_printf(n->out, "%s@/%s/%s", n->arg, r->closed, r->how);
	else
		buf_printf(n->out, "\1$(sed 's|^.|%s&|' %s/run/%s/closed.%s)", n->arg,
			   n->s->p->work, r->before[RUN_CLOSED], r->how);
	return 1;
}

/* --- data --- */

const struct list *
codes_files(const struct scope *s, struct err *e)
{
	struct arena *a = s->p->a;
	const char *merges = setting(s, "merges", e),
		   *sides = merges ? setting(s, "codes", e) : NULL;
	struct list *files = arena_zero(a, sizeof(*files)), side;

	if (!sides)
		return NULL;
	side = list_words(a, *sides ? sides : "");
	for (size_t i = 0; i < (side.n ? side.n : 1); i++)
		list_add(a, files,
			 text_print(a, "%s/codes/%s/%s%s", s->p->work, s->column, merges,
				    side.n ? side.s[i] : ""));
	return files;
}

static int
add_bpe(const struct named *n)
{
	const struct list *files = n->s->paper ? codes_files(n->s, n->e) : NULL;

	if (!files)
		return n->s->paper ? -1 : 0;
	buf_add_str(n->out, "bpe-apply");
	for (size_t i = 0; i < files->n; i++) {
		const char *dot = strrchr(files->s[i], '.');
		const bool one = dot && (!strcmp(dot, ".src") || !strcmp(dot, ".tgt"));

		if (one)
			buf_printf(n->out, " --%s-codes %s", dot + 1, files->s[i]);
		else
			buf_printf(n->out, " -c %s", files->s[i]);
	}
	return 1;
}

static int
add_parser(const struct named *n, const char *side)
{
	struct scope s = *n->s;
	const char *file;
	bool trained;

	s.side = side;
	file = parser_file(&s, &trained);
	buf_printf(n->out, "parse -q --side %s --language %s%s%s", side,
		   column_language(s.p->a, s.column, side), file && trained ? " -m " : "",
		   file && trained ? file : "");
	return 1;
}

/* Names that end with a side: own trees, parsers, and what follows parsers. */
static int
side_value(const struct named *n, const char *name, const char *side)
{
	struct scope s = *n->s;
	bool trained;

	s.side = side;
	if (!strncmp(name, "own-", 4))
		buf_add_str(n->out, trees_command(&s));
	else if (!strncmp(name, "phrases-", 8))
		buf_add_str(n->out, parser_phrases(&s));
	else if (!strncmp(name, "known-", 6))
		buf_add_str(n->out, parser_file(&s, &trained) ? "yes" : "");
	else if (!strncmp(name, "treed-", 6))
		buf_add_str(n->out, parser_file(&s, &trained) || *trees_command(&s) ? "yes" : "");
	else
		return add_parser(n, side);
	return 1;
}

/* --- runs and files of a paper --- */

static const char *
argument(const struct named *n)
{
	const char *text = expanded(n->s, n->arg, n->e);

	return text ? text : "";
}

/* {variant-of RUN}, and {entry-of RUN}: its folder in the ledger. */
static int
add_variant_of(const struct named *n)
{
	buf_add_str(n->out, name_part(n->s->p->a, argument(n), 2));
	return 1;
}

static int
add_entry_of(const struct named *n)
{
	buf_add_str(n->out, entry_of_run(n->s->p, argument(n)));
	return 1;
}

/* {label-of VARIANT}: a command of the shell that prints its label in the tables of the paper. */
static int
add_label_of(const struct named *n)
{
	const char *variant = argument(n);
	bool named = false;

	for (size_t i = 0; i < n->s->paper->asked.n; i++)
		named = named || strncmp(n->s->paper->asked.s[i], "claims", 6);
	if (named)
		buf_printf(n->out,
			   "\"$(awk -F '\\t' '$1 == \"%s\" { print $3 }' %s/brief/%s/names)\"",
			   variant, n->s->p->work, n->s->paper->name);
	else
		buf_add_str(n->out, variant);
	return 1;
}

/* The caption of a table or figure, NAME or .../NAME.SUFFIX. */
static const char *
caption_of(const struct named *n, const char *file)
{
	static const char *const own[][2] = {
		{ "curves", "Learning curves of the first seed: development NLL against updates; "
			    "fine-tuned "
			    "systems start at the end of their base; later points above the upper "
			    "limit are "
			    "drawn there" },
		{ "statistics", "Corpus and tree statistics" },
		{ "found", "Settings found by the searches" },
	};
	const char *slash = strrchr(file, '/'), *caption, *name;

	name = text_copy(n->s->p->a, slash ? slash + 1 : file,
			 strcspn(slash ? slash + 1 : file, "."));
	caption = setting(n->s, text_print(n->s->p->a, "caption.%s", name), n->e);
	for (int i = 0; caption && !*caption && i < 3; i++)
		if (!strcmp(own[i][0], name))
			caption = own[i][1];
	return caption && !*caption ? name : caption;
}

static int
add_caption_of(const struct named *n)
{
	const char *caption = caption_of(n, argument(n));

	if (caption)
		buf_add_str(n->out, caption);
	return caption ? 1 : -1;
}

/* {table-part FILE}: options of heed-report for a table; in Markdown, it has a heading. */
static int
add_table_part(const struct named *n)
{
	const char *file = argument(n), *caption = caption_of(n, file);
	const bool markdown = !strcmp(file + strlen(file) - 3, ".md");

	if (!caption)
		return -1;
	buf_printf(n->out, markdown ? "--subheading " : "--table %s --caption ", file);
	add_quoted(n->out, caption);
	if (markdown)
		buf_printf(n->out, " --table %s", file);
	return 1;
}

static const char *const with_argument[] = { "tenth",	 "sum",	       "word",	     "steps",
					     "closed",	 "bpe",	       "variant-of", "entry-of",
					     "label-of", "caption-of", "table-part" };
static int (*const argument_value[])(const struct named *) = {
	add_tenth,	add_sum,      add_word,	    add_steps,	    add_closed,	    add_bpe,
	add_variant_of, add_entry_of, add_label_of, add_caption_of, add_table_part,
};
static const char *const of_sides[] = {
	"own-src",   "own-tgt",	  "phrases-src", "phrases-tgt", "known-src",
	"known-tgt", "treed-src", "treed-tgt",	 "parser-src",	"parser-tgt",
};

/* --- what is made --- */

enum { N_PLAIN = 18 };
static const char *const plain[N_PLAIN] = {
	"W",	 "R",	   "top",  "papers",  "PROFILE", "engine", "paper",    "column", "pair",
	"whole", "corpus", "seed", "variant", "split",	 "side",   "language", "drawn",	 "data",
};

static const char *
plain_value(const struct scope *s, int i)
{
	struct arena *a = s->p->a;

	switch (i) {
	case 0: return s->p->work;
	case 1: return s->p->results;
	case 2: return s->p->top;
	case 3: return text_print(a, "%ssrc/papers", s->p->top);
	case 4: return s->p->profile;
	case 5: return text_print(a, "%d", HEED_ENGINE);
	case 6: return s->paper ? s->paper->name : NULL;
	case 7: return s->run ? s->run->column : s->column;
	case 8: return s->column ? column_pair(a, s->column) : NULL;
	case 9: return s->column ? column_whole(a, s->column) : NULL;
	case 10: return s->column ? column_corpus(a, s->column) : NULL;
	case 11: return s->run ? s->run->seed : NULL;
	case 12: return s->run ? s->run->variant : NULL;
	case 13: return s->split;
	case 14: return s->side;
	case 15: return s->column && s->side ? column_language(a, s->column, s->side) : NULL;
	case 16: return s->run ? s->run->drawn : s->column;
	default: return s->run ? s->run->data : s->data;
	}
}

static int
find(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

enum {
	N_WITH = sizeof(with_argument) / sizeof(*with_argument),
	N_SIDES = sizeof(of_sides) / sizeof(*of_sides)
};

int
name_value(const struct scope *s, const char *name, const char *arg, struct buf *out, struct err *e)
{
	const struct named n = { s, arg, out, e };
	const char *value;
	int i = find(with_argument, N_WITH, name);

	if (i >= 0)
		return argument_value[i](&n);
	if (find(of_sides, N_SIDES, name) >= 0)
		return s->column ? side_value(&n, name, name + strlen(name) - 3) : 0;
	i = find(plain, N_PLAIN, name);
	value = i < 0 ? NULL : plain_value(s, i);
	if (value)
		buf_add_str(out, value);
	return value != NULL;
}

bool
name_known(const char *name)
{
	return find(with_argument, N_WITH, name) >= 0 || find(of_sides, N_SIDES, name) >= 0 ||
	       find(plain, N_PLAIN, name) >= 0;
}
