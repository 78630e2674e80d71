/*
 * treebank: sentences with trees, in memory, texts as numbers.
 *
 * Where only brackets are there, so are XPOS but no UPOS and no heads.
 */
#ifndef TREEBANK_H
#define TREEBANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	int max_words;			/* of the caller: leave longer ones out; 0: none */
	int64_t words;			/* of all sentences */
	int64_t too_long, left_out;	/* sentences that are not here, and why */
	struct strmap form, upos, xpos, rel, label;
	struct arena mem;
};

void treebank_init(struct treebank *b);
void treebank_release(struct treebank *b);

/* Adds sentences, files and leave_out as for bank_open(); those without words are left out. */
struct opt_list;
int treebank_read(struct treebank *b, const char *files, const struct opt_list *leave_out,
		  struct err *e) MUST_USE;
bool treebank_has_heads(const struct treebank *b);
uint64_t treebank_digest(const struct treebank *b);	/* of all that is in it, in its order */

#endif
