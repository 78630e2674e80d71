/*
 * fields: the table of all fields that programs share.
 *
 * heed-fields(5) lists the same fields; a test compares the page with this table.
 */
#ifndef FIELDS_H
#define FIELDS_H

struct field_info {
	const char *kind;	/* of the stream */
	const char *name;	/* "PREFIX.*" stands for all names with this prefix, and
				 * "*.SUFFIX" for all with this suffix */
	const char *type;
	const char *from;	/* the program that adds it, or NULL */
	const char *meaning;
};

/* The table; all members of its last entry are NULL. */
const struct field_info *fields_table(void);

/* The entry of a field in streams of this kind (NULL: any kind), or NULL. */
const struct field_info *fields_find(const char *kind, const char *name);

#endif
