/* mdoc-macros: the macros of mdoc(7); see man-reader.h. */
#include <string.h>

#include "corpora/man-reader.h"

enum { MAX_ARGS = 64 };		/* of a line; a paragraph with more arguments is skipped as odd */

struct line {
	struct man_reader *r;
	struct arg { const char *s; size_t n; const struct word *macro; } arg[MAX_ARGS];
	int n, at;
	const char *close[MAX_ARGS];	/* the closing marks of open quotations */
	int open;
};

/*
 * How a macro treats the words after it, up to the next macro.  MARK: sets them in another font.
 * QUOTE: opens a quotation, which is closed at the end of the line.  BARE: has a known text, but
 * only without words (which are a version).  ODD: its text is unknown.
 */
enum how { MARK, FLAG, NAME, FILES, PLAIN, PAGE, CALL, LINK, QUOTE, OPEN, CLOSE, JOIN, PREFIX,
	   APOSTROPHE, DASH, SYSTEM, BARE, NOTHING, ODD };

static const struct word { const char *name; enum how how; const char *text, *end; } words[] = {
	{ "Fl", FLAG, "-", NULL }, { "Nm", NAME, "", NULL }, { "Ar", FILES, "file ...", NULL },
	{ "Cm", MARK, NULL, NULL }, { "Dv", MARK, NULL, NULL }, { "Er", MARK, NULL, NULL },
	{ "Ev", MARK, NULL, NULL }, { "Fa", MARK, NULL, NULL }, { "Ft", MARK, NULL, NULL },
	{ "Ic", MARK, NULL, NULL }, { "In", MARK, NULL, NULL }, { "Li", MARK, NULL, NULL },
	{ "Pa", MARK, NULL, NULL }, { "Sy", MARK, NULL, NULL }, { "Em", MARK, NULL, NULL },
	{ "Va", MARK, NULL, NULL }, { "Vt", MARK, NULL, NULL }, { "Cd", MARK, NULL, NULL },
	{ "Ms", MARK, NULL, NULL }, { "Ad", MARK, NULL, NULL }, { "An", PLAIN, NULL, NULL },
	{ "Mt", PLAIN, NULL, NULL }, { "No", PLAIN, NULL, NULL }, { "Sx", PLAIN, NULL, NULL },
	{ "Tn", PLAIN, NULL, NULL }, { "Xr", PAGE, NULL, NULL }, { "Fn", CALL, NULL, NULL },
	{ "Lk", LINK, NULL, NULL }, { "Dq", QUOTE, "“", "”" }, { "Sq", QUOTE, "‘", "’" },
	{ "Ql", QUOTE, "‘", "’" }, { "Qq", QUOTE, "\"", "\"" }, { "Pq", QUOTE, "(", ")" },
	{ "Bq", QUOTE, "[", "]" }, { "Aq", QUOTE, "<", ">" }, { "Brq", QUOTE, "{", "}" },
	{ "Op", QUOTE, "[", "]" }, { "Do", OPEN, "“", NULL }, { "So", OPEN, "‘", NULL },
	{ "Qo", OPEN, "\"", NULL }, { "Po", OPEN, "(", NULL }, { "Bo", OPEN, "[", NULL },
	{ "Ao", OPEN, "<", NULL }, { "Bro", OPEN, "{", NULL }, { "Oo", OPEN, "[", NULL },
	{ "Dc", CLOSE, "”", NULL }, { "Sc", CLOSE, "’", NULL }, { "Qc", CLOSE, "\"", NULL },
	{ "Pc", CLOSE, ")", NULL }, { "Bc", CLOSE, "]", NULL }, { "Ac", CLOSE, ">", NULL },
	{ "Brc", CLOSE, "}", NULL }, { "Oc", CLOSE, "]", NULL }, { "Ns", JOIN, NULL, NULL },
	{ "Pf", PREFIX, NULL, NULL }, { "Ap", APOSTROPHE, "'", NULL }, { "Nd", DASH, "-", NULL },
	{ "Ux", SYSTEM, "UNIX", NULL }, { "Bx", BARE, "BSD", NULL },
	{ "Fx", SYSTEM, "FreeBSD", NULL }, { "Nx", SYSTEM, "NetBSD", NULL },
	{ "Ox", SYSTEM, "OpenBSD", NULL }, { "Dx", SYSTEM, "DragonFly", NULL },
	{ "At", BARE, "AT&T UNIX", NULL }, { "Xo", NOTHING, NULL, NULL },
	{ "Xc", NOTHING, NULL, NULL }, { "Sm", NOTHING, NULL, NULL },
	{ "Bk", NOTHING, NULL, NULL }, { "Ek", NOTHING, NULL, NULL },
	{ "Dd", NOTHING, NULL, NULL }, { "Dt", NOTHING, NULL, NULL },
	{ "Os", NOTHING, NULL, NULL }, { "Db", NOTHING, NULL, NULL }
};
static const struct word unknown = { "", ODD, NULL, NULL };

static const struct word *
find_word(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == n && !memcmp(words[i].name, s, n))
			return &words[i];
	return NULL;
}

static bool
mdoc_macros_is_one_of(const struct arg *a, const char *list)
{
	return a->n == 1 && strchr(list, *a->s);
}

/* .An -split and -nosplit have no text. */
static bool
is_split(const struct arg *a)
{
	return a->n > 5 && *a->s == '-' && !memcmp(a->s + a->n - 5, "split", 5);
}

/* Punctuation is joined to the previous word, opening punctuation to the next one. */
static void
mdoc_macros_put(struct man_reader *r, const char *s, size_t n, char font)
{
	const struct arg a = { s, n, NULL };

	if (mdoc_macros_is_one_of(&a, ".,:;)]?!")) {
		r->t.joined = true;
		font = 'R';
	}
	man_begin_line(r);
	roff_text_font(&r->t, font);
	roff_text_add(&r->t, s, n);
	r->t.font = r->t.previous = 'R';
	if (mdoc_macros_is_one_of(&a, "(["))
		r->t.joined = true;
}

static void
put_str(struct man_reader *r, const char *s, char font)
{
	mdoc_macros_put(r, s, strlen(s), font);
}

/* The default text of a macro without words: the dash of an option, the page's name, "file ...". */
static void
put_alone(struct line *l, const struct word *m, bool macro_follows)
{
	struct man_reader *r = l->r;

	if (m->how == NAME)
		mdoc_macros_put(r, r->name.n ? r->name.data : "", r->name.n, 'B');
	else
		put_str(r, m->text, 'B');
	if (m->how == FLAG && macro_follows)
		r->t.joined = true;
}

/* Adds the k-th word of a macro. */
static void
mdoc_macros_put_word(struct line *l, const struct word *m, int k, const struct arg *a)
{
	struct man_reader *r = l->r;
	bool mark = m->how == MARK || m->how == FLAG || m->how == NAME || m->how == FILES;

	r->t.odd |= m->how == BARE;
	if (m->how == NAME && !r->name.n)
		buf_add(&r->name, a->s, a->n);
	if (m->how == FLAG) {
		put_str(r, "-", 'B');
		r->t.joined = true;
	}
	if (m->how == PAGE && k == 1) {
		r->t.joined = true;
		put_str(r, "(", 'R');
	} else if (m->how == CALL && k) {
		r->t.joined = k == 1;
		put_str(r, k == 1 ? "(" : ",", 'R');
	}
	mdoc_macros_put(r, a->s, a->n, mark ||
			((m->how == PAGE || m->how == CALL) && !k) ? 'B' : 'R');
	if (m->how == PAGE && k == 1)
		put_str(r, ")", 'R');
	if (m->how == PREFIX && !k)
		r->t.joined = true;
}

/* Adds the text before the words of a macro. */
static void
begin_macro(struct line *l, const struct word *m)
{
	struct man_reader *r = l->r;

	switch (m->how) {
	case QUOTE:
		l->close[l->open++] = m->end;
		/* fall through */
	case OPEN:
		put_str(r, m->text, 'R');
		r->t.joined = true;
		break;
	case CLOSE:
		r->t.joined = true;
		put_str(r, m->text, 'R');
		break;
	case APOSTROPHE:
		r->t.joined = true;
		put_str(r, m->text, 'R');
		/* fall through */
	case JOIN:
		r->t.joined = true;
		break;
	case DASH:
	case SYSTEM:
	case BARE:
		put_str(r, m->text, 'R');
		break;
	case ODD:
		r->t.odd = true;
		break;
	default:
		break;
	}
}

/* Adds the words of a macro, up to the next macro or end, and moves *at after them. */
static void
put_macro(struct line *l, const struct word *m, int *at, int end)
{
	int k = 0;

	begin_macro(l, m);
	if (m->how == LINK && *at + 1 < end && !l->arg[*at + 1].macro)
		++*at;
	for (; *at < end && !l->arg[*at].macro; ++*at) {
		const struct arg *a = &l->arg[*at];

		if (m->how == NOTHING || is_split(a))
			continue;
		if (k || !mdoc_macros_is_one_of(a, ".,:;)]?!"))
			mdoc_macros_put_word(l, m, k++, a);
		else
			break;
	}
	if (!k && (m->how == FLAG || m->how == NAME || m->how == FILES))
		put_alone(l, m, *at < end);
	if (m->how == CALL) {
		l->r->t.joined = true;
		put_str(l->r, k > 1 ? ")" : "()", 'R');
	}
	for (; *at < end && !l->arg[*at].macro; ++*at)
		mdoc_macros_put(l->r, l->arg[*at].s, l->arg[*at].n, 'R');
}

static void
mdoc_macros_put_line(struct line *l, const struct word *m)
{
	int end = l->n, at = 0;

	while (end && !l->arg[end - 1].macro && mdoc_macros_is_one_of(&l->arg[end - 1], ".,:;)]?!"))
		end--;
	put_macro(l, m, &at, end);
	while (at < end) {
		m = l->arg[at++].macro;
		put_macro(l, m, &at, end);
	}
	while (l->open) {
		l->r->t.joined = true;
		put_str(l->r, l->close[--l->open], 'R');
	}
	for (; at < l->n; at++)
		mdoc_macros_put(l->r, l->arg[at].s, l->arg[at].n, 'R');
}

static void
mdoc_macros_split(struct line *l, struct man_reader *r, const char *args, size_t n)
{
	const char *s;
	size_t at = 0, len;

	*l = (struct line){ .r = r };
	while (roff_argument(args, n, &at, &s, &len)) {
		if (l->n == MAX_ARGS - 1) {
			r->t.odd = true;
			return;
		}
		l->arg[l->n].s = s;
		l->arg[l->n].n = len;
		l->arg[l->n++].macro = s > args && s[-1] == '"' ? NULL : find_word(s, len);
	}
}

static bool
mdoc_macros_has(const struct line *l, const char *word)
{
	int i;

	for (i = 0; i < l->n; i++)
		if (strlen(word) == l->arg[i].n && !memcmp(l->arg[i].s, word, l->arg[i].n))
			return true;
	return false;
}

static void
begin_list(struct man_reader *r, const struct line *l)
{
	static const char *const untagged[] = { "-bullet", "-item", "-enum", "-dash", "-hyphen" };
	char kind = mdoc_macros_has(l, "-column") ? 'c' : 't';
	size_t i;

	for (i = 0; i < sizeof(untagged) / sizeof(*untagged); i++)
		if (mdoc_macros_has(l, untagged[i]))
			kind = 'i';

	man_break(r);
	if (r->lists < (int)sizeof(r->list))
		r->list[r->lists++] = kind;
	if (kind == 'c')
		man_literal(r, true);
}

static void
end_list(struct man_reader *r)
{
	man_break(r);
	if (r->lists && r->list[--r->lists] == 'c')
		man_literal(r, false);
}

/* After Xo, a tag ends at Xc. */
static void
list_item(struct man_reader *r, struct line *l)
{
	char kind = r->lists ? r->list[r->lists - 1] : 'i';

	if (r->literal)
		mdoc_macros_put_line(l, find_word("No", 2));
	else if (kind == 'i')
		man_end(r);
	else {
		man_begin(r, MAN_TAG, !mdoc_macros_has(l, "Xo"));
		mdoc_macros_put_line(l, find_word("No", 2));
		man_end_line(r);
	}
}

static void
mdoc_macros_heading(struct man_reader *r, struct line *l, enum man_kind kind)
{
	r->lists = 0;
	man_literal(r, false);
	man_begin(r, kind, true);
	mdoc_macros_put_line(l, find_word("No", 2));
	man_end_line(r);
}

/* Processes a macro that begins or ends a block; false for all other macros. */
static bool
block_macro(struct man_reader *r, const char *name, size_t n, struct line *l)
{
	static const char *const breaks[] = { "Pp", "Lp", "Rs", "Re" };
	size_t i;

	if (n != 2)
		return false;
	for (i = 0; i < sizeof(breaks) / sizeof(*breaks); i++)
		if (!memcmp(name, breaks[i], 2)) {
			man_break(r);
			return true;
		}
	if (!memcmp(name, "Sh", 2) || !memcmp(name, "Ss", 2))
		mdoc_macros_heading(r, l, name[1] == 'h' ? MAN_SECTION : MAN_SUBSECTION);
	else if (!memcmp(name, "Bl", 2))
		begin_list(r, l);
	else if (!memcmp(name, "El", 2))
		end_list(r);
	else if (!memcmp(name, "It", 2))
		list_item(r, l);
	else if (!memcmp(name, "Bd", 2)) {
		man_break(r);
		man_literal(r, mdoc_macros_has(l, "-literal") || mdoc_macros_has(l, "-unfilled"));
	} else if (!memcmp(name, "Ed", 2))
		man_literal(r, false);
	else if (!memcmp(name, "Dl", 2) || !memcmp(name, "D1", 2)) {
		man_begin(r, MAN_LITERAL, true);
		mdoc_macros_put_line(l, find_word("No", 2));
		man_end_line(r);
	} else
		return false;
	return true;
}

void
mdoc_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n)
{
	const struct word *m = find_word(name, name_n);
	struct line l;

	mdoc_macros_split(&l, r, args, n);
	if (block_macro(r, name, name_n, &l))
		return;
	mdoc_macros_put_line(&l, m ? m : &unknown);
	if (r->kind == MAN_TAG &&
	    (mdoc_macros_has(&l, "Xc") || (name_n == 2 && !memcmp(name, "Xc", 2))))
		man_end(r);
	else
		man_end_line(r);
}
