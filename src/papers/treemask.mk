# treemask: McDonald, Chiang 2021, Syntax-Based Attention Masking for NMT; see heed-papers(7)
treemask.own          = nodes brackets as-nodes
treemask.title        = Syntax-based attention masking
treemask.by           = McDonald, Chiang 2021, Syntax-Based Attention Masking for Neural \
                        Machine Translation
treemask.preset       = witwicky
treemask.batch.paper  = 4096
treemask.merges.paper = 8000
treemask.recipe.paper = --epochs 100 --patience 10 --dev-bleu --stop-on bleu --keep-best
treemask.beam.paper   = 4
treemask.scored       = tok
treemask.bleu         = --variant multi-bleu
treemask.facts        = src/papers/strengths.sh
treemask.main         = table2 controls
treemask.sizes.paper  = 20000 50000 100000 all
treemask.sizes.cpu    = 10000 all
treemask.sizes.smoke  = 500 all

# Leaves alone; the tree as a sentence with brackets; its nodes, with how they stand to each other.
# Parts of speech are no nodes: the paper's Table 1 has 1.6 nodes a word, and with them there would be
# more than two.
treemask.parse               = src
treemask.prepare.leaves      = $(bpe)
treemask.prepare.brackets    = $(bpe) | tree-linearize -b --tags drop
treemask.prepare.nodes       = $(bpe) | tree-linearize --tags drop | tree2mask -r
treemask.prepare.random      = $(treemask.prepare.nodes)

# A batch of short runs has as many sentences whatever they are made of, or longer sources would see
# less of the corpus in as many updates; the paper's runs go over it a hundred times.
treemask.nodes.cpu           = --batch-tokens 1460
treemask.brackets.cpu        = --batch-tokens 2020
treemask.as-nodes            = $(treemask.nodes.$(PROFILE))

treemask.variant.sequence    =
treemask.data.sequence       = leaves
treemask.variant.linearized  = $(treemask.brackets.$(PROFILE))
treemask.data.linearized     = brackets
treemask.variant.mask        = -a relation-mask $(treemask.as-nodes)
treemask.data.mask           = nodes

# Controls: nodes without their relations, random trees, a table of strengths for each layer.
treemask.variant.nodes       = $(treemask.as-nodes)
treemask.data.nodes          = nodes
treemask.variant.mask-random = -a relation-mask $(treemask.as-nodes)
treemask.data.mask-random    = random
treemask.variant.mask-layers = -a relation-mask:share=layer $(treemask.as-nodes)
treemask.data.mask-layers    = nodes

# Table 1 is of the trees; figure 2 what the masks take off in a sentence, 3 their strengths.
treemask.also       = statistics
treemask.statistics = leaves
treemask.plots      = table2
treemask.walk       = mask
treemask.maps       = fig2 fig3
treemask.map.fig2   = mask --draw masks
treemask.map.fig3   = mask --draw strengths --numbers
treemask.caption.table2 = BLEU by size
treemask.caption.fig2   = Figure 2: what the masks take off the scores; rows look at columns
treemask.caption.fig3   = Figure 3: strengths; a relation says what the key is to the query
