# options.sh: checks the options of nmt-train for the runs of papers, before the first run begins.
# Reads lines "PAPER VARIANT OPTIONS"; the options of a variant are checked once.  An error names the key
# PAPER.variant.VARIANT; the options may also come from other keys of the paper or from the profile.
awk 'NF && !seen[$1, $2]++' | while read -r paper variant options; do
	eval "nmt-train --check-options $options" < /dev/null && continue
	echo "options.sh: $paper.variant.$variant: the options of nmt-train cannot be used; see preset, size," \
	    "arch, recipe and variant.$variant in src/papers/$paper.conf" >&2
	exit 1
done
