/*
 * import-folder: any files of a folder are refused, or are a model that is written, loaded and run.
 *
 * The input has files as in seal.h.  The corpus has a folder for each kind of T5, whose other
 * readers have targets of their own.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "convert/import.h"
#include "exchange/file.h"
#include "fuzz.h"
#include "model-file/model-file.h"
#include "seal.h"
#include "step.h"

/* Empties the folder. */
static void
clear(const char *folder)
{
	size_t n;
	char **name = file_names(folder, "*", &n);

	for (size_t i = 0; i < n; i++) {
		char *path = file_in(folder, name[i]);

		unlink(path);
		free(path);
	}
	file_names_free(name);
}

static char *
folder_name(void)
{
	static char name[4096];

	return name;
}

static void
remove_folder(void)
{
	clear(folder_name());
	rmdir(folder_name());
}

/* One for the process. */
static const char *
empty_folder(void)
{
	char *name = folder_name();
	const char *tmp = getenv("TMPDIR");

	if (*name) {
		clear(name);
		return name;
	}
	snprintf(name, 4096, "%s/heed-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	must(mkdtemp(name) && !atexit(remove_folder));
	return name;
}

static void
run_model(struct import *im, const char *folder)
{
	char *path = file_in(folder, "out.tar");
	struct record *rec = step_sentence();
	struct model *m;
	struct err e;

	must(!import_write(im, path, &e));
	m = model_load(path, true, NULL, NULL, &e);
	must(m != NULL);
	step_model(m, rec);
	model_free(m);
	record_free(rec);
	free(path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *folder = empty_folder();
	const struct import_settings set = { .path = folder };
	struct import im;
	struct err e;

	seal_folder(data, n, folder);
	if (!import_open(&im, &set, &e))
		run_model(&im, folder);
	else
		must(e.status == EXIT_INPUT && e.text[0]);
	import_close(&im);
	return 0;
}
