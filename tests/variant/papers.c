/*
 * Variants compared with the formulas of their papers, computed here in double precision from the
 * projected queries, keys and values.
 */
#include "syntax-case.h"

#include "data/means.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

enum { WORDS = 5 };

/* --- fixed heads --- */

/* The weight of Raganato et al. 2020, section 3, before it is divided by the sum of the row. */
static double
fixed_weight(const char *pattern, int i, int j, int n)
{
	const double rising = pow(j + 1, 3), falling = pow(n - j, 3);

	return !strcmp(pattern, "current") ? j == i
		: !strcmp(pattern, "previous") ? j == i - 1
		: !strcmp(pattern, "next") ? j == i + 1
		: !strcmp(pattern, "left") ? (j <= i - 2) * rising
		: !strcmp(pattern, "right") ? (j >= i + 2) * falling
		: !strcmp(pattern, "start") ? falling : rising;
}

static void
check_pattern(const real *row, const char *pattern, int i, int n)
{
	double sum = 0;

	for (int j = 0; j < n; j++)
		sum += fixed_weight(pattern, i, j, n);
	for (int j = 0; j < n; j++) {
		const double want = sum > 0 ? fixed_weight(pattern, i, j, n) / sum : j == i;

		if (off_by(row[j], want, 1) > 1e-15)
			fail_msg("%s: weight of %d to %d: %.17g, expected %.17g", pattern, i, j,
				 row[j], want);
	}
}

static void
fixed_heads_have_their_weights(void **state)
{
	static const char *const pattern[] = { "current", "previous", "next", "left", "right",
					       "start", "end" };

	(void)state;
	for (size_t p = 0; p < sizeof(pattern) / sizeof(*pattern); p++) {
		char *spec = xasprintf("fixed-heads:patterns=%s", pattern[p]);
		struct run plain, r;
		const real *a, *b;

		start(&plain, NULL, 0, p % 2);
		start(&r, (const char *const *)&spec, 1, p % 2);
		a = weights(&plain, "enc.1.self");
		b = weights(&r, "enc.1.self");
		for (int i = 0; i < r.len; i++)
			check_pattern(b + i * r.len, pattern[p], i, r.len);
		/* The second head is learned. */
		for (int k = r.len * r.len; k < 2 * r.len * r.len; k++)
			assert_true(a[k] == b[k]);
		stop(&plain);
		stop(&r);
		free(spec);
	}
}

/* The queries and keys of the fixed head get no gradient, and do not change the loss. */
static void
fixed_heads_read_no_queries_and_keys(void **state)
{
	const char *spec = "fixed-heads:patterns=left";
	struct param *p;
	struct run r;

	(void)state;
	start(&r, &spec, 1, true);
	p = params_find(&r.m->params, "enc.1.self.qkv.weight");
	for (int part = 0; part < 3; part++)
		for (int h = 0; h < HEADS; h++) {
			const int from = (part * HEADS + h) * HEAD_WIDTH * p->d[1];
			double largest = 0;

			for (int k = from; k < from + HEAD_WIDTH * p->d[1]; k++)
				largest = fmax(largest, fabs(p->grad[k]));
			assert_true((largest == 0) == (h == 0 && part < 2));
			if (largest > 0)
				continue;
			for (int k = from; k < from + HEAD_WIDTH * p->d[1]; k++)
				p->x[k] += 1;
		}
	assert_true(setup_loss(r.m, &r.run, &r.s.b, false) == r.loss);
	stop(&r);
}

/* All but the last of eight heads are fixed; of two heads, the first one. */
static void
defaults_leave_one_learned_head(void **state)
{
	struct model_config c = setup_config("fairseq");
	const char *spec = "fixed-heads";
	struct setup_batch s;
	struct runtime run;

	(void)state;
	c.width = 16;
	for (int heads = 2; heads <= 8; heads *= 2) {
		static const char *const order[] = { "current", "previous", "next", "left",
						     "right", "start", "end" };
		const ptrdiff_t *block;
		const struct layout *q, *k;
		struct model *m;
		const real *w;

		c.heads = heads;
		m = setup_model_of(&c, "fairseq", &spec, 1, 7);
		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 1);
		setup_loss(m, &run, &s.b, false);
		w = model_site_weights(m, run.tape, 1, &block, &q, &k);
		for (int h = 0; h < heads - 1; h++)
			for (int i = 0; i < q->len[0]; i++)
				check_pattern(w + (h * q->len[0] + i) * q->len[0], order[h], i,
					      q->len[0]);
		assert_true(w[(heads - 1) * q->len[0] * q->len[0]] > 0.01);
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

/* --- trees: three words of two, one and two subwords, and the end token --- */

/*
 * The third word is the root, the head of the first is the third, that of the second the first.
 */
static void
annotate_tree(struct record *rec, int64_t number, int src, int tgt)
{
	static const int32_t word[] = { 0, 0, 1, 2, 2 }, head[] = { 3, 1, 0 };

	(void)number;
	(void)tgt;
	assert_int_equal(src, WORDS);
	record_set_ints(rec, "src.word", word, WORDS);
	record_set_ints(rec, "src.heads", head, 3);
}

/* Mean positions of the parents' subwords; the root and the end token are their own parents. */
static const double parent[] = { 3.5, 3.5, 0.5, 3.5, 3.5, 5 };
/* Arcs between the words, the end token being above the root, with the sign of the direction. */
static const int distance[][6] = {
	{ 0, 0, 1, 1, 1, 2 }, { 0, 0, 1, 1, 1, 2 }, { -1, -1, 0, 2, 2, 3 },
	{ -1, -1, -2, 0, 0, 1 }, { -1, -1, -2, 0, 0, 1 }, { -2, -2, -3, -1, -1, 0 },
};
static const int depth_of[] = { 2, 2, 3, 1, 1, 0 };

static double
normal_density(double x, double mean, double sigma)
{
	return exp(-(x - mean) * (x - mean) / (2 * sigma * sigma)) / (sigma * sqrt(2 * M_PI));
}

static void
check_tree_scores(const char *spec, bool end, pair_value *score)
{
	setup_annotate = annotate_tree;
	check_scores(spec, end, "enc.1.self", score);
}

static double
parent_score(const struct run *r, int head, int i, int j)
{
	return plain_score(r, head, i, j) * normal_density(j, parent[i], 1);
}

static double
parent_score_of_first(const struct run *r, int head, int i, int j)
{
	return plain_score(r, head, i, j) *
		(head ? 1 : normal_density(j, parent[i], 2.5));
}

static void
parents_scale_the_scores(void **state)
{
	(void)state;
	check_tree_scores("parent-scaled", true, parent_score);
	check_tree_scores("parent-scaled", false, parent_score);
	check_tree_scores("parent-scaled:heads=1,sigma=2.5", true, parent_score_of_first);
}

/* The product of a query and a row of the table of keys. */
static double
with_key(const struct run *r, int head, int i, int j, const char *table, int row)
{
	double sum = 0;

	for (int e = 0; e < HEAD_WIDTH; e++)
		sum += projected(r, 0, head, i, e) * own_number(r, table, row, e);
	return plain_score(r, head, i, j) + sum / sqrt(HEAD_WIDTH);
}

static int
clip(int x, int k)
{
	return (x < -k ? -k : x > k ? k : x) + k;
}

static double
distance_score(const struct run *r, int head, int i, int j)
{
	return with_key(r, head, i, j, "structural.keys", clip(distance[i][j], 2));
}

static double
depth_score(const struct run *r, int head, int i, int j)
{
	return with_key(r, head, i, j, "structural.table",
			clip(depth_of[j] - depth_of[i], 1));
}

static void
trees_give_positions(void **state)
{
	(void)state;
	check_tree_scores("structural-position:k=2", true, distance_score);
	check_tree_scores("structural-position:k=2", false, distance_score);
	check_tree_scores("structural-position:k=1,by=depth,share_kv=on", true, depth_score);
}

/* --- the ops of these variants, on leaves --- */

enum { ROWS = 6, STEPS = 200, K = 2 };

static struct node *
leaf(struct tape *t, int rows, int columns, uint32_t what, const struct layout *l)
{
	real *x = ARENA_ARRAY(tape_arena(t), real, rows * columns);
	struct node *n = tape_leaf(t, NULL, 2, (const int[]){ rows, columns }, x, NULL);

	for (int i = 0; i < rows * columns; i++)
		x[i] = case_value(what, 0, (uint32_t)i);
	n->rows = l;
	return n;
}

/* The number of rows of scores that are unchanged; the others are multiplied by the density. */
static int
ignored_rows(struct runtime *run, const struct layout *l, const real *at)
{
	const struct parents p = { at, 1, 0.3, HEADS };
	struct node *s, *y;
	int n = 0;

	tape_rewind(run->tape);
	s = op_scores(run->tape, leaf(run->tape, ROWS, 8, 1, l), leaf(run->tape, ROWS, 8, 2, l), l,
		      l, HEADS, 1, false);
	y = op_parent_scale(run->tape, s, &p);
	for (int row = 0; row < HEADS * ROWS; row++) {
		const bool ignored = y->x[row * ROWS] == s->x[row * ROWS];

		n += ignored;
		for (int j = 0; j < ROWS; j++) {
			const double factor =
				ignored ? 1 : normal_density(j, at[row % ROWS], 1);

			assert_true(off_by(y->x[row * ROWS + j], s->x[row * ROWS + j] * factor,
					   1) < 1e-14);
		}
	}
	return n;
}

/* Three in ten parents are ignored in training, none otherwise. */
static void
parents_are_ignored_in_training(void **state)
{
	static const int start_of = 0, rows = ROWS;
	static const real at[ROWS] = { 3.5, 3.5, 0.5, 3.5, 3.5, 5 };
	const struct layout l = { 1, ROWS, &start_of, &rows, NULL };
	struct runtime run;
	int n = 0;

	(void)state;
	setup_runtime(&run, 1, false);
	assert_int_equal(ignored_rows(&run, &l, at), 0);
	run.pass.training = true;
	for (run.pass.step = 1; run.pass.step <= STEPS; run.pass.step++)
		n += ignored_rows(&run, &l, at);
	/* five standard errors */
	assert_true(fabs(n / (double)(STEPS * HEADS * ROWS) - 0.3) < 5 * 0.0094);
	runtime_close(&run);
}

/* z_i = sum over j of w_ij (v_j + a_position), equation 3 of Shaw et al. 2018. */
static void
values_have_positions(void **state)
{
	static const int start_of = 0, rows = ROWS;
	const struct layout l = { 1, ROWS, &start_of, &rows, NULL };
	unsigned char label[ROWS * ROWS];
	const unsigned char *of = label;
	const struct labels labels = { &of, 2 * K + 1 };
	struct node *w, *v, *table, *z;
	struct runtime run;
	struct tape *t;

	(void)state;
	for (int i = 0; i < ROWS * ROWS; i++)
		label[i] = (unsigned char)clip(distance[i / ROWS][i % ROWS], K);
	setup_runtime(&run, 1, false);
	t = run.tape;
	w = op_softmax(t, op_scores(t, leaf(t, ROWS, 8, 1, &l), leaf(t, ROWS, 8, 2, &l), &l, &l,
				    HEADS, 1, false));
	v = leaf(t, ROWS, 8, 3, &l);
	table = leaf(t, 2 * K + 1, HEAD_WIDTH, 4, NULL);
	z = op_context(t, w, v);
	z = op_relative_values(t, z, w,
			       table, &labels);
	for (int i = 0; i < ROWS; i++)
		for (int c = 0; c < 8; c++) {
			double want = 0;

			for (int j = 0; j < ROWS; j++)
				want += w->x[(c / HEAD_WIDTH * ROWS + i) * ROWS + j] *
					(v->x[j * 8 + c] +
					 table->x[label[i * ROWS + j] * HEAD_WIDTH +
						  c % HEAD_WIDTH]);
			assert_true(off_by(z->x[i * 8 + c], want, 1) < 1e-14);
		}
	runtime_close(&run);
}

/* --- guided alignment --- */

/* The second sentence has no words: its links are between tokens. */
static void
set_links(struct record *rec, int64_t number, const char *first)
{
	const char *links = number ? "1-0 0-3 1-3" : first;

	record_set_str(rec, "alignment", links, strlen(links));
}

static void
annotate_alignment(struct record *rec, int64_t number, int src, int tgt)
{
	static const int32_t tgt_word[] = { 0, 0, 1 };

	set_links(rec, number, "0-0 2-0 1-1 0p1");
	if (number)
		return;
	annotate_tree(rec, number, src, tgt);
	record_set_ints(rec, "tgt.word", tgt_word, 3);
}

static void
annotate_tokens(struct record *rec, int64_t number, int src, int tgt)
{
	(void)src;
	(void)tgt;
	set_links(rec, number, "4-2");
}

/* The share of each source token in the links of a target token. */
typedef const double shares[6][6];

/* Of the target tokens with links: -G_tj log A_tj, and whether the largest A_tj is of a link. */
struct guided { double loss; int rows, right; };

static void
count_guided(struct guided *g, const real *w, int rows, int columns, shares share)
{
	for (int t = 0; t < rows; t++) {
		const real *a = w + t * columns;
		bool linked_row = false;
		int best = 0;

		for (int j = 0; j < columns; j++) {
			best = a[j] > a[best] ? j : best;
			if (share[t][j] > 0)
				g->loss -= share[t][j] * log(a[j]);
			linked_row |= share[t][j] > 0;
		}
		g->rows += linked_row;
		g->right += share[t][best] > 0;
	}
}

/* The extra loss is `weight` times the sum of -G_tj log A_tj; see Garg et al. 2019. */
static void
check_guide(const char *spec, void (*fields)(struct record *, int64_t, int, int), int head,
	    double weight, shares share)
{
	static const char *const text[] = { "abcde|klm", "fg|nopqr" };
	static shares second = { { 0, 1 }, { 0 }, { 0 }, { 0.5, 0.5 } };
	struct guided g = { 0 };
	struct means y = { 0 };
	struct run plain, r;

	start_batch(&plain, NULL, 0, true, text, 2);
	setup_annotate = fields;
	start_batch(&r, &spec, 1, true, text, 2);
	forward(&r);
	count_guided(&g, weights_of(&r, "dec.1.cross", 0) + head * 4 * 6, 4, 6, share);
	count_guided(&g, weights_of(&r, "dec.1.cross", 1) + head * 6 * 3, 6, 3, second);
	if (off_by(r.loss - plain.loss, weight * g.loss, 1) > 1e-12)
		fail_msg("%s: loss %.15g, expected %.15g", spec, r.loss - plain.loss,
			 weight * g.loss);
	attention_set_report(r.m->attention, r.run.tape, &r.s.b, &y);
	assert_true(off_by(means_get(&y, "dev.alignment.dec.1.cross"), g.right / (double)g.rows,
			   1) < 1e-15);
	means_release(&y);
	stop(&plain);
	stop(&r);
}

static void
alignments_guide_a_head(void **state)
{
	/* Subwords of the first target word: those of the first and the third source word. */
	static shares words = {
		{ 0.25, 0.25, 0, 0.25, 0.25 }, { 0.25, 0.25, 0, 0.25, 0.25 }, { 0, 0, 1 }, { 0 }
	};
	static shares tokens = { { 0 }, { 0 }, { 0, 0, 0, 0, 1 }, { 0 } };

	(void)state;
	check_guide("guided-alignment", annotate_alignment, 0, 0.05, words);
	check_guide("guided-alignment:head=2,weight=3", annotate_alignment, 1, 3, words);
	check_guide("guided-alignment:layer=1", annotate_tokens, 0, 0.05, tokens);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_heads_have_their_weights),
		cmocka_unit_test(fixed_heads_read_no_queries_and_keys),
		cmocka_unit_test(defaults_leave_one_learned_head),
		cmocka_unit_test(parents_scale_the_scores),
		cmocka_unit_test(parents_are_ignored_in_training),
		cmocka_unit_test(trees_give_positions),
		cmocka_unit_test(values_have_positions),
		cmocka_unit_test(alignments_guide_a_head),
	};

	return cmocka_run_group_tests_name("formulas of papers", tests, NULL, NULL);
}
