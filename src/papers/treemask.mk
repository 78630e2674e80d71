# treemask: McDonald, Chiang 2021, Syntax-Based Attention Masking for NMT; see heed-papers(7)
treemask.own          = nodes phrases brackets as-nodes
treemask.title        = Syntax-based attention masking (tree masks)
treemask.by           = McDonald, Chiang 2021, Syntax-Based Attention Masking for Neural \
                        Machine Translation
treemask.preset       = witwicky
treemask.batch.paper  = 4096
# German has more merges, and early stopping; the patience of the other pairs is 0, which means
# none.
treemask.merges.paper       = 8000
treemask.merges.paper.en-de = 32000
treemask.merges.paper.de-en = 32000
treemask.recipe.paper       = --epochs 100 --dev-bleu --stop-on bleu --keep-best
treemask.recipe.paper.en-de = $(treemask.recipe.paper) --patience 10
treemask.recipe.paper.de-en = $(treemask.recipe.paper) --patience 10
treemask.beam.paper   = 4
treemask.scored       = tok
treemask.bleu         = --variant multi-bleu
treemask.main         = table2 controls
treemask.sizes.paper  = 20000 50000 100000 all
treemask.sizes.cpu    = 10000 all
treemask.sizes.smoke  = 500 all

# Preparations: leaves only; the linearized tree with brackets; the nodes of the tree with their
# relations. Interior nodes are phrases and parts of speech: Table 1 of the paper has 1.6 of them
# per word, and phrases alone would be 0.8.
treemask.parse               = src
treemask.prepare.leaves      = $(bpe)
treemask.prepare.brackets    = $(bpe) | tree-linearize --brackets
treemask.prepare.nodes       = $(bpe) | tree-linearize | tree2mask --relations
treemask.prepare.phrases     = $(bpe) | tree-linearize --tags drop | tree2mask --relations
treemask.prepare.random      = $(treemask.prepare.nodes)

# Batches have the same number of sentences in all systems.  Otherwise systems with longer sources
# would see less of the corpus in the same number of updates; the paper trains for a hundred
# epochs.  The values are BATCH times the mean length of the longer side (38.3, 25.4 and 61.2
# tokens) over that of leaves (17.8).
treemask.nodes.cpu           = --batch-tokens 4400
treemask.phrases.cpu         = --batch-tokens 2920
treemask.brackets.cpu        = --batch-tokens 7040
treemask.as-nodes            = $(treemask.nodes.$(PROFILE))

treemask.variant.sequence    =
treemask.data.sequence       = leaves
treemask.variant.linearized  = $(treemask.brackets.$(PROFILE))
treemask.data.linearized     = brackets
treemask.variant.mask        = -a relation-mask $(treemask.as-nodes)
treemask.data.mask           = nodes

# Controls and ablations: nodes without relations, random trees, separate strengths for each
# layer, phrases without parts of speech.
treemask.variant.nodes       = $(treemask.as-nodes)
treemask.data.nodes          = nodes
treemask.variant.mask-random = -a relation-mask $(treemask.as-nodes)
treemask.data.mask-random    = random
treemask.variant.mask-layers = -a relation-mask:share=layer $(treemask.as-nodes)
treemask.data.mask-layers    = nodes
treemask.variant.mask-phrases = -a relation-mask $(treemask.phrases.$(PROFILE))
treemask.data.mask-phrases   = phrases

# Table 1 has statistics of the trees; Figure 2 shows the masks in a sentence, Figure 3 the
# strengths.
treemask.also       = statistics
treemask.statistics = leaves
treemask.plots      = table2
treemask.walk       = mask
treemask.maps       = fig2 fig3
treemask.map.fig2   = mask --draw masks
treemask.map.fig3   = mask --draw strengths --numbers
treemask.caption.statistics = Corpus and tree statistics (Table 1)
treemask.caption.table2 = BLEU against the number of training sentence pairs (Table 2)
treemask.caption.fig2   = Figure 2: values subtracted from the attention scores; rows are \
                      queries, columns keys
treemask.caption.fig3   = Figure 3: mask strengths by head and by relation of the key to the query
