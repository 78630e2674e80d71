#!/usr/bin/env python3
"""verdicts.py GRID CLAIMS RECORD...: the verdicts of heed-table(1) once more, from the records alone, by SciPy.

CLAIMS is heed-table's TSV of all claims of the grid.  It gives the names of the systems, the differences that the
paper reports, and the verdicts and detectable differences to compare with.  Prints a line for each claim, and one for
each detectable difference that differs, or comparison of the grid that is missing; exits 1 if there are any.
"""
import collections, csv, sys
import numpy
from scipy import integrate, optimize, stats
looks, paper, within, section, missing = [], {}, {}, None, set()
for word, *rest in filter(None, map(str.split, open(sys.argv[1]))):
    if word == "looks":
        looks = [(int(n), float(alpha)) for n, alpha in (look.split(":") for look in rest)]
    elif word == "section":
        section = rest[0]
        paper[section] = ""
    elif word == "paper":
        paper[section] = rest[0]
    elif word == "within" and section:
        within[section] = float(rest[0])
    elif section and section.startswith("claims") and word not in ("columns", "scope") and word[0] != "#":
        missing.update((section, word, against) for against in rest[0].split(","))
runs = collections.defaultdict(dict)
for path in sys.argv[3:]:
    fact = dict(line.rstrip("\n").split("\t", 1) for line in open(path))
    if "test.nll" in fact and "bleu" in fact:
        runs[fact["variant"], fact["column"]][int(fact["seed"])] = (float(fact["test.nll"]), float(fact["bleu"]))

def differences(a, b, margin):
    """Of NLL and BLEU; with a margin, BLEU is the only measure: it, and with the other sign, takes both places."""
    seeds = sorted(set(a) & set(b))
    d = [[a[s][k] - b[s][k] for s in seeds] for k in (0, 1)]
    return d if margin is None else [[-x - margin for x in d[1]], [x + margin for x in d[1]]]

def equal(d):
    return any(d) and max(d) - min(d) <= 1e-9 * max(map(abs, d))

def p_value(d):
    t = lambda x: 1.0 if equal(x) or not any(x) else stats.ttest_1samp(x, 0).pvalue
    reached = [t(d[:n]) * 0.05 / a for n, a in looks if n <= len(d) and sum(d[:n]) * sum(d) > 0]
    return min(reached + [1.0]) if looks else t(d)

def last(n, spent=False):
    """The seeds of the last look, or 0, or what it spends of 0.05."""
    reached = [look for look in looks if look[0] <= n] or [(0, looks[0][1])] if looks else [(n, 0.05)]
    return reached[-1][spent]

def detectable(d, level):
    """The power of a two-sided t test of n seeds is E P(s < |z + delta| / t), z normal, (n - 1) s s of chi square."""
    n = last(len(d))
    if n < 2:
        return None
    z, t = numpy.linspace(-9, 9, 20001), stats.t.isf(level / 2, n - 1)
    power = lambda x: integrate.trapezoid(stats.norm.pdf(z) * stats.chi2.cdf((n - 1) * ((z + x) / t) ** 2, n - 1), z)
    return optimize.brentq(lambda x: power(x) - 0.8, 0, 20 * t + 20) / n ** 0.5 * numpy.std(d, ddof=1)

def fails(d):
    return not (sum(d[0]) < 0 and sum(d[1]) > 0)

claims = collections.OrderedDict()
for r in csv.DictReader(open(sys.argv[2]), delimiter="\t"):
    if r["section"] != "section":
        missing.discard((r["section"], r["variant"], r["against"]))
        c = claims.setdefault((r["section"], r["claim"], r["column"]), dict(paper="", d=[], detectable=[]))
        c["detectable"].append((r["detectable"], r["BLEU detectable"]))
        c["d"].append(differences(runs[r["variant"], r["column"]], runs[r["against"], r["column"]],
                                  within.get(r["section"])))
        if r["verdict"]:
            c.update(verdict=r["verdict"], paper=r["paper's difference"])
for c in claims.values():
    seeds = min(len(d[0]) for d in c["d"])
    c["weakest"], c["p"] = c["d"][0], None
    if seeds > 1:
        def doubt(d):
            if equal(d[0]):
                return 2, 0
            p = p_value(d[0])
            return 1 - p / 2 if fails(d) else p / 2, stats.ttest_1samp(d[0], 0, alternative="less").pvalue
        c["weakest"] = max(c["d"], key=doubt)
        if equal(c["weakest"][0]):
            continue
        c["p"] = min(1, p_value(c["weakest"][0]) * (len(c["d"]) if fails(c["weakest"]) else 1))
for family in set(paper.values()):
    tested = [c for (section, _, _), c in claims.items() if paper[section] == family and c["p"] is not None]
    low = 0
    for i, c in enumerate(sorted(tested, key=lambda c: c["p"])):
        low = c["holm"] = max(low, min(1, c["p"] * (len(tested) - i)))
        c["level"] = last(len(c["weakest"][0]), True) / (len(tested) - i)
    for c in tested:
        c["family"] = sum(other["holm"] >= 0.05 for other in tested)

def verdict(c):
    n = min(len(d[0]) for d in c["d"])
    if n < 2:
        return ["not run", "not judged: one seed"][n]
    nll, bleu = c["weakest"]
    if equal(nll):
        return "not judged: equal differences"
    if c["holm"] < 0.05:
        return "NLL and BLEU disagree" if sum(nll) * sum(bleu) > 0 else "confirmed" if sum(nll) < 0 else "reversed"
    n, bleu = last(n), bleu[:last(n)]
    if not n:
        return "inconclusive"
    level = last(n, True) / c["family"] / len(c["d"])
    high = sum(bleu) / n + stats.t.ppf(1 - level / 2, n - 1) * stats.sem(bleu)
    return "smaller than reported" if c["paper"] and 0 < float(c["paper"]) and high < float(c["paper"]) else "inconclusive"

wrong = len(missing)
for section, variant, against in missing:
    print(section, f"{variant} against {against}", "in the grid", "missing", sep="\t")
for (section, claim, _), c in claims.items():
    wrong += verdict(c) != c["verdict"]
    print(section, claim, verdict(c), c["verdict"], sep="\t")
    for d, found in zip(c["d"], c["detectable"]):
        if section in within and found[1]:
            wrong += 1
            print(section, claim, "one measure", f"BLEU detectable {found[1]}", sep="\t")
        for values, cell, unit in [(d[1], found[0], 1e-2)] if section in within else zip(d, found, (1e-4, 1e-2)):
            want = detectable(values, c["level"]) if "level" in c and len(values) > 1 else None
            if (want is None) != (cell == "") or want is not None and abs(want - float(cell)) > 0.51 * unit + 1e-3 * want:
                wrong += 1
                print(section, claim, f"detectable {want}", f"detectable {cell}", sep="\t")
sys.exit(wrong > 0)
