/*
 * conllu: any bytes are an error or sentences, whose heads are trees and which can be written and
 * read again.
 */
#include <stdlib.h>
#include <string.h>

#include "trees/conllu.h"

#include "fuzz.h"

static void
look(const struct dep_sentence *s)
{
	int *head = malloc((size_t)s->n * sizeof(*head));
	struct err e;

	must(head && s->n > 0 && s->line > 0 && s->ranges >= 0 && s->empties >= 0);
	for (int i = 0; i < s->n; i++) {
		must(*s->word[i].form && *s->word[i].upos && *s->word[i].xpos && *s->word[i].rel);
		head[i] = s->word[i].head;
	}
	must(!s->has_heads || !dep_check(head, s->n, &e));
	free(head);
}

/* Writes the sentences up to the first error; returns true if there is none. */
static bool
read_all(const void *data, size_t n, struct buf *out)
{
	struct dep_sentence s = { .n = 0 };
	struct err e;
	struct conllu_reader *r = conllu_open_memory("fuzz", data, n, &e);
	int more;

	if (!r)
		return false;
	while ((more = conllu_next(r, &s, &e)) > 0) {
		look(&s);
		conllu_write(&s, out);
	}
	must(!more || e.status == EXIT_INPUT);
	conllu_close(r);
	dep_sentence_release(&s);
	return !more;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf text = { 0 }, again = { 0 };

	read_all(data, n, &text);
	must(read_all(text.data, text.n, &again));
	must(again.n == text.n && (!text.n || !memcmp(again.data, text.data, text.n)));
	buf_release(&text);
	buf_release(&again);
	return 0;
}
