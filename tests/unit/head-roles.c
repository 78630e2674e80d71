/*
 * head-roles: in a model with hand-set weights, a head that attends to the subword before, one that
 * attends to the syntactic head and one that attends to the rarest subword get these roles.
 * Uniform heads and heads with random weights on random trees do not.
 */
#include "head-vocab.h"
#include "model/model-input.h"

static int
verb_of(int type)
{
	return type < VERBS ? 0 : (type - VERBS) / (NOUNS / VERBS);
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

static int
add_roles(void *arg, const struct sentence_attention *s, struct err *e)
{
	return head_roles_add(arg, s, e);
}

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
	l->roles = (struct head_roles){ .sites = sites_of_model(m), .relations = &l->relations,
					.rare = &l->rare, .frequent = FREQUENT, .trees = true,
					.margin = margin };
	head_roles_begin(&l->roles);
	assert_int_equal(runtime_open(&run, NULL, PRECISION_FP32, 1, &e), 0);
	assert_int_equal(model_batch(m, &b, tape_arena(run.tape), (const struct record *const *)rec,
				     number, n, NULL, &e), 0);
	model_encode(m, run.tape, &b);
	assert_int_equal(sentence_attention_each(m, run.tape, &b, add_roles, &l->roles, &e), 0);
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
	t = (struct head_table){ 0 };
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

		t = (struct head_table){ 0 };
		look(&l, m, SENTENCES, tries[i].margin, false);
		l.roles.relative = tries[i].relative;
		head_roles_fill(&l.roles, &t);
		assert_string_equal(role_of(&t, 1), tries[i].role);
		look_end(&l, &t);
	}
	model_free(m);
}

/* 9 of 30 is 10 points above 6 of 30, although 0.3 < 0.2 + 0.1 in binary. */
static void
a_margin_that_is_met_exactly_suffices(void **state)
{
	struct model *m = planted_model();

	(void)state;
	for (int hits = 8; hits <= 9; hits++) {
		struct looking l = { .rare.n = 0 };
		struct syntax_counts *c;
		struct head_table t;

		t = (struct head_table){ 0 };
		look(&l, m, SENTENCES, 0.1, false);
		for (size_t i = 0; i < l.relations.n; i++) {
			c = &l.roles.counts[i];
			for (int k = 0; k <= 2 * c->reach; k++)
				c->at[k] = k == c->reach + 1 ? 6 : 0;
			c->arcs = 30;
		}
		for (size_t i = 0; i < 2 * HEADS * l.relations.n * SYNTAX_WAYS; i++)
			l.roles.hits[i] = hits;
		head_roles_fill(&l.roles, &t);
		assert_string_equal(role_of(&t, 3), hits == 9 ? "syntactic" : "other");
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
	t = (struct head_table){ 0 };
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

		t = (struct head_table){ 0 };
		look(&l, m, SENTENCES, 0.1, true);
		head_roles_fill(&l.roles, &t);
		for (size_t i = 0; i < t.n; i++)
			assert_string_equal(role_of(&t, i), "other");
		look_end(&l, &t);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_heads_are_called_what_they_are),
		cmocka_unit_test(margins_decide),
		cmocka_unit_test(a_margin_that_is_met_exactly_suffices),
		cmocka_unit_test(few_dependencies_say_nothing),
		cmocka_unit_test(random_heads_are_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
