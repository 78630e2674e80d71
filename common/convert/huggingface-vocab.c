/* huggingface-vocab: see huggingface-vocab.h. */
#include "convert/huggingface-vocab.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "bpe/bpe.h"
#include "bpe/bytes.h"
#include "convert/huggingface-search.h"
#include "convert/huggingface-t5.h"
#include "exchange/file.h"

/* FSMT marks the last subword of a word, heed all others. */
#define END_OF_WORD "</w>"
/* No subword, and without a mark. */
#define START "<s>"

/* Removes one mark from the end of the text, or appends the other if it is not there. */
static void
exchange_marks(const char *text, size_t n, const char *remove, const char *append, struct buf *out)
{
	const size_t mark = strlen(remove);
	const bool marked = n > mark && !memcmp(text + n - mark, remove, mark);

	buf_add(out, text, marked ? n - mark : n);
	if (!marked && (n != strlen(START) || memcmp(text, START, n)))
		buf_add_str(out, append);
}

static void
spell_fsmt(const char *text, size_t n, struct buf *out)
{
	exchange_marks(text, n, END_OF_WORD, BPE_SEPARATOR, out);
}

void
hf_unspell_fsmt(const char *text, size_t n, struct buf *out)
{
	exchange_marks(text, n, BPE_SEPARATOR, END_OF_WORD, out);
}

static bool
hf_vocab_is_kind(const struct import *im, const char *type)
{
	return !strcmp(im->hf->type, type);
}

/* MarianMT has a vocabulary for each side exactly if it has a table for each. */
static bool
has_two(const struct import *im)
{
	bool shared = true;

	return hf_vocab_is_kind(im, "marian") &&
	       conf_bool(conf_get(&im->conf, "share_encoder_decoder_embeddings"), &shared) &&
	       !shared;
}

static const char *
vocabulary_file(const struct import *im, int side)
{
	if (hf_vocab_is_kind(im, "fsmt"))
		return side ? "vocab-tgt.json" : "vocab-src.json";
	if (side && (has_two(im) || import_has(im, "target_vocab.json")))
		return "target_vocab.json";
	if (im->hf->t5 && !import_has(im, "vocab.json"))
		return import_has(im, "tokenizer.json") ? "tokenizer.json" : T5_SPM;
	return hf_vocab_is_kind(im, "marian") || import_has(im, "vocab.json") ? "vocab.json"
								      : "tokenizer.json";
}

/* Adds the texts of a list, unless they are entries, after the others. */
static int
hf_vocab_add_listed(struct ids *v, const struct conf *c, const char *key, int rows, struct err *e)
{
	struct conf_value x = conf_get(c, key);
	struct conf_walk w;
	struct str unused, text;
	int r = conf_is_none(x) || conf_is_list(x) || conf_is_map(x) ? 0 : -1;

	for (conf_walk(&w, x); !r && conf_next(&w, &unused, &x);) {
		if (conf_is_map(x))
			x = conf_in(x, "content");
		if (!conf_text(x, &text))
			r = -1;
		else if (strmap_find(&v->texts, text.s, text.n) < 0 && v->rows < rows &&
			 ids_add(v, text.s, text.n, v->rows, rows, e))
			return -1;
	}
	return r ? conf_refuse(c, key, "a list of texts", e) : 0;
}

/* The tokens that a file adds to those of the vocabulary: with numbers, or in their order. */
static int
add_tokens_of(struct import *im, int side, const char *name, int rows, struct err *e)
{
	struct ids *v = &im->ids[side];
	struct conf_value numbers;
	struct conf c;
	int r = 0;

	if (import_conf(im, &c, name, e))
		return -1;
	numbers = conf_get(&c, "added_tokens_decoder");
	if (!conf_is_none(numbers) && ids_decoder(v, numbers, rows, e))
		r = err_wrap(e, "%s", c.name);
	r = r || hf_vocab_add_listed(v, &c, "additional_special_tokens", rows, e) ||
	    hf_vocab_add_listed(v, &c, "extra_special_tokens", rows, e);
	conf_release(&c);
	return r ? -1 : 0;
}

/*
 * The class of M2M100's tokenizer has the languages, and files have them only if it was made from
 * files that have them.
 */
static int
hf_vocab_check_languages(struct import *im, const struct ids *v, size_t entries, int rows,
			 struct err *e)
{
	struct str class = { "", 0 };
	struct conf c;
	int r = 0;

	if (import_conf(im, &c, TOKENIZER_CONFIG, e))
		return -1;
	if (conf_text(conf_get(&c, "tokenizer_class"), &class) && v->texts.n == entries &&
	    v->rows < rows && class.n >= 15 && !memcmp(class.s, "M2M100Tokenizer", 15)) {
		r = err_set(e, EXIT_INPUT, "%s: no tokens of languages, expected them in "
			    "extra_special_tokens", c.name);
		err_hint(e, "python3 -c \"import transformers as t; x = "
			 "t.AutoTokenizer.from_pretrained('.'); t.AutoTokenizer.from_pretrained("
			 "'.', additional_special_tokens=list(x.lang_token_to_id))"
			 ".save_pretrained('.')\"");
	}
	conf_release(&c);
	return r;
}

/*
 * M2M100's tokenizer adds languages after vocab.json's entries.  transformers 5 has no
 * special_tokens_map.json.
 */
static int
add_languages(struct import *im, int side, int rows, struct err *e)
{
	const size_t entries = im->ids[side].texts.n;

	return add_tokens_of(im, side, TOKENIZER_CONFIG, rows, e) ||
	       add_tokens_of(im, side, "special_tokens_map.json", rows, e) ||
	       (!im->set->n_vocab &&
		hf_vocab_check_languages(im, &im->ids[side], entries, rows, e)) ? -1 : 0;
}

int
hf_vocab_open(struct import *im, int side, int rows, struct err *e)
{
	const char *name = vocabulary_file(im, side);
	const bool tokenizer = !strcmp(name, "tokenizer.json"), spm = !strcmp(name, T5_SPM);

	if (im->bytes)
		return hf_byt5_ids(im, side, rows, e);
	if (import_ids(im, side, name, tokenizer ? IDS_TOKENIZER : IDS_MAP, rows, e))
		return -1;
	if (spm)
		return hf_t5_extra_ids(im, side, rows, e);
	return hf_vocab_is_kind(im, "m2m_100") ? add_languages(im, side, rows, e) : 0;
}

/* MarianMT's padding is no entry of Marian's vocabulary, and transformers never generates it. */
int
hf_vocab_build(struct import *im, int side, int rows, const struct hf_special *s, struct err *e)
{
	const struct ids *v = &im->ids[side];
	const bool starts = (side || im->one_vocab) && im->config.first == TARGET_BOS;
	const struct special_rows special = { .pad = s->pad, .start = starts ? s->start : -1,
					      .eos = s->eos, .unk = s->unk };

	if (vocab_side_build(&im->side[side], v, rows, &special,
			     hf_vocab_is_kind(im, "fsmt") ? spell_fsmt : NULL, e))
		return -1;
	if (hf_vocab_is_kind(im, "marian"))
		im->side[side].valid[VOCAB_PAD] = false;
	import_note_rows(im, side);
	return 0;
}

static void
ask_for_languages(struct import *im)
{
	if (!hf_vocab_is_kind(im, "m2m_100") && !hf_vocab_is_kind(im, "mbart"))
		return;
	if (!im->set->first_src)
		import_note(im, "sources begin with the token of their language: name it with "
			    "--first-src here or for nmt-translate, unless they have it");
	if (!im->set->first_tgt && im->first_row[1] < 0)
		import_note(im, "targets begin with the token of their language: name it with "
			    "--first-tgt here or for nmt-translate");
}

/* The subwords that the BPE codes of the model make. */
static void
take_merges(const struct model *m, struct strmap *made)
{
	struct text_line line = text_lines(m->codes, m->codes_n);
	struct buf text = { 0 };

	while (text_line_next(&line)) {
		const char *blank = memchr(line.s, ' ', line.n);

		if (!blank || *line.s == '#')
			continue;
		buf_clear(&text);
		buf_add(&text, line.s, (size_t)(blank - line.s));
		buf_add(&text, blank + 1, strcspn(blank + 1, " \r\n"));
		strmap_add(made, text.data, text.n);
	}
	buf_release(&text);
}

/* Entries of several characters are subwords that merges made; a few, like <unk>, are not. */
static void
note_merges(struct import *im)
{
	size_t n = 0, missing = 0, length;
	struct strmap made = { 0 };

	take_merges(im->m, &made);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < im->ids[side].texts.n; i++) {
			const char *s = strmap_text(&im->ids[side].texts, (int)i, &length);

			if (!*s || *s == '<' || utf8_next(s, length, &length) < 0)
				continue;
			if (!strcmp(s + length, END_OF_WORD) || !s[length])
				continue;
			n++;
			missing += strmap_find(&made, s, strlen(s)) < 0;
		}
	strmap_release(&made);
	if (missing > n / 10)
		import_note(im, "merges.txt: its merges do not make %zu of %zu subwords of the "
			    "vocabularies, so text is not segmented into these; is it complete?",
			    missing, n);
}

int
hf_segment(struct import *im, struct err *e)
{
	static const char *const names[2][4] = {
		{ "source.spm", "sentencepiece.bpe.model", T5_SPM, NULL }, { "target.spm", NULL }
	};

	/* FSMT's merges are BPE codes of subword-nmt 0.2, usually without their first line. */
	if (hf_vocab_is_kind(im, "fsmt") && import_codes(im, "merges.txt", "#version: 0.2\n", e))
		return -1;
	if (hf_vocab_is_kind(im, "fsmt") && im->m->codes)
		note_merges(im);
	for (int side = 0; !im->bytes && side < 2; side++)
		for (int i = 0; names[side][i]; i++)
			if (import_spm(im, side, names[side][i], e))
				return -1;
	if (im->bytes) {
		im->m->spm_n[0] = strlen(BYTES_FILE);
		im->m->spm[0] = xstrdup(BYTES_FILE);
	}
	ask_for_languages(im);
	return 0;
}

/* --- special tokens --- */

static int
want_row(const struct import *im, const char *key, int rows, int *v, struct err *e)
{
	int64_t row = *v;

	if (hf_want_search(im, key, 0, rows - 1, &row, e))
		return -1;
	*v = (int)row;
	return 0;
}

/*
 * What classes other than MarianMT read first if the files do not say it is 2, whatever the end is,
 * or, in mBART, the first token of the source.
 */
static int
read_start(const struct import *im, int rows, struct hf_special *s, struct err *e)
{
	const char *const key = "decoder_start_token_id";

	s->start = -1;
	if (want_row(im, key, rows, &s->start, e))
		return -1;
	if (s->start < 0 && (im->hf->pad_first || im->hf->t5))
		s->start = s->pad;
	if (s->start < 0 && s->eos == 2 && strcmp(im->hf->type, "mbart"))
		s->start = s->eos;
	return s->start < 0 ? conf_refuse(&im->conf, key, "the number of a token", e) : 0;
}

/*
 * Numbers that the search forces, which transformers reads from one file.  hf_search_check() has
 * seen them.
 */
static int
read_forced(const struct import *im, struct hf_special *s, struct err *e)
{
	const struct conf *c = hf_search_conf(im);
	int64_t first = -1, last;
	char expected[80];

	conf_int(conf_get(c, "forced_bos_token_id"), &first);
	s->forced = (int)first;
	if (!conf_int(conf_get(c, "forced_eos_token_id"), &last) || last == s->eos)
		return 0;
	snprintf(expected, sizeof(expected), "%d, the eos_token_id", s->eos);
	return conf_refuse(c, "forced_eos_token_id", expected, e);
}

int
hf_special_read(const struct import *im, int rows, struct hf_special *s, struct err *e)
{
	const bool t5 = im->hf->t5;

	*s = (struct hf_special){ .pad = im->hf->pad_first ? rows - 1 : !t5,
				  .eos = im->hf->pad_first ? 0 : t5 ? 1 : 2,
				  .bos = t5 ? -1 : 0, .unk = -1 };
	return want_row(im, "pad_token_id", rows, &s->pad, e) ||
	       want_row(im, "eos_token_id", rows, &s->eos, e) ||
	       (!t5 && want_row(im, "bos_token_id", rows, &s->bos, e)) ||
	       read_start(im, rows, s, e) || read_forced(im, s, e) ? -1 : 0;
}

static int
other_row(const struct conf *c, const char *key, struct str text, int is, int expected,
	  struct err *e)
{
	return err_set(e, EXIT_INPUT, "%s: %s is %.*s, number %d of the vocabulary, expected "
		       "number %d, as config.json says", c->name, key,
		       (int)(text.n < 100 ? text.n : 100), text.s, is, expected);
}

/*
 * The row of a text of special_tokens_map.json, which must be *row unless that is -1; *row stays as
 * it is without such a text, or without an entry for it.
 */
static int
hf_special_check_text(const struct conf *c, const struct ids *v, const char *key, int *row,
		      struct err *e)
{
	struct conf_value x = conf_get(c, key);
	struct str text;
	int at;

	if (conf_is_map(x))
		x = conf_in(x, "content");
	if (!conf_text(x, &text))
		return 0;
	at = strmap_find(&v->texts, text.s, text.n);
	if (at < 0)
		return 0;
	at = v->of_text[at];
	if (*row >= 0 && at != *row)
		return other_row(c, key, text, at, *row, e);
	*row = at;
	return 0;
}

static int
check_texts(const struct import *im, const struct ids *v, struct hf_special *s, struct err *e)
{
	struct conf c;
	int r;

	if (import_conf(im, &c, "special_tokens_map.json", e))
		return -1;
	r = hf_special_check_text(&c, v, "pad_token", &s->pad, e) ||
	    hf_special_check_text(&c, v, "eos_token", &s->eos, e) ||
	    (im->hf->source_bos && hf_special_check_text(&c, v, "bos_token", &s->bos, e)) ||
	    hf_special_check_text(&c, v, "unk_token", &s->unk, e);
	conf_release(&c);
	return r ? -1 : 0;
}

/* What tokenizer.json puts around a sentence: numbers before and after it, at most one each. */
struct frame { int before, after; };

/* Adds a part of a template: a special token by its text, or else the sentence. */
static int
hf_special_add_part(struct frame *f, const struct ids *v, struct conf_value part, bool *sentence)
{
	int *const to = *sentence ? &f->after : &f->before;
	struct str text;
	int at;

	if (!conf_text(conf_in(conf_in(part, "SpecialToken"), "id"), &text)) {
		*sentence = true;
		return 0;
	}
	at = strmap_find(&v->texts, text.s, text.n);
	if (*to >= 0 || at < 0)
		return -1;
	*to = v->of_text[at];
	return 0;
}

/* RobertaProcessing and BertProcessing have pairs of a text and a number. */
static int
second_of(struct conf_value pair)
{
	struct conf_value x;
	struct conf_walk w;
	struct str key;
	int64_t i;

	conf_walk(&w, pair);
	return conf_next(&w, &key, &x) && conf_next(&w, &key, &x) && conf_int(x, &i) && i >= 0 &&
	       i < INT32_MAX ? (int)i : -1;
}

/* -1 if it is a template of another kind; f stays as it is without a template. */
static int
read_frame(struct frame *f, const struct ids *v, struct conf_value p)
{
	const struct conf_value single = conf_in(p, "single");
	struct conf_value part;
	struct conf_walk w;
	struct str key;
	bool sentence = false;

	if (!conf_is_none(conf_in(p, "cls"))) {
		*f = (struct frame){ second_of(conf_in(p, "cls")), second_of(conf_in(p, "sep")) };
		return 0;
	}
	if (!conf_is_list(single))
		return conf_is_none(p) ? 0 : -1;
	*f = (struct frame){ -1, -1 };
	for (conf_walk(&w, single); conf_next(&w, &key, &part);)
		if (hf_special_add_part(f, v, part, &sentence))
			return -1;
	return 0;
}

/*
 * The tokenizer of BART puts <s> before a sentence, and those of BART and T5 </s> after it, unless
 * their file differs.
 */
static int
check_frame(struct import *im, const struct ids *v, const struct hf_special *s, struct err *e)
{
	struct frame f = { s->bos, s->eos };
	struct conf c;
	int r;

	if (import_conf(im, &c, "tokenizer.json", e))
		return -1;
	r = read_frame(&f, v, conf_get(&c, "post_processor"));
	if (r || f.after != s->eos)
		r = conf_refuse(&c, "post_processor", "one that puts at most one token before a "
				"sentence, and eos_token_id after it", e);
	im->first_row[0] = f.before;
	conf_release(&c);
	return r;
}

int
hf_special_check(struct import *im, int side, struct hf_special *s, struct err *e)
{
	const struct ids *v = &im->ids[side];

	if (check_texts(im, v, s, e))
		return -1;
	if (s->unk < 0)
		s->unk = ids_row(v, "<unk>");
	im->first_row[1] = s->forced;
	return (im->hf->source_bos || im->hf->t5) && !side ? check_frame(im, v, s, e) : 0;
}
