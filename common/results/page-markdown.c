/* page-markdown: Markdown tables, with headings and paragraphs between them; see page.h. */
#include <string.h>

#include "results/page-parts.h"

/* The part that is being read: a table, possibly only its title so far, or a paragraph. */
struct part {
	struct page *p;
	const char *caption;		/* of the first table */
	struct sheet s;
	struct buf text;
};

static void
end_part(struct part *d)
{
	if (d->s.n) {
		page_sheet(d->p, &d->s, d->caption);
		d->caption = NULL;
	} else if (d->s.title) {
		page_text(d->p, d->s.title);
	}
	if (d->text.n)
		page_text(d->p, d->text.data);
	sheet_release(&d->s);
	buf_clear(&d->text);
}

static void
page_markdown_add_text(struct part *d, const char *line)
{
	if (d->s.n || d->s.title)
		end_part(d);
	if (d->text.n)
		buf_add_char(&d->text, ' ');
	buf_add_str(&d->text, line);
}

static void
add_heading(struct part *d, const char *text)
{
	end_part(d);
	page_heading(d->p, 3, text + strspn(text, " "));
}

/* A blank line ends a part, except that it may separate a title from its table. */
static int
page_markdown_add_line(struct part *d, struct input *input, const char *line, size_t n,
		       struct err *e)
{
	const size_t level = strspn(line, "#");

	if (!n) {
		if (d->s.n || d->text.n)
			end_part(d);
		return 0;
	}
	if (line[0] == '|' || sheet_is_bold(line, n)) {
		if (d->text.n || line[0] != '|')
			end_part(d);
		return sheet_line(&d->s, input, line, n, e);
	}
	if (level && line[level] == ' ')
		add_heading(d, line + level);
	else
		page_markdown_add_text(d, line);
	return 0;
}

/* Whether a line begins with a bar; a first line with tabs means a tab-separated table. */
bool
page_is_markdown(const char *text)
{
	const char *first = text + strspn(text, "\r\n");

	if (*first != '|' && memchr(first, '\t', strcspn(first, "\n")))
		return false;
	return *first == '|' || strstr(first, "\n|");
}

int
page_markdown(struct page *p, struct input *input, const char *caption, struct err *e)
{
	struct part d = { .p = p, .caption = caption };
	const char *line;
	int more = 1;
	size_t n;

	while (more > 0) {
		more = input_line(input, &line, &n, e);
		if (more > 0 && page_markdown_add_line(&d, input, line, n, e))
			more = -1;
	}
	if (!more)
		end_part(&d);
	sheet_release(&d.s);
	buf_release(&d.text);
	return more;
}
