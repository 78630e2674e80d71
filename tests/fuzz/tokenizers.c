/* tokenizers: tokenizing and detokenizing keep UTF-8 valid and add no line ends. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/moses.h"
#include "text/tokenizers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
look(const struct buf *b)
{
	if (utf8_check(b->data, b->n) != b->n || (b->n && memchr(b->data, '\n', b->n)))
		abort();
}

static const char *const languages[] = { "en", "de", "fr", "cs", "ja", "fi" };
enum { LANGUAGES = sizeof(languages) / sizeof(*languages) };

/* Made once, because that takes longer than tokenizing. */
static void
moses(int language, const char *s, size_t n)
{
	static struct moses *made[LANGUAGES];
	struct moses *m = made[language] ? made[language] : moses_new(languages[language]);
	struct buf tokens = { 0 }, text = { 0 };

	moses_tokenize(m, s, n, n & 1, n & 2, &tokens);
	look(&tokens);
	moses_detokenize(m, tokens.data, tokens.n, &text);
	look(&text);
	buf_clear(&text);
	moses_detokenize(m, s, n, &text);
	look(&text);
	made[language] = m;
	buf_release(&tokens);
	buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *s = (const char *)data;
	struct buf out = { 0 };
	struct err e;

	if (utf8_check(s, n) != n || (n && memchr(s, '\n', n)))
		return 0;
	for (int i = 0; i < LANGUAGES; i++)
		moses(i, s, n);
	for (int i = TOKENIZER_13A; i <= TOKENIZER_NONE; i++) {
		buf_clear(&out);
		tokenizer_find(i, &e)(s, n, &out);
		look(&out);
	}
	for (unsigned i = 0; i < 16; i++) {
		buf_clear(&out);
		tokenize_tercom(&(struct tercom){ i & 1, i & 2, i & 4, i & 8 }, s, n, &out);
		look(&out);
	}
	buf_release(&out);
	return 0;
}
