#!/bin/sh
# heed-py: src/heed.py reads what the programs write, and they read what it writes.
. "$HEED_TOP/tests/lib.sh"

mkdir path
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 path/python3
PATH=$scratch/path:$PATH
export PYTHONPATH=$HEED_TOP/src PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import sys; exit(sys.version_info < (3, 9))' 2> /dev/null; then
	echo '1..0 # SKIP no Python 3.9'
	exit 0
fi
# py 'name' < program: the program succeeds and prints nothing, no warning of an open file either
py() {
	cat > test.py; python3 -W always::ResourceWarning test.py > out 2> err; r=$?
	that $r = 0 && that ! -s out
	say $? "$1"
}
that "$(python3 -c 'import heed; print(heed.__version__)')" = "$(cat "$HEED_TOP/VERSION")"; say $? 'the version is that of the programs'

# --- streams ---
cat > copy.py <<'END'
import sys, heed
with heed.Reader(sys.argv[1]) as r, heed.Writer(sys.argv[2], like=r, pg=False) as w:
    for record in r:
        w.write(record)
END
cat > all.json <<'END'
["heed",1,"any",{"fields":{"a":"f32[n,m]","b":"bits[n,k]","c":"i8[n]","d":"int","z":"f32[2,x]"},"pg":[],"free":{"x":[1,null]}}]
{"a":[[1.5,-0.25],[1e+30,{"$float":"inf"}]],"b":["101","010"],"c":[-128,127],"d":-9223372036854775808}
{"x.a":true,"x.b":null,"x.c":[1,-1,0.1,1.0,18446744073709551615,"ä\u0001\n\t\"\\"],"x.d":{},"x.e":[],"x.f":{"$bin":"AAH/"}}
{"x.g":{"$f32":0.1},"x.i":{"$float":"nan"},"x.j":-0.0,"x.k":1e+300,"x.m":[[[[[[[{"$f32":0.5},{"$bin":"AA=="}]]]]]]],"x.n":{"$msgpack":"1AX/"},"x.o":{"$msgpack":"xwMFAQID"}}
{"a":{"s":[0,3],"d":{"$bin":""}},"z":{"s":[2,0],"d":{"$bin":""}},"b":{"s":[0,9],"d":{"$bin":""}}}
{"x.t":{"$msgpack":"o2H/Yg=="}}
{}
["heed-end",6]
END
heed-pack -j --no-pg all.json > all.heed
python3 copy.py all.heed copy.heed; equals all.heed copy.heed; say $? 'a copy has the same bytes: all kinds of values'
python3 - > many.json <<'END'
import json, random, struct
random.seed(3)
print('["heed",1,"any",{"fields":{"f":"float","i":"int","s":"str","t":"f32[n]","l":"[int]"}}]')
edges = [0, 1, -1, -32, -33, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536,
         2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**32 - 1, 2**32, 2**63 - 1, -2**63]
for i in range(2000):
    f = struct.unpack("<d", random.randbytes(8))[0]
    t = [x for x in struct.unpack("<9f", random.randbytes(36)) if abs(x) < 3e38]
    print(json.dumps({"f": f if abs(f) < 1e308 else 0.1, "i": edges[i] if i < len(edges) else random.getrandbits(random.randrange(64)),
                      "s": "a" * [0, 31, 32, 255, 256, 65535, 65536, i][i % 8], "t": t,
                      "l": [0] * [0, 15, 16, 65535, 65536][i % 5] if i < 5 else [i]}))
print('["heed-end",2000]')
END
heed-pack -j --no-pg many.json > many.heed; runs heed-check many.heed > /dev/null; say $? 'a stream of many values'
python3 copy.py many.heed copy.heed; equals many.heed copy.heed; say $? '... a copy has the same bytes'
py '... floats have the same bits' <<'END'
import heed, json, struct
lines = [json.loads(x) for x in open("many.json")][1:-1]
records = heed.read("many.heed")
assert len(lines) == len(records) == 2000
for x, r in zip(lines, records):
    assert struct.pack("<d", x["f"]) == struct.pack("<d", r["f"]) and x["i"] == r["i"] and x["s"] == r["s"] and x["l"] == r["l"]
END
cat all.heed all.heed > two.heed
py 'streams that follow each other' <<'END'
import heed
assert len(heed.read("two.heed")) == 12
END
sed 's/^\(\["heed",1,"any",{\)/\1"lrp.rule":"alti",/' all.json | heed-pack -j > alti.heed
sed 's/^\(\["heed",1,"any",{\)/\1"lrp.rule":"alti","lrp.eps":"1",/' all.json | heed-pack -j > eps.heed
cat alti.heed eps.heed > other.heed; cat all.heed alti.heed > first.heed
py '... but not of another method' <<'END'
import heed
assert len(heed.read("first.heed")) == 12
try: heed.read("other.heed"); raise SystemExit("accepted")
except heed.Error as e: assert "other.heed" in str(e) and "another lrp." in str(e), e
END
for z in gzip xz bzip2; do
	$z -c < many.heed > many.z; python3 copy.py many.z copy.heed; equals many.heed copy.heed; say $? "$z"
	head -c 3000 many.z > cut.z; python3 copy.py cut.z cut.heed 2> err; matches '^heed.Error: cut.z: ' err && that ! -e cut.heed; say $? '... truncated'
done
cat > slow.py <<'END'
import bz2, gzip, heed, io, lzma
class Slow(io.RawIOBase):       # a pipe whose first reads give one byte
    def __init__(self, data): self.data, self.at = data, 0
    def readable(self): return True
    def readinto(self, b):
        n = min(1 if self.at < 9 else len(b), len(self.data) - self.at)
        b[:n] = self.data[self.at:self.at + n]; self.at += n
        return n
data = open("all.heed", "rb").read()
for pack in [bytes, gzip.compress, lzma.compress, bz2.compress]:
    for f in [Slow(pack(data)), io.BufferedReader(Slow(pack(data))), io.BytesIO(pack(data))]:
        assert sum(1 for _ in heed.Reader(f)) == 6
END
py 'compressed streams from open files and slow pipes' < slow.py
zstd -q -c < many.heed > many.z; python3 copy.py many.z copy.heed 2> err && equals many.heed copy.heed || matches "heed.Error: many.z: .*zstd, which needs Python 3.14" err
say $? 'zstd, or a message'
python3 copy.py - copy.heed < all.heed; equals all.heed copy.heed; say $? 'standard input'
printf '["heed",1,"sentence",{"fields":{"id":"int","src":"str"}}]\n{"id":1,"src":"a dog"}\n["heed-note","x","y"]\n{"id":2,"src":"b"}\n["heed-end",2]\n' | heed-pack -j > small.heed
py 'every truncation and every wrong bit is an error' <<'END'
import heed, io
data = open("small.heed", "rb").read()
reader = lambda b: list(heed.Reader(io.BytesIO(b)))
assert [r["src"] for r in reader(data)] == ["a dog", "b"]
for i in range(len(data)):
    for bad in [data[:i]] + [data[:i] + bytes([data[i] ^ 1 << k]) + data[i + 1:] for k in range(8)]:
        try: reader(bad)
        except heed.Error: continue
        raise SystemExit("byte %d: no error" % i)
END
py 'a record with a field twice, as heed-show refuses it' <<'END'
import heed, io, subprocess, zlib
body = heed._pack(["heed", 1, "any", {"fields": {}}]) + b"\x82\xa1a\x01\xa1a\x02"
data = body + heed._pack(["heed-end", 1, zlib.crc32(body)])
assert subprocess.run(["heed-show"], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 3
try: list(heed.Reader(io.BytesIO(data)))
except heed.Error as e: exit("record 1: a record with the same field twice" not in str(e))
exit("no error")
END
py 'maps of undeclared fields that no dict can hold, as heed-show accepts them' <<'END'
import heed, io, subprocess, zlib
for keys in b"\x01\xc3", b"\x01\xca\x3f\x80\x00\x00", b"\x01\x01", b"\x91\x01\x91\x02", b"\x81\x01\x02\x03", b"\xd4\x05a\xd4\x05b":
    split = 3 if keys[0] == 0xd4 else 2 if keys[0] == 0x91 else 3 if keys[0] == 0x81 else 1
    head = heed._pack(["heed", 1, "any", {"fields": {"src": "str"}}])
    body = head + b"\x82\xa3src\xa1a\xa1x\x82" + keys[:split] + b"\x08" + keys[split:] + b"\x09"
    data = body + heed._pack(["heed-end", 1, zlib.crc32(body)])
    assert subprocess.run(["heed-show"], input=data, stdout=subprocess.DEVNULL).returncode == 0, keys
    with heed.Reader(io.BytesIO(data)) as r:
        record, = r
    assert [v for _, v in record["x"].items()] == [8, 9], keys
    with heed.Writer("pairs.heed", like=r, pg=False) as w: w.write(record)
    assert open("pairs.heed", "rb").read() == data, keys
assert heed.Ext(5, b"a") in {heed.Ext(5, b"a"): 1}
END
py 'notes, header' <<'END'
import heed
r = heed.Reader("small.heed")
assert r.kind == "sentence" and r.fields == {"id": "int", "src": "str"} and r.pg[0]["program"] == "heed-pack" and not r.notes
assert [x["id"] for x in r] == [1, 2] and r.notes == [("x", "y")]
END
cat > filter.py <<'END'
import heed, sys
with heed.Reader(sys.argv[1]) as r, heed.Writer(sys.argv[2], like=r, pg=False) as w:
    for x in r: w.write(x)
END
heed-show small.heed | sed 's/^\["heed-end"/["heed-note","last",{"z":[0.5,null]}]\n&/' | heed-pack -j --no-pg > noted.heed
runs python3 filter.py noted.heed out.heed && equals noted.heed out.heed && heed-show out.heed | grep -c note | matches -x 2
say $? 'a writer like a reader passes notes through, at the same place'
py 'a record over the limit' <<'END'
import heed
try: list(heed.Reader("many.heed", max_record=1000))
except heed.Error as e: exit("record 4: an object of more than 1000" not in str(e))
exit("no error")
END

# --- limits ---
# bomb: 64 MiB, in lists of at most the given number of empty lists.
cat > bomb.py <<'END'
import struct, sys, zlib
out, crc = zlib.compressobj(1, wbits=31), 0
def put(b):
    global crc
    crc = zlib.crc32(b, crc); sys.stdout.buffer.write(out.compress(b))
n, total = int(sys.argv[1]), (64 << 20) - 4096
put(b"\x94\xa4heed\x01\xa8sentence\x81\xa6fields\x81\xa3src\xa3str\x81\xa1x")
if n < total: put(b"\xdd" + struct.pack(">I", total // (n + 5)))
for i in range(total // (n + 5) or 1): put(b"\xdd" + struct.pack(">I", n) + b"\x90" * n)
sys.stdout.buffer.write(out.compress(b"\x93\xa8heed-end\x01\xce" + struct.pack(">I", crc)) + out.flush())
END
for most in 67104768 100000; do
	python3 bomb.py $most > bomb.gz
	py "64 MiB of empty lists, in lists of at most $most, are refused in 10 s and 300 MB" <<'END'
import heed, resource, time
try: heed.read("bomb.gz"); exit("accepted")
except heed.Error as e: assert str(e) == "bomb.gz: record 1: more than 2097152 values in arrays and maps", e
used = resource.getrusage(resource.RUSAGE_SELF)
assert used.ru_maxrss < 300 << 10 and used.ru_utime < 10, used
END
done
py 'limits of values' <<'END'
import heed
fields = {"l": "[int]", "t": "[str]"}
heed.write("v.heed", [{"l": [1] * 1000, "t": ["a"] * 900, "m": {"a": 1}}], fields=fields)
n = 3 * 2 + 1000 + 900 + 2
assert len(list(heed.Reader("v.heed", max_values=n))) == 1
try: list(heed.Reader("v.heed", max_values=n - 1)); exit("no error")
except heed.Error as e: assert "record 1: more than 1907 values" in str(e), e
import struct, zlib
for n in 1, 2:          # a list of the largest size is read, two such lists are not, unless a limit is raised
    body = heed._pack(["heed", 1, "any", {"fields": {"a": "[int]", "b": "[int]"}}]) + bytes([0x80 + n])
    for name in "ab"[:n]: body += heed._pack(name) + b"\xdd" + struct.pack(">I", 1 << 20) + b"\x07" * (1 << 20)
    open("v.heed", "wb").write(body + heed._pack(["heed-end", 1, zlib.crc32(body)]))
    assert list(heed.Reader("v.heed", max_values=3 << 20)) == [{name: [7] * (1 << 20) for name in "ab"[:n]}]
    try: heed.read("v.heed"); assert n == 1
    except heed.Error as e: assert n == 2 and "record 1: more than 2097152 values" in str(e), e
END
py 'an error is repeated, and closes the file' <<'END'
import heed
data = open("small.heed", "rb").read()
open("cut.heed", "wb").write(data[:-3])
r, seen = heed.Reader("cut.heed"), []
for i in range(3):
    try: seen += list(r); exit("no error")
    except heed.Error as e: assert "cut.heed: record 3: the stream ends inside record 3" in str(e), e
assert len(seen) == 0 and r._raw.closed
r = heed.Reader("small.heed"); assert len(list(r)) == 2 and list(r) == [] and r._raw.closed
r = heed.Reader("small.heed"); next(r); del r
w = heed.Writer("left.heed"); w.write({"id": 1}); del w
import os; assert not [f for f in os.listdir(".") if "left.heed" in f]
END
for z in gzip xz bzip2; do
	{ $z -c < small.heed; $z -c < small.heed; } > many.z; { cat many.z; printf garbage; } > more.z
	py "two files of $z, and data after them" <<'END'
import heed
assert len(heed.read("many.z")) == 4
try: heed.read("more.z"); exit("accepted")
except heed.Error as e: assert "more.z: record 5: " in str(e), e
END
done
py 'a slow pipe delivers each record when it is complete' <<'END'
import heed, os
data = open("small.heed", "rb").read()
src, to = os.pipe()
at = data.index(b"\x93\xa9heed-note")
os.write(to, data[:at])
with open(src, "rb") as f:
    r = heed.Reader(f)
    assert next(r)["src"] == "a dog"
    os.write(to, data[at:]); os.close(to)
    assert [x["src"] for x in r] == ["b"]
END
py 'a text file and a folder' <<'END'
import heed, io
for f in io.StringIO("abc"), io.StringIO(""):
    try: heed.Reader(f); exit("no error")
    except heed.Error as e: assert "binary" in str(e), e
try: heed.Reader("."); exit("no error")
except OSError: pass
END

# --- writing ---
cat > write.py <<'END'
import heed, sys
with heed.Writer(sys.argv[1], fields={"id": "int", "src": "str", "x.f": "float", "x.l": "[str]"}) as w:
    w.write({"id": 1, "src": "ä b", "x.f": 0.1, "x.l": ["x", "y"]})
    w.note("a note", "text")
    w.write({"id": 2, "src": "", "x.f": 3, "x.l": (), "free": {"a": [None, True, 1.5]}})
END
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","x.f":"float","x.l":"[str]"},"pg":[{"program":"write.py","version":"VERSION","args":"w.heed"}]}]
{"id":1,"src":"ä b","x.f":0.1,"x.l":["x","y"]}
["heed-note","a note","text"]
{"id":2,"src":"","x.f":3,"x.l":[],"free":{"a":[null,true,1.5]}}
["heed-end",2]
END
sed -i "s/VERSION/$(cat "$HEED_TOP/VERSION")/" want
python3 write.py w.heed; same 'the programs read a stream of heed.py' want 'heed-show w.heed'
python3 write.py - | runs heed-show > /dev/null; say $? '... from standard output'
python3 -c 'import heed; heed.write("pg.heed", [])' "folder/$(printf 'b\344r')" ä
heed-show pg.heed | matches -F '"args":"b\\xe4r ä"'; say $? 'an argument that is not UTF-8 is escaped'
py 'values that are not of the declared type' <<'END'
import heed
fields = {"id": "int", "src": "str", "x.f": "float", "x.l": "[int]", "x.b": "bool"}
for bad in [{"id": "1"}, {"id": True}, {"id": 2**63}, {"src": 1}, {"x.f": "0.1"}, {"x.l": [1, "2"]}, {"x.l": [2**31]}, {"x.b": 1},
            {"free": object()}, {"free": 2**64}, {1: 2}]:
    try:
        with heed.Writer("bad.heed", fields=fields) as w: w.write(bad)
    except heed.Error as e: assert "output record 1" in str(e) or "free" in bad, e
    else: exit("no error: %r" % bad)
import os
assert not [f for f in os.listdir(".") if "bad.heed" in f]
END
python3 -c 'import heed
with heed.Writer("-", fields={"id": "int"}) as w:
    w.write({"id": 1})
    raise RuntimeError' 2> /dev/null | heed-check > /dev/null 2>&1; that $? = 3; say $? 'an exception leaves the stream incomplete'

py '... messages name the element or the limit' <<'END'
import heed
fields = {"x.i": "int", "x.l": "[int]", "x.t": "[str]", "x.b": "bool"}
with heed.Writer("w.heed", fields=fields, pg=False) as w:
    for bad, why in [({"x.i": 2**63}, "x.i is not a signed integer of at most 64 bits"), ({"x.l": [1, 2**31]}, "x.l[1] is not a signed integer of at most 32 bits"),
                     ({"x.l": [1, True]}, "x.l[1] is bool, expected int"), ({"x.l": 1}, "x.l is int, expected [int]"), ({"x.t": ["a", 1]}, "x.t[1] is int, expected str"),
                     ({"x.t": ["a", "\udcff"]}, "x.t[1] is not UTF-8"), ({"x.t": [""] * 1048577}, "x.t has 1048577 elements, expected at most 1048576"), ({"x.b": 1}, "x.b is int, expected bool"),
                     ({"free": 10**5000}, "an integer of more than 64 bits")]:
        try: w.write(bad)
        except heed.Error as e: assert str(e) == "output record 1: " + why, e
        else: exit("no error: " + why)
    w.write({"x.i": -2**63, "x.l": [-2**31, 2**31 - 1]})
END
py 'the elements of a list are checked one by one only if one is guilty' <<'END'
import heed
class Text(str): pass
class Many(int): pass
calls, problem = [], heed._problem
heed._problem = lambda *a: calls.append(a) or problem(*a)
with heed.Writer("w.heed", fields={"x.l": "[int]", "x.t": "[str]"}, pg=False) as w:
    for n in (0, 1, 1000):
        w.write({"x.l": [-2**31, 2**31 - 1] * n, "x.t": ["a", "ä"] * n})
    assert not calls
    w.write({"x.l": [1, Many(2)], "x.t": [Text("a"), "b"]})
    assert len(calls) == 4
    for bad, why in [({"x.l": [0] * 9 + [-2**31 - 1, 2**31]}, "x.l[9] is not a signed integer of at most 32 bits"), ({"x.l": [False]}, "x.l[0] is bool, expected int"),
                     ({"x.l": [2**31, "a"]}, "x.l[0] is not a signed integer of at most 32 bits"), ({"x.l": [1.0]}, "x.l[0] is float, expected int"),
                     ({"x.t": ["ä"] * 9 + ["\ud800", "\udc00"]}, "x.t[9] is not UTF-8"), ({"x.t": ["a", None]}, "x.t[1] is NoneType, expected str"),
                     ({"x.t": ["a", Text("\udcff")]}, "x.t[1] is not UTF-8")]:
        try: w.write(bad)
        except heed.Error as e: assert str(e) == "output record %d: %s" % (w.count + 1, why), e
        else: exit("no error: " + why)
END
py 'a file is written while standard output is an object without a buffer' <<'END'
import contextlib, heed, io, sys
with contextlib.redirect_stdout(io.StringIO()):
    heed.write("o.heed", [{"id": 1}], fields={"id": "int"})
assert [r["id"] for r in heed.read("o.heed")] == [1]
first = io.TextIOWrapper(io.BytesIO())
with contextlib.redirect_stdout(first): w = heed.Writer(pg=False)
w.close()
assert not first.buffer.closed and b"heed-end" in first.buffer.getvalue()
END
if shm=$(mktemp -d /dev/shm/heed-XXXXXX 2> /dev/null); then
	for i in 1 2; do python3 -c 'import sys, heed; heed.write(sys.argv[1], [{"id": 1}], fields={"id": "int"})' "$shm/x.heed"; done
	that "$(heed-show "$shm/x.heed" | grep -c '"id":1}')" = 1 && that "$(ls -A "$shm")" = x.heed; say $? 'a file below /dev/shm is replaced'
	rm -r "$shm"
else
	say 0 'a file below /dev/shm # SKIP no /dev/shm'
fi
printf '["heed",1,"any",{"x":1}]\n{"id":1}\n["heed-end",1]\n' | heed-pack -j --no-pg > bare.heed
python3 copy.py bare.heed copy.heed; equals bare.heed copy.heed; say $? 'a header without fields is copied without them'
printf 'first\n' > appended; python3 -c 'import heed; heed.write("/dev/stdout", [])' >> appended
head -n 1 appended | matches -x first && tail -c +7 appended | runs heed-check > /dev/null; say $? '... but not the file that /dev/stdout names'
py 'what heed-stream(5) calls malformed is not written' <<'END'
import heed
fields = {"src": "str", "x.l": "[str]", "x.n": "i8[n,n]", "x.m": "i8[n,n]"}
deep = 0
for i in range(8): deep = [deep]
square = lambda n: {"s": [n, n], "d": bytes(n * n)}
bad = [({"src": "a\udcffb"}, "src is not UTF-8"), ({"x.l": ["a", "\ud800"]}, "UTF-8"), ({"free": "\ud800"}, "surrogate"), ({"a\ud800": 1}, "surrogate"),
       ({"f%d" % i: 1 for i in range(1025)}, "1025 fields, expected at most 1024"), ({"free": deep}, "nested deeper than 8"),
       ({"x.n": square(3), "x.m": square(4)}, "expected n=3"), ({"x.n": {"s": [True, True], "d": b"x"}}, "not a tensor")]
with heed.Writer("w.heed", fields=fields, pg=False) as w:
    for record, why in bad:
        try: w.write(record)
        except heed.Error as e: assert str(e).startswith("output record 1: ") and why in str(e), e
        else: exit("no error: " + why)
    for name, value in [(1, ""), ("x", deep), ("x", "a" * (16 << 20))]:
        try: w.note(name, value)
        except heed.Error: continue
        exit("no error: a note")
    w.write({"f%d" % i: 1 for i in range(1024)})
    w.write({"free": deep[0], "x.n": square(3), "x.m": square(3)})
for header in [{"fields": {"x.\ud800": "int"}}, {"fields": {"x.a": "i\0"}}, {"kind": "\udcff"}, {"fields": {"f%d" % i: "int" for i in range(4097)}}]:
    try: heed.Writer("bad.heed", **header)
    except heed.Error: continue
    exit("no error: a header")
END
that "$(heed-check w.heed 2> err | cut -f 3)" = 2; say $? '... and the rest is complete'
# The two must agree: heed-check fails with status 3.
cat > both.py <<'END'
import heed, io, subprocess, zlib
def part(records, meta={"fields": {"src": "str", "l": "[str]"}}, head=1, kind="any", n=None):
    body = b"".join(map(heed._pack, [["heed", head, kind, meta]])) + records
    return body + heed._pack(["heed-end", 1 if n is None else n, zlib.crc32(body)])
good = part(b"\x81\xa3src\xa1a")
bad = {"str": part(b"\x81\xa3src\xa1\xff"), "list": part(b"\x81\xa1l\x92\xa1a\xa1\xff"),
       "next": good + part(b"\x80", {"fields": {"src": "str", "l": "[str]", "x": "int"}}), "nil": good + b"\xc0" + good, "bool": part(b"\x80", head=True),
       "count": part(b"\x80", n=1.0), "kind": part(b"\x80", kind="\udcff"), "name": part(b"\x80", {"fields": {"\udcff": "int"}}), "pg": part(b"\x80", {"pg": 1}),
       "line": part(b"\x80", {"pg": [1]}), "note": part(b"\x80" + heed._pack(["heed-note", 1, 2])),
       "fields": part(b"\xde" + (1025).to_bytes(2, "big") + b"".join(heed._pack("f%d" % i) + b"\0" for i in range(1025)))}
for name, data in dict(bad, good=good, two=good + good, free=part(b"\x81\xa1x\xa1\xff")).items():
    status = subprocess.run(["heed-show"], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    assert (status == 3) == (name in bad), name + " by heed-check"
    try: list(heed.Reader(io.BytesIO(data)))
    except heed.Error: assert name in bad, name
    else: assert name not in bad, name
END
py '... or read' < both.py
python3 -c 'import heed
with heed.Writer("-") as w:
    w.write({"id": 1})
    w.close()
    w.close()
    try: w.write({"id": 2})
    except heed.Error: raise SystemExit
' > twice.heed; that "$(heed-check twice.heed 2> err | cut -f 3)" = 1; say $? 'a stream that was closed twice has one end record'
py '... and an exception leaves a closed file' <<'END'
import heed
try:
    with heed.Writer("closed.heed") as w:
        w.close()
        raise KeyError
except KeyError: pass
assert heed.read("closed.heed") == []
END

# --- output files ---
mkfifo pipe
timeout 20 cat pipe > w.heed & timeout 20 python3 copy.py all.heed pipe; wait
equals all.heed w.heed && that -p pipe; say $? 'a named pipe is written, not replaced'
python3 copy.py all.heed /proc/self/fd/1 > w.heed; equals all.heed w.heed; say $? '... and so is /proc/self/fd/1'
echo old > target; chmod 640 target; ln -s target link
python3 copy.py all.heed link; equals all.heed target && that -h link && that "$(stat -c %a target)" = 640
say $? 'the target of a symbolic link is replaced and keeps its mode'
# heed-check warns of a type that it does not know.
cat > known.py <<'END'
import heed, json, os, subprocess
known = ["str", "int", "float", "bool", "[str]", "[int]", "f32[n]", "i8[n,2]", "bits[n,n]", "f32[a,B,30,c]"]
for kind in known + ["bits", "nonsense", "", "[float]", "f32[]", "bits[n,n,n,n,n]", "i8[nn]", "f32[n,]", "f32 [n]", "f32[\u0663]", "bits[n_]", "Str", "str "]:
    line = json.dumps(["heed", 1, "any", {"fields": {"x.a": kind}, "pg": []}]) + '\n["heed-end",0]\n'
    stream = subprocess.run(["heed-pack", "-j"], input=line.encode(), stdout=subprocess.PIPE, check=True).stdout
    warned = b"unknown type" in subprocess.run(["heed-check"], input=stream, capture_output=True).stderr
    assert warned == (kind not in known), kind
    try: heed.Writer("types.heed", fields={"x.a": kind}).close()
    except heed.Error as e: assert warned and "x.a has the type %r, expected str, int, " % kind in str(e), e
    else: assert not warned, kind
    with open("like.heed", "wb") as f: f.write(stream)
    with heed.Reader("like.heed") as r, heed.Writer("types.heed", like=r) as w: list(r)
END
py 'types are those that heed-check knows; a copy may have others' < known.py
py 'no temporary file remains after an error' <<'END'
import heed, os
os.mkdir("folder")
before = sorted(os.listdir("."))
def late():
    w = heed.Writer("late.heed")
    os.mkdir("late.heed")
    w.close()
for bad in [lambda: heed.Writer("folder"), lambda: heed.Writer("a", fields={"x.a": int}), late]:
    try: bad()
    except (heed.Error, OSError): continue
    exit("no error")
os.rmdir("late.heed")
assert sorted(os.listdir(".")) == before, os.listdir(".")
END

py 'what is no record, and other objects' <<'END'
import heed
class Odd:
    ndim, shape = 0, ()
    def item(self): return self
with heed.Writer("w.heed", fields={"b": "bits[n,n]", "f": "f32[n]"}, pg=False) as w:
    for bad in [1, None, [], "a", {"x": Odd()}, {"x": heed.Ext(256, b"")}, {"x": heed.Ext("a", b"")}, {"x": heed.Ext(1, "a")}, {"f": {"s": [1]}},
                {"f": object()}, {"b": [["a", "b"]]}, {"b": ["01", "1"]}, {"b": ["0_1"] * 3}, {"b": "01"}, {"b": [[], []]}, {"b": ["012"] * 3}, {"f": {}}, {"f": [{}]}, {"f": ["a"]}]:
        try: w.write(bad)
        except heed.Error as e: assert str(e).startswith("output record 1: "), e
        else: exit("no error: %r" % (bad,))
END
cat > masks.json <<'END'
["heed",1,"any",{"fields":{"a":"bits[n,n]","b":"bits[k]","c":"bits[2,x,y]","d":"bits[m,m]"}}]
{"a":["0101","1010","1111","0000"],"b":"0110011001","c":[["1","0","1"],["0","0","1"]],"d":[]}
{"a":["011111111","101111111","110111111","111011111","111101111","111110111","111111011","111111101","111111110"],"b":""}
["heed-end",2]
END
heed-pack -j --no-pg masks.json > want
cat > masks.py <<'END'
import json, sys
if sys.argv[1:]: sys.modules["numpy"] = None
import heed
lines = [json.loads(x) for x in open("masks.json")]
with heed.Writer("masks.heed", "any", lines[0][3]["fields"], pg=False) as w:
    for x in lines[1:-1]: w.write(x)
END
for how in '' without; do runs python3 masks.py $how && equals want masks.heed; say $? "masks as in JSON lines, $how NumPy"; done
py 'numbers as in JSON lines, without NumPy' <<'END'
import sys; sys.modules["numpy"] = None
import heed
fields = {"a": "f32[n,m]", "c": "i8[k]"}
with heed.Writer("w.heed", fields=fields, pg=False) as w:
    w.write({"a": [[1, 0.5, -1], (2, float("inf"), 0)], "c": [-128, 127]})
    for bad in [{"a": [[1], [1, 2]]}, {"a": [1]}, {"a": [[True]]}, {"a": [["1"]]}, {"a": [[1e39]]}, {"c": [128]}, {"c": [0.5]}, {"c": [None]}, {"c": 1}]:
        try: w.write(bad)
        except heed.Error as e: assert str(e).startswith("output record 2: "), e
        else: exit("no error: %r" % bad)
END
printf '[[1.0,0.5,-1.0],[2.0,{"$float":"inf"},0.0]]\t[-128,127]\n' > want; same '... are read by the programs' want 'heed-show -f a,c w.heed'

# --- without NumPy ---
py 'tensors are copied without NumPy' <<'END'
import sys; sys.modules["numpy"] = None
import heed
assert heed.read("all.heed")[0]["c"] == {"s": [2], "d": b"\x80\x7f"}
sys.argv[1:] = ["all.heed", "copy.heed"]; exec(open("copy.py").read())
END
equals all.heed copy.heed; say $? '... with the same bytes'
if ! python3 -c 'import numpy' 2> /dev/null; then
	say 0 'tensors # SKIP NumPy is not installed'; plan $n; exit 0
fi

# --- tensors ---
py 'tensors are arrays' <<'END'
import heed, numpy as np
r = heed.read("all.heed")
assert r[0]["a"].dtype == np.float32 and r[0]["a"].tolist() == [[1.5, -0.25], [float(np.float32(1e30)), float("inf")]]
assert r[0]["b"].dtype == bool and r[0]["b"].astype(int).tolist() == [[1, 0, 1], [0, 1, 0]]
assert r[0]["c"].dtype == np.int8 and r[0]["c"].tolist() == [-128, 127]
assert r[3]["a"].shape == (0, 3) and r[3]["z"].shape == (2, 0) and r[3]["b"].shape == (0, 9)
END
py 'arrays are tensors' <<'END'
import heed, numpy as np
rng = np.random.default_rng(1)
a = rng.standard_normal((3, 4, 5)); b = rng.random((3, 11)) < 0.5
with heed.Writer("t.heed", "any", {"a": "f32[n,m,k]", "b": "bits[n,x]", "c": "i8[n]", "d": "float", "e": "int", "l": "[int]"}, pg=False) as w:
    w.write({"a": a, "b": b, "c": np.array([1, -2, 3]), "d": np.float32(0.1), "e": np.int64(7), "l": np.arange(4)})
np.save("a.npy", a.astype(np.float32)); np.save("b.npy", b)
END
for f in a b; do
	heed-show --npy -f $f t.heed > x.npy
	runs python3 -c "import numpy as np; x, y = np.load('x.npy'), np.load('$f.npy'); exit(not (x[0].tobytes() == y.tobytes() and x.dtype == y.dtype))"
	say $? "... with the same bits: $f"
done
printf '[1,-2,3]\t0.10000000149011612\t7\t0 1 2 3\n' > want; same '... and numbers' want 'heed-show -f c,d,e,l t.heed'
py 'numbers of NumPy in a list' <<'END'
import heed, numpy as np
with heed.Writer("w.heed", fields={"l": "[int]"}) as w:
    w.write({"l": [np.int64(1), np.uint8(2)], "e": np.uint64(3)})
    try: w.write({"l": [np.uint64(2**63)]})
    except heed.Error as e: assert "at most 32 bits" in str(e), e
    else: exit("no error")
assert heed.read("w.heed") == [{"l": [1, 2], "e": 3}]
END
py 'arrays of another shape or with other values' <<'END'
import heed, numpy as np
fields = {"a": "f32[n,m]", "b": "bits[n,2]", "c": "i8[n]"}
for bad in [{"a": np.full((1, 1), 1e39)}, {"a": np.array([[object()]])}, {"b": np.array([["a", "b"]])}, {"a": np.array([["1", "2"]])}, {"a": np.array([[1j]])}, {"a": np.zeros(3)}, {"a": np.zeros((2, 3)), "c": np.zeros(3)}, {"b": np.zeros((2, 3))}, {"c": np.array([128])}, {"c": np.array([0.5])}, {"a": "x"}]:
    try:
        with heed.Writer("bad.heed", fields=fields) as w: w.write(bad)
    except heed.Error: continue
    exit("no error: %r" % bad)
END

# --- models ---
gzip -dc < "$HEED_TOP/tests/data/model/onmt.tar.gz" > m.tar
py 'settings and vocabularies' <<'END'
import heed
m = heed.Model("m.tar")
assert m.config["width"] == "4" and m.config["pre_norm"] == "on" and m.recipe["beam"] == "5" and m.map["preset"] == "onmt"
assert m.vocab_src == "<pad> <s> </s> <unk> the a dog man bites sees".split() and len(m) == len(list(m)) > 60
m.save("copy.tar", pg=False)
END
equals m.tar copy.tar; say $? 'an unchanged model has the same bytes'
nmt-info m.tar | sed -n 's/^parameter	\([^	]*\).*/\1/p' > names
py 'parameters have the bytes of the file' <<'END'
import heed, subprocess
m = heed.Model("m.tar")
assert list(m) == open("names").read().split()
for name in m:
    want = subprocess.run(["tar", "-xOf", "m.tar", "param/" + name], stdout=subprocess.PIPE, check=True).stdout
    assert m[name].tobytes() == want, name
END
runs nmt-average --i8 -o i8.tar m.tar 2> /dev/null; say $? 'a model of 8-bit integers'
cat > tensors.py <<'END'
import heed, numpy as np, subprocess, sys
m, n = heed.Model(sys.argv[1]), 0
for name in m:
    text = subprocess.run(["nmt-info", "--tensor", name, sys.argv[1]], stdout=subprocess.PIPE, check=True, text=True).stdout
    want = np.array([[float(x) for x in line.split()] for line in text.splitlines()], np.float32)
    assert m[name].dtype == np.float32 and np.array_equal(m[name].ravel(), want.ravel()), name
    n += 1
assert n > 60
END
runs python3 tensors.py i8.tar; say $? '... has the values that nmt-info prints'
py 'parameters are set' <<'END'
import heed, numpy as np
m = heed.Model("m.tar")
m["output.bias"] = np.arange(10) / 8
assert heed.Model("m.tar")["output.bias"][1] != 0.125 and m["output.bias"][1] == 0.125
m.save("set.tar")
END
runs nmt-info --check set.tar && that "$(nmt-info --tensor output.bias set.tar | tr -s '[:space:]' ' ')" = '0 0.125 0.25 0.375 0.5 0.625 0.75 0.875 1 1.125 '
say $? '... and read by the programs'
nmt-info set.tar | matches 'heed.py'; say $? '... with provenance'
py 'values that no model has' <<'END'
import heed, numpy as np
m, i8 = heed.Model("m.tar"), heed.Model("i8.tar")
for model, name, value, what in [(m, "output.bias", np.zeros(9), "shape"), (m, "output.bias", np.full(10, np.nan), "finite"),
                                 (i8, "output.weight", np.zeros((10, 4)), "i8"), (m, "none", 1, "none")]:
    try: model[name] = value
    except (heed.Error, KeyError) as e: assert what in str(e), e
    else: exit("no error: " + what)
END
py 'a damaged or truncated model is an error' <<'END'
import heed, random
data = open("m.tar", "rb").read()
names = heed.Model("m.tar")._members
random.seed(1)
inside = [m.at + random.randrange(m.size) for m in names] + [m.at - 512 + random.randrange(100) for m in names]
for bad in [data[:i] for i in range(0, len(data) - 1024, 997)] + [data[:i] + bytes([data[i] ^ 16]) + data[i + 1:] for i in inside] + [b"", b"x" * 2000]:
    open("bad.tar", "wb").write(bad)
    try: heed.Model("bad.tar")
    except heed.Error as e: continue
    exit("no error")
END
# spoil.py: models whose contents are wrong and whose checksums are right
cat > spoil.py <<'END'
import heed, struct, subprocess, zlib
original, cases = open("m.tar", "rb").read(), [
    ('element 4 is nan', 't.give(struct.pack("<10f", 1, 2, 3, float("nan"), *[0] * 6))'),
    ('element 1 is -inf', 't.give(struct.pack("<10f", float("-inf"), *[0] * 9))'),
    ('crc', 't.rows[t.i - 1] = t.rows[t.i - 1][:-8] + "01234567"'),
    ('data after the end', 't.tail = bytes(1024) + b"a" * 512'),
    ('data after the end', 't.tail = bytes(1024) + bytes(t.found[0][0]) + bytes(512)'),
    ('no end of the tar', 't.tail = bytes(512)'),
    ('key config', 'del t.meta["config"]'),
    ('key pg', 't.meta["pg"] = 1'),
    ('key step', 't.meta["step"] = -1'),
    ('malformed training', 't.meta["training"] = "0123456789ABCDEF"'),
    ('first.tgt', 't.meta["first.tgt"] = "<unk>"'),
    ('attention.version', 't.meta["attention.version"] = [1]'),
    ('vocab.src has digest', 't.meta["vocab.src"] = "0" * 16'),
    ('version', 't.meta["format"] = True'),
    ('not a map', 't.packed = heed._pack([])'),
    ('not a map', 't.packed = heed._pack(1)'),
    ('1 bytes after the object', 't.packed = heed._pack(t.meta) + b"a"'),
    ('malformed row', 't.meta["members"] = [1] * len(t.rows)'),
    ('malformed row', 't.rows[3] = t.rows[3].replace("\\t", " ")'),
    ('malformed row', 't.rows[0] = t.rows[0].replace("\\t25\\t", "\\t+25\\t") if "\\t25\\t" in t.rows[0] else "a"'),
    ('the tar header', 't.head(124, b"-0000005120\\0")'),
    ('the tar header', 't.head(124, b"0000000_050\\0")'),
    ('the tar header', 't.head(124, b"00000000o50\\0")'),
    ('the tar header', 't.head(257, bytes(8))'),
    ('plain name', 't.head(0, b"./param/output.bias\\0")'),
    ('not a regular file', 't.head(156, b"5")'),
    ('found member', 't.again(1)'),
    ('found member', 'del t.found[t.i]'),
    ('parameters', 't.rows.append(t.rows[t.i - 1]); t.again(-1)'),
    ('f32 or i8', 't.rows[t.i - 1] = t.rows[t.i - 1].replace("\\t10\\t", "\\t11\\t", 1)'),
    ('member end', 't.end = b" "')]
class Tar:
    def __init__(self, data):
        self.found, at, self.tail, self.end, self.packed = [], 0, bytes(1024), b"", None
        while any(data[at:at + 512]):
            n = int(data[at + 124:at + 135], 8)
            self.found.append([bytearray(data[at:at + 512]), data[at + 512:at + 512 + n], None])
            at += 512 + (n + 511) // 512 * 512
        self.i = [bytes(m[0][:100]).rstrip(b"\0") for m in self.found].index(b"param/output.bias")
        self.meta = heed._decode(self.found[0][1])
        self.rows = self.meta["members"]
    def give(self, data):
        self.found[self.i][1] = data
        self.rows[self.i - 1] = "\t".join(self.rows[self.i - 1].split("\t")[:3] + ["%d" % len(data), "%08x" % zlib.crc32(data)])
    def head(self, at, new):
        self.found[self.i][0][at:at + len(new)] = new
        self.found[self.i][2] = new if at == 124 else None
    def again(self, at):
        self.found.insert(at, [bytearray(self.found[self.i][0]), self.found[self.i][1], None])
    def sealed(self):
        self.found[0][1], crc, out = self.packed or heed._pack(self.meta), 0, b""
        for m in self.found[:-1]: crc = zlib.crc32(m[1], crc)
        self.found[-1][1] = self.end + b"crc32 %08x members %d\n" % (crc, len(self.found) - 1)
        for h, part, size in self.found:
            h[124:136] = size or b"%011o " % len(part)
            h[148:156] = b" " * 8
            h[148:156] = b"%06o\0 " % sum(h)
            out += bytes(h) + part + bytes(-len(part) % 512)
        return out + self.tail
assert Tar(original).sealed() == original
paths = ["bad%d.tar" % i for i in range(len(cases))]
for path, (_, change) in zip(paths, cases):
    t = Tar(original)
    exec(change, {"t": t, "heed": heed, "struct": struct})
    with open(path, "wb") as f: f.write(t.sealed())
run = subprocess.run(["nmt-info", "--check"] + paths, stderr=subprocess.PIPE)
assert run.returncode == 3
for path, (words, change) in zip(paths, cases):
    assert b": %s: " % path.encode() in run.stderr, (path, change)
    try: heed.Model(path)
    except heed.Error as e: assert str(e).startswith(path + ": ") and words in str(e), (change, e)
    else: exit("accepted: " + change)
END
py 'models with wrong contents and right checksums, which nmt-info refuses' < spoil.py
py 'a model that refers to itself, as a size below 0 did, ends at once' <<'END'
import heed, resource
data = bytearray(open("m.tar", "rb").read())
at = data.index(b"vocab/src\0" + bytes(80))
for size in b"-%010o\0" % (at + 512), b"%011o\0" % 0o77777777777, b"\xff" * 12:
    data[at + 124:at + 136] = size
    data[at + 148:at + 156] = b" " * 8
    data[at + 148:at + 156] = b"%06o\0 " % sum(data[at:at + 512])
    open("bad.tar", "wb").write(data)
    try: heed.Model("bad.tar"); exit("accepted")
    except heed.Error as e: assert "bad.tar: model file is" in str(e), e
END
py 'scales of i8' <<'END'
import heed, struct, zlib
data = bytearray(open("i8.tar", "rb").read())
m = heed.Model("i8.tar")
table = m._find("param/output.weight"); first = m._members[0]; end = m._members[-1]
at, row = data.index(b"%08x" % table.crc), int(table.shape.split("x")[1]) + 4
for scale in float("nan"), float("inf"), -1.0, 0.0, 1e-45, 3e38, 2.0 ** 122, 2.0 ** 121.9:
    bad = bytearray(data)
    struct.pack_into("<f", bad, table.at + 2 * row, scale)
    bad[at:at + 8] = b"%08x" % zlib.crc32(bad[table.at:table.at + table.size])
    crc = 0
    for x in m._members[:-1]: crc = zlib.crc32(bad[x.at:x.at + x.size], crc)
    bad[end.at + 6:end.at + 14] = b"%08x" % crc
    open("bad.tar", "wb").write(bad)
    try: heed.Model("bad.tar"); exit("accepted: %r" % scale)
    except heed.Error as e: assert "param/output.weight: " + ("row 3" if scale == 2.0 ** 121.9 else "the scale of row 3 is") in str(e), e
END
py 'what is no file, and a file that changes' <<'END'
import heed, os
os.mkfifo("fifo")
for path in "fifo", ".", "/dev/null":
    try: heed.Model(path); exit("accepted")
    except heed.Error as e: assert "expected a regular file" in str(e), e
data = open("m.tar", "rb").read()
open("live.tar", "wb").write(data)
with heed.Model("live.tar") as m:
    with open("live.tar", "r+b") as f:
        f.seek(m._find("param/output.bias").at)
        f.write(b"\0\0\xc0\x7f")
    try: m.save("no.tar"); exit("saved")
    except heed.Error as e: assert "live.tar: param/output.bias has changed" in str(e), e
assert not [f for f in os.listdir(".") if "no.tar" in f]
try: m["output.bias"]; exit("read")
except heed.Error as e: assert "live.tar" in str(e), e
END
py 'parameters that are no numbers' <<'END'
import heed
m = heed.Model("m.tar")
for bad in [None, "a", {}, [[1], [1, 2]], [object()] * 10, [1e39] * 10]:
    try: m["output.bias"] = bad
    except heed.Error as e: continue
    exit("no error: %r" % (bad,))
END

# --- notebooks ---
cat > pair.json <<'END'
["heed",1,"sentence",{"fields":{"id":"str","src":"str","tgt":"str","src.pieces":"[str]","tgt.pieces":"[str]"}}]
{"id":"7","src":"a b","tgt":"b a","src.pieces":["a","b"],"tgt.pieces":["b","a"]}
["heed-end",1]
END
heed-pack -j pair.json > pair.heed; nmt-train -q --size tiny --updates 2 --warmup 1 -o pair.tar pair.heed 2> /dev/null
head-stat -q -m pair.tar --measure ablation,norm -o heads.heed pair.heed
head-map -m pair.tar --to html -o want.html pair.heed; head-map --draw heads --measure ablation,norm --to svg -o want.svg heads.heed
py 'show displays the page and the picture of head-map' <<'END'
import heed, html, re
page = heed.show("pair.heed", "pair.tar")
page.save("found.html")
frame = page._repr_html_()
assert 'sandbox="allow-scripts"' in frame and "height: 800px" in frame
assert html.unescape(re.search('srcdoc="([^"]*)"', frame).group(1)) == page.html
open("found.svg", "w").write(heed.show("heads.heed", measure="ablation,norm")._repr_svg_())
assert heed.show(heed.read("pair.heed"), ["pair.tar"]).html == page.html
assert "A &amp; B" in heed.show("pair.heed", "pair.tar", options=["--title", "A & B"]).html
heads = heed.read("heads.heed")
for i, record in enumerate(heads): record["x.m"] = 0.5 if i == 0 else i     # float, then int
assert ">x.m<" in heed.show(heads, measure="x.m").svg
for args in ["pair.heed", "none.tar"], ["none.heed", "pair.tar"], ["heads.heed"], ["pair.heed", "pair.tar", "norm"]:
    try: heed.show(*args); exit("no error: %s" % args)
    except heed.Error as e: assert str(e)
END
equals want.html found.html && equals want.svg found.svg; say $? '... with their bytes'
py 'types of records' <<'END'
import heed, numpy as np
r = {"att.cross.1": np.zeros((2, 3, 4), "f4"), "att.enc-self.2": np.zeros((2, 4, 4)), "x.m": np.zeros((2, 3)), "x.i": np.zeros(2, np.int8), "src.dep": np.ones((1, 1), bool),
     "src.pieces": ["a"], "x.n": [1, 2], "x.b": True, "x.c": 1, "x.d": 0.5, "src": "a", "x.none": None}
assert heed.types_of(r) == {"att.cross.1": "f32[h,t,s]", "att.enc-self.2": "f32[h,s,s]", "x.m": "f32[a,b]", "x.i": "i8[c]", "src.dep": "bits[d,e]", "src.pieces": "[str]",
                            "x.n": "[int]", "x.b": "bool", "x.c": "int", "x.d": "float", "src": "str"}, heed.types_of(r)
del r["x.none"]
heed.write("types.heed", [r], fields=heed.types_of(r))
try: heed.types_of({"att.cross.1": np.zeros((3, 4))}); exit("two axes")
except heed.Error as e: assert "3: heads, queries, keys" in str(e)
END
runs heed-check types.heed > out 2>&1; say $? '... make a stream that the programs read'
if python3 -c 'import pip, flit_core' 2> /dev/null; then
	python3 -m pip install -q --no-build-isolation --no-deps --target site "$HEED_TOP/src" > log 2>&1; r=$?
	say $r 'pip installs the module'; that $r = 0 || sed 's/^/# /' log
	that "$(PYTHONPATH=site python3 -c 'import heed; print(heed.__file__)')" = "$scratch/site/heed.py" && that -z "$(git -C "$HEED_TOP" status --short src 2> /dev/null | grep '^??')"
	say $? '... and leaves nothing in the source tree'
fi
plan $n
