/* Gradients of whole models, with dropout, compared with central differences. */
#include "setup.h"

/* Without the letter l, which the output mask excludes: all losses are finite. */
static const char *const text[] = { "abcd|kmn", "e|o", "fghia|pqrst", "bb|kk" };

static void
check_model(struct model *m)
{
	struct setup_batch s;

	setup_stir(m);
	setup_batch(&s, m, text, NULL, 4);
	setup_check_gradient(m, &s.b);
	setup_batch_end(&s);
	model_free(m);
}

static void
check_preset(const char *name)
{
	struct model_config c = setup_config(name);

	c.dropout_attention = c.dropout_relu = 0.2;
	check_model(setup_model_of(&c, name, NULL, 0, 7));
}

static void
fairseq_has_a_correct_gradient(void **state)
{
	(void)state;
	check_preset("fairseq");
}

static void
onmt_has_a_correct_gradient(void **state)
{
	(void)state;
	check_preset("onmt");
}

static void
witwicky_has_a_correct_gradient(void **state)
{
	(void)state;
	check_preset("witwicky");
}

static void
story_has_a_correct_gradient(void **state)
{
	(void)state;
	check_preset("story");
}

static void
models_of_others_have_the_right_gradient(void **state)
{
	(void)state;
	check_preset("marian");
	check_preset("t5");
	check_preset("bart");
	check_preset("m2m");
}

/* Combinations of settings that no preset has. */
static void
other_settings_have_a_correct_gradient(void **state)
{
	struct model_config c = setup_config("fairseq");

	(void)state;
	c.final_norm = true;
	c.src_bias = true;
	c.output_bias = true;
	c.first = TARGET_ZERO;
	c.src_eos = false;
	c.enc_layers = 1;
	check_model(setup_model_of(&c, "story", NULL, 0, 8));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fairseq_has_a_correct_gradient),
		cmocka_unit_test(onmt_has_a_correct_gradient),
		cmocka_unit_test(witwicky_has_a_correct_gradient),
		cmocka_unit_test(story_has_a_correct_gradient),
		cmocka_unit_test(models_of_others_have_the_right_gradient),
		cmocka_unit_test(other_settings_have_a_correct_gradient),
	};

	return cmocka_run_group_tests_name("gradients of whole models", tests, NULL, NULL);
}
