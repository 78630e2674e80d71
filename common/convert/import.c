/* import: what the layouts have in common; see import.h. */
#include "convert/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "bpe/bpe.h"
#include "bpe/spm-file.h"
#include "convert/ctranslate2-file.h"
#include "exchange/file.h"
#include "model-file/model-file.h"
#include "model/model-input.h"

#define MAX_CODES ((size_t)64 << 20)

static void
import_line(struct buf *lines, const char *fmt, va_list ap)
{
	buf_vprintf(lines, fmt, ap);
	buf_add_char(lines, '\n');
}

void
import_note(struct import *im, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	import_line(&im->notes, fmt, ap);
	va_end(ap);
}

void
import_checked(struct import *im, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	import_line(&im->checked, fmt, ap);
	va_end(ap);
}

bool
import_has(const struct import *im, const char *name)
{
	char *path = file_in(im->folder, name);
	const bool has = file_exists(path);

	free(path);
	return has;
}

int
import_conf(const struct import *im, struct conf *c, const char *name, struct err *e)
{
	*c = (struct conf){ .name = NULL };
	return import_has(im, name) ? conf_open_in(c, im->folder, name, e) : 0;
}

int
import_ids(struct import *im, int side, const char *name, enum ids_kind kind, int rows,
	   struct err *e)
{
	const struct import_settings *s = im->set;
	char *path;
	int r;

	if (s->n_vocab)
		return ids_open(&im->ids[side], s->vocab[s->n_vocab > 1 ? side : 0], IDS_ANY, rows,
				e);
	path = file_named(im->folder, (struct str){ name, strlen(name) });
	if (!path)
		return err_set(e, EXIT_INPUT, "%s: expected the name of a vocabulary in this "
			       "folder, found '%s'", im->folder, name);
	r = file_expect(path, e) ? -1 : ids_open(&im->ids[side], path, kind, rows, e);
	free(path);
	return r;
}

static const char *
table_name(const struct import *im, int side)
{
	return im->one_vocab ? "embeddings" : side ? "target embeddings" : "source embeddings";
}

void
import_note_rows(struct import *im, int side)
{
	const struct vocab_side *s = &im->side[side];

	if (s->nameless)
		import_note(im, "%s: %d of %d rows of the %s have no entry: no text becomes one of "
			    "them, and translations show them as <row-N>", im->ids[side].name,
			    s->nameless, s->rows, table_name(im, side));
}

int
import_all_rows(struct import *im, int side, struct err *e)
{
	const struct vocab_side *s = &im->side[side];

	if (!s->nameless || im->set->n_vocab) {
		import_note_rows(im, side);
		return 0;
	}
	err_set(e, EXIT_INPUT, "%s: %d of %d rows of the %s have no entry, expected one for each "
		"row", im->ids[side].name, s->nameless, s->rows, table_name(im, side));
	err_hint(e, "if the file is as it was published, name it with --vocabulary");
	return -1;
}

int
import_spm_at(struct import *im, int side, const char *path, struct err *e)
{
	struct model *m = im->m;

	free(m->spm[side]);
	m->spm[side] = file_text(path, SPM_MAX_FILE, &m->spm_n[side], e);
	if (!m->spm[side])
		return -1;
	return spm_check(m->spm[side], m->spm_n[side], e) ? err_wrap(e, "%s", path) : 0;
}

int
import_spm(struct import *im, int side, const char *name, struct err *e)
{
	char *path;
	int r;

	if (!import_has(im, name))
		return 0;
	path = file_in(im->folder, name);
	r = import_spm_at(im, side, path, e);
	free(path);
	return r;
}

int
import_codes(struct import *im, const char *name, const char *version, struct err *e)
{
	char *path, *text;
	struct bpe *codes;
	struct buf all = { 0 };
	size_t n;
	int r = 0;

	if (!import_has(im, name))
		return 0;
	path = file_in(im->folder, name);
	text = file_text(path, MAX_CODES, &n, e);
	if (!text) {
		free(path);
		return -1;
	}
	if (strncmp(text, "#version", 8))
		buf_add_str(&all, version);
	buf_add(&all, text, n);
	free(text);
	codes = bpe_read(all.data, all.n, BPE_NO_LIMIT, e);
	if (!codes ||
	    (!bpe_merges(codes) && err_set(e, EXIT_INPUT, "no merges, expected at least one")) ||
	    bpe_check_kind(all.data, all.n, e)) {
		r = err_wrap(e, "%s", path);
		buf_release(&all);
	} else {
		free(im->m->codes);
		im->m->codes = all.data;
		im->m->codes_n = all.n;
	}
	bpe_free(codes);
	free(path);
	return r;
}

int
import_table(struct import *im, const char *param, const char *tensor, int side, bool transposed,
	     struct err *e)
{
	const struct tensor_layout layout = {
		.transposed = transposed, .row = im->side[im->one_vocab ? 0 : side].row
	};

	return mapping_add(&im->map, param, &tensor, 1, &layout, e);
}

int
import_tables(struct import *im, const char *source, const char *target, const char *output,
	      bool transposed, struct err *e)
{
	if (im->config.tie == TIE_ALL)
		return import_table(im, "embed.weight", target, 0, false, e);
	if (import_table(im, "src.embed.weight", source, 0, false, e) ||
	    import_table(im, "tgt.embed.weight", target, 1, false, e))
		return -1;
	return im->config.tie == TIE_DECODER
		       ? 0
		       : import_table(im, "output.weight", output, 1, transposed, e);
}

void
import_hint_pickle(const char *name, struct err *e)
{
	err_hint(e, "python3 -c \"import torch, safetensors.torch as s; d = torch.load('%s', "
		 "map_location='cpu'); s.save_file({k: v.clone().contiguous() for k, v in "
		 "d.get('model', d).items()}, 'model.safetensors')\"", name);
}

static int
refuse_pickle(const struct import *im, const char *path, struct err *e)
{
	const char *name = path_name(path);

	err_set(e, EXIT_INPUT, "%s: a pickle, which is a program, expected safetensors", path);
	if (import_has(im, "config.json"))
		import_hint_pickle(name, e);
	else
		err_hint(e, "convert models of fairseq and OpenNMT-py to CTranslate2 first, with "
			 "ct2-fairseq-converter or ct2-opennmt-py-converter");
	return -1;
}

static bool
is_pickle(const char *path)
{
	return file_ends(path, ".bin") || file_ends(path, ".pt") || file_ends(path, ".pth") ||
	       file_ends(path, ".ckpt");
}

/* Is model.bin in the folder, of CTranslate2?  A package of Argos has it in a folder of its own. */
static bool
find_ctranslate2(struct import *im)
{
	static const char *const names[] = { "model.bin", "model/model.bin" };

	for (int i = 0; i < 2; i++) {
		char *path = file_in(im->folder, names[i]);
		const bool is = ct2_is(path);

		if (is) {
			free(im->folder);
			im->folder = file_folder(path);
			im->layout = &import_ctranslate2;
		}
		free(path);
		if (is)
			return true;
	}
	return false;
}

/* Which toolkit's files are in the folder? */
static int
find_layout(struct import *im, struct err *e)
{
	static const char *const pickles[] = { "*.bin", "*.pt" };
	size_t n;
	char **name;

	if (find_ctranslate2(im))
		return 0;
	if (import_has(im, "config.json")) {
		im->layout = &import_huggingface;
		return 0;
	}
	name = file_names(im->folder, "*.npz", &n);
	file_names_free(name);
	if (n) {
		im->layout = &import_marian;
		return 0;
	}
	for (int i = 0; i < 2 && !import_has(im, "model.safetensors"); i++) {
		int r = 0;

		name = file_names(im->folder, pickles[i], &n);
		if (n)
			r = refuse_pickle(im, name[0], e);
		file_names_free(name);
		if (r)
			return -1;
	}
	return err_set(e, EXIT_INPUT, "%s: expected config.json, an .npz of Marian or "
		       "model.bin of CTranslate2 in it", im->folder);
}

/* Names such as OWNER/MODEL, where there is no folder OWNER, are those of the hub. */
static int
no_file(const struct import *im, struct err *e)
{
	const char *path = im->set->path, *slash = strchr(path, '/');

	err_system(e, "cannot open %s", path);
	if (slash && slash[1] && slash == strrchr(path, '/') && !strchr("/.~", *path) &&
	    !file_is_folder(im->folder))
		err_hint(e, "download the folder first: git clone https://huggingface.co/%s", path);
	return -1;
}

static int
find_files(struct import *im, struct err *e)
{
	const char *path = im->set->path;

	if (file_is_folder(path)) {
		im->folder = xstrdup(path);
		return find_layout(im, e);
	}
	im->folder = file_folder(path);
	if (!file_exists(path))
		return no_file(im, e);
	im->file = xstrdup(path);
	im->layout = ct2_is(path) ? &import_ctranslate2
		     : file_ends(path, ".npz") ? &import_marian
		     : file_ends(path, ".safetensors") || file_ends(path, ".json")
			     ? &import_huggingface : NULL;
	if (im->layout)
		return 0;
	if (is_pickle(path))
		return refuse_pickle(im, path, e);
	if (bundle_is(path, &model_bundle))
		return err_set(e, EXIT_INPUT, "%s: already a model file of heed, expected a model "
			       "of another toolkit", path);
	err_set(e, EXIT_INPUT, "%s: expected a folder, an .npz, a .safetensors or a "
		"model.bin", path);
	if (file_ends(path, ".zip") || file_ends(path, ".gz") || file_ends(path, ".tar"))
		err_hint(e, "unpack it, and name the folder");
	return -1;
}

/* The vocabularies are the model's from here on. */
static int
import_make_model(struct import *im, struct err *e)
{
	const struct vocab_side *target = &im->side[!im->one_vocab];
	struct vocab copy;

	if (im->one_vocab)
		vocab_copy(&copy, &im->side[0].vocab);
	im->config.output_mask = vocab_side_masks(target);
	im->config.src_eos = im->config.src_eos || im->set->src_eos;
	im->m = model_new(&im->config, &im->side[0].vocab,
			  im->one_vocab ? &copy : &im->side[1].vocab,
			  (const char *const *)&im->attention, im->attention != NULL, e);
	if (im->one_vocab)
		vocab_release(&copy);
	if (!im->m) {
		e->status = EXIT_INPUT;
		return err_wrap(e, "%s", im->conf.name ? im->conf.name : im->file);
	}
	im->m->recipe = im->recipe;
	im->m->engine = 0;
	snprintf(im->m->preset, sizeof(im->m->preset), "%s", im->kind);
	if (im->m->tgt_valid)
		memcpy(im->m->tgt_valid, target->valid, (size_t)target->n);
	return 0;
}

/* The text of the ordinary entry of a row of the original, as the model has it, or NULL. */
static char *
entry_of_row(const struct import *im, int side, int row)
{
	const struct vocab_side *s = &im->side[im->one_vocab ? 0 : side];
	const struct vocab *v = side ? &im->m->tgt : &im->m->src;

	for (int i = VOCAB_SPECIALS; i < s->n; i++)
		if (s->row[i] == row) {
			size_t n;
			const char *text = vocab_text(v, i, &n);

			return xstrndup(text, n);
		}
	return NULL;
}

/* Those of the original, unless the user names others. */
static int
set_first_tokens(struct import *im, struct err *e)
{
	const char *const named[2] = { im->set->first_src, im->set->first_tgt };

	for (int side = 0; side < 2; side++) {
		if (model_set_first_token(im->m, side, named[side], e))
			return -1;
		if (named[side] || im->first_row[side] < 0)
			continue;
		im->m->first_token[side] = entry_of_row(im, side, im->first_row[side]);
		if (!im->m->first_token[side])
			return err_set(e, EXIT_INPUT, "%s: every %s begins with number %d, which "
				       "is padding, the end or <unk>, expected another entry",
				       im->conf.name ? im->conf.name : im->file,
				       side ? "target" : "source", im->first_row[side]);
	}
	return 0;
}

/* A SentencePiece model of both sides is kept once. */
static void
share_spm(struct model *m)
{
	if (!m->spm[0] || !m->spm[1] || m->spm_n[0] != m->spm_n[1] ||
	    memcmp(m->spm[0], m->spm[1], m->spm_n[0]))
		return;
	free(m->spm[1]);
	m->spm[1] = NULL;
	m->spm_n[1] = 0;
}

/* Most subwords of a SentencePiece model are entries of the vocabulary of its side. */
static int
note_subwords(struct import *im, int side, struct err *e)
{
	const struct vocab *v = side ? &im->m->tgt : &im->m->src;
	struct spm_entry entry;
	struct spm_walk w;
	int n = 0, missing = 0, r;

	if (!im->m->spm[side] || im->bytes)
		return 0;
	spm_walk(&w, im->m->spm[side], im->m->spm_n[side]);
	for (; (r = spm_next(&w, &entry, e)) > 0; n++)
		missing += vocab_id(v, entry.text.s, entry.text.n) == VOCAB_UNK;
	if (missing > n / 2)
		import_note(im, "%d of %d subwords of the SentencePiece model of the %s are not in "
			    "the vocabulary: they become <unk>; is it of another model?", missing,
			    n, side ? "target" : "source");
	else if (!r)
		import_checked(im, "%d of %d subwords of the SentencePiece model of the %s are in "
			       "the vocabulary", n - missing, n, side ? "target" : "source");
	return r;
}

/* What follows from files that are missing, or that are of another model. */
static int
note_segmentation(struct import *im, struct err *e)
{
	const struct model *m = im->m;

	if (!m->spm[0] && !m->codes && !import_has(im, "source.bpe"))
		import_note(im, "no SentencePiece model or BPE codes for the source: input must be "
			    "segmented as for the original, because words that are not entries of "
			    "the vocabulary become <unk>");
	if (import_has(im, "source.spm") && !import_has(im, "target.spm"))
		import_note(im, "no target.spm: source.spm segments targets, too");
	return note_subwords(im, 0, e) || note_subwords(im, 1, e) ? -1 : 0;
}

int
import_open(struct import *im, const struct import_settings *set, struct err *e)
{
	*im = (struct import){ .set = set, .first_row = { -1, -1 } };
	for (int side = 0; side < 2; side++)
		vocab_init(&im->side[side].vocab);
	if (find_files(im, e) || im->layout->read(im, e) || import_make_model(im, e))
		return -1;
	mapping_init(&im->map, &im->weights, im->m);
	if (im->layout->map(im, e) || mapping_check(&im->map, e))
		return im->file ? err_wrap(e, "%s", im->file) : err_wrap(e, "%s", im->folder);
	import_checked(im, "%zu tensors have the expected shapes, and none is of unknown purpose",
		       im->weights.n);
	if (im->layout->segment(im, e) || note_segmentation(im, e) || set_first_tokens(im, e))
		return -1;
	share_spm(im->m);
	return 0;
}

int
import_write(struct import *im, const char *path, struct err *e)
{
	model_add_pg(im->m);
	return model_save_filled(im->m, path, mapping_fill, &im->map, e);
}

void
import_close(struct import *im)
{
	mapping_release(&im->map);
	model_free(im->m);
	weights_release(&im->weights);
	for (int side = 0; side < 2; side++) {
		ids_release(&im->ids[side]);
		vocab_side_release(&im->side[side]);
	}
	conf_release(&im->conf);
	conf_release(&im->search);
	buf_release(&im->notes);
	buf_release(&im->assumed);
	buf_release(&im->checked);
	free(im->attention);
	free(im->folder);
	free(im->file);
}
