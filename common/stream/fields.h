/*
 * fields: the table of all fields the programs agree on; heed-fields(5) is this
 * table in words, and a test compares the two.
 */
#ifndef FIELDS_H
#define FIELDS_H

struct field_info {
	const char *kind;	/* of the stream */
	const char *name;	/* may end in ".*": any name that begins so */
	const char *type;
	const char *from;	/* the program that adds it, or NULL for none of ours */
	const char *meaning;
};

/* All, ending with an entry of NULLs. */
const struct field_info *fields_table(void);

/* What is known of a field in a stream of that kind (NULL: any); NULL if nothing is. */
const struct field_info *fields_find(const char *kind, const char *name);

#endif
