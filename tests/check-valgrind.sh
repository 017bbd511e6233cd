#! /bin/sh
# No byte that nobody wrote is looked at, as valgrind sees it. S2: by a reader of files, whatever the
# file says: the fuzz targets on their seeds, cut short and changed. H8: by a third derivative.
. "$top_srcdir/tests/tap.sh"

command -v valgrind >/dev/null || skip_all "S2 no valgrind"
test -z "$SANITIZE" || skip_all "S2 valgrind and sanitizers do not mix"
looks () { # LAW PROGRAM
    valgrind -q --error-exitcode=9 "$top_builddir/tests/$2" >"$scratch/log" 2>&1
    status=$?
    if grep -q 'debuginfo reader: ' "$scratch/log"; then
        skip "$1 $2: this valgrind cannot read the symbols that $CC writes"
    else
        cat "$scratch/log" >&2
        ok "$1 $2" test $status = 0
    fi
}
for reader in npy npz safetensors mtx; do
    looks S2 "t-replay-$reader"
done
looks H8 t-third
finish
