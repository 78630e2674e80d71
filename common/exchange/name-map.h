/*
 * name-map: fields of a stream, and the keys that stand for them in a file of another program.  A
 * key is a column of a table or a key of JSON objects.
 */
#ifndef NAME_MAP_H
#define NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"
#include "stream/type.h"

struct name_pair {
	char *key;			/* name in the other file, such as "source",
					 * "translation.en" or "2" */
	char *field;			/* name in the stream, such as "src" */
	char *type;			/* type of the field, as declared in streams */
	struct type parsed;
};

struct name_map { struct name_pair *pair; size_t n, room; };	/* all zeros: empty */

void name_map_release(struct name_map *m);

/*
 * Adds the pairs in `text`, which has the form "KEY=FIELD,KEY=FIELD:TYPE,...".  A field without
 * TYPE has the type that heed-fields(5) lists for streams of kind sentence; a field that is not
 * listed has the type str.  Returns -1 with EXIT_USAGE if the text has another form, for a TYPE
 * that is unknown or not the listed one, and for a duplicate key or field.
 */
int name_map_add(struct name_map *m, const char *text, struct err *e) MUST_USE;
/*
 * For JSON, where "a.b" is a key of the object "a": returns -1 with EXIT_USAGE if a key, such as
 * "a", would have to be both an object and a value.
 */
int name_map_objects(const struct name_map *m, struct err *e) MUST_USE;
/*
 * Adds the fields in `list`, which has the form "FIELD,FIELD,...", with their names as keys.
 * Duplicate fields are added twice.  NULL is an empty list.
 */
void name_map_fields(struct name_map *m, const char *list);
/*
 * Adds one pair: the key of `key_n` bytes, and the field name of `field_n` bytes.  The type is that
 * of a field without TYPE in name_map_add().
 */
void name_map_field(struct name_map *m, const char *key, size_t key_n, const char *field,
		    size_t field_n);

/*
 * Sets the types of all fields to those in the header `h`.  Returns -1 with EXIT_INPUT if the
 * header does not declare a field.  `path` is the name of the stream, for the message.
 */
int name_map_types(struct name_map *m, const struct header *h, const char *path,
		   struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_USAGE unless all types are among those that can be read from text: str, int,
 * float, [str], [int].
 */
int name_map_text_types(const struct name_map *m, struct err *e) MUST_USE;

/* Whether the map has this field. */
bool name_map_has(const struct name_map *m, const char *field);
/*
 * Declares the fields in the header of a writer; if the map does not have the field id, declares
 * this field first.  Returns -1 with EXIT_INPUT if there are more fields than a record can have.
 * `path` is the name of the input, for the message.
 */
int name_map_declare(const struct name_map *m, struct writer *w, const char *path,
		     struct err *e) MUST_USE;

#endif
