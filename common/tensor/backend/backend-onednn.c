/*
 * backend-onednn: matrix products with oneDNN, in fp32 or bf16; each part on one of heed's threads.
 * In bf16, heed's own products (bf16-products.h) replace those of oneDNN on processors where they
 * are faster.
 *
 * Parts have few sizes, because oneDNN compiles a kernel for each (onednn.h): full parts, and last
 * parts padded to a size from a short list.  A product is split by its shape only.  Rows of a are
 * rounded and transposed by the thread that needs them, in its cache; b is packed once for all.
 */
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/backend/bf16-products.h"
#include "tensor/backend/onednn.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"
#include "tensor/processor.h"

enum {
	ROWS      = 256,	/* per part, from MANY_ROWS on */
	ROWS_FEW  = 64,		/* per part, otherwise */
	MANY_ROWS = 3072,
	FEW_ROWS  = 256,	/* below this, columns are split too */
	COLUMNS   = 256,
	DEPTH     = BF16_PART,	/* of a weight gradient; no power of 2, for the caches */
	DEPTH_END = BF16_PAD	/* its last part is padded to a multiple of this */
};

/* heed's own products, for the units that are faster with them. */
static const struct own {
	enum bf16_unit unit;
	const char *version;
	void (*gemm_shared)(const struct backend *b, const struct gemm *g, struct pool *pool,
			    struct arena *scratch, product_finish *finish, void *arg);
	const struct prepared *(*prepare)(const struct backend *b, const struct gemm *g,
					  struct pool *pool, struct arena *mem);
} own[] = {
	{ BF16_AVX512, "heed's products with the bits of oneDNN 2.6", avx512_shared,
	  avx512_prepare },
	{ BF16_AMX, "heed's products with AMX", amx_shared, amx_prepare },
};

enum { N_OWN = sizeof(own) / sizeof(own[0]) };

/*
 * Decided by the type of the processor, never by a clock.  Kernels for AMX need a permission, which
 * oneDNN has requested; those for AVX512_BF16 are for processors without AMX.
 */
static void
set_own(struct backend *b)
{
	const bool permitted = onednn_matrix_units(b->state);
	struct processor p;
	enum bf16_unit unit;

	processor_read(&p);
	unit = processor_bf16(&p);
	for (int i = 0; i < N_OWN; i++) {
		if (own[i].unit != unit || (unit == BF16_AMX) != permitted)
			continue;
		b->gemm_shared = own[i].gemm_shared;
		b->prepare = own[i].prepare;
		b->adds_whole = BF16_PART;
		b->caps |= BACKEND_TRANSPOSES_BF16;
	}
}

static void
set_bf16(struct backend *b, bool library)
{
	b->caps |= BACKEND_ROUNDS | BACKEND_READS_BF16;
	if (onednn_matrix_units(b->state))
		b->caps |= BACKEND_MATRIX_UNITS;
	if (!library)
		set_own(b);
}

/* The option "library": all products by oneDNN. */
static int
onednn_backend_open(struct backend *b, const char *options, struct err *e)
{
	const bool library = !strcmp(options, "library");

	if (*options && !library)
		return err_set(e, EXIT_USAGE, "onednn: found option '%s', expected library",
			       options);
	b->state = onednn_open(b->caps & BACKEND_BF16, e);
	if (!b->state)
		return -1;
	if (b->caps & BACKEND_BF16)
		set_bf16(b, library);
	return 0;
}

static void
onednn_backend_close(struct backend *b)
{
	onednn_close(b->state);
	b->state = NULL;
}

static const char *
onednn_backend_version(const struct backend *b)
{
	for (int i = 0; i < N_OWN; i++)
		if (b->gemm_shared == own[i].gemm_shared)
			return own[i].version;
	return onednn_version(b->state);
}

struct prepared { const char *panels; };

/* A product, or the current part of its depth. */
struct onednn_job {
	const struct gemm *g;
	struct onednn *o;
	bool bf16;
	size_t size;			/* of an element of a and b */
	int rows, columns;		/* of a part, except for the last */
	int from, depth;		/* the current part of k */
	int k;				/* depth padded with zeros */
	char *packed;			/* where b is packed */
	const char *panels;		/* of b: [panel][k rounded up][ONEDNN_PANEL] */
	char *room;			/* per thread: a, c and oneDNN's scratch memory */
	size_t share;			/* bytes of room per thread */
	size_t room_c, room_product;	/* offsets of c and of the scratch memory */
	const struct onednn_product *product[2][2];	/* [last rows][last columns] */
	product_finish *finish;
	void *arg;
};

/* The number of rows after padding: 4, 8, 16 or a multiple of 32. */
static int
row_size(int rows)
{
	int n = 4;

	if (rows > 16)
		return round_up(rows, 32);
	while (n < rows)
		n *= 2;
	return n;
}

static size_t
panel_bytes(const struct onednn_job *j)
{
	return (size_t)round_up(j->k, onednn_depth(j->o)) * ONEDNN_PANEL * j->size;
}

static void
pack_panel(void *arg, int piece, int thread)
{
	const struct onednn_job *j = arg;
	const struct gemm *g = j->g;
	int left = piece * ONEDNN_PANEL, width = int_min(ONEDNN_PANEL, g->n - left);
	ptrdiff_t row = g->trans_b ? 1 : g->ldb, column = g->trans_b ? g->ldb : 1;
	const ptrdiff_t at = j->from * row + left * column;
	char *to = j->packed + (size_t)piece * panel_bytes(j);
	size_t done = (size_t)(j->bf16 ? round_up(j->depth, 2) : j->depth) * ONEDNN_PANEL * j->size;

	(void)thread;
	memset(to + done, 0, panel_bytes(j) - done);
	if (g->b16) {
		k_pairs_of_bf16(j->depth, width, g->b16 + at, row, (uint32_t *)(void *)to,
				ONEDNN_PANEL);
		return;
	}
	if (j->bf16) {
		k_pairs_bf16(j->depth, width, g->b + at, row, column, (bf16 *)(void *)to,
			     ONEDNN_PANEL);
		return;
	}
	if (g->trans_b) {
		k_transpose(width, j->depth, g->b + at, g->ldb, (real *)(void *)to, ONEDNN_PANEL,
			    ONEDNN_PANEL);
		return;
	}
	for (int d = 0; d < j->depth; d++, to += ONEDNN_PANEL * j->size) {
		memcpy(to, g->b + at + d * row, (size_t)width * j->size);
		memset(to + (size_t)width * j->size, 0, (size_t)(ONEDNN_PANEL - width) * j->size);
	}
}

static void
pack(struct onednn_job *j, struct pool *pool)
{
	j->panels = j->packed;
	pool_run(pool, div_up(j->g->n, ONEDNN_PANEL), pack_panel, j);
}

/* Copies rows of op(a) without gaps, in the type of the product. */
static void
copy_rows(const struct onednn_job *j, int from, int rows, char *to)
{
	const struct gemm *g = j->g;
	const ptrdiff_t at = g->trans_a ? (ptrdiff_t)j->from * g->lda + from
					: (ptrdiff_t)from * g->lda + j->from;
	const real *a;

	if (g->a16) {
		for (int r = 0; r < rows; r++, to += (size_t)j->k * j->size)
			memcpy(to, g->a16 + at + (ptrdiff_t)r * g->lda,
			       (size_t)j->depth * j->size);
		return;
	}
	a = g->a + at;
	if (g->trans_a && j->bf16) {
		if (j->k != j->depth)
			memset(to, 0, (size_t)rows * (size_t)j->k * j->size);
		k_transpose_bf16(j->depth, rows, a, g->lda, (bf16 *)(void *)to, j->k);
		return;
	}
	if (g->trans_a) {
		k_transpose(j->depth, rows, a, g->lda, (real *)(void *)to, j->k, j->k);
		return;
	}
	for (int r = 0; r < rows; r++, a += g->lda, to += (size_t)j->k * j->size) {
		if (j->bf16)
			k_to_bf16((size_t)j->depth, a, (bf16 *)(void *)to);
		else
			memcpy(to, a, (size_t)j->depth * j->size);
	}
}

/* Can rows of a be read without a copy? */
static bool
a_in_place(const struct onednn_job *j)
{
	return !j->bf16 && !j->g->trans_a && j->g->lda == j->k;
}

static real
current_beta(const struct onednn_job *j)
{
	return j->from ? 1 : j->g->beta;
}

/* Can unpadded parts of c be written without a copy? */
static bool
c_in_place(const struct onednn_job *j)
{
	const struct gemm *g = j->g;

	return g->ldc == g->n && j->columns == g->n && g->alpha == 1 &&
	       (current_beta(j) == 0 || current_beta(j) == 1);
}

/* c = alpha sums + beta c */
static void
store(const struct onednn_job *j, int from, int rows, int left, int width, const float *sums)
{
	for (int r = from; r < from + rows; r++, sums += width)
		k_axpby((size_t)width, j->g->alpha, sums, current_beta(j),
			j->g->c + (ptrdiff_t)r * j->g->ldc + left);
}

static void
multiply(const struct onednn_job *j, int from, int rows, int left, int width, char *room)
{
	const struct gemm *g = j->g;
	bool last = rows < j->rows, whole = rows == (last ? row_size(rows) : j->rows);
	bool direct = whole && c_in_place(j);
	const void *a = room;
	float *c = direct ? g->c + (ptrdiff_t)from * g->ldc : (float *)(void *)(room + j->room_c);

	if (whole && a_in_place(j)) {
		a = g->a + (ptrdiff_t)from * g->lda;
	} else {
		copy_rows(j, from, rows, room);
		if (!whole)
			memset(room + (size_t)rows * (size_t)j->k * j->size, 0,
			       (size_t)(row_size(rows) - rows) * (size_t)j->k * j->size);
	}
	onednn_run(j->o, j->product[last][width < j->columns], a,
		   j->panels + (size_t)(left / ONEDNN_PANEL) * panel_bytes(j), c,
		   room + j->room_product);
	if (!direct)
		store(j, from, rows, left, width, c);
}

static void
one_part(void *arg, int piece, int thread)
{
	const struct onednn_job *j = arg;
	const struct gemm *g = j->g;
	int across = div_up(g->n, j->columns);
	int from = piece / across * j->rows, left = piece % across * j->columns;
	int rows = int_min(j->rows, g->m - from);

	multiply(j, from, rows, left, int_min(j->columns, g->n - left),
		 j->room + (size_t)thread * j->share);
	if (j->finish && across == 1 && j->from + j->depth == g->k)
		j->finish(j->arg, from, from + rows);
}

/* Gets the compiled products for the sizes of parts, and allocates the memory of the threads. */
static void
choose_products(struct onednn_job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	int m[2] = { j->rows, row_size(g->m % j->rows) }, n[2] = { j->columns, g->n % j->columns };
	bool need_m[2] = { g->m >= j->rows, g->m % j->rows }, need_n[2] = { true, n[1] };
	int rows = need_m[0] ? m[0] : m[1];
	size_t max = 0;

	for (int r = 0; r < 2; r++) {
		for (int c = 0; c < 2; c++) {
			bool direct = c_in_place(j) && (!r || m[1] == g->m % j->rows);
			size_t room;

			j->product[r][c] = NULL;
			if (!need_m[r] || !need_n[c])
				continue;
			j->product[r][c] = onednn_product(j->o, m[r], n[c], j->k,
							  direct && current_beta(j) == 1);
			room = onednn_product_room(j->product[r][c]);
			max = room > max ? room : max;
		}
	}
	j->room_c = ((size_t)rows * (size_t)j->k * j->size + 63) / 64 * 64;
	j->room_product = j->room_c +
			  ((size_t)rows * (size_t)j->columns * sizeof(float) + 63) / 64 * 64;
	j->share = j->room_product + (max + 4095) / 4096 * 4096;
	j->room = arena_get(scratch, j->share * (size_t)pool_threads(pool));
}

static void
run_parts(struct onednn_job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	struct arena_mark mark = arena_mark(scratch);

	choose_products(j, pool, scratch);
	pool_run(pool, div_up(g->m, j->rows) * div_up(g->n, j->columns), one_part, j);
	for (int i = 0; i < 4; i++)
		if (j->product[i / 2][i % 2])
			onednn_product_done(j->o, j->product[i / 2][i % 2]);
	arena_rewind_to(scratch, mark);
}

static struct onednn_job
job_of(const struct backend *b, const struct gemm *g)
{
	bool reduced = b->caps & BACKEND_BF16;

	return (struct onednn_job){
		.g = g, .o = b->state, .bf16 = reduced,
		.size = reduced ? sizeof(bf16) : sizeof(float),
		.rows = g->m >= MANY_ROWS ? ROWS : ROWS_FEW,
		.columns = g->m < FEW_ROWS && !g->trans_a && g->n > COLUMNS ? COLUMNS : g->n,
		.depth = g->k, .k = g->k,
	};
}

/* Allocates the panels of b for the current part of k. */
static void
allocate_panels(struct onednn_job *j, struct arena *mem)
{
	const int panels = div_up(j->g->n, ONEDNN_PANEL);

	j->packed = arena_get(mem, (size_t)panels * panel_bytes(j));
}

/* Computes a weight gradient, one part of the depth after another. */
static void
by_depth(struct onednn_job *j, struct pool *pool, struct arena *scratch)
{
	int k = j->g->k;

	j->k = k < DEPTH ? round_up(k, DEPTH_END) : DEPTH;
	allocate_panels(j, scratch);
	for (j->from = 0; j->from < k; j->from += DEPTH) {
		j->depth = int_min(DEPTH, k - j->from);
		j->k = j->depth < DEPTH ? round_up(j->depth, DEPTH_END) : DEPTH;
		pack(j, pool);
		run_parts(j, pool, scratch);
	}
}

static void
onednn_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
	      struct arena *scratch, product_finish *finish, void *arg)
{
	struct onednn_job j = job_of(b, g);

	j.finish = finish;
	j.arg = arg;
	if (g->trans_a) {
		by_depth(&j, pool, scratch);
	} else {
		if (g->prepared) {
			j.panels = g->prepared->panels;
		} else {
			allocate_panels(&j, scratch);
			pack(&j, pool);
		}
		run_parts(&j, pool, scratch);
	}
	if (finish && j.columns < g->n)
		product_finish_all(pool, g->m, finish, arg);
}

static const struct prepared *
onednn_prepare(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	struct onednn_job j = job_of(b, g);
	struct prepared *p = arena_get(mem, sizeof(*p));

	allocate_panels(&j, mem);
	pack(&j, pool);
	p->panels = j.packed;
	return p;
}

const struct backend backend_onednn = {
	.name = "onednn",
	.caps = BACKEND_THREAD_SAFE,
	.open = onednn_backend_open,
	.close = onednn_backend_close,
	.version = onednn_backend_version,
	.gemm = product_alone,
	.gemm_shared = onednn_shared,
	.prepare = onednn_prepare,
};
