/* man-macros: the macros of man(7) and common requests of roff(7); see man-reader.h. */
#include "corpora/man-reader.h"
#include "stream/cells.h"
#include "text/running-text.h"

static bool
next_argument(struct man_reader *r, struct str *arg)
{
	return roff_argument(&r->args, arg, &r->texts) != ROFF_END;
}

/* Adds all arguments in one font, separated by spaces. */
static void
add_arguments(struct man_reader *r, char font)
{
	struct str arg;

	while (next_argument(r, &arg)) {
		man_begin_line(r);
		roff_text_font(&r->t, font);
		roff_text_add(&r->t, arg);
	}
	r->t.font = r->t.previous = 'R';
}

static void
man_macros_heading(struct man_reader *r)
{
	man_literal(r, false);
	man_begin(r, r->macro.s[1] == 'H' ? MAN_SECTION : MAN_SUBSECTION, true);
	add_arguments(r, 'R');
	man_end_line(r);
}

static void
tag(struct man_reader *r)
{
	if (!r->literal)
		man_begin(r, MAN_TAG, true);
}

/* .IP TAG INDENT; a tag without letters is a bullet or a number and is dropped. */
static void
item(struct man_reader *r)
{
	struct str arg;

	if (r->literal)
		return;
	man_end(r);
	if (!next_argument(r, &arg))
		return;
	roff_text_add(&r->t, arg);
	if (!r->t.letters)
		roff_text_clear(&r->t);
	r->kind = MAN_TAG;
	man_end(r);
}

/* .B and similar; without arguments, the font applies to the next line. */
static void
font(struct man_reader *r)
{
	char f = str_is(r->macro, "SM") ? 'R' : 'B';

	r->next_font = r->args.n ? 0 : f;
	add_arguments(r, f);
	man_end_line(r);
}

/* .BR and similar: arguments in alternating fonts, without spaces between them. */
static void
fonts(struct man_reader *r)
{
	struct str arg;

	man_begin_line(r);
	for (int i = 0; next_argument(r, &arg); i++) {
		roff_text_font(&r->t, r->macro.s[i % 2]);
		roff_text_add(&r->t, arg);
	}
	r->t.font = r->t.previous = 'R';
	man_end_line(r);
}

static void
set_font(struct man_reader *r)
{
	const char c = r->args.n ? *r->args.s : 'P';

	roff_text_font(&r->t, c == 'P' ? 'P' : c == 'R' || c == '1' ? 'R' : 'B');
}

static void
unfilled(struct man_reader *r)
{
	man_literal(r, true);
}

static void
filled(struct man_reader *r)
{
	man_literal(r, false);
}

static void
link_begin(struct man_reader *r)
{
	buf_clear(&r->url);
	buf_add(&r->url, r->args.s, r->args.n);
	r->link_text = false;
}

/* The text of a link is its text or, without one, its address. */
static void
link_end(struct man_reader *r)
{
	struct str arg;

	if (!r->link_text && r->url.n) {
		man_begin_line(r);
		roff_text_add(&r->t, (struct str){ r->url.data, r->url.n });
	}
	buf_clear(&r->url);
	if (next_argument(r, &arg))
		roff_text_add(&r->t, arg);
	man_end_line(r);
}

/* A skipped part becomes a literal block, so that it counts when pages are aligned. */
static void
man_macros_skip(struct man_reader *r)
{
	const char c = r->macro.s[0];

	buf_add_str(&r->skip_to, c == 'T' ? "TE" : c == 'E' ? "EN" : "PE");
	man_begin(r, MAN_LITERAL, false);
	roff_text_add(&r->t, r->macro);
	man_end(r);
}

/* .ig END and .de NAME END: a definition ends at the macro END, by default "..". */
static void
definition(struct man_reader *r)
{
	struct str end;
	bool named = next_argument(r, &end);

	if (named && !str_is(r->macro, "ig"))
		named = next_argument(r, &end);
	if (named && end.n)
		buf_add(&r->skip_to, end.s, end.n);
	else
		buf_add_str(&r->skip_to, ".");
}

static void
mdoc_begin(struct man_reader *r)
{
	r->mdoc = true;
}

/* Macros; `run` is NULL if they have no effect. */
static const struct macro { const char *names; void (*run)(struct man_reader *r); } macros[] = {
	{ " PP LP P HP br sp RS RE in ti bp ce Sp INDENT UNINDENT ", man_break },
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
	{ " TS EQ PS ", man_macros_skip },
	{ " de de1 am am1 ig ", definition },
	{ " Dd ", mdoc_begin },
	{ " TH ad nh hy na ne nr ds as als mso so ss it PD fam ll pl ps vs tr ta rm rr rn ns rs "
	  "do tm"
	  " UC AT DT IX lf ev cs lg hw nx ex fo BT PT LINKSTYLE OP hlm hcode char warn cp lt po ",
	  NULL },
};

/* Is it an upper-case and a lower-case letter, D1, or % and a letter? */
static bool
is_mdoc(struct str s)
{
	return s.n > 1 && (*s.s == '%' || (*s.s < 'a' && (s.s[1] >= 'a' || s.s[1] == '1')));
}

void
man_macro(struct man_reader *r)
{
	if (r->mdoc && is_mdoc(r->macro)) {
		mdoc_macro(r);
		return;
	}
	for (size_t i = 0; i < sizeof(macros) / sizeof(*macros); i++)
		if (str_listed(r->macro, macros[i].names)) {
			if (macros[i].run)
				macros[i].run(r);
			return;
		}
	r->t.odd = true;
}
