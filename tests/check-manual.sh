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
finish
