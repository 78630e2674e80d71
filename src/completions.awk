# completions.awk: completions of all programs for bash or zsh (-v shell=bash|zsh).  Reads the lines
# of common/completions.sh:
#	option PROGRAM LETTER NAME VALUE HELP 1|+ CHOICES
#	word PROGRAM WORD	(or "PROGRAM WORD" instead of PROGRAM: after this word)
BEGIN { FS = "\t" }
!($2 in known) { known[$2] = 1; order[++n] = $2 }
$1 == "word" { words[$2] = words[$2] " " $3; next }
{
	long = "--" $4
	short = $3 == "" ? "" : "-" $3
	options[$2] = options[$2] " " long (short == "" ? "" : " " short)
	if ($8 != "") values[$2] = values[$2] "\t" long (short == "" ? "" : "|" short) "=" $8
	rows[$2] = rows[$2] zsh_row(long, short, $5, $6, $7, $8)
}

function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# An argument of _arguments of zsh: [help], and what completes the value.
function zsh_row(long, short, value, help, times, choices,   action, forms) {
	gsub(/\[|\]|:|\\/, "\\\\&", help)
	gsub(/\[|\]|:|\\/, "\\\\&", value)
	action = value == "" ? "" : ":" value ":" (choices != "" ? "(" choices ")" : value ~ /file|folder|prefix|model/ ? "_files" : " ")
	if (short == "" || times == "+") forms = ""
	else forms = "(" short " " long ")"
	if (times == "+") forms = forms "*"
	if (short == "") return "\t\t" quoted(forms long (value == "" ? "" : "=") "[" help "]" action) " \\\n"
	return "\t\t" quoted(forms short (value == "" ? "" : "+") "[" help "]" action) " \\\n" \
	       "\t\t" quoted(forms long (value == "" ? "" : "=") "[" help "]" action) " \\\n"
}

function bash(   i, j, m, part, at, p) {
	print "# Completions of heed for bash, from the option tables of the programs."
	print "_heed()\n{"
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= options= values="
	print "\tlocal program=${COMP_WORDS[0]##*/}"
	print "\tif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}"
	print "\telif [ \"$word\" = = ]; then word=\n\tfi"
	print "\tcase $program in"
	for (i = 1; i <= n; i++)
		if (order[i] in options)
			print "\t" order[i] ") words=" quoted(substr(words[order[i]], 2)) " options=" \
			    quoted(substr(options[order[i]], 2)) " ;;"
	print "\tesac\n\tcase $program,$before in"
	for (i = 1; i <= n; i++) {
		p = order[i]
		m = split(substr(values[p], 2), part, "\t")
		for (j = 1; j <= m; j++) {
			at = index(part[j], "=")
			names = substr(part[j], 1, at - 1)
			gsub(/[|]/, "|" p ",", names)
			print "\t" p "," names ") values=" quoted(substr(part[j], at + 1)) " ;;"
		}
		if (split(p, part, " ") == 2)
			print "\t" part[1] "," part[2] ") values=" quoted(substr(words[p], 2)) " ;;"
	}
	print "\tesac"
	print "\tif [ -n \"$values\" ]; then options=$values"
	print "\telif [ \"${word#-}\" = \"$word\" ]; then options=$words\n\tfi"
	print "\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))"
	print "\t[ \"${COMPREPLY-}\" = \"${COMPREPLY%=}\" ] || compopt -o nospace\n}"
	printf "complete -o default -F _heed"
	for (i = 1; i <= n; i++) if (order[i] in options) printf " %s", order[i]
	print ""
}

function zsh(   i, p, all) {
	printf "#compdef"
	for (i = 1; i <= n; i++) if (order[i] in options) printf " %s", order[i]
	print "\n# Completions of heed for zsh, from the option tables of the programs."
	print "case $service in"
	for (i = 1; i <= n; i++) {
		p = order[i]
		if (!(p in options)) continue
		all = words[p] words[p " help"]
		print p ")\n\t_arguments -s -S \\\n" rows[p] "\t\t" quoted("*:operand:" (all == "" ? "_files" : \
		    "{_alternative \"words:word:(" substr(all, 2) ")\" \"files:file:_files\"}")) " ;;"
	}
	print "esac"
}

END { if (shell == "bash") bash(); else zsh() }
