"""heed.py: reads and writes the streams and the model files of heed.

    import heed

    for record in heed.Reader("scores.heed"):       # a dict for each record
        print(record["src"], record["score"])

    with heed.Reader("test.heed") as r, \\
         heed.Writer("out.heed", like=r, fields={"x.length": "int"}) as w:
        for record in r:
            record["x.length"] = len(record["src"].split())
            w.write(record)

    model = heed.Model("model.tar")
    weights = model["enc.1.self.qkv.weight"]        # an array of NumPy
    model["enc.1.self.qkv.weight"] = 0.5 * weights
    model.save("half.tar")

The formats are those of heed-stream(5) and heed-model(5).  A stream without a correct end record,
and a damaged model file, raise heed.Error.  The module needs Python 3.9 or later and is a single
file; copy it into your project.  Only tensors need NumPy.

Copyright 2026, the authors of heed; BSD-2-Clause.
"""

import math
import numbers
import os
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Mapping

try:
    import numpy
except ImportError:
    numpy = None

__version__ = "0.6.0"
__all__ = ["Error", "Ext", "Float32", "Model", "Reader", "Writer", "read", "settings", "write"]

DEPTH = 8                   # nested arrays and maps; the record is the first level
RECORD = 64 << 20           # bytes, unless Reader() is given another limit
HEADER = 16 << 20           # bytes of a header or a note
LIST = 1 << 20              # elements of [str] and [int]
FIELDS = 1024               # of a record
ENTRIES = 4096              # of the maps and the provenance in a header
CHUNK = 1 << 20


class Error(ValueError):
    """The input is malformed or incomplete, or a value does not have its declared type."""


class Float32(float):
    """A float that is encoded in 32 bits, so that a copied record has the same bytes."""


class Ext:
    """A MessagePack extension, which heed itself does not use."""

    def __init__(self, code, data):
        self.code, self.data = code, data

    def __eq__(self, other):
        return isinstance(other, Ext) and (self.code, self.data) == (other.code, other.data)

    def __hash__(self):
        return hash((self.code, self.data))


class Pairs:
    """A map that no dict can hold, as keys are arrays or equal, like 1 and True: its items."""

    def __init__(self, items):
        self._items = list(items)

    def __len__(self):
        return len(self._items)

    def __eq__(self, other):
        return isinstance(other, Pairs) and self.items() == other.items()

    def items(self):
        return self._items


def _numpy():
    if numpy is None:
        raise Error("tensors need the package numpy (python3-numpy in Debian)")
    return numpy


# --- MessagePack ---

class _Short(Exception):
    """The bytes end inside an object."""


_FIXED = {0xca: ">f", 0xcb: ">d", 0xcc: ">B", 0xcd: ">H", 0xce: ">I", 0xcf: ">Q", 0xd0: ">b",
          0xd1: ">h", 0xd2: ">i", 0xd3: ">q"}
_FIXED = {code: struct.Struct(form) for code, form in _FIXED.items()}
# Of these the length follows, in 1, 2 or 4 bytes.
_SIZED = {0xc4: (bytes, 1), 0xc5: (bytes, 2), 0xc6: (bytes, 4), 0xc7: (Ext, 1), 0xc8: (Ext, 2),
          0xc9: (Ext, 4), 0xd9: (str, 1), 0xda: (str, 2), 0xdb: (str, 4), 0xdc: (list, 2),
          0xdd: (list, 4), 0xde: (dict, 2), 0xdf: (dict, 4)}
_SINGLE = {0xc0: None, 0xc2: False, 0xc3: True}


def _head(b, at):
    """The kind, the length and the end of the head of the object at b[at]."""
    c = b[at]
    if c >= 0xd4 and c <= 0xd8:
        return Ext, 1 << (c - 0xd4), at + 1
    if c in _SIZED:
        kind, n = _SIZED[c]
        if at + 1 + n > len(b):
            raise _Short
        return kind, int.from_bytes(b[at + 1:at + 1 + n], "big"), at + 1 + n
    if c >= 0xa0 and c < 0xc0:
        return str, c - 0xa0, at + 1
    if c >= 0x90 and c < 0xa0:
        return list, c - 0x90, at + 1
    if c >= 0x80 and c < 0x90:
        return dict, c - 0x80, at + 1
    raise Error("byte 0x%02x, which MessagePack does not use" % c)


def _decode(b, at, depth=0):
    """The object at b[at], and the address after it."""
    if at >= len(b):
        raise _Short
    c = b[at]
    if c < 0x80 or c >= 0xe0:
        return (c if c < 0x80 else c - 256), at + 1
    if c in _SINGLE:
        return _SINGLE[c], at + 1
    if c in _FIXED:
        form = _FIXED[c]
        if at + 1 + form.size > len(b):
            raise _Short
        v = form.unpack_from(b, at + 1)[0]
        return (Float32(v) if c == 0xca else v), at + 1 + form.size
    kind, n, at = _head(b, at)
    if kind in (list, dict):
        return _decode_items(b, at, kind, n, depth + 1)
    end = at + n + (kind is Ext)
    if end > len(b):
        raise _Short
    if kind is str:
        return str(b[at:end], "utf-8", "surrogateescape"), end
    if kind is bytes:
        return bytes(b[at:end]), end
    return Ext(b[at], bytes(b[at + 1:end])), end


def _decode_items(b, at, kind, n, depth):
    if depth > DEPTH:
        raise Error("arrays and maps nested deeper than %d" % DEPTH)
    items = []
    for _ in range(n if kind is list else 2 * n):
        item, at = _decode(b, at, depth)
        items.append(item)
    if kind is list:
        return items, at
    pairs = list(zip(items[::2], items[1::2]))
    try:
        found = dict(pairs)
    except TypeError:                   # a key that is an array or a map
        found = ()
    return (found if len(found) == n else Pairs(pairs)), at


def _sized(n, short, limit, codes):
    """The head of an object of length n: short below the limit, or the first code that fits."""
    if n < limit:
        return bytes([short + n])
    for code, bits in codes:
        if n < 1 << bits:
            return bytes([code]) + n.to_bytes(bits // 8, "big")
    raise Error("a value of %d bytes or elements is too long" % n)


def _encode_int(v):
    if -32 <= v < 128:
        return struct.pack("b", v) if v < 0 else bytes([v])
    for code, form, low, high in ((0xcc, ">B", 0, 1 << 8), (0xd0, ">b", -1 << 7, 0),
                                  (0xcd, ">H", 0, 1 << 16), (0xd1, ">h", -1 << 15, 0),
                                  (0xce, ">I", 0, 1 << 32), (0xd2, ">i", -1 << 31, 0),
                                  (0xcf, ">Q", 0, 1 << 64), (0xd3, ">q", -1 << 63, 0)):
        if low <= v < high:
            return bytes([code]) + struct.pack(form, v)
    raise Error("an integer of more than 64 bits")


def _encode(v, out, depth=1):
    """Appends the shortest encoding of v, nested at this depth, to the list out."""
    if v is None or v is False or v is True:
        out.append(b"\xc0" if v is None else b"\xc3" if v else b"\xc2")
    elif isinstance(v, str):
        try:
            data = v.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise Error("%.40r has a surrogate, which UTF-8 cannot encode" % v) from None
        out += [_sized(len(data), 0xa0, 32, ((0xd9, 8), (0xda, 16), (0xdb, 32))), data]
    elif isinstance(v, int):
        out.append(_encode_int(v))
    elif isinstance(v, float):
        out.append(struct.pack(">Bf", 0xca, v) if isinstance(v, Float32) else
                   struct.pack(">Bd", 0xcb, v))
    elif isinstance(v, (bytes, bytearray)):
        out += [_sized(len(v), 0, 0, ((0xc4, 8), (0xc5, 16), (0xc6, 32))), bytes(v)]
    elif isinstance(v, (list, tuple, Mapping, Pairs)) and depth > DEPTH:
        raise Error("arrays and maps nested deeper than %d" % DEPTH)
    elif isinstance(v, (list, tuple)):
        out.append(_sized(len(v), 0x90, 16, ((0xdc, 16), (0xdd, 32))))
        for item in v:
            _encode(item, out, depth + 1)
    elif isinstance(v, (Mapping, Pairs)):
        out.append(_sized(len(v), 0x80, 16, ((0xde, 16), (0xdf, 32))))
        for key, item in v.items():
            _encode(key, out, depth + 1)
            _encode(item, out, depth + 1)
    elif isinstance(v, Ext):
        n = len(v.data)
        short = {1: 0xd4, 2: 0xd5, 4: 0xd6, 8: 0xd7, 16: 0xd8}.get(n)
        out += [bytes([short]) if short else _sized(n, 0, 0, ((0xc7, 8), (0xc8, 16), (0xc9, 32))),
                bytes([v.code]), v.data]
    elif hasattr(v, "item") and getattr(v, "ndim", 1) == 0:     # a number of NumPy
        _encode(v.item(), out)
    else:
        raise Error("cannot write a value of type %s" % type(v).__name__)


def _pack(v):
    out = []
    _encode(v, out)
    return b"".join(out)


# --- types of fields ---

_TENSOR = re.compile(r"(f32|i8|bits)\[((?:[A-Za-z]|[0-9]+)(?:,(?:[A-Za-z]|[0-9]+)){0,3})\]")
_SCALAR = {"str": str, "int": (int, numbers.Integral), "float": (int, float), "bool": bool}
_SURROGATE = re.compile("[\ud800-\udfff]")
_FORM = {"f32": "<f4", "i8": "|i1"}


def _check_shape(field, declared, shape, sizes):
    """Compares a shape with "n,m", where a letter is the same size in all fields of a record."""
    names = declared.split(",")
    if len(names) != len(shape):
        raise Error("%s has %d dimensions, expected %d" % (field, len(shape), len(names)))
    for name, n in zip(names, shape):
        want = int(name) if name.isdigit() else sizes.setdefault(name, n)
        if n != want:
            raise Error("%s has the shape %s, expected %s=%d" % (field, tuple(shape), name, want))


def _is_utf8(text):
    """Has text no surrogates?  _decode() puts them in the place of bytes that are not UTF-8."""
    return text.isascii() or not _SURROGATE.search(text)


def _problem(kind, v, bits):
    """Why v, decoded or to be encoded, is not of this scalar type; None if it is."""
    if not isinstance(v, _SCALAR[kind]) or isinstance(v, bool) and kind != "bool":
        return "is %s, expected %s" % (type(v).__name__, kind)
    if kind == "int" and not -1 << bits - 1 <= v < 1 << bits - 1:
        return "is not a signed integer of at most %d bits" % bits
    if kind == "str" and not _is_utf8(v):
        return "is not UTF-8"
    return None


def _is_plain(scalar, v):
    """Is every element just str or int and valid?  False if only a closer look can tell."""
    if scalar == "str":
        return set(map(type, v)) <= {str} and _is_utf8("".join(v))
    return set(map(type, v)) <= {int} and -1 << 31 <= min(v, default=0) and \
        max(v, default=0) < 1 << 31


def _check(field, kind, v):
    """Raises Error unless v has this type, which is not that of a tensor."""
    if kind in _SCALAR:
        why = _problem(kind, v, 64)
        if why:
            raise Error("%s %s" % (field, why))
    elif kind in ("[str]", "[int]"):
        if not isinstance(v, list):
            raise Error("%s is %s, expected %s" % (field, type(v).__name__, kind))
        if len(v) > LIST:
            raise Error("%s has %d elements, expected at most %d" % (field, len(v), LIST))
        scalar = kind[1:-1]
        if _is_plain(scalar, v):
            return
        for i, item in enumerate(v):
            why = _problem(scalar, item, 32)
            if why:
                raise Error("%s[%d] %s" % (field, i, why))


def _to_array(field, base, declared, v, sizes):
    """The tensor {"s": shape, "d": data} as an array; without NumPy, as the map itself."""
    if not (isinstance(v, dict) and set(v) == {"s", "d"} and isinstance(v["s"], list) and
            isinstance(v["d"], bytes) and 1 <= len(v["s"]) <= 4 and
            all(type(n) is int and n >= 0 for n in v["s"])):
        raise Error("%s is not a tensor, expected %s[%s]" % (field, base, declared))
    shape, data = v["s"], v["d"]
    _check_shape(field, declared, shape, sizes)
    rows, row = math.prod(shape[:-1]), shape[-1]
    size = {"f32": 4 * row, "i8": row, "bits": (row + 7) // 8}[base]
    if len(data) != rows * size:
        raise Error("%s has %d bytes, expected %d" % (field, len(data), rows * size))
    if numpy is None:
        return v
    if base != "bits":
        return numpy.frombuffer(data, _FORM[base]).reshape(shape).copy()
    if not rows * size:
        return numpy.zeros(shape, bool)
    bits = numpy.frombuffer(data, numpy.uint8).reshape(rows, size)
    return numpy.unpackbits(bits, axis=1, count=row, bitorder="little").astype(bool).reshape(shape)


def _from_array(field, base, declared, v, sizes):
    if isinstance(v, dict):             # as _to_array() leaves it without NumPy
        _to_array(field, base, declared, v, sizes)
        return v
    v = _numpy().asarray(v)
    _check_shape(field, declared, v.shape, sizes)
    if base == "bits":
        data = numpy.packbits(v.astype(bool), axis=-1, bitorder="little") if v.size else v
        return {"s": list(v.shape), "d": data.tobytes()}
    packed = v.astype(_FORM[base])
    if base == "i8" and not numpy.array_equal(packed, v):
        raise Error("%s has values that are not integers from -128 to 127" % field)
    return {"s": list(v.shape), "d": packed.tobytes()}


def _convert(record, fields, tensor):
    """Checks the declared fields of a record, and converts tensors by the function tensor."""
    sizes = {}
    done = {}
    if len(record) > FIELDS:
        raise Error("%d fields, expected at most %d" % (len(record), FIELDS))
    for field, v in record.items():
        if not isinstance(field, str):
            raise Error("field name %r, expected a str" % (field,))
        kind = fields.get(field)
        found = _TENSOR.fullmatch(kind) if kind else None
        if found:
            v = tensor(field, found[1], found[2], v, sizes)
        else:
            if hasattr(v, "tolist"):    # arrays and numbers of NumPy
                v = v.tolist()
            elif isinstance(v, tuple):
                v = list(v)
            if kind:
                _check(field, kind, v)
        done[field] = v
    return done


# --- streams ---

_EOF = object()


def _check_header(kind, meta):
    """Raises Error unless these are the kind and the meta of a header."""
    fields = meta.get("fields", {}) if isinstance(meta, dict) else None
    pg = meta.get("pg", []) if isinstance(meta, dict) else None
    if not (isinstance(fields, dict) and isinstance(pg, list) and
            all(isinstance(entry, dict) for entry in pg)):
        raise Error("malformed header")
    for text in (kind, *meta, *fields, *fields.values()):
        if not (isinstance(text, str) and "\0" not in text and _is_utf8(text)):
            raise Error("header: %r, expected UTF-8 text without NUL" % (text,))
    if max(len(meta), len(fields), len(pg)) > ENTRIES:
        raise Error("header: more than %d fields or other entries" % ENTRIES)


def _check_types(fields):
    """Raises Error if a type is none of heed-stream(5): nothing could check its values."""
    for field, kind in fields.items():
        if kind not in _SCALAR and kind not in ("[str]", "[int]") and not _TENSOR.fullmatch(kind):
            raise Error("%s has the type %r, expected %s, [str], [int], or f32, i8 or bits with "
                        "its dimensions, such as bits[n,n]" % (field, kind, ", ".join(_SCALAR)))


# Keys of a header that tell where values come from, as in heed-stream(5); prefixes end with a dot.
ORIGINS = "model", "translate.model", "score.model", "lrp.", "bleu", "sacrebleu", "chrf"


def _check_origins(first, other):
    """What the first header tells must be true of the streams that follow."""
    for name in ORIGINS:
        a, b = ({k: v for k, v in meta.items() if k == name or name[-1] == "." and k.startswith(name)}
                for meta in (first, other))
        if a and a != b:
            raise Error("a stream with another %s follows, expected the same" % name)


class _Rest:
    """A file from its start, of which these bytes were already read."""

    def __init__(self, start, f):
        self._start, self._f = start, f

    def read(self, n):
        data, self._start = self._start[:n], self._start[n:]
        return data or self._f.read(n)

    def read1(self, n):
        return self.read(n) if self._start else getattr(self._f, "read1", self._f.read)(n)


def _decompressed(name, f):
    """A file that decompresses f if its first bytes show that it is compressed."""
    start = b""
    while len(start) < 6:               # a pipe may return fewer
        part = f.read(6 - len(start))
        if not part:
            break
        start += part
    f = _Rest(start, f)
    if start[:2] == b"\x1f\x8b":
        import gzip
        return gzip.GzipFile(fileobj=f)
    if start[:3] == b"BZh":
        import bz2
        return bz2.BZ2File(f)
    if start == b"\xfd7zXZ\0":
        import lzma
        return lzma.LZMAFile(f)
    if start[:4] == b"\x28\xb5\x2f\xfd":
        try:
            from compression import zstd
        except ImportError:
            raise Error("%s is compressed with zstd, which needs Python 3.14; decompress it with "
                        "'zstd -d'" % name) from None
        return zstd.ZstdFile(f)
    return f


class Reader:
    """The records of a stream, each a dict, in order.

    path is a file, "-" or None for standard input, or an open binary file.  kind, fields (a dict
    from names to types), pg (the provenance) and meta are those of the header.  Tensors are arrays
    of NumPy, bits as bool; without NumPy, they are maps of shape and data.  Notes are appended to
    the list notes as pairs of name and value.  Text of undeclared fields may have bytes that are
    not UTF-8, as surrogates ("surrogateescape" in the codecs of Python).  The end record is read
    after the last record; if it is missing or wrong, Error is raised.
    """

    def __init__(self, path=None, max_record=RECORD):
        self._own = isinstance(path, (str, os.PathLike)) and path != "-"
        f = open(path, "rb") if self._own else sys.stdin.buffer if path in (None, "-") else path
        self.name = os.fspath(path) if self._own else getattr(f, "name", "standard input")
        self._raw = f
        self._limit = max_record
        self._buf, self._at, self._crc, self.count = b"", 0, 0, 0
        self.kind, self.notes = None, []
        try:
            self._file = _decompressed(self.name, f)
            first = self._next(HEADER)
            if first is _EOF:
                raise Error("is empty, expected a heed stream")
            self._header(first)
        except Error as e:
            self.close()
            raise Error("%s: %s" % (self.name, e)) from None

    def _header(self, v):
        if not (isinstance(v, list) and len(v) == 4 and v[0] == "heed"):
            raise Error("not a heed stream")
        if type(v[1]) is not int or v[1] != 1:
            raise Error("version %r of the format, expected 1" % (v[1],))
        kind, meta = v[2], v[3]
        _check_header(kind, meta)
        fields = meta.get("fields", {})
        if self.kind is None:
            self.kind, self.meta, self.fields, self.pg = kind, meta, fields, meta.get("pg", [])
            self._first = kind, dict(fields)
        elif (kind, fields) != self._first:
            raise Error("a stream of another kind or with other fields follows")
        else:
            _check_origins(self.meta, meta)
        self._n = 0

    def _fill(self, n):
        """Reads at least n more bytes, fewer only at the end of the file: their number."""
        read, parts, got = getattr(self._file, "read1", self._file.read), [], 0
        while got < max(n, 1):
            try:
                parts.append(read(CHUNK))
            except Exception as e:      # each kind of compression has its own
                raise Error("cannot read: %s" % e) from None
            if not parts[-1]:
                break
            got += len(parts[-1])
        self._buf = self._buf[self._at:] + b"".join(parts)
        self._at = 0
        return got

    def _next(self, limit):
        """The next object, or _EOF at the end of the file."""
        while True:
            try:
                v, end = _decode(self._buf, self._at)
            except _Short:
                have = len(self._buf) - self._at
                if have > limit:
                    raise Error("an object of more than %d bytes" % limit) from None
                if self._fill(have):
                    continue
                if not have:
                    return _EOF
                raise Error("the stream ends inside record %d" % (self.count + 1)) from None
            if end - self._at > limit:
                raise Error("an object of more than %d bytes" % limit)
            if not self._is_end(v):
                self._crc = zlib.crc32(self._buf[self._at:end], self._crc)
            self._at = end
            return v

    @staticmethod
    def _is_end(v):
        return isinstance(v, list) and v[:1] == ["heed-end"]

    def _end(self, v):
        if [type(x) for x in v[1:]] != [int, int]:
            raise Error("malformed end record")
        if v[1] != self._n:
            raise Error("%d records, expected %r by the end record" % (self._n, v[1:2]))
        if v[2] != self._crc:
            raise Error("the checksum is wrong; the stream is damaged")
        self._crc = 0
        v = self._next(HEADER)
        if v is not _EOF:
            self._header(v)
        return v

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self._record()
        except ValueError as e:         # NumPy, too, limits shapes
            raise Error("%s: record %d: %s" % (self.name, self.count + 1, e)) from None

    def _record(self):
        if self._n is None:
            raise StopIteration
        while True:
            v = self._next(self._limit)
            if v is _EOF:
                raise Error("the stream ends without an end record; it is incomplete")
            if isinstance(v, dict):
                self._n += 1
                record = _convert(v, self.fields, _to_array)
                self.count += 1
                return record
            if self._is_end(v):
                if self._end(v) is _EOF:
                    self._n = None
                    raise StopIteration
            elif isinstance(v, Pairs):
                raise Error("a record with the same field twice, or a field name that is no str")
            elif isinstance(v, list) and len(v) == 3 and v[0] == "heed-note" and \
                    isinstance(v[1], str):
                self.notes.append((v[1], v[2]))
            else:
                raise Error("unexpected %s, expected a record" % type(v).__name__)

    def close(self):
        if self._own:
            self._raw.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _in_place(path):
    """Is this a device, a pipe or an open file, which a rename must not replace?"""
    return os.path.exists(path) and (not os.path.isfile(path) or
                                     path in ("/dev/stdout", "/dev/stderr") or
                                     path.startswith(("/dev/fd/", "/proc/")))


class _Output:
    """A file that gets its name when it is complete; None and "-" are standard output.

    Devices and pipes are written in place.  A file that exists is replaced by one with its mode,
    and a symbolic link stays.
    """

    def __init__(self, path):
        self.temporary = None
        self.standard = path in (None, "-")
        if self.standard:
            self.file = sys.stdout.buffer
        elif _in_place(os.fsdecode(path)):
            self.file = open(path, "ab")
        else:
            self._open_temporary(os.path.realpath(os.fsdecode(path)))

    def _open_temporary(self, path):
        folder, name = os.path.split(path)
        self.path = path
        fd, self.temporary = tempfile.mkstemp(prefix="." + name + ".", dir=folder)
        self.file = os.fdopen(fd, "wb")
        if os.path.exists(path):
            mode = os.stat(path).st_mode & 0o777
        else:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(fd, mode)

    def _complete(self, last):
        self.file.write(last)
        self.file.flush()
        if self.temporary:
            os.fsync(self.file.fileno())
            os.replace(self.temporary, self.path)
            self.temporary = None

    def end(self, last):
        """Completes the file with these bytes; removes it if they are None."""
        try:
            if last is not None:
                self._complete(last)
        finally:
            if self.temporary:
                os.unlink(self.temporary)
            if not self.standard:
                self.file.close()


def _last_component(path):
    """The last component as UTF-8, with \\xNN for each byte that is not UTF-8."""
    name = os.path.basename(path).encode("utf-8", "surrogateescape")
    return name.decode("utf-8", "backslashreplace")


class Writer:
    """Writes a stream.

    The header is that of the reader like, unless None, with the additional fields, a dict from
    names to types; an unknown type raises Error.  The notes that like has read are written before
    the next record.  write()
    raises Error and writes nothing if a value does not have its declared type or cannot be in a
    stream.  close() writes the end record; in a with statement, an exception leaves the stream
    incomplete, and a file is then not created.  pg=False adds no entry to the provenance.
    """

    def __init__(self, path=None, kind=None, fields=None, like=None, pg=True):
        self.kind = kind or (like.kind if like else "sentence")
        self.fields = dict(like.fields if like else {}, **(fields or {}))
        meta = dict(like.meta if like else {}, fields=self.fields)
        if pg:
            args = " ".join(map(_last_component, sys.argv[1:]))
            meta["pg"] = list(meta.get("pg", [])) + [{
                "program": _last_component(sys.argv[0]) or "python", "version": __version__,
                "args": args}]
        self.count, self._crc = 0, 0
        self._notes, self._noted = like.notes if like else [], 0
        _check_header(self.kind, meta)
        _check_types(fields or {})
        header = self._pack_control(["heed", 1, self.kind, meta])
        self._out = _Output(path)
        try:
            self._put(header)
        except OSError:
            self._out.end(None)
            raise

    @staticmethod
    def _pack_control(v):
        data = _pack(v)
        if len(data) > HEADER:
            raise Error("%s of %d bytes, expected at most %d" % (v[0], len(data), HEADER))
        return data

    def _put(self, data):
        if self._out is None:
            raise Error("the stream is closed")
        self._crc = zlib.crc32(data, self._crc)
        self._out.file.write(data)

    def write(self, record):
        try:
            data = _pack(_convert(record, self.fields, _from_array))
        except (ValueError, OverflowError) as e:
            raise Error("output record %d: %s" % (self.count + 1, e)) from None
        self._pass_notes()
        self._put(data)
        self.count += 1

    def note(self, name, value):
        if not isinstance(name, str):
            raise Error("note name %r, expected a str" % (name,))
        self._put(self._pack_control(["heed-note", name, value]))

    def _pass_notes(self):
        for name, value in self._notes[self._noted:]:
            self.note(name, value)
        self._noted = len(self._notes)

    def _end(self, last):
        out, self._out = self._out, None
        if out:
            out.end(last)

    def close(self):
        try:
            if self._out:
                self._pass_notes()
        except BaseException:
            self._end(None)
            raise
        self._end(_pack(["heed-end", self.count, self._crc]))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            self._end(None)


def read(path=None):
    """All records of a stream as a list, for example for pandas.DataFrame()."""
    with Reader(path) as r:
        return list(r)


def write(path, records, kind="sentence", fields=None):
    """Writes records as a stream; fields is a dict from names to types."""
    with Writer(path, kind, fields) as w:
        for record in records:
            w.write(record)


# --- model files ---

def settings(text):
    """"key=value,key=value" as a dict; a key without a value is "on"."""
    pairs = (part.partition("=") for part in text.split(",") if part)
    return {key: value if equals else "on" for key, equals, value in pairs}


class _Member:
    def __init__(self, name, header, at, size):
        self.name, self.header, self.at, self.size = name, header, at, size
        self.type, self.shape, self.crc = None, None, None


def _read_header(f, at):
    """The tar header at this address: a member, or None at the end of the archive."""
    f.seek(at)
    block = f.read(512)
    if len(block) < 512:
        raise Error("model file is truncated")
    if not any(block):
        return None
    have = block[148:156].split(b"\0")[0].strip()
    name = block[:100].split(b"\0")[0].decode("utf-8", "replace")
    if block[257:262] != b"ustar" or not have.isdigit() or \
            int(have, 8) != sum(block) - sum(block[148:156]) + 8 * 32:
        raise Error("not a model file, or damaged: the tar header at byte %d is wrong" % at)
    if block[156:157] not in (b"0", b"\0") or any(block[345:500]):
        raise Error("%s: not a regular member of a short name" % name)
    return _Member(name, block, at + 512, int(block[124:136].strip(b" \0"), 8))


class Model(Mapping):
    """A model file: a mapping from the names of its parameters to arrays of float32.

    map is the map of settings, as heed-model(5) lists its keys; config and recipe are dicts of the
    settings in it.  vocab_src and vocab_tgt are lists of tokens, whose index is the id.  The file
    is checked completely when it is opened.
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        self._changed = {}
        self._file = open(path, "rb")
        try:
            self._open()
        except (Error, ValueError, KeyError, TypeError) as e:
            self._file.close()
            raise Error("%s: %s" % (self.path, e)) from None
        self.config = settings(self.map.get("config", ""))
        self.recipe = settings(self.map.get("recipe", ""))
        self.vocab_src, self.vocab_tgt = self._vocabulary("src"), self._vocabulary("tgt")

    def _open(self):
        self._members, at = [], 0
        while True:
            member = _read_header(self._file, at)
            if member is None:
                break
            self._members.append(member)
            at = member.at + (member.size + 511) // 512 * 512
        names = [m.name for m in self._members]
        if not names or names[0] not in ("heed-model", "heed-parser"):
            raise Error("not a model file of heed")
        if names[-1] != "end":
            raise Error("model file is truncated: it has no member 'end'")
        self._check_sums()
        try:
            self.map, used = _decode(self.member(names[0]), 0)
        except _Short:
            raise Error("model file is damaged: incomplete map") from None
        if not isinstance(self.map, dict) or self.map.get("format") != 1:
            raise Error("version %r of the format, expected 1" % (self.map.get("format"),))
        rows = [row.split("\t") for row in self.map["members"]]
        if [row[0] for row in rows] != names[1:-1]:
            raise Error("model file is damaged: the table of members is wrong")
        for m, row in zip(self._members[1:], rows):
            m.type, m.shape, m.crc = row[1], row[2], int(row[4], 16)
            if m.size != int(row[3]):
                raise Error("model file is damaged: the size of %s is wrong" % m.name)

    def _check_sums(self):
        crc = 0
        for m in self._members[:-1]:
            for part in self._parts(m):
                crc = zlib.crc32(part, crc)
        want = "crc32 %08x members %d" % (crc, len(self._members) - 1)
        if self.member("end").decode("ascii", "replace").strip() != want:
            raise Error("model file is damaged: the checksum is wrong")

    def _parts(self, m):
        self._file.seek(m.at)
        left = m.size
        while left:
            part = self._file.read(min(left, CHUNK))
            if not part:
                raise Error("model file is truncated")
            left -= len(part)
            yield part

    def _find(self, name):
        for m in self._members:
            if m.name == name:
                return m
        raise KeyError(name)

    def member(self, name):
        """The bytes of a member, such as "bpe"."""
        return b"".join(self._parts(self._find(name)))

    def _vocabulary(self, side):
        try:
            text = self.member("vocab/" + side).decode("utf-8")
        except KeyError:
            return []
        return ["<pad>", "<s>", "</s>", "<unk>"] + text.split("\n")[:-1]

    def __iter__(self):
        return (m.name[6:] for m in self._members if m.name.startswith("param/"))

    def __len__(self):
        return sum(1 for _ in self)

    def __getitem__(self, name):
        if name in self._changed:
            return self._changed[name].copy()
        m = self._find("param/" + name)
        shape = [int(n) for n in m.shape.split("x")]
        data = self.member(m.name)
        if m.type == "f32":
            return _numpy().frombuffer(data, "<f4").reshape(shape).copy()
        if m.type != "i8":
            raise Error("%s: type %s, expected f32 or i8" % (name, m.type))
        rows = _numpy().frombuffer(data, numpy.uint8).reshape(-1, 4 + shape[-1])
        scale = rows[:, :4].copy().view("<f4")
        return (scale * rows[:, 4:].copy().view(numpy.int8)).reshape(shape)

    def __setitem__(self, name, value):
        """Replaces the elements of a parameter of type f32 for save(); the shape stays the same."""
        m = self._find("param/" + name)
        value = _numpy().array(value, "<f4")
        if m.type != "f32":
            raise Error("%s is of type %s; only parameters of type f32 can be set" % (name, m.type))
        if "x".join(map(str, value.shape)) != m.shape:
            raise Error("%s has the shape %s, expected %s" % (name, value.shape, m.shape))
        if not numpy.isfinite(value).all():
            raise Error("%s has a value that is not finite" % name)
        self._changed[name] = value

    def _contents(self, m):
        name = m.name[6:]
        if m.name.startswith("param/") and name in self._changed:
            yield self._changed[name].tobytes()
        else:
            yield from self._parts(m)

    def _packed_map(self, pg):
        table = list(self.map["members"])
        for i, m in enumerate(self._members[1:-1]):
            if m.name[6:] in self._changed:
                crc = zlib.crc32(self._changed[m.name[6:]].tobytes())
                table[i] = "%s%08x" % (table[i][:-8], crc)
        return _pack(dict(self.map, members=table, pg=self.map.get("pg", "") + pg))

    def save(self, path, pg=True):
        """Writes the model with the parameters that were set; unchanged, the same bytes."""
        line = "heed.py %s %s\n" % (__version__, _last_component(sys.argv[0])) if pg else ""
        packed, crc = self._packed_map(line), 0
        out = _Output(path)
        last = None
        try:
            for m in self._members:
                end = "crc32 %08x members %d\n" % (crc, len(self._members) - 1)
                parts = [packed] if m is self._members[0] else \
                    [end.encode()] if m.name == "end" else self._contents(m)
                size = len(packed) if m is self._members[0] else m.size
                out.file.write(_sized_header(m.header, size))
                for part in parts:
                    crc = zlib.crc32(part, crc)
                    out.file.write(part)
                out.file.write(bytes(-size % 512))
            last = bytes(1024)
        finally:
            out.end(last)


def _sized_header(block, size):
    """A tar header with another size."""
    block = bytearray(block)
    block[124:136] = b"%011o " % size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)
