#! /bin/sh
# mutate.sh [-j N] [-k] [-b DIR] [PATTERN] - do the tests notice a wrong derivative?
#
# Copies the sources, builds the library and a few tests once, then makes one small mistake
# after the other: in each derivative of tensor/rows/ops.def (factor 1.001, other sign, arguments
# exchanged, mulz weakened to mul), and those of tests/mutate.rules. Prints the survivors and
# fails if one has no reason in tests/mutate.reasons. PATTERN limits the names of mutations
# (a regular expression); -j workers, by default 2; -k keeps the copies; -b starts from the base
# that an earlier -k kept.
set -u
src=$(cd "$(dirname "$0")/.." && pwd)
jobs=2 keep='' kept=''
while getopts b:j:k opt; do
    case $opt in
    j) jobs=$OPTARG ;;
    k) keep=1 ;;
    b) kept=$(cd "$OPTARG" && pwd) || exit 2 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
pattern=${1-.}
work=${TMPDIR:-/tmp}/agnesi-mutate.$$
tests='t-deriv t-bounded t-kinks t-taylor t-autodiff t-control t-while t-switch t-revolve t-custom t-checkpoint t-ad-errors t-index t-reduce t-product
    t-tensor t-judge t-errors t-linalg'
mkdir -p "$work/base" || exit 2
trap 'test -n "$keep" || rm -rf "$work"' 0
trap 'exit 130' 2 15
say() { printf '%s\n' "$*"; }

# ---- one build to start from; rows are read from a copy that nothing else depends on ----
begin=$(date +%s)
if test -n "$kept"; then
    cp -a "$kept/." "$work/base" && cd "$work/base" || exit 2
else
    (
        cd "$src" || exit 2
        for d in */config.status; do test ! -e "$d" || printf './%s\n' "${d%/*}"; done >"$work/builds"
        tar cf - --exclude=.git --exclude='*.o' --exclude='*.lo' --exclude='*.la' --exclude=.libs \
            --exclude=.deps --exclude=config.status --exclude='./Makefile' --exclude=autom4te.cache \
            --exclude=./include/agnesi/ag.h --exclude=./include/agnesi/into.h --exclude-from="$work/builds" .
    ) | (cd "$work/base" && tar xf -)
    cd "$work/base" || exit 2
    mkdir -p build-aux b
    cp tensor/rows/ops.def tensor/ops_mutant.def
    sed 's,"tensor/rows/ops.def","tensor/ops_mutant.def",' "$src/tensor/elementwise.c" >tensor/elementwise/elementwise.c
    wanted=
    for t in $tests; do test -e "tests/$t.c" && wanted="$wanted tests/$t"; done
    (
        test -x configure || autoreconf -i
        cd b && ../configure -q --with-cuda=no CFLAGS='-O1 -g0' &&
            make -s -j"$jobs" libagnesi.la libagnesi-internal.la $wanted
    ) >"$work/build.log" 2>&1 || {
        say "the copy does not build:"
        tail -20 "$work/build.log"
        exit 2
    }
fi
say "built in $(($(date +%s) - begin)) s"

# ---- the list: number, name, file, tests, how ----
# ops.def: name.what|line numbers of the row|new row
awk '
function fields(row,   i, c, depth, quoted, from) {
    n = depth = quoted = 0; from = index(row, "(") + 1
    for (i = from; i <= length(row); i++) {
        c = substr(row, i, 1)
        if (c == "\"") quoted = !quoted
        if (quoted) continue
        if (c == "(") depth++
        if ((c == "," || c == ")") && depth == 0) {
            f[++n] = substr(row, from, i - from); gsub(/^[ \n]+|[ \n]+$/, "", f[n]); from = i + 1
            if (c == ")") return
        }
        if (c == ")") depth--
    }
}
function emit(what,   i, t) {
    t = macro "("
    for (i = 1; i <= n; i++) t = t (i > 1 ? ", " : "") f[i]
    gsub(/[ \n]+/, " ", t)
    print f[2] "." what "\t" first "\t" last "\t" t ")"
}
function change(k, what, to,   old) { old = f[k]; f[k] = to; emit(what); f[k] = old }
function times(d) {
    return d == "ONE" ? "LIT(1.001)" : d == "MINUS_ONE" ? "LIT(-1.001)" : "MUL(LIT(1.001), " d ")"
}
function negative(d) { return d == "ONE" ? "MINUS_ONE" : d == "MINUS_ONE" ? "ONE" : "NEG(" d ")" }
function mutate(   k, two, from, to, swap, b) {
    fields(row)
    from = 5
    to = macro ~ /3/ ? 7 : macro ~ /2/ ? 6 : 5
    two = to == 6
    for (k = from; k <= to; k++) {
        if (f[k] == "NONE") continue
        change(k, "factor" (to > from ? k - 4 : ""), times(f[k]))
        change(k, "sign" (to > from ? k - 4 : ""), negative(f[k]))
    }
    if (two && f[5] != f[6]) {
        swap = f[5]; f[5] = f[6]; f[6] = swap; emit("swap"); f[6] = f[5]; f[5] = swap
    }
    b = to + 1
    if (macro ~ /^(EW|INNER)/ && f[b] == "0") change(b, "bounded", "1")
}
/^(EW1|EW1X|EW1P|EW2|EW3|INNER2|INNER3|LIN1|LIN2)\(/ { row = ""; first = NR; open = 1; macro = $0; sub(/\(.*/, "", macro) }
open { row = row (row == "" ? "" : "\n") $0; if (/\)$/ && gsub(/\(/, "(", row) == gsub(/\)/, ")", row)) { last = NR; open = 0; mutate() } }
' tensor/rows/ops.def >"$work/rows"
awk -v q='	' '/^#/ || NF == 0 { next }
    /^[^ ]/ { name = $1; file = $2; t = $3; for (i = 4; i <= NF; i++) t = t " " $i; next }
    { sub(/^ +/, ""); print name q file q t q $0 }' "$src/tests/mutate.rules" >"$work/rules"
{
    awk -F '	' -v p="$pattern" '$1 ~ p { print "row\t" $1 }' "$work/rows"
    awk -F '	' -v p="$pattern" '$1 ~ p { print "rule\t" $1 }' "$work/rules"
} >"$work/list"
total=$(wc -l <"$work/list")
say "$total mutations on $jobs workers"
test "$total" -gt 0 || exit 2

# ---- one mutation in a worker's copy ----
# changes a file as row or rule says: field 1 the file, field 2 the tests
apply_row() {
    awk -F '	' -v name="$1" 'FILENAME ~ /rows$/ { if ($1 == name) { a = $2; b = $3; t = $4 } ; next }
        FNR == a { print t } FNR < a || FNR > b' "$work/rows" tensor/rows/ops.def >mutant &&
        mv mutant tensor/ops_mutant.def
}
field() { awk -F '	' -v name="$1" -v k="$2" '$1 == name { print $k }' "$work/rules"; }

# 0 killed, 1 survived, 2 not applied
try() { # kind name
    if test "$1" = row; then
        file=tensor/ops_mutant.def
        run='t-bounded t-taylor t-kinks t-deriv t-autodiff'
        cp $file saved
        apply_row "$2"
    else
        file=$(field "$2" 2)
        run=$(field "$2" 3)
        cp "$file" saved
        field "$2" 4 >script
        sed -f script saved >"$file"
    fi
    if cmp -s saved "$file"; then
        result=2
    else
        build=
        for t in $run; do test -e "tests/$t.c" && build="$build tests/$t"; done
        if make -s -C b $build >log 2>&1; then
            result=1
            for t in $build; do
                { (cd b && AGNESI_TEST_QUICK=1 top_srcdir="$src" timeout 120 "./$t"); } >log 2>&1 || {
                    result=0
                    break
                }
            done
        else
            result=2
        fi
    fi
    cp saved "$file"
    return $result
}

worker() { # number
    cp -a "$work/base" "$work/w$1" && cd "$work/w$1" || exit 2
    awk -v j="$jobs" -v w="$1" 'NR % j == w' "$work/list" | while IFS='	' read -r kind name; do
        try "$kind" "$name" </dev/null
        say "$? $name"
    done >"$work/result.$1"
}
w=0
while test $w -lt "$jobs"; do
    (worker $w) &
    w=$((w + 1))
done
wait
cat "$work"/result.* | sort >"$work/results"

# ---- what is left ----
bad=0
while read -r r name; do
    case $r in
    0) continue ;;
    1)
        reason=$(sed -n "s/^$name: //p" "$src/tests/mutate.reasons")
        if test -n "$reason"; then
            say "survived, as it may: $name: $reason"
        else
            say "SURVIVED: $name"
            bad=1
        fi
        ;;
    *)
        say "DOES NOT APPLY: $name"
        bad=1
        ;;
    esac
done <"$work/results"
killed=$(grep -c '^0' "$work/results")
say "$killed of $total noticed, $(grep -c '^1' "$work/results") survived, in $(($(date +%s) - begin)) s"
test "$(wc -l <"$work/results")" -eq "$total" || bad=1
exit $bad
