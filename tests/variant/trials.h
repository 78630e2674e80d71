/*
 * trials: the cases of all variants, on sentences with all fields that they need.  Each test file
 * is one program and includes this at most once.
 *
 * The variants are those of common/attention, and the example of attention(3).  HEED_VARIANT=NAME
 * runs the cases of one variant only, which may also be one of planted.h.
 */
#ifndef TRIALS_H
#define TRIALS_H

#include "checks.h"

#include "planted.h"
#include "stream/stream.h"

/* All pairs of tokens are linked in the fields of trees. */
static bool all_linked;

/* Artificial trees: values computed from the sentence's number. */
static uint32_t
made_up(int64_t number, int what, int i, int j)
{
	const uint64_t all = (uint64_t)number << 32 ^ (uint64_t)what << 24 ^ (uint64_t)i << 12;

	return rng_key(all ^ (uint64_t)j) >> 4;
}

/* Two subwords per word, and a tree in which heads are earlier words, or always the next word. */
static void
annotate_side(struct record *rec, int64_t number, bool source, int n)
{
	int32_t word[16], head[16];
	const int words = (n + 1) / 2;

	for (int i = 0; i < n; i++)
		word[i] = i / 2;
	for (int w = 0; w < words; w++)
		head[w] = number % 2 ? w + 1 < words ? w + 2 : 0
			: w ? (int32_t)(made_up(number, source, w, 0) % (uint32_t)w) + 1 : 0;
	record_set_ints(rec, source ? "src.word" : "tgt.word", word, (size_t)n);
	record_set_ints(rec, source ? "src.heads" : "tgt.heads", head, (size_t)words);
}

static size_t
n_in_library(void)
{
	size_t n = 0;

	while (attention_variants[n])
		n++;
	return n;
}

/* The variants of the tests: those of the library, then those of planted.h; NULL at the end. */
static const struct attention_variant *
variant_at(size_t i)
{
	const size_t n = n_in_library();

	return i < n ? attention_variants[i] : attention_extra[i - n];
}

/*
 * A field that only a new variant knows, by its type: bits and small numbers for pairs of subwords,
 * zeros and ones for subwords.  For other fields, add values to annotate().
 */
static void
set_field(struct record *rec, int64_t number, const struct field *f, int src, int tgt)
{
	const int n = strncmp(f->name, "tgt", 3) ? src : tgt;
	const bool bits = !strncmp(f->type, "bits", 4);
	unsigned char pairs[16 * 16];
	int32_t ints[16];

	for (int i = 0; i < n; i++)
		ints[i] = (int32_t)made_up(number, 5, i, 0) % 2;
	for (int i = 0; i < n * n; i++)
		pairs[i] = bits ? 255 : made_up(number, 6, i, 0) % 2;
	if (!strcmp(f->type, "[int]"))
		record_set_ints(rec, f->name, ints, (size_t)n);
	else if (strchr(f->type, ','))
		set_pairs(rec, f->name, bits ? TENSOR_BITS : TENSOR_I8, n, pairs);
}

/* Sets the fields of new variants: those that annotate() does not know. */
static void
set_new_fields(struct record *rec, int64_t number, const struct field *f, int src, int tgt)
{
	static const char known[] = "src.dep src.phrase src.relation src.heads src.word tgt.heads "
				    "tgt.word alignment";

	for (; f && f->name; f++)
		if (!strstr(known, f->name))
			set_field(rec, number, f, src, tgt);
}

/* A link for each target word except the last, and a second one for the first. */
static void
annotate_links(struct record *rec, int64_t number, int src, int tgt)
{
	const int from = (src + 1) / 2, to = (tgt + 1) / 2;
	char text[64] = "";
	size_t n = 0;

	for (int v = 0; v + 1 < to || v < 1; v++)
		if (from && to)
			n += (size_t)sprintf(text + n, " %d-%d", (int)(made_up(number, 7, v, 0) %
					     (uint32_t)from), v);
	if (from > 1 && to)
		n += (size_t)sprintf(text + n, " %d-0 1p0", from - 1);
	record_set_str(rec, "alignment", text, n);
}

/* All sentences have relations, as after tree-linearize; sentence 1 has no tree. */
static void
annotate(struct record *rec, int64_t number, int src, int tgt)
{
	unsigned char dep[16 * 2] = { 0 };
	signed char phrase[16 * 16], relation[16 * 16];

	for (int i = 0; i < src; i++)
		for (int j = 0; j < src; j++) {
			const bool linked = all_linked || i == j ||
				made_up(number, 2, i < j ? i : j, i < j ? j : i) % 2;

			if (linked)
				dep[i * ((src + 7) / 8) + j / 8] |= (unsigned char)(1 << j % 8);
			phrase[i * src + j] = (signed char)(all_linked ? 3 : i == j ? 0
				: !linked ? 127 : (int)(made_up(number, 3, i, j) % 7) - 3);
			relation[i * src + j] = (signed char)(i == j ? 0
				: 1 + made_up(number, 4, i, j) % 8);
		}
	set_pairs(rec, "src.relation", TENSOR_I8, src, relation);
	for (size_t i = 0; variant_at(i); i++) {
		set_new_fields(rec, number, variant_at(i)->needs, src, tgt);
		set_new_fields(rec, number, variant_at(i)->training_needs, src, tgt);
	}
	if (number == 1 && !all_linked)
		return;
	set_pairs(rec, "src.dep", TENSOR_BITS, src, dep);
	set_pairs(rec, "src.phrase", TENSOR_I8, src, phrase);
	annotate_side(rec, number, true, src);
	annotate_side(rec, number, false, tgt);
	annotate_links(rec, number, src, tgt);
}

/* A case of a variant with one of two architectures. */
struct trial {
	const struct attention_variant *v;
	size_t variant, number;		/* of the case */
	int arch;
};
enum { ARCHITECTURES = 2, SPECS = 8 };

static bool
is_tried(const struct attention_variant *v)
{
	const char *only = getenv("HEED_VARIANT");

	return only ? !strcmp(v->name, only) : strncmp(v->name, "planted", 7) != 0;
}

static void
check_selection(void)
{
	for (size_t i = 0; variant_at(i); i++)
		if (is_tried(variant_at(i)))
			return;
	fail_msg("HEED_VARIANT=%s: no such variant", getenv("HEED_VARIANT"));
}

/* The next case, beginning with all zeros; false at the end. */
UNUSED static bool
next_trial(struct trial *t)
{
	if (t->v && ++t->arch < ARCHITECTURES)
		return true;
	if (!t->v)
		check_selection();
	t->arch = 0;
	t->number += t->v != NULL;
	while ((t->v = variant_at(t->variant))) {
		if (is_tried(t->v) && t->v->cases && t->v->cases[t->number].specs)
			break;
		t->variant++;
		t->number = 0;
	}
	if (t->v && !t->arch)
		print_message("# %s: %s\n", t->v->name, t->v->cases[t->number].specs);
	return t->v != NULL;
}

/* Splits specs at blanks into copies, and returns their number. */
static size_t
split_specs(const char *specs, char *spec[SPECS])
{
	size_t n = 0;

	while (*specs && n < SPECS) {
		const size_t k = strcspn(specs, " ");

		spec[n++] = xstrndup(specs, k);
		specs += k + strspn(specs + k, " ");
	}
	return n;
}

/* A model with these specs, in the architecture and with the seed of the trial. */
static struct model *
build_as(const struct trial *t, const char *specs, bool source_end, double dropout)
{
	const char *name = t->arch ? "onmt" : "fairseq";
	struct model_config c = setup_config(name);
	char *spec[SPECS];
	const size_t n = split_specs(specs, spec);
	struct model *m;

	c.dropout_attention = dropout;
	c.src_eos = source_end;
	m = setup_model_of(&c, name, (const char *const *)spec, n, 7 + t->number);
	setup_stir(m);
	for (size_t i = 0; i < n; i++)
		free(spec[i]);
	return m;
}

UNUSED static struct model *
build(const struct trial *t, double dropout)
{
	return build_as(t, t->v->cases[t->number].specs, (t->number + (size_t)t->arch) % 3 != 2,
			dropout);
}

typedef void model_check(struct model *m);

UNUSED static void
each(model_check *check, double dropout)
{
	setup_annotate = annotate;
	for (struct trial t = { 0 }; next_trial(&t);) {
		struct model *m = build(&t, dropout);

		check(m);
		model_free(m);
	}
	setup_annotate = NULL;
}

#endif
