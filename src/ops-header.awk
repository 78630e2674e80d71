# ops-header.awk: writes ops.h from the files of ops, common/ops/NAME.c, in the order of its
# arguments.
#
# Copies the functions whose names begin with op_, each a prototype with the comment directly above
# its definition, and before them the types between #ifndef OPS_H and #endif.  A file that has no
# such function, or one without a comment, is an error.
BEGIN {
	print "/*"
	print " * ops: functions that apply the operations.  ops-header.awk writes it from common/ops."
	print " *"
	print " * Shapes: R rows of tokens, D and E widths, H heads, V vocabulary entries.  Weights"
	print " * of a projection are [out, in].  \"Blocks\" are one [H, T_i, S_i] for each sentence;"
	print " * the queries q of attention are [R,H*d], keys k and values v [M,H*d], and all may be"
	print " * views.  p is a dropout probability, in effect during training.  Each function is in"
	print " * the file of its op, with formula, gradient, relevance and cases."
	print " */"
	print "#ifndef OPS_H\n#define OPS_H\n\n#include <stdbool.h>\n\n#include \"tape/tape.h\""
}
function fail(text) {
	print "ops-header: " text > "/dev/stderr"
	bad = 1
}
function file_ends() {
	if (file != "" && !functions)
		fail(file ": no function op_NAME, expected one that applies the op, with the type of " \
		     "its result on a separate line above")
}
FNR == 1 {
	file_ends()
	file = FILENAME
	functions = types = comment = head = ended = 0
	above = ""
}

/^#ifndef OPS_H$/ { types = 1; print ""; next }
types && /^#endif/ { types = 0; next }
types { print; next }

/^\/\*/ { about = ""; comment = 1 }
comment { about = about $0 "\n"; ended = /\*\/$/; comment = !ended; next }

# The line above a name is the type of the result; the comment ends above that.
/^op_[a-z0-9_]+\(/ && type !~ /^static/ {
	if (above == "") fail(file ":" FNR ": " $0 ": no comment above, expected one for ops.h")
	printf "\n%s%s\n", above, type
	head = 1; functions++
}
head && /^\{/ { print prototype ";"; prototype = ""; head = 0 }
head { prototype = prototype (prototype == "" ? "" : "\n") $0 }
{ type = $0; above = ended ? about : ""; ended = 0 }
END { file_ends(); print "\n#endif"; exit bad }
