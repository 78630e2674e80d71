// walk: the page.  Up to two panes show a head each, of two models or of one.
const $ = id => document.getElementById(id);
let models = [];
// What all panes share; token is the number of the selected query, or -1.
const at = { sentence: 0, words: false, token: -1, lines: false, perHead: false, trees: true, linked: true, active: 0, by: '', sorted: false };
let panes = [];				// { model, kind, layer, view, with, hover, node, overview }

const newPane = model => ({ model, kind: 'enc', layer: 1, view: '1', with: [], hover: null, overview: '', grids: '' });
const part = (pane, name) => pane.node.querySelector('.' + name);
// The sentence in the model of a pane: the one with the same id, or undefined.
function sentenceOf(pane) {
	const first = models[panes[0].model].sentences[at.sentence], own = models[pane.model].sentences;
	return pane === panes[0] ? first : first && own.find(s => s.id === first.id);
}
// The pane that shortcuts change; one without the sentence has nothing to change.
const active = () => panes[at.active] && sentenceOf(panes[at.active]) ? panes[at.active] : panes[0];
const headName = (pane, layer, view) => `${siteName(pane.kind, layer)}, ${viewTitle(view)}`;
const topOf = rows => at.perHead && rows ? largest(rows) || 1 : 1;
const matrix = (pane, layer = pane.layer, view = pane.view) => matrixOf(sentenceOf(pane), pane.kind, layer, view, at.words);

/* --- thumbnails --- */

const measuresOf = (pane, layer, view) => (models[pane.model].heads[siteName(pane.kind, layer)] || [])[view - 1] || {};
// The role of a head, and the measure that is chosen with its rank.
function saysMeasures(pane, x) {
	const m = models[pane.model], rank = rankOf(m, at.by, x[at.by]);
	return [roleOf(x), rank ? `${at.by} ${brief(x[at.by])}, rank ${rank} of ${m.ranks[at.by].n}` : ''].filter(t => t).join(', ');
}

// The role of a head, and rank and value of the measure that is chosen, with a bar in its range.
function addMeasures(pane, b, x, all) {
	if (all.role) b.append(element('span', roleOf(x) || '\u00a0', { title: 'role' }));
	if (!all.measure) return;
	const line = element('span', '', { className: 'value', title: at.by }), v = x[at.by], range = models[pane.model].ranks[at.by], rank = rankOf(models[pane.model], at.by, v);
	if (rank) {
		const bar = element('i', ''), low = Math.min(0, range.low), high = Math.max(0, range.high);
		bar.style.width = (high > low ? 100 * (v - low) / (high - low) : 0) + '%';
		line.append(bar, element('span', '#' + rank), element('span', brief(v)));
	} else line.append('\u00a0');
	b.append(line);
}

function thumbnailButton(pane, layer, view, all) {
	const m = matrix(pane, layer, view), x = measuresOf(pane, layer, view), b = button('', null, e => {
		if (e.shiftKey || e.ctrlKey) pin(pane, layer, view);
		else go({ layer, view }, pane);
	});
	b.value = layer + '/' + view;
	b.title = saysMeasures(pane, x);
	b.setAttribute('aria-label', [`layer ${layer}, ${viewTitle(view)}`, m.x ? '' : 'pruned', saysMeasures(pane, x)].filter(t => t).join(', '));
	if (at.sorted) b.append(element('span', `${layer}.${view}`, { className: 'place' }));
	b.append(thumbnail(m, topOf(m.x)), element('b', ''));
	if (view > 0) addMeasures(pane, b, x, all);
	return b;
}

// What thumbnails of all shown models have, so that their rows are aligned.
function shownMeasures(pane) {
	const all = { role: false, measure: false };
	for (const p of panes)
		for (const list of Object.values(models[p.model].heads))
			for (const x of list) {
				all.role ||= Boolean(roleOf(x));
				all.measure ||= Number.isFinite(x[at.by]);
			}
	return all;
}

// Layers as rows and heads as columns, or all heads in the order of their ranks.
function makeOverview(pane, s) {
	const box = part(pane, 'overview'), n = layersOf(s, pane.kind), lists = Array.from({ length: n }, (_, i) => viewsOf(s, pane.kind, i + 1));
	const list = lists.reduce((a, b) => b.length > a.length ? b : a), all = shownMeasures(pane), wide = all.role || all.measure ? 'var(--thumbnail)' : '1.9rem';
	const sorted = at.sorted && all.measure;
	box.style.gridTemplateColumns = sorted ? 'repeat(auto-fill, minmax(var(--thumbnail), 1fr))' : `1.2rem repeat(${list.length}, minmax(${wide}, 1fr))`;
	part(pane, 'over-head').textContent = `${KINDS[pane.kind].title}: ` + (sorted ? `heads (layer.head) by ${at.by}` : 'layers (rows) and heads (columns)');
	if (sorted) {
		const value = ([l, v]) => measuresOf(pane, l, v)[at.by] ?? -Infinity;
		const heads = lists.flatMap((views, l) => views.filter(v => v > 0).map(v => [l + 1, v])).sort((a, b) => value(b) - value(a));
		box.replaceChildren(...heads.map(([l, v]) => thumbnailButton(pane, l, v, all)));
	} else {
		box.replaceChildren(element('span', ''));
		list.forEach(v => box.append(element('span', v)));
		lists.forEach((views, l) => {
			box.append(element('span', l + 1));
			list.forEach(v => box.append(views.includes(v) ? thumbnailButton(pane, l + 1, v, all) : element('span', '')));
		});
	}
	const below = [all.role && 'role', all.measure && `rank and value of ${at.by}`].filter(t => t);
	part(pane, 'note').textContent = below.length ? `Below each head: ${below.join('; ')}.` : '';
}

// Thumbnails are drawn again only if something changes them.
function drawOverview(pane, s) {
	const key = [pane.model, at.sentence, s.id, pane.kind, at.words, at.perHead, at.by, at.sorted, panes.length].join('/');
	if (key !== pane.overview) makeOverview(pane, s);
	pane.overview = key;
	const drawn = at.lines ? drawnHeads(pane).map(h => h.key) : [];
	const box = part(pane, 'overview');
	for (const b of box.querySelectorAll('button')) {
		const [layer, view] = b.value.split('/');
		b.setAttribute('aria-pressed', b.value === pane.layer + '/' + pane.view);
		b.classList.toggle('gone', view > 0 && isGone(pane, pane.kind, +layer, view));
		b.querySelector('b').className = drawn.includes(b.value) ? 'line-' + drawn.indexOf(b.value) : '';
	}
	const b = box.querySelector('[aria-pressed=true]');	// may be outside of a narrow overview
	if (b && (b.offsetLeft < box.scrollLeft || b.offsetLeft + b.offsetWidth > box.scrollLeft + box.clientWidth))
		box.scrollLeft = b.offsetLeft - box.clientWidth / 2;
}

/* --- one head in full size, or several as lines --- */

// The heads that are drawn as lines: those that were added, and the selected one.
function drawnHeads(pane) {
	const keys = [...pane.with, pane.layer + '/' + pane.view].filter((k, i, a) => a.indexOf(k) === i).slice(-LINE_COLORS);
	return keys.map((key, i) => {
		const [layer, view] = key.split('/'), m = matrix(pane, +layer, view);
		return { key, layer: +layer, view, m, top: topOf(m.x), color: i, title: headName(pane, layer, view) };
	}).filter(h => h.m.x);
}

function pin(pane, layer, view) {
	const key = layer + '/' + view, has = pane.with.includes(key);
	at.active = panes.indexOf(pane);
	pane.with = has ? pane.with.filter(k => k !== key) : [...pane.with, key].slice(-LINE_COLORS);
	go({ lines: true });
}

const sideNames = pane => [`queries (${KINDS[pane.kind].from})`, `keys (${KINDS[pane.kind].to})`];

function drawPicture(pane, m, row) {
	const box = part(pane, 'picture'), wide = box.clientWidth;
	const list = at.lines ? drawnHeads(pane) : [];
	part(pane, 'shown').replaceChildren(...list.map(h => {
		const pinned = pane.with.includes(h.key), b = button(pinned ? h.title + ' ×' : h.title, null, () => pin(pane, h.layer, h.view));
		b.className = 'line-' + h.color;
		b.setAttribute('aria-label', pinned ? `remove ${h.title} from the lines` : `keep ${h.title} in the lines`);
		return b;
	}));
	part(pane, 'legend').hidden = at.lines || !m.x;
	if (at.lines ? !list.length : !m.x) return box.replaceChildren(element('p', 'This head is pruned.'));
	if (at.lines) return box.replaceChildren(linesFigure(list, wide, sideNames(pane), row, i => select(pane, i)));
	const c = box.querySelector('canvas') || listen(pane, element('canvas', '', { className: 'map' }));
	c.setAttribute('role', 'img');
	c.setAttribute('aria-label', `attention weights, ${m.from.length} queries by ${m.to.length} keys`);
	if (c.parentNode !== box) box.replaceChildren(c);
	drawMatrix(c, wide, m, topOf(m.x), row, pane.hover ? pane.hover.column : -1);
}

// The mouse marks a cell of the matrix, a click selects its query.
function listen(pane, c) {
	const cell = e => {
		const box = c.getBoundingClientRect();
		return cellAt(matrix(pane), part(pane, 'picture').clientWidth, e.clientX - box.left, e.clientY - box.top);
	};
	const hover = to => {
		if (JSON.stringify(to) === JSON.stringify(pane.hover)) return;
		pane.hover = to;
		drawHead(pane);
	};
	c.addEventListener('pointermove', e => hover(e.pointerType === 'mouse' ? cell(e) : null));
	c.addEventListener('pointerleave', () => hover(null));
	c.addEventListener('click', e => {
		const to = cell(e);
		if (to) select(pane, to.row);
	});
	return c;
}

function drawScale(pane, m) {
	const step = Math.ceil(COLORS.length / 12), top = topOf(m.x);
	part(pane, 'scale').style.background = `linear-gradient(to right, ${COLORS.filter((_, i) => i % step === 0).concat(COLORS[COLORS.length - 1]).join(',')})`;
	part(pane, 'max').textContent = at.perHead ? `${top.toFixed(2)}, the maximum of the head` : '1';
}

// A text with the color of a value; plain if the value is negative, because nothing is selected.
function chip(text, v, top) {
	const e = element('span', text, v < 0 ? {} : { title: v.toFixed(3) });
	if (v < 0) return [e, ' '];
	e.style.background = color(v, top);
	e.style.color = v / top > .45 ? '#fff' : '#1c2430';
	return [e, ' '];
}

// The importance of each head for a token; for a word the mean over its subwords.
function importanceOf(pane, s, rows, row) {
	const words = s[KINDS[pane.kind].from].words, tokens = words.map((w, i) => (at.words ? w : i) === row ? i : -1).filter(i => i >= 0);
	return rows[0].map((_, h) => tokens.reduce((sum, i) => sum + rows[i][h], 0) / tokens.length);
}

function drawFlow(pane, s, m, row) {
	const { from, to } = KINDS[pane.kind], importance = s.importance[siteName(pane.kind, pane.layer)];
	part(pane, 'from-head').textContent = `Query (${from}): select a token`;
	part(pane, 'to-head').textContent = `Keys (${to})`;
	part(pane, 'from').replaceChildren(...m.from.map((t, i) => button(t, i === row, () => select(pane, i))));
	part(pane, 'to').replaceChildren(...m.to.flatMap((t, j) => chip(t, row < 0 || !m.x ? -1 : m.x[row][j], topOf(m.x))));
	part(pane, 'heads-head').hidden = part(pane, 'heads').hidden = row < 0 || !importance;
	if (row >= 0 && importance)
		part(pane, 'heads').replaceChildren(...importanceOf(pane, s, importance, row).flatMap((v, h) => chip(`${h + 1}: ${v.toFixed(2)}`, v, 1)));
}

function drawSays(pane, m, row) {
	const x = measuresOf(pane, pane.layer, pane.view), list = saysMeasures(pane, x);
	part(pane, 'says').replaceChildren(element('b', siteName(pane.kind, pane.layer)), `, ${viewTitle(pane.view)}`);
	if (row >= 0 && m.x) {
		const j = pane.hover ? pane.hover.column : mostIn(m.x[row]);
		part(pane, 'says').append(': ', element('b', m.from[row]), pane.hover ? ' → ' : ' attends most to ', element('b', m.to[j]), ' ' + m.x[row][j].toFixed(3));
	} else if (list) part(pane, 'says').append(` (${list})`);
	part(pane, 'all').hidden = !Object.keys(x).length;
	part(pane, 'all').lastElementChild.replaceChildren(...Object.entries(x).flatMap(([k, v]) => [element('dt', k), element('dd', v)]));
}

/* --- trees --- */

// The trees of the sides of a kind of attention.  Strong arcs: the head's maximum weight lies on them.
function drawTrees(pane, s, row) {
	const { from, to } = KINDS[pane.kind], box = part(pane, 'trees'), x = matrixOf(s, pane.kind, pane.layer, pane.view, true).x;
	const sides = at.trees ? [...new Set([from, to])].filter(side => s[side].heads) : [];
	const word = row < 0 ? -1 : at.words ? row : s[from].words[row];
	box.replaceChildren(...sides.flatMap(side => {
		const heads = s[side].heads, top = topOf(x), own = from === to && x;
		const strong = i => Boolean(own && heads[i] && (mostIn(x[i]) === heads[i] - 1 || mostIn(x[heads[i] - 1]) === i));
		const shade = i => side === to && word >= 0 && x ? { color: color(x[word][i], top), dark: x[word][i] / top > .45 } : null;
		const scroll = element('div', '', { className: 'scroll', tabIndex: 0 });
		scroll.setAttribute('role', 'group');
		scroll.setAttribute('aria-label', `dependency tree of the ${side}`);
		scroll.append(treeFigure(s[side], `dependency tree of the ${side}: ` + s[side].merged.map((t, i) => heads[i] ? `${t} depends on ${s[side].merged[heads[i] - 1]}` : t).join(', '), side === from ? word : -1, shade, strong));
		return [element('h2', `Dependency tree (${side})` + (own ? '; bold: this attention head has a maximum weight along the arc' : '')), scroll];
	}));
}

/* --- the whole page --- */

// The selected token may be beyond the queries of one of the panes.
function drawHead(pane) {
	const s = sentenceOf(pane), m = matrix(pane), row = pane.hover ? pane.hover.row : at.token < m.from.length ? at.token : -1;
	drawPicture(pane, m, row);
	drawScale(pane, m);
	drawFlow(pane, s, m, row);
	drawSays(pane, m, row);
	drawWithout(pane, s);
	drawTrees(pane, s, row);
}

function modelSelect(value, label, none, change) {
	const l = element('label', label + ' '), s = element('select', '');
	if (none) s.append(new Option('none', -1));
	models.forEach((m, i) => s.append(new Option(m.name, i)));
	s.value = value;
	s.addEventListener('change', () => change(+s.value));
	l.append(s);
	return l;
}

// The first pane can have another one beside it; the second can be closed.
function drawModels(pane, i) {
	const list = [modelSelect(pane.model, 'Model', i > 0, v => { i && v < 0 ? beside(-1) : pane.model = v; go({}); })];
	if (panes.length < 2) list.push(modelSelect(-1, 'beside', true, v => { beside(v); go({}); }));
	part(pane, 'models').replaceChildren(...(models.length > 1 || panes.length > 1 ? list : []));
}

function drawPane(pane, i) {
	const s = sentenceOf(pane);
	pane.node.classList.toggle('active', i === at.active);
	drawModels(pane, i);
	part(pane, 'all-heads').hidden = part(pane, 'over').hidden = part(pane, 'detail').hidden = !s;
	if (!s) return part(pane, 'models').append(element('p', `This model has no sentence ${models[panes[0].model].sentences[at.sentence].id}.`));
	drawGrids(pane, s);
	drawOverview(pane, s);
	drawHead(pane);
}

// A second pane with a model, or none for -1.
function beside(model) {
	panes.length = model < 0 ? 1 : 2;
	if (model >= 0) panes[1] = Object.assign(newPane(model), { kind: panes[0].kind, layer: panes[0].layer, view: panes[0].view });
	at.active = Math.min(at.active, panes.length - 1);
	placePanes();
}

function placePanes() {
	for (const pane of panes.filter(p => !p.node)) {
		pane.node = $('pane').content.firstElementChild.cloneNode(true);
		pane.node.addEventListener('focusin', () => { at.active = panes.indexOf(pane); panes.forEach(p => p.node.classList.toggle('active', p === pane)); });
	}
	$('panes').replaceChildren(...panes.map(p => p.node));
	$('panes').classList.toggle('two', panes.length > 1);
}

function drawControls() {
	const s = $('sentence'), list = models[panes[0].model].sentences;
	s.replaceChildren(...list.map((x, i) => new Option(`${x.id}: ${(x.source || x.target).merged.join(' ').slice(0, 60)}`, i)));
	s.value = at.sentence;
	s.hidden = list.length < 2;
	const kind = active().kind, kinds = [...new Set(panes.flatMap(p => sentenceOf(p) ? kindsOf(sentenceOf(p)) : []))];
	$('kinds').replaceChildren(...Object.keys(KINDS).filter(k => kinds.includes(k)).map(k => button(KINDS[k].title, k === kind, () => go({ kind: k }))));
	$('view').replaceChildren(...CONTROLS.filter(c => c.shown()).map(c => {
		const b = button(c.text, c.pressed ? c.pressed() : null, c.act);
		b.title = `shortcut ${c.key}`;
		return b;
	}));
	const names = measureNames();
	$('by-label').hidden = !names.length;
	$('by').replaceChildren(...names.map(k => new Option(k, k)));
	$('by').value = at.by;
}

function draw() {
	$('empty').hidden = models.length > 0;
	$('controls').hidden = !models.length;
	if (!models.length) return;
	drawControls();
	panes.forEach(drawPane);
	drawDifference();
	const labels = models[panes[0].model].labels;
	$('naming').textContent = labels ? `Decoder positions are labeled with the tokens they ${labels === 'read' ? 'read' : 'predict'}.` : '';
	$('rows').textContent = at.lines ? `Weights below ${LINE_LEAST} of the scale are not drawn.` : 'Each row of a matrix shows the positions that its token attends to.';
}

/* --- changes of the view --- */

const clamp = (v, low, high) => Math.max(low, Math.min(high, Number.isInteger(v) ? v : low));

// Corrects a pane to what its sentence has.
function settle(pane) {
	const s = sentenceOf(pane);
	if (!s) return;
	const kinds = kindsOf(s);
	if (!kinds.includes(pane.kind)) pane.kind = kinds[0];
	pane.layer = clamp(pane.layer, 1, layersOf(s, pane.kind));
	const views = viewsOf(s, pane.kind, pane.layer), has = key => viewsOf(s, pane.kind, +key.split('/')[0]).includes(key.split('/')[1]);
	if (views.length && !views.includes(pane.view)) pane.view = pane.view > 0 ? String(clamp(+pane.view, 1, views.filter(v => v > 0).length)) : 'mean';
	pane.with = pane.with.filter(has);
	while (!views.length && pane.layer > 1) return settle(Object.assign(pane, { layer: pane.layer - 1 }));
}

// Changes the view: kind, layer and view of a pane (all panes if they are linked), and what they share.
function go(to, pane = active()) {
	if (!models.length) return draw();
	const { kind, layer, view, ...shared } = to, own = Object.fromEntries(Object.entries({ kind, layer, view }).filter(([, v]) => v !== undefined));
	at.active = Math.max(panes.indexOf(pane), 0);
	if ((kind && kind !== pane.kind) || 'words' in shared || 'sentence' in shared) at.token = -1;
	for (const p of at.linked ? panes : [pane]) {
		if (kind && kind !== p.kind) p.with = [];
		Object.assign(p, own);
	}
	Object.assign(at, shared);
	const names = measureNames();
	if (!names.includes(at.by)) at.by = names[0] || '';
	at.sentence = clamp(at.sentence, 0, models[panes[0].model].sentences.length - 1);
	for (const p of panes) {
		p.hover = null;
		settle(p);
	}
	const queries = p => sentenceOf(p)?.[KINDS[p.kind].from][at.words ? 'merged' : 'tokens'].length ?? 0;
	if (panes.every(p => at.token >= queries(p))) at.token = -1;
	if (location.protocol !== 'about:')	// a page in a srcdoc frame has no address
		history.replaceState(null, '', '#' + address());
	draw();
}

// Selects a query of a pane, or clears the selection.
const select = (pane, row) => go({ token: row === at.token ? -1 : row }, pane);

const linkTo = (pane, layer = pane.layer, view = pane.view) => [KINDS[pane.kind].link, layer, view].join('-');

// The address of a view, after "#": SITE-LAYER-HEAD as in cross-2-4, and what differs from the first view.
function address() {
	const more = new URLSearchParams(), first = panes[0], second = panes[1];
	if (at.sentence) more.set('sentence', models[first.model].sentences[at.sentence].id);
	if (at.words) more.set('words', 1);
	if (at.token >= 0) more.set('token', at.token + 1);
	if (at.lines) more.set('lines', 1);
	if (first.with.length) more.set('with', first.with.map(k => k.replace('/', '-')).join(','));
	if (at.perHead) more.set('scale', 'head');
	if (at.by !== (measureNames()[0] || '')) more.set('by', at.by);
	if (at.sorted) more.set('sorted', 1);
	if (live) live.address(more);
	if (second && linkTo(second) !== linkTo(first)) more.set('second', linkTo(second));
	return linkTo(first) + (`${more}` && `&${more}`);
}

const linked = text => (text || '').match(/^(enc-self|dec-self|cross)-(\d+)-(\w+)$/);
function followPane(pane, link) {
	const [, name, layer, view] = link, s = sentenceOf(pane), kind = Object.keys(KINDS).find(k => KINDS[k].link === name);
	if (s && !viewsOf(s, kind, +layer).includes(view)) problem(`This page has no ${link[0]}.`);
	Object.assign(pane, { kind, layer: +layer, view });
}

// Without a link, the page opens with the most important head.
function openBest() {
	const s = sentenceOf(panes[0]), best = s && bestHead(panes[0], s);
	if (best) for (const pane of panes) Object.assign(pane, best);
}

const partsOf = hash => {
	const [first, ...rest] = hash.replace(/^#/, '').split('&');
	if (first.includes('=')) rest.unshift(first);	// without a view
	return [first, new URLSearchParams(rest.join('&'))];
};
function follow(hash) {
	if (live) live.follow(partsOf(hash)[1]);
	followView(hash);
}

function followView(hash) {
	if (!models.length) return go({});
	const [first, more] = partsOf(hash);
	const id = more.get('sentence'), n = models[panes[0].model].sentences.findIndex(s => s.id === id);
	problem(id !== null && n < 0 ? `This page has no sentence ${id}.` : '');
	Object.assign(at, { sentence: Math.max(n, 0), words: more.has('words'), lines: more.has('lines'), perHead: more.get('scale') === 'head', active: 0 });
	at.by = measureNames().find(k => k === more.get('by')) || measureNames()[0] || '';
	at.sorted = more.has('sorted');
	for (const pane of panes) if (linked(first)) followPane(pane, linked(first));
	if (!linked(first)) openBest();
	if (panes[1] && linked(more.get('second'))) {
		followPane(panes[1], linked(more.get('second')));
		at.linked = false;
	}
	panes[0].with = (more.get('with') || '').split(',').filter(k => /^\d+-\w+$/.test(k)).slice(0, LINE_COLORS).map(k => k.replace('-', '/'));
	at.token = (Math.trunc(+more.get('token')) || 0) - 1;
	go({});
}

/* --- data --- */

function problem(text) {
	$('problem').textContent = text;
	$('problem').hidden = !text;
}

// Adds models; shows the first two new ones, or a single new one beside the first pane.
function addModels(list) {
	if (models.length + list.length > LIMIT.models) throw new Error(`${models.length + list.length} models, expected at most ${LIMIT.models}`);
	const before = models.length, shown = panes.length ? panes[0].model : 0;
	list.forEach(rankHeads);
	models = models.concat(list);
	const [first, second] = list.length > 1 ? [before, before + 1] : before ? [shown, before] : [0, -1];
	panes = [newPane(first)];
	at.sentence = 0;
	at.token = -1;
	beside(second);
}

async function openFiles(files) {
	if (live) return;		// the server has the models
	try {
		const lists = [];
		for (const f of files) {
			if (f.size > LIMIT.mib << 20) throw new Error(`${f.name}: ${Math.ceil(f.size / (1 << 20))} MiB, expected at most ${LIMIT.mib}`);
			lists.push(readDocument(await f.text(), f.name));
		}
		problem('');
		addModels(lists.flat());
		at.by = measureNames()[0] || '';
		openBest();
	} catch (e) { problem(e.message); }
	go({});
}

/* --- controls and shortcuts --- */

const step = by => go({ token: clamp(at.token + by, 0, matrix(active()).from.length - 1) });
function stepView(by) {
	const p = active(), views = viewsOf(sentenceOf(p), p.kind, p.layer);
	go({ view: views[clamp(views.indexOf(p.view) + by, 0, views.length - 1)] });
}
// The buttons, in order; their shortcuts work everywhere in the page.
const CONTROLS = [
	{ key: 'v', text: 'lines', says: 'lines or matrix', pressed: () => at.lines, act: () => go({ lines: !at.lines }), shown: () => true },
	{ key: 'x', text: 'add head to lines', says: 'add the head to the lines, or remove it', act: () => pin(active(), active().layer, active().view), shown: () => at.lines },
	{ key: 'w', text: 'words', says: 'words or subwords', pressed: () => at.words, act: () => go({ words: !at.words }), shown: () => panes.some(p => ['source', 'target'].some(k => sentenceOf(p)?.[k] && sentenceOf(p)[k].merged.length < sentenceOf(p)[k].tokens.length)) },
	{ key: 's', text: 'scale to maximum', says: 'scale 0 to 1, or to the maximum of each head', pressed: () => at.perHead, act: () => go({ perHead: !at.perHead }), shown: () => true },
	{ key: 'r', text: 'sort by rank', says: 'thumbnails in the order of layers, or of ranks', pressed: () => at.sorted, act: () => go({ sorted: !at.sorted }), shown: () => at.by !== '' },
	{ key: 't', text: 'trees', says: 'dependency trees', pressed: () => at.trees, act: () => go({ trees: !at.trees }), shown: () => panes.some(p => ['source', 'target'].some(k => sentenceOf(p)?.[k]?.heads)) },
	{ key: 'l', text: 'same head in both', says: 'same head in both models', pressed: () => at.linked, act: () => go({ linked: !at.linked }), shown: () => panes.length > 1 },
	{ key: 'Escape', text: 'clear selection', says: 'clear the selected token', act: () => go({ token: -1 }), shown: () => at.token >= 0 },
	{ key: 'o', text: 'open files', says: 'open JSON files of attention weights', act: () => live || $('file').click(), shown: () => !live },
	{ key: '?', text: 'shortcuts', says: 'this list', act: () => $('help').showModal(), shown: () => true },
];
const OTHER_SHORTCUTS = [
	['ArrowLeft', 'previous head', () => stepView(-1)], ['ArrowRight', 'next head', () => stepView(1)],
	['ArrowUp', 'previous layer', () => go({ layer: active().layer - 1 })], ['ArrowDown', 'next layer', () => go({ layer: active().layer + 1 })],
	['n', 'next sentence', () => go({ sentence: at.sentence + 1 })], ['p', 'previous sentence', () => go({ sentence: at.sentence - 1 })],
	['e', 'encoder', () => go({ kind: 'enc' })], ['d', 'decoder', () => go({ kind: 'dec' })], ['c', 'encoder-decoder', () => go({ kind: 'cross' })],
	['m', 'next measure', () => { const list = measureNames(); if (list.length) go({ by: list[(list.indexOf(at.by) + 1) % list.length] }); }],
	['j', 'next token', () => step(1)], ['k', 'previous token', () => step(-1)],
	['b', 'other model', () => go({}, panes[(at.active + 1) % panes.length])],
];
const shortcuts = Object.fromEntries([...OTHER_SHORTCUTS.map(([k, , act]) => [k, act]), ...CONTROLS.map(c => [c.key, c.act]),
	['Shift+ArrowRight', () => go({ sentence: at.sentence + 1 })], ['Shift+ArrowLeft', () => go({ sentence: at.sentence - 1 })]]);
const SHORTCUT_NAMES = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', n: 'n, Shift →', p: 'p, Shift ←' };

addEventListener('keydown', e => {
	const act = shortcuts[(e.shiftKey && e.key.startsWith('Arrow') ? 'Shift+' : '') + e.key];
	if (!act || e.ctrlKey || e.altKey || e.metaKey || ['SELECT', 'INPUT', 'TEXTAREA'].includes(e.target.tagName) || $('help').open) return;
	if (!models.length && e.key !== 'o' && e.key !== '?') return;
	e.preventDefault();
	act();
});
$('help').querySelector('dl').append(...[...OTHER_SHORTCUTS, ...CONTROLS.map(c => [c.key, c.says])].flatMap(([k, says]) => {
	const d = element('dt', '');
	d.append(element('kbd', SHORTCUT_NAMES[k] || k));
	return [d, element('dd', says)];
}));
$('by').addEventListener('change', e => go({ by: e.target.value }));
$('sentence').addEventListener('change', e => go({ sentence: +e.target.value }));
$('file').addEventListener('change', e => { openFiles([...e.target.files]); e.target.value = ''; });
addEventListener('dragover', e => { e.preventDefault(); document.body.classList.add('drop'); });
addEventListener('dragleave', () => document.body.classList.remove('drop'));
addEventListener('drop', e => {
	e.preventDefault();
	document.body.classList.remove('drop');
	if (e.dataTransfer.files.length) openFiles([...e.dataTransfer.files]);
});
let width = innerWidth;
addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
addEventListener('hashchange', () => follow(location.hash));

try {
	const text = $('data').textContent;
	if (text) addModels(readDocument(text, 'the data of this page'));
} catch (e) { problem(e.message); }
follow(location.hash);

// An enclosing page cannot read this one; it receives the height when the page is drawn.
if (parent !== window) {
	let height = 0;
	const send = () => { if (height) parent.postMessage(height, '*'); };
	new ResizeObserver(() => { height = document.documentElement.offsetHeight; send(); }).observe(document.documentElement);
	addEventListener('message', send);
}
