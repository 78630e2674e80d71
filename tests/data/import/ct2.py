# ct2.py: the models of CTranslate2 of make.py, which describes what the files are.
#
# They have the layouts that CTranslate2's converters write: of OpenNMT-py (Argos Translate), fairseq,
# Marian, and OpenNMT-tf, whose models are the oldest.  The Transformer of make.py computes with the
# dequantized weights in double precision.
import math, struct
import numpy as np
from make import (D, FF, HEADS, Layout, Random, expect, fairseq_frequency, paper_frequency, sinusoids, spm,
                  to_bf16, words_of, write, write_json)

TYPES = ["float32", "int8", "int16", "int32", "float16", "bfloat16"]
SIDES = ["encoder", "decoder"]


class CT2(Layout):
    """y = x W' + b; queries, keys and values are one tensor; layers count from 0."""
    pre = final = True

    def name(self, side, i, rest):
        return "%s/layer_%d/%s" % (SIDES[side], i, rest)

    def dense(self, side, i, kind, which, x):
        rows = slice(None)
        if kind == "ff":
            name = "ffn/linear_%d" % (which - 1)
        else:
            part = "qkvo".index(which)
            group = {"self": "self_attention", "cross": "attention"}[kind]
            number = {"self": [0, 0, 0, 1], "cross": [0, 1, 1, 2]}[kind][part]
            block = {"self": [0, 1, 2, 0], "cross": [0, 0, 1, 0]}[kind][part]
            rows = slice(block * D, (block + 1) * D)
            name = "%s/linear_%d" % (group, number)
        name = self.name(side, i, name)
        return x @ self.t[name + "/weight"][rows].T + self.t[name + "/bias"][rows]

    def pair(self, name):
        return self.t[name + "/gamma"], self.t[name + "/beta"]

    def attention_norm(self, side, i, kind):
        group = {"self": "self_attention", "cross": "attention"}[kind]
        return self.pair(self.name(side, i, group + "/layer_norm"))

    def ff_norm(self, side, i):
        return self.pair(self.name(side, i, "ffn/layer_norm"))

    def top_norm(self, side):
        return self.pair(SIDES[side] + "/layer_norm")

    def embedding_norm(self, side):
        return self.pair(SIDES[side] + "/layernorm_embedding")

    def table(self, side):
        several = SIDES[side] + "/embeddings_0/weight"
        return self.t[several if several in self.t else SIDES[side] + "/embeddings/weight"]

    def positions(self, side, n):
        learned = SIDES[side] + "/position_encodings/encodings"
        return self.t[learned][:n] if learned in self.t else sinusoids(1, n, fairseq_frequency)

    def output(self):
        return self.t["decoder/projection/weight"]

    def output_bias(self):
        return self.t.get("decoder/projection/bias", 0)


# ---- files ----------------------------------------------------------------------------------------

def text(s):
    return struct.pack("<H", len(s) + 1) + s.encode() + b"\0"

def write_model(path, version, spec, revision, tensors, aliases={}):
    """tensors: name -> (type, array of the elements as they are in the file)."""
    out = struct.pack("<I", version)
    if version >= 2:
        out += text(spec) + struct.pack("<I", revision)
    out += struct.pack("<I", len(tensors))
    for name, (kind, a) in tensors.items():
        out += text(name) + struct.pack("<B", a.ndim) + b"".join(struct.pack("<I", n) for n in a.shape)
        if version >= 4:
            out += struct.pack("<BI", TYPES.index(kind), a.nbytes)
        else:
            out += struct.pack("<BI", a.itemsize, a.size)
        out += a.tobytes()
    if version >= 3:
        out += struct.pack("<I", len(aliases))
        for alias, name in aliases.items():
            out += text(alias) + text(name)
    write(path, out)

def stored(tensors, kind, old=False):
    """
    The tensors as a file of this type has them, and the values that they stand for.  int8 has a scale for
    each row, int16 one for all; old: the scale 1000.  Biases and norms are not quantized.
    """
    file, values = {}, {}
    for name, a in tensors.items():
        if kind in ("int8", "int16") and name.endswith("weight"):
            if kind == "int8":
                scale = np.float32(127) / np.abs(a).max(axis=1)
                q = np.rint(a * scale[:, None]).astype("<i1")
            else:
                scale = np.float32(1000 if old else 2 ** 10 / np.abs(a).max())
                q = np.rint(a * scale).astype("<i2")
            file[name], file[name + "_scale"] = (kind, q), ("float32", np.asarray(scale, dtype="<f4"))
            values[name] = q / np.asarray(scale, dtype=np.float64).reshape(-1, 1)
        elif kind == "bfloat16":
            bits, values[name] = to_bf16(a)
            file[name] = (kind, bits)
        elif kind == "float16":
            file[name] = (kind, a.astype("<f2"))
            values[name] = a.astype("<f2")
        else:
            file[name], values[name] = ("float32", a.astype("<f4")), a
    return file, values

def number(kind, x):
    return kind, np.asarray(x, dtype={"int8": "<i1", "int16": "<i2", "float32": "<f4"}[kind])

def settings(heads=HEADS, pre=1, activation=0, scale=number("int8", 1), zero=0):
    t = {}
    for side in SIDES:
        t[side + "/num_heads"] = number("int16", heads)
        t[side + "/pre_norm"] = number("int8", pre)
        t[side + "/activation"] = number("int8", activation)
        t[side + "/scale_embeddings"] = scale
        t[side + "/multi_query_attention"] = number("int8", 0)
    t["encoder/embeddings_merge"] = number("int8", 0)
    t["decoder/alignment_layer"], t["decoder/alignment_heads"] = number("int16", -1), number("int16", 1)
    for name in ["alibi", "alibi_use_positive_positions", "scale_alibi"]:
        t["decoder/" + name] = number("int8", 0)
    t["decoder/start_from_zero_embedding"] = number("int8", zero)
    return t

def config(path, **k):
    c = dict(unk_token="<unk>", bos_token="<s>", eos_token="</s>", decoder_start_token="<s>",
             add_source_bos=False, add_source_eos=False, layer_norm_epsilon=None,
             multi_query_attention=False)
    c.update(k)
    write_json(path, c)


# ---- models ---------------------------------------------------------------------------------------

def random_tensors(r, layers, src, tgt, embeddings="embeddings_0", final=True, embed_norm=False, bias=True):
    t = {}
    def dense(name, out, width):
        t[name + "/weight"], t[name + "/bias"] = r.matrix(out, width), r.matrix(out)
    def layer_norm(name):
        t[name + "/gamma"], t[name + "/beta"] = r.gain(D), r.matrix(D)
    for side, prefix in enumerate(SIDES):
        for i in range(layers[side]):
            p = "%s/layer_%d/" % (prefix, i)
            layer_norm(p + "self_attention/layer_norm")
            dense(p + "self_attention/linear_0", 3 * D, D)
            dense(p + "self_attention/linear_1", D, D)
            if side:
                layer_norm(p + "attention/layer_norm")
                dense(p + "attention/linear_0", D, D)
                dense(p + "attention/linear_1", 2 * D, D)
                dense(p + "attention/linear_2", D, D)
            layer_norm(p + "ffn/layer_norm")
            dense(p + "ffn/linear_0", FF, D)
            dense(p + "ffn/linear_1", D, FF)
        if final:
            layer_norm(prefix + "/layer_norm")
        if embed_norm:
            layer_norm(prefix + "/layernorm_embedding")
    t["encoder/%s/weight" % embeddings] = r.matrix(src, D)
    t["decoder/embeddings/weight"] = r.matrix(tgt, D)
    t["decoder/projection/weight"] = r.matrix(tgt, D)
    if bias:
        t["decoder/projection/bias"] = r.matrix(tgt)
    return t

def interleaved(n):
    """OpenNMT-py: sines and cosines in turn."""
    halves = sinusoids(0, n, paper_frequency)
    table = np.zeros((n, D), dtype="<f4")
    table[:, 0::2], table[:, 1::2] = halves[:, :D // 2], halves[:, D // 2:]
    return table

def opennmt_py(name, kind, folder, vocabulary):
    """OpenNMT-py: norms before layers, one table for all, which are aliases, as is one of positions."""
    r = Random(11)
    words = ["<unk>", "<blank>", "<s>", "</s>"] + words_of(14)
    t = random_tensors(r, (1, 2), len(words), len(words))
    aliases = {"decoder/projection/weight": "decoder/embeddings/weight",
               "encoder/embeddings_0/weight": "decoder/embeddings/weight",
               "encoder/position_encodings/encodings": "decoder/position_encodings/encodings",
               "encoder/layer_0/ffn/linear_1/bias": "decoder/layer_0/ffn/linear_1/bias"}
    for alias in aliases:
        t.pop(alias, None)
    t["decoder/position_encodings/encodings"] = interleaved(50)
    file, values = stored(t, kind)
    write_model(folder + "/model.bin", 6, "TransformerSpec", 7, {**settings(), **file}, aliases)
    config(folder + "/config.json")
    if vocabulary.endswith(".json"):
        write_json(folder + "/" + vocabulary, words)
    else:
        write(folder + "/" + vocabulary, "".join(w + "\n" for w in words))
    for alias, of in aliases.items():
        values[alias] = values[of]
    some = [None] * 4 + words[4:]
    expect(name, CT2(values), (1, 2), r, some, some, first=2, eos=3, source_eos=False)

def fairseq(name, kind):
    """
    fairseq and BART: norms after layers and of embeddings, nothing tied, the end first, <s> before sources,
    GELU by erf.
    """
    r = Random(12)
    src = ["<s>", "<blank>", "</s>", "<unk>"] + words_of(12)
    tgt = ["<s>", "<blank>", "</s>", "<unk>"] + words_of(15)
    t = random_tensors(r, (1, 1), len(src), len(tgt), final=False, embed_norm=True, bias=False)
    table = sinusoids(2, 60, fairseq_frequency).astype("<f4")
    file, values = stored(dict(t, **{side + "/position_encodings/encodings": table for side in SIDES}), kind)
    scale = number("float32", math.sqrt(D))
    write_model(name + "/model.bin", 6, "TransformerSpec", 7,
                {**settings(pre=0, activation=3, scale=scale), **file})
    config(name + "/config.json", decoder_start_token="</s>", add_source_bos=True,
           add_source_eos=True, layer_norm_epsilon=1e-3)
    write_json(name + "/source_vocabulary.json", src)
    write_json(name + "/target_vocabulary.json", tgt)
    for side in SIDES:		# rounded; they are computed instead
        values[side + "/position_encodings/encodings"] = table
    m = CT2(values)
    m.pre, m.final, m.embed_norm, m.activation, m.eps = False, False, True, "gelu", 1e-3
    expect(name, m, (1, 1), r, [None] * 4 + src[4:], [None] * 4 + tgt[4:], before=([0], []), first=2, eos=2)

def marian(name):
    """Marian: a zero vector first, swish, trained positions; version 4, settings for both sides, int16."""
    r = Random(13)
    words = ["</s>", "<unk>"] + words_of(13)
    t = random_tensors(r, (2, 1), len(words), len(words), embeddings="embeddings", final=False)
    t["decoder/projection/weight"] = t["decoder/embeddings/weight"]
    table = r.matrix(40, D)
    t.update({side + "/position_encodings/encodings": table for side in SIDES})
    file, values = stored(t, "int16")
    head = {"num_heads": number("int8", 4), "pre_norm": number("int8", 0), "activation": number("int8", 2),
            "with_source_eos": number("int8", 1), "with_source_bos": number("int8", 0),
            "decoder/start_from_zero_embedding": number("int8", 1),
            "encoder/scale_embeddings": number("int8", 0), "decoder/scale_embeddings": number("int8", 0),
            "unk_token": ("int8", np.frombuffer(b"<unk>", dtype="<i1"))}
    write_model(name + "/model.bin", 4, "TransformerSpec", 4, {**head, **file})
    for side in ["source", "target"]:
        write("%s/%s_vocabulary.txt" % (name, side), "".join(w + "\n" for w in words))
    m = CT2(values)
    m.pre, m.final, m.scale, m.activation, m.heads = False, False, False, "swish", 4
    text = [None] * 2 + words[2:]
    expect(name, m, (2, 1), r, text, text)

def opennmt_tf(name, version, kind):
    """OpenNMT-tf: version 1 with the names of its graph, version 2 without settings; 8 heads."""
    r = Random(14)
    src = ["<blank>", "<s>", "</s>"] + words_of(10)
    tgt = ["<blank>", "<s>", "</s>"] + words_of(12)
    t = random_tensors(r, (1, 1), len(src) + 1, len(tgt) + 1, embeddings="embeddings")
    file, values = stored(t, kind, old=True)
    if version == 1:
        file = {old_name(n): x for n, x in file.items() if not n.endswith("_scale")}
    write_model(name + "/model.bin", version, "TransformerBase", 2, file)
    write(name + "/source_vocabulary.txt", "".join(w + "\n" for w in src))
    write(name + "/target_vocabulary.txt", "".join(w + "\n" for w in tgt))
    m = CT2(values)
    m.heads = 8
    expect(name, m, (1, 1), r, [None] * 3 + src[3:] + [None], [None] * 3 + tgt[3:] + [None], first=1, eos=2,
           source_eos=False)

def old_name(name):
    own = "masked_multi_head" if name.startswith("decoder") else "multi_head"
    for new, old in [("embeddings/weight", "w_embs"), ("self_attention", own), ("attention", "multi_head"),
                     ("projection", "dense"), ("layer_norm", "LayerNorm"), ("weight", "kernel")]:
        name = name.replace("/" + new, "/" + old)
    name = name.replace("linear_0", "conv1d").replace("linear_", "conv1d_")
    return "transformer/%s:0" % name

def make():
    opennmt_py("ct2", "float32", "ct2", "shared_vocabulary.json")
    opennmt_py("ct2-argos", "int8", "ct2-argos/model", "shared_vocabulary.txt")
    write_json("ct2-argos/metadata.json", {"from_code": "en", "to_code": "de", "package_version": "1.0"})
    write("ct2-argos/sentencepiece.model", spm(["<unk>", "<s>", "</s>"] + words_of(14)))
    fairseq("ct2-f16", "float16")
    fairseq("ct2-bf16", "bfloat16")
    marian("ct2-i16")
    opennmt_tf("ct2-v2", 2, "float32")
    opennmt_tf("ct2-v1-i16", 1, "int16")
