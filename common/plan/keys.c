/* keys: values of the keys of papers, and of settings; see plan.h. */
#include <string.h>

#include "plan/plan.h"

const char *
given(const struct plan *p, const char *name)
{
	const struct keyfile_entry *k = keyfile_given(&p->conf, name);

	return k ? k->value : "";
}

const char *
setting(const struct plan *p, const char *name)
{
	const struct keyfile_entry *k = keyfile_find(&p->conf, name);

	return k ? k->value : "";
}

/* --- keys as they are written --- */

const struct keyfile_entry *
key_entry(const struct plan *p, const struct paper *paper, const char *key)
{
	const struct keyfile_entry *k =
		keyfile_find(&p->conf, text_print(p->a, "%s.%s", paper->name, key));
	const struct keyfile_entry *usual =
		k && *k->value ? NULL
			       : keyfile_in_files(&p->conf, text_print(p->a, "default.%s", key));

	return usual ? usual : k;
}

const char *
key_text(const struct plan *p, const struct paper *paper, const char *key)
{
	const struct keyfile_entry *k = key_entry(p, paper, key);

	return k ? k->value : "";
}

const char *
key_of(const struct plan *p, const struct paper *paper, const char *key, const char *name)
{
	const char *own = key_text(p, paper, text_print(p->a, "%s.%s", key, name));

	return *own ? own : key_text(p, paper, key);
}

struct list
key_words(const struct plan *p, const struct paper *paper, const char *key)
{
	return list_words(p->a, key_text(p, paper, key));
}

struct list
key_names(const struct plan *p, const struct paper *paper, const char *key)
{
	const char *prefix = text_print(p->a, "%s.%s.", paper->name, key);
	struct list names = { .n = 0 };

	for (size_t i = 0; i < p->conf.files.n + p->conf.command.n; i++) {
		const char *name = keyfile_number(&p->conf, i)->key;

		if (has_prefix(name, prefix))
			list_once(p->a, &names, name + strlen(prefix));
	}
	return names;
}

/* --- keys for what is made --- */

/* A key of the home paper on the command line or in files, the one with most suffixes. */
static const struct keyfile_entry *
with_suffixes(const struct scope *s, const char *key, bool on_command)
{
	struct arena *a = s->p->a;
	const char *column = scope_get(s, "column"), *paper = s->home->name;
	const char *pair = column ? column_pair(a, column) : "";
	const char *size = column ? column_size(column) : NULL;
	const struct keyfile_entry *found = NULL;
	const char *name[4] = {
		text_print(a, "%s.%s.%s.%s", paper, key, s->p->profile, pair),
		text_print(a, "%s.%s.%s", paper, key, s->p->profile),
		text_print(a, "%s.%s.%s", paper, key, pair),
		text_print(a, "%s.%s", paper, key),
	};

	for (int i = size ? 0 : 1; i < 8; i += size ? 1 : 2) {
		const char *n = i % 2 ? name[i / 2]
				      : text_print(a, "%s@%.*s", name[i / 2],
						   (int)strcspn(size, "."), size);
		const struct keyfile_entry *k = on_command ? keyfile_given(&s->p->conf, n)
							   : keyfile_in_files(&s->p->conf, n);

		if (k && k == s->from) /* its own name is the less specific key */
			found = NULL;
		else if (k && !found && *k->value)
			found = k;
	}
	return found;
}

/* The line of src/papers.keys for a key, or NULL. */
static const char *
key_line(const struct plan *p, const char *key)
{
	const size_t n = strlen(key);

	for (size_t i = 0; i < p->keys.n; i++)
		if (!strncmp(p->keys.s[i], key, n) && strchr("[.\t", p->keys.s[i][n]))
			return p->keys.s[i];
	return NULL;
}

bool
is_key(const struct plan *p, const char *name)
{
	return key_line(p, text_copy(p->a, name, strcspn(name, "."))) != NULL;
}

/* The variable of profiles that is the default of a key: "SIZE" of "size"; or NULL. */
static const char *
key_variable(const struct plan *p, const char *key)
{
	const char *line = key_line(p, key);
	const char *name = line ? list_field(p->a, line, 1) : "";

	return *name && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] ? name : NULL;
}

const struct keyfile_entry *
nearest_key(const struct scope *s, const char *key)
{
	const struct keyfile *conf = &s->p->conf;
	const char *variable = key_variable(s->p, key);
	const struct keyfile_entry *k = with_suffixes(s, key, true);

	if (!k && variable)
		k = keyfile_given(conf, variable);
	if (!k)
		k = with_suffixes(s, key, false);
	if (!k && variable)
		k = keyfile_in_files(conf, variable);
	if (!k) /* the default, or it may be empty */
		k = key_entry(s->p, s->home, key);
	return k == s->from ? NULL : k;
}

const char *
value_of(const struct scope *s, const char *key)
{
	struct scope own = *s;
	const struct keyfile_entry *k;
	struct buf b = { 0 };

	own.home = s->paper;
	own.from = NULL;
	k = s->paper ? nearest_key(&own, key) : NULL;
	if (k)
		expand_key(&own, k, s->paper, &b);
	return text_take(s->p->a, &b);
}
