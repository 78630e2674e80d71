/*
 * parser-checkpoint: any members with valid checksums are an error or a checkpoint, from which one
 * update can be made.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parser/training.h"
#include "seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int form[] = { 0, 1 }, tag[] = { 0, 0 }, head[] = { 2, 0 }, rel[] = { 0, 1 };
static struct gold_span span[] = { { 0, 1, 0 }, { 0, 0, -1 }, { 1, 1, -1 } };
static struct sentence pair[] = {
	{ .n = 2, .form = form, .tag = { tag, tag }, .head = head, .rel = rel, .span = span }
};

/* One sentence of two words with complete annotation. */
static void
make_bank(struct treebank *b)
{
	treebank_init(b);
	b->sentence = pair;
	b->n = 1;
	b->words = 2;
	strmap_add(&b->form, "a", 1);
	strmap_add(&b->form, "dog", 3);
	strmap_add(&b->label[LABEL_UPOS], "NOUN", 4);
	strmap_add(&b->label[LABEL_XPOS], "NN", 2);
	strmap_add(&b->label[LABEL_REL], "det", 3);
	strmap_add(&b->label[LABEL_REL], "root", 4);
	strmap_add(&b->label[LABEL_SPAN], "NP", 2);
}

static void
release_bank(struct treebank *b)
{
	b->sentence = NULL;
	b->n = 0;
	treebank_release(b);
}

static void
step(struct training *t)
{
	const struct gold_noise noise = { 1, (uint32_t)t->state.epoch };
	const uint32_t first = 0;
	int64_t words;
	double norm;

	part_gradients_sum(t->parts, &first, 1, &noise, (uint32_t)t->state.update, &words);
	norm = optimizer_norm(&t->optimizer, t->run.pool);
	optimizer_step(&t->optimizer, t->run.pool, t->state.update + 1,
		       schedule_rate(&t->schedule, t->state.update + 1), norm > 1 ? 1 / norm : 1);
}

static void
release(struct training *t)
{
	part_gradients_free(t->parts);
	if (t->prepared) {
		gold_bank_release(&t->gold);
		gold_bank_release(&t->gold_dev);
		sentence_order_release(&t->order);
		optimizer_release(&t->optimizer);
	}
	parser_release(&t->parser);
	free(t->best);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct runtime run;	/* open until the process ends */
	struct parser_settings s = parser_defaults;
	struct training t = { .set = &s };
	struct err e = { .status = EXIT_OK };
	struct buf file = { 0 };
	struct bundle_in *b;

	s.checkpoint = "fuzz";
	s.keep_best = n % 2;
	if (!run.tape && runtime_open(&run, NULL, PRECISION_FP32, 1, &e))
		bug("%s", e.text);
	t.run = run;
	make_bank(&t.bank);
	treebank_init(&t.dev);
	seal_bundle(data, n, &file);
	b = parser_read_memory(&t.parser, "fuzz", file.data, file.n, true, &e);
	if (!training_take(&t, b, &e))
		step(&t);
	else if (e.status != EXIT_INPUT || !e.text[0])
		bug("status %d: %s", (int)e.status, e.text);
	release(&t);
	release_bank(&t.bank);
	treebank_release(&t.dev);
	buf_release(&file);
	return 0;
}
