/*
 * trial-grid: the search space of nmt-search, a text file with stages; see nmt-search(1).  A stage
 * begins with a line "stage NAME".  Each of its other lines has alternatives, options of nmt-train
 * separated by |, where - stands for no option.  A trial has one alternative of each line, and the
 * options of the best trial of the stage before.
 */
#ifndef TRIAL_GRID_H
#define TRIAL_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "tune/train-options.h"

/*
 * An option, "--name", that trials cannot have because nmt-search sets it, and why, for a message;
 * an array of these ends with {0}.
 */
struct reserved { const char *name, *why; };

struct trial_grid {
	struct trial_stage {
		const char *name;
		int64_t line;
		/*
		 * [n] All combinations of the alternatives on the lines of the stage; those of the
		 * last line change fastest.  `options` are the options of a combination, in the
		 * order of the lines.  `lines`, "line 3" or "lines 3, 4" for messages, has the
		 * numbers of the lines whose alternative is not the first one or, if there are
		 * none, of all lines.
		 */
		struct combination { const char *lines, *options; } *combination;
		size_t n;
	} *stage;
	size_t n;
	struct texts texts;
};

/* The maximum number of combinations of a stage; more are an error. */
enum { MAX_COMBINATIONS = 100000 };

/*
 * Reads the file `path`.  Fails with EXIT_INPUT, naming the line, for text that is not such a
 * search space: also for an option of `reserved`, one that two lines of a stage or one alternative
 * twice set, and equal alternatives of a line.  Values of options are not checked: see
 * trial_check() of trial-run.h.  The table t is used only during the call.
 */
int trial_grid_read(struct trial_grid *g, const char *path, const struct train_table *t,
		    const struct reserved *reserved, struct err *e) MUST_USE;
/* The same for the n bytes at p; `name` is their name in messages. */
int trial_grid_read_memory(struct trial_grid *g, const char *name, const void *p, size_t n,
			   const struct train_table *t, const struct reserved *reserved,
			   struct err *e) MUST_USE;
void trial_grid_release(struct trial_grid *g);		/* also after an error */

/*
 * If one of the options `o` is reserved, returns -1 with EXIT_USAGE and a message that names it;
 * otherwise 0.
 */
int train_options_allowed(const struct train_options *o, const struct reserved *reserved,
			  struct err *e) MUST_USE;

#endif
