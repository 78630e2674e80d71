/*
 * huggingface-t5: reads T5 and its successors T5 1.1, FLAN-T5, mT5, ByT5, MADLAD-400 and UMT5 from
 * folders of Hugging Face transformers.
 */
#ifndef HUGGINGFACE_T5_H
#define HUGGINGFACE_T5_H

#include "convert/import.h"

/* Files of the folder: the SentencePiece model; the settings of the tokenizer. */
#define T5_SPM "spiece.model"
#define TOKENIZER_CONFIG "tokenizer_config.json"
/*
 * Returns the name of the tensor with the relative position biases of a layer, from 0, of the
 * encoder or the decoder.  The second function returns the name of its parameter; unless
 * `per_layer`, all layers have the same.  The caller frees the names.
 */
char *t5_bias_tensor(bool decoder, int64_t layer);
char *t5_bias_param(bool per_layer, bool decoder, int64_t layer);

/*
 * Reads the settings of config.json into im->config, except those of vocabularies and of the
 * search.  This and the next three functions return -1 with EXIT_INPUT if a setting, an entry or a
 * tensor is malformed or missing, or is one that heed does not support.
 */
int hf_t5_read(struct import *im, struct err *e) MUST_USE;
/*
 * Adds the entries <extra_id_0>, <extra_id_1>, ... to im->ids[side], which has the entries of the
 * SentencePiece model.  They get the rows after these entries, in descending order: <extra_id_0>
 * has the highest row.  `rows` is the number of rows of the embeddings.  Adds nothing if there are
 * not enough rows for all of them, or if the user named a vocabulary.
 */
int hf_t5_extra_ids(struct import *im, int side, int rows, struct err *e) MUST_USE;
/*
 * Sets im->ids[side] to the vocabulary of ByT5 (ids_bytes() in ids.h) for embeddings with `rows`
 * rows.  Also returns -1 with EXIT_USAGE if the user named a vocabulary.
 */
int hf_byt5_ids(struct import *im, int side, int rows, struct err *e) MUST_USE;
/* Maps all tensors to parameters of im->m, except the tables of embeddings and of the output. */
int hf_t5_map(struct import *im, struct err *e) MUST_USE;

#endif
