/* yaml-out: characters that YAML does not allow are escaped; yaml_read() reads the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exchange/yaml-out.h"
#include "exchange/yaml.h"
#include "stream/msgpack-out.h"

static void
becomes(const char *text, const char *want)
{
	struct buf out = { 0 }, back = { 0 }, map = { 0 };
	struct err e;

	yaml_add_string(&out, text, strlen(text));
	assert_string_equal(out.data, want);
	buf_add_str(&out, ": 1\n");
	if (yaml_read(out.data, out.n, &back, &e))
		fail_msg("%s", e.text);
	mp_put_map(&map, 1);
	mp_put_text(&map, text);
	mp_put_text(&map, "1");
	assert_int_equal(back.n, map.n);
	assert_memory_equal(back.data, map.data, map.n);
	buf_release(&out);
	buf_release(&back);
	buf_release(&map);
}

static void
texts(void **state)
{
	(void)state;
	becomes("a\"b\\c\t\x01", "\"a\\\"b\\\\c\\t\\u0001\"");
	becomes("a\x7f" "b", "\"a\\u007fb\"");
	becomes("\302\200\302\205\302\237", "\"\\u0080\\u0085\\u009f\"");
	becomes("\302\240\303\244", "\"\302\240\303\244\"");
	becomes("\342\200\247\342\200\250\342\200\251", "\"\342\200\247\\u2028\\u2029\"");
	becomes("\357\273\277\357\277\275\357\277\276\357\277\277",
		"\"\\ufeff\357\277\275\\ufffe\\uffff\"");
	becomes("\360\237\230\200", "\"\360\237\230\200\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(texts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
