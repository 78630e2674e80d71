/*
 * name-map: fields of a stream and their names in files of other programs: columns of a table, keys
 * of JSON objects.
 */
#ifndef NAME_MAP_H
#define NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"
#include "stream/type.h"

struct name_pair {
	char *key;			/* the name in the other file: "source", "translation.en",
					 * "2" */
	char *field;			/* the name in the stream: "src" */
	char *type;			/* the declared type of the field */
	struct type parsed;
};

struct name_map { struct name_pair *pair; size_t n, room; };	/* all zeros: empty */

void name_map_release(struct name_map *m);

/*
 * Adds "KEY=FIELD,KEY=FIELD:TYPE,...".  Without a type, a field has the type of heed-fields(5) for
 * kind sentence, or str.  Returns -1 with EXIT_USAGE if the text has another form, for an unknown
 * type, and for a key or a field that is given twice.
 */
int name_map_add(struct name_map *m, const char *text, struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_USAGE if a key would need to be both a value and an object, such as "a" if
 * "a.b" is another key.
 */
int name_map_objects(const struct name_map *m, struct err *e) MUST_USE;
/* Adds fields, "FIELD,FIELD,...", whose keys are their names.  A field may be given twice. */
void name_map_fields(struct name_map *m, const char *list);
/* Adds one field with the type of heed-fields(5), or str. */
void name_map_field(struct name_map *m, const char *key, size_t key_n, const char *field,
		    size_t field_n);

/*
 * Sets the types to those in a header.  Returns -1 with EXIT_INPUT if a field is not declared
 * there.
 */
int name_map_types(struct name_map *m, const struct header *h, const char *path,
		   struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_USAGE unless each type is one that text can have: str, int, float, [str],
 * [int].
 */
int name_map_text_types(const struct name_map *m, struct err *e) MUST_USE;

/* Does the map have this field? */
bool name_map_has(const struct name_map *m, const char *field);
/*
 * Declares the fields in the header of a writer, after the field id if the map does not have it.
 * Returns -1 with EXIT_INPUT, naming path, if a record cannot have as many fields.
 */
int name_map_declare(const struct name_map *m, struct writer *w, const char *path,
		     struct err *e) MUST_USE;

#endif
