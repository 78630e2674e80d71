/* spm-lib: see spm-lib.h. */
#include "bpe/spm-guard.h"
#include "bpe/spm-lib.h"

#include <cmath>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sentencepiece_processor.h>

struct spm_lib { sp::SentencePieceProcessor processor; };

int
spm_lib_check(char *)
{
	return 0;
}

int
spm_lib_open(struct spm_lib **l, const void *p, size_t n, char *why)
{
	*l = nullptr;
	const int r = spm_lib_guard(why, [&] {
		*l = new spm_lib;
		return (*l)->processor.LoadFromSerializedProto({ static_cast<const char *>(p), n });
	});
	if (r) {
		delete *l;
		*l = nullptr;
	}
	return r;
}

void
spm_lib_close(struct spm_lib *l)
{
	delete l;
}

static void
spm_lib_give(const sp::ImmutableSentencePieceText &text, spm_lib_add *add, void *arg)
{
	for (const auto &subword : text.pieces())
		add(arg, subword.piece().data(), subword.piece().size(), subword.begin());
}

int
spm_lib_encode(const struct spm_lib *l, const char *s, size_t n, spm_lib_add *add, void *arg,
	       char *why)
{
	return spm_lib_guard(why, [&] {
		sp::ImmutableSentencePieceText text;
		const auto status = l->processor.Encode({ s, n }, text.mutable_proto());

		spm_lib_give(text, add, arg);
		return status;
	});
}

/*
 * The library has a generator of random numbers for each thread, which begins with the seed that is
 * set when the thread first samples.  So each text has a thread of its own.
 */
int
spm_lib_sample(const struct spm_lib *l, const char *s, size_t n, double alpha, uint32_t seed,
	       spm_lib_add *add, void *arg, char *why)
{
	static std::mutex one_at_a_time;

	return spm_lib_guard(why, [&] {
		const std::lock_guard<std::mutex> lock(one_at_a_time);
		sp::ImmutableSentencePieceText text;
		char said[SPM_WHY] = "";
		int r = 0;

		sp::SetRandomGeneratorSeed(seed);
		std::thread([&] {
			r = spm_lib_guard(said, [&] {
				return l->processor.SampleEncode({ s, n }, -1,
								 static_cast<float>(alpha),
								 text.mutable_proto());
			});
		}).join();
		if (r)
			return sp::util::Status(sp::util::StatusCode::kInternal, said);
		spm_lib_give(text, add, arg);
		return sp::util::Status();
	});
}

/*
 * The library's own choice computes exp(alpha x) in single precision, which is 0 for sentences of
 * some thirty subwords and alpha 0.5.
 */
static size_t
spm_lib_choose(const std::vector<sp::ImmutableSentencePieceText> &best, double alpha, double u)
{
	std::vector<double> sum;
	double total = 0;

	for (const auto &text : best)	/* the first has the highest score */
		sum.push_back(total += std::exp(alpha * (static_cast<double>(text.score()) -
							 static_cast<double>(best[0].score()))));
	size_t i = 0;
	while (i + 1 < sum.size() && sum[i] <= u * total)
		i++;
	return i;
}

int
spm_lib_nbest(const struct spm_lib *l, const char *s, size_t n, int nbest, double alpha, double u,
	      spm_lib_add *add, void *arg, char *why)
{
	return spm_lib_guard(why, [&] {
		sp::ImmutableNBestSentencePieceText all;
		const auto status = l->processor.NBestEncode({ s, n }, nbest, all.mutable_proto());
		const auto best = all.nbests();

		if (!best.empty())
			spm_lib_give(best[spm_lib_choose(best, alpha, u)], add, arg);
		return status;
	});
}

int
spm_lib_decode(const struct spm_lib *l, const char *const *s, const size_t *n, size_t count,
	       spm_lib_add *add, void *arg, char *why)
{
	return spm_lib_guard(why, [&] {
		std::vector<std::string> subwords;
		std::string text;

		for (size_t i = 0; i < count; i++)
			subwords.emplace_back(s[i], n[i]);
		const auto status = l->processor.Decode(subwords, &text);

		add(arg, text.data(), text.size(), 0);
		return status;
	});
}
