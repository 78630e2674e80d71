/*
 * stream-sealed: any objects, as a stream with correct counts and checksums, are read to the end
 * or refused.  Each record is accepted or refused as a sentence by models with attention
 * variants.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "seal.h"
#include "step.h"
#include "stream/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
letters(struct vocab *v)
{
	struct strmap types;
	const int64_t count[] = { 3, 2 };

	types = (struct strmap){ 0 };
	strmap_add(&types, "a", 1);
	strmap_add(&types, "b@@", 3);
	vocab_from_counts(v, &types, count, 1, 0);
	strmap_release(&types);
}

/* Two models, made once: one needs matrices over subwords, the other trees. */
static struct model *
model(int which)
{
	static const char *const spec[2][3] = {
		{ "dependency-mask", "phrase-position", "relation-mask" },
		{ "dbsa", "relative", "l0-gate" }
	};
	static struct model *made[2];
	struct model_config c = preset_find("fairseq")->config;
	struct vocab src, tgt;
	struct err e;

	if (made[which])
		return made[which];
	c.enc_layers = c.dec_layers = 1;
	c.width = 8;
	c.ff = 4;
	c.heads = 2;
	c.max_length = 16;
	letters(&src);
	letters(&tgt);
	made[which] = model_new(&c, &src, &tgt, spec[which], 3, &e);
	if (!made[which])
		bug("%s", e.text);
	made[which]->recipe = preset_find("fairseq")->recipe;
	params_allocate(&made[which]->params, false);
	model_randomize(made[which], 1);
	return made[which];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf file = { 0 };
	struct record *rec;
	struct reader *r;
	struct err e;
	int more = -1;

	seal_stream(data, n, &file);
	r = reader_memory("fuzz", file.data, file.n, NULL, NULL, &e);
	while (r && (more = reader_next(r, &rec, &e)) > 0)
		for (int which = 0; which < 2; which++)
			step_model(model(which), rec);
	if (more < 0 && (e.status != EXIT_INPUT || !e.text[0] ||
			 strstr(e.text, "the stream is damaged")))
		bug("status %d: %s", (int)e.status, e.text);
	reader_close(r);
	buf_release(&file);
	return 0;
}
