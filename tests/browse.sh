# browse.sh: pages in a browser, after lib.sh.  Skips the test without Chromium.
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$chromium" ]; then
	echo '1..0 # SKIP no chromium here: apt-get install chromium'
	exit 0
fi
export CHROMIUM="$chromium"

# browse: runs commands of tests/browse.pl; their output is in the file found
browse() { perl "$HEED_TOP/tests/browse.pl" > found 2> err; r=$?; [ $r = 0 ] || sed 's/^/# /' err; }
# is LINE TEXT 'what': compares a line of that output
is() { that "$(sed -n "$1p" found)" = "$2"; say $? "$3"; }
