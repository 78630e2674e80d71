/*
 * spm-guard: calls libsentencepiece without exceptions; for the C++ files that implement spm-lib.h.
 */
#ifndef SPM_GUARD_H
#define SPM_GUARD_H

#include <cstdio>
#include <exception>

#include <sentencepiece_processor.h>

#include "bpe/spm-lib.h"

namespace sp = sentencepiece;

/*
 * Runs f, which returns a status of the library or throws an exception.  Returns 0, or -1 with the
 * message in why[SPM_WHY].
 */
template <class F> static int
spm_lib_guard(char *why, F f)
{
	try {
		const sp::util::Status status = f();

		if (status.ok())
			return 0;
		snprintf(why, SPM_WHY, "%s", status.error_message());
	} catch (const std::exception &x) {
		snprintf(why, SPM_WHY, "%s", x.what());
	} catch (...) {
		snprintf(why, SPM_WHY, "unknown exception");
	}
	return -1;
}

#endif
