/*
 * ops-whole: every op with the name of its file, and whether its constant is whole.  Each test file
 * is one program and includes this at most once.  HEED_OP=NAME selects one op, which may also be
 * one of planted.h.
 */
#ifndef OPS_WHOLE_H
#define OPS_WHOLE_H

#include <stdio.h>
#include <stdlib.h>

#include "ops-world.h"
#include "planted.h"

struct op_file { const char *name; const struct op *op; };

#define O(name) extern const struct op ops_##name;
#include "op-list.inc"
#undef O

/* Hyphens in the names of files are underscores here. */
static const struct op_file op_file[] = {
#define O(name) { #name, &ops_##name },
#include "op-list.inc"
#undef O
	{ "planted_overwrites", &planted_overwrites }, { "planted_adds", &planted_adds },
	{ "planted_joint", &planted_joint }, { "planted_relevance", &planted_relevance },
};

enum { OP_FILES = sizeof(op_file) / sizeof(*op_file) };

static inline bool
is_name_of(const char *op, const char *file)
{
	for (; *op && (*op == '-' ? '_' : *op) == *file; op++)
		file++;
	return !*op && !*file;
}

static inline bool
is_tried(const struct op_file *f)
{
	const char *only = getenv("HEED_OP");

	return only ? is_name_of(only, f->name) : strncmp(f->name, "planted", 7) != 0;
}

/* What the constant lacks; NULL if it is whole. */
static inline const char *
op_defect(const struct op *op, const char *file)
{
	const struct { bool there; const char *text; } required[] = {
		{ op->name, ".name is NULL" },
		{ op->name && is_name_of(op->name, file), ".name is not the name of the file" },
		{ op->formula, ".formula is NULL" },
		{ op->infer, ".infer is NULL" },
		{ op->forward, ".forward is NULL" },
		{ op->gradient, ".gradient is NULL" },
		{ op->relevance, ".relevance is NULL" },
		{ op->cases && op->cases->name, "it has no cases" },
	};

	for (size_t i = 0; i < sizeof(required) / sizeof(*required); i++)
		if (!required[i].there)
			return required[i].text;
	return NULL;
}

/* Calls check for the op of *state, a struct op_file, if its constant is whole. */
static void
check_whole(void **state, void (*check)(const struct op *op))
{
	const struct op_file *f = *state;
	const char *defect = op_defect(f->op, f->name);

	if (!is_tried(f))
		return;
	if (defect)
		fail_msg("ops_%s: %s", f->name, defect);
	check(f->op);
}

/*
 * Fills test[OP_FILES] with a test for each op, which gets its struct op_file.  Ends the program if
 * HEED_OP names no op.
 */
static void
tests_of_ops(struct CMUnitTest *test, CMUnitTestFunction run)
{
	int tried = 0;

	for (size_t i = 0; i < OP_FILES; i++) {
		test[i] = (struct CMUnitTest){ op_file[i].name, run, NULL, NULL,
					       (void *)(uintptr_t)&op_file[i] };
		tried += is_tried(&op_file[i]);
	}
	if (!tried) {
		printf("Bail out! HEED_OP=%s: no such op\n", getenv("HEED_OP"));
		exit(2);
	}
}

#endif
