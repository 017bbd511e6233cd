# tap.sh - the Test Anything Protocol for check scripts: . "$top_srcdir/tests/tap.sh"
n=0 failed=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM

# ok NAME COMMAND...: the command succeeds; what it prints goes to the log
ok() {
    n=$((n + 1)) name=$1
    shift
    if "$@" >&2; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        failed=1
    fi
}

skip() {
    n=$((n + 1))
    echo "ok $n # SKIP $1"
}

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# silent NAME COMMAND...: the command lists offenders; it succeeds and has none to list
silent() {
    name=$1
    shift
    ok "$name" no_output "$@"
}

no_output() {
    "$@" >"$scratch/offenders" || return 1
    test ! -s "$scratch/offenders" || {
        cat "$scratch/offenders"
        return 1
    }
}

# the reader program over all public headers (tools/prototypes.awk)
read_headers() {
    $AWK -f "$top_srcdir/tools/prototypes.awk" "$@" "$top_srcdir"/include/agnesi/*.h \
        "$top_builddir"/include/agnesi/into.h
}

finish() {
    echo "1..$n"
    exit $failed
}
