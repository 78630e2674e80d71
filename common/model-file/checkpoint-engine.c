/* checkpoint-engine: see checkpoint-engine.h. */
#include "model-file/checkpoint-engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near-name.h"
#include "base/set-lines.h"
#include "stream/archive.h"

#define MAX_SETTINGS ((size_t)1 << 20)	/* bytes */

static const char *
known_backend(const char *s, size_t n)
{
	for (const struct backend *const *b = backends; *b; b++)
		if (strlen((*b)->name) == n && !memcmp((*b)->name, s, n))
			return (*b)->name;
	return NULL;
}

static bool
checkpoint_is(const char *text, size_t n, const char *name, const char *value)
{
	size_t k;
	const char *s = set_line_find(text, n, name, &k);

	return s && strlen(value) == k && !memcmp(s, value, k);
}

void
checkpoint_engine_renew(char *text, size_t n)
{
	static const char before[] = "onednn", now[sizeof(before)] = "native";
	size_t k;
	const char *s = set_line_find(text, n, "--backend", &k);

	if (checkpoint_is(text, n, "--backend", before) &&
	    checkpoint_is(text, n, "--precision", "bf16"))
		memcpy(text + (s - text), now, k);
}

/* The text of a member, or NULL. */
static char *
checkpoint_read_member(const char *path, const char *member, size_t *n)
{
	struct err e;
	struct archive_in *in = archive_in_open(path, &e);
	const char *name;
	char *text = NULL;
	int64_t size;

	while (in && archive_in_next(in, &name, &size, &e) > 0) {
		if (strcmp(name, member))
			continue;
		text = archive_in_all(in, MAX_SETTINGS, n, &e);
		break;
	}
	if (in)
		archive_in_close(in);
	return text;
}

/* Reads the checkpoint's precision and back end; -1 and NULL if absent or unknown here. */
static void
read_engine(const char *checkpoint, const char *member, int *precision, const char **backend)
{
	size_t n = 0, k;
	char *text = checkpoint_read_member(checkpoint, member, &n);
	const char *s;

	*precision = -1;
	*backend = NULL;
	if (text)
		checkpoint_engine_renew(text, n);
	if (text && (s = set_line_find(text, n, "--precision", &k)))
		*precision = name_index(training_precisions, s, k);
	if (text && (s = set_line_find(text, n, "--backend", &k)))
		*backend = known_backend(s, k);
	free(text);
}

int
checkpoint_engine(struct runtime *r, const char *checkpoint, const char *member,
		  const char *backend, int precision, int64_t threads, struct err *e)
{
	const char *then;
	char why[sizeof(r->why)];
	int was;

	if (!checkpoint)
		return runtime_open_training(r, backend, precision, threads, e);
	read_engine(checkpoint, member, &was, &then);
	if (precision == PRECISION_AUTO && was >= 0)
		precision = was;
	if (!backend && precision == was)
		backend = then;
	if (runtime_open_training(r, backend, precision, threads, e)) {
		if (precision == was && backend && backend == then)
			err_wrap(e, "%s was trained with --precision %s --backend %s", checkpoint,
				 precision_names[was], then);
		return -1;
	}
	if (precision == was) {
		memcpy(why, r->why, sizeof(why));
		snprintf(r->why, sizeof(r->why), "as in %.80s%s%.100s", checkpoint,
			 *why ? ", " : "", why);
	}
	return 0;
}
