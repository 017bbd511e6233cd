#! /bin/sh
# An element-wise op is one row and one declaration: adds both to a copy of the sources, builds
# the copy, and uses the new op in every mode from a program outside.
. "$top_srcdir/tests/tap.sh"

work=$scratch
test -f "$top_srcdir/configure" || skip_all "no configure script beside the sources"

mkdir "$work/src" "$work/build"
(cd "$top_srcdir" && tar cf - --exclude=./build --exclude=./_build --exclude=./.git --exclude='./sub-*' \
    --exclude='./agnesi-[0-9]*' .) | (cd "$work/src" && tar xf -)
chmod -R u+w "$work/src"

cat >> "$work/src/tensor/rows/ops.def" <<'ROW'
EW1(N, cube, SAME, MUL(X, MUL(X, X)), MUL(LIT(3), MUL(X, X)), 0, 1, -2, 2, "x cubed")
ROW
cat > "$work/decl" <<'DECL'

/**
 * agn_cube - x cubed
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cube(agn_tensor **out, const agn_tensor *x);
DECL
h="$work/src/include/agnesi/elementwise.h"
line=$(grep -n 'agn_status agn_square(' "$h" | cut -d: -f1)
sed -i "${line}r $work/decl" "$h"

cat > "$work/use.c" <<'PROGRAM'
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static agn_status body(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_cube(s, in[0]);
    return AGN_OK;
}
static double call(agn_fn *f, const agn_tensor *const *in, int which)
{
    agn_tensor *out[8] = {NULL};
    double v = NAN;
    if (!agn_fn_call(f, out, in) && agn_item_f64(&v, out[which]))
        v = NAN;
    return v;
}
int main(void)
{
    agn_fn *f[5] = {NULL}, *jet = NULL, *map = NULL;
    agn_tensor *x = NULL, *one = NULL, *zero = NULL, *i = NULL, *y = NULL, *v = NULL;
    const double want[] = {0.343, 1.47, 4.2, 6, 0};
    int bad = agn_full(&x, AGN_F64, 0, NULL, 0.7) || agn_full(&one, AGN_F64, 0, NULL, 1) ||
              agn_full(&zero, AGN_F64, 0, NULL, 0) || agn_full(&i, AGN_I32, 0, NULL, -3) ||
              agn_fn_new(&f[0], body, NULL, NULL, 1, 1);
    for (int o = 0; !bad && o < 5; o++) {
        double d = call(f[o], (const agn_tensor *[]){x}, 0);
        bad = !(fabs(d - want[o]) < 1e-14);
        printf("order %d: %.15g\n", o, d);
        if (!bad && o < 4)
            bad = agn_fn_grad(&f[o + 1], f[o], NULL, 0);
    }
    if (!bad)
        bad = agn_fn_jet(&jet, f[0], 3);
    const double taylor[] = {0.343, 1.47, 2.1, 1};
    for (int k = 0; !bad && k < 4; k++)
        bad = !(fabs(call(jet, (const agn_tensor *[]){x, one, zero, zero}, k) - taylor[k]) < 1e-14);
    if (!bad)
        bad = agn_linspace(&v, AGN_F32, 1, 2, 2) || agn_fn_vmap(&map, f[1], NULL, NULL) ||
              agn_fn_call(map, &y, (const agn_tensor *[]){v}) || agn_numel(y) != 2 ||
              ((const float *)agn_data(y))[1] != 12;
    int64_t n = 0;
    if (!bad)
        bad = agn_op_apply(&y, 1, "cube", (const agn_tensor *[]){i}, 1, NULL, 0, NULL, 0) ||
              agn_item_i64(&n, y) || n != -27;
    if (bad)
        printf("%s\n", agn_error_message());
    return bad;
}
PROGRAM

build() {
    (cd "$work/build" && ../src/configure --with-cuda=no CC="$CC" CFLAGS=-O0 &&
        make -j2 AGN_LEVEL_OPT=-O0 include/agnesi/ag.h libagnesi.la) >"$work/log" 2>&1 ||
        { tail -20 "$work/log"; return 1; }
}
use() {
    (cd "$work" && $CC -std=gnu11 -Ibuild/include -Isrc/include use.c -o use -Lbuild/.libs \
        -lagnesi -lm -Wl,-rpath,"$work/build/.libs" && ./use)
}
ok "a copy with one row and one declaration more builds" build
ok "its op works: value, derivatives to order 4, jet, lanes, f32, i32, reflection" use
finish
