/* stored: settings and options that a ledger stores; see stored.h. */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"
#include "plan/stored.h"
#include "stream/input.h"

/* The settings without a dot on which reports depend. */
static const char settings[] =
	"ARCH BATCH BEAM CORPUS INVALID LAYERS MERGES MORE_SEEDS PAIR PROFILE RECIPE SEARCH_RUNGS "
	"SEARCH_SEEDS SEEDS SIZE SIZES SYSTEMS TABLES UPDATES VALIDATE WALK";

static bool
is_setting(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
				      "89_.+-@";

	if (strchr(name, '.'))
		return isalpha((unsigned char)*name) && !name[strspn(name, allowed)];
	return *name && has_word(settings, name);
}

/*
 * The lines of a file, none of which has a character that a shell or make interprets.  In settings,
 * quotes may be around values.
 */
static struct list
plain_lines(struct plan *p, const char *path, const char *refused)
{
	struct list lines = { .n = 0 };

	p->bad = p->bad || regular_check(path, p->e) ||
		 lines_read(p->a, path, INPUT_UTF8, &lines, p->e);
	for (size_t i = 0; i < lines.n; i++)
		for (const char *s = lines.s[i]; *s; s++)
			if (iscntrl((unsigned char)*s))
				fault(p, EXIT_INPUT, "%s:%zu: a control character", path, i + 1);
			else if (strchr(refused, *s))
				fault(p, EXIT_INPUT, "%s:%zu: %c, expected no character that a "
				      "shell or make interprets", path, i + 1, *s);
	return lines;
}

const char *
stored_best(struct plan *p, const char *path)
{
	const struct list lines = plain_lines(p, path, "$'\"`;&|<>(){}\\#");

	if (lines.n != 1)
		fault(p, EXIT_INPUT, "%s: %zu lines, expected one with options of nmt-train", path,
		      lines.n);
	else if (*lines.s[0] && *lines.s[0] != '-')
		fault(p, EXIT_INPUT, "%s:1: '%.60s', expected options of nmt-train", path,
		      lines.s[0]);
	return p->bad ? "" : lines.s[0];
}

/* --- settings --- */

/* Reads NAME=VALUE or NAME='VALUE', and returns its end; NULL without one of these. */
static const char *
read_setting(struct plan *p, const char *s, struct keyfile_entry *k)
{
	const size_t n = strcspn(s, "= ");
	const char *value = s + n + 1;
	const bool quoted = s[n] && *value == '\'';
	size_t length;

	if (s[n] != '=')
		return NULL;
	value += quoted;
	length = strcspn(value, quoted ? "'" : "' ");
	k->key = text_copy(p->a, s, n);
	k->value = text_copy(p->a, value, length);
	s = value + length;
	if (quoted && *s++ != '\'')
		return NULL;
	return *s && *s != ' ' ? NULL : s;
}

static void
stored_read_line(struct plan *p, const char *line, struct keyfile_entry k)
{
	for (const char *s = line; *(s += strspn(s, " "));) {
		const char *end = read_setting(p, s, &k);
		const struct keyfile_entry *given;

		if (!end || !is_setting(k.key)) {
			fault(p, EXIT_INPUT, "%s:%zu: '%.60s', expected a setting of a report, "
			      "such as SEEDS='1 2'", k.file, k.line, s);
			return;
		}
		given = keyfile_given(&p->conf, k.key);
		if (!given || given->file)
			keyfile_give(&p->conf, k);
		s = end;
	}
}

void
stored_read(struct plan *p, const char *results, const char *paper)
{
	const char *path = text_print(p->a, "%s/%s/command", results, paper);
	struct list lines;

	if (access(path, F_OK))
		return;
	lines = plain_lines(p, path, "$\"`;&|<>(){}\\#");
	for (size_t i = 0; i < lines.n && !p->bad; i++)
		stored_read_line(p, lines.s[i],
				 (struct keyfile_entry){ .file = path, .line = i + 1 });
}

/* Whether all settings are those of the file that stored_read() has read. */
static bool
is_stored(const struct plan *p)
{
	bool same = p->draw && p->conf.command.n;

	for (size_t i = 0; i < p->conf.command.n; i++)
		same = same && (p->conf.given[i].file || !is_setting(p->conf.given[i].key));
	return same;
}

void
stored_add(struct plan *p, struct buf *out)
{
	const char *corpora = list_text(p->a, &p->corpora);
	const char *old = is_stored(p) && p->goals.n == 1
		? text_of_file(p->a, text_print(p->a, "%s/%s/command", p->results, p->goals.s[0]))
		: NULL;

	if (old) {
		buf_printf(out, "%s\n", old);
		return;
	}
	buf_printf(out, "PROFILE=%s", p->profile);
	if (strcmp(corpora, "help"))
		buf_printf(out, " CORPUS='%s'", corpora);
	for (size_t i = 0; i < p->conf.command.n; i++) {
		const struct keyfile_entry *k = &p->conf.given[i];

		if (is_setting(k->key) && !has_word("PROFILE CORPUS", k->key))
			buf_printf(out, " %s='%s'", k->key, k->value);
	}
	buf_add_char(out, '\n');
}
