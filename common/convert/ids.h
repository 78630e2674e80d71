/*
 * ids: a vocabulary of another toolkit: the texts of the rows of its embeddings.  Rows count from
 * 0.
 *
 * The vocabulary can be read from these files: vocab.yml or vocab.json, a map from texts to row
 * numbers or a list of texts; lines with one text each (Marian, CTranslate2); dict.txt of fairseq,
 * lines with a text and a count, before which <s>, <pad>, </s> and <unk> have the first rows;
 * tokenizer.json of Hugging Face; a SentencePiece model, whose entries are the texts.
 */
#ifndef IDS_H
#define IDS_H

#include "base/err.h"
#include "base/strmap.h"
#include "exchange/conf.h"

struct ids {
	char *name;			/* of the file, for messages */
	struct strmap texts;
	int *of_text;			/* [texts.n] the row of each text */
	size_t room;
	int rows;			/* the highest row that has a text, plus 1 */
};

void ids_release(struct ids *v);

/* The structure that a .json or .yml file must have. */
enum ids_kind { IDS_ANY, IDS_MAP, IDS_LIST, IDS_TOKENIZER };

/*
 * Initializes v with the vocabulary in the file at `path`; does not free earlier contents.  The
 * ending of the name, .json, .yml, .yaml, .spm or .model, determines the format; other files are
 * lines of text.  `rows` is the number of rows of the embeddings.  Returns -1 with EXIT_INPUT and
 * the name of the file if a .json or .yml file is not of this kind, or if the file has no entries,
 * a text or a row twice, or a row of `rows` or more.  Call ids_release() in any case.
 */
int ids_open(struct ids *v, const char *path, enum ids_kind kind, int rows,
	     struct err *e) MUST_USE;

/*
 * The functions up to ids_tokenizer() do the same with contents that have already been read.  v
 * must be empty, such as a struct of zeros.  `name` is the name of the file, and is copied.
 * ids_conf() takes a map from texts to rows, ids_spm() the n bytes of a SentencePiece model.
 */
int ids_conf(struct ids *v, struct conf_value map, const char *name, int rows,
	     struct err *e) MUST_USE;
int ids_spm(struct ids *v, const char *name, const void *p, size_t n, int rows,
	    struct err *e) MUST_USE;
/*
 * ids_lines() takes n bytes of lines.  IDS_PLAIN: a line is a text, and a carriage return before
 * the line end is not part of the text.  IDS_COUNTS: as in dict.txt of fairseq.  IDS_EXACT: as
 * CTranslate2 reads lines, where a carriage return is part of the text unless every line ends with
 * one.
 */
enum ids_form { IDS_PLAIN, IDS_COUNTS, IDS_EXACT };
int ids_lines(struct ids *v, const char *name, const char *text, size_t n, enum ids_form form,
	      int rows, struct err *e) MUST_USE;
/*
 * The vocabulary of ByT5: <pad>, </s>, <unk>, the 256 bytes (bpe/bytes.h), and then the entries of
 * `decoder`, the added_tokens_decoder of a tokenizer.  Without `decoder`, the entries <extra_id_0>,
 * <extra_id_1>, ... follow instead, at most `extra` and as many as there are rows for.
 */
int ids_bytes(struct ids *v, const char *name, struct conf_value decoder, int64_t extra, int rows,
	      struct err *e) MUST_USE;
/*
 * Adds to a vocabulary the tokens in `map`, the added_tokens_decoder of a tokenizer.  Returns -1
 * with EXIT_INPUT also if they contradict the vocabulary; the message does not name the file.
 */
int ids_decoder(struct ids *v, struct conf_value map, int rows, struct err *e) MUST_USE;
/* The vocabulary in a tokenizer.json of Hugging Face; c->name is the name of the file. */
int ids_tokenizer(struct ids *v, const struct conf *c, int rows, struct err *e) MUST_USE;

/*
 * Adds a text of n bytes with its row.  Returns -1 with EXIT_INPUT if the text is a duplicate, or
 * if the row is not from 0 to `rows` - 1; the message does not name the file.
 */
int ids_add(struct ids *v, const char *text, size_t n, int64_t row, int rows,
	    struct err *e) MUST_USE;

int ids_row(const struct ids *v, const char *text);	/* the row of a text, or -1 */

/*
 * Returns an array [rows], which the caller frees, with the text of each row, as a number of
 * v->texts.  Rows without a text, such as those from v->rows on, have -1.
 */
int *ids_by_row(const struct ids *v, int rows);

#endif
