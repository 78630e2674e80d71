'use strict';
// Conveniences: all can be read without them.

// What a link leads to is unfolded.
function unfold() {
	const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	for (let e = at; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
	if (at) at.scrollIntoView();
}
addEventListener('hashchange', unfold);
if (location.hash) unfold();

// All runs at once, so that searching finds what is in them, and paper has it.
const runs = [...document.querySelectorAll('details.run')];
if (runs.length > 1) {
	const b = document.createElement('button');
	const say = () => { b.textContent = runs.every(r => r.open) ? 'Fold all runs' : 'Unfold all runs'; };
	b.type = 'button';
	b.className = 'fold';
	b.onclick = () => { const open = !runs.every(r => r.open); runs.forEach(r => { r.open = open; }); };
	runs.forEach(r => r.addEventListener('toggle', say));
	say();
	runs[0].before(b);
}

// A page within the page is as high as it says; no more of it is asked for or believed.
const frames = [...document.querySelectorAll('iframe')];
addEventListener('message', e => {
	const f = frames.find(x => x.contentWindow === e.source);
	if (f && e.data > 0 && e.data < 20000) f.style.height = +e.data + 2 + 'px';
});
const ask = () => frames.forEach(f => f.contentWindow.postMessage('height', '*'));
addEventListener('load', ask);
ask();
