/*
 * bpe-apply: segment text into subwords with BPE codes or SentencePiece models.
 *
 * Segments text as subword-nmt's apply-bpe or spm_encode do; adds to the sentences of a stream
 * their subwords and the word of each subword.  See bpe-apply(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/rng.h"
#include "bpe/cutter.h"
#include "stream/filter.h"
#include "stream/input.h"
#include "text/lines.h"
#include "trees/dependents.h"

/* One side of a stream. */
struct apply_side {
	struct side_fields field;
	bool wanted;
	struct cutter cutter;
};

struct apply {
	struct apply_side side[2];
	struct filter filter;
	struct dependents dependents[2];
	const char **drops;		/* fields that were computed from other subwords */
};

enum { SIDE_AUTO, SIDE_SRC, SIDE_TGT, SIDE_BOTH };
static const char *const side_names[] = { "auto", "src", "tgt", "both", NULL };

static const char *codes, *side_codes[2], *spm, *side_spm[2], *output;
static const char *vocabulary, *side_vocabularies[2];
static const char *separator = BPE_SEPARATOR;
static int side_choice;
static int64_t merges = BPE_NO_LIMIT, threshold = INT64_MIN, seed = 1, nbest = SPM_ALL;
static double dropout, alpha = -1;
static bool text, restore, flush, force;
static struct opt_list glossaries;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_FLAG(0, "text", &text, "read and write text instead of streams"),
	OPT_ROW_FLAG(0, "restore", &restore, "join the subwords of text into words"),
	OPT_ROW_CHOICE("side", "side", &side_choice, side_names,
		       "segment these sides of a stream (auto)"),
	OPT_MAX_LINE, OPT_MAX_RECORD,
	OPT_GROUP("BPE codes"),
	OPT_ROW_TEXT('c', "codes", "file", &codes,
		     "read BPE codes of bpe-learn, subword-nmt or fastBPE"),
	OPT_ROW_TEXT(0, "src-codes", "file", &side_codes[0], "use these BPE codes for src"),
	OPT_ROW_TEXT(0, "tgt-codes", "file", &side_codes[1], "use these BPE codes for tgt"),
	OPT_ROW_INT("merges", &merges, 0, 1e9, "use only the first n merges (all)"),
	OPT_ROW_TEXT(0, "separator", "text", &separator,
		     "append text to subwords that do not end a word (@@)"),
	OPT_GROUP("SentencePiece"),
	OPT_ROW_TEXT(0, "spm", "file", &spm, "segment with this SentencePiece model"),
	OPT_ROW_TEXT(0, "src-spm", "file", &side_spm[0], "use this SentencePiece model for src"),
	OPT_ROW_TEXT(0, "tgt-spm", "file", &side_spm[1], "use this SentencePiece model for tgt"),
	OPT_ROW_FLOAT("alpha", &alpha, 0, 1000, "draw segmentations at random, with parameter x"),
	OPT_ROW_INT("nbest-size", &nbest, SPM_ALL, SPM_MAX_NBEST,
		    "draw from the n best segmentations; -1 (the default): from all"),
	OPT_GROUP("Vocabulary"),
	OPT_ROW_TEXT(0, "vocabulary", "file", &vocabulary,
		     "split subwords that are not in this vocabulary"),
	OPT_ROW_TEXT(0, "src-vocabulary", "file", &side_vocabularies[0],
		     "use this vocabulary for src"),
	OPT_ROW_TEXT(0, "tgt-vocabulary", "file", &side_vocabularies[1],
		     "use this vocabulary for tgt"),
	OPT_ROW_INT("vocabulary-threshold", &threshold, 0, 1e15,
		    "ignore vocabulary entries with a frequency below n (0)"),
	OPT_GROUP("Segmentation"),
	OPT_ROW_LIST(0, "glossaries", "regex", &glossaries,
		     "do not segment text that matches regex; may be repeated"),
	{ .kind = OPT_FLOAT, .long_name = "dropout", .arg = "p",
	  .help = "skip each possible merge with probability p (0)", .to = &dropout,
	  .min = 0, .max = 1 },
	OPT_SEED(&seed, "1"),
	OPT_GROUP("Other"),
	OPT_ROW_FLAG(0, "flush", &flush, "write each line of text immediately"),
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_NEEDS("nbest-size", "--alpha"),
	OPT_NEEDS("alpha", "--spm or --src-spm or --tgt-spm"),
	OPT_NEEDS("vocabulary-threshold", "--vocabulary or --src-vocabulary or --tgt-vocabulary"),
	OPT_NEEDS("seed", "--dropout or --alpha"),
	OPT_NEEDS("flush", "--text or --restore"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "bpe-apply", .synopsis = "-c file | --spm file [--text | --restore] [file ...]",
	.summary = "segment text into subwords with BPE or SentencePiece",
	.example = "heed-pack train.en train.de | bpe-apply -c codes > train.heed",
	.options = options,
};

static struct cutter_settings settings;

/* Of SentencePiece models, only unigram models have n-best lists. */
static void
check_nbest(const struct cutter *a, const struct cutter *b)
{
	if (nbest != SPM_ALL && (!a->spm || !spm_unigram(a->spm)) &&
	    (!b->spm || !spm_unigram(b->spm)))
		die_usage("--nbest-size without a unigram model, expected both");
}

static void
bpe_apply_run_text(char **paths)
{
	struct cutter c = { .set = &settings };
	const struct lines l = { .work = restore ? cutter_restore : cutter_line, .arg = &c,
				 .output = output, .flush = flush };
	const uint32_t purpose = rng_purpose("bpe-apply text");
	struct err e;

	if (!codes && !spm && !restore)
		die_usage("no BPE codes, expected -c file or --spm file");
	if ((spm && cutter_spm(&c, &settings, spm, purpose, &e)) ||
	    (codes && !restore && cutter_codes(&c, &settings, codes, vocabulary, purpose, &e)))
		die(&e);
	check_nbest(&c, &c);
	lines_run(&l, paths);
	cutter_close(&c);
}

/* Sets side[].wanted for the sides to segment, and drops; returns the added fields. */
static const struct field *
bpe_apply_choose_fields(const struct header *h, void *arg, struct err *e)
{
	static struct field adds[5];
	struct apply *a = arg;
	struct apply_side *side = a->side;
	const char *replaced[2];
	int n = 0;

	for (int i = 0; i < 2; i++) {
		const struct side_fields *name = &side[i].field;
		const bool present = header_type(h, name->text);
		const bool asked = side_choice == SIDE_SRC + i || side_choice == SIDE_BOTH;

		if (asked && !present) {
			err_set(e, EXIT_INPUT, "the stream has no %s", name->text);
			return NULL;
		}
		side[i].wanted = present && cutter_is_open(&side[i].cutter);
		if (!side[i].wanted)
			continue;
		replaced[n / 2] = name->pieces;
		adds[n++] = (struct field){ name->pieces, "[str]", 0 };
		adds[n++] = (struct field){ name->word, "[int]", 0 };
	}
	adds[n] = (struct field){ 0 };
	a->drops = dependents_drops(a->dependents, replaced, n / 2, h, adds);
	a->filter.drops = a->drops;
	if (!n)
		err_set(e, EXIT_INPUT, "the stream has no %s, expected a side with codes",
			cutter_is_open(&side[0].cutter)
			? cutter_is_open(&side[1].cutter) ? "src and no tgt" : "src" : "tgt");
	return n ? adds : NULL;
}

static int
code_record(struct record *rec, void *arg, struct err *e)
{
	struct apply *a = arg;

	for (int i = 0; i < 2; i++) {
		struct apply_side *s = &a->side[i];
		const struct subwords *sub = &s->cutter.subwords;
		struct str x;

		if (!s->wanted)
			continue;
		if (record_str(rec, s->field.text, &x))
			return err_set(e, EXIT_INPUT, "no %s", s->field.text);
		if (cutter_cut(&s->cutter, x.s, x.n, e))
			return -1;
		record_set_strs(rec, s->field.pieces, sub->v, sub->n);
		record_set_ints(rec, s->field.word, sub->word, sub->n);
	}
	return 1;
}

/* Opens what segments a side; nothing if there is nothing for it. */
static void
open_side(struct apply_side *s, int i)
{
	const char *c = side_codes[i] ? side_codes[i] : side_spm[i] ? NULL : codes;
	const char *p = side_spm[i] ? side_spm[i] : c ? NULL : spm;
	const char *v = side_vocabularies[i] ? side_vocabularies[i] : vocabulary;
	const uint32_t purpose = rng_purpose(i ? "bpe-apply tgt" : "bpe-apply src");
	struct err e;

	if (!c && !p && side_choice != SIDE_AUTO)
		die_usage("no BPE codes for %s, expected -c, --spm, --%s-codes or --%s-spm",
			  s->field.text, s->field.text, s->field.text);
	if ((p && cutter_spm(&s->cutter, &settings, p, purpose, &e)) ||
	    (c && cutter_codes(&s->cutter, &settings, c, v, purpose, &e)))
		die(&e);
}

static void
bpe_apply_run_stream(const char *path)
{
	struct apply a = { .filter = { .choose = bpe_apply_choose_fields, .work = code_record,
				      .arg = &a,
				       .input = path, .output = output, .force = force } };
	struct apply_side *side = a.side;

	for (int i = 0; i < 2; i++) {
		side[i].field = side_fields[i];
		if (side_choice != (i ? SIDE_SRC : SIDE_TGT))
			open_side(&side[i], i);
	}
	if (!cutter_is_open(&side[0].cutter) && !cutter_is_open(&side[1].cutter))
		die_usage("no BPE codes, expected -c file or --spm file");
	check_nbest(&side[0].cutter, &side[1].cutter);
	filter_run(&a.filter);
	for (int i = 0; i < 2; i++) {
		cutter_warn_gaps(&side[i].cutter, side[i].field.text);
		cutter_close(&side[i].cutter);
	}
	free(a.drops);
}

/* Options without a side are for sides without their own. */
static void
check_shared(void)
{
	bool codes_used = false, vocabulary_used = false;

	for (int i = 0; i < 2; i++) {
		const bool unused = side_choice == (i ? SIDE_SRC : SIDE_TGT);

		codes_used |= !unused && !side_codes[i] && !side_spm[i];
		vocabulary_used |= !unused && !side_vocabularies[i];
	}
	if ((codes || spm) && !codes_used)
		die_usage("each side has its own codes or model, expected no -c and no --spm");
	if (vocabulary && !vocabulary_used)
		die_usage("each side has its own vocabulary, expected no --vocabulary");
}

static void
bpe_apply_check_options(int n)
{
	const bool any_spm = spm || side_spm[0] || side_spm[1];
	const bool any_codes = codes || side_codes[0] || side_codes[1];

	if (!*separator || strpbrk(separator, " \r\n"))
		die_usage("separator '%s', expected text without spaces", separator);
	if ((text || restore) && (side_choice || side_codes[0] || side_codes[1] || side_spm[0] ||
				  side_spm[1] || side_vocabularies[0] || side_vocabularies[1]))
		die_usage("text has no sides, expected options for one side with a stream only");
	if (!text && !restore && n > 1)
		die_usage("%d operands, expected one stream", n);
	for (int i = 0; i < 2; i++)
		if (side_choice == (i ? SIDE_SRC : SIDE_TGT) &&
		    (side_codes[i] || side_spm[i] || side_vocabularies[i]))
			die_usage("--side %s with options for %s, expected --side both",
				  side_names[side_choice], stream_sides[i]);
	if (restore && (codes || vocabulary || glossaries.n || merges != BPE_NO_LIMIT ||
			dropout > 0 || alpha >= 0))
		die_usage("--restore does not segment, expected no options for segmentation");
	if (codes && spm)
		die_usage("-c cannot be used with --spm");
	if (!text && !restore)
		check_shared();
	if (any_spm && !any_codes &&
	    (vocabulary || side_vocabularies[0] || side_vocabularies[1] || glossaries.n ||
	     dropout > 0 || merges != BPE_NO_LIMIT || strcmp(separator, BPE_SEPARATOR)))
		die_usage("--merges, --separator, --vocabulary, --glossaries and --dropout are for "
			  "BPE codes");
}

int
main(int argc, char **argv)
{
	char **paths;
	const int n = cli_begin(&program, argc, argv, &paths);

	bpe_apply_check_options(n);
	settings = (struct cutter_settings){
		.separator = separator, .merges = merges, .threshold = threshold,
		.glossary = glossaries.v, .n_glossaries = glossaries.n, .dropout = dropout,
		.alpha = alpha, .nbest = (int)nbest, .seed = (uint64_t)seed
	};
	if (text || restore)
		bpe_apply_run_text(paths);
	else
		bpe_apply_run_stream(paths[0]);
	return cli_end(EXIT_OK);
}
