/* Search in the manual pages: "index" has [address, title, where it is] of pages, sections and options. */
"use strict";

const box = document.getElementById("page-search"), list = document.getElementById("page-found"), most = 30;

/* All words must occur; a title that begins with the first one comes first, then pages, then others. */
function rank([address, title, place], words) {
	const text = (title + " " + place).toLowerCase();

	if (!words.every((word) => text.includes(word)))
		return -1;
	return (title.toLowerCase().replace(/^-+/, "").startsWith(words[0].replace(/^-+/, "")) ? 0 : 2) + (address.includes("#") ? 1 : 0);
}

function show() {
	const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
	const hits = words.length ? index.map((entry) => [rank(entry, words), entry]).filter(([order]) => order >= 0) : [];

	hits.sort((a, b) => a[0] - b[0]);
	list.replaceChildren(...hits.slice(0, most).map(([, [address, title, place]]) => {
		const item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("span");

		link.href = address;
		link.textContent = title;
		where.textContent = place;
		link.append(where);
		item.append(link);
		return item;
	}));
	if (words.length && !hits.length)
		list.textContent = "Nothing found.";
	list.hidden = !words.length;
}

box.addEventListener("input", show);
box.form.addEventListener("submit", (event) => {
	event.preventDefault();
	list.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
	if (event.key === "/" && document.activeElement !== box && !event.ctrlKey && !event.metaKey) {
		event.preventDefault();
		box.focus();
	} else if (event.key === "Escape") {
		box.value = "";
		show();
	} else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
		const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);

		links[Math.max(0, Math.min(links.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
		event.preventDefault();
	}
});
/* An address may have a query: "index.html?q=mask". */
box.value = new URLSearchParams(location.search).get("q") ?? "";
show();
