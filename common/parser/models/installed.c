/*
 * installed: see embedded.h.  Programs that are installed read the parsers as files, so that the
 * shared library has no code or data for one program only.  The files are in share/heed, next to
 * the folder of the program.
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "parser/embedded.h"
#include "parser/grammar.h"

#define FOLDER "/share/heed/common/parser/models/"

/* Appends the folder with the parsers to path. */
static int
find_folder(struct buf *path, struct err *e)
{
	char program[PATH_MAX], *slash;
	const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

	if (n < 0)
		return err_system(e, "cannot find the folder of the program: /proc/self/exe");
	program[n] = 0;
	for (int i = 0; i < 2; i++)	/* PREFIX/bin/parse */
		if ((slash = strrchr(program, '/')))
			*slash = 0;
	buf_printf(path, "%s%s", program, FOLDER);
	return 0;
}

/* Appends the languages of the files *.KIND to known; is lang one of them? */
static bool
installed_list(const char *folder, const char *kind, const char *lang, struct buf *known)
{
	struct dirent **d;
	const int n = scandir(folder, &d, NULL, alphasort);
	bool found = false;

	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(d[i]->d_name, '.');

		if (dot && dot != d[i]->d_name && !strcmp(dot + 1, kind)) {
			const int length = (int)(dot - d[i]->d_name);

			buf_printf(known, " %.*s", length, d[i]->d_name);
			found |= strlen(lang) == (size_t)length &&
				 !memcmp(lang, d[i]->d_name, (size_t)length);
		}
		free(d[i]);
	}
	if (n >= 0)
		free(d);
	return found;
}

/* Sets path to the file LANG.KIND. */
static int
installed_find(struct buf *path, const char *kind, const char *name, const char *lang,
	       struct err *e)
{
	struct buf known = { 0 };
	int r = find_folder(path, e);

	if (r)
		return r;
	if (!installed_list(path->data, kind, lang, &known)) {
		r = err_set(e, EXIT_USAGE, "no %s for language %s in %s, expected one of:%s", name,
			    lang, path->data, known.n ? known.data : " none");
		err_hint(e, "train one, see heed-parsers(7), and use -m");
	}
	buf_printf(path, "%s.%s", lang, kind);
	buf_release(&known);
	return r;
}

struct bundle_in *
embedded_parser(struct parser *p, const char *lang, struct err *e)
{
	struct bundle_in *b = NULL;
	struct buf path = { 0 };

	if (!installed_find(&path, "parser", "parser", lang, e))
		b = parser_read(p, path.data, false, e);
	buf_release(&path);
	return b;
}

struct pcfg *
embedded_grammar(const char *lang, struct err *e)
{
	struct pcfg *g = NULL;
	struct buf path = { 0 };

	if (!installed_find(&path, "pcfg", "grammar", lang, e))
		g = grammar_read(path.data, e);
	buf_release(&path);
	return g;
}
