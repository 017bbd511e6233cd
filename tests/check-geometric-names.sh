#! /bin/sh
# Every layer, aggregation, pooling, norm, transform and utility of PyTorch Geometric is in the manual's table of
# names or in the list behind it that says why there is none; every row of the table is served.
. "$top_srcdir/tests/tap.sh"

page=$top_srcdir/doc/names.rst
sed -n '/^Graphs$/,/^Files$/p' "$page" >"$scratch/table"
ok "the page has a table of names" test -s "$scratch/table"

missing() {
    grep -v '^#' "$top_srcdir/tests/data/geometric-names.txt" | while read -r library names; do
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
        /^     - / { first = 0 }' "$scratch/table"
}
silent "every row is served" empty

# what serves is declared
undeclared() {
    grep -o ':c:func:`agn_[a-z_0-9]*`' "$scratch/table" | sed 's/.*`\(.*\)`/\1/' | sort -u | while read -r name; do
        grep -q "\(^\|[ *]\)$name(" "$top_srcdir"/include/agnesi/*.h || echo "$name is declared nowhere"
    done
}
silent "every function of the table is declared" undeclared
finish
