/*
 * model: the Transformer (Vaswani et al. 2017), with settings for the differences between the
 * toolkits in which the five papers were implemented (fairseq, OpenNMT-py and others), and the
 * hooks of attention variants.
 *
 * A model consists of its configuration, two vocabularies, BPE codes or SentencePiece models
 * (optional), attention variants and parameters; model-file.h reads and writes it as one file.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attention/attention.h"
#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "data/batch.h"
#include "ops/ops.h"
#include "stream/language.h"
#include "tape/params.h"
#include "tensor/kernels.h"
#include "text/vocab.h"

/* A row of an option table: the list for model_mask(). */
#define OPT_MASK_HEADS(p) { .kind = OPT_STRING, .long_name = "mask-heads", .arg = "list", \
	.help = "mask these heads, for example enc-self.2:1,3", .to = (p) }

/* The architecture.  model_config_options is the table of --arch KEY=VALUE,... */
struct model_config {
	int64_t enc_layers, dec_layers, width, ff, heads;
	int64_t head_width;		/* of queries, keys and values; 0: width / heads */
	int64_t dec_ff;			/* width of the decoder's feed-forward layers; 0: ff */
	int activation;			/* ACTIVATION_*, of the feed-forward layers */
	bool ff_gate;			/* gated: act(x W1') * (x W2'), elementwise (Shazeer
					 * 2020, GLU variants improve Transformer) */
	bool no_bias;			/* no biases in projections and feed-forward layers */
	int score_scale;		/* SCORE_SCALE_*: the divisor of attention scores */
	int norm;			/* NORM_*: the kind of all normalizations */
	bool pre_norm, final_norm;	/* final_norm: after the last layer of each side */
	double norm_eps;
	int positions;			/* POSITIONS_*: how positions are added to embeddings */
	int64_t position_first;		/* index of the first position: 0, or 2 as in fairseq */
	int64_t max_length;		/* maximum tokens of a source or target, and the number of
					 * positions; a search uses at least 2 */
	int embed_scale;		/* EMBED_SCALE_*: the factor of embeddings */
	int output_scale;		/* OUTPUT_SCALE_*: the divisor of the decoder output */
	bool embed_norm;		/* layer norm after embeddings and positions */
	bool src_bias;			/* a trained vector added to each source embedding */
	int first;			/* first decoder input, the enum in struct batch_rules */
	bool src_eos;			/* an end token is appended to the source */
	int tie;			/* tied embeddings: TIE_NONE, TIE_DECODER (target and
					 * output), TIE_ALL */
	bool output_bias, output_mask;	/* output_mask: vocabulary entries that never occur on the
					 * target side have probability 0 */
	int init;			/* INIT_STYLE_FAIRSEQ, _ONMT, _WITWICKY, _STORY, _T5 */
	/*
	 * Dropout rates of embeddings, of sublayer outputs, of attention weights and in
	 * feed-forward layers; and the fraction of input tokens replaced by <unk> in training.
	 */
	double dropout_embed, dropout_residual, dropout_attention, dropout_relu, word_dropout;
};

/*
 * Positions.  HALVES: sines, then cosines, with frequencies 10000^(-i / (D/2 - 1)), as in fairseq,
 * tensor2tensor and Marian.  INTERLEAVED: alternating sines and cosines, with 10000^(-2i / D), as
 * in OpenNMT-py and Witwicky.  HUGGINGFACE: sines, then cosines, with the latter frequencies, as in
 * MarianMT of Hugging Face transformers.  LEARNED: a table of parameters for each side.  NONE:
 * nothing is added; an attention variant can make up for it.
 */
enum {
	POSITIONS_HALVES, POSITIONS_INTERLEAVED, POSITIONS_HUGGINGFACE, POSITIONS_LEARNED,
	POSITIONS_NONE
};
enum {
	ACTIVATION_RELU, ACTIVATION_SWISH, ACTIVATION_GELU, ACTIVATION_GELU_TANH,
	ACTIVATION_GELU_SIGMOID
};
enum { NORM_LAYER, NORM_RMS };
enum { EMBED_SCALE_SQRT, EMBED_SCALE_ONE };	/* the square root of the width, or 1 */
enum { SCORE_SCALE_SQRT, SCORE_SCALE_ONE };	/* square root of the head width, or 1 */
enum { OUTPUT_SCALE_ONE, OUTPUT_SCALE_SQRT };	/* 1, or square root of the width */
enum { TIE_NONE, TIE_DECODER, TIE_ALL };
enum {
	INIT_STYLE_FAIRSEQ, INIT_STYLE_ONMT, INIT_STYLE_WITWICKY, INIT_STYLE_STORY, INIT_STYLE_T5
};

extern const struct opt model_config_options[];	/* for cli_settings() into struct model_config */

/*
 * What head-prune rounded: the number of heads whose gates became 0 or 1, and the number of these
 * gates that were neither before.  Rounding the latter changes what the model computes.
 */
struct rounding {
	int64_t heads, fractional;	/* heads 0: nothing was rounded */
	double lowest, highest;		/* range of the fractional gates; 0 if there are none */
};

extern const struct opt rounding_options[];	/* for struct rounding, as in the model file */

/* The training and search settings of a preset; options of nmt-train override them. */
struct recipe {
	int smoothing_variant;		/* enum smoothing of ops/ops.h */
	double label_smoothing;
	double adam_beta1, adam_beta2, adam_eps, weight_decay;
	int schedule;			/* SCHEDULE_* */
	double lr, lr_init, lr_factor;	/* learning rate, after the warm-up; at its start; factor of
					 * SCHEDULE_NOAM */
	int64_t warmup;			/* number of updates */
	double clip;			/* maximum global norm; 0: no clipping */
	int precision;			/* PRECISION_FP32 or PRECISION_BF16: of the matrix products
					 * in training */
	int search;			/* enum search_variant, search-variant.h */
	double length_penalty;
	int64_t beam;
	bool count_first;		/* the first token of targets counts in their length */
};

extern const struct opt recipe_options[];	/* for struct recipe, as in the model file */

enum { PRECISION_FP32, PRECISION_BF16 };
enum {
	SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_NOAM, SCHEDULE_LINEAR, SCHEDULE_PLATEAU
};

struct preset {
	const char *name, *about;	/* about: one line, for lists of presets */
	const char *attention;		/* spec of its attention variant, or NULL */
	struct model_config config;
	struct recipe recipe;
};

extern const struct preset presets[];	/* fairseq, onmt, witwicky, story, t5; name NULL ends */
const struct preset *preset_find(const char *name);	/* NULL if there is none */
/*
 * Sets the numbers of layers, width, ff and heads to those of a named size: "tiny", "small",
 * "base", "big" or "iwslt".  "big" also sets the dropout rates of embeddings and sublayer outputs
 * to 0.3.  Returns -1 with EXIT_USAGE for another name.
 */
int model_size(struct model_config *c, const char *size, struct err *e);
/* Check that all values are in range and fit each other.  Return -1 with EXIT_USAGE if not. */
int model_config_check(const struct model_config *c, struct err *e);
int recipe_check(const struct recipe *r, struct err *e);
/* Appends all settings, "enc_layers=3,width=256,...", in the table's order, for cli_settings(). */
void model_config_describe(const struct model_config *c, struct buf *out);

/*
 * The table of positions, [max_length, width], which the caller frees; NULL if positions are
 * trained or absent.
 */
real *model_positions(const struct model_config *c);

enum { MODEL_DIGEST_SIZE = 17 };

struct model {
	struct model_config config;
	struct recipe recipe;
	struct rounding rounding;
	char preset[32];
	struct vocab src, tgt;		/* the same entries if tie is TIE_ALL */
	unsigned char *tgt_valid;	/* [V] 1: may be predicted; NULL without output_mask */
	char *codes;			/* text of the BPE codes, or NULL */
	size_t codes_n;
	/*
	 * SentencePiece models of source and target, as that library reads them, or NULL.  spm[1]
	 * is also NULL if both sides use spm[0].
	 */
	char *spm[2];
	size_t spm_n[2];
	struct languages languages;	/* of the training data; empty if unknown */
	char *first_token[2];		/* first token of every source and target, or NULL */
	int64_t step;			/* completed updates */
	bool int8;			/* some parameters are i8 in its file (heed-model(5)) */
	int64_t engine;			/* engine number of its training (engine.h); 0: unknown */
	char *pg;			/* provenance, one program per line, or NULL */
	/*
	 * The name of its training: a digest, in 16 hexadecimal digits, of the settings and data
	 * that determine the training.  Empty if unknown, and with --no-pg.
	 */
	char training[20];
	char digest[MODEL_DIGEST_SIZE];	/* the digest in its file; empty if there is none */

	struct params params;
	struct attention_set *attention;	/* the attention variants at all sites */
	struct site *sites;		/* [n_sites] encoder self-attention of layers 1 to
					 * enc_layers, then decoder self-attention and then
					 * cross-attention of layers 1 to dec_layers */
	size_t n_sites;
	real *positions;		/* [max_length, width]; NULL if trained or absent */
	struct model_layers *layers;	/* parameters by layer, layer-params.h */
	struct arena prepared;		/* memory of model_prepare() */
	real *gates, *mask;		/* set by model_gate() and model_mask(), or NULL */
	const struct head_patch *patch;	/* set by model_patch(), or NULL */
	const struct embed_shift *shift;	/* set by model_shift(), or NULL */
	char **gate_name;		/* [n_sites] after the first model_gate() */
	bool gate_gradients;		/* set by model_gate_gradients() */
};

/*
 * Makes a model without parameter values.  Takes ownership of the vocabularies: `src` and `tgt` are
 * empty afterwards, also on error.  `specs` are the specs of attention variants (attention.h).
 * Call params_allocate() and model_randomize() next; model_load() of model-file.h does all of this.
 * With output_mask, the caller fills tgt_valid, which is all ones here.
 */
struct model *model_new(const struct model_config *c, struct vocab *src, struct vocab *tgt,
			const char *const *specs, size_t n_specs, struct err *e);
/*
 * The same without the heads of a list (attention-heads.h); NULL or "" prunes none.  Parameters are
 * made for the retained heads only, as site_cut() (attention.h) says.  A site without heads has
 * only the bias of its output projection.  It is an error (EXIT_USAGE) if a variant would compute
 * something else than with these heads masked.
 */
struct model *model_new_pruned(const struct model_config *c, const char *removed,
				struct vocab *src, struct vocab *tgt, const char *const *specs,
				size_t n_specs, struct err *e);
/*
 * Appends the list of the pruned heads, as model_new_pruned() takes it.  Unless `more` is NULL, the
 * list also has the retained heads for which `more` [heads of all sites] is true.
 */
void model_removed_heads(const struct model *m, const bool *more, struct buf *out);
/*
 * A digest of vocabularies, pruned heads and parameter values, in hexadecimal with a terminating
 * null.  It is stored in streams: models with different digests are different models.  The digest
 * is that of the file from which the model was loaded, and is computed if the file lacks it.
 */
void model_digest(const struct model *m, char digest[MODEL_DIGEST_SIZE]);
/*
 * Computes the digest from the present values, even if the file has one: for models that were
 * changed, and to check a file.  model_digest_begin() returns the hash of what precedes the
 * parameters, and model_digest_text() writes a hash h as text.
 */
void model_digest_values(const struct model *m, char digest[MODEL_DIGEST_SIZE]);
uint64_t model_digest_begin(const struct model *m);
void model_digest_text(uint64_t h, char digest[MODEL_DIGEST_SIZE]);
/* The number of masked vocabulary entries, except special ones; 0 without output_mask. */
int model_masked_entries(const struct model *m);
bool model_has_pieces(const struct model *m);	/* has it BPE codes or a SentencePiece model? */
/*
 * The name of the segmentation in which two models differ, "BPE codes" or "SentencePiece models";
 * NULL if both are the same.
 */
const char *model_other_segmentation(const struct model *a, const struct model *b);
/* Do two models have the same first token of sources or, if `target`, of targets? */
bool model_same_first_token(const struct model *a, const struct model *b, bool target);
/* Copies BPE codes, SentencePiece models and first tokens to a model without them. */
void model_copy_segmentation(struct model *copy, const struct model *original);
void model_free(struct model *m);		/* m may be NULL */
void model_add_pg(struct model *m);		/* adds this command to pg, unless --no-pg */
/* Initializes the parameters with params_randomize(), and sets the embeddings of padding to 0. */
void model_randomize(struct model *m, uint64_t seed);

/*
 * Runs the encoder on a batch of model_batch().  Returns its output [rows, width], after the last
 * norm.
 */
struct node *model_encode(struct model *m, struct tape *t, const struct batch *b);
/*
 * Runs the decoder; `memory` is the encoder output.  Returns the decoder output [rows, width],
 * which the output layer reads.
 */
struct node *model_decode(struct model *m, struct tape *t, const struct batch *b,
			  struct node *memory);

/*
 * Encodes, decodes, and returns the summed loss of the batch: the smoothed cross-entropy plus the
 * losses of the variants.  Divided by the number of target tokens, it is the training loss.  If
 * `nll` is not NULL, *nll is the cross-entropy node, for op_cross_entropy_rows().
 */
struct node *model_loss(struct model *m, struct tape *t, const struct batch *b, struct node **nll);
/* The summed smoothed cross-entropy of the decoder output h. */
struct node *model_cross_entropy(struct model *m, struct tape *t, const struct batch *b,
				 struct node *h);

/*
 * Checks that all elements of h are finite, because even finite weights may overflow.  h is the
 * result for b of model_encode() or, with `target`, of model_decode().  Returns -1 with EXIT_INPUT
 * if not; the message names the first such record.
 */
int model_finite(const struct node *h, const struct batch *b, bool target, struct err *e) MUST_USE;

/*
 * The attention weights of the last run of a site on this tape, before dropout; NULL if the site
 * has not run.  model_site_node() returns their node.  model_site_weights() returns its elements:
 * block i, the weights [H, T_i, S_i] of sentence i, begins at element (*block)[i].  The arrays
 * belong to the tape.
 */
struct node *model_site_node(const struct model *m, struct tape *t, size_t site);
const real *model_site_weights(const struct model *m, struct tape *t, size_t site,
			       const ptrdiff_t **block, const struct layout **queries,
			       const struct layout **keys);

/*
 * Multiplies the output of each head by a gate from now on: after the context hooks of variants,
 * before their heads hooks and the output projection.  The gate of a head, counted from 0, is
 * gates[heads_before(m->sites, site) + head] (attention/attention-heads.h).  The array remains the
 * caller's and is read whenever the model runs; NULL removes the gates.  With gates, each site has
 * a node "SITE.heads" of op gate on the tape, whose first input is the heads.  Gates of 1 leave all
 * values unchanged.
 */
void model_gate(struct model *m, real *gates);
/*
 * From now on, gates are leaves of the tape with gradients, for which the tape has its own memory.
 * A backward pass then reaches the outputs of all heads even in a model without gradients of
 * parameters, and computes nothing else.
 */
void model_gate_gradients(struct model *m);
/*
 * Replaces the output of one head from now on, before its gate is applied.  x [rows, head_dim] is
 * dense, with a row for each query of the site in the batch.  *p remains the caller's; NULL ends
 * the replacement.
 */
struct head_patch { size_t site; int head, rows; real *x; };
void model_patch(struct model *m, const struct head_patch *p);
/*
 * Adds values to the embeddings of a side from now on, before a norm of embeddings: x[0] to those
 * of the source, x[1] to those of the target, [rows, width], dense, or NULL.  The gradient of the
 * sum is added to grad[0] or grad[1], unless it is NULL.  The sum is the node "src.embed" or
 * "tgt.embed".  *s remains the caller's; NULL ends it.
 */
struct embed_shift { real *x[2], *grad[2]; };
void model_shift(struct model *m, const struct embed_shift *s);
/*
 * Masks the heads of a list (attention/attention-heads.h) permanently: gates of 0, and zeros in the
 * columns of the output projections that read these heads.  With these zeros, precisions that have
 * one scale for each row give the same bits as the pruned model.  Call it before model_prepare().
 * Returns -1 with EXIT_USAGE if the list is malformed.
 */
int model_mask(struct model *m, const char *list, struct err *e) MUST_USE;

/*
 * The logits [rows, V] of all vocabulary entries for the decoder output h, without the output mask.
 */
struct node *model_logits(struct model *m, struct tape *t, struct node *h);

#endif
