# grammar.sh: grammar N writes N sentences of an artificial grammar, s.tokens, with their trees,
# trees; the target, t.tokens, is the source reversed.  s.heed has all, in the subwords of codes.
# The third sentence has no tree.  Sourced after lib.sh.
grammar() {
	for w in conllu tokens; do
		awk -v n="$1" -v seed=4 -v what=$w -f "$HEED_TOP/tests/data/trees.awk" > s.$w
	done
	rev s.tokens > t.tokens
	cat s.tokens t.tokens | bpe-learn --text -q --merges 40 > codes
	awk -v OFS='\t' -F '\t' '!NF { n++ } NF { if (n == 2) { $7 = "_"; $8 = "_" } } { print }' s.conllu > trees
	heed-pack --no-pg s.tokens t.tokens | conllu2heed --no-pg -p trees 2> /dev/null |
		bpe-apply --no-pg -c codes > s.heed
}
