/* page-table: tables from files, tab-separated or Markdown; see page.h. */
#include "results/page-parts.h"
#include "text/lines.h"

int
page_table_memory(struct page *p, const char *name, const struct buf *text, const char *caption,
		  struct err *e)
{
	struct input *in = input_memory(name, text->data, text->n, INPUT_UTF8, e);
	struct sheet s = { .n = 0 };
	int r = in ? 0 : -1;

	if (in && page_is_markdown(text->data)) {
		r = page_markdown(p, in, caption, e);
	} else if (in) {
		r = sheet_read(&s, in, e);
		if (!r)
			page_sheet(p, &s, caption);
	}
	sheet_release(&s);
	input_close(in);
	return r;
}

int
page_table(struct page *p, const char *path, const char *caption, struct err *e)
{
	struct buf text = { 0 };
	int r = lines_read_all(path, &text, e);

	if (!r)
		r = page_table_memory(p, path, &text, caption, e);
	buf_release(&text);
	return r;
}
