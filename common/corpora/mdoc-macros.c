/* mdoc-macros: the macros of mdoc(7); see man-reader.h. */
#include <string.h>

#include "corpora/man-reader.h"
#include "stream/cells.h"

enum { MAX_ARGS = 64 };		/* of a line; a paragraph with more arguments is skipped as odd */

struct line {
	struct man_reader *r;
	struct arg { struct str s; const struct word *macro; } arg[MAX_ARGS];
	int n, at;
	const char *close[MAX_ARGS];	/* the closing marks of open quotations */
	int open;
};

/*
 * How a macro treats the words after it, up to the next macro.  MARK: sets them in another font.
 * QUOTE: opens a quotation, which is closed at the end of the line.  BARE: has a known text, but
 * only without words (which are a version).  ODD: its text is unknown.
 */
enum how { MARK, FLAG, NAME, FILES, PLAIN, PAGE, CALL, HEADER, LINK, QUOTE, OPEN, CLOSE, JOIN,
	   PREFIX, APOSTROPHE, DASH, SYSTEM, BARE, NOTHING, ODD };

static const struct word { const char *names; enum how how; const char *text, *end; } words[] = {
	{ " Cm Dv Er Ev Fa Ft Ic Li Pa Sy Em Va Vt Cd Ms Ad ", MARK, NULL, NULL },
	{ " An Mt No Sx Tn ", PLAIN, NULL, NULL }, { " Fl ", FLAG, "-", NULL },
	{ " Nm ", NAME, "", NULL }, { " Ar ", FILES, "file ...", NULL },
	{ " Xr ", PAGE, NULL, NULL }, { " Fn ", CALL, NULL, NULL }, { " Lk ", LINK, NULL, NULL },
	{ " In ", HEADER, NULL, NULL },
	{ " Dq ", QUOTE, "“", "”" }, { " Sq Ql ", QUOTE, "‘", "’" }, { " Qq ", QUOTE, "\"", "\"" },
	{ " Pq ", QUOTE, "(", ")" }, { " Bq Op ", QUOTE, "[", "]" }, { " Aq ", QUOTE, "<", ">" },
	{ " Brq ", QUOTE, "{", "}" },
	{ " Do ", OPEN, "“", NULL }, { " So ", OPEN, "‘", NULL }, { " Qo ", OPEN, "\"", NULL },
	{ " Po ", OPEN, "(", NULL }, { " Bo Oo ", OPEN, "[", NULL }, { " Ao ", OPEN, "<", NULL },
	{ " Bro ", OPEN, "{", NULL },
	{ " Dc ", CLOSE, "”", NULL }, { " Sc ", CLOSE, "’", NULL }, { " Qc ", CLOSE, "\"", NULL },
	{ " Pc ", CLOSE, ")", NULL }, { " Bc Oc ", CLOSE, "]", NULL }, { " Ac ", CLOSE, ">", NULL },
	{ " Brc ", CLOSE, "}", NULL },
	{ " Ns ", JOIN, NULL, NULL }, { " Pf ", PREFIX, NULL, NULL },
	{ " Ap ", APOSTROPHE, "'", NULL }, { " Nd ", DASH, "-", NULL },
	{ " Ux ", SYSTEM, "UNIX", NULL }, { " Fx ", SYSTEM, "FreeBSD", NULL },
	{ " Nx ", SYSTEM, "NetBSD", NULL }, { " Ox ", SYSTEM, "OpenBSD", NULL },
	{ " Dx ", SYSTEM, "DragonFly", NULL },
	{ " Bx ", BARE, "BSD", NULL }, { " At ", BARE, "AT&T UNIX", NULL },
	{ " Xo Xc Bk Ek Dd Dt Os Db ", NOTHING, NULL, NULL }
};
static const struct word plain = { "", PLAIN, NULL, NULL }, unknown = { "", ODD, NULL, NULL };

static const struct word *
find_word(struct str name)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_listed(name, words[i].names))
			return &words[i];
	return NULL;
}

/* Is it punctuation that is joined to the previous word? */
static bool
is_closing(struct str s)
{
	return s.n == 1 && strchr(".,:;)]?!", *s.s);
}

/* .An -split and -nosplit have no text. */
static bool
is_split(struct str s)
{
	return s.n > 5 && *s.s == '-' && !memcmp(s.s + s.n - 5, "split", 5);
}

/* Punctuation is joined to the previous word, opening punctuation to the next one. */
static void
mdoc_macros_put(struct man_reader *r, struct str s, char font)
{
	if (is_closing(s)) {
		r->t.joined = true;
		font = 'R';
	}
	man_begin_line(r);
	roff_text_font(&r->t, font);
	roff_text_add(&r->t, s);
	r->t.font = r->t.previous = 'R';
	if (s.n == 1 && strchr("([", *s.s))
		r->t.joined = true;
}

static void
put_str(struct man_reader *r, const char *s, char font)
{
	mdoc_macros_put(r, (struct str){ s, strlen(s) }, font);
}

/* The default text of a macro without words: the dash of an option, the page's name, "file ...". */
static void
put_alone(struct line *l, const struct word *m, bool macro_follows)
{
	struct man_reader *r = l->r;

	if (m->how == NAME)
		mdoc_macros_put(r, (struct str){ r->name.data, r->name.n }, 'B');
	else
		put_str(r, m->text, 'B');
	if (m->how == FLAG && macro_follows)
		r->t.joined = true;
}

/* Adds the k-th word of a macro. */
static void
mdoc_macros_put_word(struct line *l, const struct word *m, int k, struct str s)
{
	struct man_reader *r = l->r;
	bool mark = m->how == MARK || m->how == FLAG || m->how == NAME || m->how == FILES ||
		    m->how == HEADER;

	r->t.odd |= m->how == BARE;
	if (m->how == NAME && !r->name.n)
		buf_add(&r->name, s.s, s.n);
	if (m->how == FLAG) {
		put_str(r, "-", 'B');
		r->t.joined = true;
	}
	if (m->how == HEADER) {
		put_str(r, "<", 'R');
		r->t.joined = true;
	} else if (m->how == PAGE && k == 1) {
		r->t.joined = true;
		put_str(r, "(", 'R');
	} else if (m->how == CALL && k) {
		r->t.joined = k == 1;
		put_str(r, k == 1 ? "(" : ",", 'R');
	}
	mdoc_macros_put(r, s, mark || ((m->how == PAGE || m->how == CALL) && !k) ? 'B' : 'R');
	if (m->how == PAGE && k == 1)
		put_str(r, ")", 'R');
	if (m->how == HEADER) {
		r->t.joined = true;
		put_str(r, ">", 'R');
	}
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
		const struct str s = l->arg[*at].s;

		if (m->how == NOTHING || is_split(s))
			continue;
		if (is_closing(s) && (!k || m->how == CALL))
			break;
		if (is_closing(s))
			mdoc_macros_put(l->r, s, 'R');
		else
			mdoc_macros_put_word(l, m, k++, s);
	}
	if (!k && (m->how == FLAG || m->how == NAME || m->how == FILES))
		put_alone(l, m, *at < end);
	if (m->how == CALL) {
		l->r->t.joined = true;
		put_str(l->r, k > 1 ? ")" : "()", 'R');
	}
	for (; *at < end && !l->arg[*at].macro; ++*at)
		mdoc_macros_put(l->r, l->arg[*at].s, 'R');
}

static void
mdoc_macros_put_line(struct line *l, const struct word *m)
{
	int end = l->n, at = 0;

	while (end && !l->arg[end - 1].macro && is_closing(l->arg[end - 1].s))
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
		mdoc_macros_put(l->r, l->arg[at].s, 'R');
}

static void
mdoc_macros_split(struct line *l, struct man_reader *r)
{
	struct str rest = r->args, s;
	int kind;

	*l = (struct line){ .r = r };
	while ((kind = roff_argument(&rest, &s, &r->texts))) {
		if (l->n == MAX_ARGS - 1) {
			r->t.odd = true;
			return;
		}
		l->arg[l->n++] = (struct arg){ s, kind == ROFF_QUOTED ? NULL : find_word(s) };
	}
}

/* Is one of the words an argument? */
static bool
mdoc_macros_has(const struct line *l, const char *names)
{
	for (int i = 0; i < l->n; i++)
		if (str_listed(l->arg[i].s, names))
			return true;
	return false;
}

static void
begin_list(struct line *l)
{
	struct man_reader *r = l->r;
	char kind = mdoc_macros_has(l, " -column ") ? 'c' : 't';

	if (mdoc_macros_has(l, " -bullet -item -enum -dash -hyphen "))
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

/* Adds a block of the arguments. */
static void
put_block(struct line *l, enum man_kind kind, bool one_line)
{
	man_begin(l->r, kind, one_line);
	mdoc_macros_put_line(l, &plain);
	man_end_line(l->r);
}

/* After Xo, a tag ends at Xc. */
static void
list_item(struct line *l)
{
	struct man_reader *r = l->r;

	if (r->literal)
		mdoc_macros_put_line(l, &plain);
	else if (!r->lists || r->list[r->lists - 1] == 'i')
		man_end(r);
	else
		put_block(l, MAN_TAG, !mdoc_macros_has(l, " Xo "));
}

static void
mdoc_macros_heading(struct line *l, enum man_kind kind)
{
	l->r->lists = 0;
	man_literal(l->r, false);
	put_block(l, kind, true);
}

/* Processes a macro that begins or ends a block; false for all other macros. */
static bool
block_macro(struct man_reader *r, struct line *l)
{
	if (str_listed(r->macro, " Pp Lp Rs Re "))
		man_break(r);
	else if (str_is(r->macro, "Sh"))
		mdoc_macros_heading(l, MAN_SECTION);
	else if (str_is(r->macro, "Ss"))
		mdoc_macros_heading(l, MAN_SUBSECTION);
	else if (str_is(r->macro, "Bl"))
		begin_list(l);
	else if (str_is(r->macro, "El"))
		end_list(r);
	else if (str_is(r->macro, "It"))
		list_item(l);
	else if (str_is(r->macro, "Bd")) {
		man_break(r);
		man_literal(r, mdoc_macros_has(l, " -literal -unfilled "));
	} else if (str_is(r->macro, "Ed"))
		man_literal(r, false);
	else if (str_listed(r->macro, " Dl D1 "))
		put_block(l, MAN_LITERAL, true);
	else
		return false;
	return true;
}

/* .Sm off, .Sm on, or .Sm for the other one of the two. */
static void
set_spacing(struct line *l)
{
	struct man_reader *r = l->r;

	r->unspaced = l->n ? str_is(l->arg[0].s, "off") : !r->unspaced;
	if (!r->unspaced)
		r->t.joined = false;
}

void
mdoc_macro(struct man_reader *r)
{
	const struct word *m = find_word(r->macro);
	struct line l;

	mdoc_macros_split(&l, r);
	if (block_macro(r, &l))
		return;
	if (str_is(r->macro, "Sm")) {
		set_spacing(&l);
		return;
	}
	mdoc_macros_put_line(&l, m ? m : &unknown);
	if (r->kind == MAN_TAG && (mdoc_macros_has(&l, " Xc ") || str_is(r->macro, "Xc")))
		man_end(r);
	else
		man_end_line(r);
}
