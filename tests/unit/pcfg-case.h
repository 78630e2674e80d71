/* pcfg-case: grammars from trees, for the tests of grammars. */
#ifndef PCFG_CASE_H
#define PCFG_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "parser/pcfg.h"
#include "scratch.h"
#include "trees/ptb.h"

static inline struct pcfg *
grammar(const char *text)
{
	struct err e = { .text = "" };
	struct pcfg *g = pcfg_read(text, strlen(text), &e);

	if (!g)
		fail_msg("%s", e.text);
	return g;
}

#endif
