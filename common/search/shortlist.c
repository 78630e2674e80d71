/* shortlist: see shortlist.h. */
#include "search/shortlist.h"

#include <string.h>

#include "base/num.h"
#include "search/next-token.h"

struct reading {
	struct shortlist *s;
	struct input *in;
	const struct vocab *src, *tgt;
	unsigned char *seen;		/* [n_tgt] in the current line */
	unsigned char *read;		/* [n_src] has a line */
};

/* Cuts the text up to the first `end` from s. */
static struct str
take_until(struct str *s, char end)
{
	const char *at = memchr(s->s, end, s->n);
	const struct str part = { s->s, at ? (size_t)(at - s->s) : s->n };
	const size_t used = part.n + (at != NULL);

	s->s += used;
	s->n -= used;
	return part;
}

static int
shortlist_shown(struct str s)
{
	return (int)(s.n < 60 ? s.n : 60);
}

static int
shortlist_find(const struct reading *r, const struct vocab *v, const char *side, struct str entry,
	       struct err *e)
{
	const int id = vocab_id(v, entry.s, entry.n);

	return id != VOCAB_UNK ? id
		: input_error(r->in, e, "'%.*s' is not in the model's %s vocabulary",
			      shortlist_shown(entry), entry.s, side);
}

static size_t
count_entries(struct str line)
{
	size_t n = line.n > 0;

	for (size_t i = 0; i < line.n; i++)
		n += line.s[i] == ' ';
	return n;
}

/* Reads the target entries of a line. */
static int
read_targets(struct reading *r, struct str line, struct candidates *c, struct err *e)
{
	const size_t n = count_entries(line);
	int *id, result = 0;

	if (n > (size_t)r->s->n_tgt)
		return input_error(r->in, e, "%zu target entries, expected at most %d", n,
				   r->s->n_tgt);
	id = ARENA_ARRAY(&r->s->mem, int, n);
	while (!result && c->n < (int)n) {
		const struct str entry = take_until(&line, ' ');
		const int found = shortlist_find(r, r->tgt, "target", entry, e);

		if (found < 0)
			result = -1;
		else if (r->seen[found])
			result = input_error(r->in, e, "duplicate target entry '%.*s'",
					     shortlist_shown(entry), entry.s);
		else
			r->seen[id[c->n++] = found] = 1;
	}
	for (int i = 0; i < c->n; i++)
		r->seen[id[i]] = 0;
	c->id = id;
	return result;
}

/* The first line of n is that of all sentences; the others are source entries. */
static int
shortlist_read_line(struct reading *r, struct str line, bool first, struct err *e)
{
	struct str entry;
	int id;

	if (!memchr(line.s, '\t', line.n))
		return input_error(r->in, e, "no tab, expected one after the source entry");
	entry = take_until(&line, '\t');
	if (first)
		return entry.n ? input_error(r->in, e, "found '%.*s' before the tab, expected "
					     "nothing: entries for all sentences",
					     shortlist_shown(entry),
					     entry.s) : read_targets(r, line, &r->s->always, e);
	id = shortlist_find(r, r->src, "source", entry, e);
	if (id < 0)
		return -1;
	if (r->read[id])
		return input_error(r->in, e, "duplicate source entry '%.*s'",
				   shortlist_shown(entry), entry.s);
	r->read[id] = 1;
	return read_targets(r, line, &r->s->of[id], e);
}

/* The first line of the file: SHORTLIST_MAGIC and the number of lines that follow. */
static int64_t
shortlist_read_header(struct reading *r, struct err *e)
{
	const size_t n_magic = strlen(SHORTLIST_MAGIC);
	const char *line;
	int64_t lines;
	size_t n;
	const int more = input_line(r->in, &line, &n, e);

	if (more < 0)
		return -1;
	if (!more) {
		err_set(e, EXIT_INPUT, "%s: file is empty, expected '" SHORTLIST_MAGIC "'",
			input_name(r->in));
		err_hint(e, "shortlist-learn writes this file");
		return -1;
	}
	if (strncmp(line, SHORTLIST_MAGIC " ", n_magic + 1) ||
	    num_int(line + n_magic + 1, n - n_magic - 1, 1, (int64_t)r->s->n_src + 1, &lines, e))
		return input_error(r->in, e, "expected '" SHORTLIST_MAGIC "' and the number of "
				   "lines, from 1 to %d", r->s->n_src + 1);
	return lines;
}

static int
shortlist_read_lines(struct reading *r, struct err *e)
{
	const int64_t lines = shortlist_read_header(r, e);
	const char *line;
	size_t n;
	int more;

	if (lines < 0)
		return -1;
	for (int64_t i = 0; (more = input_line(r->in, &line, &n, e)) > 0; i++) {
		if (i == lines)
			return input_error(r->in, e, "more than %lld lines after the first",
					   (long long)lines);
		if (shortlist_read_line(r, (struct str){ line, n }, !i, e))
			return -1;
	}
	if (more < 0)
		return -1;
	if (input_line_number(r->in) <= lines)
		return input_error(r->in, e, "the file ends, expected %lld more lines",
				   (long long)(lines + 1 - input_line_number(r->in)));
	return 0;
}

int
shortlist_read(struct shortlist *s, struct input *input, const struct vocab *src,
	       const struct vocab *tgt, struct err *e)
{
	struct reading r = { .s = s, .in = input, .src = src, .tgt = tgt };

	memset(s, 0, sizeof(*s));
	arena_init(&s->mem, 0);
	s->n_src = src->n;
	s->n_tgt = tgt->n;
	s->of = arena_zero(&s->mem, (size_t)src->n * sizeof(*s->of));
	r.seen = arena_zero(&s->mem, (size_t)tgt->n);
	r.read = arena_zero(&s->mem, (size_t)src->n);
	return shortlist_read_lines(&r, e);
}

int
shortlist_load(struct shortlist *s, const char *path, struct model *m, const struct backend *b,
	       struct pool *pool, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	int r;

	if (!in)
		return -1;
	r = shortlist_read(s, in, &m->src, &m->tgt, e);
	input_close(in);
	if (r)
		shortlist_release(s);
	else
		model_prepare_candidates(m, b, pool);
	return r;
}

void
shortlist_release(struct shortlist *s)
{
	arena_release(&s->mem);
}

enum { WORD = 64 };

/* Sets the bits of ids; those that are no vocabulary entry, such as -1, are skipped. */
static void
shortlist_mark(uint64_t *set, int n_tgt, int n, const int *id)
{
	for (int i = 0; i < n; i++)
		if (id[i] >= 0 && id[i] < n_tgt)
			set[id[i] / WORD] |= (uint64_t)1 << id[i] % WORD;
}

struct candidates
shortlist_candidates(const struct shortlist *s, int n, const int *src, int n_more, const int *more,
		     struct arena *mem)
{
	const int words = (s->n_tgt + WORD - 1) / WORD, special[] = { 0, 1, 2, 3 };
	uint64_t *set = arena_zero(mem, (size_t)words * sizeof(*set));
	struct candidates c = { .n = 0 };
	int *id;

	shortlist_mark(set, s->n_tgt, VOCAB_SPECIALS, special);
	shortlist_mark(set, s->n_tgt, s->always.n, s->always.id);
	shortlist_mark(set, s->n_tgt, n_more, more);
	for (int i = 0; i < n; i++)
		if (src[i] >= 0 && src[i] < s->n_src)
			shortlist_mark(set, s->n_tgt, s->of[src[i]].n, s->of[src[i]].id);
	for (int w = 0; w < words; w++)
		c.n += __builtin_popcountll(set[w]);
	id = ARENA_ARRAY(mem, int, c.n);
	for (int w = 0, k = 0; w < words; w++)
		for (uint64_t rest = set[w]; rest; rest &= rest - 1)
			id[k++] = w * WORD + __builtin_ctzll(rest);
	c.id = id;
	return c;
}
