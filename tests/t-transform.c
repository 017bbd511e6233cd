/* Transforms: round trips, log|det J| against the Jacobian's own determinant, shapes, derivatives, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
enum { ALL, BUT_LAST, BELOW, UP_TO_DIAGONAL, NORM }; /* entries of an image that determine it */

typedef struct sample {
    const char *name;
    agn_transform *t;
    int ndim;
    int64_t shape[3];
    double lo, hi;
    int entries;
    bool bijection;
} sample;

static agn_tensor *vector(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
static int make_all(sample *out)
{
    agn_transform *t, *u, *v;
    agn_tensor *a = scalar_of(AGN_F64, 0.7), *b = scalar_of(AGN_F64, -1.6), *c = scalar_of(AGN_F64, 2.3);
    agn_tensor *low = vector(3, (double[]){-1, 0, 2}), *high = vector(3, (double[]){0, 3, 2.5});
    int n = 0;
#define ADD_ONE(call, ...) must(call); out[n++] = (sample){#call, t, __VA_ARGS__}
    ADD_ONE(agn_transform_exp(&t), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_sigmoid(&t), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_tanh(&t), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_softplus(&t), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_abs(&t), 0, {0}, 0.5, 2, ALL, false);
    ADD_ONE(agn_transform_affine(&t, a, b), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_power(&t, c), 0, {0}, 0.5, 2, ALL, true);
    ADD_ONE(agn_transform_power(&t, b), 0, {0}, 0.5, 2, ALL, true);
    ADD_ONE(agn_transform_interval(&t, b, c), 0, {0}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_stick_breaking(&t), 1, {4}, -2, 2, BUT_LAST, true);
    ADD_ONE(agn_transform_softmax(&t), 1, {4}, -2, 2, ALL, false);
    ADD_ONE(agn_transform_ordered(&t), 1, {5}, -2, 2, ALL, true);
    ADD_ONE(agn_transform_zero_sum(&t), 1, {4}, -2, 2, NORM, true);
    ADD_ONE(agn_transform_correlation_cholesky(&t), 1, {6}, -1.5, 1.5, BELOW, true);
    ADD_ONE(agn_transform_lower_cholesky(&t), 1, {6}, -2, 2, UP_TO_DIAGONAL, true);
    ADD_ONE(agn_transform_positive_definite(&t), 1, {6}, -1, 1, UP_TO_DIAGONAL, true);
    ADD_ONE(agn_transform_reshape(&t, 1, (int64_t[]){6}, 2, (int64_t[]){2, 3}), 1, {6}, -2, 2, ALL, true);
    must(agn_transform_interval(&u, low, high));
    ADD_ONE(agn_transform_independent(&t, u, 1), 1, {3}, -2, 2, ALL, true);
    agn_transform_release(u);
    must(agn_transform_exp(&u));
    must(agn_transform_stick_breaking(&v));
    ADD_ONE(agn_transform_inverse_of(&t, u), 0, {0}, 0.5, 2, ALL, true);
    const agn_transform *two[] = {v, u}, *three[] = {u, out[5].t, out[1].t};
    ADD_ONE(agn_transform_chain(&t, three, 3), 0, {0}, -1, 1, ALL, true);
    ADD_ONE(agn_transform_chain(&t, two, 1), 1, {3}, -1, 1, BUT_LAST, true);
    const agn_transform *ends[] = {u, out[11].t, u};
    ADD_ONE(agn_transform_chain(&t, ends, 3), 1, {4}, -0.5, 0.5, ALL, true);
    ADD_ONE(agn_transform_chain(&t, NULL, 0), 0, {0}, -1, 1, ALL, true);
    ADD_ONE(agn_transform_stack(&t, three, 3, -1), 1, {3}, -1, 1, ALL, true);
    agn_transform_release(u);
    agn_transform_release(v);
    agn_release(a);
    agn_release(b);
    agn_release(c);
    agn_release(low);
    agn_release(high);
    return n;
}

/* log|det| by elimination with pivots */
static double log_det(double *a, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        for (int j = 0; j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = swap;
        }
        sum += log(fabs(a[k * n + k]));
        for (int i = k + 1; i < n; i++)
            for (int j = n - 1; j >= k; j--)
                a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
    return sum;
}

static agn_status forward_body(void *user, agn_scope *s, T const *in, T *out)
{
    out[0] = ag_transform_forward(s, user, in[0]);
    return agn_scope_status(s);
}
static agn_status round_body(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_transform *t = user;
    T y = ag_transform_forward(s, t, in[0]), x = ag_transform_inverse(s, t, y);
    out[0] = ag_mul(s, ag_sin(s, x), ag_exp(s, ag_mul_c(s, x, 0.3)));
    return agn_scope_status(s);
}
static agn_status det_body(void *user, agn_scope *s, T const *in, T *out)
{
    out[0] = ag_transform_log_det_jacobian(s, user, in[0]);
    return agn_scope_status(s);
}

static void test_sample(const sample *c)
{
    tally t = {0, 0};
    rnd_stream("transform", c->name);
    agn_tensor *x = random_of(AGN_F64, c->ndim, c->shape, c->lo, c->hi), *y, *z, *jac, *det;
    int64_t n = agn_numel(x);
    must(agn_transform_forward(&y, c->t, x));
    must(agn_transform_inverse(&z, c->t, y));
    double worst = 0;
    for (int64_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(peek(x, i) - peek(z, i)));
    check(&t, (worst < 1e-13 && has_shape(z, c->ndim, c->shape)) || !strcmp(agn_transform_name(c->t), "softmax"),
          "round trip: off by %g", worst);
    if (!strcmp(agn_transform_name(c->t), "softmax")) {
        agn_tensor *again;
        must(agn_transform_forward(&again, c->t, z));
        for (int64_t i = 0; i < n; i++)
            check(&t, fabs(peek(again, i) - peek(y, i)) < 1e-14, "softmax of its logarithm");
        agn_release(again);
    }
    int32_t ndim;
    int64_t shape[AGN_MAX_RANK];
    must(agn_transform_forward_shape(&ndim, shape, c->t, c->ndim, c->shape));
    check(&t, has_shape(y, ndim, shape) && ndim == agn_transform_codomain_ndim(c->t), "forward shape");
    int32_t back_ndim;
    int64_t back[AGN_MAX_RANK];
    must(agn_transform_inverse_shape(&back_ndim, back, c->t, ndim, shape));
    check(&t, has_shape(x, back_ndim, back) && back_ndim == agn_transform_domain_ndim(c->t), "inverse shape");
    agn_fn *f, *j;
    must(agn_fn_new(&f, forward_body, c->t, NULL, 1, 1));
    must(agn_fn_jacobian(&j, f, 0));
    must(agn_fn_call(&jac, 1, j, (T const *)&x, 1));
    agn_fn_release(f);
    agn_fn_release(j);
    agn_status st = agn_transform_log_det_jacobian(&det, c->t, x);
    if (c->bijection && !st) {
        double a[400];
        int64_t m = agn_numel(y), side = (int64_t)(sqrt((double)m) + 0.5), rows = 0;
        double factor = 1;
        if (c->entries == NORM) {
            for (int64_t p = 0; p < n; p++)
                for (int64_t q = 0; q < n; q++) {
                    a[p * n + q] = 0;
                    for (int64_t i = 0; i < m; i++)
                        a[p * n + q] += peek(jac, i * n + p) * peek(jac, i * n + q);
                }
            rows = n;
            factor = 0.5;
        } else
            for (int64_t i = 0; i < m; i++)
                if (c->entries == ALL || (c->entries == BUT_LAST && i < m - 1) ||
                    (c->entries == BELOW && i % side < i / side) ||
                    (c->entries == UP_TO_DIAGONAL && i % side <= i / side)) {
                    for (int64_t p = 0; p < n; p++)
                        a[rows * n + p] = peek(jac, i * n + p);
                    rows++;
                }
        double want = rows == n ? factor * log_det(a, (int)n) : (double)NAN;
        check(&t, agn_ndim(det) == 0 && fabs(peek(det, 0) - want) < 1e-12 * (1 + fabs(want)),
              "log|det J| %.15g, that of the Jacobian %.15g", peek(det, 0), want);
        agn_release(det);
    } else
        check(&t, st == AGN_EUNSUPPORTED && !c->bijection && strstr(agn_error_message(), "no bijection"), "%s",
              agn_error_message());
    /* batches are mapped point by point */
    int64_t batch[5] = {3, 2};
    for (int i = 0; i < c->ndim; i++)
        batch[2 + i] = c->shape[i];
    agn_tensor *many = random_of(AGN_F64, 2 + c->ndim, batch, c->lo, c->hi), *images, *dets = NULL;
    must(agn_transform_forward(&images, c->t, many));
    if (c->bijection) {
        must(agn_transform_log_det_jacobian(&dets, c->t, many));
        check(&t, has_shape(dets, 2, batch), "batch of determinants");
    }
    int64_t size = agn_numel(y);
    for (int k = 0; k < 6; k++) {
        double v[64];
        for (int64_t i = 0; i < n; i++)
            v[i] = peek(many, k * n + i);
        agn_tensor *one = of_reals(AGN_F64, c->ndim, c->shape, v), *image, *d;
        must(agn_transform_forward(&image, c->t, one));
        for (int64_t i = 0; i < size; i++)
            check(&t, fabs(peek(image, i) - peek(images, k * size + i)) < 1e-14, "point %d of a batch", k);
        if (dets) {
            must(agn_transform_log_det_jacobian(&d, c->t, one));
            check(&t, fabs(peek(d, 0) - peek(dets, k)) < 1e-13, "determinant %d of a batch", k);
            agn_release(d);
        }
        agn_release(one);
        agn_release(image);
    }
    agn_release(many);
    agn_release(images);
    agn_release(dets);
    for (int what = 0; what < (c->bijection ? 3 : 2); what++) {
        must(agn_fn_new(&f, what == 0 ? forward_body : what == 1 ? round_body : det_body, c->t, NULL, 1, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 3e-7};
        o.step = 4e-3;
        check(&t, !agn_check_grads(NULL, f, (T const *)&x, 1, &o), "%s: %s",
              what == 0 ? "forward" : what == 1 ? "and back" : "log_det", agn_error_message());
        agn_fn_release(f);
    }
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_release(jac);
    tell(&t, "%s", c->name);
}

static void test_refused(sample *all)
{
    agn_transform *const nothing = (agn_transform *)(uintptr_t)0x7a5, *t = nothing;
    agn_tensor *y = untouched, *one = scalar_of(AGN_F64, 1), *z = scalar_of(AGN_C128, 1),
               *five = random_of(AGN_F64, 1, (int64_t[]){5}, 0, 1);
    int32_t ndim = 7;
    int64_t shape[AGN_MAX_RANK] = {2, 3, -1};
    const agn_transform *e = all[0].t, *stick = all[9].t, *corr = all[13].t, *low = all[14].t, *none[] = {NULL};
#define NULL_OUT(name) ok(refused(agn_transform_##name(NULL), AGN_ENULL, "transform_" #name, "out", "NULL", y), #name)
    NULL_OUT(exp); NULL_OUT(sigmoid); NULL_OUT(tanh); NULL_OUT(softplus); NULL_OUT(abs); NULL_OUT(stick_breaking);
    NULL_OUT(softmax); NULL_OUT(ordered); NULL_OUT(zero_sum); NULL_OUT(correlation_cholesky); NULL_OUT(lower_cholesky);
    NULL_OUT(positive_definite);
#define SAYS(st, want, op, a, b) ok(refused(st, want, op, a, b, y) && t == nothing, #st)
    SAYS(agn_transform_affine(&t, NULL, one), AGN_ENULL, "transform_affine", "parameter 0", "NULL");
    SAYS(agn_transform_affine(&t, one, z), AGN_EDTYPE, "transform_affine", "parameter 1", "c128");
    SAYS(agn_transform_power(&t, NULL), AGN_ENULL, "transform_power", "parameter 0", "NULL");
    SAYS(agn_transform_power(&t, z), AGN_EDTYPE, "transform_power", "parameter 0", "c128");
    SAYS(agn_transform_interval(&t, one, NULL), AGN_ENULL, "transform_interval", "parameter 1", "NULL");
    SAYS(agn_transform_interval(&t, z, one), AGN_EDTYPE, "transform_interval", "parameter 0", "c128");
    SAYS(agn_transform_reshape(NULL, 1, shape, 1, shape), AGN_ENULL, "transform_reshape", "out", "NULL");
    SAYS(agn_transform_reshape(&t, 1, NULL, 1, shape), AGN_ENULL, "transform_reshape", "in", "NULL");
    SAYS(agn_transform_reshape(&t, 1, shape, 1, NULL), AGN_ENULL, "transform_reshape", "shape", "NULL");
    SAYS(agn_transform_reshape(&t, -1, shape, 1, shape), AGN_ESHAPE, "transform_reshape", "-1", "32");
    SAYS(agn_transform_reshape(&t, 1, shape, 2, shape), AGN_ESHAPE, "transform_reshape", "[2]", "[2,3]");
    SAYS(agn_transform_reshape(&t, 3, shape, 3, shape), AGN_ESHAPE, "transform_reshape", "-1", NULL);
    SAYS(agn_transform_inverse_of(&t, NULL), AGN_ENULL, "transform_inverse_of", "t is", "NULL");
    SAYS(agn_transform_inverse_of(NULL, e), AGN_ENULL, "transform_inverse_of", "out", "NULL");
    SAYS(agn_transform_chain(NULL, &e, 1), AGN_ENULL, "transform_chain", "out", "NULL");
    SAYS(agn_transform_chain(&t, NULL, 1), AGN_ENULL, "transform_chain", "parts", "NULL");
    SAYS(agn_transform_chain(&t, none, 1), AGN_ENULL, "transform_chain", "part 0", "NULL");
    SAYS(agn_transform_chain(&t, &e, -1), AGN_EARG, "transform_chain", "-1", "1000");
    SAYS(agn_transform_independent(NULL, e, 1), AGN_ENULL, "transform_independent", "out", "NULL");
    SAYS(agn_transform_independent(&t, NULL, 1), AGN_ENULL, "transform_independent", "base", "NULL");
    SAYS(agn_transform_independent(&t, e, 33), AGN_EARG, "transform_independent", "33", "32");
    SAYS(agn_transform_stack(NULL, &e, 1, -1), AGN_ENULL, "transform_stack", "out", "NULL");
    SAYS(agn_transform_stack(&t, NULL, 1, -1), AGN_ENULL, "transform_stack", "parts", "NULL");
    SAYS(agn_transform_stack(&t, &e, 0, -1), AGN_EARG, "transform_stack", "0 parts", "64");
    SAYS(agn_transform_stack(&t, &e, 1, 0), AGN_EINDEX, "transform_stack", "axis is 0", "-32");
    SAYS(agn_transform_stack(&t, &stick, 1, -1), AGN_EARG, "transform_stack", "part 0", "stick_breaking");
    SAYS(agn_transform_forward(NULL, e, one), AGN_ENULL, "transform_forward", "out", "NULL");
    SAYS(agn_transform_forward(&y, NULL, one), AGN_ENULL, "transform_forward", "t is", "NULL");
    SAYS(agn_transform_forward(&y, e, NULL), AGN_ENULL, "transform_forward", "x is", "NULL");
    SAYS(agn_transform_forward(&y, e, z), AGN_EDTYPE, "transform_forward", "c128", "real");
    SAYS(agn_transform_forward(&y, stick, one), AGN_ESHAPE, "transform_forward", "[]", "1 axes");
    SAYS(agn_transform_forward(&y, corr, five), AGN_ESHAPE, "transform_forward", "[5]", "correlation_cholesky");
    SAYS(agn_transform_forward(&y, low, five), AGN_ESHAPE, "transform_forward", "[5]", "lower_cholesky");
    SAYS(agn_transform_inverse(&y, low, five), AGN_ESHAPE, "transform_inverse", "y is [5]", "2 axes");
    SAYS(agn_transform_inverse(NULL, low, five), AGN_ENULL, "transform_inverse", "out", "NULL");
    SAYS(agn_transform_inverse(&y, low, NULL), AGN_ENULL, "transform_inverse", "y is", "NULL");
    SAYS(agn_transform_log_det_jacobian(NULL, e, one), AGN_ENULL, "transform_log_det_jacobian", "out", "NULL");
    SAYS(agn_transform_log_det_jacobian(&y, e, z), AGN_EDTYPE, "transform_log_det_jacobian", "c128", "real");
    SAYS(agn_transform_forward_shape(NULL, shape, e, 0, NULL), AGN_ENULL, "transform_forward_shape", "out_ndim", "NULL");
    SAYS(agn_transform_forward_shape(&ndim, shape, e, 40, shape), AGN_ESHAPE, "transform_forward_shape", "40", "32");
    SAYS(agn_transform_forward_shape(&ndim, shape, corr, 1, (int64_t[]){5}), AGN_ESHAPE, "transform_forward_shape", "[5]", NULL);
    SAYS(agn_transform_inverse_shape(&ndim, shape, NULL, 0, NULL), AGN_ENULL, "transform_inverse_shape", "t is", "NULL");
    SAYS(agn_transform_inverse_shape(&ndim, shape, corr, 2, (int64_t[]){2, 3}), AGN_ESHAPE, "transform_inverse_shape", "[2,3]", NULL);
    ok(agn_transform_domain_ndim(NULL) == -1 && agn_transform_codomain_ndim(NULL) == -1 && !agn_transform_name(NULL) &&
           !agn_transform_retain(NULL), "accessors take NULL");
    agn_transform_release(NULL);
    agn_scope *s = agn_scope_open(NULL);
    ok(!agn_transform_adopt(s, AGN_OK, NULL), "NULL is not adopted");
    ok(refused(agn_scope_close(s), AGN_ENULL, "transform_adopt", "t", "NULL", y), "and reported");
    s = agn_scope_open(NULL);
    const agn_transform *held = agn_transform_adopt(s, agn_transform_exp(&t), NULL);
    ok(!held && agn_scope_close(s), "status of the maker first");
    agn_transform_release(t);
    agn_release(one);
    agn_release(z);
    agn_release(five);
}

/* far out, where exponentials overflow and differences cancel */
static void test_ends(sample *all)
{
    static const double at[] = {-700, -40, -1e-9, 0, 1e-9, 40, 700};
    tally t = {0, 0};
    for (int k = 0; k < 4; k++) {
        const agn_transform *map = all[k].t;
        for (int i = 0; i < COUNT(at); i++) {
            agn_tensor *x = scalar_of(AGN_F64, at[i]), *y, *d;
            must(agn_transform_forward(&y, map, x));
            must(agn_transform_log_det_jacobian(&d, map, x));
            double u = at[i], want = k == 0 ? u : k == 1 ? -fabs(u) - 2 * log1p(exp(-fabs(u)))
                              : k == 2 ? log(4) - 2 * fabs(u) - 2 * log1p(exp(-2 * fabs(u)))
                                       : u > 0 ? -log1p(exp(-u)) : u - log1p(exp(u));
            check(&t, fabs(peek(d, 0) - want) <= 4e-16 * (1 + fabs(want)) && !isnan(peek(y, 0)),
                  "%s at %g: log|det J| %.17g, not %.17g", agn_transform_name(map), u, peek(d, 0), want);
            agn_release(x);
            agn_release(y);
            agn_release(d);
        }
    }
    tell(&t, "determinants from -700 to 700");
}

int main(void)
{
    static sample all[40];
    int n = make_all(all);
    for (int i = 0; i < n; i++)
        test_sample(&all[i]);
    test_ends(all);
    test_refused(all);
    for (int i = 0; i < n; i++)
        agn_transform_release(all[i].t);
    return done();
}
