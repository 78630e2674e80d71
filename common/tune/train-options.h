/*
 * train-options: options of nmt-train as text, such as "--lr 0.001 -q", for nmt-search, which
 * combines options from several places.
 *
 * The words of a text are separated by blanks, without quotes.  The table of options of nmt-train
 * says which options take a value, and which may be given several times.
 */
#ifndef TRAIN_OPTIONS_H
#define TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/texts.h"

/* All options of nmt-train: what nmt-train --options-tsv prints (base/cli.h). */
struct train_table {
	struct train_row {
		char letter;			/* of the option, such as 'a' for -a; 0 without
						 * one */
		bool takes, many, keyed;	/* takes: the option takes a value; many: it may be
						 * given several times; keyed: its value is
						 * key=value,... */
		const char *name;		/* with the dashes, "--lr" */
	} *row;
	size_t n;
	struct texts texts;
};

/* Reads the output of nmt-train --options-tsv; `tsv` is not kept. */
void train_table_read(struct train_table *t, const char *tsv);
void train_table_release(struct train_table *t);

/* The options in a text, in their order. */
struct train_options {
	struct train_option {
		const struct train_row *row;	/* in the table; NULL: the word is no option of
						 * nmt-train */
		const char *text, *value;	/* text: the option as it was given, "--lr 0.001";
						 * value: "0.001" within it, or NULL without one */
	} *option;
	size_t n;
	struct texts texts;
};

/*
 * Parses the options in a text, which is copied.  A value may be the next word, with any first
 * character, or attached ("--lr=0.001").  Letters may be bundled: "-qkFILE" is "-q -kFILE".  Never
 * fails: a word that is no option becomes one with row NULL.  The table must live as long as the
 * options.
 */
void train_options_parse(struct train_options *o, const struct train_table *t, const char *text);
void train_options_release(struct train_options *o);

/*
 * Appends the options in a text to `out`, separated by blanks.  Of an option that is given again,
 * only the last is kept, unless it may be given several times.
 */
void train_options_merge(const struct train_table *t, const char *text, struct buf *out);

#endif
