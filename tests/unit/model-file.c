/* model-file: a saved model is loaded bit for bit; a damaged one is refused. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model-file/model-file.h"
#include "model/engine.h"
#include "stream/archive.h"
#include "tiny-model.h"
#include "whole-file.h"

static char folder[] = "/tmp/heed-model-file-XXXXXX";
static char path[64];

/* The smallest model with all kinds of members. */
static struct model *
make(const char *preset)
{
	struct model *m = tiny_model(preset, 4, 3);

	m->codes = xstrdup("#version: 0.2\na b</w>\n");
	m->codes_n = strlen(m->codes);
	m->step = 123456789012;
	m->pg = xstrdup("nmt-train 0.1.0 -o x\n");
	if (m->tgt_valid)
		m->tgt_valid[5] = 0;
	params_allocate(&m->params, false);
	model_randomize(m, 3);
	return m;
}

static const struct model_extra extras[] = {
	{ "adam/m/embed.weight", "\1\2\3", 3 }, { "train", "", 0 },
};

static void
save(const struct model *m, const char *to)
{
	struct err e;

	if (model_save(m, to, extras, 2, &e))
		fail_msg("%s", e.text);
}

static int
take_extra(void *arg, const char *name, const void *data, size_t n, struct err *e)
{
	struct buf *b = arg;

	(void)e;
	buf_printf(b, "%s=%zu ", name, n);
	buf_add(b, data, n);
	return 0;
}

static void
what_was_saved_comes_back(void **state)
{
	(void)state;
	for (const struct preset *p = presets; p->name; p++) {
		struct model *m = make(p->name), *back;
		struct buf extra, config[2];
		struct err e;

		save(m, path);
		extra = (struct buf){ 0 };
		config[0] = (struct buf){ 0 };
		config[1] = (struct buf){ 0 };
		back = model_load(path, true, take_extra, &extra, &e);
		if (!back)
			fail_msg("%s", e.text);
		model_config_describe(&m->config, &config[0]);
		model_config_describe(&back->config, &config[1]);
		assert_string_equal(config[0].data, config[1].data);
		assert_memory_equal(&m->recipe, &back->recipe, sizeof(m->recipe));
		assert_string_equal(back->preset, p->name);
		assert_string_equal(back->codes, m->codes);
		assert_int_equal(back->codes_n, m->codes_n);
		assert_true(back->step == m->step);
		assert_string_equal(back->pg, m->pg);
		assert_true(vocab_digest(&back->src) == vocab_digest(&m->src));
		assert_true(vocab_digest(&back->tgt) == vocab_digest(&m->tgt));
		assert_int_equal(!back->tgt_valid, !m->tgt_valid);
		if (m->tgt_valid)
			assert_memory_equal(back->tgt_valid, m->tgt_valid, (size_t)m->tgt.n);
		assert_int_equal(back->params.n, m->params.n);
		for (size_t i = 0; i < m->params.n; i++) {
			assert_string_equal(back->params.list[i]->name, m->params.list[i]->name);
			assert_memory_equal(back->params.list[i]->x, m->params.list[i]->x,
					    m->params.list[i]->n * sizeof(real));
			assert_non_null(back->params.list[i]->grad);
		}
		assert_memory_equal(extra.data, "adam/m/embed.weight=3 \1\2\3train=0 ", 33);
		buf_release(&extra);
		buf_release(&config[0]);
		buf_release(&config[1]);
		model_free(back);
		model_free(m);
	}
}

/* The engine is saved and loaded; files of old versions lack it. */
static void
the_engine_comes_back(void **state)
{
	static const int64_t engines[] = { HEED_ENGINE, HEED_ENGINE + 7, 0 };
	struct model *m = make("fairseq"), *n;
	struct err e;

	(void)state;
	assert_int_equal(m->engine, HEED_ENGINE);
	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		m->engine = engines[i];
		save(m, path);
		n = model_load(path, false, NULL, NULL, &e);
		assert_non_null(n);
		assert_int_equal(n->engine, engines[i]);
		model_free(n);
	}
	model_free(m);
}

static void
the_training_comes_back(void **state)
{
	static const struct { const char *name; bool good; } cases[] = {
		{ "", true }, { "0123456789abcdef", true }, { "0123456789abcde", false },
		{ "0123456789abcdef0", false }, { "0123456789abcdeF", false }
	};
	struct model *m = make("fairseq"), *n;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		strcpy(m->training, cases[i].name);
		save(m, path);
		n = model_load(path, false, NULL, NULL, &e);
		assert_int_equal(n != NULL, cases[i].good);
		if (n)
			assert_string_equal(n->training, cases[i].name);
		else
			assert_non_null(strstr(e.text, "malformed training"));
		model_free(n);
	}
	model_free(m);
}

static void
the_digest_is_that_of_the_values(void **state)
{
	struct model *m = make("fairseq"), *n;
	char digest[MODEL_DIGEST_SIZE];
	struct err e;

	(void)state;
	for (int i8 = 0; i8 < 2; i8++) {
		m->int8 = i8;
		save(m, path);
		n = model_load(path, false, NULL, NULL, &e);
		assert_non_null(n);
		model_digest_values(n, digest);
		assert_string_equal(n->digest, digest);
		n->params.x[0] += 1;
		assert_int_equal(model_check_digest(n, &e), -1);
		model_free(n);
	}
	model_free(m);
}

static void
codes_must_be_codes(void **state)
{
	struct model *m = make("fairseq");
	struct err e;

	(void)state;
	free(m->codes);
	m->codes = xstrdup("#version: 0.2\na b\nalone\n");
	m->codes_n = strlen(m->codes);
	save(m, path);
	assert_null(model_load(path, false, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "bpe: codes: line 3 is 'alone'"));
	model_free(m);
}

static void
the_same_model_gives_the_same_bytes(void **state)
{
	struct model *m = make("witwicky"), *back;
	unsigned char *a, *b;
	size_t n, n2;
	struct err e;

	(void)state;
	save(m, path);
	a = read_whole(path, &n);
	back = model_load(path, false, NULL, NULL, &e);
	assert_non_null(back);
	save(back, path);
	b = read_whole(path, &n2);
	assert_int_equal(n, n2);
	assert_memory_equal(a, b, n);
	free(a);
	free(b);
	model_free(back);
	model_free(m);
}

/* n bytes, in memory of exactly that size, must be refused with a message. */
static void
refused(const unsigned char *p, size_t n, const char *what, size_t at)
{
	unsigned char *copy = xmalloc(n ? n : 1);
	struct err e = { .status = EXIT_OK };
	struct model *m;

	memcpy(copy, p, n);
	m = model_load_memory("x", copy, n, false, NULL, NULL, &e);
	if (m || e.status != EXIT_INPUT || 
	    (strncmp(e.text, "x: model file is damaged: ", 26) &&
	     strncmp(e.text, "x: model file is truncated: ", 28) &&
	     strncmp(e.text, "x: this is no file of heed, ", 28)) ||
	    strchr(e.text, '\n'))
		fail_msg("%s at byte %zu: status %d, %s", what, at, (int)e.status,
			 m ? "accepted" : e.text);
	free(copy);
}

static void
every_cut_is_refused(void **state)
{
	struct model *m = make("witwicky");
	unsigned char *p;
	size_t n;

	(void)state;
	save(m, path);
	p = read_whole(path, &n);
	for (size_t i = 0; i < n; i++)
		refused(p, i, "cut", i);
	free(p);
	model_free(m);
}

/* One bit of every byte flipped; all bits with HEED_LONG. */
static void
every_flipped_bit_is_refused(void **state)
{
	const size_t step = getenv("HEED_LONG") ? 1 : 8;
	struct model *m = make("witwicky");
	unsigned char *p;
	size_t n;

	(void)state;
	save(m, path);
	p = read_whole(path, &n);
	for (size_t i = 0; i < 8 * n; i += step) {
		const unsigned char bit = (unsigned char)(1u << (step == 1 ? i % 8 : i / 8 % 8));

		p[i / 8] ^= bit;
		refused(p, n, "flip", i / 8);
		p[i / 8] ^= bit;
	}
	free(p);
	model_free(m);
}

static void
replace(unsigned char *p, size_t n, const char *from, const char *to)
{
	const size_t k = strlen(from);

	assert_int_equal(k, strlen(to));
	for (size_t i = 0; i + k <= n; i++)
		if (!memcmp(p + i, from, k)) {
			memcpy(p + i, to, k);
			return;
		}
	fail_msg("no %s", from);
}

static long
peak_kilobytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

/* Sizes in the map that exceed the file are refused. */
static void
lies_in_the_map_cost_no_memory(void **state)
{
	static const char *const lie[][2] = {
		{ "heads=2", "heads=3" },         { "ff=3,", "ff=9," },
		{ "width=4", "width=8" },         { "enc_layers=1", "enc_layers=9" },
		{ "tie=all", "tie=xyz" },         { "4x3\t48", "4x3\t99" },
		{ "4x3\t48", "9x9\t48" },         { "param/enc", "param/end" },
		{ "bytes\t-\t3", "bytes\t-\t4" }, { "vocab.src", "vocab.xyz" },
		{ "format", "formal" },           { "max_length=16", "max_length=99" },
		{ "warmup=0", "warmup=x" },
	};
	struct model *m = make("witwicky");
	unsigned char *p;
	long before;
	size_t n;

	(void)state;
	save(m, path);
	p = read_whole(path, &n);
	refused(p, n - 512, "cut", n - 512);
	before = peak_kilobytes();
	for (size_t i = 0; i < sizeof(lie) / sizeof(lie[0]); i++) {
		replace(p, n, lie[i][0], lie[i][1]);
		refused(p, n, lie[i][1], i);
		replace(p, n, lie[i][1], lie[i][0]);
	}
	assert_true(peak_kilobytes() - before < 64 * 1024);
	free(p);
	model_free(m);
}

static void
what_is_no_model_is_refused(void **state)
{
	struct err e;

	(void)state;
	assert_null(model_load("/nowhere/at/all", false, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_SYSTEM);
	assert_null(model_load("/dev/null", false, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	refused((const unsigned char *)"not a tar at all", 16, "text", 0);
}

/* A tar with a map of nothing but empty strings, forty megabytes of them. */
static void
a_huge_map_is_not_taken(void **state)
{
	const size_t n = (size_t)40 << 20;
	struct archive_out *out;
	struct err e;
	unsigned char *p = xmalloc(n);
	long before;

	(void)state;
	memset(p, 0xa0, n);
	memcpy(p, "\x81\xa7members\xdd\x02\x7f\xff\xf2", 14);
	before = peak_kilobytes();
	out = archive_out_open(path, &e);
	assert_non_null(out);
	assert_int_equal(archive_out_member(out, "heed-model", p, n, &e), 0);
	assert_int_equal(archive_out_finish(out, &e), 0);
	free(p);
	assert_null(model_load(path, false, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	/* mapped pages of the file that were read count too */
	assert_true(peak_kilobytes() - before < (long)(n >> 10) + 64 * 1024);
}

/* A failing disk leaves no file. */
static void
a_full_disk_leaves_no_file(void **state)
{
	struct model *m = make("fairseq");
	const struct rlimit small = { 4096, RLIM_INFINITY };
	struct rlimit old;
	struct stat st;
	struct err e;
	char to[80];

	(void)state;
	snprintf(to, sizeof(to), "%s/full.tar", folder);
	getrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ small.rlim_cur, old.rlim_max });
	assert_int_equal(model_save(m, to, extras, 2, &e), -1);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(e.status, EXIT_SYSTEM);
	assert_int_equal(stat(to, &st), -1);
	model_free(m);
}

static void
parameters_are_taken_over_by_name_and_shape(void **state)
{
	struct model *from = make("fairseq"), *to = make("fairseq"), *pre = make("onmt");
	struct err e;

	(void)state;
	save(from, path);
	for (size_t i = 0; i < to->params.n; i++)
		memset(to->params.list[i]->x, 0, to->params.list[i]->n * sizeof(real));
	assert_int_equal(model_init_from(to, path, &e), (int64_t)to->params.n);
	for (size_t i = 0; i < to->params.n; i++)
		assert_memory_equal(to->params.list[i]->x, from->params.list[i]->x,
				    to->params.list[i]->n * sizeof(real));
	/* onmt has an output matrix, an output bias and two norms in addition */
	assert_int_equal(model_init_from(pre, path, &e), (int64_t)pre->params.n - 6);
	/* another vocabulary of the same size: the embeddings are not copied */
	vocab_release(&to->src);
	letters(&to->src, "xyz");
	assert_int_equal(model_init_from(to, path, &e), (int64_t)to->params.n - 1);
	model_free(from);
	model_free(to);
	model_free(pre);
}

static int
set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/model.tar", folder);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_saved_comes_back),
		cmocka_unit_test(the_engine_comes_back),
		cmocka_unit_test(the_training_comes_back),
		cmocka_unit_test(the_digest_is_that_of_the_values),
		cmocka_unit_test(codes_must_be_codes),
		cmocka_unit_test(the_same_model_gives_the_same_bytes),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(lies_in_the_map_cost_no_memory),
		cmocka_unit_test(a_huge_map_is_not_taken),
		cmocka_unit_test(what_is_no_model_is_refused),
		cmocka_unit_test(a_full_disk_leaves_no_file),
		cmocka_unit_test(parameters_are_taken_over_by_name_and_shape),
	};

	return cmocka_run_group_tests_name("model files", tests, set_up, tear_down);
}
