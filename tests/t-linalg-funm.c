/* t-linalg-funm - functions of matrices that the user gives: against mpmath, against the functions that have kernels of
   their own, at Jordan blocks and ties, in every mode, and every documented failure. */
#include "modes.h"

#define DATA_FUNCTIONS
#include "data/pencils.inc"

typedef enum scalar { EXP, COS, MIX, SQRT, SQUARE, CONJ, REAL, LONGER } scalar;
static agn_status number_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *z = in[0];
    switch (*(const scalar *)user) {
    case EXP: out[0] = ag_exp(s, z); break;
    case COS: out[0] = ag_cos(s, z); break;
    case MIX: out[0] = ag_add(s, ag_mul_c(s, ag_exp(s, z), 2), ag_cos(s, z)); break;
    case SQRT: out[0] = ag_sqrt(s, z); break;
    case SQUARE: out[0] = ag_mul(s, z, z); break;
    case CONJ: out[0] = ag_conj(s, z); break;
    case REAL: out[0] = ag_real(s, z); break;
    case LONGER: out[0] = ag_concat(s, (const agn_tensor *[]){z, z}, 2, -1); break;
    }
    return agn_scope_status(s);
}
static agn_fn *number(const scalar *k)
{
    agn_fn *f = NULL;
    must(agn_fn_new(&f, number_body, (void *)(uintptr_t)k, NULL, 1, 1));
    return f;
}
static const scalar all_scalars[] = {EXP, COS, MIX, SQRT, SQUARE, CONJ, REAL, LONGER};

static double off(const agn_tensor *y, const double *want, int n)
{
    double most = 0, d = agn_numel(y) == n ? 0 : (double)INFINITY;
    for (int i = 0; i < n && d < 1e300; i++) {
        most = fmax(most, fabs(want[i]));
        double e = cabs(peekz(y, i) - want[i]);
        d = e > d || e != e ? e : d;
    }
    return d / most;
}

static void test_values(void)
{
    static const struct {
        const char *name;
        int n;
        const double *a, *y[3];
    } cases[] = {{"plain", 4, funm_plain, {funm_plain_exp, funm_plain_cos, funm_plain_mix}},
                 {"a Jordan block", 4, funm_jordan, {funm_jordan_exp, funm_jordan_cos, funm_jordan_mix}},
                 {"near values", 3, funm_near, {funm_near_exp, funm_near_cos, funm_near_mix}}};
    tally t = {0, 0};
    for (int c = 0; c < COUNT(cases); c++)
        for (int k = 0; k < 3; k++)
            for (int single = 0; single < 2; single++) {
                int n = cases[c].n;
                agn_tensor *a = of_reals(single ? AGN_F32 : AGN_F64, 2, (int64_t[]){n, n}, cases[c].a), *y = NULL;
                agn_fn *f = number(&all_scalars[k]);
                agn_status st = agn_linalg_funm(&y, a, f);
                double e = st ? (double)INFINITY : off(y, cases[c].y[k], n * n);
                check(&t, e < (single ? 1e-4 : 1e-12) && agn_dtype_of(y) == (single ? AGN_C64 : AGN_C128), "%s, function %d: off by %.1e: %s", cases[c].name, k, e,
                      agn_error_message());
                agn_fn_release(f);
                agn_release(a);
                agn_release(y);
            }
    tell(&t, "funm: values of mpmath");
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){4, 4}, funm_plain), *y = NULL;
    must(agn_linalg_expm_cond(&y, a));
    ok(fabs(peek(y, 0) / expm_cond[0] - 1) < 1e-10, "expm_cond: %.17g, SciPy says %.17g", peek(y, 0), expm_cond[0]);
    agn_release(a);
    agn_release(y);
}

/* batches, layouts, sizes, against kernels of their own */
static void test_kernels(void)
{
    tally t = {0, 0};
    static const int dtypes[] = {AGN_F64, AGN_C128};
    for (int d = 0; d < 2; d++)
        for (int64_t n = 0; n <= 24; n += 1 + n / 2)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t shape[] = {2, n, n};
                agn_tensor *a = random_of(dtypes[d], 3, shape, -1, 1), *x = laid_out(a, l), *y = NULL, *h = NULL;
                agn_fn *f = number(&all_scalars[EXP]);
                agn_scope *s = agn_scope_open(NULL);
                agn_status st = agn_linalg_funm(&y, x, f);
                const agn_tensor *want = ag_cast(s, ag_linalg_matrix_exp(s, a), AGN_C128);
                double e = st ? (double)INFINITY : modes_apart(y, want);
                check(&t, e < 1e-9, "order %d: %.1e: %s", (int)n, e, agn_error_message());
                const agn_tensor *sym = ag_tril(s, a, 0), *low = ag_tril(s, a, -1);
                st = agn_linalg_funm_hermitian(&h, l % 2 ? ag_conj(s, ag_swapaxes(s, x, -1, -2)) : x, f, l % 2);
                const agn_tensor *both = ag_add(s, sym, ag_conj(s, ag_swapaxes(s, low, -1, -2)));
                if (d) /* of the diagonal the real part is read */
                    both = ag_mul_c(s, ag_add(s, both, ag_conj(s, ag_swapaxes(s, both, -1, -2))), 0.5);
                e = st ? (double)INFINITY : modes_apart(h, ag_linalg_matrix_exp(s, both));
                check(&t, e < 1e-12 * (1 + (double)n), "Hermitian, order %d: %.1e: %s", (int)n, e, agn_error_message());
                must(agn_scope_close(s));
                agn_fn_release(f);
                agn_tensor *all[] = {a, x, y, h};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "funm and funm_hermitian against matrix_exp: sizes, batches, layouts");
    /* the square of the identity of order 70, one cluster of more values than there are terms */
    agn_tensor *eye = NULL, *y = NULL;
    agn_fn *f = number(&all_scalars[SQUARE]);
    must(agn_eye(&eye, AGN_F64, 70, 70, 0));
    must(agn_linalg_funm(&y, eye, f));
    double worst = 0;
    for (int64_t i = 0; i < 4900; i++)
        worst = fmax(worst, cabs(peekz(y, i) - (i % 71 == 0)));
    ok(worst == 0, "the identity of order 70: off by %g", worst);
    agn_fn_release(f);
    agn_release(eye);
    agn_release(y);
}

typedef struct use {
    scalar k;
    bool hermitian;
} use;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const use *u = user;
    agn_tensor *y = NULL;
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, number_body, (void *)(uintptr_t)&u->k, NULL, 1, 1);
    const agn_tensor *a = in[0];
    if (!st)
        st = u->hermitian ? agn_linalg_funm_hermitian(&y, a, f, false) : agn_linalg_funm(&y, a, f);
    agn_fn_release(f);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const double at[][4] = {{1.5, 0.25, -0.5, 0.75}, {1, 1, 0, 1}, {2, 0, 0, 2}};
    static const char *const names[] = {"apart", "a Jordan block", "a tie"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < 3; k++)
            for (int h = 0; h < 2; h++) {
                use u = {k ? SQRT : EXP, h};
                agn_tensor *x = of_reals(c ? AGN_C128 : AGN_F64, 2, (int64_t[]){2, 2}, at[k]);
                if (h && k == 1)
                    x = (agn_release(x), of_reals(c ? AGN_C128 : AGN_F64, 2, (int64_t[]){2, 2}, (double[]){3, 0, 0, 3}));
                agn_fn *f = NULL;
                char name[80];
                must(agn_fn_new(&f, body, &u, NULL, 1, 1));
                snprintf(name, sizeof name, "%s, %s, %s", h ? "funm_hermitian" : "funm", names[k], c ? "c128" : "f64");
                const agn_tensor *in[1] = {x};
                in_every_mode(f, 1, in, 4e-3, 1e-6, name);
                agn_fn_release(f);
                agn_release(x);
            }
}

/* captured tensors are refused, not taken for constants */
typedef struct holder {
    const agn_tensor *p;
} holder;
static agn_status holding_number(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const holder *h = user;
    out[0] = ag_exp(s, ag_mul(s, in[0], ag_cast(s, h->p, AGN_C128)));
    return agn_scope_status(s);
}
static agn_status holding_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    holder h = {in[0]};
    agn_fn *f = NULL;
    agn_tensor *y = NULL;
    agn_status st = agn_fn_new(&f, holding_number, &h, NULL, 1, 1);
    st = st ? st : agn_linalg_funm(&y, user, f);
    agn_fn_release(f);
    out[0] = ag_sum_all(s, ag_real(s, agn_scope_adopt(s, st, &y)));
    return agn_scope_status(s);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *sparse = NULL, *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, 0, 3});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}), *near = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0.06, 1, 0, 1e-3});
    agn_fn *f = number(&all_scalars[EXP]), *root = number(&all_scalars[SQRT]), *real = number(&all_scalars[REAL]), *longer = number(&all_scalars[LONGER]), *conj = number(&all_scalars[CONJ]), *pair = NULL;
    must(agn_fn_new(&pair, number_body, (void *)(uintptr_t)&all_scalars[EXP], NULL, 2, 1));
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    static const char fm[] = "linalg_funm", fh[] = "linalg_funm_hermitian", ec[] = "linalg_expm_cond";
    BAD(agn_linalg_funm(NULL, sq, f), AGN_ENULL, fm, "out is", NULL);
    BAD(agn_linalg_funm(&o, NULL, f), AGN_ENULL, fm, "a is", NULL);
    BAD(agn_linalg_funm(&o, sq, NULL), AGN_ENULL, fm, "f is", NULL);
    BAD(agn_linalg_funm(&o, sq, pair), AGN_EARG, fm, "2 arguments", NULL);
    BAD(agn_linalg_funm(&o, flat, f), AGN_ESHAPE, fm, "[2,3]", NULL);
    BAD(agn_linalg_funm(&o, sq, longer), AGN_ESHAPE, fm, "[4]", "each number");
    BAD(agn_linalg_funm(&o, sq, real), AGN_EDTYPE, fm, "f64", "complex");
    BAD(agn_linalg_funm(&o, nan, f), AGN_EDOMAIN, fm, "not finite", "[1,0]");
    BAD(agn_linalg_funm(&o, near, root), AGN_ENOCONV, fm, "does not converge", NULL);
    BAD(agn_linalg_funm(&o, sparse, f), AGN_EUNSUPPORTED, fm, "sparse", NULL);
    BAD(agn_linalg_funm_hermitian(NULL, sq, f, 0), AGN_ENULL, fh, "out is", NULL);
    BAD(agn_linalg_funm_hermitian(&o, NULL, f, 0), AGN_ENULL, fh, "a is", NULL);
    BAD(agn_linalg_funm_hermitian(&o, sq, NULL, 0), AGN_ENULL, fh, "f is", NULL);
    BAD(agn_linalg_funm_hermitian(&o, sq, pair, 0), AGN_EARG, fh, "2 arguments", NULL);
    BAD(agn_linalg_funm_hermitian(&o, flat, f, 0), AGN_ESHAPE, fh, "[2,3]", NULL);
    BAD(agn_linalg_funm_hermitian(&o, nan, f, 0), AGN_EDOMAIN, fh, "not finite", NULL);
    BAD(agn_linalg_funm_hermitian(&o, sparse, f, 0), AGN_EUNSUPPORTED, fh, "sparse", NULL);
    BAD(agn_linalg_expm_cond(NULL, sq), AGN_ENULL, ec, "out is", NULL);
    BAD(agn_linalg_expm_cond(&o, NULL), AGN_ENULL, ec, "a is", NULL);
    BAD(agn_linalg_expm_cond(&o, flat), AGN_ESHAPE, ec, "[2,3]", NULL);
    BAD(agn_linalg_expm_cond(&o, nan), AGN_EDOMAIN, ec, "not finite", NULL);
    BAD(agn_linalg_expm_cond(&o, sparse), AGN_EUNSUPPORTED, ec, "sparse", NULL);
    agn_tensor *wide = NULL;
    must(agn_zeros(&wide, AGN_F64, 2, (int64_t[]){1001, 1001}));
    BAD(agn_linalg_expm_cond(&o, wide), AGN_EUNSUPPORTED, ec, "order n^2", "[1001,1001]");
    agn_release(wide);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *y = NULL;
    must(agn_linalg_funm(&y, sq, conj));
    ok(isnan(creal(peekz(y, 0))), "a function that is not holomorphic gives NaN");
    agn_release(y);
    agn_fn *g = NULL, *h = NULL;
    agn_tensor *p = of_reals(AGN_F64, 0, NULL, (double[]){0.5});
    must(agn_fn_new(&h, holding_body, sq, NULL, 1, 1));
    must(agn_fn_grad(&g, h, (int32_t[]){0}, 1));
    const agn_tensor *in[1] = {p};
    agn_status got = agn_fn_call(&o, 1, g, in, 1);
    ok(got == AGN_EUNSUPPORTED && o == untouched, "tensors that f holds have no derivative: %s", agn_error_message());
    agn_fn *fns[] = {f, root, real, longer, conj, pair, g, h};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_tensor *all[] = {flat, sq, nan, near, sparse, p};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, number_body, (void *)(uintptr_t)&all_scalars[SQUARE], NULL, 1, 1);
    st = st ? st : agn_linalg_funm(out, user, f);
    agn_fn_release(f);
    return st;
}

int main(void)
{
    test_values();
    test_kernels();
    test_modes();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, -1, 1});
    every_allocation(make, a, "funm");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
