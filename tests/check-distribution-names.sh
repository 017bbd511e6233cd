#! /bin/sh
# Every law and every transform of laws that torch, NumPyro, SciPy, Paddle or TensorFlow Probability have is in
# the manual's table of names, with what serves it or the word lacking; every law of ours is in the manual.
. "$top_srcdir/tests/tap.sh"

page=$top_srcdir/doc/distribution.rst
sed -n '/^Names of other libraries$/,/^Reference$/p' "$page" >"$scratch/table"
ok "the page has a table of names" test -s "$scratch/table"

missing() {
    grep -v '^#' "$top_srcdir/tests/data/distribution-names.txt" | while read -r library names; do
        for name in $names; do
            grep -q "\`\`$name\`\`" "$scratch/table" || echo "$library: $name is in no row"
        done
    done
}
silent "every name elsewhere is in a row" missing

# a row names a function or a type of ours, or says that nothing serves
empty() {
    awk '/^   \* - / { name = $0; next }
        /^     - / { row = $0; while ((getline line) > 0 && line ~ /^       /) row = row line
            if (row !~ /:c:(func|type):|lacking/ && name !~ /name$/) print "nothing serves" name
            name = line }' "$scratch/table"
}
silent "every row is served, or says what is lacking" empty

unnamed() {
    cat "$top_srcdir"/include/agnesi/*laws.h | grep -o 'agn_distribution_[a-z_0-9]*(' | tr -d '(' | sort -u |
        while read -r name; do
            grep -q "$name\`" "$page" || echo "$name is in no table"
        done
}
silent "every law is in a table of the page" unnamed
finish
