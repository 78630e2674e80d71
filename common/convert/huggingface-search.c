/* huggingface-search: see huggingface-search.h. */
#include "convert/huggingface-search.h"

#include <stdio.h>
#include <string.h>

#include "convert/huggingface-vocab.h"
#include "search/search.h"

int
hf_want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
	       struct err *e)
{
	const struct conf *const list[] = { &im->conf, &im->search };

	for (int i = 0; i < 2; i++)
		if (conf_has(list[i], key) && conf_want_int(list[i], key, min, max, v, e))
			return -1;
	return 0;
}

const struct conf *
hf_search_conf(const struct import *im)
{
	return im->search.name ? &im->search : &im->conf;
}

/* FSMT has a beam size of its own, which transformers writes to config.json. */
int
hf_search_read(struct import *im, struct err *e)
{
	const struct conf *c = hf_search_conf(im);
	struct recipe *r = &im->recipe;

	r->search = SEARCH_FAIRSEQ;
	r->beam = !im->search.name && !strcmp(im->hf->type, "fsmt") ? 5 : 1;
	r->length_penalty = 1;
	r->count_first = im->hf->forces;
	if ((conf_has(c, "num_beams") && conf_want_int(c, "num_beams", 1, 1000, &r->beam, e)) ||
	    (conf_has(c, "length_penalty") &&
	     conf_want_float(c, "length_penalty", &r->length_penalty, e)))
		return -1;
	if (r->length_penalty < 0 || r->length_penalty > 1000)
		return conf_refuse(c, "length_penalty", "0 to 1000", e);
	return 0;
}

/* Is it a list of nothing but [row]? */
static bool
is_row_only(struct conf_value list, int row)
{
	struct conf_value words, id;
	struct conf_walk w, inner;
	struct str key;

	for (conf_walk(&w, list); conf_next(&w, &key, &words);) {
		int64_t i;

		conf_walk(&inner, words);
		if (inner.left != 1 || !conf_next(&inner, &key, &id) || !conf_int(id, &i) ||
		    i != row)
			return false;
	}
	return true;
}

/* Is it null, false, an empty list or this number? */
static bool
is_off(struct conf_value v, double off)
{
	struct conf_walk w;
	bool on;
	double x;

	if (conf_is_none(v) || (conf_bool(v, &on) && !on))
		return true;
	conf_walk(&w, v);
	return conf_float(v, &x) ? x == off : conf_is_list(v) && !w.left;
}

/* A maximum that the positions of the model have anyway needs no note. */
static int
note_length(struct import *im, struct err *e)
{
	const struct conf *c = hf_search_conf(im);
	int64_t most = im->config.max_length;

	if (conf_has(c, "max_length") && conf_want_int(c, "max_length", 0, INT64_MAX, &most, e))
		return -1;
	if (most < im->config.max_length)
		import_note(im, "%s: max_length is %lld, which the search here does not have; see "
			    "--max-ratio and --max-extra of nmt-translate", c->name,
			    (long long)most);
	return 0;
}

/* The search here stops early; that of transformers does so only with early_stopping. */
static void
note_stopping(struct import *im)
{
	const struct conf_value v = conf_get(hf_search_conf(im), "early_stopping");
	bool early;

	if (im->recipe.beam > 1 && !(conf_bool(v, &early) && early))
		import_note(im, "%s: early_stopping is not true, but the search here stops when "
			    "%lld hypotheses are finished", hf_search_conf(im)->name,
			    (long long)im->recipe.beam);
}

/* A note of each setting of the search that heed does not have, unless it is off. */
static void
note_search(struct import *im, int pad)
{
	static const struct { const char *key; double off; } unread[] = {
		{ "bad_words_ids", 0 }, { "begin_suppress_tokens", 0 }, { "diversity_penalty", 0 },
		{ "do_sample", 0 }, { "encoder_no_repeat_ngram_size", 0 },
		{ "encoder_repetition_penalty", 1 }, { "exponential_decay_length_penalty", 0 },
		{ "force_words_ids", 0 }, { "forced_decoder_ids", 0 }, { "min_length", 0 },
		{ "max_new_tokens", 0 }, { "min_new_tokens", 0 }, { "no_repeat_ngram_size", 0 },
		{ "num_beam_groups", 1 },
		{ "penalty_alpha", 0 }, { "repetition_penalty", 1 }, { "sequence_bias", 0 },
		{ "suppress_tokens", 0 },
	};
	const struct conf *c = hf_search_conf(im);

	for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++) {
		const struct conf_value v = conf_get(c, unread[i].key);
		struct buf value = { 0 };

		if (is_off(v, unread[i].off) ||
		    (!i && im->hf->pad_first && is_row_only(v, pad)))
			continue;
		conf_show(v, &value);
		import_note(im, "%s: %s is %s, which the search here does not have", c->name,
			    unread[i].key, value.data);
		buf_release(&value);
	}
}

/* Is it a row, or nothing? */
static bool
is_row(struct conf_value v, int rows)
{
	int64_t i;

	return conf_is_none(v) || (conf_int(v, &i) && i >= 0 && i < rows);
}

/* What the search is forced to begin and end with are rows of the target; an end may be a list. */
static int
check_forced(const struct conf *c, int rows, struct err *e)
{
	static const char *const keys[] = { "forced_bos_token_id", "forced_eos_token_id" };
	char expected[60];

	snprintf(expected, sizeof(expected), "an integer from 0 to %d", rows - 1);
	for (int i = 0; c->name && i < 2; i++) {
		const struct conf_value v = conf_get(c, keys[i]);
		struct conf_value item;
		struct conf_walk w;
		struct str key;
		bool good = (i && conf_is_list(v)) || is_row(v, rows);

		for (conf_walk(&w, v); good && conf_next(&w, &key, &item);)
			good = is_row(item, rows);
		if (!good)
			return conf_refuse(c, keys[i], expected, e);
	}
	return 0;
}

/* Both files may have the tokens; transformers generates with those of generation_config.json. */
static void
note_other_tokens(struct import *im)
{
	static const char *const keys[] = {
		"pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id",
		"forced_bos_token_id"
	};
	int64_t one, other;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (conf_int(conf_get(&im->conf, keys[i]), &one) &&
		    conf_int(conf_get(&im->search, keys[i]), &other) && one != other)
			import_note(im, "%s: %s is %lld, and %lld in config.json, which is not "
				    "used", im->search.name, keys[i], (long long)other,
				    (long long)one);
}

int
hf_search_check(struct import *im, int rows, int pad, struct err *e)
{
	note_search(im, pad);
	note_stopping(im);
	note_other_tokens(im);
	return note_length(im, e) || check_forced(&im->conf, rows, e) ||
	       check_forced(&im->search, rows, e) ? -1 : 0;
}
