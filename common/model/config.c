/* config: the settings of a model, their names, sizes and limits; see model.h. */
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "model/model.h"
#include "model/search.h"

/* Most numbers in the table of positions: fixed memory, whatever a file says. */
#define MAX_POSITIONS (1 << 23)

static const char *const positions[] = {
	"halves", "interleaved", "huggingface", "learned", NULL
};
static const char *const activations[] = { "relu", "swish", "gelu", "gelu_tanh", NULL };
static const char *const embed_scales[] = { "sqrt", "one", NULL };
static const char *const firsts[] = { "bos", "eos", "zero", NULL };
static const char *const ties[] = { "none", "decoder", "all", NULL };
static const char *const inits[] = { "fairseq", "onmt", "witwicky", "story", NULL };
static const char *const smoothings[] = { "fairseq-old", "fairseq-new", "onmt", "t2t", NULL };
static const char *const schedules[] = {
	"constant", "inverse_sqrt", "noam", "linear", "plateau", NULL
};
static const char *const precisions[] = { "fp32", "bf16", NULL };
static const char *const searches[] = { "fairseq", "gnmt", "onmt", "voita", NULL };

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
/* Of settings that version 0.6 did not have: files without them stay as they were. */
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
	INT(enc_layers, 1, 64, "layers of the encoder"),
	INT(dec_layers, 1, 64, "layers of the decoder"),
	INT(width, 2, 16384, "of embeddings and of every layer's output"),
	INT(ff, 1, 65536, "width of the feed-forward layers"),
	LATER_INT(dec_ff, 0, 65536, "the same in the decoder; 0: as in the encoder"),
	INT(heads, 1, 256, "attention heads at every site"),
	LATER_CHOICE(activation, activations, "inside the feed-forward layers"),
	FLAG(pre_norm, "norm before every sublayer, not after the residual"),
	FLAG(final_norm, "one more norm after the last layer of each side"),
	FLOAT(norm_eps, 0, 1, "added to the variance in every norm"),
	CHOICE(positions, positions, "sines and cosines of three kinds, or parameters"),
	INT(position_first, 0, 1000000, "index of the first position"),
	INT(max_length, 1, 1000000, "longest source or target, in symbols"),
	LATER_CHOICE(embed_scale, embed_scales,
		     "embeddings are multiplied by the square root of the width, or by 1"),
	LATER_FLAG(embed_norm, "a norm after embeddings and positions"),
	FLAG(src_bias, "a learned vector added to every source embedding"),
	CHOICE(first, firsts, "what the decoder reads first"),
	FLAG(src_eos, "an end symbol behind the source"),
	CHOICE(tie, ties, "what shares one table of embeddings with the output"),
	FLAG(output_bias, "a bias for every type in the output"),
	FLAG(output_mask, "tokens never seen on the target side have probability 0"),
	CHOICE(init, inits, "how parameters begin"),
	SHARE(dropout_embed, "dropout behind the embeddings"),
	SHARE(dropout_residual, "dropout behind every sublayer"),
	SHARE(dropout_attention, "dropout of attention weights"),
	SHARE(dropout_relu, "dropout inside the feed-forward layers"),
	SHARE(word_dropout, "share of input symbols that training replaces by <unk>"),
	{ .kind = OPT_END }
};
#undef STATE

#define STATE recipe
const struct opt recipe_options[] = {
	CHOICE(smoothing_variant, smoothings, "label smoothing as in that toolkit"),
	SHARE(label_smoothing, "probability taken from the gold type"),
	SHARE(adam_beta1, "Adam's decay of the mean"),
	FLOAT(adam_beta2, 0, 0.999999, "Adam's decay of the square"),
	FLOAT(adam_eps, 0, 1, "Adam's epsilon"),
	FLOAT(weight_decay, 0, 1, "decay of the weights"),
	CHOICE(schedule, schedules, "how the learning rate moves"),
	FLOAT(lr, 0, 1000, "peak or constant learning rate"),
	FLOAT(lr_init, 0, 1000, "where the warm-up begins"),
	FLOAT(lr_factor, 0, 1000, "factor of noam"),
	INT(warmup, 0, 1000000000, "updates of the warm-up"),
	FLOAT(clip, 0, 1000000000, "largest norm of the gradient; 0 for any"),
	CHOICE(precision, precisions, "what products of matrices round their factors to"),
	CHOICE(search, searches, "beam search as in that toolkit"),
	FLOAT(length_penalty, 0, 1000, "exponent of the length penalty"),
	INT(beam, 1, 1000, "width of the beam"),
	{ .kind = OPT_END }
};
#undef STATE

#define STATE rounding
const struct opt rounding_options[] = {
	INT(heads, 0, 1000000, "heads whose gates were rounded"),
	INT(fractional, 0, 1000000, "gates that were neither 0 nor 1"),
	FLOAT(lowest, 0, 1, "the lowest of them"),
	FLOAT(highest, 0, 1, "the highest of them"),
	{ .kind = OPT_END }
};
#undef STATE

static const struct size {
	const char *name;
	int64_t enc_layers, dec_layers, width, ff, heads;
} sizes[] = {
	{ "tiny", 2, 2, 64, 128, 4 },
	{ "small", 3, 3, 256, 1024, 4 },
	{ "base", 6, 6, 512, 2048, 8 },
	{ "iwslt", 6, 6, 512, 1024, 4 },
	{ NULL, 0, 0, 0, 0, 0 }
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
		c->heads = s->heads;
		return 0;
	}
	return err_set(e, EXIT_USAGE, "no size '%s': tiny, small, base or iwslt", size);
}

/* The table's limits once more, for settings that came from elsewhere. */
static int
check_ranges(const struct model_config *c, struct err *e)
{
	for (const struct opt *o = model_config_options; o->kind != OPT_END; o++) {
		const char *at = (const char *)c + o->at;
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
	if (check_ranges(c, e))
		return -1;
	if (c->width % 2)
		return err_set(e, EXIT_USAGE,
			       "width %lld is odd; positions come in pairs of sine and cosine",
			       (long long)c->width);
	if (c->width % c->heads)
		return err_set(e, EXIT_USAGE, "%lld heads do not divide width %lld",
			       (long long)c->heads, (long long)c->width);
	if (c->max_length * c->width > MAX_POSITIONS)
		return err_set(e, EXIT_USAGE,
			       "max_length %lld with width %lld is too much, at most %lld goes",
			       (long long)c->max_length, (long long)c->width,
			       (long long)(MAX_POSITIONS / c->width));
	return 0;
}

void
model_config_describe(const struct model_config *c, struct buf *out)
{
	cli_settings_describe(model_config_options, c, out);
}
