/* man-macros: the macros of man(7) and common requests of roff(7); see man-reader.h. */
#include <string.h>

#include "corpora/man-reader.h"
#include "text/running-text.h"

typedef void macro_run(struct man_reader *r, const char *name, const char *args, size_t n);

static void
paragraph(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	(void)args;
	(void)n;
	man_break(r);
}

static void
nothing(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)r;
	(void)name;
	(void)args;
	(void)n;
}

/* Adds all arguments in one font, separated by spaces. */
static void
add_arguments(struct man_reader *r, char font, const char *args, size_t n)
{
	const char *arg;
	size_t at = 0, len;

	while (roff_argument(args, n, &at, &arg, &len)) {
		man_begin_line(r);
		roff_text_font(&r->t, font);
		roff_text_add(&r->t, arg, len);
	}
	r->t.font = r->t.previous = 'R';
}

static void
man_macros_heading(struct man_reader *r, const char *name, const char *args, size_t n)
{
	man_literal(r, false);
	man_begin(r, name[1] == 'H' ? MAN_SECTION : MAN_SUBSECTION, true);
	add_arguments(r, 'R', args, n);
	man_end_line(r);
}

static void
tag(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	(void)args;
	(void)n;
	if (!r->literal)
		man_begin(r, MAN_TAG, true);
}

/* .IP TAG INDENT; a tag without letters is a bullet or a number and is dropped. */
static void
item(struct man_reader *r, const char *name, const char *args, size_t n)
{
	const char *arg;
	size_t at = 0, len;

	(void)name;
	if (r->literal)
		return;
	man_end(r);
	if (!roff_argument(args, n, &at, &arg, &len))
		return;
	roff_text_add(&r->t, arg, len);
	if (!r->t.letters)
		roff_text_clear(&r->t);
	r->kind = MAN_TAG;
	man_end(r);
}

/* .B and similar; without arguments, the font applies to the next line. */
static void
font(struct man_reader *r, const char *name, const char *args, size_t n)
{
	char f = name[0] == 'S' && name[1] == 'M' ? 'R' : 'B';

	add_arguments(r, f, args, n);
	r->next_font = n ? 0 : f;
	man_end_line(r);
}

/* .BR and similar: arguments in alternating fonts, without spaces between them. */
static void
fonts(struct man_reader *r, const char *name, const char *args, size_t n)
{
	const char *arg;
	size_t at = 0, len;
	int i = 0;

	man_begin_line(r);
	while (roff_argument(args, n, &at, &arg, &len)) {
		roff_text_font(&r->t, name[i++ % 2]);
		roff_text_add(&r->t, arg, len);
	}
	r->t.font = r->t.previous = 'R';
	man_end_line(r);
}

static void
set_font(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	roff_text_font(&r->t, !n || *args == 'P' ? 'P' : *args == 'R' || *args == '1' ? 'R' : 'B');
}

static void
unfilled(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	(void)args;
	(void)n;
	man_literal(r, true);
}

static void
filled(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	(void)args;
	(void)n;
	man_literal(r, false);
}

static void
link_begin(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	buf_clear(&r->url);
	buf_add(&r->url, args, n);
	r->link_text = false;
}

/* The text of a link is its text or, without one, its address. */
static void
link_end(struct man_reader *r, const char *name, const char *args, size_t n)
{
	const char *arg;
	size_t at = 0, len;

	(void)name;
	if (!r->link_text && r->url.n) {
		man_begin_line(r);
		roff_text_add(&r->t, r->url.data, r->url.n);
	}
	buf_clear(&r->url);
	if (roff_argument(args, n, &at, &arg, &len))
		roff_text_add(&r->t, arg, len);
	man_end_line(r);
}

/* A skipped part becomes a literal block, so that it counts when pages are aligned. */
static void
man_macros_skip(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)args;
	(void)n;
	r->skip_to = name[0] == 'T' ? "TE" : name[0] == 'E' ? "EN" : name[0] == 'P' ? "PE" : ".";
	if (*r->skip_to == '.')
		return;
	man_begin(r, MAN_LITERAL, false);
	roff_text_add(&r->t, name, 2);
	man_end(r);
}

static void
mdoc_begin(struct man_reader *r, const char *name, const char *args, size_t n)
{
	(void)name;
	(void)args;
	(void)n;
	r->mdoc = true;
}

static const struct macro { const char *names; macro_run *run; } macros[] = {
	{ " PP LP P HP br sp RS RE in ti bp ce Sp INDENT UNINDENT ", paragraph },
	{ " TP TQ ", tag },
	{ " IP ", item },
	{ " SH SS ", man_macros_heading },
	{ " B I SB SM ", font },
	{ " BR RB BI IB IR RI ", fonts },
	{ " ft ", set_font },
	{ " nf EX Vb SY DS ", unfilled },
	{ " fi EE Ve YS DE ", filled },
	{ " UR MT ", link_begin },
	{ " UE ME ", link_end },
	{ " TS EQ PS de de1 am am1 ig ", man_macros_skip },
	{ " Dd ", mdoc_begin },
	{ " TH ad nh hy na ne nr ds as als mso so ss it PD fam ll pl ps vs tr ta rm rr rn ns rs "
	  "do tm"
	  " UC AT DT IX lf ev cs lg hw nx ex fo BT PT LINKSTYLE OP hlm hcode char warn cp lt po "
	  "nop ",
	  nothing },
};

static bool
listed(const char *names, const char *name, size_t n)
{
	const char *at;

	for (at = names; (at = strchr(at, ' ')) && at[1]; at++)
		if (!strncmp(at + 1, name, n) && at[1 + n] == ' ')
			return true;
	return false;
}

/* Is it an upper-case and a lower-case letter, D1, or % and a letter? */
static bool
is_mdoc(const char *name, size_t n)
{
	return n > 1 && (*name == '%' || (*name < 'a' && (name[1] >= 'a' || name[1] == '1')));
}

void
man_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n)
{
	size_t i;

	if (r->mdoc && is_mdoc(name, name_n)) {
		mdoc_macro(r, name, name_n, args, n);
		return;
	}
	for (i = 0; i < sizeof(macros) / sizeof(*macros); i++)
		if (listed(macros[i].names, name, name_n)) {
			macros[i].run(r, name, args, n);
			return;
		}
	r->t.odd = true;
}
