/* libxml2: see libxml2.h. */
#include "exchange/libxml2.h"

#include <pthread.h>

static struct libxml2 functions;

static void
libxml2_load(void)
{
	void *library = library_load(LIBXML2, "libxml2");

#define SET(name) *(void **)&functions.name = library_function(library, #name);
	LIBXML2_FUNCTIONS(SET)
}

const struct libxml2 *
libxml2(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, libxml2_load);
	return &functions;
}
