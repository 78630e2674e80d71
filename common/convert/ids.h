/*
 * ids: a vocabulary of another toolkit: a text for each row of its embeddings.
 *
 * Read from vocab.yml or vocab.json (a map from texts to numbers, or a list of texts), a list of
 * texts, one a line (Marian, CTranslate2), dict.txt of fairseq (a text and a count a line, after
 * <s>, <pad>, </s> and <unk>), tokenizer.json of Hugging Face, or the entries of a SentencePiece
 * model.
 */
#ifndef IDS_H
#define IDS_H

#include "base/err.h"
#include "base/strmap.h"
#include "exchange/conf.h"

struct ids {
	char *name;			/* of the file */
	struct strmap texts;
	int *of_text;			/* [texts.n] the row of each text */
	size_t room;
	int rows;			/* one more than the highest row */
};

void ids_init(struct ids *v);
void ids_release(struct ids *v);

/* The structure that a .json or .yml file must have. */
enum ids_kind { IDS_ANY, IDS_MAP, IDS_LIST, IDS_TOKENIZER };

/*
 * Overwrites v with the file at `path`, read by its name, as .json, .yml, .spm or .model, or else
 * as lines of text.  Each row must be below `rows`.  Returns -1 with EXIT_INPUT, naming the file,
 * if it is not of the kind, has no entries, or has a text or a row twice.  Release v in any case.
 */
int ids_open(struct ids *v, const char *path, enum ids_kind kind, int rows,
	     struct err *e) MUST_USE;

/*
 * The same from contents that have already been read, for v that was initialized by ids_init() and
 * is empty.  `name`, which is copied, is that of the file.
 */
int ids_conf(struct ids *v, struct conf_value map, const char *name, int rows,
	     struct err *e) MUST_USE;
int ids_spm(struct ids *v, const char *name, const void *p, size_t n, int rows,
	    struct err *e) MUST_USE;
/*
 * How lines of text are read.  IDS_PLAIN: a carriage return before the line end is not part of the
 * entry.  IDS_COUNTS: as dict.txt of fairseq.  IDS_EXACT: as CTranslate2 reads them, where a
 * carriage return is part of the entry unless every line has one.
 */
enum ids_form { IDS_PLAIN, IDS_COUNTS, IDS_EXACT };
int ids_lines(struct ids *v, const char *name, const char *text, size_t n, enum ids_form form,
	      int rows, struct err *e) MUST_USE;
/*
 * The entries of ByT5: <pad>, </s>, <unk>, the 256 bytes (bytes.h), and those of `decoder`, the
 * added_tokens_decoder of a tokenizer; without that, as many extra ids as there are rows for, at
 * most `extra`.
 */
int ids_bytes(struct ids *v, const char *name, struct conf_value decoder, int64_t extra, int rows,
	      struct err *e) MUST_USE;
/* tokenizer.json of Hugging Face, whose name is c->name. */
int ids_tokenizer(struct ids *v, const struct conf *c, int rows, struct err *e) MUST_USE;

/*
 * Adds an entry.  Fails with EXIT_INPUT, without the file's name, for a duplicate or a row that is
 * not below rows.
 */
int ids_add(struct ids *v, const char *text, size_t n, int64_t row, int rows,
	    struct err *e) MUST_USE;

int ids_row(const struct ids *v, const char *text);	/* the row of a text, or -1 */

/*
 * Returns [rows], which the caller frees: the text of each row, as an index of v->texts; -1 for a
 * row without a text, such as those from v->rows on.
 */
int *ids_by_row(const struct ids *v, int rows);

#endif
