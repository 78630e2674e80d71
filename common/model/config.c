/* config: the settings of a model, with names, sizes and limits, and presets; see model.h. */
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "model/model.h"
#include "model/search-variant.h"

/* Limit on the elements of the table of positions, which a damaged file cannot exceed. */
#define MAX_POSITIONS (1 << 23)

static const char *const positions[] = {
	"halves", "interleaved", "huggingface", "learned", "none", NULL
};
static const char *const activations[] = {
	"relu", "swish", "gelu", "gelu_tanh", "gelu_sigmoid", NULL
};
static const char *const norms[] = { "layer", "rms", NULL };
static const char *const embed_scales[] = { "sqrt", "one", NULL };
static const char *const output_scales[] = { "one", "sqrt", NULL };
static const char *const firsts[] = { "bos", "eos", "zero", NULL };
static const char *const ties[] = { "none", "decoder", "all", NULL };
static const char *const inits[] = { "fairseq", "onmt", "witwicky", "story", "t5", NULL };
static const char *const smoothings[] = { "fairseq-old", "fairseq-new", "onmt", "t2t", NULL };
static const char *const schedules[] = {
	"constant", "inverse_sqrt", "noam", "linear", "plateau", NULL
};
static const char *const precisions[] = { "fp32", "bf16", NULL };
const char *const search_variants[] = { "fairseq", "gnmt", "onmt", "voita", "marian", NULL };

#define AT(field) .at = offsetof(struct STATE, field)
#define INT(name, lo, hi, words) \
	{ .kind = OPT_INT, .long_name = #name, .arg = "n", .help = words, AT(name), \
	  .min = lo, .max = hi }
#define FLOAT(name, lo, hi, words) \
	{ .kind = OPT_FLOAT, .long_name = #name, .arg = "x", .help = words, AT(name), \
	  .min = lo, .max = hi }
#define SHARE(name, words) FLOAT(name, 0, 0.999, words)
#define FLAG(name, words) { .kind = OPT_FLAG, .long_name = #name, .help = words, AT(name) }
#define CHOICE(name, list, words) \
	{ .kind = OPT_CHOICE, .long_name = #name, .arg = "word", .help = words, AT(name), \
	  .choice = list }
/* Settings added after version 0.6: defaults are omitted, so that older files keep their bytes. */
#define LATER_INT(name, lo, hi, words) \
	{ .kind = OPT_INT, .long_name = #name, .arg = "n", .help = words, AT(name), \
	  .min = lo, .max = hi, .omit = true }
#define LATER_FLAG(name, words) \
	{ .kind = OPT_FLAG, .long_name = #name, .help = words, AT(name), .omit = true }
#define LATER_CHOICE(name, list, words) \
	{ .kind = OPT_CHOICE, .long_name = #name, .arg = "word", .help = words, AT(name), \
	  .choice = list, .omit = true }

#define STATE model_config
const struct opt model_config_options[] = {
	INT(enc_layers, 1, 64, "encoder layers"),
	INT(dec_layers, 1, 64, "decoder layers"),
	INT(width, 2, 16384, "model width: embeddings and layer outputs"),
	INT(ff, 1, 65536, "width of the feed-forward layers"),
	LATER_INT(dec_ff, 0, 65536, "width of the decoder's feed-forward layers; 0: ff"),
	INT(heads, 1, 256, "heads of each attention layer"),
	LATER_INT(head_width, 0, 1024, "width of a head; 0: width divided by heads"),
	LATER_CHOICE(score_scale, embed_scales,
		     "divisor of attention scores: square root of the head width, or 1"),
	LATER_CHOICE(activation, activations, "activation of the feed-forward layers"),
	LATER_FLAG(ff_gate, "feed-forward layers multiply the activation by another projection"),
	LATER_FLAG(no_bias, "no biases in projections and feed-forward layers"),
	LATER_CHOICE(norm, norms, "kind of norm: layer norm, or root mean square without bias"),
	FLAG(pre_norm, "layer norm before each sublayer, not after the residual"),
	FLAG(final_norm, "layer norm after the last layer of each side"),
	FLOAT(norm_eps, 0, 1, "epsilon of layer norms, added to the variance"),
	CHOICE(positions, positions, "sinusoids in one of three layouts, trained, or none"),
	INT(position_first, 0, 1000000, "index of the first position"),
	INT(max_length, 2, 1000000, "maximum tokens of a source or target"),
	LATER_CHOICE(embed_scale, embed_scales,
		     "factor of embeddings: square root of the width, or 1"),
	LATER_CHOICE(output_scale, output_scales,
		     "divisor of the decoder output: 1, or square root of the width"),
	LATER_FLAG(embed_norm, "layer norm after embeddings and positions"),
	FLAG(src_bias, "trained vector added to each source embedding"),
	CHOICE(first, firsts, "first decoder input"),
	FLAG(src_eos, "end-of-sentence token after the source"),
	CHOICE(tie, ties, "tied embeddings"),
	FLAG(output_bias, "bias of the output projection"),
	FLAG(output_mask, "tokens never seen on the target side have probability 0"),
	CHOICE(init, inits, "initialization as in that toolkit"),
	SHARE(dropout_embed, "dropout of embeddings"),
	SHARE(dropout_residual, "dropout of sublayer outputs"),
	SHARE(dropout_attention, "dropout of attention weights"),
	SHARE(dropout_relu, "dropout in feed-forward layers"),
	SHARE(word_dropout, "fraction of input tokens replaced by <unk> in training"),
	{ .kind = OPT_END }
};
#undef STATE

#define STATE recipe
const struct opt recipe_options[] = {
	CHOICE(smoothing_variant, smoothings, "label smoothing as in that toolkit"),
	SHARE(label_smoothing, "probability taken from the gold token"),
	SHARE(adam_beta1, "Adam's beta 1"),
	FLOAT(adam_beta2, 0, 0.999999, "Adam's beta 2"),
	FLOAT(adam_eps, 0, 1, "Adam's epsilon"),
	FLOAT(weight_decay, 0, 1, "decoupled weight decay"),
	CHOICE(schedule, schedules, "learning rate schedule"),
	FLOAT(lr, 0, 1000, "peak or constant learning rate"),
	FLOAT(lr_init, 0, 1000, "learning rate before the warm-up"),
	FLOAT(lr_factor, 0, 1000, "factor of schedule noam"),
	INT(warmup, 0, 1000000000, "warm-up updates"),
	FLOAT(clip, 0, 1000000000, "maximum norm of the gradient; 0: no limit"),
	CHOICE(precision, precisions, "precision of the operands of matrix products"),
	CHOICE(search, search_variants, "beam search as in that toolkit"),
	FLOAT(length_penalty, 0, 1000, "exponent of the length penalty"),
	INT(beam, 1, 1000, "beam size"),
	LATER_FLAG(count_first, "the first token of targets counts in the length penalty"),
	{ .kind = OPT_END }
};
#undef STATE

#define STATE rounding
const struct opt rounding_options[] = {
	INT(heads, 0, 1000000, "heads whose gates were rounded"),
	INT(fractional, 0, 1000000, "gates that were neither 0 nor 1"),
	FLOAT(lowest, 0, 1, "lowest of these gates"),
	FLOAT(highest, 0, 1, "highest of these gates"),
	{ .kind = OPT_END }
};
#undef STATE

/* base and big are those of Vaswani et al. 2017, table 3, which gives big a higher dropout rate. */
static const struct size {
	const char *name;
	int64_t enc_layers, dec_layers, width, ff, heads;
	double dropout;			/* of embeddings and sublayer outputs; 0: the preset's */
} sizes[] = {
	{ "tiny", 2, 2, 64, 128, 4, 0 },
	{ "small", 3, 3, 256, 1024, 4, 0 },
	{ "base", 6, 6, 512, 2048, 8, 0 },
	{ "big", 6, 6, 1024, 4096, 16, 0.3 },
	{ "iwslt", 6, 6, 512, 1024, 4, 0 },
	{ NULL, 0, 0, 0, 0, 0, 0 }
};

int
model_size(struct model_config *c, const char *size, struct err *e)
{
	for (const struct size *s = sizes; s->name; s++) {
		if (strcmp(s->name, size))
			continue;
		c->enc_layers = s->enc_layers;
		c->dec_layers = s->dec_layers;
		c->width = s->width;
		c->ff = s->ff;
		c->dec_ff = 0;
		c->heads = s->heads;
		if (s->dropout > 0)
			c->dropout_embed = c->dropout_residual = s->dropout;
		return 0;
	}
	return err_set(e, EXIT_USAGE, "size '%s', expected tiny, small, base, big or iwslt",
		       size);
}

/* Checks the table's limits for settings that were not parsed by it. */
static int
config_check_ranges(const struct opt *table, const void *state, struct err *e)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		const char *at = (const char *)state + o->at;
		double v;

		if (o->kind != OPT_INT && o->kind != OPT_FLOAT)
			continue;
		v = o->kind == OPT_INT ? (double)*(const int64_t *)at : *(const double *)at;
		if (!(v >= o->min && v <= o->max))
			return err_set(e, EXIT_USAGE, "%s is %g, expected %g to %g", o->long_name,
				       v, o->min, o->max);
	}
	return 0;
}

int
model_config_check(const struct model_config *c, struct err *e)
{
	if (config_check_ranges(model_config_options, c, e))
		return -1;
	if (c->width % 2)
		return err_set(e, EXIT_USAGE, "width %lld, expected an even number",
			       (long long)c->width);
	if (!c->head_width && c->width % c->heads)
		return err_set(e, EXIT_USAGE, "%lld heads, expected a divisor of width %lld",
			       (long long)c->heads, (long long)c->width);
	if (c->max_length * c->width > MAX_POSITIONS)
		return err_set(e, EXIT_USAGE,
			       "max_length %lld with width %lld, expected at most %lld",
			       (long long)c->max_length, (long long)c->width,
			       (long long)(MAX_POSITIONS / c->width));
	return 0;
}

int
recipe_check(const struct recipe *r, struct err *e)
{
	return config_check_ranges(recipe_options, r, e);
}

void
model_config_describe(const struct model_config *c, struct buf *out)
{
	cli_settings_describe(model_config_options, c, out);
}

/*
 * --- presets ---
 *
 * The architectures and recipes of the papers' host toolkits.  Sizes are those of "base" unless
 * --size or --arch changes them.
 */

#define BASE \
	.enc_layers = 6, .dec_layers = 6, .width = 512, .ff = 2048, .heads = 8, .max_length = 1024
#define RECIPE_FAIRSEQ \
	.smoothing_variant = SMOOTHING_FAIRSEQ_OLD, .label_smoothing = 0.1, \
	.adam_beta1 = 0.9, .adam_beta2 = 0.98, .adam_eps = 1e-8, \
	.schedule = SCHEDULE_INVERSE_SQRT, .lr = 5e-4, .lr_init = 1e-7, .lr_factor = 1, \
	.warmup = 4000, .search = SEARCH_FAIRSEQ, .length_penalty = 1, .beam = 5

const struct preset presets[] = {
	{
		.name = "fairseq",
		.about = "fairseq 0.9: post-norm; decoder embeddings tied to the output",
		.config = {
			BASE, .norm_eps = 1e-5,
			.positions = POSITIONS_HALVES, .position_first = 2,
			.first = TARGET_EOS, .src_eos = true, .tie = TIE_DECODER,
			.init = INIT_STYLE_FAIRSEQ,
			.dropout_embed = 0.1, .dropout_residual = 0.1,
		},
		.recipe = { RECIPE_FAIRSEQ },
	}, {
		.name = "onmt",
		.about = "OpenNMT-py: pre-norm; no tied embeddings; dropout in all places",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_INTERLEAVED,
			.first = TARGET_BOS, .tie = TIE_NONE, .output_bias = true,
			.init = INIT_STYLE_ONMT,
			.dropout_embed = 0.1, .dropout_residual = 0.1, .dropout_attention = 0.1,
			.dropout_relu = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_ONMT, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.998, .adam_eps = 1e-9,
			.schedule = SCHEDULE_NOAM, .lr = 5e-4, .lr_factor = 2, .warmup = 8000,
			.search = SEARCH_ONMT, .length_penalty = 0.6, .beam = 5,
		},
	}, {
		.name = "witwicky",
		.about = "Witwicky with tree masks: pre-norm; all embeddings tied; word dropout",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_INTERLEAVED,
			.first = TARGET_BOS, .tie = TIE_ALL,
			.output_bias = true, .output_mask = true,
			.init = INIT_STYLE_WITWICKY,
			.dropout_embed = 0.3, .dropout_residual = 0.3, .dropout_attention = 0.3,
			.dropout_relu = 0.3, .word_dropout = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_FAIRSEQ_OLD, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.999, .adam_eps = 1e-8,
			.schedule = SCHEDULE_CONSTANT, .lr = 3e-4, .lr_factor = 1, .clip = 1,
			.search = SEARCH_GNMT, .length_penalty = 0.6, .beam = 4,
		},
	}, {
		.name = "story",
		.about = "Voita et al. 2019: pre-norm; zero vector as the first decoder input",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_HALVES, .src_bias = true,
			.first = TARGET_ZERO, .src_eos = true, .tie = TIE_NONE,
			.init = INIT_STYLE_STORY,
			.dropout_embed = 0.1, .dropout_residual = 0.1, .dropout_attention = 0.1,
			.dropout_relu = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_T2T, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.98, .adam_eps = 1e-9,
			.schedule = SCHEDULE_NOAM, .lr = 1.4e-3, .lr_factor = 4, .warmup = 16000,
			.search = SEARCH_VOITA, .length_penalty = 0.6, .beam = 4,
		},
	},
	{
		.name = "t5",
		.about = "T5 1.1 with tied embeddings: pre-norm; biases by distance, no positions",
		.attention = "bucket-bias",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm = NORM_RMS,
			.norm_eps = 1e-6, .activation = ACTIVATION_GELU_TANH, .ff_gate = true,
			.no_bias = true, .positions = POSITIONS_NONE,
			.first = TARGET_BOS, .src_eos = true, .tie = TIE_ALL,
			.init = INIT_STYLE_FAIRSEQ,
			.dropout_embed = 0.1, .dropout_residual = 0.1, .dropout_attention = 0.1,
			.dropout_relu = 0.1,
		},
		.recipe = { RECIPE_FAIRSEQ },
	},
	{ .name = NULL }
};

const struct preset *
preset_find(const char *name)
{
	for (const struct preset *p = presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
