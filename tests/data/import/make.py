#!/usr/bin/python3
# make.py: small models with random weights in the layouts that nmt-import(1) reads, and the
# log-probabilities that they give to a few targets.
#
#	cd tests/data/import && python3 make.py		(Debian: python3-numpy)
#
# The Transformers below are written from Vaswani et al. (2017) and from the documentation of the
# toolkits, in double precision, apart from everything else in this repository: they read the tensors
# as the toolkits name and lay them out.  NAME.tsv has the subwords of a source, those of a target,
# and the log-probability of each target token and of the end; first tokens that the toolkit adds are
# not among the subwords, but have their log-probability.  ct2.py has the models of CTranslate2.
import io, json, math, os, shutil, struct, zipfile
import numpy as np

D, HEADS, FF = 8, 2, 12


# ---- the Transformer ------------------------------------------------------------------------------

def norm(x, gain, bias, eps):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps) * gain + bias

erf = np.vectorize(math.erf)
ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2))),
    "quick_gelu": lambda x: x / (1 + np.exp(-1.702 * x)),	# Marian's gelu before version 1.12.3
    "gelu_new": lambda x: x * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
}

def sinusoids(first, n, frequency):
    """[sines | cosines] of positions first, first + 1 ..."""
    angle = np.outer(np.arange(first, first + n), [frequency(i) for i in range(D // 2)])
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)

fairseq_frequency = lambda i: 10000.0 ** (-i / (D // 2 - 1))
paper_frequency = lambda i: 10000.0 ** (-2 * i / D)

def attend(q, k, v, causal, heads):
    """Rows of queries, keys and values of all heads side by side."""
    d, out = D // heads, np.zeros_like(q)
    for h in range(heads):
        part = slice(h * d, (h + 1) * d)
        score = q[:, part] @ k[:, part].T / math.sqrt(d)
        if causal:
            score[np.triu_indices(len(q), 1)] = -np.inf
        e = np.exp(score - score.max(-1, keepdims=True))
        out[:, part] = e / e.sum(-1, keepdims=True) @ v[:, part]
    return out

class Layout:
    """What a toolkit's tensors are: subclasses say how they are named, and how they are added up."""
    eps, pre, final, embed_norm, activation, scale = 1e-5, False, False, False, "relu", True
    heads = HEADS
    never = []		# rows that are no outputs: the softmax is over the others

    def __init__(self, tensors):
        self.t = {k: np.asarray(v, dtype=np.float64) for k, v in tensors.items()}

    def sublayer(self, x, f, gain, bias):
        if self.pre:
            return x + f(norm(x, gain, bias, self.eps))
        return norm(x + f(x), gain, bias, self.eps)

    def side(self, side, x, layers, memory=None):
        for i in range(layers):
            own = lambda y: self.attention(side, i, "self", y, y, memory is not None)
            x = self.sublayer(x, own, *self.attention_norm(side, i, "self"))
            if memory is not None:
                cross = lambda y: self.attention(side, i, "cross", y, memory, False)
                x = self.sublayer(x, cross, *self.attention_norm(side, i, "cross"))
            x = self.sublayer(x, lambda y: self.feed_forward(side, i, y), *self.ff_norm(side, i))
        return norm(x, *self.top_norm(side), self.eps) if self.final else x

    def attention(self, side, i, kind, x, memory, causal):
        p = lambda which, y: self.dense(side, i, kind, which, y)
        return p("o", attend(p("q", x), p("k", memory), p("v", memory), causal, self.heads))

    def feed_forward(self, side, i, x):
        return self.dense(side, i, "ff", 2, ACTIVATIONS[self.activation](self.dense(side, i, "ff", 1, x)))

    def embed(self, side, rows):
        """rows: of the table; None is the zero vector."""
        table = self.table(side)
        x = np.array([np.zeros(D) if r is None else table[r] for r in rows])
        x = x * (math.sqrt(D) if self.scale else 1) + self.positions(side, len(rows))
        return norm(x, *self.embedding_norm(side), self.eps) if self.embed_norm else x

    def log_probs(self, source, first, target, layers):
        """Of target[t], after first and target[0 .. t - 1]; source and target with their ends."""
        memory = self.side(0, self.embed(0, source), layers[0])
        h = self.side(1, self.embed(1, [first] + target[:-1]), layers[1], memory)
        logit = h @ self.output().T + self.output_bias()
        logit[:, self.never] = -np.inf
        top = logit.max(-1, keepdims=True)
        p = logit - top - np.log(np.exp(logit - top).sum(-1, keepdims=True))
        return [p[i, r] for i, r in enumerate(target)]

class Marian(Layout):
    """y = x W + b; biases are matrices of one row; eps is 1e-6; positions count from 0."""
    eps = 1e-6
    prefix = ["encoder", "decoder"]

    def name(self, side, i, rest):
        return "%s_l%d_%s" % (self.prefix[side], i + 1, rest)

    def dense(self, side, i, kind, which, x):
        if kind == "ff":
            w, b = "ffn_W%d" % which, "ffn_b%d" % which
        else:
            group = {"self": "self", "cross": "context"}[kind]
            w, b = "%s_W%s" % (group, which), "%s_b%s" % (group, which)
        return x @ self.t[self.name(side, i, w)] + self.t[self.name(side, i, b)]

    def pair(self, name):
        end = "_pre" if self.pre and not name.endswith("_top") else ""
        return self.t[name + "_ln_scale" + end], self.t[name + "_ln_bias" + end]

    def attention_norm(self, side, i, kind):
        return self.pair(self.name(side, i, {"self": "self_Wo", "cross": "context_Wo"}[kind]))

    def ff_norm(self, side, i):
        return self.pair(self.name(side, i, "ffn_ffn"))

    def top_norm(self, side):
        return self.pair(self.prefix[side] + "_top")

    def embedding_norm(self, side):
        name = self.prefix[side] + "_emb"
        return self.t[name + "_ln_scale_pre"], self.t[name + "_ln_bias_pre"]

    def table(self, side):
        return self.t["Wemb"] if "Wemb" in self.t else self.t[self.prefix[side] + "_Wemb"]

    def positions(self, side, n):
        return self.t["Wpos"][:n] if "Wpos" in self.t else sinusoids(0, n, fairseq_frequency)

    def output(self):
        if "decoder_ff_logit_out_W" in self.t:
            return self.t["decoder_ff_logit_out_W"].T
        return self.t.get("decoder_ff_logit_out_Wt", self.table(1))

    def output_bias(self):
        return self.t["decoder_ff_logit_out_b"]

class HuggingFace(Layout):
    """y = x W' + b; layers count from 0."""
    prefix = ["model.encoder", "model.decoder"]
    frequency, first = staticmethod(fairseq_frequency), 2

    def name(self, side, i, rest):
        return "%s.layers.%d.%s" % (self.prefix[side], i, rest)

    def dense(self, side, i, kind, which, x):
        if kind == "ff":
            name = "fc%d" % which
        else:
            part = {"q": "q_proj", "k": "k_proj", "v": "v_proj", "o": "out_proj"}[which]
            name = {"self": "self_attn.", "cross": "encoder_attn."}[kind] + part
        name = self.name(side, i, name)
        return x @ self.t[name + ".weight"].T + self.t[name + ".bias"]

    def pair(self, name):
        return self.t[name + ".weight"], self.t[name + ".bias"]

    def attention_norm(self, side, i, kind):
        return self.pair(self.name(side, i, {"self": "self_attn_layer_norm",
                                             "cross": "encoder_attn_layer_norm"}[kind]))

    def ff_norm(self, side, i):
        return self.pair(self.name(side, i, "final_layer_norm"))

    def top_norm(self, side):
        return self.pair(self.prefix[side] + ".layer_norm")

    def embedding_norm(self, side):
        return self.pair(self.prefix[side] + ".layernorm_embedding")

    def table(self, side):
        own = self.prefix[side] + ".embed_tokens.weight"
        return self.t[own] if own in self.t else self.t["model.shared.weight"]

    def positions(self, side, n):
        learned = self.prefix[side] + ".embed_positions.weight"
        if learned in self.t:
            return self.t[learned][2:2 + n]		# two rows come before the first
        return sinusoids(self.first, n, self.frequency)

    def output(self):
        return self.t.get("lm_head.weight", self.table(1))

    def output_bias(self):
        return self.t.get("final_logits_bias", 0)

class T5(Layout):
    """
    Raffel et al. 2020, from their text and the documentation of transformers: norms divide by the
    root of the mean of squares; scores are not divided, and have biases by distance; no positions.
    """
    width, gated, tied, per_layer, buckets, most = 3, False, True, False, 32, 128

    def rms(self, x, name):
        return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + 1e-6) * self.t[name + ".weight"]

    def bucket(self, distance, both):
        """Of a key so far after the query."""
        n, first = self.buckets, 0
        if both:
            n //= 2
            first = n if distance > 0 else 0
            distance = abs(distance)
        else:
            distance = max(-distance, 0)
        if distance < n // 2:
            return first + distance
        share = math.log(distance / (n // 2)) / math.log(self.most / (n // 2))
        return first + min(n - 1, n // 2 + int(share * (n - n // 2) + 1e-6))

    def heads_of(self, x, name):
        y = x @ self.t[name + ".weight"].T
        return y.reshape(len(x), -1, self.width).transpose(1, 0, 2)

    def attend(self, name, x, memory, biases=None, both=True):
        q, k, v = [self.heads_of(y, name + "." + w) for y, w in ((x, "q"), (memory, "k"), (memory, "v"))]
        score = q @ k.transpose(0, 2, 1)
        if biases is not None:
            for i in range(len(x)):
                for j in range(len(memory)):
                    score[:, i, j] += biases[self.bucket(j - i, both)]
                    if not both and j > i:
                        score[:, i, j] = -np.inf
        e = np.exp(score - score.max(-1, keepdims=True))
        out = (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), -1)
        return out @ self.t[name + ".o.weight"].T

    def side(self, side, x, layers, memory=None):
        for i in range(layers):
            p = "%s.block.%d.layer." % (["encoder", "decoder"][side], i)
            table = "%s.block.%d.layer.0.SelfAttention.relative_attention_bias.weight" % (
                ["encoder", "decoder"][side], i if self.per_layer else 0)
            y = self.rms(x, p + "0.layer_norm")
            x = x + self.attend(p + "0.SelfAttention", y, y, self.t[table], not side)
            if side:
                x = x + self.attend(p + "1.EncDecAttention", self.rms(x, p + "1.layer_norm"), memory)
            y = self.rms(x, p + "%d.layer_norm" % (1 + side))
            p += "%d.DenseReluDense." % (1 + side)
            f = ACTIVATIONS[self.activation]
            if self.gated:
                h = f(y @ self.t[p + "wi_0.weight"].T) * (y @ self.t[p + "wi_1.weight"].T)
            else:
                h = f(y @ self.t[p + "wi.weight"].T)
            x = x + h @ self.t[p + "wo.weight"].T
        return self.rms(x, ["encoder", "decoder"][side] + ".final_layer_norm")

    def embed(self, side, rows):
        return self.t["shared.weight"][rows]

    def output(self):
        return self.t["shared.weight"] / math.sqrt(D) if self.tied else self.t["lm_head.weight"]

    def output_bias(self):
        return 0


# ---- files ----------------------------------------------------------------------------------------

def write(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())

def write_json(path, value):
    write(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")

def npy(a):
    """As Marian's library writes it: version 1, a header that ends at a multiple of 16."""
    shape = ", ".join(str(n) for n in a.shape) + ("," if a.ndim == 1 else "")
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (a.dtype.str, shape)
    head += " " * (-(10 + len(head) + 1) % 16) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + a.tobytes()

def write_npz(path, tensors, settings, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, a in tensors.items():
            z.writestr(zipfile.ZipInfo(name + ".npy"), npy(a), method)
        text = np.frombuffer(settings.encode() + b"\0", dtype=np.int8)
        z.writestr(zipfile.ZipInfo("special:model.yml.npy"), npy(text), method)
    write(path, out.getvalue())

DTYPES = {"F32": "<f4", "F16": "<f2"}

def to_bf16(a):
    """The bits, rounded to nearest even, and the values that they stand for."""
    bits = np.asarray(a, dtype="<f4").view("<u4").astype(np.uint64)
    bits = ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype("<u2")
    return bits, (bits.astype("<u4") << 16).view("<f4")

def write_safetensors(path, tensors, dtype="F32"):
    """Returns the values that are in the file."""
    head, data, values = {"__metadata__": {"format": "pt"}}, b"", {}
    for name, a in tensors.items():
        if dtype == "BF16":
            bits, values[name] = to_bf16(a)
        else:
            bits = values[name] = np.asarray(a, dtype=DTYPES[dtype])
        raw = bits.tobytes()
        head[name] = {"dtype": dtype, "shape": list(a.shape),
                      "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    write(path, struct.pack("<Q", len(text)) + text + data)
    return values


# ---- random weights -------------------------------------------------------------------------------

class Random:
    def __init__(self, seed):
        self.r = np.random.RandomState(seed)

    def matrix(self, *shape):
        return (0.4 * self.r.standard_normal(shape)).astype("<f4")

    def gain(self, *shape):
        return (1 + 0.2 * self.r.standard_normal(shape)).astype("<f4")

    def ids(self, low, high, n):
        return [int(i) for i in self.r.randint(low, high, n)]

def marian_tensors(r, layers, pre="", ff=(FF, FF)):
    t = {}
    for side, prefix in enumerate(["encoder", "decoder"]):
        for i in range(1, layers[side] + 1):
            for group in ["self"] + ["context"] * side:
                for w in "qkvo":
                    t["%s_l%d_%s_W%s" % (prefix, i, group, w)] = r.matrix(D, D)
                    t["%s_l%d_%s_b%s" % (prefix, i, group, w)] = r.matrix(1, D)
                t["%s_l%d_%s_Wo_ln_scale%s" % (prefix, i, group, pre)] = r.gain(1, D)
                t["%s_l%d_%s_Wo_ln_bias%s" % (prefix, i, group, pre)] = r.matrix(1, D)
            p = "%s_l%d_ffn_" % (prefix, i)
            t[p + "W1"], t[p + "b1"] = r.matrix(D, ff[side]), r.matrix(1, ff[side])
            t[p + "W2"], t[p + "b2"] = r.matrix(ff[side], D), r.matrix(1, D)
            t[p + "ffn_ln_scale" + pre], t[p + "ffn_ln_bias" + pre] = r.gain(1, D), r.matrix(1, D)
    return t

def hf_tensors(r, layers, ff=(FF, FF)):
    t = {}
    def dense(name, out, width):
        t[name + ".weight"], t[name + ".bias"] = r.matrix(out, width), r.matrix(out)
    def layer_norm(name):
        t[name + ".weight"], t[name + ".bias"] = r.gain(D), r.matrix(D)
    for side, prefix in enumerate(["model.encoder", "model.decoder"]):
        for i in range(layers[side]):
            p = "%s.layers.%d." % (prefix, i)
            for kind in ["self_attn"] + ["encoder_attn"] * side:
                for w in ["k_proj", "v_proj", "q_proj", "out_proj"]:
                    dense(p + kind + "." + w, D, D)
                layer_norm(p + kind + "_layer_norm")
            dense(p + "fc1", ff[side], D)
            dense(p + "fc2", D, ff[side])
            layer_norm(p + "final_layer_norm")
    return t


# ---- models ---------------------------------------------------------------------------------------

def words_of(n, letters="abcdefghijklmnopqrstuvwxyz"):
    return ["\u2581" + letters[i] if i % 2 else letters[i] for i in range(n)]

def expect(name, model, layers, r, src, tgt, before=((), ()), first=None, eos=0, spoken=None,
           source_eos=True):
    """
    NAME.tsv: random sentences that have every row of both tables.  src, tgt: text by row, with None
    for rows that no subword has; before: rows of first tokens; spoken: how heed spells a text.
    """
    spoken = spoken or (lambda s: s)
    usable = [[i for i, s in enumerate(v) if s is not None] for v in (src, tgt)]
    lines = []
    for k in range(6):
        side = []
        for v in usable:
            some = v[k::6] + [v[i] for i in r.ids(0, len(v), 3)]
            side.append([some[i] for i in r.r.permutation(len(some))])
        source = list(before[0]) + side[0] + [eos] * source_eos
        target = list(before[1]) + side[1] + [eos]
        p = model.log_probs(source, first, target, layers)
        lines.append("%s\t%s\t%s\n" % (" ".join(spoken(src[i]) for i in side[0]),
                                       " ".join(spoken(tgt[i]) for i in side[1]),
                                       " ".join("%.9f" % x for x in p)))
    write("%s.tsv" % name, "".join(lines))

def yaml_vocab(words):
    return "".join("%s: %d\n" % (json.dumps(w, ensure_ascii=False), i) for i, w in enumerate(words))

SETTINGS = """\
dec-depth: %(dec)d
dim-emb: %(d)d
dim-vocabs:
  - %(src)d
  - %(tgt)d
enc-depth: %(enc)d
input-types:
  []
layer-normalization: false
right-left: false
skip: false
tied-embeddings: %(tied)s
tied-embeddings-all: %(all)s
tied-embeddings-src: false
transformer-decoder-autoreg: self-attention
transformer-decoder-dim-ffn: %(decff)d
transformer-dim-ffn: %(ff)d
transformer-ffn-activation: %(activation)s
transformer-ffn-depth: 2
transformer-heads: %(heads)d
transformer-no-projection: false
transformer-postprocess: %(post)s
transformer-postprocess-emb: %(emb)s
transformer-postprocess-top: "%(top)s"
transformer-preprocess: "%(pre)s"
transformer-tied-layers:
  []
transformer-train-position-embeddings: false
type: transformer
ulr: false
version: v1.9.0 2020-06-01
"""

def settings(**k):
    base = dict(enc=2, dec=2, d=D, ff=FF, decff=0, heads=HEADS, activation="swish", tied="true",
                all="false", post="dan", pre="", top="", emb="d")
    base.update(k)
    return SETTINGS % base

def spm(words):
    """A SentencePiece model, as far as its entries: field 1 of the model, whose fields are text, score and type."""
    out = b""
    for w in words:
        text = w.encode()
        entry = b"\x0a" + bytes([len(text)]) + text + b"\x15" + struct.pack("<f", -1.0)
        if w in ("<unk>", "<s>", "</s>"):
            entry += b"\x18" + (b"\x02" if w == "<unk>" else b"\x03")
        out += b"\x0a" + bytes([len(entry)]) + entry
    return out

def opus():
    """OPUS-MT: norms after layers, swish, one table for all, one vocabulary, SentencePiece files."""
    r = Random(1)
    words = ["</s>", "<unk>"] + words_of(16) + ["\u00a0x", "\"", "'", "a: b", "#", "- c"]
    t = marian_tensors(r, (2, 2))
    t["Wemb"], t["decoder_ff_logit_out_b"] = r.matrix(len(words), D), r.matrix(1, len(words))
    write_npz("opus/opus.bpe.npz", t, settings(all="true", src=len(words), tgt=len(words)))
    write("opus/opus.vocab.yml", yaml_vocab(words))
    write("opus/decoder.yml", "relative-paths: true\nmodels:\n  - opus.bpe.npz\nvocabs:\n  - opus.vocab.yml\n"
          "  - opus.vocab.yml\nbeam-size: 6\nnormalize: 0.6\nword-penalty: 0\nmini-batch: 1\n")
    write("opus/source.spm", spm(["<unk>", "</s>"] + words_of(16)))
    write("opus/target.spm", spm(["<unk>", "</s>"] + words_of(14)))
    m = Marian(t)
    m.activation = "swish"
    text = [None, None] + words[2:]
    text[words.index("a: b")] = None		# NAME.tsv has blanks between subwords
    text[words.index("- c")] = None
    expect("opus", m, (2, 2), r, text, text)

def pre():
    """Norms before layers and at the top, relu, a table for each side, a compressed file."""
    r = Random(2)
    src = ["</s>", "<unk>"] + words_of(12)
    tgt = ["</s>", "<unk>"] + words_of(17)
    t = marian_tensors(r, (1, 2), "_pre", (FF, 10))
    t["encoder_Wemb"], t["decoder_Wemb"] = r.matrix(len(src), D), r.matrix(len(tgt), D)
    t["decoder_ff_logit_out_b"] = r.matrix(1, len(tgt))
    for side in ["encoder", "decoder"]:
        t[side + "_top_ln_scale"], t[side + "_top_ln_bias"] = r.gain(1, D), r.matrix(1, D)
    write_npz("pre/model.npz", t, settings(activation="relu", pre="n", post="da", top="n", enc=1, decff=10,
                                           src=len(src), tgt=len(tgt)), zipfile.ZIP_DEFLATED)
    write("pre/vocab.src.yml", yaml_vocab(src))
    write("pre/vocab.trg.yml", yaml_vocab(tgt))
    m = Marian(t)
    m.pre = m.final = True
    expect("pre", m, (1, 2), r, [None, None] + src[2:], [None, None] + tgt[2:])

def untied():
    """Nothing tied, an output of [in, out] as in old files, gelu of version 1.9, a table of positions, norms of embeddings."""
    r = Random(3)
    src = ["</s>", "<unk>"] + words_of(10)
    tgt = ["</s>", "<unk>"] + words_of(11)
    t = marian_tensors(r, (1, 1))
    t["encoder_Wemb"], t["decoder_Wemb"] = r.matrix(len(src), D), r.matrix(len(tgt), D)
    t["decoder_ff_logit_out_W"], t["decoder_ff_logit_out_b"] = r.matrix(D, len(tgt)), r.matrix(1, len(tgt))
    t["Wpos"] = r.matrix(20, D)
    for side in ["encoder", "decoder"]:
        t[side + "_emb_ln_scale_pre"], t[side + "_emb_ln_bias_pre"] = r.gain(1, D), r.matrix(1, D)
    write_npz("untied/model.npz", t, settings(activation="gelu", tied="false", emb="nd", enc=1, dec=1,
                                              src=len(src), tgt=len(tgt)))
    write("untied/source.vocab", "".join(w + "\n" for w in src))
    write("untied/target.vocab", "".join(w + "\n" for w in tgt))
    m = Marian(t)
    m.activation, m.embed_norm, m.scale = "quick_gelu", True, False
    expect("untied", m, (1, 1), r, [None, None] + src[2:], [None, None] + tgt[2:])

def config(kind, layers, **k):
    c = dict(model_type=kind, d_model=D, encoder_layers=layers[0], decoder_layers=layers[1],
             encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=FF,
             decoder_ffn_dim=FF, dropout=0.1, attention_dropout=0.0, activation_dropout=0.0,
             is_encoder_decoder=True, num_beams=4)
    c.update(k)
    return c

def marianmt(name, dtype, shards):
    """
    MarianMT: a zero row of padding, which the decoder reads first and never generates; sinusoids of the paper.
    """
    r = Random(4)
    words = ["</s>", "<unk>"] + words_of(18) + ["<pad>"]
    pad = len(words) - 1
    t = hf_tensors(r, (2, 1))
    t["model.shared.weight"] = r.matrix(len(words), D)
    t["model.shared.weight"][pad] = 0
    t["final_logits_bias"] = r.matrix(1, len(words))
    t["final_logits_bias"][0, pad] = 0
    values = {}
    if shards:
        names, index = list(t), {}
        for k in range(2):
            file = "model-%05d-of-00002.safetensors" % (k + 1)
            part = {n: t[n] for n in names[k::2]}
            values.update(write_safetensors("%s/%s" % (name, file), part, dtype))
            index.update({n: file for n in part})
        write_json(name + "/model.safetensors.index.json", {"metadata": {}, "weight_map": index})
    else:
        extra = dict(t)
        extra["lm_head.weight"] = t["model.shared.weight"]
        extra["model.encoder.embed_positions.weight"] = sinusoids(0, 64, paper_frequency)
        values = write_safetensors(name + "/model.safetensors", extra, dtype)
    write_json(name + "/config.json", config("marian", (2, 1), activation_function="swish",
               scale_embedding=True, vocab_size=len(words), pad_token_id=pad, eos_token_id=0,
               bos_token_id=0, decoder_start_token_id=pad, max_position_embeddings=64))
    write_json(name + "/generation_config.json", {"num_beams": 6, "bad_words_ids": [[pad]],
                                                 "renormalize_logits": True})
    write_json(name + "/vocab.json", {w: i for i, w in enumerate(words)})
    values.pop("model.encoder.embed_positions.weight", None)	# rounded; they are computed instead
    m = HuggingFace(values)
    m.activation, m.frequency, m.first, m.never = "swish", paper_frequency, 0, [pad]
    text = [None, None] + words[2:-1] + [None]
    expect(name, m, (2, 1), r, text, text, first=pad)

def fsmt():
    """FSMT: two vocabularies, whose last subwords of words end in </w>, and BPE merges."""
    r = Random(5)
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    src = special + ["l", "o", "w</w>", "lo", "low</w>", "e", "r</w>", "er</w>", "n", "ne", "w", ".</w>"]
    tgt = special + ["t", "i", "e", "f</w>", "ti", "tie", "tief</w>", "r</w>", "er</w>", ".</w>"]
    t = hf_tensors(r, (1, 2), (FF, 10))
    t["model.encoder.embed_tokens.weight"] = r.matrix(len(src), D)
    t["model.decoder.embed_tokens.weight"] = r.matrix(len(tgt), D)
    for side in ["encoder", "decoder"]:
        t["model.%s.embed_tokens.weight" % side][1] = 0
    t["model.decoder.output_projection.weight"] = t["model.decoder.embed_tokens.weight"]
    values = write_safetensors("fsmt/model.safetensors", t)
    write_json("fsmt/config.json", config("fsmt", (1, 2), decoder_ffn_dim=10, activation_function="relu",
               scale_embedding=True, src_vocab_size=len(src), tgt_vocab_size=len(tgt), bos_token_id=0,
               pad_token_id=1, eos_token_id=2, decoder_start_token_id=2, tie_word_embeddings=False,
               max_position_embeddings=128, length_penalty=1.1, langs=["en", "de"]))
    write_json("fsmt/vocab-src.json", {w: i for i, w in enumerate(src)})
    write_json("fsmt/vocab-tgt.json", {w: i for i, w in enumerate(tgt)})
    write("fsmt/merges.txt", "l o\nlo w</w>\ne r</w>\nn e\nt i\nti e\ntie f</w>\n")
    m = HuggingFace(values)
    spoken = lambda s: s[:-4] if s.endswith("</w>") else s + "@@"
    expect("fsmt", m, (1, 2), r, [None] * 4 + src[4:], [None] * 4 + tgt[4:], first=2, eos=2, spoken=spoken)

def m2m(name, dtype, tokenizer):
    """M2M100: norms before layers; languages after the vocabulary, and rows that no text has."""
    r = Random(6)
    words = ["<s>", "<pad>", "</s>", "<unk>"] + words_of(14)
    languages = ["__de__", "__en__", "__fr__"]
    n = len(words) + len(languages) + 2
    t = hf_tensors(r, (1, 1))
    t["model.shared.weight"] = r.matrix(n, D)
    t["model.shared.weight"][1] = 0
    for side in ["encoder", "decoder"]:
        t["model.%s.layer_norm.weight" % side] = r.gain(D)
        t["model.%s.layer_norm.bias" % side] = r.matrix(D)
    values = write_safetensors(name + "/model.safetensors", t, dtype)
    write_json(name + "/config.json", config("m2m_100", (1, 1), activation_function="relu", scale_embedding=True,
               vocab_size=n, bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2,
               max_position_embeddings=100, num_beams=5))
    if tokenizer:
        write_json(name + "/tokenizer.json", {
            "version": "1.0", "model": {"type": "BPE", "vocab": {w: i for i, w in enumerate(words)}},
            "added_tokens": [{"id": len(words) + i, "content": w, "special": True}
                             for i, w in enumerate(languages)] + [{"id": 2, "content": "</s>"}]})
    else:
        write_json(name + "/vocab.json", {w: i for i, w in enumerate(words)})
        write_json(name + "/special_tokens_map.json", {"eos_token": "</s>",
                   "additional_special_tokens": languages})
    write(name + "/sentencepiece.bpe.model", spm(["<unk>", "<s>", "</s>"] + words_of(14)))
    m = HuggingFace(values)
    m.pre = m.final = True
    text = [None] * 4 + words[4:] + [None] * 3 + ["<row-%d>" % i for i in (n - 2, n - 1)]
    en, de = len(words) + 1, len(words)
    expect(name, m, (1, 1), r, text, text, before=([en], [de]), first=2, eos=2)

def bart(name, kind, activation):
    """BART and mBART: tables of positions from the third row on, norms of embeddings."""
    r = Random(7)
    words = ["<s>", "<pad>", "</s>", "<unk>"] + words_of(15) + ["en_XX", "de_DE"]
    t = hf_tensors(r, (1, 1))
    t["model.shared.weight"] = r.matrix(len(words), D)
    t["model.shared.weight"][1] = 0
    t["final_logits_bias"] = r.matrix(1, len(words))
    for side in ["encoder", "decoder"]:
        for what in ["layernorm_embedding"] + ["layer_norm"] * (kind == "mbart"):
            t["model.%s.%s.weight" % (side, what)] = r.gain(D)
            t["model.%s.%s.bias" % (side, what)] = r.matrix(D)
        t["model.%s.embed_positions.weight" % side] = r.matrix(42, D)
    values = write_safetensors(name + "/model.safetensors", t)
    forced = 0 if kind == "bart" else words.index("de_DE")
    write_json(name + "/config.json", config(kind, (1, 1), activation_function=activation,
               scale_embedding=kind == "mbart", vocab_size=len(words), bos_token_id=0, pad_token_id=1,
               eos_token_id=2, decoder_start_token_id=2, max_position_embeddings=40,
               forced_bos_token_id=forced))
    write_json(name + "/tokenizer.json", {"model": {"type": "Unigram", "vocab": [[w, -1.5] for w in words]},
                                          "added_tokens": []})
    if kind == "mbart":
        write_json(name + "/tokenizer_config.json", {"tokenizer_class": "MBart50Tokenizer"})
    m = HuggingFace(values)
    m.activation, m.embed_norm, m.scale = activation, True, kind == "mbart"
    m.pre = m.final = kind == "mbart"
    text = [None] * 4 + words[4:19] + [None] * 2
    before = ([0], [0]) if kind == "bart" else ([words.index("en_XX")], [forced])
    expect(name, m, (1, 1), r, text, text, before=before, first=2, eos=2)

# What the special tokens of a BART can be.
ROLES = [
    dict(pad=0, bos=1, eos=2, start=1),			# the start is an entry and an output
    dict(pad=0, bos=1, eos=2, start=1, forced=1),
    dict(pad=0, bos=1, eos=2, start=5, forced=6),
    dict(pad=0, bos=7, eos=2, start=2),			# sources begin with a subword
    dict(pad=0, bos=1, eos=2, start=0),			# padding that is not a zero vector
    dict(pad=2, bos=1, eos=2, start=2),
    dict(pad=2, bos=1, eos=2, start=3, forced=1),	# <unk>
]

def greedy(m, source, role, most):
    """The rows that are most probable, as far as the search may choose, and their log-probability."""
    out, total = [role["forced"]] if "forced" in role else [], 0
    given = len(out)
    while role["eos"] not in out[given:]:
        p = [m.log_probs(source, role["start"], out + [i], (1, 1))[-1] for i in range(len(m.table(0)))]
        if len(out) - given == most:
            best = role["eos"]
        else:
            usable = [i for i in range(len(p)) if i != role["eos"] or len(out) > given]
            best = max(usable, key=lambda i: p[i])
        out.append(best)
        total += p[best]
    return out[given:-1], total

def roles():
    """
    A model whose sides have one table and two vocabularies.  roles.tsv: settings, the subwords of a
    source, those of the greedy translation of at most 8, and its log-probability.
    """
    r = Random(8)
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    src = special + words_of(14)
    tgt = special + words_of(14, "zyxwvutsrqponmlkjihgfedcba")
    t = hf_tensors(r, (1, 1))
    t["model.shared.weight"] = r.matrix(len(src), D)
    t["final_logits_bias"] = r.matrix(1, len(src))
    for side in ["encoder", "decoder"]:
        t["model.%s.layernorm_embedding.weight" % side] = r.gain(D)
        t["model.%s.layernorm_embedding.bias" % side] = r.matrix(D)
        t["model.%s.embed_positions.weight" % side] = 3 * r.matrix(42, D)
    t["final_logits_bias"][0, :2] += [-3, 1]
    values = write_safetensors("roles/model.safetensors", t)
    m = HuggingFace(values)
    m.activation, m.embed_norm, m.scale = "gelu", True, False
    lines = []
    for role in ROLES:
        names = dict(pad="pad_token_id", bos="bos_token_id", eos="eos_token_id",
                     start="decoder_start_token_id", forced="forced_bos_token_id")
        c = config("bart", (1, 1), activation_function="gelu", scale_embedding=False,
                   vocab_size=len(src), max_position_embeddings=40,
                   **{names[k]: v for k, v in role.items()})
        if role == ROLES[0]:
            write_json("roles/config.json", c)
        unread = {role["pad"]} - {role["eos"]}
        for k in range(4):
            rows = r.ids(4, len(src), 6)
            out, total = greedy(m, [role["bos"]] + rows + [role["eos"]], role, 8)
            assert not unread & set(out)	# heed never produces padding
            lines.append("%s\t%s\t%s\t%.9f\n" % (
                json.dumps({names[k]: v for k, v in role.items()}),
                " ".join(src[i] for i in rows), " ".join(tgt[i] for i in out), total))
    write("roles.tsv", "".join(lines))
    for name, words in [("vocab.json", src), ("target_vocab.json", tgt)]:
        write_json("roles/" + name, {w: i for i, w in enumerate(words)})

def t5_tensors(r, layers, heads, width, buckets, gated, per_layer):
    t = {}
    def attention(name, biases):
        for w in "qkv":
            t["%s.%s.weight" % (name, w)] = r.matrix(heads * width, D)
        t[name + ".o.weight"] = r.matrix(D, heads * width)
        if biases:
            t[name + ".relative_attention_bias.weight"] = r.matrix(buckets, heads)
    for side, prefix in enumerate(["encoder", "decoder"]):
        for i in range(layers[side]):
            p = "%s.block.%d.layer." % (prefix, i)
            attention(p + "0.SelfAttention", i == 0 or per_layer)
            if side:
                attention(p + "1.EncDecAttention", False)
            for w in ["wi_0", "wi_1"] if gated else ["wi"]:
                t[p + "%d.DenseReluDense.%s.weight" % (1 + side, w)] = r.matrix(FF, D)
            t[p + "%d.DenseReluDense.wo.weight" % (1 + side)] = r.matrix(D, FF)
            for k in range(2 + side):
                t[p + "%d.layer_norm.weight" % k] = r.gain(D)
        t[prefix + ".final_layer_norm.weight"] = r.gain(D)
    return t

def t5(name, kind, r, layers, words, rows, activation, gated, tied, dtype="F32", shards=1, width=3,
       buckets=32, most=128, pad=0, eos=1, tokenizer=False, some=None, **more):
    """
    words: of the SentencePiece model or of tokenizer.json, or bytes, without a file; the last of
    `rows` rows have no text.  some: rows of the sentences of NAME.tsv, by default all.
    """
    t = t5_tensors(r, layers, HEADS, width, buckets, gated, kind == "umt5")
    t["shared.weight"] = r.matrix(rows, D)
    if not tied:
        t["lm_head.weight"] = r.matrix(rows, D)
    values, names, index = {}, list(t), {}
    for k in range(shards):
        file = "model-%05d-of-%05d.safetensors" % (k + 1, shards) if shards > 1 else "model.safetensors"
        part = {n: t[n] for n in names[k::shards]}
        if shards == 1 and tied:	# as files converted from PyTorch have them
            part["encoder.embed_tokens.weight"] = part["decoder.embed_tokens.weight"] = t["shared.weight"]
            part["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] = r.matrix(buckets, HEADS)
        values.update(write_safetensors("%s/%s" % (name, file), part, dtype))
        index.update({n: file for n in part})
    if shards > 1:
        write_json(name + "/model.safetensors.index.json", {"metadata": {}, "weight_map": index})
    c = dict(model_type=kind, d_model=D, d_kv=width, d_ff=FF, num_heads=HEADS, num_layers=layers[0],
             num_decoder_layers=layers[1], relative_attention_num_buckets=buckets,
             relative_attention_max_distance=most, dropout_rate=0.1, layer_norm_epsilon=1e-6,
             feed_forward_proj=("gated-" if gated else "") + activation, tie_word_embeddings=tied,
             vocab_size=rows, pad_token_id=pad, eos_token_id=eos, decoder_start_token_id=0)
    write_json(name + "/config.json", c)
    if tokenizer:
        write_json(name + "/tokenizer.json", {
            "added_tokens": [], "model": {"type": "Unigram", "vocab": [[w, -1.5] for w in words]},
            "post_processor": {"type": "TemplateProcessing", "single": [
                {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}]}})
    elif "ByT5" not in more.get("tokenizer_class", ""):
        write(name + "/spiece.model", spm(words))
    if more:
        write_json(name + "/tokenizer_config.json", more)
    m = T5(values)
    m.width, m.gated, m.tied, m.per_layer, m.buckets, m.most = width, gated, tied, kind == "umt5", buckets, most
    m.activation = {"gelu": "gelu_new", "silu": "swish"}.get(activation, activation)
    text = words + ["<row-%d>" % i for i in range(len(words), rows)]
    for i in range(more.get("extra_ids", 0)):
        text[len(words) + more["extra_ids"] - 1 - i] = "<extra_id_%d>" % i
    text[:4] = [None] * 4
    if some:
        text = [x if i in some else None for i, x in enumerate(text)]
    expect(name, m, layers, r, text, text, first=0, eos=eos)

def t5s():
    """T5 as first published; T5 1.1 with MADLAD-400's special tokens; UMT5; ByT5."""
    t5("t5", "t5", Random(11), (2, 3), ["<pad>", "</s>", "<unk>"] + words_of(16), 24, "relu", False,
       True, tokenizer_class="T5Tokenizer", extra_ids=3)
    t5("t5-gated", "t5", Random(12), (1, 2), ["<unk>", "<s>", "</s>"] + words_of(18) + ["<2de>"], 23,
       "gelu", True, False, "F16", 2, width=5, buckets=8, most=10, pad=1, eos=2,
       tokenizer=True)
    t5("umt5", "umt5", Random(13), (2, 2), ["<pad>", "</s>", "<unk>", "<s>"] + words_of(20), 24,
       "silu", True, False, "BF16", width=4, buckets=8, most=6, tokenizer=True)
    # numbers 3 to 258 are the bytes; heed writes a space as U+2581, and other bytes like <0x0A>
    spoken = ["\u2581" if b == 32 else chr(b) if 32 < b < 127 else "<0x%02X>" % b for b in range(256)]
    t5("byt5", "t5", Random(14), (2, 1), ["<pad>", "</s>", "<unk>"] + spoken +
       ["<extra_id_%d>" % i for i in range(2)], 262, "gelu", True, False, width=5,
       some=[i for i in range(262) if i % 7 == 0 or 32 <= i - 3 < 48 or i > 258],
       added_tokens_decoder={str(i): {"content": t} for i, t in
                             [(0, "<pad>"), (1, "</s>"), (2, "<unk>"), (259, "<extra_id_0>"), (260, "<extra_id_1>")]},
       tokenizer_class="ByT5Tokenizer")

if __name__ == "__main__":
    import ct2
    for name in os.listdir("."):
        if os.path.isdir(name):
            shutil.rmtree(name)
    opus()
    pre()
    untied()
    marianmt("marianmt", "F32", True)
    marianmt("marianmt-f16", "F16", False)
    fsmt()
    m2m("m2m", "F32", False)
    m2m("nllb-bf16", "BF16", True)
    bart("bart", "bart", "gelu")
    bart("mbart", "mbart", "gelu_new")
    roles()
    t5s()
    ct2.make()
