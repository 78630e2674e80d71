/*
 * huggingface-search: the search settings of models of Hugging Face transformers.
 *
 * The settings are in config.json and generation_config.json.  The numbers of special tokens may be
 * in either file; hf_want_search() reads both.  All other settings are read only from the file that
 * hf_search_conf() returns, as in transformers.
 */
#ifndef HUGGINGFACE_SEARCH_H
#define HUGGINGFACE_SEARCH_H

#include "convert/import.h"

/*
 * Sets *v to the number of a special token: to the setting `key`, an integer from `min` to `max`.
 * If both files have the setting, that of generation_config.json is used; null counts as absent.
 * *v is unchanged if neither file has the setting.  Returns -1 with the error of conf_want_int()
 * (exchange/conf.h) if the value in either file is invalid.
 */
int hf_want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
		   struct err *e) MUST_USE;

/*
 * Returns the file with all other search settings: generation_config.json if it exists, even if it
 * lacks a setting that config.json has; otherwise config.json.
 */
const struct conf *hf_search_conf(const struct import *im);
/*
 * Sets the members of im->recipe for the search: search, beam, length_penalty and count_first.
 * Returns -1 with EXIT_INPUT if num_beams is not an integer from 1 to 1000, or length_penalty is
 * not a number from 0 to 1000.
 */
int hf_search_read(struct import *im, struct err *e) MUST_USE;

/*
 * Calls import_note() for each setting that the search of heed does not have.  `rows` is the number
 * of rows of the target embeddings, and `pad` the row of the padding token.  Returns -1 with
 * EXIT_INPUT if max_length is not an integer of at least 0.  Also checks the tokens that the search
 * is forced to generate, in both files: forced_bos_token_id and forced_eos_token_id.  Returns -1
 * with EXIT_INPUT if one of them is not the number of a row.
 */
int hf_search_check(struct import *im, int rows, int pad, struct err *e) MUST_USE;

#endif
