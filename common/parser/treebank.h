/*
 * treebank: sentences with trees, in memory, texts as numbers.
 *
 * A file is CoNLL-U if its first character is no opening bracket, else trees in brackets; "a.conllu,b.ptb"
 * are both for the same sentences, word by word.  Where only brackets are there, so are XPOS but no UPOS
 * and no heads.
 */
#ifndef TREEBANK_H
#define TREEBANK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strmap.h"

struct gold_span { int first, end, label; };

/* Numbers are those of the treebank's maps; -1: not known. */
struct sentence {
	int n;				/* words */
	int *form, *upos, *xpos;	/* [n] */
	int *head, *rel;		/* [n] heads 1-based, 0 the root; NULL: no dependencies */
	struct gold_span *span;		/* [2n-1] see binary.h; NULL: no constituents */
};

struct treebank {
	struct sentence *sentence;
	size_t n, room;
	int64_t words;
	struct strmap form, upos, xpos, rel, label;
	struct arena mem;
};

void treebank_init(struct treebank *b);
void treebank_release(struct treebank *b);

/* Adds the sentences of a file, or of two with a comma between; sentences without words are left out. */
int treebank_read(struct treebank *b, const char *files, struct err *e) MUST_USE;

#endif
