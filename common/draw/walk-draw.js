// walk-draw: draws thumbnails, matrices, lines and dependency trees.  Texts of data become text nodes only.
const COLORS = JSON.parse(document.getElementById('colors').textContent).blue;
const LINE_COLORS = 8;			// --line-0 to --line-7 in walk.css
const LINE_LEAST = .05;			// lines of smaller weights, relative to the scale, are not drawn
const colorIndex = (v, top) => Math.max(0, Math.min(COLORS.length - 1, Math.round(v / top * (COLORS.length - 1))));
const color = (v, top) => COLORS[colorIndex(v, top)];
const RGBA = COLORS.map(hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)).concat(255));
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name);
const largest = rows => rows.reduce((a, row) => row.reduce((b, v) => Math.max(b, v), a), 0);
const mostIn = row => row.reduce((a, v, j) => v > row[a] ? j : a, 0);

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

function svg(tag, attributes, text) {
	const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	if (text !== undefined) e.textContent = text;
	return e;
}

const measure = document.createElement('canvas').getContext('2d');
function widthOf(text, size) {
	measure.font = `bold ${size}px system-ui, sans-serif`;
	return Math.ceil(measure.measureText(text).width);
}
function shorten(text, size, room) {
	if (widthOf(text, size) <= room) return text;
	const c = [...text];
	while (c.length && widthOf(c.join('') + '…', size) > room) c.pop();
	return c.join('') + '…';
}
const longest = (list, size, room) => Math.min(room, list.reduce((n, t) => Math.max(n, widthOf(t, size)), 0) + 6);

// One pixel per cell; a pruned head is crossed out.
function thumbnail(m, top) {
	const c = element('canvas', '', { width: m.to.length, height: m.from.length });
	if (m.x) {
		const g = c.getContext('2d'), image = g.createImageData(c.width, c.height);
		m.x.forEach((row, i) => row.forEach((v, j) => image.data.set(RGBA[colorIndex(v, top)], 4 * (i * c.width + j))));
		g.putImageData(image, 0, 0);
	}
	c.classList.toggle('pruned', !m.x);
	return c;
}

/* --- matrix --- */

const AXES = ['queries ↓', 'keys →'];	// in the corner of a matrix

// The layout of a matrix, in CSS pixels.
function place(m, wide) {
	const left = Math.max(longest(m.from, 12, Math.min(160, wide * .28)), widthOf(AXES[0], 11) + 8), top = Math.max(longest(m.to, 12, 150), 32);
	const cell = Math.max(12, Math.min(28, Math.floor((wide - left - 2) / m.to.length)));
	return { left, top, cell, font: Math.min(12, cell - 1), width: left + cell * m.to.length + 1, height: top + cell * m.from.length + 1 };
}

function mapLabel(g, p, text, x, y, marked, upward) {
	g.save();
	g.translate(x, y);
	if (upward) g.rotate(-Math.PI / 2);
	g.textAlign = upward ? 'left' : 'right';
	g.font = `${marked ? 'bold ' : ''}${p.font}px system-ui, sans-serif`;
	g.fillStyle = ink(marked ? '--mark' : '--ink');
	g.fillText(shorten(text, p.font, (upward ? p.top : p.left) - 6), 0, 0);
	g.restore();
}

function mapGrid(g, p, m) {
	g.strokeStyle = 'rgba(0,0,0,.08)';
	g.beginPath();
	for (let i = 1; i < m.from.length; i++) { g.moveTo(p.left, p.top + i * p.cell + .5); g.lineTo(p.width - 1, p.top + i * p.cell + .5); }
	for (let j = 1; j < m.to.length; j++) { g.moveTo(p.left + j * p.cell + .5, p.top); g.lineTo(p.left + j * p.cell + .5, p.height - 1); }
	g.stroke();
	g.strokeStyle = '#888';
	g.strokeRect(p.left + .5, p.top + .5, p.cell * m.to.length, p.cell * m.from.length);
}

function drawMatrix(c, wide, m, top, row, column, paint = v => color(v, top)) {
	const p = place(m, wide), g = c.getContext('2d'), ratio = window.devicePixelRatio || 1;
	c.width = Math.ceil(p.width * ratio);
	c.height = Math.ceil(p.height * ratio);
	c.style.width = p.width + 'px';
	c.style.height = p.height + 'px';
	g.scale(ratio, ratio);
	m.x.forEach((weights, i) => weights.forEach((v, j) => {
		g.fillStyle = paint(v);
		g.fillRect(p.left + j * p.cell, p.top + i * p.cell, p.cell, p.cell);
	}));
	mapGrid(g, p, m);
	g.textBaseline = 'middle';
	m.from.forEach((t, i) => mapLabel(g, p, t, p.left - 5, p.top + (i + .5) * p.cell, i === row, false));
	m.to.forEach((t, j) => mapLabel(g, p, t, p.left + (j + .5) * p.cell, p.top - 5, j === column, true));
	g.font = '11px system-ui, sans-serif';
	g.fillStyle = ink('--soft');
	g.textAlign = 'right';
	AXES.forEach((t, i) => g.fillText(t, p.left - 5, p.top - 8 - 15 * i));
	if (row < 0) return;
	g.strokeStyle = ink('--mark');
	g.lineWidth = 2;
	g.strokeRect(p.left + 1, p.top + row * p.cell + 1, p.cell * m.to.length - 1, p.cell - 1);
}

// The cell of a matrix at a position relative to its canvas, or null.
function cellAt(m, wide, x, y) {
	const p = place(m, wide), row = Math.floor((y - p.top) / p.cell), column = Math.floor((x - p.left) / p.cell);
	return row >= 0 && row < m.from.length && column < m.to.length ? { row, column: Math.max(column, 0) } : null;
}

/* --- lines --- */

// list: { m, top, color, title } for each head.  Calls pick(i) if query i is selected.
function linesFigure(list, wide, titles, row, pick) {
	const { from, to } = list[0].m, step = 22, head = 30, width = Math.min(wide, 520);
	const left = longest([...from, titles[0]], 13, width * .4), right = width - longest([...to, titles[1]], 13, width * .4);
	const height = head + step * Math.max(from.length, to.length) + 4, y = i => head + (i + .5) * step;
	const s = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'lines', role: 'img',
		'aria-label': `attention as lines from ${from.length} queries to ${to.length} keys: ${list.map(h => h.title).join(', ')}` });
	list.forEach(({ m, top, color: stroke, title }, k) => m.x.forEach((weights, i) => weights.forEach((v, j) => {
		if (v / top < LINE_LEAST || (row >= 0 && i !== row)) return;
		const shift = (k - (list.length - 1) / 2) * 2.5;
		const line = svg('line', { x1: left + 4, y1: y(i) + shift, x2: right - 4, y2: y(j) + shift, 'stroke-width': 2.2, 'stroke-opacity': Math.min(1, v / top).toFixed(3), class: `line-${stroke}` });
		line.append(svg('title', {}, `${title}: ${from[i]} → ${to[j]} ${v.toFixed(3)}`));
		s.append(line);
	})));
	const text = (t, x, at, more, room) => svg('text', { x, y: at, 'dominant-baseline': 'central', ...more }, shorten(t, 13, room));
	s.append(text(titles[0], left, 12, { 'text-anchor': 'end', class: 'axis' }, left), text(titles[1], right, 12, { class: 'axis' }, width - right));
	from.forEach((t, i) => {
		const e = text(t, left, y(i), { 'text-anchor': 'end', class: i === row ? 'query chosen' : 'query' }, left);
		e.addEventListener('click', () => pick(i));
		s.append(e);
	});
	to.forEach((t, j) => s.append(text(t, right, y(j), {}, width - right)));
	return s;
}

/* --- dependency trees --- */

// The level of each arc: above all arcs within its span.
function arcLevels(heads) {
	const arcs = heads.map((h, i) => h ? { i, from: Math.min(i, h - 1), to: Math.max(i, h - 1) } : null).filter(a => a);
	arcs.sort((a, b) => (a.to - a.from) - (b.to - b.from) || a.from - b.from);
	arcs.forEach((a, k) => {
		a.level = 1 + arcs.slice(0, k).reduce((n, b) => b.from < a.to && a.from < b.to ? Math.max(n, b.level) : n, 0);
	});
	return arcs;
}

// from and to: x positions at which an arc of word i leaves and reaches words, apart from other arcs.
function arcPath(x1, x2, base, y) {
	const bend = Math.min(8, Math.abs(x2 - x1) / 2) * Math.sign(x2 - x1);
	return `M${x1} ${base}V${y + 6}Q${x1} ${y} ${x1 + bend} ${y}H${x2 - bend}Q${x2} ${y} ${x2} ${y + 6}V${base - 4}m-3 -3l3 5l3 -5`;
}

/*
 * A sentence with its tree above it.  shade(i): the background of word i, or null; strong(i): whether
 * the head attends along the arc of word i; label: the name of the figure.
 */
function treeFigure(side, label, chosen, shade, strong) {
	const words = side.merged, gap = 14, size = 14, arcs = arcLevels(side.heads), rise = 20;
	const relation = i => (side.relations && side.relations[i]) || '';
	const wide = words.map((t, i) => Math.max(widthOf(t, size), widthOf(relation(i), 11)) + 8), x = [];
	wide.reduce((at, w, i) => { x[i] = at + w / 2; return at + w + gap; }, 4);
	const levels = arcs.reduce((n, a) => Math.max(n, a.level), 0) + 1, base = 8 + levels * rise, height = base + 28;
	const width = x[x.length - 1] + wide[wide.length - 1] / 2 + 4;
	const s = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'tree', role: 'img', 'aria-label': label });
	const put = (i, at, path, x0) => {
		const g = svg('g', { class: strong(i) ? 'arc strong' : 'arc' });
		g.append(svg('path', { d: path }), svg('text', { x: x0, y: at - 3, 'text-anchor': 'middle' }, relation(i)));
		s.append(g);
	};
	arcs.forEach(a => {
		const h = side.heads[a.i] - 1, y = base - a.level * rise, off = 5 * Math.sign(a.i - h);
		put(a.i, y, arcPath(x[h] + off, x[a.i] - off / 2, base, y), (x[h] + x[a.i]) / 2);
	});
	side.heads.forEach((h, i) => {
		if (h === 0) put(i, base - levels * rise + 6, `M${x[i]} ${base - levels * rise + 8}V${base - 4}m-3 -3l3 5l3 -5`, x[i]);
	});
	words.forEach((t, i) => {
		const fill = shade(i);
		if (fill || i === chosen)
			s.append(svg('rect', { x: x[i] - widthOf(t, size) / 2 - 4, y: base + 3, width: widthOf(t, size) + 8, height: 22, rx: 3, fill: fill ? fill.color : 'none', class: i === chosen ? 'chosen' : '' }));
		s.append(svg('text', { x: x[i], y: base + 19, 'text-anchor': 'middle', class: `word ${i === chosen ? 'query ' : ''}${fill ? fill.dark ? 'light' : 'dark' : ''}` }, t));
	});
	return s;
}
