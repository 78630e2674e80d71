/*
 * walk: an HTML page of attention weights; see walk.h.  The assembler includes the template
 * walk.html and the style walk.css as they are, and one script: walk-data.js, which reads and
 * checks data, walk-draw.js, which draws them, walk-heads.js, which ranks heads, and walk.js, which
 * is the page.
 */
#include "draw/walk.h"

#include <string.h>

#include "draw/colour.h"
#include "draw/content-policy.h"
#include "draw/svg.h"
#include "stream/stream.h"

__asm__(".pushsection .rodata\n"
	"walk_template:\n.incbin \"common/draw/walk.html\"\n.byte 0\n"
	"walk_style:\n.incbin \"common/draw/walk.css\"\n.byte 0\n"
	"walk_script:\n.incbin \"common/draw/walk-data.js\"\n"
	".incbin \"common/draw/walk-draw.js\"\n.incbin \"common/draw/walk-heads.js\"\n"
	".incbin \"common/draw/walk.js\"\n.byte 0\n"
	".popsection\n");
extern const char walk_template[], walk_style[], walk_script[];

void
walk_escape(struct buf *out, const struct buf *json)
{
	for (size_t i = 0; i < json->n; i++)
		if (json->data[i] == '<')
			buf_add_str(out, "\\u003c");
		else
			buf_add_char(out, json->data[i]);
}

/* The color scales as JSON lists. */
static void
add_colors(struct buf *out)
{
	static const enum colors scale[] = { COLORS_BLUE, COLORS_DIVERGING };
	char hex[8];

	for (int k = 0; k < 2; k++) {
		buf_printf(out, "%s\"%s\":[", k ? "," : "{", color_names[scale[k]]);
		for (int i = 0; i < COLOR_STEPS; i++) {
			color_hex(color_at(scale[k], (double)i / (COLOR_STEPS - 1)), hex);
			buf_printf(out, "%s\"%s\"", i ? "," : "", hex);
		}
		buf_add_char(out, ']');
	}
	buf_add_char(out, '}');
}

/* The text that replaces a name between at signs in walk.html. */
struct hole { const char *name; struct str text; };

static const struct hole *
hole_at(const char *mark, const struct hole *hole)
{
	while (hole->name && strncmp(mark, hole->name, strlen(hole->name)))
		hole++;
	if (!hole->name)
		bug("walk.html has no text for %.10s", mark);
	return hole;
}

static const struct walk_more nothing_more = {
	CONTENT_POLICY(WALK_STYLE, WALK_SCRIPT), "", "", ""
};

static struct str
whole(const char *text)
{
	return (struct str){ text, strlen(text) };
}

/* Fills the template; title and data are already escaped. */
static void
walk_fill(struct buf *out, struct str title, struct str data, const struct walk_more *more)
{
	struct buf colors = { 0 };
	const char *at = walk_template;

	add_colors(&colors);
	const struct hole holes[] = {
		{ "@POLICY@\n", whole(more->policy) },
		{ "@TITLE@", title },
		{ "@STYLE@", whole(walk_style) },
		{ "@MORE_STYLE@", whole(more->style) },
		{ "@MORE_INPUT@", whole(more->input) },
		{ "@MORE_SCRIPT@", whole(more->script) },
		{ "@COLORS@", { colors.data, colors.n } },
		{ "@DATA@", data },
		{ "@SCRIPT@", whole(walk_script) },
		{ NULL, { NULL, 0 } }
	};

	for (const char *mark; (mark = strchr(at, '@'));) {
		const struct hole *hole = hole_at(mark, holes);

		buf_add(out, at, (size_t)(mark - at));
		buf_add(out, hole->text.s, hole->text.n);
		at = mark + strlen(hole->name);
	}
	buf_add_str(out, at);
	buf_release(&colors);
}

/* The text after the first occurrence of words, up to a tag; empty if there is none. */
static struct str
text_after(const char *page, const char *words)
{
	const char *at = strstr(page, words);

	at = at ? at + strlen(words) : "";
	return (struct str){ at, strcspn(at, "<") };
}

/* Title and data end where a tag begins, so that a page with any other code differs. */
bool
walk_is(const char *page, size_t n)
{
	struct buf ours = { 0 };
	bool same;

	walk_fill(&ours, text_after(page, "<title>"), text_after(page, "id=\"data\">"),
		  &nothing_more);
	same = ours.n == n && !memcmp(ours.data, page, n);
	buf_release(&ours);
	return same;
}

void
walk_page_more(struct buf *out, const char *title, const struct buf *json,
	       const struct walk_more *more)
{
	struct buf escaped = { 0 }, data = { 0 };

	svg_escape(&escaped, title, strlen(title));
	if (json)
		walk_escape(&data, json);
	walk_fill(out, (struct str){ escaped.data, escaped.n }, (struct str){ data.data, data.n },
		  more);
	buf_release(&escaped);
	buf_release(&data);
}

void
walk_page(struct buf *out, const char *title, const struct buf *json)
{
	walk_page_more(out, title, json, &nothing_more);
}
