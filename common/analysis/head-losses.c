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
	l->head = xcalloc(heads + 1, sizeof(*l->head));
	l->blocks = xcalloc(block_before(m, m->n_sites) + 1, sizeof(*l->blocks));
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
	free(l->head);
	free(l->sentence);
	free(l->blocks);
	free(l->bleu);
	gated_bleu_release(&l->texts);
}

/* --- gradients --- */

static struct node *
gated_of(const struct head_losses *l, struct tape *t, size_t site)
{
	return tape_find(t, l->m->gate_name[site]);
}

/* n: the number of target tokens of the sentence; x: room for all heads of the site. */
static void
add_saliency(struct head_losses *l, struct tape *t, size_t site, int sentence, int n, double *x)
{
	struct loss_sums *sum = l->head + heads_before(l->m->sites, site);
	const bool known = head_saliency(l->m, t, site, gated_of(l, t, site), sentence, x);

	for (int h = 0; h < l->m->sites[site].heads; h++, sum++) {
		const double y = known ? x[h] : NAN;

		sum->saliency += y;
		if (l->errors)
			ratio_error_add(&sum->error.saliency, y, n);
	}
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

/* Adds the derivative x of the loss of a sentence with n target tokens. */
static void
add_head_gradient(struct loss_sums *sum, double x, int n, bool errors)
{
	sum->gradient += fabs(x);
	sum->fisher += x * x;
	if (!errors)
		return;
	ratio_error_add(&sum->error.gradient, fabs(x), n);
	ratio_error_add(&sum->error.fisher, x * x, 1);
}

static void
head_losses_add_sentence(struct head_losses *l, struct tape *t, const struct batch *b, int sentence)
{
	const struct model *m = l->m;
	const int n = b->tgt.layout.len[sentence];
	struct loss_sums *sum = l->head;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const struct layout *rows = s->where == ENCODER_SELF ? &b->src.layout
								     : &b->tgt.layout;
		const struct node *gated = gated_of(l, t, i);
		double *x = xcalloc((size_t)s->heads + 1, sizeof(*x));

		for (int h = 0; h < s->heads; h++) {
			/* The derivative with respect to the gate. */
			x[h] = gradient_times(gated, gated->in[0]->x + h * s->head_dim,
					      gated->in[0]->ld, rows, sentence, h);
			add_head_gradient(sum++, x[h], n, l->errors);
		}
		if (l->fisher)
			head_losses_add_block(l, i, x);
		if (l->saliency && s->heads)
			add_saliency(l, t, i, sentence, n, x);
		free(x);
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

	l->head[head].nll += loss_of_rows(nll, 0, rows->rows, &infinite);
	for (int i = 0; l->errors && i < b->n; i++) {
		const double loss = loss_of_sentence(nll, b, i, &infinite);

		ratio_error_add(&l->head[head].error.ablation, loss - l->sentence[i],
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
fill_gradients(const struct head_losses *l, size_t site, struct head_table *t)
{
	const struct site *sites = l->m->sites;
	const double tokens = (double)l->gradient_tokens;
	double squares = 0, norm;

	for (size_t i = heads_before(sites, site); i < heads_before(sites, site + 1); i++)
		squares += l->head[i].gradient * l->head[i].gradient;
	norm = squares > 0 || tokens == 0 ? sqrt(squares) : 1;
	for (size_t i = heads_before(sites, site); i < heads_before(sites, site + 1); i++) {
		const struct loss_sums *x = &l->head[i];
		const double error = ratio_error_of(&x->error.gradient);

		head_table_fill_mean(t, sites, i, "gradient", x->gradient / norm,
				     error * tokens / norm);
		head_table_fill_mean(t, sites, i, "gradient.raw", x->gradient / tokens, error);
	}
}

/* Weights are finite, but sums may overflow. */
static int
check_sum_of(const char *name, const struct site *sites, size_t head, double x, struct err *e)
{
	int number;
	const struct site *s = site_of_head(sites, head, &number);

	if (isfinite(x))
		return 0;
	return err_set(e, EXIT_INPUT, "%s of %s head %d is %s, expected a finite number", name,
		       s->name, number, isnan(x) ? "nan" : "inf");
}

static int
head_losses_check(const struct head_losses *l, struct err *e)
{
	const struct site *s = l->m->sites;

	for (size_t i = 0; i < heads_before(s, l->m->n_sites); i++)
		if (check_sum_of("gradient", s, i, l->head[i].gradient, e) ||
		    check_sum_of("fisher", s, i, l->head[i].fisher, e) ||
		    check_sum_of("ablation", s, i, l->head[i].nll, e) ||
		    check_sum_of("shapley", s, i, head_shapley_of(&l->values, i, NULL), e))
			return -1;
	if (isfinite(l->whole))
		return 0;
	return err_set(e, EXIT_INPUT, "the loss is %g, expected a finite number", l->whole);
}

static void
fill_head(const struct head_losses *l, size_t head, struct head_table *t)
{
	const struct site *s = l->m->sites;
	const struct loss_sums *x = &l->head[head];
	double shapley, error;

	if (l->fisher)
		head_table_fill_mean(t, s, head, "fisher",
				     x->fisher / (double)l->gradient_sentences,
				     ratio_error_of(&x->error.fisher));
	if (l->saliency)
		head_table_fill_mean(t, s, head, "saliency",
				     x->saliency / (double)l->gradient_tokens,
				     ratio_error_of(&x->error.saliency));
	if (l->ablation)
		head_table_fill_mean(t, s, head, "ablation",
				     (x->nll - l->whole) / (double)l->tokens,
				     ratio_error_of(&x->error.ablation));
	if (l->ablation_bleu)
		head_table_fill(t, s, head, "ablation.bleu",
				l->bleu[heads_before(s, l->m->n_sites)] - l->bleu[head]);
	if (!l->shapley)
		return;
	shapley = head_shapley_of(&l->values, head, &error) / (double)l->tokens;
	head_table_fill_mean(t, s, head, "shapley", shapley, error / (double)l->tokens);
}

int
head_losses_fill(const struct head_losses *l, struct head_table *t, struct err *e)
{
	const struct model *m = l->m;
	size_t head = 0;

	if (head_losses_check(l, e))
		return -1;
	if (l->norm)
		head_norms_fill(&l->norms, t);
	if (l->logit)
		head_logits_fill(&l->logits, t);
	for (size_t i = 0; i < m->n_sites; i++) {
		if (l->gradient)
			fill_gradients(l, i, t);
		for (int h = 0; h < m->sites[i].heads; h++)
			fill_head(l, head++, t);
	}
	return 0;
}
