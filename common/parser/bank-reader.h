/*
 * bank-reader: reads the sentences of a treebank, with dependencies, constituents or both.
 *
 * A file that begins with an opening bracket has bracketed trees; any other file is CoNLL-U.
 * "a.conllu,b.ptb" names both for the same sentences, which must have the same words.
 */
#ifndef BANK_READER_H
#define BANK_READER_H

#include "base/cli.h"
#include "base/err.h"
#include "trees/conllu.h"
#include "trees/ptb.h"

/* Documents to skip. */
struct leave_out {
	const struct opt_list *pattern;	/* shell patterns of names */
	bool *matched;			/* [pattern->n] a document had such a name */
};

void leave_out_init(struct leave_out *l, const struct opt_list *pattern);
void leave_out_warn(const struct leave_out *l);	/* names each pattern that matched no document */
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
/* Reads the next sentence: 1, 0 at the end, -1 and e with file and line. */
int bank_next(struct bank_reader *r, struct err *e) MUST_USE;
void bank_close(struct bank_reader *r);		/* also after bank_open() failed */

#endif
