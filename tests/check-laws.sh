#! /bin/sh
# Each code of tests/laws.rows is a test that names it, in a comment or in what it tells; the log says
# where. Each code that a test names has its row.
. "$top_srcdir/tests/tap.sh"

tests="$top_srcdir/tests"
sources() { ls "$tests"/t-*.[ch] "$tests"/t-*.py "$tests"/*.h "$tests"/check-*.sh "$tests"/fuzz/*.c |
    grep -v 'check-laws'; }
sed '/^#/d; /|/d; /^G8 /d' "$tests/laws.rows" >"$scratch/held"
while read -r row what; do
    named="\(\"\|/\*\|^ \* \|^   [^ ]\|^# \).*\<$row\>\([^(]\|\$\)" # a macro is no name
    where=$(sources | xargs grep -l "$named" | sed 's|.*/||' | tr '\n' ' ')
    ok "$row, $what: ${where:-no test names it}" test -n "$where"
done <"$scratch/held"
ok "G8, compiled with the warnings of signed and narrowing conversions" \
    grep -q -- '-Wconversion.*-Wsign-\(compare\|conversion\)\|-Wsign-compare.*-Wconversion' \
    "$top_builddir/Makefile"
# rows that have no test, and why
sed -n '/^#/d; s/ *| */: /p' "$tests/laws.rows" >"$scratch/waiting"
while read -r row what; do
    skip "$row, $what"
done <"$scratch/waiting"

# codes in parentheses, as tests name them: (D13), (A2, D7), (X2-1)
sed '/^#/d; s/ .*//' "$tests/laws.rows" | sort -u >"$scratch/keys"
sources | xargs grep -oh '[^A-Za-z_]([A-Z][0-9]*-\?[0-9]*\(, [A-Z][0-9]*-\?[0-9]*\)*)' | tr -d '(),' | tr ' ' '\n' |
    grep -x '[A-HN-T][0-9]\{1,2\}\|X2-[0-9]*' | sort -u >"$scratch/codes"
silent "every code that a test names has a row in laws.rows" comm -13 "$scratch/keys" "$scratch/codes"
finish
