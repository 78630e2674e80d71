/*
 * onednn: see onednn.h.
 *
 * The library is loaded at run time like OpenBLAS, so that programs that do not need it do not load
 * it and its OpenMP.  OpenMP would start a team of threads for every calling thread; therefore its
 * number of threads is set to 1 in each before the first call.
 */
#include "tensor/backend/onednn.h"

#include <dlfcn.h>
#include <dnnl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#if DNNL_VERSION_MAJOR != 2
#error "expected oneDNN 2; make WITH_ONEDNN= builds without it"
#endif

#define LIBRARY "libdnnl.so.2"

#define FUNCTIONS(F) \
	F(dnnl_version) F(dnnl_get_effective_cpu_isa) \
	F(dnnl_engine_create) F(dnnl_engine_destroy) \
	F(dnnl_stream_create) F(dnnl_stream_destroy) \
	F(dnnl_memory_desc_init_by_tag) F(dnnl_memory_desc_get_size) \
	F(dnnl_matmul_desc_init) F(dnnl_primitive_attr_create) F(dnnl_primitive_attr_destroy) \
	F(dnnl_primitive_attr_set_scratchpad_mode) F(dnnl_primitive_attr_set_post_ops) \
	F(dnnl_post_ops_create) F(dnnl_post_ops_destroy) F(dnnl_post_ops_append_sum) \
	F(dnnl_primitive_desc_create) F(dnnl_primitive_desc_destroy) \
	F(dnnl_primitive_desc_query_md) \
	F(dnnl_primitive_create) F(dnnl_primitive_destroy) F(dnnl_primitive_execute) \
	F(dnnl_memory_create) F(dnnl_memory_destroy)

struct library {
	void *handle;
	void (*omp_set_num_threads)(int n);	/* NULL if oneDNN was built without OpenMP */
#define DECLARE(name) __typeof__(name) *name;
	FUNCTIONS(DECLARE)
#undef DECLARE
};

enum { KEPT = 1024, TABLE = 2 * KEPT };

struct onednn_product {
	int m, n, k;
	bool add, kept;
	dnnl_memory_desc_t a, b, c, scratch;
	dnnl_primitive_t primitive;
	size_t room;
};

struct onednn {
	struct library l;
	bool bf16;
	char version[64];
	dnnl_engine_t engine;
	pthread_mutex_t lock;		/* protects table and n */
	struct onednn_product *table[TABLE];	/* hash table with linear probing */
	size_t n;
};

/* A call that can fail only for lack of memory or through a bug. */
#define MUST(call) do { \
	dnnl_status_t status_ = (call); \
	if (status_ == dnnl_out_of_memory) \
		die_memory(0); \
	if (status_ != dnnl_success) \
		bug("oneDNN: %s gives %d", #call, (int)status_); \
} while (0)

static int
load(struct library *l, struct err *e)
{
	const char *missing = NULL;

	l->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!l->handle) {
		err_set(e, EXIT_SYSTEM, "cannot open %s: %s", LIBRARY, dlerror());
		err_hint(e, "Debian's package is libdnnl2");
		return -1;
	}
#define FIND(name) \
	*(void **)&l->name = dlsym(l->handle, #name); \
	if (!l->name) \
		missing = #name;
	FUNCTIONS(FIND)
#undef FIND
	*(void **)&l->omp_set_num_threads = dlsym(l->handle, "omp_set_num_threads");
	if (!missing)
		return 0;
	dlclose(l->handle);
	return err_set(e, EXIT_SYSTEM, "%s lacks the function %s", LIBRARY, missing);
}

static void
one_thread(const struct onednn *o)
{
	if (o->l.omp_set_num_threads)
		o->l.omp_set_num_threads(1);
}

static bool
has(const struct library *l, dnnl_cpu_isa_t isa)
{
	return (l->dnnl_get_effective_cpu_isa() & isa) == isa;
}

/* The library is never unloaded, because its threads may still run its code. */
struct onednn *
onednn_open(bool bf16, struct err *e)
{
	struct library l;
	struct onednn *o;
	const dnnl_version_t *v;

	if (load(&l, e))
		return NULL;
	if (!has(&l, bf16 ? dnnl_cpu_isa_avx512_core_bf16 : dnnl_cpu_isa_avx512_core)) {
		err_set(e, EXIT_SYSTEM,
			"onednn: this processor lacks %s, which oneDNN needs to be fast",
			bf16 ? "AVX512_BF16" : "AVX-512");
		err_hint(e, "use --backend native");
		return NULL;
	}
	o = xcalloc(1, sizeof(*o));
	o->l = l;
	o->bf16 = bf16;
	v = l.dnnl_version();
	snprintf(o->version, sizeof(o->version), "oneDNN %d.%d.%d, %s%s", v->major, v->minor,
		 v->patch, has(&l, dnnl_cpu_isa_avx512_core_amx) ? "AMX" : "AVX-512",
		 bf16 ? ", bf16" : "");
	pthread_mutex_init(&o->lock, NULL);
	one_thread(o);
	MUST(l.dnnl_engine_create(&o->engine, dnnl_cpu, 0));
	return o;
}

const char *
onednn_version(const struct onednn *o)
{
	return o->version;
}

int
onednn_depth(const struct onednn *o)
{
	return o->bf16 ? 32 : 16;
}

static dnnl_primitive_attr_t
attributes(const struct library *l, bool add)
{
	dnnl_primitive_attr_t a;
	dnnl_post_ops_t p;

	MUST(l->dnnl_primitive_attr_create(&a));
	MUST(l->dnnl_primitive_attr_set_scratchpad_mode(a, dnnl_scratchpad_mode_user));
	MUST(l->dnnl_post_ops_create(&p));
	if (add)
		MUST(l->dnnl_post_ops_append_sum(p, 1));
	MUST(l->dnnl_primitive_attr_set_post_ops(a, p));
	MUST(l->dnnl_post_ops_destroy(p));
	return a;
}

static struct onednn_product *
make(const struct onednn *o, const struct onednn_product *key)
{
	const struct library *l = &o->l;
	const dnnl_dims_t a = { key->m, key->k }, b = { key->k, key->n }, c = { key->m, key->n };
	const dnnl_data_type_t type = o->bf16 ? dnnl_bf16 : dnnl_f32;
	struct onednn_product *p = xcalloc(1, sizeof(*p));
	dnnl_primitive_attr_t attr = attributes(l, key->add);
	dnnl_matmul_desc_t d;
	dnnl_primitive_desc_t pd;

	*p = *key;
	one_thread(o);
	MUST(l->dnnl_memory_desc_init_by_tag(&p->a, 2, a, type, dnnl_ab));
	MUST(l->dnnl_memory_desc_init_by_tag(&p->b, 2, b, type,
					     o->bf16 ? dnnl_BA16a64b2a : dnnl_BA16a64b));
	MUST(l->dnnl_memory_desc_init_by_tag(&p->c, 2, c, dnnl_f32, dnnl_ab));
	MUST(l->dnnl_matmul_desc_init(&d, &p->a, &p->b, NULL, &p->c));
	MUST(l->dnnl_primitive_desc_create(&pd, &d, attr, o->engine, NULL));
	p->scratch = *l->dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
	p->room = l->dnnl_memory_desc_get_size(&p->scratch);
	MUST(l->dnnl_primitive_create(&p->primitive, pd));
	MUST(l->dnnl_primitive_desc_destroy(pd));
	MUST(l->dnnl_primitive_attr_destroy(attr));
	return p;
}

static void
product_free(const struct onednn *o, struct onednn_product *p)
{
	if (!p)
		return;
	MUST(o->l.dnnl_primitive_destroy(p->primitive));
	free(p);
}

static size_t
hash(const struct onednn_product *k)
{
	uint64_t h = (uint64_t)k->m * 0x9e3779b97f4a7c15u;

	h = (h ^ (uint64_t)k->n) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)k->k << 1 ^ k->add) * 0x9e3779b97f4a7c15u;
	return (size_t)(h >> 32) % TABLE;
}

static bool
same(const struct onednn_product *a, const struct onednn_product *b)
{
	return a->m == b->m && a->n == b->n && a->k == b->k && a->add == b->add;
}

const struct onednn_product *
onednn_product(struct onednn *o, int m, int n, int k, bool add)
{
	const struct onednn_product key = { .m = m, .n = n, .k = k, .add = add };
	struct onednn_product *p;
	size_t at = hash(&key);

	pthread_mutex_lock(&o->lock);
	while (o->table[at] && !same(o->table[at], &key))
		at = (at + 1) % TABLE;
	p = o->table[at];
	if (!p) {
		p = make(o, &key);
		p->kept = o->n < KEPT;
		if (p->kept) {
			o->table[at] = p;
			o->n++;
		}
	}
	pthread_mutex_unlock(&o->lock);
	return p;
}

void
onednn_product_done(struct onednn *o, const struct onednn_product *p)
{
	if (!p->kept)
		product_free(o, (struct onednn_product *)p);
}

size_t
onednn_product_room(const struct onednn_product *p)
{
	return p->room;
}

void
onednn_close(struct onednn *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < TABLE; i++)
		product_free(o, o->table[i]);
	MUST(o->l.dnnl_engine_destroy(o->engine));
	pthread_mutex_destroy(&o->lock);
	free(o);
}

static dnnl_memory_t
memory(const struct onednn *o, const dnnl_memory_desc_t *d, const void *at)
{
	dnnl_memory_t m;

	MUST(o->l.dnnl_memory_create(&m, d, o->engine, (void *)(uintptr_t)at));
	return m;
}

void
onednn_run(const struct onednn *o, const struct onednn_product *p, const void *a, const void *b,
	   float *c, void *room)
{
	const dnnl_exec_arg_t arg[] = {
		{ DNNL_ARG_SRC, memory(o, &p->a, a) },
		{ DNNL_ARG_WEIGHTS, memory(o, &p->b, b) },
		{ DNNL_ARG_DST, memory(o, &p->c, c) },
		{ DNNL_ARG_SCRATCHPAD, memory(o, &p->scratch, room) },
	};
	dnnl_stream_t stream;

	one_thread(o);
	MUST(o->l.dnnl_stream_create(&stream, o->engine, dnnl_stream_default_flags));
	MUST(o->l.dnnl_primitive_execute(p->primitive, stream, 4, arg));
	MUST(o->l.dnnl_stream_destroy(stream));
	for (int i = 0; i < 4; i++)
		MUST(o->l.dnnl_memory_destroy(arg[i].memory));
}

bool
onednn_matrix_units(const struct onednn *o)
{
	return has(&o->l, dnnl_cpu_isa_avx512_core_amx);
}
