#!/usr/bin/python3
"""ct2-weights.py MODEL.tar DIR TYPE [SHORTLIST]: a model of nmt-train for CTranslate2.

MODEL is of preset fairseq with tie=all; DIR is the folder for CTranslate2; TYPE is float32 or int8,
a scale for each row, as its converters write it.  SHORTLIST of shortlist-learn becomes vmap.txt.
The layout of model.bin is described in common/convert/ctranslate2-file.h.  nmt-info is looked for
in PATH.
"""
import json
import os
import struct
import subprocess
import sys
import tarfile

import numpy

SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
TYPES = {"<f4": 0, "|i1": 1, "<i2": 2}
POSITIONS = 512         # more than any sentence has
SITES = [("self_attention/linear_0", "self.qkv"), ("self_attention/linear_1", "self.out"),
         ("ffn/linear_0", "ff.in"), ("ffn/linear_1", "ff.out")]
CROSS = [("attention/linear_0", "cross.q"), ("attention/linear_1", "cross.kv"),
         ("attention/linear_2", "cross.out")]
NORMS = [("self_attention", "self"), ("ffn", "ff")]


def read(model):
    """settings, parameters and subwords"""
    config, shape, params = {}, {}, {}
    info = subprocess.run(["nmt-info", model], stdout=subprocess.PIPE, check=True,
                          encoding="utf-8")
    for line in info.stdout.splitlines():
        key, *value = line.split("\t")
        if key.startswith("config."):
            config[key[len("config."):]] = value[0]
        elif key == "parameter":
            shape[value[0]] = [int(n) for n in value[1].split("x")]
    with tarfile.open(model) as tar:
        types = tar.extractfile("vocab/tgt").read().decode().split("\n")[:-1]
        for name, size in shape.items():
            data = tar.extractfile("param/" + name).read()
            params[name] = numpy.frombuffer(data, "<f4").reshape(size)
    expected = dict(tie="all", first="eos", positions="halves", norm_eps="1e-05", output_bias="off")
    for key, value in expected.items():
        if config[key] != value:
            sys.exit(f"{model}: {key}={config[key]}, expected {value}")
    return config, params, types


def sinusoids(width, first):
    """fairseq's"""
    half = width // 2
    angle = numpy.arange(first, first + POSITIONS)[:, None] * \
        numpy.exp(-numpy.log(10000.0) * numpy.arange(half) / (half - 1))
    return numpy.concatenate([numpy.sin(angle), numpy.cos(angle)], 1).astype("<f4")


class Tensors(dict):
    def __init__(self, params, quantize):
        self.params, self.quantize = params, quantize

    def matrix(self, name, x):
        self[name] = x
        if self.quantize:
            top = numpy.abs(x).max(axis=1)
            top[top == 0] = 127
            scale = (numpy.float32(127) / top).astype("<f4")
            self[name] = numpy.rint(x * scale[:, None]).astype("<i1")
            self[name + "_scale"] = scale

    def dense(self, name, param):
        self.matrix(name + "/weight", self.params[param + ".weight"])
        self[name + "/bias"] = self.params[param + ".bias"]

    def norm(self, name, param):
        self[name + "/layer_norm/gamma"] = self.params[param + ".norm.gain"]
        self[name + "/layer_norm/beta"] = self.params[param + ".norm.bias"]

    def side(self, side, short, config):
        for key, kind, value in (("num_heads", "<i2", int(config["heads"])),
                                 ("activation", "<i1", 0), ("scale_embeddings", "<i1", 1),
                                 ("pre_norm", "<i1", config["pre_norm"] == "on")):
            self[f"{side}/{key}"] = numpy.array(value, kind)
        if config["final_norm"] == "on":
            self.norm(side, short)
        for i in range(int(config[short + "_layers"])):
            layer, param = f"{side}/layer_{i}/", f"{short}.{i + 1}."
            for name, what in SITES + (CROSS if short == "dec" else []):
                self.dense(layer + name, param + what)
            for name, what in NORMS + ([("attention", "cross")] if short == "dec" else []):
                self.norm(layer + name, param + what)


def convert(config, params, quantize):
    """tensors and aliases"""
    t, table = Tensors(params, quantize), "encoder/embeddings_0/weight"
    t.matrix(table, params["embed.weight"])
    t["encoder/position_encodings/encodings"] = sinusoids(int(config["width"]),
                                                          int(config["position_first"]))
    t.side("encoder", "enc", config)
    t.side("decoder", "dec", config)
    t["encoder/embeddings_merge"] = numpy.array(0, "<i1")
    t["decoder/alignment_layer"] = numpy.array(-1, "<i2")
    t["decoder/alignment_heads"] = numpy.array(1, "<i2")
    t["decoder/start_from_zero_embedding"] = numpy.array(0, "<i1")
    alias = {"decoder/position_encodings/encodings": "encoder/position_encodings/encodings"}
    for name in ("decoder/embeddings/weight", "decoder/projection/weight"):
        for end in ("", "_scale") if quantize else ("",):
            alias[name + end] = table + end
    return t, alias


def text(s):
    return struct.pack("<H", len(s) + 1) + s.encode() + b"\0"


def write_model(path, tensors, alias):
    with open(path, "wb") as out:
        out.write(struct.pack("<I", 6) + text("TransformerSpec"))
        out.write(struct.pack("<II", 7, len(tensors)))
        for name, a in tensors.items():
            out.write(text(name) + struct.pack(f"<B{a.ndim}I", a.ndim, *a.shape))
            out.write(struct.pack("<BI", TYPES[a.dtype.str], a.nbytes) + a.tobytes())
        out.write(struct.pack("<I", len(alias)))
        for name, of in alias.items():
            out.write(text(name) + text(of))


def main():
    model, folder, kind, *shortlist = sys.argv[1:]
    config, params, types = read(model)
    os.makedirs(folder, exist_ok=True)
    write_model(folder + "/model.bin", *convert(config, params, kind == "int8"))
    with open(folder + "/shared_vocabulary.json", "w", encoding="utf-8") as out:
        json.dump(SPECIAL + types, out, ensure_ascii=False)
    with open(folder + "/config.json", "w", encoding="utf-8") as out:
        json.dump(dict(unk_token="<unk>", bos_token="<s>", eos_token="</s>",
                       decoder_start_token="</s>", add_source_bos=False, add_source_eos=True,
                       layer_norm_epsilon=1e-5), out)
    for name in shortlist:
        with open(name, "rb") as lines, open(folder + "/vmap.txt", "wb") as out:
            out.writelines(list(lines)[1:])


main()
