/* facts-add: facts of operands and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "results/facts-add.h"

static void
test_operands(void **state)
{
	struct buf facts = { 0 };
	struct err e;

	(void)state;
	facts_add(&facts, "paper", "heads");
	assert_int_equal(facts_add_operand(&facts, "variant=a=b", &e), 0);
	assert_int_equal(facts_add_operand(&facts, "note=", &e), 0);
	assert_int_equal(facts_add_operand(&facts, "settings=--lr  0.1", &e), 0);
	assert_string_equal(facts.data, "paper\theads\nvariant\ta=b\nsettings\t--lr 0.1\n");
	buf_release(&facts);
}

static void
test_wrong_operands(void **state)
{
	static const char *const wrong[] = { "name", "=value", "a b=c", "name=a\tb", "n=a\nb",
					     "digest=1" };
	struct buf facts = { 0 };
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(facts_add_operand(&facts, wrong[i], &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
	}
	assert_int_equal(facts.n, 0);
	buf_release(&facts);
}

static int
add_text(struct buf *facts, const char *text, struct err *e)
{
	char path[] = "/tmp/heed-facts-XXXXXX";
	const int fd = mkstemp(path);
	int r;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	r = facts_add_file(facts, path, e);
	unlink(path);
	return r;
}

static void
test_files(void **state)
{
	struct buf facts = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(add_text(&facts, "a\t1\nb.c\tx y\n", &e), 0);
	assert_string_equal(facts.data, "a\t1\nb.c\tx y\n");
	assert_int_equal(add_text(&facts, "a\t1\nb c\t2\n", &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "line 2"));
	buf_release(&facts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands), cmocka_unit_test(test_wrong_operands),
		cmocka_unit_test(test_files)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
