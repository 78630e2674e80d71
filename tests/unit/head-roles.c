/*
 * head-roles: in a model with hand-set weights, a head that attends to the subword before, one that
 * attends to the syntactic head and one that attends to the rarest subword get these roles.
 * Uniform heads and heads with random weights on random trees do not.  Words from subwords and
 * baselines of fixed offsets are compared with values computed by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/head-roles.h"
#include "base/rng.h"
#include "model/runtime.h"

/*
 * A language of verbs v0 ... v7 and nouns n0 ... n47; noun k depends on verb k / 6.  A sentence has
 * some verbs, each once, the first of which is the root, and some of their nouns, in any order.
 */
enum { VERBS = 8, NOUNS = 48, TYPES = VERBS + NOUNS, CODE = 8, WIDTH = 64, HEADS = 4, HEAD = 16,
       SENTENCES = 60, LONGEST = 16, FREQUENT = 20 };

static int
verb_of(int type)
{
	return type < VERBS ? 0 : (type - VERBS) / (NOUNS / VERBS);
}

/* Names whose alphabetical order is the order of the types. */
static int
name_type(char *to, size_t n, int type)
{
	return snprintf(to, n, "%c%02d", type < VERBS ? 'v' : 'n', type);
}

static void
make_vocab(struct vocab *v)
{
	struct strmap types;
	int64_t count[TYPES];
	char name[16];

	strmap_init(&types);
	for (int i = 0; i < TYPES; i++) {
		strmap_add(&types, name, (size_t)name_type(name, sizeof(name), i));
		count[i] = 1000 - i;
	}
	vocab_from_counts(v, &types, count, 1, 0);
	strmap_release(&types);
}

/* --- the model --- */

static struct model *
make_model(uint64_t seed)
{
	struct model_config c = preset_find("story")->config;
	struct vocab src, tgt;
	struct model *m;
	struct err e;

	c.enc_layers = 2;
	c.dec_layers = 1;
	c.width = WIDTH;
	c.ff = 32;
	c.heads = HEADS;
	c.max_length = 64;
	c.pre_norm = false;
	c.positions = POSITIONS_HALVES;
	make_vocab(&src);
	make_vocab(&tgt);
	m = model_new(&c, &src, &tgt, NULL, 0, &e);
	assert_non_null(m);
	params_allocate(&m->params, false);
	model_randomize(m, seed);
	return m;
}

static real *
values(struct model *m, const char *name)
{
	struct param *p = params_find(&m->params, name);

	assert_non_null(p);
	return p->x;
}

/*
 * The sines of the slower half of the waves are almost 0 for short sentences, so that columns 16
 * ... 31 can encode the type.  Eight have its own code, eight the code of its verb; column 31 of
 * the cosines, 63, is almost 1.  Codes are signs that differ for each verb; the own code of a noun
 * is 0.  The rarity of a type is in column 31, minus half a step, which is small.
 */
static void
plant_types(struct model *m)
{
	real *table = values(m, "src.embed.weight");

	memset(table, 0, (size_t)m->src.n * WIDTH * sizeof(*table));
	for (int i = 0; i < TYPES; i++) {
		real *row = table + (ptrdiff_t)(VOCAB_SPECIALS + i) * WIDTH;
		const int own = i < VERBS ? i : -1, up = verb_of(i);

		for (int k = 0; k < CODE - 1; k++) {
			row[16 + k] = own < 0 ? 0 : (real)((own * 37 + 11) >> k & 1 ? 1 : -1);
			row[24 + k] = (real)((up * 37 + 11) >> k & 1 ? 1 : -1);
		}
		row[31] = (real)i / TYPES;
	}
}

/* Sets the weight from a column of the input to a position of a head. */
static void
plant(struct model *m, bool key, int head, int place, int column, double by)
{
	real *w = values(m, "enc.1.self.qkv.weight");

	w[((key ? WIDTH : 0) + head * HEAD + place) * WIDTH + column] += (real)by;
}

/*
 * Queries are the position shifted back by one step: sin(a - f), cos(a - f) of the eight fastest
 * waves.
 */
static void
plant_before(struct model *m, int head)
{
	for (int i = 0; i < HEAD / 2; i++) {
		const double f = exp(-log(10000.0) * i / (WIDTH / 2 - 1));

		plant(m, true, head, 2 * i, i, 10);
		plant(m, true, head, 2 * i + 1, WIDTH / 2 + i, 10);
		plant(m, false, head, 2 * i, i, 10 * cos(f));
		plant(m, false, head, 2 * i, WIDTH / 2 + i, -10 * sin(f));
		plant(m, false, head, 2 * i + 1, WIDTH / 2 + i, 10 * cos(f));
		plant(m, false, head, 2 * i + 1, i, 10 * sin(f));
	}
}

static void
plant_verb(struct model *m, int head)
{
	for (int k = 0; k < CODE - 1; k++) {
		plant(m, false, head, k, 24 + k, 1);
		plant(m, true, head, k, 16 + k, 1);
	}
}

static void
plant_rare(struct model *m, int head)
{
	plant(m, false, head, 0, WIDTH - 1, 20);
	plant(m, true, head, 0, 31, 20);
}

static struct model *
planted_model(void)
{
	struct model *m = make_model(5);
	real *w = values(m, "enc.1.self.qkv.weight");

	plant_types(m);
	memset(w, 0, 2 * WIDTH * WIDTH * sizeof(*w));
	plant_before(m, 0);
	plant_verb(m, 1);
	plant_rare(m, 2);
	return m;
}

/* --- sentences --- */

struct text {
	char name[LONGEST][16];
	struct str piece[LONGEST], rel[LONGEST];
	int32_t head[LONGEST], word[LONGEST];
	int type[LONGEST], n;
	char line[LONGEST * 16];
};

/* Two verbs and nouns of theirs, shuffled. */
static void
choose_types(struct text *t, struct rng *r)
{
	uint32_t verb[VERBS], order[LONGEST], type[LONGEST];
	int n = 0;

	rng_permutation(r, verb, VERBS);
	type[n++] = verb[0];
	type[n++] = verb[1];
	for (uint32_t v = 0; v < 2; v++) {
		const uint32_t nouns = 2 + rng_below(r, 4);
		uint32_t noun[NOUNS / VERBS];

		rng_permutation(r, noun, NOUNS / VERBS);
		for (uint32_t k = 0; k < nouns; k++)
			type[n++] = VERBS + verb[v] * (NOUNS / VERBS) + noun[k];
	}
	rng_permutation(r, order, (size_t)n);
	t->n = n;
	for (int i = 0; i < n; i++)
		t->type[i] = (int)type[order[i]];
	t->head[0] = (int32_t)verb[0];	/* temporarily the type of the root */
}

static int32_t
place_of(const struct text *t, int type)
{
	for (int i = 0; i < t->n; i++)
		if (t->type[i] == type)
			return i + 1;
	return 0;
}

static void
make_text(struct text *t, struct rng *r)
{
	int root, at = 0;

	choose_types(t, r);
	root = t->head[0];
	for (int i = 0; i < t->n; i++) {
		const int type = t->type[i];
		const char *rel = type == root ? "root" : type < VERBS ? "conj" : "nsubj:any";

		t->piece[i].s = t->name[i];
		t->piece[i].n = (size_t)name_type(t->name[i], sizeof(t->name[i]), type);
		t->head[i] = type == root ? 0 : place_of(t, type < VERBS ? root : verb_of(type));
		t->rel[i] = (struct str){ rel, strlen(rel) };
		t->word[i] = i;
		at += snprintf(t->line + at, sizeof(t->line) - (size_t)at, "%s%s", i ? " " : "",
			       t->name[i]);
	}
}

/* Each word depends on a random earlier word. */
static void
make_random_tree(struct text *t, struct rng *r)
{
	for (int i = 0; i < t->n; i++)
		t->head[i] = i ? 1 + (int32_t)rng_below(r, (uint32_t)i) : 0;
}

static struct record *
make_record(struct rng *r, bool random)
{
	struct record *rec = record_new();
	struct text t;

	make_text(&t, r);
	if (random)
		make_random_tree(&t, r);
	record_set_str(rec, "src", t.line, strlen(t.line));
	record_set_strs(rec, "src.pieces", t.piece, (size_t)t.n);
	record_set_ints(rec, "src.word", t.word, (size_t)t.n);
	record_set_ints(rec, "src.heads", t.head, (size_t)t.n);
	record_set_strs(rec, "src.rels", t.rel, (size_t)t.n);
	return rec;
}

/* --- measures --- */

struct looking { struct head_roles roles; struct relation_list relations; struct rare_words rare; };

static void
look(struct looking *l, struct model *m, int n, double margin, bool random)
{
	struct record *rec[SENTENCES];
	int64_t number[SENTENCES];
	struct runtime run;
	struct batch b;
	struct rng r;
	struct err e;

	rng_init(&r, 1, rng_purpose("planted"), 0);
	for (int i = 0; i < n; i++) {
		rec[i] = make_record(&r, random);
		number[i] = i;
	}
	assert_int_equal(relation_list_parse(&l->relations, "subject=nsubj,conj", &e), 0);
	rare_words_of_vocab(&l->rare, &m->src);
	l->roles = (struct head_roles){ .m = m, .relations = &l->relations, .rare = &l->rare,
					.frequent = FREQUENT, .trees = true, .margin = margin };
	head_roles_begin(&l->roles);
	assert_int_equal(runtime_open(&run, NULL, PRECISION_FP32, 1, &e), 0);
	assert_int_equal(model_batch(m, &b, tape_arena(run.tape), (const struct record *const *)rec,
				     number, n, NULL, &e), 0);
	model_encode(m, run.tape, &b);
	assert_int_equal(head_roles_add(&l->roles, run.tape, &b, &e), 0);
	runtime_close(&run);
	for (int i = 0; i < n; i++)
		record_free(rec[i]);
}

static void
look_end(struct looking *l, struct head_table *t)
{
	head_table_release(t);
	head_roles_release(&l->roles);
	relation_list_release(&l->relations);
	rare_words_release(&l->rare);
}

static const char *
role_of(const struct head_table *t, size_t row)
{
	return head_table_text(head_table_find(t, "role"), row);
}

static double
measure(const struct head_table *t, const char *name, size_t row)
{
	const struct head_column *c = head_table_find(t, name);

	assert_non_null(c);
	return head_table_get(c, row);
}

static void
at_least(double x, double least)
{
	if (!(x >= least))
		fail_msg("%g, expected %g or more", x, least);
}

static void
planted_heads_are_called_what_they_are(void **state)
{
	struct model *m = planted_model();
	struct looking l = { .rare.n = 0 };
	struct head_table t;

	(void)state;
	head_table_init(&t);
	look(&l, m, SENTENCES, 0.1, false);
	head_roles_fill(&l.roles, &t);
	assert_int_equal(t.n, 2 * HEADS);
	assert_string_equal(role_of(&t, 0), "positional");
	assert_true(measure(&t, "offset", 0) == -1);
	assert_true(measure(&t, "positional", 0) == 1);
	at_least(measure(&t, "confidence", 0), 0.9);
	at_least(0.7, measure(&t, "entropy", 0));
	assert_string_equal(role_of(&t, 1), "syntactic");
	assert_true(measure(&t, "syntax.subject.dep", 1) == 1);
	at_least(0.5, measure(&t, "syntax.subject.base", 1));
	assert_string_equal(role_of(&t, 2), "rare");
	assert_true(measure(&t, "rare", 2) == 1 && measure(&t, "rare2", 2) == 1);
	assert_string_equal(role_of(&t, 3), "other");
	assert_true(fabs(measure(&t, "confidence", 3) - exp(-measure(&t, "entropy", 3))) < 0.02);
	assert_true(isnan(measure(&t, "rare", HEADS)));
	look_end(&l, &t);
	model_free(m);
}

/* A head that is always right exceeds any margin that can be reached. */
static void
margins_decide(void **state)
{
	static const struct { double margin; bool relative; const char *role; } tries[] = {
		{ 0.4, false, "syntactic" }, { 0.9, false, "other" },
		{ 0.9, true, "syntactic" }, { 9, true, "other" },
	};
	struct model *m = planted_model();

	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		struct looking l = { .rare.n = 0 };
		struct head_table t;

		head_table_init(&t);
		look(&l, m, SENTENCES, tries[i].margin, false);
		l.roles.relative = tries[i].relative;
		head_roles_fill(&l.roles, &t);
		assert_string_equal(role_of(&t, 1), tries[i].role);
		look_end(&l, &t);
	}
	model_free(m);
}

/* Three sentences have fewer than 30 dependencies. */
static void
few_dependencies_say_nothing(void **state)
{
	struct model *m = planted_model();
	struct looking l = { .rare.n = 0 };
	struct head_table t;

	(void)state;
	head_table_init(&t);
	look(&l, m, 3, 0.1, false);
	head_roles_fill(&l.roles, &t);
	assert_true(measure(&t, "syntax.subject.dep", 1) == 1);
	assert_string_equal(role_of(&t, 1), "other");
	assert_string_equal(role_of(&t, 0), "positional");
	look_end(&l, &t);
	model_free(m);
}

static void
random_heads_are_other(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct model *m = make_model(seed);
		struct looking l = { .rare.n = 0 };
		struct head_table t;

		head_table_init(&t);
		look(&l, m, SENTENCES, 0.1, true);
		head_roles_fill(&l.roles, &t);
		for (size_t i = 0; i < t.n; i++)
			assert_string_equal(role_of(&t, i), "other");
		look_end(&l, &t);
		model_free(m);
	}
}

/* --- values computed by hand --- */

/* Three words with subwords a b | c | d e; a depends on c, c on d. */
static const int32_t word[] = { 0, 0, 1, 2, 2 };
static const real weights[] = {
	.1f, .1f, .3f, .2f, .3f,	/* a: words .2 .3 .5 */
	.0f, .1f, .7f, .2f, .0f,	/* b: words .1 .7 .2; mean of both .15 .5 .35 */
	.3f, .3f, .0f, .4f, .0f,	/* c: words .6 .0 .4 */
	.0f, .0f, .1f, .3f, .6f,	/* d: words .0 .1 .9 */
	.1f, .0f, .8f, .1f, .0f,	/* e: words .1 .8 .1; mean of both .05 .45 .5 */
};

static void
hits_of(enum syntax_unit unit, int64_t hits[4])
{
	struct dep_sentence s = { .n = 0 };
	struct relation_list l;
	struct syntax_arcs a = { .n = 0 };
	const struct head_weights w = { weights, 5, 5, 5, 5, false };
	int best[3];
	double row[3];
	struct err e;

	for (int i = 0; i < 3; i++) {
		struct dep_word *d = dep_sentence_add(&s, "x", 1);

		d->head = (int[]){ 2, 3, 0 }[i];
		d->rel = (const char *[]){ "p", "q:r", "root" }[i];
	}
	assert_int_equal(relation_list_parse(&l, "p,q", &e), 0);
	memset(hits, 0, 4 * sizeof(*hits));
	syntax_arcs_find(&a, &s, &l, word, 5, unit);
	syntax_hits_add(hits, &a, &w, unit, best, row);
	syntax_arcs_release(&a);
	relation_list_release(&l);
	dep_sentence_release(&s);
}

static void
words_of_pieces(void **state)
{
	int64_t hits[4];

	(void)state;
	/*
	 * Words attend most: 0 to 1, 1 to 0, 2 to itself.  p: 0 -> 1 in both directions; q: 1 -> 2
	 * in neither.
	 */
	hits_of(UNIT_WORD, hits);
	assert_memory_equal(hits, ((int64_t[]){ 1, 1, 0, 0 }), sizeof(hits[0]) * 4);
	/* First subwords a c d: a to c, c to d, d to itself. */
	hits_of(UNIT_FIRST, hits);
	assert_memory_equal(hits, ((int64_t[]){ 1, 0, 1, 0 }), sizeof(hits[0]) * 4);
	/* Last subwords b c e: b to c, c to b, e to c. */
	hits_of(UNIT_LAST, hits);
	assert_memory_equal(hits, ((int64_t[]){ 1, 1, 0, 1 }), sizeof(hits[0]) * 4);
	/* No two words have a single subword. */
	hits_of(UNIT_UNSPLIT, hits);
	assert_memory_equal(hits, ((int64_t[]){ 0, 0, 0, 0 }), sizeof(hits[0]) * 4);
}

/*
 * Rows with five columns, the last of which is the end-of-sentence token: maxima in columns 2 0 (0)
 * 3 of four.
 */
static void
measures_of_rows(void **state)
{
	static const real x[] = {
		.1f, .2f, .5f, .1f, .1f,
		.6f, .1f, .1f, .0f, .2f,
		.1f, .0f, .0f, .0f, .9f,	/* without the end, the maximum is .1 in column 0 */
		.0f, .0f, .0f, 1.f, .0f,
		.2f, .2f, .2f, .2f, .2f,	/* the row of the end */
	};
	const struct head_weights w = { x, 5, 5, 4, 4, false };
	struct attention_sums s = { .rows = 0 };
	double share;

	(void)state;
	attention_sums_add(&s, &w);
	attention_sums_add(&s, &(struct head_weights){ x, 5, 5, 1, 4, false });
	assert_int_equal(s.rows, 5);
	/* .5 .6 .1 1, then .5 */
	assert_true(fabs(s.confidence - 2.7) < 1e-6 &&
		    fabs(s.confidence_mean - (2.2 / 4 + .5)) < 1e-6);
	/*
	 * Offsets 2 -1 -2 0 2: the mode is 2, which is possible in rows 0 and 1 of four and in the
	 * last row.
	 */
	assert_int_equal(attention_sums_offset(&s, &share), 2);
	assert_true(fabs(share - 2. / 3) < 1e-12);
	/* By distance: .2 + 1. + .3, .6 + .1, .2, 0; weights .9 .8 .1 1. */
	assert_true(fabs(s.distance - (1.5 + .7 + .2 + 1.5)) < 1e-6 && fabs(s.weight - 3.7) < 1e-6);
	assert_true(isnan(attention_sums_share(&s, 5)));
}

static void
baselines(void **state)
{
	struct syntax_counts c = { .arcs = 0 };
	struct syntax_arc arc[] = { { 0, 1, 3, 2 }, { 0, 5, 4, -1 }, { 0, 0, 9, 9 },
				    { 0, 3, 5, 2 }, { 0, 7, 6, -1 }, { 0, 9, 0, -9 } };
	const struct syntax_arcs a = { .arc = arc, .n = 6 };
	int offset;

	(void)state;
	assert_true(isnan(syntax_counts_baseline(&c, &offset)));
	syntax_counts_add(&c, &a);
	/* Offsets 2 -1 9 2 -1 -9: the nearer of two equally frequent ones. */
	assert_true(fabs(syntax_counts_baseline(&c, &offset) - 2. / 6) < 1e-12);
	assert_int_equal(offset, -1);
	syntax_counts_release(&c);
}

/*
 * Three sentences of three words, the first of which depends on the last, two words away.  The word
 * between them has one, three and five subwords, so that the offset in subwords is 2, 4 and 6.  In
 * a fourth sentence the last word has two subwords, so that UNIT_UNSPLIT leaves its arc out.
 */
static void
offsets_are_in_the_unit(void **state)
{
	static const int32_t sentence[][7] = { { 0, 1, 2 }, { 0, 1, 1, 1, 2 },
					       { 0, 1, 1, 1, 1, 1, 2 }, { 0, 1, 2, 2 } };
	static const int pieces[] = { 3, 5, 7, 4 };
	static const struct { enum syntax_unit unit; double base; } tries[] = {
		{ UNIT_WORD, 1 }, { UNIT_FIRST, 1 }, { UNIT_LAST, 1 }, { UNIT_UNSPLIT, 1. / 3 }
	};
	struct relation_list l;
	struct err e;

	(void)state;
	assert_int_equal(relation_list_parse(&l, "p", &e), 0);
	for (size_t k = 0; k < sizeof(tries) / sizeof(*tries); k++) {
		struct syntax_counts c = { .arcs = 0 };
		struct syntax_arcs a = { .n = 0 };
		int offset;

		for (int i = 0; i < 4; i++) {
			struct dep_sentence s = { .n = 0 };

			for (int w = 0; w < 3; w++) {
				struct dep_word *d = dep_sentence_add(&s, "x", 1);

				d->head = (int[]){ 3, 3, 0 }[w];
				d->rel = (const char *[]){ "p", "q", "root" }[w];
			}
			syntax_arcs_find(&a, &s, &l, sentence[i], pieces[i], tries[k].unit);
			syntax_counts_add(&c, &a);
			dep_sentence_release(&s);
		}
		assert_int_equal(c.arcs, tries[k].unit == UNIT_UNSPLIT ? 3 : 4);
		assert_true(fabs(syntax_counts_baseline(&c, &offset) - tries[k].base) < 1e-12);
		assert_int_equal(offset, 2);
		syntax_arcs_release(&a);
		syntax_counts_release(&c);
	}
	relation_list_release(&l);
}

static void
rarest_tokens(void **state)
{
	static const int id[] = { VOCAB_SPECIALS + 3, VOCAB_SPECIALS + 9, VOCAB_SPECIALS,
				  VOCAB_SPECIALS + 9 };
	static const char counts[] = "v03 7\nn09 7\nv00 2\nother 1\n";
	struct rare_words r = { .n = 0 };
	struct vocab v;
	struct err e;
	int rarest[2];

	(void)state;
	make_vocab(&v);
	rare_words_of_vocab(&r, &v);
	assert_true(rare_words_find(&r, 9, id, 4, rarest));
	assert_int_equal(rarest[0], 1);
	assert_int_equal(rarest[1], 3);
	assert_false(rare_words_find(&r, 10, id, 4, rarest));
	assert_false(rare_words_find(&r, 0, id, 0, rarest));
	rare_words_release(&r);
	/* Ranks 0 0 2: v00 is the rarest, then the first of the others. */
	assert_int_equal(rare_words_of_counts(&r, &v, "counts", counts, sizeof(counts) - 1, &e), 0);
	assert_true(rare_words_find(&r, 2, id, 4, rarest));
	assert_int_equal(rarest[0], 2);
	assert_int_equal(rarest[1], 0);
	assert_false(rare_words_find(&r, 3, id, 4, rarest));
	rare_words_release(&r);
	vocab_release(&v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_heads_are_called_what_they_are),
		cmocka_unit_test(margins_decide),
		cmocka_unit_test(few_dependencies_say_nothing),
		cmocka_unit_test(random_heads_are_other),
		cmocka_unit_test(words_of_pieces),
		cmocka_unit_test(measures_of_rows),
		cmocka_unit_test(baselines),
		cmocka_unit_test(offsets_are_in_the_unit),
		cmocka_unit_test(rarest_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
