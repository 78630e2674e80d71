'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const KINDS = { enc: 'encoder', dec: 'decoder', cross: 'encoder-decoder' };
const at = { sentence: 0, kind: 'enc', layer: 1, head: 0, words: false, row: -1 };
let hover = null;		// the cell under the mouse
let shown = null;		// the matrix in the map

const $ = id => document.getElementById(id);
const sentence = () => data.sentences[at.sentence];
const name = (kind, layer) => kind === 'cross' ? `dec.${layer}.cross` : `${kind}.${layer}.self`;
const layers = kind => Object.keys(sentence().sites).filter(s => s === name(kind, +s.split('.')[1])).length;
const kinds = () => Object.keys(KINDS).filter(k => layers(k) > 0);
const sides = kind => ({ enc: ['src', 'src'], dec: ['tgt', 'tgt'], cross: ['tgt', 'src'] })[kind];

// The views of a site: its heads, their mean and, with head importance, their weighted mean.
function views(site) {
	const list = site.heads.map((_, h) => String(h + 1));
	list.push('mean');
	if (site.importance) list.push('weighted');
	return list;
}

const title = view => ({ mean: 'mean of heads', weighted: 'heads weighted by importance' })[view] || `head ${view}`;

function combine(site, view) {
	const n = site.heads.length, size = site.heads[0].length;
	if (view < n) return site.heads[view].map(v => v / data.unit);
	const x = new Array(size).fill(0), rows = site.importance ? site.importance.length / n : 1;
	for (let h = 0; h < n; h++)
		for (let i = 0; i < size; i++)
			x[i] += site.heads[h][i] / data.unit * (view === n ? 1 / n : site.importance[Math.floor(i * rows / size) * n + h] / data.unit);
	return x;
}

function merged(s) {
	const out = [], marked = s.pieces.some(p => p.startsWith('\u2581'));
	s.pieces.forEach((p, i) => {
		const last = s.word[i + 1] !== s.word[i];
		const part = marked ? p.replace(last ? /^\u2581(?=.)/ : /^\u2581/, '') : last ? p : p.replace(/@@$/, '');
		out[s.word[i]] = (out[s.word[i]] || '') + part;
	});
	return out;
}

const labels = (side, words) => words ? merged(sentence()[side]) : sentence()[side].pieces;

// Attention to a word is the sum over its subwords, attention from it the mean.
function matrix(kind, layer, view, words) {
	const site = sentence().sites[name(kind, layer)], [from, to] = sides(kind);
	const x = combine(site, view), m = { from: labels(from, words), to: labels(to, words) };
	if (!words) return Object.assign(m, { x });
	const row = sentence()[from].word, column = sentence()[to].word, n = new Array(m.from.length).fill(0);
	row.forEach(r => n[r]++);
	m.x = new Array(m.from.length * m.to.length).fill(0);
	row.forEach((r, i) => column.forEach((c, j) => { m.x[r * m.to.length + c] += x[i * column.length + j] / n[r]; }));
	return m;
}

const color = (v, max) => data.colors[Math.max(0, Math.min(data.colors.length - 1, Math.round(v / max * (data.colors.length - 1))))];
const dark = (v, max) => v / max > .45;
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name);
const maximum = site => site.heads.reduce((a, h) => h.reduce((b, v) => Math.max(b, v), a), 1) / data.unit;
const site = () => sentence().sites[name(at.kind, at.layer)];

function element(tag, text, more) {
	const e = document.createElement(tag);
	e.textContent = text;
	return Object.assign(e, more);
}

function button(text, pressed, act) {
	const b = element('button', text, { type: 'button', onclick: act });
	if (pressed !== null) b.setAttribute('aria-pressed', pressed);
	return b;
}

function thumbnail(m, top) {
	const c = element('canvas', '', { width: m.to.length, height: m.from.length }), g = c.getContext('2d');
	m.x.forEach((v, i) => {
		g.fillStyle = color(v, top);
		g.fillRect(i % m.to.length, Math.floor(i / m.to.length), 1, 1);
	});
	return c;
}

// Thumbnails are drawn again only if the sentence, the kind of attention or words change.
let overview = '';
function drawOverview() {
	const key = [at.sentence, at.kind, at.words].join('/');
	if (key !== overview) makeOverview();
	overview = key;
	for (const b of $('overview').querySelectorAll('button'))
		b.setAttribute('aria-pressed', b.value === at.layer + '/' + at.head);
}

function makeOverview() {
	const box = $('overview'), n = layers(at.kind), sites = Array.from({ length: n }, (_, i) => sentence().sites[name(at.kind, i + 1)]);
	const list = sites.map(views).reduce((a, b) => b.length > a.length ? b : a);
	box.replaceChildren(element('span', ''));
	box.style.gridTemplateColumns = `1.2rem repeat(${list.length}, minmax(0, 1fr))`;
	list.forEach(v => box.append(element('span', v)));
	for (let l = 1; l <= n; l++) {
		const top = maximum(sites[l - 1]);
		box.append(element('span', l));
		list.forEach((v, h) => {
			if (h >= views(sites[l - 1]).length) return box.append(element('span', ''));
			const b = button('', null, () => go({ layer: l, head: h }));
			b.value = l + '/' + h;
			b.setAttribute('aria-label', `layer ${l}, ${title(v)}`);
			b.append(thumbnail(matrix(at.kind, l, h, at.words), top));
			box.append(b);
		});
	}
}

function drawControls() {
	const s = $('sentence');
	if (!s.length)
		data.sentences.forEach((x, i) => s.append(new Option(`${x.id}: ${merged(x.src).join(' ').slice(0, 60)}`, i)));
	s.value = at.sentence;
	s.hidden = data.sentences.length < 2;
	$('kinds').replaceChildren(...kinds().map(k => button(KINDS[k], k === at.kind, () => go({ kind: k }))));
	$('view').replaceChildren(
		button('words', at.words, () => go({ words: !at.words, row: -1 })),
		button('clear selection', null, () => go({ row: -1 })));
	$('view').lastChild.disabled = at.row < 0;
}

function shorten(g, text, room) {
	if (g.measureText(text).width <= room) return text;
	const c = [...text];
	while (c.length && g.measureText(c.join('') + '…').width > room) c.pop();
	return c.join('') + '…';
}

// The layout of the map, in CSS pixels.
function place(m) {
	const wide = $('scroll').clientWidth, g = $('map').getContext('2d');
	const longest = (list, size, room) => {
		g.font = `bold ${size}px system-ui, sans-serif`;
		return Math.min(room, Math.ceil(Math.max(0, ...list.map(t => g.measureText(t).width))) + 6);
	};
	const left = longest(m.from, 12, Math.min(160, wide * .28)), top = longest(m.to, 12, 150);
	const cell = Math.max(12, Math.min(28, Math.floor((wide - left - 2) / m.to.length)));
	return { left, top, cell, font: Math.min(12, cell - 1), width: left + cell * m.to.length + 1, height: top + cell * m.from.length + 1 };
}

function drawMap() {
	const m = shown, p = place(m), c = $('map'), g = c.getContext('2d'), ratio = window.devicePixelRatio || 1;
	const top = maximum(site()), row = hover ? hover.row : at.row, column = hover ? hover.column : -1;
	c.width = Math.ceil(p.width * ratio);
	c.height = Math.ceil(p.height * ratio);
	c.style.width = p.width + 'px';
	c.style.height = p.height + 'px';
	g.scale(ratio, ratio);
	m.x.forEach((v, i) => {
		g.fillStyle = color(v, top);
		g.fillRect(p.left + i % m.to.length * p.cell, p.top + Math.floor(i / m.to.length) * p.cell, p.cell, p.cell);
	});
	g.strokeStyle = 'rgba(0,0,0,.08)';
	g.beginPath();
	for (let i = 1; i < m.from.length; i++) { g.moveTo(p.left, p.top + i * p.cell + .5); g.lineTo(p.width - 1, p.top + i * p.cell + .5); }
	for (let j = 1; j < m.to.length; j++) { g.moveTo(p.left + j * p.cell + .5, p.top); g.lineTo(p.left + j * p.cell + .5, p.height - 1); }
	g.stroke();
	g.strokeStyle = '#888';
	g.strokeRect(p.left + .5, p.top + .5, p.cell * m.to.length, p.cell * m.from.length);
	g.textBaseline = 'middle';
	m.from.forEach((t, i) => label(g, p, t, p.left - 5, p.top + (i + .5) * p.cell, i === row, false));
	m.to.forEach((t, j) => label(g, p, t, p.left + (j + .5) * p.cell, p.top - 5, j === column, true));
	if (row >= 0) {
		g.strokeStyle = ink('--mark');
		g.lineWidth = 2;
		g.strokeRect(p.left + 1, p.top + row * p.cell + 1, p.cell * m.to.length - 1, p.cell - 1);
	}
	c.setAttribute('aria-label', `attention weights, ${m.from.length} queries by ${m.to.length} keys`);
}

function label(g, p, text, x, y, marked, upward) {
	g.save();
	g.translate(x, y);
	if (upward) g.rotate(-Math.PI / 2);
	g.textAlign = upward ? 'left' : 'right';
	g.font = `${marked ? 'bold ' : ''}${p.font}px system-ui, sans-serif`;
	g.fillStyle = ink(marked ? '--mark' : '--ink');
	g.fillText(shorten(g, text, (upward ? p.top : p.left) - 6), 0, 0);
	g.restore();
}

function drawFlow() {
	const m = shown, row = hover ? hover.row : at.row, top = maximum(site()), [from, to] = sides(at.kind);
	const side = { src: 'source', tgt: 'target' };
	$('from-head').textContent = `Query (${side[from]}): select a token`;
	$('to-head').textContent = `Keys (${side[to]})`;
	$('from').replaceChildren(...m.from.map((t, i) => button(t, i === row, () => go({ row: i === at.row ? -1 : i }))));
	$('to').replaceChildren(...m.to.flatMap((t, j) => chip(t, row < 0 ? 0 : m.x[row * m.to.length + j], top)));
	$('heads-head').hidden = $('heads').hidden = row < 0 || !site().importance;
	if (!$('heads').hidden)
		$('heads').replaceChildren(...importance(row).flatMap((v, h) => chip(`${h + 1}: ${v.toFixed(2)}`, v, 1)));
}

function chip(text, v, top) {
	const e = element('span', text, { title: v.toFixed(3) });
	e.style.background = color(v, top);
	e.style.color = dark(v, top) ? '#fff' : '#1c2430';
	return [e, ' '];
}

// The importance of each head for a token; for a word the mean over its subwords.
function importance(row) {
	const a = site().importance, n = site().heads.length, word = sentence()[sides(at.kind)[0]].word;
	const pieces = word.map((w, i) => (at.words ? w : i) === row ? i : -1).filter(i => i >= 0);
	return site().heads.map((_, h) => pieces.reduce((sum, i) => sum + a[i * n + h], 0) / pieces.length / data.unit);
}

function drawSays() {
	const m = shown, list = views(site());
	const row = hover ? hover.row : at.row;
	$('says').replaceChildren(element('b', name(at.kind, at.layer)), `, ${title(list[at.head])}`);
	if (row < 0) return;
	let j = hover ? hover.column : -1;
	for (let k = 0; j < 0 || (!hover && k < m.to.length); k++)
		if (j < 0 || m.x[row * m.to.length + k] > m.x[row * m.to.length + j]) j = k;
	$('says').append(': ', element('b', m.from[row]), hover ? ' → ' : ' attends most to ', element('b', m.to[j]), ' ' + m.x[row * m.to.length + j].toFixed(3));
}

function drawScale() {
	const step = Math.ceil(data.colors.length / 12);
	$('scale').style.background = `linear-gradient(to right, ${data.colors.filter((_, i) => i % step === 0).concat(data.colors[data.colors.length - 1]).join(',')})`;
	$('max').textContent = maximum(site()).toFixed(2);
}

const drawRow = () => { drawMap(); drawFlow(); drawSays(); };

function draw() {
	shown = matrix(at.kind, at.layer, at.head, at.words);
	if (at.row >= shown.from.length) at.row = -1;
	drawControls();
	drawOverview();
	drawScale();
	drawRow();
}

const clamp = (v, low, high) => Math.max(low, Math.min(high, Number.isInteger(v) ? v : low));

// The address of a view, after "#": SITE-LAYER-HEAD as in cross-2-4, and what differs from the first view.
const SITES = { enc: 'enc-self', dec: 'dec-self', cross: 'cross' };
function address() {
	const more = new URLSearchParams(), list = views(site());
	if (at.sentence) more.set('sentence', sentence().id);
	if (at.words) more.set('words', 1);
	if (at.row >= 0) more.set('token', at.row + 1);
	return [SITES[at.kind], at.layer, list[at.head]].join('-') + (`${more}` && `&${more}`);
}

function follow(hash) {
	const [first, ...rest] = hash.replace(/^#/, '').split('&'), more = new URLSearchParams(rest.join('&'));
	const [, name, layer, view] = first.match(/^(enc-self|dec-self|cross)-(\d+)-(\w+)$/) || [];
	const id = more.get('sentence'), n = data.sentences.findIndex(s => s.id === id);
	if (name) at.kind = Object.keys(SITES).find(k => SITES[k] === name);
	Object.assign(at, { sentence: Math.max(n, 0), words: more.has('words'), row: (+more.get('token') || 0) - 1 });
	go({ layer: +layer });
	go({ head: Math.max(views(site()).indexOf(view), 0) });
}

// Changes the view; values out of range are clipped.
function go(to) {
	if ('kind' in to && to.kind !== at.kind) to.row = to.row ?? -1;
	Object.assign(at, to);
	hover = null;
	at.sentence = clamp(at.sentence, 0, data.sentences.length - 1);
	if (!kinds().includes(at.kind)) at.kind = kinds()[0];
	at.layer = clamp(at.layer, 1, layers(at.kind));
	at.head = clamp(at.head, 0, views(site()).length - 1);
	if (location.protocol !== 'about:')	// a page in a srcdoc frame has no address
		history.replaceState(null, '', '#' + address());
	draw();
}

function step(by) { go({ row: clamp(at.row + by, 0, shown.from.length - 1) }); }

const keys = {
	ArrowLeft: () => go({ head: at.head - 1 }), ArrowRight: () => go({ head: at.head + 1 }),
	ArrowUp: () => go({ layer: at.layer - 1 }), ArrowDown: () => go({ layer: at.layer + 1 }),
	e: () => go({ kind: 'enc' }), d: () => go({ kind: 'dec' }), c: () => go({ kind: 'cross' }),
	w: () => go({ words: !at.words, row: -1 }), j: () => step(1), k: () => step(-1),
	n: () => go({ sentence: at.sentence + 1, row: -1 }), p: () => go({ sentence: at.sentence - 1, row: -1 }),
	Escape: () => go({ row: -1 }),
};

addEventListener('keydown', e => {
	if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === 'SELECT') return;
	e.preventDefault();
	keys[e.key]();
});

function cellAt(e) {
	const p = place(shown), box = $('map').getBoundingClientRect();
	const row = Math.floor((e.clientY - box.top - p.top) / p.cell), column = Math.floor((e.clientX - box.left - p.left) / p.cell);
	return row >= 0 && row < shown.from.length && column < shown.to.length ? { row, column: Math.max(column, 0) } : null;
}

$('map').addEventListener('pointermove', e => {
	const cell = e.pointerType === 'mouse' ? cellAt(e) : null;
	if (JSON.stringify(cell) === JSON.stringify(hover)) return;
	hover = cell;
	drawRow();
});
$('map').addEventListener('pointerleave', () => { hover = null; drawRow(); });
$('map').addEventListener('click', e => {
	const cell = cellAt(e);
	if (cell) go({ row: cell.row === at.row ? -1 : cell.row });
});
$('sentence').addEventListener('change', e => go({ sentence: +e.target.value, row: -1 }));
addEventListener('resize', drawRow);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawRow);
$('naming').textContent = data.read ? 'Decoder positions are labeled with the tokens they read.' : 'Decoder positions are labeled with the tokens they predict.';

addEventListener('hashchange', () => follow(location.hash));
follow(location.hash);

// An enclosing page cannot read this one; it receives the height when the page is drawn.
if (parent !== window) {
	let height = 0;
	const send = () => { if (height) parent.postMessage(height, '*'); };
	new ResizeObserver(() => { height = document.documentElement.offsetHeight; send(); }).observe(document.documentElement);
	addEventListener('message', send);
}
