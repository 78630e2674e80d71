# processors.sh [FOLDER]: prints the number of usable processors, like common/base/machine.c;
# control groups are mounted at FOLDER.
groups=${1:-/sys/fs/cgroup}
{ cat "$groups/cpu.max" || paste -d ' ' "$groups/cpu/cpu.cfs_quota_us" "$groups/cpu/cpu.cfs_period_us"; } 2> /dev/null |
	awk -v n="$(nproc)" '$1 + 0 > 0 && $2 + 0 > 0 { q = int(($1 + $2 - 1) / $2) } END { print (q && q < n ? q : n) }'
