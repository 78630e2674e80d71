/*
 * model-facts: facts about a model for the record of a run (results/facts.h).
 */
#ifndef MODEL_FACTS_H
#define MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* The identity of a model, as it is stated in streams and logs. */
struct model_id {
	char digest[20];		/* the result of model_digest() (model/model.h) */
	char training[20];		/* the member `training` of struct model; empty if
					 * unknown */
	int64_t step;			/* completed updates */
};

/*
 * Reads the model file at `path` and appends lines "key TAB value" to `out`:
 *
 *   engine          the engine that trained the model, if it is known
 *   version         the version of the program that trained it
 *   parameters      the number of elements
 *   vocab.src, vocab.tgt
 *                   the number of vocabulary entries
 *   attention.N     the settings of attention variant N
 *   heads, heads.KIND
 *                   the number of retained heads, in total and for each kind of attention
 *   strength.min, strength.max, strength.range
 *                   the range of the learned relation strengths, before exp (relation-mask only)
 *   finished        the time when the file was last modified
 *
 * KIND is enc-self, dec-self or cross.  Also sets *id, and appends to `info` the lines that
 * nmt-info(1) prints, without the lines of single parameters.  Returns -1 if the file is not a
 * model.
 */
int model_facts(const char *path, struct model_id *id, struct buf *info, struct buf *out,
		struct err *e) MUST_USE;

/*
 * Appends the lines of model_facts(), except strength.* and finished, from the output of
 * nmt-info(1), `rows`, which ends with a NUL.  Sets `training` and `step` of *id; its digest is
 * empty.  Returns 0, or -1 with EXIT_INPUT if a line is missing or malformed.  The message does not
 * name the file.
 */
int model_facts_of_rows(const char *rows, struct model_id *id, struct buf *out,
			struct err *e) MUST_USE;

/*
 * Finds the first line from *rows on that begins with `name` and a tab.  Sets *value to its second
 * column, which has *n bytes, and *rows to the following line.  Returns false and sets nothing if
 * there is no such line.
 */
bool model_facts_row(const char **rows, const char *name, const char **value, size_t *n);

#endif
