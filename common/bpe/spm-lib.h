/*
 * spm-lib: libsentencepiece, which is C++, for C.  Use spm.h instead, which checks models first.
 *
 * spm-lib.cc is built if the library is there, spm-none.c otherwise.  No exception leaves these
 * functions.  They return 0, or -1 with a message in why.
 */
#ifndef SPM_LIB_H
#define SPM_LIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPM_WHY = 256 };
struct spm_lib;

/* A function that is called with a text of n bytes, which begins at byte `begin` of the input. */
typedef void spm_lib_add(void *arg, const char *s, size_t n, size_t begin);

/* Returns 0, or -1 if the program is built without the library. */
int spm_lib_check(char why[SPM_WHY]);
/* Opens a model, given the bytes of its file. */
int spm_lib_open(struct spm_lib **l, const void *p, size_t n, char why[SPM_WHY]);
void spm_lib_close(struct spm_lib *l);

/* Calls `add` for each subword of the text. */
int spm_lib_encode(const struct spm_lib *l, const char *s, size_t n, spm_lib_add *add, void *arg,
		   char why[SPM_WHY]);
/*
 * The same for a random segmentation, with the library's own random numbers, which are a function
 * of `seed`.  Threads wait for each other.
 */
int spm_lib_sample(const struct spm_lib *l, const char *s, size_t n, double alpha, uint32_t seed,
		   spm_lib_add *add, void *arg, char why[SPM_WHY]);
/*
 * The same for one of the `nbest` segmentations with the highest scores x, by a unigram model.
 * Their probabilities are proportional to exp(alpha x); u, a uniform random number in [0, 1),
 * chooses one.
 */
int spm_lib_nbest(const struct spm_lib *l, const char *s, size_t n, int nbest, double alpha,
		  double u, spm_lib_add *add, void *arg, char why[SPM_WHY]);
/* Calls `add` once, with the text of `count` subwords; subword i has n[i] bytes at s[i]. */
int spm_lib_decode(const struct spm_lib *l, const char *const *s, const size_t *n, size_t count,
		   spm_lib_add *add, void *arg, char why[SPM_WHY]);
/*
 * Calls `add` once, with the bytes of a model trained on n bytes of lines, each with a newline; see
 * spm.h.
 */
struct spm_lib_training {
	const char *type, *normalization;	/* the library's names */
	int64_t size;
	double coverage;
};
int spm_lib_train(const struct spm_lib_training *t, const char *lines, size_t n, spm_lib_add *add,
		  void *arg, char why[SPM_WHY]);

#ifdef __cplusplus
}
#endif
#endif
