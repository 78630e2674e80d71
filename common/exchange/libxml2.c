/* libxml2: see libxml2.h. */
#include "exchange/libxml2.h"

LIBRARY_DEFINE(libxml2, LIBXML2, "libxml2", LIBXML2_FUNCTIONS)
