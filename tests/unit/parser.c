/*
 * parser: trees of a network do not depend on the batch, on threads or on the word limit; every
 * sentence has trees with any parameters; a malformed file is an error before memory is allocated.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "parser/gold.h"
#include "parser/parsing.h"
#include "roots.h"
#include "trees/conllu.h"
#include "trees/ptb.h"

#define BANK "tests/data/parser/both"
#define SMALL "word_width=8,feature_width=7,feature_rows=50,width=24,ff=20,heads=3,layers=2," \
	"arc=9,span=10,hidden=11"

static struct network *
make_network(const char *settings)
{
	struct network_config c = network_defaults;
	struct network *n;
	struct treebank b;
	struct err e;

	treebank_init(&b);
	if (treebank_read(&b, BANK ".conllu," BANK ".ptb", NULL, &e) ||
	    cli_settings(network_options, &c, settings, &e))
		fail_msg("%s", e.text);
	n = gold_network(&b, &c, 1, &e);
	if (!n)
		fail_msg("%s", e.text);
	treebank_release(&b);
	params_allocate(&n->params, false);
	params_randomize(&n->params, 7);
	return n;
}

/* Sentences of 1 ... MAX_WORDS random words: most are known, a few are long or unusual. */
enum { SENTENCES = 40, MAX_WORDS = 37 };

static const char *const forms[] = {
	"the", "otter", "found", "a", "round", "pebble", ".", "Rain", "Go", "home", "!",
	"-LRB-", "&quot;", "\xc3\x9c", "X2", "(",
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
};

enum { FORMS = sizeof(forms) / sizeof(*forms) };

struct text { const char *word[SENTENCES][MAX_WORDS]; struct parse_job job[SENTENCES]; };

static void
make_text(struct text *x)
{
	struct rng r;

	rng_init(&r, 3, rng_purpose("parser test"), 0);
	memset(x, 0, sizeof(*x));
	for (int i = 0; i < SENTENCES; i++) {
		x->job[i].n = i < 3 ? i : 1 + (int)rng_below(&r, MAX_WORDS);
		x->job[i].word = x->word[i];
		x->job[i].number = (uint32_t)i;
		for (int k = 0; k < x->job[i].n; k++)
			x->word[i][k] = forms[rng_below(&r, FORMS)];
	}
}

static struct parsing *
open_parsing(struct network *n, const char *backend, int precision, int threads, int batch_words)
{
	const struct parse_settings s = {
		.network = n, .arcs = true, .spans = true, .max_words = 200,
		.batch_words = batch_words, .backend = backend, .precision = precision,
		.threads = threads,
	};
	struct err e;
	struct parsing *p = parsing_new(&s, &e);

	if (!p)
		fail_msg("%s", e.text);
	return p;
}

static void
same_texts(const char **a, const char **b, int n)
{
	for (int i = 0; i < n; i++)
		assert_string_equal(a[i], b[i]);
}

static void
same_trees(const struct parse_job *a, const struct parse_job *b)
{
	if (!a->n) {
		assert_true(!a->head && !a->tree && !b->head && !b->tree);
		return;
	}
	assert_memory_equal(a->head, b->head, (size_t)a->n * sizeof(int));
	same_texts(a->rel, b->rel, a->n);
	same_texts(a->upos, b->upos, a->n);
	same_texts(a->xpos, b->xpos, a->n);
	assert_string_equal(a->tree, b->tree);
}

/* All sentences together with three threads, against each sentence alone. */
static void
check_company(const char *backend, int precision)
{
	static struct text together, alone;
	struct network *n = make_network(SMALL), *m = make_network(SMALL);
	struct parsing *many = open_parsing(n, backend, precision, 3, 300);
	struct parsing *one = open_parsing(m, backend, precision, 1, 1);

	make_text(&together);
	make_text(&alone);
	parsing_begin(many);
	parsing_window(many, together.job, SENTENCES);
	for (int i = 0; i < SENTENCES; i++) {
		parsing_begin(one);
		parsing_window(one, &alone.job[i], 1);
		same_trees(&together.job[i], &alone.job[i]);
	}
	parsing_free(many);
	parsing_free(one);
	network_free(n);
	network_free(m);
}

static void
trees_are_the_same_alone_and_in_a_batch(void **state)
{
	(void)state;
	check_company(NULL, PRECISION_FP32);
	check_company(NULL, PRECISION_INT16);
	check_company("native", PRECISION_BF16);
	check_company("reference", PRECISION_FP32);
}

/* Compares encoder outputs bit by bit, because trees would hide small differences. */
static void
check_bits(int precision)
{
	static struct text x;
	struct network *n = make_network(SMALL);
	struct runtime run;
	struct err e;
	struct arena mem;
	struct buf room = { 0 };
	struct pack p;
	const struct word_code *code[SENTENCES * MAX_WORDS];
	int len[SENTENCES], words = 0;
	real *all;

	make_text(&x);
	arena_init(&mem, 0);
	assert_int_equal(runtime_open(&run, "native", precision, 2, &e), 0);
	network_prepare(n, &run.pass);
	for (int i = 0; i < SENTENCES; i++)
		for (int k = 0; k < (len[i] = x.job[i].n); k++)
			code[words++] = network_code(n, x.word[i][k], &mem, &room);
	network_pack(n, &p, code, len, SENTENCES, &mem);
	all = arena_copy(&mem, network_encode(n, run.tape, &p)->x,
			 (size_t)p.rows.rows * (size_t)n->config.width * sizeof(real));
	for (int i = 0, at = 0, row = 0; i < SENTENCES; at += len[i], row += len[i] + 1, i++) {
		struct pack one;
		size_t width = (size_t)n->config.width;

		tape_rewind(run.tape);
		network_pack(n, &one, code + at, &len[i], 1, &mem);
		assert_memory_equal(network_encode(n, run.tape, &one)->x, all + (size_t)row * width,
				    ((size_t)len[i] + 1) * width * sizeof(real));
	}
	buf_release(&room);
	arena_release(&mem);
	runtime_close(&run);
	network_free(n);
}

static void
encoder_outputs_have_the_same_bits_alone_and_in_a_batch(void **state)
{
	(void)state;
	check_bits(PRECISION_FP32);
	check_bits(PRECISION_BF16);
	check_bits(PRECISION_INT16);
}

/* Checks that there is one root and no cycle, and that the brackets have exactly these words. */
static void
check_trees(const struct parse_job *job)
{
	struct tree t;
	struct err e;
	int w = 0;

	assert_int_equal(dep_check(job->head, job->n, &e), 0);
	assert_int_equal(count_roots(job->head, job->n), 1);
	tree_init(&t);
	if (ptb_parse(&t, job->tree, strlen(job->tree), PTB_KEEP_FUNCTIONS, &e))
		fail_msg("%s: %s", job->tree, e.text);
	for (int i = 0; i < t.n; i++)
		w += t.node[i].leaf;
	assert_int_equal(w, job->n);
	tree_release(&t);
}

static void
any_parameters_give_trees(void **state)
{
	static const float bad[] = { NAN, INFINITY, -INFINITY, 1e38f, 0 };
	static struct text x;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (int every = 1; every < 30; every += 28) {
			struct network *n = make_network(SMALL);
			struct parsing *p;

			for (size_t k = 0; k < n->params.total; k += (size_t)every)
				n->params.x[k] = bad[i];
			p = open_parsing(n, NULL, i % 2 ? PRECISION_INT16 : PRECISION_FP32, 1, 100);
			make_text(&x);
			parsing_begin(p);
			parsing_window(p, x.job, SENTENCES);
			for (int k = 1; k < SENTENCES; k++)
				check_trees(&x.job[k]);
			parsing_free(p);
			network_free(n);
		}
}

/* Writes a file with these members after the map, and parameters if there is a network. */
struct lie { const char *config, *words, *labels[LABEL_SETS], *expected; };

static const struct lie lies[] = {
	{ "word_width=4096,feature_width=4096,feature_rows=16777216,width=16384,ff=65536,layers=64",
	  "a\n", { "A\n", "B\n", "root\n", "()\n" }, "parameters are missing" },
	{ "width=10,heads=3", "a\n", { "A\n", "B\n", "root\n", "()\n" },
	  "expected a multiple of heads=3" },
	{ "width=0", "a\n", { "A\n", "B\n", "root\n", "()\n" }, "config" },
	{ "surprise=1", "a\n", { "A\n", "B\n", "root\n", "()\n" }, "config" },
	{ "width=8", "a\na\n", { "A\n", "B\n", "root\n", "()\n" }, "vocab/word" },
	{ "width=8", "a\n", { "A\nA\n", "", "", "" }, "labels/upos: line 2" },
	{ "width=8", "a\n", { "", "\n", "", "" }, "labels/xpos: line 1" },
	{ "width=8", "a\n", { "", "", "root", "" }, "labels/rel: line 1" },
	{ "width=8", "a\n", { "", "", "a b\n", "" }, "labels/rel: line 1" },
	{ "width=8", "a\n", { "", "", "a\tb\n", "" }, "labels/rel: line 1" },
	{ "width=8", "a\n", { "", "", "", "()\nS  VP\n" }, "labels/span: line 2" },
	{ "width=8", "a\n", { "", "", "", "()\nS VP\n VP\n" }, "labels/span: line 3" },
	{ "width=8", "a\n", { "", "", "\xff\n", "" }, "labels/rel: line 1" },
};

static void
write_lie(const char *path, const struct lie *x)
{
	static const struct bundle_kind kind = {
		.map = "heed-parser", .what = "a parser", .format = 1, .i8 = true
	};
	static const char *const member[LABEL_SETS] = {
		"labels/upos", "labels/xpos", "labels/rel", "labels/span"
	};
	struct err e;
	struct bundle_out *b = bundle_out_open(path, &kind, &e);

	assert_non_null(b);
	bundle_out_text(b, "config", x->config);
	bundle_out_text(b, "lang", "");
	bundle_out_text(b, "pg", "");
	record_set_int(bundle_out_map(b), "step", 1);
	bundle_out_bytes(b, "vocab/word", "text", x->words, strlen(x->words));
	for (int i = 0; i < LABEL_SETS; i++)
		bundle_out_bytes(b, member[i], "text", x->labels[i], strlen(x->labels[i]));
	assert_int_equal(bundle_out_finish(b, &e), 0);
}

static long
peak(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

static void
malformed_files_are_errors(void **state)
{
	char path[] = "/tmp/heed-parser-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct parser p;
		struct err e;
		long before = peak();

		write_lie(path, &lies[i]);
		assert_null(parser_read(&p, path, false, &e));
		assert_int_equal(e.status, EXIT_INPUT);
		if (!strstr(e.text, lies[i].expected))
			fail_msg("lie %zu: found '%s', expected '%s'", i, e.text, lies[i].expected);
		assert_true(peak() - before < 16 << 10);
	}
	unlink(path);
}

static void
a_parser_is_read_as_written(void **state)
{
	char path[] = "/tmp/heed-parser-XXXXXX";
	struct parser q, p = {
		.network = make_network(SMALL), .lang = xstrdup("en"), .pg = xstrdup("pg"),
		.step = 12
	};
	int fd = mkstemp(path);
	struct bundle_out *out;
	struct bundle_in *in;
	struct err e;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	out = parser_write(&p, path, false, &e);
	assert_non_null(out);
	assert_int_equal(bundle_out_finish(out, &e), 0);
	in = parser_read(&q, path, false, &e);
	assert_non_null(in);
	assert_int_equal(bundle_in_close(in, 0, &e), 0);
	assert_string_equal(q.lang, "en");
	assert_string_equal(q.pg, "pg");
	assert_int_equal(q.step, 12);
	assert_memory_equal(p.network->params.x, q.network->params.x,
			    p.network->params.total * sizeof(real));
	for (int set = 0; set < LABEL_SETS; set++) {
		const struct strmap *a = &p.network->labels[set], *b = &q.network->labels[set];

		assert_int_equal(a->n, b->n);
		for (int i = 0; i < (int)a->n; i++)
			assert_string_equal(strmap_text(a, i, NULL), strmap_text(b, i, NULL));
	}
	parser_release(&p);
	parser_release(&q);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_the_same_alone_and_in_a_batch),
		cmocka_unit_test(encoder_outputs_have_the_same_bits_alone_and_in_a_batch),
		cmocka_unit_test(any_parameters_give_trees),
		cmocka_unit_test(malformed_files_are_errors),
		cmocka_unit_test(a_parser_is_read_as_written),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests_name("parser", tests, NULL, NULL);
}
