#! /bin/sh
# The distribution is whole, and what CONTRIBUTING.md says of adding an op is all there is to do: adds an
# element-wise op (one row, one declaration), which has a sparse form because it keeps 0, and a linear op (one file,
# two names, one declaration, one case) to what `make dist` would pack, builds it from that alone, runs a test, the law
# suites and a program, and installs it elsewhere. One build shows both.
. "$top_srcdir/tests/tap.sh"

work=$scratch
mkdir "$work/build"
unpacked() {
    make -C "$top_builddir" -s distdir distdir="$work/src" >"$work/log" 2>&1 || { tail -20 "$work/log"; return 1; }
}
ok "the files of the distribution are there" unpacked
test -f "$work/src/configure" || { echo "Bail out! no distribution"; exit 99; }
chmod -R u+w "$work/src"

# of a checkout, every tracked file
left_out() {
    (cd "$top_srcdir" && git ls-files) | grep -v '^\.gitignore$' | while read -r file; do
        test ! -e "$top_srcdir/$file" || test -e "$work/src/$file" || echo "in no list of the distribution: $file"
    done
}
if (cd "$top_srcdir" && git ls-files --error-unmatch configure.ac) >/dev/null 2>&1; then
    silent "the distribution holds every tracked file" left_out
else
    skip "these sources are no checkout: the list of files is not compared"
fi

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

# a linear op: its file, its name in the list of ops and of sources, its declaration, its case
cp "$work/src/tests/data/add-op/circular_difference.c" "$work/src/tensor/reduce/"
echo 'OP(circular_difference)' >> "$work/src/registry/ops.def"
echo 'libagnesi_la_SOURCES += %D%/reduce/circular_difference.c' >> "$work/src/tensor/local.mk"
cat > "$work/decl" <<'DECL'

/**
 * agn_circular_difference - differences of neighbours along the last axis, the last one to the first
 *
 * @param out  out, shape of x
 * @param x    [..., n] f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_circular_difference(agn_tensor **out, const agn_tensor *x);
DECL
h="$work/src/include/agnesi/scan.h"
line=$(grep -n 'int32_t axis);' "$h" | head -1 | cut -d: -f1)
sed -i "${line}r $work/decl" "$h"
cat > "$work/case" <<'CASE'
static void want_circular_difference(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][i / n * n + (i % n + 1) % n] - x[0][i];
}

CASE
h="$work/src/tools/cases-reduce.c"
line=$(grep -n '^#define S(n' "$h" | cut -d: -f1)
sed -i "$((line - 1))r $work/case" "$h"
sed -i 's/^    SAME("cumsum"/    SAME("circular_difference", 1, {0}, .want = want_circular_difference),\n&/' "$h"

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
    if (!agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f)) && agn_item_f64(&v, out[which]))
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
        bad = agn_linspace(&v, AGN_F32, 1, 2, 2) || agn_fn_vmap(&map, f[1], NULL, 0, NULL, 0) ||
              agn_fn_call(&y, 1, map, AGN_ARGS(v)) || agn_numel(y) != 2 ||
              ((const float *)agn_data(y))[1] != 12;
    int64_t n = 0;
    if (!bad)
        bad = agn_op_apply(&y, 1, "cube", (const agn_tensor *[]){i}, 1, NULL, 0, NULL, 0) ||
              agn_item_i64(&n, y) || n != -27;
    /* on a sparse tensor: the entries alone */
    agn_tensor *dense = NULL, *csr = NULL, *cubes = NULL, *back = NULL;
    if (!bad)
        bad = agn_from_host(&dense, AGN_F64, 2, (int64_t[]){2, 3}, (double[]){0, 2, 0, -3, 0, 0}) ||
              agn_sparse_from_dense(&csr, dense) || agn_cube(&cubes, csr) || agn_layout_of(cubes) != AGN_CSR ||
              agn_sparse_to_dense(&back, cubes) || ((const double *)agn_data(back))[1] != 8 ||
              ((const double *)agn_data(back))[3] != -27 || ((const double *)agn_data(back))[0] != 0;
    if (bad)
        printf("%s\n", agn_error_message());
    return bad;
}
PROGRAM

build() {
    (cd "$work/src" && autoreconf -i && cd "$work/build" &&
        ../src/configure --with-cuda=no --disable-levels CC="$CC" CFLAGS=-O0 &&
        make -j2 AGN_LEVEL_OPT=-O1 include/agnesi/ag.h libagnesi.la tools/agnesi tests/t-core tests/t-laws \
            tests/t-faults) \
        >"$work/log" 2>&1 || { tail -20 "$work/log"; return 1; }
}
use() {
    (cd "$work" && $CC -std=gnu11 -Ibuild/include -Isrc/include use.c -o use -Lbuild/.libs \
        -lagnesi -lm -Wl,-rpath,"$work/build/.libs" && ./use)
}
laws() { (cd "$work/build" && AGNESI_TEST_QUICK=1 tests/t-laws >"$work/laws") || { grep -v '^ok' "$work/laws"; return 1; }; }
faults() { (cd "$work/build" && tests/t-faults >"$work/faults") || { grep -v '^ok' "$work/faults"; return 1; }; }
verify() {
    (cd "$work/build" && tools/agnesi ops --verify cube circular_difference) >"$work/verify" || { tail -5 "$work/verify"; return 1; }
    ! grep FAILS "$work/verify" && grep -q '^ *cube' "$work/verify" &&
        grep -q '^ *circular_difference' "$work/verify"
}
core() { (cd "$work/build" && tests/t-core >"$work/core") || { grep -v '^ok' "$work/core"; return 1; }; }
# to another prefix than configure's: pkg-config finds it there, and a program links what agnesi.pc names, and computes
install_elsewhere() {
    (
        cd "$work/build" && to=$work/elsewhere
        make -s prefix="$to" install-libLTLIBRARIES install-agnincludeHEADERS install-nodist_agnincludeHEADERS \
            install-pkgconfigDATA install-data-hook &&
            flags=$(PKG_CONFIG_PATH=$to/lib/pkgconfig pkg-config --cflags --libs agnesi) &&
            case $flags in *"-I$to/include"*"-L$to/lib"*) ;; *) echo "agnesi.pc says $flags"; false ;; esac &&
            $CC -o derivatives "$work/src/examples/derivatives.c" $flags -lm -Wl,-rpath,"$to/lib" &&
            ./derivatives >derivatives.out && grep -q '^1.25  0.3902' derivatives.out
    ) >"$work/log" 2>&1 || { tail -20 "$work/log"; return 1; }
}
ok "the distribution with an element-wise and a linear op more builds" build
ok "a test of it runs" core
ok "it installs to another prefix, where a program finds it" install_elsewhere
ok "the new op works: value, derivatives to order 4, jet, lanes, f32, i32, reflection, CSR" use
ok "the laws of element-wise ops hold with it" laws
ok "agnesi ops --verify has no empty or failing cell of either" verify
ok "allocations that fail in either leave nothing behind" faults
finish
