/* man-blocks and man-align: blocks of man(7) and mdoc(7) pages, and their alignment, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "corpora/man-blocks.h"
#include "corpora/man-pages.h"

/* The blocks of a page, one per line: kind, * if it is not running text, and the text. */
static const char *
blocks(const char *source)
{
	static char out[4096];
	struct man_page p;
	struct err e;
	size_t i, at = 0;

	p = (struct man_page){ 0 };
	assert_int_equal(man_page_read(&p, source, strlen(source), &e), 0);
	out[0] = '\0';
	for (i = 0; i < p.n; i++)
		at += (size_t)snprintf(out + at, sizeof(out) - at, "%c%s %s\n",
				       (int)p.block[i].kind,
				       p.block[i].code ? "*" : "", p.text.data + p.block[i].at);
	man_page_release(&p);
	return out;
}

/* A page that consists of n times this continued line, and "end". */
static void
check_continued(const char *line, size_t n, const char *text, size_t text_n)
{
	const size_t len = strlen(line);
	char *page = malloc(n * len + 4);
	struct man_page p;
	struct err e;

	for (size_t i = 0; i < n; i++)
		memcpy(page + i * len, line, len);
	strcpy(page + n * len, "end");
	p = (struct man_page){ 0 };
	alarm(60);	/* with time in the square of n, it would take half an hour */
	assert_int_equal(man_page_read(&p, page, n * len + 3, &e), 0);
	alarm(0);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.block[0].n, n * text_n + 3);
	for (size_t i = 0; i < n; i += 1000)
		assert_memory_equal(p.text.data + p.block[0].at + i * text_n, text, text_n);
	man_page_release(&p);
	free(page);
}

static void
lines_are_continued_in_linear_time(void **state)
{
	char *joined = strdup(blocks("one \\\\two\nthree \\\\ four \\\\\\\\five \\\" no\\\nsix"));

	(void)state;
	assert_string_equal(blocks("one \\\\\\\ntw\\\no\nthree \\\\\\\n four \\\\\\\n\\\\\\\nfive "
				   "\\\" no\\\nsix"), joined);
	free(joined);
	check_continued("a\\\n", 3000000, "a", 1);
	check_continued("\\e\\\n", 2000000, "\\", 1);
}

static void
paragraphs_end_at_macros(void **state)
{
	(void)state;
	assert_string_equal(blocks(".TH X 1\n.SH NAME\nx \\- a thing\n.SH \"SEE ALSO\"\nOne\n"
				   "two.\n.PP\nThree\n\nfour\n"
				   ".SS Sub\nfive\n.br\nsix\n.sp\nseven"),
			    "S NAME\np x - a thing\nS SEE ALSO\np One two.\np Three\np four\n"
			    "s Sub\np five\np six\np seven\n");
	assert_string_equal(blocks(".TP\n\\fB\\-a\\fP\nall\n.TP 4\n.BR \\-b , \\-c\nboth\n"
				   ".IP \\(bu 2\nbullet\n.IP \"the tag\"\nbody\n"
				   ".SH\nnext line\ntext"),
			    "t* -a\np all\nt* -b,-c\np both\np bullet\nt* the tag\np body\n"
			    "S next line\np text\n");
	assert_string_equal(blocks("a\n.nf\nint x;\n\nint y;\n.fi\nb\n.TS\nl l.\nx\ty\n.TE\nc\n"
				   "  indented\nd\n.EX\ncode\n.SH E\ne"),
			    "p a\nl* int x; int y;\np b\nl* TS\np c\nl* indented\np d\nl* code\n"
			    "S E\np e\n");
	assert_string_equal(blocks(".\\\" comment\n.de XX\nnever\n..\ntext \\\" comment\n"
				   "'\\\" and\nmore\\c\n.B over\nend \\\nhere\n"),
			    "p text moreover end here\n");
	assert_string_equal(blocks(".RS 4\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}\nitem one\n.RE\n"),
			    "p item one\n");
}

/* The texts are those of groff. */
static void
definitions_end_at_their_end_macro(void **state)
{
	(void)state;
	assert_string_equal(blocks("one\n.ig END\nno\n..\nno\n.END\ntwo\n.de XX YY\nno\n. YY\n"
				   "three\n.ig\nno\n.END\nno\n..\nfour\n.am1 XX ++ \\\" no\nno\n"
				   ".++\nfive\n.de ZZ \\\" no\nno\n..\nsix\n"),
			    "p one two three four five six\n");
}

/* The texts are those of mandoc. */
static void
arguments_may_have_quotation_marks(void **state)
{
	(void)state;
	assert_string_equal(blocks("x\n.BR \"say \"\"hi\"\"\" \" there\"\n"
				   ".IR a\"\"b \"c\"\"\" \"\"\"d\"\n"
				   ".B \"open \"\"q\n.B \"\"\n.B \"\"\"\"\nand more of the text\n"
				   ".SH \"A \"\"b\"\" c\"\n"),
			    "p x say \"hi\" there a\"\"bc\"\"d open \"q \" and more of the text\n"
			    "S A \"b\" c\n");
	assert_string_equal(blocks(".Dd t\nx\n.Dq \"say \"\"Pq\"\"\" \"Pq\" and\n"),
			    "p x “say \"Pq\" Pq and”\n");
}

static void
the_arguments_of_nop_are_a_line(void **state)
{
	(void)state;
	assert_string_equal(blocks("a\n.nop text here\n.nop\n"
				   ".nop .BR b ,\n.if n .nop c\n.nop .PP\nd\n"),
			    "p a text here b, c\np d\n");
}

static void
conditions_are_evaluated_for_a_terminal(void **state)
{
	(void)state;
	assert_string_equal(blocks(".ie n \\{\\\nyes\n.\\}\n.el \\{\nno\n.if n \\{ nor\n"
				   "this \\}\n.\\}\n.if t never\n.if !t and\n"
				   ".ie \\n(.g groff\n.el other\n.ie 'a'b' x\n.el y\n"
				   ".if \\nX>3 .PP\nend"),
			    "p yes and groff y end\n");
}

static void
escapes_become_characters(void **state)
{
	(void)state;
	assert_string_equal(blocks("a\\-b \\(lqq\\(rq \\[em] it\\*(Aqs \\[u00E9]\\~x\\ y\\&. "
				   "\\s-1US\\s0 \\f(CWf\\fR\\|g \\e \\v'1'h\\v'-1'"),
			    "p a-b “q” — it's é x y. US fg \\ h\n");
	assert_string_equal(blocks("known\n.PP\nunknown \\(zz here\n.PP\nstring \\*(XY\n.PP\n"
				   ".XX macro\nso it is\n"),
			    "p known\np* unknown here\np* string\np* so it is\n");
}

static void
options_and_lists_of_pages_are_code(void **state)
{
	(void)state;
	assert_string_equal(blocks(".BR ls (1),\n.BR cat (1)\n.PP\nSee also\n.BR ls (1)\n"
				   "of old.\n.PP\n\\fB\\-\\-all\\fP \\fIfile\\fP\n"
				   ".PP\n12 + 3\n.PP\n.I\nall of it\n"
				   "roman again, and more of it\n"),
			    "p* ls(1), cat(1)\np See also ls(1) of old.\np* --all file\np* 12 + 3\n"
			    "p all of it roman again, and more of it\n");
}

static void
links_have_their_text_or_address(void **state)
{
	(void)state;
	assert_string_equal(blocks("see\n.UR http://x.org\nthe page\n.UE ,\nor\n.MT a@b.c\n"
				   ".ME .\nEnd"),
			    "p see the page, or a@b.c. End\n");
}

static void
mdoc_has_the_same_blocks(void **state)
{
	(void)state;
	assert_string_equal(blocks(".Dd today\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd does things\n"
				   ".Sh SYNOPSIS\n.Nm\n.Op Fl a\n.Ar file\n"
				   ".Sh DESCRIPTION\n.Nm\nis\n.Dq very good\n.Pq or Em bad ,\n"
				   "see\n.Xr y 3 .\n.Pp\nNew\n"),
			    "S NAME\np x - does things\nS SYNOPSIS\np* x [-a] file\nS DESCRIPTION\n"
			    "p x is “very good” (or bad), see y(3).\np New\n");
	assert_string_equal(blocks(".Dd t\n.Bl -tag -width Ds\n"
				   ".It Fl a Ar b , Fl -long Ns = Ns Ar c\nText of\n.Fn f a b .\n"
				   ".It Xo\n.Fl c\n.Xc\n"
				   "More\n.El\n.Bl -bullet\n.It\none\n.It\ntwo\n.El\n"
				   ".Bd -literal\ncode\n.Ed\nafter\n.Bl -column a b\n.It a Ta b\n"
				   ".El\n.Rs\n.%T Title\n.Re\nlast in\n.Bx\nand\n.Fx 4.3 .\n.Pp\n"
				   "In\n.Bx 4.2 .\n"),
			    "t* -a b, --long=c\np Text of f(a, b).\nt* -c\np More\np one\np two\n"
			    "l* code\np after\nl* a Ta b\n"
			    "p* Title\np last in BSD and FreeBSD 4.3.\np* In BSD 4.2.\n");
}

/* The texts are those of mandoc. */
static void
mdoc_words_are_spaced(void **state)
{
	(void)state;
	assert_string_equal(blocks(".Dd t\nMail\n.Sm off\n.Ar user No @ Ar host\n.Sm on\nnow, as\n"
				   ".Sm off\n.Pa /etc\n.Pq a b ,\nsome text\n.Sm\nand no more\n"
				   ".Bl -tag\n.It Xo\n.Sm off\n.Fl a\n.Ar b\n.Sm on\n.Fl c\n"
				   ".Xc\nd\n.El\n.Sm off\n.Sh E\n.Sm on\ne f\n"),
			    "p Mail user@host now, as /etc(ab),some text and no more\nt* -ab -c\n"
			    "p d\nS E\np e f\n");
	assert_string_equal(blocks(".Dd t\nHeaders are\n.In stdio.h , In b.h .\n"
				   "More of them\n.Pq In c.h\n.Pp\n.In d.h\n.Pp\nWith\n"
				   ".Fl a , Fl b\nand\n.Fl c , d ;\nor\n.Fn f , Fn g\n"),
			    "p Headers are <stdio.h>, <b.h>. More of them (<c.h>)\np* <d.h>\n"
			    "p With -a, -b and -c, -d; or f(), g()\n");
}

static void
invalid_utf8_is_refused(void **state)
{
	struct man_page p;
	struct err e;

	(void)state;
	p = (struct man_page){ 0 };
	assert_int_equal(man_page_read(&p, "ab\377", 3, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_int_equal(man_page_read(&p, "ab\0c", 4, &e), -1);
	man_page_release(&p);
}

/* The partners as digits, or - for none; = after them if the pages have the same blocks. */
static const char *
partners(const char *s, const char *t)
{
	static char out[64];
	struct man_page a, b;
	size_t partner[60], i;
	struct err e;
	bool same;

	a = (struct man_page){ 0 };
	b = (struct man_page){ 0 };
	assert_int_equal(man_page_read(&a, s, strlen(s), &e), 0);
	assert_int_equal(man_page_read(&b, t, strlen(t), &e), 0);
	same = man_align(&a, &b, partner);
	for (i = 0; i < a.n; i++)
		out[i] = partner[i] == SIZE_MAX ? '-' : (char)('0' + partner[i]);
	strcpy(out + i, same ? "=" : "");
	man_page_release(&a);
	man_page_release(&b);
	return out;
}

static void
blocks_are_paired_by_kinds_or_between_anchors(void **state)
{
	(void)state;
	assert_string_equal(partners(".SH A\na\n.TP\nx\nb\n", ".SH E\ne\n.TP\ny\nf\n"), "0123=");
	assert_string_equal(partners(".SH A\na\n", ".SH E\ne\n.SH T\ntranslated by\n"), "01=");
	/* an additional paragraph, and no anchors: nothing is paired */
	assert_string_equal(partners("a\n.PP\nb\n", "d\n.PP\ne\n.PP\nf\n"), "--");
	/* the third of five paragraphs is new in b; --one and --two are anchors */
	assert_string_equal(partners("a\n.PP\nb --one\n.PP\nd\n.PP\ne --two\n.PP\nf\n",
				     "g\n.PP\nh --one\n.PP\nnew\n.PP\nother\n.PP\n"
				     "i --two\n.PP\nj\n"),
			    "01-45");
	/* different kinds between the anchors */
	assert_string_equal(partners("--one\n.PP\nd\n.PP\n--two\n.PP\nx\n",
				     "--one\n.SS d\n.PP\n--two\n"), "0-2-");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_continued_in_linear_time),
		cmocka_unit_test(paragraphs_end_at_macros),
		cmocka_unit_test(definitions_end_at_their_end_macro),
		cmocka_unit_test(arguments_may_have_quotation_marks),
		cmocka_unit_test(the_arguments_of_nop_are_a_line),
		cmocka_unit_test(conditions_are_evaluated_for_a_terminal),
		cmocka_unit_test(escapes_become_characters),
		cmocka_unit_test(options_and_lists_of_pages_are_code),
		cmocka_unit_test(links_have_their_text_or_address),
		cmocka_unit_test(mdoc_has_the_same_blocks),
		cmocka_unit_test(mdoc_words_are_spaced),
		cmocka_unit_test(invalid_utf8_is_refused),
		cmocka_unit_test(blocks_are_paired_by_kinds_or_between_anchors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
