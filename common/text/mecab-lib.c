/* mecab-lib: libmecab; see mecab.h. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <mecab.h>

#include "text/mecab.h"

/*
 * sacreBLEU requires the number of entries that the dictionary of PyPI's package ipadic has.
 * Debian's has one more; both segmented 10,000 sentences of help texts alike.
 */
enum { IPADIC = 392126, IPADIC_DEBIAN = 392127 };

/* A tagger of the library is for one thread at a time. */
static struct { mecab_t *tagger; pthread_mutex_t busy; } mecab = {
	.busy = PTHREAD_MUTEX_INITIALIZER
};

static int
check_dictionary(const mecab_dictionary_info_t *d, struct err *e)
{
	if (d && !d->next && (d->size == IPADIC || d->size == IPADIC_DEBIAN) &&
	    (!strcasecmp(d->charset, "UTF-8") || !strcasecmp(d->charset, "utf8")))
		return 0;
	if (d)
		err_set(e, EXIT_USAGE, "MeCab has %s of %u entries in %s, expected the IPA "
			"dictionary alone: %d entries in UTF-8",
			d->next ? "a user dictionary, and one" : "a dictionary", d->size,
			d->charset, IPADIC);
	else
		err_set(e, EXIT_USAGE, "MeCab has no dictionary, expected the IPA dictionary");
	err_hint(e, "install mecab-ipadic-utf8, and choose it with: update-alternatives --config "
		 "mecab-dictionary");
	return -1;
}

int
mecab_ready(struct err *e)
{
	mecab_t *tagger;

	if (mecab.tagger)
		return 0;
	tagger = mecab_new2("-Owakati");
	if (!tagger) {
		err_set(e, EXIT_USAGE, "libmecab: %s", mecab_strerror(NULL));
		err_hint(e, "install mecab-ipadic-utf8");
		return -1;
	}
	if (check_dictionary(mecab_dictionary_info(tagger), e)) {
		mecab_destroy(tagger);
		return -1;
	}
	mecab.tagger = tagger;
	return 0;
}

void
mecab_words(const char *s, size_t n, struct buf *out)
{
	const char *words;
	size_t end;

	pthread_mutex_lock(&mecab.busy);
	words = mecab_sparse_tostr2(mecab.tagger, s, n);
	if (!words)
		bug("libmecab: %s", mecab_strerror(mecab.tagger));
	for (end = strlen(words); end && strchr(" \n", words[end - 1]); end--)
		;
	buf_add(out, words, end);
	pthread_mutex_unlock(&mecab.busy);
}

const char *
mecab_signature(void)
{
	static char name[64];

	if (!*name)
		snprintf(name, sizeof(name), "ja-mecab-%s-IPA", mecab_version());
	return name;
}
