/* beam-slow: each variant of beam search, compared with a slow implementation of its definition. */
#include "beam-script.h"

/* Few different values, so that there are many ties. */
static void
rough(struct script *s, int sentence, const char *history, real *p)
{
	for (int v = 0; v < V; v++)
		p[v] = (real)(-0.5 - 0.5 * floor(3 * noise(s->seed, sentence, history, v)));
}

/* A continuation with all its tokens. */
struct option { struct slow h; int from, id; double rank; };

static int
by_rank(const void *a, const void *b)
{
	const struct option *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->from != y->from ? x->from - y->from : x->id - y->id;
}

/* All continuations of the beam, ranked. */
static int
options(const struct search_settings *set, const struct list *beam, int sentence, int t, int max,
	struct option *o)
{
	int n = 0;

	for (int i = 0; i < beam->n; i++) {
		real p[V];

		script.rule(&script, sentence, beam->h[i].text, p);
		for (int v = VOCAB_EOS; v < V; v++) {
			struct option *c = &o[n];

			*c = (struct option){ .h = beam->h[i], .from = i, .id = v };
			if (beam->h[i].ended ? v != VOCAB_EOS
					     : v == VOCAB_EOS && t < set->min_length)
				continue;
			if (set->variant == SEARCH_FAIRSEQ && t == max && v != VOCAB_EOS)
				continue;
			if (set->variant == SEARCH_MARIAN && v == VOCAB_UNK)
				continue;
			n++;
			c->rank = c->h.score;
			if (beam->h[i].ended)
				continue;
			c->h.log_prob += p[v];
			c->h.score = search_score(set, c->h.log_prob, t + 1);
			c->rank = set->variant == SEARCH_GNMT ? c->h.score : c->h.log_prob;
			c->h.ended = v == VOCAB_EOS;
			if (v != VOCAB_EOS) {
				c->h.text[t + 1] = (char)('a' + v);
				c->h.text[t + 2] = '\0';
			}
		}
	}
	qsort(o, (size_t)n, sizeof(*o), by_rank);
	return n;
}

/* voita: copies the hypotheses that are at most `spread` below the best finished one. */
static void
keep_near(const struct search_settings *set, const struct list *finished, const struct list *all,
	  struct list *near)
{
	static struct list done;

	done = *finished;
	sort(&done);
	near->n = 0;
	for (int i = 0; i < all->n; i++)
		if (!done.n || (all->h[i].score + set->spread >= done.h[0].score &&
				all->h[i].log_prob + set->spread >= done.h[0].log_prob))
			near->h[near->n++] = all->h[i];
}

static void
slow_search(const struct search_settings *set, int sentence, int max, struct list *out)
{
	static struct list beam, next;
	static struct option o[8 * MANY];
	bool top = false;

	out->n = 0;
	beam.n = 1;
	beam.h[0] = (struct slow){ .text = "^" };
	for (int t = 0; beam.n; t++) {
		int n = options(set, &beam, sentence, t, max, o), open = 0,
			width = set->beam - (set->variant == SEARCH_MARIAN ? out->n : 0);
		bool last = set->variant == SEARCH_FAIRSEQ ? t == max : t + 1 == max;

		next.n = 0;
		for (int i = 0;
		     i < n && (set->variant == SEARCH_FAIRSEQ ? i < 2 * width : i < width); i++) {
			if (set->variant == SEARCH_GNMT || !o[i].h.ended) {
				if (next.n < width)
					next.h[next.n++] = o[i].h;
				open += !o[i].h.ended;
			} else if (i < width &&
				   out->n < (set->variant == SEARCH_FAIRSEQ ? width : 8 * MANY)) {
				out->h[out->n++] = o[i].h;
			}
		}
		top = top || o[0].h.ended;
		beam = next;
		if (set->variant == SEARCH_VOITA)
			keep_near(set, out, &next, &beam);
		if (set->variant == SEARCH_GNMT
			    ? !open || last
			    : (last && (set->variant == SEARCH_ONMT ||
					set->variant == SEARCH_MARIAN ||
					(set->variant == SEARCH_VOITA && !out->n))))
			for (int i = 0; i < beam.n; i++)
				out->h[out->n++] = beam.h[i];
		if (last || (set->variant == SEARCH_GNMT && !open) ||
		    (set->variant == SEARCH_FAIRSEQ && out->n == width) ||
		    (set->variant == SEARCH_ONMT && top && out->n >= set->n_best))
			break;
	}
	sort(out);
	out->n = out->n < set->n_best ? out->n : set->n_best;
}

static void
compare_with_slow_search(void (*rule)(struct script *, int, const char *, real *))
{
	static struct list want;

	script.rule = rule;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++)
		for (int beam = 1; beam <= 5; beam++)
			for (script.seed = 0; script.seed < 40; script.seed++) {
				struct search_settings set = settings(variant, beam,
					1 + script.seed % beam);

				set.spread = 1;
				set.min_length = script.seed % 3;
				slow_search(&set, 0, 7, &want);
				assert_same(search(&set, 0, 7), want.h, want.n);
			}
}

static void
every_variant_does_what_its_definition_says(void **state)
{
	(void)state;
	compare_with_slow_search(smooth);
}

static void
ties_go_to_the_lower_place_and_the_lower_id(void **state)
{
	(void)state;
	compare_with_slow_search(rough);
}

static void
equal(struct script *s, int sentence, const char *history, real *p)
{
	(void)s;
	(void)sentence;
	(void)history;
	for (int v = 0; v < V; v++)
		p[v] = -1;
}

static void
equal_scores_give_the_first_symbols(void **state)
{
	struct search_settings set = settings(SEARCH_FAIRSEQ, 2, 2);
	const struct translation *t;

	(void)state;
	script.rule = equal;
	t = search(&set, 0, 5);
	/*
	 * <unk> and the first word, then the end of either: rank 0 is the end of hypothesis 0.  The
	 * end of hypothesis 1 ranks after all of hypothesis 0, so one more step is needed.
	 */
	assert_int_equal(t->n, 2);
	assert_int_equal(t->best[0].n, 1);
	assert_int_equal(t->best[0].id[0], VOCAB_UNK);
	assert_true(t->best[0].score == -1 && t->best[0].log_prob == -2);
	assert_int_equal(t->best[1].n, 2);
	assert_int_equal(t->best[1].id[0], VOCAB_UNK);
	assert_int_equal(t->best[1].id[1], VOCAB_UNK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_variant_does_what_its_definition_says),
		cmocka_unit_test(ties_go_to_the_lower_place_and_the_lower_id),
		cmocka_unit_test(equal_scores_give_the_first_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
