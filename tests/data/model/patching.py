"""Writes patching.tsv: effects of activation patching in the models in this folder.

An independent computation in double precision, without libraries, for tests/variant/head-patch.c:

	python3 patching.py > patching.tsv

The forward pass is that of attribution.py.  Columns: model; direction; number of the pair; site and
head, or total; effect.
"""
import math

import attribution

TARGET = "der hund beisst ein mann"
PAIRS = [("the dog bites a man", "the man bites a dog"), ("the dog bites a man", "a dog bites the man")]


class Patched(attribution.Run):
    """A run on a source.  patch: (site, head, head outputs of another run) or None."""
    def __init__(self, m, source, patch=None):
        self.patch, self.name, self.kept = patch, None, {}
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


def main():
    for name in ["story", "fairseq", "onmt"]:
        m = attribution.Model(name)
        for number, pair in enumerate(PAIRS):
            clean, corrupted = (Patched(m, source) for source in pair)
            effect = clean.score() - corrupted.score()
            for direction in ["noise", "denoise"]:
                print("\t".join([name, direction, str(number), "total", "0", "%.12g" % effect]))
                for site, head in sorted(clean.kept):
                    if direction == "noise":
                        patched = Patched(m, pair[0], (site, head, corrupted.kept[site, head]))
                        effect_of = clean.score() - patched.score()
                    else:
                        patched = Patched(m, pair[1], (site, head, clean.kept[site, head]))
                        effect_of = patched.score() - corrupted.score()
                    print("\t".join([name, direction, str(number), site, str(head + 1), "%.12g" % effect_of]))


if __name__ == "__main__":
    main()
