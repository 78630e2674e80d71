/* part-gradients: see part-gradients.h. */
#include "parser/part-gradients.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tape/params.h"
#include "tensor/kernels.h"

struct part {
	struct arena step, scratch;
	struct pass pass;
	struct tape *tape;
	real *grad;		/* [params.total]; part 0 uses the parameters' own gradients */
	uint32_t *sentence;
	size_t room;
	int n;
	double loss;
};

struct part_gradients {
	const struct gold_bank *gold;
	struct network *network;
	struct runtime *run;
	struct part part[PARTS];
	const struct gold_noise *noise;
	real scale;
};

struct part_gradients *
part_gradients_new(const struct gold_bank *g, struct network *n, struct runtime *run)
{
	struct part_gradients *p = xcalloc(1, sizeof(*p));

	p->gold = g;
	p->network = n;
	p->run = run;
	for (int i = 0; i < PARTS; i++) {
		struct part *x = &p->part[i];

		arena_init(&x->step, ARENA_LARGE);
		arena_init(&x->scratch, ARENA_LARGE);
		x->pass = (struct pass){ .scratch = &x->scratch, .backend = &run->backend };
		x->pass.training = 1;
		x->tape = tape_new(&x->step, &x->pass);
		x->grad = i ? xcalloc(n->params.total, sizeof(real)) : n->params.grad;
	}
	return p;
}

void
part_gradients_free(struct part_gradients *p)
{
	if (!p)
		return;
	for (int i = 0; i < PARTS; i++) {
		tape_free(p->part[i].tape);
		arena_release(&p->part[i].step);
		arena_release(&p->part[i].scratch);
		free(p->part[i].sentence);
		if (i)
			free(p->part[i].grad);
	}
	free(p);
}

/* Deals sentences out in turn: those of a batch have about the same length. */
static int64_t
part_gradients_deal(struct part_gradients *p, const uint32_t *sentence, int n)
{
	int64_t words = 0;

	for (int i = 0; i < PARTS; i++) {
		struct part *x = &p->part[i];

		x->sentence = mem_grow(x->sentence, &x->room, (size_t)n, sizeof(*x->sentence));
		x->n = 0;
		for (int k = i; k < n; k += PARTS)
			x->sentence[x->n++] = sentence[k];
	}
	for (int i = 0; i < n; i++)
		words += p->gold->bank->sentence[sentence[i]].n;
	return words;
}

static void
run_part(void *arg, int i, int thread)
{
	struct part_gradients *p = arg;
	struct part *x = &p->part[i];
	struct node *loss = NULL;
	struct gold b;

	(void)thread;
	x->loss = 0;
	tape_gradients_to(x->tape, x->grad);
	if (x->n) {
		gold_make(p->gold, &b, x->sentence, x->n, p->noise, tape_arena(x->tape));
		loss = gold_loss(p->network, x->tape, &b);
	}
	if (loss) {
		x->loss = (double)*loss->x;
		tape_gradient(x->tape, loss, p->scale);
	}
	tape_zero_missing_gradients(x->tape, &p->network->params);
	tape_rewind(x->tape);
}

enum { PIECE = 1 << 16 };

static void
add_piece(void *arg, int piece, int thread)
{
	const struct part_gradients *p = arg;
	size_t at = (size_t)piece * PIECE, n = p->network->params.total - at;

	(void)thread;
	n = n < PIECE ? n : PIECE;
	for (int i = 1; i < PARTS; i++)
		k_add(n, p->part[0].grad + at, p->part[i].grad + at, p->part[0].grad + at);
}

double
part_gradients_sum(struct part_gradients *p, const uint32_t *sentence, int n,
		   const struct gold_noise *noise, uint32_t step, int64_t *words)
{
	struct pool *pool = p->run->backend.caps & BACKEND_THREAD_SAFE ? p->run->pool : NULL;
	double loss = 0;

	*words = part_gradients_deal(p, sentence, n);
	p->noise = noise;
	p->scale = (real)(1.0 / (double)*words);
	for (int i = 0; i < PARTS; i++) {
		p->part[i].pass.seed = noise->seed;
		p->part[i].pass.step = step;
	}
	pool_run(pool, PARTS, run_part, p);
	pool_run(p->run->pool, (int)((p->network->params.total + PIECE - 1) / PIECE), add_piece, p);
	for (int i = 0; i < PARTS; i++)
		loss += p->part[i].loss;
	return loss;
}
