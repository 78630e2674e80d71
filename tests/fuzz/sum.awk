# Sums up the rows of run.sh: executions and findings; fails if there is a finding.
{ sum += $2 }
$4 != "" { found = found "\n  " $1 ": " $4; n++ }
END {
	printf "%d targets, %.0f executions, %s\n", NR, sum, n ? n " findings:" found : "no finding"
	exit n > 0
}
