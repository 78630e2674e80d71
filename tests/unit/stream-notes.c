/* stream-notes: notes, provenance, limits, stores of records, and changes of records. */
#include "stream-file.h"

static void
write_file(const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static int
keep_note(void *arg, const void *p, size_t n, struct err *e)
{
	(void)e;
	buf_add(arg, p, n);
	return 0;
}

static void
notes_pass_through_in_place(void **unused)
{
	struct buf in = { 0 }, out = { 0 }, note = { 0 };
	struct err e = { .hint = "" };
	struct reader *r;
	struct record *rec;
	struct writer *w;

	(void)unused;
	small_stream(&in, "src");
	r = open_bytes(&in, &e);
	w = writer_open(path, NULL, reader_header(r), NULL, STREAM_NO_PG, &e);
	assert_non_null(w);
	reader_notes_to(r, w);
	while (reader_next(r, &rec, &e) > 0)
		assert_int_equal(writer_put(w, rec, &e), 0);
	assert_int_equal(writer_finish(w, &e), 0);
	reader_close(r);
	read_file(&out);
	assert_int_equal(out.n, in.n);
	assert_memory_equal(out.data, in.data, in.n);
	r = open_bytes(&in, &e);
	reader_on_note(r, keep_note, &note);
	while (reader_next(r, &rec, &e) > 0)
		;
	assert_string_equal(note.data, "\x93\xa9heed-note\xa1n\xa1v");
	reader_close(r);
	buf_release(&in);
	buf_release(&out);
	buf_release(&note);
}

static bool
has(const struct buf *b, const char *bytes)
{
	size_t n = strlen(bytes);

	for (size_t i = 0; i + n <= b->n; i++)
		if (!memcmp(b->data + i, bytes, n))
			return true;
	return false;
}

static void
provenance_is_appended(void **unused)
{
	static const struct field adds[] = { { "src", "str", 0 }, { 0 } };
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct writer *w;
	struct reader *r;

	(void)unused;
	err_program("first");
	w = writer_open(path, "sentence", NULL, adds, 0, &e);
	writer_set_meta(w, "language", "en");
	assert_int_equal(writer_finish(w, &e), 0);
	r = reader_open(path, NULL, NULL, 0, &e);
	assert_non_null(r);
	assert_string_equal(header_meta(reader_header(r), "language"), "en");
	assert_null(header_meta(reader_header(r), "fields"));
	err_program("second");
	w = writer_open(path, NULL, reader_header(r), NULL, 0, &e);
	assert_int_equal(writer_finish(w, &e), 0);
	reader_close(r);
	read_file(&b);
	assert_true(has(&b, "\xa2pg\x92\x83\xa7program\xa5" "first\xa7version"));
	assert_true(has(&b, "\xa7program\xa6second"));
	buf_release(&b);
}

static void
limits_are_enforced(void **unused)
{
	const char *const fields[] = { "src", "str" };
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct record *rec;
	struct reader *r;

	(void)unused;
	begin_stream(&b, fields, 1);
	buf_add(&b, "\x81\xa3src\xdb\x00\x00\x04\x00", 10);
	for (int i = 0; i < 1024; i++)
		buf_add_char(&b, 'x');
	end_stream(&b, 0, 1);
	r = open_bytes(&b, &e);
	reader_max_record(r, 1000);
	assert_int_equal(reader_next(r, &rec, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1 has more than 1000 bytes");
	reader_close(r);
	r = open_bytes(&b, &e);
	reader_max_record(r, 1034);
	assert_int_equal(reader_next(r, &rec, &e), 1);
	reader_close(r);

	begin_stream(&b, fields, 1);
	buf_add(&b, "\x81\xa3src\xdb\xff\xff\xff\xff", 10);
	assert_int_equal(read_all(&b, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1 has more than 67108864 bytes");
	begin_stream(&b, fields, 1);
	buf_add(&b, "\xdf\xff\xff\xff\xff", 5);
	assert_int_equal(read_all(&b, &e), -1);
	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x81\xa1x\x91\x91\x91\x91\x91\x91\x91\x91\xc0");
	end_stream(&b, 0, 1);
	assert_int_equal(read_all(&b, &e), -1);
	assert_non_null(strstr(e.text, "nested deeper than 8"));
	buf_release(&b);
}

static int
count_record(const struct record *rec, int64_t number, void *arg, struct err *e)
{
	int64_t id;

	(void)e;
	assert_int_equal(record_int(rec, "id", &id), 0);
	assert_true(id == number);
	++*(int64_t *)arg;
	return 0;
}

static int
refuse_record(const struct record *rec, int64_t number, void *arg, struct err *e)
{
	(void)rec;
	(void)arg;
	return number == 5 ? err_set(e, EXIT_INPUT, "record five is refused") : 0;
}

/* Records are read in any order, from a file with notes between the records. */
static void
a_store_returns_any_record(void **unused)
{
	struct record *rec = record_new();
	struct err e = { .hint = "" };
	struct writer *w = open_writer(all_types, &e);
	struct store *s;
	int64_t count = 0;
	char *word;

	(void)unused;
	for (int i = 0; i < 500; i++) {
		fill(rec, i);
		assert_int_equal(writer_put(w, rec, &e), 0);
		if (i % 7 == 0)
			assert_int_equal(writer_note(w, "n", "v", &e), 0);
	}
	assert_int_equal(writer_finish(w, &e), 0);
	s = store_open(path, "sentence", all_types, 0, count_record, &count, &e);
	assert_non_null(s);
	assert_true(count == 500 && store_count(s) == 500);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(store_record(s, i * 337 % 500, rec, &e), 0);
		check_record(rec, i * 337 % 500);
	}
	store_close(s);
	assert_null(store_open(path, NULL, NULL, 0, refuse_record, NULL, &e));
	word = xasprintf("%s: record 6 (id 5): record five is refused", path);
	assert_string_equal(e.text, word);
	free(word);
	record_free(rec);
}

/* As "heed-pack > FILE" does it while FILE is in use; heed-pack -o makes a new file. */
static void
a_store_notices_a_file_written_anew(void **unused)
{
	struct record *rec = record_new();
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct store *s;
	char *text;

	(void)unused;
	small_stream(&b, "src");
	write_file(b.data, b.n);
	s = store_open(path, NULL, NULL, 0, NULL, NULL, &e);
	assert_non_null(s);
	assert_int_equal(store_record(s, 0, rec, &e), 0);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(store_record(s, 0, rec, &e), -1);
	text = xasprintf("%s has 0 bytes, expected %zu as when it was opened", path, b.n);
	assert_string_equal(e.text, text);
	assert_int_equal(e.status, EXIT_INPUT);
	free(text);
	store_close(s);

	write_file(b.data, b.n);
	s = store_open(path, NULL, NULL, 0, NULL, NULL, &e);
	assert_non_null(s);
	assert_int_equal(unlink(path), 0);
	write_file("", 0);
	assert_int_equal(store_record(s, 0, rec, &e), 0);
	store_close(s);
	record_free(rec);
	buf_release(&b);
}

static void
a_store_refuses_a_truncated_file(void **unused)
{
	struct buf b = { 0 };
	struct err e = { .hint = "" };

	(void)unused;
	small_stream(&b, "src");
	write_file(b.data, b.n - 1);
	assert_null(store_open(path, NULL, NULL, 0, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	write_file(b.data, 0);
	assert_null(store_open(path, NULL, NULL, 0, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	buf_release(&b);
}

static void
records_can_be_edited(void **unused)
{
	struct record *rec = record_new();
	struct err e = { .hint = "" };
	struct buf b = { 0 };
	int64_t v;

	(void)unused;
	record_set_int(rec, "a", 1);
	record_set_int(rec, "b", 2);
	record_set_int(rec, "c", 3);
	record_delete(rec, "b");
	record_delete(rec, "nothing");
	record_set_int(rec, "a", 1000);
	record_set_raw(rec, "d", "\xc0", 1);
	record_encode(rec, &b);
	assert_int_equal(b.n, 12);
	assert_memory_equal(b.data, "\x83\xa1" "a\xcd\x03\xe8\xa1" "c\x03\xa1" "d\xc0", 12);
	assert_false(record_has(rec, "b"));
	assert_int_equal(record_decode(rec, b.data, b.n, &e), 0);
	assert_int_equal(record_int(rec, "a", &v), 0);
	assert_true(v == 1000);
	assert_int_equal(record_decode(rec, b.data, b.n - 1, &e), -1);
	buf_release(&b);
	record_free(rec);
}

/* A NaN that was read is written again; one that was set is refused until it is replaced. */
static void
a_nan_that_was_set_is_refused(void **unused)
{
	static const float good[] = { 1, -INFINITY }, bad[] = { 1, NAN };
	const struct tensor x[] = {
		{ .type = TENSOR_F32, .n_dim = 1, .d = { 2 }, .data = good },
		{ .type = TENSOR_F32, .n_dim = 1, .d = { 2 }, .data = bad },
	};
	struct record *rec = record_new(), *copy = record_new();
	struct buf b = { 0 };
	struct writer *w;
	struct err e;

	(void)unused;
	w = open_writer(NULL, &e);
	assert_non_null(w);
	record_set_float(rec, "x.f", -INFINITY);
	record_set_tensor(rec, "x.t", &x[0]);
	assert_int_equal(writer_put(w, rec, &e), 0);
	record_set_float(rec, "x.f", -NAN);
	assert_int_equal(record_copy(copy, rec), 0);
	assert_int_equal(writer_put(w, copy, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, "output record 2: x.f is nan, expected a number");
	record_set_float(rec, "x.f", 2);
	assert_int_equal(writer_put(w, rec, &e), 0);
	record_set_tensor(rec, "x.t", &x[1]);
	assert_int_equal(writer_put(w, rec, &e), -1);
	assert_string_equal(e.text, "output record 3: x.t is nan, expected a number");
	record_encode(rec, &b);
	assert_int_equal(record_decode(copy, b.data, b.n, &e), 0);
	assert_int_equal(writer_put(w, copy, &e), 0);
	writer_abandon(w);
	record_free(rec);
	record_free(copy);
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_pass_through_in_place),
		cmocka_unit_test(provenance_is_appended),
		cmocka_unit_test(a_nan_that_was_set_is_refused),
		cmocka_unit_test(limits_are_enforced),
		cmocka_unit_test(a_store_returns_any_record),
		cmocka_unit_test(a_store_notices_a_file_written_anew),
		cmocka_unit_test(a_store_refuses_a_truncated_file),
		cmocka_unit_test(records_can_be_edited),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
