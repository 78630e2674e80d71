/*
 * dependents: a dependent is a field of a sentence that a program has computed from another field,
 * the source of the dependent.
 *
 * Dependents must be removed if the source gets another value.  Their sizes do not always show that
 * they no longer fit: subwords of another text, or an alignment of another translation, may have
 * the right size.  Fields are those of heed-fields(5).
 */
#ifndef DEPENDENTS_H
#define DEPENDENTS_H

#include "stream/filter.h"
#include "trees/record-deps.h"

enum { DEPENDENTS_MAX = 32 };
/* The dependents of a field, including those computed from its dependents.  It must not move. */
struct dependents {
	struct side_fields field;	/* owns some of the names */
	/* The names of the dependents, NULL-terminated; names that end with '*' are prefixes. */
	const char *name[DEPENDENTS_MAX + 1];
};

/*
 * Returns the names of the fields that a program must drop if it replaces the n fields in `fields`
 * of a stream with header h: the dependents of these fields, except the fields that the program
 * adds.  `adds` ends with a field whose name is NULL.  The list ends with NULL, and the caller
 * frees it.  The function fills `d[n]` with the dependents of each of the n fields.  The names
 * belong to h and to d, which must both outlive the list.
 */
const char **dependents_drops(struct dependents *d, const char *const *fields, int n,
			      const struct header *h, const struct field *adds) MUST_USE;

/*
 * A filter (filter.h) that replaces one field of each record, and drops the dependents of the old
 * value, except the fields that it adds.  Zero-initialize it.  replacement_run() runs the filter;
 * the arg of its work() is the struct replacement, which may be the first member of a larger
 * struct.
 */
struct replacement {
	struct filter filter;		/* set by the caller, except choose, drops and arg */
	const char *field;		/* the name of the field, set by the caller */
	/* private */
	struct dependents dependents;
	const char **drops;
};
void replacement_run(struct replacement *r);

/*
 * Checks, before a program replaces a field of rec, that it may do so.  Returns -1 with EXIT_INPUT
 * if the field is a tree and the subwords of the record are the nodes of that tree
 * (tree-linearize(1)): they would remain those of the old tree.  If the program replaces the
 * subwords, too, is_kept() returns true for their field, and the check passes.  is_kept() is called
 * with the name of a field and `arg`.
 */
typedef bool dependents_keep(const char *name, const void *arg);
int dependents_check(const struct record *rec, const char *field, dependents_keep *is_kept,
		     const void *arg, struct err *e) MUST_USE;

/*
 * Remove the dependents of a field, except those for which is_kept() returns true:
 * dependents_delete() from a record, dependents_drop() from the header of a writer, before it is
 * written.
 */
void dependents_delete(struct record *rec, const char *field, dependents_keep *is_kept,
		       const void *arg);
void dependents_drop(struct writer *w, const char *field, dependents_keep *is_kept,
		     const void *arg);

/*
 * Adds the fields of `more` to rec.  If a field other than id has different values in the two
 * records and `replace` is true, the value of `more` replaces that of rec.  The dependents of the
 * replaced field are then removed from rec, unless `more` has them.  `moved` is the set that
 * writer_join_origins() (stream/stream.h) stored: fields whose origins differ in the headers of the
 * two streams.  If `replace` is true, those that `more` lacks are removed from rec, too.
 *
 * If a field has different values and is not replaced, or if `replace` is false and rec lacks a
 * field of `moved` that `more` has, returns -1 and sets *name to the name of the field,
 * which the caller frees; e is not set, and rec then has some of the fields of `more`.  If
 * dependents_check() fails, returns -1 with its error in e, and sets *name to NULL; rec is then
 * unchanged.
 */
int dependents_join(struct record *rec, const struct record *more, bool replace, unsigned moved,
		    char **name, struct err *e) MUST_USE;

#endif
