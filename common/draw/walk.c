/*
 * walk: an HTML page of attention weights; see walk.h.  The assembler includes the template
 * walk.html, the style walk.css and the script walk.js as they are.
 */
#include "draw/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/colour.h"
#include "draw/look-parts.h"
#include "draw/policy.h"
#include "draw/svg.h"
#include "stream/json-out.h"

__asm__(".pushsection .rodata\n"
	"walk_page:\n.incbin \"common/draw/walk.html\"\n.byte 0\n"
	".globl walk_style\nwalk_style:\n.incbin \"common/draw/walk.css\"\n.byte 0\n"
	".globl walk_script\nwalk_script:\n.incbin \"common/draw/walk.js\"\n.byte 0\n"
	".popsection\n");
extern const char walk_page[];

enum { UNIT = 1000 };			/* weights are written as integers, in 1/UNIT */

static void
add_labels(struct buf *out, const struct axis *a)
{
	buf_add_char(out, '[');
	for (int i = 0; i < a->n; i++) {
		if (i)
			buf_add_char(out, ',');
		json_add_string(out, a->label[i], strlen(a->label[i]));
	}
	buf_add_char(out, ']');
}

static void
add_side(struct buf *out, const char *name, const struct look_side *s)
{
	buf_printf(out, "\"%s\":{\"pieces\":", name);
	add_labels(out, &s->pieces);
	buf_add_str(out, ",\"word\":[");
	for (int i = 0; i < s->pieces.n; i++)
		buf_printf(out, "%s%d", i ? "," : "", s->word[i]);
	buf_add_str(out, "]},\n");
}

static void
add_values(struct buf *out, const struct panel *m)
{
	const size_t n = (size_t)m->rows->n * (size_t)m->columns->n;

	buf_add_char(out, '[');
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%.0f", i ? "," : "", (double)m->x[i] * UNIT + 0.0);
	buf_add_char(out, ']');
}

static int
add_site(struct buf *out, struct look *l, size_t site, struct err *e)
{
	struct panel m;

	buf_printf(out, "\"%s\":{\"heads\":[", l->m->sites[site].name);
	for (int h = 1; h <= l->m->sites[site].all_heads; h++) {
		if (look_pieces(l, site, h, &m, e))
			return -1;
		if (h > 1)
			buf_add_char(out, ',');
		add_values(out, &m);
		panel_release(&m);
	}
	buf_add_char(out, ']');
	if (look_has_importance(l, site)) {
		if (look_importance(l, site, &m, e))
			return -1;
		buf_add_str(out, ",\"importance\":");
		add_values(out, &m);
		panel_release(&m);
	}
	buf_add_char(out, '}');
	return 0;
}

int
walk_add(struct walk *w, struct look *l, const char *id, struct err *e)
{
	struct buf *out = &w->sentences;
	int r = 0, n = 0;

	buf_add_str(out, w->n++ ? ",\n{\"id\":" : "{\"id\":");
	json_add_string(out, id, strlen(id));
	buf_add_str(out, ",\n");
	add_side(out, "src", &l->src);
	add_side(out, "tgt", &l->tgt);
	buf_add_str(out, "\"sites\":{");
	for (size_t i = 0; !r && i < l->m->n_sites; i++) {
		if (!l->has_target && l->m->sites[i].where != ENCODER_SELF)
			continue;
		buf_add_str(out, n++ ? ",\n" : "\n");
		r = add_site(out, l, i, e);
	}
	buf_add_str(out, "}}");
	return r;
}

/* Escapes "<", so that the data cannot end the element that contains it. */
static void
add_without_tags(struct buf *out, const struct buf *json)
{
	for (size_t i = 0; i < json->n; i++)
		if (json->data[i] == '<')
			buf_add_str(out, "\\u003c");
		else
			buf_add_char(out, json->data[i]);
}

static void
add_data(struct buf *out, const struct walk *w, const struct look *l)
{
	char hex[8];

	buf_printf(out, "{\"read\":%s,\"unit\":%d,\"colors\":[", l->read ? "true" : "false", UNIT);
	for (int i = 0; i < COLOR_STEPS; i++) {
		color_hex(color_at(COLORS_BLUE, (double)i / (COLOR_STEPS - 1)), hex);
		buf_printf(out, "%s\"%s\"", i ? "," : "", hex);
	}
	buf_add_str(out, "],\n\"sentences\":[\n");
	add_without_tags(out, &w->sentences);
	buf_add_str(out, "]}");
}

/* --- the page --- */

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

/* Fills the template; title and data are already escaped. */
static void
fill(struct buf *out, struct str title, struct str data)
{
	struct buf policy = { 0 };
	const char *at = walk_page;

	policy_add(&policy, (const char *const[]){ walk_style, NULL },
		   (const char *const[]){ walk_script, NULL });
	const struct hole holes[] = {
		{ "@POLICY@\n", { policy.data, policy.n } },
		{ "@TITLE@", title },
		{ "@STYLE@", { walk_style, strlen(walk_style) } },
		{ "@DATA@", data },
		{ "@SCRIPT@", { walk_script, strlen(walk_script) } },
		{ NULL, { NULL, 0 } }
	};

	for (const char *mark; (mark = strchr(at, '@'));) {
		const struct hole *hole = hole_at(mark, holes);

		buf_add(out, at, (size_t)(mark - at));
		buf_add(out, hole->text.s, hole->text.n);
		at = mark + strlen(hole->name);
	}
	buf_add_str(out, at);
	buf_release(&policy);
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

	fill(&ours, text_after(page, "<title>"), text_after(page, "id=\"data\">"));
	same = ours.n == n && !memcmp(ours.data, page, n);
	buf_release(&ours);
	return same;
}

void
walk_finish(struct walk *w, const struct look *l, const char *title, struct buf *out)
{
	struct buf escaped = { 0 }, data = { 0 };

	svg_escape(&escaped, title, strlen(title));
	add_data(&data, w, l);
	fill(out, (struct str){ escaped.data, escaped.n }, (struct str){ data.data, data.n });
	buf_release(&escaped);
	buf_release(&data);
	buf_release(&w->sentences);
}
