#! /bin/sh
# The checks themselves: each notices the fault it is there for.
. "$top_srcdir/tests/tap.sh"

# a house of cards with the tools and checks of the real one
house=$scratch/house
mkdir -p "$house/core" "$house/tensor" "$house/include/agnesi" "$house/examples"
cp -R "$top_srcdir/tests" "$top_srcdir/tools" "$house"
ln -s "$house" "$house/build"
for module in core tensor; do
    echo "agninclude_HEADERS += include/agnesi/$module.h" >"$house/$module/local.mk"
done

# notices CHECK WORDS: the check fails and its complaint holds the words
notices() {
    (
        top_srcdir=$house top_builddir=$house
        export top_srcdir top_builddir
        $SHELL "$house/tests/$1" >"$scratch/result" 2>"$scratch/complaint"
    )
    grep -q '^not ok' "$scratch/result" && grep -F -- "$2" "$scratch/complaint"
}

echo '#include "tensor/value/tensor.h"' >"$house/core/wrong.c"
ok "an include upwards" notices check-layers.sh "core/wrong.c:1: core includes tensor/value/tensor.h"
echo '#include <agnesi/tensor.h>' >"$house/core/wrong.c"
ok "a public include upwards" notices check-layers.sh "core includes agnesi/tensor.h"
echo '#include <agnesi/unheard.h>' >"$house/core/wrong.c"
ok "a header of no module" notices check-layers.sh "no module is known for <agnesi/unheard.h>"

# objects: core calls what tensor/value defines
mkdir -p "$house/core/.libs" "$house/tensor/value/.libs"
echo 'void agni_above(void); void agni_low(void) { agni_above(); }' >"$house/core/wrong.c"
echo 'void agni_above(void) {}' >"$house/tensor/value/high.c"
objects() {
    $CC -c "$house/core/wrong.c" -o "$house/core/.libs/wrong.o" &&
        $CC -c "$house/tensor/value/high.c" -o "$house/tensor/value/.libs/high.o"
}
ok "two objects" objects
ok "a call upwards" notices check-layers.sh "core/wrong.o uses agni_above of tensor/value, which is above core"
rm -r "$house/core/.libs" "$house/tensor/value"

echo '/* see core/nowhere.c */' >"$house/core/wrong.c"
ok "a file that is not there" notices check-files.sh "core/wrong.c:1 names core/nowhere.c"
printf '| `wrong.c` | a |\n| `gone.c` | b |\n' >"$house/core/README.md"
ok "a file that a README lists and is not there" notices check-files.sh "core/README.md lists gone.c"
rm "$house/core/README.md"

header() {
    printf '%s\n' '#define AGN_API' 'typedef int agn_status;' \
        'typedef struct agn_tensor agn_tensor;' "$@" >"$house/include/agnesi/core.h"
}
: >"$house/include/agnesi/ag.h"
: >"$house/include/agnesi/into.h"
header 'AGN_API agn_status agn_x(agn_tensor **out, int n);'
ok "no comment" notices check-headers.sh "agn_x has no documentation comment"
header '/**' ' * agn_x - title' ' *' ' * @param out  out' ' */' \
    'AGN_API agn_status agn_x(agn_tensor **out, int n);'
ok "a parameter forgotten" notices check-headers.sh "agn_x lacks @param n"
ok "no @errors" notices check-headers.sh "agn_x lacks @errors"
ok "no @grad" notices check-headers.sh "agn_x lacks @grad"
header '/**' ' * agn_x - title' ' *' ' * @param m  a number' ' */' 'AGN_API void agn_x(int n);'
ok "a parameter misnamed" notices check-headers.sh "parameter 1 is n, its comment says m"
header '/**' ' * agn_y - title' ' */' 'AGN_API void agn_x(void);'
ok "a wrong title" notices check-headers.sh 'lacks the title "agn_x - ..."'
header 'extern agn_status x;;'
ok "a header that is not ISO C" notices check-headers.sh "error"
header 'static inline void *p(int *q) { return q; }' 'static inline int *r(void) { return p(0); }'
ok "a header that is not C++" notices check-headers.sh "error"

# the summary, from results as automake leaves them
mkdir "$scratch/s"
result() { # NAME TAP RESULT...
    name=$scratch/s/$1
    printf '%b\n' "$2" >"$name.log"
    shift 2
    for r; do echo ":test-result: $r"; done >"$name.trs"
}
result good 'ok 1 - a\nok 2 # SKIP no device\n1..2' PASS SKIP
result bad 'ok 1\nnot ok 2 - b\n1..2' PASS FAIL 'ERROR - exited with status 1'
result crash 'ok 1' PASS 'ERROR - missing test plan'
cd "$scratch/s" || exit 99
summary=$($SHELL "$top_srcdir/tests/summary.sh" good bad crash absent)
echo "$summary" >&2
ok "the summary counts" test "$(echo "$summary" | tail -n 1)" = "3 passed, 3 failed, 1 skipped"
told=$(echo "$summary" | grep -c 'bad: b\|absent left no\|no device\|FAIL: crash')
ok "the summary names" test "$told" = 4
finish
