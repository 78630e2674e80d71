/* tmx: see tmx.h.  The events of libxml2's push parser; no tree is built. */
#include "exchange/tmx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "exchange/libxml2.h"

#if LIBXML_VERSION >= 21200
#define ERROR_TYPE const xmlError
#else
#define ERROR_TYPE xmlError
#endif

enum {
	CHUNK = 65536,
	MAX_DEPTH = 256			/* of elements, as libxml2 limits its trees */
};

struct tmx {
	xmlParserCtxt *parser;
	struct input *in;
	const char *const *lang;
	int n_lang;
	tmx_take *take;
	void *arg;
	struct tmx_counts *counts;
	bool begun;			/* the root element */
	int depth;			/* number of open elements */
	bool failed;
	int side;			/* of the current variant, or -1 */
	bool in_unit, in_segment;
	int skip;			/* depth of elements in native code */
	struct buf text[2];
	bool has[2];			/* has the unit a segment of this side? */
	struct err e;			/* the first failure */
};

static void
tmx_fail(struct tmx *t)
{
	t->failed = true;
	libxml2()->xmlStopParser(t->parser);
}

/* An error at the current line of the file. */
static void
tmx_refuse(struct tmx *t, const char *message, const char *name)
{
	if (t->failed)
		return;
	err_set(&t->e, EXIT_INPUT, "%s: line %d: %s%s", input_name(t->in),
		libxml2()->xmlSAX2GetLineNumber(t->parser), message, name);
	tmx_fail(t);
}

/* --- languages --- */

/* Is the value of xml:lang the language or, as en-US is of en, a form of it? */
static bool
tmx_matches(const char *want, const char *have)
{
	size_t n = strlen(want);

	if (strncasecmp(want, have, n))
		return false;
	return !have[n] || have[n] == '-' || have[n] == '_';
}

static bool
tmx_is_listed(const char *list, const char *have)
{
	size_t n = strlen(have);

	for (const char *at = list; (at = strstr(at, have)); at++)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* Notes a language for messages, if there is room for it. */
static void
note_language(struct tmx_counts *c, const char *have)
{
	size_t n = strlen(c->languages), room = sizeof(c->languages) - n;

	if (!*have || strlen(have) + 3 > room || tmx_is_listed(c->languages, have))
		return;
	snprintf(c->languages + n, room, "%s%s", n ? ", " : "", have);
}

/*
 * The side of a variant in this language, without a segment so far: of exactly this language, or
 * else the first one; or -1.
 */
static int
tmx_side_of(const struct tmx *t, const char *have)
{
	int side = -1;

	for (int i = t->n_lang - 1; i >= 0; i--)
		if (!t->has[i] && tmx_matches(t->lang[i], have) &&
		    (side < 0 || strlen(t->lang[side]) != strlen(have)))
			side = i;
	return side;
}

/* The value of xml:lang or lang among the n attributes; each has 5 pointers. */
static char *
language(const xmlChar **attributes, int n)
{
	for (int i = 0; i < n; i++, attributes += 5)
		if (!strcmp((const char *)attributes[0], "lang"))
			return xstrndup((const char *)attributes[3],
					(size_t)(attributes[4] - attributes[3]));
	return xstrdup("");
}

/* --- events --- */

static void
begin_unit(struct tmx *t)
{
	t->counts->units++;
	t->in_unit = true;
	t->side = -1;
	for (int i = 0; i < t->n_lang; i++) {
		t->has[i] = false;
		buf_clear(&t->text[i]);
	}
}

/* Removes white space at the ends, and replaces it by single spaces elsewhere. */
static void
squeeze(struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (!strchr(" \t\r\n", b->data[i]))
			b->data[n++] = b->data[i];
		else if (n && b->data[n - 1] != ' ')
			b->data[n++] = ' ';
	}
	b->n = n && b->data[n - 1] == ' ' ? n - 1 : n;
}

static void
end_unit(struct tmx *t)
{
	struct tmx_unit unit = { .number = t->counts->units };

	t->in_unit = false;
	for (int i = 0; i < t->n_lang; i++) {
		if (!t->has[i])
			return;
		squeeze(&t->text[i]);
		unit.text[i] = (struct str){ t->text[i].n ? t->text[i].data : "", t->text[i].n };
	}
	t->counts->taken++;
	if (t->take(t->arg, &unit, &t->e))
		tmx_fail(t);
}

static bool
tmx_is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static void
begin_inline(struct tmx *t, const char *name)
{
	static const char *const code[] = { "bpt", "ept", "it", "ph", "ut", NULL };
	static const char *const outer[] = { "tu", "tuv", "seg", NULL };

	if (tmx_is_one_of(name, outer))
		tmx_refuse(t, "inside a segment: ", name);
	t->skip += t->skip || tmx_is_one_of(name, code);
}

static void
on_start(void *arg, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int n_ns,
	 const xmlChar **ns, int n, int n_default, const xmlChar **attributes)
{
	struct tmx *t = arg;
	const char *name = (const char *)local;
	char *lang;

	(void)prefix, (void)uri, (void)n_ns, (void)ns, (void)n_default;
	if (!t->begun && strcmp(name, "tmx")) {
		tmx_refuse(t, "expected a TMX file, whose root is tmx, not ", name);
		return;
	}
	t->begun = true;
	if (++t->depth > MAX_DEPTH)
		tmx_refuse(t, "elements nested deeper than 256, at ", name);
	if (t->in_segment) {
		begin_inline(t, name);
	} else if (!strcmp(name, "tu")) {
		if (t->in_unit)
			tmx_refuse(t, "inside a unit: ", name);
		begin_unit(t);
	} else if (!strcmp(name, "tuv")) {
		lang = language(attributes, n);
		note_language(t->counts, lang);
		t->side = tmx_side_of(t, lang);
		free(lang);
	} else if (!strcmp(name, "seg")) {
		t->in_segment = t->in_unit && t->side >= 0;
	}
}

static void
on_end(void *arg, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
	struct tmx *t = arg;
	const char *name = (const char *)local;

	(void)prefix, (void)uri;
	t->depth--;
	if (t->skip) {
		t->skip--;
	} else if (t->in_segment && !strcmp(name, "seg")) {
		t->in_segment = false;
		t->has[t->side] = true;
		t->side = -1;
	} else if (t->in_unit && !strcmp(name, "tu")) {
		end_unit(t);
	}
}

static void
on_text(void *arg, const xmlChar *s, int n)
{
	struct tmx *t = arg;
	const size_t limit = (size_t)input_max_line << 20;

	if (!t->in_segment || t->skip || n <= 0)
		return;
	if (t->text[t->side].n + (size_t)n > limit)
		tmx_refuse(t, "a segment of more than the limit, which --max-line raises", "");
	else
		buf_add(&t->text[t->side], s, (size_t)n);
}

static void
on_entity(void *arg, const xmlChar *name, int type, const xmlChar *public_id,
	  const xmlChar *system_id, xmlChar *content)
{
	(void)type, (void)public_id, (void)system_id, (void)content;
	tmx_refuse(arg, "declares an entity, expected none: ", (const char *)name);
}

static void
on_reference(void *arg, const xmlChar *name)
{
	tmx_refuse(arg, "unknown entity ", (const char *)name);
}

/* Without this function errors would be printed.  Errors of namespaces do not matter. */
static void
on_error(void *arg, ERROR_TYPE *error)
{
	const char *text = error->message ? error->message : "malformed XML";
	struct tmx *t = arg;

	if (error->level != XML_ERR_FATAL || t->failed)
		return;
	if (error->code == XML_ERR_DOCUMENT_END && t->depth)
		text = "the file ends here, expected </tmx>";
	err_set(&t->e, EXIT_INPUT, "%s: line %d: %.*s", input_name(t->in), error->line,
		(int)strcspn(text, "\n"), text);
	tmx_fail(t);
}

/* --- the file --- */

static int
tmx_parse(struct tmx *t, struct err *e)
{
	const char *p;
	ptrdiff_t n;

	do {
		n = input_ahead(t->in, CHUNK, &p, e);
		if (n < 0)
			return -1;
		n = n < CHUNK ? n : CHUNK;
		if (!n && !t->begun)
			return err_set(e, EXIT_INPUT, "%s is empty, expected a TMX file",
				       input_name(t->in));
		libxml2()->xmlParseChunk(t->parser, n ? p : "", (int)n, !n);
		if (t->failed) {
			*e = t->e;
			return -1;
		}
		input_skip(t->in, (size_t)n);
	} while (n);
	return 0;
}

int
tmx_read(struct input *input, const char *const *lang, int n, tmx_take *take, void *arg,
	 struct tmx_counts *counts, struct err *e)
{
	xmlSAXHandler events = {
		.initialized = XML_SAX2_MAGIC, .startElementNs = on_start, .endElementNs = on_end,
		.characters = on_text, .cdataBlock = on_text, .ignorableWhitespace = on_text,
		.entityDecl = on_entity, .reference = on_reference, .serror = on_error,
	};
	struct tmx t = {
		.in = input, .lang = lang, .n_lang = n, .take = take, .arg = arg, .counts = counts,
		.side = -1,
	};
	int bad;

	*counts = (struct tmx_counts){ .units = 0 };
	t.parser = libxml2()->xmlCreatePushParserCtxt(&events, &t, NULL, 0, NULL);
	if (!t.parser)
		die_memory(CHUNK);
	libxml2()->xmlCtxtUseOptions(t.parser, XML_PARSE_NONET);
	bad = tmx_parse(&t, e);
	/* libxml2 makes a document for the declarations of entities even if it builds no tree. */
	libxml2()->xmlFreeDoc(t.parser->myDoc);
	libxml2()->xmlFreeParserCtxt(t.parser);
	for (int i = 0; i < 2; i++)
		buf_release(&t.text[i]);
	return bad;
}
