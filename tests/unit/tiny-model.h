/* tiny-model: a model of one layer a side with a vocabulary of letters. */
#ifndef TINY_MODEL_H
#define TINY_MODEL_H

#include <stdio.h>

#include "model/model.h"
#include "letters.h"

/* A model of two heads, whose parameters are not allocated yet. */
static inline struct model *
tiny_model(const char *preset, int width, int ff)
{
	struct model_config c = preset_find(preset)->config;
	struct vocab src, tgt;
	struct model *m;
	struct err e;

	c.enc_layers = c.dec_layers = 1;
	c.width = width;
	c.ff = ff;
	c.heads = 2;
	c.max_length = 16;
	letters(&src, "abc");
	letters(&tgt, "abc");
	m = model_new(&c, &src, &tgt, NULL, 0, &e);
	if (!m)
		fail_msg("%s", e.text);
	snprintf(m->preset, sizeof(m->preset), "%s", preset);
	m->recipe = preset_find(preset)->recipe;
	return m;
}

#endif
