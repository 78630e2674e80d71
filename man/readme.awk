# readme.awk: turns mandoc's markdown of heed.7 into README.md: its own title,
# and lists of programs as lists instead of as indented code.
NR == 1 { print "# heed\n\n<!-- made from man/heed.7 by `make README.md`; edit that -->"; next }
/^# NAME$/ { skip = 1; next }
skip && /^#/ { skip = 0 }
skip { next }
/^# DESCRIPTION$/ { next }
/^# SEE ALSO$/ { exit }
/^# / { sub(/^# [A-Z]/, toupper(substr($0, 3, 1))); $0 = "## " substr($0, 1, 1) tolower(substr($0, 2)) }
/^([a-z0-9-]+\([1-8]\)(, )?)+$/ { held = $0; next }
held != "" && /^\t/ { sub(/^\t/, ""); print "* " held ": " $0; held = ""; listed = 1; next }
held != "" && /^$/ { next }
held != "" { print held; held = "" }
listed && /^$/ { next }
{ if (listed) print ""; listed = 0; print }
