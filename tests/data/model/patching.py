"""Writes patching.tsv: effects of activation patching in the models in this folder.

An independent computation in double precision, without libraries, for tests/variant/head-patch.c:

	python3 patching.py > patching.tsv

The forward pass is that of attribution.py.  Gradients are differences: the derivative along the
difference of the head outputs.  Columns: model; direction; number of the pair; site and head, or
total; effect; its first order; its first order averaged over STEPS embeddings of the source (EAP-IG).
"""
import math

import attribution

TARGET = "der hund beisst ein mann"
STEPS = 5
SMALL = 1e-4
PAIRS = [("the dog bites a man", "the man bites a dog"), ("the dog bites a man", "a dog bites the man")]


class Mixed(attribution.Model):
    """A model whose source embeddings are mixed with those of another source.  other: (source, share)."""
    other = None

    def embed(self, ids, target):
        rows = super().embed(ids, target)
        if target or not self.other:
            return rows
        source, share = self.other
        end = [2] if self.c["src_eos"] == "on" else []
        more = super().embed([self.src[w] for w in source.split()] + end, False)
        return [[share * a + (1 - share) * b for a, b in zip(p, q)] for p, q in zip(more, rows)]


class Patched(attribution.Run):
    """A run on a source.  patch: (site, head, head outputs of another run) or None."""
    def __init__(self, m, source, patch=None, other=None):
        self.patch, self.name, self.kept = patch, None, {}
        m.other = other
        attribution.SRC, attribution.TGT = source.split(), TARGET.split()
        super().__init__(m)

    def attention(self, x, memory, name, causal):
        self.name = name
        return super().attention(x, memory, name, causal)

    def join(self, parts):
        if self.patch and self.patch[0] == self.name:
            parts[self.patch[1]].x = self.patch[2]
        for h, part in enumerate(parts):
            self.kept[self.name, h] = part.x
        return super().join(parts)

    def score(self):
        total = 0.0
        for row, token in zip(self.logits, [self.m.tgt[w] for w in attribution.TGT] + [2]):
            if self.m.c["output_mask"] == "on":
                raise ValueError("an output mask")
            top = max(row)
            total += row[token] - top - math.log(sum(math.exp(x - top) for x in row))
        return total


def slope(m, source, other, key, clean, corrupted):
    """The derivative of -log P by the share of corrupted minus clean in a head output, in a run."""
    run = Patched(m, source, None, other)
    score = []
    for by in [SMALL, -SMALL, 2 * SMALL, -2 * SMALL]:
        x = [[a + by * (c - b) for a, b, c in zip(p, q, r)]
             for p, q, r in zip(run.kept[key], clean.kept[key], corrupted.kept[key])]
        score.append(Patched(m, source, key + (x,), other).score())
    return -(8 * (score[0] - score[1]) - (score[2] - score[3])) / (12 * SMALL)


def main():
    for name in ["story", "fairseq", "onmt"]:
        m = Mixed(name)
        for number, pair in enumerate(PAIRS):
            clean, corrupted = (Patched(m, source) for source in pair)
            effect = clean.score() - corrupted.score()
            for direction in ["noise", "denoise"]:
                print("\t".join([name, direction, str(number), "total", "0"] + 3 * ["%.12g" % effect]))
                for site, head in sorted(clean.kept):
                    if direction == "noise":
                        patched = Patched(m, pair[0], (site, head, corrupted.kept[site, head]))
                        effect_of = clean.score() - patched.score()
                    else:
                        patched = Patched(m, pair[1], (site, head, clean.kept[site, head]))
                        effect_of = patched.score() - corrupted.score()
                    key, order = (site, head), pair if direction == "noise" else pair[::-1]
                    slopes = [slope(m, order[0], (order[1], 1 - k / STEPS), key, clean, corrupted)
                              for k in range(1, STEPS + 1)]
                    print("\t".join([name, direction, str(number), site, str(head + 1)] + ["%.12g" % x for x in
                                     (effect_of, slopes[-1], sum(slopes) / STEPS)]))


if __name__ == "__main__":
    main()
