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

/* The names of the fields of one side of a sentence, such as src.heads. */
struct side_fields {
	const char *text, *heads, *rels, *upos, *tree, *pieces, *word, *parent, *dep, *phrase,
		   *relation, *cut;
};

/* Those of stream_sides: [0] of src, [1] of tgt. */
extern const struct side_fields side_fields[2];
const struct side_fields *side_fields_of(const char *side);	/* "src" or "tgt" */

#endif
