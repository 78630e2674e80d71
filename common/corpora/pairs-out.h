/*
 * pairs-out: the destination of sentence pairs: a file for each part and language, or a stream.
 */
#ifndef PAIRS_OUT_H
#define PAIRS_OUT_H

#include "base/output.h"
#include "corpora/pairs.h"
#include "stream/stream.h"

extern const char *const pairs_parts[];	/* names of the parts, then "all"; NULL-terminated */
enum { PAIRS_ALL = PAIRS_PARTS };

struct pairs_out {
	struct output *file[PAIRS_PARTS][2];
	struct writer *writer;		/* or NULL */
	struct record *rec;
	int part;			/* of the stream: a pairs_part or PAIRS_ALL */
	int64_t n;			/* records written */
};

/* Does pairs_out_files() write a file that writing path would replace? */
bool pairs_out_writes(const char *prefix, const char *const language[2], const char *path);

/* Opens the files PREFIX.PART.LANGUAGE.  After an error, call pairs_out_abandon(). */
int pairs_out_files(struct pairs_out *o, const char *prefix, const char *const language[2],
		    struct err *e) MUST_USE;
/* Or standard output, for a stream of one or all parts; flags are those of writer_open(). */
int pairs_out_stream(struct pairs_out *o, int part, const char *const language[2],
		     unsigned flags, struct err *e) MUST_USE;

/* Writes a pair: a pairs_take of pairs_deal(), where arg is the struct pairs_out. */
int pairs_out_put(void *arg, enum pairs_part part, const char *place, const char *const s[2],
		  const size_t n[2], struct err *e) MUST_USE;

/* Completes all files, or none of them if the disk is full. */
int pairs_out_finish(struct pairs_out *o, struct err *e) MUST_USE;
void pairs_out_abandon(struct pairs_out *o);	/* after an error of any function */

#endif
