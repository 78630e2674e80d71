# control: a positive control: can a system use a tree at all?  See heed-papers(7).
#
# In two artificial languages, each word of the target is followed by a mark that depends on a tree
# which the words do not show: on the words linked to it, or on its siblings.  A dose curve has such
# marks, from parses, in a share of the target tokens of a corpus.
control.own          = small pairs seed tree other dose marked
control.title        = Positive control: marks that depend on a tree
control.preset       = fairseq
control.main         = links siblings dose-links dose-siblings
control.parse        = made

# --- artificial languages ------------------------------------------------------------------------

control.small.cpu    = --arch enc_layers=2,dec_layers=2,width=64,ff=256,heads=4 --dropout 0 --label-smoothing 0 \
                       --warmup 200 --updates 1200 --validate-every 200 --epochs 0 --patience 0
control.small.paper  = $(control.small.cpu)
control.small.smoke  = --updates 10 --validate-every 5
control.small        = $(control.small.$(PROFILE))
control.seeds.smoke  = 1
control.pairs.train.cpu   = 20000
control.pairs.train.paper = 20000
control.pairs.train.smoke = 200
control.pairs.dev.smoke   = 20
control.pairs.test.smoke  = 20
control.pairs        = $(or $(control.pairs.$(split).$(PROFILE)),1000)
control.seed.train   = 1
control.seed.dev     = 2
control.seed.test    = 3

# Random trees; trees of another draw tell nothing of the marks.
control.tree         = parse -q --control random | dep2const -q
control.other        = parse -q --control random --seed 2 | dep2const -q
$(foreach by,links siblings,\
    $(eval control.corpora.$(by) = $(by))\
    $(eval control.text.$(by) = awk -v n=$$(control.pairs) -v seed=$$(control.seed.$$(split)) \
        -f $$(papers)/words.awk | heed-pack | $$(control.tree) | tree-mark -q --by $(by) --class 0.3))

# Preparations with the trees that the marks depend on, and with others.  Tags, which are all the same,
# would only add nodes between the words: with two layers, too many.
control.prepare.made          = $(bpe) | tree2mask | phrase-rp
control.prepare.made-brackets = $(bpe) | tree-linearize --tags drop --brackets
control.prepare.made-nodes    = $(bpe) | tree-linearize --tags drop | tree2mask --relations
$(foreach d,made made-brackets made-nodes,\
    $(eval control.parse.$(d:made%=other%)   = made)\
    $(eval control.prepare.$(d:made%=other%) = $$(control.other) | $$(control.prepare.$(d))))
control.data                  = made
control.data.brackets         = made-brackets
control.data.nodes            = made-nodes
control.data.mask             = made-nodes

control.variant.plain         = $(control.small)
control.variant.dea           = $(control.small) -a dependency-mask
control.variant.dea-rhe       = $(control.small) -a dependency-mask -a redundant-heads
control.variant.lpea          = $(control.small) -a phrase-position
control.variant.pascal        = $(control.small) -a parent-scaled
control.variant.structure     = $(control.small) -a structural-position:k=20
control.variant.depth         = $(control.small) -a structural-position:by=depth,k=20
control.variant.brackets      = $(control.small)
control.variant.nodes         = $(control.small)
control.variant.mask          = $(control.small) -a relation-mask
control.variant.dbsa          = $(control.small) -a dbsa:tgt_weight=0
$(foreach v,dea dea-rhe lpea pascal structure depth brackets nodes mask dbsa,\
    $(eval control.variant.$(v)-other = $$(control.variant.$(v)))\
    $(eval control.data.$(v)-other    = $(patsubst made%,other%,$(or $(control.data.$(v)),made))))

# --- dose curve ----------------------------------------------------------------------------------

# The share of words that are drawn, such that 0, 1, 3, 10 and 30% of the target tokens of Multi30k
# are marks.  Training is shorter than in the profile.
control.dose.cpu     = --updates 2000 --validate-every 250 --epochs 0 --patience 0
control.dose.paper   = --updates 20000
control.dose.smoke   = --updates 10 --validate-every 5
control.dose         = $(control.dose.$(PROFILE))
control.marked.0     = 0
control.marked.1     = 0.0109
control.marked.3     = 0.034
control.marked.10    = 0.133
control.marked.30    = 0.8
$(foreach by,links siblings,\
    $(eval control.corpora.dose-$(by) = +0 +$(by)1 +$(by)3 +$(by)10 +$(by)30)\
    $(foreach d,1 3 10 30,\
        $(eval control.text.+$(by)$(d) = tree-mark -q --by $(by) --share $$(control.marked.$(d)))))
control.text.+0      = tree-mark -q --share 0
control.variant.dose-plain     = $(control.dose)
control.variant.dose-dea       = $(control.dose) -a dependency-mask
control.variant.dose-structure = $(control.dose) -a structural-position:k=20
control.variant.dose-dbsa      = $(control.dose) -a dbsa:tgt_weight=0
control.variant.dose-lpea      = $(control.dose) -a phrase-position
control.variant.dose-mask      = $(control.dose) -a relation-mask $(treemask.nodes.$(PROFILE))
control.data.dose-mask         = parsed-nodes
control.prepare.parsed-nodes   = $(treemask.prepare.nodes)
control.parse.parsed-nodes     = made
