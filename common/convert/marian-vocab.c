/* marian-vocab: the vocabularies and tables of embeddings of Marian; see marian-vocab.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/marian-vocab.h"
#include "exchange/file.h"

const char *
marian_table(const struct import *im, int side)
{
	return weights_has(&im->weights, "Wemb") ? "Wemb" : side ? "decoder_Wemb" : "encoder_Wemb";
}

static int
marian_rows_of(const struct import *im, const char *tensor, int *rows, struct err *e)
{
	const struct weight *w = weights_find(&im->weights, tensor);

	if (!w || w->n_dim != 2 || w->d[0] < 1 || w->d[0] > 1 << 24)
		return err_set(e, EXIT_INPUT,
			       "%s: tensor %s is missing, or has a shape that embeddings cannot "
			       "have", im->file, tensor);
	*rows = (int)w->d[0];
	return 0;
}

/* The only file that fits the pattern; NULL if there are several or none. */
static char *
only(const struct import *im, const char *pattern)
{
	size_t n;
	char **name = file_names(im->folder, pattern, &n), *one = n == 1 ? xstrdup(name[0]) : NULL;

	file_names_free(name);
	return one;
}

static char *
marian_first_of(const struct import *im, const char *const *pattern)
{
	char *name = NULL;

	while (!name && *pattern)
		name = only(im, *pattern++);
	return name;
}

int
marian_listed(const struct import *im, const char *key, int i, char **name, struct err *e)
{
	struct conf_value v;
	struct conf_walk w;
	struct str empty, s;
	int n = 0;

	*name = NULL;
	if (conf_want_list(&im->search, key, &w, e))
		return -1;
	for (; conf_next(&w, &empty, &v); n++) {
		if (!conf_text(v, &s) || memchr(s.s, 0, s.n))
			return conf_refuse(&im->search, key, "a list of names of files", e);
		s = file_last(s);
		if (n == i)
			*name = xstrndup(s.s, s.n);
	}
	return n;
}

static int
vocab_name(const struct import *im, int side, char **name, struct err *e)
{
	static const char *const patterns[2][9] = {
		{ "*src.vocab.yml", "*vocab.src.yml", "*source*vocab*.yml", "*vocab*.yml",
		  "source.vocab", "*vocab*.spm", "*.vocab", "vocab.txt", NULL },
		{ "*trg.vocab.yml", "*tgt.vocab.yml", "*vocab.trg.yml", "*vocab.tgt.yml",
		  "*target*vocab*.yml", "*vocab*.yml", "target.vocab", "*vocab*.spm", NULL },
	};
	if (marian_listed(im, "vocabs", side, name, e) < 0)
		return -1;
	if (!*name)
		*name = marian_first_of(im, patterns[side]);
	return 0;
}

static int
marian_open_vocab(struct import *im, int side, const char *name, int rows, struct err *e)
{
	if (!name && !im->set->n_vocab) {
		err_set(e, EXIT_INPUT,
			"%s: no vocabulary of the %s, expected vocab.yml or decoder.yml "
			"that names it",
			im->folder, side ? "target" : "source");
		err_hint(e, "name the vocabulary with --vocabulary");
		return -1;
	}
	if (name && file_ends(name, ".fsv"))
		return err_set(e, EXIT_INPUT,
			       "vocabs is %s, a factored vocabulary, expected vocab.yml "
			       "or a SentencePiece model",
			       name);
	return import_ids(im, side, name ? name : "", IDS_MAP, rows, e);
}

/* </s> and <unk>, or what Nematus has in their place, numbers 0 and 1. */
static int
special_row(const struct ids *v, const char *text, const char *nematus, int row)
{
	const int found = ids_row(v, text);

	return found >= 0 ? found : ids_row(v, nematus) == row ? row : -1;
}

static int
marian_build_side(struct import *im, int side, int rows, struct err *e)
{
	const struct ids *v = &im->ids[side];
	const struct special_rows special = {
		.pad = -1, .start = -1, .eos = special_row(v, "</s>", "eos", 0),
		.unk = special_row(v, "<unk>", "UNK", 1)
	};

	if (special.eos < 0 || special.unk < 0)
		return err_set(e, EXIT_INPUT, "%s: no %s, expected one", v->name,
			       special.eos < 0 ? "</s>" : "<unk>");
	return vocab_side_build(&im->side[side], v, rows, &special, NULL, e) ||
	       import_all_rows(im, side, e) ? -1 : 0;
}

int
marian_vocabs(struct import *im, struct err *e)
{
	char *name[2] = { NULL, NULL };
	int rows[2], r = vocab_name(im, 0, &name[0], e) || vocab_name(im, 1, &name[1], e);

	im->one_vocab = weights_has(&im->weights, "Wemb") &&
			(im->set->n_vocab == 1 ||
			 (!im->set->n_vocab && name[0] && name[1] && !strcmp(name[0], name[1])));
	for (int side = 0; !r && side < 2 - im->one_vocab; side++)
		r = marian_rows_of(im, marian_table(im, side), &rows[side], e) ||
		    marian_open_vocab(im, side, name[side], rows[side], e) ||
		    marian_build_side(im, side, rows[side], e);
	free(name[0]);
	free(name[1]);
	return r ? -1 : 0;
}
