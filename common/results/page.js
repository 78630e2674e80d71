'use strict';
// Optional: the page can be read without scripts.

// Expand the target of a link and all elements around it.
function expand() {
	const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	for (let e = at; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
	if (at) at.scrollIntoView();
}
addEventListener('hashchange', expand);
if (location.hash) expand();

// A click on the name of a column sorts a table by it: numbers by value, in descending order first.
// Cells without a value stay last.
function value(cell) {
	const text = cell.textContent.trim(), n = parseFloat(text.replace(/^(NLL|[<>])\s*/, ''));
	return text === '' || text === '-' || text === '\u2013' ? null : isNaN(n) ? text : n;
}
function sort(table, column, head) {
	const body = table.tBodies[0], at = r => value(r.cells[column]);
	const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : head.classList.contains('n');
	const rows = [...body.rows], sign = down ? -1 : 1;
	rows.sort((a, b) => {
		const x = at(a), y = at(b);
		if (x === null || y === null) return (x === null) - (y === null);
		return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', { numeric: true }));
	});
	head.parentElement.querySelectorAll('th').forEach(h => h.removeAttribute('aria-sort'));
	head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
	body.append(...rows);
}
for (const table of document.querySelectorAll('table')) {
	if (!table.tHead || table.tBodies[0].rows.length < 3) continue;
	[...table.tHead.rows[0].cells].forEach((head, column) => {
		const b = document.createElement('button');
		b.type = 'button';
		b.append(...head.childNodes);
		b.onclick = () => sort(table, column, head);
		head.append(b);
	});
}

// A figure may be on a page without the parts that it links to, such as an overview.
for (const a of document.querySelectorAll('svg a[href]'))
	if (!document.getElementById(a.getAttribute('href').slice(1))) a.removeAttribute('href');

// Printing shows what is collapsed, but for the runs.
addEventListener('beforeprint', () => document.querySelectorAll('details.section').forEach(d => { d.open = true; }));

// A button expands all runs, so that searching and printing include them.
const runs = [...document.querySelectorAll('details.run')];
if (runs.length > 1) {
	const b = document.createElement('button');
	const label = () => { b.textContent = runs.every(r => r.open) ? 'Collapse all runs' : 'Expand all runs'; };
	b.type = 'button';
	b.className = 'fold';
	b.onclick = () => { const open = !runs.every(r => r.open); runs.forEach(r => { r.open = open; }); };
	runs.forEach(r => r.addEventListener('toggle', label));
	label();
	runs[0].before(b);
}

// A frame reports its height; the page uses nothing else from it.
const frames = [...document.querySelectorAll('iframe')];
addEventListener('message', e => {
	const f = frames.find(x => x.contentWindow === e.source);
	if (f && e.data > 0 && e.data < 20000) f.style.height = +e.data + 2 + 'px';
});
const ask = () => frames.forEach(f => f.contentWindow.postMessage('height', '*'));
addEventListener('load', ask);
ask();
