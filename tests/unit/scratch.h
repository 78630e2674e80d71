/* scratch: an arena for all tests of a file: cmocka_run_group_tests(tests, setup, teardown). */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "base/arena.h"

static struct arena scratch;

static int
setup(void **state)
{
	(void)state;
	arena_init(&scratch, 0);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_release(&scratch);
	return 0;
}

#endif
