#! /bin/sh
# Every function of linear algebra that NumPy, SciPy, torch, Paddle, JAX or GSL have is in the manual's table
# of names, with what serves it; every function of agnesi/linalg.h is in that table or the one before it.
. "$top_srcdir/tests/tap.sh"

page=$top_srcdir/doc/linalg.rst
sed -n '/^Names of other libraries$/,/^Example$/p' "$page" >"$scratch/table"
ok "the page has a table of names" test -s "$scratch/table"

missing() {
    grep -v '^#' "$top_srcdir/tests/data/linalg-names.txt" | while read -r library names; do
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

unnamed() {
    grep -o 'agn_linalg_[a-z_0-9]*(' "$top_srcdir/include/agnesi/linalg.h" | tr -d '(' | sort -u |
        while read -r name; do
            grep -q ":\`$name\`" "$page" || echo "$name is in no table"
        done
}
silent "every function of linalg.h is in a table" unnamed
finish
