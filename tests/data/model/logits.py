"""Writes logits.tsv: direct logit attribution of the heads of the models in this folder.

An independent computation in double precision, without libraries, for tests/variant/head-logits.c:

	python3 logits.py > logits.tsv

The forward pass is that of attribution.py.  The decoder's residual stream is kept as a list of parts,
and each part passes through the normalizations with the standard deviation of the whole row; in the end,
the parts must sum to the logit of the target token minus the mean logit.
Columns: model; site; head; sum over the target tokens.
"""
import math

import attribution
from attribution import TGT


class Kept(attribution.Run):
    """A run with the sums after all sublayers."""
    def __init__(self, m):
        self.sum = {}
        super().__init__(m)

    def feed_forward(self, x, name):
        inner = self.norm(x, name + ".norm") if self.m.pre else x
        y = self.add(x, self.linear(self.relu(self.linear(inner, name + ".in")), name + ".out"))
        self.sum[name] = x.x, y.x
        return y if self.m.pre else self.norm(y, name + ".norm")


def normalize(m, parts, whole, name):
    """Each part of the rows `whole` through a normalization with fixed standard deviations."""
    gain, bias = m.vector(name + ".gain"), m.vector(name + ".bias")
    eps, n = float(m.c["norm_eps"]), m.width
    rstd = []
    for row in whole:
        mean = sum(row) / n
        rstd.append(1 / math.sqrt(sum((a - mean) ** 2 for a in row) / n + eps))
    for key, rows in parts.items():
        parts[key] = [[g * (a - sum(row) / n) * s for a, g in zip(row, gain)] for row, s in zip(rows, rstd)]
    parts[name] = [list(bias) for row in whole]


def parts_of(m):
    run, d = Kept(m), m.width // m.heads
    parts = {"embed": run.tgt.x}
    for i in range(1, int(m.c["dec_layers"]) + 1):
        for name in ["dec.%d.self" % i, "dec.%d.cross" % i]:
            out, heads = m.matrix(name + ".out.weight", m.width), run.site[name]["heads"].x
            for h in range(m.heads):
                at = range(h * d, h * d + d)
                parts[name, h] = [[sum(w[k] * row[k] for k in at) for w in out] for row in heads]
            parts[name, "bias"] = [m.vector(name + ".out.bias") for row in heads]
            if not m.pre:
                normalize(m, parts, run.site[name]["sum"], name + ".norm")
        name = "dec.%d.ff" % i
        before, after = run.sum[name]
        parts[name] = [[b - a for a, b in zip(p, q)] for p, q in zip(before, after)]
        if not m.pre:
            normalize(m, parts, after, name + ".norm")
    if m.c["final_norm"] == "on":
        normalize(m, parts, after, "dec.norm")
    return run, parts


def main():
    for name in ["story", "fairseq", "onmt"]:
        m = attribution.Model(name)
        run, parts = parts_of(m)
        w, b = m.output()
        mean = [sum(column) / len(w) for column in zip(*w)]
        targets = [m.tgt[x] for x in TGT] + [2]
        total = {}
        for t, y in enumerate(targets):
            for key, rows in parts.items():
                part = sum((p - q) * a for p, q, a in zip(w[y], mean, rows[t]))
                total[key] = total.get(key, 0) + part
        logits = sum(row[y] - b[y] - (sum(row) - sum(b)) / len(w) for row, y in zip(run.logits, targets))
        assert abs(sum(total.values()) - logits) < 1e-9
        for key in sorted(k for k in total if isinstance(k, tuple) and k[1] != "bias"):
            print("\t".join([name, key[0], str(key[1] + 1), "%.12g" % total[key]]))


if __name__ == "__main__":
    main()
