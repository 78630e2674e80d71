/* ctranslate2-vocab: special tokens and vocabularies of CTranslate2; see ctranslate2-parts.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/ctranslate2-parts.h"

enum { WITH_CONFIG = 6 };

static const char *const side_name[2] = { "source", "target" };

const char *
ct2_table(const struct import *im, int side)
{
	/* From revision 4 on, a source may have several features. */
	const char *first = side ? "decoder/embeddings_0/weight" : "encoder/embeddings_0/weight";

	if (weights_find(&im->weights, first))
		return first;
	return side ? "decoder/embeddings/weight" : "encoder/embeddings/weight";
}

void
ct2_tokens_release(struct ct2_tokens *t)
{
	free(t->unk);
	free(t->bos);
	free(t->eos);
	free(t->start);
	*t = (struct ct2_tokens){ .unk = NULL };
}

/* The text of a tensor, whose bytes it is, or of a key of config.json; malloc'ed. */
static int
want_text(const struct import *im, bool config, const char *key, const char *missing, char **text,
	  struct err *e)
{
	const struct weight *w = config ? NULL : weights_find(&im->weights, key);
	struct str s = { missing, strlen(missing) };

	if (config && conf_want_text(&im->conf, key, &s, e))
		return -1;
	if (w && strcmp(w->type_name, "int8"))
		return err_set(e, EXIT_INPUT, "%s: tensor %s has type %s, expected int8, the bytes "
			       "of a text", im->file, key, w->type_name);
	if (w)
		s = (struct str){ (const char *)w->data, w->n };
	*text = xstrndup(s.s, s.n);
	return 0;
}

static int
want_flag(const struct import *im, const char *key, bool *flag, struct err *e)
{
	double x = *flag;

	if (ct2_integer(im, key, &x, e))
		return -1;
	*flag = x != 0;
	return 0;
}

static int
no_start(const char *where, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s: decoder_start_token is null, expected a token", where);
	err_hint(e, "put the token into config.json");
	return -1;
}

static int
read_old(struct ct2_tokens *t, const struct import *im, struct err *e)
{
	bool given = false, bos = true;

	if (want_flag(im, "with_source_bos", &t->source_bos, e) ||
	    want_flag(im, "with_source_eos", &t->source_eos, e) ||
	    want_flag(im, "user_decoder_start_tokens", &given, e) ||
	    want_flag(im, "with_target_bos", &bos, e))
		return -1;
	if (given)
		return no_start(im->file, e);
	t->start = xstrdup(bos ? t->bos : t->eos);
	return 0;
}

static int
read_config(struct ct2_tokens *t, const struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;

	if (conf_want_bool(c, "add_source_bos", &t->source_bos, e) ||
	    conf_want_bool(c, "add_source_eos", &t->source_eos, e))
		return -1;
	if (!t->zero_start && conf_is_none(conf_get(c, "decoder_start_token")))
		return no_start(c->name, e);
	return want_text(im, true, "decoder_start_token", t->eos, &t->start, e);
}

int
ct2_tokens_read(struct ct2_tokens *t, struct import *im, const struct ct2_file *f, struct err *e)
{
	const bool config = f->version >= WITH_CONFIG;
	double zero = 0;

	if (ct2_setting(im, 1, "start_from_zero_embedding", &zero, e) ||
	    want_text(im, config, "unk_token", "<unk>", &t->unk, e) ||
	    want_text(im, config, "bos_token", "<s>", &t->bos, e) ||
	    want_text(im, config, "eos_token", "</s>", &t->eos, e))
		return -1;
	t->zero_start = zero != 0;
	if (config ? read_config(t, im, e) : read_old(t, im, e))
		return -1;
	im->config.first = t->zero_start ? TARGET_ZERO
			   : !strcmp(t->start, t->eos) ? TARGET_EOS : TARGET_BOS;
	im->config.src_eos = t->source_eos;
	return 0;
}

static int
ct2_vocab_rows_of(const struct import *im, int side, int *rows, struct err *e)
{
	const struct weight *w = weights_find(&im->weights, ct2_table(im, side));

	if (!w || w->n_dim != 2 || w->d[0] < 1 || w->d[0] > 1 << 24)
		return err_set(e, EXIT_INPUT,
			       "%s: no tensor %s, or of a shape that embeddings do not have",
			       im->file, ct2_table(im, side));
	*rows = (int)w->d[0];
	return 0;
}

/* NAME_vocabulary.json or .txt; NULL if there is neither. */
static char *
vocab_file(const struct import *im, const char *name)
{
	static const char *const ends[] = { ".json", ".txt" };

	for (int i = 0; i < 2; i++) {
		char *file = xasprintf("%s_vocabulary%s", name, ends[i]);

		if (import_has(im, file))
			return file;
		free(file);
	}
	return NULL;
}

/* The entries; the unknown token comes last if it is not among them. */
static int
open_vocab(struct import *im, int side, const char *name, int rows, const char *unk, struct err *e)
{
	struct ids *v = &im->ids[side];
	char *file = name ? vocab_file(im, name) : NULL;
	int r;

	if (!file && !im->set->n_vocab) {
		err_set(e, EXIT_INPUT,
			"%s: no vocabulary of the %s, expected %s_vocabulary.json or .txt, or "
			"shared_vocabulary",
			im->folder, side_name[side], side_name[side]);
		err_hint(e, "name the vocabulary with --vocabulary");
		return -1;
	}
	r = import_ids(im, side, file ? file : "", IDS_LIST, rows, e);
	free(file);
	if (r || ids_row(v, unk) >= 0)
		return r;
	import_note(im, "%s: no %s, which is therefore the row after its entries, as in "
		    "CTranslate2", v->name, unk);
	return ids_add(v, unk, strlen(unk), v->rows, rows, e) ? err_wrap(e, "%s", v->name) : 0;
}

static int
build_side(struct import *im, int side, int rows, const struct ct2_tokens *t, struct err *e)
{
	const struct ids *v = &im->ids[side];
	const bool target = side || im->one_vocab;
	const bool starts = target && im->config.first == TARGET_BOS;
	const int blank = ids_row(v, "<blank>");
	const struct special_rows s = {
		.pad = blank >= 0 ? blank : ids_row(v, "<pad>"),
		.start = starts ? ids_row(v, t->start) : -1,
		.eos = ids_row(v, t->eos), .unk = ids_row(v, t->unk)
	};

	if (s.eos < 0 && (target || t->source_eos))
		return err_set(e, EXIT_INPUT, "%s: no %s, expected one", v->name, t->eos);
	if (t->source_bos && side == 0 && ids_row(v, t->bos) < 0)
		return err_set(e, EXIT_INPUT, "%s: no %s, expected one", v->name, t->bos);
	if (starts && s.start < 0)
		return err_set(e, EXIT_INPUT, "%s: no %s, expected the decoder_start_token",
			       v->name, t->start);
	return vocab_side_build(&im->side[side], v, rows, &s, NULL, e) ||
	       import_all_rows(im, side, e) ? -1 : 0;
}

int
ct2_vocabs(struct import *im, const struct ct2_tokens *t, struct err *e)
{
	const bool tied = weights_same(&im->weights, ct2_table(im, 1), CT2_OUTPUT);
	const bool one_table = weights_same(&im->weights, ct2_table(im, 0), ct2_table(im, 1));
	char *shared = vocab_file(im, "shared");
	int rows = 0, r = 0;

	im->one_vocab = one_table && (im->set->n_vocab ? im->set->n_vocab == 1 : shared != NULL);
	im->config.tie = !tied ? TIE_NONE : im->one_vocab ? TIE_ALL : TIE_DECODER;
	for (int side = 0; !r && side < 2 - im->one_vocab; side++)
		r = ct2_vocab_rows_of(im, side, &rows, e) ||
		    open_vocab(im, side, shared ? "shared" : side_name[side], rows, t->unk, e) ||
		    build_side(im, side, rows, t, e);
	free(shared);
	if (!r && !im->one_vocab && one_table)
		import_note(im,
			    "source and target embeddings are one table in the original, and two "
			    "tables with the same values here");
	return r ? -1 : 0;
}
