#!/bin/sh
# exchange-out: what heed-show writes for other programs: tables, JSON objects, and arrays, which NumPy
# reads if it is installed.
. "$HEED_TOP/tests/lib.sh"

mkdir path
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 path/python3
PATH=$scratch/path:$PATH

cat > all.json <<'END'
["heed",1,"any",{"fields":{"a":"f32[n,m]","b":"bits[n,k]","c":"i8[n]","d":"int","e":"float","s":"str","l":"[str]","i":"[int]","t":"bool","q":"f32[2]"},"pg":[]}]
{"a":[[1.5,-0.25],[1e+30,{"$float":"inf"}]],"b":["101","010"],"c":[-128,127],"d":-9223372036854775808,"e":{"$f32":0.1},"s":"ä\t\\€😀\n","l":["x","yy"],"i":[1,-2,3],"t":true,"q":[1,2]}
{"a":[[1.5,-0.25,3]],"b":["100000001"],"c":[5],"d":4,"e":{"$float":"nan"},"s":"","l":[],"i":[],"t":false,"q":[3,4]}
["heed-end",2]
END
heed-pack -j --no-pg all.json > all.heed

# --- tables ---
printf 'd\te\tl\ti\tt\n-9223372036854775808\t0.1\tx yy\t1 -2 3\ttrue\n4\tnan\t\t\tfalse\n' > want
same '--header names the columns' want 'heed-show -f d,e,l,i,t --header all.heed'
printf 's\tq\n%s\t[1.0,2.0]\n\t[3.0,4.0]\n' 'ä\t\\€😀\n' > want
same '--escape writes tabs, line ends and backslashes' want 'heed-show -f s,q -H --escape all.heed'
fails 3 '... without it they are an error' 'record 1: s contains a line feed' 'heed-show -f d,s --header all.heed'
matches 'hint: --escape writes' err; say $? '... with a hint'
printf 'x.d\tkey\n-9223372036854775808\ttrue\n4\tfalse\n' > want
same '--map with --header renames columns' want 'heed-show --map x.d=d,key=t --header all.heed'
heed-show -H all.heed > want
that "$(wc -l < want)" = 1 && matches '^\["heed",1' want; say $? '--header without fields is that of the stream'

# --- JSON objects ---
cat > want <<'END'
{"x":{"l":["x","yy"],"y":{"e":0.1}},"d":-9223372036854775808,"q":[1.0,2.0]}
{"x":{"l":[],"y":{"e":null}},"d":4,"q":[3.0,4.0]}
END
same '--map: objects with keys of the user' want 'heed-show --map x.l=l,d=d,x.y.e=e --map q=q all.heed'
printf '{"b":1}\n{}\n' > want
printf '["heed",1,"any",{"fields":{"a":"int"}}]\n{"a":1}\n{}\n["heed-end",2]\n' | heed-pack -j > absent.heed
same '... an absent field is left out' want 'heed-show --map b=a absent.heed'
fails 2 '... a key twice' 'key x is given twice' 'heed-show --map x=d,x=e all.heed'
fails 2 '... a key that is an object, too' 'key x has a value, and is the object of x.a' 'heed-show --map x.a=d,x=e all.heed'
printf 'x.a\tx\n-9223372036854775808\ttrue\n4\tfalse\n' > want
same '... columns have any names' want 'heed-show --map x.a=d,x=t --header all.heed'
fails 2 '... a field twice' 'field d is given twice' 'heed-show --map a=d,b=d all.heed'
for map in d =d d= '' 'a=d:f32'; do fails 2 "... not a map: '$map'" '--map: ' "heed-show --map '$map' all.heed"; done
fails 3 '... a field that the stream lacks' 'has no z' 'heed-show --map a=z all.heed'
fails 2 '... not with --fields' 'expected one of them' 'heed-show --map a=d -f d all.heed'

# --- arrays ---
# By hand: magic, version, header length, header, elements.
{ printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"
  printf '\000\000\000\000\000\000\000\200\004\000\000\000\000\000\000\000'; } > want
same '--npy: the bytes of the format' want 'heed-show --npy -f d all.heed'
fails 3 '--npy: values of different shapes' 'record 2: a has the shape (1, 3), expected (2, 2) as in the first record' 'heed-show --npy -f a all.heed'
matches 'hint: --npz writes an array' err; say $? '... with a hint'
fails 3 '... also lists' 'record 2: l has the shape (0,), expected (2,)' 'heed-show --npy -f l all.heed'
fails 3 '--npy: a record without the field' 'record 2 has no a, expected it in each record' 'heed-show --npy -f a absent.heed'
fails 3 '... or --npz' 'record 2 has no a, expected it in each record' 'heed-show --npz -f a absent.heed'
printf '["heed",1,"any",{"fields":{"a":"date"}}]\n{"a":1}\n["heed-end",1]\n' | heed-pack -j > type.heed
fails 3 '--npy: an unknown type' 'field a is of type date' 'heed-show --npy -f a type.heed'
fails 2 '--npy: two fields' '2 fields, expected one with --npy' 'heed-show --npy -f d,e all.heed'
fails 2 '--npz: a field twice' 'field d is given twice' 'heed-show --npz -f d,d all.heed'
fails 2 '--npz without fields' '--npz without --fields or --map' 'heed-show --npz all.heed'
fails 2 '--npz with --header' 'expected one of them' 'heed-show --npz --header -f d all.heed'
head -c 300 all.heed > cut.heed
exits 3 '--npz: a truncated stream' 'heed-show --npz -f d -o cut.npz cut.heed'
that ! -e cut.npz; say $? '... leaves no file'
runs heed-show --npz -f a,l,d -o one.npz all.heed && runs sleep 1 && TZ=Asia/Tokyo heed-show --npz -f a,l,d all.heed | equals - one.npz
say $? '--npz: the same bytes at any time and place'

for o in '--npz -f d,s' '--npy -f d' '-f d --header' '--map a=d'; do
	fails 4 "$o: a full disk" 'No space left on device' "heed-show $o all.heed > /dev/full"
done

if python3 -c 'import numpy' 2> /dev/null; then
	cat > check.py <<'END'
import json, sys
import numpy as np

def plain(x):			# an array as JSON, floats by their bits
    if x.dtype == np.float64: x = x.view(np.int64)
    if x.dtype == np.float32: x = x.view(np.int32)
    return x.tolist()

f = sys.argv[1]
if f.endswith(".npy"):
    x = np.load(f)
    print(x.dtype, x.shape, json.dumps(plain(x)))
else:
    z = np.load(f)
    for k in z: print(k, z[k].dtype, z[k].shape, json.dumps(plain(z[k])))
END
	array() { heed-show --npy -f "$2" "$4" > x.npy; printf '%s\n' "$3" > want; same "NumPy: $1" want 'python3 check.py x.npy'; }
	array 'integers' d 'int64 (2,) [-9223372036854775808, 4]' all.heed
	heed-show --npy -f e all.heed > x.npy
	runs python3 -c 'import numpy as np; x = np.load("x.npy"); exit(x[0] != np.float64(np.float32(0.1)) or not np.isnan(x[1]))'
	say $? 'NumPy: floats of 32 bits, NaN'
	array 'text' s '<U6 (2,) ["\u00e4\t\\\u20ac\ud83d\ude00\n", ""]' all.heed
	array 'truth values' t 'bool (2,) [true, false]' all.heed
	array 'tensors of a fixed size' q 'float32 (2, 2) [[1065353216, 1073741824], [1077936128, 1082130432]]' all.heed
	{ sed 1q all.json; sed -n '2p;2p;2p' all.json; echo '["heed-end",3]'; } | heed-pack -j > three.heed
	array 'tensors of equal shapes' b 'bool (3, 2, 3) [[[true, false, true], [false, true, false]], [[true, false, true], [false, true, false]], [[true, false, true], [false, true, false]]]' three.heed
	array 'lists of equal lengths' l '<U2 (3, 2) [["x", "yy"], ["x", "yy"], ["x", "yy"]]' three.heed
	array 'lists of numbers' i 'int32 (3, 3) [[1, -2, 3], [1, -2, 3], [1, -2, 3]]' three.heed
	{ sed 1q all.json; echo '["heed-end",0]'; } | heed-pack -j > none.heed
	array 'no records' d 'int64 (0,) []' none.heed
	array '... of tensors' a 'float32 (0, 0, 0) []' none.heed
	heed-show --npz -f a,b,c,d,i,l,s all.heed > x.npz
	cat > want <<'END'
a/1 float32 (2, 2) [[1069547520, -1098907648], [1900671690, 2139095040]]
b/1 bool (2, 3) [[true, false, true], [false, true, false]]
c/1 int8 (2,) [-128, 127]
i/1 int32 (3,) [1, -2, 3]
l/1 <U2 (2,) ["x", "yy"]
a/2 float32 (1, 3) [[1069547520, -1098907648, 1077936128]]
b/2 bool (1, 9) [[true, false, false, false, false, false, false, false, true]]
c/2 int8 (1,) [5]
i/2 int32 (0,) []
l/2 <U1 (0,) []
d int64 (2,) [-9223372036854775808, 4]
s <U6 (2,) ["\u00e4\t\\\u20ac\ud83d\ude00\n", ""]
END
	same 'NumPy: .npz with an array for each record' want 'python3 check.py x.npz'
	yes '{"d":1,"l":["x"]}' | head -n 70000 > many.json
	{ sed 1q all.json; cat many.json; echo '["heed-end",70000]'; } | heed-pack -j | heed-show --npz -f d,l -o x.npz -
	runs python3 -c 'import numpy as np; z = np.load("x.npz"); exit(z["d"].sum() != 70000 or z["l/70000"][0] != "x")'
	say $? 'NumPy: .npz with more than 65535 arrays'
else
	say 0 'NumPy # SKIP is not installed'
fi
plan $n
