/* page: see page.h.  The assembler embeds page.css and page.js. */
#include "results/page-parts.h"

#include <string.h>
#include <strings.h>

#include "draw/content-policy.h"
#include "draw/svg.h"

__asm__(".pushsection .rodata\n"
	"page_css:\n.incbin \"common/results/page.css\"\n.byte 0\n"
	"page_js:\n.incbin \"common/results/page.js\"\n.byte 0\n.popsection\n");
extern const char page_css[], page_js[];

enum { LONGEST_ID = 60 };

/* --- parts --- */

void
page_escape(struct buf *out, const char *text)
{
	svg_escape(out, text, strlen(text));
}

void
page_add_text(struct buf *out, const char *before, const char *text, const char *after)
{
	buf_add_str(out, before);
	page_escape(out, text);
	buf_add_str(out, after);
}

void
page_slug(struct buf *out, const char *text)
{
	bool gap = false;

	for (const char *c = text; *c && out->n < LONGEST_ID; c++) {
		const char lower = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
		const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');

		if (plain && gap && out->n)
			buf_add_char(out, '-');
		if (plain)
			buf_add_char(out, lower);
		gap = !plain;
	}
}

const char *
page_id(struct page *p, const char *text)
{
	struct buf id = { 0 };
	size_t stem;
	int number;

	page_slug(&id, text);
	if (!id.n || (id.data[0] >= '0' && id.data[0] <= '9')) {
		buf_clear(&id);
		buf_add_str(&id, "part");
	}
	stem = id.n;
	for (int i = 2; strmap_find(&p->ids, id.data, id.n) >= 0; i++) {
		id.n = stem;
		buf_printf(&id, "-%d", i);
	}
	number = strmap_add(&p->ids, id.data, id.n);
	buf_release(&id);
	return strmap_text(&p->ids, number, NULL);
}

void
page_wide_begin(struct page *p, const char *label, const char *id)
{
	buf_printf(&p->body, "<div class=\"wide\" role=\"region\" tabindex=\"0\" %s=\"",
		   id ? "aria-labelledby" : "aria-label");
	page_add_text(&p->body, "", id ? id : label, "\">\n");
}

void
page_wide_end(struct page *p)
{
	buf_add_str(&p->body, "</div>\n");
}

/* --- headings, paragraphs, links --- */

void
page_init(struct page *p)
{
	static const char *const taken[] = { "content", "contents" };

	*p = (struct page){ .folded = false };
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		strmap_add(&p->ids, taken[i], strlen(taken[i]));
}

static void
add_contents(struct page *p, const char *id, const char *text)
{
	buf_printf(&p->contents, "<li><a href=\"#%s\">", id);
	page_add_text(&p->contents, "", text, "</a></li>\n");
}

const char *
page_entry(struct page *p, const char *caption)
{
	const size_t n = strlen(caption);
	const char *name = n && caption[n - 1] == ']' ? strrchr(caption, '[') : NULL;

	return page_id(p, name ? name : caption);
}

static void
end_fold(struct page *p)
{
	if (p->folded)
		buf_add_str(&p->body, "</details>\n");
	p->folded = false;
}

void
page_title(struct page *p, int level, const char *id, const char *text)
{
	buf_printf(&p->body, "<h%d id=\"%s\">", level, id);
	page_escape(&p->body, text);
	buf_printf(&p->body, "</h%d>\n", level);
}

void
page_heading(struct page *p, int level, const char *text)
{
	const char *id = page_id(p, text);

	if (level == 2) {
		end_fold(p);
		add_contents(p, id, text);
	}
	page_title(p, level, id, text);
}

void
page_fold(struct page *p, const char *text)
{
	const char *id = page_id(p, text);

	end_fold(p);
	add_contents(p, id, text);
	buf_add_str(&p->body, "<details class=\"section\">\n<summary>");
	page_title(p, 2, id, text);
	buf_add_str(&p->body, "</summary>\n");
	p->folded = true;
}

void
page_text(struct page *p, const char *text)
{
	page_add_text(&p->body, "<p>", text, "</p>\n");
}

/*
 * Whether there is an address, and following it cannot run a script: it is relative to the page, or
 * has one of three schemes.  A scheme ends at a colon before any "/", "?" and "#" (RFC 3986, 3.1).
 * Browsers skip leading blanks, and tabs and line ends anywhere, and treat a backslash as a slash.
 */
static bool
is_harmless(const char *address)
{
	static const char *const schemes[] = { "http", "https", "mailto" };
	const size_t n = strcspn(address, ":/?#");

	for (const char *c = address; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == '\\')
			return false;
	if (!*address || address[0] == ' ' || !strncmp(address, "//", 2))
		return false;
	if (address[n] != ':')
		return true;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (strlen(schemes[i]) == n && !strncasecmp(address, schemes[i], n))
			return true;
	return false;
}

int
page_check_address(const char *address, const char *option, struct err *e)
{
	if (is_harmless(address))
		return 0;
	return err_set(e, EXIT_USAGE, "%s %s: expected https, http, mailto or a path relative to "
		       "the page", option, *address ? address : "''");
}

int
page_link(struct page *p, const char *address, const char *text, struct err *e)
{
	if (page_check_address(address, "--link", e))
		return -1;
	page_add_text(&p->body, "<p><a href=\"", address, "\">");
	page_add_text(&p->body, "", text ? text : address, "</a></p>\n");
	return 0;
}

/* --- the whole page --- */

static void
page_add_head(const char *title, struct buf *out)
{
	buf_add_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	buf_add_str(out, CONTENT_POLICY(PAGE_STYLE " " WALK_STYLE, PAGE_SCRIPT " " WALK_SCRIPT));
	page_add_text(out, "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", title,
		      "</title>\n");
	buf_printf(out, "<style>%s</style>\n</head>\n", page_css);
}

void
page_finish(struct page *p, const char *title, struct buf *out)
{
	end_fold(p);
	page_add_head(title, out);
	page_add_text(out, "<body>\n<a class=\"skip\" href=\"#content\">Skip to "
		      "content</a>\n<header>\n<h1>", title, "</h1>\n</header>\n");
	if (p->contents.n) {
		buf_add_str(out, "<nav id=\"contents\" aria-label=\"Contents\">\n<ol>\n");
		buf_add(out, p->contents.data, p->contents.n);
		buf_add_str(out, "</ol>\n</nav>\n");
	}
	buf_add_str(out, "<main id=\"content\" tabindex=\"-1\">\n");
	buf_add(out, p->body.data, p->body.n);
	buf_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", page_js);
	buf_release(&p->body);
	buf_release(&p->contents);
	buf_release(&p->not_run);
	strmap_release(&p->ids);
}
