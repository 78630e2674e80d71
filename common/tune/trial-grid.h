/*
 * trial-grid: the search space of nmt-search, a text with stages; see nmt-search(1).
 */
#ifndef TRIAL_GRID_H
#define TRIAL_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "tune/train-options.h"

/* An option that trials cannot have, and why; an array of these ends with {0}. */
struct reserved { const char *name, *why; };

struct trial_grid {
	struct trial_stage {
		const char *name;
		int64_t line;
		/*
		 * [n] All combinations of the alternatives on the lines of the stage; those of the
		 * last line change fastest.  `options` are the options of a combination.  `lines`,
		 * for messages, has the numbers of the lines whose alternative is not the first one
		 * or, if there are none, of all lines.
		 */
		struct combination { const char *lines, *options; } *combination;
		size_t n;
	} *stage;
	size_t n;
	struct texts texts;
};

/* The maximum number of combinations of a stage. */
enum { MAX_COMBINATIONS = 100000 };

/* Fails with EXIT_INPUT, naming the line, for text that is not such a search space. */
int trial_grid_read(struct trial_grid *g, const char *path, const struct train_table *t,
		    const struct reserved *reserved, struct err *e) MUST_USE;
/* The same for bytes in memory. */
int trial_grid_read_memory(struct trial_grid *g, const char *name, const void *p, size_t n,
			   const struct train_table *t, const struct reserved *reserved,
			   struct err *e) MUST_USE;
void trial_grid_release(struct trial_grid *g);		/* also after an error */

/* If one of these options is reserved, returns -1, with a message that names it (EXIT_USAGE). */
int train_options_allowed(const struct train_options *o, const struct reserved *reserved,
			  struct err *e) MUST_USE;

#endif
