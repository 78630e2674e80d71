/*
 * align-score: the alignment error rate, precision and recall of word alignments, and of token
 * attributions as word alignments, against gold alignments; or the share of their links that cross.
 * See align-score(1).
 */
#include <inttypes.h>
#include <string.h>

#include "attribution/alignment-reader.h"
#include "base/cli.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/output.h"
#include "data/link-order.h"
#include "data/links.h"
#include "stream/json-out.h"
#include "stream/signature.h"

enum { TO_TSV, TO_JSON };

static const char *const forms[] = { "tsv", "json", NULL };

static const char *gold_path, *only, *output, *heads;
static int from = -1, form;
static int64_t decimals = 4;
static bool one_based, crossing;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_TEXT('r', "reference", "file", &gold_path,
		     "compare with these gold alignments (required)"),
	OPT_ROW_FLAG(0, "one-based", &one_based, "gold alignments count words from 1"),
	OPT_ROW_CHOICE("from", "field", &from, alignment_fields,
		       "score alignment, hyp.alignment, relevance.src or att.cross of a stream"),
	OPT_ROW_TEXT(0, "alignment-heads", "list", &heads,
		     "align with these heads of att.cross (all of the penultimate layer)"),
	OPT_GROUP("Output"),
	OPT_ROW_FLAG(0, "crossing", &crossing,
		     "print the share of pairs of links that cross; needs no gold alignments"),
	OPT_ROW_TEXT('b', "score-only", "measure", &only,
		     "print only this measure, such as aer or f1"),
	{ .kind = OPT_INT, .short_name = 'w', .long_name = "width", .arg = "n",
	  .help = "digits after the decimal point (4)", .to = &decimals, .min = 0, .max = 15 },
	OPT_ROW_CHOICE("to", "form", &form, forms, "output format (tsv)"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Other"),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NEEDS("one-based", "--reference"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "align-score",
	.synopsis = "{-r gold | --crossing} [--from field] [-b measure] [options] [file ...]",
	.summary = "score word alignments against gold alignments, or measure their word order",
	.example = "align-score -r gold.align fast_align.out scored.heed\n"
		   "  align-score -r gold.align alti.heed attnlrp.heed\n"
		   "  word-align train.en train.ja | align-score --crossing",
	.options = options,
};

/* The sums of a file. */
struct sums {
	struct alignment_reader in;
	int64_t sentences, skipped;
	int64_t possible;		/* sentences of a text with a possible link, as gold ones */
	struct link_score score;
	struct link_order order;
};

static bool
has_possible(const struct link_set *links)
{
	for (size_t i = 0; i < links->n; i++)
		if (!links->v[i].sure)
			return true;
	return false;
}

static int
add_all(struct sums *s, struct link_file *gold, struct err *e)
{
	struct alignment_reader *reader = &s->in;
	struct link_set links = { .n = 0 }, gold_links = { .n = 0 };
	int more;

	while ((more = alignment_reader_next(reader, &links, e)) > 0) {
		if (gold && link_file_read(gold, reader->sentences - 1, reader->source_words,
					   reader->target_words, &gold_links, e)) {
			more = alignment_reader_wrap(reader, e);
			break;
		}
		if (more == ALIGNMENT_NONE) {
			s->skipped++;
			continue;
		}
		s->sentences++;
		s->possible += reader->text && has_possible(&links);
		if (gold) {
			link_score_add(&s->score, &gold_links, &links);
		} else {
			s->score.links += (int64_t)links.n;
			link_order_add(&s->order, &links);
		}
	}
	link_set_release(&links);
	link_set_release(&gold_links);
	if (!more && gold && link_file_check(gold, reader->sentences, e))
		return err_wrap(e, "%s", reader->name);
	if (!more && !s->sentences)
		return err_set(e, EXIT_INPUT, "%s: no sentence with %s, expected at least one",
			       reader->name, alignment_fields[reader->field]);
	return more;
}

static void
score_file(const char *path, struct link_file *gold, struct sums *s)
{
	const struct alignment_reader *in = &s->in;
	struct err e;

	if (alignment_reader_open(&s->in, path, from, heads, &e) || add_all(s, gold, &e))
		die(&e);
	if (s->skipped)
		warn("%s: %lld of %lld sentences have no %s and are not scored", in->name,
		     (long long)s->skipped, (long long)in->sentences, alignment_fields[in->field]);
	if (s->possible && gold)
		warn("%s: %lld sentences have possible links, such as 2p3, which count like "
		     "others; gold alignments are the file of -r", in->name,
		     (long long)s->possible);
}

/* --- output --- */

/* Adds the signature as the last member.  gold: NULL without gold alignments. */
static void
align_score_sign(const struct sums *s, const struct link_file *gold, struct buf *out)
{
	struct buf signature = { 0 };

	buf_printf(&signature, "heed|what:%s|unit:word", gold ? "align" : "crossing");
	if (gold)
		buf_printf(&signature, "|align:%016" PRIx64,
			   hash_fnv1a(HASH_FNV1A, gold->text.data, gold->text.n));
	if (heads)
		signature_add(&signature, "heads", heads);
	buf_printf(&signature, "|sentences:%" PRId64 "|version:%s",
		   gold ? s->sentences : s->order.sentences, cli_version());
	buf_add_str(out, ",\"signature\":");
	json_add_text(out, signature.data);
	buf_add_str(out, "}\n");
	buf_release(&signature);
}

static void
put_order(const struct sums *s, struct buf *out)
{
	const int w = (int)decimals;

	if (form == TO_JSON) {
		buf_add_str(out, "{\"file\":");
		json_add_text(out, s->in.name);
		buf_printf(out, ",\"sentences\":%" PRId64 ",\"links\":%" PRId64
			   ",\"crossing\":%.*f,\"error\":%.*f", s->order.sentences,
			   s->score.links, w, link_order_mean(&s->order), w,
			   link_order_error(&s->order));
		align_score_sign(s, NULL, out);
		return;
	}
	if (!out->n)
		buf_add_str(out, "file\tsentences\tlinks\tcrossing\terror\n");
	escape_add(out, s->in.name);
	buf_printf(out, "\t%" PRId64 "\t%" PRId64 "\t%.*f\t%.*f\n",
		   s->order.sentences, s->score.links, w, link_order_mean(&s->order), w,
		   link_order_error(&s->order));
}

static void
put_tsv(const struct sums *s, struct buf *out)
{
	if (!out->n) {
		buf_add_str(out, "file\tmethod\tsentences\tskipped\tlinks");
		for (const struct link_measure *m = link_measures; m->name; m++)
			buf_printf(out, "\t%s", m->name);
		buf_add_char(out, '\n');
	}
	escape_add(out, s->in.name);
	buf_add_char(out, '\t');
	escape_add(out, s->in.method);
	buf_printf(out, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64,
		   s->sentences, s->skipped, s->score.links);
	for (const struct link_measure *m = link_measures; m->name; m++)
		buf_printf(out, "\t%.*f", (int)decimals, m->of(&s->score));
	buf_add_char(out, '\n');
}

static void
put_json(const struct sums *s, const struct link_file *gold, struct buf *out)
{
	buf_add_str(out, "{\"file\":");
	json_add_text(out, s->in.name);
	buf_add_str(out, ",\"method\":");
	json_add_text(out, s->in.method);
	buf_printf(out, ",\"sentences\":%" PRId64 ",\"skipped\":%" PRId64 ",\"links\":%" PRId64,
		   s->sentences, s->skipped, s->score.links);
	for (const struct link_measure *m = link_measures; m->name; m++)
		buf_printf(out, ",\"%s\":%.*f", m->name, (int)decimals, m->of(&s->score));
	align_score_sign(s, gold, out);
}

static const struct link_measure *
measure_of(const char *name)
{
	const struct link_measure *m = link_measures;

	while (m->name && strcmp(m->name, name))
		m++;
	if (!m->name)
		die_usage("no measure '%s', expected precision, recall, f1, aer or translation",
			  name);
	return m;
}

static void
align_score_put(const struct sums *s, const struct link_measure *m, const struct link_file *gold,
		struct buf *out)
{
	if (crossing && only)
		buf_printf(out, "%.*f\n", (int)decimals, link_order_mean(&s->order));
	else if (crossing)
		put_order(s, out);
	else if (m)
		buf_printf(out, "%.*f\n", (int)decimals, m->of(&s->score));
	else if (form == TO_JSON)
		put_json(s, gold, out);
	else
		put_tsv(s, out);
}

int
main(int argc, char **argv)
{
	struct link_file gold;
	struct buf out = { 0 };
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);
	bool streams = false;
	const struct link_measure *m = only && !crossing ? measure_of(only) : NULL;

	if (crossing == !!gold_path)
		die_usage("expected one of -r FILE, with gold alignments, and --crossing");
	if (crossing && only && strcmp(only, "crossing"))
		die_usage("no measure '%s' with --crossing, expected crossing", only);
	if (only && form == TO_JSON)
		die_usage("-b with --to json, expected one of them");
	for (int i = 0; i < n || !i; i++)
		if (gold_path && !strcmp(gold_path, "-") && (!n || !strcmp(file[i], "-")))
			die_usage("standard input has both gold and other alignments, expected "
				  "two files");
	if (gold_path && link_file_open(&gold, gold_path, one_based, &e))
		die(&e);
	for (int i = 0; i < n || !i; i++) {
		struct sums s = { .sentences = 0 };

		score_file(file[i], crossing ? NULL : &gold, &s);
		streams = streams || s.in.in;
		align_score_put(&s, m, crossing ? NULL : &gold, &out);
		alignment_reader_close(&s.in);
		link_order_release(&s.order);
	}
	if (from >= 0 && !streams)
		die_usage("--from %s with text, expected a stream", alignment_fields[from]);
	if (output_text(output, &out, &e))
		die(&e);
	if (gold_path)
		link_file_release(&gold);
	return cli_end(EXIT_OK);
}
