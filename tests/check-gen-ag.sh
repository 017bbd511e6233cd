#! /bin/sh
# The generator of ag.h takes what it should, under every awk there is, and the real ag.h
# holds one operator for each function whose one result is a tensor, a law or a transform.
. "$top_srcdir/tests/tap.sh"

generate() {
    $1 -f "$top_srcdir/tools/prototypes.awk" -f "$top_srcdir/tools/gen-ag.awk" \
        "$top_srcdir/tests/gen-ag.h" | diff -u "$top_srcdir/tests/gen-ag.expected" -
}
for awk in mawk gawk nawk original-awk "busybox awk"; do
    $awk 'BEGIN { exit 0 }' </dev/null >/dev/null 2>&1 && ok "generated with $awk" generate "$awk"
done

cat >"$scratch/single.awk" <<'END'
function prototype(returns, name, params, doc)
{
    if (returns == "agn_status" && (params ",") ~ /^agn_(tensor|distribution|transform) \*\*[a-z_0-9]+,/ &&
        params !~ /^[^,]*, (agn_tensor \*\*|int32_t n_out)/)
        print name
}
END
read_headers -f "$scratch/single.awk" | sort >"$scratch/want"
sed -n 's/^static inline const agn_[a-z]* \*ag_\([a-z0-9_]*\)(.*/agn_\1/p' \
    "$top_builddir/include/agnesi/ag.h" | sort >"$scratch/have"
ok "ag.h is complete ($(wc -l <"$scratch/want") operators)" diff "$scratch/want" "$scratch/have"
finish
