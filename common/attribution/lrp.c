/* lrp: see lrp.h. */
#include "attribution/lrp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "attribution/method.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/layer-params.h"
#include "search/next-token.h"
#include "tensor/backend/backend.h"
#include "tensor/relevance-kernels.h"

enum { MAX_PLANES = 64 };	/* seeds that are propagated together */

/* The memory of a thread that traces one sentence after another. */
struct lrp_stream {
	struct pass pass;
	struct arena tape_memory, scratch, results, work;
	struct tape *tape;
};

/* A sentence and the seeds that are being propagated. */
struct tracing {
	const struct lrp_tracer *t;
	struct tape *tape;
	struct node *h;			/* [positions, width] the input of the output layer */
	struct lrp_sentence *out;
	int first, planes;		/* the seeds: positions first ... first + planes - 1 */
	struct flow flow[MAX_PLANES];
};

const char *const lrp_rules[] = {
	[LRP_EPSILON] = "epsilon", [LRP_ALPHABETA] = "alpha-beta",
	[LRP_ALPHABETA_LOCAL] = "alpha-beta-local", [LRP_ATTNLRP] = "attnlrp",
	[RULE_ALTI] = "alti", [RULE_CHEFER] = "chefer", [RULE_VALUE_ZEROING] = "value-zeroing",
	[RULE_INTEGRATED_GRADIENTS] = "integrated-gradients", [RULE_ROLLOUT] = "rollout", NULL
};
const char *const lrp_norms[] = {
	[LRP_NORM_JACOBIAN] = "jacobian", [LRP_NORM_FROZEN_STD] = "frozen-std",
	[LRP_NORM_IDENTITY] = "identity", NULL
};
const char *const lrp_biases[] = {
	[LRP_BIAS_SPREAD] = "spread", [LRP_BIAS_DROP] = "drop", [LRP_BIAS_ABSORB] = "absorb", NULL
};

const struct lrp_method *
lrp_method_of(int rule)
{
	static const struct lrp_method *const method[] = {
		[RULE_ALTI] = &method_alti, [RULE_CHEFER] = &method_chefer,
		[RULE_VALUE_ZEROING] = &method_value_zeroing,
		[RULE_INTEGRATED_GRADIENTS] = &method_integrated, [RULE_ROLLOUT] = &method_rollout
	};

	return method[rule];
}

struct lrp
lrp_defaults(int rule)
{
	static const double eps[] = { [LRP_EPSILON] = 1e-9, [LRP_ALPHABETA] = 1e-5,
				      [LRP_ALPHABETA_LOCAL] = 0, [LRP_ATTNLRP] = 1e-6 };
	static const unsigned char norm[] = {
		[LRP_EPSILON] = LRP_NORM_FROZEN_STD, [LRP_ALPHABETA] = LRP_NORM_JACOBIAN,
		[LRP_ALPHABETA_LOCAL] = LRP_NORM_JACOBIAN, [LRP_ATTNLRP] = LRP_NORM_IDENTITY
	};

	if (lrp_method_of(rule))
		return (struct lrp){ .rule = (unsigned)rule };
	return (struct lrp){
		.rule = (unsigned)rule, .alpha = (real)0.5, .beta = (real)0.5,
		.eps = (real)eps[rule], .norm = norm[rule],
		.bias = rule == LRP_ATTNLRP ? LRP_BIAS_ABSORB : LRP_BIAS_SPREAD,
	};
}

double
lrp_tolerance(void)
{
	return sizeof(real) == sizeof(double) ? 1e-10 : 1e-4;
}

void
lrp_init(struct lrp_tracer *t, struct model *m, const struct pass *p, const struct lrp *lrp)
{
	const struct lrp_method *method = lrp_method_of((int)lrp->rule);
	/* Integrated gradients change the model, so that only one tape can compute them. */
	const bool shared = p->backend->caps & BACKEND_THREAD_SAFE &&
			    !(method && method->gradients);

	*t = (struct lrp_tracer){
		.model = m, .pass = p, .how = *lrp, .tolerance = lrp_tolerance(),
		.heads = heads_before(m->sites, m->n_sites), .foil = -1, .method = method,
		.steps = LRP_STEPS,
		.n_streams = shared ? pool_threads(p->pool) : 1,
	};
	t->gates = xcalloc(t->heads, sizeof(*t->gates));
	for (size_t i = 0; i < t->heads; i++)
		t->gates[i] = 1;
	model_gate(m, t->gates);
	if (method && method->gradients)
		model_gate_gradients(m);
	t->stream = xcalloc((size_t)t->n_streams, sizeof(*t->stream));
	for (int i = 0; i < t->n_streams; i++) {
		struct lrp_stream *s = &t->stream[i];

		arena_init(&s->tape_memory, ARENA_LARGE);
		arena_init(&s->scratch, ARENA_LARGE);
		arena_init(&s->results, 0);
		arena_init(&s->work, 0);
		s->pass = *p;
		s->pass.scratch = &s->scratch;
		s->pass.pool = shared ? NULL : p->pool;
		s->tape = tape_new(&s->tape_memory, &s->pass);
	}
}

void
lrp_release(struct lrp_tracer *t)
{
	for (int i = 0; i < t->n_streams; i++) {
		struct lrp_stream *s = &t->stream[i];

		tape_free(s->tape);
		arena_release(&s->tape_memory);
		arena_release(&s->scratch);
		arena_release(&s->results);
		arena_release(&s->work);
	}
	free(t->stream);
	model_gate(t->model, NULL);
	free(t->gates);
}

/* The index of the site whose head outputs are in node n, or n_sites. */
static size_t
lrp_site_of(const struct model *m, const struct node *n)
{
	size_t i = 0;

	for (; n->name && i < m->n_sites; i++) {
		const size_t len = strlen(m->sites[i].name);

		if (!strncmp(n->name, m->sites[i].name, len) && !strcmp(n->name + len, ".heads"))
			return i;
	}
	return m->n_sites;
}

static double
sum_of_head(const struct node *n, int plane, int head, int d)
{
	const real *x = n->rel + plane * rel_step(n) + (ptrdiff_t)head * d;
	double sum = 0;

	for (int r = 0; r < n->d[0]; r++)
		sum += k_sum((size_t)d, x + (ptrdiff_t)r * n->ld);
	return sum;
}

/* Called for each op: stores the relevance of the heads when it has reached those of a site. */
static void
store_heads(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	const struct tracing *k = arg;
	const struct model *m = k->t->model;
	const size_t i = phase == TAPE_RELEVANCE && !done ? lrp_site_of(m, n) : m->n_sites;

	if (i == m->n_sites)
		return;
	for (int p = 0; p < k->planes; p++) {
		double *to = k->out->head + (size_t)(k->first + p) * k->t->heads +
			     heads_before(m->sites, i);

		for (int h = 0; h < m->sites[i].heads; h++)
			to[h] = sum_of_head(n, p, h, m->sites[i].head_dim);
	}
}

/*
 * Stores the relevance of each row of an embedding in a plane.  Adds it to *sum, and its magnitude
 * to *size.
 */
static void
store_rows(const struct node *n, int plane, double *out, double *sum, double *size)
{
	const real *x = n->rel + plane * rel_step(n);

	for (int r = 0; n->rel && r < n->d[0]; r++) {
		out[r] = k_sum((size_t)n->d[1], x + (ptrdiff_t)r * n->ld);
		*sum += out[r];
		*size += fabs(out[r]);
	}
}

void
lrp_keep_largest(double *largest, double x)
{
	if (!(x <= *largest) && !isnan(*largest))
		*largest = x;
}

static void
store_tokens(const struct tracing *k)
{
	const struct node *src = tape_find(k->tape, "src.embed");
	const struct node *tgt = tape_find(k->tape, "tgt.embed");
	struct lrp_sentence *out = k->out;

	for (int p = 0; p < k->planes; p++) {
		const size_t t = (size_t)(k->first + p);
		const struct flow *flow = &k->flow[p];
		double sum = 0, size = 0, lost;

		store_rows(src, p, out->src + t * (size_t)out->source_tokens, &sum, &size);
		store_rows(tgt, p, out->tgt + t * (size_t)out->positions, &sum, &size);
		lost = fabs(sum + flow->absorbed - (out->none[t] ? 0 : 1));
		size = fmax(1, fmax(size, flow->max_magnitude));
		lrp_keep_largest(&out->absorbed, fabs(flow->absorbed));
		lrp_keep_largest(&out->lost, lost);
		lrp_keep_largest(&out->error, isfinite(size) ? lost / size : NAN);
	}
}

/* The contributions w_i x_i and a bias that keeps its share; relevance 1 is distributed. */
static void
share_absorbing(const struct share *s, int n, const real *w, const real *x, real bias, real *rel)
{
	const struct signs sum = k_signs(n, w, x, 0);
	const struct shares k = k_shares_bias(s, n, sum, bias);

	k_count_bias(s, &k, sum, bias, 1, &(real){ 1 }, 0);
	for (int i = 0; i < n; i++)
		rel[i] += w[i] * x[i] * k.positive + k.uniform;
}

/*
 * Propagates the seed, relevance 1 of one logit or difference of logits, to the input of the output
 * layer, by the same rule as in all other layers.
 */
static void
seed(const struct tracing *k, const struct share *of_planes, int plane, real *w, real *rel)
{
	const struct lrp *how = &k->t->how;
	const ptrdiff_t row = k->first + plane;
	const struct share s = k_share_from(of_planes, plane);
	const real *x = k->h->x + row * k->h->ld;
	const int d = k->h->d[1];
	real bias;

	if (k->out->none[row])
		return;
	bias = logit_weights(k->t->model, k->out->token[row], k->t->foil, w);
	rel += plane * rel_step(k->h) + row * k->h->ld;
	if (how->bias == LRP_BIAS_ABSORB)
		share_absorbing(&s, d, w, x, bias, rel);
	else
		k_share(&s, d, w, x, how->bias == LRP_BIAS_DROP ? 0 : bias, 1, rel);
	if (s.halves)
		k_axpby((size_t)d, (real)(1 / k_sum((size_t)d, rel)), rel, 0, rel);
}

static void
trace_seeds(struct tracing *k)
{
	real *rel = tape_relevance_seeds(k->tape, k->h, k->planes);
	real *w = ARENA_ARRAY(tape_arena(k->tape), real, k->h->d[1]);
	struct lrp how = k->t->how;
	struct share share;

	memset(k->flow, 0, sizeof(k->flow));
	how.flow = lrp_is_epsilon(&how) ? k->flow : NULL;
	share = lrp_share(&how);
	for (int p = 0; p < k->planes; p++)
		seed(k, &share, p, w, rel);
	tape_watch_with(k->tape, store_heads, k);
	tape_relevance(k->tape, k->h, &how);
	tape_watch_with(k->tape, NULL, NULL);
	store_tokens(k);
}

/* Finds the most probable token at each position. */
static int
find_tokens(const struct lrp_tracer *tracer, struct tape *t, struct node *h,
	    struct lrp_sentence *out, struct arena *mem, struct err *e)
{
	struct model *m = tracer->model;
	const int n = h->d[0];
	int *from = arena_zero(mem, (size_t)n * sizeof(*from)), *to = ARENA_ARRAY(mem, int, n);
	struct best *best = ARENA_ARRAY(mem, struct best, n);
	struct scored *list = ARENA_ARRAY(mem, struct scored, n);

	for (int i = 0; i < n; i++) {
		to[i] = m->tgt.n;
		best_init(&best[i], &list[i], 1);
	}
	model_next(m, t, h, &(struct next_tokens){ .from = from, .to = to, .best = best });
	for (int i = 0; i < n; i++) {
		if (!best[i].n)
			return err_set(e, EXIT_INPUT, "no token has a finite probability at target "
				       "position %d", i + 1);
		out->token[i] = list[i].id;
		out->none[i] = list[i].id == tracer->foil;
	}
	return 0;
}

static void
lrp_make_room(struct lrp_sentence *out, size_t heads, const struct batch *b, struct arena *mem)
{
	const size_t T = (size_t)b->tgt.layout.rows, S = (size_t)b->src.layout.rows;

	*out = (struct lrp_sentence){
		.positions = (int)T, .source_tokens = (int)S, .token = ARENA_ARRAY(mem, int, T),
		.none = arena_zero(mem, T * sizeof(bool)),
		.head = arena_zero(mem, T * heads * sizeof(double)),
		.src = arena_zero(mem, T * S * sizeof(double)),
		.tgt = arena_zero(mem, T * T * sizeof(double)),
	};
}

static int
check_sums(const struct lrp_tracer *t, const struct lrp_job *job, struct err *e)
{
	if (job->out.error <= t->tolerance)
		return 0;
	return err_set(e, EXIT_SYSTEM, "record %lld: relevance is not conserved: relative error "
		       "%.2g, expected at most %.2g", (long long)job->number + 1, job->out.error,
		       t->tolerance);
}

/* Propagates relevance from all positions. */
static void
trace_positions(const struct method_run *r, const struct lrp_tracer *t)
{
	struct tracing k = { .t = t, .tape = r->tape, .out = r->out, .h = r->h };

	for (int n = r->out->positions, done = 0, i = (n + MAX_PLANES - 1) / MAX_PLANES; i > 0;
	     i--) {
		k.first = done;
		k.planes = (n - done) / i;
		trace_seeds(&k);
		done += k.planes;
	}
}

/* The largest difference of the attributions of a position from 1. */
static void
find_error(struct lrp_sentence *out)
{
	for (int t = 0; t < out->positions; t++) {
		double sum = 0;

		for (int i = 0; i < out->source_tokens; i++)
			sum += out->src[(ptrdiff_t)t * out->source_tokens + i];
		for (int i = 0; i < out->positions; i++)
			sum += out->tgt[(ptrdiff_t)t * out->positions + i];
		lrp_keep_largest(&out->error, fabs(sum - 1));
	}
}

/* The forward pass, and the tokens where relevance starts. */
static int
read_sentence(struct method_run *r, const struct lrp_tracer *t, struct arena *results,
	      struct batch *b, struct err *e)
{
	struct model *m = t->model;

	if (method_copies(r, 1, b, e))
		return -1;
	lrp_make_room(r->out, t->heads, b, results);
	r->residual = ARENA_ARRAY(r->keep, struct node *, method_layer(m, true,
				  (int)m->config.dec_layers));
	tape_watch_with(r->tape, method_watch, r);
	r->memory = model_encode(m, r->tape, b);
	r->h = model_decode(m, r->tape, b, r->memory);
	tape_watch_with(r->tape, NULL, NULL);
	if (find_tokens(t, r->tape, r->h, r->out, tape_arena(r->tape), e))
		return err_wrap(e, "record %lld", (long long)r->number + 1);
	return 0;
}

static int
lrp_trace_one(const struct lrp_tracer *t, struct lrp_stream *s, struct lrp_job *job, struct err *e)
{
	const struct lrp_method *method = t->method;
	struct method_run r = { .m = t->model, .tape = s->tape, .keep = &s->work,
				.rec = job->rec, .number = job->number, .cut = t->cut,
				.foil = t->foil, .steps = t->steps, .out = &job->out };
	struct batch b;

	arena_rewind(&s->work);
	if (read_sentence(&r, t, &s->results, &b, e))
		return -1;
	if (!method)
		trace_positions(&r, t);
	else if (method->run(&r, e))
		return err_wrap(e, "record %lld", (long long)job->number + 1);
	if (method && method->sums)
		find_error(&job->out);
	return check_sums(t, job, e);
}

struct lrp_work { struct lrp_tracer *t; struct lrp_job *job; bool *bad; struct err *e; };

static void
lrp_work_on(void *arg, int piece, int thread)
{
	const struct lrp_work *w = arg;

	w->bad[piece] = lrp_trace_one(w->t, &w->t->stream[thread], &w->job[piece], &w->e[piece]);
}

int
lrp_trace(struct lrp_tracer *t, struct lrp_job *job, int n, struct err *e)
{
	struct lrp_work w = { .t = t, .job = job };
	int r = 0;

	for (int i = 0; i < t->n_streams; i++)
		arena_rewind(&t->stream[i].results);
	w.bad = xcalloc((size_t)n + 1, sizeof(*w.bad));
	w.e = xcalloc((size_t)n + 1, sizeof(*w.e));
	pool_run(t->n_streams > 1 ? t->pass->pool : NULL, n, lrp_work_on, &w);
	for (int i = 0; i < n && !r; i++)
		if (w.bad[i]) {
			*e = w.e[i];
			r = -1;
		}
	free(w.bad);
	free(w.e);
	return r;
}
