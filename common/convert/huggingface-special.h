/*
 * huggingface-special: the special tokens of a folder of Hugging Face transformers: which rows they
 * are, and which of them begin sources and targets.
 *
 * The files say it twice: config.json and generation_config.json in numbers, and
 * special_tokens_map.json and tokenizer.json in texts.  They must agree.
 */
#ifndef HUGGINGFACE_SPECIAL_H
#define HUGGINGFACE_SPECIAL_H

#include "convert/huggingface-vocab.h"

/* Rows.  start is what the decoder reads first; forced, what it must produce first, or -1. */
struct hf_special { int pad, bos, eos, unk, start, forced; };

/* The numbers; unk is -1. */
int hf_special_read(const struct import *im, int rows, struct hf_special *s,
		    struct err *e) MUST_USE;
/*
 * Compares them with the texts, by the vocabulary of the side; fills s->unk and im->first_row.
 */
int hf_special_check(struct import *im, int side, struct hf_special *s, struct err *e) MUST_USE;

#endif
