/* token-alignment: see token-alignment.h. */
#include "attribution/token-alignment.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/lrp-output.h"
#include "base/mem.h"
#include "data/batch.h"
#include "stream/fields.h"

/* The tokens of a side that have relevance: rows or columns at + from to at + to of the matrix. */
struct span { int from, to, at; };

static char *
token_alignment_setting(struct reader *reader, const char *key)
{
	const char *value = header_meta(reader_header(reader), key);

	return value && *value ? xstrdup(value) : NULL;
}

int
token_alignment_begin(struct token_alignment *a, struct reader *reader, struct err *e)
{
	char *target = token_alignment_setting(reader, "lrp.target");
	int bad = 0;

	*a = (struct token_alignment){ .method = token_alignment_setting(reader, "lrp.rule"),
				      .end = -1 };
	arena_init(&a->mem, 0);
	for (int side = 0; side < 2; side++)
		a->first[side] = token_alignment_setting(reader, lrp_first_tokens[side]);
	if (!a->method || !target)
		bad = err_set(e, EXIT_INPUT, "%s: the header has no lrp.rule and lrp.target, "
			      "expected a stream of head-lrp --tokens", reader_name(reader));
	else if (strcmp(target, "ref")) {
		bad = err_set(e, EXIT_INPUT, "%s: lrp.target is '%.20s', expected ref",
			      reader_name(reader), target);
		err_hint(e, "run head-lrp with --target ref");
	}
	free(target);
	return bad ? bad : token_relevance_check(reader, e);
}

void
token_alignment_release(struct token_alignment *a)
{
	free(a->method);
	for (int side = 0; side < 2; side++)
		free(a->first[side]);
	word_sums_release(&a->sums);
	arena_release(&a->mem);
	*a = (struct token_alignment){ .method = NULL };
}

/* Does the record itself begin with the model's first token? */
static bool
begins_with_first(const struct token_alignment *a, const struct record *rec, bool target)
{
	struct batch_rules rules = { .with_target = true };

	if (!a->first[target])
		return false;
	rules.first_token[target] = (struct str){ a->first[target], strlen(a->first[target]) };
	return batch_has_first(rec, &rules, target);
}

/* --too-long cut may have dropped the last tokens. */
static struct span
token_alignment_span_of(const struct token_alignment *a, const struct record *rec,
			const struct link_side *side, bool target)
{
	const int given = begins_with_first(a, rec, target);
	struct span s = { given, side->tokens, (a->first[target] != NULL) - given };
	int64_t kept;

	if (!record_int(rec, side_fields[target].cut, &kept) && kept >= 0 && kept < s.to)
		s.to = (int)kept;
	return s;
}

/* Does the matrix fit the tokens?  Either all sources have an end token or none. */
static int
token_alignment_check_size(struct token_alignment *a, const struct token_relevance *r,
			   const struct span *src, const struct span *tgt, struct err *e)
{
	const int rows = tgt->at + tgt->to + 1, columns = src->at + src->to;
	const int end = r->columns - columns;

	if (r->rows == rows && (a->end < 0 ? end == 0 || end == 1 : end == a->end)) {
		a->end = end;
		return 0;
	}
	if (a->end < 0)
		return err_set(e, EXIT_INPUT, "relevance.src is %d x %d, expected %d x %d or "
			       "%d x %d for the tokens", r->rows, r->columns, rows, columns, rows,
			       columns + 1);
	return err_set(e, EXIT_INPUT, "relevance.src is %d x %d, expected %d x %d for the tokens",
		       r->rows, r->columns, rows, columns + a->end);
}

static void
add_token_relevance(struct token_alignment *a, const struct token_relevance *r,
		    const struct span *rows, const struct span *columns,
		    const struct link_side *src, const struct link_side *tgt)
{
	for (int i = rows->from; i < rows->to; i++) {
		const float *x = r->x + (ptrdiff_t)(rows->at + i) * r->columns + columns->at;
		double *sum = word_sums_row(&a->sums, link_side_word(tgt, i));

		for (int j = columns->from; j < columns->to; j++)
			sum[link_side_word(src, j)] += (double)x[j];
	}
}

int
token_alignment_of(struct token_alignment *a, const struct record *rec, const struct link_side *src,
		   const struct link_side *tgt, struct link_set *set, struct err *e)
{
	const struct span columns = token_alignment_span_of(a, rec, src, false);
	const struct span rows = token_alignment_span_of(a, rec, tgt, true);
	struct token_relevance r;
	int none;

	arena_rewind(&a->mem);
	link_set_clear(set);
	none = token_relevance_read(&r, rec, &a->mem, e);
	if (none)
		return none;
	if (token_alignment_check_size(a, &r, &columns, &rows, e))
		return -1;
	word_sums_begin(&a->sums, tgt->words, src->words);
	add_token_relevance(a, &r, &rows, &columns, src, tgt);
	word_sums_links(&a->sums, set);
	return 0;
}
