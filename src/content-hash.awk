# content-hash.awk: the output of sha256sum as a hash source of a Content-Security-Policy, in C.
#   sha256sum < file | awk -v name=STYLE -f content-hash.awk	#define STYLE "'sha256-...'"
BEGIN {
	digits = "0123456789abcdef"
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
}
$1 ~ /^[0-9a-f]+$/ && length($1) == 64 {
	hex = $1 "00"			# three digits are two letters of base64
	for (i = 1; i < length(hex); i += 3) {
		bits = 0
		for (j = i; j < i + 3; j++)
			bits = 16 * bits + index(digits, substr(hex, j, 1)) - 1
		base64 = base64 substr(letters, int(bits / 64) + 1, 1) substr(letters, bits % 64 + 1, 1)
	}
	print "#define " name " \"'sha256-" substr(base64, 1, 43) "='\""
	good = 1
}
END { exit !good }
