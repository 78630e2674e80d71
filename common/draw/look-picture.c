/* look-picture: the pictures of variants as panels; see look.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/look-parts.h"

/* The weights hook of a view: those of a panel, over subwords. */
static int
take_weights(const struct picture_view *v, enum site_where where, int64_t layer, int64_t head,
	     struct picture_matrix *matrix, struct err *e)
{
	struct look *l = v->arg;
	struct panel m;
	size_t i = 0;

	while (v->sites[i].where != where || v->sites[i].layer != layer)
		if (++i == v->n_sites)
			bug("a picture of layer %d, which the model lacks", (int)layer);
	if (look_pieces(l, i, (int)head, &m, e))
		return -1;
	*matrix = (struct picture_matrix){
		.rows = where == ENCODER_SELF ? AXIS_SOURCE : AXIS_TARGET,
		.columns = where == DECODER_SELF ? AXIS_TARGET : AXIS_SOURCE,
		.n_rows = m.rows->n, .n_columns = m.columns->n, .x = m.x
	};
	m.x = NULL;
	panel_release(&m);
	return 0;
}

static void
fill_labels(const struct look *l, const struct attention_picture *p, struct look_labels *labels)
{
	if (!labels->heads.n)
		look_heads(l->m, &labels->heads);
	for (int i = 0; p->names && p->names[i] && labels->names.n <= i; i++)
		axis_add(&labels->names, p->names[i], strlen(p->names[i]));
}

/* The tokens of an axis, or NULL. */
static const struct look_side *
look_picture_side_of(const struct look *l, enum picture_axis axis)
{
	return axis == AXIS_SOURCE ? &l->src : axis == AXIS_TARGET ? &l->tgt : NULL;
}

static const struct axis *
axis_of(const struct look *l, const struct look_labels *labels, enum picture_axis axis)
{
	const struct look_side *side = look_picture_side_of(l, axis);

	return side ? &side->pieces : axis == AXIS_HEADS ? &labels->heads : &labels->names;
}

/* The panel takes the values of the matrix. */
static void
make_panel(const struct look *l, const struct attention_picture *p,
	   const struct look_labels *labels, const struct picture_matrix *m, struct panel *panel)
{
	*panel = (struct panel){ .rows = axis_of(l, labels, m->rows),
			      .columns = axis_of(l, labels, m->columns), .x = m->x };
	if (m->n_rows != panel->rows->n || m->n_columns != panel->columns->n)
		bug("picture %s is %d x %d, expected %d x %d", p->name, m->n_rows, m->n_columns,
		    panel->rows->n, panel->columns->n);
	panel->title = m->title ? xstrdup(m->title) : NULL;
	if (p->words)
		look_merge(l, look_picture_side_of(l, m->rows), look_picture_side_of(l, m->columns),
			   panel);
}

int
look_picture(struct look *l, const struct attention_variant *v, const struct attention_picture *p,
	     size_t site, int head, struct look_labels *labels, struct panel *panel, struct err *e)
{
	const struct picture_view view = {
		.set = l->m->attention, .a = attention_set_find(l->m->attention, v->name, site),
		.sites = l->m->sites, .site = &l->m->sites[site], .n_sites = l->m->n_sites,
		.head = head, .batch = p->sentence ? &l->batch : NULL,
		.weights = take_weights, .arg = l
	};
	struct picture_matrix *m = xcalloc((size_t)p->n, sizeof(*m));
	const int bad = p->draw(&view, m, e);

	fill_labels(l, p, labels);
	for (int i = 0; i < p->n; i++)
		if (bad)
			free(m[i].x);
		else
			make_panel(l, p, labels, &m[i], &panel[i]);
	free(m);
	return bad;
}
