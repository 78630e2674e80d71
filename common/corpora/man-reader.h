/*
 * man-reader: declarations shared by the parts of man-blocks: lines, macros of man(7), of
 * mdoc(7).
 */
#ifndef MAN_READER_H
#define MAN_READER_H

#include "corpora/man-blocks.h"
#include "corpora/roff-text.h"

struct man_reader {
	struct man_page *page;		/* the page to which blocks are added */
	struct roff_text t;		/* the text of the current block */
	enum man_kind kind;
	bool one_line;			/* the block ends with the next line of text */
	bool literal, indented;		/* in unfilled text; in lines that begin with a space */
	const char *skip_to;		/* the macro that ends a skipped part, or NULL */
	int skip_braces;		/* open braces of a false condition */
	bool otherwise;			/* whether .el is true: the last .ie was false */
	char next_font;			/* the font of the next line of text, or 0 */
	struct buf line, url;
	bool link_text;			/* there was text since .UR */
	bool mdoc;
	struct buf name;		/* mdoc's .Nm */
	int lists;
	char list[16];			/* mdoc's open lists: t with tags, c columns, i items */
};

void man_end(struct man_reader *r);			/* ends a block; a paragraph follows */
void man_break(struct man_reader *r);			/* the same, except in literal text */
void man_begin(struct man_reader *r, enum man_kind kind, bool one_line);
void man_literal(struct man_reader *r, bool on);
void man_begin_line(struct man_reader *r);		/* called before, and man_end_line() after,
							 * the text of a line */
void man_end_line(struct man_reader *r);

/*
 * Process a control line of man(7), and of mdoc(7): a macro, and its arguments in n bytes at args.
 */
void man_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n);
void mdoc_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n);

#endif
