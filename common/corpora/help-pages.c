/* help-pages: reads help pages and package descriptions; see help-pages.h. */
#include <stdlib.h>
#include <string.h>

#include "corpora/descriptions.h"
#include "corpora/help-pages.h"
#include "corpora/html-blocks.h"
#include "stream/archive.h"
#include "stream/input.h"

void
help_pages_init(struct help_pages *h, struct pairs *p, const char *area, size_t max_page)
{
	*h = (struct help_pages){ .pairs = p, .area = area, .max_page = max_page };
}

void
help_pages_release(struct help_pages *h)
{
	buf_release(&h->key);
}

/* The path below the folder "text"; NULL if it is no page. */
static const char *
page_path(const char *name)
{
	const char *inside = strstr(name, "/text/");
	size_t n = strlen(name);

	if (n < 5 || strcmp(name + n - 5, ".html"))
		return NULL;
	if (!strncmp(name, "text/", 5))
		return name + 5;
	return inside ? inside + 6 : NULL;
}

static int
help_pages_add_block(void *arg, const struct html_block *b, struct err *e)
{
	struct help_pages *h = arg;

	h->blocks[h->side]++;
	if (b->code) {
		h->code += h->side == 0;
		return 0;
	}
	buf_clear(&h->key);
	buf_printf(&h->key, "%s#%s#%d", h->page, b->id, b->occurrence);
	return pairs_add(h->pairs, h->side, h->key.data, h->page, b->text, b->n, e);
}

static int
read_page(struct help_pages *h, struct archive_in *a, struct err *e)
{
	size_t n;
	char *page = archive_in_all(a, h->max_page, &n, e);
	int r;

	if (!page)
		return -1;
	h->pages[h->side]++;
	r = html_blocks(page, n, h->area, help_pages_add_block, h, e);
	free(page);
	return r ? err_wrap(e, "%s", h->page) : 0;
}

int
help_pages_read(struct help_pages *h, int side, const char *path, struct err *e)
{
	struct archive_in *a = archive_in_open(path, e);
	const char *name;
	int64_t size;
	int r;

	if (!a)
		return -1;
	h->side = side;
	while ((r = archive_in_next(a, &name, &size, e)) > 0) {
		h->page = page_path(name);
		if (h->page && (r = read_page(h, a, e))) {
			err_wrap(e, "%s", path);
			break;
		}
	}
	archive_in_close(a);
	if (!r && !h->pages[side]) {
		err_set(e, EXIT_INPUT, "%s contains no page text/**/*.html", path);
		err_hint(e, "corpus-fetch downloads libreoffice-help-en-us, libreoffice-help-de "
			 "and others");
		return -1;
	}
	return r;
}

static int
add_paragraph(void *arg, const char *group, const char *key, const char *s, size_t n,
	      struct err *e)
{
	struct help_pages *h = arg;

	h->blocks[h->side]++;
	return pairs_add(h->pairs, h->side, key, group, s, n, e);
}

int
help_pages_descriptions(struct help_pages *h, int side, const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	int r;

	if (!in)
		return -1;
	h->side = side;
	r = descriptions_read(in, add_paragraph, h, &h->pages[side], e);
	input_close(in);
	return r;
}
