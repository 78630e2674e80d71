/*
 * model: the Transformer (Vaswani et al. 2017), with the hooks of attention variants.  Its settings
 * cover the differences between the toolkits in which the papers of heed-papers(7) were
 * implemented, such as fairseq and OpenNMT-py.
 *
 * A model consists of its configuration, two vocabularies, BPE codes or SentencePiece models
 * (optional), attention variants and parameters.  model-file/model-file.h reads and writes a model
 * as one file.
 *
 * V is the size of a vocabulary.  `rows` is the number of tokens of the source or target side of a
 * batch (data/batch.h).  A site is an attention layer (attention/attention.h).
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

/*
 * A row of an option table (base/cli.h) for --mask-heads, whose value is the list for model_mask().
 * `p` is the address of a string.
 */
#define OPT_MASK_HEADS(p) { .kind = OPT_STRING, .long_name = "mask-heads", .arg = "list", \
	.help = "mask these heads, for example enc-self.2:1,3", .to = (p) }

/*
 * The architecture.  model_config_options has a row for each setting, as for --arch KEY=VALUE,...
 */
struct model_config {
	int64_t enc_layers, dec_layers, width, ff, heads;
	int64_t head_width;		/* width of the queries, keys and values of a head; 0: width
					 * / heads */
	int64_t dec_ff;			/* width of the decoder's feed-forward layers; 0: ff */
	int activation;			/* ACTIVATION_*: in the feed-forward layers */
	bool ff_gate;			/* gated feed-forward layers: activation(x W1') * (x W2'),
					 * elementwise (Shazeer 2020, GLU Variants Improve
					 * Transformer) */
	bool no_bias;			/* no biases in projections and feed-forward layers */
	int score_scale;		/* SCORE_SCALE_*: the divisor of attention scores */
	int norm;			/* NORM_*: the kind of all normalizations */
	bool pre_norm, final_norm;	/* final_norm: after the last layer of each side */
	double norm_eps;
	int positions;			/* POSITIONS_*: how positions are added to embeddings */
	int64_t position_first;		/* index of the first position: 0, or 2 as in fairseq */
	int64_t max_length;		/* maximum number of tokens of a source or target; number of
					 * positions */
	int embed_scale;		/* EMBED_SCALE_*: the factor of embeddings */
	int output_scale;		/* OUTPUT_SCALE_*: the divisor of the decoder output */
	bool embed_norm;		/* a norm after embeddings and positions */
	bool src_bias;			/* a trained vector added to each source embedding */
	int first;			/* TARGET_*: first decoder input (struct batch_rules of
					 * data/batch.h) */
	bool src_eos;			/* an end token is appended to the source */
	int tie;			/* tied embeddings: TIE_NONE, TIE_DECODER (target and
					 * output), TIE_ALL */
	bool output_bias, output_mask;	/* output_mask: vocabulary entries that never occur on the
					 * target side have probability 0 */
	int init;			/* INIT_STYLE_*: initialization as in that toolkit; STORY is
					 * that of Voita et al. 2019 */
	/*
	 * Dropout rates of embeddings, of sublayer outputs, of attention weights, and after the
	 * activation of feed-forward layers.  word_dropout is the fraction of input tokens that are
	 * replaced by <unk> in training.
	 */
	double dropout_embed, dropout_residual, dropout_attention, dropout_relu, word_dropout;
};

/*
 * Position encodings, of width D with i from 0 to D/2 - 1.  HALVES: all sines, then all cosines,
 * with frequencies 10000^(-i / (D/2 - 1)), as in fairseq, tensor2tensor and Marian.  INTERLEAVED:
 * alternating sines and cosines, with frequencies 10000^(-2i / D), as in OpenNMT-py and Witwicky.
 * HUGGINGFACE: all sines, then all cosines, with frequencies 10000^(-2i / D), as in MarianMT of
 * Hugging Face transformers.  LEARNED: a table of parameters for each side.  NONE: nothing is added
 * to embeddings; the encoder then sees the order of tokens only through an attention variant, such
 * as bucket-bias.
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

extern const struct opt model_config_options[];	/* for cli_settings() (base/cli.h) into struct
						 * model_config */

/*
 * The gates that head-prune rounded to 0 or 1.  `heads` is the number of all these gates, and
 * `fractional` the number of those that were neither 0 nor 1 before.  Rounding changes what the
 * model computes only if `fractional` is not 0.
 */
struct rounding {
	int64_t heads, fractional;	/* heads 0: nothing was rounded */
	double lowest, highest;		/* range of the gates that were neither 0 nor 1; 0 if there
					 * were none */
};

extern const struct opt rounding_options[];	/* for cli_settings() into struct rounding */

/* The training and search settings of a preset.  Options of nmt-train override them. */
struct recipe {
	int smoothing_variant;		/* enum smoothing of ops/ops.h */
	double label_smoothing;
	double adam_beta1, adam_beta2, adam_eps, weight_decay;
	int schedule;			/* SCHEDULE_* below, see train/optimizer.h */
	double lr, lr_init, lr_factor;	/* learning rate at the end of the warm-up; at its
					 * start; factor of SCHEDULE_NOAM */
	int64_t warmup;			/* number of updates */
	double clip;			/* maximum norm of the gradient of all parameters; 0: no
					 * clipping */
	int precision;			/* PRECISION_FP32 or PRECISION_BF16: of the operands of
					 * matrix products in training */
	int search;			/* enum search_variant (search-variant.h) */
	double length_penalty;
	int64_t beam;
	bool count_first;		/* a first token of targets, such as a language token,
					 * counts in the length that the length penalty uses */
};

extern const struct opt recipe_options[];	/* for cli_settings() into struct recipe */

enum { PRECISION_FP32, PRECISION_BF16 };
enum {
	SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_NOAM, SCHEDULE_LINEAR, SCHEDULE_PLATEAU
};

struct preset {
	const char *name, *about;	/* about: one line, for lists of presets */
	const char *attention;		/* spec of its attention variant (attention.h), or NULL */
	struct model_config config;
	struct recipe recipe;
};

extern const struct preset presets[];	/* fairseq, onmt, witwicky, story, t5; the last name is
					 * NULL */
const struct preset *preset_find(const char *name);	/* NULL if there is none */
/*
 * Sets the numbers of layers, `width`, `ff` and `heads` to those of a named size: "tiny", "small",
 * "base", "big" or "iwslt"; `dec_ff` becomes 0.  "big" also sets the dropout rates of embeddings
 * and sublayer outputs to 0.3.  Returns -1 with EXIT_USAGE for another name.
 */
int model_size(struct model_config *c, const char *size, struct err *e);
/* Return 0 if all values are in range and agree with each other, and -1 with EXIT_USAGE if not. */
int model_config_check(const struct model_config *c, struct err *e);
int recipe_check(const struct recipe *r, struct err *e);
/*
 * Appends the settings, "enc_layers=3,width=256,...", in the order of the table.  A setting whose
 * row has `omit` (base/cli.h) is left out if its value is 0.  cli_settings() reads this text.
 */
void model_config_describe(const struct model_config *c, struct buf *out);

/*
 * The table of sinusoidal positions [max_length, width], which the caller frees; NULL if positions
 * are trained or absent.  Row 0 has position `position_first`.
 */
real *model_positions(const struct model_config *c);

enum { MODEL_DIGEST_SIZE = 17 };	/* bytes: 16 hexadecimal digits and a null */

struct model {
	struct model_config config;
	struct recipe recipe;
	struct rounding rounding;
	char preset[32];		/* name of the preset with which it was trained */
	struct vocab src, tgt;		/* the same entries if tie is TIE_ALL */
	unsigned char *tgt_valid;	/* [V] 1: may be predicted; NULL without output_mask */
	char *codes;			/* text of the BPE codes, or NULL */
	size_t codes_n;
	/*
	 * The bytes of the SentencePiece models of source and target, or NULL.  If both sides use
	 * one model, it is spm[0], and spm[1] is NULL.
	 */
	char *spm[2];
	size_t spm_n[2];
	struct languages languages;	/* of the training data; empty if unknown */
	char *first_token[2];		/* token with which every source and every target begins, or
					 * NULL */
	int64_t step;			/* completed updates */
	bool int8;			/* some parameters in its file are 8-bit integers, i8 of
					 * heed-model(5) */
	int64_t engine;			/* engine number with which it was trained (engine.h); 0:
					 * unknown */
	char *pg;			/* provenance, one program per line, or NULL */
	/*
	 * Identifies the training run: a digest, in 16 hexadecimal digits, of the settings and data
	 * that determine it.  Empty if unknown, and with --no-pg.
	 */
	char training[20];
	char digest[MODEL_DIGEST_SIZE];	/* the digest that its file states; empty if it states
					 * none */

	struct params params;
	struct attention_set *attention;	/* the attention variants at all sites */
	struct site *sites;		/* [n_sites] first encoder self-attention of all layers,
					 * then decoder self-attention of all layers, then
					 * cross-attention of all layers */
	size_t n_sites;
	real *positions;		/* [max_length, width]; NULL if trained or absent */
	struct model_layers *layers;	/* parameters by layer, layer-params.h */
	struct arena prepared;		/* memory of model_prepare() (search/next-token.h) */
	real *gates, *mask;		/* set by model_gate() and model_mask(); or NULL */
	const struct head_patch *patch;	/* set by model_patch(); or NULL */
	const struct embed_shift *shift;	/* set by model_shift(); or NULL */
	char **gate_name;		/* [n_sites] names of nodes; NULL before the first call of
					 * model_gate() */
	bool gate_gradients;		/* set by model_gate_gradients() */
};

/*
 * Makes a model without parameter values.  The caller frees it with model_free().  Next call
 * params_allocate() and model_randomize(), or use model_load() of model-file.h in place of all
 * these functions.  The model takes the contents of the vocabularies: `src` and `tgt`, which may be
 * the same pointer, are empty afterwards, also on error.  `specs` are the specs of the attention
 * variants (attention.h).  With output_mask, all elements of tgt_valid are 1, and the caller sets
 * those of excluded entries to 0.  Returns NULL on error, with EXIT_USAGE for settings that do not
 * fit.
 */
struct model *model_new(const struct model_config *c, struct vocab *src, struct vocab *tgt,
			const char *const *specs, size_t n_specs, struct err *e);
/*
 * model_new() without the heads of the list `removed` (attention-heads.h); NULL or "" prunes none.
 * Only the retained heads have parameters; site_cut() (attention.h) describes which blocks of a
 * parameter they are.  A site without heads has at most the bias of its output projection and, with
 * post-norm, the norm of the sublayer.  Returns NULL with EXIT_USAGE also if an attention variant
 * would compute something else in the pruned model than with these heads masked.
 */
struct model *model_new_pruned(const struct model_config *c, const char *removed,
				struct vocab *src, struct vocab *tgt, const char *const *specs,
				size_t n_specs, struct err *e);
/*
 * Appends the list of the pruned heads in the form that model_new_pruned() reads.  If `more` is not
 * NULL, it has an element for each retained head, in the order of attention-heads.h, and the list
 * also includes the heads whose element is true.
 */
void model_removed_heads(const struct model *m, const bool *more, struct buf *out);
/*
 * Stores a digest of vocabularies, pruned heads and parameter values in `digest`: 16 hexadecimal
 * digits and a terminating null.  Streams state the digest of the model that made them; models with
 * different digests are different models.  If the file from which the model was loaded states a
 * digest, the result is that digest; otherwise it is computed.
 */
void model_digest(const struct model *m, char digest[MODEL_DIGEST_SIZE]);
/*
 * model_digest_values() computes the digest from the present values even if the file states one:
 * for models that were changed, and to check a file.  It begins with model_digest_begin(), the hash
 * of vocabularies and pruned heads, adds param_digest() (tape/params.h) and the values of each
 * parameter, and ends with model_digest_text(), which writes the hash h as text.
 */
void model_digest_values(const struct model *m, char digest[MODEL_DIGEST_SIZE]);
uint64_t model_digest_begin(const struct model *m);
void model_digest_text(uint64_t h, char digest[MODEL_DIGEST_SIZE]);
/*
 * The number of target vocabulary entries that the output mask excludes, without special tokens; 0
 * without output_mask.
 */
int model_masked_entries(const struct model *m);
bool model_has_pieces(const struct model *m);	/* does m have BPE codes or a SentencePiece
						 * model? */
/*
 * Returns "BPE codes" or "SentencePiece models" if these differ between two models, and NULL if
 * they are the same.
 */
const char *model_other_segmentation(const struct model *a, const struct model *b);
/* Do two models have the same first token of sources or, if `target` is true, of targets? */
bool model_same_first_token(const struct model *a, const struct model *b, bool target);
/* Copies BPE codes, SentencePiece models and first tokens to `copy`, which must be without them. */
void model_copy_segmentation(struct model *copy, const struct model *original);
void model_free(struct model *m);		/* m may be NULL */
void model_add_pg(struct model *m);		/* adds the command line of this program to pg,
						 * unless it has --no-pg */
/*
 * Initializes the allocated parameters in the style of config.init, as a function of `seed`
 * (params_randomize() of tape/params.h).  The embeddings of the padding token are 0.
 */
void model_randomize(struct model *m, uint64_t seed);

/*
 * Runs the encoder on a batch that model_batch() (model-input.h) made.  Returns the encoder output
 * [rows, width] of the source side, after the final norm if there is one.
 */
struct node *model_encode(struct model *m, struct tape *t, const struct batch *b);
/*
 * Runs the decoder on all target positions of a batch; `memory` is the encoder output.  Returns the
 * decoder output [rows, width], from which model_logits() and model_cross_entropy() compute.
 */
struct node *model_decode(struct model *m, struct tape *t, const struct batch *b,
			  struct node *memory);

/*
 * Encodes, decodes, and returns the loss of the batch, a scalar: the smoothed cross-entropy summed
 * over target tokens, plus the losses of the attention variants.  The training loss is this sum
 * divided by the number of target tokens.  If `nll` is not NULL, *nll becomes the node of the
 * smoothed cross-entropy alone, which op_cross_entropy_rows() reads.
 */
struct node *model_loss(struct model *m, struct tape *t, const struct batch *b, struct node **nll);
/* The smoothed cross-entropy, summed over target tokens, of the decoder output h; a scalar. */
struct node *model_cross_entropy(struct model *m, struct tape *t, const struct batch *b,
				 struct node *h);

/*
 * Checks that all elements of h are finite, since even a model with finite weights may overflow.  h
 * is the output for `b` of model_encode() or, with `target`, of model_decode().  If an element is
 * not finite, returns -1 with EXIT_INPUT and a message that names its record and token.
 */
int model_finite(const struct node *h, const struct batch *b, bool target, struct err *e) MUST_USE;

/*
 * The attention of the last run of a site on this tape; both functions return NULL if the site has
 * not run.  model_site_node() returns the node of the attention weights or, with fused attention,
 * which keeps no weights, that of the head outputs.  model_site_weights() returns the attention
 * weights before dropout in both cases.  The weights [H, T_i, S_i] of sentence i, with T_i queries
 * and S_i keys, begin at element (*block)[i].  *queries and *keys become the layouts of queries and
 * keys.  All arrays belong to the tape.
 */
struct node *model_site_node(const struct model *m, struct tape *t, size_t site);
const real *model_site_weights(const struct model *m, struct tape *t, size_t site,
			       const ptrdiff_t **block, const struct layout **queries,
			       const struct layout **keys);

/*
 * Multiplies the output of each head by a gate from now on: after the context hooks of the
 * attention variants, before their heads hooks and the output projection.  The gate of a retained
 * head of a site, counted from 0, is gates[heads_before(m->sites, site) + head]
 * (attention/attention-heads.h).  The caller owns the array, which is read whenever the model runs.
 * If `gates` is NULL, there are no gates any more.  With gates, the tape has a node "SITE.heads" of
 * the op gate for each site, whose first input is the head outputs.  Gates of 1 change no value.
 */
void model_gate(struct model *m, real *gates);
/*
 * From now on, the gates have gradients, in memory of the tape.  A backward pass then also reaches
 * the outputs of all heads in a model whose parameters have no gradients, and computes nothing for
 * the parameters.
 */
void model_gate_gradients(struct model *m);
/*
 * Replaces the output of one head from now on, before the gates are applied.  `site` is the index
 * of a site, and `head` that of a retained head of the site, from 0.  `x` [rows, head_dim] is
 * dense, with a row for each query of the site in the batch.  *p remains the caller's.  If p is
 * NULL, no output is replaced any more.
 */
struct head_patch { size_t site; int head, rows; real *x; };
void model_patch(struct model *m, const struct head_patch *p);
/*
 * Adds values to the embeddings of a side from now on, before the norm of embed_norm: x[0] to those
 * of the source, x[1] to those of the target.  Each is [rows, width] and dense, or NULL to add
 * nothing.  The gradient of the sum is added to grad[0] or grad[1], unless that is NULL.  The sum
 * is the node "src.embed" or "tgt.embed".  *s remains the caller's.  If s is NULL, nothing is added
 * any more.
 */
struct embed_shift { real *x[2], *grad[2]; };
void model_shift(struct model *m, const struct embed_shift *s);
/*
 * Masks the heads of a list (attention/attention-heads.h) permanently.  Their gates become 0, and
 * so do the columns of the output projections that read these heads, where gates_scale_output()
 * (layer-params.h) can fold gates.  Because of these zeros, int16 and int8, which have one scale
 * for each row of a matrix, give the same bits as in the pruned model.  Must be called before
 * model_prepare().  Returns -1 with EXIT_USAGE if the list is malformed.
 */
int model_mask(struct model *m, const char *list, struct err *e) MUST_USE;

/*
 * The logits [rows, V] of all target vocabulary entries, computed from the decoder output h without
 * the output mask.
 */
struct node *model_logits(struct model *m, struct tape *t, struct node *h);

#endif
