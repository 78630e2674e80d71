#!/usr/bin/env python3
"""permutation.py CLAIMS RECORD...: the p-values of heed-table(1) once more, without any distribution.

The records are runs of systems that do not differ, all with the same seeds.  Then the systems of a seed are exchangeable, and
permuting them within each seed gives the distribution of every claim's t.  CLAIMS is heed-table's TSV.  Prints a line for each
claim, with the p there and here; exits 1 if two differ by more than 0.01.
"""
import csv, sys
import numpy
PERMUTATIONS, DIFFERENCE = 20000, 0.01
value = {}
for path in sys.argv[2:]:
    fact = dict(line.rstrip("\n").split("\t", 1) for line in open(path))
    value[fact["variant"], int(fact["seed"])] = float(fact["test.nll"])
systems, seeds = (sorted(set(part)) for part in zip(*value))
y = numpy.array([[value[system, seed] for system in systems] for seed in seeds])

def t_of(y, a, b):
    """|t| of the difference of two columns, with one deviation for all columns; y is permutations x seeds x systems."""
    residual = y - y.mean(1, keepdims=True) - y.mean(2, keepdims=True) + y.mean((1, 2), keepdims=True)
    variance = (residual ** 2).sum((1, 2)) / ((len(seeds) - 1) * (len(systems) - 1))
    return abs((y[:, :, a] - y[:, :, b]).mean(1)) / numpy.sqrt(2 * variance / len(seeds))

random = numpy.random.default_rng(1)
permuted = random.permuted(numpy.broadcast_to(y, (PERMUTATIONS, *y.shape)), axis=2)
status = 0
for row in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
    if row["section"] == "section":
        continue
    pair = systems.index(row["variant"]), systems.index(row["against"])
    p = (t_of(permuted, *pair) >= t_of(y[None], *pair)).mean()
    status |= int(abs(p - float(row["p"])) > DIFFERENCE)
    print(row["claim"], row["p"], f"{p:.4f}", sep="\t")
sys.exit(status)
