/* roff-text: see roff-text.h. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "corpora/roff-text.h"
#include "stream/cells.h"
#include "text/running-text.h"
#include "text/unicode.h"

struct name { const char *name, *text; };

/* The special characters of groff_char(7). */
static const struct name glyphs[] = {
	{ "aq", "'" }, { "dq", "\"" }, { "lq", "“" }, { "rq", "”" }, { "oq", "‘" }, { "cq", "’" },
	{ "Bq", "„" }, { "bq", "‚" }, { "Fo", "«" }, { "Fc", "»" }, { "fo", "‹" }, { "fc", "›" },
	{ "bu", "•" }, { "em", "—" }, { "en", "–" }, { "hy", "-" }, { "mi", "−" }, { "ha", "^" },
	{ "ti", "~" }, { "rs", "\\" }, { "ga", "`" }, { "aa", "´" }, { "at", "@" }, { "sh", "#" },
	{ "Do", "$" }, { "ul", "_" }, { "ba", "|" }, { "or", "|" }, { "br", "│" }, { "bb", "¦" },
	{ "sl", "/" }, { "lB", "[" }, { "rB", "]" }, { "lC", "{" }, { "rC", "}" }, { "la", "⟨" },
	{ "ra", "⟩" }, { "co", "©" }, { "rg", "®" }, { "tm", "™" }, { "de", "°" }, { "sc", "§" },
	{ "ps", "¶" }, { "dg", "†" }, { "dd", "‡" }, { "fm", "′" }, { "sd", "″" }, { "mc", "µ" },
	{ "Po", "£" }, { "Eu", "€" }, { "eu", "€" }, { "Ye", "¥" }, { "ct", "¢" }, { "OK", "✓" },
	{ "pl", "+" }, { "+-", "±" }, { "mu", "×" }, { "tmu", "×" }, { "di", "÷" }, { "eq", "=" },
	{ "!=", "≠" }, { "<=", "≤" }, { ">=", "≥" }, { "==", "≡" }, { "~=", "≈" }, { "~~", "≈" },
	{ "if", "∞" }, { "no", "¬" }, { "pc", "·" }, { "md", "⋅" }, { "->", "→" }, { "<-", "←" },
	{ "<>", "↔" }, { "ua", "↑" }, { "da", "↓" }, { "rA", "⇒" }, { "lA", "⇐" }, { "12", "½" },
	{ "14", "¼" }, { "34", "¾" }, { "S1", "¹" }, { "S2", "²" }, { "S3", "³" }, { "ss", "ß" },
	{ "ae", "æ" }, { "AE", "Æ" }, { "oe", "œ" }, { "OE", "Œ" }, { "/o", "ø" }, { "/O", "Ø" },
	{ "oa", "å" }, { "oA", "Å" }, { "/l", "ł" }, { "/L", "Ł" }, { ",c", "ç" }, { ",C", "Ç" },
	{ "r!", "¡" }, { "r?", "¿" }, { "*m", "μ" }, { "*p", "π" }, { "*a", "α" }, { "*b", "β" },
	{ "lh", "☜" }, { "rh", "☞" }, { "sq", "□" }, { "ci", "○" }, { NULL, NULL }
};

/* The strings that man(7), mdoc(7), DocBook and Perl define. */
static const struct name strings[] = {
	{ "Aq", "'" }, { "lq", "“" }, { "rq", "”" }, { "Lq", "“" }, { "Rq", "”" }, { "R", "®" },
	{ "Tm", "™" }, { "L\"", "" }, { "R\"", "" }, { "L»", "" }, { "R«", "" }, { "C`", "" },
	{ "C'", "" }, { "--", "—" }, { "PI", "π" }, { "S", "" }, { "q", "\"" }, { "Lt", "<" },
	{ "Gt", ">" }, { "Am", "&" }, { "Ba", "|" }, { "Le", "≤" }, { "Ge", "≥" }, { "Ne", "≠" },
	{ "Pm", "±" }, { "If", "∞" }, { "``", "“" }, { "''", "”" }, { NULL, NULL }
};

void
roff_text_init(struct roff_text *t)
{
	memset(t, 0, sizeof(*t));
	t->font = t->previous = 'R';
}

void
roff_text_release(struct roff_text *t)
{
	buf_release(&t->text);
}

void
roff_text_clear(struct roff_text *t)
{
	buf_clear(&t->text);
	t->letters = t->marked = 0;
	t->odd = t->joined = false;
	t->font = t->previous = 'R';
}

void
roff_text_font(struct roff_text *t, char font)
{
	char now = t->font;

	t->font = font == 'P' ? t->previous : font;
	t->previous = now;
}

static void
add_plain(struct roff_text *t, const char *s, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);
		const size_t letter = (unicode_classes(c) & UNICODE_ALPHA) != 0;

		t->letters += letter;
		t->marked += letter && t->font != 'R';
	}
	running_text_add(&t->text, s, n);
}

static void
add_known(struct roff_text *t, const struct name *list, struct str s)
{
	for (; list->name; list++)
		if (str_is(s, list->name)) {
			add_plain(t, list->text, strlen(list->text));
			return;
		}
	t->odd = true;
}

/* \[u00E9] */
static bool
add_code_point(struct roff_text *t, struct str s)
{
	char hex[8] = "", *end, c[4];
	long code;

	if (s.n < 5 || s.n > 7 || s.s[0] != 'u')
		return false;
	memcpy(hex, s.s + 1, s.n - 1);
	code = strtol(hex, &end, 16);
	if (*end || code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return false;
	add_plain(t, c, utf8_put((int32_t)code, c));
	return true;
}

static void
add_glyph(struct roff_text *t, struct str s)
{
	if (!add_code_point(t, s))
		add_known(t, glyphs, s);
}

/*
 * Sets *name to the name after \f, \( and similar escapes, written as (xx, [xxx] or x; returns the
 * whole length.
 */
static size_t
name_length(const char *s, size_t n, struct str *name)
{
	const char *end = NULL;

	*name = (struct str){ s, n ? 1 : 0 };
	if (!n || (s[0] != '(' && s[0] != '['))
		return name->n;
	*name = (struct str){ s + 1, n - 1 };
	if (s[0] == '(')
		name->n = n < 3 ? n - 1 : 2;
	else if ((end = memchr(s, ']', n)))
		name->n = (size_t)(end - s) - 1;
	return 1 + name->n + (end ? 1 : 0);
}

/* The length of 'text', with any delimiter; escapes inside are skipped. */
static size_t
quoted_length(const char *s, size_t n)
{
	size_t i;

	for (i = 1; i < n && s[i] != s[0]; i++)
		if (s[i] == '\\' && i + 1 < n)
			i++;
	return i < n ? i + 1 : n;
}

/* The length of the argument of \s-1, \s+(12, \s[2], \s'3', \s0, \s10. */
static size_t
size_length(const char *s, size_t n)
{
	size_t i = n && (*s == '-' || *s == '+') ? 1 : 0;
	struct str name;

	if (i < n && s[i] == '\'')
		return i + quoted_length(s + i, n - i);
	if (i < n && s[i] >= '1' && s[i] <= '3' && i + 1 < n && s[i + 1] >= '0' &&
	    s[i + 1] <= '9')
		return i + 2;
	return i + name_length(s + i, n - i, &name);
}

/* The length of the escape at s; *name is set if it has one as \( and \f have. */
static size_t
escape_length(const char *s, size_t n, struct str *name)
{
	size_t len;

	if (n < 2)
		return n;
	if (strchr("fnmMFkgVYO*", s[1]))
		return 2 + name_length(s + 2, n - 2, name);
	if (s[1] == '(' || s[1] == '[')
		return 1 + name_length(s + 1, n - 1, name);
	if (s[1] == 's')
		return 2 + size_length(s + 2, n - 2);
	if (strchr("hvwxHSRXZABboDlLNC", s[1]))
		return 2 + quoted_length(s + 2, n - 2);
	utf8_next(s + 1, n - 1, &len);
	return 1 + len;
}

static void
roff_set_font(struct roff_text *t, struct str name)
{
	bool roman = !name.n || name.s[0] == 'R' || name.s[0] == '1' ||
		     (name.n == 2 && name.s[1] == 'R' && name.s[0] != 'C');

	roff_text_font(t, str_is(name, "P") ? 'P' : roman ? 'R' : 'B');
}

/* Adds the escape of n bytes at s, including its backslash; name is that of escape_length(). */
static void
add_escape(struct roff_text *t, const char *s, size_t n, struct str name)
{
	if (n < 2)
		return;
	switch (s[1]) {
	case '(':
	case '[':
		add_glyph(t, name);
		return;
	case '*':
		add_known(t, strings, name);
		return;
	case 'f':
		roff_set_font(t, name);
		return;
	case 'C':
		if (n > 4)
			add_glyph(t, (struct str){ s + 3, n - 4 });
		return;
	case 'n': case 'w': case 'o': case 'Z': case 'b': case 'N': case '$':
		t->odd = true;
		return;
	case 'e': case 'E': case '\\':
		add_plain(t, "\\", 1);
		return;
	case ' ': case '~': case '0': case 't':
		running_text_blank(&t->text);
		return;
	case 'h':		/* a move to the right, as after a bullet */
		if (n > 3 && s[3] != '-')
			running_text_blank(&t->text);
		return;
	case 'c':
		t->joined = true;
		return;
	}
	if (!strchr("|^&)%:/,{}udrpaz!?\"#skgmMFVYOvxHSRXABDlL", s[1]))
		add_plain(t, s + 1, n - 1);
}

void
roff_text_add(struct roff_text *t, struct str s)
{
	struct str name = { NULL, 0 };
	size_t i = 0, len;

	while (i < s.n) {
		const char *next = memchr(s.s + i, '\\', s.n - i);

		len = next ? (size_t)(next - s.s) - i : s.n - i;
		add_plain(t, s.s + i, len);
		i += len;
		if (i == s.n)
			return;
		len = escape_length(s.s + i, s.n - i, &name);
		add_escape(t, s.s + i, len, name);
		i += len;
	}
}

size_t
roff_before_comment(struct str line)
{
	const char *s = line.s;

	for (size_t i = 0; i + 1 < line.n; i++) {
		if (s[i] != '\\')
			continue;
		if (s[i + 1] == '"' || s[i + 1] == '#')
			return i;
		i++;
	}
	return line.n;
}

/* The length of the text after an opening quotation mark, up to the closing one; "" is inside. */
static size_t
roff_quoted(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (s[i] != '"' || (i + 1 < n && s[i + 1] == '"')))
		i += s[i] == '"' ? 2 : 1;
	return i;
}

/* Replaces each "" by one quotation mark. */
static struct str
one_of_two_marks(struct str s, struct texts *texts)
{
	struct buf text = { 0 };

	if (!memchr(s.s, '"', s.n))
		return s;
	for (size_t i = 0; i < s.n; i += s.s[i] == '"' ? 2 : 1)
		buf_add_char(&text, s.s[i]);
	s = (struct str){ texts_add(texts, text.data, text.n), text.n };
	buf_release(&text);
	return s;
}

int
roff_argument(struct str *rest, struct str *arg, struct texts *texts)
{
	const char *s = rest->s, *end = s + rest->n;
	bool quoted;

	while (s < end && *s == ' ')
		s++;
	if (s == end)
		return ROFF_END;
	quoted = *s == '"';
	s += quoted;
	*arg = (struct str){ s, quoted ? roff_quoted(s, (size_t)(end - s)) : 0 };
	while (!quoted && s + arg->n < end && s[arg->n] != ' ')
		arg->n += s[arg->n] == '\\' && s + arg->n + 1 < end ? 2 : 1;
	s += arg->n + (quoted && s + arg->n < end);
	*rest = (struct str){ s, (size_t)(end - s) };
	if (!quoted)
		return ROFF_WORD;
	*arg = one_of_two_marks(*arg, texts);
	return ROFF_QUOTED;
}
