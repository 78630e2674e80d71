/* library: see library.h. */
#include "base/library.h"

#include <dlfcn.h>

#include "base/err.h"

void *
library_load(const char *file, const char *package)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	struct err e;

	if (library)
		return library;
	err_set(&e, EXIT_SYSTEM, "cannot open %s: %s", file, dlerror());
	err_hint(&e, "Debian's package is %s", package);
	die(&e);
}

void *
library_function(void *library, const char *name)
{
	void *p = dlsym(library, name);
	struct err e;

	if (p)
		return p;
	err_set(&e, EXIT_SYSTEM, "no function %s: %s", name, dlerror());
	die(&e);
}
