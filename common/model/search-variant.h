/*
 * search-variant: the kinds of beam search that a model file can name.  search/search.h describes
 * each.
 */
#ifndef SEARCH_VARIANT_H
#define SEARCH_VARIANT_H

enum search_variant { SEARCH_FAIRSEQ, SEARCH_GNMT, SEARCH_ONMT, SEARCH_VOITA, SEARCH_MARIAN };
extern const char *const search_variants[];	/* names, NULL-terminated */

#endif
