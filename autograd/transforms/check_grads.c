/* check_grads.c - derivatives against differences, and every mode against the
   others.

   The function becomes a number: phi(x) = sum Re <w, f(x)>. For order m, D^m phi is compared along
   a fixed direction t, by nested forward mode, and at the gradient of D^(m-1) phi. */
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>
#include <agnesi/check.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDERS = 6, DEFAULT_ENTRIES = 32, LANES = 2 };

typedef struct checker {
    const agn_fn *f;
    int n, n_out;               /* arguments that vary, results */
    const agn_tensor *const *in; /* all arguments */
    int *where;                  /* of the varying ones */
    const agn_tensor **x;        /* the varying ones, without records */
    const agn_tensor **t;        /* their direction */
    const agn_tensor **w;        /* weights of results; NULL for whole numbers */
    agn_fn *phi[MOST_ORDERS + 1], *slope[MOST_ORDERS + 1];
    agn_scope *s;
    double step, tolerance;
    int64_t entries;
    uint64_t state;
    agn_check_result worst;
} checker;

typedef struct level {
    checker *c;
    const agn_fn *jvp;
} level;

static double draw_uniform(checker *c)
{
    c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(c->state >> 11) * 0x1p-52 - 1;
}

/* random numbers in the dtype and shape of x */
static const agn_tensor *random_like(checker *c, const agn_tensor *x)
{
    agn_tensor *y = NULL, *z = NULL;
    int complex = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
    agn_status st = agn_empty(&y, complex ? AGN_C128 : AGN_F64, x->ndim, x->shape, AGN_CPU);
    for (int64_t i = 0; !st && i < x->size * (1 + complex); i++)
        ((double *)y->data)[i] = draw_uniform(c);
    st = st ? st : agn_cast(&z, y, x->dtype);
    agn_release(y);
    if (!st && agni_tensor_device(x) != AGN_CPU) {
        agn_tensor *far = NULL;
        st = agn_to_device(&far, z, agni_tensor_device(x));
        agn_release(z);
        z = far;
    }
    return agn_scope_adopt(c->s, st, &z);
}

/* ---- the functions ------------------------------------------------------------------------ */

/* all arguments from the varying ones */
static void fill_arguments(const checker *c, const agn_tensor **all, const agn_tensor *const *x)
{
    memcpy(all, c->in, (size_t)c->f->n_in * sizeof *all);
    for (int i = 0; i < c->n; i++)
        all[c->where[i]] = x[i];
}

static const agn_tensor *weighted_sum(agn_scope *s, const agn_tensor *w, const agn_tensor *y)
{
    if (agni_kind(y->dtype) == AGNI_KIND_COMPLEX)
        return ag_sum_all(s, ag_real(s, ag_mul(s, ag_conj(s, w), y)));
    return ag_sum_all(s, ag_mul(s, w, y));
}

static agn_status phi_body(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const checker *c = ((level *)user)->c;
    const agn_tensor **all = agni_alloc((size_t)(c->f->n_in + c->n_out + 1) * sizeof *all),
                     **y = all + c->f->n_in, *sum = NULL;
    if (!all)
        return agn_scope_fail(s, agni_nomem("check_grads", sizeof *all));
    fill_arguments(c, all, in);
    agn_status st = agn_fn_apply(s, y, agn_fn_n_out(c->f), c->f, all, agn_fn_n_in(c->f));
    for (int k = 0; !st && k < c->n_out; k++)
        if (c->w[k]) {
            const agn_tensor *v = weighted_sum(s, c->w[k], y[k]);
            sum = sum ? ag_add(s, sum, v) : v;
        }
    agni_free(all);
    out[0] = sum;
    return agn_scope_status(s);
}

static agn_status derivative_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const level *l = user;
    const agn_tensor **all = agni_alloc((size_t)(2 * l->c->n) * sizeof *all), *y[2] = {NULL};
    if (!all)
        return agn_scope_fail(s, agni_nomem("check_grads", sizeof *all));
    for (int i = 0; i < l->c->n; i++) {
        all[i] = in[i];
        all[l->c->n + i] = l->c->t[i];
    }
    agn_fn_apply(s, y, 2, l->jvp, all, agn_fn_n_in(l->jvp));
    agni_free(all);
    out[0] = y[1];
    return agn_scope_status(s);
}

static void free_level(void *user)
{
    agn_fn_release((agn_fn *)(uintptr_t)((level *)user)->jvp);
    agni_free(user);
}

/* phi and its derivatives along t, each the forward derivative of the one before, and gradients */
static agn_status make_levels(checker *c, int orders)
{
    agn_status st = AGN_OK;
    int32_t *all = agni_alloc((size_t)(c->n + 1) * sizeof *all);
    if (!all)
        return agni_nomem("check_grads", sizeof *all);
    for (int i = 0; i < c->n; i++)
        all[i] = i;
    for (int m = 0; m <= orders && !st; m++) {
        level *l = agni_zalloc(sizeof *l);
        if (!l) {
            st = agni_nomem("check_grads", sizeof *l);
            break;
        }
        l->c = c;
        agn_fn *jvp = NULL;
        if (m)
            st = agn_fn_jvp(&jvp, c->phi[m - 1]);
        l->jvp = jvp;
        st = st ? st
                : agn_fn_new(&c->phi[m], m ? derivative_body : phi_body, l, free_level, c->n, 1);
        if (st) {
            free_level(l);
            break;
        }
        if (m < orders)
            st = agn_fn_grad(&c->slope[m], c->phi[m], all, c->n);
    }
    agni_free(all);
    return st;
}

/* ---- comparing ---------------------------------------------------------------------------- */

static void compare_numbers(checker *c, uint32_t mode, int order, int argument, int64_t entry,
                            double have, double want)
{
    bool alike = have == want || (isnan(have) && isnan(want));
    double error = alike ? 0 : fabs(have - want) / (1 + fabs(want));
    if (isnan(error))
        error = (double)INFINITY;
    c->worst.compared++;
    if (error > c->worst.error || !c->worst.mode)
        c->worst = (agn_check_result){c->worst.size, error,    have,  want,
                                      mode,          order,    argument, entry,
                                      c->worst.compared};
}

static const char *mode_name(uint32_t mode)
{
    static const char *const name[] = {"forward", "reverse", "Taylor", "lanes", "plan", "layout"};
    for (int i = 0; i < AGNI_COUNT(name); i++)
        if (mode == 1u << i)
            return name[i];
    return "none";
}

/* entry e of x as one or two numbers on the host */
static agn_status read_entry(const agn_tensor *x, int64_t e, double v[2])
{
    agn_tensor *one = NULL, *here = NULL, *wide = NULL;
    bool complex = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
    int64_t offset = 0;
    for (int d = x->ndim - 1; d >= 0; d--) {
        offset += e % x->shape[d] * x->stride[d];
        e /= x->shape[d];
    }
    agn_status st = agni_tensor_view(&one, x, 0, NULL, NULL, offset);
    st = st ? st : agn_to_device(&here, one, AGN_CPU);
    st = st ? st : agn_cast(&wide, here, complex ? AGN_C128 : AGN_F64);
    if (!st) {
        v[0] = ((const double *)wide->data)[0];
        v[1] = complex ? ((const double *)wide->data)[1] : 0;
    }
    agn_release(one);
    agn_release(here);
    agn_release(wide);
    return st;
}

static agn_status call_number(const agn_fn *f, const agn_tensor *const *x, double *v)
{
    agn_tensor *y = NULL;
    double pair[2] = {0};
    agn_status st = agn_fn_call(&y, 1, f, x, agn_fn_n_in(f));
    st = st ? st : read_entry(y, 0, pair);
    *v = pair[0];
    agn_release(y);
    return st;
}

/* x with entry e of argument i moved by h, in its real or imaginary part */
static agn_status perturb_entry(agn_tensor **out, const agn_tensor *x, int64_t e, bool imaginary,
                                double h)
{
    bool complex = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
    agn_tensor *wide = NULL, *y = NULL, *host = NULL;
    void *p = NULL;
    agn_status st = agn_to_device(&host, x, AGN_CPU);
    st = st ? st : agn_cast(&wide, host, complex ? AGN_C128 : AGN_F64);
    st = st ? st : agn_copy(&y, wide);
    st = st ? st : agn_data_mut(&p, y);
    agn_release(host);
    agn_release(wide);
    if (!st) {
        ((double *)p)[e * (1 + complex) + imaginary] += h;
        agn_tensor *z = NULL;
        st = agn_cast(&z, y, x->dtype);
        if (!st)
            st = agn_to_device(out, z, agni_tensor_device(x));
        agn_release(z);
    }
    agn_release(y);
    return st;
}

/* d f / d x[i][e], central, of eighth order (Fornberg, Math. Comp. 51, 1988) */
static agn_status central_difference(const checker *c, const agn_fn *f, int i, int64_t e,
                                     bool imaginary, double *out)
{
    static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double at[2] = {0}, sum = 0;
    agn_status st = read_entry(c->x[i], e, at);
    double h = c->step * fmax(1, fabs(at[imaginary]));
    for (int k = -4; k <= 4 && !st; k++) {
        agn_tensor *y = NULL;
        double v = 0;
        const agn_tensor *keep = c->x[i];
        if (!k)
            continue;
        st = perturb_entry(&y, keep, e, imaginary, k * h);
        c->x[i] = y;
        st = st ? st : call_number(f, c->x, &v);
        c->x[i] = keep;
        agn_release(y);
        sum += (k < 0 ? -1 : 1) * weight[(k < 0 ? -k : k) - 1] * v / h;
    }
    *out = sum;
    return st;
}

/* forward mode along one coordinate */
static agn_status forward_derivative(const checker *c, const agn_fn *jvp, int i, int64_t e,
                                     bool imaginary, double *out)
{
    const agn_tensor **all = agni_alloc((size_t)(2 * c->n) * sizeof *all);
    agn_tensor *y[2] = {NULL}, *unit = NULL;
    agn_status st = all ? AGN_OK : agni_nomem("check_grads", sizeof *all);
    for (int k = 0; k < c->n && !st; k++) {
        agn_tensor *zero = NULL;
        all[k] = c->x[k];
        st = agn_mul_c(&zero, c->t[k], 0);
        all[c->n + k] = agn_scope_adopt(c->s, st, &zero);
    }
    st = st ? st : perturb_entry(&unit, all[c->n + i], e, imaginary, 1);
    if (!st) {
        all[c->n + i] = unit;
        st = agn_fn_call(y, 2, jvp, all, agn_fn_n_in(jvp));
    }
    double v[2] = {0};
    st = st ? st : read_entry(y[1], 0, v);
    *out = v[0];
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(unit);
    agni_free(all);
    return st;
}

/* the gradient of D^m phi, entry by entry */
static agn_status check_order(checker *c, int m, uint32_t modes)
{
    agn_tensor **g = agni_zalloc((size_t)(c->n + 1) * sizeof *g);
    agn_fn *jvp = NULL;
    agn_status st = g ? AGN_OK : agni_nomem("check_grads", sizeof *g);
    st = st ? st : agn_fn_call(g, agn_fn_n_out(c->slope[m]), c->slope[m], c->x,
                               agn_fn_n_in(c->slope[m]));
    st = st ? st : agn_fn_jvp(&jvp, c->phi[m]);
    for (int i = 0; i < c->n && !st; i++) {
        int64_t size = c->x[i]->size, count = size < c->entries ? size : c->entries;
        bool complex = agni_kind(c->x[i]->dtype) == AGNI_KIND_COMPLEX;
        for (int64_t k = 0; k < count * (1 + complex) && !st; k++) {
            int64_t e = (int64_t)((double)(k / (1 + complex)) * (double)size / (double)count);
            bool imaginary = k % (1 + complex);
            double want = 0, have[2] = {0}, forward = 0;
            st = central_difference(c, c->phi[m], i, e, imaginary, &want);
            st = st ? st : read_entry(g[i], e, have);
            if (!st && modes & AGN_CHECK_FORWARD)
                st = forward_derivative(c, jvp, i, e, imaginary, &forward);
            if (st)
                break;
            if (modes & AGN_CHECK_REVERSE)
                compare_numbers(c, AGN_CHECK_REVERSE, m + 1, c->where[i], e, have[imaginary], want);
            if (modes & AGN_CHECK_FORWARD)
                compare_numbers(c, AGN_CHECK_FORWARD, m + 1, c->where[i], e, forward, want);
        }
    }
    for (int i = 0; g && i < c->n; i++)
        agn_release(g[i]);
    agni_free(g);
    agn_fn_release(jvp);
    return st;
}

/* k! times coefficient k of a jet along t against k nested forward derivatives */
static agn_status check_taylor(checker *c, int orders)
{
    agn_fn *jet = NULL;
    int per = orders + 1;
    const agn_tensor **coef = agni_alloc((size_t)(c->n * per + 1) * sizeof *coef);
    agn_tensor *y[MOST_ORDERS + 1] = {NULL};
    agn_status st = coef ? AGN_OK : agni_nomem("check_grads", sizeof *coef);
    st = st ? st : agn_fn_jet(&jet, c->phi[0], orders);
    for (int i = 0; i < c->n && !st; i++) {
        agn_tensor *zero = NULL;
        st = agn_mul_c(&zero, c->t[i], 0);
        const agn_tensor *z = agn_scope_adopt(c->s, st, &zero);
        for (int k = 0; k < per; k++)
            coef[i * per + k] = k == 0 ? c->x[i] : k == 1 ? c->t[i] : z;
    }
    st = st ? st : agn_fn_call(y, agn_fn_n_out(jet), jet, coef, agn_fn_n_in(jet));
    double factorial = 1;
    for (int k = 0; k < per && !st; k++) {
        double have[2] = {0}, want = 0;
        factorial *= k ? k : 1;
        st = read_entry(y[k], 0, have);
        st = st ? st : call_number(c->phi[k], c->x, &want);
        if (!st)
            compare_numbers(c, AGN_CHECK_TAYLOR, k, 0, 0, factorial * have[0], want);
    }
    for (int k = 0; k < per; k++)
        agn_release(y[k]);
    agni_free(coef);
    agn_fn_release(jet);
    return st;
}

/* ---- the same function batched, compiled, with other layouts --------------------------------- */

static agn_status compare_arrays(checker *c, uint32_t mode, int order, int argument,
                                 const agn_tensor *have, const agn_tensor *want)
{
    if (!agni_same_shape(have, want))
        return agni_fail(AGN_EDOMAIN, "check_grads: %s: a result is %s, expected %s",
                         mode_name(mode), AGNI_SHAPE(have), AGNI_SHAPE(want));
    agn_status st = AGN_OK;
    int64_t size = want->size, count = size < c->entries ? size : c->entries;
    for (int64_t k = 0; k < count && !st; k++) {
        int64_t e = (int64_t)((double)k * (double)size / (double)count);
        double a[2] = {0}, b[2] = {0};
        st = read_entry(have, e, a);
        st = st ? st : read_entry(want, e, b);
        for (int p = 0; p < 2 && !st; p++)
            compare_numbers(c, mode, order, argument, e, a[p], b[p]);
    }
    return st;
}

/* Compares f(x) with undress(g(dress(x))); dress or undress NULL: the identity. */
typedef agn_status change(agn_tensor **out, const agn_tensor *x);

static agn_status compare_calls(checker *c, uint32_t mode, int order, const agn_fn *f,
                                const agn_fn *g, const agn_tensor *const *x, change *dress,
                                change *undress)
{
    int n_in = f->n_in, n_out = f->n_out;
    agn_tensor **hold = agni_zalloc((size_t)(n_in + 2 * n_out + 1) * sizeof *hold);
    if (!hold)
        return agni_nomem("check_grads", sizeof *hold);
    agn_tensor **want = hold + n_in, **have = want + n_out;
    agn_status st = AGN_OK;
    for (int i = 0; i < n_in && !st; i++)
        st = dress ? dress(&hold[i], x[i]) : AGN_OK;
    st = st ? st : agn_fn_call(want, agn_fn_n_out(f), f, x, agn_fn_n_in(f));
    st = st ? st : agn_fn_call(have, agn_fn_n_out(g), g,
                               dress ? (const agn_tensor *const *)hold : x, agn_fn_n_in(g));
    for (int k = 0; k < n_out && !st; k++) {
        agn_tensor *seen = NULL;
        st = undress ? undress(&seen, have[k]) : AGN_OK;
        st = st ? st : compare_arrays(c, mode, order, order ? c->where[k] : 0,
                                      undress ? seen : have[k], want[k]);
        agn_release(seen);
    }
    for (int k = 0; k < n_in + 2 * n_out; k++)
        agn_release(hold[k]);
    agni_free(hold);
    return st;
}

static agn_status stack_lanes(agn_tensor **out, const agn_tensor *x)
{
    const agn_tensor *both[LANES] = {x, x};
    return agn_stack(out, both, LANES, 0);
}
static agn_status last_lane(agn_tensor **out, const agn_tensor *x)
{
    return agn_index_axis(out, x, 0, LANES - 1);
}
/* the same values, with the axes in reverse order in memory, and with negative strides */
static agn_status permute_layout(agn_tensor **out, const agn_tensor *x)
{
    int32_t axes[AGNI_MAX_RANK];
    agn_tensor *t = NULL, *copy = NULL;
    for (int d = 0; d < x->ndim; d++)
        axes[d] = x->ndim - 1 - d;
    agn_status st = agn_permute(&t, x, axes, x->ndim);
    st = st ? st : agn_copy(&copy, t);
    st = st ? st : agn_permute(out, copy, axes, x->ndim);
    agn_release(t);
    agn_release(copy);
    return st;
}
static agn_status reverse_layout(agn_tensor **out, const agn_tensor *x)
{
    int64_t stop[AGNI_MAX_RANK], start[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    agn_tensor *t = NULL, *copy = NULL;
    for (int d = 0; d < x->ndim; d++) {
        start[d] = AGN_BEGIN;
        stop[d] = AGN_END;
        step[d] = -1;
    }
    agn_status st = agn_slice(&t, x, x->ndim, start, stop, step);
    st = st ? st : agn_copy(&copy, t);
    st = st ? st : agn_slice(out, copy, x->ndim, start, stop, step);
    agn_release(t);
    agn_release(copy);
    return st;
}

/* f: the function itself (order 0, all arguments) or its gradient (order 1) */
static agn_status check_variants(checker *c, int order, const agn_fn *f, const agn_tensor *const *x,
                                 uint32_t modes)
{
    agn_status st = AGN_OK;
    agn_fn *g = NULL;
    if (modes & AGN_CHECK_LANES) {
        st = agn_fn_vmap(&g, f, NULL, 0, NULL, 0);
        st = st ? st : compare_calls(c, AGN_CHECK_LANES, order, f, g, x, stack_lanes, last_lane);
        agn_fn_release(g);
        g = NULL;
    }
    if (!st && modes & AGN_CHECK_PLAN) {
        st = agn_fn_compile(&g, f, NULL);
        st = st ? st : compare_calls(c, AGN_CHECK_PLAN, order, f, g, x, NULL, NULL);
        agn_fn_release(g);
    }
    if (!st && modes & AGN_CHECK_LAYOUT) {
        st = compare_calls(c, AGN_CHECK_LAYOUT, order, f, f, x, permute_layout, NULL);
        st = st ? st : compare_calls(c, AGN_CHECK_LAYOUT, order, f, f, x, reverse_layout, NULL);
    }
    return st;
}

/* ---- public ---------------------------------------------------------------------------------- */

static agn_status prepare_arguments(checker *c, const agn_tensor *const *in)
{
    bool narrow = false;
    for (int i = 0; i < c->f->n_in; i++) {
        if (!in[i])
            return agni_fail(AGN_ENULL, "check_grads: argument %d of %d is NULL", i, c->f->n_in);
        if (!in[i]->st)
            return agni_fail(AGN_ESYMBOLIC, "check_grads: argument %d of %d has no value", i,
                             c->f->n_in);
        if (!agni_is_differentiable(in[i]))
            continue;
        if (in[i]->dtype == AGN_F16 || in[i]->dtype == AGN_BF16)
            return agni_fail(AGN_EDTYPE,
                             "check_grads: argument %d is %s, too coarse for "
                             "differences; f32 and wider are not",
                             i, agni_dtypes[in[i]->dtype].name);
        narrow |= in[i]->dtype == AGN_F32 || in[i]->dtype == AGN_C64;
        agn_tensor *plain = agni_tensor_alias(in[i]);
        c->where[c->n] = i;
        c->x[c->n] = agn_scope_adopt(c->s,
                                     plain ? AGN_OK : agni_nomem("check_grads", sizeof *plain),
                                     &plain);
        c->t[c->n] = random_like(c, in[i]);
        c->n++;
    }
    c->step = c->step > 0 ? c->step : narrow ? 0.1 : 1e-2;
    c->tolerance = c->tolerance > 0 ? c->tolerance : narrow ? 2e-2 : 1e-7;
    return agn_scope_status(c->s);
}

/* weights for the results that are no whole numbers; *smooth: there is one */
static agn_status draw_weights(checker *c, bool *smooth)
{
    agn_tensor **y = agni_zalloc((size_t)(c->n_out + 1) * sizeof *y);
    agn_status st = y ? agn_fn_call(y, agn_fn_n_out(c->f), c->f, c->in, agn_fn_n_in(c->f))
                      : agni_nomem("check_grads", sizeof *y);
    for (int k = 0; k < c->n_out && !st; k++)
        if (agni_is_differentiable(y[k])) {
            c->w[k] = random_like(c, y[k]);
            *smooth = true;
        }
    for (int k = 0; y && k < c->n_out; k++)
        agn_release(y[k]);
    agni_free(y);
    return st ? st : agn_scope_status(c->s);
}

static agn_status check_all(checker *c, const agn_tensor *const *in, int orders, uint32_t modes)
{
    bool smooth = false;
    agn_status st = prepare_arguments(c, in);
    st = st ? st : draw_weights(c, &smooth);
    st = st ? st : check_variants(c, 0, c->f, in, modes);
    if (st || !smooth || !c->n)
        return st;
    st = make_levels(c, orders);
    for (int m = 0; m < orders && !st && modes & (AGN_CHECK_FORWARD | AGN_CHECK_REVERSE); m++)
        st = check_order(c, m, modes);
    if (!st && modes & AGN_CHECK_TAYLOR)
        st = check_taylor(c, orders);
    return st ? st : check_variants(c, 1, c->slope[0], c->x, modes & ~(uint32_t)AGN_CHECK_LAYOUT);
}

agn_status agn_check_grads(agn_check_result *out, const agn_fn *f, const agn_tensor *const *in,
                           int32_t n_in, const agn_check_options *opts)
{
    agn_check_options o = {.size = sizeof o};
    if (!f)
        return agni_fail(AGN_ENULL, "check_grads: %s is NULL", "f");
    agn_status st = agni_check_n_in("check_grads", f, in, n_in);
    if (st)
        return st;
    if (agni_check_size("check_grads", agn_check_options, opts) ||
        agni_check_size("check_grads", agn_check_result, out))
        return AGN_EARG;
    o = opts ? *opts : o;
    if (o.orders < 0 || o.orders > MOST_ORDERS || o.entries < 0)
        return agni_fail(AGN_EARG, "check_grads: orders %d of 0 to %d, entries %d", o.orders,
                         MOST_ORDERS, o.entries);
    if (!(o.step >= 0) || !(o.tolerance >= 0))
        return agni_fail(AGN_EARG, "check_grads: step %g, tolerance %g; neither may be negative",
                         o.step, o.tolerance);
    int n_out = f->n_out;
    checker c = {.f = f, .in = in, .n_out = n_out, .step = o.step, .tolerance = o.tolerance,
                 .entries = o.entries ? o.entries : DEFAULT_ENTRIES, .state = o.seed + 1,
                 .worst = {.size = sizeof c.worst}};
    c.s = agn_scope_open(NULL);
    c.where = agni_zalloc((size_t)(n_in + 1) * sizeof *c.where);
    c.x = agni_zalloc((size_t)(2 * n_in + n_out + 1) * sizeof *c.x);
    c.t = c.x + n_in;
    c.w = c.t + n_in;
    st = c.where && c.x ? AGN_OK : agni_nomem("check_grads", sizeof c);
    st = st ? st : check_all(&c, in, o.orders ? o.orders : 2, o.modes ? o.modes : UINT32_MAX);
    for (int m = 0; m <= MOST_ORDERS; m++) {
        agn_fn_release(c.slope[m]);
        agn_fn_release(c.phi[MOST_ORDERS - m]);
    }
    agni_free(c.where);
    agni_free(c.x);
    agn_status closed = agn_scope_close(c.s);
    st = st ? st : closed;
    if (st)
        return st;
    if (out)
        *out = c.worst;
    if (c.worst.error > c.tolerance)
        return agni_fail(
            AGN_EDOMAIN,
            "check_grads: %s, order %d, argument %d, entry %lld: %.17g, expected %.17g",
            mode_name(c.worst.mode), c.worst.order, c.worst.argument, (long long)c.worst.entry,
            c.worst.have, c.worst.want);
    return AGN_OK;
}

typedef struct named {
    const char *op;
    int32_t n_in, n_out, n_int, n_real;
    const int64_t *ints;
    const double *reals;
} named;

static agn_status named_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const named *q = user;
    agn_tensor **y = agni_zalloc((size_t)(q->n_out + 1) * sizeof *y);
    if (!y)
        return agn_scope_fail(s, agni_nomem("op_check", sizeof *y));
    agn_status st = agn_op_apply(y, q->n_out, q->op, in, q->n_in, q->ints, q->n_int, q->reals,
                                 q->n_real);
    for (int k = 0; k < q->n_out; k++)
        out[k] = agn_scope_adopt(s, st, &y[k]);
    agni_free(y);
    return agn_scope_status(s);
}

agn_status agn_op_check(agn_check_result *out, const char *op, const agn_tensor *const *in,
                        int32_t n_in, const int64_t *ints, int32_t n_int, const double *reals,
                        int32_t n_real, const agn_check_options *opts)
{
    const agni_op *row = op ? agni_op_find(op) : NULL;
    if (!op)
        return agni_fail(AGN_ENULL, "op_check: op is NULL");
    if (!row)
        return agni_fail(AGN_EARG, "op_check: there is no op \"%s\" among %d", op, agni_op_count());
    named q = {op, n_in, row->nout < 0 ? 1 : row->nout, n_int, n_real, ints, reals};
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, named_body, &q, NULL, n_in, q.n_out);
    st = st ? st : agn_check_grads(out, f, in, agn_fn_n_in(f), opts);
    agn_fn_release(f);
    return st;
}
