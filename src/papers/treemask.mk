# treemask: McDonald, Chiang 2021, Syntax-Based Attention Masking for NMT; see heed-papers(7)
PAPERS               += treemask
treemask.title        = Syntax-based attention masking
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
treemask.parse               = src
treemask.prepare.leaves      = $(bpe)
treemask.prepare.brackets    = $(bpe) | tree-linearize -b
treemask.prepare.nodes       = $(bpe) | tree-linearize | tree2mask -r
treemask.prepare.random      = $(treemask.prepare.nodes)

treemask.variant.sequence    =
treemask.data.sequence       = leaves
treemask.variant.linearized  =
treemask.data.linearized     = brackets
treemask.variant.mask        = -a relation-mask
treemask.data.mask           = nodes

# Controls: nodes without their relations, random trees, a table of strengths for each layer.
treemask.variant.nodes       =
treemask.data.nodes          = nodes
treemask.variant.mask-random = -a relation-mask
treemask.data.mask-random    = random
treemask.variant.mask-layers = -a relation-mask:share=layer
treemask.data.mask-layers    = nodes

# Figure 3: the strengths of the nine relations (rows) in each head (columns); 2: what they make of a sentence.
treemask.strengths = mask
treemask.plots     = table2
