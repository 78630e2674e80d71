/* record-pieces: see record-pieces.h. */
#include "trees/record-pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "trees/piece-heads.h"

void
piece_words_release(struct piece_words *p)
{
	free(p->own);
	*p = (struct piece_words){ .n = 0 };
}

int
header_words(const struct header *h, const struct side_fields *f, struct err *e)
{
	const struct field need[] = { { f->word, "[int]", 0 }, { 0 } };

	return header_type(h, f->pieces) ? header_check(h, "the stream", need, e) : 0;
}

static void
words_are_pieces(struct piece_words *p, int n)
{
	const size_t old_room = p->room;

	p->own = mem_grow(p->own, &p->room, (size_t)n, sizeof(*p->own));
	for (size_t i = old_room; i < p->room; i++)
		p->own[i] = (int32_t)i;
	p->word = p->own;
	p->n = n;
}

/* Checks that the text, if there is one, has n_words words. */
static int
record_pieces_check_words(const struct record *rec, const char *field, int n_words, struct err *e)
{
	struct str s;
	int n = 0;

	if (record_str(rec, field, &s))
		return 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.s[i] != ' ' && (i == 0 || s.s[i - 1] == ' ');
	return n == n_words ? 0 : err_set(e, EXIT_INPUT, "tree of %d words, expected %d as in %s",
					  n_words, n, field);
}

int
record_pieces(const struct record *rec, const struct side_fields *f, int n_words,
	      struct piece_words *p, struct err *e)
{
	const struct str *pieces;
	size_t n, n_pieces;

	if (!record_has(rec, f->word) && !record_has(rec, f->pieces)) {
		words_are_pieces(p, n_words);
		return record_pieces_check_words(rec, f->text, n_words, e);
	}
	if (record_ints(rec, f->word, &p->word, &n))
		return err_set(e, EXIT_INPUT, "no %s", f->word);
	if (!record_strs(rec, f->pieces, &pieces, &n_pieces) && n_pieces != n)
		return err_set(e, EXIT_INPUT, "%s has %zu entries, expected one for each of %zu "
			       "subwords", f->word, n, n_pieces);
	p->n = (int)n;
	return pieces_check(p->word, p->n, n_words, e) ? err_wrap(e, "%s", f->word) : 0;
}

void
matrix_release(struct matrix *m)
{
	free(m->cell);
	*m = (struct matrix){ .n = 0 };
}

int
matrix_size(struct matrix *m, enum tensor_type type, int n, struct err *e)
{
	const size_t row = type == TENSOR_BITS ? ((size_t)n + 7) / 8 : (size_t)n;
	const size_t bytes = (size_t)n * row;

	if (bytes > (size_t)stream_max_record << 20) {
		err_set(e, EXIT_INPUT, "matrix over %d subwords, expected at most %" PRId64 " MiB",
			n, stream_max_record);
		cli_hint_limit(&stream_max_record, e);
		return -1;
	}
	m->type = type;
	m->n = n;
	m->cell = mem_grow(m->cell, &m->room, bytes + 1, sizeof(*m->cell));
	return 0;
}

void
record_set_matrix(struct record *rec, const char *field, const struct matrix *m)
{
	const struct tensor t = { .type = m->type, .n_dim = 2, .d = { m->n, m->n },
				  .data = m->cell };

	record_set_tensor(rec, field, &t);
}

void
report_without(const char *program, int64_t without, int64_t all, const char *source,
	       const char *result)
{
	if (without)
		fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " sentences have no %s and get no "
			"%s\n", program, without, all, source, result);
}
