/* tokenizer-choice: tokenizers by name, and the one that needs libmecab; see tokenizers.h. */
#include "base/utf8.h"
#include "text/mecab.h"
#include "text/tokenizers.h"
#include "text/unicode.h"

void
tokenize_ja_mecab(const char *s, size_t n, struct buf *out)
{
	struct buf line = { 0 };
	size_t len;

	while (n && unicode_python_space(utf8_next(s, n, &len))) {
		s += len;
		n -= len;
	}
	tokenize_rstrip(s, n, &line);
	if (line.n)
		mecab_words(line.data, line.n, out);
	buf_release(&line);
}

static tokenizer *const by_number[] = { tokenize_13a, tokenize_intl, tokenize_zh, tokenize_char,
				       tokenize_none, tokenize_ja_mecab };
const char *const tokenizer_names[] = { "13a", "intl", "zh", "char", "none", "ja-mecab", NULL };

tokenizer *
tokenizer_find(int number, struct err *e)
{
	if (by_number[number] == tokenize_ja_mecab && mecab_ready(e))
		return NULL;
	return by_number[number];
}

const char *
tokenizer_signature(int number)
{
	return by_number[number] == tokenize_ja_mecab ? mecab_signature() :
	       tokenizer_names[number];
}
