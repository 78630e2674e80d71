/* pairs-out: the destination of sentence pairs; see pairs-out.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "corpora/pairs-out.h"

const char *const pairs_parts[] = { "test", "dev", "train", "all", NULL };

static char *
file_name(const char *prefix, int part, const char *language)
{
	return xasprintf("%s.%s.%s", prefix, pairs_parts[part], language);
}

bool
pairs_out_writes(const char *prefix, const char *const language[2], const char *path)
{
	bool same = false;

	for (int p = 0; p < PAIRS_PARTS; p++)
		for (int side = 0; side < 2; side++) {
			char *name = file_name(prefix, p, language[side]);

			same = same || output_same(name, path);
			free(name);
		}
	return same;
}

int
pairs_out_files(struct pairs_out *o, const char *prefix, const char *const language[2],
		struct err *e)
{
	for (int p = 0; p < PAIRS_PARTS; p++)
		for (int side = 0; side < 2; side++) {
			char *path = file_name(prefix, p, language[side]);

			o->file[p][side] = output_open(path, 0, e);
			free(path);
			if (!o->file[p][side])
				return -1;
		}
	return 0;
}

int
pairs_out_stream(struct pairs_out *o, int part, const char *const language[2], unsigned flags,
		 struct err *e)
{
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 },
		{ "x.place", "str", 0 }, { 0 }
	};

	o->part = part;
	o->writer = writer_open(NULL, "sentence", NULL, adds, flags, e);
	if (!o->writer)
		return -1;
	o->rec = record_new();
	writer_set_meta(o->writer, "src.lang", language[0]);
	writer_set_meta(o->writer, "tgt.lang", language[1]);
	return 0;
}

static int
put_files(struct pairs_out *o, enum pairs_part p, const char *const s[2], const size_t n[2],
	  struct err *e)
{
	for (int side = 0; side < 2; side++)
		if (output_write(o->file[p][side], s[side], n[side], e) ||
		    output_write(o->file[p][side], "\n", 1, e))
			return -1;
	return 0;
}

int
pairs_out_put(void *arg, enum pairs_part p, const char *place, const char *const s[2],
	      const size_t n[2], struct err *e)
{
	struct pairs_out *o = arg;

	if (!o->writer)
		return put_files(o, p, s, n, e);
	if (o->part != PAIRS_ALL && o->part != (int)p)
		return 0;
	record_clear(o->rec);
	record_set_int(o->rec, "id", ++o->n);
	record_set_str(o->rec, "src", s[0], n[0]);
	record_set_str(o->rec, "tgt", s[1], n[1]);
	record_set_str(o->rec, "x.place", place, strlen(place));
	return writer_put(o->writer, o->rec, e);
}

void
pairs_out_abandon(struct pairs_out *o)
{
	for (int i = 0; i < PAIRS_PARTS * 2; i++) {
		output_abandon(o->file[i / 2][i % 2]);
		o->file[i / 2][i % 2] = NULL;
	}
	writer_abandon(o->writer);
	record_free(o->rec);
}

int
pairs_out_finish(struct pairs_out *o, struct err *e)
{
	struct writer *w = o->writer;

	if (!w)
		return outputs_finish(o->file[0], PAIRS_PARTS * 2, e);
	o->writer = NULL;
	record_free(o->rec);
	o->rec = NULL;
	return writer_finish(w, e);
}
