/* gold: see gold.h. */
#include "parser/gold.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

/* The vocabulary of forms that occur at least min_count times, most frequent first. */
static void
choose_words(const struct treebank *b, int64_t min_count, struct vocab *v)
{
	int64_t *count = xcalloc(b->form.n + 1, sizeof(*count));

	for (size_t i = 0; i < b->n; i++)
		for (int k = 0; k < b->sentence[i].n; k++)
			count[b->sentence[i].form[k]]++;
	vocab_from_counts(v, &b->form, count, min_count, 0);
	free(count);
}

static void
copy_labels(struct strmap *copy, const struct strmap *original)
{
	for (int i = 0; i < (int)original->n; i++) {
		size_t k;
		const char *s = strmap_text(original, i, &k);

		strmap_add(copy, s, k);
	}
}

/* Arcs can be trained without relations: then all have the same label. */
static void
gold_choose_labels(const struct treebank *b, struct strmap *labels)
{
	for (int set = 0; set < LABEL_SETS; set++)
		copy_labels(&labels[set], &b->label[set]);
	if (!b->label[LABEL_REL].n && treebank_has_heads(b))
		strmap_add(&labels[LABEL_REL], NO_LABEL, strlen(NO_LABEL));
}

struct network *
gold_network(const struct treebank *b, const struct network_config *c, int64_t min_count,
	     struct err *e)
{
	struct strmap labels[LABEL_SETS] = { 0 };
	struct vocab words;

	choose_words(b, min_count, &words);
	gold_choose_labels(b, labels);
	return network_new(c, &words, labels, e);
}

void
gold_bank_init(struct gold_bank *g, const struct treebank *b, const struct network *n)
{
	struct buf room = { 0 };

	*g = (struct gold_bank){ .bank = b, .network = n };
	arena_init(&g->mem, 0);
	g->code = xcalloc(b->form.n + 1, sizeof(*g->code));
	for (int i = 0; i < (int)b->form.n; i++)
		g->code[i] = network_code(n, strmap_text(&b->form, i, NULL), &g->mem, &room);
	buf_release(&room);
	for (int set = 0; set < LABEL_SETS; set++) {
		const struct strmap *map = &b->label[set];

		g->label[set] = xcalloc(map->n + 1, sizeof(int));
		for (int i = 0; i < (int)map->n; i++) {
			size_t k;
			const char *s = strmap_text(map, i, &k);

			g->label[set][i] = strmap_find(&n->labels[set], s, k);
		}
	}
}

void
gold_bank_release(struct gold_bank *g)
{
	for (int set = 0; set < LABEL_SETS; set++)
		free(g->label[set]);
	free(g->code);
	arena_release(&g->mem);
}

/* A batch under construction. */
struct making {
	const struct gold_bank *g;
	struct gold *b;
	const uint32_t *sentence;
	int n;
	struct arena *mem;
};

static const struct sentence *
sentence(const struct making *m, int i)
{
	return &m->g->bank->sentence[m->sentence[i]];
}

/* The random-number key of a place in sentence i, independent of the batch. */
static uint32_t
gold_key(const struct making *m, int i, int place)
{
	return rng_key(((uint64_t)m->sentence[i] << 24) + (uint64_t)place);
}

static void
make_pack(const struct making *m)
{
	const struct word_code **code;
	int *len = ARENA_ARRAY(m->mem, int, m->n), at = 0;

	m->b->words = 0;
	for (int i = 0; i < m->n; i++)
		m->b->words += len[i] = sentence(m, i)->n;
	code = ARENA_ARRAY(m->mem, const struct word_code *, m->b->words);
	for (int i = 0; i < m->n; i++)
		for (int k = 0; k < len[i]; k++)
			code[at++] = m->g->code[sentence(m, i)->form[k]];
	network_pack(m->g->network, &m->b->pack, code, len, m->n, m->mem);
}

/* Sets keys, and hides the word embeddings of random words. */
static void
make_noise(const struct making *m, const struct gold_noise *noise)
{
	struct layout *l = &m->b->pack.rows;
	uint32_t *keys = ARENA_ARRAY(m->mem, uint32_t, l->rows);
	double share = m->g->network->config.word_dropout;
	struct rng r;

	for (int i = 0; i < m->n; i++) {
		rng_init(&r, noise->seed, rng_purpose("parser words"),
			 noise->epoch * (uint32_t)m->g->bank->n + m->sentence[i]);
		for (int k = 0; k < l->len[i]; k++) {
			keys[l->start[i] + k] = gold_key(m, i, k);
			if (k && rng_uniform(&r) < share)
				m->b->pack.word[l->start[i] + k] = VOCAB_UNK;
		}
	}
	l->key = keys;
}

static void
make_heads(const struct making *m)
{
	const struct layout *l = &m->b->pack.rows;

	m->b->head = ARENA_ARRAY(m->mem, int, l->rows);
	for (int i = 0; i < m->n; i++) {
		const struct sentence *s = sentence(m, i);

		m->b->arcs += s->head ? s->n : 0;
		m->b->head[l->start[i]] = -1;
		for (int k = 0; k < s->n; k++)
			m->b->head[l->start[i] + 1 + k] = s->head ? s->head[k] : -1;
	}
}

static void
make_spans(const struct making *m)
{
	int *first = ARENA_ARRAY(m->mem, int, m->n + 1);
	int *from = ARENA_ARRAY(m->mem, int, m->b->words);
	int *to = ARENA_ARRAY(m->mem, int, m->b->words);

	first[0] = 0;
	for (int i = 0; i < m->n; i++) {
		const struct sentence *s = sentence(m, i);

		first[i + 1] = first[i];
		for (int k = 0; s->span && k < 2 * s->n - 1; k++)
			if (s->span[k].end - s->span[k].first > 1) {
				from[first[i + 1]] = s->span[k].first;
				to[first[i + 1]++] = s->span[k].end;
			}
	}
	m->b->spans = (struct spans){ first, from, to };
}

/* Allocates room for max labels. */
static void
begin_labels(struct gold_labels *l, int max, struct arena *mem)
{
	l->key = ARENA_ARRAY(mem, uint32_t, max);
	l->first = ARENA_ARRAY(mem, int, max);
	l->second = ARENA_ARRAY(mem, int, max);
	l->target = ARENA_ARRAY(mem, int, max);
}

static void
gold_add_label(const struct making *m, int set, int number, int first, int second, uint32_t k)
{
	struct gold_labels *l = &m->b->label[set];
	int target = number < 0 ? -1 : m->g->label[set][number];

	if (target < 0)
		return;
	l->key[l->n] = k;
	l->first[l->n] = first;
	l->second[l->n] = second;
	l->target[l->n++] = target;
}

static void
make_labels(const struct making *m)
{
	for (int set = 0; set < LABEL_SETS; set++)
		begin_labels(&m->b->label[set], 2 * m->b->words, m->mem);
	for (int i = 0; i < m->n; i++) {
		const struct sentence *s = sentence(m, i);
		int row = m->b->pack.rows.start[i];

		for (int k = 0; k < s->n; k++) {
			int word = row + 1 + k;
			uint32_t key = gold_key(m, i, k);

			for (int set = 0; set < LABEL_TAGS; set++)
				if (s->tag[set])
					gold_add_label(m, set, s->tag[set][k], word, 0, key);
			if (s->head)
				gold_add_label(m, LABEL_REL, s->rel[k], word, row + s->head[k],
					       key);
		}
		for (int k = 0; s->span && k < 2 * s->n - 1; k++)
			gold_add_label(m, LABEL_SPAN, s->span[k].label, row + s->span[k].first,
				       row + s->span[k].end, gold_key(m, i, k));
	}
}

void
gold_make(const struct gold_bank *g, struct gold *b, const uint32_t *sentences, int n,
	  const struct gold_noise *noise, struct arena *mem)
{
	struct making m = { g, b, sentences, n, mem };

	memset(b, 0, sizeof(*b));
	make_pack(&m);
	if (noise)
		make_noise(&m, noise);
	make_heads(&m);
	make_spans(&m);
	make_labels(&m);
}

static struct node *
label_loss(struct network *n, struct tape *t, struct node *hidden, const struct gold_labels *l,
	   int set)
{
	const struct linear *w = &n->label[set];
	const struct cross_entropy loss = { .target = l->target, .variant = SMOOTHING_FAIRSEQ_OLD };

	return op_cross_entropy(t, hidden, tape_param(t, w->weight), tape_param(t, w->bias),
				&loss);
}

static struct node *
pair_loss(struct network *n, struct tape *t, struct node *x, const struct gold_labels *l, int set)
{
	const struct layout *pairs = network_list(l->n, l->key, tape_arena(t));

	x = network_pairs(n, t, x, set, pairs, l->first, l->second);
	return label_loss(n, t, x, l, set);
}

static struct node *
tag_loss(struct network *n, struct tape *t, struct node *hidden, const struct gold_labels *l,
	 int set)
{
	const struct layout *words = network_list(l->n, l->key, tape_arena(t));
	const struct embed chosen = { .rows = words, .id = l->first, .scale = 1 };

	return label_loss(n, t, op_embed(t, hidden, NULL, &chosen), l, set);
}

static void
add_loss(struct tape *t, struct node **sum, struct node *loss)
{
	*sum = *sum ? op_add(t, *sum, loss) : loss;
}

struct node *
gold_loss(struct network *n, struct tape *t, const struct gold *b)
{
	const struct gold_labels *l = b->label;
	struct node *h = network_encode(n, t, &b->pack), *tags = NULL, *sum = NULL;

	for (int set = 0; set < LABEL_TAGS; set++)
		if (l[set].n) {
			tags = tags ? tags : network_tags(n, t, h);
			add_loss(t, &sum, tag_loss(n, t, tags, &l[set], set));
		}
	if (b->arcs)
		add_loss(t, &sum,
			 op_arcs(t, network_arcs(n, t, h, &b->pack), &(struct arcs){ b->head }));
	if (l[LABEL_REL].n)
		add_loss(t, &sum, pair_loss(n, t, h, &l[LABEL_REL], LABEL_REL));
	if (l[LABEL_SPAN].n) {
		struct node *fences = network_fences(t, h);

		add_loss(t, &sum, op_spans(t, network_spans(n, t, fences, &b->pack), &b->spans));
		add_loss(t, &sum, pair_loss(n, t, fences, &l[LABEL_SPAN], LABEL_SPAN));
	}
	return sum;
}
