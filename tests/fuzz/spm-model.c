/*
 * spm-model: any bytes are refused, or are a SentencePiece model that segments and restores text.
 *
 * libsentencepiece gets what spm_check() accepts, and may refuse it; nothing else may happen.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpe/subwords.h"
#include "bpe/spm-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const texts[] = {
	"", " ", "a low  lower\tlowest b",
	"d\xc3\xa9j\xc3\xa0 vu\xc2\xa0\xe3\x80\x80 <de> \xef\xbc\xa1\xcc\x81\xc2\xad",
	"\xf0\x9f\x99\x82\xe6\x97\xa5\xe6\x9c\xac \xe2\x96\x81 <unk> <0x41>"
};

/* Texts that normalization or restoring make huge are legal, but not what is tested here. */
static void
use(const struct spm *m, const char *text, const struct spm_sampling *how)
{
	struct subwords p = { .n = 0 };
	struct buf out = { 0 };
	struct err e;

	if (subwords_spm(&p, m, text, strlen(text), how, &e)) {
		if (e.status != EXIT_INPUT)
			abort();
	} else {
		for (size_t i = 0; i < p.n; i++)
			if (p.word[i] < 0 || (size_t)p.word[i] > strlen(text) ||
			    (i && p.word[i] < p.word[i - 1]))
				bug("subword %zu is of word %d", i, (int)p.word[i]);
		if (spm_restore(m, p.v, p.n, &out, &e) && e.status != EXIT_INPUT)
			abort();
	}
	buf_release(&out);
	subwords_release(&p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e;
	struct spm *m;

	if (spm_check(data, n, &e)) {
		if (e.status != EXIT_INPUT)
			abort();
		return 0;
	}
	m = spm_read(data, n, &e);
	if (!m) {		/* EXIT_USAGE: without the library */
		if (e.status != EXIT_INPUT && e.status != EXIT_USAGE)
			abort();
		return 0;
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		use(m, texts[i], NULL);
		use(m, texts[i], &(struct spm_sampling){ SPM_ALL, 0.1, 1, 2, (uint32_t)i });
		use(m, texts[i], &(struct spm_sampling){ 8, 0.1, 1, 2, (uint32_t)i });
	}
	spm_free(m);
	return 0;
}
