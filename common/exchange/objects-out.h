/* objects-out: records as JSON objects, one a line, with keys of the user's choice. */
#ifndef OBJECTS_OUT_H
#define OBJECTS_OUT_H

#include "base/buf.h"
#include "exchange/name-map.h"

/*
 * Appends the object of a record, with the keys in the order of the map.  Keys with a common part
 * before a period become an object: "translation.en", "translation.de" are {"translation": {"en":
 * ..., "de": ...}}.  Absent fields are left out.  A float that is not finite is null; other
 * values are those of json-out.h.
 */
void object_line(struct buf *line, const struct name_map *m, const struct record *rec);

#endif
