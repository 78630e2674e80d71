/*
 * layer-pass: forward passes over one batch that differ in gates of heads or in a replaced head
 * output (model_gate() and model_patch() of model.h), for measures of heads, and passes through the
 * encoder alone.
 *
 * The first pass over a batch computes the whole model and, without attention variants, keeps the
 * head outputs of each site, that is, of each attention layer (attention/attention.h).  A later
 * pass begins at the first site where it differs, with the kept head outputs.  A pass that begins
 * in the decoder also reuses the keys and values of cross-attention; one that begins in the encoder
 * reuses the output of self-attention in the first decoder layer, which does not depend on the
 * encoder.  With attention variants, only the inputs of layers are kept, and a pass begins with the
 * whole layer of the site.  The results have the same bits as without reuse.
 *
 * The place of a site is its index in the order of computation: first the sites of the encoder,
 * then self-attention and cross-attention of the first decoder layer, those of the second, and so
 * on.
 */
#ifndef LAYER_PASS_H
#define LAYER_PASS_H

#include "base/arena.h"
#include "model/model.h"

/*
 * What a pass kept at a site: dense matrices.  H is the number of heads of the site, and d =
 * head_dim.
 */
struct kept_site {
	real *x;			/* [rows, width] input of the sublayer, before a norm */
	real *heads;			/* [rows, H*d] head outputs before a patch and gates */
	real *kv;			/* [source rows, 2*H*d] keys and values of cross-attention;
					 * NULL at other sites */
};

struct layer_pass {
	struct model *m;		/* the caller's; NULL: not initialized */
	int encoder, places;		/* number of places of the encoder, and of the model */
	const real *gates;		/* set by the caller: [heads of all sites] gates in place of
					 * those of model_gate(); or NULL */
	bool whole;			/* a pass over the current batch has been completed */
	struct kept_site *kept;		/* [places + 1] by place; the last x is the decoder output
					 * before a final norm.  This member and all below are
					 * private */
	real *memory;			/* [source rows, width] the encoder output that was kept */
	real *room, *other_memory;	/* of a pass that is not kept: output of a layer, and
					 * encoder output */
	struct arena arena;
};

/* `m` remains the caller's and must outlive `p`. */
void layer_pass_init(struct layer_pass *p, struct model *m);
void layer_pass_release(struct layer_pass *p);	/* `p` may be all zeros */
/* The place of a site, given by its index in the sites of struct model. */
int layer_pass_place(const struct model *m, size_t site);

/*
 * Where a pass begins to differ from the last one that was kept: the place of the first site that
 * differs, and of the first one in the decoder.  The number of places if there is none.
 */
struct layer_change { int first, decoder; };
/* The first sites whose gates are not the same in a and b [heads of all sites]. */
struct layer_change layer_pass_change(const struct model *m, const real *a, const real *b);

/* Must be called before each new batch: the next pass is then a whole pass. */
void layer_pass_next(struct layer_pass *p);
/*
 * Runs the model on `b` from the heads of place `change.first` on, and returns the node of the
 * summed cross-entropy, as model_cross_entropy() does.  The first pass over a batch is always a
 * whole pass.  If `change.first` is the number of places, only a final norm and the output layer
 * are computed.
 *
 * The first pass, and each pass with `kept`, keeps what it computes for later passes.  The caller
 * guarantees that since the last pass that was kept, nothing has changed before the gates of place
 * `change.first`, and in the decoder nothing before those of place `change.decoder` but the encoder
 * output.  The tape is rewound several times, so neither `b` nor other data that the caller needs
 * may be in its arena.
 */
struct node *layer_pass_run(struct layer_pass *p, struct tape *t, const struct batch *b,
			    struct layer_change change, bool kept);
/*
 * The same for the encoder of a batch without targets: returns the encoder output, which is kept.
 * If nothing has changed in the encoder, this is the output of the last pass.  layer_pass_run()
 * must not be called for this batch.
 */
struct node *layer_pass_encode(struct layer_pass *p, struct tape *t, const struct batch *b,
			       struct layer_change change);

#endif
