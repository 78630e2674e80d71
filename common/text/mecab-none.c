/* mecab-none: for builds without libmecab; see mecab.h. */
#include "text/mecab.h"

int
mecab_ready(struct err *e)
{
	err_set(e, EXIT_USAGE, "tokenizer ja-mecab needs libmecab, expected a build with it");
	err_hint(e, "install libmecab-dev and mecab-ipadic-utf8, and rebuild; --tokenizer char "
		 "and chrF need no library");
	return -1;
}

void
mecab_words(const char *s, size_t n, struct buf *out)
{
	(void)s, (void)n, (void)out;
	bug("no libmecab");
}

const char *
mecab_signature(void)
{
	return "ja-mecab";
}
