/* libarchive: see libarchive.h. */
#include "stream/libarchive.h"

LIBRARY_DEFINE(libarchive, LIBARCHIVE, "libarchive13", LIBARCHIVE_FUNCTIONS)
