/* open-backend: opens a back end that may not be available on this machine. */
#ifndef OPEN_BACKEND_H
#define OPEN_BACKEND_H

#include "tensor/backend/backend.h"

/*
 * Returns false if the library or a feature of the processor is missing.  Any other error, such as
 * a wrong product, fails the test.  Kernels of native that the processor does not support are
 * unknown options.
 */
static inline bool
is_available(struct backend *b, const char *spec)
{
	struct err e;

	if (!backend_open(b, spec, &e))
		return true;
	if (strstr(e.text, "wrong product") ||
	    e.status != (strncmp(spec, "native:", 7) ? EXIT_SYSTEM : EXIT_USAGE))
		fail_msg("%s", e.text);
	return false;
}

#endif
