# namespaces.sh: machines that are network namespaces of this one, joined by a bridge; sourced.
# Needs root and iproute2.  Hosts have the names node1 ... and the addresses 10.77.0.1 ...
#   network_up N; trap network_down EXIT; network_rate 1gbit
# The kernels of some virtual machines lack netem, so there is no delay except that of the bridge.

network_down() {
	for i in $(seq "${network_n:-0}"); do
		ip link del "heed-$i" 2> /dev/null || :
		ip netns del "heed$i" 2> /dev/null || :
	done
	ip link del heed-bridge 2> /dev/null || :
}

network_up() {	# N
	network_n=$1
	network_down
	ip link add heed-bridge type bridge
	ip addr add 10.77.0.254/24 dev heed-bridge
	ip link set heed-bridge up
	for i in $(seq "$1"); do
		ip netns add "heed$i"
		ip link add "heed-$i" type veth peer name eth0 netns "heed$i"
		ip link set "heed-$i" master heed-bridge up
		ip -n "heed$i" addr add "10.77.0.$i/24" dev eth0
		ip -n "heed$i" link set eth0 up
		ip -n "heed$i" link set lo up
	done
}

# Limits each host in both directions, as a link to a switch; "none" removes the limit.
network_rate() {	# RATE
	for i in $(seq "$network_n"); do
		tc qdisc del dev "heed-$i" root 2> /dev/null || :
		tc -n "heed$i" qdisc del dev eth0 root 2> /dev/null || :
		[ "$1" != none ] || continue
		tc qdisc add dev "heed-$i" root tbf rate "$1" burst 512kb latency 20ms
		tc -n "heed$i" qdisc add dev eth0 root tbf rate "$1" burst 512kb latency 20ms
	done
}

# network_cut I: host I is cut off from the others; network_join I undoes it.
network_cut() { ip link set "heed-$1" down; }
network_join() { ip link set "heed-$1" up; }

# network_run N PROGRAM ARGUMENT...: N ranks on as many hosts, with Open MPI
network_run() {
	ranks=$1; shift
	cat > network-agent <<'END'
#!/bin/sh
# What ssh does: agent ADDRESS COMMAND...
i=${1##*.}; shift
exec ip netns exec "heed$i" unshare -u sh -c 'hostname "node$1"; shift; eval "$*"' sh "$i" "$@"
END
	chmod +x network-agent
	seq "$ranks" | sed 's/.*/10.77.0.& slots=1/' > network-hosts
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$(command -v mpirun.openmpi || echo mpirun)" \
	    -n "$ranks" --hostfile network-hosts --bind-to none --map-by node \
	    --mca plm_rsh_agent "$PWD/network-agent" --mca plm_rsh_no_tree_spawn 1 \
	    --mca oob_tcp_if_include 10.77.0.0/24 --mca btl tcp,self \
	    --mca btl_tcp_if_include 10.77.0.0/24 "$@"
}
