/*
 * config.c, model.c: settings as text, sizes, names and shapes of parameters,
 * positions.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "model/model.h"
#include "search/forced.h"

static void
settings_read_back_as_they_were(void **state)
{
	(void)state;
	for (const struct preset *p = presets; p->name; p++) {
		struct model_config c = presets[0].config;
		struct recipe r = presets[0].recipe;
		struct buf config, recipe, again;
		struct err e;

		config = (struct buf){ 0 };
		recipe = (struct buf){ 0 };
		again = (struct buf){ 0 };
		model_config_describe(&p->config, &config);
		cli_settings_describe(recipe_options, &p->recipe, &recipe);
		assert_int_equal(cli_settings(model_config_options, &c, config.data, &e), 0);
		assert_int_equal(cli_settings(recipe_options, &r, recipe.data, &e), 0);
		model_config_describe(&c, &again);
		assert_string_equal(config.data, again.data);
		buf_clear(&again);
		cli_settings_describe(recipe_options, &r, &again);
		assert_string_equal(recipe.data, again.data);
		assert_int_equal(model_config_check(&p->config, &e), 0);
		buf_release(&config);
		buf_release(&recipe);
		buf_release(&again);
	}
}

static void
impossible_settings_are_refused(void **state)
{
	struct model_config c = preset_find("fairseq")->config;
	struct err e;

	(void)state;
	assert_int_equal(model_size(&c, "huge", &e), -1);
	assert_int_equal(model_size(&c, "small", &e), 0);
	assert_int_equal(c.enc_layers, 3);
	assert_int_equal(c.width, 256);
	assert_int_equal(c.ff, 1024);
	assert_int_equal(c.heads, 4);
	c.dec_ff = 200;
	assert_int_equal(model_size(&c, "small", &e), 0);
	assert_int_equal(c.dec_ff, 0);
	c.heads = 7;
	assert_int_equal(model_config_check(&c, &e), -1);
	assert_string_equal(e.text, "7 heads, expected a divisor of width 256");
	c.heads = 1;
	c.width = 255;
	assert_int_equal(model_config_check(&c, &e), -1);
	assert_string_equal(e.text, "width 255, expected an even number");
	c.width = 256;
	c.max_length = 2;
	assert_int_equal(model_config_check(&c, &e), 0);
	c.max_length = 1;
	assert_int_equal(model_config_check(&c, &e), -1);
	assert_string_equal(e.text, "max_length is 1, expected 2 to 1e+06");
	c.max_length = 1000000;
	assert_int_equal(model_config_check(&c, &e), -1);
	c.max_length = 100;
	c.dec_layers = 0;
	assert_int_equal(model_config_check(&c, &e), -1);
	assert_string_equal(e.text, "dec_layers is 0, expected 1 to 64");
	assert_null(preset_find("marian"));
}

static struct model *
make_of(const struct model_config *from, int64_t width, int n_types)
{
	struct model_config c = *from;
	struct vocab v[2];
	struct model *m;
	struct err e;

	for (int k = 0; k < 2; k++) {
		struct strmap types;
		int64_t *count = calloc((size_t)n_types, sizeof(*count));

		types = (struct strmap){ 0 };
		for (int i = 0; i < n_types; i++) {
			char text[16];
			int n = snprintf(text, sizeof(text), "t%d", i);

			strmap_add(&types, text, (size_t)n);
			count[i] = 1;
		}
		vocab_from_counts(&v[k], &types, count, 1, 0);
		strmap_release(&types);
		free(count);
	}
	if (width) {
		c.enc_layers = c.dec_layers = 1;
		c.width = width;
		c.ff = 6;
		c.heads = 1;
	}
	m = model_new(&c, &v[0], &v[1], NULL, 0, &e);
	if (!m)
		fail_msg("%s", e.text);
	return m;
}

static struct model *
make(const char *preset, int64_t width, int n_types)
{
	return make_of(&preset_find(preset)->config, width, n_types);
}

static size_t
numbers(const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->params.n; i++)
		n += m->params.list[i]->n;
	return n;
}

/*
 * By hand, of T5 1.1 base: 12 (6 768 + 5 768 + 4 2,048) + 12 (9 768 + 10 768 + 4 2,048) = 473,088
 * values for a token of each side, of which 2^29 bytes hold 283.
 */
static void
large_models_have_smaller_batches(void **state)
{
	struct model_config c = preset_find("t5")->config;
	struct model *m = make("fairseq", 0, 100);

	(void)state;
	assert_int_equal(forced_tokens(m), 2048);
	model_free(m);
	c.enc_layers = c.dec_layers = c.heads = 12;
	c.width = 768;
	c.ff = 2048;
	m = make_of(&c, 0, 100);
	assert_int_equal(forced_tokens(m), 567);
	model_free(m);
}

/*
 * By hand: a layer of width D and F has 4 D(D+1) for attention, F(D+1) + D(F+1) for the
 * feed-forward part, and 2D a norm.  Vaswani et al. count 65 M with 37,000 types.
 */
static void
parameters_are_as_many_as_the_paper_says(void **state)
{
	const size_t d = 512, f = 2048, attention = 4 * d * (d + 1), ff = f * (d + 1) + d * (f + 1),
		     norm = 2 * d;
	const size_t layers = 6 * (attention + ff + 2 * norm) + 6 * (2 * attention + ff + 3 * norm);
	struct model *m;

	(void)state;
	m = make("fairseq", 0, 100);
	assert_int_equal(numbers(m), layers + 2 * 104 * d);
	model_free(m);
	m = make("onmt", 0, 100);
	assert_int_equal(numbers(m), layers + 2 * norm + 3 * 104 * d + 104);
	model_free(m);
	m = make("witwicky", 0, 100);
	assert_int_equal(numbers(m), layers + 2 * norm + 104 * d + 104);
	model_free(m);
	m = make("story", 0, 100);
	assert_int_equal(numbers(m), layers + 2 * norm + 3 * 104 * d + d);
	model_free(m);
}

/* The parameters of a model of size big, with n_types + 4 vocabulary entries, but fewer layers. */
static size_t
big_with_layers(int layers, int n_types)
{
	struct model_config c = preset_find("fairseq")->config;
	struct model *m;
	struct err e;
	size_t n;

	assert_int_equal(model_size(&c, "big", &e), 0);
	assert_int_equal(c.enc_layers, 6);
	assert_int_equal(c.dec_layers, 6);
	c.enc_layers = c.dec_layers = layers;
	c.pre_norm = c.final_norm = true;
	c.tie = TIE_NONE;
	m = make_of(&c, 0, n_types);
	n = numbers(m);
	model_free(m);
	return n;
}

/*
 * fairseq prints 391,401,472 parameters for transformer_wmt_en_de_big_t2t, which is pre-norm and
 * without tied embeddings, with 70,000 types (issue 239 of bytedance/lightseq).  Vaswani et al.
 * count 213 M with 37,000 types and tied embeddings.
 */
static void
big_has_as_many_parameters_as_published(void **state)
{
	const size_t d = 1024, one = big_with_layers(1, 100), layer = big_with_layers(2, 100) - one;
	const size_t inner = one + 5 * layer - 3 * 104 * d;
	struct model_config c = preset_find("fairseq")->config;
	struct err e;

	(void)state;
	assert_int_equal(inner + 3 * 70000 * d, 391401472);
	assert_true(llabs((long long)(inner + 37000 * d) - 213000000) < 2000000);
	assert_int_equal(model_size(&c, "base", &e), 0);
	assert_true(c.dropout_embed == 0.1 && c.dropout_residual == 0.1);
	assert_int_equal(model_size(&c, "big", &e), 0);
	assert_true(c.dropout_embed == 0.3 && c.dropout_residual == 0.3);
	assert_true(c.dropout_attention == 0 && c.dropout_relu == 0);
	assert_int_equal(c.heads, 16);
}

static void
check_position(const struct model *m, int64_t p, const double *expected)
{
	for (int i = 0; i < 6; i++)
		assert_true(fabs((double)m->positions[p * 6 + i] - expected[i]) < 1e-6);
}

/* Width 6: halves have wave lengths 1, 100, 10000; interleaved ones 1, 10000^(1/3), 10000^(2/3). */
static void
positions_are_those_of_the_toolkits(void **state)
{
	struct model *m;

	(void)state;
	m = make("fairseq", 6, 3);
	check_position(
		m, 0,
		(const double[]){ sin(2), sin(0.02), sin(0.0002), cos(2), cos(0.02), cos(0.0002) });
	check_position(
		m, 5,
		(const double[]){ sin(7), sin(0.07), sin(0.0007), cos(7), cos(0.07), cos(0.0007) });
	model_free(m);
	m = make("story", 6, 3);
	check_position(m, 0, (const double[]){ 0, 0, 0, 1, 1, 1 });
	check_position(
		m, 3,
		(const double[]){ sin(3), sin(0.03), sin(0.0003), cos(3), cos(0.03), cos(0.0003) });
	model_free(m);
	m = make("onmt", 6, 3);
	check_position(m, 4,
		       (const double[]){ sin(4), cos(4), sin(4 / 21.544346900318832),
					 cos(4 / 21.544346900318832), sin(4 / 464.15888336127773),
					 cos(4 / 464.15888336127773) });
	model_free(m);
}

/* Sines, then cosines, of the frequencies of the paper: MarianMT of Hugging Face transformers. */
static void
positions_of_marianmt_have_the_frequencies_of_the_paper(void **state)
{
	struct model_config c = preset_find("fairseq")->config;
	struct model *m;

	(void)state;
	c.positions = POSITIONS_HUGGINGFACE;
	c.position_first = 0;
	m = make_of(&c, 6, 3);
	check_position(m, 4,
		       (const double[]){ sin(4), sin(4 / 21.544346900318832),
					 sin(4 / 464.15888336127773), cos(4),
					 cos(4 / 21.544346900318832),
					 cos(4 / 464.15888336127773) });
	model_free(m);
}

/* Files of models that do not use what came later have the bytes that they had before it. */
static void
later_settings_are_described_only_where_they_are_used(void **state)
{
	static const char *const later[] = {
		"dec_ff=", "head_width=", "score_scale=", "activation=", "ff_gate=", "no_bias=",
		",norm=", "embed_scale=", "output_scale=", "embed_norm="
	};
	struct model_config c = preset_find("fairseq")->config;
	struct buf text;

	(void)state;
	text = (struct buf){ 0 };
	model_config_describe(&c, &text);
	assert_true(!strncmp(text.data,
			     "enc_layers=6,dec_layers=6,width=512,ff=2048,heads=8,pre_norm=off,",
			     65));
	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++)
		assert_null(strstr(text.data, later[i]));
	buf_clear(&text);
	c.dec_ff = 1024;
	c.activation = ACTIVATION_GELU_TANH;
	c.embed_scale = EMBED_SCALE_ONE;
	c.embed_norm = true;
	model_config_describe(&c, &text);
	assert_non_null(strstr(text.data, "ff=2048,dec_ff=1024,heads=8,activation=gelu_tanh,"));
	assert_non_null(strstr(text.data, "embed_scale=one,embed_norm=on,"));
	buf_release(&text);
}

/* Of tables of positions, norms after embeddings and a decoder's own width: by hand. */
static void
switches_of_others_add_their_parameters(void **state)
{
	struct model_config c = preset_find("fairseq")->config;
	const size_t d = 6;
	struct model *plain = make_of(&c, (int64_t)d, 3), *m;
	const struct param *p;

	(void)state;
	c.positions = POSITIONS_LEARNED;
	c.max_length = 50;
	c.embed_norm = true;
	c.dec_ff = 4;
	m = make_of(&c, (int64_t)d, 3);
	assert_null(m->positions);
	assert_int_equal(numbers(m), numbers(plain) + 2 * 50 * d + 4 * d - 2 * (2 * d + 1));
	p = params_find(&m->params, "tgt.position.weight");
	assert_true(p && p->d[0] == 50 && p->d[1] == 6);
	assert_non_null(params_find(&m->params, "src.embed.norm.gain"));
	p = params_find(&m->params, "dec.1.ff.in.weight");
	assert_true(p && p->d[0] == 4);
	p = params_find(&m->params, "enc.1.ff.in.weight");
	assert_true(p && p->d[0] == 6);
	model_free(m);
	model_free(plain);
}

/* Largest value and mean square of a parameter. */
static void
measure(const struct model *m, const char *name, size_t from, size_t n, double *largest,
	double *square)
{
	const struct param *p = params_find(&m->params, name);

	assert_non_null(p);
	*largest = *square = 0;
	for (size_t i = from; i < from + n; i++) {
		double x = fabs((double)p->x[i]);

		*largest = x > *largest ? x : *largest;
		*square += x * x / (double)n;
	}
}

/*
 * A uniform matrix comes near its limit and has mean square limit^2 / 3; a normal one only has a
 * mean square.
 */
static void
check_start(const struct model *m, const char *name, double variance, double limit)
{
	const struct param *p = params_find(&m->params, name);
	double largest, square;

	assert_non_null(p);
	measure(m, name, (size_t)p->n / 4, p->n / 2, &largest, &square);
	assert_true(fabs(square / variance - 1) < 0.1);
	if (limit > 0)
		assert_true(largest <= limit && largest > 0.98 * limit);
	else
		assert_true(largest > 2.5 * sqrt(variance));
}

static void
parameters_begin_as_in_the_toolkits(void **state)
{
	const double d = 64;
	struct model *m[4];
	int k = 0;

	(void)state;
	for (const struct preset *p = presets; p->name; p++, k++) {
		m[k] = make(p->name, 64, 96);
		params_allocate(&m[k]->params, false);
		model_randomize(m[k], 3);
	}
	/* fairseq: Xavier over [D,D] with gain 1/sqrt(2); the rest with gain 1 */
	check_start(m[0], "enc.1.self.qkv.weight", 0.5 * 2 / (2 * d), sqrt(0.5 * 6 / (2 * d)));
	check_start(m[0], "dec.1.cross.kv.weight", 0.5 * 2 / (2 * d), sqrt(0.5 * 6 / (2 * d)));
	check_start(m[0], "dec.1.cross.out.weight", 2 / (2 * d), sqrt(6 / (2 * d)));
	check_start(m[0], "src.embed.weight", 1 / d, 0);
	/* OpenNMT-py: Xavier everywhere */
	check_start(m[1], "dec.1.self.qkv.weight", 2 / (2 * d), sqrt(6 / (2 * d)));
	check_start(m[1], "tgt.embed.weight", 2 / (d + 100), sqrt(6 / (d + 100)));
	check_start(m[1], "output.weight", 2 / (d + 100), sqrt(6 / (d + 100)));
	/* Witwicky: Xavier-normal of [3D,D] */
	check_start(m[2], "enc.1.self.qkv.weight", 2 / (4 * d), 0);
	check_start(m[2], "dec.1.cross.q.weight", 2 / (4 * d), 0);
	check_start(m[2], "embed.weight", 1 / d, 0);
	/* story: Glorot of what is fused */
	check_start(m[3], "enc.1.self.qkv.weight", 2 / (4 * d), sqrt(6 / (4 * d)));
	check_start(m[3], "dec.1.cross.kv.weight", 2 / (3 * d), sqrt(6 / (3 * d)));
	for (k = 0; k < 4; k++) {
		double largest, square;

		measure(m[k], k == 2 ? "embed.weight" : "tgt.embed.weight", VOCAB_PAD, 64, &largest,
			&square);
		assert_true(largest == 0);
		measure(m[k], "enc.1.ff.norm.gain", 0, 64, &largest, &square);
		assert_true(largest == 1 && square == 1);
		measure(m[k], "enc.1.ff.in.bias", 0, 6, &largest, &square);
		assert_true(largest == 0);
		model_free(m[k]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_read_back_as_they_were),
		cmocka_unit_test(impossible_settings_are_refused),
		cmocka_unit_test(large_models_have_smaller_batches),
		cmocka_unit_test(parameters_are_as_many_as_the_paper_says),
		cmocka_unit_test(big_has_as_many_parameters_as_published),
		cmocka_unit_test(positions_are_those_of_the_toolkits),
		cmocka_unit_test(positions_of_marianmt_have_the_frequencies_of_the_paper),
		cmocka_unit_test(later_settings_are_described_only_where_they_are_used),
		cmocka_unit_test(switches_of_others_add_their_parameters),
		cmocka_unit_test(parameters_begin_as_in_the_toolkits),
	};

	return cmocka_run_group_tests_name("configuration of models", tests, NULL, NULL);
}
