/*
 * model: the Transformer (Vaswani et al. 2017), with the switches in which the
 * papers' host toolkits differ (methods 1), and the attention variants' hooks.
 *
 * A model is its configuration, two vocabularies, BPE codes, variants and
 * parameters; model-file.h keeps it in one file.
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
#include "tape/params.h"
#include "tensor/kernels.h"
#include "text/vocab.h"

/* The row of a program's option table: lists for model_mask(). */
#define OPT_MASK_HEADS(p) { .kind = OPT_STRING, .long_name = "mask-heads", .arg = "list", \
	.help = "switch these heads off, enc-self.2:1,3", .to = (p) }

/* Every switch has its place in model_config_options: the table behind --arch KEY=VALUE,... */
struct model_config {
	int64_t enc_layers, dec_layers, width, ff, heads;
	int64_t dec_ff;			/* width of the decoder's feed-forward layers; 0: ff */
	int activation;			/* ACTIVATION_*, inside the feed-forward layers */
	bool pre_norm, final_norm;	/* final_norm: one more after the last layer of each side */
	double norm_eps;
	int positions;			/* POSITIONS_*: how positions are added to embeddings */
	int64_t position_first;		/* index of the first real position: 0, or 2 as fairseq has it */
	int64_t max_length;		/* longest source or target, in symbols; positions are made for so many */
	int embed_scale;		/* EMBED_SCALE_*: what embeddings are multiplied by */
	bool embed_norm;		/* a norm after embeddings and positions */
	bool src_bias;			/* a learned vector added to every source embedding */
	int first;			/* enum in batch_rules: what the decoder sees first */
	bool src_eos;
	int tie;			/* TIE_NONE, TIE_DECODER (target in and output), TIE_ALL */
	bool output_bias, output_mask;	/* mask: types never seen on the target side get -inf */
	int init;			/* INIT_STYLE_FAIRSEQ, _ONMT, _WITWICKY, _STORY */
	double dropout_embed, dropout_residual, dropout_attention, dropout_relu, word_dropout;
};

/*
 * Sines, then cosines, of frequencies 10000^(-i / (D/2 - 1)), as fairseq, tensor2tensor and Marian
 * have it; sines and cosines in turn, 10000^(-2i / D), as OpenNMT-py and Witwicky; sines, then cosines,
 * of the latter frequencies, as MarianMT of Hugging Face transformers; a table of parameters for each
 * side.
 */
enum { POSITIONS_HALVES, POSITIONS_INTERLEAVED, POSITIONS_HUGGINGFACE, POSITIONS_LEARNED };
enum { ACTIVATION_RELU, ACTIVATION_SWISH, ACTIVATION_GELU, ACTIVATION_GELU_TANH };
enum { EMBED_SCALE_SQRT, EMBED_SCALE_ONE };	/* the square root of the width, or 1 */
enum { TIE_NONE, TIE_DECODER, TIE_ALL };
enum { INIT_STYLE_FAIRSEQ, INIT_STYLE_ONMT, INIT_STYLE_WITWICKY, INIT_STYLE_STORY };

extern const struct opt model_config_options[];	/* offsets into struct model_config, for cli_settings() */

/*
 * What head-prune rounded: heads whose gates became 0 or 1, and which of these gates were neither
 * before.  Rounding those changes what the model computes.
 */
struct rounding {
	int64_t heads, fractional;	/* heads 0: nothing was rounded */
	double lowest, highest;		/* of the fractional gates; 0 without any */
};

extern const struct opt rounding_options[];	/* for struct rounding, as kept in the model file */

/* What a preset says of training and search; nmt-train's own options override it. */
struct recipe {
	int smoothing_variant;		/* enum smoothing */
	double label_smoothing;
	double adam_beta1, adam_beta2, adam_eps, weight_decay;
	int schedule;			/* SCHEDULE_* */
	double lr, lr_init, lr_factor;	/* peak or constant; where a warm-up begins; of noam */
	int64_t warmup;
	double clip;			/* global norm; 0: none */
	int precision;			/* PRECISION_FP32 or PRECISION_BF16: of the products it was trained with */
	int search;			/* enum search_variant, search.h */
	double length_penalty;
	int64_t beam;
};

extern const struct opt recipe_options[];	/* the same for struct recipe, as kept in the model file */

enum { PRECISION_FP32, PRECISION_BF16 };
enum { SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_NOAM, SCHEDULE_LINEAR, SCHEDULE_PLATEAU };

struct preset {
	const char *name, *about;
	struct model_config config;
	struct recipe recipe;
};

/* fairseq, onmt, witwicky, story (of heads); sizes apart: "small", "base", "tiny", "iwslt" as --size. */
extern const struct preset presets[];			/* name NULL at the end */
const struct preset *preset_find(const char *name);
int model_size(struct model_config *c, const char *size, struct err *e);	/* sets layers, width, ff, heads */
int model_config_check(const struct model_config *c, struct err *e);
/* "enc_layers=3,width=256,...": every setting, in the table's order; cli_settings() reads it back. */
void model_config_describe(const struct model_config *c, struct buf *out);

struct model {
	struct model_config config;
	struct recipe recipe;
	struct rounding rounding;
	char preset[32];
	struct vocab src, tgt;		/* the same types when tie is TIE_ALL */
	unsigned char *tgt_valid;	/* [V] with output_mask, else NULL */
	char *codes;			/* text of the BPE codes, or NULL; as given to nmt-train */
	size_t codes_n;
	int64_t step;			/* updates done */
	int64_t engine;			/* that it was trained with (engine.h); 0: unknown */
	char *pg;			/* provenance, one program a line, or NULL */

	struct params params;
	struct attention_set *attention;
	struct site *sites;		/* enc self 1..L, dec self 1..L, dec cross 1..L */
	size_t n_sites;
	real *positions;		/* [max_length, width]; NULL if they are learned */
	struct model_layers *layers;	/* parameters by place; transformer.c's own */
	struct arena prepared;		/* of model_prepare() */
	real *gates, *mask;		/* of model_gate(), or NULL; of model_mask() */
	char **gate_name;		/* [n_sites], once there were gates */
};

/*
 * A model without values: takes the vocabularies over (empties src and tgt, also on error).  specs are
 * attention variants.  Then params_allocate() and model_randomize(), or model-file.h's load.
 * With output_mask the caller fills tgt_valid, which is all ones here.
 */
struct model *model_new(const struct model_config *c, struct vocab *src, struct vocab *tgt,
			const char *const *specs, size_t n_specs, struct err *e);
/*
 * The same without the heads of a list (attention-heads.h); NULL or "": with all.  Parameters
 * by head are as much smaller; a site without any is its projection's bias.  A variant for
 * which that is not the same as heads that give nothing refuses.
 */
struct model *model_new_pruned(const struct model_config *c, const char *removed,
				struct vocab *src, struct vocab *tgt, const char *const *specs,
				size_t n_specs, struct err *e);
/*
 * Appends the list of the heads that were removed, as model_new_pruned() takes it, and with
 * those that are set in more (NULL: none), one bool for each head that is left.
 */
void model_removed_heads(const struct model *m, const bool *more, struct buf *out);
void model_free(struct model *m);		/* NULL is fine */
void model_add_pg(struct model *m);		/* a line of provenance for this program, unless --no-pg */
void model_randomize(struct model *m, uint64_t seed);	/* params_randomize(), and the padding's row is 0 */

void model_batch_rules(const struct model *m, struct batch_rules *r);	/* for training; fills all but seed and step */
/*
 * batch_make() by these rules (NULL: the model's, without target and noise), then the variants'
 * batch hooks: what stands before every model_encode().
 */
int model_batch(struct model *m, struct batch *b, struct arena *mem, const struct record *const *rec,
		const int64_t *number, int n, const struct batch_rules *r, struct err *e) MUST_USE;

/* [rows, width] of the source side, after the last norm. */
struct node *model_encode(struct model *m, struct tape *t, const struct batch *b);
/* [rows, width] of the target side: what the output projection reads. */
struct node *model_decode(struct model *m, struct tape *t, const struct batch *b, struct node *memory);

/*
 * Encodes, decodes, and gives the summed loss of the batch: smoothed cross-entropy
 * plus the variants' own losses, which have its scale, so that dividing by the number of target tokens
 * gives the loss of methods.  *nll, if given, is
 * the node that op_cross_entropy_rows() understands.
 */
struct node *model_loss(struct model *m, struct tape *t, const struct batch *b, struct node **nll);
/* Of these alone the smoothed cross-entropy, summed, of what model_decode() gave: what *nll is. */
struct node *model_cross_entropy(struct model *m, struct tape *t, const struct batch *b,
				 struct node *h);

/*
 * Is every element of h finite, the result of model_encode() (target false) or model_decode() for b?
 * If not, EXIT_INPUT and the first record concerned: finite weights may overflow.
 */
int model_finite(const struct node *h, const struct batch *b, bool target, struct err *e) MUST_USE;

/*
 * Attention weights of a site, before dropout, after it ran last on this tape: blocks [H, T_i, S_i],
 * and their layouts; NULL if the site has not run.
 */
struct node *model_site_node(const struct model *m, struct tape *t, size_t site);
const real *model_site_weights(const struct model *m, struct tape *t, size_t site,
			       const ptrdiff_t **block, const struct layout **queries, const struct layout **keys);

/*
 * From now on every head's output, what the variants' hooks make of its context and before
 * heads are gated, weighed or projected, is multiplied by its gate:
 * gates[heads_before(m->sites, site) + head], head from 0 (attention/attention-heads.h), the
 * caller's, read whenever the model runs; NULL turns that off.  While there are gates every
 * site has the node "SITE.heads" on the tape, op gate, with the heads as its first input.
 * Gates of 1 change no number.
 */
void model_gate(struct model *m, real *gates);
/*
 * The same with gates of the model's own: 0 for the heads of a list
 * (attention/attention-heads.h), else 1; for good, because the output projections lose what
 * they read of these heads: numbers that are rounded together with their neighbours are then
 * rounded as if the heads had been removed.  Stands before model_prepare().  -1: EXIT_USAGE.
 */
int model_mask(struct model *m, const char *list, struct err *e) MUST_USE;

/*
 * Lays all weights out for many products with them by this back end.  Their values must stay as they are
 * from then on, and the back end open.  Results have the same bits with it and without.
 */
void model_prepare(struct model *m, const struct backend *b, struct pool *pool);

/*
 * Decoding one position at a time.  A cache has max_slots hypotheses; each has its own
 * keys and values of the positions it has stepped through, and looks at those of the
 * hypotheses it comes from where they are.  Cross-attention keys and values are computed
 * once a sentence and shared by its hypotheses.
 */
struct decoder_cache;

struct decoder_cache *decoder_cache_new(const struct model *m, int max_slots);
void decoder_cache_free(struct decoder_cache *c);
/* Keeps the cross-attention keys and values of encoded sentences, which get the next numbers. */
void decoder_cache_add(struct decoder_cache *c, struct model *m, struct tape *t, const struct batch *b,
		       struct node *memory);
/* Forgets the sentences: the next has number 0 again.  All slots may begin at position 0. */
void decoder_cache_clear(struct decoder_cache *c);
/*
 * One position for the hypotheses in slots slot[0..n): of sentence number sentence[i], at position
 * pos[i], reading symbol id[i] (-1: the zero vector).  Returns [n, width] for model_logits() and
 * model_next().
 */
struct node *decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n, const int *slot,
			  const int *sentence, const int *pos, const int *id);
/*
 * Slot to[i] becomes a copy of slot from[i], as far as position len[i]; all at once.  The two share what
 * they have passed: neither may step there again before it begins anew at 0, and then both must.
 */
void decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to, const int *len);

struct node *model_logits(struct model *m, struct tape *t, struct node *h);	/* [rows, V], nothing masked */

/*
 * For each row r of h the most probable of the types [from[r], to[r]), as many as best[r] (best_init())
 * has room for; x is their log-probability among all types.  Masked types have none.
 */
struct next {
	const int *from, *to;
	struct best *best;
};
void model_next(struct model *m, struct tape *t, struct node *h, const struct next *what);

#endif
