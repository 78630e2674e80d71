/*
 * network: an encoder of sentences, and scores of trees on top of it.
 *
 * A word is the sum of a vector of its own, if it is frequent, and of what it looks like
 * (features.h); a layer of convolution or more and layers of self-attention (Vaswani et al. 2017,
 * norm first) see the sentence.  Row 0 of a sentence stands for the root.  On it: parts of speech;
 * a biaffine score for each arc and a label for each chosen one (Dozat and Manning 2017); and a
 * biaffine score for each span and a label for each chosen one (Kitaev and Klein 2018; Zhang, Zhou
 * and Li 2020), where the fencepost between two words is both their rows.
 */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "ops/ops.h"
#include "parser/treebank.h"
#include "tape/params.h"
#include "text/vocab.h"

struct network_config {
	int64_t word_width, feature_width, feature_rows;
	int64_t convolutions, layers, relative, width, ff, heads;
	int64_t arc, span, hidden;	/* widths of what scores arcs, spans, labels and tags */
	int64_t distance;		/* up to which arcs and spans know their length */
	double dropout, word_dropout;
};

extern const struct opt network_options[];	/* offsets into struct network_config */
extern const struct network_config network_defaults;

/* What comes out, by number: sets of labels.  A set that is empty is not predicted. */
enum { LABEL_UPOS, LABEL_XPOS, LABEL_REL, LABEL_SPAN, LABEL_SETS };

struct linear { struct param *weight, *bias; };
struct affine { struct param *gain, *bias; };
struct encoder_layer {
	struct affine self_norm, ff_norm;
	struct linear qkv, out, ff_in, ff_out;
	struct param *relative;		/* [2 relative + 1, width / heads], or NULL */
};
struct convolution { struct affine norm; struct linear in; };

struct network {
	struct network_config config;
	struct vocab words;		/* frequent forms */
	struct strmap labels[LABEL_SETS];
	struct params params;

	struct param *word, *feature, *arc_distance, *span_distance;
	struct linear word_in, feature_in;
	struct affine norm_in, norm_out;
	struct convolution *convolution;
	struct encoder_layer *layer;
	struct linear arc_head, arc_dep, arc, span_left, span_right, span;
	struct linear tag, first[LABEL_SETS], second[LABEL_SETS], label[LABEL_SETS];
	struct arena prepared;
};

/* Sentences as the network takes them; all arrays live in the arena it was packed in. */
struct pack {
	int n;
	struct layout rows;		/* n_words + 1 rows a sentence */
	int *word, *place, *bag_start, *bag;
	real *positions;
};

/* A form as numbers: looked up once a type. */
struct word_code { int word, n; int feature[]; };

/*
 * Parameters are named, not allocated; words and labels [LABEL_SETS] are taken over and empty
 * behind it, also on error: EXIT_USAGE, as network_config_check().
 */
struct network *network_new(const struct network_config *c, struct vocab *words,
			    struct strmap *labels, struct err *e) MUST_USE;
void network_free(struct network *n);	/* NULL is fine */
int network_config_check(const struct network_config *c, struct err *e) MUST_USE;
bool network_has_arcs(const struct network *n);
bool network_has_spans(const struct network *n);

/* Lays weights out for products while they stay as they are. */
struct pass;
void network_prepare(struct network *n, struct pass *p);

/* In mem; room is for the function's own use. */
const struct word_code *network_code(const struct network *n, const char *form, struct arena *mem,
				     struct buf *room);
/* code[i] of all words of all sentences, len[i] words each; key addresses dropout, or is NULL. */
void network_pack(const struct network *n, struct pack *p, const struct word_code *const *code,
		  const int *len, int sentences, struct arena *mem);

/* [rows, width] */
struct node *network_encode(struct network *n, struct tape *t, const struct pack *p);
/* Blocks [1,n+1,n+1] a sentence. */
struct node *network_arcs(struct network *n, struct tape *t, struct node *h, const struct pack *p);
struct node *network_spans(struct network *n, struct tape *t, struct node *fences,
			   const struct pack *p);
struct node *network_fences(struct tape *t, struct node *h);
/* Hidden layer of tags, of all rows. */
struct node *network_tags(struct network *n, struct tape *t, struct node *h);
/*
 * Hidden layer of labels: k pairs of rows of x, whose first halves were computed by
 * network_halves(): an arc's word and head, a span's two fenceposts.
 */
struct halves { struct node *first, *second; };
struct halves network_halves(struct network *n, struct tape *t, struct node *x, int set);
struct node *network_pairs(struct tape *t, const struct halves *h, const struct layout *pairs,
			   const int *first, const int *second, real dropout);
struct node *network_logits(struct network *n, struct tape *t, struct node *hidden, int set);

#endif
