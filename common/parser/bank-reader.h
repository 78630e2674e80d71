/*
 * bank-reader: sentences of treebanks one by one, with dependencies, constituents or both.
 *
 * A file whose first character is an opening bracket is trees in brackets, else CoNLL-U;
 * "a.conllu,b.ptb" are both for the same sentences, word by word.
 */
#ifndef BANK_READER_H
#define BANK_READER_H

#include "base/cli.h"
#include "base/err.h"
#include "text/conllu.h"
#include "text/ptb.h"

struct bank_reader {
	struct conllu_reader *conllu;	/* NULL: no such file */
	struct ptb_reader *ptb;
	struct dep_sentence dep;	/* the sentence that was read, as far as there are files */
	struct tree tree;
	char *name[2];			/* of the files */
	const struct opt_list *leave_out;
	int64_t passed;			/* sentences that were left out */
};

/*
 * Sentences of documents whose "# newdoc id" matches a shell pattern of leave_out are passed over.
 */
int bank_open(struct bank_reader *r, const char *files, const struct opt_list *leave_out,
	      struct err *e) MUST_USE;
/* 1, 0 at the end, -1 and e with file and line. */
int bank_next(struct bank_reader *r, struct err *e) MUST_USE;
void bank_close(struct bank_reader *r);		/* also when bank_open() failed */

#endif
