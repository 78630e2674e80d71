/* html-blocks: see html-blocks.h.  Traverses the tree of libxml2's parser, which repairs markup. */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "corpora/html-blocks.h"
#include "exchange/libxml2.h"
#include "stream/cells.h"
#include "text/running-text.h"

enum { MAX_DEPTH = 400 };	/* libxml2 itself stops at 256 */

struct walk {
	struct strmap ids;
	int *count;			/* number of blocks of each id */
	size_t room;
	struct buf text;
	html_take *take;
	void *arg;
};

/* Elements: blocks; those without text; those that separate words, even without white space. */
#define BLOCKS " p h1 h2 h3 h4 h5 h6 "
#define SILENT " script style noscript "
#define BREAKS " br div p li ul ol td th tr table dt dd hr img pre "

static bool
is_one_of(const xmlNode *node, const char *names)
{
	const char *name = (const char *)node->name;

	return node->type == XML_ELEMENT_NODE &&
	       str_listed((struct str){ name, strlen(name) }, names);
}

/* The value of an attribute, in the document's memory; "" if it is missing. */
static const char *
html_attribute(const xmlNode *node, const char *name)
{
	const xmlAttr *a;

	for (a = node->properties; a; a = a->next)
		if (!strcmp((const char *)a->name, name))
			return a->children && a->children->content ?
			       (const char *)a->children->content : "";
	return "";
}

static bool
has_class(const xmlNode *node, const char *word)
{
	const char *s = html_attribute(node, "class"), *hit;
	size_t n = strlen(word);

	for (; (hit = strstr(s, word)); s = hit + 1)
		if ((hit == s || hit[-1] == ' ') && (hit[n] == ' ' || !hit[n]))
			return true;
	return false;
}

static bool
is_switch(const xmlNode *node)
{
	return is_one_of(node, " span ") &&
	       (has_class(node, "switch") || has_class(node, "switchinline"));
}

/* The alternative of a switch that is kept, or NULL. */
static const xmlNode *
chosen(const xmlNode *sw)
{
	const xmlNode *node, *first = NULL;
	int n = 0;

	for (node = sw->children; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		if (!*html_attribute(node, "class"))
			return node;
		if (!first)
			first = node;
		n++;
	}
	return n == 1 && has_class(first, "MAC") ? NULL : first;
}

static void
html_gather(struct buf *out, const xmlNode *node, int depth)
{
	const xmlNode *kid, *only = NULL;
	bool sw = is_switch(node);

	if (depth > MAX_DEPTH)
		return;
	if (sw)
		only = chosen(node);
	for (kid = node->children; kid; kid = kid->next) {
		if (kid->type == XML_TEXT_NODE || kid->type == XML_CDATA_SECTION_NODE)
			running_text_add(out, (const char *)kid->content,
					 strlen((const char *)kid->content));
		if (kid->type != XML_ELEMENT_NODE || is_one_of(kid, SILENT) ||
		    (sw && kid != only))
			continue;
		if (is_one_of(kid, BREAKS))
			running_text_blank(out);
		if (!is_one_of(kid, BLOCKS) || !*html_attribute(kid, "id"))
			html_gather(out, kid, depth + 1);
		if (is_one_of(kid, BREAKS))
			running_text_blank(out);
	}
}

static int
count_id(struct walk *w, const char *id)
{
	size_t known = w->ids.n;
	int i = strmap_add(&w->ids, id, strlen(id));

	if (w->ids.n > known) {
		w->count = mem_grow(w->count, &w->room, w->ids.n, sizeof(*w->count));
		w->count[i] = 0;
	}
	return w->count[i]++;
}

static int
html_take_block(struct walk *w, const xmlNode *node, bool code, struct err *e)
{
	struct html_block b = { .id = html_attribute(node, "id") };

	if (!*b.id)
		return 0;
	b.occurrence = count_id(w, b.id);
	b.code = code;
	buf_clear(&w->text);
	html_gather(&w->text, node, 0);
	running_text_trim(&w->text);
	b.text = w->text.n ? w->text.data : "";
	b.n = w->text.n;
	return w->take(w->arg, &b, e);
}

/* A block inside a block, which is the result of an unclosed tag, counts as a separate block. */
static int
walk_tree(struct walk *w, const xmlNode *node, int depth, bool code, struct err *e)
{
	const xmlNode *kid;
	bool inside;

	if (depth > MAX_DEPTH)
		return 0;
	for (kid = node->children; kid; kid = kid->next) {
		if (kid->type != XML_ELEMENT_NODE)
			continue;
		inside = code || strstr(html_attribute(kid, "class"), "code");
		if ((is_one_of(kid, BLOCKS) && html_take_block(w, kid, inside, e)) ||
		    walk_tree(w, kid, depth + 1, inside, e))
			return -1;
	}
	return 0;
}

static const xmlNode *
find_area(const xmlNode *node, const char *area, int depth)
{
	const xmlNode *kid, *found;

	if (depth > MAX_DEPTH)
		return NULL;
	for (kid = node->children; kid; kid = kid->next) {
		if (kid->type != XML_ELEMENT_NODE)
			continue;
		if (!strcmp(html_attribute(kid, "id"), area))
			return kid;
		if ((found = find_area(kid, area, depth + 1)))
			return found;
	}
	return NULL;
}

static int
html_check_page(const char *page, size_t n, struct err *e)
{
	size_t bad = utf8_check(page, n);

	if (bad < n)
		return err_set(e, EXIT_INPUT, "byte %zu is not UTF-8", bad + 1);
	if (memchr(page, 0, n))
		return err_set(e, EXIT_INPUT, "NUL byte in the page");
	return 0;
}

int
html_blocks(const char *page, size_t n, const char *area, html_take *take, void *arg,
	    struct err *e)
{
	struct walk w = { .take = take, .arg = arg };
	const xmlNode *root;
	xmlDoc *doc;
	int r = 0;

	if (html_check_page(page, n, e))
		return -1;
	if (n > INT32_MAX)
		return err_set(e, EXIT_INPUT, "page of %zu bytes, expected at most %d", n,
			       INT32_MAX);
	doc = libxml2()->htmlReadMemory(page, (int)n, NULL, "UTF-8", HTML_PARSE_RECOVER |
					HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
					HTML_PARSE_NONET | HTML_PARSE_COMPACT);
	if (doc && (root = find_area((const xmlNode *)doc, area, 0)))
		r = walk_tree(&w, root, 0, false, e);
	if (doc)
		libxml2()->xmlFreeDoc(doc);
	strmap_release(&w.ids);
	buf_release(&w.text);
	free(w.count);
	return r;
}
