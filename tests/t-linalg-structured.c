/* t-linalg-structured - Toeplitz and its like entry by entry, triangular solves in all forms, systems of
   tensors, in every mode, and every documented failure. */
#include "t-linalg.h"

static void test_entries(void)
{
    tally q = {0, 0};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *c = random_of(AGN_C128, 2, (int64_t[]){2, 4}, -1, 1),
               *r = random_of(AGN_C128, 2, (int64_t[]){2, 3}, -1, 1);
    for (int given = 0; given < 2; given++) {
        const agn_tensor *t = ag_linalg_toeplitz(s, c, given ? r : NULL),
                         *h = ag_linalg_hankel(s, c, given ? r : NULL), *k = ag_linalg_circulant(s, c);
        int64_t n = given ? 3 : 4;
        for (int64_t b = 0; b < 2; b++)
            for (int64_t i = 0; i < 4; i++)
                for (int64_t j = 0; j < 4; j++) {
                    double complex want = peekz(c, 4 * b + (i - j + 4) % 4);
                    check(&q, peekz(k, (4 * b + i) * 4 + j) == want, "circulant");
                    if (j >= n)
                        continue;
                    if (i < j)
                        want = given ? peekz(r, n * b + j - i) : conj(peekz(c, 4 * b + j - i));
                    check(&q, peekz(t, (4 * b + i) * n + j) == want, "toeplitz");
                    want = i + j < 4 ? peekz(c, 4 * b + i + j) : given ? peekz(r, n * b + i + j - 3) : 0;
                    check(&q, peekz(h, (4 * b + i) * n + j) == want, "hankel");
                }
    }
    must(agn_scope_close(s));
    agn_release(c);
    agn_release(r);
    tell(&q, "toeplitz, hankel, circulant: every entry");
}

/* each special matrix against its formula, and what is refused */
static void test_special(void)
{
    tally q = {0, 0};
    for (int f32 = 0; f32 < 2; f32++)
        for (int64_t n = 0; n <= 33; n = n < 8 ? n + 1 : 2 * n + 1) {
            const int dtype = f32 ? AGN_F32 : AGN_F64;
            agn_tensor *h, *p, *w;
            must(agn_linalg_hilbert(&h, dtype, n));
            must(agn_linalg_pascal(&p, dtype, n));
            must(agn_linalg_dft(&w, f32 ? AGN_C64 : AGN_C128, n, n & 1));
            check(&q, has_shape(h, 2, (int64_t[]){n, n}) && has_shape(p, 2, (int64_t[]){n, n}) &&
                          has_shape(w, 2, (int64_t[]){n, n}),
                  "shapes of %d rows", (int)n);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) {
                    double of = 1 / (double)(i + j + 1), choose = 1;
                    for (int64_t k = 1; k <= i; k++)
                        choose = choose * (double)(j + k) / (double)k;
                    check(&q, peek(h, i * n + j) == (f32 ? (double)(float)of : of), "hilbert");
                    check(&q, fabs(peek(p, i * n + j) - choose) <= choose * (f32 ? 1e-7 : 1e-14), "pascal");
                    double angle = -2 * 3.14159265358979323846 * (double)(i * j % n) / (double)n;
                    double complex want = cos(angle) + (double complex)I * sin(angle);
                    want /= n & 1 ? sqrt((double)n) : 1;
                    check(&q, cabs(peekz(w, i * n + j) - want) < (f32 ? 1e-7 : 2e-15), "dft");
                }
            agn_release(h), agn_release(p), agn_release(w);
        }
    for (int64_t n = 1; n <= 32; n *= 2) {
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *h = ag_linalg_hadamard(s, AGN_F64, n);
        const agn_tensor *g = ag_matmul(s, h, ag_transpose(s, h));
        for (int64_t i = 0; i < n * n; i++)
            check(&q, fabs(peek(h, i)) == 1 && peek(g, i) == (i % (n + 1) ? 0 : (double)n), "hadamard");
        must(agn_scope_close(s));
    }
    /* (x - 1)(x - 2)(x + 3), and births with survivors */
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){1, 4}, (double[]){2, 0, -14, 12}), *y, *l;
    agn_tensor *b = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3}),
               *c = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.5, (double)INFINITY});
    must(agn_linalg_companion(&y, a));
    must(agn_linalg_leslie(&l, b, c));
    static const double companion[9] = {0, 7, -6, 1, 0, 0, 0, 1, 0}, leslie[9] = {1, 2, 3, 0.5, 0, 0, 0, (double)INFINITY, 0};
    for (int i = 0; i < 9; i++)
        check(&q, peek(y, i) == companion[i] && peek(l, i) == leslie[i], "companion, leslie");
    agn_release(y), agn_release(l);
    y = untouched;
    check(&q, agn_linalg_hilbert(&y, AGN_I64, 3) == AGN_EDTYPE && agn_linalg_hilbert(&y, AGN_F64, -3) == AGN_ESHAPE &&
                  agn_linalg_hilbert(NULL, AGN_F64, 3) == AGN_ENULL && agn_linalg_pascal(&y, AGN_F64, 516) == AGN_EARG &&
                  agn_linalg_pascal(&y, AGN_F32, 67) == AGN_EARG && agn_linalg_pascal(&y, AGN_C64, 3) == AGN_EDTYPE &&
                  agn_linalg_pascal(&y, AGN_F64, -1) == AGN_ESHAPE && agn_linalg_pascal(NULL, AGN_F64, 3) == AGN_ENULL &&
                  agn_linalg_hadamard(&y, AGN_F64, 12) == AGN_EARG && agn_linalg_hadamard(&y, AGN_BOOL, 4) == AGN_EDTYPE &&
                  agn_linalg_hadamard(NULL, AGN_F64, 4) == AGN_ENULL && agn_linalg_dft(&y, AGN_F64, 4, false) == AGN_EDTYPE &&
                  agn_linalg_dft(&y, AGN_C64, -4, false) == AGN_ESHAPE && agn_linalg_dft(NULL, AGN_C64, 4, false) == AGN_ENULL &&
                  agn_linalg_companion(NULL, a) == AGN_ENULL && agn_linalg_companion(&y, NULL) == AGN_ENULL &&
                  agn_linalg_leslie(NULL, b, c) == AGN_ENULL && agn_linalg_leslie(&y, NULL, c) == AGN_ENULL &&
                  agn_linalg_leslie(&y, b, NULL) == AGN_ENULL && agn_linalg_leslie(&y, b, b) == AGN_ESHAPE &&
                  agn_linalg_leslie(&y, a, c) == AGN_ESHAPE && y == untouched,
          "refused: %s", agn_error_message());
    agn_release(a), agn_release(b), agn_release(c);
    double far = 0;
    must(agn_linalg_pascal(&y, AGN_F64, 515));
    far = peek(y, 515 * 515 - 1);
    agn_release(y);
    must(agn_linalg_pascal(&y, AGN_F32, 66));
    check(&q, isfinite(far) && isfinite(peek(y, 66 * 66 - 1)), "the largest are finite: %g", far);
    agn_release(y);
    tell(&q, "Hilbert, Pascal, Hadamard, Fourier, companion, Leslie");
}

static void test_forms(void)
{
    tally q = {0, 0};
    for (int k = 0; k < 4 * 24; k++) {
        int dtype = dtypes[k / 24];
        agn_triangular_options o = {.size = sizeof o, .form = (agn_matrix_form)(k % 3),
                                    .upper = k / 3 & 1, .unit = k / 6 & 1, .right = k / 12 & 1};
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *a0 = random_of(dtype, 3, (int64_t[]){2, 3, 3}, -1, 1);
        agn_tensor *b = random_of(dtype, 3, o.right ? (int64_t[]){2, 2, 3} : (int64_t[]){2, 3, 2}, -1, 1);
        const agn_tensor *eye = ag_eye(s, dtype, 3, 3, 0), *a = ag_add(s, a0, ag_mul_c(s, eye, 2));
        const agn_tensor *x = ag_linalg_triangular_solve_with(s, a, b, &o);
        const agn_tensor *m = o.upper ? ag_triu(s, a, o.unit) : ag_tril(s, a, -(int64_t)o.unit);
        if (o.unit)
            m = ag_add(s, m, eye);
        if (o.form == AGN_FORM_ADJOINT)
            m = ag_conj(s, m);
        if (o.form != AGN_FORM_PLAIN)
            m = ag_swapaxes(s, m, -1, -2);
        const agn_tensor *back = o.right ? ag_matmul(s, x, m) : ag_matmul(s, m, x);
        double e = relative(back, b);
        check(&q, e < 40 * (dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-23 : 0x1p-52),
              "form %d upper %d unit %d right %d: %.1e", o.form, o.upper, o.unit, o.right, e);
        must(agn_scope_close(s));
        agn_release(a0);
        agn_release(b);
    }
    tell(&q, "triangular solves: plain, transposed, adjoint; upper, unit, from the right");
}

static void test_tensors(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *a = random_of(AGN_F64, 4, (int64_t[]){2, 3, 6, 1}, -1, 1),
               *b = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1);
    const int32_t first[] = {2, 3}, second[] = {0, 1};
    const agn_tensor *x = ag_linalg_tensorsolve(s, a, b), *y = ag_linalg_tensorinv(s, a, 2);
    ok(relative(ag_tensordot(s, a, x, first, second, 2), b) < 1e-13, "tensorsolve: a x = b");
    ok(agn_shape(y)[0] == 6 && relative(ag_tensordot(s, y, b, first, second, 2), x) < 1e-12,
       "tensorinv times b is tensorsolve");
    must(agn_scope_close(s));
    agn_release(a);
    agn_release(b);
}

typedef enum which { TOEPLITZ, HANKEL, CIRCULANT, RIGHT, SOLVE, INVERSE } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_triangular_options o = {.size = sizeof o, .form = AGN_FORM_ADJOINT, .right = true, .unit = true};
    switch (*(const which *)user) {
    case TOEPLITZ: out[0] = ag_linalg_toeplitz(s, in[0], NULL); break;
    case HANKEL: out[0] = ag_linalg_hankel(s, in[0], in[0]); break;
    case CIRCULANT: out[0] = ag_square(s, ag_linalg_circulant(s, in[0])); break;
    case RIGHT: out[0] = ag_linalg_triangular_solve_with(s, in[0], in[0], &o); break;
    case SOLVE: out[0] = ag_linalg_tensorsolve(s, in[0], ag_index_axis(s, in[0], -1, 0)); break;
    default: out[0] = ag_linalg_tensorinv(s, in[0], 1);
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"toeplitz", "hankel", "circulant", "adjoint from the right",
                                        "tensorsolve", "tensorinv"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *x = NULL, *a = random_of(dtype, 2, (int64_t[]){3, 3}, -1, 1);
            agn_scope_return(s, &x, ag_add(s, a, ag_mul_c(s, ag_eye(s, dtype, 3, 3, 0), 3)));
            must(agn_scope_close(s));
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 1e-7, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(x);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched;
    agn_tensor *num = scalar_of(AGN_F64, 1), *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0});
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *sparse = NULL;
    agn_tensor *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 0, 0});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    BAD(agn_linalg_toeplitz(NULL, vec, vec), AGN_ENULL, "linalg_toeplitz", "out is", NULL);
    BAD(agn_linalg_toeplitz(&o, NULL, vec), AGN_ENULL, "linalg_toeplitz", "c is", NULL);
    BAD(agn_linalg_toeplitz(&o, num, NULL), AGN_ESHAPE, "linalg_toeplitz", "[]", NULL);
    BAD(agn_linalg_toeplitz(&o, vec, flat), AGN_ESHAPE, "linalg_toeplitz", "[2]", "[2,3]");
    BAD(agn_linalg_toeplitz(&o, sparse, NULL), AGN_EUNSUPPORTED, "linalg_toeplitz", "sparse", NULL);
    BAD(agn_linalg_hankel(NULL, vec, vec), AGN_ENULL, "linalg_hankel", "out is", NULL);
    BAD(agn_linalg_hankel(&o, NULL, vec), AGN_ENULL, "linalg_hankel", "c is", NULL);
    BAD(agn_linalg_hankel(&o, num, NULL), AGN_ESHAPE, "linalg_hankel", "[]", NULL);
    BAD(agn_linalg_hankel(&o, vec, flat), AGN_ESHAPE, "linalg_hankel", "[2]", "[2,3]");
    BAD(agn_linalg_hankel(&o, sparse, NULL), AGN_EUNSUPPORTED, "linalg_hankel", "sparse", NULL);
    BAD(agn_linalg_circulant(NULL, vec), AGN_ENULL, "linalg_circulant", "out is", NULL);
    BAD(agn_linalg_circulant(&o, NULL), AGN_ENULL, "linalg_circulant", "c is", NULL);
    BAD(agn_linalg_circulant(&o, num), AGN_ESHAPE, "linalg_circulant", "[]", NULL);
    BAD(agn_linalg_circulant(&o, sparse), AGN_EUNSUPPORTED, "linalg_circulant", "sparse", NULL);
    static const char tri[] = "linalg_triangular_solve_with";
    agn_triangular_options none = {.size = 1}, form = {.size = sizeof form, .form = (agn_matrix_form)3},
                           right = {.size = sizeof right, .right = true}, fine = {.size = sizeof fine};
    BAD(agn_linalg_triangular_solve_with(NULL, sq, sq, &fine), AGN_ENULL, tri, "out is", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, NULL, sq, &fine), AGN_ENULL, tri, "a is", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, sq, NULL, &fine), AGN_ENULL, tri, "b is", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, sq, sq, &none), AGN_EARG, tri, "1 bytes", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, sq, sq, &form), AGN_EARG, tri, "form 3", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, flat, sq, &fine), AGN_ESHAPE, tri, "[2,3]", "square");
    BAD(agn_linalg_triangular_solve_with(&o, sq, vec, &right), AGN_ESHAPE, tri, "[2]", "right");
    BAD(agn_linalg_triangular_solve_with(&o, sq, flat, &right), AGN_ESHAPE, tri, "rows", NULL);
    BAD(agn_linalg_triangular_solve_with(&o, sq, sq, NULL), AGN_EDOMAIN, tri, "singular", "[0,0]");
    BAD(agn_linalg_triangular_solve_with(&o, sparse, sq, NULL), AGN_EUNSUPPORTED, tri, "sparse", NULL);
    BAD(agn_op_apply(&o, 1, "linalg_triangular_solve", (const agn_tensor *[]){sq, sq}, 2,
                     (const int64_t[]){4}, 1, NULL, 0),
        AGN_EARG, "linalg_triangular_solve", "no triangle 4", "of 4");
    BAD(agn_linalg_tensorsolve(NULL, sq, vec), AGN_ENULL, "linalg_tensorsolve", "out is", NULL);
    BAD(agn_linalg_tensorsolve(&o, NULL, vec), AGN_ENULL, "linalg_tensorsolve", "a is", NULL);
    BAD(agn_linalg_tensorsolve(&o, sq, NULL), AGN_ENULL, "linalg_tensorsolve", "b is", NULL);
    BAD(agn_linalg_tensorsolve(&o, flat, vec), AGN_ESHAPE, "linalg_tensorsolve", "[2,3]", "[2]");
    BAD(agn_linalg_tensorsolve(&o, sq, vec), AGN_EDOMAIN, "linalg_tensorsolve", "singular", NULL);
    BAD(agn_linalg_tensorinv(NULL, sq, 1), AGN_ENULL, "linalg_tensorinv", "out is", NULL);
    BAD(agn_linalg_tensorinv(&o, NULL, 1), AGN_ENULL, "linalg_tensorinv", "a is", NULL);
    BAD(agn_linalg_tensorinv(&o, sq, 0), AGN_EARG, "linalg_tensorinv", "0 first", NULL);
    BAD(agn_linalg_tensorinv(&o, sq, 3), AGN_EARG, "linalg_tensorinv", "3 first", NULL);
    BAD(agn_linalg_tensorinv(&o, flat, 1), AGN_ESHAPE, "linalg_tensorinv", "[2,3]", NULL);
    BAD(agn_linalg_tensorinv(&o, sq, 1), AGN_EDOMAIN, "linalg_tensorinv", "singular", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {num, flat, vec, sq, sparse};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    return agn_linalg_toeplitz(out, user, NULL);
}

int main(void)
{
    test_entries();
    test_special();
    test_forms();
    test_tensors();
    test_modes();
    test_failures();
    agn_tensor *c = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3});
    every_allocation(make, c, "toeplitz");
    agn_release(c);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
