/* huggingface-search: the search settings of models of Hugging Face transformers. */
#ifndef HUGGINGFACE_SEARCH_H
#define HUGGINGFACE_SEARCH_H

#include "convert/import.h"

/* conf_want_int() of a setting that config.json and generation_config.json may have, or null. */
int hf_want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
		   struct err *e) MUST_USE;

/* transformers reads the settings of a search from config.json only without the other file. */
const struct conf *hf_search_conf(const struct import *im);
/* Fills im->recipe. */
int hf_search_read(struct import *im, struct err *e) MUST_USE;

/*
 * Checks the tokens that the search is forced to generate, which are rows of the target embeddings,
 * and notes settings that the search of heed does not have.  `pad`: the row of padding.
 */
int hf_search_check(struct import *im, int rows, int pad, struct err *e) MUST_USE;

#endif
