#! /bin/sh
# The op table has no empty cell.
. "$top_srcdir/tests/tap.sh"

agnesi=$top_builddir/tools/agnesi$EXEEXT
test -x "$agnesi" || skip_all "tools/agnesi is not built"

"$agnesi" ops --verify >"$scratch/verify"
ok "every cell of the op table holds on its test domain" test $? = 0
"$agnesi" ops --orders 6 >"$scratch/orders"
ok "every op at orders 1 to 6, in every mode" test $? = 0
"$agnesi" ops --json >"$scratch/ops.json"
ok "the table is printed as JSON" test $? = 0
ok "the table has rows" grep -q '^add ' "$scratch/verify"
# a cell is a number or "n/a: reason"; an op has a name and 15 of them
bad_rows() {
    awk '/^largest/ { exit }
        NR == 1 { columns = NF; next }
        /^ / { next }
        {
            cells = NF
            for (i = 2; i <= NF; i++)
                if ($i == "n/a:") cells--
                else if ($(i - 1) != "n/a:" && $i !~ /^[0-9.]+e[-+][0-9]+$/) print "odd cell: " $0
        }
        cells != columns { print }' "$1"
}
bad_orders() {
    awk '/^largest/ { exit }
        NR == 1 { columns = NF; next }
        NF == 3 && $2 == "n/a:" { next }
        {
            cells = NF
            for (i = 2; i <= NF; i++)
                if ($i == "n/a:") cells--
                else if ($(i - 1) != "n/a:" && $i !~ /^[0-9.]+e[-+][0-9]+$/) print "odd cell: " $0
        }
        cells != columns { print }' "$1"
}
silent "no cell of the op table is empty or odd" bad_rows "$scratch/verify"
# an op without a derivative says so once
silent "no cell of the table of orders is empty or odd" bad_orders "$scratch/orders"
empty_values() { grep -E '(: *""|: *null)' "$scratch/ops.json" || :; }
silent "no value of the JSON is empty" empty_values
finish
