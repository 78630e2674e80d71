#!/usr/bin/python3
# make.py: small models with random weights, as transformers 5 saves them, and the log-probabilities
# that it computes for a few targets.
#
#	cd tests/data/transformers && python3 make.py
#
# (transformers 5.24, torch and sentencepiece of PyPI.)  The models of ../import have the layouts of
# transformers 4, and are made without it.  NAME.tsv is that of ../import/make.py.
import json, os, random, shutil
import sentencepiece, torch
from safetensors.torch import load_file, save_file
from transformers import (M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer, MT5Config,
                          MT5ForConditionalGeneration, T5Config, T5ForConditionalGeneration)

T5_SIZES = dict(vocab_size=16, d_model=8, d_kv=3, d_ff=6, num_layers=1, num_heads=2, pad_token_id=0,
                relative_attention_num_buckets=8, eos_token_id=1, decoder_start_token_id=0,
                feed_forward_proj="gated-gelu")


def save(name, model):
    """Random weights in the scale of trained ones."""
    shutil.rmtree(name, ignore_errors=True)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape) * 0.4)
    model.save_pretrained(name)

def settings(name, **changed):
    """Changes settings of config.json; None removes one."""
    with open(name + "/config.json") as f:
        c = json.load(f) | changed
    with open(name + "/config.json", "w") as f:
        json.dump({k: v for k, v in c.items() if v is not None}, f, indent=1)

def own_output(name):
    """Adds a table for the output, as T5 1.1 and its successors have it."""
    file = name + "/model.safetensors"
    tensors = load_file(file)
    save_file(tensors | {"lm_head.weight": torch.randn(tensors["shared.weight"].shape) * 0.4}, file, {"format": "pt"})

def expect(name, kind, texts, start, source_first=(), target_first=()):
    """NAME.tsv: six random sentences; the log-probability includes first tokens and the end."""
    model, r, lines = kind.from_pretrained(name).double().eval(), random.Random(1), []
    end = model.config.eos_token_id
    for _ in range(6):
        source, target = [[r.choice(sorted(texts)) for _ in range(r.randint(2, 6))] for _ in range(2)]
        out = [*target_first, *target, end]
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([[*source_first, *source, end]]),
                           decoder_input_ids=torch.tensor([[start] + out[:-1]])).logits[0]
        p = logits.log_softmax(-1)[range(len(out)), out].tolist()
        lines.append("%s\t%s\t%s\n" % (" ".join(texts[i] for i in source), " ".join(texts[i] for i in target),
                                       " ".join("%.8f" % x for x in p)))
    with open(name + ".tsv", "w") as f:
        f.write("".join(lines))

def t5(name, kind):
    words = ["<pad>", "</s>", "<unk>"] + ["w%d" % i for i in range(13)]
    with open(name + "/vocab.json", "w") as f:
        json.dump({w: i for i, w in enumerate(words)}, f)
    expect(name, kind, dict(enumerate(words[3:], 3)), 0)

def t5s():
    """FLAN-T5: published with transformers 4, saved again by 5.  mT5: never divides the decoder output."""
    save("flan", T5ForConditionalGeneration(T5Config(**T5_SIZES)))
    own_output("flan")
    settings("flan", tie_word_embeddings=False, scale_decoder_outputs=None, transformers_version="4.57.6")
    model = T5ForConditionalGeneration.from_pretrained("flan")
    shutil.rmtree("flan")
    model.save_pretrained("flan")
    t5("flan", T5ForConditionalGeneration)
    save("mt5", MT5ForConditionalGeneration(MT5Config(**T5_SIZES)))
    t5("mt5", MT5ForConditionalGeneration)

def m2m():
    """M2M100 with the tokens of few languages, which the tokenizer is given, so that it saves them."""
    words = ["haus", "hund", "baum", "auto", "rot", "blau", "der", "die"]
    with open("text", "w") as f:
        f.writelines(" ".join(random.Random(i).choices(words, k=8)) + "\n" for i in range(200))
    sentencepiece.SentencePieceTrainer.train(
        input="text", model_prefix="m2m", vocab_size=30, model_type="bpe", minloglevel=2,
        hard_vocab_limit=False, normalization_rule_name="identity")
    spm = sentencepiece.SentencePieceProcessor(model_file="m2m.model")
    entries = ["<s>", "<pad>", "</s>", "<unk>"] + [spm.id_to_piece(i) for i in range(3, spm.get_piece_size())]
    with open("vocab.json", "w") as f:
        json.dump({w: i for i, w in enumerate(entries)}, f)
    languages = ["__%s__" % x for x in ["en", "ha", "is", "ja", "cs", "ru", "zh", "de"]]
    tokenizer = M2M100Tokenizer("vocab.json", "m2m.model", src_lang="en", tgt_lang="de", language_codes="wmt21",
                                additional_special_tokens=languages)
    save("m2m", M2M100ForConditionalGeneration(M2M100Config(
        d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=6, decoder_ffn_dim=6, max_position_embeddings=32, vocab_size=len(entries) + 16,
        decoder_start_token_id=2)))
    tokenizer.save_pretrained("m2m")
    for name in ["text", "vocab.json", "m2m.model", "m2m.vocab"]:
        os.remove(name)
    first = [[tokenizer.convert_tokens_to_ids("__%s__" % x)] for x in ["en", "de"]]
    expect("m2m", M2M100ForConditionalGeneration, dict(enumerate(entries[4:], 4)), 2, *first)

if __name__ == "__main__":
    torch.manual_seed(1)
    t5s()
    m2m()
