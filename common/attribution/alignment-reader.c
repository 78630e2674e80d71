/* alignment-reader: see alignment-reader.h. */
#include "attribution/alignment-reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/side-tokens.h"
#include "stream/fields.h"

const char *const alignment_fields[] = {
	"alignment", "hyp.alignment", "relevance.src", "att.cross", NULL
};

/* --- opening --- */

static bool
has_cross_attention(const struct header *h)
{
	const char *type;

	for (int i = 0; i < header_n_fields(h); i++)
		if (!strncmp(header_field(h, i, &type), "att.cross.", 10))
			return true;
	return false;
}

/* The field that is given, or else the only one of the stream. */
static int
choose_field(struct alignment_reader *r, int field, struct err *e)
{
	const struct header *h = reader_header(r->in);
	int found = 0;

	for (int i = 0; i < ALIGNMENT_ATTENTION; i++)
		if ((field < 0 || field == i) && header_type(h, alignment_fields[i])) {
			r->field = i;
			found++;
		}
	if (!found && (field < 0 || field == ALIGNMENT_ATTENTION) && has_cross_attention(h)) {
		r->field = ALIGNMENT_ATTENTION;
		found = 1;
	}
	if (found > 1)
		return err_usage(e, "%s has several of alignment, hyp.alignment and "
				 "relevance.src, expected --from", r->name);
	if (found)
		return 0;
	err_set(e, EXIT_INPUT, "%s has no %s", r->name, field < 0 ?
		"alignment, hyp.alignment, relevance.src or att.cross, expected one of them" :
		alignment_fields[field]);
	err_hint(e, "nmt-score --alignment, nmt-translate --alignment, head-lrp --tokens and "
		 "nmt-score --attention-weights add these fields");
	return -1;
}

static int
alignment_open_weights(struct alignment_reader *r, const char *heads, struct err *e)
{
	if (stored_attention_begin(&r->stored, r->in, e))
		return -1;
	if (!word_alignment_begin(&r->heads, r->stored.sites, NULL, heads, e))
		return 0;
	return heads ? err_wrap(e, "--alignment-heads") : err_wrap(e, "%s", r->name);
}

static int
refuse_heads(struct err *e)
{
	return err_usage(e, "--alignment-heads without weights of cross-attention, expected a "
			 "stream with them and --from att.cross");
}

static int
alignment_open_stream(struct alignment_reader *r, struct input *input, int field,
		      const char *heads, struct err *e)
{
	r->in = reader_open_input(input, "sentence", NULL, e);
	if (!r->in || choose_field(r, field, e))
		return -1;
	r->method = alignment_fields[r->field];
	if (r->field == ALIGNMENT_ATTENTION)
		return alignment_open_weights(r, heads, e);
	if (heads)
		return refuse_heads(e);
	if (r->field != ALIGNMENT_RELEVANCE)
		return 0;
	if (token_alignment_begin(&r->tokens, r->in, e))
		return -1;
	r->method = r->tokens.method;
	return 0;
}

int
alignment_reader_open(struct alignment_reader *r, const char *path, int field, const char *heads,
		      struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	int stream;

	*r = (struct alignment_reader){ .method = "text", .source_words = LINK_WORDS,
					.target_words = LINK_WORDS };
	if (!in)
		return -1;
	r->name = xstrdup(input_name(in));
	stream = stream_ahead(in, e);
	if (stream > 0)
		return alignment_open_stream(r, in, field, heads, e);
	r->text = in;
	return heads && !stream ? refuse_heads(e) : stream;
}

void
alignment_reader_close(struct alignment_reader *r)
{
	if (r->field == ALIGNMENT_RELEVANCE && r->in)
		token_alignment_release(&r->tokens);
	word_alignment_release(&r->heads);
	if (r->field == ALIGNMENT_ATTENTION)
		stored_attention_close(&r->stored);
	else
		reader_close(r->in);
	input_close(r->text);
	free(r->name);
	buf_release(&r->line);
	*r = (struct alignment_reader){ .in = NULL };
}

int
alignment_reader_wrap(const struct alignment_reader *r, struct err *e)
{
	/* The reader is ahead of sentences without weights. */
	if (r->field == ALIGNMENT_ATTENTION && r->sentences < reader_count(r->in))
		return err_wrap(e, "%s: record %lld", r->name, (long long)r->sentences);
	if (r->in)
		return err_wrap(e, "%s", reader_where(r->in));
	return err_wrap(e, "%s: line %lld", r->name, (long long)input_line_number(r->text));
}

/* --- sentences --- */

static int
alignment_next_line(struct alignment_reader *r, struct link_set *set, struct err *e)
{
	const struct link_words words = { r->source_words, r->target_words, 0 };
	const char *line;
	size_t n;
	const int more = input_line(r->text, &line, &n, e);

	if (more <= 0)
		return more;
	if (link_set_read(set, line, &words, e))
		return alignment_reader_wrap(r, e);
	return ALIGNMENT_LINKS;
}

/* The words of a side are those of src.word or tgt.word, or else its tokens. */
static int
read_side(const struct record *rec, bool target, struct link_side *side, struct err *e)
{
	const int tokens = side_tokens_count(rec, target);

	if (tokens < 0)
		return err_set(e, EXIT_INPUT, "no %s, expected the words of the alignment",
			       target ? "tgt.pieces and no tgt" : "src.pieces and no src");
	return link_side_read(side, rec, side_fields[target].word, tokens, e);
}

/* The words of a translation are those of its text. */
static int
read_hyp(const struct record *rec, struct link_side *side, struct err *e)
{
	struct str text;

	*side = (struct link_side){ .word = NULL };
	if (record_str(rec, "hyp", &text))
		return err_set(e, EXIT_INPUT, "no hyp, expected a translation");
	side->words = side->tokens = (int)text_tokens(text);
	return 0;
}

static int
alignment_read_field(struct alignment_reader *r, const struct record *rec, struct link_set *set,
		     struct err *e)
{
	const struct link_words words = { r->source_words, r->target_words, 0 };
	struct str text;

	if (!record_has(rec, r->method))
		return ALIGNMENT_NONE;
	if (record_str(rec, r->method, &text))
		return err_set(e, EXIT_INPUT, "%s is no text, expected links such as 0-0",
			       r->method);
	if (memchr(text.s, '\0', text.n) || memchr(text.s, '\n', text.n))
		return err_set(e, EXIT_INPUT, "%s has several lines or a NUL byte, expected links "
			       "such as 0-0", r->method);
	buf_clear(&r->line);
	buf_add(&r->line, text.s, text.n);
	if (link_set_read(set, r->line.data, &words, e))
		return err_wrap(e, "%s", r->method);
	return ALIGNMENT_LINKS;
}

static int
alignment_read_record(struct alignment_reader *r, const struct record *rec, struct link_set *set,
		      struct err *e)
{
	struct link_side src, tgt;
	int none;

	if (read_side(rec, false, &src, e) ||
	    (r->field == ALIGNMENT_HYP ? read_hyp(rec, &tgt, e) : read_side(rec, true, &tgt, e)))
		return -1;
	r->source_words = src.words;
	r->target_words = tgt.words;
	if (r->field != ALIGNMENT_RELEVANCE)
		return alignment_read_field(r, rec, set, e);
	none = token_alignment_of(&r->tokens, rec, &src, &tgt, set, e);
	return none < 0 ? -1 : none ? ALIGNMENT_NONE : ALIGNMENT_LINKS;
}

static int
next_record(struct alignment_reader *r, struct link_set *set, struct err *e)
{
	struct record *rec;
	int more = reader_next(r->in, &rec, e);

	if (more <= 0)
		return more;
	more = alignment_read_record(r, rec, set, e);
	return more < 0 ? alignment_reader_wrap(r, e) : more;
}

/* The next sentence of those with weights; before it, and at the end, those without any. */
static int
next_weights(struct alignment_reader *r, struct link_set *set, struct err *e)
{
	const struct sentence_attention *s = &r->stored.sentence;
	const int more = r->ahead ? 1 : stored_attention_next(&r->stored, e);

	if (more < 0)
		return -1;
	r->ahead = more && r->sentences < s->number;
	r->source_words = r->target_words = LINK_WORDS;
	if (r->ahead)
		return ALIGNMENT_NONE;
	if (!more)
		return r->sentences < reader_count(r->in) ? ALIGNMENT_NONE : ALIGNMENT_END;
	if (word_alignment_of(&r->heads, s, -1, e))
		return err_wrap(e, "%s", stored_attention_where(&r->stored));
	r->source_words = r->heads.sums.source_words;
	r->target_words = r->heads.sums.words;
	word_alignment_links(&r->heads, set);
	return ALIGNMENT_LINKS;
}

int
alignment_reader_next(struct alignment_reader *r, struct link_set *set, struct err *e)
{
	const int more = !r->in ? alignment_next_line(r, set, e)
		: r->field == ALIGNMENT_ATTENTION ? next_weights(r, set, e)
		: next_record(r, set, e);

	r->sentences += more > 0;
	return more;
}
