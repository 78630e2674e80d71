/*
 * train-state: any bytes are the training state of a checkpoint, with rows of its log, or
 * refused.
 */
#include <stdint.h>
#include <string.h>

#include "base/set-lines.h"
#include "train/trainer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The bytes are accepted only if a training with the settings of t could resume from them. */
static void
read_state(struct trainer *t, const uint8_t *data, size_t n)
{
	struct err e;

	if (train_state_read(t, (const char *)data, n, &e))
		return;
	if (t->state.update < 0 || t->state.batch < 0)
		bug("update %lld, batch %lld", (long long)t->state.update,
		    (long long)t->state.batch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct train_settings s = train_defaults;
	struct trainer t;
	struct err e;

	memset(&t, 0, sizeof(t));
	s.checkpoint = "fuzz";
	t.set = &s;
	read_state(&t, data, n);
	set_line_int(&t.settings, "--seed", 1);
	set_line_text(&t.settings, "--schedule", "constant");
	read_state(&t, data, n);
	train_log_new(&t);
	if (!train_log_restore(&t, data, n, &e) && train_log_rows(&t)->n != n)
		bug("%zu bytes of rows from %zu", train_log_rows(&t)->n, n);
	train_log_free(&t);
	buf_release(&t.settings);
	return 0;
}
