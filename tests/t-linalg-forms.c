/* t-linalg-forms - derivatives of QZ, of ordered forms and of complex forms of real ones: in every
   mode against differences, of what the factors make against closed forms, refused where the
   factors are no functions; forms of numbers near the ends of the range. */
#include "t-linalg.h"

typedef enum form { QZ, QZ_LEFT, ORDERED, COMPLEX_FORM } form;
typedef struct shown {
    form which;
    int result;
} shown;

/* pattern of blocks 2, 1, 1 */
static const double pattern[] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1};

static agn_status form_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const shown *u = user;
    agn_tensor *y[5] = {NULL};
    const agn_tensor *a = in[0], *b = in[1];
    agn_status st = agn_scope_status(s);
    if (u->which == COMPLEX_FORM) {
        agn_tensor *keep = of_reals(AGN_F64, 2, (int64_t[]){4, 4}, pattern);
        const agn_tensor *t = ag_mul(s, a, ag_cast(s, keep, agn_dtype_of(a)));
        agn_release(keep);
        if (t)
            st = agn_linalg_schur_complex(&y[0], &y[1], t, b);
    } else if (u->which == ORDERED)
        st = agn_linalg_schur_ordered(&y[0], &y[1], &y[2], a, AGN_ORDER_LEFT);
    else
        st = agn_linalg_qz_ordered(&y[0], &y[1], &y[2], &y[3], &y[4], a, b,
                                   u->which == QZ ? AGN_ORDER_NONE : AGN_ORDER_LEFT);
    for (int i = 0; i < 5; i++) {
        const agn_tensor *x = !i || y[i] ? agn_scope_adopt(s, st, &y[i]) : NULL;
        if (i == u->result)
            out[0] = x;
    }
    return agn_scope_status(s);
}

/* simple values on both sides of 0, real where the matrices are, in an order that QZ keeps nearby
   */
static const double given_a[] = {4.0625,  -0.15625, -0.5625, -0.0625, 0, -1.96875,
                                 -0.5625, 0.59375,  0.03125, 0.03125, 1, -0.375,
                                 0.09375, -0.09375, -0.0625, -0.53125},
                    given_b[] = {1.0625,  0.09375, 0.1875,   0.1875,  -0.03125, 1.46875,
                                 0.21875, -0.25,   -0.03125, 0.03125, 0.96875,  -0.375,
                                 0,       0,       0.03125,  2.03125},
                    given_t[] = {1, 2, 0.5, -0.25, -0.75, 1.25, 1, 0.5, 0, 0, -1, 0.75, 0, 0, 0, 3};

static const agn_tensor *turned(agn_scope *s, const agn_tensor *x, int dtype)
{
    const agn_tensor *y = ag_cast(s, x, (agn_dtype)dtype);
    if (dtype != AGN_C128)
        return y;
    const agn_tensor *i = ag_complex(s, ag_lit(s, 0), ag_lit(s, 0.25));
    return ag_add(s, y, ag_mul(s, i, ag_sub(s, ag_triu(s, y, 1), ag_tril(s, y, -1))));
}

static void test_modes(void)
{
    static const char *const names[] = {"qz", "qz, ordered", "schur, ordered", "complex form"};
    int64_t n4[] = {4, 4};
    agn_tensor *a0 = of_reals(AGN_F64, 2, n4, given_a), *b0 = of_reals(AGN_F64, 2, n4, given_b),
               *t0 = of_reals(AGN_F64, 2, n4, given_t);
    for (int c = 0; c < 2; c++)
        for (int w = QZ; w <= COMPLEX_FORM; w++)
            for (int i = 0; i < (w < ORDERED ? 4 : 2); i++) {
                if (c && w == COMPLEX_FORM)
                    continue; /* complex forms have no blocks */
                int dtype = c ? AGN_C128 : AGN_F64;
                agn_scope *s = agn_scope_open(NULL);
                const agn_tensor *in[2] = {turned(s, w == COMPLEX_FORM ? t0 : a0, dtype),
                                           turned(s, b0, dtype)};
                agn_fn *f = NULL;
                shown u = {(form)w, i};
                char name[80];
                must(agn_fn_new(&f, form_body, &u, NULL, 2, 1));
                snprintf(name, sizeof name, "%s, result %d, %s", names[w], i, c ? "c128" : "f64");
                in_every_mode(f, 2, in, 2e-4, 2e-6,
                              name); /* nearby, for LAPACK may change the order of values */
                agn_fn_release(f);
                must(agn_scope_close(s));
            }
    agn_release(a0);
    agn_release(b0);
    agn_release(t0);
}

/* ---- what the factors make has the derivative of what it is
   ------------------------------------- */

/* q s z^H is a, and prod s_ii / t_ii is det a / det b */
static agn_status law_body(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const int32_t axis[] = {0};
    agn_tensor *y[4] = {NULL};
    agn_status st = agn_linalg_qz(&y[0], &y[1], &y[2], &y[3], in[0], in[1]);
    const agn_tensor *f[4];
    for (int i = 0; i < 4; i++)
        f[i] = agn_scope_adopt(s, st, &y[i]);
    if (*(const int *)user)
        out[0] = ag_square(
            s, ag_sub(s, ag_matmul(s, f[2], ag_matmul(s, f[0], ag_transpose(s, f[3]))), in[1]));
    else
        out[0] = ag_abs(s, ag_div(s, ag_prod(s, ag_diagonal(s, f[0], 0, 0, 1), axis, 1, false),
                                  ag_prod(s, ag_diagonal(s, f[1], 0, 0, 1), axis, 1, false)));
    out[0] = ag_sum_all(s, out[0]);
    return agn_scope_status(s);
}
static agn_status formula_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    out[0] = *(const int *)user
                 ? ag_sum_all(s, ag_square(s, ag_sub(s, in[0], in[1])))
                 : ag_abs(s, ag_div(s, ag_linalg_det(s, in[0]), ag_linalg_det(s, in[1])));
    return agn_scope_status(s);
}
static void test_laws(void)
{
    int64_t n4[] = {4, 4};
    agn_tensor *a = of_reals(AGN_F64, 2, n4, given_a), *b = of_reals(AGN_F64, 2, n4, given_b);
    const agn_tensor *in[2] = {a, b};
    for (int k = 0; k < 2; k++)
        for (int order = 0; order < 4; order++) { /* gradients, then Hessians, in a and in b */
            agn_fn *f[2][2] = {{NULL}};
            agn_tensor *y[2] = {NULL};
            for (int j = 0; j < 2; j++) {
                must(agn_fn_new(&f[j][0], j ? formula_body : law_body, &k, NULL, 2, 1));
                must(order < 2 ? agn_fn_grad(&f[j][1], f[j][0], (int32_t[]){order}, 1)
                               : agn_fn_hessian(&f[j][1], f[j][0], order - 2));
                must(agn_fn_call(&y[j], 1, f[j][1], in, 2));
                agn_fn_release(f[j][0]);
                agn_fn_release(f[j][1]);
            }
            double off = relative(y[0], y[1]);
            ok(off < 1e-10, "%s, derivative %d: %.1e", k ? "q s z^H" : "det a / det b", order, off);
            agn_release(y[0]);
            agn_release(y[1]);
        }
    agn_release(a);
    agn_release(b);
}

/* ---- refused
   ------------------------------------------------------------------------------------- */

static void test_refusals(void)
{
    static const struct {
        const char *name;
        form which;
        int dtype;
        double a[4], b[4];
    } cases[] = {
        {"equal values of a pair", QZ, AGN_F64, {1, 0, 0, 1}, {1, 0, 0, 1}},
        {"nearly equal values of a pair", QZ, AGN_F64, {1, 0, 0, 1 + 1e-9}, {1, 0, 0, 1}},
        {"two infinite values", QZ, AGN_F64, {1, 0, 0, 2}, {0, 0, 0, 0}},
        {"complex values of a real pair", QZ, AGN_F64, {0, 1, -1, 0}, {1, 0, 0, 1}},
        {"equal values of a complex pair", QZ, AGN_C128, {2, 0, 0, 2}, {1, 0, 0, 1}},
        {"complex values of a real matrix", ORDERED, AGN_F64, {-1, 1, -1, -1}, {1, 0, 0, 1}},
        {"equal values of a matrix", ORDERED, AGN_F64, {-1, 0, 0, -1}, {1, 0, 0, 1}},
    };
    for (int k = 0; k < COUNT(cases); k++)
        for (int back = 0; back < 2; back++) {
            int64_t n2[] = {2, 2};
            agn_tensor *a = of_reals(cases[k].dtype, 2, n2, cases[k].a),
                       *b = of_reals(cases[k].dtype, 2, n2, cases[k].b);
            agn_tensor *e = of_reals(cases[k].dtype, 2, n2, (double[]){1, 2, 3, 5}),
                       *zero = of_reals(cases[k].dtype, 2, n2, (double[4]){0}), *y[3] = {NULL};
            agn_fn *f = NULL, *g = NULL;
            shown u = {cases[k].which, 0};
            must(agn_fn_new(&f, form_body, &u, NULL, 2, 1));
            agn_status st;
            if (back) {
                must(agn_fn_vjp(&g, f));
                st = agn_fn_call(y, 3, g, (const agn_tensor *[]){a, b, e}, 3);
            } else {
                must(agn_fn_jvp(&g, f));
                st = agn_fn_call(y, 2, g, (const agn_tensor *[]){a, b, e, zero}, 4);
            }
            ok(st == AGN_EDOMAIN, "%s, %s: %s", cases[k].name, back ? "backward" : "forward",
               agn_error_message());
            agn_tensor *all[] = {a, b, e, zero, y[0], y[1], y[2]};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
            agn_fn_release(f);
            agn_fn_release(g);
        }
}

/* ---- numbers near the ends of the range
   ------------------------------------------------------------ */

static void test_range(void)
{
    for (int k = 0; k < 2; k++) {
        double size = k ? 1e300 : 1e-300;
        int64_t n2[] = {2, 2};
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *t = of_reals(AGN_F64, 2, n2, (double[]){size, 2 * size, -3 * size, size}),
                   *y[2] = {NULL};
        must(agn_linalg_schur_complex(&y[0], &y[1], t, ag_eye(s, AGN_F64, 2, 2, 0)));
        const agn_tensor *back = ag_matmul(
            s, y[1], ag_matmul(s, ag_mul_c(s, y[0], 1 / size), adjoint(s, y[1])));
        double off = relative(back, ag_cast(s, ag_mul_c(s, t, 1 / size), AGN_C128));
        ok(off < 1e-15, "complex form of %.0e: %.1e", size, off);
        agn_release(t);
        agn_release(y[0]);
        agn_release(y[1]);
        must(agn_scope_close(s));
    }
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){1e-30}),
               *b = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){1e20}), *x = NULL,
               *steps = NULL;
    must(agn_linalg_solve_mixed(&x, &steps, a, b));
    ok(fabs(peek(x, 0) / 1e50 - 1) < 1e-15 && peek(steps, 0) < 0,
       "half the digits have too little range: %.3e, %g steps", peek(x, 0), peek(steps, 0));
    agn_tensor *all[] = {a, b, x, steps};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

int main(void)
{
    test_modes();
    test_laws();
    test_refusals();
    test_range();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
