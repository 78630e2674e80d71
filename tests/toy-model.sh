# toy-model.sh: model.tar, a toy model that has memorized the few sentences of t.en, t.de and t.heed;
# sourced after lib.sh.
cat > t.en <<'END'
a dog runs
the colour of a house
two men talk
the dog talks
a house
two dogs run and talk
END
cat > t.de <<'END'
ein Hund rennt
die Farbe eines Hauses
zwei Männer reden
der Hund redet
ein Haus
zwei Hunde rennen und reden
END
cat t.en t.de | bpe-learn --text --merges 40 > codes 2> /dev/null
heed-pack -q t.en t.de | bpe-apply -c codes > t.heed
nmt-train -q --precision fp32 --size tiny --updates 150 --lr 0.005 --warmup 20 --dropout 0 -c codes -o model.tar t.heed 2> train.err ||
    { echo "Bail out! no model"; cat train.err >&2; exit 1; }
