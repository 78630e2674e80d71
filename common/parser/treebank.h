/*
 * treebank: sentences with trees in memory, with forms and labels as integer ids; their reader.
 *
 * A sentence that has only brackets has XPOS, but no UPOS and no heads.
 */
#ifndef TREEBANK_H
#define TREEBANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/strmap.h"
#include "trees/conllu.h"
#include "trees/ptb.h"

struct gold_span { int first, end, label; };

/* Ids are those of the treebank's maps; -1 if unknown. */
struct sentence {
	int n;				/* words */
	int *form, *upos, *xpos;	/* [n] */
	int *head, *rel;		/* [n] heads 1-based, 0 the root; NULL if unknown */
	struct gold_span *span;		/* [2n-1] see binary.h; NULL if unknown */
};

struct treebank {
	struct sentence *sentence;	/* [n] */
	size_t n, room;
	int max_words;			/* set by the caller: skip longer sentences; 0: no limit */
	int64_t words;			/* number of words of all sentences */
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
/* Has any sentence heads? */
bool treebank_has_heads(const struct treebank *b);
uint64_t treebank_digest(const struct treebank *b);	/* of its whole contents */

/*
 * Reads the sentences of a treebank, with dependencies, constituents or both.
 *
 * A file that begins with an opening bracket has bracketed trees; any other file is CoNLL-U.
 * "a.conllu,b.ptb" names both for the same sentences, which must have the same words.
 */

/* Documents to skip. */
struct leave_out {
	const struct opt_list *pattern;	/* shell patterns of names */
	bool *matched;			/* [pattern->n] a document had such a name */
};

void leave_out_init(struct leave_out *l, const struct opt_list *pattern);
void leave_out_warn(const struct leave_out *l);	/* warns of each pattern that matched no document */
void leave_out_release(struct leave_out *l);

struct bank_reader {
	struct conllu_reader *conllu;	/* NULL if there is no CoNLL-U file */
	struct ptb_reader *ptb;		/* NULL if there is no file with brackets */
	struct dep_sentence dep;	/* the last sentence, if conllu */
	struct tree tree;		/* the last sentence, if ptb */
	char *name[2];			/* the files: CoNLL-U, brackets */
	struct leave_out *leave_out;	/* or NULL */
};

/*
 * Opens the files.  Sentences of documents whose "# newdoc id" matches a pattern of `leave_out` are
 * skipped; `leave_out`, which may be NULL, must outlive the reader.
 */
int bank_open(struct bank_reader *r, const char *files, struct leave_out *leave_out,
	      struct err *e) MUST_USE;
/*
 * Reads the next sentence.  Returns 1, 0 at the end, or -1 with a message that names file and line.
 */
int bank_next(struct bank_reader *r, struct err *e) MUST_USE;
void bank_close(struct bank_reader *r);		/* also after bank_open() failed */

#endif
