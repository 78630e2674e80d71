/* archived: the models in tests/data/model, and the tables that independent programs wrote. */
#ifndef ARCHIVED_H
#define ARCHIVED_H

#include <unistd.h>

#include "setup.h"

#include "model-file/model-file.h"

#define ARCHIVED "tests/data/model/"

UNUSED static struct model *
archived_model(const char *name)
{
	char path[] = "/tmp/heed-archived-XXXXXX";
	const int fd = mkstemp(path);
	char *command = xasprintf("gzip -dc < " ARCHIVED "%s.tar.gz > %s", name, path);
	struct model *m;
	struct err e;

	assert_true(fd >= 0 && !close(fd));
	assert_int_equal(system(command), 0);
	free(command);
	m = model_load(path, true, NULL, NULL, &e);
	unlink(path);
	if (!m)
		fail_msg("%s", e.text);
	return m;
}

/* Splits a line at its tabs into at most `most` fields; returns their number. */
UNUSED static int
archived_split(char *line, char **field, int most)
{
	int n = 0;

	for (char *at = line; at && n < most; n++) {
		field[n] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
	}
	return n;
}

#endif
