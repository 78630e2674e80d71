/*
 * network: a sentence encoder, with scorers of dependency and constituency trees.
 *
 * The input of a word is the sum of its word embedding, if it is frequent, and the embeddings of
 * its surface features (network-input.h).  The encoder has convolution layers and self-attention
 * layers (Vaswani et al. 2017, pre-norm).  Row 0 of a sentence is the root.  The scorers are:
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

/* The settings of --arch of parse-train; network_options describes each. */
struct network_config {
	int64_t word_width, feature_width, feature_rows;
	int64_t convolutions, layers, relative, width, ff, heads;
	int64_t arc, span, hidden;	/* widths of the scorers of arcs, spans, labels and tags */
	int64_t distance;		/* maximum distance of distance embeddings */
	double dropout, word_dropout;
};

extern const struct opt network_options[];	/* offsets into struct network_config */
extern const struct network_config network_defaults;

/* The sets of labels that are predicted.  An empty set is not predicted. */
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
	struct vocab words;		/* forms with a word embedding */
	struct strmap labels[LABEL_SETS];
	struct params params;

	struct param *word, *feature, *arc_distance, *span_distance;
	struct linear word_in, feature_in;
	struct affine norm_in, norm_out;
	struct convolution *convolution;	/* [config.convolutions] */
	struct encoder_layer *layer;	/* [config.layers] */
	struct linear arc_head, arc_dep, arc, span_left, span_right, span;
	struct linear tag, first[LABEL_SETS], second[LABEL_SETS], label[LABEL_SETS];
	struct arena prepared;
};

/* The input of the network; all arrays live in the arena given to network_pack(). */
struct pack {
	int n;
	struct layout rows;		/* n_words + 1 rows per sentence */
	int *word, *place;		/* [rows] word embedding; position in the sentence */
	int *bag_start, *bag;		/* the features of row i are bag[bag_start[i]] to
					 * bag[bag_start[i + 1] - 1] */
	real *positions;		/* [longest sentence, word_width] sinusoids */
};

/* The indices of a form: word embedding and features.  Computed once per distinct form. */
struct word_code { int word, n; int feature[]; };

/*
 * Makes a network with named parameters that are not allocated.  It takes over words and
 * labels[LABEL_SETS] and leaves them empty, also on error.  Returns NULL and EXIT_USAGE if
 * network_config_check() fails.
 */
struct network *network_new(const struct network_config *c, struct vocab *words,
			    struct strmap *labels, struct err *e) MUST_USE;
void network_free(struct network *n);	/* n may be NULL */
int network_config_check(const struct network_config *c, struct err *e) MUST_USE;
/* Does the network score arcs, and spans? */
bool network_has_arcs(const struct network *n);
bool network_has_spans(const struct network *n);

struct pass;
/* Prepares the weights for products in inference; they must not change after that. */
void network_prepare(struct network *n, struct pass *p);

/* The indices of a form, allocated in `mem`; `room` is a scratch buffer. */
const struct word_code *network_code(const struct network *n, const char *form, struct arena *mem,
				     struct buf *room);
/* Packs sentences of `len[i]` words; `code` has one element for each word of each sentence. */
void network_pack(const struct network *n, struct pack *p, const struct word_code *const *code,
		  const int *len, int sentences, struct arena *mem);

/* The encoder output, [rows, width]. */
struct node *network_encode(struct network *n, struct tape *t, const struct pack *p);
/* Scores of arcs and spans: a block [1,n+1,n+1] per sentence of n words. */
struct node *network_arcs(struct network *n, struct tape *t, struct node *h, const struct pack *p);
struct node *network_spans(struct network *n, struct tape *t, struct node *fences,
			   const struct pack *p);
/* The fenceposts, rows of 2 width elements: row i is the concatenation of rows i and i + 1 of h. */
struct node *network_fences(struct tape *t, struct node *h);
/* The hidden layer of the tag classifiers, for all rows. */
struct node *network_tags(struct network *n, struct tape *t, struct node *h);
/*
 * The hidden layer of a label classifier, for pairs of rows of x: a word and its head, or the two
 * fenceposts of a span.  network_halves() multiplies all rows by the weights of the first and of
 * the second row of a pair.  network_pairs() adds these products for rows `first[i]` and
 * `second[i]` of each pair i.
 */
struct halves { struct node *first, *second; };
struct halves network_halves(struct network *n, struct tape *t, struct node *x, int set);
struct node *network_pairs(struct tape *t, const struct halves *h, const struct layout *pairs,
			   const int *first, const int *second, real dropout);
/* The logits of the labels of a set, [rows, labels], from the hidden layer. */
struct node *network_logits(struct network *n, struct tape *t, struct node *hidden, int set);

#endif
