/*
 * head-rows: the parts of the measures of heads by hand: words, rows, baselines, rare tokens,
 * sinks and copies.
 */
#include "head-vocab.h"

#include "analysis/sink-sums.h"

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

/* Of the offsets 1 2 2, the most frequent one is also the farthest. */
static void
the_farthest_offset_counts(void **state)
{
	struct syntax_counts c = { .arcs = 0 };
	struct syntax_arc arc[] = { { 0, 1, 2, 1 }, { 0, 1, 3, 2 }, { 0, 4, 6, 2 } };
	int offset;

	(void)state;
	syntax_counts_add(&c, &(struct syntax_arcs){ .arc = arc, .n = 3 });
	assert_true(fabs(syntax_counts_baseline(&c, &offset) - 2. / 3) < 1e-12);
	assert_int_equal(offset, 2);
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

static enum key_kind
kind_of(const char *token)
{
	return key_kind_of((struct str){ token, strlen(token) });
}

/* A tag, "Haus", a comma, "rot", and the end; rows predict "rot", "Haus" and "x". */
static void
sinks_and_copies(void **state)
{
	static const real x[] = {
		.25f, .125f, .125f, .5f, .0f,	/* copies */
		.5f, .0f, .25f, .25f, .0f,	/* could have copied */
		.0f, .0f, .0f, .0f, 1.f,	/* cannot, and attends to the end alone */
	};
	enum key_kind kind[] = { KEY_SPECIAL, KEY_CONTENT, KEY_PUNCTUATION, KEY_CONTENT,
				 KEY_SPECIAL };
	bool same[3 * 4] = { [0 * 4 + 3] = true, [1 * 4 + 1] = true };
	const struct head_weights w = { x, 3, 5, 3, 4, false };
	struct sink_sums s = { .rows = 0 };

	(void)state;
	assert_true(isnan(sink_sums_copy(&s)));
	sink_sums_add(&s, &w, &(struct sink_tokens){ kind, same });
	assert_int_equal(s.rows, 3);
	assert_true(s.special == 1.75);
	assert_true(s.first == .125);
	assert_true(s.punctuation == .375);
	assert_int_equal(s.copies, 1);
	assert_int_equal(s.chances, 2);
	assert_true(sink_sums_copy(&s) == .5);
	assert_true(sink_content(x, kind, 5) == .625);
	assert_true(sink_content(x + 10, kind, 5) == 0);
	assert_int_equal(kind_of("##,"), KEY_PUNCTUATION);
	assert_int_equal(kind_of("\xc3\xa4@@"), KEY_CONTENT);
	assert_int_equal(kind_of("3."), KEY_CONTENT);
	assert_int_equal(kind_of("\xe2\x96\x81"), KEY_PUNCTUATION);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_pieces),
		cmocka_unit_test(measures_of_rows),
		cmocka_unit_test(baselines),
		cmocka_unit_test(the_farthest_offset_counts),
		cmocka_unit_test(offsets_are_in_the_unit),
		cmocka_unit_test(rarest_tokens),
		cmocka_unit_test(sinks_and_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
