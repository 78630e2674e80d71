/*
 * man-reader: the state of reading a manual page, for the files that implement man-blocks.h:
 * man-blocks.c, man-macros.c for man(7), and mdoc-macros.c for mdoc(7).
 */
#ifndef MAN_READER_H
#define MAN_READER_H

#include "corpora/man-blocks.h"
#include "corpora/roff-text.h"

struct man_reader {
	struct man_page *page;		/* the page to which blocks are added */
	struct roff_text t;		/* the text of the current block */
	enum man_kind kind;		/* of the current block */
	struct str macro, args;		/* of the current control line: name and arguments */
	struct texts texts;		/* arguments that are no part of the line (roff-text.h) */
	bool one_line;			/* the block ends with the next line of text */
	bool literal, indented;		/* in unfilled text; in lines that begin with a space */
	struct buf skip_to;		/* the macro that ends the part being skipped, or empty */
	int skip_braces;		/* number of open braces after a false condition */
	bool otherwise;			/* whether .el is true: the last .ie was false */
	char next_font;			/* the font of the next line of text only, or 0 */
	struct buf line, url;		/* the current line; the address of the last .UR */
	bool link_text;			/* there was text since .UR */
	bool mdoc;			/* the page is mdoc(7) */
	bool unspaced;			/* after .Sm off: words follow without spaces */
	struct buf name;		/* the argument of the first .Nm of mdoc(7) */
	int lists;			/* number of open lists of mdoc(7) */
	char list[16];			/* their kinds: t with tags, c columns, i items */
};

/*
 * Ends the current block and adds it to the page, unless it is empty.  A paragraph begins; in
 * literal text, a literal block.
 */
void man_end(struct man_reader *r);
void man_break(struct man_reader *r);			/* the same, except in literal text */
/* Ends the current block and begins one of this kind; `one_line` is that of struct man_reader. */
void man_begin(struct man_reader *r, enum man_kind kind, bool one_line);
/* Ends the current block, and begins (`on`) or ends literal text. */
void man_literal(struct man_reader *r, bool on);
/* Call these before and after the text of a line is added to r->t. */
void man_begin_line(struct man_reader *r);
void man_end_line(struct man_reader *r);

/* Process the current control line of man(7) or of mdoc(7). */
void man_macro(struct man_reader *r);
void mdoc_macro(struct man_reader *r);

#endif
