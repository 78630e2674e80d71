#!/bin/sh
# switches: settings of models that were trained elsewhere, through training, scoring and decoding.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 44

pairs 300 1 train; pairs 40 2 dev

# agrees NAME: scores of greedy translations, without a length penalty, are those of nmt-score
agrees() {
	nmt-translate -q --precision fp32 --no-pg --beam 1 --length-penalty 0 -m $1.tar dev.heed | heed-show |
	    perl -MJSON::PP -ne '
		my $r = decode_json($_);
		$r->{"tgt.pieces"} = $r->{"hyp.pieces"} if ref $r eq "HASH";
		print encode_json($r), "\n"' | heed-pack -j > own.heed
	nmt-score -q --no-pg -m $1.tar own.heed | heed-show -f hyp.score,score |
	    computes - '{ d = $1 - $2; n++; bad += d > 1e-4 || d < -1e-4 } END { exit n != 40 || bad }'
}
# near_fp32 PRECISION NAME: mean score of the references, at most one percent from that in fp32
near_fp32() {
	for p in fp32 $1; do
		nmt-score -q --precision $p -m $2.tar dev.heed | heed-show -f score |
		    awk '{ s += $1 } END { printf "%.9g\n", s }'
	done | xargs | computes - '{ exit !($1 < 0 && $2 / $1 > 0.99 && $2 / $1 < 1.01 && $1 != $2) }'
}

while read -r name arch; do
	runs toy --dev dev.heed --validate-every 150 --updates 150 --log $name.log -o $name.tar \
	    --arch "$arch" train.heed 2> err
	say $? "$name: a training with $arch"
	rows dev.nll $name.log | tail -n 1 | computes - '{ exit !($1 < 2) }'; say $? '... learns'
	agrees $name; say $? '... search and nmt-score give its translations the same probability'
	for p in bf16 int16 int8; do
		near_fp32 $p $name; say $? "... $p scores nearly as fp32"
	done
done <<END
swish activation=swish,positions=huggingface,position_first=0,first=zero
gelu activation=gelu,positions=learned,embed_scale=one,embed_norm=on
gelu_sigmoid activation=gelu_sigmoid
gelu_tanh activation=gelu_tanh,pre_norm=on,final_norm=on,dec_ff=32
t5 activation=gelu_tanh,pre_norm=on,final_norm=on,head_width=12,score_scale=one,ff_gate=on,no_bias=on,norm=rms,output_scale=sqrt,init=t5
END

nmt-info gelu.tar | matches -x 'config.activation	gelu' &&
    nmt-info gelu.tar | matches -x 'config.embed_norm	on' &&
    nmt-info gelu.tar | matches '^parameter	src.position.weight	1024x32'
say $? 'nmt-info prints these settings, and the tables of positions'
toy --updates 1 -o plain.tar train.heed
nmt-info plain.tar | matches 'activation\|dec_ff\|embed_scale\|embed_norm'; that $? = 1
say $? 'but not where they are off'

for m in gelu gelu_sigmoid t5; do
	runs head-lrp -q -m $m.tar dev.heed > lrp.tsv 2> err && that -s lrp.tsv; say $? "head-lrp takes a model with $m"
done
runs head-stat -q -m swish.tar dev.heed > stat.tsv 2> err && that -s stat.tsv; say $? 'head-stat does'
head-prune -q -m gelu_tanh.tar --heads enc-self.1:1 -o pruned.tar 2> err &&
    nmt-score -q -m pruned.tar dev.heed | heed-show -f score > pruned &&
    nmt-score -q --mask-heads enc-self.1:1 -m gelu_tanh.tar dev.heed | heed-show -f score > masked
equals pruned masked; say $? 'a pruned model scores as the one with a masked head'
runs toy --updates 3 -o again.tar --init gelu.tar train.heed 2> err && nmt-info again.tar |
    matches -x 'config.positions	learned'; say $? 'training continues such a model'
for p in swish gelu; do
	runs toy --updates 5 --precision bf16 --arch activation=$p -o bf16.tar train.heed 2> err
	say $? "training in bf16 with $p"
	toy -t 2 --updates 5 --precision bf16 --arch activation=$p -o two.tar train.heed 2> err
	equals bf16.tar two.tar; say $? '... gives the same bytes with two threads'
done
exits 2 'an unknown activation is refused' toy --updates 1 --arch activation=tanh -o x.tar train.heed
matches 'relu.*swish.*gelu' err; say $? '... with a list of those there are'
