/* spm: see spm.h. */
#include "bpe/spm.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "bpe/bytes.h"
#include "bpe/spm-file.h"
#include "bpe/spm-lib.h"
#include "text/lines.h"
#include "text/unicode.h"

/* lib is NULL if the segmentation is into bytes. */
struct spm { struct spm_lib *lib; bool unigram; };

static int
library_error(const char *why, struct err *e)
{
	return err_set(e, EXIT_INPUT, "libsentencepiece: %s", why);
}

/* If heed is built without the library, sets EXIT_USAGE, a message and a hint, and returns true. */
static bool
spm_unavailable(struct err *e)
{
	char why[SPM_WHY];

	if (!spm_lib_check(why))
		return false;
	err_set(e, EXIT_USAGE, "%s", why);
	err_hint(e, "install libsentencepiece-dev and g++, and rebuild");
	return true;
}

struct spm *
spm_read(const void *p, size_t n, struct err *e)
{
	struct spm_lib *lib = NULL;
	const bool bytes = bytes_is(p, n);
	struct spm *m;
	char why[SPM_WHY];

	if (!bytes && spm_unavailable(e))
		return NULL;
	if (spm_check(p, n, e))
		return NULL;
	if (!bytes && spm_lib_open(&lib, p, n, why)) {
		library_error(why, e);
		return NULL;
	}
	m = xmalloc(sizeof(*m));
	*m = (struct spm){ lib, !bytes && spm_is_unigram(p, n) };
	return m;
}

char *
spm_load(const char *path, size_t *n, struct err *e)
{
	struct buf file = { 0 };

	if (!lines_read_all(path, &file, e)) {
		if (!spm_check(file.data, file.n, e)) {
			*n = file.n;
			return file.data;
		}
		err_wrap(e, "%s", path);
	}
	buf_release(&file);
	return NULL;
}

struct spm *
spm_open(const char *path, struct err *e)
{
	struct spm *m;
	size_t n;
	char *p = spm_load(path, &n, e);

	if (!p)
		return NULL;
	m = spm_read(p, n, e);
	if (!m && e->status == EXIT_INPUT)
		err_wrap(e, "%s", path);
	free(p);
	return m;
}

void
spm_free(struct spm *m)
{
	if (!m)
		return;
	if (m->lib)
		spm_lib_close(m->lib);
	free(m);
}

bool
spm_unigram(const struct spm *m)
{
	return m->unigram;
}

bool
spm_bytes(const struct spm *m)
{
	return !m->lib;
}

static void
cut_bytes(const char *s, size_t n, spm_add *add, void *arg)
{
	char text[BYTES_ROOM];

	for (size_t i = 0; i < n; i++)
		add(arg, text, bytes_spell((unsigned char)s[i], text), i);
}

int
spm_cut(const struct spm *m, const char *s, size_t n, const struct spm_sampling *sampling,
	spm_add *add, void *arg, struct err *e)
{
	char why[SPM_WHY];
	struct rng r;
	int bad;

	if (spm_bytes(m)) {
		cut_bytes(s, n, add, arg);
		return 0;
	}
	if (sampling)
		rng_init(&r, sampling->seed, sampling->purpose, sampling->number);
	if (!sampling || (m->unigram && (sampling->nbest == 0 || sampling->nbest == 1)))
		bad = spm_lib_encode(m->lib, s, n, add, arg, why);
	else if (m->unigram && sampling->nbest > 1)
		bad = spm_lib_nbest(m->lib, s, n, sampling->nbest, sampling->alpha, rng_uniform(&r),
				    add, arg, why);
	else	/* the library takes the largest number for none */
		bad = spm_lib_sample(m->lib, s, n, sampling->alpha, rng_u32(&r) >> 1, add, arg,
				     why);
	return bad ? library_error(why, e) : 0;
}

static void
spm_append(void *arg, const char *s, size_t n, size_t begin)
{
	(void)begin;
	buf_add(arg, s, n);
}

int
spm_restore(const struct spm *m, const struct str *piece, size_t n, struct buf *out, struct err *e)
{
	const char **s;
	size_t *size;
	char why[SPM_WHY];
	int bad;

	if (spm_bytes(m)) {
		bytes_restore(piece, n, out);
		return 0;
	}
	s = xcalloc(n + 1, sizeof(*s));
	size = xcalloc(n + 1, sizeof(*size));
	for (size_t i = 0; i < n; i++) {
		s[i] = piece[i].s;
		size[i] = piece[i].n;
	}
	bad = spm_lib_decode(m->lib, s, size, n, spm_append, out, why);
	free(s);
	free(size);
	return bad ? library_error(why, e) : 0;
}

/* --- training --- */

const char *const spm_normalizations[] = { "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf",
					   "identity", NULL };

/* Has any line that the trainer does not leave out a character other than a space? */
static bool
has_text(const char *s, size_t n)
{
	struct text_line line = text_lines(s, n);
	size_t len;

	while (text_line_next(&line))
		for (size_t i = 0; i < line.n && line.n <= SPM_MAX_LINE; i += len)
			if (!unicode_python_space(utf8_next(line.s + i, line.n - i, &len)))
				return true;
	return false;
}

/* Appends the model of the n bytes of lines at s, and sets *made to its number of entries. */
static int
make_pieces(const struct spm_lib_training *settings, const char *s, size_t n, struct buf *model,
	    int64_t *made, struct err *e)
{
	const size_t start = model->n;
	struct spm_entry entry;
	struct spm_walk walk;
	char why[SPM_WHY];
	int more;

	if (spm_lib_train(settings, s, n, spm_append, model, why))
		return library_error(why, e);
	spm_walk(&walk, model->data + start, model->n - start);
	for (*made = 0; (more = spm_next(&walk, &entry, e)) > 0; ++*made)
		;
	return more;
}

/*
 * Does the normalization leave any character of the n bytes of lines at s?  If it does not, a model
 * of characters, which is trained quickly, has only <unk>, <s> and </s>.  Returns 1, 0, or -1.
 */
static int
has_characters(const struct spm_lib_training *settings, const char *s, size_t n, struct err *e)
{
	const struct spm_lib_training characters = {
		.type = "char", .size = 1 << 20, .coverage = 1,
		.normalization = settings->normalization
	};
	struct buf model = { 0 };
	int64_t made = 0;
	const int bad = has_text(s, n) ? make_pieces(&characters, s, n, &model, &made, e) : 0;

	buf_release(&model);
	return bad ? -1 : made > 3;
}

/*
 * The trainer ends the process if there is no character to learn.  Returns -1 with an error then.
 * The first lines usually have one, and reading them takes little time.
 */
static int
need_characters(const struct spm_lib_training *settings, const struct buf *lines, struct err *e)
{
	size_t first = lines->n < 1 << 16 ? lines->n : 1 << 16;
	int found;

	while (first && lines->data[first - 1] != '\n')
		first--;
	found = has_characters(settings, lines->data, first, e);
	if (!found && first < lines->n)
		found = has_characters(settings, lines->data, lines->n, e);
	if (!found)
		return err_set(e, EXIT_INPUT, "no text, expected a line that is not blank%s",
			       has_text(lines->data, lines->n) ? " after normalization" : "");
	return found < 0 ? -1 : 0;
}

int
spm_train(struct spm_train *t, const struct buf *lines, struct buf *model, struct err *e)
{
	const size_t start = model->n;
	const struct spm_lib_training how = {
		.type = t->bpe ? "bpe" : "unigram", .size = t->size, .coverage = t->coverage,
		.normalization = spm_normalizations[t->normalization]
	};

	if (spm_unavailable(e) || need_characters(&how, lines, e) ||
	    make_pieces(&how, lines->data, lines->n, model, &t->made, e))
		return -1;
	return spm_check(model->data + start, model->n - start, e);
}

int64_t
spm_train_skips(const struct buf *lines)
{
	struct text_line line = text_lines(lines->data, lines->n);
	int64_t skipped = 0;

	while (text_line_next(&line))
		skipped += line.n > SPM_MAX_LINE;
	return skipped;
}
