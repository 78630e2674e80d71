/* libarchive: see libarchive.h. */
#include "stream/libarchive.h"

#include <pthread.h>

static struct libarchive functions;

static void
libarchive_load(void)
{
	void *library = library_load(LIBARCHIVE, "libarchive13");

#define SET(name) *(void **)&functions.name = library_function(library, #name);
	LIBARCHIVE_FUNCTIONS(SET)
}

const struct libarchive *
libarchive(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, libarchive_load);
	return &functions;
}
