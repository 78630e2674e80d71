/* accuracy: see accuracy.h. */
#include "parser/accuracy.h"

#include <stdlib.h>
#include <string.h>

#include "data/corpus.h"
#include "model/runtime.h"
#include "parser/binary.h"
#include "parser/training.h"

/* A network that was trained on arcs without relations has the label NO_LABEL only. */
static bool
has_relations(const struct network *n)
{
	return n->labels[LABEL_REL].n &&
	       strmap_find(&n->labels[LABEL_REL], NO_LABEL, strlen(NO_LABEL)) < 0;
}

static void
count_words(struct accuracy *a, const struct gold_bank *g, const struct sentence *gold,
	    const struct sentence *got)
{
	const bool relations = has_relations(g->network);

	for (int i = 0; i < gold->n; i++) {
		for (int set = 0; set < LABEL_TAGS; set++) {
			const int *tag = gold->tag[set];

			if (!tag || tag[i] < 0 || !got->tag[set])
				continue;
			a->tags[set]++;
			a->tags_correct[set] += g->label[set][tag[i]] == got->tag[set][i];
		}
		if (gold->head && got->head) {
			bool correct = gold->head[i] == got->head[i];

			a->arcs++;
			a->heads += correct;
			if (gold->rel[i] < 0 || !relations)
				continue;
			a->relations++;
			a->labeled += correct &&
				      g->label[LABEL_REL][gold->rel[i]] == got->rel[i];
		}
	}
}

static int
accuracy_by_place(const void *x, const void *y)
{
	const struct gold_span *a = x, *b = y;

	if (a->first != b->first)
		return a->first - b->first;
	return a->end != b->end ? b->end - a->end : a->label - b->label;
}

/* Writes the sorted phrases of a tree, with the network's labels, to out; returns their number. */
static int
phrases(const struct gold_span *span, int n_spans, const int *label, int none,
	struct gold_span *out)
{
	int n = 0;

	for (int i = 0; i < n_spans; i++) {
		int l = label ? label[span[i].label] : span[i].label;

		if (l != none)
			out[n++] = (struct gold_span){ span[i].first, span[i].end, l };
	}
	qsort(out, (size_t)n, sizeof(*out), accuracy_by_place);
	return n;
}

static void
count_spans(struct accuracy *a, const struct gold_bank *g, const struct sentence *gold,
	    const struct sentence *got, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	int n = 2 * gold->n - 1, i = 0, j = 0;
	int none = strmap_find(&g->network->labels[LABEL_SPAN], BINARY_NONE, strlen(BINARY_NONE));
	struct gold_span *x, *y;
	int n_x, n_y;

	if (!gold->span || !got->span)
		return;
	x = ARENA_ARRAY(scratch, struct gold_span, n);
	y = ARENA_ARRAY(scratch, struct gold_span, n);
	n_x = phrases(gold->span, n, g->label[LABEL_SPAN], none, x);
	n_y = phrases(got->span, n, NULL, none, y);
	a->gold += n_x;
	a->found += n_y;
	while (i < n_x && j < n_y) {
		int order = accuracy_by_place(&x[i], &y[j]);

		a->correct += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	arena_rewind_to(scratch, mark);
}

static void
measure_batch(struct accuracy *a, const struct gold_bank *g, struct network *n, struct runtime *run,
	      const struct decode_settings *s, const uint32_t *sentence, int n_sentences)
{
	struct arena *mem = tape_arena(run->tape);
	struct sentence *got = ARENA_ARRAY(mem, struct sentence, n_sentences);
	struct gold b;

	gold_make(g, &b, sentence, n_sentences, NULL, mem);
	network_decode(n, run->tape, &b.pack, s, mem, got);
	for (int i = 0; i < n_sentences; i++) {
		const struct sentence *gold = &g->bank->sentence[sentence[i]];

		count_words(a, g, gold, &got[i]);
		count_spans(a, g, gold, &got[i], run->pass.scratch);
	}
	tape_rewind(run->tape);
}

void
accuracy_measure(struct accuracy *a, const struct gold_bank *g, struct network *n,
		 struct runtime *run, const struct decode_settings *s, int64_t batch_words)
{
	struct sentence_order o;

	memset(a, 0, sizeof(*a));
	sentence_order_init(&o, g->bank);
	corpus_sorted(&o.corpus, &o.order, batch_words);
	for (size_t i = 0; i < o.order.n_batches; i++) {
		const uint32_t *sentence;
		size_t n_sentences = corpus_order_records(&o.order, i, &sentence);

		measure_batch(a, g, n, run, s, sentence, (int)n_sentences);
	}
	sentence_order_release(&o);
}

/* F1 of phrases, in percent. */
static double
accuracy_f1(const struct accuracy *a)
{
	return a->correct ? 200.0 * (double)a->correct / (double)(a->gold + a->found) : 0;
}

/* Of tags: the mean of the columns that are there, in percent. */
static double
tag_score(const struct accuracy *a)
{
	double sum = 0;
	int n = 0;

	for (int set = 0; set < LABEL_TAGS; set++)
		if (a->tags[set]) {
			sum += 100.0 * (double)a->tags_correct[set] / (double)a->tags[set];
			n++;
		}
	return n ? sum / n : 0;
}

double
accuracy_score(const struct accuracy *a)
{
	double arcs = a->relations ? 100.0 * (double)a->labeled / (double)a->relations :
		      a->arcs ? 100.0 * (double)a->heads / (double)a->arcs : 0;

	if (!a->arcs && !a->gold)
		return tag_score(a);
	return a->arcs && a->gold ? (arcs + accuracy_f1(a)) / 2 : a->arcs ? arcs : accuracy_f1(a);
}
