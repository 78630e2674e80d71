# tasks.awk: the lists of heed(7) as plain text: a heading for each task, and a line for each entry.

# A page of section 1 is listed by its name alone, as a program is; other pages keep their section.
function name(text,   n, part, i, out) {
	n = split(text, part, / , Xr /)
	for (i = 1; i <= n; i++) {
		sub(/^\.It Xr /, "", part[i])
		sub(/ 1$/, "", part[i])
		part[i] = with_section(part[i])
		out = out (i > 1 ? ", " : "") part[i]
	}
	return out
}
function with_section(text,   at) {
	at = index(text, " ")
	return at ? substr(text, 1, at - 1) "(" substr(text, at + 1) ")" : text
}
/^\.Ss / { heading = substr($0, 5) }
/^\.It Xr / { names = name($0); next }
names != "" {
	if (heading != "") printf "%s%s\n", (any++ ? "\n" : ""), heading
	printf (length(names) < 26 ? "  %-25s %s\n" : "  %s\n                            %s\n"), names, $0
	heading = names = ""
}
