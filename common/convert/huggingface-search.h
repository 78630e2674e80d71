/* huggingface-search: the search settings of models of Hugging Face transformers. */
#ifndef HUGGINGFACE_SEARCH_H
#define HUGGINGFACE_SEARCH_H

#include "convert/import.h"

/*
 * conf_want_int() for a setting that may be in config.json and in generation_config.json, which
 * wins; null counts as absent.
 */
int hf_want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
		   struct err *e) MUST_USE;

/*
 * The file with the search settings: generation_config.json if it exists, otherwise config.json, as
 * in transformers.
 */
const struct conf *hf_search_conf(const struct import *im);
/* Fills im->recipe. */
int hf_search_read(struct import *im, struct err *e) MUST_USE;

/*
 * Checks the tokens that the search is forced to generate, which are rows of the target embeddings,
 * and notes settings that the search of heed does not have.  `rows` is the number of rows, and
 * `pad` the row of the padding token.
 */
int hf_search_check(struct import *im, int rows, int pad, struct err *e) MUST_USE;

#endif
