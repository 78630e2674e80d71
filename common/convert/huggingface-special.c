/* huggingface-special: see huggingface-special.h. */
#include "convert/huggingface-special.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/huggingface-search.h"
#include "exchange/file.h"

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
	if (s->start < 0 && im->hf->pad_first)
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
	*s = (struct hf_special){ .pad = im->hf->pad_first ? rows - 1 : 1,
				  .eos = im->hf->pad_first ? 0 : 2, .unk = -1 };
	return want_row(im, "pad_token_id", rows, &s->pad, e) ||
	       want_row(im, "eos_token_id", rows, &s->eos, e) ||
	       want_row(im, "bos_token_id", rows, &s->bos, e) ||
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

	if (!import_has(im, "special_tokens_map.json"))
		return 0;
	if (conf_open_in(&c, im->folder, "special_tokens_map.json", e))
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

/* The tokenizer of BART puts <s> before a sentence and </s> after it, unless its file differs. */
static int
check_frame(struct import *im, const struct ids *v, const struct hf_special *s, struct err *e)
{
	struct frame f = { s->bos, s->eos };
	struct conf c;
	int r;

	im->first_row[0] = s->bos;
	if (!import_has(im, "tokenizer.json"))
		return 0;
	if (conf_open_in(&c, im->folder, "tokenizer.json", e))
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
	return im->hf->source_bos && !side ? check_frame(im, v, s, e) : 0;
}
