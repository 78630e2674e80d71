/* spm-none: for builds without libsentencepiece; see spm-lib.h. */
#include <stdio.h>

#include "bpe/spm-lib.h"

int
spm_lib_check(char why[SPM_WHY])
{
	snprintf(why, SPM_WHY, "SentencePiece needs libsentencepiece, expected a build with it");
	return -1;
}

int
spm_lib_open(struct spm_lib **l, const void *p, size_t n, char why[SPM_WHY])
{
	(void)p, (void)n;
	*l = NULL;
	return spm_lib_check(why);
}

void
spm_lib_close(struct spm_lib *l)
{
	(void)l;
}

int
spm_lib_encode(const struct spm_lib *l, const char *s, size_t n, spm_lib_add *add, void *arg,
	       char why[SPM_WHY])
{
	(void)l, (void)s, (void)n, (void)add, (void)arg;
	return spm_lib_check(why);
}

int
spm_lib_sample(const struct spm_lib *l, const char *s, size_t n, double alpha, uint32_t seed,
	       spm_lib_add *add, void *arg, char why[SPM_WHY])
{
	(void)l, (void)s, (void)n, (void)alpha, (void)seed, (void)add, (void)arg;
	return spm_lib_check(why);
}

int
spm_lib_nbest(const struct spm_lib *l, const char *s, size_t n, int nbest, double alpha, double u,
	      spm_lib_add *add, void *arg, char why[SPM_WHY])
{
	(void)l, (void)s, (void)n, (void)nbest, (void)alpha, (void)u, (void)add, (void)arg;
	return spm_lib_check(why);
}

int
spm_lib_decode(const struct spm_lib *l, const char *const *s, const size_t *n, size_t count,
	       spm_lib_add *add, void *arg, char why[SPM_WHY])
{
	(void)l, (void)s, (void)n, (void)count, (void)add, (void)arg;
	return spm_lib_check(why);
}

int
spm_lib_train(const struct spm_lib_training *t, const char *lines, size_t n, spm_lib_add *add,
	      void *arg, char why[SPM_WHY])
{
	(void)t, (void)lines, (void)n, (void)add, (void)arg;
	return spm_lib_check(why);
}
