/* schedule: rates against numbers worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "train/optimizer.h"

static void
near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 + 1e-9 * fabs(b)))
		fail_msg("%.15g is not %.15g", a, b);
}

static void
warm_up_is_linear(void **state)
{
	const struct schedule s = { .kind = SCHEDULE_INVERSE_SQRT, .lr = 5e-4, .lr_init = 1e-7,
				    .warmup = 4000 };

	(void)state;
	near(schedule_rate(&s, 1), 1e-7 + (5e-4 - 1e-7) / 4000);
	near(schedule_rate(&s, 2000), 2.5005e-4);
	near(schedule_rate(&s, 4000), 5e-4);
}

static void
inverse_sqrt_halves_when_updates_quadruple(void **state)
{
	const struct schedule s = { .kind = SCHEDULE_INVERSE_SQRT, .lr = 5e-4, .lr_init = 1e-7,
				    .warmup = 4000 };
	const struct schedule none = { .kind = SCHEDULE_INVERSE_SQRT, .lr = 1e-3 };

	(void)state;
	near(schedule_rate(&s, 16000), 2.5e-4);
	near(schedule_rate(&s, 400000), 5e-5);
	near(schedule_rate(&none, 100), 1e-4);
}

/* Methods 1: the story's recipe peaks at 1.4e-3 with width 512. */
static void
noam_is_the_formula(void **state)
{
	const struct schedule s = { .kind = SCHEDULE_NOAM, .factor = 4, .warmup = 16000,
				    .width = 512 };

	(void)state;
	near(schedule_rate(&s, 16000), 4 / sqrt(512.0) / sqrt(16000.0));
	assert_true(fabs(schedule_rate(&s, 16000) - 1.4e-3) < 0.01e-3);
	near(schedule_rate(&s, 4000), schedule_rate(&s, 16000) / 4);
	near(schedule_rate(&s, 64000), schedule_rate(&s, 16000) / 2);
	near(schedule_rate(&s, 1), 4 / sqrt(512.0) / (16000 * sqrt(16000.0)));
}

static void
constant_stays(void **state)
{
	const struct schedule s = { .kind = SCHEDULE_CONSTANT, .lr = 3e-4 };
	const struct schedule p = { .kind = SCHEDULE_PLATEAU, .lr = 3e-4, .warmup = 10 };

	(void)state;
	near(schedule_rate(&s, 1), 3e-4);
	near(schedule_rate(&s, 1000000), 3e-4);
	near(schedule_rate(&p, 5), 1.5e-4);
	near(schedule_rate(&p, 11), 3e-4);
}

/* Update 10 of 10 still learns; update 11 would not. */
static void
linear_ends_at_zero(void **state)
{
	const struct schedule s = { .kind = SCHEDULE_LINEAR, .lr = 1, .warmup = 2, .total = 10 };

	(void)state;
	near(schedule_rate(&s, 1), 0.5);
	near(schedule_rate(&s, 2), 1);
	near(schedule_rate(&s, 3), 8.0 / 9);
	near(schedule_rate(&s, 10), 1.0 / 9);
	near(schedule_rate(&s, 11), 0);
	near(schedule_rate(&s, 1000), 0);
}

static void
names_stand_in_order(void **state)
{
	(void)state;
	assert_string_equal(schedule_names[SCHEDULE_NOAM], "noam");
	assert_string_equal(schedule_names[SCHEDULE_PLATEAU], "plateau");
	assert_null(schedule_names[SCHEDULE_PLATEAU + 1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warm_up_is_linear),
		cmocka_unit_test(inverse_sqrt_halves_when_updates_quadruple),
		cmocka_unit_test(noam_is_the_formula),
		cmocka_unit_test(constant_stays),
		cmocka_unit_test(linear_ends_at_zero),
		cmocka_unit_test(names_stand_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
