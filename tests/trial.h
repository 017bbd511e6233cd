/* tests/trial.h - one function put on trial: its derivatives of orders 1 to 3 in every mode
   and nesting, against each other, against plans of them, and against differences of the f64
   evaluation. */
#ifndef AGN_TRIAL_H
#define AGN_TRIAL_H

#include "deriv.h"
#include "tensor/dispatch/op.h"

enum { ROOM = 256, MOST_ORDERS = 3 };
/* WRAP: see run_case; APART: elements differ, none is 0; QUICK: fewer nestings */
enum { WRAP = 1, APART = 2, REAL_ONLY = 4, Z_ONLY = 8, QUICK = 16 };

typedef struct fcase {
    const char *name;
    T (*body)(agn_scope *s, const struct fcase *c, const T *x);
    int n;
    struct {
        int ndim;
        int64_t shape[4];
        double lo, hi;
    } in[ARGS];
    int flags;
    const char *op;
    int n_int;
    int64_t ints[4];
} fcase;

static const char *only;
static double worst_mode, worst_difference, worst_lane, worst_f32, worst_step;
static int n_words, n_plans;

/* ---- cases as functions -------------------------------------------------------------- */

static T by_row(agn_scope *s, const fcase *c, const T *x)
{
    return apply(s, c->op, c->n, x, c->n_int, c->ints);
}

/* with WRAP, a nonlinear function before and after a structural op makes its derivatives of
   orders 2 and 3 differ from zero */
static T run_case(const fcase *c, agn_scope *s, const T *in)
{
    T x[ARGS];
    for (int i = 0; i < c->n; i++)
        x[i] = c->flags & WRAP ? ag_sin(s, in[i]) : in[i];
    T y = c->body(s, c, x);
    return c->flags & WRAP ? ag_mul(s, ag_add_c(s, y, 1), y) : y;
}
static agn_status case_body(void *user, agn_scope *s, const T *in, T *out)
{
    out[0] = run_case(user, s, in);
    return agn_scope_status(s);
}

typedef struct weighted {
    const fcase *c;
    agn_tensor *u;
} weighted;
static agn_status weighted_body(void *user, agn_scope *s, const T *in, T *out)
{
    const weighted *w = user;
    out[0] = pairing(s, w->u, run_case(w->c, s, in));
    return agn_scope_status(s);
}
static void weighted_drop(void *user)
{
    weighted *w = user;
    agn_release(w->u);
    free(w);
}

/* ---- points ---------------------------------------------------------------------------- */

typedef struct point {
    int n, size[ARGS]; /* doubles of each argument */
    int dtype[ARGS];
    double x[ARGS][ROOM];
} point;

static agn_tensor *tensor_of(const fcase *c, const point *p, int i, agn_dtype as)
{
    agn_tensor *x = NULL, *y = NULL;
    if (agn_from_host(&x, p->dtype[i], c->in[i].ndim, c->in[i].shape, p->x[i]))
        bail_out("%s: %s", c->name, agn_error_message());
    if (as == p->dtype[i])
        return x;
    if (agn_cast(&y, x, as))
        bail_out("%s: %s", c->name, agn_error_message());
    agn_release(x);
    return y;
}
static void tensors_of(const fcase *c, const point *p, agn_tensor **x)
{
    for (int i = 0; i < c->n; i++)
        x[i] = tensor_of(c, p, i, p->dtype[i]);
}
static void release_all(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

static point new_point(const fcase *c, bool complex)
{
    point p = {.n = c->n};
    for (int i = 0; i < c->n; i++) {
        p.dtype[i] = complex ? AGN_C128 : AGN_F64;
        p.size[i] = complex ? 2 : 1;
        for (int d = 0; d < c->in[i].ndim; d++)
            p.size[i] *= (int)c->in[i].shape[d];
    }
    return p;
}

static point draw_point(const fcase *c, bool complex)
{
    point p = new_point(c, complex);
    int total = 0, k = 0;
    for (int i = 0; i < c->n; i++)
        total += p.size[i];
    int order[ARGS * ROOM];
    for (int j = 0; j < total; j++)
        order[j] = j;
    for (int j = total - 1; j > 0; j--) {
        int m = below(j + 1), t = order[j];
        order[j] = order[m];
        order[m] = t;
    }
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < p.size[i]; j++, k++) {
            double lo = c->in[i].lo, hi = c->in[i].hi, *x = &p.x[i][j];
            if (complex && j % 2)
                *x = between(-0.5, 0.5);
            else if (c->flags & APART) /* no two equal, none at 0 */
                *x = lo + (hi - lo) * ((order[k] + between(0.3, 0.7)) / total);
            else
                *x = between(lo, hi);
            if (c->flags & APART && fabs(*x) < 0.05)
                *x = 0.05;
        }
    if (c->op && (!strcmp(c->op, "remainder") || !strcmp(c->op, "fmod"))) /* 1 < a / b < 2 for every b */
        for (int j = 0; j < p.size[0]; j++)
            p.x[0][j] = between(1.2, 1.35);
    return p;
}

static point draw_direction(const fcase *c, const point *at)
{
    point v = *at;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < v.size[i]; j++)
            v.x[i][j] = between(0.3, 1) * (below(2) ? 1 : -1);
    return v;
}

/* x + t v + t^2 w + t^3 z */
static point moved(const point *x, double t, const point *v, const point *w, const point *z)
{
    point y = *x;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->size[i]; j++) {
            y.x[i][j] += t * v->x[i][j];
            if (w)
                y.x[i][j] += t * t * (w->x[i][j] + t * z->x[i][j]);
        }
    return y;
}

static double value_at(const fcase *c, const agn_fn *f, const point *p)
{
    agn_tensor *x[ARGS];
    tensors_of(c, p, x);
    double v = value_of(f, (const T *)x);
    release_all(x, c->n);
    return v;
}

static int vector_at(const fcase *c, const agn_fn *f, const point *p, double *y)
{
    agn_tensor *x[ARGS], *r = NULL;
    tensors_of(c, p, x);
    int n = agn_fn_call(&r, 1, f, (const T *)x, agn_fn_n_in(f)) ? -1 : numbers(y, ROOM, r);
    agn_release(r);
    release_all(x, c->n);
    return n;
}

/* ---- one case ----------------------------------------------------------------------------- */

typedef struct trial {
    const fcase *c;
    bool complex, good;
    agn_fn *f, *phi; /* the case, and Re<u, case> */
    agn_tensor *u;
    point x, v[MOST_ORDERS];
    agn_tensor *tx[ARGS], *tv[MOST_ORDERS][ARGS];
    double scale[MOST_ORDERS + 1];
} trial;

static void wrong(trial *q, const char *what, double have, double want, double allowed)
{
    if (q->good)
        diag("%s: %s is %.17g, not %.17g (off by %.3g, allowed %.3g) %s", q->c->name, what, have,
             want, have - want, allowed, isnan(have) ? agn_error_message() : "");
    q->good = false;
}
static void compare(trial *q, const char *what, double have, double want, double tol,
                    double scale, double *worst)
{
    double off = fabs(have - want) / scale;
    if (off > *worst)
        *worst = off;
    if (!(off <= tol))
        wrong(q, what, have, want, tol * scale);
}

static agn_fn *weighted_fn(const fcase *c, T u)
{
    weighted *w = malloc(sizeof *w);
    agn_fn *f = NULL;
    if (!w)
        bail_out("no memory");
    *w = (weighted){c, agn_retain(u)};
    if (agn_fn_new(&f, weighted_body, w, weighted_drop, c->n, 1))
        bail_out("%s", agn_error_message());
    return f;
}

static bool trial_open(trial *q, const fcase *c, bool complex)
{
    *q = (trial){.c = c, .complex = complex, .good = true};
    q->x = draw_point(c, complex);
    tensors_of(c, &q->x, q->tx);
    for (int k = 0; k < MOST_ORDERS; k++) {
        q->v[k] = draw_direction(c, &q->x);
        tensors_of(c, &q->v[k], q->tv[k]);
    }
    agn_tensor *y = NULL;
    double u[ROOM];
    if (agn_fn_new(&q->f, case_body, (void *)(uintptr_t)c, NULL, c->n, 1) ||
        agn_fn_call(&y, 1, q->f, (const T *)q->tx, agn_fn_n_in(q->f))) {
        diag("%s: %s", c->name, agn_error_message());
        return q->good = false;
    }
    for (int k = 0; k < ROOM; k++)
        u[k] = between(0.3, 1) * (below(2) ? 1 : -1);
    if (agn_from_host(&q->u, agn_dtype_of(y), agn_ndim(y), agn_shape(y), u))
        bail_out("%s", agn_error_message());
    agn_release(y);
    q->phi = weighted_fn(c, q->u);
    return true;
}
static void trial_close(trial *q)
{
    agn_fn_release(q->f);
    agn_fn_release(q->phi);
    agn_release(q->u);
    release_all(q->tx, ARGS);
    for (int k = 0; k < MOST_ORDERS; k++)
        release_all(q->tv[k], ARGS);
}

/* the coefficients of the jet along x + t v + t^2 w + t^3 z as derivatives, [k][ROOM]; the
   number of doubles in each */
static int jet_along(trial *q, const point *v, const point *w, const point *z,
                     double d[MOST_ORDERS + 1][ROOM])
{
    const fcase *c = q->c;
    agn_fn *jet = NULL;
    agn_tensor *a[ARGS * 4] = {NULL}, *y[4] = {NULL};
    point zero = *v;
    memset(zero.x, 0, sizeof zero.x);
    int n = -1;
    for (int i = 0; i < c->n; i++) {
        a[4 * i] = tensor_of(c, &q->x, i, q->x.dtype[i]);
        a[4 * i + 1] = tensor_of(c, v, i, v->dtype[i]);
        a[4 * i + 2] = tensor_of(c, w ? w : &zero, i, v->dtype[i]);
        a[4 * i + 3] = tensor_of(c, z ? z : &zero, i, v->dtype[i]);
    }
    double factorial = 1;
    if (!agn_fn_jet(&jet, q->f, 3) && !agn_fn_call(y, 4, jet, (const T *)a, agn_fn_n_in(jet)))
        for (int k = 0; k <= MOST_ORDERS; k++) {
            n = numbers(d[k], ROOM, y[k]);
            factorial *= k ? k : 1;
            for (int i = 0; i < n; i++)
                d[k][i] *= factorial;
        }
    else
        diag("%s: jet: %s", c->name, agn_error_message());
    agn_fn_release(jet);
    release_all(a, 4 * c->n);
    release_all(y, 4);
    return n;
}

/* central differences of 9 points: orders 8, 8, 6 (Fornberg 1988) */
static const double stencil[MOST_ORDERS + 1][5] = {
    {1, 0, 0, 0, 0},
    {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
    {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560},
    {0, -61.0 / 30, 169.0 / 120, -3.0 / 10, 7.0 / 240},
};

static void jets_against_differences(trial *q)
{
    static const double tol[MOST_ORDERS + 1] = {1e-15, 1e-10, 1e-7, 3e-5};
    const fcase *c = q->c;
    const double h = 0.004;
    double jet[4][ROOM], y[9][ROOM], u[ROOM];
    point w = draw_direction(c, &q->x), z = draw_direction(c, &q->x);
    int n = jet_along(q, &q->v[0], &w, &z, jet);
    if (n < 0 || numbers(u, ROOM, q->u) != n) {
        wrong(q, "number of results of the jet", n, 0, 0);
        return;
    }
    for (int m = -4; m <= 4; m++) {
        point p = moved(&q->x, m * h, &q->v[0], &w, &z);
        if (vector_at(c, q->f, &p, y[m + 4]) != n)
            wrong(q, "number of results", NAN, n, 0);
    }
    for (int k = 0; k <= MOST_ORDERS; k++) {
        q->scale[k] = 1;
        for (int i = 0; i < n; i++) {
            double d = k % 2 ? 0 : stencil[k][0] * y[4][i], size = 1 + fabs(y[4][i]);
            for (int m = 1; m <= 4; m++)
                d += stencil[k][m] * (y[4 + m][i] + (k % 2 ? -1 : 1) * y[4 - m][i]);
            d /= pow(h, k);
            for (int j = 1; j <= k; j++)
                size += fabs(jet[j][i]);
            char what[64];
            snprintf(what, sizeof what, "jet, order %d, result %d", k, i);
            compare(q, what, jet[k][i], d, tol[k], size, &worst_difference);
            q->scale[k] += fabs(u[i]) * size;
        }
    }
}

/* words over the modes; the first of each length is the reference */
static const char *const words[] = {
    "F",   "R",   "J",   "V",   "FF",  "FR",  "RF",  "RR",  "JF",  "FJ",  "JR",  "RJ",  "JJ",
    "VV",  "FV",  "VF",  "VJ",  "JV",  "FFF", "FFR", "FRF", "RFF", "FRR", "RFR", "RRF", "RRR",
    "JFF", "FJF", "FFJ", "JJJ", "JRF", "RJF", "FRJ", "RFJ", "JFR", "FJR", "JRR", "RJR", "RRJ",
    "VVV", "VFR", "RVF", "JVR", "FVJ",
};

/* the same function as a plan gives the same; a body that reads values has none */
static void planned(trial *q, const char *word, const agn_fn *d, double want, int k)
{
    agn_fn *plan = NULL;
    agn_tensor *y = NULL;
    char what[64];
    snprintf(what, sizeof what, "%s in a plan", word);
    agn_status st = agn_fn_compile(&plan, d, NULL);
    if (!st)
        st = agn_fn_call(&y, 1, plan, (const T *)q->tx, agn_fn_n_in(plan));
    if (st != AGN_ESYMBOLIC) {
        compare(q, what, st ? (double)NAN : number(y), want, 4096 * 0x1p-52,
                q->scale[k] + fabs(want), &worst_mode);
        n_plans++;
    }
    agn_release(y);
    agn_fn_release(plan);
}

static void words_against_each_other(trial *q)
{
    const fcase *c = q->c;
    double want[MOST_ORDERS + 1] = {0};
    agn_fn *low = agn_fn_retain(q->phi);
    for (int k = 1; k <= MOST_ORDERS; k++) { /* each order is a difference of the one below */
        char word[4] = "FFF", what[64];
        word[k] = 0;
        agn_fn *d = nesting(word, q->phi, c->n, (const T(*)[ARGS])q->tv);
        want[k] = value_of(d, (const T *)q->tx);
        double diff = 0, h = 0.003;
        for (int m = 1; m <= 4; m++) {
            point a = moved(&q->x, m * h, &q->v[k - 1], NULL, NULL);
            point b = moved(&q->x, -m * h, &q->v[k - 1], NULL, NULL);
            diff += stencil[1][m] * (value_at(c, low, &a) - value_at(c, low, &b)) / h;
        }
        snprintf(what, sizeof what, "%s against differences", word);
        compare(q, what, want[k], diff, k == 3 ? 3e-8 : 3e-10,
                q->scale[k] + fabs(want[k]), &worst_difference);
        agn_fn_release(low);
        low = d;
    }
    agn_fn_release(low);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int k = (int)strlen(words[i]);
        if (c->flags & QUICK && k == 3 && i % 3)
            continue;
        if (tap_quick() && i % 5) /* sanitized builds try every fifth nesting */
            continue;
        agn_fn *d = nesting(words[i], q->phi, c->n, (const T(*)[ARGS])q->tv);
        double have = value_of(d, (const T *)q->tx);
        planned(q, words[i], d, have, k);
        agn_fn_release(d);
        n_words++;
        compare(q, words[i], have, want[k], 4096 * 0x1p-52, q->scale[k] + fabs(want[k]),
                &worst_mode);
    }
    /* F F F along one direction is the jet */
    double jet[4][ROOM], u[ROOM];
    int n = jet_along(q, &q->v[0], NULL, NULL, jet);
    T same[MOST_ORDERS][ARGS];
    for (int k = 0; k < MOST_ORDERS; k++)
        for (int i = 0; i < c->n; i++)
            same[k][i] = q->tv[0][i];
    if (numbers(u, ROOM, q->u) != n) {
        wrong(q, "size of the jet", n, -1, 0);
        return;
    }
    for (int k = 1; k <= MOST_ORDERS; k++) {
        agn_fn *d = nesting(&"FFF"[3 - k], q->phi, c->n, (const T(*)[ARGS])same);
        double have = value_of(d, (const T *)q->tx), sum = 0, size = q->scale[k];
        for (int i = 0; i < n; i++) {
            sum += u[i] * jet[k][i];
            size += fabs(u[i] * jet[k][i]);
        }
        compare(q, "F along one direction against its jet", have, sum, 4096 * 0x1p-52, size,
                &worst_mode);
        agn_fn_release(d);
    }
}

/* Re<u, J v> = Re<J^H u, v> with the cotangent given to vjp */
static void adjoint(trial *q)
{
    const fcase *c = q->c;
    agn_fn *jvp = NULL, *vjp = NULL;
    agn_tensor *a[2 * ARGS] = {NULL}, *y[2 * ARGS] = {NULL}, *z[2 * ARGS] = {NULL};
    T b[ARGS + 1];
    for (int i = 0; i < c->n; i++) {
        a[i] = q->tx[i];
        a[c->n + i] = q->tv[0][i];
        b[i] = q->tx[i];
    }
    b[c->n] = q->u;
    double forward = NAN, back = 0, g[ROOM], u[ROOM];
    if (!agn_fn_jvp(&jvp, q->f) && !agn_fn_call(y, agn_fn_n_out(jvp), jvp, (const T *)a, agn_fn_n_in(jvp)) &&
        !agn_fn_vjp(&vjp, q->f) && !agn_fn_call(z, agn_fn_n_out(vjp), vjp, b, agn_fn_n_in(vjp))) {
        int n = numbers(g, ROOM, y[1]);
        forward = 0;
        if (n != numbers(u, ROOM, q->u) || agn_dtype_of(y[1]) != agn_dtype_of(y[0]))
            forward = NAN;
        for (int k = 0; k < n; k++)
            forward += u[k] * g[k];
        for (int i = 0; i < c->n; i++) {
            n = numbers(g, ROOM, z[1 + i]);
            if (n != q->x.size[i] || agn_dtype_of(z[1 + i]) != q->x.dtype[i] ||
                agn_ndim(z[1 + i]) != c->in[i].ndim)
                back = NAN;
            for (int k = 0; k < n; k++)
                back += q->v[0].x[i][k] * g[k];
        }
    }
    compare(q, "adjointness", forward, back, 1024 * 0x1p-52, q->scale[1], &worst_mode);
    agn_fn_release(jvp);
    agn_fn_release(vjp);
    release_all(y, 2);
    release_all(z, 1 + c->n);
}

/* the real Jacobian of (re, im) column by column: jvp with 1 and i, vjp with 1 and i */
static void real_jacobian(trial *q)
{
    const fcase *c = q->c;
    agn_fn *jvp = NULL, *vjp = NULL;
    double y0[ROOM], row[ROOM];
    int n = vector_at(c, q->f, &q->x, y0);
    if (n < 0 || agn_fn_jvp(&jvp, q->f) || agn_fn_vjp(&vjp, q->f)) {
        wrong(q, "number of results", n, 0, 0);
        return;
    }
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < q->x.size[i] && j < 4; j++) {
            point e = q->x;
            memset(e.x, 0, sizeof e.x);
            e.x[i][j] = 1;
            agn_tensor *a[2 * ARGS] = {NULL}, *y[2] = {NULL};
            tensors_of(c, &q->x, a);
            tensors_of(c, &e, a + c->n);
            double col[ROOM], d[ROOM] = {0};
            const double h = 0.003;
            if (agn_fn_call(y, 2, jvp, (const T *)a, agn_fn_n_in(jvp)) || numbers(col, ROOM, y[1]) != n) {
                wrong(q, "tangent", NAN, 0, 0);
                col[0] = NAN;
            }
            for (int m = -4; m <= 4; m++) {
                point p = moved(&q->x, m * h, &e, NULL, NULL);
                vector_at(c, q->f, &p, row);
                for (int k = 0; k < n; k++)
                    d[k] += (m < 0 ? -1 : 1) * stencil[1][abs(m)] * row[k] / h;
            }
            for (int k = 0; k < n; k++)
                compare(q, "real Jacobian by jvp", col[k], d[k], 3e-10, q->scale[1],
                        &worst_difference);
            release_all(a, 2 * c->n);
            release_all(y, 2);
            for (int k = 0; k < n && k < 4; k++) { /* the entry again, by a row */
                agn_tensor *b[ARGS + 1] = {NULL}, *z[ARGS + 1] = {NULL};
                double u[ROOM] = {0};
                u[k] = 1;
                tensors_of(c, &q->x, b);
                if (agn_from_host(&b[c->n], agn_dtype_of(q->u), agn_ndim(q->u), agn_shape(q->u),
                                  u))
                    bail_out("%s", agn_error_message());
                double have = NAN;
                if (!agn_fn_call(z, agn_fn_n_out(vjp), vjp, (const T *)b, agn_fn_n_in(vjp)) &&
                    numbers(row, ROOM, z[1 + i]) == q->x.size[i])
                    have = row[j];
                compare(q, "real Jacobian by vjp", have, col[k], 1024 * 0x1p-52, q->scale[1],
                        &worst_mode);
                release_all(b, c->n + 1);
                release_all(z, c->n + 1);
            }
        }
    agn_fn_release(jvp);
    agn_fn_release(vjp);
}

/* Im f(x + i h v) / h is exact to rounding where f is analytic (Squire & Trapp 1998) */
static void complex_step(trial *q)
{
    const fcase *c = q->c;
    const double h = 0x1p-60;
    point p = new_point(c, true);
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < q->x.size[i]; j++) {
            p.x[i][2 * j] = q->x.x[i][j];
            p.x[i][2 * j + 1] = h * q->v[0].x[i][j];
        }
    double y[ROOM], jet[4][ROOM];
    int n = vector_at(c, q->f, &p, y);
    if (n != 2 * jet_along(q, &q->v[0], NULL, NULL, jet)) {
        wrong(q, "number of results at a complex point", n, 0, 0);
        return;
    }
    for (int k = 0; k < n / 2; k++)
        compare(q, "complex step", jet[1][k], y[2 * k + 1] / h, 256 * 0x1p-52,
                1 + fabs(jet[0][k]) + fabs(jet[1][k]), &worst_step);
}

static void single_precision(trial *q)
{
    const fcase *c = q->c;
    agn_tensor *x[ARGS], *v[1][ARGS] = {{NULL}}, *u = NULL;
    agn_dtype low = q->complex ? AGN_C64 : AGN_F32;
    for (int i = 0; i < c->n; i++) {
        x[i] = tensor_of(c, &q->x, i, low);
        v[0][i] = tensor_of(c, &q->v[0], i, low);
    }
    if (agn_cast(&u, q->u, is_complex(q->u) ? AGN_C64 : AGN_F32))
        bail_out("%s", agn_error_message());
    agn_fn *phi = weighted_fn(c, u);
    agn_fn *wide = nesting("F", q->phi, c->n, (const T(*)[ARGS])q->tv);
    double want = value_of(wide, (const T *)q->tx);
    agn_tensor *value = NULL;
    bool single = !agn_fn_call(&value, 1, phi, (const T *)x, agn_fn_n_in(phi)) && agn_dtype_of(value) == AGN_F32;
    agn_release(value);
    static const char *const one[] = {"F", "R", "J", "V"};
    for (int k = 0; k < 4; k++) {
        agn_fn *d = nesting(one[k], phi, c->n, (const T(*)[ARGS])v);
        agn_tensor *y = NULL;
        if (d && !agn_fn_call(&y, 1, d, (const T *)x, agn_fn_n_in(d)) && single && agn_dtype_of(y) != AGN_F32)
            wrong(q, "dtype of the f32 derivative", agn_dtype_of(y), AGN_F32, 0);
        compare(q, one[k], number(y), want, 512 * 0x1p-23, q->scale[1] + q->scale[2],
                &worst_f32);
        agn_release(y);
        agn_fn_release(d);
    }
    agn_fn_release(wide);
    agn_fn_release(phi);
    agn_release(u);
    release_all(x, c->n);
    release_all(v[0], c->n);
}

/* ---- lanes --------------------------------------------------------------------------------- */

enum { LANES = 3 };

typedef struct lanes {
    point x[LANES], v[LANES];
} lanes;

/* lanes of argument i beside each other along axis */
static agn_tensor *beside(const fcase *c, const point *p, int i, int axis)
{
    agn_tensor *x[LANES], *y = NULL;
    for (int l = 0; l < LANES; l++)
        x[l] = tensor_of(c, &p[l], i, p[l].dtype[i]);
    if (agn_stack(&y, (const T *)x, LANES, axis))
        bail_out("%s: %s", c->name, agn_error_message());
    release_all(x, LANES);
    return y;
}

static void vmap_of_derivatives(trial *q, const lanes *p, int mask, const char *word)
{
    const fcase *c = q->c;
    agn_fn *d = *word ? nesting(word, q->phi, c->n, (const T(*)[ARGS])q->tv)
                      : agn_fn_retain(q->phi);
    agn_fn *all = NULL;
    agn_tensor *x[ARGS], *y = NULL;
    int32_t axes[ARGS];
    double got[2 * LANES];
    char what[64];
    snprintf(what, sizeof what, "vmap of %s, arguments %d", *word ? word : "f", mask);
    for (int i = 0; i < c->n; i++) {
        bool on = mask >> i & 1;
        axes[i] = on ? (i + mask) % 2 ? c->in[i].ndim : 0 : AGN_UNBATCHED;
        x[i] = on ? beside(c, p->x, i, axes[i]) : tensor_of(c, &q->x, i, q->x.dtype[i]);
    }
    if (agn_fn_vmap(&all, d, axes, agn_fn_n_in(d), NULL, 0) || agn_fn_call(&y, 1, all, (const T *)x, agn_fn_n_in(all)) ||
        numbers(got, 2 * LANES, y) != LANES) {
        wrong(q, what, NAN, 0, 0);
        diag("%s", agn_error_message());
        memset(got, 0, sizeof got);
    }
    for (int l = 0; l < LANES && y; l++) {
        point lane = q->x;
        for (int i = 0; i < c->n; i++)
            if (mask >> i & 1)
                memcpy(lane.x[i], p->x[l].x[i], sizeof lane.x[i]);
        double want = value_at(c, d, &lane);
        compare(q, what, got[l], want, 256 * 0x1p-52,
                q->scale[strlen(word)] + fabs(want), &worst_lane);
    }
    agn_release(y);
    agn_fn_release(all);
    agn_fn_release(d);
    release_all(x, c->n);
}

/* sum_l w_l g(x_l), with g vmapped */
typedef struct mixture {
    agn_fn *g;
    int n;
} mixture;
static const double lane_weight[LANES] = {0.7, -1.1, 0.4};
static agn_status mixture_body(void *user, agn_scope *s, const T *in, T *out)
{
    const mixture *q = user;
    T y = NULL;
    agn_fn_apply(s, &y, 1, q->g, in, agn_fn_n_in(q->g));
    T w = ag_from_host(s, AGN_F64, 1, (int64_t[]){LANES}, lane_weight);
    out[0] = agn_scope_status(s) ? NULL : ag_sum_all(s, ag_mul(s, w, y));
    return agn_scope_status(s);
}

static void derivatives_of_vmap(trial *q, const lanes *p, const char *outer, const char *inner)
{
    const fcase *c = q->c;
    agn_fn *g = *inner ? nesting(inner, q->phi, c->n, (const T(*)[ARGS])q->tv)
                       : agn_fn_retain(q->phi);
    mixture m = {NULL, c->n};
    agn_fn *sum = NULL, *d = NULL;
    agn_tensor *x[ARGS], *v[1][ARGS] = {{NULL}};
    for (int i = 0; i < c->n; i++) {
        x[i] = beside(c, p->x, i, 0);
        v[0][i] = beside(c, p->v, i, 0);
    }
    double want = 0, have = NAN;
    if (!agn_fn_vmap(&m.g, g, NULL, 0, NULL, 0) &&
        !agn_fn_new(&sum, mixture_body, &m, NULL, c->n, 1) &&
        (d = nesting(outer, sum, c->n, (const T(*)[ARGS])v)))
        have = value_of(d, (const T *)x);
    for (int l = 0; l < LANES; l++) {
        agn_tensor *one[1][ARGS] = {{NULL}};
        tensors_of(c, &p->v[l], one[0]);
        agn_fn *e = nesting("F", g, c->n, (const T(*)[ARGS])one);
        want += lane_weight[l] * value_at(c, e, &p->x[l]);
        agn_fn_release(e);
        release_all(one[0], c->n);
    }
    char what[64];
    snprintf(what, sizeof what, "%s of vmap of %s", outer, *inner ? inner : "f");
    compare(q, what, have, want, 1024 * 0x1p-52,
            LANES * q->scale[1 + strlen(inner)] + fabs(want), &worst_lane);
    agn_fn_release(d);
    agn_fn_release(sum);
    agn_fn_release(m.g);
    agn_fn_release(g);
    release_all(x, c->n);
    release_all(v[0], c->n);
}

static void batched(trial *q)
{
    static const char *const inner[] = {"",   "F",  "R",   "J",   "FF", "RR", "FR",
                                        "RJ", "JF", "FFF", "RRR", "JRF"};
    lanes p;
    double scale[MOST_ORDERS + 1];
    memcpy(scale, q->scale, sizeof scale);
    for (int l = 0; l < LANES; l++) {
        p.x[l] = draw_point(q->c, q->complex);
        p.v[l] = draw_direction(q->c, &q->x);
    }
    for (int k = 0; k <= MOST_ORDERS; k++)
        q->scale[k] *= 4; /* other points */
    int all = (1 << q->c->n) - 1;
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i += tap_quick() ? 4 : 1)
        if (!(q->c->flags & QUICK) || strlen(inner[i]) < 3)
            vmap_of_derivatives(q, &p, all, inner[i]);
    for (int mask = 1; mask < all; mask++)
        for (size_t i = 0; i < 6; i += tap_quick() ? 4 : 1)
            vmap_of_derivatives(q, &p, mask, inner[i]);
    static const char *const outer[] = {"F", "R", "J", "V"};
    for (int o = 0; o < 4; o++)
        for (int i = 0; i < 5; i += tap_quick() ? 4 : 1)
            derivatives_of_vmap(q, &p, outer[o], inner[i]);
    memcpy(q->scale, scale, sizeof scale);
}

static void run_trial(const fcase *c, bool complex)
{
    trial q;
    if (only && !strstr(c->name, only))
        return;
    deriv_seed = 0xA6E51 + complex; /* of the name alone (FNV-1a): other cases change nothing */
    for (const char *p = c->name; *p; p++)
        deriv_seed = (deriv_seed ^ (uint64_t)*p) * 0x100000001b3u;
    if (trial_open(&q, c, complex)) {
        jets_against_differences(&q);
        words_against_each_other(&q);
        adjoint(&q);
        if (complex)
            real_jacobian(&q);
        single_precision(&q);
        batched(&q);
        bool analytic = !complex && !(c->flags & (WRAP | REAL_ONLY)) && c->op;
        if (analytic && agni_op_find(c->op)->dtypes >> AGN_C128 & 1)
            complex_step(&q);
    }
    trial_close(&q);
    ok(q.good, "%s%s", c->name, complex ? ", complex" : "");
}

#endif
