#! /bin/sh
# The op table has no empty cell.
. "$top_srcdir/tests/tap.sh"

agnesi=$top_builddir/tools/agnesi$EXEEXT
test -x "$agnesi" || skip_all "tools/agnesi is not built"

"$agnesi" ops --verify >"$scratch/verify"
ok "every cell of the op table holds on its test domain" test $? = 0
"$agnesi" ops --json >"$scratch/ops.json"
ok "the table is printed as JSON" test $? = 0
ok "the table has rows" grep -q add "$scratch/verify"
empty_cells() { grep -E '(\t\t|\t$|: *""|: *null)' "$scratch/ops.json" "$scratch/verify" || :; }
silent "no cell of the op table is empty" empty_cells
finish
