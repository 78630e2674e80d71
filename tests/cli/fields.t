#!/bin/sh
# fields: what programs write are the fields of heed-fields(5), with their types, and all of them.
# tests/unit/fields.c compares the page with the table of fields.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 17

# Sentences with all trees; as words with subwords, and as nodes of trees.
pairs 120 1 train; pairs 12 2 dev
for s in train dev; do
	parse -q --upos $s.heed | parse -q --control adjacent | parse -q --upos --side tgt | parse -q --control adjacent --side tgt > $s.parsed
	tree2mask $s.parsed | tree2mask --side tgt | phrase-rp | phrase-rp --side tgt > $s.trees
	tree-linearize -q $s.parsed | tree-linearize -q --side tgt | tree2mask --relations |
		tree2mask --relations --side tgt > $s.nodes
done
for s in train dev; do
	heed-show -f id $s.trees | sed 's/.*/0-0/' > links && heed-paste --text alignment=links $s.trees > $s.linked
done
tiny=enc_layers=1,dec_layers=1,width=32,ff=64,heads=2
runs toy --updates 2 -o plain.tar train.heed && runs toy --updates 2 --arch $tiny,max_length=12 -o short.tar train.heed &&
	runs toy --updates 2 --validate-every 1 --log-every 1 --dev dev.linked --dev-bleu --log step.log -o all.tar \
	    -a dependency-mask -a redundant-heads -a dbsa -a sync -a l0-gate -a subset:heads=1 -a head-importance \
	    -a guided-alignment train.linked
say $? 'models with all variants that have fields in the log'
runs nmt-translate -q --n-best 2 --alignment -m plain.tar dev.heed > hyp.heed; say $? 'translations'
runs nmt-score -q --attention-weights --alignment -m plain.tar dev.heed > score.heed; say $? 'scores and attention weights'
runs nmt-score -q --too-long cut -m short.tar dev.heed > cut.heed 2> err; say $? 'truncated sentences'
runs head-lrp -q --tokens -m plain.tar dev.heed > tokens.heed && runs head-lrp -q -m plain.tar dev.heed > lrp.heed &&
	runs head-lrp -q --errors --rule attnlrp --name attnlrp -m plain.tar dev.heed > attnlrp.heed; say $? 'relevance'
measures=ablation,ablation-bleu,fisher,gating,gradient,greedy,logit,norm,saliency,shapley
heed-show -f id dev.trees | sed 's/.*/0-0/' > gold
for f in src src.pieces; do heed-show -f $f dev.trees | perl -pe '$_ = join(" ", reverse split) . "\n"' > reversed.$f; done
heed-paste --text corrupted=reversed.src --text corrupted.pieces=reversed.src.pieces dev.trees > patch.heed
runs head-stat -q --errors --frequent 10 --gating fits=2,updates=2 --permutations 2 --relations dep --measure $measures --align gold --patch noise --patch-method exact,gradient,integrated \
    --patch-sentences effects.heed -m plain.tar patch.heed > stat.heed &&
	runs head-stat -q --relations dep -m all.tar dev.trees > gates.heed; say $? 'measures of heads'
runs head-curve -q --random 1 --bleu -m plain.tar dev.heed > curve.heed &&
	runs token-curve -q -m plain.tar --random 1 tokens.heed > drop.heed; say $? 'a curve'
# A page in two languages, in a package of Debian.
mkdir -p usr/share/man/man1 usr/share/man/de/man1
printf '.TH X 1\n.SH NAME\nx \\- do it\n' | gzip > usr/share/man/man1/x.1.gz
printf '.TH X 1\n.SH BEZEICHNUNG\nx \\- tut es\n' | gzip > usr/share/man/de/man1/x.1.gz
tar -cJf data.tar.xz ./usr && : > control && tar -czf control.tar.gz control && echo 2.0 > debian-binary &&
	ar rc x.deb debian-binary control.tar.gz data.tar.xz
runs corpus-align -q -l en -l de --manpages --to stream x.deb > align.heed; say $? 'aligned pages'

runs cp "$(find "$HEED_TOP/results" -name sentences.heed.zst | head -n 1)" ledger.zst; say $? 'statistics of the ledger'

# written: "kind name type" of each field in the header of a stream
for f in *.trees *.nodes step.log *.heed ledger.zst; do
	heed-show -H "$f" | head -n 1
done | perl -MJSON::PP -ne 'my ($magic, $version, $kind, $h) = @{decode_json($_)};
	print "$kind $_ $h->{fields}{$_}\n" for keys %{$h->{fields}}' | sort -u > written
# listed: the same of the page, where "any" is any kind
awk '/^\.Ss Kind/ { kind = $3 } /^\.Ss Any/ { kind = "any" } /^\.It Va/ { print kind, $3, $6 }' "$HEED_TOP/man/heed-fields.5" > listed
# Only nmt-train with several processes has this field; tests/cli/mpi.t writes it.
sed -i '/^step waiting float$/d' listed
# compare: fields that are on one side alone, or have another type
cat > compare.awk <<'END'
function like(pattern, name) {
	if (pattern ~ /^[*]/)
		return length(name) >= length(pattern) && substr(name, length(name) - length(pattern) + 2) == substr(pattern, 2)
	return pattern ~ /[*]$/ ? index(name, substr(pattern, 1, length(pattern) - 1)) == 1 : pattern == name
}
NR == FNR { if ($1 != "any") { kind[++n] = $1; name[n] = $2; type[n] = $3 } next }
{
	found = 0
	for (i = 1; i <= n; i++)
		if (kind[i] == $1 && like(name[i], $2)) {
			found = 1; seen[i] = 1
			if (type[i] != $3) print "another type: " $0
		}
	if (!found) print "not in heed-fields(5): " $0
}
END { for (i = 1; i <= n; i++) if (!seen[i]) print "no command of this test writes it: " kind[i], name[i] }
END
compare() { awk -f compare.awk "$1" "$2" > wrong; that ! -s wrong; }
that "$(wc -l < listed)" -gt 80 && that "$(wc -l < written)" -gt 100; say $? 'there are many fields'
compare listed written; say $? 'programs write exactly the fields of heed-fields(5), with their types'

# The comparison finds what is wrong.
echo 'sentence src.orphan int' | cat listed - > more; ends 1 compare more written; say $? 'a field that no program writes'
matches -x 'no command of this test writes it: sentence src.orphan' wrong; say $? '... is named'
grep -v '^sentence hyp.score ' listed > less; ends 1 compare less written; say $? 'a field that the page lacks'
matches -x 'not in heed-fields(5): sentence hyp.score float' wrong; say $? '... is named'
sed 's/^head offset int/head offset float/' listed > other; ends 1 compare other written; say $? 'another type'
matches -x 'another type: head offset int' wrong; say $? '... is named'
