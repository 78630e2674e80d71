"""heed-py.py: mutated streams and models, read by heed.py and by the programs.

    python3 heed-py.py N [SEED]                 N files, half of them streams, in the current folder
    python3 heed-py.py --atheris stream|model FOLDER [OPTION ...]
                                                libFuzzer, if the package atheris is installed

The files are made from tests/corpus and tests/data; the same N and SEED give the same files.  Some
are damaged anywhere, so that a checksum is wrong; in others an object, a member or a number of the
container was replaced, and the checksums are right.  heed.py must raise heed.Error, or read what a
second decoder, here, and the programs read.  It must refuse and accept what heed-check and nmt-info
refuse and accept; only these know the meaning of settings (SETTINGS).  The environment has
HEED_TOP, and the programs are in PATH.  With libFuzzer, what is read must also be written and read
again.
"""

import bz2
import contextlib
import glob
import gzip
import io
import lzma
import math
import os
import random
import re
import struct
import subprocess
import sys
import time
import zlib

TOP = os.environ["HEED_TOP"]
sys.path.insert(0, os.path.join(TOP, "src"))
ATHERIS = len(sys.argv) > 3 and sys.argv[1] == "--atheris"
if ATHERIS:
    import atheris
with atheris.instrument_imports(include=["heed"]) if ATHERIS else contextlib.nullcontext():
    import heed

BATCH = 200                     # files of one run of a program
# Why nmt-info refuses models that heed.py may accept: settings, and what depends on them.
SETTINGS = re.compile(
    "config|recipe|heads\\.r|pruned heads|attention|preset|the settings|variant|network|codes|bpe|"
    "spm/|the parameters have digest|"
    "parameters? .*(expected|missing)|in the table, expected param/|of an? (newer|older) version|"
    "param/\\S+ is \\S+ \\S+ of \\d+ bytes|found \\S+ in the table, expected (mask/tgt|param)")


# --- a second decoder of MessagePack, for values and for the places of objects ---

def decode(b, at, places=None, depth=0):
    """The object at b[at] in a form that repr() compares, and the address after it."""
    start, c = at, b[at]
    at += 1
    if c < 0x80 or c >= 0xe0:
        v = "int", c if c < 0x80 else c - 256
    elif c < 0xc0:
        n = c & (31 if c >= 0xa0 else 15)
        v, at = several(b, at, ("map", "list", "str", "str")[c - 0x80 >> 4], n, places, depth)
    elif c in (0xc0, 0xc2, 0xc3):
        v = "constant", c
    elif 0xca <= c <= 0xd3:
        form = ">" + "fdBHIQbhiq"[c - 0xca]
        x, at = struct.unpack_from(form, b, at)[0], at + struct.calcsize(form)
        v = ("int" if c >= 0xcc else "double" if c == 0xcb else "single"), x
    elif 0xd4 <= c <= 0xd8:
        v, at = several(b, at, "ext", 1 << c - 0xd4, places, depth)
    else:
        kind, k = {0xc4: ("bin", 1), 0xc5: ("bin", 2), 0xc6: ("bin", 4), 0xc7: ("ext", 1),
                   0xc8: ("ext", 2), 0xc9: ("ext", 4), 0xd9: ("str", 1), 0xda: ("str", 2),
                   0xdb: ("str", 4), 0xdc: ("list", 2), 0xdd: ("list", 4), 0xde: ("map", 2),
                   0xdf: ("map", 4)}[c]
        n = int.from_bytes(b[at:at + k], "big")
        v, at = several(b, at + k, kind, n, places, depth)
    if at > len(b):
        raise IndexError
    if places is not None:
        places.append((start, at))
    return v, at


def several(b, at, kind, n, places, depth):
    if kind in ("list", "map"):
        items = []
        for _ in range(n * (2 if kind == "map" else 1)):
            v, at = decode(b, at, places, depth + 1)
            items.append(v)
        return (kind, items), at
    if kind == "ext":
        return (kind, b[at], bytes(b[at + 1:at + 1 + n])), at + 1 + n
    return (kind, bytes(b[at:at + n])), at + n


def form(v):
    """A value of heed.py in the form of decode()."""
    if v is None or isinstance(v, bool):
        return "constant", 0xc0 if v is None else 0xc3 if v else 0xc2
    if isinstance(v, int):
        return "int", v
    if isinstance(v, float):
        return "single" if isinstance(v, heed.Float32) else "double", float(v)
    if isinstance(v, str):
        return "str", v.encode("utf-8", "surrogateescape")
    if isinstance(v, bytes):
        return "bin", v
    if isinstance(v, heed.Ext):
        return "ext", v.code, v.data
    if isinstance(v, list):
        return "list", [form(x) for x in v]
    if hasattr(v, "dtype"):
        bits = v.dtype == bool
        data = heed.numpy.packbits(v, axis=-1, bitorder="little").tobytes() if bits and v.size \
            else v.astype("u1").tobytes() if bits else v.astype(v.dtype.newbyteorder("<")).tobytes()
        return "tensor", list(v.shape), data
    return "map", [form(x) for pair in v.items() for x in pair]


def objects(data):
    """The objects of a stream: bytes."""
    at, found = 0, []
    while at < len(data):
        end = decode(data, at)[1]
        found.append(data[at:end])
        at = end
    return found


# --- mutations ---

def pack(v):
    return heed._pack(v)


POOL = [pack(v) for v in (
    None, True, False, 0, 1, -1, 127, 128, 255, 1 << 31, -1 << 31, (1 << 31) - 1, 1 << 32,
    (1 << 63) - 1, 1 << 63, -1 << 63, (1 << 64) - 1, 0.0, -0.0, 1.5, math.nan, math.inf,
    heed.Float32(0.1), "", "a", "id", "\0", "ä", "\udcff", "\udced\udca0\udc80", "fields", "pg",
    "heed", "heed-end", "s", "d", b"", b"a",
    b"\xff" * 9, [], {}, [0], ["a"], [[]], {"a": 1}, {1: 2}, heed.Ext(1, b""), heed.Ext(255, b"ab"),
    "str", "int", "[str]", "[int]", "f32[n]", "bits[n,m]", "i8[2]", "f32[99999999999]", "f32[007]",
    "bits[n,n]", {"s": [1], "d": b"\x01"}, {"d": b"1234", "s": [1]}, {"s": [0, 1 << 41], "d": b""},
    {"s": [1 << 41, 0], "d": b""}, {"s": [0, 1 << 62, 8], "d": b""}, {"s": [2, 3], "d": bytes(24)},
    {"s": [3, 9], "d": b"\xff" * 6}, {"s": [], "d": b""}, {"s": [-1], "d": b""})] + [
    b"\xcc\x01", b"\xcd\x00\x01", b"\xcf" + bytes(7) + b"\x01", b"\xd9\x02id", b"\xda\x00\x01a",
    b"\xdc\x00\x00", b"\xdd\x00\x00\x00\x01a", b"\xde\x00\x00", b"\xdf\x00\x00\x00\x00", b"\xc1",
    b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff",
    b"\xc6\x7f\xff\xff\xff", b"\xdc\x00\x04", b"\x94\xa4heed\x01\xa1a\x80", b"\x91" * 7 + b"\x90",
    b"\x91" * 9, b"\x82\x01\x02\x01\x03", b"\x82\xa1a\x02\xa1a\x03", b"\x82\x01\x02\xc3\x03",
    b"\x81\x90\x01", b"\xc7\x00\x05", b"\xa2\xc3"]
NUMBERS = [b"\0", b"\x7f", b"\x80", b"\xff", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0",
           b"\0\0\x80\x7f", b"\0\0\xc0\xff", b"-", b"_", b"+", b" ", b"0o", b"\n", b"\t", b"nan"]


def damage(rng, data):
    """Changes bytes anywhere."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, what = rng.randrange(len(data) + 1), rng.randrange(7)
        if what == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            new = rng.choice(NUMBERS)
            data[at:at + len(new)] = new
        elif what == 2:
            data[at:at] = rng.choice(NUMBERS + POOL)
        elif what == 3:
            del data[at:at + rng.choice((1, 1, 4, 100))]
        elif what == 4:
            data[at:at] = data[rng.randrange(len(data) + 1):][:rng.randrange(64)]
        elif what == 5:
            del data[at:]
        else:
            data += rng.choice((b"\0", b"\0\0\0\0", b"a", b"\x1f\x8b\x08", data[:40]))
    return bytes(data)


def replaced(rng, data):
    """Replaces, removes, repeats or moves an object inside of these objects."""
    places = []
    decode(data, 0, places)
    start, end = rng.choice(places[:-1] or places)
    new = rng.choice(POOL) if rng.random() < 0.8 else \
        rng.choice((b"", data[start:end] * 2, data[slice(*rng.choice(places))]))
    return data[:start] + new + data[end:]


def sealed_stream(parts):
    """Joined streams with right end records, each a list of objects."""
    out = b""
    for part in parts:
        body = b"".join(part)
        n = sum(o[:1] in (b"\xde", b"\xdf") or 0x80 <= (o or b"\0")[0] < 0x90 for o in part)
        out += body + pack(["heed-end", n, zlib.crc32(body)])
    return out


def stream(rng, seeds):
    """A mutated stream."""
    data = rng.choice(seeds) if rng.random() < 0.3 else seeds[-1]
    how = rng.randrange(12)
    if how == 0:
        data = damage(rng, data)
    if how < 3:
        return damage(rng, rng.choice((gzip.compress(data, mtime=0), bz2.compress(data),
                                       lzma.compress(data), data, data)))
    try:
        parts = [[]]
        for o in objects(data):
            if o[1:10] == b"\xa8heed-end":
                parts.append([])
            else:
                parts[-1].append(o)
        parts = [part for part in parts if part]
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
            part = rng.choice(parts)
            i = rng.randrange(len(part)) if rng.random() < 0.5 else len(part) - 1
            part[i] = replaced(rng, part[i]) if rng.random() < 0.9 else part[i] + rng.choice(POOL)
        if rng.random() < 0.2:
            parts.append(list(parts[0]))
        return sealed_stream(parts)
    except (IndexError, KeyError, struct.error):
        return damage(rng, data)


def members(data):
    """[header, contents] of the members of a tar."""
    found, at = [], 0
    while any(data[at:at + 512]):
        n = int(data[at + 124:at + 135], 8)
        found.append([bytearray(data[at:at + 512]), data[at + 512:at + 512 + n]])
        at += 512 + (n + 511) // 512 * 512
    return found


def name_of(m):
    return bytes(m[0][:100]).rstrip(b"\0").decode("ascii", "replace")


def sealed_model(found, table, tail=bytes(1024), keep=()):
    """A tar with right sizes and checksums, except those whose names are in keep."""
    rows = dict(zip(map(name_of, found[1:-1]), found[1:-1]))
    try:
        map_ = heed._decode(found[0][1])
        for i, row in enumerate(map_["members"]):
            cells = row.split("\t")
            if "table" not in keep and cells[0] in rows and len(cells) == 5:
                data = rows[cells[0]][1]
                cells[3:] = ["%d" % len(data), "%08x" % zlib.crc32(data)]
                map_["members"][i] = "\t".join(cells)
        if table:
            table(map_)
        found[0][1] = pack(map_)
    except (heed.Error, TypeError, KeyError, AttributeError):
        pass
    if "end" not in keep:
        crc = 0
        for m in found[:-1]:
            crc = zlib.crc32(m[1], crc)
        found[-1][1] = b"crc32 %08x members %d\n" % (crc, len(found) - 1)
    out = b""
    for head, data in found:
        if "size" not in keep:
            head[124:136] = b"%011o " % len(data)
        if "sum" not in keep:
            head[148:156] = b" " * 8
            head[148:156] = b"%06o\0 " % sum(head)
        out += bytes(head) + data + bytes(-len(data) % 512)
    return out + tail


def change_table(rng, map_):
    """Changes a key of the map, or a cell of the table of members."""
    key = rng.choice(list(map_))
    what = rng.randrange(6)
    if what == 0:
        del map_[key]
    elif what == 1:
        map_[key] = rng.choice(["", "a", "\0", 1, 0, -1, True, None, 1 << 63, [], [1], ["a"], {},
                                b"", "0" * 16])
    elif what == 2:
        key = rng.choice(["engine", "training", "digest", "heads.removed", "heads.rounded",
                          "first.src", "first.tgt", "x"])
        map_[key] = rng.choice([0, 1, "", "the", "<unk>", "</s>", "0123456789abcdef", "a\0", None])
    else:
        i = rng.randrange(len(map_["members"]))
        cells = map_["members"][i].split("\t")
        k = rng.randrange(5)
        cells[k] = rng.choice(["", "0", "-0", "+1", "1_0", " 1", "007", "\u0661", "i8", "f32",
                               "text", "1x1", "0x4", "4x", "x", "4\0", "param/a", cells[k] + " ",
                               "0" + cells[k], cells[k].upper()])
        map_["members"][i] = "\t".join(cells)
        if what == 3:
            map_["members"][i] += "\t"


def change_contents(rng, found):
    """Changes one member: its contents, its tar header, its place."""
    i, what = rng.randrange(len(found)), rng.randrange(8)
    m = found[i]
    if what < 2:
        m[1] = damage(rng, m[1])
    elif what < 4 and len(m[1]) > 3:
        k = rng.randrange(len(m[1]) // 4) * 4
        new = struct.pack("<f", rng.choice([math.nan, math.inf, -1, 1e-45, -0.0, 3e38, 0, 5e36]))
        m[1] = m[1][:k] + new + m[1][k + 4:]
    elif what == 4:
        at = rng.choice((0, 5, 90, 99, 100, 108, 116, 124, 135, 136, 156, 157, 257, 262, 263, 265,
                         329, 337, 345, 500))
        new = rng.choice(NUMBERS + [b"0", b"9", b"1", b"./", b"/"])
        m[0][at:at + len(new)] = new
        del m[0][512:]
    elif what == 5:
        found.insert(rng.randrange(len(found) + 1), [bytearray(m[0]), m[1]])
    elif what == 6:
        found[i], found[0] = found[0], found[i]
    else:
        del found[i]


def model(rng, seeds):
    """A mutated model."""
    data = rng.choice(seeds)
    how = rng.randrange(10)
    if how < 1:
        return damage(rng, data)
    found = members(data)
    change = None
    keep = () if rng.random() < 0.8 else rng.choice((("table",), ("end",), ("size",), ("sum",)))
    if how < 6:
        change_contents(rng, found)
    elif how < 9:
        def change(map_):
            change_table(rng, map_)
    else:
        found[0][1] = replaced(rng, found[0][1])
    tail = bytes(rng.choice((1024, 1536, 10240))) if rng.random() < 0.95 else \
        rng.choice((bytes(512), b"", bytes(1023), bytes(1023) + b"a", bytes(1024) + b"heed-model"))
    try:
        return sealed_model(found, change, tail, keep)
    except (IndexError, ValueError):
        return damage(rng, data)


# --- what is read ---

def read_stream(path, data):
    """None if heed.py refuses the stream; otherwise the number of records, which are compared."""
    try:
        with heed.Reader(path) as r:
            records = list(r)
    except heed.Error as e:
        assert path in str(e), "no file name: %s" % e
        return None
    for magic, unpack in (b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ", lzma):
        if data.startswith(magic):
            data = unpack.decompress(data.rstrip(b"\0") if unpack is lzma else data)
    found = [decode(o, 0)[0] for o in objects(data)]
    found = [o for o in found if o[0] == "map"]
    assert len(found) == len(records), "number of records"
    for record, (_, items) in zip(records, found):
        for key, v, want, value in zip(record, record.values(), items[::2], items[1::2]):
            v = form(v)
            if v[0] == "tensor":
                value = dict((k[1], x) for k, x in zip(value[1][::2], value[1][1::2]))
                value = ("tensor", [x[1] for x in value[b"s"][1]],
                         without_padding(r.fields[key], value))
            assert repr(form(key)) == repr(want) and repr(v) == repr(value), (key, v, value)
        assert len(record) * 2 == len(items)
    return len(records)


def without_padding(kind, value):
    """The data of a tensor, of bits without those after the end of each row."""
    data, n = bytearray(value[b"d"][1]), value[b"s"][1][-1][1]
    if kind.startswith("bits") and n % 8:
        row = (n + 7) // 8
        for at in range(row - 1, len(data), row):
            data[at] &= (1 << n % 8) - 1
    return bytes(data)


def read_model(path, data):
    """None if heed.py refuses the model; otherwise the number of parameters, which are compared."""
    try:
        with heed.Model(path) as m:
            values = {name: m[name] for name in m} if heed.numpy else {name: None for name in m}
    except heed.Error as e:
        assert path in str(e), "no file name: %s" % e
        return None
    found = {name_of(x): x[1] for x in reversed(members(data))}
    rows = {row.split("\t")[0]: row.split("\t") for row in reversed(m.map["members"])}
    for name, v in values.items() if heed.numpy else ():
        data, row = found["param/" + name], rows["param/" + name]
        n = int(row[2].split("x")[-1])
        if row[1] == "f32":
            want = struct.unpack("<%df" % (len(data) // 4), data)
        else:
            want = [struct.unpack_from("<f", data, at)[0] * x for at in range(0, len(data), 4 + n)
                    for x in struct.unpack_from("<%db" % n, data, at + 4)]
        assert "x".join(map(str, v.shape)) == row[2] and v.ravel().tolist() == \
            heed.numpy.array(want, "<f4").tolist(), name
    return len(values)


def run(*command):
    done = subprocess.run(command, capture_output=True)
    assert done.returncode in (0, 1, 3), done.stderr[-2000:]
    return done


def refused(command, paths):
    """The message of a program for each file among paths that it refuses."""
    why = {}
    for line in run(*command, *paths).stderr.decode("utf-8", "replace").splitlines():
        path = re.search(r"\bfile[0-9]+\b", line)
        if path and "warning:" not in line:
            why.setdefault(path[0], line)
    return why


def shown_stream(path):
    """Raises AssertionError unless heed-show prints the same for a copy by heed.py."""
    with heed.Reader(path) as r, heed.Writer("copy", like=r, pg=False) as w:
        for record in r:
            w.write(record)
    a, b = (run("heed-show", p).stdout.splitlines() for p in (path, "copy"))
    assert len(a) == len(b)
    for x, y in zip(a, b):      # $msgpack is what JSON lacks, and encodings that heed.py shortens
        assert x == y or b"$msgpack" in x or b'"s":' in x, (x, y)


def shown_model(path):
    with heed.Model(path) as m:
        want = {"parameter\t%s\t%s\t" % (x.name[6:], x.shape) for x in m._members
                if x.name.startswith("param/")}
        sizes = {"vocab.src\t%d\t" % len(m.vocab_src), "vocab.tgt\t%d\t" % len(m.vocab_tgt)}
    lines = run("nmt-info", path).stdout.decode().splitlines()
    got = {"\t".join(x.split("\t")[:3]) + "\t" for x in lines if x.startswith("parameter\t")}
    assert got == want, got ^ want
    assert lines[0].startswith("parser") or all(any(x.startswith(y) for x in lines) for y in sizes)


def seeds():
    """Streams and models of tests/corpus and tests/data."""
    streams, models = [], []
    for path in sorted(glob.glob(os.path.join(TOP, "tests/corpus/*/*")) +
                       glob.glob(os.path.join(TOP, "tests/data/model/*.gz"))):
        with open(path, "rb") as f:
            data = f.read()
        data = gzip.decompress(data) if path.endswith(".tar.gz") else data
        if data.startswith(b"\x94\xa4heed") and len(data) < 1 << 16:
            streams.append(data)
        elif data.startswith((b"heed-model", b"heed-parser")) and len(data) > 2048:
            models.append(data)
    assert len(streams) > 100 and len(models) > 10
    return streams + [rich()], models


def rich():
    """A stream with a field of every type, and values of every kind that are not declared."""
    types = {"id": "int", "src": "str", "score": "float", "ok": "bool", "l": "[str]", "i": "[int]",
             "a": "f32[n,m]", "b": "bits[n,k]", "c": "i8[n]", "z": "f32[2,x]", "e": "bits[x,4,y,2]",
             "u": "no such type"}
    meta = {"fields": types, "pg": [{"program": "a", "version": "1", "args": ""}], "lrp.rule": "x",
            "free": [1, None]}
    records = [
        {"id": 1, "src": "a dog", "score": 0.5, "ok": True, "l": ["a", "dog"],
         "i": [0, 1, 1 << 30, -5], "a": {"s": [2, 1], "d": bytes(range(8))},
         "b": {"s": [2, 9], "d": b"\xff\x01\x00\x00"}},
        {"c": {"s": [3], "d": b"\x80\x7f\0"}, "z": {"s": [2, 0], "d": b""},
         "e": {"s": [0, 4, 7, 2], "d": b""}},
        {"u": [{"a": [[1.5, heed.Float32(0.1)]]}], "x": heed.Ext(5, b"abc"), "y": b"\0\xff",
         "w": "\udcff", "v": None}]
    return sealed_stream([[pack(["heed", 1, "any", meta])] + [pack(r) for r in records] +
                          [pack(["heed-note", "a", {"b": [1]}]), pack(records[0])]])


class Count:
    """What happened to the files of one kind."""

    def __init__(self, kind, make, read, show, command):
        self.kind, self.make, self.read, self.show, self.command = kind, make, read, show, command
        self.read_by_both = self.refused = self.settings = self.bad = 0
        self.slowest = 0.0

    def fail(self, path, why):
        self.bad += 1
        print("%s %s: %s" % (self.kind, path, str(why)[:400]))
        os.rename(path, "bad-%s-%s" % (self.kind, path))

    def batch(self, rng, seeds, names):
        mine = {}
        for path in names:
            data = self.make(rng, seeds)
            with open(path, "wb") as f:
                f.write(data)
            began = time.monotonic()
            try:
                mine[path] = self.read(path, data)
            except Exception as e:
                self.fail(path, "%s: %s" % (type(e).__name__, e))
            self.slowest = max(self.slowest, time.monotonic() - began)
        why = refused(self.command, list(mine))
        for path, n in mine.items():
            self.compare(path, n, why.get(path))

    def compare(self, path, n, why):
        """n: what heed.py read, None if it refused the file; why: the message of the program."""
        if n is None and why:
            self.refused += 1
        elif n is None:
            self.fail(path, "the program accepts what heed.py refuses")
        elif why and self.kind == "model" and SETTINGS.search(why):
            self.settings += 1
        elif why:
            self.fail(path, "heed.py accepts: " + why)
        else:
            self.read_by_both += 1
            if self.read_by_both % 5 == 0:
                try:
                    self.show(path)
                except (AssertionError, heed.Error) as e:
                    self.fail(path, "not as the programs read it: %s" % e)


def main(n, seed):
    rng = random.Random(seed)
    streams, models = seeds()
    counts = (Count("stream", stream, read_stream, shown_stream, ["heed-check"]),
              Count("model", model, read_model, shown_model, ["nmt-info", "--check"]))
    for c, from_ in zip(counts, (streams, models)):
        for first in range(0, n // 2, BATCH):
            c.batch(rng, from_, ["file%06d" % i for i in range(first, min(first + BATCH, n // 2))])
        print("%ss: %d refused and %d read by both, %d with settings that only programs know, "
              "%d disagreements; the slowest took %.1f s" %
              (c.kind, c.refused, c.read_by_both, c.settings, c.bad, c.slowest))
    return any(c.bad for c in counts)


# --- libFuzzer ---

def one_stream(data, sealed):
    with contextlib.suppress(IndexError, KeyError, struct.error):
        if sealed:
            data = sealed_stream([[o for o in objects(data) if o[1:10] != b"\xa8heed-end"]])
    try:
        with heed.Reader(io.BytesIO(data)) as r:
            records = list(r)
    except heed.Error:
        return
    with heed.Writer("copy", like=r) as w:
        for record in records:
            w.write(record)
    assert len(heed.read("copy")) == len(records)


def one_model(data, sealed):
    with contextlib.suppress(IndexError, ValueError):
        if sealed:
            data = sealed_model(members(data), None)
    with open("model", "wb") as f:
        f.write(data)
    try:
        with heed.Model("model") as m:
            for name in m:
                m[name]
            m.save("copy")
    except heed.Error:
        return
    heed.Model("copy").close()


def fuzz(kind, folder, options):
    one, found = (one_stream, seeds()[0]) if kind == "stream" else (one_model, seeds()[1])
    os.makedirs(os.path.join(folder, "corpus"), exist_ok=True)
    os.chdir(folder)
    for i, data in enumerate(found):
        for sealed in b"\0", b"\1":
            with open("corpus/seed%d-%d" % (i, sealed[0]), "wb") as f:
                f.write(sealed + data)
    atheris.Setup(sys.argv[:1] + options + ["corpus"],
                  lambda data: data and one(data[1:], data[0] & 1))
    atheris.Fuzz()


if __name__ == "__main__":
    if ATHERIS:
        fuzz(*sys.argv[2:4], sys.argv[4:])
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
