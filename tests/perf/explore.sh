#!/bin/sh
# explore.sh: heed-explore, from a key that removes a head until the page shows the new translation, and until it has
# drawn all else: medians of 31 keys; the memory of the server.  HEED_EXPLORE_MODELS="model.tar ..." names models; HEED_EXPLORE_TEXT is a sentence.
set -e
top=${HEED_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || { echo 'explore.sh: no chromium here'; exit 0; }
export CHROMIUM="$chromium"
[ -n "${HEED_EXPLORE_MODELS-}" ] || { echo 'explore.sh: HEED_EXPLORE_MODELS names no models'; exit 0; }
dir=$(mktemp -d)
trap 'kill $pid 2> /dev/null; rm -rf "$dir"' EXIT
text=$(printf '%s' "${HEED_EXPLORE_TEXT:-Select the file that you want to open and click the button in the lower left corner of the dialog .}" | tr ' ' '+')

printf '%-20s %8s %8s %12s %12s %12s %12s %12s\n' model source target 'shown, ms' 'all, ms' 'model, ms' 'file, MiB' 'memory, MiB'
for model in $HEED_EXPLORE_MODELS; do
	: > "$dir/address"
	heed-explore -q -m "$model" -l none > "$dir/address" &
	pid=$!
	for i in $(seq 200); do [ -s "$dir/address" ] && break; sleep 0.05; done
	perl "$top/tests/browse.pl" > "$dir/found" <<END
window 1280 1000
open $(cat "$dir/address")#cross-1-1&text=$text
js window.settled = (k = 'of') => new Promise(r => { const t = () => document.querySelector('#wait').dataset[k] === String(number) ? r() : setTimeout(t, 0); t(); }); 0
js settled()
js (async () => { const x = [], y = [], s = [], median = a => a.sort((p, q) => p - q)[a.length >> 1].toFixed(0); for (let i = 0; i < 31; i++) { const t = performance.now(); document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true })); await settled('translated'); x.push(performance.now() - t); await settled(); y.push(performance.now() - t); s.push(1000 * shown[0].sentences[0].translation.seconds); } return [shown[0].sentences[0].source.tokens.length, tokensOf(shown[0]).length, median(x), median(y), median(s)].join(' '); })()
END
	awk -v m="$(basename "$model")" -v f="$(wc -c < "$model")" -v r="$(awk '/VmRSS/ { print $2 }' /proc/$pid/status)" 'END {
		printf "%-20s %8s %8s %12s %12s %12s %12.0f %12.0f\n", m, $1, $2, $3, $4, $5, f / 1048576, r / 1024 }' "$dir/found"
	kill $pid; wait $pid
done
