# records.awk: records (lines of name, tab, value) as JSON, one line per file; called by
# pipeline.mk.
function text(s) { gsub(/\\/, "\\\\\\\\", s); gsub(/"/, "\\\"", s); return "\"" s "\"" }
BEGIN { FS = "\t" }
function value(s) { return s ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/ ? s : text(s) }
FNR == 1 { if (NR > 1) print "}"; printf "{" }
{ if (FNR > 1) printf ","; printf "%s:%s", text($1), value($2) }
END { if (NR) print "}" }
