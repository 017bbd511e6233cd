#! /bin/sh
# Names of other libraries: every function that NumPy, SciPy, torch, Paddle and others have in a chapter of ours is in
# the manual's table of names, with what serves it or why nothing does; every function that a table names is declared;
# every function of a chapter's headers is on a page of it.
. "$top_srcdir/tests/tap.sh"

# chapter: pages; its table begins and ends behind these headings; what says that nothing serves; headers; their functions
chapters='
linalg:linalg:Names of other libraries:Example:[a-z][a-z][a-z]:linalg:linalg
geometric:names:Graphs:Files:[a-z][a-z][a-z]::
signal:fft signal audio:Names of other libraries:Reference:[a-z][a-z][a-z]:fft signal signal_analysis signal_systems audio audio_effects audio_music audio_speech:fft|signal|audio|sound
special:special_names:=.*:$:[a-z][a-z][a-z]::
distribution:distribution:Names of other libraries:Reference:[a-z][a-z][a-z]:laws compound_laws series_laws univariate_laws vector_laws:distribution
'

unnamed_elsewhere() {
    awk -F '``' 'NR == FNR { for (i = 2; i <= NF; i += 2) row[$i]; next }
        { n = split($0, word, " ") }
        word[1] !~ /^#/ { for (i = 2; i <= n; i++) if (!(word[i] in row)) print word[1] ": " word[i] " is in no row" }' \
        "$scratch/table" "$top_srcdir/tests/data/$chapter-names.txt"
}

# Behind its name a row has a function or type of ours, or words; bare ones say nothing of the reason.
unserved() {
    awk -v reason="$reason" '
        function close_row() {
            if (name ~ /``/ && row !~ /:c:(func|type|macro):/ && row !~ reason)
                print "nothing serves" name ": " row
        }
        /^   \* - / { close_row(); name = substr($0, 6); row = ""; behind = 0; next }
        /^     -/ { behind = 1; cell = substr($0, 7)
            if (cell !~ /^ *(none|tensors|the build)? *$/) row = row cell
            next }
        /^       / { if (behind) row = row " " $0; else name = name " " $0; next }
        /^[^ ]/ { close_row(); name = "" }
        END { close_row() }' "$scratch/table"
}

undeclared() {
    grep -o ':c:func:`agn_[a-z_0-9]*`' "$scratch/table" | sed 's/.*`\(.*\)`/\1/' | sort -u | while read -r name; do
        grep -q "\(^\|[ *]\)$name(" "$top_srcdir"/include/agnesi/*.h || echo "$name is declared nowhere"
    done
}

on_no_page() {
    for header in $headers; do
        grep -Eo "agn_($prefix)_[a-z_0-9]*\(" "$top_srcdir/include/agnesi/$header.h"
    done | tr -d '(' | sort -u | while read -r name; do
        grep -q "$name\`" "$scratch/pages" || echo "$name is on no page"
    done
}

echo "$chapters" | grep : >"$scratch/chapters"
while IFS=: read -r chapter pages from to reason headers prefix; do
    : >"$scratch/table"
    : >"$scratch/pages"
    for page in $pages; do
        sed -n "/^$from\$/,/^$to\$/p" "$top_srcdir/doc/$page.rst" >>"$scratch/table"
        cat "$top_srcdir/doc/$page.rst" >>"$scratch/pages"
    done
    ok "$chapter: there is a table of names" grep -q '^   \* - ' "$scratch/table"
    silent "$chapter: every name elsewhere is in a row" unnamed_elsewhere
    silent "$chapter: every row is served, or says why not" unserved
    silent "$chapter: every function of the table is declared" undeclared
    test -z "$headers" || silent "$chapter: every function of the headers is on a page" on_no_page
done <"$scratch/chapters"
finish
