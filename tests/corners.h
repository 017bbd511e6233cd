/* tests/corners.h - derivatives at points where a partial derivative is infinite, of a table of functions, by
   each mode: the tape, gradients, Jacobians and Hessians forward and reverse, nestings, jets, operators;
   called, planned and mapped. */
#ifndef AGN_CORNERS_H
#define AGN_CORNERS_H

#include "deriv.h"

enum { N = 4 };
#define INF ((double)INFINITY)
#define NOT_FINITE ((double)NAN)
typedef T body(agn_scope *s, T x);

typedef struct corner {
    const char *name;
    body *f; /* summed */
    int n;
    double x[N];
    char order; /* 1 gradient, 2 diagonal of the Hessian, H all of it, 3 third derivative, L, B: of one number */
    double d[N];
} corner;

#define F(name, expression) \
    static T name(agn_scope *s, T x) \
    { \
        return expression; \
    }
#define LIT(c) ag_lit(s, c)
#define AT(i) ag_index_axis(s, x, -1, i)
static agn_status corner_body(void *user, agn_scope *s, const T *in, T *out)
{
    const corner *c = user;
    T y = c->f(s, in[0]);
    out[0] = y ? ag_sum_all(s, y) : NULL;
    return agn_scope_status(s);
}
/* of rows of points: operators */
static agn_status field_body(void *user, agn_scope *s, const T *in, T *out)
{
    const corner *c = user;
    out[0] = c->f(s, in[0]);
    return agn_scope_status(s);
}

static bool masks_end; /* on the way: what is not finite will do, too */

static bool agrees(const corner *c, const char *mode, int at, double have, double want)
{
    if (isnan(want) ? !isfinite(have) : have == want || fabs(have - want) <= 1e-13 * fmax(1, fabs(want)))
        return true;
    if (masks_end && !isfinite(have))
        return true;
    diag("%s: %s has %.17g at %d, not %.17g %s", c->name, mode, have, at, want,
         isnan(have) ? agn_error_message() : "");
    return false;
}

/* numbers k step of v, which d[k] are */
static bool are(const corner *c, const char *mode, const double *v, int step, int count)
{
    bool good = true;
    for (int k = 0; good && k < count; k++)
        good &= agrees(c, mode, k, v[k * step], c->d[k]);
    return good;
}

/* The first result of f, called, planned, and in each of two lanes: its numbers k step are d[k]. f is
   released. */
static bool entries(const corner *c, const char *mode, agn_status st, agn_fn *f, int outs, T x, int step,
                    int count)
{
    static const char *const ways[] = {"called", "planned", "a lane"};
    double v[4 * N * N];
    agn_tensor *xs = NULL;
    bool good = !st && !agn_stack(&xs, (const T[]){x, x}, 2, 0);
    for (int way = 0; good && way < 3; way++) {
        agn_tensor *y[4] = {NULL};
        agn_fn *g = NULL;
        agn_status made = way == 0   ? (g = agn_fn_retain(f), AGN_OK)
                          : way == 1 ? agn_fn_compile(&g, f, NULL)
                                     : agn_fn_vmap(&g, f, NULL, 0, NULL, 0);
        int lanes = way == 2 ? 2 : 1, n = 0;
        good = !made && !agn_fn_call(y, outs, g, AGN_ARGS(way == 2 ? xs : x)) &&
               (n = numbers(v, 4 * N * N, y[0]) / lanes) > (count - 1) * step;
        if (!good)
            diag("%s: %s: %s", c->name, mode, agn_error_message());
        for (int lane = 0; good && lane < lanes; lane++)
            good &= are(c, ways[way], v + lane * n, step, count);
        for (int o = 0; o < outs; o++)
            agn_release(y[o]);
        agn_fn_release(g);
    }
    if (!good)
        diag("by %s", mode);
    agn_release(xs);
    agn_fn_release(f);
    return good;
}

static agn_fn *jacobian(const agn_fn *f, int mode, agn_status *st)
{
    agn_fn *j = NULL;
    agn_jacobian_options o = {.size = sizeof o, .mode = mode};
    *st = *st ? *st : agn_fn_jacobian_with(&j, f, (int32_t[]){0}, 1, &o);
    return j;
}

static bool tape(const corner *c, T x)
{
    agn_tensor *leaf = NULL, *g = NULL;
    double v[2 * N];
    agn_scope *s = agn_scope_open(NULL);
    bool good = !agn_watch(&leaf, x);
    T y = good ? ag_sum_all(s, c->f(s, leaf)) : NULL;
    good = good && y && !agn_gradient(&g, &y, 1, (const T[]){leaf}, 1, NULL) && numbers(v, 2 * N, g) == c->n;
    for (int k = 0; good && k < c->n; k++)
        good &= agrees(c, "the tape", k, v[k], c->d[k]);
    agn_release(g);
    agn_release(leaf);
    return !agn_scope_close(s) && good;
}

/* nestings and a jet in the direction of ones */
static bool words(const corner *c, const agn_fn *f, T x, int order, double want)
{
    static const char *const all[3][9] = {{"F", "R", "J", "V"},
                                          {"FF", "RR", "FR", "RF", "JJ", "JF", "FJ"},
                                          {"FFF", "RRR", "JJJ", "FRJ", "RFF", "JFR", "FRF", "RJF"}};
    double ones[N] = {1, 1, 1, 1}, zeros[N] = {0};
    agn_tensor *v = vector(c->n, ones), *z = vector(c->n, zeros), *y[4] = {NULL};
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    agn_fn *jet = NULL;
    bool good = true;
    for (int i = 0; i < 9 && all[order - 1][i]; i++) {
        agn_fn *d = nesting(all[order - 1][i], f, 1, dir), *plan = NULL;
        good &= agrees(c, all[order - 1][i], 0, value_of(d, (const T[]){x}), want);
        good &= d && !agn_fn_compile(&plan, d, NULL) &&
                agrees(c, "planned", 0, value_of(plan, (const T[]){x}), want);
        agn_fn_release(plan);
        agn_fn_release(d);
    }
    const T all_args[4] = {x, v, z, z};
    good &= !agn_fn_jet(&jet, f, order) && !agn_fn_call(y, order + 1, jet, all_args, order + 1) &&
            agrees(c, "a jet", 0, number(y[order]) * (order == 3 ? 6 : order), want);
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_fn_release(jet);
    agn_release(v);
    agn_release(z);
    return good;
}

static bool try_corner(const corner *c)
{
    agn_fn *f = NULL, *g = NULL, *h = NULL, *u = NULL, *l = NULL;
    agn_status st = agn_fn_new(&f, corner_body, (void *)(uintptr_t)c, NULL, 1, 1);
    agn_tensor *x = vector(c->n, c->x), *points = NULL;
    bool good = !st;
    int n = c->n, step = c->order == 2 ? n + 1 : 1, count = c->order == 2 ? n : n * n;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += c->d[k];
    st = st ? st : agn_fn_grad(&g, f, NULL, 1);
    st = st ? st : agn_fn_new(&u, field_body, (void *)(uintptr_t)c, NULL, 1, 1);
    st = st ? st : agn_reshape(&points, x, 2, (int64_t[]){1, c->n});
    if (st)
        bail_out("%s", agn_error_message());
    switch (c->order) {
    case 1:
        good &= tape(c, x);
        good &= entries(c, "grad", st, agn_fn_retain(g), 1, x, 1, n);
        h = jacobian(f, AGN_JACOBIAN_FORWARD, &st);
        good &= entries(c, "forward Jacobian", st, h, 1, x, 1, n);
        h = jacobian(f, AGN_JACOBIAN_REVERSE, &st);
        good &= entries(c, "reverse Jacobian", st, h, 1, x, 1, n);
        good &= words(c, f, x, 1, sum);
        break;
    case 2:
    case 'H':
        st = agn_fn_hessian(&h, f, 0);
        good &= entries(c, "Hessian", st, h, 1, x, step, count);
        h = jacobian(g, AGN_JACOBIAN_FORWARD, &st);
        good &= entries(c, "forward over reverse", st, h, 1, x, step, count);
        h = jacobian(g, AGN_JACOBIAN_REVERSE, &st);
        good &= entries(c, "reverse over reverse", st, h, 1, x, step, count);
        h = NULL;
        st = st ? st : agn_fn_hessian_diagonal(&h, f, NULL, 1, 0);
        if (c->order == 2)
            good &= entries(c, "diagonal", st, h, 1, x, 1, n);
        else
            agn_fn_release(h);
        if (c->n == 1)
            good &= words(c, f, x, 2, sum);
        break;
    case 3:
        good &= words(c, f, x, 3, sum);
        break;
    case 'L':
        st = agn_fn_laplacian(&h, u, 0);
        good &= entries(c, "Laplacian", st, h, 2, points, 1, 1);
        h = NULL;
        st = agn_fn_hessian(&h, f, 0);
        double diagonal[4 * N * N];
        agn_tensor *y = NULL;
        good &= !st && !agn_fn_call(&y, 1, h, AGN_ARGS(x)) && numbers(diagonal, 2 * N * N, y) == c->n * c->n;
        agn_release(y);
        agn_fn_release(h);
        for (int k = 1; good && k < c->n; k++)
            diagonal[0] += diagonal[k * c->n + k];
        good &= agrees(c, "the trace of the Hessian", 0, diagonal[0], c->d[0]);
        break;
    default:
        st = agn_fn_biharmonic(&h, u, 0);
        good &= entries(c, "biharmonic", st, h, 2, points, 1, 1);
    }
    agn_release(points);
    agn_release(x);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(u);
    agn_fn_release(l);
    return good;
}

#endif
