/* man-reader: what the parts of man-blocks share: lines, man(7)'s macros and mdoc(7)'s. */
#ifndef MAN_READER_H
#define MAN_READER_H

#include "text/man-blocks.h"
#include "text/roff-text.h"

struct man_reader {
	struct man_page *page;
	struct roff_text t;		/* of the block being gathered */
	enum man_kind kind;
	bool one_line;			/* the block ends with the next line that has text */
	bool literal, indented;		/* in unfilled text; in lines that begin with a blank */
	const char *skip_to;		/* the macro that ends what is skipped, or NULL */
	int skip_braces;		/* open braces of a false condition */
	bool otherwise;			/* what .el is */
	char next_font;			/* of the next line of text, or 0 */
	struct buf line, url;
	bool link_text;			/* text since .UR */
	bool mdoc;
	struct buf name;		/* mdoc's .Nm */
	int lists;
	char list[16];			/* mdoc's open lists: t with tags, c of columns, i of items */
};

void man_end(struct man_reader *r);			/* of a block; the next is a paragraph */
void man_break(struct man_reader *r);			/* the same, except in literal text */
void man_begin(struct man_reader *r, enum man_kind kind, bool one_line);
void man_literal(struct man_reader *r, bool on);
void man_begin_line(struct man_reader *r);		/* before and after the text of a line */
void man_end_line(struct man_reader *r);

/* One control line. */
void man_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n);
void mdoc_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n);

#endif
