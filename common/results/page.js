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
