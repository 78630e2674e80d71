/*
 * library: libraries that are loaded when one of their functions is first called.
 *
 * If a program is linked with a library, the dynamic linker loads the library, and all libraries
 * that the library needs, at each start.  Loading libarchive and libxml2 took more than half of the
 * start-up time of small programs, although most runs call neither.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <pthread.h>

/*
 * Loads the library with the file name `file`, such as "libarchive.so.13", for the rest of the
 * process, and returns it for library_function().  If the library cannot be loaded, exits with
 * EXIT_SYSTEM and a hint that names `package`, the Debian package of the library.
 */
void *library_load(const char *file, const char *package);
/*
 * Returns the address of the function `name`.  Exits with EXIT_SYSTEM if the library does not have
 * this function.
 */
void *library_function(void *library, const char *name);

/*
 * LIBRARY_MEMBER(name) declares a pointer to the function `name` as a member of a struct.
 * LIBRARY_SET, for LIBRARY_DEFINE, sets this member.
 */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;
#define LIBRARY_SET(name) *(void **)&library_functions.name = library_function(library, #name);

/*
 * Defines the function NAME().  Its first call loads the library; each call returns the library's
 * functions as a struct NAME, { LIST(LIBRARY_MEMBER) }.  LIST is a macro: LIST(F) is F(function)
 * for each function of the library that is used.  A source file may use LIBRARY_DEFINE only once.
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
