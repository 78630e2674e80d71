/* po-file: catalogs of gettext in text form; see gettext.h. */
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "corpora/gettext.h"

/* The strings of an entry, in the order of the file. */
enum { PO_CONTEXT, PO_ORIGINAL, PO_PLURAL, PO_FORM, PO_STRINGS = PO_FORM + MESSAGE_FORMS };

struct po {
	struct input *input;
	struct buf text[PO_STRINGS];
	bool has[PO_STRINGS];
	int last;			/* the string that a line may continue; -1 if none */
	bool fuzzy;
	message_take *take;
	void *arg;
};

static void
po_clear(struct po *p)
{
	for (int i = 0; i < PO_STRINGS; i++) {
		buf_clear(&p->text[i]);
		p->has[i] = false;
	}
	p->last = -1;
	p->fuzzy = false;
}

static struct str
po_string(const struct po *p, int i)
{
	if (!p->has[i])
		return (struct str){ NULL, 0 };
	return (struct str){ p->text[i].n ? p->text[i].data : "", p->text[i].n };
}

static int
po_check_text(const struct po *p, struct err *e)
{
	for (int i = 0; i < PO_STRINGS; i++) {
		const struct str s = po_string(p, i);

		if (s.n && utf8_text(s.s, s.n) != s.n)
			return input_error(p->input, e, "before this line, escapes that are not "
					   "UTF-8 or have a NUL byte");
	}
	return 0;
}

/* Passes the entry on, if there is one, and begins the next. */
static int
po_end_entry(struct po *p, struct err *e)
{
	struct message m = { .fuzzy = p->fuzzy };
	int r = 0;

	if (p->last < 0)
		return 0;
	if (p->last < PO_FORM)
		return input_error(p->input, e, "an entry without msgstr ends here");
	if (po_check_text(p, e))
		return -1;
	m.context = po_string(p, PO_CONTEXT);
	m.original = po_string(p, PO_ORIGINAL);
	m.plural = po_string(p, PO_PLURAL);
	for (m.forms = 0; m.forms < MESSAGE_FORMS && p->has[PO_FORM + m.forms]; m.forms++)
		m.form[m.forms] = po_string(p, PO_FORM + m.forms);
	if (m.original.n || m.context.s)
		r = p->take(p->arg, &m, e);
	else if (gettext_check_header(m.form[0].s, m.form[0].n, e))
		r = err_wrap(e, "%s", input_name(p->input));
	po_clear(p);
	input_unit(p->input, "entry");
	return r;
}

/* The value of a digit in base 8 or 16, or -1. */
static int
po_digit(char c, int base)
{
	const char *const digits = "0123456789abcdef", *at;

	if (c >= 'A' && c <= 'F')
		c = (char)(c - 'A' + 'a');
	at = c ? strchr(digits, c) : NULL;
	return at && at - digits < base ? (int)(at - digits) : -1;
}

/* Appends the character of the escape at s; returns the length of the escape, 0 if it is none. */
static size_t
po_escape(const char *s, size_t n, struct buf *out)
{
	static const char letters[] = "ntbrfva\\\"?'", values[] = "\n\t\b\r\f\v\a\\\"?'";
	const int base = n && s[0] == 'x' ? 16 : 8;
	const size_t first = base == 16;
	const char *known = n && s[0] ? strchr(letters, s[0]) : NULL;
	size_t i = first;
	int value = 0;

	if (known) {
		buf_add_char(out, values[known - letters]);
		return 1;
	}
	for (; i < n && i < first + (base == 16 ? 2 : 3) && po_digit(s[i], base) >= 0; i++)
		value = value * base + po_digit(s[i], base);
	if (i == first || value > 255)
		return 0;
	buf_add_char(out, (char)value);
	return i;
}

/* Appends the strings of the rest of a line, of which there must be one. */
static int
po_add_strings(struct po *p, const char *s, size_t n, struct err *e)
{
	struct buf *out = &p->text[p->last];
	bool any = false, open = false, stray = false;

	for (size_t i = 0; i < n && !stray; i++) {
		if (!open && (s[i] == ' ' || s[i] == '\t'))
			continue;
		if (s[i] == '"') {
			open = !open;
			any = true;
		} else if (!open) {
			stray = true;
		} else if (s[i] == '\\') {
			const size_t len = po_escape(s + i + 1, n - i - 1, out);

			if (!len)
				return input_error(p->input, e, "unknown escape in a string");
			i += len;
		} else {
			buf_add_char(out, s[i]);
		}
	}
	if (!any || open || stray)
		return input_error(p->input, e, "expected a string in double quotes");
	return 0;
}

/* Begins a string of the entry; they must be in order and none of them twice. */
static int
po_begin_string(struct po *p, int which, struct err *e)
{
	if (which <= PO_ORIGINAL && p->last >= PO_FORM && po_end_entry(p, e))
		return -1;
	if (which <= p->last || (which >= PO_PLURAL && p->last < PO_ORIGINAL) ||
	    (which > PO_FORM && p->last != which - 1))
		return input_error(p->input, e, "out of order, expected msgctxt, msgid, "
				   "msgid_plural and msgstr");
	p->has[which] = true;
	p->last = which;
	return 0;
}

/* The number of a form in "[N]"; returns its length, 0 if it is none. */
static size_t
po_form_number(const char *s, size_t n, int *form)
{
	size_t i = 1;

	*form = 0;
	while (i < n && s[i] >= '0' && s[i] <= '9' && *form < MESSAGE_FORMS)
		*form = *form * 10 + (s[i++] - '0');
	return i > 1 && i < n && s[i] == ']' ? i + 1 : 0;
}

static int
po_read_keyword(struct po *p, const char *s, size_t n, struct err *e)
{
	static const char *const words[] = { "msgctxt", "msgid", "msgid_plural", "msgstr" };
	size_t len = 0, more = 0;
	int which, form = 0;

	while (len < n && ((s[len] >= 'a' && s[len] <= 'z') || s[len] == '_'))
		len++;
	for (which = PO_CONTEXT; which <= PO_FORM; which++)
		if (strlen(words[which]) == len && !memcmp(words[which], s, len))
			break;
	if (which > PO_FORM)
		return input_error(p->input, e, "'%.*s', expected a comment, msgctxt, msgid, "
				   "msgid_plural, msgstr or a string", n < 40 ? (int)n : 40, s);
	if (which == PO_FORM && len < n && s[len] == '[') {
		more = po_form_number(s + len, n - len, &form);
		if (!more || form >= MESSAGE_FORMS)
			return input_error(p->input, e, "expected msgstr[N] with N below %d",
					   MESSAGE_FORMS);
	}
	if (which == PO_FORM && p->has[PO_PLURAL] != (more > 0))
		return input_error(p->input, e, "%s", more ? "msgstr[N] without msgid_plural" :
				   "expected msgstr[N] after msgid_plural");
	if (po_begin_string(p, which + form, e))
		return -1;
	return po_add_strings(p, s + len + more, n - len - more, e);
}

/*
 * "#, fuzzy, c-format" before an entry; all other comments say nothing of the texts.  The flags
 * before an obsolete entry, whose lines all begin with #~, are those of that entry.
 */
static int
po_read_comment(struct po *p, const char *s, size_t n, struct err *e)
{
	if (p->last >= PO_FORM && po_end_entry(p, e))
		return -1;
	if (n > 1 && s[1] == '~')
		p->fuzzy = false;
	for (size_t i = 2; n > 2 && s[1] == ',' && i + 5 <= n; i++)
		if (!memcmp(s + i, "fuzzy", 5) && strchr(", \t", s[i - 1]) &&
		    (i + 5 == n || strchr(", \t", s[i + 5])))
			p->fuzzy = true;
	return 0;
}

static int
po_read_line(struct po *p, const char *s, size_t n, struct err *e)
{
	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	if (!n)
		return 0;
	if (*s == '#')
		return po_read_comment(p, s, n, e);
	if (*s != '"')
		return po_read_keyword(p, s, n, e);
	if (p->last < 0)
		return input_error(p->input, e, "a string, expected msgid before it");
	return po_add_strings(p, s, n, e);
}

int
po_read(struct input *input, message_take *take, void *arg, struct err *e)
{
	struct po p = { .input = input, .last = -1, .take = take, .arg = arg };
	const char *s;
	size_t n;
	int r;

	input_unit(input, "entry");
	while ((r = input_line(input, &s, &n, e)) > 0)
		if (po_read_line(&p, s, n, e)) {
			r = -1;
			break;
		}
	if (!r)
		r = po_end_entry(&p, e);
	for (int i = 0; i < PO_STRINGS; i++)
		buf_release(&p.text[i]);
	return r;
}
