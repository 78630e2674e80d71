/* export: what the layouts have in common; see export.h. */
#include "export/export.h"
#include "export/export-t5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "bpe/bytes.h"
#include "base/strmap.h"
#include "exchange/yaml-out.h"
#include "model/search-variant.h"
#include "stream/json-out.h"

/* The value of a setting that is omitted because it has its default. */
static const char *
omitted_value(const char *key)
{
	const struct opt *o = model_config_options;

	while (o->kind != OPT_END && strcmp(o->long_name, key))
		o++;
	return o->kind == OPT_CHOICE ? o->choice[0] : o->kind == OPT_INT ? "0" : "off";
}

int
export_refuse(const struct export *x, const char *key, const char *expected, struct err *e)
{
	struct buf all = { 0 };
	const size_t n = strlen(key);
	const char *at, *value = omitted_value(key);

	model_config_describe(&x->m->config, &all);
	for (at = all.data; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, key, n) && at[n] == '=' && (at == all.data || at[-1] == ','))
			value = at + n + 1;
	err_set(e, EXIT_INPUT, "%s is %.*s, expected %s: %s has nothing else", key,
		(int)strcspn(value, ","), value, expected, x->kind);
	buf_release(&all);
	return -1;
}

int
export_ask(const struct export *x, const struct export_asked *asked, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (!asked[i].is)
			return export_refuse(x, asked[i].key, asked[i].expected, e);
	return 0;
}

int
export_check_plain(const struct export *x, struct err *e)
{
	const struct model_config *c = &x->m->config;
	const struct export_asked asked[] = {
		{ "head_width", "0", !c->head_width || c->head_width * c->heads == c->width },
		{ "score_scale", "sqrt", c->score_scale == SCORE_SCALE_SQRT },
		{ "ff_gate", "off", !c->ff_gate }, { "no_bias", "off", !c->no_bias },
		{ "norm", "layer", c->norm == NORM_LAYER },
		{ "output_scale", "one", c->output_scale == OUTPUT_SCALE_ONE },
	};

	return export_ask(x, asked, sizeof(asked) / sizeof(*asked), e);
}

bool
export_masked(const struct model *m, int id)
{
	return m->tgt_valid && !m->tgt_valid[id];
}

const struct param *
export_embeddings(const struct model *m, int side)
{
	const struct param *p = params_find(&m->params, side ? "tgt.embed.weight"
							     : "src.embed.weight");

	return p ? p : params_find(&m->params, "embed.weight");
}

/* nmt-import gives the start token a row of its own if the token is an entry, too. */
int
export_start(const struct model *m)
{
	const struct param *p = export_embeddings(m, 1);
	const size_t width = (size_t)p->d[1] * sizeof(*p->x);
	const real *start = p->x + (size_t)VOCAB_BOS * (size_t)p->d[1];

	if (m->config.first != TARGET_BOS)
		return m->config.first == TARGET_EOS ? VOCAB_EOS : VOCAB_PAD;
	for (int id = 0; export_masked(m, VOCAB_BOS) && id < m->tgt.n; id++)
		if (id != VOCAB_BOS && !memcmp(p->x + (size_t)id * (size_t)p->d[1], start, width))
			return id;
	return VOCAB_BOS;
}

static bool
is_zero(const struct param *p, int row)
{
	const real *x = p->x + (size_t)row * (size_t)p->d[1];

	for (int i = 0; i < p->d[1]; i++)
		if (x[i] != 0)
			return false;
	return true;
}

bool
export_drops(const struct export *x, int side, int special)
{
	const struct model *m = x->m;

	if (side || m->config.tie == TIE_ALL)
		return export_masked(m, special);
	return is_zero(export_embeddings(m, 0), special);
}

bool
export_masks(const struct export *x)
{
	const struct export_rows *r = &x->rows[1];

	for (int i = 0; i < r->n; i++)
		if (export_masked(x->m, r->id[i]))
			return true;
	return false;
}

static int
export_row_of(const struct export_rows *r, int id)
{
	for (int i = 0; i < r->n; i++)
		if (r->id[i] == id)
			return i;
	return -1;
}

int
export_row(const struct export *x, int side, int id)
{
	return export_row_of(&x->rows[side], id);
}

bool
export_one_table(const struct export *x)
{
	const struct export_rows *a = &x->rows[0], *b = &x->rows[1];
	const struct param *source = export_embeddings(x->m, 0);
	const struct param *target = export_embeddings(x->m, 1);
	const size_t width = (size_t)source->d[1];
	bool same = a->n == b->n;

	for (int i = 0; same && i < a->n; i++)
		same = !memcmp(source->x + (size_t)a->id[i] * width,
			       target->x + (size_t)b->id[i] * width, width * sizeof(*source->x));
	return same;
}

static void
export_put_row(struct export_rows *r, int id)
{
	int *const special[VOCAB_SPECIALS] = {
		[VOCAB_PAD] = &r->pad, [VOCAB_BOS] = &r->bos, [VOCAB_EOS] = &r->eos,
		[VOCAB_UNK] = &r->unk,
	};

	if (id < VOCAB_SPECIALS)
		*special[id] = r->n;
	r->id[r->n++] = id;
}

void
export_rows(struct export *x, int side, const int *first, int n)
{
	const int all = side ? x->m->tgt.n : x->m->src.n;
	struct export_rows *r = &x->rows[side];
	int listed;

	*r = (struct export_rows){ .pad = -1, .bos = -1, .eos = -1, .unk = -1 };
	r->id = xcalloc((size_t)all + 1, sizeof(*r->id));
	for (int i = 0; i < n; i++)
		export_put_row(r, first[i]);
	listed = r->n;
	for (int id = 0; id < all; id++) {
		const struct export_rows front = { .id = r->id, .n = listed };

		if (export_row_of(&front, id) < 0 &&
		    (id >= VOCAB_SPECIALS || !export_drops(x, side, id)))
			export_put_row(r, id);
	}
}

/* A special token whose text is also an entry's is called <row-N>. */
void
export_text(const struct export *x, int side, int row, spell *spelling, struct buf *out)
{
	const struct vocab *v = side ? &x->m->tgt : &x->m->src;
	const int id = x->rows[side].id[row];
	size_t n;
	const char *text = vocab_text(v, id, &n);

	if (id < VOCAB_SPECIALS && strmap_find(&v->types, text, n) >= 0)
		buf_printf(out, "<row-%d>", row);
	else if (id >= VOCAB_SPECIALS && spelling)
		spelling(text, n, out);
	else
		buf_add(out, text, n);
}

static int
check_special(const struct export *x, int side, int special, struct err *e)
{
	const struct vocab *v = side ? &x->m->tgt : &x->m->src;
	const char *text = vocab_text(v, special, NULL);

	if (export_row(x, side, special) < 0 || strmap_find(&v->types, text, strlen(text)) < 0)
		return 0;
	return err_set(e, EXIT_INPUT, "the %s vocabulary has the entry %s, expected no entry with "
		       "the text of a special token: %s cannot tell them apart",
		       side ? "target" : "source", text, x->kind);
}

int
export_check_texts(const struct export *x, int side, spell *spelling, const int *special, int n,
		   struct err *e)
{
	struct buf text = { 0 };
	struct strmap seen = { 0 };
	int r = 0;

	for (int i = 0; i < n; i++)
		if (check_special(x, side, special[i], e))
			return -1;
	for (int i = 0; !r && i < x->rows[side].n; i++) {
		buf_clear(&text);
		export_text(x, side, i, spelling, &text);
		if (strmap_add(&seen, text.data, text.n) != i)
			r = err_set(e, EXIT_INPUT, "the %s vocabulary has two entries that %s "
				    "writes as %.*s, expected different texts",
				    side ? "target" : "source", x->kind, (int)text.n, text.data);
	}
	strmap_release(&seen);
	buf_release(&text);
	return r;
}

int
export_vocab(struct export *x, int side, spell *spelling, const char *name, struct err *e)
{
	const bool yaml = strstr(name, ".yml");
	const struct export_rows *r = &x->rows[side];
	struct buf out = { 0 }, text = { 0 };
	int status;

	buf_add_str(&out, yaml ? "" : "{\n");
	for (int i = 0; i < r->n; i++) {
		buf_clear(&text);
		export_text(x, side, i, spelling, &text);
		if (yaml)
			yaml_add_string(&out, text.data, text.n);
		else
			json_add_string(&out, text.data, text.n);
		buf_printf(&out, ": %d%s\n", i, yaml || i + 1 == r->n ? "" : ",");
	}
	buf_add_str(&out, yaml ? "" : "}\n");
	status = export_file(x, name, out.data, out.n, e);
	buf_release(&text);
	buf_release(&out);
	return status;
}

double
export_length_penalty(const struct export *x)
{
	const struct recipe *r = &x->m->recipe;

	return r->search == SEARCH_MARIAN || r->search == SEARCH_FAIRSEQ ? r->length_penalty : 1;
}

struct tensor_view *
export_table(struct export *x, const char *name, const char *param, int side, bool transposed)
{
	const struct tensor_view_layout layout = { .row = x->rows[side].id,
						  .transposed = transposed };
	const struct param *p = params_find(&x->m->params, param);

	return tensor_views_add(&x->views, name, p, VIEW_MATRIX, x->rows[side].n, p->d[1], &layout);
}

void
export_output_bias(struct export *x, const char *name, const unsigned char *valid)
{
	const struct tensor_view_layout layout = { .row = x->rows[1].id };
	struct tensor_view *v = tensor_views_add(&x->views, name,
						 params_find(&x->m->params, "output.bias"),
				   VIEW_LINE, x->rows[1].n, 1, &layout);

	v->valid = valid;
}

struct output *
export_open(struct export *x, const char *name, struct err *e)
{
	char *path = xasprintf("%s/%s", x->folder, name);
	struct output *o = output_open(path, 0, e);

	if (o) {
		if (x->n == EXPORT_FILES)
			bug("export: more than %d files", (int)EXPORT_FILES);
		x->name[x->n] = name;
		x->file[x->n++] = o;
	}
	free(path);
	return o;
}

int
export_file(struct export *x, const char *name, const void *p, size_t n, struct err *e)
{
	struct output *o = export_open(x, name, e);

	return o ? output_write(o, p, n, e) : -1;
}

int
export_folder(struct export *x, struct err *e)
{
	if (x->m->first_token[0])
		warn("every source begins with %s: the input of %s must begin with it",
		     x->m->first_token[0], x->kind);
	x->made = !mkdir(x->folder, 0777);
	return x->made || errno == EEXIST ? 0 : err_system(e, "cannot create %s", x->folder);
}

static bool
writes(const struct export *x, const char *name)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->name[i], name))
			return true;
	return false;
}

static int
export_check_others(const struct export *x, const struct export_layout *layout, struct err *e)
{
	int r = 0;

	for (const char *const *name = layout->all; !r && *name; name++) {
		char *path = xasprintf("%s/%s", x->folder, *name);
		struct stat st;

		if (!writes(x, *name) && !lstat(path, &st)) {
			r = err_set(e, EXIT_INPUT, "%s is of another model, expected no such file",
				    path);
			err_hint(e, "remove it, or export to a new folder");
		}
		free(path);
	}
	return r;
}

/*
 * The file without which nothing loads is removed first, and gets its name last: a process that is
 * killed in between leaves no mixture of two models that loads.  A link stays, as in output.h.
 */
static int
export_publish(struct export *x, const struct export_layout *layout, struct err *e)
{
	char *path = xasprintf("%s/%s", x->folder, layout->all[0]), *target;
	int r = export_check_others(x, layout, e) || outputs_settle(x->file, x->n, e) ? -1 : 0;

	target = realpath(path, NULL);
	if (!r && target && unlink(target))
		r = err_system(e, "cannot replace %s", path);
	free(target);
	free(path);
	return r ? -1 : outputs_finish(x->file, x->n, e);
}

/* Variants compute what no other toolkit has, apart from the biases of T5. */
static int
check_variants(const struct model *m, const struct export_layout *layout, struct err *e)
{
	const struct attention_variant *v;

	if (!attention_set_n(m->attention) ||
	    (layout == &export_huggingface && export_is_t5(m)))
		return 0;
	v = attention_set_variant(m->attention, 0);
	err_set(e, EXIT_INPUT, "the model has the attention variant %s, expected none", v->name);
	if (v->gate)
		err_hint(e, "remove closed gates with head-prune first");
	return -1;
}

/* Of the other toolkits here, only T5 has a tokenizer of bytes. */
static int
check_bytes(const struct model *m, const struct export_layout *layout, struct err *e)
{
	if (!bytes_is(m->spm[0], m->spm_n[0]) && !bytes_is(m->spm[1], m->spm_n[1]))
		return 0;
	if (layout == &export_huggingface && export_is_t5(m))
		return 0;
	return err_set(e, EXIT_INPUT, "the model segments text into bytes, expected BPE codes or "
		       "SentencePiece models");
}

static void
export_release(struct export *x)
{
	tensor_views_release(&x->views);
	for (int side = 0; side < 2; side++)
		free(x->rows[side].id);
}

/* Where the model comes from, as nmt-import and nmt-train name it. */
static void
put_origin(const struct model *m, struct buf *out)
{
	static const char *const hf[] = {
		"MarianMT", "FSMT", "M2M100", "BART", "mBART", "T5", "mT5", "UMT5"
	};

	for (size_t i = 0; i < sizeof(hf) / sizeof(*hf); i++)
		if (!strcmp(m->preset, hf[i])) {
			buf_printf(out, "imported from Hugging Face (%s)", hf[i]);
			return;
		}
	if (!strcmp(m->preset, "marian") || !strcmp(m->preset, "CTranslate2"))
		buf_printf(out, "imported from %s",
			   *m->preset == 'm' ? "Marian" : "CTranslate2");
	else
		buf_printf(out, "trained with the preset %s", m->preset);
}

/* What the user can do with a model that this toolkit does not have. */
static void
hint_other(const struct model *m, const struct export_layout *layout, struct err *e)
{
	static const struct export_layout *const layouts[] = { &export_marian,
							       &export_huggingface };
	const bool positions = !strncmp(e->text, "position", 8);
	struct buf origin = { 0 };

	put_origin(m, &origin);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		struct export x = { .m = m, .kind = layouts[i]->name };
		struct err unused;
		const bool fits = layouts[i] != layout && !layouts[i]->check(&x, &unused);

		export_release(&x);
		if (!fits)
			continue;
		err_hint(e, "%s; %s%suse --to %s", origin.data, positions ? layout->name : "",
			 positions ? " uses other position encodings; " : "", layouts[i]->to);
		buf_release(&origin);
		return;
	}
	err_hint(e, "%s; heed-models(7) lists which models Marian and Hugging Face can load",
		 origin.data);
	buf_release(&origin);
}

static int
export_check(struct export *x, const struct export_layout *layout, struct err *e)
{
	if (check_variants(x->m, layout, e) || check_bytes(x->m, layout, e))
		return -1;
	if (!layout->check(x, e))
		return 0;
	hint_other(x->m, layout, e);
	return -1;
}

int
export_model(const struct model *m, const struct export_layout *layout, const char *folder,
	     struct err *e)
{
	struct export x = { .m = m, .folder = folder, .kind = layout->name };
	const int r = export_check(&x, layout, e) || export_folder(&x, e) || layout->write(&x, e) ||
		      export_publish(&x, layout, e) ? -1 : 0;

	for (size_t i = 0; i < x.n; i++)
		output_abandon(x.file[i]);
	if (r && x.made)
		rmdir(folder);
	export_release(&x);
	return r;
}
