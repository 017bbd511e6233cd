/* t-corner-borders.c - structural zeros where masks meet loops, branches, rules of a user's own, solves,
   transforms, sparse and complex operands, as the table of doc/autograd.rst says: a guard beside its pole
   is 0 in every mode, one on the other side of a border that masks do not cross is 0 or not finite,
   never another number. */
#include "corners.h"

#include <agnesi/control.h>
#include <agnesi/fft.h>
#include <agnesi/implicit.h>
#include <agnesi/linalg.h>
#include <agnesi/sparse.h>
#include <agnesi/tape.h>

static T guard(agn_scope *s, T x)
{
    return ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), LIT(0));
}
static T keep_positive(agn_scope *s, T x, T y)
{
    return ag_where(s, ag_gt(s, x, LIT(0)), y, LIT(0));
}

/* ---- functions in functions ------------------------------------------------------------------ */

#define BODY(name, expression) \
    static agn_status name(void *user, agn_scope *s, const T *in, T *out) \
    { \
        (void)user; \
        T x = in[0]; \
        out[0] = expression; \
        return agn_scope_status(s); \
    }
BODY(b_guard, guard(s, x))
BODY(b_root, ag_sqrt(s, x))
BODY(b_zero, ag_mul_c(s, x, 0))
BODY(b_same, ag_mul_c(s, x, 1))

typedef agn_status wrapper(agn_fn **out, const agn_fn *f);
/* f made of a body by wrap, of all arguments */
static T call(agn_scope *s, agn_body *of, int n_in, wrapper *wrap, const T *in, int n)
{
    agn_fn *f = NULL, *g = NULL;
    T y[2] = {NULL};
    agn_status st = agn_fn_new(&f, of, NULL, NULL, n_in, 1);
    st = st ? st : wrap(&g, f);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, y, agn_fn_n_out(g), g, in, n);
    agn_fn_release(f);
    agn_fn_release(g);
    return y[0];
}
F(kept_guard, call(s, b_guard, 1, agn_fn_checkpoint, &x, 1))
F(kept_root, keep_positive(s, x, call(s, b_root, 1, agn_fn_checkpoint, &x, 1)))
static T relu_kept_root(agn_scope *s, T x)
{
    T y = ag_relu(s, x);
    return call(s, b_root, 1, agn_fn_checkpoint, &y, 1);
}
static agn_status keeps_all(agn_fn **out, const agn_fn *f)
{
    const agn_checkpoint_options o = {.size = sizeof o, .save = AGN_SAVE_EVERYTHING};
    return agn_fn_checkpoint_with(out, f, &o);
}
F(kept_all_guard, call(s, b_guard, 1, keeps_all, &x, 1))

static T choose(agn_scope *s, bool by_number, agn_body *one, agn_body *other, T at, T x)
{
    agn_fn *a = NULL, *b = NULL, *f = NULL;
    T y = NULL;
    agn_status st = agn_fn_new(&a, one, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_new(&b, other, NULL, NULL, 1, 1);
    const agn_fn *branch[2] = {b, a};
    st = st         ? st
         : by_number ? agn_fn_switch(&f, branch, 2)
                     : agn_fn_cond(&f, a, b);
    T choice = ag_gt(s, at, LIT(0));
    const T in[2] = {by_number ? ag_cast(s, choice, AGN_I64) : choice, x};
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, &y, 1, f, in, 2);
    agn_fn_release(a);
    agn_fn_release(b);
    agn_fn_release(f);
    return y;
}
F(guard_in_branch, choose(s, false, b_guard, b_root, LIT(1), x))
F(guard_in_switch, choose(s, true, b_guard, b_root, LIT(1), x))
F(branch_by_value, choose(s, false, b_root, b_zero, AT(0), x))
F(switch_by_value, choose(s, true, b_root, b_zero, AT(0), x))
F(guarded_branch, keep_positive(s, x, choose(s, false, b_root, b_same, LIT(1), x)))
F(relu_to_branch, choose(s, false, b_root, b_same, LIT(1), ag_relu(s, x)))

/* ---- loops ----------------------------------------------------------------------------------- */

static agn_status sum_of_guards(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, in[0], guard(s, in[1]));
    return agn_scope_status(s);
}
static agn_status sum_of_roots(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, in[0], ag_sqrt(s, in[1]));
    return agn_scope_status(s);
}
static agn_status three_steps(agn_fn **out, const agn_fn *f)
{
    return agn_fn_scan(out, f, 1, 0, 3, false);
}
static agn_status three_steps_short(agn_fn **out, const agn_fn *f)
{
    const agn_scan_options o = {.size = sizeof o, .keep = 1, .reverse = true};
    return agn_fn_scan_with(out, f, 1, 0, 3, &o);
}
static T scanned(agn_scope *s, agn_body *step, wrapper *wrap, T x)
{
    return call(s, step, 2, wrap, (const T[]){ag_zeros(s, AGN_F64, 0, NULL), x}, 2);
}
F(scan_of_guards, scanned(s, sum_of_guards, three_steps, x))
F(scan_of_guards_short, scanned(s, sum_of_guards, three_steps_short, x))
static agn_status sum_of_guarded(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, in[0], keep_positive(s, in[1], in[1]));
    return agn_scope_status(s);
}
F(guards_of_root, scanned(s, sum_of_guarded, three_steps, ag_sqrt(s, x)))
static agn_status carried_guard(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul(s, guard(s, in[0]), in[1]);
    return agn_scope_status(s);
}
F(carried_guards, call(s, carried_guard, 2, three_steps, (const T[]){x, ag_ones(s, AGN_F64, 1, (int64_t[]){3})}, 2))
#define THRICE ag_broadcast_to(s, x, 1, (int64_t[]){3})
F(spread_guards, scanned(s, sum_of_guards, three_steps, THRICE))
F(spread_guards_short, scanned(s, sum_of_guards, three_steps_short, THRICE))
F(scan_of_relu, scanned(s, sum_of_roots, three_steps, ag_relu(s, x)))
static agn_status roots_of_slices(agn_fn **out, const agn_fn *f)
{
    return agn_fn_scan(out, f, 0, 0, 3, false);
}
F(slices_of_guards, call(s, b_guard, 1, roots_of_slices, &x, 1))
static T sliced_roots_chosen(agn_scope *s, T x)
{
    T y = call(s, b_root, 1, roots_of_slices, &x, 1);
    return keep_positive(s, x, call(s, b_same, 1, roots_of_slices, &y, 1));
}
F(guarded_slices, keep_positive(s, x, call(s, b_root, 1, roots_of_slices, &x, 1)))

static agn_status first_steps(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_lt(s, in[0], LIT(2));
    return agn_scope_status(s);
}
static agn_status add_guard(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_add_c(s, in[0], 1);
    out[1] = ag_add(s, in[1], guard(s, in[2]));
    return agn_scope_status(s);
}
static T while_of_guards(agn_scope *s, T x)
{
    agn_fn *more = NULL, *next = NULL, *f = NULL;
    T y[3] = {NULL};
    const agn_while_options o = {.size = sizeof o, .max_steps = 4};
    agn_status st = agn_fn_new(&more, first_steps, NULL, NULL, 3, 1);
    st = st ? st : agn_fn_new(&next, add_guard, NULL, NULL, 3, 2);
    st = st ? st : agn_fn_while(&f, more, next, &o);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, y, 3, f, (const T[]){LIT(0), ag_stop_gradient(s, ag_mul_c(s, x, 0)), x}, 3);
    agn_fn_release(more);
    agn_fn_release(next);
    agn_fn_release(f);
    return y[1];
}
static agn_status guarded_pair(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T square = ag_add(s, ag_square(s, in[0]), ag_square(s, in[1]));
    out[0] = ag_where(s, ag_gt(s, square, LIT(0)), ag_sqrt(s, square), LIT(0));
    return agn_scope_status(s);
}
static agn_status along(agn_fn **out, const agn_fn *f)
{
    return agn_fn_associative_scan(out, f, 0, false);
}
F(running_norm, ag_index_axis(s, call(s, guarded_pair, 2, along, &x, 1), 0, -1))
static agn_status mapped(agn_fn **out, const agn_fn *f)
{
    return agn_fn_map(out, f, NULL, 0, NULL, 0, 2);
}
F(map_of_guards, call(s, b_guard, 1, mapped, &x, 1))

/* ---- rules of a user's own ------------------------------------------------------------------- */

static agn_status root_jvp(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user; /* x, y, x' */
    out[0] = ag_div(s, in[2], ag_mul_c(s, in[1], 2));
    return agn_scope_status(s);
}
static agn_status guard_jvp(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = keep_positive(s, in[0], ag_div(s, in[2], ag_mul_c(s, ag_sqrt(s, in[0]), 2)));
    return agn_scope_status(s);
}
static agn_status with_root_rule(agn_fn **out, const agn_fn *f)
{
    return agn_fn_custom(out, f, &(agn_custom_rule){.size = sizeof(agn_custom_rule), .jvp = root_jvp});
}
static agn_status with_guard_rule(agn_fn **out, const agn_fn *f)
{
    return agn_fn_custom(out, f, &(agn_custom_rule){.size = sizeof(agn_custom_rule), .jvp = guard_jvp});
}
F(rule_with_guard, call(s, b_guard, 1, with_guard_rule, &x, 1))
F(guarded_rule, keep_positive(s, x, call(s, b_root, 1, with_root_rule, &x, 1)))
static T relu_to_rule(agn_scope *s, T x)
{
    T y = ag_relu(s, x);
    return call(s, b_root, 1, with_root_rule, &y, 1);
}
static T hooked_guard(agn_scope *s, T x)
{
    agn_fn *same = NULL;
    agn_tensor *y = NULL;
    agn_status st = agn_fn_new(&same, b_same, NULL, NULL, 1, 1);
    st = st ? st : agn_hook_add(&y, x, same);
    T z = agn_scope_adopt(s, st, &y);
    agn_fn_release(same);
    return z ? guard(s, z) : NULL;
}

/* ---- solves, transforms ---------------------------------------------------------------------- */

static T diagonal(agn_scope *s, T d, int n)
{
    T eye = ag_cast(s, ag_eq(s, ag_reshape(s, ag_arange(s, AGN_F64, 0, n, 1), 2, (int64_t[]){n, 1}),
                             ag_arange(s, AGN_F64, 0, n, 1)), AGN_BOOL);
    return ag_where(s, eye, d, LIT(0));
}
static T solved(agn_scope *s, T x)
{
    T d = ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), LIT(1));
    return ag_linalg_solve(s, diagonal(s, d, 3), ag_ones(s, AGN_F64, 1, (int64_t[]){3}));
}
F(solved_guard, ag_linalg_solve(s, ag_add(s, diagonal(s, LIT(2), 3), LIT(0)), guard(s, x)))
F(choleskied, ag_linalg_cholesky(s, diagonal(s, ag_where(s, ag_gt(s, x, LIT(0)), x, LIT(1)), 3), false))
F(determinant, ag_log(s, ag_linalg_det(s, diagonal(s, ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), LIT(1)), 3))))
F(spectrum, ag_square(s, ag_abs(s, ag_fft_fft(s, guard(s, x), 0, -1, AGN_FFT_BACKWARD))))
F(variance, ag_var(s, guard(s, x), NULL, 0, 0, false))
static agn_status cubic(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sub(s, ag_pow_c(s, in[0], 3),
                    ag_where(s, ag_gt(s, in[1], LIT(0)), ag_sqrt(s, in[1]), LIT(1)));
    return agn_scope_status(s);
}
static agn_status cubic_root(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_cbrt(s, ag_where(s, ag_gt(s, in[1], LIT(0)), ag_sqrt(s, in[1]), LIT(1)));
    return agn_scope_status(s);
}
static T rooted(agn_scope *s, T x)
{
    agn_fn *f = NULL, *g = NULL, *r = NULL;
    T y = NULL;
    agn_status st = agn_fn_new(&f, cubic, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_new(&g, cubic_root, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_root(&r, f, 1, g, NULL, NULL);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, &y, 1, r, (const T[]){ag_ones(s, AGN_F64, 1, (int64_t[]){3}), x}, 2);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(r);
    return y;
}

/* ---- sparse and complex operands ------------------------------------------------------------- */

static T entries_of(agn_scope *s, T values)
{
    agn_tensor *a = NULL;
    const int64_t at[2][3] = {{0, 1, 2}, {1, 0, 2}};
    T index = ag_from_host(s, AGN_I64, 2, (int64_t[]){2, 3}, at);
    agn_status st = index ? agn_sparse_coo(&a, 2, (int64_t[]){3, 3}, index, values) : AGN_OK;
    return index ? agn_scope_adopt(s, st, &a) : NULL;
}
static T dense(agn_scope *s, T a)
{
    agn_tensor *y = NULL;
    agn_status st = a ? agn_sparse_to_dense(&y, a) : AGN_OK;
    return a ? agn_scope_adopt(s, st, &y) : NULL;
}
static T times(agn_scope *s, T a, T x)
{
    agn_tensor *y = NULL;
    agn_status st = a && x ? agn_sparse_matmul(&y, a, x) : AGN_OK;
    return a && x ? agn_scope_adopt(s, st, &y) : NULL;
}
#define ONES3 ag_ones(s, AGN_F64, 1, (int64_t[]){3})
F(sparse_times_guard, times(s, entries_of(s, ONES3), guard(s, x)))
F(guard_entries, times(s, entries_of(s, guard(s, x)), ONES3))
F(dense_guard, guard(s, dense(s, entries_of(s, x))))
F(root_of_dense, ag_index_axis(s, ag_sqrt(s, dense(s, entries_of(s, ag_relu(s, x)))), 0, 2))
F(root_of_products, keep_positive(s, x, ag_sqrt(s, times(s, entries_of(s, ag_arange(s, AGN_F64, 1, 4, 1)), x))))

#define Z ag_complex(s, x, ag_mul_c(s, x, 0))
F(complex_root, ag_real(s, ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, Z), ag_cast(s, LIT(0), AGN_C128))))
F(complex_log, ag_real(s, ag_where(s, ag_gt(s, x, LIT(0)), ag_log(s, ag_complex(s, x, x)),
                                   ag_cast(s, LIT(0), AGN_C128))))
F(imaginary_root, ag_where(s, ag_gt(s, x, LIT(0)), ag_imag(s, ag_complex(s, x, ag_sqrt(s, x))), LIT(0)))
F(chosen_root, ag_imag(s, ag_where(s, ag_gt(s, x, LIT(0)), ag_complex(s, x, ag_sqrt(s, x)), ag_cast(s, LIT(0), AGN_C128))))
F(complex_size, ag_where(s, ag_gt(s, ag_abs(s, Z), LIT(0.5)), ag_abs(s, Z), LIT(1)))
F(complex_masked, ag_abs(s, ag_where(s, ag_gt(s, x, LIT(0)), ag_complex(s, x, x), ag_cast(s, LIT(0), AGN_C128))))

/* ---- rows of the table that are arrays of numbers ------------------------------------ */

F(times_root, ag_mul(s, ag_from_host(s, AGN_F64, 1, (int64_t[]){2}, (double[]){0, 1}), ag_sqrt(s, x)))
F(truth_times_root, ag_mul(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x)))
F(complex_cast, ag_real(s, ag_mul(s, ag_sqrt(s, Z), ag_cast(s, ag_gt(s, x, LIT(0)), AGN_C128))))
F(spread_cast, ag_mul(s, ag_broadcast_to(s, ag_cast(s, ag_gt(s, AT(0), LIT(0)), AGN_F64), 1, (int64_t[]){2}), ag_sqrt(s, x)))
F(cast_times_root, ag_mul(s, ag_cast(s, ag_gt(s, x, LIT(0)), AGN_F64), ag_sqrt(s, x)))
F(nan_sum, ag_nansum(s, ag_mul(s, ag_from_host(s, AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, NAN}), x), NULL, 0,
                     false))

#define AT3 3, {-1, 0, 4}
#define SAME(name, f) {name, f, AT3, 1, {0, 0, 0.25}}, {name ", second", f, AT3, 2, {0, 0, -1.0 / 32}}
static const corner table[] = {
    SAME("a guard in a checkpoint", kept_guard),
    SAME("a guard that a checkpoint saves", kept_all_guard),
    SAME("a guard of a checkpoint", kept_root),
    SAME("a checkpoint of relu", relu_kept_root),
    SAME("a guard in a branch", guard_in_branch),
    SAME("a guard in a switch", guard_in_switch),
    {"a branch by value", branch_by_value, 2, {0, 4}, 1, {0, 0}},
    {"a switch by value", switch_by_value, 2, {0, 4}, 1, {0, 0}},
    {"a branch by value, second", branch_by_value, 2, {0, 4}, 2, {0, 0}},
    SAME("a guard of a branch", guarded_branch),
    SAME("a branch of relu", relu_to_branch),
    {"a guard in a scan", scan_of_guards, AT3, 1, {0, 0, 0.25}},
    {"a guard in a scan that keeps one state", scan_of_guards_short, AT3, 1, {0, 0, 0.25}},
    {"a guard in slices of a scan", slices_of_guards, AT3, 1, {0, 0, 0.25}},
    {"a guard in a map", map_of_guards, AT3, 1, {0, 0, 0.25}},
    {"a guard in a scan, second", scan_of_guards, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard in a scan that keeps one state, second", scan_of_guards_short, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard in slices of a scan, second", slices_of_guards, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard in a map, second", map_of_guards, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard of complex sizes, second", complex_size, AT3, 2, {0, 0, 0}},
    {"a guard in a scan, third", spread_guards, 1, {4}, 3, {3 * 3.0 / 256}},
    {"a guard in a scan, third at 0", spread_guards, 1, {0}, 3, {0}},
    {"a guard in a scan that keeps one state, third at 0", spread_guards_short, 1, {0}, 3, {0}},
    {"a guard of carried values", carried_guards, AT3, 1, {0, 0, 0.125 * 0.29730177875068026}},
    {"a guard of carried values, second", carried_guards, AT3, 2, {0, 0, -0.875 / 4 * 0.125 * 0.29730177875068026}},
    SAME("a guard of slices of two scans", sliced_roots_chosen),
    {"a guard in a scan of a root", guards_of_root, 3, {0, 4, 4}, 1, {0, 0.25, 0.25}},
    SAME("a scan of relu", scan_of_relu),
    SAME("a guard of slices of a scan", guarded_slices),
    {"a guard in an associative scan, second", running_norm, 3, {0, 0, 4}, 2, {0, 0, 0}},
    {"complex sizes of a guard, second", complex_masked, AT3, 2, {0, 0, 0}},
    {"a guard in a while", while_of_guards, AT3, 1, {0, 0, 0.5}},
    {"a guard in a while, second", while_of_guards, AT3, 2, {0, 0, -1.0 / 16}},
    {"a guard in an associative scan", running_norm, 3, {0, 0, 4}, 1, {0, 0, 1}},
    SAME("a rule with a guard", rule_with_guard),
    SAME("a guard behind a hook", hooked_guard),
    {"a guard in a matrix", solved, AT3, 1, {0, 0, -1.0 / 16}},
    {"a guard in a matrix, second", solved, AT3, 2, {0, 0, 3.0 / 128}},
    {"a guard in a right-hand side", solved_guard, AT3, 1, {0, 0, 0.125}},
    {"a guard in a Cholesky factor", choleskied, AT3, 1, {0, 0, 0.25}},
    {"a guard in a Cholesky factor, second", choleskied, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard in a determinant", determinant, AT3, 1, {0, 0, 0.125}},
    {"a guard in a determinant, second", determinant, AT3, 2, {0, 0, -1.0 / 32}},
    {"a guard in a spectrum", spectrum, AT3, 1, {0, 0, 3}},
    {"a guard in a variance", variance, AT3, 1, {0, 0, 2.0 / 9}},
    {"a guard in a root", rooted, AT3, 1, {0, 0, 0.052496710412286385}},
    SAME("a sparse matrix times a guard", sparse_times_guard),
    SAME("a guard of a sparse matrix's entries", guard_entries),
    SAME("a guard of what a sparse matrix stores", dense_guard),
    {"a root of what a sparse matrix stores", root_of_dense, AT3, 1, {0, 0, 0.25}},
    {"a guard of a sparse product's root", root_of_products, 3, {0, 0, 4}, 1, {0, 0, 0.5 * 1.7320508075688772 / 2}},
    SAME("a guard of a complex root", complex_root),
    {"a guard of a complex logarithm", complex_log, AT3, 1, {0, 0, 0.25}},
    {"a guard of a complex logarithm, second", complex_log, AT3, 2, {0, 0, -1.0 / 16}},
    SAME("a guard of an imaginary part", imaginary_root),
    SAME("the imaginary part of a guard", chosen_root),
    {"a guard of complex sizes", complex_size, AT3, 1, {-1, 0, 1}},
    {"complex sizes of a guard", complex_masked, AT3, 1, {0, 0, 1.4142135623730951}},
    {"23 w sqrt x, w = (0, 1)", times_root, 2, {0, 4}, 1, {NOT_FINITE, 0.25}},
    {"39 cast(x > 0) sqrt x", cast_times_root, 2, {4, 0}, 1, {0.25, 0}},
    {"39 cast(x > 0) sqrt x, second", cast_times_root, 2, {4, 0}, 2, {-1.0 / 32, 0}},
    {"39 (x > 0) sqrt x", truth_times_root, 2, {4, 0}, 1, {0.25, 0}},
    {"39 cast(x > 0) sqrt z", complex_cast, 2, {4, 0}, 1, {0.25, 0}},
    {"39 a condition that is spread", spread_cast, 2, {0, 4}, 1, {0, 0}},
    {"38 nansum(a b)", nan_sum, 3, {1, 1, 1}, 1, {1, 2, 0}},
};
/* a guard and its pole on two sides of a border: of a user's rule */
static const corner apart[] = {
    SAME("a guard of a rule", guarded_rule),
    SAME("a rule of relu", relu_to_rule),
};

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(table[i].name, only))
            ok(try_corner(&table[i]), "%s", table[i].name);
    masks_end = true;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (strstr(apart[i].name, only))
            ok(try_corner(&apart[i]), "%s", apart[i].name);
    return done();
}
