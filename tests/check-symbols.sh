#! /bin/sh
# The library exports what the public headers declare, no more, no less.
. "$top_srcdir/tests/tap.sh"

lib=$(ls "$top_builddir"/.libs/libagnesi.so "$top_builddir"/.libs/libagnesi.dylib 2>/dev/null)
test -n "$lib" || skip_all "no shared library was built"
$NM -D --defined-only "$lib" >"$scratch/nm" 2>/dev/null || skip_all "$NM has no -D"

cat >"$scratch/names.awk" <<'END'
function prototype(returns, name, params, doc) { print name }
END
read_headers -f "$scratch/names.awk" | sort -u >"$scratch/declared"
$AWK '$2 ~ /[TBDRVWiu]/ { print $3 }' "$scratch/nm" | grep -v '^_\(init\|fini\)$' |
    sed 's/@.*//' | sort -u >"$scratch/exported"

silent "all that is declared is exported" \
    comm -23 "$scratch/declared" "$scratch/exported"
silent "all that is exported is declared" \
    comm -13 "$scratch/declared" "$scratch/exported"
ok "something is declared" test -s "$scratch/declared"

# libraries that are opened late share a room of some hundred bytes
if test -z "$SANITIZE" && readelf -lW "$lib" >"$scratch/segments" 2>/dev/null; then
    bytes=$($AWK '$1 == "TLS" { print $6 }' "$scratch/segments")
    ok "variables per thread take 64 bytes at most: ${bytes:-0}" \
        test "$(printf %d "${bytes:-0}")" -le 64
else
    skip "no readelf, or sanitizers have variables of their own"
fi

# a second entry would be a second contract with the loader
cuda=$top_builddir/.libs/libagnesi-cuda.so
if test -e "$cuda"; then
    ok "the CUDA module exports its entry alone" test \
        "$($NM -D --defined-only "$cuda" | $AWK '{ print $3 }')" = agn_backend_entry
else
    skip "the CUDA module was not built"
fi
finish
