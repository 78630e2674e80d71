'use strict';
// explore: the page of heed-explore: sends a sentence and the removed heads, and shows the answer.
const config = JSON.parse($('config').textContent);
const view = crypto.getRandomValues(new Uint32Array(4)).join('-').slice(0, 40);
const WAIT = 300;			// milliseconds: a request that takes longer shows its time; a pause in typing
const fresh = () => ({ text: '', sentence: -1, removed: config.models.map(() => []), beam: 0, penalty: -1, target: null });
const FRAME = 17;			// milliseconds
let state = fresh(), past = [], number = 0, controller = null, whole = {}, shown = null, relevance = false, picked = -1;

// What a translation of the whole models depends on.
const wholeKey = () => JSON.stringify([state.text, state.sentence, state.beam, state.penalty, state.target]);
const isWhole = () => state.removed.every(list => !list.length);

/* --- lists of heads --- */

// "enc.1.self:1,3 dec.2.cross:4" of head keys such as "enc.1.self:3", in the order of the model.
function listOf(keys) {
	const sites = {};
	for (const k of keys) {
		const [site, head] = k.split(':');
		(sites[site] ||= []).push(+head);
	}
	return Object.entries(sites).map(([site, heads]) => `${site}:${heads.sort((a, b) => a - b).join(',')}`).join(' ');
}
// Also of a list by kind, "enc-self.1:1,3 cross.2:4", as commands take it.
const keysOf = list => list.split(' ').filter(t => t).flatMap(t => {
	const [name, heads] = t.split(':'), site = name.replace(/^(enc|dec)-self\.(\d+)$/, '$1.$2.self').replace(/^cross\.(\d+)$/, 'dec.$1.cross');
	return (heads || '').split(',').filter(h => /^\d+$/.test(h)).map(h => `${site}:${h}`);
});

/* --- requests --- */

const remember = () => past.push(JSON.stringify(state));
function change(to, keep = true) {
	if (keep) remember();
	Object.assign(state, to);
	picked = -1;
	send();
}

function bodyOf(removed, compare) {
	const body = { view, number, removed: removed.map(listOf) };
	if (state.sentence >= 0) body.sentence = state.sentence;
	else body.text = state.text;
	if (state.beam) body.beam = state.beam;
	if (state.penalty >= 0) body.penalty = state.penalty;
	if (state.target !== null) body.target = state.target;
	if (relevance && (compare || isWhole())) body.relevance = true;	// not of a whole model to compare with
	if (compare) compare.forEach((tokens, i) => { body['compare' + i] = tokens; });
	return JSON.stringify(body);
}

// The models of an answer, or null if a later request has overtaken this one.
async function ask(body, signal) {
	const r = await fetch(location.pathname, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal, credentials: 'omit' });
	const text = await r.text();
	if (r.status === 409) return null;
	if (!r.ok) {
		let why = `status ${r.status}`;
		try { why = JSON.parse(text).error; } catch { /* not of this program */ }
		throw new Error(why);
	}
	return readDocument(text, 'the answer').map((m, i) => Object.assign(m, { index: i, heads: headsOfAnswer(i, m.sentences[0].relevance) }));
}

// The measures of the models, and the relevance of heads for this sentence.
function headsOfAnswer(i, found) {
	const heads = Object.fromEntries(Object.entries(config.models[i].heads).map(([k, list]) => [k, list.map(x => ({ ...x }))]));
	if (found)
		for (const [site, list] of Object.entries(found.heads))
			list.forEach((v, h) => { if (v !== null) ((heads[site] ||= list.map(() => ({})))[h])['relevance here'] = v; });
	return heads;
}

// The tokens of the translation, without those that the model adds: a first one, and the end of the sentence.
const firstOf = m => m.sentences[0].translation.first;
const tokensOf = m => m.sentences[0].target.tokens.slice(firstOf(m), m.sentences[0].translation.log_probs.length - 1);

async function load(signal) {
	const key = wholeKey();
	if (!isWhole() && whole.key !== key) {
		const list = await ask(bodyOf(state.removed.map(() => [])), signal);
		if (!list) return null;
		whole = { key, models: list };
	}
	const list = await ask(bodyOf(state.removed, isWhole() ? null : whole.models.map(tokensOf)), signal);
	if (list && isWhole()) whole = { key, models: list };
	return list;
}

// Says how long a slow request takes so far.
function startClock(begin) {
	return setInterval(() => {
		const t = performance.now() - begin;
		if (t > WAIT) $('wait').textContent = `⏳ ${(t / 1000).toFixed(1)} s`;
	}, 100);
}

async function send() {
	number++;
	controller?.abort();
	drawAsk();
	if (!state.text.trim() && state.sentence < 0) return;
	const own = controller = new AbortController(), begin = performance.now(), clock = startClock(begin);
	try {
		const list = await load(own.signal);
		if (!list || own !== controller) return;
		problem('');
		shown = list;
		drawResults();
		$('wait').textContent = `${Math.round(performance.now() - begin)} ms`;
		$('wait').dataset.translated = number;
		await new Promise(r => setTimeout(r, FRAME));	// the translation is on the screen before the rest is drawn
		if (own !== controller) return;
		show(list);
		$('wait').dataset.of = number;
	} catch (e) {
		if (e.name !== 'AbortError' && own === controller) {
			problem(e instanceof TypeError ? 'No answer: heed-explore has ended.' : e.message);
			$('wait').textContent = '';
			go({});
		}
	} finally { clearInterval(clock); }
}

/* --- the answer --- */

function show(list) {
	list.forEach(rankHeads);
	if (panes.length) {
		models = list;
		for (const p of panes) p.overview = p.grids = '';
		go({});
	} else {
		addModels(list);
		followView(location.hash);
	}
}

function tokenButton(m, i, text, changed, model) {
	const v = m.sentences[0].translation.log_probs[i + firstOf(m)], b = button(text, model === 0 && i === picked, () => { picked = picked === i ? -1 : i; drawResults(); });
	b.append(element('small', figure(v)));
	b.title = `log-probability ${figure(v)}${changed ? '; differs from the whole model' : ''}`;
	b.setAttribute('aria-label', `${text}, ${b.title}`);
	b.classList.toggle('changed', changed);
	return b;
}

function sumsOf(m, before) {
	const t = m.sentences[0].translation, parts = [`log-probability ${figure(t.sum)}`];
	if (before) {
		const x = before.sentences[0].translation.sum, y = m.sentences[0].compared;
		parts.push(`whole model's ${t.forced ? 'target' : 'translation'} ${figure(x)} → ${figure(y)}` + (x === null || y === null ? '' : ` (change ${signed(y - x)})`));
	}
	if (t.chrf !== undefined) parts.push(`chrF ${t.chrf.toFixed(1)}` + (before ? ` (whole model ${before.sentences[0].translation.chrf.toFixed(1)})` : ''));
	parts.push(`${Math.max(1, Math.round(1000 * t.seconds))} ms`);
	return parts.join('; ');
}

// The relevance of the source tokens for the token that is selected, or for all.
function relevanceOf(m) {
	const s = m.sentences[0], rows = s.relevance?.source;
	if (!rows) return [];
	const at = picked + firstOf(m), one = picked >= 0 && at < rows.length, x = s.source.tokens.map((_, j) => one ? rows[at][j] : rows.reduce((sum, r) => sum + r[j], 0) / rows.length);
	const top = Math.max(...x.map(Math.abs)) || 1, box = element('p', '', { className: 'tokens' });
	s.source.tokens.forEach((t, j) => {
		const e = element('span', t, { title: `relevance ${x[j].toFixed(3)}` }), t01 = (x[j] / top + 1) / 2;
		e.style.background = DIVERGING[Math.round(t01 * (DIVERGING.length - 1))];
		e.style.color = Math.abs(t01 - .5) > .3 ? '#fff' : '#1c2430';
		box.append(e);
	});
	return [element('h2', `Relevance of source tokens for ${one ? tokensOf(m)[picked] ?? '</s>' : 'the translation (select a token of it for one)'}`), box];
}

function resultOf(m, i) {
	const box = element('div', '', { className: 'result' }), before = isWhole() ? null : whole.models[i], n = state.removed[i].length;
	const tokens = tokensOf(m), all = [...tokens, '</s>'], old = before ? tokensOf(before) : tokens, d = diff(tokens, old);
	const heads = n ? ` without ${n} head${n > 1 ? 's' : ''}` : '', line = element('p', '', { className: 'tokens now' });
	line.append(...all.map((t, k) => tokenButton(m, k, t, k < tokens.length && d.a[k], i)));
	box.append(element('h2', `${m.name}${heads}${m.sentences[0].translation.forced ? ', forced target' : ''}`), line);
	if (n && before && (d.a.includes(true) || d.b.includes(true))) {
		const was = element('p', '', { className: 'tokens was' });
		was.append(...old.map((t, k) => element('span', t, { className: d.b[k] ? 'lost' : '' })));
		box.append(element('h2', 'Whole model'), was);
	}
	box.append(element('p', sumsOf(m, n ? before : null), { className: 'sums' }), ...relevanceOf(m));
	return box;
}

// The reference of a sentence of --dev, for comparison.
function referenceOf() {
	const text = state.sentence >= 0 ? config.sentences[state.sentence].reference : '';
	return text ? [element('p', `Reference: ${text}`, { className: 'sums reference' })] : [];
}

function drawResults() {
	if (!shown) return;
	$('results').classList.toggle('two', shown.length > 1);
	$('results').replaceChildren(...referenceOf(), ...shown.map(resultOf));
}

/* --- commands --- */

const quote = s => /^[A-Za-z0-9_.\/:,+-]+$/.test(s) ? s : `'${s.replace(/'/g, `'\\''`)}'`;
function commandsOf(i) {
	const m = config.models[i], list = listOf(state.removed[i]), path = quote(m.path), lines = [], typed = state.sentence < 0;
	const source = typed ? state.text : config.sentences[state.sentence].source;
	const cut = typed && m.language ? ` | tokenize -l ${m.language}` : '', mask = list ? ` --mask-heads ${quote(list)}` : '';
	const pruned = list ? 'pruned.tar' : path, data = config.dev ? quote(config.dev) : 'dev.heed';
	const how = ` --precision ${config.precision}${config.backend ? ` --backend ${quote(config.backend)}` : ''}`;
	if (list) lines.push('# the model without these heads', `head-prune -m ${path} --heads ${quote(list)} -o pruned.tar`);
	lines.push('# the measures of its heads', `head-stat -m ${pruned} --measure gradient -o heads.heed ${data}`, '# this translation');
	lines.push(`printf '%s\\n' ${quote(source)}${cut} | nmt-translate -m ${path}${mask}${state.beam ? ` --beam ${state.beam}` : ''}${state.penalty >= 0 ? ` --length-penalty ${state.penalty}` : ''}${how} --text`);
	if (state.target !== null && !m.raw)
		lines.push('# the score of the forced target', `printf '%s\\n' ${quote(source)}${cut} > source; printf '%s\\n' ${quote(state.target)} > target`, `nmt-info --codes ${path} > codes`, `heed-pack source target | bpe-apply -c codes | nmt-score -m ${path}${mask}${how} | heed-show -f score,score.tokens`);
	return lines.join('\n');
}
const allCommands = () => config.models.map((_, i) => commandsOf(i)).join('\n\n');

/* --- controls --- */

function drawAsk() {
	if (document.activeElement !== $('text')) $('text').value = state.sentence < 0 ? state.text : config.sentences[state.sentence].source;
	$('dev').value = state.sentence;
	$('target-row').hidden = state.target === null;
	if (document.activeElement !== $('target')) $('target').value = state.target ?? '';
	$('force').setAttribute('aria-pressed', state.target !== null);
	$('relevance').setAttribute('aria-pressed', relevance);
	$('beam').value = state.beam || config.models[0].beam;
	$('penalty').value = state.penalty >= 0 ? state.penalty : config.models[0].penalty;
	$('undo').disabled = !past.length;
	$('restore').disabled = isWhole();
}

live = {
	isRemoved: (m, site, head) => state.removed[m.index].includes(`${site}:${head}`),
	// Removes all of a list of heads, or restores them if all are removed.
	toggle(m, list, pane) {
		const keys = list.map(([kind, layer, head]) => `${siteName(kind, layer)}:${head}`), now = state.removed[m.index];
		const gone = keys.every(k => now.includes(k)), removed = state.removed.map((old, i) => i !== m.index ? old : gone ? old.filter(k => !keys.includes(k)) : [...new Set([...old, ...keys])]);
		change({ removed });
		at.active = panes.indexOf(pane);
		const [kind, layer, view] = list[0];
		for (const p of at.linked ? panes : [pane]) {	// the answer draws the rest
			if (list.length === 1) Object.assign(p, { kind, layer, view: String(view) });
			drawGrids(p, sentenceOf(p));
		}
	},
	address(more) {
		if (state.sentence >= 0) more.set('sentence-id', config.sentences[state.sentence].id);
		else if (state.text) more.set('text', state.text);
		state.removed.forEach((list, i) => { if (list.length) more.set(i ? 'removed2' : 'removed', listOf(list)); });
		if (state.beam) more.set('beam', state.beam);
		if (state.penalty >= 0) more.set('penalty', state.penalty);
		if (state.target !== null) more.set('target', state.target);
	},
	// Takes the state of an address.
	follow(more) {
		const to = fresh(), before = JSON.stringify(state);
		to.text = (more.get('text') || '').slice(0, 4000);
		to.sentence = config.sentences.findIndex(s => s.id === more.get('sentence-id'));
		to.removed = config.models.map((_, i) => keysOf(more.get(i ? 'removed2' : 'removed') || ''));
		to.beam = clamp(Math.trunc(+more.get('beam')), 0, 32);
		to.penalty = more.has('penalty') && +more.get('penalty') >= 0 ? Math.min(100, +more.get('penalty')) : -1;
		to.target = more.get('target');
		if (!to.text && to.sentence < 0 && config.sentences.length) to.sentence = 0;
		state = to;
		if (JSON.stringify(state) !== before) send();
	},
};

// Typing is one change for undo, from one pause to the next.
let pause = 0, typing = false;
function typed(to) {
	if (!typing) remember();
	typing = true;
	Object.assign(state, to());
	clearTimeout(pause);
	pause = setTimeout(() => { typing = false; send(); }, WAIT);
}
$('text').addEventListener('input', () => typed(() => ({ text: $('text').value.replace(/\s+/g, ' '), sentence: -1, target: null })));
$('target').addEventListener('input', () => typed(() => ({ target: $('target').value.replace(/\s+/g, ' ') })));
for (const id of ['text', 'target'])
	$(id).addEventListener('keydown', e => { if (e.key === 'Enter') { e.preventDefault(); $('ask').requestSubmit(); } });
$('ask').addEventListener('submit', e => { e.preventDefault(); clearTimeout(pause); typing = false; send(); });
$('dev').addEventListener('change', () => change({ sentence: +$('dev').value, text: '', target: null }));
$('beam').addEventListener('change', () => change({ beam: clamp(Math.trunc(+$('beam').value), 1, 32) }));
$('penalty').addEventListener('change', () => change({ penalty: Math.max(0, Math.min(100, +$('penalty').value || 0)) }));
$('restore').addEventListener('click', () => { change({ removed: config.models.map(() => []) }); go({}); });
$('force').addEventListener('click', () => change({ target: state.target === null ? shown?.[0].sentences[0].translation.text ?? '' : null }));
$('relevance').addEventListener('click', () => { relevance = !relevance; send(); });
$('undo').addEventListener('click', undo);
$('show-commands').addEventListener('click', () => { $('commands').querySelector('pre').textContent = allCommands(); $('commands').showModal(); });
$('copy').addEventListener('click', () => navigator.clipboard.writeText(allCommands()).catch(() => getSelection().selectAllChildren($('commands').querySelector('pre'))));

function undo() {
	if (!past.length) return;
	state = JSON.parse(past.pop());
	$('text').blur();
	send();
	go({});
}
function removeHere() {
	const p = active();
	if (p && p.view > 0) live.toggle(models[p.model], [[p.kind, p.layer, +p.view]], p);
}
Object.assign(shortcuts, { u: undo, Delete: removeHere, Backspace: removeHere });
$('help').querySelector('dl').prepend(...[['u', 'undo'], ['Delete', 'remove or restore the head']].flatMap(([k, says]) => {
	const d = element('dt', '');
	d.append(element('kbd', k));
	return [d, element('dd', says)];
}));

$('dev-row').hidden = !config.sentences.length;
$('dev').append(new Option('the sentence typed', -1), ...config.sentences.map((s, i) => new Option(`${s.id}: ${s.source.slice(0, 80)}`, i)));
$('empty').textContent = 'Type a sentence.';
follow(location.hash);
