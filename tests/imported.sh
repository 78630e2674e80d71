# imported.sh: the models in tests/data/import, and the log-probabilities that an independent
# Transformer in double precision has computed for them (make.py there).  $data is that folder.

# given NAME: NAME.tsv as a stream of subwords
given() {
	perl -CSD -MJSON::PP -ne '
		BEGIN { print q(["heed",1,"sentence",{"fields":{"src":"str","tgt":"str","src.pieces":"[str]","tgt.pieces":"[str]"}}]), "\n" }
		chomp; my ($src, $tgt) = split /\t/;
		print JSON::PP->new->encode({ src => $src, tgt => $tgt, "src.pieces" => [split / /, $src], "tgt.pieces" => [split / /, $tgt] }), "\n";
		END { print qq(["heed-end",$.]\n) }' "$data/$1.tsv" | heed-pack -j
}
# apart NAME OPTION...: the largest difference of the model's log-probabilities from those of NAME.tsv
apart() {
	name=$1; shift
	given $name | nmt-score -q --no-pg -m $name.tar "$@" > $name.heed || return 1
	heed-show -f score.tokens $name.heed | sed 's/[^-0-9.e ]/ /g' > got
	cut -f 3 "$data/$name.tsv" | paste - got | awk -F '\t' '
		{ n = split($1, want, " "); if (split($2, got, " ") != n) bad = 1
		  for (i = 1; i <= n; i++) { d = want[i] - got[i]; if (d < 0) d = -d; if (d > most) most = d } }
		END { print NR == 6 && !bad ? most : "none" }'
}
within() { echo "$1" | computes - -v most="$2" '{ exit !(/^[0-9]/ && $1 <= most) }'; }
# refused 'what' TEXT PATH: nmt-import ends with 3, TEXT in its message and no model
refused() {
	rm -f x.tar; ends 3 nmt-import -q -o x.tar $3 > out 2> err < /dev/null && matches -F -- "$2" err && that ! -e x.tar; say $? "$1"
}
# info NAME LINE: nmt-info prints this line of NAME.tar
info() { nmt-info $1.tar | matches -x "$(printf "$2")"; }
