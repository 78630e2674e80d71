/*
 * bleu-sentence: the sufficient statistics of BLEU for a sentence; functions of struct metric,
 * metric.h.
 */
#ifndef BLEU_SENTENCE_H
#define BLEU_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

void *bleu_sentence_open(const void *bleu);
void bleu_sentence_close(void *scratch);
void bleu_sentence_reference(void *scratch, size_t k, const char *s, size_t n);
/* `stats`: [BLEU_WIDTH] */
void bleu_sentence_hypothesis(void *scratch, const char *s, size_t n, int32_t *stats);

#endif
