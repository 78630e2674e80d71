/*
 * huggingface-search: the search settings of models of Hugging Face transformers.
 *
 * They are in config.json and generation_config.json.  The numbers of special tokens may be in
 * either file: hf_want_search().  All other settings, including the tokens that the search is
 * forced to generate, are read from one file only, as in transformers: hf_search_conf().
 */
#ifndef HUGGINGFACE_SEARCH_H
#define HUGGINGFACE_SEARCH_H

#include "convert/import.h"

/*
 * conf_want_int() for the number of a special token.  If both files have the setting,
 * generation_config.json wins; null counts as absent.  The value in config.json must be valid even
 * then.
 */
int hf_want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
		   struct err *e) MUST_USE;

/*
 * The file with all other search settings: generation_config.json if it exists, even if it lacks a
 * setting that config.json has; otherwise config.json.
 */
const struct conf *hf_search_conf(const struct import *im);
/*
 * Sets search, beam, length_penalty and count_first of im->recipe; the other members are those of
 * training.  Returns -1 with EXIT_INPUT if num_beams is not an integer from 1 to 1000, or
 * length_penalty not a number from 0 to 1000.
 */
int hf_search_read(struct import *im, struct err *e) MUST_USE;

/*
 * Notes (import_note()) settings that the search of heed does not have.  `rows` is the number of
 * rows of the target embeddings, and `pad` the row of the padding token.  Returns -1 with
 * EXIT_INPUT if a token that the search is forced to generate, forced_bos_token_id or
 * forced_eos_token_id of either file, is not one of these rows, or if max_length is not an integer
 * of at least 0.
 */
int hf_search_check(struct import *im, int rows, int pad, struct err *e) MUST_USE;

#endif
