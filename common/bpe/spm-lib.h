/*
 * spm-lib: an interface in C to libsentencepiece, which is in C++.  Use spm.h instead, which checks
 * models first.
 *
 * spm-lib.cc implements the functions if the library is installed when heed is built.  Otherwise,
 * the functions of spm-none.c replace them, which all fail.  The functions throw no exceptions.
 * They return 0, or -1 with a message in `why`.
 */
#ifndef SPM_LIB_H
#define SPM_LIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPM_WHY = 256 };			/* bytes of a message */
struct spm_lib;				/* a model */

/*
 * A function that is called with a subword or another text of n bytes at s.  A subword begins at
 * byte `begin` of the segmented text; for other texts, `begin` is 0.  `arg` is the caller's.
 */
typedef void spm_lib_add(void *arg, const char *s, size_t n, size_t begin);

/* Returns 0, or -1 if heed is built without the library. */
int spm_lib_check(char why[SPM_WHY]);
/* Opens a model, whose file has the n bytes at p, and sets *l to it.  The bytes are copied. */
int spm_lib_open(struct spm_lib **l, const void *p, size_t n, char why[SPM_WHY]);
void spm_lib_close(struct spm_lib *l);

/* Calls `add` for each subword of the text of n bytes at s, in the best segmentation. */
int spm_lib_encode(const struct spm_lib *l, const char *s, size_t n, spm_lib_add *add, void *arg,
		   char why[SPM_WHY]);
/*
 * The same, but with a random segmentation (struct spm_sampling in spm.h: all segmentations of a
 * unigram model, or dropout).  The library's own random numbers are a function of `seed`.  Threads
 * that call this function wait for each other.
 */
int spm_lib_sample(const struct spm_lib *l, const char *s, size_t n, double alpha, uint32_t seed,
		   spm_lib_add *add, void *arg, char why[SPM_WHY]);
/*
 * The same for a unigram model, with a segmentation drawn from the `nbest` segmentations with the
 * highest scores, which are logarithms of probabilities.  A segmentation with score x is drawn with
 * a probability proportional to exp(alpha x).  `u` is a uniform random number in [0, 1), which
 * selects the segmentation.
 */
int spm_lib_nbest(const struct spm_lib *l, const char *s, size_t n, int nbest, double alpha,
		  double u, spm_lib_add *add, void *arg, char why[SPM_WHY]);
/*
 * Calls `add` once, with the text that `count` subwords restore; subword i has n[i] bytes at s[i].
 */
int spm_lib_decode(const struct spm_lib *l, const char *const *s, const size_t *n, size_t count,
		   spm_lib_add *add, void *arg, char why[SPM_WHY]);
/*
 * Trains a model on `lines`, n bytes of lines that all end with a newline, and calls `add` once,
 * with the bytes of the model's file.  struct spm_train in spm.h explains the settings.
 */
struct spm_lib_training {
	const char *type, *normalization;	/* the library's names; the type may be char */
	int64_t size;
	double coverage;
};
int spm_lib_train(const struct spm_lib_training *t, const char *lines, size_t n, spm_lib_add *add,
		  void *arg, char why[SPM_WHY]);

#ifdef __cplusplus
}
#endif
#endif
