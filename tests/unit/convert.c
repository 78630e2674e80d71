/* convert: readers of other toolkits' files, against values written down by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "convert/ids.h"
#include "convert/safetensors.h"
#include "convert/vocab-side.h"
#include "exchange/conf.h"

static void
shows(const struct conf *c, const char *key, const char *want)
{
	struct buf text = { 0 };

	conf_show(conf_get(c, key), &text);
	assert_string_equal(text.data, want);
	buf_release(&text);
}

static const char written[] =
	"--- # a document\n"
	"dim-vocabs:\n"
	"  - 65001\n"
	"  - 65001\n"
	"same-indent:\n"
	"- a\n"
	"-   b # not c\n"
	"\n"
	"empty:\n"
	"  []\n"
	"flow: [a, 'it''s', \"q\\\"\\u00e9\\x41\\t\", [1, 2]]\n"
	"map: {x: 1, y: [2,\n  3]}\n"
	"nested:\n"
	"    k: v\n"
	"    l:\n"
	"      - deep\n"
	"text: a:b#c  d   # comment\n"
	"\"quoted: key\": 1\n"
	"<<: 12\n"			/* a token, as in a vocabulary */
	"? long key\n"
	": 7\n"
	"\xe2\x96\x81the: 4\r\n"
	"none:\n"
	"-x: -1\n"
	"...\n";

static void
yaml_is_read_as_it_is_written(void **state)
{
	struct conf c;
	struct err e;
	int64_t i = 0;
	double x = 0;

	(void)state;
	if (conf_yaml(&c, "a.yml", written, sizeof(written) - 1, &e))
		fail_msg("%s", e.text);
	shows(&c, "dim-vocabs", "[65001, 65001]");
	shows(&c, "same-indent", "[a, b]");
	shows(&c, "empty", "[]");
	shows(&c, "flow", "[a, it's, q\"\xc3\xa9" "A\t, [1, 2]]");
	shows(&c, "map", "{x: 1, y: [2, 3]}");
	shows(&c, "nested", "{k: v, l: [deep]}");
	shows(&c, "text", "a:b#c  d");
	shows(&c, "quoted: key", "1");
	shows(&c, "<<", "12");
	shows(&c, "\xe2\x96\x81the", "4");
	shows(&c, "none", "null");
	assert_false(conf_want_int(&c, "long key", 1, 9, &i, &e));
	assert_int_equal(i, 7);
	assert_false(conf_want_float(&c, "-x", &x, &e));
	assert_true(x == -1);
	assert_int_equal(conf_want_int(&c, "text", 1, 9, &i, &e), -1);
	assert_string_equal(e.text, "a.yml: text is a:b#c  d, expected an integer from 1 to 9");
	assert_false(conf_want_int(&c, "absent", 1, 9, &i, &e));
	assert_int_equal(conf_want_int(&c, "none", 1, 9, &i, &e), -1);
	assert_string_equal(e.text, "a.yml: none is null, expected an integer from 1 to 9");
	assert_int_equal(i, 7);
	conf_release(&c);
}

static void
keys_whose_default_is_taken_are_listed_once(void **state)
{
	struct buf absent = { 0 };
	const struct conf c = { .absent = &absent };

	(void)state;
	conf_absent(&c, "ba", "1");
	conf_absent(&c, "a", "1");
	conf_absent(&c, "ba", "1");
	conf_absent(&c, "a", "1");
	assert_string_equal(absent.data, "ba\t1\na\t1\n");
	buf_release(&absent);
}

static void
yaml_that_is_not_read_is_refused_with_its_line(void **state)
{
	static const struct { const char *text, *message; } bad[] = {
		{ "", "a: line 1: expected a map, found nothing" },
		{ "- a\n- b\n", "a: expected a map" },
		{ "a: 1\na: 2\n", "a: duplicate key a" },
		{ "a: {b: 1}\nc: [{d: 1, e: 2, d: 3}]\n", "a: duplicate key d" },
		{ "b: 1\n<<: {a: 1}\nc: 2\n",
		  "a: line 2: <<, a merge key, which is not read" },
		{ "b: 1\n<<:\n  a: 1\n", "a: line 2: <<, a merge key, which is not read" },
		{ "b: [{<<: [1]}]\n", "a: line 1: <<, a merge key, which is not read" },
		{ "a: 1\n b: 2\n",
		  "a: line 2: a line that is indented more than the one before it" },
		{ "a: 1\n- b\n", "a: line 2: an item of a list among the keys of a map" },
		{ "  a: 1\nb: 2\n", "a: line 2: a line that is indented less than the first one" },
		{ "a: 1\n\tb: 2\n", "a: line 2: a tab in the indentation, expected blanks" },
		{ "a: |\n  text\n",
		  "a: line 1: expected a text, a number or a list; anchors, tags and "
		  "blocks of text are not read" },
		{ "a: &b 1\n", "a: line 1: expected a text, a number or a list; anchors, tags and "
		  "blocks of text are not read" },
		{ "a: b: c\n", "a: line 1: expected the end of the line after a value" },
		{ "a: 'b\n", "a: line 1: a quoted text that does not end on its line" },
		{ "a: [b\n", "a: line 2: expected a comma or the end of the list or map" },
		{ "a: [b c: d]\n", "a: line 1: expected a comma or the end of the list or map" },
		{ "a: \"\\q\"\n", "a: line 1: an escape that is not read" },
		{ "a: \"\\ud800\"\n", "a: line 1: an escape that is no character" },
		{ "a\n", "a: line 1: expected ': ' after a key" },
		{ "a: 1\n\xff: 2\n", "a: line 2: invalid UTF-8, or a NUL byte" },
		{ "a: 1\n---\nb: 2\n", "a: line 2: expected one document" },
		{ "a: [[[[[[[[1]]]]]]]]\n",
		  "a: line 1: a list or map that does not end, or nested deeper than 8" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct conf c;
		struct err e;

		if (!conf_yaml(&c, "a", bad[i].text, strlen(bad[i].text), &e))
			fail_msg("read: %s", bad[i].text);
		assert_string_equal(e.text, bad[i].message);
		assert_int_equal(e.status, EXIT_INPUT);
	}
}

/* Every number of 16 bits, by the definition of the format: (-1)^s 2^(e-15) 1.f, or 2^-14 0.f. */
static void
numbers_of_16_bits_are_as_defined(void **state)
{
	unsigned char bytes[2];
	struct weight f16 = { .type = WEIGHT_F16, .n = 1, .bytes = 2, .data = bytes };
	struct weight bf16 = { .type = WEIGHT_BF16, .n = 1, .bytes = 2, .data = bytes };

	(void)state;
	for (unsigned h = 0; h < 65536; h++) {
		const int sign = h >> 15 ? -1 : 1, exponent = h >> 10 & 31, fraction = h & 1023;
		const int wide = h >> 7 & 255, narrow = h & 127;
		real x, y;

		bytes[0] = (unsigned char)h;
		bytes[1] = (unsigned char)(h >> 8);
		weight_get(&f16, 0, 1, &x);
		weight_get(&bf16, 0, 1, &y);
		if (exponent == 31)
			assert_true(fraction ? isnan(x) : isinf(x) && (x > 0) == (sign > 0));
		else if (exponent)
			assert_true((double)x == sign * ldexp(1024 + fraction, exponent - 25));
		else
			assert_true((double)x == sign * ldexp(fraction, -24));
		if (wide == 255)
			assert_true(narrow ? isnan(y) : isinf(y) && (y > 0) == (sign > 0));
		else if (wide)
			assert_true((double)y == sign * ldexp(128 + narrow, wide - 134));
		else
			assert_true((double)y == sign * ldexp(narrow, -133));
	}
}

/* A file of this header and `data` bytes. */
static int
open_tensors(struct weights *w, const char *header, size_t data, struct err *e)
{
	static unsigned char file[1024];
	const size_t n = strlen(header);

	memset(file, 0, sizeof(file));
	file[0] = (unsigned char)n;
	file[1] = (unsigned char)(n >> 8);
	memcpy(file + 8, header, n);
	for (size_t i = 0; i < data; i++)
		file[8 + n + i] = (unsigned char)i;
	*w = (struct weights){ 0 };
	return safetensors_memory(w, "a", file, 8 + n + data, e);
}

static void
tensors_are_where_the_header_says(void **state)
{
	struct weights w;
	struct weight *a, *b;
	struct err e;

	(void)state;
	if (open_tensors(&w, "{\"__metadata__\":{\"x\":\"y\"},"
			 "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[6,14]},"
			 "\"a\":{\"dtype\":\"F16\",\"shape\":[1,3],\"data_offsets\":[0,6]}}", 14,
			 &e))
		fail_msg("%s", e.text);
	a = weights_find(&w, "a");
	b = weights_find(&w, "b");
	assert_true(a && b && w.n == 2);
	assert_int_equal(a->n, 3);
	assert_int_equal(a->d[1], 3);
	assert_int_equal(a->data[1], 1);
	assert_int_equal(b->data[0], 6);
	assert_false(weight_same(a, b));
	assert_true(weight_same(a, a));
	weights_release(&w);
}

static void
headers_that_lie_are_refused(void **state)
{
	static const struct { const char *header; size_t data; const char *message; } bad[] = {
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 7,
		  "a: tensor a: data_offsets 0 to 8, expected 8 bytes of the file's 7" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 8,
		  "a: tensor a: data_offsets 0 to 4, expected 8 bytes of the file's 8" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
		  "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[2,6]}}", 6,
		  "a: tensor b: its bytes overlap with those of another, or bytes between them "
		  "belong to "
		  "none" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}", 5,
		  "a: tensor a: its bytes overlap with those of another, or bytes between them "
		  "belong to "
		  "none" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5,
		  "a: 1 bytes after the last tensor" },
		{ "{\"a\":{\"dtype\":\"Q4\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
		  "a: tensor a: expected dtype F32, F16, BF16, F64 or an integer's" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", 4,
		  "a: tensor a: expected a shape of at most 8 integers and two data_offsets" },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],"
		  "\"data_offsets\":[0,4]}}", 4,
		  "a: tensor a has no shape that a tensor can have" },
		{ "{\"a\":{},\"a\":{}}", 0, "a: duplicate key a" },
		{ "[]", 0, "a: expected a map" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct weights w;
		struct err e;

		if (!open_tensors(&w, bad[i].header, bad[i].data, &e))
			fail_msg("read: %s", bad[i].header);
		assert_string_equal(e.text, bad[i].message);
		assert_int_equal(e.status, EXIT_INPUT);
		weights_release(&w);
	}
}

static void
check_rows(const struct ids *v, const char *const *text, int n)
{
	int *of_row = ids_by_row(v, n);

	assert_int_equal(v->rows, n);
	for (int i = 0; i < n; i++) {
		assert_int_equal(ids_row(v, text[i]), i);
		assert_string_equal(strmap_text(&v->texts, of_row[i], NULL), text[i]);
	}
	free(of_row);
}

static void
carriage_returns_can_be_parts_of_entries(void **state)
{
	static const char *const lines[] = { "a\r\nb\r\n", "a\r\nb\r", "a\nb\r\n", "a\r\nb" };
	static const char *const words[][2] = {
		{ "a", "b" }, { "a", "b" }, { "a", "b\r" }, { "a\r", "b" }
	};
	struct ids v;
	struct err e;

	(void)state;
	for (int i = 0; i < 4; i++) {
		v = (struct ids){ 0 };
		assert_false(ids_lines(&v, "v", lines[i], strlen(lines[i]), IDS_EXACT, 2, &e));
		check_rows(&v, words[i], 2);
		ids_release(&v);
	}
}

static void
vocabularies_of_every_kind_are_read(void **state)
{
	static const char *const words[] = { "<s>", "<pad>", "</s>", "<unk>", "the", "a b" };
	static const char lines[] = "the 17\na b 3\n",
		list[] = "<s>\n<pad>\r\n</s>\n<unk>\nthe\na b";
	static const char json[] =
		"{\"model\":{\"vocab\":{\"<s>\":0,\"<pad>\":1,\"</s>\":2,\"<unk>\":3}},"
		"\"added_tokens\":[{\"id\":5,\"content\":\"a b\"},{\"id\":4,\"content\":\"the\"},"
		"{\"id\":2,\"content\":\"</s>\"}]}";
	static const char unigram[] =
		"{\"model\":{\"vocab\":[[\"<s>\",0],[\"<pad>\",0],[\"</s>\",0],"
		"[\"<unk>\",-1.5],[\"the\",-2],[\"a b\",-3]]}}";
	/* Entries are field 1, their texts field 1; other fields are skipped. */
	static const char spm[] = "\x0a\x0a\x0a\x03<s>\x15\0\0\0\0\x0a\x07\x0a\x05<pad>\x12"
				  "\x01x\x18\x05"
				  "\x0a\x08\x18\x03\x0a\x04</s>";
	struct ids v;
	struct conf c;
	struct err e;

	(void)state;
	v = (struct ids){ 0 };
	assert_false(ids_lines(&v, "dict.txt", lines, sizeof(lines) - 1, IDS_COUNTS, 6, &e));
	check_rows(&v, words, 6);
	ids_release(&v);
	v = (struct ids){ 0 };
	assert_false(ids_lines(&v, "vocab", list, sizeof(list) - 1, IDS_PLAIN, 6, &e));
	check_rows(&v, words, 6);
	ids_release(&v);
	for (int i = 0; i < 2; i++) {
		v = (struct ids){ 0 };
		if (conf_json(&c, "tokenizer.json", i ? unigram : json, strlen(i ? unigram : json),
			      &e) ||
		    ids_tokenizer(&v, &c, 6, &e))
			fail_msg("%s", e.text);
		check_rows(&v, words, 6);
		conf_release(&c);
		ids_release(&v);
	}
	v = (struct ids){ 0 };
	if (ids_spm(&v, "spm", spm, sizeof(spm) - 1, 3, &e))
		fail_msg("%s", e.text);
	check_rows(&v, words, 3);
	ids_release(&v);
}

/* Upper case, and nothing of what has a dot. */
static void
shout(const char *text, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n && !memchr(text, '.', n); i++)
		buf_add_char(out, (char)(text[i] >= 'a' && text[i] <= 'z'
					 ? text[i] - 32 : text[i]));
}

static void
entries_keep_the_rows_of_the_other_toolkit(void **state)
{
	static const char list[] = "</s>\na\nA\nb.\n<unk>\nc\n";
	static const char *const want[] = { "A", "<row-2>", "<row-3>", "C", "<row-6>" };
	static const int row[] = { -1, 0, 0, 4, 1, 2, 3, 5, 6 };
	static const unsigned char valid[] = { 0, 0, 1, 1, 1, 1, 1, 1, 1 };
	const struct special_rows special = { .pad = -1, .start = 0, .eos = 0, .unk = 4 };
	struct vocab_side s;
	struct ids v;
	struct err e;

	(void)state;
	v = (struct ids){ 0 };
	assert_false(ids_lines(&v, "vocab", list, sizeof(list) - 1, IDS_PLAIN, 7, &e));
	assert_false(vocab_side_build(&s, &v, 7, &special, shout, &e));
	assert_int_equal(s.n, 9);
	assert_int_equal(s.vocab.n, 9);
	assert_memory_equal(s.row, row, sizeof(row));
	assert_memory_equal(s.valid, valid, sizeof(valid));
	assert_true(vocab_side_masks(&s));
	for (int i = 0; i < 5; i++)
		assert_string_equal(vocab_text(&s.vocab, VOCAB_SPECIALS + i, NULL), want[i]);
	vocab_side_release(&s);
	ids_release(&v);
}

/* Each row is an output once: as what the search produces. */
static void
special_tokens_may_coincide(void **state)
{
	static const struct { struct special_rows is; int n; unsigned char valid[9]; } cases[] = {
		{ { 0, -1, 2, 3 }, 6, { 1, 0, 1, 1, 1, 1 } },
		{ { 0, 1, 2, 3 }, 6, { 1, 0, 1, 1, 1, 1 } },	/* <s> is entry 1, too */
		{ { 2, 4, 2, 3 }, 7, { 0, 0, 1, 1, 1, 1, 1 } },
		{ { 3, 3, 2, 3 }, 7, { 0, 0, 1, 1, 1, 1, 1 } },
		{ { 0, 0, 2, 0 }, 7, { 0, 0, 1, 1, 1, 1, 1 } },
	};
	struct vocab_side s;
	struct ids v;
	struct err e;

	(void)state;
	v = (struct ids){ 0 };
	assert_false(ids_lines(&v, "vocab", "a\nb\nc\nd\ne\n", 10, IDS_PLAIN, 5, &e));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_false(vocab_side_build(&s, &v, 5, &cases[i].is, NULL, &e));
		assert_int_equal(s.n, cases[i].n);
		assert_memory_equal(s.valid, cases[i].valid, (size_t)s.n);
		assert_int_equal(s.row[VOCAB_BOS], cases[i].is.start);
		vocab_side_release(&s);
	}
	ids_release(&v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(yaml_is_read_as_it_is_written),
		cmocka_unit_test(keys_whose_default_is_taken_are_listed_once),
		cmocka_unit_test(yaml_that_is_not_read_is_refused_with_its_line),
		cmocka_unit_test(numbers_of_16_bits_are_as_defined),
		cmocka_unit_test(tensors_are_where_the_header_says),
		cmocka_unit_test(headers_that_lie_are_refused),
		cmocka_unit_test(carriage_returns_can_be_parts_of_entries),
		cmocka_unit_test(vocabularies_of_every_kind_are_read),
		cmocka_unit_test(entries_keep_the_rows_of_the_other_toolkit),
		cmocka_unit_test(special_tokens_may_coincide),
	};

	return cmocka_run_group_tests_name("models of other toolkits", tests, NULL, NULL);
}
