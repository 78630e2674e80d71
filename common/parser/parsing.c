/* parsing: see parsing.h. */
#include "parser/parsing.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "parser/binary.h"
#include "parser/decode.h"
#include "text/form.h"

/* A sentence, or a part of a sentence that is too long. */
struct part {
	struct parse_job *job;
	int first, n;
	struct sentence got;
	struct tree_text { const char *s; size_t n; } tree;
};

/* The memory of one thread, which parses one batch at a time. */
struct stream {
	struct arena step, scratch, results;
	struct pass pass;
	struct tape *tape;
	struct tree tree, corrupted;
	struct buf text;
	int64_t fallbacks;
};

struct parsing {
	struct parse_settings set;
	struct runtime run;
	bool running;
	struct stream *stream;
	int n_streams;
	const char **relations, **phrases;	/* new labels of corrupted trees */
	int n_relations, n_phrases;
	int64_t split;

	/* The window: parts sorted by length, and the first part of each batch. */
	struct part *part;
	int n, *start, n_batches;
	size_t room, start_room;
	struct arena results;
};

static void
stream_open(struct stream *s, struct parsing *p)
{
	arena_init(&s->step, ARENA_LARGE);
	arena_init(&s->scratch, ARENA_LARGE);
	arena_init(&s->results, 0);
	s->pass = (struct pass){ .scratch = &s->scratch, .backend = &p->run.backend };
	s->tape = tape_new(&s->step, &s->pass);
}

static void
stream_close(struct stream *s)
{
	tape_free(s->tape);
	arena_release(&s->step);
	arena_release(&s->scratch);
	arena_release(&s->results);
	tree_release(&s->tree);
	tree_release(&s->corrupted);
	buf_release(&s->text);
}

/* Lists the labels that a corrupted arc or phrase may get: no chains and not BINARY_NONE. */
static void
choose_labels(struct parsing *p)
{
	const struct strmap *map = p->set.network->labels;

	p->relations = xcalloc(map[LABEL_REL].n + 1, sizeof(*p->relations));
	for (int i = 0; i < (int)map[LABEL_REL].n; i++)
		p->relations[p->n_relations++] = strmap_text(&map[LABEL_REL], i, NULL);
	p->phrases = xcalloc(map[LABEL_SPAN].n + 1, sizeof(*p->phrases));
	for (int i = 0; i < (int)map[LABEL_SPAN].n; i++) {
		const char *s = strmap_text(&map[LABEL_SPAN], i, NULL);

		if (!strchr(s, ' ') && strcmp(s, BINARY_NONE))
			p->phrases[p->n_phrases++] = s;
	}
}

struct parsing *
parsing_new(const struct parse_settings *s, struct err *e)
{
	struct parsing *p = xcalloc(1, sizeof(*p));

	p->set = *s;
	arena_init(&p->results, 0);
	if (runtime_open(&p->run, s->backend, s->precision, s->threads, e)) {
		parsing_free(p);
		return NULL;
	}
	p->running = true;
	p->n_streams = p->run.backend.caps & BACKEND_THREAD_SAFE ? pool_threads(p->run.pool) : 1;
	if (s->network)
		choose_labels(p);
	p->stream = xcalloc((size_t)p->n_streams, sizeof(*p->stream));
	for (int i = 0; i < p->n_streams; i++)
		stream_open(&p->stream[i], p);
	if (s->network)
		network_prepare(s->network, &p->stream[0].pass);
	return p;
}

void
parsing_free(struct parsing *p)
{
	if (!p)
		return;
	for (int i = 0; p->stream && i < p->n_streams; i++)
		stream_close(&p->stream[i]);
	if (p->running)
		runtime_close(&p->run);
	arena_release(&p->results);
	free(p->stream);
	free(p->relations);
	free(p->phrases);
	free(p->part);
	free(p->start);
	free(p);
}

void
parsing_begin(struct parsing *p)
{
	for (int i = 0; i < p->n_streams; i++)
		arena_rewind(&p->stream[i].results);
	arena_rewind(&p->results);
}

struct parsing_counts
parsing_counts(const struct parsing *p)
{
	struct parsing_counts c = { .split = p->split };

	for (int i = 0; i < p->n_streams; i++)
		c.fallbacks += p->stream[i].fallbacks;
	return c;
}

/* --- one part */

static const char *
parsing_label(const struct parsing *p, int set, int i)
{
	return strmap_text(&p->set.network->labels[set], i, NULL);
}

static const char **
labels(const struct parsing *p, struct arena *mem, int set, const int *number, int n)
{
	const char **text = number ? ARENA_ARRAY(mem, const char *, n) : NULL;

	for (int i = 0; text && i < n; i++)
		text[i] = parsing_label(p, set, number[i]);
	return text;
}

/* The tags in constituency trees: XPOS, or else UPOS, or else X. */
static const char *const *
tags_of(struct parsing *p, const struct part *part, struct arena *mem)
{
	int set = part->got.tag[LABEL_XPOS] ? LABEL_XPOS : LABEL_UPOS;
	const char **tag = labels(p, mem, set, part->got.tag[set], part->n);

	if (tag)
		return tag;
	tag = ARENA_ARRAY(mem, const char *, part->n);
	for (int i = 0; i < part->n; i++)
		tag[i] = CONTROL_TAG;
	return tag;
}

/* The address of random numbers, different for the parts of a sentence. */
static uint32_t
parsing_number_of(const struct part *p)
{
	uint32_t number = p->job->number;

	return p->first ? rng_key(((uint64_t)number << 32) + (uint64_t)p->first) : number;
}

static void
keep_tree(struct parsing *p, struct stream *s, struct part *part)
{
	struct corrupt c = { p->set.corrupt, p->set.seed, p->phrases, p->n_phrases };
	struct tree *t = &s->tree;

	if (c.share > 0) {
		corrupt_tree(&c, parsing_number_of(part), t, &s->corrupted, &s->scratch);
		t = &s->corrupted;
	}
	buf_clear(&s->text);
	tree_write(t, &s->text);
	part->tree.s = arena_copy(&s->results, s->text.data, s->text.n + 1);
	part->tree.n = s->text.n;
}

static void
network_tree(struct parsing *p, struct stream *s, struct part *part)
{
	struct arena_mark mark = arena_mark(&s->scratch);
	int n = 2 * part->n - 1;
	struct binary_span *span = ARENA_ARRAY(&s->scratch, struct binary_span, n);

	for (int i = 0; i < n; i++) {
		const struct gold_span *g = &part->got.span[i];

		span[i] = (struct binary_span){ g->first, g->end,
					       parsing_label(p, LABEL_SPAN, g->label) };
	}
	binary_tree(span, part->n, part->job->word + part->first, tags_of(p, part, &s->scratch),
		    &s->scratch, &s->tree);
	keep_tree(p, s, part);
	arena_rewind_to(&s->scratch, mark);
}

/* Copies heads and relations of a part to the sentence, corrupted if wanted. */
static void
keep_arcs(struct parsing *p, struct stream *s, struct part *part)
{
	struct parse_job *job = part->job;
	struct corrupt c = { p->set.corrupt, p->set.seed, &(const char *){ CONTROL_RELATION }, 1 };
	const char **rel;

	if (p->set.network) {
		c = (struct corrupt){ c.share, c.seed, p->relations, p->n_relations };
		rel = labels(p, &s->scratch, LABEL_REL, part->got.rel, part->n);
	} else {
		rel = ARENA_ARRAY(&s->scratch, const char *, part->n);
		for (int i = 0; i < part->n; i++)
			rel[i] = part->got.head[i] ? CONTROL_RELATION : "root";
	}
	if (c.share > 0)
		corrupt_heads(&c, parsing_number_of(part), part->n, part->got.head, rel,
			      &s->scratch);
	memcpy(job->rel + part->first, rel, (size_t)part->n * sizeof(*rel));
}

static void
keep_tags(struct parsing *p, struct part *part)
{
	const char **const text[LABEL_TAGS] = {
		[LABEL_UPOS] = part->job->upos, [LABEL_XPOS] = part->job->xpos
	};

	for (int set = 0; set < LABEL_TAGS; set++)
		for (int i = 0; text[set] && i < part->n; i++)
			text[set][part->first + i] = parsing_label(p, set, part->got.tag[set][i]);
}

static void
control_part(struct parsing *p, struct stream *s, struct part *part)
{
	enum control c = (enum control)p->set.control;

	if (p->set.arcs) {
		part->got.head = ARENA_ARRAY(&s->results, int, part->n);
		control_heads(c, part->n, p->set.seed, parsing_number_of(part), part->got.head,
			      &s->scratch);
		keep_arcs(p, s, part);
	}
	if (p->set.spans) {
		control_tree(c, part->job->word + part->first, part->n, p->set.seed,
			     parsing_number_of(part), &s->tree, &s->scratch);
		keep_tree(p, s, part);
	}
	arena_rewind(&s->scratch);
}

/* The grammar needs words without escapes; the tree gets the words as they are. */
static void
grammar_part(struct parsing *p, struct stream *s, struct part *part)
{
	const char *const *word = part->job->word + part->first, **plain;
	struct tree *t = &s->tree;
	bool fallback;

	if (!p->set.spans)
		return;
	plain = ARENA_ARRAY(&s->scratch, const char *, part->n);
	for (int i = 0; i < part->n; i++)
		plain[i] = form_plain(word[i], arena_get(&s->scratch, FORM_ROOM));
	pcfg_parse(p->set.grammar, plain, part->n, &s->scratch, t, &fallback);
	s->fallbacks += fallback;
	for (int i = 0; i < t->n; i++)
		if (t->node[i].leaf)
			t->node[i].label = word[t->node[i].first];
	keep_tree(p, s, part);
	arena_rewind(&s->scratch);
}

/* --- a batch of parts */

static void
network_batch(struct parsing *p, struct stream *s, struct part *part, int n)
{
	struct arena *mem = tape_arena(s->tape);
	const struct decode_settings how = { p->set.projective, p->set.arcs, p->set.spans };
	struct sentence *got = ARENA_ARRAY(mem, struct sentence, n);
	const struct word_code **code;
	int *len = ARENA_ARRAY(mem, int, n), words = 0, at = 0;
	struct pack pack;

	for (int i = 0; i < n; i++)
		words += len[i] = part[i].n;
	code = ARENA_ARRAY(mem, const struct word_code *, words);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < part[i].n; k++)
			code[at++] = network_code(p->set.network,
						  part[i].job->word[part[i].first + k], mem,
						  &s->text);
	network_pack(p->set.network, &pack, code, len, n, mem);
	network_decode(p->set.network, s->tape, &pack, &how, &s->results, got);
	for (int i = 0; i < n; i++) {
		part[i].got = got[i];
		keep_tags(p, &part[i]);
		if (got[i].head)
			keep_arcs(p, s, &part[i]);
		if (got[i].span)
			network_tree(p, s, &part[i]);
		arena_rewind(&s->scratch);
	}
	tape_rewind(s->tape);
}

static void
do_batch(void *arg, int batch, int thread)
{
	struct parsing *p = arg;
	struct stream *s = &p->stream[thread];
	int from = p->start[batch], to = p->start[batch + 1];

	if (p->set.network)
		network_batch(p, s, p->part + from, to - from);
	else
		for (int i = from; i < to; i++)
			(p->set.grammar ? grammar_part : control_part)(p, s, &p->part[i]);
}

/* --- a window */

/* Controls need no square of the length; corruption does, for the scores of heads. */
static bool
parsing_splits(const struct parse_settings *s)
{
	return s->network || s->grammar || s->corrupt > 0;
}

static void
parsing_add_parts(struct parsing *p, struct parse_job *job)
{
	int most = parsing_splits(&p->set) ? p->set.max_words : job->n > 0 ? job->n : 1;
	int parts = (int)(((int64_t)job->n + most - 1) / most);

	p->split += parts > 1;
	p->part = mem_grow(p->part, &p->room, (size_t)(p->n + parts), sizeof(*p->part));
	for (int i = 0; i < parts; i++) {
		int from = (int)((int64_t)job->n * i / parts);
		int to = (int)((int64_t)job->n * (i + 1) / parts);

		p->part[p->n++] = (struct part){ .job = job, .first = from, .n = to - from };
	}
}

/* Allocates the results of a sentence, which its parts share. */
static void
parsing_make_room(struct parsing *p, struct parse_job *job)
{
	const struct network *n = p->set.network;
	struct arena *mem = &p->results;

	*job = (struct parse_job){ .word = job->word, .n = job->n, .number = job->number };
	if (!job->n)
		return;
	if (p->set.arcs && (!n || network_has_arcs(n))) {
		job->head = ARENA_ARRAY(mem, int, job->n);
		job->rel = ARENA_ARRAY(mem, const char *, job->n);
	}
	if (n && n->labels[LABEL_UPOS].n)
		job->upos = ARENA_ARRAY(mem, const char *, job->n);
	if (n && n->labels[LABEL_XPOS].n)
		job->xpos = ARENA_ARRAY(mem, const char *, job->n);
}

/* The order of the sentences, then of their parts. */
static int
parsing_by_place(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	return a->job != b->job ? (a->job < b->job ? -1 : 1) : a->first - b->first;
}

/* Longest first; parts of equal length in their order. */
static int
parsing_by_length(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	return a->n != b->n ? b->n - a->n : parsing_by_place(a, b);
}

static void
cut_batches(struct parsing *p)
{
	int words = 0;

	p->n_batches = 0;
	p->start = mem_grow(p->start, &p->start_room, (size_t)p->n + 1, sizeof(*p->start));
	for (int i = 0; i < p->n; i++) {
		if (!i || words + p->part[i].n > p->set.batch_words) {
			p->start[p->n_batches++] = i;
			words = 0;
		}
		words += p->part[i].n;
	}
	p->start[p->n_batches] = p->n;
}

static void
join_arcs(struct parse_job *job, const struct part *part, int parts)
{
	int root = 0;

	for (int i = 0; i < parts; i++)
		for (int k = 0; k < part[i].n; k++) {
			int head = part[i].got.head[k], at = part[i].first + k;

			if (!head && !i)
				root = at + 1;
			job->head[at] = head ? head + part[i].first : i ? root : 0;
			if (!head && i)
				job->rel[at] = PARSE_JOINT;
		}
}

static void
join_trees(struct parsing *p, struct parse_job *job, const struct part *part, int parts)
{
	size_t n = sizeof("(" PARSE_WHOLE ")");
	char *at;

	if (parts == 1) {
		job->tree = part->tree.s;
		return;
	}
	for (int i = 0; i < parts; i++)
		n += 1 + part[i].tree.n;
	job->tree = at = arena_get(&p->results, n);
	at = stpcpy(at, "(" PARSE_WHOLE);
	for (int i = 0; i < parts; i++) {
		*at++ = ' ';
		at = stpcpy(at, part[i].tree.s);
	}
	strcpy(at, ")");
}

static void
parsing_join(struct parsing *p)
{
	qsort(p->part, (size_t)p->n, sizeof(*p->part), parsing_by_place);
	for (int i = 0, j; i < p->n; i = j) {
		struct parse_job *job = p->part[i].job;

		for (j = i; j < p->n && p->part[j].job == job; j++)
			;
		if (job->head)
			join_arcs(job, &p->part[i], j - i);
		if (p->part[i].tree.s)
			join_trees(p, job, &p->part[i], j - i);
	}
}

void
parsing_window(struct parsing *p, struct parse_job *job, int n)
{
	p->n = 0;
	for (int i = 0; i < n; i++) {
		parsing_make_room(p, &job[i]);
		parsing_add_parts(p, &job[i]);
	}
	if (!p->n)
		return;
	qsort(p->part, (size_t)p->n, sizeof(*p->part), parsing_by_length);
	cut_batches(p);
	pool_run(p->n_streams > 1 ? p->run.pool : NULL, p->n_batches, do_batch, p);
	parsing_join(p);
}
