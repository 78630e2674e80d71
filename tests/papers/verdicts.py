#!/usr/bin/env python3
"""verdicts.py GRID CLAIMS RECORD...: the verdicts of heed-table(1) once more, from the records alone.

Least squares by numpy, distributions by SciPy, and, where it is installed, the estimates of statsmodels as well.  CLAIMS is
heed-table's TSV of all claims of the grid.  It gives the names of the systems, the differences that the paper reports,
and the values to compare with.  Prints a line for each claim, with the verdict here and there, and one for each value
that differs, or comparison of the grid that is missing; exits 1 if there are any.
"""
import collections, csv, math, sys, warnings
import numpy
from scipy import integrate, optimize, stats
try:
    import statsmodels.api
    warnings.filterwarnings("ignore", "The design matrix is rank")
except ImportError:
    statsmodels = None
LEVEL, BARTLETT, AA = 0.05, 0.01, 0.05
looks, groups, aa, families = [], collections.OrderedDict(), [], collections.OrderedDict()
sections, section, missing = {}, None, set()
for word, *rest in filter(None, map(str.split, open(sys.argv[1]))):
    if word == "looks":
        looks = [(int(n), float(alpha)) for n, alpha in (look.split(":") for look in rest)]
    elif word == "group" and not section:
        groups.setdefault(rest[0], []).extend(rest[1:])
    elif word == "aa" and not section:
        aa += [(rest[0], variant) for variant in rest[1:]]
    elif word == "family" and not section:
        families[rest[0]] = (float(rest[1]), float(rest[2]), rest[4] if rest[3:] else None)
    elif word == "section":
        section = sections[rest[0]] = dict(name=rest[0], paper="", family=None, within=0.0, ratio=0.0, measure="bleu")
    elif word in ("paper", "family") and section:
        section[word] = rest[0]
    elif word in ("within", "ratio") and section:
        section[word] = float(rest[0])
    elif word == "columns" and section:
        section["measure"] = rest[0].split(":")[0] if ":" in rest[0] else "bleu"
    elif section and section["name"].startswith("claims") and word not in ("scope", "test") and word[0] != "#":
        missing.update((section["name"], word, against) for against in rest[0].split(","))
for s in sections.values():
    s["family"] = s["family"] or s["paper"]
    families.setdefault(s["family"], (0.02, 0.5, None))
runs = collections.defaultdict(dict)
for path in sys.argv[3:]:
    fact = dict(line.rstrip("\n").split("\t", 1) for line in open(path))
    runs[fact["column"]][fact["variant"], int(fact["seed"])] = {
        name: float(fact[name]) for name in ("test.nll", "bleu", "updates", "tokens") if name in fact}

OWN = 0.1
Fit = collections.namedtuple("Fit", "mean error df own other")

def bartlett(variance, df):
    """The p of scipy.stats.bartlett, which takes samples, with these degrees of freedom."""
    variance, df = numpy.array(variance), numpy.array(df)
    n, k = df.sum(), len(df)
    value = n * math.log(df @ variance / n) - df @ numpy.log(variance)
    return stats.chi2.sf(value / (1 + ((1 / df).sum() - 1 / n) / (3 * (k - 1))), k - 1) if k > 1 else 1.0

def group_of(a, b):
    return next((g for g in groups.values() if a in g and b in g), None)

def fit(column, a, b, measure, also, ratio, until=math.inf, group=None):
    """The difference a - b by the model of a group, by default theirs, over the runs of seeds up to `until`."""
    group = None if ratio else group or group_of(a, b)
    if group is None and groups and not ratio:
        values = [[v[measure] for (name, seed), v in runs[column].items() if name == s and seed <= until
                   and measure in v and (not also or also in v)] for s in (a, b)]
        if min(map(len, values)) < 2:
            return None
        x, y = (numpy.var(v, ddof=1) / len(v) for v in values)
        df = (x + y) ** 2 / (x ** 2 / (len(values[0]) - 1) + y ** 2 / (len(values[1]) - 1))
        return Fit(numpy.mean(values[0]) - numpy.mean(values[1]), math.sqrt(x + y), df, True, (math.sqrt(x + y), df))
    data = [(name, seed, v[measure] * (ratio if ratio and name == b else 1)) for (name, seed), v in sorted(runs[column].items())
            if name in (group or (a, b)) and seed <= until and measure in v and (not also or also in v)]
    if group:    # the same training under two names counts once, under the name that is compared
        once = {}
        for d in sorted(data, key=lambda d: d[0] not in (a, b)):
            of = runs[column][d[0], d[1]]
            key = (d[1], *(of.get(n, d[0]) for n in ("test.nll", "bleu", "updates", "tokens")))
            if d[0] in (a, b) or key not in once:
                once.setdefault(key, []).append(d)
        data = sorted(d for same in once.values() for d in same)
    systems, seeds = sorted({d[0] for d in data}), sorted({d[1] for d in data})
    if a not in systems or b not in systems:
        return None
    x = numpy.zeros((len(data), len(systems) + len(seeds)))
    for i, (name, seed, _) in enumerate(data):
        x[i, systems.index(name)] = x[i, len(systems) + seeds.index(seed)] = 1
    y = numpy.array([d[2] for d in data])
    beta, _, rank, _ = numpy.linalg.lstsq(x, y, rcond=None)
    c = numpy.zeros(x.shape[1])
    c[systems.index(a)], c[systems.index(b)] = 1, -1
    inverse = numpy.linalg.pinv(x.T @ x)
    df = len(data) - rank
    if df <= 0 or abs(x.T @ x @ inverse @ c - c).max() > 1e-6:
        return None
    residual = y - x @ beta
    variance = residual @ residual / df
    if statsmodels:
        other = statsmodels.api.OLS(y, x).fit().t_test(c)
        assert abs(other.effect[0] - c @ beta) < 1e-9 and abs(other.sd[0][0] - math.sqrt(variance * (c @ inverse @ c))) < 1e-9
    # separate variances: r' r of a system has the mean tr M and the variance 2 tr M^2, where M is its part of I - H
    m = numpy.eye(len(data)) - x @ inverse @ x.T
    weight = c @ inverse @ x.T    # of each run in the difference
    own = {}
    for s in systems:
        rows = [i for i, d in enumerate(data) if d[0] == s]
        part = m[numpy.ix_(rows, rows)]
        if numpy.trace(part) > 1e-9:
            own[s] = (residual[rows] @ residual[rows] / numpy.trace(part),
                      numpy.trace(part) ** 2 / numpy.trace(part @ part), weight[rows] @ weight[rows])
    other = None
    noise = 1e-12 * abs(y).max()
    if a in own and b in own:
        total = sum(v * w for v, _, w in own.values())
        if math.sqrt(total) >= noise:
            other = math.sqrt(total), total ** 2 / sum((v * w) ** 2 / f for v, f, w in own.values())
    if other and len(systems) > 2 and variance > 1e-20 and all(v > 0 for v, _, _ in own.values()) and \
            bartlett([v for v, _, _ in own.values()], [f for _, f, _ in own.values()]) < BARTLETT:
        return Fit(c @ beta, *other, True, other)
    error, mean = math.sqrt(variance * (c @ inverse @ c)), c @ beta
    return Fit(mean if abs(mean) >= noise else 0.0, error if error >= noise else 0.0, df, False, other)

def p_of(f, shift):
    if f.error <= 1e-9 * abs(f.mean):
        return 1.0 if abs(f.mean - shift) <= 1e-9 * abs(shift) else None
    return 2 * stats.t.sf(abs(f.mean - shift) / f.error, f.df)

class Difference:
    def __init__(self, column, a, b, measure, also=None, shift=0.0, ratio=0.0):
        self.seeds = sorted(seed for (name, seed), v in runs[column].items() if name == a and measure in v
                            and (not also or also in v) and measure in runs[column].get((b, seed), {})
                            and (not also or also in runs[column][b, seed]))
        self.n, self.p, self.tested, self.tested_df = len(self.seeds), None, 0, 0
        self.fit = fit(column, a, b, measure, also, ratio) if self.n > 1 else None
        self.shift = shift
        if not self.fit:
            return
        self.tested = max([n for n, _ in looks if n <= self.n], default=0) if looks else self.n
        self.tested_df = self.fit.df
        half = stats.t.isf(LEVEL / 2, self.fit.df) * self.fit.error
        self.low, self.high = self.fit.mean - half, self.fit.mean + half
        self.p = p_of(self.fit, shift)
        self.worse = stats.t.sf((self.fit.mean - shift) / self.fit.error, self.fit.df) if self.fit.error else 0.5
        if looks and self.p is not None:
            self.p = 1.0
            for n, alpha in looks:
                if n > self.n:
                    break
                f = fit(column, a, b, measure, also, ratio, self.seeds[n - 1])
                self.tested_df = f.df if f else 0
                if f and (f.mean > shift) == (self.fit.mean > shift) and p_of(f, shift) is not None:
                    self.p = min(self.p, p_of(f, shift) * LEVEL / alpha)

    def at_look(self):
        """Error and degrees of freedom of the last look; the variance is that of all seeds."""
        if not self.tested or self.tested_df <= 0:
            return None
        return self.fit.error * math.sqrt(self.n / self.tested), self.tested_df

def share(n):
    reached = [alpha for seeds, alpha in looks if seeds <= n] or [looks[0][1]] if looks else [LEVEL]
    return reached[-1] / LEVEL

def detectable(d, level):
    """P(s < |z + x| / t) = 0.8, z normal, df s s of chi square."""
    at = d.at_look()
    if not at:
        return None
    error, df = at
    z, t = numpy.linspace(-9, 9, 4001), stats.t.isf(level / 2, df)
    power = lambda x: integrate.trapezoid(stats.norm.pdf(z) * stats.chi2.cdf(df * ((z + x) / t) ** 2, df), z)
    return optimize.brentq(lambda x: power(x) - 0.8, 0, 20 * t + 20) * error

class Comparison:
    def __init__(self, column, a, b, s):
        self.loss = s["measure"] == "test.nll"
        self.nats, self.bleu, _ = families[s["family"]]
        self.second = None
        shift = s["within"] * (1 if self.loss else -1)
        if s["measure"] == "bleu" and not s["within"] and not s["ratio"]:
            self.loss = True
            self.first = Difference(column, a, b, "test.nll", "bleu")
            self.second = Difference(column, a, b, "bleu", "test.nll")
        else:
            self.first = Difference(column, a, b, s["measure"], None, shift, s["ratio"])
        self.margin = self.nats if self.second or (s["measure"] == "test.nll" and not s["ratio"]) else 0
        self.aa = self.first.n > 1 and any(p < AA for p in self.p_aa(column, a, b, s))

    def p_aa(self, column, a, b, s):
        measure, group = "test.nll" if self.second else s["measure"], group_of(a, b)
        fits = [fit(column, v, base, measure, None, 0, group=group) for base, v in aa
                if group and base in group and v in group and Difference(column, v, base, measure).n > 1]
        return holm([p for p in (p_of(f, 0) for f in fits if f) if p is not None])

    def better(self):
        return self.first.fit.mean < self.first.shift if self.loss else self.first.fit.mean > self.first.shift

    def contradicted(self):
        s = self.second
        return bool(s and s.fit) and (s.high < 0 if self.better() else s.low > 0)

    def supports(self):
        return self.better() and not self.contradicted()

    def doubtful(self):
        """Whether the variances of the two systems alone do not find the difference."""
        other = self.first.fit.other
        return bool(other) and 2 * stats.t.sf(abs(self.first.fit.mean - self.first.shift) / other[0], other[1]) >= OWN

    def doubt(self):
        if self.first.p is None:
            return (2 if self.first.n else 3), 0
        p = self.first.p / 2 if self.supports() else 1 - self.first.p / 2
        return p, -self.first.worse if self.loss else self.first.worse

def holm(p):
    out, low = list(p), 0
    for rank, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        out[i] = low = max(low, min(1, p[i] * (len(p) - rank)))
    return out

claims = collections.OrderedDict()
for r in csv.DictReader(open(sys.argv[2]), delimiter="\t"):
    if r["section"] != "section":
        missing.discard((r["section"], r["variant"], r["against"]))
        c = claims.setdefault((r["section"], r["claim"], r["column"]), dict(s=sections[r["section"]], rows=[], all=[]))
        c["all"].append(Comparison(r["column"], r["variant"], r["against"], c["s"]))
        c["rows"].append(r)
        if r["verdict"]:
            c["found"] = r
seen = {}
for key, c in claims.items():
    c["weakest"] = max(c["all"], key=Comparison.doubt)
    identity = (key[2], tuple((r["variant"], r["against"]) for r in c["rows"]), c["s"]["measure"], c["s"]["within"], c["s"]["ratio"])
    c["first"] = seen.setdefault(identity, key)
    w = c["weakest"]
    c["p"] = None
    if c["first"] == key and w.first.p is not None and not w.aa:
        c["p"] = w.first.p if w.supports() else min(1, w.first.p * len(c["all"]))

def verdict(c, n_open):
    w, d = c["weakest"], c["weakest"].first
    if not d.n:
        return "not run"
    if w.aa:
        return "not judged: A/A rows differ"
    if c.get("waits") and d.n > 1:
        return "not judged: waits for claims of the paper"
    if d.n == 1:
        return "not judged: one seed"
    if d.p is None:
        return "not judged: equal differences"
    if c["holm"] < LEVEL and not w.doubtful():
        return "NLL and BLEU disagree" if w.contradicted() else "confirmed" if w.better() else "reversed"
    if c["holm"] < LEVEL:
        return "open"
    s = w.second
    if -w.margin < d.low and d.high < w.margin:
        differ = s and s.fit and (s.low > w.bleu or s.high < -w.bleu)
        return "NLL and BLEU disagree" if differ else "no difference larger than"
    paper = c["found"]["paper's difference"]
    if s and s.fit and s.at_look() and paper and float(paper) > 0 and not (looks and s.n < looks[0][0]):
        error, df = s.at_look()
        if s.fit.mean + stats.t.isf(LEVEL * share(s.n) / n_open / len(c["all"]) / 2, df) * error < float(paper):
            return "smaller than reported"
    return "open"

def seeds_needed(c, level):
    w, d = c["weakest"], c["weakest"].first
    for n in range(d.n + 1, 101):
        error, df = d.fit.error * math.sqrt(d.n / n), d.fit.df + n - d.n
        at = dict(looks).get(n, 0) / LEVEL if looks else 1
        half, alone = stats.t.isf(LEVEL / 2, df) * error, True
        if d.fit.other:
            own, own_df = d.fit.other[0] * math.sqrt(d.n / n), d.fit.other[1] * (n - 1) / (d.n - 1)
            alone = 2 * stats.t.sf(abs(d.fit.mean - d.shift) / own, own_df) < OWN
        below = abs(d.fit.mean - d.shift) / error > stats.t.isf(level * at / 2, df) if at else c["holm"] < LEVEL
        if alone if below else -w.margin < d.fit.mean - half and d.fit.mean + half < w.margin:
            return n - d.n
    return 0

for family, (_, _, after) in families.items():
    mine = [c for key, c in claims.items() if c["s"]["family"] == family and c["first"] == key]
    if after and any(c.get("verdict", "").startswith(("open", "not judged"))
                     for c in claims.values() if c["s"]["family"] == after):
        for c in mine:
            c["waits"], c["p"] = True, None
    tested = [c for c in mine if c["p"] is not None]
    for c, p in zip(tested, holm([c["p"] for c in tested])):
        c["holm"] = p
    n_open = sum(c["holm"] >= LEVEL for c in tested)
    for c in mine:
        c["n_open"], c["verdict"] = n_open, verdict(c, n_open)
        if c["p"] is not None:
            tests = n_open + (c["holm"] < LEVEL)
            c["level"] = LEVEL / tests * share(c["weakest"].first.n)
            if c["verdict"] == "open":
                bases = 1 if c["weakest"].supports() else len(c["all"])
                c["seeds"] = seeds_needed(c, LEVEL / tests / bases)
wrong = len(missing)
for name, variant, against in missing:
    print(name, f"{variant} against {against}", "in the grid", "missing", sep="\t")

def differs(key, what, want, cell, unit, share=1e-3):
    global wrong
    if (want is None) != (cell == "") or want is not None and abs(want - float(cell)) > 0.51 * unit + share * abs(want):
        wrong += 1
        print(key[0], key[1], f"{what} {want}", f"{what} {cell}", sep="\t")

for key, c in claims.items():
    first = claims[c["first"]]
    found = c["found"]["verdict"]
    base = found.split(" larger than")[0] + " larger than" if " larger than" in found else found.split(":")[0] \
        if found.startswith("open") else found
    want = verdict({**first, "found": c["found"]}, first["n_open"])    # with the difference that its own paper reports
    wrong += want != base
    print(key[0], key[1], want, base, sep="\t")
    differs(key, "seeds", first.get("seeds") or None, c["found"]["seeds to decide"], 0.1, 0)
    differs(key, "p of Holm", first.get("holm"), c["found"]["p of Holm"], 1e-4)
    for x, r in zip(first["all"], c["rows"]):
        
        one = x.first if x.first.fit else None
        unit = 1e-2 if c["s"]["within"] and c["s"]["measure"] == "bleu" else 1e-4
        differs(key, "difference", one and one.fit.mean, r["difference"] if x.first.n != 1 else "", unit)
        differs(key, "low", one and one.low, r["low"], unit)
        differs(key, "high", one and one.high, r["high"], unit)
        differs(key, "error", one and one.fit.error, r["standard error"], 1e-6, 1e-5)
        differs(key, "df", one and one.fit.df, r["degrees of freedom"], 0.1)
        differs(key, "p", one and one.p, r["p"], 1e-4)
        level = first.get("level")
        differs(key, "detectable", detectable(x.first, level) if level and one else None, r["detectable"], unit, 2e-3)
        two = x.second if x.second and x.second.fit else None
        differs(key, "BLEU low", two and two.low, r["BLEU low"], 1e-2)
        differs(key, "BLEU high", two and two.high, r["BLEU high"], 1e-2)
        differs(key, "BLEU detectable", detectable(two, level) if level and two else None, r["BLEU detectable"], 1e-2, 2e-3)
sys.exit(wrong > 0)
