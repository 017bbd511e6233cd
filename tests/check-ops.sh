#! /bin/sh
# The op table has no empty cell.
. "$top_srcdir/tests/tap.sh"

agnesi=$top_builddir/tools/agnesi$EXEEXT
test -x "$agnesi" || skip_all "tools/agnesi is not built"

"$agnesi" ops --json >"$scratch/ops.json" || echo '[]' >"$scratch/ops.json"
"$agnesi" ops --verify >"$scratch/verify"
status=$?
cat "$scratch/verify" >&2
ok "every cell of the op table holds on its test domain" test $status = 0
ok "no cell of the op table is empty" none "$(grep -E '(\t\t|\t$|: *""|: *null)' \
    "$scratch/ops.json" "$scratch/verify")"
finish
