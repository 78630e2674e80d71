/* page-svg: see page-svg.h. */
#include <string.h>
#include <strings.h>

#include "results/page-parts.h"
#include "results/page-svg.h"

static const char *const elements[] = {
	"svg", "g", "a", "title", "path", "rect", "circle", "text", "tspan"
};
static const char *const attributes[] = {
	"class", "width", "height", "viewBox", "font-family", "font-size", "font-weight",
	"text-anchor", "paint-order", "shape-rendering", "transform", "fill", "fill-opacity",
	"stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "d", "x", "y",
	"r", "cx", "cy", "rx", "dx", "dy", "href"
};
/* These are left out of the svg element, which gets others. */
static const char *const dropped[] = { "xmlns", "role" };
#define COUNT(list) (sizeof(list) / sizeof(*(list)))
enum { DEEPEST = 20 };

struct cleaning {
	struct buf *out;
	const char *at;			/* the rest of the figure */
	const char *open[DEEPEST];	/* names of open elements */
	int depth;
	const char *label;
};

/* The name in a list of n names that has these bytes; or NULL. */
static const char *
svg_find(const char *const *list, size_t n, const char *s, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == length && !memcmp(list[i], s, length))
			return list[i];
	return NULL;
}

/* The length of a name; 0 if there is none. */
static size_t
svg_name_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
}

/* Whether a text has only entities that stand for a character of markup. */
static bool
knows_entities(const char *s, size_t n)
{
	static const char *const entities[] = { "amp;", "lt;", "gt;", "quot;", "#39;" };

	for (const char *e = s; (e = memchr(e, '&', (size_t)(s + n - e))); e++) {
		size_t i = 0;

		while (i < COUNT(entities) && strncmp(e + 1, entities[i], strlen(entities[i])))
			i++;
		if (i == COUNT(entities))
			return false;
	}
	return true;
}

/*
 * A value may be any text without markup; of a link, it is a fragment.  Nothing may refer to
 * another place: url() is refused.
 */
static bool
is_harmless_value(const char *name, size_t n, const char *value, size_t length)
{
	if (memchr(value, '<', length) || memchr(value, '>', length) ||
	    memchr(value, '\\', length) || !knows_entities(value, length))
		return false;
	for (size_t i = 0; i + 3 < length; i++)
		if (!strncasecmp(value + i, "url(", 4))
			return false;
	return n != 4 || memcmp(name, "href", 4) || *value == '#';
}

/* The attributes of a tag, up to its end; returns false at anything unknown. */
static bool
clean_attributes(struct cleaning *c, bool root)
{
	for (;;) {
		const char *name, *value;
		size_t n, length;
		char quote;

		c->at += strspn(c->at, " \t\r\n");
		if (*c->at == '>' || !strncmp(c->at, "/>", 2))
			return true;
		name = c->at;
		n = svg_name_length(name);
		quote = n && name[n] == '=' ? name[n + 1] : 0;
		if (quote != '"' && quote != '\'')
			return false;
		value = name + n + 2;
		length = strcspn(value, quote == '"' ? "\"" : "'");
		if (!value[length] || !is_harmless_value(name, n, value, length))
			return false;
		c->at = value + length + 1;
		if (root && svg_find(dropped, COUNT(dropped), name, n))
			continue;
		if (!svg_find(attributes, COUNT(attributes), name, n))
			return false;
		buf_printf(c->out, " %.*s=%c%.*s%c", (int)n, name, quote, (int)length, value,
			   quote);
	}
}

static bool
clean_end(struct cleaning *c)
{
	const size_t n = svg_name_length(c->at + 2);
	const char *name = svg_find(elements, COUNT(elements), c->at + 2, n);

	if (!name || !c->depth || c->open[c->depth - 1] != name || c->at[2 + n] != '>')
		return false;
	buf_printf(c->out, "</%s>", name);
	c->at += n + 3;
	c->depth--;
	return true;
}

/* Skips the title of the whole figure, which the page has in another place. */
static bool
skip_title(struct cleaning *c)
{
	const char *end = strstr(c->at, "</title>");

	if (!end)
		return false;
	c->at = end + strlen("</title>");
	return true;
}

static bool
clean_begin(struct cleaning *c)
{
	const size_t n = svg_name_length(c->at + 1);
	const char *name = svg_find(elements, COUNT(elements), c->at + 1, n);
	const bool root = !c->depth;

	/* In HTML, a title holds text only. */
	if (!name || root != !strcmp(name, "svg") || c->depth == DEEPEST ||
	    (!root && !strcmp(c->open[c->depth - 1], "title")))
		return false;
	if (c->depth == 1 && !strcmp(name, "title"))
		return skip_title(c);
	buf_printf(c->out, "<%s", name);
	if (root)
		page_add_text(c->out, " role=\"group\" aria-label=\"", c->label, "\"");
	c->at += n + 1;
	if (!clean_attributes(c, root))
		return false;
	if (*c->at == '/') {
		buf_add_str(c->out, "/>");
		c->at += 2;
		return !root;
	}
	buf_add_char(c->out, '>');
	c->at++;
	c->open[c->depth++] = name;
	return true;
}

/* Text with the entities of XML, which HTML has, too. */
static bool
clean_text(struct cleaning *c)
{
	const size_t n = strcspn(c->at, "<");

	if (!knows_entities(c->at, n))
		return false;
	buf_add(c->out, c->at, n);
	c->at += n;
	return true;
}

bool
page_svg(struct buf *out, const char *svg, const char *label)
{
	struct buf clean = { 0 };
	struct cleaning c = { .out = &clean, .at = svg, .label = label };
	bool good;

	c.at += strspn(c.at, " \t\r\n");
	good = *c.at == '<';
	while (good && (good = *c.at == '<' ? c.at[1] == '/' ? clean_end(&c) : clean_begin(&c)
					    : *c.at && clean_text(&c)) && c.depth)
		;
	good = good && !c.at[strspn(c.at, " \t\r\n")];
	if (good)
		buf_add(out, clean.data, clean.n);
	buf_release(&clean);
	return good;
}
