#! /bin/sh
# Every special function that SciPy, torch or Paddle have is in the manual's table of names, with what serves it or with what is
# lacking; every function that the table names is declared.
. "$top_srcdir/tests/tap.sh"

page=$top_srcdir/doc/special_names.rst
ok "the page has a table of names" grep -q 'list-table' "$page"

missing() {
    grep -v '^#' "$top_srcdir/tests/data/special-names.txt" | while read -r library names; do
        for name in $names; do
            grep -q "\`\`$name\`\`" "$page" || echo "$library: $name is in no row"
        done
    done
}
silent "every name elsewhere is in a row" missing

# of a row without a function the last column says why
empty() {
    awk '/^   \* - / { name = $0; cell = 0; next }
        /^     - / || /^     -$/ { cell++; text[cell] = $0
            if (cell == 2 && text[1] ~ /^     - *(none)?$/ && text[2] ~ /^     - *$/) print "no word of" name }' "$page"
}
silent "every row is served, or says what is lacking" empty

undeclared() {
    grep -o ':`agn_[a-z_0-9]*`' "$page" | tr -d ':`' | sort -u | while read -r name; do
        grep -q "[ *]$name(" "$top_srcdir"/include/agnesi/*.h || echo "$name is declared nowhere"
    done
}
silent "every function of the table is declared" undeclared
finish
