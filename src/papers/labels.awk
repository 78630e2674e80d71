# labels.awk: replaces variants in the first column of a table by their labels; called by
# pipeline.mk. Input files: output of names.awk, and the table.
BEGIN { FS = OFS = "\t" }
FNR == NR { label[$1] = $3; next }
$1 in label { $1 = label[$1] }
{ print }
