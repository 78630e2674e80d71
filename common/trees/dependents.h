/*
 * dependents: the fields of a sentence that programs have computed from another field.
 *
 * They must be removed if that field gets another value.  Their sizes do not always show that they
 * no longer fit: subwords of another text, or an alignment of another translation, may have the
 * right size.
 */
#ifndef DEPENDENTS_H
#define DEPENDENTS_H

#include "stream/filter.h"
#include "trees/record-deps.h"

enum { DEPENDENTS_MAX = 32 };
struct dependents {
	struct side_fields field;
	/* NULL-terminated; names that end with '*' are prefixes. */
	const char *name[DEPENDENTS_MAX + 1];
};

/* Lists the fields computed from a field, directly or not.  The struct must not move. */
void dependents_of(struct dependents *d, const char *field);
/* Is the field with this name of n bytes one of them? */
bool dependents_has(const struct dependents *d, const char *name, size_t n);

/*
 * The fields that a program must drop if it replaces the n fields in `fields` of a stream with
 * header h: their dependents, except those in `adds`.  The list ends with NULL, and the caller
 * frees it.  Its names belong to h and to d[n], which the function fills; both must outlive the
 * list.
 */
const char **dependents_drops(struct dependents *d, const char *const *fields, int n,
			      const struct header *h, const struct field *adds) MUST_USE;

/*
 * A filter that replaces one field of each record, and drops what other programs computed from its
 * old value.  replacement_choose() is the value of the filter's choose(): `adds`, which has the
 * field.  r must not move until replacement_release().
 */
struct replacement {
	struct filter filter;		/* set by the caller, but `drops` */
	struct dependents dependents;
	const char **drops;
};
const struct field *replacement_choose(struct replacement *r, const char *field,
				       const struct header *h, const struct field *adds);
void replacement_release(struct replacement *r);	/* also of a struct of zeros */

/*
 * Call it before a program replaces a field of rec.  Returns -1 with EXIT_INPUT if the field is a
 * tree whose nodes are the subwords (tree-linearize(1)), unless is_kept() accepts the subwords,
 * that is, unless the program replaces these, too.
 */
typedef bool dependents_keep(const char *name, const void *arg);
int dependents_check(const struct record *rec, const char *field, dependents_keep *is_kept,
		     const void *arg, struct err *e) MUST_USE;

/*
 * Remove the dependents of a field from a record or a header, except those that is_kept() accepts.
 */
void dependents_delete(struct record *rec, const char *field, dependents_keep *is_kept,
		       const void *arg);
void dependents_drop(struct writer *w, const char *field, dependents_keep *is_kept,
		     const void *arg);

/*
 * Adds the fields of `more` to rec.  If `replace` is set, other values except id replace those of
 * rec, and the dependents of these are removed, unless `more` has them; so are fields that the
 * header no longer describes, by `moved` (writer_join_origins()).
 *
 * If a field has two values, returns -1 without e, with the name of the field in *name, which the
 * caller frees; rec then has some of the fields.  If dependents_check() fails, returns -1 with e
 * and *name NULL; rec is then unchanged.
 */
int dependents_join(struct record *rec, const struct record *more, bool replace, unsigned moved,
		    char **name, struct err *e) MUST_USE;

#endif
