/* names: functions in texts, and names that depend on what is made; see plan.h. */
#include <string.h>

#include "base/num.h"
#include "plan/plan.h"

/* A call: the text after the name, with the values of its names, and the words of it. */
struct call {
	const struct scope *s;
	const char *arg;
	struct list word;
	struct buf *out;
};

/* --- numbers and words --- */

/* A word: a number, or a key whose value is one. */
static int64_t
number(const struct call *c, size_t i)
{
	const char *word = c->word.s[i], *text = word;
	struct err e;
	int64_t v = 0;

	if (!num_int(word, strlen(word), 0, INT32_MAX, &v, &e))
		return v;
	text = value_of(c->s, word);
	if (num_int(text, strlen(text), 0, INT32_MAX, &v, &e))
		fault_at(c->s, "%s is '%s', expected a number", word, text);
	return v;
}

static void
add_number(const struct call *c, int64_t v)
{
	buf_printf(c->out, "%lld", (long long)v);
}

/* {tenth KEY}: a tenth, plus 1. */
static void
expand_tenth(const struct call *c)
{
	add_number(c, number(c, 0) / 10 + 1);
}

/* {sum KEY KEY} */
static void
expand_sum(const struct call *c)
{
	int64_t all = 0;

	for (size_t i = 0; i < c->word.n; i++)
		all += number(c, i);
	add_number(c, all);
}

/* {word N WORD...}: one of the words. */
static void
expand_word(const struct call *c)
{
	const int64_t i = number(c, 0);

	if (i >= 1 && (size_t)i < c->word.n)
		buf_add_str(c->out, c->word.s[i]);
	else
		fault_at(c->s, "word %lld of %zu", (long long)i, c->word.n - 1);
}

/* {part N NAME}: part N of a name with slashes, from 0. */
static void
expand_part(const struct call *c)
{
	buf_add_str(c->out, name_part(c->s->p->a, c->word.s[1], (int)number(c, 0)));
}

/* {first WORD...} and {rest WORD...}: the first word, and the others. */
static void
expand_first(const struct call *c)
{
	buf_add_str(c->out, c->word.n ? c->word.s[0] : "");
}

static void
expand_rest(const struct call *c)
{
	buf_add_str(c->out, c->word.n > 1 ? strchr(c->arg, ' ') + 1 : "");
}

/* {after OPTION TEXT}: the word after the option, or nothing. */
static void
expand_after(const struct call *c)
{
	for (size_t i = 1; i + 1 < c->word.n; i++)
		if (!strcmp(c->word.s[i], c->word.s[0])) {
			buf_add_str(c->out, c->word.s[i + 1]);
			return;
		}
}

/* {base FILE}: the name of the file without folder and suffix; {suffix FILE}: "md" or the like. */
static void
expand_base(const struct call *c)
{
	const char *slash = strrchr(c->arg, '/'), *name = slash ? slash + 1 : c->arg;

	buf_add(c->out, name, strcspn(name, "."));
}

static void
expand_suffix(const struct call *c)
{
	const char *dot = strrchr(c->arg, '.');

	buf_add_str(c->out, dot ? dot + 1 : "");
}

/* {contents FILE}: the lines of a short file, separated by blanks. */
static void
expand_contents(const struct call *c)
{
	const char *text = text_of_file(c->s->p->a, c->arg);

	buf_add_str(c->out, text ? text : "");
}

/*
 * {sums OLD FILE...}: the checksums in these files, as "data=SUM"; if one is not there, those that
 * OLD.of has.
 */
static void
expand_sums(const struct call *c)
{
	struct arena *a = c->s->p->a;
	struct list all = { .n = 0 };
	const char *text = "";

	for (size_t i = 1; text && i < c->word.n; i++)
		if ((text = text_of_file(a, c->word.s[i])))
			list_add(a, &all, text_print(a, "data=%s", text));
	if (!text) {
		const char *of = text_of_file(a, text_print(a, "%s.of", c->word.s[0]));
		const struct list old = list_words(a, of ? of : "");

		all.n = 0;
		for (size_t i = 0; i < old.n; i++)
			if (has_prefix(old.s[i], "data="))
				list_add(a, &all, old.s[i]);
	}
	buf_add_str(c->out, list_text(a, &all));
}

/* {among WORD WORD...}: "yes" if the first word is among the others. */
static void
expand_among(const struct call *c)
{
	const struct list choices = { .s = c->word.s + 1, .n = c->word.n - 1 };

	if (list_has(&choices, c->word.s[0]))
		buf_add_str(c->out, "yes");
}

/* {others WORD WORD...}: the words other than the first. */
static void
expand_others(const struct call *c)
{
	for (size_t i = 1; i < c->word.n; i++)
		if (strcmp(c->word.s[i], c->word.s[0]))
			buf_printf(c->out, "%s ", c->word.s[i]);
}

/* {kept FILE...}: those that draw does not leave out. */
static void
expand_kept(const struct call *c)
{
	for (size_t i = 0; i < c->word.n; i++)
		if (!list_has(&c->s->p->left_out, c->word.s[i]) &&
		    !list_has(&c->s->p->dropped, c->word.s[i]))
			buf_printf(c->out, "%s ", c->word.s[i]);
}

/* --- options --- */

/* {last OPTION...}: of an option that is given twice, the last one counts. */
static void
expand_last(const struct call *c)
{
	buf_add_str(c->out, options_kept(c->s->p->a, c->arg, NULL));
}

/* {without NAME OPTION...}: without the option of that name. */
static void
expand_without(const struct call *c)
{
	buf_add_str(c->out,
		    options_kept(c->s->p->a, c->arg + strcspn(c->arg, " ") + 1, c->word.s[0]));
}

/* {steps VARIANT KEY}: the updates of the run of another variant, and some more. */
static void
expand_steps(const struct call *c)
{
	const struct run *r = c->s->run;
	const long long more = (long long)number(c, 1);

	if (c->s->home && !list_has(&c->s->home->variants, c->word.s[0]))
		fault_at(c->s, "{steps %s}: expected a variant", c->word.s[0]);
	if (!c->s->shell || !r)
		buf_printf(c->out, "@%s+%lld", c->word.s[0], more);
	else
		buf_printf(c->out,
			   "$(nmt-info %s/run/%s/%s/%s/%s/model.tar | awk '$1 == \"step\" "
			   "{ print $2 + %lld }')",
			   c->s->p->work, r->paper->name, r->column, c->word.s[0], r->seed, more);
}

/* {closed OPTION}: the option and the list of masked heads; nothing if no head is masked. */
static void
expand_closed(const struct call *c)
{
	const struct run *r = c->s->run;

	if (!r || !r->how)
		return;
	if (!c->s->shell)
		buf_printf(c->out, "%s@/%s/%s", c->arg,
			   name_part(c->s->p->a, r->before[RUN_CLOSED], 2), r->how);
	else
		buf_printf(c->out, "\1$(sed 's|^.|%s&|' %s/run/%s/closed.%s)", c->arg,
			   c->s->p->work, r->before[RUN_CLOSED], r->how);
}

/* --- BPE --- */

/* {bpe}: the command that splits tokens, with the files of {codes-files} in stages.in. */
static void
expand_bpe(const struct call *c)
{
	const char *file = text_print(c->s->p->a, "%s/codes/%s/%s", c->s->p->work,
				      scope_get(c->s, "drawn"), value_of(c->s, "merges"));
	const struct list sides = list_words(c->s->p->a, value_of(c->s, "codes"));

	buf_add_str(c->out, "bpe-apply");
	if (!sides.n)
		buf_printf(c->out, " -c %s", file);
	for (size_t i = 0; i < sides.n; i++)
		buf_printf(c->out, " --%.3s-%s %s%s", sides.s[i] + 1,
			   strchr(sides.s[i], '-') ? "spm" : "codes", file, sides.s[i]);
}

/* --- columns, sides and runs --- */

static void
expand_language(const struct call *c)
{
	const char *side = scope_get(c->s, "side");

	buf_add_str(c->out, column_language(c->s->p->a, scope_get(c->s, "column"),
					    side ? side : "src"));
}

/* {tree-sums}: the checksums of own trees. */
static void
expand_tree_sums(const struct call *c)
{
	buf_add_str(c->out, trees_sums(c->s));
}

/*
 * {scripts WORD...}: the checksums of the words that name files, such as the scripts in a command,
 * without those in the working folder, which have rules.
 */
static void
expand_scripts(const struct call *c)
{
	struct plan *p = c->s->p;
	const char *made = text_print(p->a, "%s/", p->work);

	for (size_t i = 0; i < c->word.n; i++)
		if (strchr(c->word.s[i], '/') && !has_prefix(c->word.s[i], made))
			buf_printf(c->out, "%s ", file_sum(p, c->word.s[i]));
}

/* {entry-of RUN}: its folder in the ledger. */
static void
expand_entry(const struct call *c)
{
	buf_add_str(c->out, entry_of(c->s->p, c->arg));
}

static const struct function {
	const char *name;
	size_t least;			/* words */
	void (*value)(const struct call *);
	const char *needs;		/* a name in the scope; NULL; or "": only in templates */
} functions[] = {
	{ "tenth", 1, expand_tenth, NULL },
	{ "sum", 2, expand_sum, NULL },
	{ "word", 2, expand_word, NULL },
	{ "part", 2, expand_part, "" },
	{ "first", 0, expand_first, "" },
	{ "rest", 0, expand_rest, "" },
	{ "after", 1, expand_after, "" },
	{ "base", 1, expand_base, "" },
	{ "suffix", 1, expand_suffix, "" },
	{ "among", 1, expand_among, "" },
	{ "others", 1, expand_others, "" },
	{ "kept", 0, expand_kept, "" },
	{ "contents", 1, expand_contents, "" },
	{ "sums", 1, expand_sums, "" },
	{ "last", 1, expand_last, "" },
	{ "without", 2, expand_without, "" },
	{ "steps", 2, expand_steps, NULL },
	{ "closed", 0, expand_closed, NULL },
	{ "bpe", 0, expand_bpe, "paper" },
	{ "language", 0, expand_language, "column" },
	{ "tree-sums", 0, expand_tree_sums, "column" },
	{ "entry-of", 1, expand_entry, "" },
	{ "scripts", 0, expand_scripts, "" },
};
enum { N_FUNCTIONS = sizeof(functions) / sizeof(*functions) };

/* Names of things that are made (scope_know()). */
static const char of_things[] = " W R top papers PROFILE engine paper column pair whole corpus "
				"sample seed variant split side drawn data ";
/* Names that end with a side: own trees, parsers, and what follows parsers. */
static const char of_sides[] = " own-src own-tgt phrases-src phrases-tgt known-src known-tgt "
			       "treed-src treed-tgt parser-src parser-tgt ";

static void
add_of_side(const struct scope *s, const char *name, struct buf *out)
{
	const char *side = name + strlen(name) - 3;
	bool trained = false;
	const char *file = *name == 'o' || has_prefix(name, "ph") ? NULL
								   : parser_file(s, side, &trained);

	if (*name == 'o')
		buf_add_str(out, trees_command(s, side));
	else if (has_prefix(name, "ph"))
		buf_add_str(out, parser_phrases(s, side));
	else if (*name == 'k')
		buf_add_str(out, file ? "yes" : "");
	else if (*name == 't')
		buf_add_str(out, file || *trees_command(s, side) ? "yes" : "");
	else
		buf_printf(out, "parse -q --side %s --language %s%s%s", side,
			   column_language(s->p->a, scope_get(s, "column"), side),
			   file && trained ? " -m " : "", file && trained ? file : "");
}

bool
function_value(const struct scope *s, const char *name, const char *arg, struct buf *out)
{
	struct call c = { .s = s, .out = out };
	const struct function *f = functions;

	if (has_word(of_sides, name)) {
		if (scope_get(s, "column"))
			add_of_side(s, name, out);
		return scope_get(s, "column");
	}
	while (f < functions + N_FUNCTIONS && strcmp(f->name, name))
		f++;
	if (f == functions + N_FUNCTIONS)
		return false;
	if (f->needs && !(*f->needs ? scope_get(s, f->needs) : s->place))
		return false;
	c.arg = expanded(s, arg);
	c.word = list_words(s->p->a, c.arg);
	if (c.word.n < f->least)
		fault_at(s, "'%s', expected %zu words", c.arg, f->least);
	else
		f->value(&c);
	return true;
}

bool
name_known(const char *name)
{
	for (int i = 0; i < N_FUNCTIONS; i++)
		if (!strcmp(functions[i].name, name) &&
		    (!functions[i].needs || *functions[i].needs))
			return true;
	return has_word(of_things, name) || has_word(of_sides, name);
}
