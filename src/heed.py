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

    heed.show("test.heed", "model.tar")             # in a notebook: the attention of each head

The formats are those of heed-stream(5) and heed-model(5).  A stream without a correct end record,
and a damaged model file, raise heed.Error, and so does every other input that is not as these pages
say.  A file that cannot be opened raises OSError.  The module needs Python 3.9 or later and is a
single file; copy it into your project.  Only arrays need NumPy.

Copyright 2026, the authors of heed; BSD-2-Clause.
"""

import array
import functools
import itertools
import math
import numbers
import os
import re
import stat
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Mapping

try:
    import numpy
except ImportError:
    numpy = None

__version__ = "0.6.0"
__all__ = ["Error", "Ext", "Float32", "Model", "Reader", "Writer", "prompt_attention", "read",
           "settings", "show", "types_of", "write", "write_attention"]

DEPTH = 8                   # nested arrays and maps; the record is the first level
RECORD = 64 << 20           # bytes, unless Reader() is given another limit
VALUES = 2 << 20            # elements, keys and values in all arrays and maps of a record; likewise
HEADER = 16 << 20           # bytes of a header or a note
LIST = 1 << 20              # elements of [str] and [int]
TENSOR = 1 << 40            # bytes
FIELDS = 1024               # of a record
ENTRIES = 4096              # of the maps and the provenance in a header
MAP = 4 << 20               # bytes of the map of a model
REMOVED = 1 << 18           # bytes of the list of pruned heads
VOCABULARY = 32 << 20       # bytes of a vocabulary
MEMORY = 1 << 30            # bytes for decompressing xz
SCALE_MIN, SCALE_END = 2.0 ** -126, 2.0 ** 122          # of the rows of i8
FLOAT_END = 2.0 ** 128 - 2.0 ** 103                     # rounded to 32 bits, an infinity
CHUNK = 1 << 20


class Error(ValueError):
    """The input is malformed or incomplete, or a value does not have its declared type."""


class Float32(float):
    """A float that is encoded in 32 bits, so that a copied record has the same bytes."""

    __slots__ = ()


class Ext:
    """A MessagePack extension, which heed itself does not use."""

    __slots__ = "code", "data"

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


class _Closing:
    """What is closed by close(), at the end of a with statement, and when nobody uses it."""

    def close(self):
        raise NotImplementedError

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


def _numpy():
    if numpy is None:
        raise Error("arrays need the package numpy (python3-numpy in Debian)")
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


class _Decoder:
    """Decodes objects, one after the other, from the bytes that the function read returns.

    It waits only for bytes that an object needs, and refuses an array or a map that claims more
    elements than the limits allow before it takes memory for them.  The last object is b[:at].
    """

    def __init__(self, read, values=VALUES):
        self.b, self.at = bytearray(), 0
        self._read, self._values = read, values
        self._limit = self._left = 0        # bytes and values of the object

    def first(self):
        """The first byte of the next object; None at the end of the file."""
        del self.b[:self.at]
        self.at, self._limit = 0, 1
        try:
            self._need(1)
        except _Short:
            return None
        return self.b[0]

    def decode(self, limit):
        """The object of at most this many bytes after first()."""
        self._limit, self._left = limit, self._values
        v, self.at = self._value(0, 0)
        if self.at > limit:
            self._too_large()
        return v

    def _too_large(self):
        raise Error("an object of more than %d bytes" % self._limit)

    def _need(self, end):
        """Reads until b has this many bytes."""
        if end > self._limit:
            self._too_large()
        while len(self.b) < end:
            part = self._read(CHUNK)
            if not part:
                raise _Short
            self.b += part

    def _value(self, at, depth):
        """The object at b[at], which is inside depth arrays and maps, and the address after it."""
        b = self.b
        if at >= len(b):
            self._need(at + 1)
        c = b[at]
        at += 1
        if c < 0x80 or c >= 0xe0:
            return (c if c < 0x80 else c - 256), at
        if c in _SINGLE:
            return _SINGLE[c], at
        if c in _FIXED:
            form = _FIXED[c]
            self._need(at + form.size)
            v = form.unpack_from(b, at)[0]
            return (Float32(v) if c == 0xca else v), at + form.size
        kind, n, at = self._head(c, at)
        if kind is list or kind is dict:
            return self._items(at, kind, n, depth + 1)
        end = at + n + (kind is Ext)
        self._need(end)
        if kind is str:
            return str(memoryview(b)[at:end], "utf-8", "surrogateescape"), end
        if kind is bytes:
            return bytes(memoryview(b)[at:end]), end
        return Ext(b[at], bytes(b[at + 1:end])), end

    def _head(self, c, at):
        """The kind and the length of the object with the first byte c, and the end of its head."""
        if 0xd4 <= c <= 0xd8:
            return Ext, 1 << (c - 0xd4), at
        if c in _SIZED:
            kind, n = _SIZED[c]
            self._need(at + n)
            return kind, int.from_bytes(self.b[at:at + n], "big"), at + n
        if 0xa0 <= c < 0xc0:
            return str, c - 0xa0, at
        if 0x90 <= c < 0xa0:
            return list, c - 0x90, at
        if 0x80 <= c < 0x90:
            return dict, c - 0x80, at
        raise Error("byte 0x%02x, which MessagePack does not use" % c)

    def _items(self, at, kind, n, depth):
        if depth > DEPTH:
            raise Error("arrays and maps nested deeper than %d" % DEPTH)
        n = n if kind is list else 2 * n
        self._left -= n
        if self._left < 0:
            raise Error("more than %d values in arrays and maps" % self._values)
        self._need(at + n)              # every value has at least one byte
        items, at = self._sequence(at, n, depth)
        if kind is list:
            return items, at
        try:
            found = dict(zip(items[::2], items[1::2]))
        except TypeError:               # a key that is an array or a map
            found = ()
        if len(found) == n // 2:
            return found, at
        return Pairs(zip(items[::2], items[1::2])), at

    def _sequence(self, at, n, depth):
        """The n objects at b[at], of which b has at least n bytes."""
        b, items = self.b, []
        if b[at:at + n].isascii():          # each byte is a number
            return list(b[at:at + n]), at + n
        for _ in range(n):
            c = b[at] if at < len(b) else 0xc0
            end = at + c - 0x9f
            if c < 0x80:
                items.append(c)
                at += 1
            elif 0xa0 <= c < 0xc0 and end <= len(b):
                items.append(b[at + 1:end].decode("utf-8", "surrogateescape"))
                at = end
            else:
                item, at = self._value(at, depth)
                items.append(item)
        return items, at


def _decode(data):
    """The object of these bytes, all of which it has."""
    parts = [data]
    decoder = _Decoder(lambda n: parts.pop() if parts else b"")
    try:
        decoder.first()
        v = decoder.decode(len(data))
    except _Short:
        raise Error("an object is longer than the data") from None
    if decoder.at != len(data):
        raise Error("%d bytes after the object, expected none" % (len(data) - decoder.at))
    return v


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
        _encode_ext(v, out)
    elif getattr(v, "ndim", 1) == 0 and hasattr(v, "item") and type(v.item()) is not type(v):
        _encode(v.item(), out, depth)           # a number of NumPy
    else:
        raise Error("cannot write a value of type %s" % type(v).__name__)


def _encode_ext(v, out):
    if not (isinstance(v.code, int) and 0 <= v.code < 256 and isinstance(v.data, bytes)):
        raise Error("an Ext has a code from 0 to 255 and bytes")
    n = len(v.data)
    short = {1: 0xd4, 2: 0xd5, 4: 0xd6, 8: 0xd7, 16: 0xd8}.get(n)
    out += [bytes([short]) if short else _sized(n, 0, 0, ((0xc7, 8), (0xc8, 16), (0xc9, 32))),
            bytes([v.code]), v.data]


def _pack(v):
    out = []
    _encode(v, out)
    return b"".join(out)


# --- types of fields ---

_DIMENSION = "(?:[A-Za-z]|[0-9]{1,64})"
_TENSOR = re.compile(r"(f32|i8|bits)\[(%s(?:,%s){0,3})\]" % (_DIMENSION, _DIMENSION))
_SCALAR = {"str": str, "int": (int, numbers.Integral), "float": (int, float), "bool": bool}
_SURROGATE = re.compile("[\ud800-\udfff]")
_FORM = {"f32": "<f4", "i8": "|i1"}


@functools.lru_cache(1024)
def _tensor_type(kind):
    """("f32", "n,m") for the type "f32[n,m]"; None for a type that is not that of a tensor."""
    found = _TENSOR.fullmatch(kind)
    if not found or any(n.isdigit() and int(n) >= 1 << 31 for n in found[2].split(",")):
        return None
    return found[1], found[2]


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
    if math.prod(max(n, 1) for n in (*shape[:-1], size)) > TENSOR:
        raise Error("%s has the shape %s, expected at most %d bytes" % (field, shape, TENSOR))
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
    if isinstance(v, (list, tuple, str)) and (numpy is None or not v or isinstance(_leaf(v), str)):
        v = _from_lists(field, base, v, declared.count(",") + 1)
    if isinstance(v, dict):             # as _to_array() leaves it without NumPy
        _to_array(field, base, declared, v, sizes)
        return v
    try:
        v = _numpy().asarray(v)
        if v.dtype.kind not in "biuf":  # NumPy 2 converts any text to true
            raise TypeError
        _check_shape(field, declared, v.shape, sizes)
        if base == "bits":
            data = numpy.packbits(v.astype(bool), axis=-1, bitorder="little") if v.size else v
            return {"s": list(v.shape), "d": data.tobytes()}
        with numpy.errstate(over="ignore", invalid="ignore"):
            packed = v.astype(_FORM[base])
    except TypeError:
        raise Error("%s has elements that are not numbers" % field) from None
    if base == "i8" and not numpy.array_equal(packed, v):
        raise Error("%s has values that are not integers from -128 to 127" % field)
    if base == "f32" and (numpy.isinf(packed) & numpy.isfinite(v)).any():
        raise Error("%s has a value that is too large for 32 bits" % field)
    return {"s": list(v.shape), "d": packed.tobytes()}


def _leaf(v):
    while isinstance(v, (list, tuple)) and v:
        v = v[0]
    return v


def _from_lists(field, base, v, n_dim):
    """The tensor of nested lists, as in JSON lines, where a row of bits is text of 0 and 1."""
    shape, level = [], [v]
    for _ in range(n_dim - (base == "bits")):
        if not all(isinstance(row, (list, tuple)) for row in level):
            raise Error("%s is not a list of %d dimensions" % (field, n_dim))
        shape.append(len(level[0]) if level else 0)
        if any(len(row) != shape[-1] for row in level):
            raise Error("%s has lists of different lengths" % field)
        level = [item for row in level for item in row]
    if base == "bits":
        return _from_texts(field, shape, level)
    if not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in level):
        raise Error("%s has elements that are not numbers" % field)
    try:
        data = struct.pack("<%d%s" % (len(level), "b" if base == "i8" else "f"), *level)
    except (struct.error, OverflowError):
        raise Error("%s has values that are not %s" %
                    (field, "of 32 bits" if base == "f32" else
                     "integers from -128 to 127")) from None
    return {"s": shape, "d": data}


def _from_texts(field, shape, rows):
    if not all(isinstance(row, str) and set(row) <= {"0", "1"} for row in rows):
        raise Error("%s has rows that are not text of 0 and 1, such as '0110'" % field)
    n = len(rows[0]) if rows else 0
    if any(len(row) != n for row in rows):
        raise Error("%s has rows of different lengths" % field)
    data = b"".join(int(row[::-1] or "0", 2).to_bytes((n + 7) // 8, "little") for row in rows)
    return {"s": shape + [n], "d": data}


def _convert(record, fields, tensor):
    """Checks the declared fields of a record, and converts tensors by the function tensor."""
    sizes = {}
    done = {}
    if not isinstance(record, Mapping):
        raise Error("a record of type %s, expected a dict" % type(record).__name__)
    if len(record) > FIELDS:
        raise Error("%d fields, expected at most %d" % (len(record), FIELDS))
    for field, v in record.items():
        if not isinstance(field, str):
            raise Error("field name %r, expected a str" % (field,))
        kind = fields.get(field)
        found = _tensor_type(kind) if kind else None
        if found:
            v = tensor(field, *found, v, sizes)
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
            all(isinstance(entry, (dict, Pairs)) for entry in pg)):
        raise Error("malformed header")
    for text in (kind, *meta, *fields, *fields.values()):
        if not (isinstance(text, str) and "\0" not in text and _is_utf8(text)):
            raise Error("header: %r, expected UTF-8 text without NUL" % (text,))
    if max(len(meta), len(fields), len(pg)) > ENTRIES:
        raise Error("header: more than %d fields or other entries" % ENTRIES)


def _check_types(fields):
    """Raises Error if a type is none of heed-stream(5): nothing could check its values."""
    for field, kind in fields.items():
        if kind not in _SCALAR and kind not in ("[str]", "[int]") and not _tensor_type(kind):
            raise Error("%s has the type %r, expected %s, [str], [int], or f32, i8 or bits with "
                        "its dimensions, such as bits[n,n]" % (field, kind, ", ".join(_SCALAR)))


# Keys of a header that tell where values come from, as in heed-stream(5); prefixes end with a dot.
ORIGINS = "model", "translate.", "score.", "lrp.", "bleu", "sacrebleu", "chrf"


def _check_origins(first, other):
    """What the first header tells must be true of the streams that follow."""
    for name in ORIGINS:
        a, b = ({key: v for key, v in meta.items()
                 if key == name or name[-1] == "." and key.startswith(name)}
                for meta in (first, other))
        if a and (a.keys() != b.keys() or any(_pack(a[key]) != _pack(b[key]) for key in a)):
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


class _Unpacked:
    """Decompresses one or more bzip2 or xz files in f; anything else after them is an error."""

    def __init__(self, f, new, padding):
        self._f, self._new, self._padding = f, new, padding
        self._d, self._data, self._zeros = new(), b"", 0

    def _next_file(self):
        """Begins with the next file; false if there is none."""
        rest = self._d.unused_data or self._f.read1(CHUNK)
        while rest and self._padding and not rest.lstrip(b"\0"):
            self._zeros += len(rest)
            rest = self._f.read1(CHUNK)
        zeros = len(rest) - len(rest.lstrip(b"\0")) if self._padding else 0
        if self._padding and (self._zeros + zeros) % self._padding:
            raise Error("data after the end of the compressed data")
        self._d, self._data, self._zeros = self._new(), rest[zeros:], 0
        return self._data

    def read1(self, n):
        out = b""
        while not out:
            if self._d.eof and not self._next_file():
                break
            if self._d.needs_input and not self._data:
                self._data = self._f.read1(CHUNK)
                if not self._data:
                    raise Error("the compressed data ends too early")
            out, self._data = self._d.decompress(self._data, n), b""
        return out


def _decompressed(name, f):
    """A file that decompresses f if its first bytes show that it is compressed."""
    start = b""
    while len(start) < 6:               # a pipe may return fewer
        part = f.read(6 - len(start))
        if not isinstance(part, bytes):
            raise Error("expected a binary file that is read without delay")
        if not part:
            break
        start += part
    f = _Rest(start, f)
    if start[:2] == b"\x1f\x8b":
        import gzip
        return gzip.GzipFile(fileobj=f)
    if start[:3] == b"BZh":
        import bz2
        return _Unpacked(f, bz2.BZ2Decompressor, 0)
    if start == b"\xfd7zXZ\0":
        import lzma
        return _Unpacked(f, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY), 4)
    if start[:4] == b"\x28\xb5\x2f\xfd":
        try:
            from compression import zstd
        except ImportError:
            raise Error("is compressed with zstd, which needs Python 3.14; decompress it with "
                        "'zstd -d'") from None
        return zstd.ZstdFile(f)
    return f


class Reader(_Closing):
    """The records of a stream, each a dict, in order.

    path is a file, "-" or None for standard input, or an open binary file.  kind, fields (a dict
    from names to types), pg (the provenance) and meta are those of the header.  Tensors are arrays
    of NumPy, bits as bool; without NumPy, they are maps of shape and data.  Notes are appended to
    the list notes as pairs of name and value.  Text of undeclared fields may have bytes that are
    not UTF-8, as surrogates ("surrogateescape" in the codecs of Python).  The end record is read
    after the last record; if it is missing or wrong, Error is raised.  The file is closed at its
    end, after an error, and by close().

    A record of more than max_record bytes, or with more than max_values elements of arrays and
    keys and values of maps together, raises Error.
    """

    def __init__(self, path=None, max_record=RECORD, max_values=VALUES):
        self._raw = None
        own = isinstance(path, (str, os.PathLike)) and path != "-"
        f = open(path, "rb") if own else sys.stdin.buffer if path in (None, "-") else path
        if own:
            self._raw = f
        self.name = os.fspath(path) if own else getattr(f, "name", "standard input")
        self._limit = max_record
        self._crc = self._n = self.count = 0
        self.kind, self.notes, self._error = None, [], None
        self._decoder = _Decoder(self._read, max_values)
        try:
            self._file = _decompressed(self.name, f)
            first = self._next(HEADER)
            if first is _EOF:
                raise Error("is empty, expected a heed stream")
            self._header(first)
        except (ValueError, OSError, ImportError, MemoryError) as e:
            self.close()
            raise Error("%s: %s" % (self.name, e)) from None

    def _read(self, n):
        """Up to n bytes, none only at the end of the file."""
        try:
            part = (getattr(self._file, "read1", None) or self._file.read)(n)
        except Error:
            raise
        except Exception as e:          # each kind of compression has its own
            raise Error("cannot read: %s" % e) from None
        if not isinstance(part, bytes):
            raise Error("expected a binary file that is read without delay")
        return part

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

    def _next(self, limit=None):
        """The next object, or _EOF at the end of the file; with a limit, it must be a header."""
        first = self._decoder.first()
        if first is None:
            return _EOF
        if limit and first & 0xf0 != 0x90:
            raise Error("not a heed stream" if self.kind is None else
                        "byte 0x%02x after the end of the stream" % first)
        array = first & 0xf0 == 0x90 or first & 0xfe == 0xdc
        try:
            v = self._decoder.decode(HEADER if array else self._limit)
        except _Short:
            raise Error("the stream ends inside record %d" % (self.count + 1)) from None
        if not self._is_end(v):
            with memoryview(self._decoder.b) as b:
                self._crc = zlib.crc32(b[:self._decoder.at], self._crc)
        return v

    @staticmethod
    def _is_end(v):
        return isinstance(v, list) and v[:1] == ["heed-end"]

    def _end(self, v):
        if [type(x) for x in v[1:]] != [int, int]:
            raise Error("malformed end record")
        if v[1] != self._n:
            raise Error("%d records, expected %r by the end record" % (self._n, v[1]))
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
        if self._error:                 # not StopIteration, which says that nothing is missing
            raise Error(self._error)
        try:
            return self._record()
        except (ValueError, MemoryError) as e:          # NumPy, too, limits shapes
            self._error = "%s: record %d: %s" % (self.name, self.count + 1,
                                                 e if str(e) else "too large for the memory")
        self.close()
        raise Error(self._error)

    def _record(self):
        if self._n is None:
            raise StopIteration
        while True:
            v = self._next()
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
                    self.close()
                    raise StopIteration
            elif isinstance(v, Pairs):
                raise Error("a record with the same field twice, or a field name that is no str")
            elif isinstance(v, list) and len(v) == 3 and v[0] == "heed-note" and \
                    isinstance(v[1], str):
                self.notes.append((v[1], v[2]))
            else:
                raise Error("unexpected %s, expected a record" % type(v).__name__)

    def close(self):
        if self._raw:
            self._raw.close()


def _in_place(path):
    """Is this a device, a pipe or an open file, which a rename must not replace?"""
    return os.path.exists(path) and (not os.path.isfile(path) or
                                     path in ("/dev/stdout", "/dev/stderr") or
                                     path.startswith(("/dev/fd/", "/proc/")))


class _Output(_Closing):
    """A file that gets its name when it is complete; None and "-" are standard output.

    Devices and pipes are written in place.  A file that exists is replaced by one with its mode,
    and a symbolic link stays.
    """

    def __init__(self, path):
        self.temporary = self.file = None
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
            self.close()

    def close(self):
        if self.temporary:
            os.unlink(self.temporary)
            self.temporary = None
        if self.file and not self.standard:
            self.file.close()


def _program():
    return _last_component(sys.argv[0] if sys.argv else "") or "python"


def _last_component(path):
    """The last component as UTF-8, with \\xNN for each byte that is not UTF-8."""
    name = os.path.basename(path).encode("utf-8", "surrogateescape")
    return name.decode("utf-8", "backslashreplace")


class Writer:
    """Writes a stream.

    The header is that of the reader like, unless None, with the additional fields, a dict from
    names to types; an unknown type raises Error.  The notes that like has read are written before
    the next record.  write() raises Error and writes nothing if a value does not have its declared
    type or cannot be in a stream.  A tensor is an array of NumPy, a map of shape and data, or, also
    without NumPy, nested lists; a row of bits is then text of 0 and 1, such as ["0101", "1010"].
    meta has further keys of the header.  close() writes the end record; in a with statement, an exception leaves the stream
    incomplete, and a file is then not created.  pg=False adds no entry to the provenance.
    """

    def __init__(self, path=None, kind=None, fields=None, like=None, pg=True, meta=None):
        self._out = None
        self.kind = kind or (like.kind if like else "sentence")
        self.fields = dict(like.fields if like else {})
        self.fields.update(fields or {})
        meta = {**(like.meta if like else {"fields": {}}), **(meta or {})}
        if self.fields:
            meta["fields"] = self.fields
        if pg:
            args = " ".join(map(_last_component, sys.argv[1:]))
            meta["pg"] = list(meta.get("pg", [])) + [
                {"program": _program(), "version": __version__, "args": args}]
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
        except (ValueError, OverflowError, MemoryError) as e:
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


_KINDS = [(bool, "bool"), (numbers.Integral, "int"), (numbers.Real, "float"), (str, "str")]
_AXES = {"enc-self": "h,s,s", "dec-self": "h,t,t", "cross": "h,t,s"}


def types_of(record):
    """The types of the values of a record, a dict from names to types, for Writer and write().

    A list of texts is [str], and one of integers [int].  An array of NumPy has letters of its own for
    its axes, and attention weights have those of heed-fields(5): att.cross.1 is f32[h,t,s].  Other values,
    such as None, have no type.
    """
    types, letters = {}, iter("abcdefgijklmnopqruvwxyz")    # those of attention weights are others
    for name, v in record.items():
        part = name.split(".")
        if numpy is not None and isinstance(v, numpy.ndarray):
            base = {"bool": "bits", "int8": "i8"}.get(v.dtype.name, "f32")
            if not 1 <= v.ndim <= 4:
                raise Error("%s has %d axes, expected 1 to 4" % (name, v.ndim))
            known = _AXES.get(part[1]) if part[0] == "att" and len(part) > 2 else None
            if known and v.ndim != 3:
                raise Error("%s has %d axes, expected 3: heads, queries, keys" % (name, v.ndim))
            axes = known.split(",") if known else list(itertools.islice(letters, v.ndim))
            if len(axes) != v.ndim:
                raise Error("%s: too many arrays, expected at most 23 axes in all" % name)
            types[name] = "%s[%s]" % (base, ",".join(axes))
        elif isinstance(v, (list, tuple)) and v and all(isinstance(x, str) for x in v):
            types[name] = "[str]"
        elif isinstance(v, (list, tuple)) and v and all(isinstance(x, numbers.Integral) for x in v):
            types[name] = "[int]"
        else:
            kind = next((kind for py, kind in _KINDS if isinstance(v, py)), None)
            if kind:
                types[name] = kind
    return types


def write(path, records, kind="sentence", fields=None):
    """Writes records as a stream; fields is a dict from names to types, as of types_of()."""
    with Writer(path, kind, fields) as w:
        for record in records:
            w.write(record)


# --- attention weights of other toolkits ---

_SITE = re.compile(r"att\.(enc-self|dec-self|cross)(?:\.([1-9][0-9]{0,3}))?")
_SIDES = {"enc-self": ("source", "source"), "dec-self": ("target", "target"),
          "cross": ("target", "source")}


def _weights(name, v):
    """Attention weights [heads, queries, keys], perhaps of a batch of one sentence."""
    try:
        v = _numpy().asarray(v, "f4")
    except (TypeError, ValueError) as e:
        raise Error("%s: %s" % (name, e)) from None
    if v.ndim == 4 and v.shape[0] == 1:
        v = v[0]
    if v.ndim != 3 or not v.shape[0]:
        raise Error("%s has the shape %s, expected heads, queries, keys" % (name, v.shape))
    if not (numpy.isfinite(v) & (v >= 0)).all():
        raise Error("%s has a weight that is not finite, or negative" % name)
    return v


def _with_layers(record):
    """The record with an array for each layer: those of att.cross are att.cross.1 and so on."""
    done = {}
    for name, v in record.items():
        found = _SITE.fullmatch(name)
        if found and found[2]:
            done[name] = _weights(name, v)
        elif found:
            for i, layer in enumerate(v):
                done["%s.%d" % (name, i + 1)] = _weights("%s.%d" % (name, i + 1), layer)
        elif name.startswith("att."):
            raise Error("%s, expected att.enc-self, att.dec-self or att.cross, and a layer" % name)
        else:
            done[name] = v
    return done


def _check_positions(record):
    """Raises Error unless the weights have a row and a column for each token and for the ends."""
    sides = {"source": ("src", 0, 2), "target": ("tgt", 1, 2)}
    seen = {}
    for name, v in record.items():
        found = _SITE.fullmatch(name)
        for side, n in zip(_SIDES[found[1]], v.shape[1:]) if found else ():
            field, least, most = sides[side]
            tokens = record.get(field + ".pieces")
            if tokens is None:
                raise Error("no %s.pieces, expected the tokens of %s" % (field, name))
            if not len(tokens) + least <= n <= len(tokens) + most or seen.setdefault(side, n) != n:
                raise Error("%s has %d %s positions for %d tokens, expected %d to %d, the same "
                            "at all sites" % (name, n, side, len(tokens), len(tokens) + least,
                                              len(tokens) + most))


def _heads_of(record):
    return {name: v.shape[0] for name, v in record.items() if _SITE.fullmatch(name)}


def _attention_records(records):
    """Completes and checks records for write_attention()."""
    sites = None
    for i, record in enumerate(records):
        try:
            record = {"id": i + 1, **_with_layers(record)}
            _check_positions(record)
            sites = sites or _heads_of(record)
            if not sites:
                raise Error("no weights, expected att.enc-self, att.dec-self or att.cross")
            if _heads_of(record) != sites:
                raise Error("weights and heads %s, expected %s as in the first record" %
                            (_heads_of(record), sites))
        except Error as e:
            raise Error("record %d: %s" % (i + 1, e)) from None
        yield record


def _types_of_attention(record):
    types, heads = types_of(record), _heads_of(record)
    for name, n in heads.items():
        if len(set(heads.values())) > 1:        # the letter h is the same number at all sites
            types[name] = types[name].replace("[h", "[%d" % n)
    for side in "src", "tgt":           # lists may be empty
        types.update({name: kind for name, kind in ((side + ".pieces", "[str]"),
                                                    (side + ".word", "[int]")) if name in record})
    return types


def write_attention(path, records, model=None):
    """Writes attention weights of another toolkit as a stream.

    head-stat(1), head-find(1), head-map(1) and align-score(1) read it in place of a model.  A record
    is a dict of a sentence:

        src.pieces, tgt.pieces      lists of tokens, without those that the model adds
        src.word, tgt.word          lists of the number of the word of each token, from 0; without
                                    them, the tokens are the words
        att.enc-self, att.dec-self, att.cross
                                    lists of the weights of each layer: arrays of heads, queries and
                                    keys; or one layer of them, counted from 1: att.cross.3

    and any other fields of heed-fields(5).  The encoder has a position for each source token; one
    more is an end token after them, and two more are also a tag before them.  The decoder has one
    more position than target tokens, as each position predicts a token and the last one predicts
    the end; two more if the first one predicts a tag.  All records have the same layers and heads.
    model is the name of the model, so that measures of different models are not mixed.
    """
    checked = _attention_records(records)
    first = next(checked, None)
    if first is None:
        raise Error("no records, expected at least one")
    meta = {} if model is None else {"score.model": model}
    with Writer(path, "sentence", _types_of_attention(first), meta=meta) as w:
        for record in itertools.chain([first], checked):
            w.write(record)


def prompt_attention(weights, source, target):
    """Attention from a span of a prompt to another one, as cross-attention: att.cross.

    weights are those of self-attention in a layer of a model without an encoder, an array of heads,
    queries and keys; source and target are the ranges of positions of the source and of the target
    in the prompt, such as range(3, 9).  The result has the queries that predict the target tokens
    and what follows them, and the keys of the source tokens; the last key is the sum of all others.
    """
    weights = _weights("weights", weights)
    keys = weights.shape[2]
    for name, span in (("source", source), ("target", target)):
        if span.step != 1 or not 0 <= span.start <= span.stop <= keys:
            raise Error("%s %r, expected a range in %d positions" % (name, span, keys))
    if weights.shape[1] != keys or not target.start:
        raise Error("weights of the shape %s and a target from %d on, expected a square and a "
                    "position before the target" % (weights.shape, target.start))
    rows = weights[:, target.start - 1:target.stop]
    inside = rows[:, :, source.start:source.stop]
    rest = numpy.delete(rows, slice(source.start, source.stop), 2).sum(2, keepdims=True)
    return numpy.concatenate([inside, rest], 2)


# --- notebooks ---

class Page:
    """A page of head-map(1); a notebook displays it, and html is its text."""

    def __init__(self, html, height):
        self.html, self.height = html, height

    def _repr_html_(self):
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return ('<iframe sandbox="allow-scripts" title="attention heads" srcdoc="%s" '
                'style="width: 100%%; height: %dpx; border: 0"></iframe>' % (text, self.height))

    def save(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)


class Picture:
    """A figure of head-map(1); a notebook displays it, and svg is its text."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg


def _head_map(*args):
    try:
        done = subprocess.run(["head-map", *args], capture_output=True, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise OSError("head-map is not in PATH; the programs of heed must be installed") from None
    if done.returncode:
        raise Error(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8")


def show(stream, model=None, measure=None, options=(), height=800):
    """Shows the attention heads of a model, by head-map(1), which must be in PATH.

    stream is the path of a stream, or a list of records, whose types are those of types_of().
    With sentences, model is the path of a model or a list of them, and the result is a Page to
    browse the first sentence.  With heads, as head-stat(1) and head-lrp(1) write them, the result
    is a Picture of all heads, shaded by the measure or measures, separated by commas.  options are
    further options of head-map, such as ["-n", "5"] or ["--site", "cross"].  In a notebook, the
    result is displayed; Page.save() and Picture.svg keep it.  Raises Error with the message of
    head-map.
    """
    with tempfile.TemporaryDirectory() as folder:
        if not isinstance(stream, (str, os.PathLike)):
            records, stream = list(stream), os.path.join(folder, "records.heed")
            kind = "sentence" if model is not None else "head"
            types = {}
            for record in records:
                for name, kind_of in types_of(record).items():
                    if (types.get(name), kind_of) != ("float", "int"):  # an int is a float, too
                        types[name] = kind_of
            write(stream, records, kind, types)
        if model is None:
            if measure is None:
                raise Error("no model and no measure, expected a model for sentences, "
                            "or a measure of heads")
            return Picture(_head_map("--draw", "heads", "--measure", measure, *options,
                                     "--to", "svg", os.fspath(stream)))
        if measure is not None:
            raise Error("both a model and a measure, expected one of them")
        models = [model] if isinstance(model, (str, os.PathLike)) else model
        args = [x for m in models for x in ("-m", os.fspath(m))]
        return Page(_head_map("--to", "html", *args, *options, os.fspath(stream)), height)


# --- model files ---

def settings(text):
    """"key=value,key=value" as a dict; a key without a value is "on"."""
    pairs = (part.partition("=") for part in text.split(",") if part)
    return {key: value if equals else "on" for key, equals, value in pairs}


class _Member:
    """A row of the table of members: name, type, shape, size in bytes, CRC-32; and the address."""

    __slots__ = "name", "type", "shape", "size", "crc", "at"

    def __init__(self, name, size, at=0):
        self.name, self.type, self.shape, self.size, self.crc, self.at = name, "", "", size, 0, at


_NUMBERS = (100, 8), (108, 8), (116, 8), (136, 12), (329, 8), (337, 8)  # mode, owners, time, device
_OCTAL = re.compile(b"[0-7]*[ \0]*")
_NAME = re.compile(r"(?!\./)[!-~]{0,99}[!-.0-~]")
_ROW = re.compile(r"([^\t]+)\t([^\t]+)\t([^\t]+)\t([0-9]{1,19})\t([0-9a-f]{8})")
_SHAPE = re.compile("[1-9][0-9]{0,9}(?:x[1-9][0-9]{0,9}){0,3}")


def _tar_member(block, at):
    """The member of the tar header at this address."""
    name = block[:100].rstrip(b"\0").decode("utf-8", "replace")
    total = b"%06o\0 " % (sum(block) - sum(block[148:156]) + 8 * 32)
    size = re.fullmatch(b"([0-7]{11})[ \0]", block[124:136])
    if block[257:262] != b"ustar" or block[148:156] != total or not size or any(block[345:]) or \
            not all(_OCTAL.fullmatch(block[k:k + n]) for k, n in _NUMBERS):
        raise Error("model file is damaged: the tar header at byte %d is wrong" % at)
    if block[156:157] != b"0" or not _NAME.fullmatch(name):
        raise Error("model file is damaged: %r is not a regular file with a plain name" % name)
    return _Member(name, int(size[1], 8), at + 512)


def _parse_row(row):
    found = _ROW.fullmatch(row) if isinstance(row, str) and "\0" not in row else None
    if not found or int(found[4]) >= 1 << 63:
        raise Error("model file is damaged: malformed row %.80r in the table, expected NAME TYPE "
                    "SHAPE SIZE CRC" % (row,))
    m = _Member(found[1], int(found[4]))
    m.type, m.shape, m.crc = found[2], found[3], int(found[5], 16)
    return m


_INFINITE = bytes(0x80 if byte & 0x7f == 0x7f else 0 for byte in range(256))


def _not_finite(data):
    """The index of the first of these floats that is a NaN or an infinity; None if all are finite.

    The exponent, all ones in such floats, is in the last byte and in the highest bit of the one
    before.  All floats are compared at once, as bits of two large numbers.
    """
    found = int.from_bytes(data[3::4].translate(_INFINITE), "little") & \
        int.from_bytes(data[2::4], "little")
    return ((found & -found).bit_length() - 1) // 8 if found else None


def _scales(data, row):
    """The scales at the start of each row of i8, as bytes."""
    scales = bytearray(len(data) // row * 4)
    for k in range(4):
        scales[k::4] = data[k::row]
    return bytes(scales)


def _check_i8(name, data, row, before):
    """Raises Error unless these rows of i8, after `before` others, have scales of heed-model(5)."""
    packed = _scales(data, row)
    scales = array.array("f", packed)
    if sys.byteorder == "big":
        scales.byteswap()
    if _not_finite(packed) is None and min(scales) >= SCALE_MIN and max(scales) < SCALE_END / 4:
        return
    for i, scale in enumerate(scales):
        if not SCALE_MIN <= scale < SCALE_END:
            raise Error("%s: the scale of row %d is %g, expected at least 2^-126 and less than "
                        "2^122" % (name, before + i + 1, scale))
        elements = memoryview(data)[i * row + 4:(i + 1) * row].cast("b")
        if scale * max(map(abs, elements)) >= FLOAT_END:
            raise Error("%s: row %d has elements that are not finite" % (name, before + i + 1))


def _digest(data):
    """The digest of a vocabulary, 64-bit FNV-1a (Fowler, Noll and Vo)."""
    h = 0xcbf29ce484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return "%016x" % h


def _lines(name, data, pattern):
    """The lines of a vocabulary, all different."""
    if len(data) > VOCABULARY:
        raise Error("%s has %d bytes, expected at most %d" % (name, len(data), VOCABULARY))
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as e:
        raise Error("%s is not UTF-8 at byte %d" % (name, e.start + 1)) from None
    if lines.pop():
        raise Error("%s: the last line has no line end" % name)
    seen = set()
    for i, line in enumerate(lines):
        if line in seen or not pattern.fullmatch(line):
            raise Error("%s: line %d is empty, malformed or a duplicate" % (name, i + 1))
        seen.add(line)
    return lines


_ENTRY = re.compile("[^\n]+")
_LABEL = re.compile("[^\0-\x1f ]+")
_LABELS = re.compile("[^\0-\x1f ]+(?: [^\0-\x1f ]+)*")
# The members before the parameters, of which bpe and mask/tgt may be absent, and lines of them.
_BEFORE = {
    "heed-model": {"vocab/src": _ENTRY, "vocab/tgt": _ENTRY, "bpe": None, "mask/tgt": None},
    "heed-parser": {"vocab/word": _ENTRY, "labels/upos": _LABEL, "labels/xpos": _LABEL,
                    "labels/rel": _LABEL, "labels/span": _LABELS}}
# The keys of the map, and those that may be absent.
_KEYS = {
    "heed-model": {"config": str, "recipe": str, "preset": str, "attention": list,
                   "attention.version": list, "vocab.src": str, "vocab.tgt": str, "step": int,
                   "pg": str, "members": list},
    "heed-parser": {"config": str, "lang": str, "step": int, "pg": str, "members": list}}
_YES = "on", "1", "yes"
_MORE_KEYS = {"heads.removed": str, "heads.rounded": str, "engine": int, "training": str,
              "digest": str, "first.src": str, "first.tgt": str}


def _check_key(map_name, key, v, kind):
    low = 1 if key == "engine" else 0
    if type(v) is not kind or kind is str and "\0" in v or kind is list and len(v) > LIST or \
            kind is int and not low <= v < 1 << 63:
        raise Error("%s has no key %s with a valid %s" % (map_name, key, kind.__name__))


def _check_map(name, v):
    """Raises Error unless this map has the keys of heed-model(5), with values of their types."""
    if not isinstance(v, dict) or not all(isinstance(key, str) for key in v):
        raise Error("model file is damaged: %s is not a map of different keys" % name)
    if len(v) > FIELDS:
        raise Error("%s has %d keys, expected at most %d" % (name, len(v), FIELDS))
    if type(v.get("format")) is not int or v["format"] != 1:
        raise Error("version %r of the format, expected 1" % (v.get("format"),))
    for key, kind in _KEYS[name].items():
        _check_key(name, key, v.get(key), kind)
    if name == "heed-parser":
        return
    for key in _MORE_KEYS.keys() & v.keys():
        _check_key(name, key, v[key], _MORE_KEYS[key])
    for key in "training", "digest":
        if not re.fullmatch("[0-9a-f]{16}", v.get(key, "0" * 16)):
            raise Error("malformed %s, expected 16 hexadecimal digits" % key)
    if len(v.get("heads.removed", "").encode("utf-8", "surrogateescape")) > REMOVED:
        raise Error("heads.removed is longer than %d bytes" % REMOVED)
    versions = v["attention.version"]
    if not all(isinstance(spec, str) for spec in v["attention"]) or \
            len(versions) != len(v["attention"]) or \
            not all(type(n) is int and -1 << 31 <= n < 1 << 31 for n in versions):
        raise Error("attention.version: expected one version for each attention variant")


class Model(Mapping, _Closing):
    """A model file: a mapping from the names of its parameters to arrays of float32.

    map is the map of settings, as heed-model(5) lists its keys; config and recipe are dicts of the
    settings in it.  vocab_src and vocab_tgt are lists of tokens, whose index is the id; they are
    empty for a parser.  The file is checked when it is opened, as heed-model(5) says under
    Integrity: every byte of it, and that all elements are finite.  Only the programs know whether
    settings have a meaning, and whether the parameters are those that the settings require.
    """

    def __init__(self, path):
        self._file = None
        self.path = os.fspath(path)
        self._changed = {}
        if not stat.S_ISREG(os.stat(path).st_mode):             # a pipe would not even open
            raise Error("%s: not a model: expected a regular file" % self.path)
        self._file = open(path, "rb")
        try:
            self._open()
        except (ValueError, MemoryError, OSError) as e:
            self.close()
            why = str(e) or "too large for the memory"
            raise Error("%s: %s" % (self.path, why)) from None

    def close(self):
        if self._file:
            self._file.close()

    def _open(self):
        self._size = os.fstat(self._file.fileno()).st_size
        self._crc, self._mask, self._words = 0, None, {}
        if self._read(0, 5) != b"heed-":
            raise Error("not a model of heed")
        first = self._header(0)
        if first.name not in _KEYS:
            raise Error("this is a %s, expected a heed-model" % first.name)
        if first.size > MAP:
            raise Error("%s has %d bytes, expected at most %d" % (first.name, first.size, MAP))
        self.map = _decode(b"".join(self._checked(first)))
        _check_map(first.name, self.map)
        self.config = settings(self.map["config"])
        self.recipe = settings(self.map.get("recipe", ""))
        self._members = [first] + [_parse_row(row) for row in self.map["members"]]
        self._check_order()
        end = self._check_members()
        self._members.append(end)
        self._check_end(end)
        self.vocab_src, self.vocab_tgt = self._vocabulary("src"), self._vocabulary("tgt")
        self._check_tokens()

    def _read(self, at, n):
        try:
            self._file.seek(at)
            data = self._file.read(n)
        except (OSError, ValueError) as e:
            raise Error("cannot read: %s" % e) from None
        if len(data) < n:
            raise Error("model file is truncated")
        return data

    def _header(self, at):
        """The member whose tar header is at this address."""
        block = self._read(at, 512)
        if not any(block):
            raise Error("model file is truncated: it has no member 'end'")
        m = _tar_member(block, at)
        if m.at + m.size > self._size:
            raise Error("model file is truncated: %s exceeds it" % m.name)
        return m

    def _parts(self, m, step=CHUNK):
        """The bytes of a member, in parts of whole steps."""
        size = max(CHUNK // step, 1) * step
        for at in range(0, m.size, size):
            yield self._read(m.at + at, min(size, m.size - at))

    def _checked(self, m, step=CHUNK):
        """The same while the file is checked: adds to the checksums, and checks the padding."""
        crc = 0
        for part in self._parts(m, step):
            crc, self._crc = zlib.crc32(part, crc), zlib.crc32(part, self._crc)
            yield part
        if m.type and crc != m.crc:
            raise Error("model file is damaged: %s has crc %08x, expected %08x" %
                        (m.name, crc, m.crc))
        if any(self._read(m.at + m.size, -m.size % 512)):
            raise Error("model file is damaged: a nonzero byte in the padding after %s" % m.name)

    def _check_order(self):
        """Raises Error unless the table has the members before the parameters, and then these."""
        names = [m.name for m in self._members[1:]]
        at = 0
        for name in _BEFORE[self._members[0].name]:
            if name == "mask/tgt" and self.config.get("output_mask", "off") not in _YES:
                continue
            if names[at:at + 1] == [name]:
                at += 1
                self._mask = self._members[at] if name == "mask/tgt" else None
            elif name != "bpe":
                raise Error("found %s in the table, expected %s" % (names[at:at + 1], name))
        parameters = [name for name in names if name.startswith("param/")]
        if not parameters or names[at:at + len(parameters)] != parameters or \
                len(set(parameters)) < len(parameters):
            raise Error("the table has no parameters after member %d, or others elsewhere" % at)

    def _check_members(self):
        """Checks the contents of the members in the table; returns the member after them."""
        found = self._header(_after(self._members[0]))
        for m in self._members[1:]:
            if (found.name, found.size) != (m.name, m.size):
                raise Error("model file is damaged: found member %s of %d bytes, expected %s of "
                            "%d" % (found.name, found.size, m.name, m.size))
            m.at = found.at
            if m.name.startswith("param/"):
                self._check_parameter(m)
            elif _BEFORE[self._members[0].name].get(m.name):
                self._words[m.name] = self._read_words(m)
            else:
                for _ in self._checked(m):
                    pass
            found = self._header(_after(m))
        return found

    def _read_words(self, m):
        data = b"".join(self._checked(m))
        words = _lines(m.name, data, _BEFORE[self._members[0].name][m.name])
        key = m.name.replace("/", ".")
        if key in ("vocab.src", "vocab.tgt") and self.map[key] != _digest(data):
            raise Error("%s has digest %s, expected %s" % (key, _digest(data), self.map[key]))
        return words

    def _check_parameter(self, m):
        shape = [int(n) for n in m.shape.split("x")] if _SHAPE.fullmatch(m.shape) else [1 << 31]
        row = shape[-1]
        rows = math.prod(shape[:-1])
        size = {"f32": rows * row * 4, "i8": rows * (4 + row)}.get(m.type)
        if size != m.size or max(shape) >= 1 << 31:
            raise Error("%s is %s %s of %d bytes, expected f32 or i8 of its shape" %
                        (m.name, m.type, m.shape, m.size))
        done = 0
        for part in self._checked(m, 4 if m.type == "f32" else 4 + row):
            if m.type == "i8":
                _check_i8(m.name, part, 4 + row, done // (4 + row))
            else:
                bad = _not_finite(part)
                if bad is not None:
                    raise Error("%s: element %s is %r, expected a finite number" % (
                        m.name, _place(done // 4 + bad, shape),
                        struct.unpack_from("<f", part, 4 * bad)[0]))
            done += len(part)

    def _check_end(self, end):
        want = "crc32 %08x members %d\n" % (self._crc, len(self._members) - 1)
        if end.name != "end" or end.size != len(want) or \
                b"".join(self._checked(end)) != want.encode():
            raise Error("model file is damaged: the member end is wrong, expected %s" % want[:-1])
        at = _after(end)
        if self._size - at < 1024 or self._size % 512:
            raise Error("model file is truncated: no end of the tar, expected two blocks of zeros")
        for start in range(at, self._size, CHUNK):
            if any(self._read(start, min(CHUNK, self._size - start))):
                raise Error("model file is damaged: data after the end of the tar")

    def _check_tokens(self):
        """Compares the vocabularies with what depends on them."""
        for side, words in (("src", self.vocab_src), ("tgt", self.vocab_tgt)):
            if words and self.map.get("first." + side) not in (None, *words[4:]):
                raise Error("first.%s is not in the vocabulary" % side)
        if self._mask and self._mask.size != len(self.vocab_tgt):
            raise Error("mask/tgt has %d entries, expected %d as in the vocabulary" %
                        (self._mask.size, len(self.vocab_tgt)))

    def _find(self, name):
        for m in self._members:
            if m.name == name:
                return m
        raise KeyError(name)

    def member(self, name):
        """The bytes of a member, such as "bpe"."""
        m = self._find(name)
        try:
            return b"".join(self._unchanged(m) if m.type else self._parts(m))
        except Error as e:
            raise Error("%s: %s" % (self.path, e)) from None

    def _unchanged(self, m):
        """The bytes of a member of the table, which must be those that were checked."""
        crc = 0
        for part in self._parts(m):
            crc = zlib.crc32(part, crc)
            yield part
        if crc != m.crc:
            raise Error("%s has changed since the file was opened" % m.name)

    def _vocabulary(self, side):
        words = self._words.get("vocab/" + side)
        return [] if words is None else ["<pad>", "<s>", "</s>", "<unk>"] + words

    def __iter__(self):
        return (m.name[6:] for m in self._members if m.name.startswith("param/"))

    def __len__(self):
        return sum(1 for _ in self)

    def __getitem__(self, name):
        if name in self._changed:
            return self._changed[name].copy()
        m = self._find("param/%s" % (name,))
        shape = [int(n) for n in m.shape.split("x")]
        data = self.member(m.name)
        if m.type == "f32":
            return _numpy().frombuffer(data, "<f4").reshape(shape).copy()
        rows = _numpy().frombuffer(data, numpy.uint8).reshape(-1, 4 + shape[-1])
        scale = rows[:, :4].copy().view("<f4")
        return (scale * rows[:, 4:].copy().view(numpy.int8)).reshape(shape)

    def __setitem__(self, name, value):
        """Replaces the elements of a parameter of type f32 for save(); the shape stays the same."""
        m = self._find("param/%s" % (name,))
        try:
            with _numpy().errstate(over="ignore"):
                value = numpy.array(value, "<f4")
        except (TypeError, ValueError, OverflowError) as e:
            raise Error("%s: %s" % (name, e)) from None
        if m.type != "f32":
            raise Error("%s is of type %s; only parameters of type f32 can be set" % (name, m.type))
        if "x".join(map(str, value.shape)) != m.shape:
            raise Error("%s has the shape %s, expected %s" % (name, value.shape, m.shape))
        if not numpy.isfinite(value).all():
            raise Error("%s has a value that is not finite" % name)
        self._changed[name] = value

    def _packed_map(self, pg):
        table = list(self.map["members"])
        for i, m in enumerate(self._members[1:-1]):
            if m.name.startswith("param/") and m.name[6:] in self._changed:
                crc = zlib.crc32(self._changed[m.name[6:]].tobytes())
                table[i] = "%s%08x" % (table[i][:-8], crc)
        packed = dict(self.map, members=table, pg=self.map["pg"] + pg)
        if self._changed:
            packed.pop("digest", None)  # that of other values; programs compute it
        packed = _pack(packed)
        if len(packed) > MAP:
            raise Error("the map has %d bytes, expected at most %d" % (len(packed), MAP))
        return packed

    def save(self, path, pg=True):
        """Writes the model with the parameters that were set; unchanged, the same bytes."""
        program = _program().replace("\n", " ")
        line = "heed.py %s %s\n" % (__version__, program) if pg else ""
        out = _Output(path)
        last = None
        try:
            self._write(out.file, self._packed_map(line))
            last = bytes(1024)
        except Error as e:
            raise Error("%s: %s" % (self.path, e)) from None
        finally:
            out.end(last)

    def _write(self, f, packed):
        """Writes the members, of which the first is the packed map."""
        crc = 0
        for m in self._members:
            if m.name.startswith("param/") and m.name[6:] in self._changed:
                parts = [self._changed[m.name[6:]].tobytes()]
            elif m is self._members[0]:
                parts = [packed]
            elif m is self._members[-1]:
                parts = [b"crc32 %08x members %d\n" % (crc, len(self._members) - 1)]
            else:
                parts = self._unchanged(m)
            size = len(packed) if m is self._members[0] else m.size
            f.write(_sized_header(self._read(m.at - 512, 512), size))
            for part in parts:
                crc = zlib.crc32(part, crc)
                f.write(part)
            f.write(bytes(-size % 512))


def _after(m):
    """The address after a member and its padding."""
    return m.at + (m.size + 511) // 512 * 512


def _place(i, shape):
    """The indices of element i from 1, such as "3,17"."""
    places = []
    for n in reversed(shape):
        i, k = divmod(i, n)
        places.append("%d" % (k + 1))
    return ",".join(reversed(places))


def _sized_header(block, size):
    """A tar header with another size."""
    block = bytearray(block)
    block[124:136] = b"%011o " % size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)
