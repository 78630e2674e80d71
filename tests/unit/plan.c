/* plan: files of settings, names in values, options and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "plan/plan.h"

/* Reads a file with this text; its keys begin with "toy.". */
static int
read_text(struct keyfile *k, const char *text, struct err *e)
{
	const char *path = "plan-unit.conf";
	FILE *f = fopen(path, "w");
	int bad;

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	bad = keyfile_read(k, path, "toy.", e);
	remove(path);
	return bad;
}

static const char *
value(const struct keyfile *k, const char *key)
{
	const struct keyfile_entry *found = keyfile_find(k, key);

	return found ? found->value : NULL;
}

static void
reads_keys(void **state)
{
	struct keyfile k;
	struct err e;

	(void)state;
	keyfile_init(&k);
	assert_int_equal(read_text(&k,
				   "# comment\n"
				   "title =  A  title \n\nlong = a \\\n   b\nempty =\n"
				   "v.{x y}-{1..2} = {1}{2} {more}\n",
				   &e),
			 0);
	assert_string_equal(value(&k, "toy.title"), "A  title");
	assert_string_equal(value(&k, "toy.long"), "a b");
	assert_string_equal(value(&k, "toy.empty"), "");
	assert_string_equal(value(&k, "toy.v.x-1"), "x1 {more}");
	assert_string_equal(value(&k, "toy.v.y-2"), "y2 {more}");
	assert_null(value(&k, "toy.v.z-1"));
	keyfile_give(&k, (struct keyfile_entry){ .key = "toy.title", .value = "Other" });
	assert_string_equal(value(&k, "toy.title"), "Other");
	assert_int_equal(keyfile_in_files(&k, "toy.v.y-2")->line, 7);
	keyfile_release(&k);
}

static void
refuses(const char *text, const char *message)
{
	struct keyfile k;
	struct err e;

	keyfile_init(&k);
	assert_int_equal(read_text(&k, text, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	if (!strstr(e.text, message))
		fail_msg("%s, expected %s", e.text, message);
	keyfile_release(&k);
}

static void
refuses_bad_lines(void **state)
{
	(void)state;
	refuses("a\n", "plan-unit.conf:1: 'a', expected key = value");
	refuses("x = 1\na b = 1\n", "plan-unit.conf:2: toy.a b: expected a key of letters");
	refuses("a = 1\na = 2\n", "plan-unit.conf:2: toy.a: this key is also in plan-unit.conf:1");
	refuses("a.{3..1} = 1\n", "{3..1}, expected {WORD ...} or {FIRST..LAST}");
	refuses("a.{} = 1\n", "{}, expected {WORD ...}");
	refuses("a.{1..x} = 1\n", "{1..x}, expected");
	refuses("a = 1 \\\n", "a line continues, but the file ends");
}

static const char *
expand_text(struct plan *p, const char *text)
{
	const struct scope s = scope_of(p, &p->paper[0], "c.en-de@500");

	p->bad = false;
	return expanded(&s, text);
}

static void
fails(struct plan *p, const char *text, const char *message)
{
	expand_text(p, text);
	assert_true(p->bad);
	if (!strstr(p->e->text, message))
		fail_msg("%s, expected %s", p->e->text, message);
}

static void
expands_names(void **state)
{
	struct plan p;
	struct err e;

	(void)state;
	plan_init(&p);
	p.e = &e;
	p.profile = "cpu";
	p.paper = xcalloc(1, sizeof(*p.paper));
	p.paper[0].name = "toy";
	assert_int_equal(read_text(&p.conf,
				   "n = 1\nn.cpu = 2\nm = {n} x\nm.cpu = {m}+\nm.cpu@500 = {m}-\n"
				   "pair = x\npair.en-de = y\nw = a b c\nloop = {loop2}\nloop2 = "
				   "{loop}\nempty =\n",
				   &e),
			 0);
	assert_string_equal(expand_text(&p, "{n}"), "2");
	assert_string_equal(expand_text(&p, "{m}"), "2 x+-");
	assert_string_equal(expand_text(&p, "{word {n} {w}}"), "b");
	assert_string_equal(expand_text(&p, "{?n yes}{!n no} {?empty yes}{!empty no}"), "yes "
											    "no");
	assert_string_equal(expand_text(&p, "{'m} ${x} { y; }"), "'2 x+-' ${x} { y; }");
	assert_string_equal(expand_text(&p, "{sum 2 {n}}-{tenth 25}"), "4-3");
	fails(&p, "{loop}", "it refers to itself");
	fails(&p, "{none}", "{none}: there is no such key or name");
	fails(&p, "{n", "'{n': expected }");
	fails(&p, "{word 4 {w}}", "word 4 of 3");
	fails(&p, "{sum n w}", "w is 'a b c', expected a number");
	fails(&p, "{sum n}", "'n', expected 2 words");
	plan_release(&p);
}

static void
keeps_last_options(void **state)
{
	struct arena a;

	(void)state;
	arena_init(&a, 0);
	assert_string_equal(options_kept(&a, "--lr 1 -a x --arch a=1 --lr 2 -a y --arch b=2", NULL),
			    "-a x --arch a=1 --lr 2 -a y --arch b=2");
	assert_string_equal(options_kept(&a, "--keep 4 \1$(sed 's|^.| -a&|' f) --keep 0", NULL),
			    "$(sed 's|^.| -a&|' f) --keep 0");
	assert_string_equal(options_kept(&a, "--updates 5 --updates $(awk '{ print -1 }' f)", NULL),
			    "--updates $(awk '{ print -1 }' f)");
	assert_string_equal(options_kept(&a, "-b 1 --updates 5 -c", "--updates"), "-b 1 -c");
	arena_release(&a);
}

static void
splits_columns(void **state)
{
	struct arena a;

	(void)state;
	arena_init(&a, 0);
	assert_null(column_size("c@x.en-de"));
	assert_string_equal(column_size("c@x.en-de@500.1"), "500.1");
	assert_string_equal(column_whole(&a, "c@x.en-de@500.1"), "c@x.en-de");
	assert_string_equal(column_corpus(&a, "c@x.en-de@500"), "c@x");
	assert_string_equal(column_language(&a, "c.en-de", "src"), "en");
	assert_string_equal(column_language(&a, "c.en-de", "tgt"), "de");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_keys),	  cmocka_unit_test(refuses_bad_lines),
		cmocka_unit_test(expands_names),  cmocka_unit_test(keeps_last_options),
		cmocka_unit_test(splits_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
