/* spm-lib-train: the trainer of libsentencepiece, which is a library of its own; see spm-lib.h. */
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>

#include <sentencepiece_trainer.h>

#include "bpe/spm-guard.h"
#include "bpe/spm-lib.h"

/* The lines of a text in memory. */
struct spm_lib_lines : sp::SentenceIterator {
	const char *at, *end;
	std::string line;
	bool over = false;

	spm_lib_lines(const char *s, size_t n) : at(s), end(s + n) { Next(); }
	bool done() const override { return over; }
	const std::string &value() const override { return line; }
	sp::util::Status status() const override { return sp::util::Status(); }

	void Next() override
	{
		over = at == end;
		if (over)
			return;
		const void *found = memchr(at, '\n', static_cast<size_t>(end - at));
		const char *to = found ? static_cast<const char *>(found) : end;

		line.assign(at, to);
		at = found ? to + 1 : end;
	}
};

int
spm_lib_train(const spm_lib_training *t, const char *lines, size_t n, spm_lib_add *add, void *arg,
	      char *why)
{
	return spm_lib_guard(why, [&] {
		const std::unordered_map<std::string, std::string> options = {
			{ "model_type", t->type },
			{ "vocab_size", std::to_string(t->size) },
			{ "character_coverage", std::to_string(t->coverage) },
			{ "normalization_rule_name", t->normalization },
			{ "hard_vocab_limit", "false" }, { "num_threads", "1" },
			{ "minloglevel", "2" }
		};
		spm_lib_lines all(lines, n);
		std::string model;
		const auto status = sp::SentencePieceTrainer::Train(options, &all, &model);

		if (status.ok())
			add(arg, model.data(), model.size(), 0);
		return status;
	});
}
