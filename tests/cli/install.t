#!/bin/sh
# install: "make install" into a folder, what it installs, and "make uninstall".
. "$HEED_TOP/tests/lib.sh"

if [ "${HEED_MODE:-release}" != release ]; then
	echo "1..0 # SKIP programs with sanitizers are not installed"
	exit
fi
plan 62
here=$(dirname "$(command -v heed)")
to=$scratch/stage opt=$scratch/stage/opt/heed
# The build makes all files before the tests (test-programs); here they are only copied.
run_make() { make -s -C "$HEED_TOP" PREFIX=/opt/heed DESTDIR="$to" "$@" > out 2> err; r=$?; }

run_make uninstall; that $r != 0 && matches 'heed is not installed here' err; say $? 'uninstall: nothing is installed'
run_make install; that $r = 0; say $? 'make install'
for program in "$here"/*; do [ -x "$opt/bin/${program##*/}" ] || echo "${program##*/}"; done > missing
that ! -s missing; say $? 'all programs are installed'; sed 's/^/# /' missing
(cd "$to" && find . ! -type d | sed 's/^\.//' | sort) > found
grep -v /share/heed/manifest found | equals - "$opt/share/heed/manifest"; say $? 'share/heed/manifest lists all files'
for page in "$HEED_TOP"/man/*.[0-9]; do [ -s "$opt/share/man/man${page##*.}/${page##*/}" ] || echo "${page##*/}"; done > missing
that ! -s missing; say $? 'all manual pages are installed'; sed 's/^/# /' missing

# --- programs ---
that "$(du -cb "$opt/bin" "$opt/lib" | sed -n 's/\ttotal//p')" -lt 15000000; say $? 'programs and library have less than 15 MB'
printf 'the man who runs sees a big dog\n' > text.en
# alike 'COMMAND': the installed program prints what the program in bin/ prints
alike() {
	"$here/"$1 > want 2> /dev/null && "$opt/bin/"$1 > got 2> err && that -s want && equals want got; r=$?
	say $r "installed: $1"; that $r = 0 || sed 's/^/# /' err
}
alike 'parse -q --to conllu --tokens text.en'
alike 'parse -q --pcfg --to ptb --tokens text.en'
alike 'heed-pack -q text.en'
got=0; "$opt/bin/parse" -l xx text.en > out 2> err || got=$?
that $got = 2 && matches 'no parser for language xx in .*/share/heed/.*, expected one of: de en' err
say $? 'a language without a parser is a usage error'
got=0; "$opt/bin/parse" -l ../models/en text.en > out 2> err || got=$?; that $got = 2; say $? '... and is no path'

# Parts that only some programs have: librsvg, libmicrohttpd, libsentencepiece and libmecab.
printf 'name\tlayer\thead\tx\n' > none
needed() { readelf -d "$opt/bin/$1" | grep NEEDED; }
if nm "$here/head-map" | grep -q rsvg_handle; then
	needed head-map | matches librsvg && needed heed-show | lacks librsvg; say $? 'only programs with PNG load librsvg'
	. "$HEED_TOP/tests/toy-model.sh"
	"$here/nmt-train" -q --size tiny --updates 1 -c codes -o toy.tar t.heed 2> /dev/null
	alike 'head-map -m toy.tar --to png t.heed'
else
	for i in 1 2; do say 0 "PNG # SKIP built without librsvg"; done
fi
if nm "$here/heed-explore" | grep -q MHD_start_daemon; then
	needed heed-explore | matches libmicrohttpd && needed head-map | lacks libmicrohttpd; say $? 'only the program with a server loads libmicrohttpd'
else
	say 0 "the server # SKIP built without libmicrohttpd"
fi
if "$here/bpe-apply" --text --spm "$HEED_TOP/tests/data/spm/unigram.model" < text.en > /dev/null 2>&1; then
	needed bpe-apply | matches libsentencepiece && needed heed-show | lacks libsentencepiece; say $? 'only programs with models load libsentencepiece'
	alike "bpe-apply --text --spm $HEED_TOP/tests/data/spm/unigram.model text.en"
else
	for i in 1 2; do say 0 "SentencePiece # SKIP built without libsentencepiece"; done
fi
if nm "$here/bleu" | grep -q mecab_sparse; then
	needed bleu | matches libmecab && needed heed-table | lacks libmecab; say $? 'only programs with tokenizers load libmecab'
else
	say 0 "MeCab # SKIP built without libmecab"
fi

# --- library ---
nm -D --defined-only "$opt/lib/libheed.so.0" | awk '{ print $3 }' > exported
that "$(grep -c '@@HEED_0$' exported)" -gt 100 && matches '^reader_next@@HEED_0$' exported; say $? 'functions of the headers are exported'
grep -v '@@HEED_0$\|@@HEED_PRIVATE_' exported | lacks -v '^HEED_'; say $? '... others only for the programs'
cc=${CC:-cc}
flags=$(runs env PKG_CONFIG_PATH=$opt/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$to pkg-config --cflags --libs heed); say $? 'pkg-config knows heed'
that "$(PKG_CONFIG_PATH=$opt/lib/pkgconfig pkg-config --modversion heed)" = "$(cat "$HEED_TOP/VERSION")"; say $? '... and its version'
version=$(cat "$HEED_TOP/VERSION")
matches -x "version: $version" "$HEED_TOP/CITATION.cff"; say $? 'CITATION.cff has the version'
head -n 1 "$HEED_TOP/debian/changelog" | matches "^heed ($version)"; say $? 'debian/changelog has the version'
awk -f "$HEED_TOP/tests/example.awk" "$HEED_TOP/man/heed.3" > lengths.c
runs $cc -Wall -Werror -o lengths lengths.c $flags 2> err; say $? 'the program of heed(3) compiles'
printf 'a b c\nd e\n' > ab.en; "$here/heed-pack" -q ab.en | "$here/bpe-apply" -q --merges 0 -c /dev/null > ab.heed 2> /dev/null ||
	{ printf '#version: 0.2\n' > no-codes; "$here/heed-pack" -q ab.en | "$here/bpe-apply" -c no-codes > ab.heed; }
"$here/heed-show" -f src.pieces ab.heed | awk '{ print NF }' > want
LD_LIBRARY_PATH=$opt/lib ./lengths ab.heed > got 2> err; that -s want && equals want got; say $? '... and runs'
head -c 40 ab.heed > cut.heed; got=0; LD_LIBRARY_PATH=$opt/lib ./lengths cut.heed > out 2> err || got=$?
that $got = 3 && matches 'cut.heed' err; say $? '... and reports a truncated stream'
cat > variant.c <<'END'
#include <attention/attention.h>
static const struct attention_variant mine = { .name = "mine" };
const struct attention_variant *const attention_extra[] = { &mine, NULL };
int main(void) { return attention_find("mine") != &mine || !attention_find("dbsa"); }
END
runs $cc -Wall -Werror -o variant variant.c $flags && runs env LD_LIBRARY_PATH=$opt/lib ./variant; say $? 'a program can add a variant'
while read -r header; do
	echo "#include <$header>" | $cc -std=c11 -Wall -Werror ${flags%% -l*} -fsyntax-only -x c - 2> err || echo "$header"
done > failed <<END
$(cd "$opt/include/heed" && find . -name '*.h' | sed 's/^..//')
END
that ! -s failed; say $? 'each header compiles alone'; sed 's/^/# /' failed
mkdir other; LC_ALL=C sed 's/HEED_PRIVATE_[0-9]/HEED_PRIVATE_x/' "$opt/lib/libheed.so.0" > other/libheed.so.0
LD_LIBRARY_PATH=$PWD/other "$opt/bin/heed-show" --version > out 2> err; that $? != 0 && matches 'HEED_PRIVATE_' err
say $? 'a program refuses the library of another version'
LD_LIBRARY_PATH=$PWD/other ./lengths ab.heed | equals - want; say $? '... but programs of users run with it'

# --- completions ---
complete=$opt/share/bash-completion/completions
that "$complete/heed" -ef "$complete/nmt-train"; say $? 'bash finds the completions of each program'
runs bash -n "$complete/heed" 2> err; say $? '... in a file without errors'
# completed WORD...: the completions of the last word
completed() {
	bash -c 'compopt() { :; }; . "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heed; printf "%s\n" "${COMPREPLY[@]}"' \
	    "$complete/heed" "$@" 2>&1 | xargs
}
that "$(completed bleu --met)" = --metric; say $? 'an option'
that "$(completed parse --to '')" = "$(parse --options-tsv | awk -F '\t' '$2 == "to" { print $6 }')"; say $? 'the values of a choice'
that "$(completed /usr/bin/bleu --to = t)" = 'text tsv'; say $? '... after ='
that "$(completed nmt-train -a dep)" = dependency-mask; say $? 'attention variants'
that "$(completed head-stat --measure gr)" = 'gradient greedy'; say $? 'measures of heads'
that "$(completed heed help nmt-tr)" = 'nmt-train nmt-translate'; say $? 'manual pages of heed help'
that "$(completed heed-pipeline reproduce-v)" = reproduce-voita; say $? 'targets of the pipeline'
that -z "$(completed bleu t)"; say $? 'no word for a file'
for program in "$here"/*; do
	p=${program##*/}
	[ "$(completed "$p" - | tr ' ' '\n' | sort | xargs)" = "$("$program" --options-tsv | awk -F '\t' '{ print "--" $2 } $1 != "" { print "-" $1 }' | sort | xargs)" ] ||
		echo "$p"
done > differ; that ! -s differ; say $? 'all options of all programs'; sed 's/^/# /' differ
zsh=$opt/share/zsh/site-functions/_heed
head -n 1 "$zsh" | matches '^#compdef .* heed-pipeline .* nmt-train ' && matches -- '--metric=\[' "$zsh"; say $? 'completions of zsh'
if command -v zsh > /dev/null; then runs zsh -n "$zsh" 2> err; say $? '... in a file without errors'; else say 0 '# SKIP no zsh'; fi

# --- pipeline ---
mkdir corpus empty; for s in train dev test; do cp t.en corpus/$s.en; cp t.de corpus/$s.de; done 2> /dev/null || for s in train dev test; do cp text.en corpus/$s.en; cp text.en corpus/$s.de; done
cd empty || exit 1
env PATH="$opt/bin:/usr/bin:/bin" heed-pipeline --dry-run reproduce-voita DATA=../corpus PROFILE=smoke > ../out 2> ../err; r=$?
say $r 'heed-pipeline in an empty folder, as a dry run'; that $r = 0 || sed 's/^/# /' ../err
matches 'tokenize --type none.*/corpus/train.en' ../out && lacks 'make.* all$' ../out; say $? '... which compiles nothing'
that -z "$(ls -A)"; say $? '... and writes nothing'
cd ..
"$opt/bin/heed-pipeline" > out; matches '^example: heed-pipeline demo' out; say $? 'without a target it lists the targets'
cp -r "$opt/share/heed" copy; PATH=$opt/bin:$PATH make -s -f copy/pipeline.mk > out; matches '^example: make -f copy/pipeline.mk demo' out; say $? '... and those of a copy'
exits 2 'an unknown setting' "$opt/bin/heed-pipeline demo SEED=1"; matches 'SEED: unknown variable' err; say $? '... is named'
exits 2 'a wrong number' 'heed-pipeline --jobs 0 demo'
heed-pipeline no-such other-such > out 2>&1; matches "'no-such'" out && lacks "'other-such'" out; say $? 'make ends at the first error'
heed-pipeline --keep-going no-such other-such > out 2>&1; matches "'no-such'" out && matches "'other-such'" out; say $? '... with --keep-going after all targets'
exits 2 'a duplicate option' 'heed-pipeline --jobs 1 --jobs=2 demo'

# --- uninstall ---
touch "$opt/share/heed/own.mk" "$opt/bin/gone"; echo /opt/heed/bin/gone >> "$opt/share/heed/manifest"
run_make install; that $r = 0 && that ! -e "$opt/bin/gone"; say $? 'installed again: files of another version are removed'
mkdir "$opt/own"
run_make uninstall; that $r = 0; say $? 'make uninstall'
that -d "$opt/own"; say $? '... leaves an empty folder of others, even if PREFIX is called heed'
(cd "$to" && find . ! -type d) > found; that "$(cat found)" = ./opt/heed/share/heed/own.mk; say $? '... leaves only files of others'
find "$to" -type d -path '*/heed/*' -name heed | grep -v 'share/heed$' > found; that ! -s found; say $? '... and no folder of heed'; sed 's/^/# /' found

# --- an interrupted installation, of another version ---
# The replaced programs make a gap in time: install(1) removes a file before it creates it, and sort(1) reads the files
# meanwhile.
mkdir gap; : > a; : > b; : > c
for f in a b; do printf -- '-m 644\t%s\t/small/%s\n' "$scratch/$f" $f; done > first
for f in b c; do printf -- '-m 644\t%s\t/small/%s\n' "$scratch/$f" $f; done > second
cat > gap/install <<END
#!/bin/sh
for last; do :; done
rm -f "\$last"; sleep 0.4; exec $(command -v install) "\$@"
END
printf '#!/bin/sh\nsleep 0.2; exec %s "$@"\n' "$(command -v sort)" > gap/sort
printf '#!/bin/sh\ncase $* in (*/c) exit 1 ;; esac; exec %s "$@"\n' "$(command -v install)" > gap/stops; chmod +x gap/*
sh "$HEED_TOP/common/install.sh" first "$to" /small/list
ends 1 env PATH=$scratch/gap:$PATH INSTALL=$scratch/gap/stops sh "$HEED_TOP/common/install.sh" second "$to" /small/list 2> err && that ! -s err
say $? 'an installation that ends early'
(cd "$to" && find small -type f | sort | xargs) > found
that "$(cat found)" = 'small/b small/list' && that "$(xargs < "$to/small/list")" = '/small/b /small/c'
say $? '... has removed the files that it lacks, and has a whole list'
sh "$HEED_TOP/common/install.sh" /dev/null "$to" /small/list "$to/small"; that -z "$(find "$to/small" -type f)"
say $? '... of which uninstall removes all'
