#!/usr/bin/python3
"""torch-weights.py MODEL.tar DIR OUT: a model of nmt-train for the PyTorch peer of translate.sh.

The same parameters on both sides give the same translations, so that only the speed differs.
MODEL is of preset fairseq with tie=all; DIR holds train.{en,de}.bpe, which give the peer its
vocabulary: four special symbols and the types by falling count.  OUT is a state dict.
"""
import math
import sys
import tarfile
from collections import Counter

import numpy
import torch

ATTENTION = {"self": "sa", "cross": "ca"}
LINEAR = {"qkv": "qkv", "q": "q", "kv": "kv", "out": "o"}
SPECIAL = 4


def peer_name(name):
    """enc.1.self.qkv.weight -> enc.0.sa.qkv.weight; None for what the peer has another way"""
    side, _, rest = name.partition(".")
    if side not in ("enc", "dec"):
        return None
    layer, site, *what = rest.split(".")
    prefix = f"{side}.{int(layer) - 1}"
    if what[0] == "norm":
        norm = {"self": "n1", "cross": "n2", "ff": "n3"}[site]
        return f"{prefix}.{norm}.{'weight' if what[1] == 'gain' else 'bias'}"
    if site == "ff":
        return f"{prefix}.{'f1' if what[0] == 'in' else 'f2'}.{what[1]}"
    return f"{prefix}.{ATTENTION[site]}.{LINEAR[what[0]]}.{what[1]}"


def peer_types(folder):
    count = Counter()
    for side in ("en", "de"):
        with open(f"{folder}/train.{side}.bpe", encoding="utf-8") as text:
            for line in text:
                count.update(line.split())
    return [t for t, _ in sorted(count.items(), key=lambda x: (-x[1], x[0]))]


def positions(width):
    """fairseq's sinusoids, as the peer computes them"""
    steps = torch.exp(torch.arange(width // 2) * (-math.log(1e4) / (width // 2 - 1)))
    angle = torch.arange(2, 514)[:, None] * steps
    return torch.cat([angle.sin(), angle.cos()], -1)


def main():
    model, folder, out = sys.argv[1:]
    state, embed = {}, None
    with tarfile.open(model) as tar:
        types = tar.extractfile("vocab/tgt").read().decode().split("\n")[:-1]
        for member in tar:
            if not member.name.startswith("param/"):
                continue
            name = member.name[len("param/"):]
            x = torch.from_numpy(numpy.frombuffer(tar.extractfile(member).read(), "<f4").copy())
            if name == "embed.weight":
                embed = x.view(SPECIAL + len(types), -1)
            else:
                state[peer_name(name)] = x
    width = embed.shape[1]
    for name, x in state.items():
        if x.numel() % width == 0 and x.numel() > 4 * width and name.endswith("weight"):
            state[name] = x.view(width, -1) if name.endswith("f2.weight") else x.view(-1, width)
    row = {t: SPECIAL + i for i, t in enumerate(types)}
    # The peer splits at every Unicode space, we at the blank: what only it knows is <unk>.
    order = list(range(SPECIAL)) + [row.get(t, 3) for t in peer_types(folder)]
    order += [1] * (-len(order) % 8)        # the peer fills up to eight; <s> is never the best
    state["emb.weight"] = embed[order]
    state["pos"] = positions(width)
    torch.save(state, out)


main()
