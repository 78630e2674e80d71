/* contest-open: opens the references and systems of a contest; see score.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "scores/score.h"

static int
open_sides(struct side **side, size_t *opened, const char *const *path, size_t n,
	   const struct field *needs, struct err *e)
{
	for (; *opened < n; ++*opened) {
		side[*opened] = side_open(path[*opened], needs, e);
		if (!side[*opened])
			return -1;
	}
	return 0;
}

int
contest_open(struct contest *c, const char *const *ref, size_t n_refs, const char *const *system,
	     size_t n_systems, struct err *e)
{
	static const struct field tgt[] = { { "tgt", "str", 0 }, { 0 } };
	static const struct field hyp[] = { { "hyp", "str", 0 }, { 0 } };
	static const struct field both[] = { { "hyp", "str", 0 }, { "tgt", "str", 0 }, { 0 } };

	c->ref = xcalloc(n_refs + 1, sizeof(*c->ref));
	c->system = xcalloc(n_systems + 1, sizeof(*c->system));
	if (open_sides(c->ref, &c->n_refs, ref, n_refs, tgt, e) ||
	    open_sides(c->system, &c->n_systems, system, n_systems, n_refs ? hyp : both, e))
		return -1;
	for (size_t k = 0; k < c->n_systems && !c->n_refs; k++) {
		const char *name = side_name(c->system[k]);

		if (side_is_stream(c->system[k]))
			continue;
		return side_is_empty(c->system[k]) ? err_usage(e, "%s is empty", name)
			: err_usage(e, "no reference for %s, expected -r file or a heed stream "
				    "with hyp and tgt", name);
	}
	return 0;
}

void
contest_close(struct contest *c)
{
	for (size_t k = 0; k < c->n_systems; k++)
		side_close(c->system[k]);
	for (size_t k = 0; k < c->n_refs; k++)
		side_close(c->ref[k]);
	free(c->system);
	free(c->ref);
}
