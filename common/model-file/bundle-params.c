/* bundle-params: reading the parameters of a bundle; see bundle.h and heed-model(5). */
#include <math.h>
#include <string.h>

#include "model-file/bundle-parts.h"
#include "model-file/member.h"
#include "tensor/kernels.h"

static bool
has_type(const struct bundle_in *b, const struct member *m)
{
	return !strcmp(m->type, "f32") || (b->kind->i8 && !strcmp(m->type, "i8"));
}

/* Checks that the row of the table describes the parameter. */
static int
check_param(const struct bundle_in *b, const struct member *m, const struct param *p, struct err *e)
{
	struct buf shape = { 0 };
	int r = 0;

	member_shape(p, &shape);
	if (strncmp(m->name, MEMBER_PARAM "/", strlen(MEMBER_PARAM "/")) ||
	    strcmp(m->name + strlen(MEMBER_PARAM "/"), p->name))
		r = err_set(e, EXIT_INPUT, "found %s in the table, expected " MEMBER_PARAM "/%s",
			    m->name, p->name);
	else if (!has_type(b, m) || strcmp(m->shape, shape.data) ||
		 m->size != member_param_size(p, m->type))
		r = err_set(e, EXIT_INPUT, "%s is %s %s of %zu bytes, expected %s %s", m->name,
			    m->type, m->shape, m->size, b->kind->i8 ? "f32 or i8" : "f32",
			    shape.data);
	buf_release(&shape);
	return r;
}

/* Checks that the rows of the table are these parameters, before memory is allocated. */
static int
check_params(const struct bundle_in *b, const struct params *p, struct err *e)
{
	if (p->n > b->n - b->at)
		return err_set(e, EXIT_INPUT, "%zu parameters are missing", p->n - (b->n - b->at));
	for (size_t i = 0; i < p->n; i++)
		if (check_param(b, &b->member[b->at + i], p->list[i], e))
			return -1;
	for (size_t i = b->at + p->n; i < b->n; i++)
		if (!strncmp(b->member[i].name, MEMBER_PARAM "/", strlen(MEMBER_PARAM "/")))
			return err_set(e, EXIT_INPUT, "found %s in the table, expected no further "
				       "parameter", b->member[i].name);
	return 0;
}

static int
take_f32(struct bundle_in *b, real *x, size_t n, struct err *e)
{
	unsigned char piece[BUNDLE_PIECE];

	for (size_t k; n; x += k, n -= k) {
		k = n < BUNDLE_PIECE / F32_SIZE ? n : BUNDLE_PIECE / F32_SIZE;
		if (bundle_in_take(b, piece, F32_SIZE * k, e))
			return -1;
		f32_get(piece, k, x);
	}
	return 0;
}

/* The elements of a scale that is not finite are not finite, which is found later. */
static bool
is_bad(real scale)
{
	return scale < (real)I8_SCALE_MIN || (scale >= (real)I8_SCALE_END && !isinf(scale));
}

static int
take_scale(struct bundle_in *b, size_t row, real *scale, struct err *e)
{
	if (take_f32(b, scale, 1, e))
		return -1;
	if (!b->bad_row && is_bad(*scale)) {
		b->bad_row = row;
		b->bad_scale = *scale;
	}
	return 0;
}

static int
take_row_i8(struct bundle_in *b, size_t row, real *x, size_t n, struct err *e)
{
	unsigned char piece[BUNDLE_PIECE];
	real scale;

	if (take_scale(b, row, &scale, e))
		return -1;
	for (size_t k; n; x += k, n -= k) {
		k = n < BUNDLE_PIECE ? n : BUNDLE_PIECE;
		if (bundle_in_take(b, piece, k, e))
			return -1;
		i8_get(piece, k, scale, x);
	}
	return 0;
}

static int
take_narrow(struct bundle_in *b, const struct param *p, struct err *e)
{
	const size_t columns = (size_t)p->d[1];

	for (size_t r = 0; r < (size_t)p->d[0]; r++)
		if (take_scale(b, r + 1, &p->unit[r], e) ||
		    bundle_in_take(b, (unsigned char *)p->q + r * columns, columns, e))
			return -1;
	return 0;
}

static int
take_i8(struct bundle_in *b, const struct param *p, struct err *e)
{
	const size_t columns = member_columns(p);

	for (size_t i = 0; i < p->n; i += columns)
		if (take_row_i8(b, i / columns + 1, p->x + i, columns, e))
			return -1;
	return 0;
}

static int
take_param(struct bundle_in *b, const struct param *p, struct err *e)
{
	b->bad_row = 0;
	return !p->i8 ? take_f32(b, p->x, p->n, e) :
		p->q ? take_narrow(b, p, e) : take_i8(b, p, e);
}

/* If a unit is not finite, so are elements, which the error names. */
static int
finite_param(struct param *p, struct err *e)
{
	if (p->q && k_finite((size_t)p->d[0], p->unit))
		return 0;
	param_widen(p);
	return member_finite(MEMBER_PARAM, p, p->x, EXIT_INPUT, e);
}

static int
read_param(struct bundle_in *b, struct param *p, struct err *e)
{
	const struct member *m = bundle_in_begin(b, e);

	if (!m || take_param(b, p, e) || bundle_in_check_sum(b, m, e))
		return -1;
	if (p->i8 && b->bad_row)
		return err_set(e, EXIT_INPUT, "%s: the scale of row %zu is %g, expected at least "
			       "2^-126 and less than 2^122", m->name, b->bad_row,
			       (double)b->bad_scale);
	if (finite_param(p, e))
		return bundle_in_fault(b, BUNDLE_CONTENT, e);
	return 0;
}

int
bundle_in_params(struct bundle_in *b, struct params *p, bool gradients, struct err *e)
{
	if (check_params(b, p, e))
		return -1;
	for (size_t i = 0; i < p->n; i++) {
		p->list[i]->i8 = !strcmp(b->member[b->at + i].type, "i8");
		p->list[i]->narrow &= p->list[i]->i8;
	}
	params_allocate(p, gradients);
	for (size_t i = 0; i < p->n; i++)
		if (read_param(b, p->list[i], e))
			return -1;
	return 0;
}
