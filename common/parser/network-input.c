/* network-input: encodes sentences as the input of the network; see network.h. */
#include <math.h>
#include <string.h>

#include "parser/features.h"
#include "text/form.h"
#include "parser/network.h"

/* Row 0 of a sentence, the root, has no features. */
static const struct word_code root = { .word = VOCAB_BOS };

const struct word_code *
network_code(const struct network *n, const char *form, struct arena *mem, struct buf *room)
{
	char plain[FORM_ROOM];
	int feature[FEATURES_MAX], k;
	struct word_code *c;

	form = form_plain(form, plain);
	k = word_features(form, (int)n->config.feature_rows, feature, room);
	c = arena_get(mem, sizeof(*c) + (size_t)k * sizeof(int));
	c->word = vocab_id(&n->words, form, strlen(form));
	c->n = k;
	memcpy(c->feature, feature, (size_t)k * sizeof(int));
	return c;
}

/* Sines, then cosines, with wavelengths up to 10000 * 2 pi (Vaswani et al. 2017). */
static real *
sinusoids(int rows, int width, struct arena *mem)
{
	real *x = ARENA_ARRAY(mem, real, (size_t)rows * (size_t)width);
	int half = width / 2;

	for (int i = 0; i < half; i++) {
		double f = exp(-log(10000.0) * i / (half > 1 ? half - 1 : 1));

		for (int r = 0; r < rows; r++) {
			x[(ptrdiff_t)r * width + i] = (real)sin(r * f);
			x[(ptrdiff_t)r * width + half + i] = (real)cos(r * f);
		}
	}
	return x;
}

static void
pack_row(struct pack *p, int row, int place, const struct word_code *c)
{
	p->word[row] = c->word;
	p->place[row] = place;
	memcpy(p->bag + p->bag_start[row], c->feature, (size_t)c->n * sizeof(int));
	p->bag_start[row + 1] = p->bag_start[row] + c->n;
}

void
network_pack(const struct network *n, struct pack *p, const struct word_code *const *code,
	     const int *len, int sentences, struct arena *mem)
{
	int *start = ARENA_ARRAY(mem, int, sentences), *rows = ARENA_ARRAY(mem, int, sentences);
	int all = 0, longest = 0;
	size_t bags = 0;

	for (int i = 0; i < sentences; i++) {
		start[i] = all;
		rows[i] = len[i] + 1;
		all += rows[i];
		longest = rows[i] > longest ? rows[i] : longest;
	}
	for (int k = 0; k < all - sentences; k++)
		bags += (size_t)code[k]->n;
	p->n = sentences;
	p->rows = (struct layout){ .n = sentences, .rows = all, .start = start, .len = rows };
	p->word = ARENA_ARRAY(mem, int, all);
	p->place = ARENA_ARRAY(mem, int, all);
	p->bag_start = ARENA_ARRAY(mem, int, all + 1);
	p->bag = ARENA_ARRAY(mem, int, bags);
	p->positions = sinusoids(longest, (int)n->config.word_width, mem);
	p->bag_start[0] = 0;
	for (int i = 0; i < sentences; i++) {
		pack_row(p, start[i], 0, &root);
		for (int k = 0; k < len[i]; k++)
			pack_row(p, start[i] + 1 + k, 1 + k, *code++);
	}
}
