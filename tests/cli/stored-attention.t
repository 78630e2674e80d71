#!/bin/sh
# Attention weights in a stream, in place of a model: those of nmt-score give the measures of the model; those of a
# Transformer in NumPy, written by heed.py, give measures that NumPy computes in double precision.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 76

# --- heed's own weights ---
pairs 10 5 dev; pairs 120 1 train
runs toy --updates 40 -o model.tar train.heed; say $? 'a model'
word-align -q dev.heed > dev.align
head-prune -q -m model.tar --heads cross.1:1 -o pruned.tar
for m in model pruned; do
	runs nmt-score -q --attention-weights -m $m.tar -o $m.heed dev.heed; say $? "$m: weights in a stream"
	head-stat -q -m $m.tar --target ref --errors --align dev.align --to tsv dev.heed > want
	runs head-stat -q --errors --align dev.align --to tsv $m.heed > got && equals got want; say $? '... the same measures, errors and error rates as with the model'
	head-find -q -m $m.tar --align dev.align --to tsv dev.heed > want
	runs head-find --align dev.align --to tsv $m.heed > got && equals got want; say $? '... the same table'
done
runs head-find --align dev.align model.heed > got && lacks '^without it' got && matches '^set  ' got; say $? 'the set has no loss without a model'
model() { heed-show -H "$1" | sed -n 's/.*"model":"\([^"]*\)".*/\1/p'; }
head-stat -q --no-pg -o a.stat model.heed; head-stat -q --no-pg -m model.tar -o b.stat dev.heed
that -n "$(model a.stat)" && that "$(model a.stat)" = "$(model b.stat)"; say $? 'the model has the same name'

# Figures, whose decoder begins with a token that the stream does not tell, and word alignments
wrong=0
for s in enc-self.1 cross.1; do for h in all mean 2; do for more in '' '--words' '--read'; do
	head-map -m model.tar --target ref --site $s --heads $h $more --id 3 --to tsv dev.heed | sed 's|</s>|<s>|g' > want
	head-map --site $s --heads $h $more --id 3 --to tsv model.heed | sed 's|</s>|<s>|g' > got; equals got want || wrong=1
done; done; done
that $wrong = 0; say $? 'head-map draws the weights as with the model'
head-map -m pruned.tar --target ref --site cross.1 --heads 1 --to tsv dev.heed > want
runs head-map --site cross.1 --heads 1 --to tsv pruned.heed > got && equals got want; say $? '... and no values of a pruned head'
exits 3 '... no sentence of this id' head-map --id 11 model.heed
exits 2 '... a picture that needs a model' head-map --draw importance model.heed
exits 2 '... a layer that the stream lacks' head-map --site cross.2 model.heed
matches 'hint: the stream has enc.1.self to enc.1.self, dec.1.self' err; say $? '... the hint lists those that it has'
# Pages
head-stat -q -o heads.heed model.heed
for m in model pruned; do
	head-map --json -m $m.tar --target ref -n 9 dev.heed | sed 's/"name":"[^"]*"//' > want
	head-map --json -n 9 $m.heed | sed 's/"name":"[^"]*"//' > got; equals got want
	say $? "$m: the data of a page are those of the model"
done
head-map -m model.tar --head-measures heads.heed --by confidence --target ref --id 3,7 --to html --title x dev.heed | sed 's/"name":"[^"]*"//' > want.html
head-map --head-measures heads.heed --by confidence --id 3,7 --to html --title x model.heed | sed 's/"name":"[^"]*"//' > got.html; equals got.html want.html
say $? '... and so is the page, with measures of the heads'
runs perl "$HEED_TOP/tests/content-policy.pl" got.html; say $? '... whose policy has the hashes of its style and script'
head-map --to html - < model.heed > page.html; matches '<title>Attention heads of standard input</title>' page.html && matches '"name":"standard input"' page.html
say $? 'a page of standard input'
runs head-map --json < model.heed > one.json && head-map --json --id 1 - < model.heed | equals - one.json; say $? '... or its data'
that "$(head-map --json --id 7,3 model.heed | grep -o '"id":"[0-9]*"' | tr '\n' ' ')" = '"id":"3" "id":"7" '; say $? 'sentences of a page are in the order of the stream'
exits 3 'a page of a sentence that the stream lacks' head-map --json --id 3,11 model.heed
matches 'model.heed: no sentence with id 11, expected one' err; say $? '... by id'
toy --updates 1 --seed 9 -o other.tar train.heed
head-stat -q -m other.tar -o other.heads dev.heed
exits 3 'measures of another model' head-map --json --head-measures other.heads model.heed
matches 'other.heads: measures of the model' err; say $? '... by file'
exits 2 'a page of weights with --without' head-map --json --without model.heed
for o in '--target ref' '--too-long cut' '--by confidence'; do exits 2 "... with $o" "head-map --json $o model.heed"; done
exits 2 '... with measures before a model' head-map --json --head-measures heads.heed -m model.tar dev.heed
exits 2 'a page of a stream without weights' head-map --to html dev.heed
matches 'expected -m FILE, or a stream with attention weights' err; say $? '... says what is missing'
for h in '' '--alignment-heads cross.1:2'; do
	nmt-score -q -m model.tar --alignment $h dev.heed | heed-show -f alignment > want.align
	{ align-score -r dev.align $h model.heed | cut -f 3-; align-score --crossing -b crossing $h model.heed; } > got
	{ align-score -r dev.align want.align | cut -f 3-; align-score --crossing -b crossing want.align; } > want
	equals got want; say $? "align-score aligns with the weights as nmt-score${h:+, one head}"
done
exits 2 '... heads of no cross-attention' align-score -r dev.align --alignment-heads enc-self.1:1 model.heed
exits 2 '... heads of links' align-score -r dev.align --alignment-heads cross.1:1 dev.align
# Pairs with an empty source first, of which only the decoder's self-attention has weights
toy --updates 1 --arch src_eos=off -o whole.tar train.heed
head-prune -q -m whole.tar --heads 'cross.1:1 enc-self.1:2 dec-self.1:1' -o noeos.tar
{ echo; echo; cat dev.en; } > empty.en; { head -n 2 dev.xx; cat dev.xx; } > empty.xx; { echo; echo; cat dev.align; } > empty.align
heed-pack -q empty.en empty.xx | bpe-apply -c codes > empty.src
nmt-score -q --attention-weights -m noeos.tar -o empty.heed empty.src
head-stat -q -m noeos.tar --target ref --align empty.align --to tsv empty.src | cut -f 1-8 > want
head-stat -q --align empty.align --to tsv empty.heed | cut -f 1-8 > got
that "$(wc -l < want)" = 4 && equals got want; say $? 'empty sources first: the heads are those of the model'
head-find -q -m noeos.tar --align empty.align --to tsv empty.src > want; head-find --align empty.align --to tsv empty.heed | equals - want
say $? '... head-find, too'
head-map --json -m noeos.tar --target ref -n 3 empty.src | sed 's/"name":"[^"]*"//' > want
head-map --json -n 3 empty.heed | sed 's/"name":"[^"]*"//' | equals - want; say $? '... and a page'
heed-show empty.heed | sed '3s/"att.dec-self.1":\[\[\[[-0-9.e]*/"att.dec-self.1":[[[1/' | heed-pack -q -j --partial -o bad.heed
fails 3 '... an error in such a sentence has its number' 'bad.heed: record 2 (id 2): att.dec-self.1: head 1, query 1, key 1 is 1, expected 0' 'head-stat -q bad.heed'
heed-show empty.heed | sed '4,13d' | heed-pack -q -j --partial -o bad.heed
that "$(head-stat -q --to tsv bad.heed | cut -f 1-3 | tr '\t\n' ': ')" = 'site:layer:head enc-self:1:1 enc-self:1:2 dec-self:1:2 cross:1:1 cross:1:2 '
say $? '... without any source, no head of the encoder is known to be pruned'
# Sentences without weights, first, in the middle and last
heed-show model.heed | awk '/^\{"id":(1|4|5|10),/ { sub(/,"att\..*/, "}") } { print }' | heed-pack -q -j --partial -o some.heed
heed-show model.heed | awk '!/^\{"id":(1|4|5|10),/' | heed-pack -q -j --partial -o few.heed; sed '1d; 4d; 5d; 10d' dev.align > few.align
head-stat -q --align few.align --to tsv few.heed > want; head-stat -q --align dev.align --to tsv some.heed > got
equals got want; say $? 'sentences without weights are left out'
align-score -r few.align few.heed | cut -f 5- > want; align-score -r dev.align some.heed 2> err | cut -f 5- > got
equals got want && matches 'warning: some.heed: 4 of 10 sentences have no att.cross' err; say $? '... and not scored'
head-map --json -n 9 few.heed | sed 's/"name":"[^"]*"//' > want; head-map --json -n 9 some.heed | sed 's/"name":"[^"]*"//' | equals - want
say $? '... nor in a page'
exits 3 '... which cannot have them' head-map --json --id 4 some.heed
matches 'hint: 4 sentences of the stream have no attention weights' err; say $? '... the hint says why'
exits 2 'neither a model nor weights' head-stat dev.heed
exits 2 '... for alignments' head-find --align dev.align dev.heed
for o in '--measure norm' '--patch noise' '--threads 2' '--target ref' '--too-long skip' '--counts codes'; do
	exits 2 "$o without a model" head-stat $o model.heed
done

# --- hostile weights ---
header='["heed",1,"sentence",{"fields":{"id":"int","src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"f32[h,t,s]"}}]'
# bad NAME MESSAGE RECORD [HEADER]: head-stat refuses the record after a good one, or with the header
good='{"id":7,"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0.5,0.5],[1,0]],[[0,1],[1,0]]]}'
bad() {
	{ echo "${4:-$header}"; [ "${4-}" ] || echo "$good"; echo "$3"; } | heed-pack -q -j --partial -o bad.heed
	fails 3 "$1" "$2" 'head-stat -q bad.heed'
}
bad 'a negative weight' 'bad.heed: record 2 (id 8): att.cross.1: head 1, query 2, key 1 is -1, expected' '{"id":8,"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0.5,0.5],[-1,0]],[[0,1],[1,0]]]}'
bad 'another number of heads' 'att.cross.1 has 1 heads, expected 2 as in the first sentence' '{"id":8,"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0.5,0.5],[1,0]]]}'
bad 'no row for the end' 'weights of 1 target positions for 1 tokens, expected 2 to 3' '{"id":8,"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0.5,0.5]],[[0,1]]]}'
bad 'too many keys' 'weights of 4 source positions for 1 tokens, expected 1 to 3' '{"id":8,"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0,0,1,0],[0,0,0,1]],[[1,0,0,0],[1,0,0,0]]]}'
bad 'no tokens' 'no tgt.pieces and no tgt, expected the tokens of the queries' '{"id":8,"src.pieces":["a"],"att.cross.1":[[[0.5,0.5],[1,0]],[[0,1],[1,0]]]}'
bad 'a layer too few' 'no att.dec-self.1, expected' "$good" '["heed",1,"sentence",{"fields":{"id":"int","src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"f32[h,t,s]","att.dec-self.1":"f32[h,t,t]"}}]'
bad 'a field of no layer' 'field att.cross.x, expected att.enc-self.N' "$good" '["heed",1,"sentence",{"fields":{"id":"int","src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"f32[h,t,s]","att.cross.x":"f32[h,t,s]"}}]'
bad 'a layer twice' 'both att.cross.' "$good" '["heed",1,"sentence",{"fields":{"id":"int","src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"f32[h,t,s]","att.cross.01":"f32[h,t,s]"}}]'
bad 'weights of another type' 'att.cross.1 is bits[t,s], expected f32' '{"id":8}' '["heed",1,"sentence",{"fields":{"id":"int","src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"bits[t,s]"}}]'
{ echo "$header"; echo '{"id":8,"src.pieces":["a"],"tgt.pieces":["b"]}'; } | heed-pack -q -j --partial -o bad.heed
fails 3 'no sentence with weights' 'bad.heed: no sentence with attention weights' 'head-stat -q bad.heed'

# --- weights of a Transformer in NumPy ---
if ! python3 -c 'import numpy' 2> /dev/null; then
	for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "ok $((n += 1)) # SKIP without NumPy"; done
	exit
fi
export PYTHONPATH="$HEED_TOP/src" PYTHONDONTWRITEBYTECODE=1
cat > truth.py <<'END'
import sys, numpy as np, heed
rng = np.random.default_rng(7)
D, H, L = 24, 3, 2
TAG = sys.argv[1] == "tag"

# A Transformer in double precision
def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)

def attend(w, x, memory, causal=False):
    split = lambda y: y.reshape(len(y), H, -1).transpose(1, 0, 2)
    q, k, v = split(x @ w[0]), split(memory @ w[1]), split(memory @ w[2])
    s = q @ k.transpose(0, 2, 1) / np.sqrt(D / H)
    a = softmax(np.where(np.tri(len(x)) > 0, s, -np.inf) if causal else s)
    return a, (a @ v).transpose(1, 0, 2).reshape(len(x), D) @ w[3]

def norm(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)

W = rng.normal(0, 0.6, (3, L, 4, D, D))
E = {}
def embed(tokens):
    return np.array([E.setdefault(t, rng.normal(0, 1, D)) for t in tokens]) + \
        np.array([[np.sin(i / 3 ** (k / 4)) for k in range(D)] for i in range(len(tokens))])

def run(src, tgt):
    x, y, sites = embed(src), embed(tgt), {"enc-self": [], "dec-self": [], "cross": []}
    for w in W[0]:
        a, out = attend(w, x, x)
        x = norm(x + out)
        sites["enc-self"].append(a)
    for own, cross in zip(W[1], W[2]):
        a, out = attend(own, y, y, True)
        y = norm(y + out)
        sites["dec-self"].append(a)
        a, out = attend(cross, y, x)
        y = norm(y + out)
        sites["cross"].append(a)
    return sites

def words(n, letters):
    tokens, number = [], []
    for w in range(n):
        for last in range(rng.integers(1, 3)):
            tokens.append(letters[rng.integers(len(letters))])
            number.append(w)
        if number[-2:] == [w, w]:
            tokens[-2] += "@@"
    return tokens, number

records, gold, trees = [], [], []
for i in range(9):
    n, m = rng.integers(3, 7), rng.integers(3, 7)
    (src, src_word), (tgt, tgt_word) = words(n, ["a", "b", "c", "d", ",", "!"]), words(m, ["a", "B", "c", "-", "e"])
    tags = ([">>xx<<"] if TAG else [])
    sites = run(tags + src + ["</s>"], ["<s>"] + tags + tgt)
    head = [int(rng.integers(0, k + 1)) for k in range(n)]
    text = " ".join("".join(p.replace("@@", "") for p, w in zip(src, src_word) if w == k) for k in range(n))
    r = {"src": text, "src.pieces": src, "src.word": src_word, "tgt.pieces": tgt, "tgt.word": tgt_word,
         **{"att." + k: v for k, v in sites.items()}}
    if not TAG:
        r.update({"src.heads": head, "src.rels": ["amod" if k % 2 else "nsubj" for k in range(n)]})
    records.append(r)
    gold.append({(int(rng.integers(n)), k) for k in range(m)} | {(0, 0)})
    trees.append(head)
heed.write_attention("foreign.heed", (dict(r) for r in records), model="numpy-7")
open("gold", "w").write("".join(" ".join("%d-%d" % l for l in sorted(g)) + "\n" for g in gold))

# Measures, by their definitions
def aer(weights, reads=0, part=None):
    hits = links = sure = 0
    for r, g, a in list(zip(records, gold, weights))[slice(1, None, 2) if part else slice(None)]:
        sw, tw = ([0] if TAG else []) + r["src.word"], ([0] if TAG else []) + r["tgt.word"]
        s = np.zeros((max(tw) + 1, max(sw) + 1))
        for t, v in enumerate(tw):
            for k, u in enumerate(sw):
                s[v, u] += a[t + reads, k]
        links += len(s)
        sure += len(g)
        hits += sum((int(row.argmax()), v) in g for v, row in enumerate(s))
    return 1 - 2 * hits / (links + sure)

def measures(site, layer, h):
    conf = ent = dist = mass = rows = 0
    hits, chances = np.zeros(11), np.zeros(11)
    for r in records:
        a = r["att." + site][layer][h]
        n = len(a) - 1
        cols = a.shape[1] if site == "dec-self" else a.shape[1] - 1
        for i in range(n):
            row = a[i, :cols]
            conf += row.max()
            ent -= sum(x * np.log(x) for x in a[i] if x > 0)
            dist += sum(x * abs(i - j) for j, x in enumerate(row))
            mass += row.sum()
            for o in range(-5, 6):
                chances[o + 5] += 0 <= i + o < (i + 1 if site == "dec-self" else cols)
                hits[o + 5] += row.argmax() == i + o
        rows += n
    best = 0
    for o in [s * d for d in range(1, 6) for s in (-1, 1)]:
        if hits[o + 5] > hits[best + 5]:
            best = o
    out = [conf / rows, ent / rows, dist / mass, best, hits[best + 5] / chances[best + 5]]
    return out

def syntax(layer, h):
    hit, arcs = np.zeros((2, 2)), np.zeros(2)
    for r, tree in zip(records, trees):
        a, w = r["att.enc-self"][layer][h], r["src.word"]
        s = np.zeros((len(tree), len(tree)))
        for i, u in enumerate(w):
            for j, v in enumerate(w):
                s[u, v] += a[i, j]
        for k, head in enumerate(tree):
            if head:
                arcs[k % 2] += 1
                hit[k % 2] += (s[k].argmax() == head - 1, s[head - 1].argmax() == k)
    return (hit / arcs[:, None]).flatten()

def sinks(layer, h):
    special = first = content = rows = copy = can = 0
    for r in records:
        a, src, tgt = r["att.cross"][layer][h], r["src.pieces"], r["tgt.pieces"]
        k = int(TAG)
        for i in range(len(a) - 1):
            special += a[i, -1] + (a[i, 0] if TAG else 0)
            first += a[i, k]
            content += sum(a[i, k + j] for j, t in enumerate(src) if any(c.isalnum() for c in t))
            want = None if TAG and i == 0 else tgt[i - k]
            if want in src:
                can += 1
                best = int(a[i, :-1].argmax()) - k
                copy += best >= 0 and src[best] == want
            rows += 1
    return [special / rows, first / rows, content / rows, copy / can]

for site in "enc-self", "dec-self", "cross":
    with open(site, "w") as f:
        for l in range(L):
            for h in range(H):
                x = measures(site, l, h)
                if site == "enc-self" and not TAG:
                    x += list(syntax(l, h))
                if site == "cross":
                    x.append(aer([r["att.cross"][l][h] for r in records]))
                print(l + 1, h + 1, *("%.9f" % v for v in x), file=f)
with open("find", "w") as f:
    for l in range(L):
        for h in range(H):
            print(l + 1, h + 1, "%.9f" % aer([r["att.cross"][l][h] for r in records], int(sys.argv[2] == "reads")),
                  *("%.9f" % v for v in sinks(l, h)), file=f)
END
fields=layer,head,confidence,entropy,distance,offset,positional
for how in 'plain predicts' 'tag reads'; do
	runs python3 truth.py $how; say $? "$how: weights of a Transformer in NumPy"
	runs head-stat -q --align gold --relations nsubj,amod -o foreign.stat foreign.heed; wrong=$?
	case $how in
	plain*) more=,syntax.nsubj.dep,syntax.nsubj.head,syntax.amod.dep,syntax.amod.head ;;
	*) more='' ;;
	esac
	for s in enc-self dec-self cross; do
		case $s in cross) add=,aer ;; enc-self) add=$more ;; *) add='' ;; esac
		heed-show -f site,$fields$add foreign.stat | sed -n "s/^$s	//p" | tr '\t' ' ' > got
		near 2e-6 got $s || wrong=1
	done
	that $wrong = 0; say $? '... head-stat has the measures of double precision'
	head-find --align gold --rows "${how#* }" --to tsv foreign.heed | awk -F '\t' 'NR > 1 { print substr($1, 7), $2, $5, $6, $7, $8 }' | tr : ' ' | sort > got
	sort find > want; near 6e-5 got want; say $? '... and head-find, too'
done
that "$(model foreign.stat)" = numpy-7; say $? '... the measures have the name of the model'

# A prompt "a b c = a b c" of a model without an encoder: head 1 copies the word that it predicts, head 2 attends to the
# first position, which is in neither span, and head 3 to what is before
cat > prompt.py <<'END'
import heed, numpy as np
records = []
for n in 3, 5, 4, 6, 2:
    tokens = ["<s>"] + ["w%d" % i for i in range(n)] + ["="] + ["w%d" % i for i in range(n)] + ["."]
    size = len(tokens)
    a = np.zeros((3, size, size))
    for q in range(size):
        a[0, q, q - n if n < q <= 2 * n else 0] = 1
        a[1, q, 0] = 1
        a[2, q, :q + 1] = 1 / (q + 1)
    source, target = range(1, n + 1), range(n + 2, 2 * n + 2)
    cross = heed.prompt_attention(a, source, target)
    assert cross.shape == (3, n + 1, n + 1) and np.allclose(cross.sum(2), 1)
    assert np.array_equal(cross[2, 0, :n], a[2, n + 1, 1:n + 1].astype("f4")) and np.isclose(cross[2, 0, n], 2 / (n + 2))
    records.append({"src.pieces": [tokens[i] for i in source], "tgt.pieces": [tokens[i] for i in target], "att.cross": [cross]})
heed.write_attention("prompt.heed", records)
open("copies", "w").write("".join(" ".join("%d-%d" % (i, i) for i in range(n)) + "\n" for n in (3, 5, 4, 6, 2)))
for bad, why in (({"att.cross.1": [[[1, float("nan")]]]}, "not finite"), ({"att.cross.1": [[[1, 0]]]}, "1 target positions for 1 tokens"),
                 ({"att.cross": [[[1]]]}, "shape"), ({"att.other.1": [[[1]]]}, "att.other.1, expected"), ({}, "no weights")):
    try:
        heed.write_attention("never.heed", [{"src.pieces": ["a"], "tgt.pieces": ["b"], **bad}])
        raise AssertionError(why)
    except heed.Error as e:
        assert why in str(e) and "record 1" in str(e), e
END
runs python3 prompt.py && that ! -e never.heed; say $? 'a span of a prompt as cross-attention; malformed weights are refused'
printf '%s\n' 'cross.1:1	0.0000	1.0000	0.0000' 'cross.1:2	1.0000	0.0000	1.0000' > want
head-find --align copies --to tsv prompt.heed | cut -f 1,2,4,5 | grep 'cross.1:[12]' | sort > got
equals got want; say $? '... its copying head has no errors, and the sink all weights on the rest'
that "$(head-find --align copies --to ctranslate2 prompt.heed)" = '[[0, 0]]'; say $? '... the set is the copying head'
python3 - << 'END'
import heed, numpy as np
heed.write_attention("decoder.heed", [{"tgt.pieces": ["a", "b"], "att.dec-self": [np.array([[[1, 0, 0], [.25, .75, 0], [.5, .25, .25]]])]}])
END
cat > page.py << 'END'
import json, sys
s = json.load(sys.stdin)["models"][0]["sentences"][0]
assert "source" not in s and s["target"]["tokens"] == ["a", "b", "</s>"], s
assert s["attention"] == {"dec.1.self": [[[1, 0, 0], [.25, .75, 0], [.5, .25, .25]]]}, s
END
head-map --json decoder.heed > decoder.json; runs python3 page.py < decoder.json; say $? 'a page of a decoder without an encoder'
