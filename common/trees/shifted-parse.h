/*
 * shifted-parse: finds parses that are those of the next sentence, because a parse is missing.
 *
 * Keeps the words of a parse that does not fit its sentence, until the next sentence is known.
 */
#ifndef SHIFTED_PARSE_H
#define SHIFTED_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/texts.h"
#include "trees/retokenize.h"

/* Empty if zero-initialized. */
struct shifted_parse {
	const char **word;
	int n;				/* 0: no parse is kept */
	size_t room;
	struct texts texts;
	struct retokenize cut;
};

/* Copies the words of a parse; word is NULL if they are unknown. */
void shifted_parse_keep(struct shifted_parse *s, const char *const *word, int n);
void shifted_parse_clear(struct shifted_parse *s);
void shifted_parse_release(struct shifted_parse *s);

/* Whether a sentence has the characters of the parse, apart from spaces. */
bool shifted_parse_fits(struct shifted_parse *s, const char *const *text, int n);

#endif
