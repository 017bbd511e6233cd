#! /bin/sh
# Every example prints what its .expected file says, and a program outside the tree builds by
# pkg-config alone.
. "$top_srcdir/tests/tap.sh"

options=$("$top_builddir/tools/agnesi$EXEEXT" info | sed -n 's/^ *options *//p')
for want in "$top_srcdir"/examples/*.expected; do
    test -e "$want" || continue
    example=$(basename "$want" .expected)
    # in a folder of its own: examples may write files
    have=$scratch/$example
    case " $EXAMPLES " in
    *" examples/$example$EXEEXT "*) ;;
    *)
        skip "$example: this build leaves out a library that it shows: $options"
        continue
        ;;
    esac
    mkdir "$have.d"
    run_example() {
        (cd "$have.d" && "$top_builddir/examples/$example$EXEEXT") >"$have" &&
            diff -u "$want" "$have"
    }
    ok "$example" run_example
done

# a small network is soon trained; its picture has nowhere to go
no_picture() {
    "$top_builddir/examples/burgers$EXEEXT" --width=2 --depth=1 --points=16 \
        --out="$scratch/no/where.png" >"$scratch/burgers" 2>&1
    test $? = 1 && grep "no picture in $scratch/no/where.png: ." "$scratch/burgers"
}
ok "burgers fails, and says why, without its picture" no_picture

# the n-th fenced block of the README
block() {
    $AWK -v n="$1" '/^```/ { if (inside) inside = 0; else { k++; inside = 1; next } }
        inside && k == n' "$top_srcdir/README.md"
}
shown() {
    block 1 | diff -u "$top_srcdir/examples/first.c" - &&
        block 2 | diff -u "$top_srcdir/examples/first.expected" -
}
ok "the README shows examples/first.c and its output" shown

# the lines of a block stand in a file, in this order
within() {
    block "$1" | $AWK 'NR == FNR { if (NF) want[++n] = $0; next }
        k < n && $0 == want[k + 1] { k++ }
        END { if (k < n || !n) print "not there: " want[k + 1]; exit k < n || !n }' - "$2"
}
parts() {
    within 3 "$top_srcdir/examples/derivatives.c" &&
        within 4 "$top_srcdir/examples/derivatives.expected"
}
ok "the README shows parts of examples/derivatives.c and its output" parts

outside() {
    PKG_CONFIG_PATH=$top_builddir
    export PKG_CONFIG_PATH
    cp "$top_srcdir/examples/first.c" "$scratch/first.c" && cd "$scratch" &&
        $CC -std=c11 -Wall -Wextra -Werror $SANITIZE first.c -o first \
            $(pkg-config --cflags --libs agnesi) -lm &&
        ./first >first.out && diff -u "$top_srcdir/examples/first.expected" first.out
}
if pkg-config --version >/dev/null 2>&1; then
    ok "a program outside the tree, by pkg-config" outside
else
    skip "no pkg-config"
fi
finish
