/* expand: texts with names in braces; see plan.h. */
#include <ctype.h>
#include <string.h>

#include "plan/plan.h"

enum { DEEPEST = 40 };

/* --- names of things --- */

struct scope
scope_of(struct plan *p, const struct paper *paper, const char *column)
{
	struct scope s = { .p = p, .paper = paper, .home = paper, .known = p->vars };

	if (paper)
		scope_know(&s, "paper", paper->name);
	if (column)
		scope_know_column(&s, column);
	return s;
}

static void
push(struct plan *p, const struct var **list, const char *name, const char *value)
{
	struct var *v = arena_get(p->a, sizeof(*v));

	*v = (struct var){ name, value ? value : "", *list };
	*list = v;
}

void
scope_set(struct scope *s, const char *name, const char *value)
{
	push(s->p, &s->var, name, value);
}

void
scope_know(struct scope *s, const char *name, const char *value)
{
	push(s->p, &s->known, name, value);
}

void
scope_know_column(struct scope *s, const char *column)
{
	struct arena *a = s->p->a;
	const char *size = column_size(column), *dot = size ? strchr(size, '.') : NULL;

	scope_know(s, "column", column);
	scope_know(s, "drawn", column);
	scope_know(s, "whole", column_whole(a, column));
	scope_know(s, "pair", column_pair(a, column));
	scope_know(s, "corpus", column_corpus(a, column));
	scope_know(s, "sample",
		   dot ? text_print(a, "heed-sample -n %.*s -s %s |", (int)(dot - size), size,
				    dot + 1)
		       : "");
}

static const char *
find_var(const struct var *v, const char *name)
{
	for (; v; v = v->next)
		if (!strcmp(v->name, name))
			return v->value;
	return NULL;
}

const char *
scope_get(const struct scope *s, const char *name)
{
	const char *own = find_var(s->var, name);

	return own ? own : find_var(s->known, name);
}

/* --- values --- */

void
expand_key(const struct scope *s, const struct keyfile_entry *k, const struct paper *home,
	   struct buf *out)
{
	struct scope inner = *s;

	inner.from = k;
	inner.place = NULL;
	inner.home = home;
	inner.rule = false;
	inner.var = NULL;
	if (++inner.depth > DEEPEST)
		fault_key(s->p, k, "it refers to itself");
	else
		expand(&inner, k->value, out);
}

/* A definition of stages.in, for templates. */
static bool
add_definition(const struct scope *s, const char *name, const char *arg, struct buf *out)
{
	const char *text = s->place ? find_var(s->p->lets, name) : NULL;
	struct scope inner = *s;

	if (!text)
		return false;
	inner.rule = false;
	if (*arg)
		scope_set(&inner, "it", expanded(&inner, arg));
	if (++inner.depth > DEEPEST)
		fault_at(s, "{%s}: it refers to itself", name);
	else
		expand(&inner, text, out);
	return true;
}

/* The key that a name stands for: of the paper, a setting, of another paper, or of a parser. */
static const struct keyfile_entry *
find_key(const struct scope *s, const char *name, const struct paper **home)
{
	const char *dot = strchr(name, '.');
	const struct keyfile_entry *k = NULL;
	struct scope there = *s;

	*home = s->home;
	if (isupper((unsigned char)*name))
		return keyfile_find(&s->p->conf, name);
	if (s->home)
		k = nearest_key(s, name);
	if (k || !dot)
		return k;
	there.from = NULL;
	there.home = plan_paper(s->p, text_copy(s->p->a, name, (size_t)(dot - name)));
	*home = there.home;
	return there.home ? nearest_key(&there, dot + 1) : keyfile_find(&s->p->conf, name);
}

static void
add_value(const struct scope *s, const char *name, const char *arg, struct buf *out)
{
	const char *value = scope_get(s, name);
	const struct keyfile_entry *k;
	const struct paper *home;

	if (value)
		buf_add_str(out, value);
	else if (add_definition(s, name, arg, out) || function_value(s, name, arg, out))
		return;
	else if ((k = find_key(s, name, &home)))
		expand_key(s, k, home, out);
	else if (!s->home || !is_key(s->p, name)) /* else a key that is not set */
		fault_at(s, "{%s}: there is no such key or name%s", name,
			 s->from ? "" : "; are the programs older than this file?");
}

/* --- names in braces --- */

/* The length of "{...}" with the braces in it; 0 if it does not end. */
static size_t
brace_length(const char *s)
{
	int depth = 0;

	for (size_t i = 0; s[i]; i++) {
		depth += (s[i] == '{') - (s[i] == '}');
		if (!depth)
			return i + 1;
	}
	return 0;
}

/* Whether a brace begins a name, and not a group or variable of a shell, or a block of awk. */
static bool
begins_name(const char *text, const char *s)
{
	if (s > text && s[-1] == '$')
		return false;
	s += 1 + (strchr("?!'", s[1]) && s[1]);
	return isalpha((unsigned char)*s);
}

/* Appends a value, as a word of a shell if it is quoted; in rules of make, $ is doubled. */
static void
add_text(const struct scope *s, const char *text, bool quoted, struct buf *out)
{
	if (quoted)
		buf_add_char(out, '\'');
	for (; *text; text++)
		if (quoted && *text == '\'')
			buf_add_str(out, "'\\''");
		else if (s->rule && *text == '$')
			buf_add_str(out, "$$");
		else
			buf_add_char(out, *text);
	if (quoted)
		buf_add_char(out, '\'');
}

static void
add_each(const struct scope *s, const char *body, struct buf *out)
{
	const size_t n = strcspn(body, " ");
	struct scope inner = *s;
	struct list words;

	inner.rule = false;
	words = list_words(s->p->a,
			   expanded(&inner, text_print(s->p->a, "{%.*s}", (int)n, body)));
	inner.rule = s->rule;
	for (size_t i = 0; i < words.n; i++) {
		scope_set(&inner, "it", words.s[i]);
		if (i)
			buf_add_char(out, ' ');
		expand(&inner, body + n + (body[n] == ' '), out);
	}
}

/* One name, the text between its braces. */
static void
expand_name(const struct scope *s, const char *inside, struct buf *out)
{
	const char mark = *inside, *body;
	struct scope plain = *s;
	struct buf name = { 0 }, value = { 0 };
	size_t n, depth = 0;

	inside += strchr("?!'", mark) != NULL;
	for (n = 0; inside[n] && (depth || inside[n] != ' '); n++) /* names may have names */
		depth += (size_t)(inside[n] == '{') - (size_t)(inside[n] == '}');
	body = inside + n + (inside[n] == ' ');
	if (n == 4 && !strncmp(inside, "each", 4)) {
		add_each(s, body, out);
		return;
	}
	plain.rule = false;
	expand(&plain, text_copy(s->p->a, inside, n), &name);
	buf_add_str(&value, "");
	add_value(&plain, name.data, mark == '?' || mark == '!' ? "" : body, &value);
	if (mark != '?' && mark != '!')
		add_text(s, value.data, mark == '\'', out);
	else if ((mark == '?') == (value.data[strspn(value.data, " ")] != '\0'))
		expand(s, body, out);
	buf_release(&name);
	buf_release(&value);
}

void
expand(const struct scope *s, const char *text, struct buf *out)
{
	const char *at = text;

	buf_add_str(out, "");
	while (*at && !s->p->bad) {
		const size_t n = *at == '{' && begins_name(text, at) ? brace_length(at) : 1;

		if (!n)
			fault_at(s, "'%.40s': expected }", at);
		else if (n == 1)
			buf_add_char(out, *at);
		else
			expand_name(s, text_copy(s->p->a, at + 1, n - 2), out);
		at += n;
	}
}

const char *
expanded(const struct scope *s, const char *text)
{
	struct buf b = { 0 };
	struct list words;

	expand(s, text, &b);
	words = list_words(s->p->a, b.data);
	buf_release(&b);
	return list_text(s->p->a, &words);
}
