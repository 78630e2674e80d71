"""Writes attribution.tsv: token attributions and head relevance of the models in this folder.

An independent computation in double precision, without libraries, for tests/cli/head-lrp.t:

	python3 attribution.py > attribution.tsv

AttnLRP is computed rule by rule (Achtibat et al. 2024); the gradients of Chefer et al. (2021) are
central differences; values are zeroed one at a time in the whole model (Mohebbi et al. 2023); the
vectors of ALTI (Ferrando et al. 2022) are built for each pair of tokens.  Integrated gradients
(Sundararajan et al. 2017) are central differences by factors of the embeddings.
"""
import array
import io
import gzip
import math
import os
import re
import tarfile

SRC = "the dog bites a man".split()
TGT = "der hund beisst ein mann".split()
EPS = 1e-6
STEPS = 20
HERE = os.path.dirname(os.path.abspath(__file__))


class Model:
    def __init__(self, name):
        data = gzip.open(os.path.join(HERE, name + ".tar.gz")).read()
        self.param = {}
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar.getmembers():
                body = tar.extractfile(member).read()
                if member.name == "heed-model":
                    text = body.decode("latin-1")
                elif member.name.startswith("vocab/"):
                    words = body.decode().split("\n")[:-1]
                    setattr(self, member.name[6:], {w: i + 4 for i, w in enumerate(words)})
                elif member.name.startswith("param/"):
                    self.param[member.name[6:]] = list(array.array("f", body))
        setting = re.search("enc_layers=[ -~]*", text).group()
        self.c = dict(x.split("=", 1) for x in setting.split(",") if "=" in x)
        self.width, self.heads = int(self.c["width"]), int(self.c["heads"])
        self.layers = int(self.c["enc_layers"])
        self.pre = self.c["pre_norm"] == "on"
        self.factor = {}    # of the embedding of a token: {(target, position): factor}; None: of all

    def vector(self, name):
        return self.param[name]

    def matrix(self, name, width):
        x = self.param[name]
        return [x[i:i + width] for i in range(0, len(x), width)]

    def position(self, p):
        half, x = self.width // 2, [0.0] * self.width
        for i in range(half):
            halves = self.c["positions"] == "halves"
            power = i / half if not halves else i / (half - 1) if half > 1 else 0
            angle = (p + int(self.c["position_first"])) * math.exp(-math.log(10000) * power)
            x[i if halves else 2 * i] = math.sin(angle)
            x[half + i if halves else 2 * i + 1] = math.cos(angle)
        return x

    def embed(self, ids, target):
        name = {"all": "embed.weight"}.get(self.c["tie"], ("tgt" if target else "src") + ".embed.weight")
        table = self.matrix(name, self.width)
        bias = [0.0] * self.width
        if not target and self.c["src_bias"] == "on":
            bias = self.vector("src.embed.bias")
        rows = []
        for p, i in enumerate(ids):
            row = table[i] if i >= 0 else [0.0] * self.width
            factor = self.factor.get((target, p), self.factor.get(None, 1)) * math.sqrt(self.width)
            rows.append([factor * a + b + c
                         for a, b, c in zip(row, self.position(p), bias)])
        return rows

    def output(self):
        name = {"none": "output.weight", "decoder": "tgt.embed.weight"}.get(self.c["tie"], "embed.weight")
        w = self.matrix(name, self.width)
        return w, self.vector("output.bias") if self.c["output_bias"] == "on" else [0.0] * len(w)


# --- a tape with values and relevance ---

class Node:
    """A matrix, and a function that gives the relevance of its elements to its inputs."""
    def __init__(self, tape, x, back=None):
        self.x, self.back = x, back
        tape.append(self)

    def clear(self):
        self.rel = [[0.0] * len(row) for row in self.x]


def share(z, bias, rel, absorbed):
    """The parts of rel in proportion to the contributions z, by the epsilon rule."""
    total = sum(z) + bias
    if total == 0:
        return [rel / len(z)] * len(z)
    by = rel / (total + (EPS if total > 0 else -EPS))
    absorbed[0] += rel - by * sum(z)
    return [by * a for a in z]


class Run:
    """A forward pass.  zero: (site, token) whose value is zeroed.  nudge: (site, h, i, j, delta)."""
    def __init__(self, m, zero=None, nudge=None):
        self.m, self.zero, self.nudge, self.tape, self.site = m, zero, nudge, [], {}
        self.outputs, self.absorbed = {}, [0.0]
        src = [m.src[w] for w in SRC] + ([2] if m.c["src_eos"] == "on" else [])
        first = {"zero": -1, "eos": 2, "bos": 1}[m.c["first"]]
        tgt = [first] + [m.tgt[w] for w in TGT]
        self.src = Node(self.tape, m.embed(src, False))
        self.tgt = Node(self.tape, m.embed(tgt, True))
        x = self.src
        for i in range(1, m.layers + 1):
            x = self.attention(x, None, "enc.%d.self" % i, False)
            x = self.feed_forward(x, "enc.%d.ff" % i)
            self.outputs["enc", i] = x.x
        memory = self.norm(x, "enc.norm") if m.c["final_norm"] == "on" else x
        x = self.tgt
        for i in range(1, int(m.c["dec_layers"]) + 1):
            x = self.attention(x, None, "dec.%d.self" % i, True)
            x = self.attention(x, memory, "dec.%d.cross" % i, False)
            x = self.feed_forward(x, "dec.%d.ff" % i)
            self.outputs["dec", i] = x.x
        self.h = self.norm(x, "dec.norm") if m.c["final_norm"] == "on" else x
        w, b = m.output()
        self.logits = [[sum(p * q for p, q in zip(row, v)) + c for v, c in zip(w, b)]
                       for row in self.h.x]

    def norm(self, x, name):
        gain, bias = self.m.vector(name + ".gain"), self.m.vector(name + ".bias")
        y = []
        for row in x.x:
            mean = sum(row) / len(row)
            rstd = 1 / math.sqrt(sum((a - mean) ** 2 for a in row) / len(row) + float(self.m.c["norm_eps"]))
            y.append([g * (a - mean) * rstd + b for a, g, b in zip(row, gain, bias)])

        def back(rel):
            for to, row in zip(x.rel, rel):
                for i, r in enumerate(row):
                    to[i] += r
        return Node(self.tape, y, back)

    def linear(self, x, name):
        w, b = self.m.matrix(name + ".weight", len(x.x[0])), self.m.vector(name + ".bias")
        y = [[sum(p * q for p, q in zip(row, v)) + c for v, c in zip(w, b)] for row in x.x]

        def back(rel):
            for row, to, of in zip(x.x, x.rel, rel):
                for v, c, r in zip(w, b, of):
                    for i, part in enumerate(share([p * q for p, q in zip(row, v)], c, r, self.absorbed)):
                        to[i] += part
        return Node(self.tape, y, back)

    def columns(self, x, first, n):
        def back(rel):
            for to, row in zip(x.rel, rel):
                for i, r in enumerate(row):
                    to[first + i] += r
        return Node(self.tape, [row[first:first + n] for row in x.x], back)

    def relu(self, x):
        def back(rel):
            for to, row in zip(x.rel, rel):
                for i, r in enumerate(row):
                    to[i] += r
        return Node(self.tape, [[max(a, 0.0) for a in row] for row in x.x], back)

    def add(self, x, y):
        def back(rel):
            for a, b, ra, rb, of in zip(x.x, y.x, x.rel, y.rel, rel):
                for i, r in enumerate(of):
                    pa, pb = share([a[i], b[i]], 0, r, self.absorbed)
                    ra[i] += pa
                    rb[i] += pb
        return Node(self.tape, [[p + q for p, q in zip(a, b)] for a, b in zip(x.x, y.x)], back)

    def scores(self, q, k, causal):
        d, n = len(q.x[0]), len(k.x) - len(q.x)
        scale = 1 / math.sqrt(d)
        s = [[scale * sum(a * b for a, b in zip(q.x[i], k.x[j])) if not causal or j <= i + n else None
              for j in range(len(k.x))] for i in range(len(q.x))]

        def back(rel):
            for i in range(len(q.x)):
                for j in range(len(k.x)):
                    if s[i][j] is None or rel[i][j] == 0:
                        continue
                    z = [scale * a * b for a, b in zip(q.x[i], k.x[j])]
                    for e, part in enumerate(share(z, 0, rel[i][j], self.absorbed)):
                        q.rel[i][e] += part / 2
                        k.rel[j][e] += part / 2
        return Node(self.tape, s, back)

    def softmax(self, s):
        y = []
        for row in s.x:
            top = max(a for a in row if a is not None)
            e = [math.exp(a - top) if a is not None else 0.0 for a in row]
            y.append([a / sum(e) for a in e])

        def back(rel):
            for row, a, to, of in zip(s.x, y, s.rel, rel):
                total = sum(of)
                for i, x in enumerate(row):
                    r = x * (of[i] - a[i] * total) if x is not None else 0.0
                    to[i] += r
                    self.absorbed[0] -= r
                self.absorbed[0] += total
        return Node(self.tape, y, back)

    def context(self, a, v):
        y = [[sum(p * row[c] for p, row in zip(weights, v.x)) for c in range(len(v.x[0]))]
             for weights in a.x]

        def back(rel):
            for weights, ra, of in zip(a.x, a.rel, rel):
                for c, r in enumerate(of):
                    z = [p * row[c] for p, row in zip(weights, v.x)]
                    for j, part in enumerate(share(z, 0, r, self.absorbed)):
                        ra[j] += part / 2
                        v.rel[j][c] += part / 2
        return Node(self.tape, y, back)

    def join(self, parts):
        def back(rel):
            for i, row in enumerate(rel):
                at = 0
                for p in parts:
                    for c in range(len(p.x[0])):
                        p.rel[i][c] += row[at]
                        at += 1
        return Node(self.tape, [sum((p.x[i] for p in parts), []) for i in range(len(parts[0].x))], back)

    def attention(self, x, memory, name, causal):
        m = self.m
        d = m.width // m.heads
        inner = self.norm(x, name + ".norm") if m.pre else x
        if memory:
            q, kv = self.linear(inner, name + ".q"), self.linear(memory, name + ".kv")
            k, v = self.columns(kv, 0, m.width), self.columns(kv, m.width, m.width)
        else:
            qkv = self.linear(inner, name + ".qkv")
            q, k, v = (self.columns(qkv, i * m.width, m.width) for i in range(3))
        if self.zero and self.zero[0] == name:
            v.x[self.zero[1]] = [0.0] * m.width
        parts, weights = [], []
        for h in range(m.heads):
            a = self.softmax(self.scores(self.columns(q, h * d, d), self.columns(k, h * d, d), causal))
            if self.nudge and self.nudge[:2] == (name, h):
                a.x[self.nudge[2]][self.nudge[3]] += self.nudge[4]
            weights.append(a.x)
            parts.append(self.context(a, self.columns(v, h * d, d)))
        heads = self.join(parts)
        y = self.add(x, self.linear(heads, name + ".out"))
        self.site[name] = {"x": x.x, "v": v.x, "a": weights, "sum": y.x, "heads": heads}
        return y if m.pre else self.norm(y, name + ".norm")

    def feed_forward(self, x, name):
        inner = self.norm(x, name + ".norm") if self.m.pre else x
        y = self.add(x, self.linear(self.relu(self.linear(inner, name + ".in")), name + ".out"))
        return y if self.m.pre else self.norm(y, name + ".norm")


# --- methods: each returns rows of source and target attributions ---

def identity(n):
    return [[float(i == j) for j in range(n)] for i in range(n)]


def times(a, b):
    return [[sum(x * row[j] for x, row in zip(r, b)) for j in range(len(b[0]))] for r in a]


def plus(a, b):
    return [[x + y for x, y in zip(p, q)] for p, q in zip(a, b)]


def best(run, foil=None):
    return [max(range(len(row)), key=lambda i: row[i]) for row in run.logits]


def attnlrp(m, foil=None):
    run = Run(m)
    w, b = m.output()
    src, tgt, heads = [], [], []
    for t, v in enumerate(best(run)):
        for n in run.tape:
            n.clear()
        run.absorbed[0] = 0.0
        row, bias = w[v], b[v]
        if foil is not None:
            row, bias = [p - q for p, q in zip(w[v], w[foil])], b[v] - b[foil]
        if v != foil:
            run.h.rel[t] = share([p * q for p, q in zip(row, run.h.x[t])], bias, 1.0, run.absorbed)
        for n in reversed(run.tape):
            if n.back:
                n.back(n.rel)
        src.append([sum(r) for r in run.src.rel])
        tgt.append([sum(r) for r in run.tgt.rel])
        assert abs(sum(src[-1]) + sum(tgt[-1]) + run.absorbed[0] - (v != foil)) < 1e-9
        d = m.width // m.heads
        heads.append({(s, h): sum(sum(r[h * d:h * d + d]) for r in x["heads"].rel)
                      for s, x in run.site.items() for h in range(m.heads)})
    return src, tgt, heads


def contributions(m, site, name, cross):
    """ALTI, equations 7 to 9: rows over the keys, then, in cross-attention, the residual."""
    d, out = m.width // m.heads, m.matrix(name + ".out.weight", m.width)
    bias, gain = m.vector(name + ".out.bias"), m.vector(name + ".norm.gain")
    shift = m.vector(name + ".norm.bias")
    rows = []
    for i, total in enumerate(site["sum"]):
        mean = sum(total) / m.width
        rstd = 1 / math.sqrt(sum((a - mean) ** 2 for a in total) / m.width + float(m.c["norm_eps"]))

        def transform(u):
            center = sum(u) / m.width
            return u if m.pre else [g * (a - center) * rstd for a, g in zip(u, gain)]

        part = []
        for j, v in enumerate(site["v"]):
            mixed = [site["a"][c // d][i][j] * a for c, a in enumerate(v)]
            f = [sum(p * q for p, q in zip(mixed, r)) for r in out]
            if not cross and i == j:
                f = [p + q for p, q in zip(f, site["x"][i])]
            part.append(transform(f))
        if cross:
            part.append(transform(site["x"][i]))
        y = total if m.pre else [a + b for a, b in zip(transform(total), shift)]
        size = sum(abs(a) for a in y)
        c = [max(0.0, size - sum(abs(a - b) for a, b in zip(y, p))) for p in part]
        if sum(c) == 0:
            c[-1 if cross else i] = 1.0
        rows.append([a / sum(c) for a in c])
    return rows


def alti(m, foil=None):
    run = Run(m)
    enc = identity(len(run.src.x))
    for i in range(1, m.layers + 1):
        name = "enc.%d.self" % i
        enc = times(contributions(m, run.site[name], name, False), enc)
    n = len(run.tgt.x)
    src, tgt = [[0.0] * len(enc) for i in range(n)], identity(n)
    for i in range(1, m.layers + 1):
        name = "dec.%d.self" % i
        own = contributions(m, run.site[name], name, False)
        name = "dec.%d.cross" % i
        cross = contributions(m, run.site[name], name, True)
        own = [[row[-1] * a for a in r] for row, r in zip(cross, own)]
        src = plus(times(own, src), times([r[:-1] for r in cross], enc))
        tgt = times(own, tgt)
    return src, tgt, None


def normalized(rows):
    for i, r in enumerate(rows):
        if sum(r) == 0:
            r[i] = 1.0
    return [[a / sum(r) for a in r] for r in rows]


def distance(a, b):
    size = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return 1 - sum(x * y for x, y in zip(a, b)) / size if size else 0.0


def zeroing(m, foil=None):
    run = Run(m)

    def column(where, layer, site, token):
        out = Run(m, zero=(site, token)).outputs[where, layer]
        return [distance(a, b) for a, b in zip(run.outputs[where, layer], out)]

    s, t = len(run.src.x), len(run.tgt.x)
    enc = identity(s)
    for i in range(1, m.layers + 1):
        c = [column("enc", i, "enc.%d.self" % i, j) for j in range(s)]
        enc = times(normalized([list(r) for r in zip(*c)]), enc)
    src, tgt = [[0.0] * s for i in range(t)], identity(t)
    for i in range(1, m.layers + 1):
        c = [column("dec", i, "dec.%d.self" % i, j) for j in range(t)]
        c += [column("dec", i, "dec.%d.cross" % i, j) for j in range(s)]
        c = normalized([list(r) for r in zip(*c)])
        own, cross = [r[:t] for r in c], [r[t:] for r in c]
        src = plus(times(own, src), times(cross, enc))
        tgt = times(own, tgt)
    return src, tgt, None


def chefer(m, foil=None):
    run, delta = Run(m), 1e-5
    tokens = best(run)

    def objective(run, t):
        row = run.logits[t]
        return row[tokens[t]] - (row[foil] if foil is not None else 0)

    # grad[site][t][h][i][j]
    positive = {}
    n = len(tokens)
    for name, site in run.site.items():
        queries, keys = len(site["a"][0]), len(site["a"][0][0])
        mean = [[[0.0] * keys for i in range(queries)] for t in range(n)]
        for h in range(m.heads):
            for i in range(queries):
                for j in range(keys):
                    up = Run(m, nudge=(name, h, i, j, delta))
                    down = Run(m, nudge=(name, h, i, j, -delta))
                    for t in range(n):
                        g = (objective(up, t) - objective(down, t)) / (2 * delta)
                        mean[t][i][j] += max(0.0, g * site["a"][h][i][j]) / m.heads
        positive[name] = mean

    def without_identity(r):
        rows = []
        for i, row in enumerate(r):
            rest = [a - (i == j) for j, a in enumerate(row)]
            total = sum(rest)
            rows.append([(a / total if total else 0.0) + (i == j) for j, a in enumerate(rest)])
        return rows

    src, tgt = [], []
    for t in range(n):
        ii, qq = identity(len(run.src.x)), identity(n)
        qi = [[0.0] * len(ii) for i in range(n)]
        for i in range(1, m.layers + 1):
            ii = plus(ii, times(positive["enc.%d.self" % i][t], ii))
        for i in range(1, m.layers + 1):
            a = positive["dec.%d.self" % i][t]
            qq, qi = plus(qq, times(a, qq)), plus(qi, times(a, qi))
            turned = [list(r) for r in zip(*without_identity(qq))]
            qi = plus(qi, times(turned, times(positive["dec.%d.cross" % i][t], without_identity(ii))))
        none = tokens[t] == foil
        src.append([0.0] * len(ii) if none else qi[t])
        tgt.append([0.0] * n if none else qq[t])
    return src, tgt, None


def rollout(m, foil=None):
    run = Run(m)

    def half(name):
        a = run.site[name]["a"]
        return [[sum(w[i][j] for w in a) / m.heads / 2 for j in range(len(a[0][0]))] for i in range(len(a[0]))]

    def self_attention(name):
        return [[x + (i == j) / 2 for j, x in enumerate(row)] for i, row in enumerate(half(name))]

    s, t = len(run.src.x), len(run.tgt.x)
    enc = identity(s)
    for i in range(1, m.layers + 1):
        enc = times(self_attention("enc.%d.self" % i), enc)
    src, tgt = [[0.0] * s for i in range(t)], identity(t)
    for i in range(1, m.layers + 1):
        own = [[x / 2 for x in row] for row in self_attention("dec.%d.self" % i)]
        src = plus(times(own, src), times(half("dec.%d.cross" % i), enc))
        tgt = times(own, tgt)
    return src, tgt, None


def integrated(m, foil=None):
    run, delta = Run(m), 1e-5
    tokens, s, t = best(run), len(run.src.x), len(run.tgt.x)

    def objectives(factor):
        m.factor = factor
        logits = Run(m).logits
        m.factor = {}
        return [row[v] - (row[foil] if foil is not None else 0) for row, v in zip(logits, tokens)]

    sums = {(target, i): [0.0] * t for target, n in [(False, s), (True, t)] for i in range(n)}
    for k in range(STEPS):
        a = (k + 0.5) / STEPS
        for key, total in sums.items():
            y = [objectives({None: a, key: a + by * delta}) for by in (1, -1, 2, -2)]
            for p in range(t):
                total[p] += (8 * (y[0][p] - y[1][p]) - (y[2][p] - y[3][p])) / (12 * delta) / STEPS
    none = [v == foil for v in tokens]
    return ([[0.0 if none[p] else sums[False, i][p] for i in range(s)] for p in range(t)],
            [[0.0 if none[p] else sums[True, i][p] for i in range(t)] for p in range(t)], None)


def write(name, method, rows, side):
    for t, row in enumerate(rows):
        print("\t".join([name, method, side, str(t)] + ["%.9g" % a for a in row]))


def write_heads(name, method, heads):
    for site in sorted(set(s for s, h in heads[0])):
        n = [h for s, h in heads[0] if s == site]
        for h in n:
            shares = [abs(x[site, h]) / sum(abs(x[site, k]) for k in n)
                      for x in heads if any(x[site, k] for k in n)]
            raw = [x[site, h] for x in heads if any(x.values())]
            print("\t".join([name, method, "heads", site, str(h + 1), "%.9g" % (sum(shares) / len(shares)),
                             "%.9g" % (sum(raw) / len(raw))]))


def main():
    for name in ["story", "fairseq", "onmt"]:
        m = Model(name)
        for method, function, foil in [
                ("attnlrp", attnlrp, None), ("attnlrp.against", attnlrp, "hund"),
                ("alti", alti, None), ("value-zeroing", zeroing, None),
                ("chefer", chefer, None), ("chefer.against", chefer, "hund")]:
            src, tgt, heads = function(m, m.tgt[foil] if foil else None)
            write(name, method, src, "src")
            write(name, method, tgt, "tgt")
            if heads:
                write_heads(name, method, heads)
    for name in ["story", "fairseq", "onmt"]:
        m = Model(name)
        for method, function, foil in [
                ("rollout", rollout, None), ("integrated-gradients", integrated, None),
                ("integrated-gradients.against", integrated, "hund")]:
            src, tgt, heads = function(m, m.tgt[foil] if foil else None)
            write(name, method, src, "src")
            write(name, method, tgt, "tgt")


if __name__ == "__main__":
    main()
