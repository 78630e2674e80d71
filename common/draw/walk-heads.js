// walk-heads: measures of heads: roles, ranks, and the grid of all heads.
const DIVERGING = JSON.parse(document.getElementById('colors').textContent).diverging;
const FIRST = ['gradient', 'relevance', 'ablation', 'fisher', 'saliency', 'norm', 'confidence', 'gate'];	// shown first
const NEAREST = .3;			// of the threshold of a role: less is no role
const brief = v => Number.isInteger(v) ? String(v) : Math.abs(v) < 10 ? v.toFixed(2).replace(/^(-?)0\./, '$1.') : v.toPrecision(3);

// What changes when heads can be removed; a page with a server sets it.
let live = null;			// { isRemoved(), toggle(), address(), follow() }

// Sets, for each measure of a model, the rank of each head, 1 for the greatest value, and the range of values.
function rankHeads(m) {
	const values = {};
	for (const list of Object.values(m.heads))
		for (const x of list)
			for (const [k, v] of Object.entries(x)) if (Number.isFinite(v) && !k.endsWith('.error')) (values[k] ||= []).push(v);
	m.ranks = Object.fromEntries(Object.entries(values).map(([k, list]) => {
		const sorted = [...list].sort((a, b) => b - a), rank = new Map();
		sorted.forEach((v, i) => { if (!rank.has(v)) rank.set(v, i + 1); });
		return [k, { rank, n: list.length, low: sorted[sorted.length - 1], high: sorted[0] }];
	}));
}
const rankOf = (m, by, v) => m.ranks[by] && Number.isFinite(v) ? m.ranks[by].rank.get(v) : undefined;

// The measures that can be chosen: of the models that are shown; the first is that of the document, or a usual one.
function measureNames() {
	const names = [...new Set(panes.flatMap(p => Object.keys(models[p.model].ranks)))];
	const given = panes.map(p => models[p.model].by).find(k => names.includes(k));
	const first = given || FIRST.find(k => names.includes(k)) || names[0];
	return first ? [first, ...names.filter(k => k !== first)] : [];
}

const OFFSETS = { '-1': 'previous', 0: 'same', 1: 'next' };
// What a head does, with its share; of a head without a role the nearest one, or nothing.
function roleOf(x) {
	const near = [], add = (name, share, enough) => { if (Number.isFinite(share) && enough > 0) near.push({ name, share, part: share / enough }); };
	if (isText(x.role) && x.role !== 'other' && x.role !== 'positional') return x.role;
	add(Number.isInteger(x.offset) ? OFFSETS[x.offset] || `offset ${x.offset > 0 ? '+' : ''}${x.offset}` : 'positional', x.positional, .9);
	if (x.role === 'positional') return near.length ? `${near[0].name} ${brief(near[0].share)}` : x.role;
	if (x.role !== 'other') return '';
	add('rare', x.rare2, .5);
	for (const [k, v] of Object.entries(x)) {
		const [, relation] = k.match(/^syntax\.(.+)\.(?:dep|head)$/) || [];
		if (relation) add(relation, v, (x[`syntax.${relation}.base`] ?? 1) + .1);
	}
	const best = near.reduce((a, b) => b.part > a.part ? b : a, { part: 0 });
	return best.part >= NEAREST ? `${best.name} ${brief(best.share)}` : '';
}

// The color of a value in the range of its measure, and whether text on it is white.
function shade(range, v) {
	const both = range.low < 0 && range.high > 0, most = Math.max(range.high, -range.low);
	const t = both ? (v / most + 1) / 2 : range.high > range.low ? (v - range.low) / (range.high - range.low) : .5;
	const scale = both ? DIVERGING : COLORS;
	return { color: scale[Math.round(t * (scale.length - 1))], dark: both ? Math.abs(t - .5) > .3 : t > .45 };
}

const headsWith = (pane, kind, layer) => models[pane.model].heads[siteName(kind, layer)] || [];
const isGone = (pane, kind, layer, head) => Boolean(live && live.isRemoved(models[pane.model], siteName(kind, layer), head));

function gridCell(pane, s, kind, layer, head) {
	const m = models[pane.model], x = headsWith(pane, kind, layer)[head - 1] || {}, v = x[at.by], rank = rankOf(m, at.by, v);
	const pruned = !headsOf(s, kind, layer)[head - 1] && !isGone(pane, kind, layer, head);
	const name = `${siteName(kind, layer)}, head ${head}`, measured = rank ? `${at.by} ${brief(v)}, rank ${rank} of ${m.ranks[at.by].n}` : '';
	const b = button(rank ?? '', null, () => live && !pruned ? live.toggle(m, [[kind, layer, head]], pane) : go({ kind, layer, view: String(head) }, pane));
	b.value = `${kind}/${layer}/${head}`;
	b.title = [name, pruned ? 'pruned' : '', measured, roleOf(x)].filter(t => t).join('; ');
	b.setAttribute('aria-label', b.title);
	b.classList.toggle('pruned', pruned);
	if (rank && !pruned) {
		const c = shade(m.ranks[at.by], v);
		b.style.background = c.color;
		b.style.color = c.dark ? '#fff' : '#1c2430';
	}
	return b;
}

// The label of a layer or kind: with a server, a button that removes all its heads.
function gridLabel(pane, s, text, kind, layers, name) {
	if (!live) return element('span', text);
	const list = layers.flatMap(l => headsOf(s, kind, l).map((_, h) => [kind, l, h + 1]));
	const b = button(text, null, () => live.toggle(models[pane.model], list, pane));
	b.title = `remove or restore all heads of ${name}`;
	b.setAttribute('aria-label', b.title);
	return b;
}

function makeGrid(pane, s, kind) {
	const n = layersOf(s, kind), layers = Array.from({ length: n }, (_, i) => i + 1), most = Math.max(...layers.map(l => headsOf(s, kind, l).length));
	const box = element('div', '', { className: 'grid' }), title = element('h3', '');
	box.style.gridTemplateColumns = `1.6rem repeat(${most}, minmax(1.35rem, 1.9rem))`;
	title.append(gridLabel(pane, s, KINDS[kind].title, kind, layers, `the ${KINDS[kind].title} attention`));
	box.append(title, element('span', ''));
	for (let h = 1; h <= most; h++) box.append(element('span', h));
	for (const l of layers) {
		box.append(gridLabel(pane, s, l, kind, [l], siteName(kind, l)));
		for (let h = 1; h <= most; h++) box.append(h <= headsOf(s, kind, l).length ? gridCell(pane, s, kind, l, h) : element('span', ''));
	}
	return box;
}

// The grid is made again only if something changes it, so that a button keeps the focus.
function drawGrids(pane, s) {
	const m = models[pane.model], range = m.ranks[at.by], box = part(pane, 'grids'), shape = kindsOf(s).map(k => k + layersOf(s, k)).join();
	part(pane, 'all-heads').hidden = !live && !measureNames().length;
	const key = [pane.model, s.id, shape, at.by].join('/');
	if (key !== pane.grids) box.replaceChildren(...kindsOf(s).map(kind => makeGrid(pane, s, kind)));
	pane.grids = key;
	for (const b of box.querySelectorAll('.grid button[value]')) {
		const [kind, layer, head] = b.value.split('/');
		b.setAttribute('aria-pressed', live ? isGone(pane, kind, +layer, +head) : kind === pane.kind && +layer === pane.layer && head === pane.view);
		b.classList.toggle('gone', isGone(pane, kind, +layer, +head));
		b.classList.toggle('here', kind === pane.kind && +layer === pane.layer && head === pane.view);
	}
	const both = range && range.low < 0 && range.high > 0, most = range ? Math.max(range.high, -range.low) : 0;
	part(pane, 'grid-legend').hidden = !range;
	if (range) {
		const scale = both ? DIVERGING : COLORS, step = Math.ceil(scale.length / 12), bar = element('i', '');
		bar.style.background = `linear-gradient(to right, ${scale.filter((_, i) => i % step === 0).join(',')})`;
		part(pane, 'grid-legend').replaceChildren(element('span', `${at.by} ${brief(both ? -most : range.low)}`), bar, element('span', brief(both ? most : range.high)), element('span', 'numbers: ranks, 1 has the greatest value'));
	}
}

// The head of rank 1 in a sentence, as what a pane shows, or null.
function bestHead(pane, s) {
	const m = models[pane.model];
	let best = null;
	for (const kind of kindsOf(s))
		for (let layer = 1; layer <= layersOf(s, kind); layer++)
			headsOf(s, kind, layer).forEach((w, i) => {
				const v = (headsWith(pane, kind, layer)[i] || {})[at.by];
				if (w && Number.isFinite(v) && (!best || v > best.v)) best = { v, kind, layer, view: String(i + 1) };
			});
	return best && { kind: best.kind, layer: best.layer, view: best.view };
}

/* --- translations without a head --- */

// Which of the tokens a and b are in no longest common subsequence: { a: [bool], b: [bool] }.
function diff(a, b) {
	const n = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
	for (let i = a.length - 1; i >= 0; i--)
		for (let j = b.length - 1; j >= 0; j--) n[i][j] = a[i] === b[j] ? n[i + 1][j + 1] + 1 : Math.max(n[i + 1][j], n[i][j + 1]);
	const out = { a: a.map(() => true), b: b.map(() => true) };
	for (let i = 0, j = 0; i < a.length && j < b.length;) {
		if (a[i] === b[j]) out.a[i++] = out.b[j++] = false;
		else if (n[i + 1][j] >= n[i][j + 1]) i++;
		else j++;
	}
	return out;
}

const signed = v => (v > 0 ? '+' : v < 0 ? '−' : '') + Math.abs(v).toFixed(2);
const figure = v => v === null ? '−∞' : signed(v);

// A line of tokens, of which some are marked with a class.
function tokenLine(tokens, marked, name) {
	const line = element('p', '', { className: 'tokens' });
	line.append(...tokens.map((t, i) => element('span', t, { className: marked[i] ? name : '' })));
	return line;
}

// What the sentence loses without the head that is shown, if the document has it.
function drawWithout(pane, s) {
	const box = part(pane, 'without'), one = pane.view > 0 && s.without?.[siteName(pane.kind, pane.layer)]?.[pane.view - 1];
	box.hidden = !one;
	if (!one) return;
	const whole = s.whole.tokens, now = one.tokens ?? whole, d = diff(now, whole), x = s.whole.sum;
	const sums = x === null || one.change === null ? '' : ` Log-probability of the target: ${figure(x)} → ${figure(x + one.change)} (change ${signed(one.change)}).`;
	const lines = one.tokens ? [tokenLine(now, d.a, 'changed'), element('h2', 'Translation of the whole model'), tokenLine(whole, d.b, 'lost')] : [tokenLine(now, [], '')];
	box.replaceChildren(element('h2', one.tokens ? 'Translation without this head' : 'Translation, the same without this head'), ...lines, element('p', sums, { className: 'sums' }));
}

/* --- two models --- */

// The difference of the weights of two panes with the same tokens: { m, top } or a text that says why there is none.
function difference() {
	const [a, b] = panes.map(p => sentenceOf(p) && matrix(p));
	if (!a || !b || !a.x || !b.x) return 'one of the heads is pruned';
	const same = (x, y) => x.length === y.length && x.every((t, i) => t === y[i]);
	if (!same(a.from, b.from) || !same(a.to, b.to)) return 'the two heads have different queries or keys';
	const x = a.x.map((row, i) => row.map((v, j) => v - b.x[i][j]));
	return { m: { from: a.from, to: a.to, x }, top: Math.max(largest(x), largest(x.map(r => r.map(v => -v)))) || 1 };
}

function drawDifference() {
	const box = $('difference');
	box.hidden = panes.length < 2 || at.lines || panes.some(p => !sentenceOf(p));
	if (box.hidden) return;
	const d = difference(), names = panes.map(p => `${models[p.model].name} ${headName(p, p.layer, p.view)}`);
	const scroll = box.querySelector('.scroll'), c = scroll.querySelector('canvas'), legend = box.querySelector('.legend');
	box.querySelector('h2').textContent = isText(d) ? `No difference map: ${d}.` : `Difference: ${names[0]} minus ${names[1]}`;
	scroll.hidden = legend.hidden = isText(d);
	if (isText(d)) return;
	c.setAttribute('aria-label', `difference of attention weights, ${d.m.from.length} queries by ${d.m.to.length} keys`);
	drawMatrix(c, scroll.clientWidth, d.m, d.top, at.token < d.m.from.length ? at.token : -1, -1, v => DIVERGING[Math.round((v / d.top + 1) / 2 * (DIVERGING.length - 1))]);
	legend.children[0].textContent = `weight -${d.top.toFixed(2)}`;
	legend.children[1].style.background = `linear-gradient(to right, ${DIVERGING.filter((_, i) => i % 22 === 0).join(',')})`;
	legend.children[2].textContent = `+${d.top.toFixed(2)}`;
}
