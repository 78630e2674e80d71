/*
 * huggingface-t5: T5 and its successors in folders of Hugging Face transformers: T5 1.1, FLAN-T5,
 * mT5, MADLAD-400 and UMT5.
 */
#ifndef HUGGINGFACE_T5_H
#define HUGGINGFACE_T5_H

#include "convert/import.h"

#define T5_SPM "spiece.model"
#define T5_TOKENIZER "tokenizer_config.json"
/* The name of the tensor of the biases of a layer, from 0; the caller frees it. */
char *t5_bias_tensor(bool decoder, int64_t layer);

/*
 * Reads the settings of config.json into im->config, except those of vocabularies and of the
 * search.  This function and the next three return -1 with EXIT_INPUT for settings, entries and
 * tensors that are malformed, that are missing, or that heed does not have.
 */
int hf_t5_read(struct import *im, struct err *e) MUST_USE;
/*
 * Adds the entries <extra_id_0>, <extra_id_1>, ... after those of the SentencePiece model, in
 * descending order: <extra_id_0> has the highest row.
 */
int hf_t5_extra_ids(struct import *im, int side, int rows, struct err *e) MUST_USE;
/* The vocabulary of ByT5, see ids_bytes(); -1 with EXIT_USAGE if the user named a vocabulary. */
int hf_byt5_ids(struct import *im, int side, int rows, struct err *e) MUST_USE;
/* Maps all tensors but the tables of embeddings and of the output. */
int hf_t5_map(struct import *im, struct err *e) MUST_USE;

#endif
