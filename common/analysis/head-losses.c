/* head-losses: gradients and ablation of heads; see head-losses.h. */
#include "analysis/head-losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-saliency.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "ops/ops.h"

int
head_losses_choose(struct head_losses *l, const char *list, struct err *e)
{
	const struct { const char *name; bool *on; } measure[] = {
		{ "ablation", &l->ablation }, { "ablation-bleu", &l->ablation_bleu },
		{ "fisher", &l->fisher }, { "gating", &l->gating },
		{ "greedy", &l->greedy }, { "gradient", &l->gradient },
		{ "logit", &l->logit },
		{ "norm", &l->norm }, { "saliency", &l->saliency },
		{ "shapley", &l->shapley },
	};
	const size_t known = sizeof(measure) / sizeof(*measure);

	for (const char *s = list; *s;) {
		const size_t n = strcspn(s, ",");
		size_t i = 0;

		while (i < known && (strlen(measure[i].name) != n || memcmp(s, measure[i].name, n)))
			i++;
		if (i == known) {
			err_usage(e, "'%.*s' is not a measure, expected ablation, ablation-bleu, "
				  "fisher, gating, gradient, greedy, logit, norm, saliency or "
				  "shapley",
				  (int)n, s);
			err_hint(e, "confidence and the other measures of attention weights are "
				 "always in the output");
			return -1;
		}
		*measure[i].on = true;
		s += n + (s[n] == ',');
	}
	return 0;
}

bool
head_losses_backward(const struct head_losses *l)
{
	return l->gradient || l->fisher || l->saliency;
}

bool
head_losses_needed(const struct head_losses *l)
{
	return head_losses_backward(l) || l->norm || l->ablation || l->ablation_bleu ||
	       l->shapley;
}

/* The number of elements of the blocks of the sites before this one. */
static size_t
block_before(const struct model *m, size_t site)
{
	size_t n = 0;

	for (size_t i = 0; i < site; i++)
		n += (size_t)m->sites[i].heads * (size_t)m->sites[i].heads;
	return n;
}

const double *
head_losses_block(const struct head_losses *l, size_t site)
{
	return l->blocks + block_before(l->m, site);
}

void
head_losses_begin(struct head_losses *l, struct model *m)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	l->m = m;
	l->gradients = xcalloc(heads, sizeof(*l->gradients));
	l->squares = xcalloc(heads, sizeof(*l->squares));
	l->salient = xcalloc(heads, sizeof(*l->salient));
	l->error = xcalloc(heads + 1, sizeof(*l->error));
	l->blocks = xcalloc(block_before(m, m->n_sites) + 1, sizeof(*l->blocks));
	l->nll = xcalloc(heads, sizeof(*l->nll));
	l->bleu = xcalloc(heads + 1, sizeof(*l->bleu));
	if (head_losses_needed(l))
		gated_loss_begin(&l->gated, m);
	if (head_losses_backward(l))
		model_gate_gradients(m);
	if (l->norm)
		head_norms_begin(&l->norms, m);
	l->norms.errors = l->errors;
	if (l->logit)
		head_logits_begin(&l->logits, m);
	l->logits.errors = l->errors;
	head_shapley_begin(&l->values, heads, l->shapley ? l->permutations : 0, l->seed);
	m->recipe.label_smoothing = 0;
}

void
head_losses_release(struct head_losses *l)
{
	gated_loss_release(&l->gated);
	head_norms_release(&l->norms);
	head_logits_release(&l->logits);
	head_shapley_release(&l->values);
	free(l->gradients);
	free(l->squares);
	free(l->salient);
	free(l->error);
	free(l->sentence);
	free(l->blocks);
	free(l->nll);
	free(l->bleu);
	gated_bleu_release(&l->texts);
}

/* --- gradients --- */

static struct node *
gated_of(const struct head_losses *l, struct tape *t, size_t site)
{
	return tape_find(t, l->m->gate_name[site]);
}

/* n: the number of target tokens of the sentence. */
static void
add_saliency(struct head_losses *l, struct tape *t, size_t site, int sentence, int n)
{
	const struct site *s = &l->m->sites[site];
	const size_t first = heads_before(l->m->sites, site);
	double *x = xcalloc((size_t)s->heads + 1, sizeof(*x));
	const bool known = s->heads && head_saliency(l->m, t, site, gated_of(l, t, site), sentence,
						      x);

	for (int h = 0; h < s->heads; h++) {
		const double y = known ? x[h] : NAN;

		l->salient[first + (size_t)h] += y;
		if (l->errors)
			ratio_error_add(&l->error[first + (size_t)h].saliency, y, n);
	}
	free(x);
}

/* Adds the products of the derivatives x of a site's gates in a sentence. */
static void
head_losses_add_block(struct head_losses *l, size_t site, const double *x)
{
	const int heads = l->m->sites[site].heads;
	double *to = l->blocks + block_before(l->m, site);

	for (int h = 0; h < heads; h++)
		for (int k = 0; k < heads; k++)
			*to++ += x[h] * x[k];
}

/* Adds the derivative x of the loss of a sentence with n target tokens; head: of all sites. */
static void
add_head_gradient(struct head_losses *l, size_t head, double x, int n)
{
	l->gradients[head] += fabs(x);
	l->squares[head] += x * x;
	if (!l->errors)
		return;
	ratio_error_add(&l->error[head].gradient, fabs(x), n);
	ratio_error_add(&l->error[head].fisher, x * x, 1);
}

static void
head_losses_add_sentence(struct head_losses *l, struct tape *t, const struct batch *b, int sentence)
{
	const struct model *m = l->m;
	const int n = b->tgt.layout.len[sentence];

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct layout *rows = m->sites[i].where == ENCODER_SELF ? &b->src.layout
									      : &b->tgt.layout;
		const struct node *gated = gated_of(l, t, i);
		const size_t first = heads_before(m->sites, i);
		double *x = xcalloc((size_t)m->sites[i].heads + 1, sizeof(*x));

		for (int h = 0; h < m->sites[i].heads; h++) {
			/* The derivative with respect to the gate. */
			x[h] = gradient_times(gated, gated->in[0]->x + h * m->sites[i].head_dim,
					      gated->in[0]->ld, rows, sentence, h);
			add_head_gradient(l, first + (size_t)h, x[h], n);
		}
		if (l->fisher)
			head_losses_add_block(l, i, x);
		free(x);
		if (l->saliency)
			add_saliency(l, t, i, sentence, n);
	}
}

static void
add_gradients(struct head_losses *l, struct tape *t, const struct batch *b, struct node *nll)
{
	const struct layout *rows = &b->tgt.layout;

	for (size_t i = 0; i < l->m->n_sites; i++)
		if (l->m->sites[i].heads)
			tape_keep_gradient(t, gated_of(l, t, i));
	tape_gradient(t, nll, 1);
	for (int i = 0; i < b->n; i++) {
		int64_t infinite;

		loss_of_sentence(nll, b, i, &infinite);
		if (infinite)
			continue;
		head_losses_add_sentence(l, t, b, i);
		l->gradient_tokens += rows->len[i];
		l->gradient_sentences++;
	}
}

/* --- ablation --- */

/* Keeps the loss of each sentence with all heads, before the tape is rewound. */
static void
keep_sentences(struct head_losses *l, const struct batch *b, const struct node *nll)
{
	int64_t infinite;

	l->sentence = mem_grow(l->sentence, &l->sentence_room, (size_t)b->n, sizeof(*l->sentence));
	for (int i = 0; i < b->n; i++)
		l->sentence[i] = loss_of_sentence(nll, b, i, &infinite);
}

static void
add_ablation(struct head_losses *l, size_t head, const struct batch *b, const struct node *nll)
{
	const struct layout *rows = &b->tgt.layout;
	int64_t infinite;

	l->nll[head] += loss_of_rows(nll, 0, rows->rows, &infinite);
	for (int i = 0; l->errors && i < b->n; i++) {
		const double loss = loss_of_sentence(nll, b, i, &infinite);

		ratio_error_add(&l->error[head].ablation, loss - l->sentence[i],
				(double)(rows->len[i] - infinite));
	}
}

static void
ablate(struct head_losses *l, struct tape *t, const struct batch *b)
{
	const size_t heads = heads_before(l->m->sites, l->m->n_sites);

	l->gated.fixed = true;
	gated_loss_of(&l->gated, t, b);
	for (size_t h = 0; h < heads; h++) {
		l->gated.gates[h] = 0;
		add_ablation(l, h, b, gated_loss_node(&l->gated, t, b));
		l->gated.gates[h] = 1;
	}
	l->gated.fixed = false;
}

void
head_losses_add(struct head_losses *l, struct tape *t, const struct batch *b, struct node *nll)
{
	int64_t masked;
	const double whole = loss_of_rows(nll, 0, b->tgt.layout.rows, &masked);

	l->whole += whole;
	l->masked += masked;
	l->tokens += b->tgt.layout.rows - masked;
	if (l->errors && l->ablation)
		keep_sentences(l, b, nll);
	if (l->norm)
		head_norms_add(&l->norms, t, b);
	if (l->logit)
		head_logits_add(&l->logits, t, b, nll);
	if (head_losses_backward(l))
		add_gradients(l, t, b, nll);
	gated_loss_next(&l->gated);
	if (l->ablation)
		ablate(l, t, b);
	head_shapley_add(&l->values, &l->gated, t, b, whole);
}

/* --- BLEU --- */

int64_t
head_losses_translations(const struct head_losses *l)
{
	return l->ablation_bleu ? (int64_t)heads_before(l->m->sites, l->m->n_sites) + 1 : 0;
}

int
head_losses_translate(struct head_losses *l, struct pass *p, int beam, bool cut,
		      head_losses_done *done, void *arg, struct err *e)
{
	const size_t n = (size_t)head_losses_translations(l);	/* without each head, and none */
	struct gated_masks masks = { .n = n, .bleu = l->bleu, .done = done, .done_arg = arg };
	int bad;

	if (!n)
		return 0;
	masks.gates = xcalloc(n * n, sizeof(*masks.gates));
	for (size_t i = 0; i < n * (n - 1); i++)
		masks.gates[i] = i / (n - 1) == i % (n - 1) ? 0 : 1;
	bad = gated_bleu_score(&l->texts, l->m, p, beam, cut, &masks, e);
	free(masks.gates);
	return bad;
}

/* --- the table --- */

static void
fill_gradients(const struct head_losses *l, const struct site *s, size_t first,
	       struct head_table *t)
{
	const double *sum = l->gradients + first, tokens = (double)l->gradient_tokens;
	double squares = 0, norm;

	for (int h = 0; h < s->heads; h++)
		squares += sum[h] * sum[h];
	norm = squares > 0 || tokens == 0 ? sqrt(squares) : 1;
	for (int h = 0; h < s->heads; h++) {
		const double error = ratio_error_of(&l->error[first + (size_t)h].gradient);

		head_table_fill_mean(t, s, s->head[h] + 1, "gradient", sum[h] / norm,
				     error * tokens / norm);
		head_table_fill_mean(t, s, s->head[h] + 1, "gradient.raw", sum[h] / tokens, error);
	}
}

/* Weights are finite, but sums may overflow. */
static int
check_sum_of(const char *name, const struct site *s, int head, double x, struct err *e)
{
	if (isfinite(x))
		return 0;
	return err_set(e, EXIT_INPUT, "%s of %s head %d is %s, expected a finite number", name,
		       s->name, s->head[head] + 1, isnan(x) ? "nan" : "inf");
}

static int
head_losses_check(const struct head_losses *l, struct err *e)
{
	const struct model *m = l->m;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const size_t first = heads_before(m->sites, i);

		for (int h = 0; h < s->heads; h++)
			if (check_sum_of("gradient", s, h, l->gradients[first + (size_t)h], e) ||
			    check_sum_of("fisher", s, h, l->squares[first + (size_t)h], e) ||
			    check_sum_of("ablation", s, h, l->nll[first + (size_t)h], e) ||
			    check_sum_of("shapley", s, h,
					 head_shapley_of(&l->values, first + (size_t)h, NULL), e))
				return -1;
	}
	if (isfinite(l->whole))
		return 0;
	return err_set(e, EXIT_INPUT, "the loss is %g, expected a finite number", l->whole);
}

/* index: of the head among those of all sites; number: its number in the site, from 1. */
static void
fill_head(const struct head_losses *l, const struct site *s, size_t index, int number,
	  struct head_table *t)
{
	const struct loss_errors *errors = &l->error[index];
	double shapley, error;

	if (l->fisher)
		head_table_fill_mean(t, s, number, "fisher",
				     l->squares[index] / (double)l->gradient_sentences,
				     ratio_error_of(&errors->fisher));
	if (l->saliency)
		head_table_fill_mean(t, s, number, "saliency",
				     l->salient[index] / (double)l->gradient_tokens,
				     ratio_error_of(&errors->saliency));
	if (l->ablation)
		head_table_fill_mean(t, s, number, "ablation",
				     (l->nll[index] - l->whole) / (double)l->tokens,
				     ratio_error_of(&errors->ablation));
	if (l->ablation_bleu)
		head_table_fill(t, s, number, "ablation.bleu",
				l->bleu[heads_before(l->m->sites, l->m->n_sites)] -
				l->bleu[index]);
	if (!l->shapley)
		return;
	shapley = head_shapley_of(&l->values, index, &error) / (double)l->tokens;
	head_table_fill_mean(t, s, number, "shapley", shapley, error / (double)l->tokens);
}

int
head_losses_fill(const struct head_losses *l, struct head_table *t, struct err *e)
{
	const struct model *m = l->m;

	if (head_losses_check(l, e))
		return -1;
	if (l->norm)
		head_norms_fill(&l->norms, t);
	if (l->logit)
		head_logits_fill(&l->logits, t);
	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const size_t first = heads_before(m->sites, i);

		if (l->gradient)
			fill_gradients(l, s, first, t);
		for (int h = 0; h < s->heads; h++)
			fill_head(l, s, first + (size_t)h, s->head[h] + 1, t);
	}
	return 0;
}
