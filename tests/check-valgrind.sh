#! /bin/sh
# S2: no reader of files looks at a byte that nobody wrote, whatever the file says. The fuzz targets
# on their seeds, cut short and changed, under valgrind.
. "$top_srcdir/tests/tap.sh"

command -v valgrind >/dev/null || skip_all "S2 no valgrind"
test -z "$SANITIZE" || skip_all "S2 valgrind and sanitizers do not mix"
for reader in npy npz safetensors mtx; do
    valgrind -q --error-exitcode=9 "$top_builddir/tests/t-replay-$reader" >"$scratch/log" 2>&1
    status=$?
    if grep -q 'debuginfo reader: ' "$scratch/log"; then
        skip "S2 $reader: this valgrind cannot read the symbols that $CC writes"
    else
        cat "$scratch/log" >&2
        ok "S2 $reader" test $status = 0
    fi
done
finish
