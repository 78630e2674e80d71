/*
 * train-options: options of nmt-train as text, such as "--lr 0.001 -q".
 *
 * The words of a text are separated by blanks.  The table of options of nmt-train says which
 * options take a value, and which may be given several times.
 */
#ifndef TRAIN_OPTIONS_H
#define TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/texts.h"

/* What nmt-train --options-tsv prints (cli.h). */
struct train_table {
	struct train_row {
		char letter;			/* 0 without one */
		bool takes, many, keyed;	/* takes: the option takes a value; many: it may be
						 * given several times; keyed: its value is
						 * key=value,... */
		const char *name;		/* "--lr" */
	} *row;
	size_t n;
	struct texts texts;
};

/* Reads the output of nmt-train --options-tsv; `tsv` is not kept. */
void train_table_read(struct train_table *t, const char *tsv);
void train_table_release(struct train_table *t);

/* The options in a text, in order. */
struct train_options {
	struct train_option {
		const struct train_row *row;	/* NULL: not an option of nmt-train */
		const char *text, *value;	/* "--lr 0.001", and "0.001" in it or NULL */
	} *option;
	size_t n;
	struct texts texts;
};

/*
 * Parses the options in a text.  A value may be the next word, with any first character, or
 * attached.  Letters may be bundled: "-qkFILE" is "-q -kFILE".  The table must live as long as the
 * options.
 */
void train_options_parse(struct train_options *o, const struct train_table *t, const char *text);
void train_options_release(struct train_options *o);

/*
 * Appends the options in a text.  Of an option that is given again, only the last is kept, unless
 * it may be given several times.
 */
void train_options_merge(const struct train_table *t, const char *text, struct buf *out);

#endif
