/* logit: see logit.h. */
#include "attribution/logit.h"

#include <string.h>

#include "model/layer-params.h"

static real
bias_of(const struct model_layers *l, int token)
{
	return l->output_bias ? l->output_bias->x[token] : 0;
}

real
logit_weights(const struct model *m, int token, int foil, real *w)
{
	const struct model_layers *l = m->layers;
	const ptrdiff_t d = l->output->d[1];

	k_copy((size_t)d, l->output->x + token * d, w);
	if (foil < 0)
		return bias_of(l, token);
	for (ptrdiff_t i = 0; i < d; i++)
		w[i] -= l->output->x[foil * d + i];
	return bias_of(l, token) - bias_of(l, foil);
}

int
logit_token(const struct model *m, const char *text, int *id, struct err *e)
{
	for (*id = VOCAB_EOS; *id < VOCAB_SPECIALS; ++*id)
		if (!strcmp(text, vocab_text(&m->tgt, *id, NULL)))
			return 0;
	*id = vocab_id(&m->tgt, text, strlen(text));
	if (*id != VOCAB_UNK)
		return 0;
	return err_usage(e, "'%s' is not in the target vocabulary of the model", text);
}
