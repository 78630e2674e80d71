/*
 * library: libraries that are loaded when one of their functions is first called.
 *
 * A program that is linked with a library loads it, and all that it needs, at each start:
 * libarchive and libxml2 took more than half of the start of the small programs, most runs of which
 * call neither.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

/*
 * Loads a library by its file name, for the rest of the process.  Exits with EXIT_SYSTEM and the
 * name of Debian's package if there is none.
 */
void *library_load(const char *file, const char *package);
/* The address of a function.  Exits with EXIT_SYSTEM if the library does not have it. */
void *library_function(void *library, const char *name);

/* A member of a struct of functions; its value is library_function() of the name. */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;

#endif
