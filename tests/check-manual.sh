#! /bin/sh
# What the manual, the README and CONTRIBUTING name is declared: functions and types.
. "$top_srcdir/tests/tap.sh"

cat >"$scratch/names.awk" <<'END'
function prototype(returns, name, params, doc) { print name; sub(/^agn_/, "ag_", name); print name }
END
read_headers -f "$scratch/names.awk" | sort -u >"$scratch/declared"
# the op that CONTRIBUTING adds, the generated layer's example; types, which have no prototype
sed -n 's/.*typedef.*[ *(]\(agn_[a-z0-9_]*\)[;)].*/\1/p; s/^} \(agn_[a-z0-9_]*\);/\1/p
    s/.*typedef struct \(agn_[a-z0-9_]*\).*/\1/p' "$top_srcdir"/include/agnesi/*.h |
    sort -u >>"$scratch/declared"
printf '%s\n' ag_cube agn_cube agn_cube_into ag_x >>"$scratch/declared"
sort -u "$scratch/declared" -o "$scratch/declared"

for page in "$top_srcdir"/doc/*.rst "$top_srcdir"/README.md "$top_srcdir"/CONTRIBUTING.md; do
    # placeholders end in an underscore or are capital letters: agn_X, agn_NAME_into, agn_op_
    grep -ow 'agn\?_[a-z0-9][a-z0-9_]*[a-z0-9]\|agn\?_[a-z0-9]' "$page" | sort -u >"$scratch/named"
    silent "all that $(basename "$page") names is declared" \
        comm -13 "$scratch/declared" "$scratch/named"
done

# every header has its reference, and every table that a page includes can be made of one
for header in "$top_srcdir"/include/agnesi/*.h; do
    h=$(basename "$header" .h)
    test "$h" = agnesi || ok "$h.h is on a page" \
        grep -q "^.. include:: api/$h.rst" "$top_srcdir"/doc/*.rst
done
for table in $(sed -n 's/^.. include:: api\/table-\(.*\).rst/\1/p' "$top_srcdir"/doc/*.rst); do
    ok "the table of $table.h" test -f "$top_srcdir/include/agnesi/$table.h"
done

# rows of a table have a cell for each of its columns
cat >"$scratch/cells.awk" <<'END'
function row() { if (cells && cells != columns) print FILENAME ":" at ": " cells " cells of " columns; cells = 0 }
FNR == 1 { row(); columns = 0 }
/^   :widths: / { columns = NF - 1 }
/^[^ ]/ { row(); columns = 0 }
/^   \* -/ { row(); if (columns) { cells = 1; at = FNR } }
/^     -( |$)/ { if (cells) cells++ }
END { row() }
END
silent "rows of tables are whole" $AWK -f "$scratch/cells.awk" "$top_srcdir"/doc/*.rst

# programs and pictures that a page shows are where make html takes them from
for shown in $(sed -n 's/^.. literalinclude:: //p' "$top_srcdir"/doc/*.rst | sort -u); do
    ok "$shown" test -f "$top_srcdir/$shown"
done
for shown in $(sed -n 's/^.. image:: //p' "$top_srcdir"/doc/*.rst | sort -u); do
    ok "$shown is listed" grep -q "MANUAL_PICTURES +\?=.*/$shown" "$top_srcdir/doc/local.mk"
done

# the pieces of C on a page compile, in a function that has what they speak of
pieces() {
    printf '%s\n' '#include <agnesi/agnesi.h>' '#include <stdio.h>'
    $AWK '/^\.\. code-block:: c$/ { inside = 1; n++
            print "void shown_" n "(agn_scope *s, const agn_tensor *x, const agn_tensor *v,"
            print "    const agn_tensor *mask, agn_tensor *c, agn_tensor *out);"
            print "void shown_" n "(agn_scope *s, const agn_tensor *x, const agn_tensor *v,"
            print "    const agn_tensor *mask, agn_tensor *c, agn_tensor *out)\n{"
            print "    agn_status st = AGN_OK;"
            print "    (void)s, (void)x, (void)v, (void)mask, (void)c, (void)out, (void)st;\n{"; next }
        inside && /^[^ ]/ { inside = 0; print "}}" }
        inside { print }
        END { if (inside) print "}}" }' "$1"
}
compiles() {
    $CC -std=c11 -Wall -Wextra -Werror -Wno-unused-variable -Wno-unused-but-set-variable \
        -Wno-unused-value -fsyntax-only -I"$top_builddir/include" -I"$top_srcdir/include" \
        "$scratch/pieces.c"
}
for page in $(grep -l '^.. code-block:: c$' "$top_srcdir"/doc/*.rst); do
    pieces "$page" >"$scratch/pieces.c"
    silent "the C of $(basename "$page") compiles" compiles
done

# the accuracy page stands under the bounds of tools/oracle.def, and prints those
cat >"$scratch/bounds.awk" <<'END'
FILENAME ~ /oracle.def$/ {
    if (match($0, /^R[A-Z]*\([a-z0-9_]+, [0-9.]+, [0-9.]+,/)) {
        split(substr($0, index($0, "(") + 1, RLENGTH), part, ", *")
        bound[part[1] " f32"] = part[2]; bound[part[1] " f64"] = part[3]
    }
    next
}
/^   "[a-z0-9_]+( [0-9]+)?", f(32|64)/ {
    split($0, column, ", *")
    name = column[1]; gsub(/[" ]/, "", name); sub(/^   "/, "", name)
    split(column[1], word, "\""); sub(/ .*/, "", word[2])
    key = word[2] " " substr(column[2], 1, 3)
    if (!(key in bound)) next
    rows++
    if (column[4] + 0 != bound[key] + 0) print FNR ": " key " stands under " column[4] ", oracle.def says " bound[key]
    if (column[5] + 0 > bound[key] + 0) print FNR ": " key " is off by " column[5] ", above its bound"
}
END { if (rows < 100) print "only " rows + 0 " rows of the accuracy page have a bound" }
END
silent "the accuracy page is below the bounds of oracle.def" \
    $AWK -f "$scratch/bounds.awk" "$top_srcdir/tools/oracle.def" "$top_srcdir/doc/accuracy.rst"
finish
