/* shortlist: any bytes are refused, or are a shortlist whose candidates are valid and sorted. */
#include <stdlib.h>

#include "search/shortlist.h"

#include "fuzz.h"
#include "search/next-token.h"

static void
read_vocab(struct vocab *v, const char *text, size_t n)
{
	struct err e;

	vocab_init(v);
	must(!vocab_read(v, text, n, &e));
}

static void
check(const struct shortlist *s, int n_vocab)
{
	const int src[] = { VOCAB_SPECIALS, -1, VOCAB_UNK, VOCAB_SPECIALS + 2, VOCAB_EOS };
	const int more[] = { n_vocab - 1 };
	struct candidates c;
	struct arena mem;

	arena_init(&mem, 0);
	c = shortlist_candidates(s, 5, src, 1, more, &mem);
	must(c.n > VOCAB_SPECIALS && c.id[0] == VOCAB_PAD && c.id[c.n - 1] == n_vocab - 1);
	for (int i = 1; i < c.n; i++)
		must(c.id[i] > c.id[i - 1]);
	arena_release(&mem);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char en[] = "the\na\nca@@\nt\n", de[] = "das\nein\nder\nKa@@\ntze\nKatze\n";
	struct err e = { .status = EXIT_OK };
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);
	struct vocab src, tgt;
	struct shortlist s;

	if (!in)
		return 0;
	read_vocab(&src, en, sizeof(en) - 1);
	read_vocab(&tgt, de, sizeof(de) - 1);
	if (shortlist_read(&s, in, &src, &tgt, &e))
		must(e.status == EXIT_INPUT && e.text[0]);
	else
		check(&s, tgt.n);
	shortlist_release(&s);
	input_close(in);
	vocab_release(&src);
	vocab_release(&tgt);
	return 0;
}
