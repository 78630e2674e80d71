'use strict';
// walk-data: reads and checks documents of attention weights; head-map(1) describes the format.
const LIMIT = { models: 8, sentences: 100, tokens: 1000, layers: 256, heads: 256, mib: 64, text: 1000 };
const KINDS = {
	enc: { key: 'enc.N.self', link: 'enc-self', title: 'encoder', from: 'source', to: 'source' },
	dec: { key: 'dec.N.self', link: 'dec-self', title: 'decoder', from: 'target', to: 'target' },
	cross: { key: 'dec.N.cross', link: 'cross', title: 'encoder-decoder', from: 'target', to: 'source' },
};
const siteName = (kind, layer) => KINDS[kind].key.replace('N', layer);
const isList = (v, n) => Array.isArray(v) && (n === undefined || v.length === n);
const isObject = v => v !== null && typeof v === 'object' && !Array.isArray(v);
const isText = v => typeof v === 'string';

// A value as part of a message, shortened.
function found(v) {
	if (v === undefined) return 'nothing';
	if (isList(v)) return `a list of ${v.length}`;
	const text = JSON.stringify(v);
	return text.length > 40 ? text.slice(0, 40) + '…' : text;
}
function expect(ok, where, v, what) {
	if (!ok) throw new Error(`${where}: found ${found(v)}, expected ${what}`);
}

// Long texts would take minutes to draw.
function expectText(v, where, what = 'a text') {
	expect(isText(v), where, v, what);
	expect(v.length <= 2 * LIMIT.text && [...v].length <= LIMIT.text, where, v, `at most ${LIMIT.text} characters`);
}

function checkMatrix(m, rows, columns, where) {
	expect(isList(m, rows), where, m, `a list of ${rows} rows, one for each query`);
	m.forEach((row, i) => {
		expect(isList(row, columns), `${where}, row ${i + 1}`, row, `a list of ${columns} weights, one for each key`);
		row.forEach((v, j) => expect(Number.isFinite(v), `${where}, row ${i + 1}, column ${j + 1}`, v, 'a number'));
	});
}

// The end of a chain of heads is the root.
function checkTree(s, n, where) {
	expect(isList(s.heads, n), `${where}, heads`, s.heads, `a list of ${n} heads, one for each word`);
	s.heads.forEach((h, i) => expect(h === null || (Number.isInteger(h) && h >= 0 && h <= n && h !== i + 1 && (!h || s.heads[h - 1] !== null)),
		`${where}, head of word ${i + 1}`, h, 'the number of another word, 0 or null'));
	s.heads.forEach((_, i) => {
		let at = i, steps = 0;
		while (s.heads[at] && steps++ <= n) at = s.heads[at] - 1;
		expect(steps <= n, `${where}, word ${i + 1}`, s.heads[i], 'a head outside of its own subtree');
	});
	if (s.relations === undefined) return;
	expect(isList(s.relations, n) && s.relations.every(r => r === null || isText(r)), `${where}, relations`, s.relations, `a list of ${n} texts, one for each word`);
	s.relations.forEach((r, i) => r === null || expectText(r, `${where}, relation of word ${i + 1}`));
}

// Text of the words of a side: subwords without the marks of BPE (@@) and SentencePiece (U+2581).
function mergeWords(s) {
	const out = [], marked = s.tokens.some(p => p.startsWith('\u2581'));
	s.tokens.forEach((p, i) => {
		const last = s.words[i + 1] !== s.words[i];
		const part = marked ? p.replace(last ? /^\u2581(?=.)/ : /^\u2581/, '') : last ? p : p.replace(/@@$/, '');
		out[s.words[i]] = (out[s.words[i]] || '') + part;
	});
	return out;
}

function checkSide(s, where) {
	expect(isObject(s), where, s, 'an object');
	expect(isList(s.tokens) && s.tokens.length > 0 && s.tokens.every(isText), `${where}, tokens`, s.tokens, 'a list of texts');
	expect(s.tokens.length <= LIMIT.tokens, `${where}, tokens`, s.tokens, `at most ${LIMIT.tokens}`);
	s.tokens.forEach((t, i) => expectText(t, `${where}, token ${i + 1}`));
	if (s.words === undefined) s.words = s.tokens.map((_, i) => i);
	expect(isList(s.words, s.tokens.length), `${where}, words`, s.words, `a list of ${s.tokens.length}, one for each token`);
	s.words.forEach((w, i) => expect(i ? w === s.words[i - 1] || w === s.words[i - 1] + 1 : w === 0,
		`${where}, word of token ${i + 1}`, w, i ? `${s.words[i - 1]} or ${s.words[i - 1] + 1}` : '0'));
	s.merged = mergeWords(s);
	s.merged.forEach((w, i) => expectText(w, `${where}, word ${i + 1}`));
	if (s.heads !== undefined) checkTree(s, s.merged.length, where);
}

function checkSite(s, name, where) {
	const layer = +name.split('.')[1], kind = Object.keys(KINDS).find(k => name === siteName(k, layer));
	expect(kind && layer >= 1 && layer <= LIMIT.layers, `${where}, attention`, name, 'enc.1.self, dec.1.self, dec.1.cross and so on');
	const at = `${where}, ${name}`, list = s.attention[name], { from, to } = KINDS[kind];
	for (const side of [from, to]) expect(s[side], `${at}, ${side}`, s[side], `the ${side} of the sentence`);
	expect(isList(list) && list.length > 0 && list.length <= LIMIT.heads, at, list, `a list of 1 to ${LIMIT.heads} heads`);
	const rows = s[from].tokens.length;
	list.forEach((m, h) => m === null || checkMatrix(m, rows, s[to].tokens.length, `${at}, head ${h + 1}`));
	const importance = s.importance[name];
	if (importance !== undefined) checkMatrix(importance, rows, list.length, `${at}, importance`);
}

const isNumberOrNull = v => v === null || Number.isFinite(v);
function checkTokens(list, where) {
	expect(isList(list) && list.length <= LIMIT.tokens, where, list, `a list of at most ${LIMIT.tokens} texts`);
	list.forEach((t, i) => expectText(t, `${where}, token ${i + 1}`));
}

// Translations without each head, and that of the whole model.
function checkWithout(s, where) {
	expect(isObject(s.whole) && isNumberOrNull(s.whole.sum), `${where}, whole`, s.whole, 'an object with tokens and sum');
	checkTokens(s.whole.tokens, `${where}, whole`);
	expect(isObject(s.without), `${where}, without`, s.without, 'an object with lists');
	for (const [name, list] of Object.entries(s.without)) {
		expect(isList(list) && list.length <= LIMIT.heads, `${where}, without, ${name}`, list, `a list of at most ${LIMIT.heads} heads`);
		list.forEach((h, i) => {
			if (h === null) return;
			expect(isObject(h) && isNumberOrNull(h.change), `${where}, without, ${name}, head ${i + 1}`, h, 'an object with a change, or null');
			if (h.tokens !== undefined) checkTokens(h.tokens, `${where}, without, ${name}, head ${i + 1}`);
		});
	}
}

function checkSentence(s, i, where) {
	expect(isObject(s), where, s, 'an object');
	s.id = s.id === undefined ? String(i + 1) : s.id;
	expectText(s.id, `${where}, id`);
	for (const side of ['source', 'target']) if (s[side] !== undefined) checkSide(s[side], `${where}, ${side}`);
	if (s.importance === undefined) s.importance = {};
	expect(isObject(s.importance), `${where}, importance`, s.importance, 'an object');
	expect(isObject(s.attention) && Object.keys(s.attention).length > 0, `${where}, attention`, s.attention, 'an object with matrices');
	for (const name of Object.keys(s.attention)) checkSite(s, name, where);
	if (s.without !== undefined) checkWithout(s, where);
	for (const name of Object.keys(s.importance)) expect(name in s.attention, `${where}, importance`, name, 'a layer that has attention');
}

function checkHeads(m, where) {
	if (m.heads === undefined) m.heads = {};
	expect(isObject(m.heads), `${where}, heads`, m.heads, 'an object');
	for (const [name, list] of Object.entries(m.heads)) {
		expect(isList(list) && list.every(isObject), `${where}, heads, ${name}`, list, 'a list of objects, one for each head');
		list.forEach((h, i) => Object.entries(h).forEach(([k, v]) => {
			expectText(k, `${where}, ${name}, head ${i + 1}, a name`);
			if (!Number.isFinite(v)) expectText(v, `${where}, ${name}, head ${i + 1}, ${k}`, 'a number or a text');
		}));
	}
}

function checkModel(m, i, where) {
	expect(isObject(m), where, m, 'an object');
	m.name = m.name === undefined ? `model ${i + 1}` : m.name;
	expectText(m.name, `${where}, name`);
	expect(m.labels === undefined || m.labels === 'read' || m.labels === 'predicted', `${where}, labels`, m.labels, '"read" or "predicted"');
	if (m.by !== undefined) expectText(m.by, `${where}, by`);
	checkHeads(m, where);
	expect(isList(m.sentences) && m.sentences.length > 0, `${where}, sentences`, m.sentences, 'a list of sentences');
	expect(m.sentences.length <= LIMIT.sentences, `${where}, sentences`, m.sentences, `at most ${LIMIT.sentences} sentences; write fewer, for example with head-map -n`);
	m.sentences.forEach((s, j) => checkSentence(s, j, `${where}, sentence ${j + 1}`));
}

// The models of a document; throws an Error that names the place in the document.
function readDocument(text, name) {
	let d;
	try { d = JSON.parse(text); } catch (e) { throw new Error(`${name}: no JSON: ${e.message}`); }
	expect(isObject(d) && d.format === 'heed-attention', name, isObject(d) ? d.format : d, 'an object with "format": "heed-attention"');
	expect(d.version === 1, `${name}, version`, d.version, '1');
	expect(isList(d.models) && d.models.length > 0 && d.models.length <= LIMIT.models, `${name}, models`, d.models, `a list of 1 to ${LIMIT.models} models`);
	d.models.forEach((m, i) => checkModel(m, i, `${name}, model ${i + 1}`));
	return d.models;
}

/* --- views --- */

const layersOf = (s, kind) => Object.keys(s.attention).reduce((n, key) => Math.max(n, key === siteName(kind, +key.split('.')[1]) ? +key.split('.')[1] : 0), 0);
const kindsOf = s => Object.keys(KINDS).filter(k => layersOf(s, k) > 0);
// The heads of a layer; a document need not have all layers.
const headsOf = (s, kind, layer) => s.attention[siteName(kind, layer)] || [];

// The views of a layer: its heads, their mean and, with head importance, their weighted mean.
function viewsOf(s, kind, layer) {
	const list = headsOf(s, kind, layer).map((_, h) => String(h + 1));
	if (list.length) list.push('mean');
	if (s.importance[siteName(kind, layer)]) list.push('weighted');
	return list;
}
const viewTitle = view => ({ mean: 'mean of heads', weighted: 'heads weighted by importance' })[view] || `head ${view}`;

// Rows of weights of a view; null if its head is pruned.
function combine(s, kind, layer, view) {
	const heads = headsOf(s, kind, layer), n = heads.filter(h => h).length;
	if (view !== 'mean' && view !== 'weighted') return heads[view - 1];
	if (!n) return null;
	const importance = s.importance[siteName(kind, layer)], first = heads.find(h => h);
	const share = (i, h) => view === 'mean' ? 1 / n : importance[i][h];
	return first.map((row, i) => row.map((_, j) => heads.reduce((sum, m, h) => m ? sum + share(i, h) * m[i][j] : sum, 0)));
}

// Attention to a word is the sum over its subwords, attention from it the mean.
function sumWords(rows, from, to) {
	const n = new Array(from.merged.length).fill(0), x = from.merged.map(() => new Array(to.merged.length).fill(0));
	from.words.forEach(w => n[w]++);
	from.words.forEach((w, i) => to.words.forEach((v, j) => { x[w][v] += rows[i][j] / n[w]; }));
	return x;
}

// Labels and weights of a view: { from, to, x }; x is null if the head is pruned.
function matrixOf(s, kind, layer, view, words) {
	const from = s[KINDS[kind].from], to = s[KINDS[kind].to], rows = combine(s, kind, layer, view);
	if (!words) return { from: from.tokens, to: to.tokens, x: rows };
	return { from: from.merged, to: to.merged, x: rows && sumWords(rows, from, to) };
}
