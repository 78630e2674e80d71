/*
 * fields: the table of the fields of streams that several programs read or write.
 *
 * heed-fields(5) lists the same fields; a test compares the page with this table.
 */
#ifndef FIELDS_H
#define FIELDS_H

struct field_info {
	const char *kind;	/* kind of stream, such as "sentence"; NULL: any */
	const char *name;	/* "PREFIX.*" stands for all names with this prefix, and
				 * "*.SUFFIX" for all with this suffix */
	const char *type;	/* as in type.h; "" for any type */
	const char *from;	/* the program that adds the field, or NULL */
	const char *meaning;
};

/* The table; all members of its last entry are NULL. */
const struct field_info *fields_table(void);

/*
 * Returns the entry of the field `name` in streams of this kind, or of any kind if `kind` is NULL.
 * Returns NULL if the table does not have the field.
 */
const struct field_info *fields_find(const char *kind, const char *name);

/*
 * The names of the fields of one side of a sentence.  For the source, text is "src", heads is
 * "src.heads", and so on.
 */
struct side_fields {
	const char *text, *heads, *rels, *upos, *tree, *pieces, *word, *parent, *dep, *phrase,
		   *relation, *cut;
};

/* The names of both sides: [0] of src, [1] of tgt. */
extern const struct side_fields side_fields[2];
const struct side_fields *side_fields_of(const char *side);	/* "src" or "tgt" */

#endif
