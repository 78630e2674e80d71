/* npz: see npz.h. */
#include "convert/npz.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/archive.h"

#define MAX_HEADER ((size_t)65536)
/* Weights hardly compress: what becomes so much larger is no model.  And what any file may have. */
#define MAX_GROWTH 20
#define SMALL ((size_t)1 << 20)

struct npz {
	struct weights *w;
	struct archive_in *in;
	size_t left;			/* bytes that may still come */
};

/* A header while it is read: a dict of Python. */
struct header { const char *p; char descr[12]; bool fortran; int n_dim; int64_t d[WEIGHT_DIMS]; };

static bool
npz_eat(struct header *h, const char *expected)
{
	while (*h->p == ' ')
		h->p++;
	if (strncmp(h->p, expected, strlen(expected)))
		return false;
	h->p += strlen(expected);
	return true;
}

/* 'text', of less than room bytes and without escapes. */
static bool
get_text(struct header *h, char *text, size_t room)
{
	const char *end;

	if (!npz_eat(h, "'"))
		return false;
	end = strchr(h->p, '\'');
	if (!end || (size_t)(end - h->p) >= room || memchr(h->p, '\\', (size_t)(end - h->p)))
		return false;
	memcpy(text, h->p, (size_t)(end - h->p));
	text[end - h->p] = '\0';
	h->p = end + 1;
	return true;
}

/* (), (3,), (3, 4) */
static bool
npz_get_shape(struct header *h)
{
	if (!npz_eat(h, "("))
		return false;
	for (h->n_dim = 0; !npz_eat(h, ")"); h->n_dim++) {
		int64_t v = 0;

		if (h->n_dim == WEIGHT_DIMS || !isdigit((unsigned char)*h->p))
			return false;
		for (; isdigit((unsigned char)*h->p); h->p++) {
			if (v > (INT64_MAX - 9) / 10)
				return false;
			v = 10 * v + (*h->p - '0');
		}
		h->d[h->n_dim] = v;
		if (npz_eat(h, ","))
			continue;
		if (h->n_dim == 0 || !npz_eat(h, ")"))
			return false;		/* (3) is no tuple */
		h->n_dim++;
		return true;
	}
	return true;
}

/*
 * {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } in any order, each once, and blanks.
 */
static bool
get_dict(struct header *h)
{
	unsigned seen = 0;
	char key[16];

	if (!npz_eat(h, "{"))
		return false;
	while (!npz_eat(h, "}")) {
		unsigned bit;

		if (!get_text(h, key, sizeof(key)) || !npz_eat(h, ":"))
			return false;
		if (!strcmp(key, "descr"))
			bit = get_text(h, h->descr, sizeof(h->descr)) ? 1 : 0;
		else if (!strcmp(key, "shape"))
			bit = npz_get_shape(h) ? 2 : 0;
		else if (!strcmp(key, "fortran_order"))
			bit = (h->fortran = npz_eat(h, "True")) || npz_eat(h, "False") ? 4 : 0;
		else
			return false;
		if (!bit || seen & bit || (!npz_eat(h, ",") && *h->p != '}' && *h->p != ' '))
			return false;
		seen |= bit;
	}
	while (*h->p == ' ' || *h->p == '\n')
		h->p++;
	return seen == 7 && !*h->p;
}

static int
npz_take(struct npz *z, void *out, size_t n, struct err *e)
{
	unsigned char *p = out;

	for (ptrdiff_t k; n; p += k, n -= (size_t)k) {
		k = archive_in_read(z->in, p, n, e);
		if (k < 0)
			return -1;
		if (!k)
			return err_set(e, EXIT_INPUT, "cut: %zu bytes are missing", n);
	}
	return 0;
}

static int
npz_read_header(struct npz *z, struct header *h, struct err *e)
{
	unsigned char start[12];
	size_t n, size;
	char *text;
	int r;

	if (npz_take(z, start, 8, e))
		return -1;
	if (memcmp(start, "\223NUMPY", 6) || start[6] < 1 || start[6] > 3)
		return err_set(e, EXIT_INPUT, "not a .npy file of version 1, 2 or 3");
	n = start[6] == 1 ? 2 : 4;
	if (npz_take(z, start + 8, n, e))
		return -1;
	size = little_endian(start + 8, (int)n);
	if (size > MAX_HEADER)
		return err_set(e, EXIT_INPUT, "a header of %zu bytes, expected at most %zu", size,
			       MAX_HEADER);
	text = xcalloc(size + 1, 1);
	r = npz_take(z, text, size, e);
	h->p = text;
	if (!r && (strlen(text) != size || !get_dict(h)))
		r = err_set(e, EXIT_INPUT, "expected a header {'descr': ..., 'fortran_order': ..., "
			    "'shape': ...}");
	h->p = NULL;
	free(text);
	return r;
}

/* Bytes of an element: <f4 has 4, |i1 has 1; 0: not known. */
static size_t
element_size(const char *descr)
{
	const char *digits = descr + 2;

	if (!strchr("<|=", descr[0]) || !descr[0] || !descr[1] || !strchr("fiub", descr[1]))
		return 0;
	return strlen(digits) == 1 && strchr("1248", *digits) ? (size_t)(*digits - '0') : 0;
}

static enum weight_type
npz_type_of(const char *descr)
{
	return !strcmp(descr, "<f4") ? WEIGHT_F32 : !strcmp(descr, "<f2") ? WEIGHT_F16 :
	       !strcmp(descr, "<f8") ? WEIGHT_F64 : WEIGHT_OTHER;
}

/* The member that was begun: its header, and memory for its bytes alone. */
static int
npz_read_member(struct npz *z, const char *name, struct err *e)
{
	struct header h = { .p = NULL };
	const size_t n = strlen(name) - (file_ends(name, ".npy") ? 4 : 0);
	struct weight *x;
	unsigned char c;
	ptrdiff_t more;
	size_t size;

	if (npz_read_header(z, &h, e))
		return -1;
	size = element_size(h.descr);
	if (!size)
		return err_set(e, EXIT_INPUT, "type %s, expected <f2, <f4, <f8 or an integer's",
			       h.descr);
	if (h.fortran && h.n_dim > 1)
		return err_set(e, EXIT_INPUT, "fortran_order is True, expected False");
	x = weights_add(z->w, name, n, npz_type_of(h.descr), h.descr, size, h.n_dim, h.d, e);
	if (!x)
		return -1;
	if (x->bytes > z->left)
		return err_set(e, EXIT_INPUT, "%zu bytes, more than a file of this size should "
			       "expand to", x->bytes);
	z->left -= x->bytes;
	x->own = xmalloc(x->bytes + 1);
	x->data = x->own;
	if (npz_take(z, x->own, x->bytes, e))
		return -1;
	more = archive_in_read(z->in, &c, 1, e);
	return more > 0 ? err_set(e, EXIT_INPUT, "more bytes than its shape has") : (int)more;
}

static int
npz_read_all(struct npz *z, const char *file, struct err *e)
{
	const char *name;
	int64_t size;
	int more;

	while ((more = archive_in_next(z->in, &name, &size, e)) > 0) {
		char *copy = xstrdup(name);
		int r = npz_read_member(z, copy, e);

		if (r)
			err_wrap(e, "%s: %s", file, copy);
		free(copy);
		if (r)
			return -1;
	}
	return more;
}

/*
 * A zip ends with a record of 22 bytes and a comment, whose length the record has: after PK\5\6,
 * the number of members is at byte 10, the size and the place of their directory at 12 and 16, and
 * the length of the comment at 20.  A number of which all bits are set is in a second record; the
 * place of that one is at byte 8 of the 20 bytes before the first, which begin with PK\6\7.
 * libarchive also reads zips without an end, or with bytes after it.
 */
enum { END = 22, PLACE = 20, MAX_COMMENT = 65535 };

/* The place of the first record; n: there is none. */
static size_t
find_end(const unsigned char *p, size_t n)
{
	for (size_t comment = 0; comment + END <= n && comment <= MAX_COMMENT; comment++)
		if (!memcmp(p + n - END - comment, "PK\5\6", 4) &&
		    little_endian(p + n - comment - 2, 2) == comment)
			return n - END - comment;
	return n;
}

static int
npz_check_end(const unsigned char *p, size_t n, size_t members, struct err *e)
{
	const size_t at = find_end(p, n);
	size_t listed, directory, end = at;

	if (at == n)
		return err_set(e, EXIT_INPUT, "a zip without its end, or with bytes after it: "
			       "truncated or damaged");
	listed = little_endian(p + at + 10, 2);
	directory = little_endian(p + at + 12, 4) + little_endian(p + at + 16, 4);
	if (at >= PLACE && !memcmp(p + at - PLACE, "PK\6\7", 4))
		end = little_endian(p + at - PLACE + 8, 8);
	if (listed != 0xffff && listed != members)
		return err_set(e, EXIT_INPUT, "a zip whose end lists %zu members, expected the %zu "
			       "that it has", listed, members);
	return little_endian(p + at + 16, 4) == 0xffffffff || directory == end
		       ? 0 : err_set(e, EXIT_INPUT, "a zip with other bytes than its members and "
				     "their directory");
}

int
npz_memory(struct weights *w, const char *name, const void *p, size_t n, struct err *e)
{
	const size_t before = w->n;
	struct archive_in *in = archive_in_memory(name, p, n, e);
	struct npz z = { .w = w, .in = in, .left = SMALL + MAX_GROWTH * n };
	int r;

	if (!in)
		return -1;
	r = npz_read_all(&z, name, e);
	archive_in_close(in);
	if (!r && npz_check_end(p, n, w->n - before, e))
		r = err_wrap(e, "%s", name);
	return r;
}

int
npz_open(struct weights *w, const char *path, struct err *e)
{
	struct file_map m;
	int r;

	if (file_map(&m, path, e))
		return -1;
	r = npz_memory(w, path, m.p, m.n, e);
	file_unmap(&m);
	return r;
}
