/* expand: texts with names in braces; see plan.h. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "plan/plan.h"

enum { DEEPEST = 40 };

int
scope_fault(const struct scope *s, struct err *e, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (s->from)
		keyfile_fault(s->from, e, "%s", b.data);
	else
		err_set(e, EXIT_INPUT, "%s", b.data);
	buf_release(&b);
	return -1;
}

/* --- values of keys and settings --- */

/* A key of the home paper among those of the command line or of files, those with most suffixes
 * first. */
static const struct keyfile_entry *
nearest_key(const struct scope *s, const char *key, bool given)
{
	struct arena *a = s->p->a;
	const char *pair = s->column ? column_pair(a, s->column) : "";
	const char *size = s->column ? column_size(s->column) : NULL;
	const struct keyfile_entry *found = NULL;
	const char *name[4] = {
		text_print(a, "%s.%s.%s.%s", s->home, key, s->p->profile, pair),
		text_print(a, "%s.%s.%s", s->home, key, s->p->profile),
		text_print(a, "%s.%s.%s", s->home, key, pair),
		text_print(a, "%s.%s", s->home, key),
	};

	for (int i = 0; i < 8; i++) {
		const char *n = i % 2  ? name[i / 2]
				: size ? text_print(a, "%s@%.*s", name[i / 2],
						    (int)strcspn(size, "."), size)
				       : NULL;
		const struct keyfile_entry *k = !n	? NULL
						: given ? keyfile_given(&s->p->conf, n)
							: keyfile_in_files(&s->p->conf, n);

		if (k && k == s->from) /* its own name is the less specific key */
			found = NULL;
		else if (k && !found && *k->value)
			found = k;
	}
	return found;
}

static const char *key_variable(const struct plan *p, const char *key);

const struct keyfile_entry *
setting_entry(const struct scope *s, const char *key)
{
	const char *variable = key_variable(s->p, key);
	const struct keyfile_entry *k = nearest_key(s, key, true);

	if (!k && variable)
		k = keyfile_given(&s->p->conf, variable);
	if (!k)
		k = nearest_key(s, key, false);
	if (!k && variable)
		k = keyfile_in_files(&s->p->conf, variable);
	if (!k) /* it may be empty */
		k = keyfile_find(&s->p->conf, text_print(s->p->a, "%s.%s", s->home, key));
	return k == s->from ? NULL : k;
}

/* The variable of profiles that is the default of a key: "SIZE" of "size"; or NULL. */
static const char *
key_variable(const struct plan *p, const char *key)
{
	const size_t n = strlen(key);

	for (size_t i = 0; i < p->keys.n; i++) {
		const char *line = p->keys.s[i], *tab = strchr(line, '\t');
		size_t length;

		if (strncmp(line, key, n) || !strchr("[.\t", line[n]) || !tab++)
			continue;
		length = strcspn(tab, "\t");
		if (length == strspn(tab, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") && length)
			return text_copy(p->a, tab, length);
	}
	return NULL;
}

bool
is_key(const struct plan *p, const char *name)
{
	const size_t n = strcspn(name, ".");

	for (size_t i = 0; i < p->keys.n; i++)
		if (!strncmp(p->keys.s[i], name, n) && strchr("[.\t", p->keys.s[i][n]))
			return true;
	return false;
}

/* Appends the expanded value of a key, which is of the paper `home`. */
static int
add_value(const struct scope *s, const struct keyfile_entry *k, const char *home, struct buf *out,
	  struct err *e)
{
	struct scope inner = *s;

	inner.from = k;
	inner.home = home;
	inner.make = false;
	inner.n_vars = 0;
	inner.depth++;
	if (inner.depth > DEEPEST)
		return keyfile_fault(k, e, "it refers to itself");
	return expand(&inner, k->value, out, e);
}

/* Another paper's key, "treemask.nodes": *rest is "nodes". */
static const struct paper *
other_paper(const struct scope *s, const char *name, const char **rest)
{
	const char *dot = strchr(name, '.');

	*rest = dot ? dot + 1 : NULL;
	return dot ? plan_paper(s->p, text_copy(s->p->a, name, (size_t)(dot - name))) : NULL;
}

/* Appends the value of a name; 1, 0 if there is none, or -1. */
static int
find_value(const struct scope *s, const char *name, const char *arg, struct buf *out, struct err *e)
{
	const struct keyfile_entry *k = NULL;
	struct scope there = *s;
	const struct paper *other;
	const char *rest;
	int found;

	for (size_t i = 0; i < s->n_vars; i++)
		if (!strcmp(s->var[i].name, name)) {
			buf_add_str(out, s->var[i].value);
			return 1;
		}
	found = name_value(s, name, arg, out, e);
	if (found)
		return found;
	if (isupper((unsigned char)*name))
		k = keyfile_find(&s->p->conf, name);
	else if (s->home)
		k = setting_entry(s, name);
	if (k)
		return add_value(s, k, s->home, out, e) ? -1 : 1;
	if ((other = other_paper(s, name, &rest))) {
		there.home = other->name;
		there.from = NULL;
		k = setting_entry(&there, rest);
		if (k)
			return add_value(s, k, other->name, out, e) ? -1 : 1;
	}
	return s->home && is_key(s->p, name); /* a key that is not set */
}

const char *
setting(const struct scope *s, const char *key, struct err *e)
{
	const struct keyfile_entry *k;
	struct scope inner = *s;
	struct buf b = { 0 };
	const char *value = NULL;

	inner.home = s->paper->name;
	inner.from = NULL;
	k = setting_entry(&inner, key);
	if (!k)
		return "";
	if (!add_value(&inner, k, inner.home, &b, e))
		value = text_copy(s->p->a, b.n ? b.data : "", b.n);
	buf_release(&b);
	return value;
}

/* --- names in braces --- */

/* The length of "{...}" with the braces in it; 0 if it does not end. */
static size_t
brace_length(const char *s)
{
	int depth = 0;

	for (size_t i = 0; s[i]; i++) {
		depth += s[i] == '{';
		depth -= s[i] == '}';
		if (!depth)
			return i + 1;
	}
	return 0;
}

/* Whether a brace begins a name, and not a group or variable of a shell, or a block of awk. */
static bool
is_name(const char *text, const char *s)
{
	if (s > text && s[-1] == '$')
		return false;
	s += 1 + (strchr("?!'", s[1]) && s[1]);
	return isalpha((unsigned char)*s);
}

void
add_quoted(struct buf *out, const char *s)
{
	buf_add_char(out, '\'');
	for (; *s; s++)
		if (*s == '\'')
			buf_add_str(out, "'\\''");
		else
			buf_add_char(out, *s);
	buf_add_char(out, '\'');
}

/* Appends a value; in rules of make, $ is doubled. */
static void
add_text(const struct scope *s, const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (s->make && *text == '$')
			buf_add_char(out, '$');
		buf_add_char(out, *text);
	}
}

/* {?NAME TEXT} and {!NAME TEXT}: value is that of the name, body the text. */
static int
add_if(const struct scope *s, bool if_value, const char *value, const char *body, struct buf *out,
       struct err *e)
{
	value += strspn(value, " ");
	return if_value == (*value != '\0') ? expand(s, body, out, e) : 0;
}

/* {each NAME TEXT}: the text for each word of the value, which is {it}. */
static int
add_each(const struct scope *s, const char *body, struct buf *out, struct err *e)
{
	const size_t n = strcspn(body, " ");
	struct scope_var *var = arena_get(s->p->a, (s->n_vars + 1) * sizeof(*var));
	struct scope inner = *s;
	const char *value;
	struct list words;

	inner.make = false;
	value = expanded(&inner, text_print(s->p->a, "{%.*s}", (int)n, body), e);
	if (!value)
		return -1;
	words = list_words(s->p->a, value);
	inner = *s;
	memcpy(var + 1, s->var, s->n_vars * sizeof(*var));
	inner.var = var;
	inner.n_vars++;
	for (size_t i = 0; i < words.n; i++) {
		var[0] = (struct scope_var){ "it", words.s[i] };
		if (i)
			buf_add_char(out, ' ');
		if (expand(&inner, body + n + (body[n] == ' '), out, e))
			return -1;
	}
	return 0;
}

/* One name, the text between its braces. */
static int
add_name(const struct scope *s, const char *inside, struct buf *out, struct err *e)
{
	const char mark = *inside, *body;
	struct scope plain = *s;
	struct buf name = { 0 }, value = { 0 };
	size_t n, depth = 0;
	int found;

	inside += strchr("?!'", mark) != NULL;
	for (n = 0; inside[n] && (depth || inside[n] != ' '); n++) /* names may have names */
		depth += (inside[n] == '{') - (inside[n] == '}');
	body = inside + n + (inside[n] == ' ');
	if (n == 4 && !strncmp(inside, "each", 4))
		return add_each(s, body, out, e);
	plain.make = false;
	found = expand(&plain, text_copy(s->p->a, inside, n), &name, e);
	if (!found)
		found = find_value(&plain, name.data, body, &value, e);
	if (!found)
		found = scope_fault(s, e, "{%s}: there is no such key or name", name.data);
	if (found > 0 && !value.data)
		buf_add_str(&value, "");
	if (found > 0 && (mark == '?' || mark == '!'))
		found = add_if(s, mark == '?', value.data, body, out, e) ? -1 : 1;
	else if (found > 0) {
		struct buf quoted = { 0 };

		if (mark == '\'')
			add_quoted(&quoted, value.data);
		add_text(s, mark == '\'' ? quoted.data : value.data, out);
		buf_release(&quoted);
	}
	buf_release(&name);
	buf_release(&value);
	return found > 0 ? 0 : -1;
}

int
expand(const struct scope *s, const char *text, struct buf *out, struct err *e)
{
	const char *at = text;

	buf_add_str(out, "");
	while (*at) {
		size_t n;

		if (*at != '{' || !is_name(text, at)) {
			buf_add_char(out, *at++);
			continue;
		}
		n = brace_length(at);
		if (!n)
			return scope_fault(s, e, "'%.40s': expected }", at);
		if (add_name(s, text_copy(s->p->a, at + 1, n - 2), out, e))
			return -1;
		at += n;
	}
	return 0;
}

const char *
expanded(const struct scope *s, const char *text, struct err *e)
{
	struct buf b = { 0 };
	const char *value = NULL;

	if (!expand(s, text, &b, e)) {
		const struct list words = list_words(s->p->a, b.data);

		value = list_text(s->p->a, &words);
	}
	buf_release(&b);
	return value;
}
