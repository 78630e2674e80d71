/*
 * head-output: the measures of head-stat as a stream or as a table, with their notes.
 */
#ifndef HEAD_OUTPUT_H
#define HEAD_OUTPUT_H

#include "analysis/head-measures.h"

enum head_form { HEAD_STREAM, HEAD_TSV, HEAD_MARKDOWN, HEAD_LATEX };
extern const char *const head_forms[];	/* the names, for an option */

struct head_output {
	const char *name;		/* of the program, for notes */
	const char *path;		/* NULL: standard output */
	enum head_form form;
	unsigned flags;			/* of the stream, STREAM_* */
	bool verbose;			/* print the notes on standard error, too */
};

/*
 * Writes the table, which head_measures_fill() filled, and, to a stream, the provenance of the
 * input and the notes.  Returns -1 as writer_open() or output_all().
 */
int head_measures_write(const struct head_measures *h, const struct forced *f,
			const struct head_table *t, const struct head_output *form,
			struct err *e) MUST_USE;

#endif
