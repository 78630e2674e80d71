/*
 * heed-pack: turn text, tables, JSON lines or translation memories into a stream.  See
 * heed-pack(1).
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/cli.h"
#include "exchange/pack.h"
#include "stream/input.h"
#include "stream/json-lines.h"
#include "stream/stream.h"

static const char *const invalid_names[] = { "error", "replace", "skip", NULL };

static const char *output, *languages, *source_lang, *target_lang;
static struct opt_list maps;
static int invalid;
static bool json, tsv, tmx, escape, quoted, partial, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_FLAG('j', "json", &json, "read JSON lines as heed-show prints them; with --map, "
		     "a JSON object per line"),
	OPT_ROW_FLAG(0, "tsv", &tsv, "read tab-separated values"),
	OPT_ROW_FLAG(0, "tmx", &tmx, "read a translation memory"),
	{ .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", .arg = "action",
	  .to = &invalid, .choice = invalid_names,
	  .help = "choose what to do with lines with invalid UTF-8 or NUL bytes (error)" },
	OPT_ROW_TEXT(0, "languages", "pair", &languages,
		     "set the languages of source and target, as in en-de (from file names)"),
	OPT_MAX_LINE,
	OPT_GROUP("Tables and objects"),
	OPT_ROW_LIST(0, "map", "key=field,...", &maps,
		     "read these columns or keys as these fields; key=field:type for other types"),
	OPT_ROW_FLAG(0, "escape", &escape, "read \\t, \\n, \\r and \\\\ in tables as escapes"),
	OPT_ROW_FLAG(0, "quoted", &quoted, "read cells of tables in quotation marks, as in CSV"),
	OPT_ROW_FLAG(0, "partial", &partial,
		     "accept JSON lines without an end record or with a wrong number of records"),
	OPT_GROUP("Translation memories"),
	OPT_ROW_TEXT(0, "source-lang", "code", &source_lang, "read source text in this language"),
	OPT_ROW_TEXT(0, "target-lang", "code", &target_lang, "read target text in this language"),
	OPT_GROUP("Other"),
	OPT_NO_PG,
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_QUIET(&quiet),
	OPT_NEEDS("map", "--json or --tsv"),
	OPT_NEEDS("partial", "--json"),
	OPT_NEEDS("escape quoted", "--tsv"),
	OPT_NEEDS("source-lang target-lang", "--tmx"),
	OPT_OLD_LETTER('p', "--partial"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-pack",
	.synopsis = "[-q] [-i action] [-o file] [--map key=field,...] [--json | --tsv | --tmx] "
		    "[file [target]]",
	.summary = "convert text, tables, JSON or translation memories to a stream",
	.example = "heed-pack train.tok.en train.tok.de > train.heed",
	.options = options,
};

static void
pack_report(const struct pack *p)
{
	if (quiet)
		return;
	if (p->replaced)
		warn("%" PRId64 " lines were not valid text: replaced bytes", p->replaced);
	if (p->skipped && tmx)
		warn("%" PRId64 " units have no segment in %s%s%s: skipped them", p->skipped,
		     source_lang, target_lang ? " or " : "", target_lang ? target_lang : "");
	else if (p->skipped)
		warn("%" PRId64 " lines were not valid text: skipped them", p->skipped);
	if (p->n_quoted)
		warn("%" PRId64 " cells seem to be quoted, and are kept as they are; --quoted "
		     "removes quotation marks", p->n_quoted);
}

static void
pack_check_options(char *const *path, int n)
{
	const bool text = !json && !tsv && !tmx;
	struct err e;

	if (json + tsv + tmx > 1)
		die_usage("--json, --tsv and --tmx, expected one of them");
	if (n > (text ? 2 : 1))
		die_usage("%d files, expected at most %d", n, text ? 2 : 1);
	if (input_stdin_once(0, path, n, &e))
		die(&e);
	if (partial && maps.n)
		die_usage("--partial with --map, expected one of them");
	if (tmx && !source_lang)
		die_usage("--tmx, expected --source-lang, and usually --target-lang, with it");
	if (languages && json && !maps.n)
		die_usage("--languages, expected text, --tsv, --tmx or --map with it");
	if (invalid != PACK_ERROR && (tmx || (json && !maps.n)))
		die_usage("--invalid, expected text, --tsv or --map with it");
}

/* Without --languages, those of --tmx, or those in the names of text files. */
static void
choose_languages(struct languages *l, char **path, int n)
{
	const char *given[2] = { source_lang, target_lang };
	struct err e;

	if (languages && languages_parse(l, languages, &e) && err_wrap(&e, "--languages"))
		die(&e);
	if (!json && !tsv && !tmx && n < 2 && *l->side[1])
		die_usage("--languages %s with one text, expected the code of the source alone",
			  languages);
	for (int side = 0; !languages && !json && !tsv && side < 2; side++)
		if (given[side] && language_is_code(given[side]))
			snprintf(l->side[side], LANGUAGE_ROOM, "%s", given[side]);
		else if (!tmx && side < n)
			language_of_name(path[side], l->side[side]);
}

static int
pack_input(struct pack *p, char **path, int n, struct err *e)
{
	struct input *in[2] = { NULL, NULL };
	int bad = 0;

	for (size_t i = 0; i < maps.n; i++)
		if (name_map_add(&p->map, maps.v[i], e))
			return -1;
	if (json && !maps.n)
		return json_lines_pack(path[0], output, p->flags, partial, e);
	for (int i = 0; i < n && !bad; i++) {
		in[i] = input_open(path[i], tmx ? 0 : pack_lines_flags(p->invalid), e);
		bad = in[i] ? 0 : -1;
	}
	if (!bad)
		bad = tsv ? pack_table(p, in[0], e) : tmx ? pack_tmx(p, in[0], e) :
		      json ? pack_objects(p, in[0], e) : pack_text(p, in, n, e);
	for (int i = 0; i < n; i++)
		input_close(in[i]);
	return bad;
}

int
main(int argc, char **argv)
{
	char **path;
	int n = cli_begin(&program, argc, argv, &path);
	struct pack p = {
		.output = output, .flags = force ? STREAM_FORCE : 0,
		.invalid = (enum pack_lines_invalid)invalid, .escape = escape, .quoted = quoted,
		.lang = { source_lang, target_lang }
	};
	struct err e = { .hint = "" };

	pack_check_options(path, n);
	choose_languages(&p.languages, path, n);
	if (pack_input(&p, path, n ? n : 1, &e))
		die(&e);
	pack_report(&p);
	name_map_release(&p.map);
	return cli_end(EXIT_OK);
}
