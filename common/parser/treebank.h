/*
 * treebank: sentences with trees in memory, with forms and labels as integer ids.
 *
 * A sentence that has only brackets has XPOS, but no UPOS and no heads.
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

/* Ids are those of the treebank's maps; -1 if unknown. */
struct sentence {
	int n;				/* words */
	int *form, *upos, *xpos;	/* [n] */
	int *head, *rel;		/* [n] heads 1-based, 0 the root; NULL if unknown */
	struct gold_span *span;		/* [2n-1] see binary.h; NULL if unknown */
};

struct treebank {
	struct sentence *sentence;
	size_t n, room;
	int max_words;			/* set by the caller: skip longer sentences; 0: no limit */
	int64_t words;			/* of all sentences */
	int64_t too_long;		/* sentences skipped because of max_words */
	struct strmap form, upos, xpos, rel, label;
	struct arena mem;
};

void treebank_init(struct treebank *b);
void treebank_release(struct treebank *b);

struct leave_out;
/* Adds the sentences of files, except empty ones; files and leave_out as for bank_open(). */
int treebank_read(struct treebank *b, const char *files, struct leave_out *leave_out,
		  struct err *e) MUST_USE;
bool treebank_has_heads(const struct treebank *b);
uint64_t treebank_digest(const struct treebank *b);	/* of its whole contents */

#endif
