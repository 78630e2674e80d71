/* embedded: see embedded.h.  The assembler includes the bytes of the files. */
#include "parser/embedded.h"

#include <string.h>

#include "base/buf.h"

#define FILE_OF(kind, lang) \
	__asm__(".pushsection .rodata\n.balign 64\n" #kind "_" #lang ":\n" \
		".incbin \"common/parser/models/" #lang "." #kind "\"\n" \
		#kind "_" #lang "_end:\n.byte 0\n.popsection\n"); \
	extern const char kind##_##lang[], kind##_##lang##_end[];
#define PARSER(lang)  FILE_OF(parser, lang)
#define GRAMMAR(lang) FILE_OF(pcfg, lang)
#include "parser-list.inc"
#undef PARSER
#undef GRAMMAR

struct embedded { const char *lang, *data, *end; };

static const struct embedded parsers[] = {
#define PARSER(lang)  { #lang, parser_##lang, parser_##lang##_end },
#define GRAMMAR(lang)
#include "parser-list.inc"
#undef PARSER
#undef GRAMMAR
	{ NULL, NULL, NULL }
};

static const struct embedded grammars[] = {
#define PARSER(lang)
#define GRAMMAR(lang) { #lang, pcfg_##lang, pcfg_##lang##_end },
#include "parser-list.inc"
	{ NULL, NULL, NULL }
};

static const struct embedded *
embedded_find(const struct embedded *list, const char *name, const char *lang, struct err *e)
{
	struct buf known = { 0 };

	for (const struct embedded *p = list; p->lang; p++)
		if (!strcmp(p->lang, lang))
			return p;
	for (const struct embedded *p = list; p->lang; p++)
		buf_printf(&known, " %s", p->lang);
	err_set(e, EXIT_USAGE, "no built-in %s for language %s, expected one of:%s", name, lang,
		known.n ? known.data : " none");
	err_hint(e, "train one, see heed-parsers(7), and use -m");
	buf_release(&known);
	return NULL;
}

struct bundle_in *
embedded_parser(struct parser *p, const char *lang, struct err *e)
{
	const struct embedded *m = embedded_find(parsers, "parser", lang, e);

	return m ? parser_read_memory(p, m->lang, m->data, (size_t)(m->end - m->data), false, e)
		 : NULL;
}

struct pcfg *
embedded_grammar(const char *lang, struct err *e)
{
	const struct embedded *m = embedded_find(grammars, "grammar", lang, e);

	return m ? pcfg_read(m->data, (size_t)(m->end - m->data), e) : NULL;
}
