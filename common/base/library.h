/*
 * library: libraries that are loaded when one of their functions is first called.
 *
 * A program that is linked with a library loads it, and all that it needs, at each start:
 * libarchive and libxml2 took more than half of the start of the small programs, most runs of which
 * call neither.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <pthread.h>

/*
 * Loads a library by its file name, for the rest of the process.  If the library cannot be loaded,
 * exits with EXIT_SYSTEM and a hint that names `package`, the Debian package that has it.
 */
void *library_load(const char *file, const char *package);
/* The address of a function.  Exits with EXIT_SYSTEM if the library does not have it. */
void *library_function(void *library, const char *name);

/* A member of a struct of functions; its value is library_function() of the name. */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;
#define LIBRARY_SET(name) *(void **)&library_functions.name = library_function(library, #name);

/*
 * Defines NAME(), which returns the functions of a library as a struct NAME, and loads the library
 * at the first call.  A source file may use the macro only once.  LIST(F) is F(function) for each
 * function.
 */
#define LIBRARY_DEFINE(NAME, FILE, PACKAGE, LIST) \
	static struct NAME library_functions; \
	\
	static void \
	library_fill(void) \
	{ \
		void *library = library_load(FILE, PACKAGE); \
		\
		LIST(LIBRARY_SET) \
	} \
	\
	const struct NAME * \
	NAME(void) \
	{ \
		static pthread_once_t once = PTHREAD_ONCE_INIT; \
		\
		pthread_once(&once, library_fill); \
		return &library_functions; \
	}

#endif
