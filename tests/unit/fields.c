/* fields: heed-fields(5) lists exactly the fields of the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stream/fields.h"
#include "stream/type.h"

/* Appends the entry of a field in the page. */
static void
add_entry(struct buf *b, const struct field_info *f)
{
	buf_printf(b, ".It Va %s", f->name);
	if (*f->type)
		buf_printf(b, " Pq Sy %s", f->type);
	buf_printf(b, "\n%s\n", f->meaning);
	if (f->from)
		buf_printf(b, ".Pq Xr %s 1\n", f->from);
}

static char *
read_page(void)
{
	const char *top = getenv("HEED_TOP");
	char *path = xasprintf("%s/man/heed-fields.5", top ? top : ".");
	FILE *f = fopen(path, "r");
	struct buf b = { 0 };
	char block[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(block, 1, sizeof(block), f)))
		buf_add(&b, block, n);
	fclose(f);
	free(path);
	return b.data;
}

static void
the_page_lists_the_table(void **unused)
{
	char *page = read_page(), *at = page;
	struct buf b = { 0 };
	int entries = 0;

	(void)unused;
	for (const struct field_info *f = fields_table(); f->name; f++, entries++) {
		buf_clear(&b);
		add_entry(&b, f);
		at = strstr(at, b.data);	/* in the table's order */
		if (!at)
			print_message("# man/heed-fields.5 does not have, in this order:\n%s",
				      b.data);
		assert_non_null(at);
	}
	for (at = page; (at = strstr(at, "\n.It Va ")); at++)
		entries--;
	assert_int_equal(entries, 0);
	buf_release(&b);
	free(page);
}

static void
all_types_are_known(void **unused)
{
	struct type t;

	(void)unused;
	for (const struct field_info *f = fields_table(); f->name; f++)
		if (*f->type)
			assert_int_equal(type_parse(f->type, &t), 0);
}

static void
fields_are_found_by_name(void **unused)
{
	(void)unused;
	for (const struct field_info *f = fields_table(); f->name; f++)
		if (!strchr(f->name, '*'))
			assert_ptr_equal(fields_find(f->kind, f->name), f);	/* no duplicates */
	assert_string_equal(fields_find("sentence", "src.heads")->from, "parse");
	assert_string_equal(fields_find(NULL, "syntax.nsubj")->name, "syntax.*");
	assert_string_equal(fields_find("sentence", "x.mine")->name, "x.*");
	assert_string_equal(fields_find("head", "entropy.error")->name, "*.error");
	assert_string_equal(fields_find("head", "patch.error")->name, "patch.error");
	assert_null(fields_find("head", ".error"));
	assert_null(fields_find("head", "entropy.error.other"));
	assert_null(fields_find("head", "src"));
	assert_null(fields_find("head", "syntax."));
	assert_null(fields_find("sentence", "src.other"));
}

/* HEED_PRINT_FIELDS=1 prints the entries for the page. */
static void
print_entries(void)
{
	struct buf b = { 0 };

	for (const struct field_info *f = fields_table(); f->name; f++)
		add_entry(&b, f);
	fputs(b.data, stdout);
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_lists_the_table),
		cmocka_unit_test(all_types_are_known),
		cmocka_unit_test(fields_are_found_by_name),
	};

	if (getenv("HEED_PRINT_FIELDS")) {
		print_entries();
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
