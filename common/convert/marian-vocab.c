/* marian-vocab: the vocabularies and tables of embeddings of Marian; see marian-vocab.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/marian-vocab.h"
#include "exchange/file.h"

bool
marian_has(const struct import *im, const char *tensor)
{
	return weights_find(&im->weights, tensor) != NULL;
}

const char *
marian_table(const struct import *im, int side)
{
	return marian_has(im, "Wemb") ? "Wemb" : side ? "decoder_Wemb" : "encoder_Wemb";
}

static int
rows_of(const struct import *im, const char *tensor, int *rows, struct err *e)
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
first_of(const struct import *im, const char *const *pattern)
{
	char *name = NULL;

	while (!name && *pattern)
		name = only(im, *pattern++);
	return name;
}

/*
 * Entry number side of decoder.yml's list of vocabularies, without the folder if it is not there.
 */
static char *
listed_vocab(const struct import *im, int side)
{
	struct conf_value v;
	struct conf_walk w;
	struct str key, s;
	char *name, *slash;

	conf_walk(&w, conf_get(&im->search, "vocabs"));
	for (int i = 0; i <= side; i++)
		if (!conf_next(&w, &key, &v))
			return NULL;
	if (!conf_text(v, &s))
		return NULL;
	name = xstrndup(s.s, s.n);
	slash = strrchr(name, '/');
	if (slash && !import_has(im, name))
		memmove(name, slash + 1, strlen(slash));
	return name;
}

static char *
vocab_name(const struct import *im, int side)
{
	static const char *const patterns[2][9] = {
		{ "*src.vocab.yml", "*vocab.src.yml", "*source*vocab*.yml", "*vocab*.yml",
		  "source.vocab", "*vocab*.spm", "*.vocab", "vocab.txt", NULL },
		{ "*trg.vocab.yml", "*tgt.vocab.yml", "*vocab.trg.yml", "*vocab.tgt.yml",
		  "*target*vocab*.yml", "*vocab*.yml", "target.vocab", "*vocab*.spm", NULL },
	};
	char *name = listed_vocab(im, side);

	return name ? name : first_of(im, patterns[side]);
}

static int
open_vocab(struct import *im, int side, const char *name, int rows, struct err *e)
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
	return import_ids(im, side, name ? name : "", rows, e);
}

/* </s> and <unk>, or what Nematus has in their place, numbers 0 and 1. */
static int
special_row(const struct ids *v, const char *text, const char *nematus, int row)
{
	const int found = ids_row(v, text);

	return found >= 0 ? found : ids_row(v, nematus) == row ? row : -1;
}

static int
build_side(struct import *im, int side, int rows, struct err *e)
{
	const struct ids *v = &im->ids[side];
	const struct special_rows special = {
		-1, -1, special_row(v, "</s>", "eos", 0), special_row(v, "<unk>", "UNK", 1)
	};

	if (special.eos < 0 || special.unk < 0)
		return err_set(e, EXIT_INPUT, "%s: no %s, expected one", v->name,
			       special.eos < 0 ? "</s>" : "<unk>");
	return vocab_side_build(&im->side[side], v, rows, &special, NULL, e);
}

int
marian_vocabs(struct import *im, struct err *e)
{
	char *name[2] = { vocab_name(im, 0), vocab_name(im, 1) };
	int rows[2], r = 0;

	im->one_vocab = marian_has(im, "Wemb") &&
			(im->set->n_vocab == 1 ||
			 (!im->set->n_vocab && name[0] && name[1] && !strcmp(name[0], name[1])));
	for (int side = 0; !r && side < 2 - im->one_vocab; side++)
		r = rows_of(im, marian_table(im, side), &rows[side], e) ||
		    open_vocab(im, side, name[side], rows[side], e) ||
		    build_side(im, side, rows[side], e);
	free(name[0]);
	free(name[1]);
	return r ? -1 : 0;
}
