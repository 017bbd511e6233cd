#! /bin/sh
# Each known trap of tests/laws.rows is a test that names it, in a comment or in what it tells. The
# log says where.
. "$top_srcdir/tests/tap.sh"

rows=$(sed '/^#/d; /:/d; s/G8//' "$top_srcdir/tests/laws.rows")
for row in $rows; do
    named="\(\"\|/\*\|^ \* \|^   [^ ]\).*\<$row\>\([^(]\|\$\)" # a macro is no name
    where=$(cd "$top_srcdir/tests" && grep -l "$named" t-*.[ch] t-*.py *.h check-*.sh fuzz/*.c \
        2>/dev/null | grep -v check-laws | tr '\n' ' ')
    ok "$row: ${where:-no test names it}" test -n "$where"
done
ok "G8: compiled with the warnings of signed and narrowing conversions" \
    grep -q -- '-Wconversion.*-Wsign-\(compare\|conversion\)\|-Wsign-compare.*-Wconversion' \
    "$top_builddir/Makefile"
# rows that have no test yet, and why: "ROW: reason"
sed -n 's/^\([A-Z][0-9]*\): \(.*\)/\1 \2/p' "$top_srcdir/tests/laws.rows" >"$scratch/waiting"
while read -r row why; do
    skip "$row: $why"
done <"$scratch/waiting"
finish
