/* spm-train: see spm-train.h. */
#include "bpe/spm-train.h"

#include <string.h>

#include "bpe/spm-file.h"
#include "bpe/spm-lib.h"
#include "bpe/spm.h"

const char *const spm_normalizations[] = { "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf",
					   "identity", NULL };

static void
spm_train_add(void *arg, const char *s, size_t n, size_t begin)
{
	(void)begin;
	buf_add(arg, s, n);
}

int
spm_train(struct spm_train *t, const struct buf *lines, struct buf *model, struct err *e)
{
	const size_t start = model->n;
	char why[SPM_WHY];
	struct spm_walk walk;
	struct spm_entry entry;
	int more;
	const struct spm_lib_training how = {
		.type = t->bpe ? "bpe" : "unigram", .size = t->size, .coverage = t->coverage,
		.normalization = spm_normalizations[t->normalization]
	};

	if (spm_unavailable(e))
		return -1;
	if (!lines->n)
		return err_set(e, EXIT_INPUT, "no text, expected at least one line");
	if (spm_lib_train(&how, lines->data, lines->n, spm_train_add, model, why))
		return err_set(e, EXIT_INPUT, "libsentencepiece: %s", why);
	spm_walk(&walk, model->data + start, model->n - start);
	for (t->made = 0; (more = spm_next(&walk, &entry, e)) > 0; t->made++)
		;
	return more ? -1 : spm_check(model->data + start, model->n - start, e);
}

int64_t
spm_train_skips(const struct buf *lines)
{
	int64_t skipped = 0;
	size_t n;

	for (size_t at = 0; at < lines->n; at += n + 1) {
		const char *s = lines->data + at, *end = memchr(s, '\n', lines->n - at);

		n = end ? (size_t)(end - s) : lines->n - at;
		skipped += n > SPM_MAX_LINE;
	}
	return skipped;
}
