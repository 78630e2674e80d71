/* Any bytes as what a checkpoint says of a training: its state, and the rows of its log. */
#include <stdint.h>
#include <string.h>

#include "model/trainer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct train_settings s = train_defaults;
	struct trainer t;
	struct err e;

	memset(&t, 0, sizeof(t));
	s.checkpoint = "fuzz";
	t.set = &s;
	if (!train_state_read(&t, (const char *)data, n, &e) && (t.state.update < 0 || t.state.batch < 0))
		bug("update %lld, batch %lld", (long long)t.state.update, (long long)t.state.batch);
	train_log_new(&t);
	if (!train_log_restore(&t, data, n, &e) && train_log_rows(&t)->n != n)
		bug("%zu bytes of rows from %zu", train_log_rows(&t)->n, n);
	train_log_free(&t);
	return 0;
}
