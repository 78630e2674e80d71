/*
 * backend-openblas: matrix products with OpenBLAS, one thread per call.
 *
 * When OpenBLAS is loaded, it selects its kernels from a list of processors that ends with its
 * release.  On newer processors it falls back to code without AVX (on one machine 28 instead of 149
 * GFLOP/s per core).  OPENBLAS_CORETYPE selects other kernels, but must be set before the library
 * is loaded.  Therefore it is loaded at run time and not linked.
 */
#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tensor/backend/backend.h"

#ifdef REAL_DOUBLE
#define GEMM "cblas_dgemm"
typedef __typeof__(cblas_dgemm) gemm_function;
#else
#define GEMM "cblas_sgemm"
typedef __typeof__(cblas_sgemm) gemm_function;
#endif

#define LIBRARY "libopenblas.so.0"

struct openblas_state {
	void *library;
	gemm_function *gemm;
	char version[160];
};

/* OpenBLAS's name of the best kernels for this processor; NULL: let OpenBLAS choose. */
static const char *
core_type(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		return "SkylakeX";
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return "Haswell";
#endif
	return NULL;
}

static void
describe(struct openblas_state *s)
{
	char *(*config)(void), *(*core)(void);

	*(void **)&config = dlsym(s->library, "openblas_get_config");
	*(void **)&core = dlsym(s->library, "openblas_get_corename");
	snprintf(s->version, sizeof(s->version), "%s, %s kernels", config ? config() : "OpenBLAS",
		 core ? core() : "unknown");
}

static int
openblas_open(struct backend *b, const char *options, struct err *e)
{
	struct openblas_state *s;
	const char *core = core_type();

	if (options && *options)
		return err_set(e, EXIT_USAGE, "openblas: found option '%s', expected none",
			       options);
	if (core)
		setenv("OPENBLAS_CORETYPE", core, 0);	/* unless the user has set it */
	setenv("OPENBLAS_NUM_THREADS", "1", 1);		/* heed has its own threads, base/pool.h */
	setenv("OMP_NUM_THREADS", "1", 1);
	s = xcalloc(1, sizeof(*s));
	s->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (s->library)
		*(void **)&s->gemm = dlsym(s->library, GEMM);
	if (!s->gemm) {
		err_set(e, EXIT_SYSTEM, "cannot open %s: %s", LIBRARY, dlerror());
		err_hint(e, "Debian's package is libopenblas0");
		if (s->library)
			dlclose(s->library);
		free(s);
		return -1;
	}
	describe(s);
	b->state = s;
	return 0;
}

/* The library is not unloaded, because it keeps data of threads. */
static void
openblas_close(struct backend *b)
{
	free(b->state);
	b->state = NULL;
}

static const char *
openblas_version(const struct backend *b)
{
	const struct openblas_state *s = b->state;

	return s->version;
}

static void
openblas_gemm(const struct backend *b, const struct gemm *g)
{
	const struct openblas_state *s = b->state;

	s->gemm(CblasRowMajor, g->trans_a ? CblasTrans : CblasNoTrans,
		g->trans_b ? CblasTrans : CblasNoTrans, g->m, g->n, g->k, g->alpha, g->a, g->lda,
		g->b, g->ldb, g->beta, g->c, g->ldc);
}

const struct backend backend_openblas = {
	.name = "openblas",
	.caps = BACKEND_THREAD_SAFE,
	.open = openblas_open,
	.close = openblas_close,
	.version = openblas_version,
	.gemm = openblas_gemm,
};
