/*
 * network: the network of a parser: an encoder of sentences, with scorers of tags, dependency trees
 * and constituency trees.
 *
 * The input for a word is computed from its word embedding, which rare words share, and the
 * embeddings of its surface features (network-input.h).  The encoder has convolution layers and
 * self-attention layers (Vaswani et al. 2017, pre-norm).  Each sentence has a row for the root, row
 * 0, followed by a row for each word.  The scorers are:
 *
 *	- a tag classifier;
 *	- a biaffine score of each arc, and a label classifier for the chosen arcs (Dozat and
 *	  Manning 2017);
 *	- a biaffine score of each span, and a label classifier for the chosen spans (Kitaev and
 *	  Klein 2018; Zhang, Zhou and Li 2020).  A span is scored by its two fenceposts; the
 *	  fencepost between two words is the concatenation of their rows.
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

/* The settings of parse-train --arch.  network_options describes each in a line. */
struct network_config {
	int64_t word_width, feature_width, feature_rows;
	int64_t convolutions, layers, relative, width, ff, heads;
	int64_t arc, span, hidden;	/* widths of the scorers of arcs and spans; `hidden`: of
					 * labels and tags */
	int64_t distance;		/* maximum distance of the distance embeddings in scores of
					 * arcs and spans */
	double dropout, word_dropout;
};

extern const struct opt network_options[];	/* for cli_settings() into struct network_config */
extern const struct network_config network_defaults;

/* A linear layer, x weight' + bias; and the gain and bias of a layer norm. */
struct linear { struct param *weight, *bias; };
struct affine { struct param *gain, *bias; };
struct encoder_layer {
	struct affine self_norm, ff_norm;
	struct linear qkv, out, ff_in, ff_out;
	struct param *relative;		/* [2 * config.relative + 1, width / heads] position
					 * embeddings; NULL if config.relative is 0 */
};
struct convolution { struct affine norm; struct linear in; };

struct network {
	struct network_config config;
	struct vocab words;		/* the forms that have a word embedding */
	struct strmap labels[LABEL_SETS];	/* the labels of each set; one without labels is
						 * not predicted */
	struct params params;

	/*
	 * Tables of embeddings: of words, of surface features, and of distances in scores of arcs
	 * and of spans.
	 */
	struct param *word, *feature, *arc_distance, *span_distance;
	struct linear word_in, feature_in;
	struct affine norm_in, norm_out;
	struct convolution *convolution;	/* [config.convolutions] */
	struct encoder_layer *layer;	/* [config.layers] */
	struct linear arc_head, arc_dep, arc, span_left, span_right, span;
	struct linear tag, first[LABEL_SETS], second[LABEL_SETS], label[LABEL_SETS];
	struct arena prepared;		/* memory of network_prepare() */
};

/*
 * Packed sentences as input of the network.  All arrays are in the arena given to network_pack().
 */
struct pack {
	int n;
	struct layout rows;		/* n + 1 rows for a sentence of n words */
	int *word, *place;		/* [rows] index of the word embedding; position in the
					 * sentence, 0 for the root */
	int *bag_start, *bag;		/* the features of row i are bag[bag_start[i]] to
					 * bag[bag_start[i + 1] - 1] */
	real *positions;		/* [maximum number of rows of a sentence, word_width]
					 * sinusoids */
};

/*
 * The input of a form: the index of its word embedding, and the rows of its n features.  It is the
 * same for all occurrences of the form.
 */
struct word_code { int word, n; int feature[]; };

/*
 * Makes a network whose parameters are not allocated; call params_allocate() next.  The network
 * takes the contents of `words` and `labels` [LABEL_SETS], which are empty afterwards, also on
 * error.  Returns NULL with EXIT_USAGE if network_config_check() fails.
 */
struct network *network_new(const struct network_config *c, struct vocab *words,
			    struct strmap *labels, struct err *e) MUST_USE;
void network_free(struct network *n);	/* n may be NULL */
int network_config_check(const struct network_config *c, struct err *e) MUST_USE;
/* Does the network score arcs, and does it score spans? */
bool network_has_arcs(const struct network *n);
bool network_has_spans(const struct network *n);

struct pass;
/*
 * Copies the weights into the layout that the back end of p needs for repeated products
 * (product_prepare() of tensor/product.h), for inference.  They must not change afterwards.
 */
void network_prepare(struct network *n, struct pass *p);

/* Returns the input of a form, in `mem`.  `room` is a buffer for the function. */
const struct word_code *network_code(const struct network *n, const char *form, struct arena *mem,
				     struct buf *room);
/*
 * Packs `sentences` sentences, of which sentence i has `len[i]` words.  `code` has the input of
 * each word of the first sentence, then of the second, and so on.
 */
void network_pack(const struct network *n, struct pack *p, const struct word_code *const *code,
		  const int *len, int sentences, struct arena *mem);

/* Returns the encoder output [rows, width]. */
struct node *network_encode(struct network *n, struct tape *t, const struct pack *p);
/*
 * Return scores: a block [1, n + 1, n + 1] for each sentence of n words.  network_arcs() reads the
 * encoder output h, and element (i, j) is the score of the arc to word i from head j, 0 for the
 * root.  network_spans() reads network_fences(h), and element (i, j) is the score of the span of
 * words i to j - 1, counted from 0.
 */
struct node *network_arcs(struct network *n, struct tape *t, struct node *h, const struct pack *p);
struct node *network_spans(struct network *n, struct tape *t, struct node *fences,
			   const struct pack *p);
/*
 * Returns the fenceposts [rows, 2 width]: row i of a sentence is the concatenation of rows i and i
 * + 1 of h.
 */
struct node *network_fences(struct tape *t, struct node *h);
/*
 * Returns the hidden layer of the tag classifiers [rows, hidden], computed from the encoder output
 * h.
 */
struct node *network_tags(struct network *n, struct tape *t, struct node *h);
/*
 * Returns the hidden layer of a classifier of relations or span labels, with a row for each pair i
 * of rows `first[i]` and `second[i]` of x.  x is the encoder output, and a pair is a word and its
 * head; or x is network_fences(), and a pair is the two fenceposts of a span.  `pairs` is the
 * layout of the pairs.
 */
struct node *network_pairs(struct network *n, struct tape *t, struct node *x, int set,
			   const struct layout *pairs, const int *first, const int *second);
/*
 * Returns the layout, in `mem`, of rows that are not sentences.  `key` has the random-number key of
 * each row, or is NULL.
 */
struct layout *network_list(int rows, const uint32_t *key, struct arena *mem);
/* Returns the logits of the labels of a set [rows, labels], computed from the hidden layer. */
struct node *network_logits(struct network *n, struct tape *t, struct node *hidden, int set);

#endif
