#! /bin/sh
# Every function of transforms, signals and sound that NumPy, SciPy, Paddle, torchaudio or librosa have is in one of
# the manual's tables of names, with what serves it; every function of the headers is on one of the pages.
. "$top_srcdir/tests/tap.sh"

pages="$top_srcdir/doc/fft.rst $top_srcdir/doc/signal.rst $top_srcdir/doc/audio.rst"
for page in $pages; do
    sed -n '/^Names of other libraries$/,/^Reference$/p' "$page"
done >"$scratch/table"
ok "the pages have a table of names" test -s "$scratch/table"

missing() {
    grep -v '^#' "$top_srcdir/tests/data/signal-names.txt" | while read -r library names; do
        for name in $names; do
            grep -q "\`\`$name\`\`" "$scratch/table" || echo "$library: $name is in no row"
        done
    done
}
silent "every name elsewhere is in a row" missing

# a row serves by a function, or says why none is needed
empty() {
    awk '/^   \* - / { name = $0; first = 1; next }
        first && /^     - *$/ { print "nothing serves" name }
        /^     - (none|tensors|the build)$/ { bare = name }
        bare && /^     - *$/ { print "no reason for" bare }
        /^     - / { if (!first) bare = ""; first = 0 }' "$scratch/table"
}
silent "every row is served" empty

unnamed() {
    for header in fft signal signal_analysis signal_systems audio audio_effects audio_music audio_speech; do
        grep -o 'agn_\(fft\|signal\|audio\|sound\)_[a-z_0-9]*(' "$top_srcdir/include/agnesi/$header.h"
    done | tr -d '(' | sort -u | while read -r name; do
        cat $pages | grep -q "\`$name\`" || echo "$name is on no page"
    done
}
silent "every function of the headers is on a page" unnamed
finish
