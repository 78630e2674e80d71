/* symmetrize: see symmetrize.h. */
#include "align/symmetrize.h"

#include <stdlib.h>

#include "base/mem.h"

const char *const symmetrizations[] = {
	"grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward",
	"backward", NULL
};

enum { FORWARD = 1, BACKWARD = 2, LINKED = 4 };

struct matrix {
	int n_src, n_tgt;
	unsigned char *cell;		/* [n_src][n_tgt] of the three marks */
	bool *source, *target;		/* has the word a link? */
};

static unsigned char *
cell_of(const struct matrix *m, int i, int j)
{
	return m->cell + (size_t)i * (size_t)m->n_tgt + j;
}

static void
link_words(struct matrix *m, int i, int j)
{
	*cell_of(m, i, j) |= LINKED;
	m->source[i] = m->target[j] = true;
}

/* Links all cells that have all these marks. */
static void
link_marked(struct matrix *m, int marks)
{
	for (int i = 0; i < m->n_src; i++)
		for (int j = 0; j < m->n_tgt; j++)
			if ((*cell_of(m, i, j) & marks) == marks)
				link_words(m, i, j);
}

static bool
has_neighbor(const struct matrix *m, int i, int j)
{
	for (int y = i - 1; y <= i + 1; y++)
		for (int x = j - 1; x <= j + 1; x++)
			if (x >= 0 && y >= 0 && y < m->n_src && x < m->n_tgt &&
			    (*cell_of(m, y, x) & LINKED))
				return true;
	return false;
}

static void
symmetrize_grow(struct matrix *m)
{
	bool grown = true;

	while (grown) {
		grown = false;
		for (int i = 0; i < m->n_src; i++)
			for (int j = 0; j < m->n_tgt; j++)
				if ((*cell_of(m, i, j) & (FORWARD | BACKWARD)) &&
				    !(m->source[i] && m->target[j]) && has_neighbor(m, i, j)) {
					link_words(m, i, j);
					grown = true;
				}
	}
}

/* Adds the links of a direction of whose words one or both are without links. */
static void
add_final(struct matrix *m, int mark, bool both)
{
	for (int i = 0; i < m->n_src; i++)
		for (int j = 0; j < m->n_tgt; j++) {
			const bool free = both ? !m->source[i] && !m->target[j]
					       : !m->source[i] || !m->target[j];

			if ((*cell_of(m, i, j) & mark) && free)
				link_words(m, i, j);
		}
}

static void
symmetrize_combine(struct matrix *m, enum symmetrization method)
{
	if (method == SYMMETRIZE_UNION || method == SYMMETRIZE_FORWARD)
		link_marked(m, FORWARD);
	if (method == SYMMETRIZE_UNION || method == SYMMETRIZE_BACKWARD)
		link_marked(m, BACKWARD);
	if (method >= SYMMETRIZE_UNION)
		return;
	link_marked(m, FORWARD | BACKWARD);
	if (method == SYMMETRIZE_INTERSECTION)
		return;
	symmetrize_grow(m);
	if (method == SYMMETRIZE_GROW_DIAG)
		return;
	add_final(m, FORWARD, method == SYMMETRIZE_GROW_DIAG_FINAL_AND);
	add_final(m, BACKWARD, method == SYMMETRIZE_GROW_DIAG_FINAL_AND);
}

void
symmetrize(const struct both_directions *a, enum symmetrization method,
	   struct link_set *links)
{
	struct matrix m = { .n_src = a->n_src, .n_tgt = a->n_tgt };

	m.cell = xcalloc((size_t)a->n_src * (size_t)a->n_tgt + 1, sizeof(*m.cell));
	m.source = xcalloc((size_t)a->n_src + 1, sizeof(*m.source));
	m.target = xcalloc((size_t)a->n_tgt + 1, sizeof(*m.target));
	for (int j = 0; j < a->n_tgt; j++)
		if (a->source_of[j] >= 0)
			*cell_of(&m, a->source_of[j], j) |= FORWARD;
	for (int i = 0; i < a->n_src; i++)
		if (a->target_of[i] >= 0)
			*cell_of(&m, i, a->target_of[i]) |= BACKWARD;
	symmetrize_combine(&m, method);
	link_set_clear(links);
	for (int j = 0; j < a->n_tgt; j++)
		for (int i = 0; i < a->n_src; i++)
			if (*cell_of(&m, i, j) & LINKED)
				link_set_add(links, (struct link){ i, j, true });
	free(m.cell);
	free(m.source);
	free(m.target);
}
