/* sheet: any bytes are a table or are refused; its text never becomes an HTML tag. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "results/page-parts.h"

#include "fuzz.h"

static bool
is_tag(const char *s)
{
	static const char *const tags[] = {
		"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span",
		"details",
		"summary", "ul", "li", "strong", "h3"
	};

	s += *s == '/';
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		const size_t n = strlen(tags[i]);

		if (!strncmp(s, tags[i], n) && strchr(" >", s[n]))
			return true;
	}
	return false;
}

static void
look(const struct buf *html)
{
	must(!html->n || utf8_check(html->data, html->n) == html->n);
	for (size_t i = 0; i < html->n; i++)
		must(html->data[i] && (html->data[i] != '<' || is_tag(html->data + i + 1)));
}

static void
show(const struct sheet *s)
{
	struct buf all = { 0 };
	struct page p;
	struct err e;

	page_init(&p);
	page_sheet(&p, s, NULL);
	look(&p.body);
	if (page_sheet_claims(&p, s, NULL, &e))
		must(e.status == EXIT_INPUT);
	look(&p.body);
	page_finish(&p, "fuzz", &all);
	buf_release(&all);
}

/* Also reads Markdown tables with text between them. */
static void
show_all(const uint8_t *data, size_t n)
{
	struct buf text = { 0 }, all = { 0 };
	struct page p;
	struct err e;

	buf_add(&text, data, n);
	page_init(&p);
	if (page_table_memory(&p, "fuzz", &text, NULL, &e))
		must(e.status == EXIT_INPUT);
	look(&p.body);
	page_finish(&p, "fuzz", &all);
	buf_release(&text);
	buf_release(&all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct sheet s;
	struct err e;
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	show_all(data, n);
	if (!in)
		return 0;
	if (sheet_read(&s, in, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		must(s.n > 0 && sheet_columns(&s) > 0);
		for (size_t r = 0; r < s.n; r++)
			must(s.row[r].n <= sheet_columns(&s));
		show(&s);
		sheet_release(&s);
	}
	input_close(in);
	return 0;
}
