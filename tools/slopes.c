/* tools/slopes.c - jvp, vjp and jet, against the op itself along a curve x(t): the
   polynomial through its values at the 13 Chebyshev points of [-R, R] has the Taylor
   coefficients up to about eps / R^k. */
#include "ask.h"

#include <math.h>
#include <string.h>

enum { COORDS = 2 * MOST_ELEMENTS, ORDER = 3, NODES = CURVE_NODES };

double curve_node(int j)
{
    return CURVE_REACH * cos(3.14159265358979323846 * (j + 0.5) / NODES);
}

/* ---- real coordinates: a complex number has two ---------------------------------- */

static int pack(double *dst, const agn_tensor *x)
{
    double z[2 * LANES * MOST_ELEMENTS];
    agn_tensor *c = NULL, *d = NULL;
    int n = (int)agn_numel(x), step = is_complex(agn_dtype_of(x)) ? 2 : 1;
    bool sparse = agn_layout_of(x) != AGN_DENSE; /* a gradient may be */
    if (agn_cast(&c, x, AGN_C128) || (sparse && agn_sparse_to_dense(&d, c)) ||
        agn_to_host(z, sparse ? d : c, (size_t)n * 16))
        n = -1;
    agn_release(c);
    agn_release(d);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < step; p++)
            dst[step * k + p] = z[2 * k + p];
    return n < 0 ? -1 : step * n;
}

static agn_status unpack(agn_tensor **out, const double *src, const agn_tensor *like)
{
    int n = (int)agn_numel(like), step = is_complex(agn_dtype_of(like)) ? 2 : 1;
    double z[2 * MOST_ELEMENTS];
    for (int k = 0; k < n; k++) {
        z[2 * k] = src[step * k];
        z[2 * k + 1] = step > 1 ? src[step * k + 1] : 0;
    }
    agn_tensor *c = NULL;
    agn_status st = agn_from_host(&c, AGN_C128, agn_ndim(like), agn_shape(like), z);
    if (!st)
        st = agn_cast(out, c, agn_dtype_of(like));
    agn_release(c);
    return st;
}

/* results one after the other; false after a failure */
static bool pack_all(double *dst, int *n, agn_tensor *const *y, int count)
{
    *n = 0;
    for (int o = 0; o < count; o++) {
        int k = pack(dst + *n, y[o]);
        if (k < 0)
            return false;
        *n += k;
    }
    return true;
}

/* coefficient k of the curve of variable v */
typedef struct curve {
    double c[ORDER + 1][MOST_ARGS][COORDS];
    int n[MOST_ARGS];
} curve;

static bool start_curve(curve *q, const bound *b)
{
    memset(q, 0, sizeof *q);
    for (int v = 0; v < b->n_var; v++)
        q->n[v] = pack(q->c[0][v], b->x[b->var[v]]);
    return b->n_var == 0 || q->n[0] >= 0;
}

static void wiggle(curve *q, const bound *b, int order)
{
    for (int k = 1; k <= order; k++)
        for (int v = 0; v < b->n_var; v++)
            for (int j = 0; j < q->n[v]; j++)
                q->c[k][v][j] = cos(1.3 * j + 2.1 * v + 0.7 * k * k);
}

static bool value_at(const bound *b, const curve *q, double t, double *y, int *n)
{
    agn_tensor *x[MOST_ARGS] = {NULL}, *out[MOST_OUT] = {NULL};
    const agn_tensor *all[MOST_ARGS];
    agn_status st = AGN_OK;
    for (int v = 0; !st && v < b->n_var; v++) {
        double at[COORDS];
        for (int j = 0; j < q->n[v]; j++) {
            at[j] = 0;
            for (int k = ORDER; k >= 0; k--)
                at[j] = at[j] * t + q->c[k][v][j];
        }
        st = unpack(&x[v], at, b->x[b->var[v]]);
    }
    substitute(b, borrow(x), all);
    if (!st)
        st = apply(out, b->s, b->dtype, all);
    bool fine = !st && pack_all(y, n, out, b->s->n_out);
    release_all(out, MOST_OUT);
    release_all(x, b->n_var);
    return fine;
}

/* coefficients of the polynomial through (t[j], y[j]): Newton's form, multiplied out */
void interpolate(long double *c, const double *t, const double *y)
{
    long double d[NODES];
    for (int j = 0; j < NODES; j++)
        d[j] = (long double)y[j];
    for (int k = 1; k < NODES; k++)
        for (int j = NODES - 1; j >= k; j--)
            d[j] = (d[j] - d[j - 1]) / ((long double)t[j] - (long double)t[j - k]);
    memset(c, 0, NODES * sizeof *c);
    for (int k = NODES - 1; k >= 0; k--) {
        for (int j = NODES - 1; j >= 0; j--)
            c[j] = (j > 0 ? c[j - 1] : 0) - (long double)t[k] * c[j];
        c[0] += d[k];
    }
}

/* coefficients 0 to ORDER of the results along the curve */
static bool taylor(const bound *b, const curve *q, double c[ORDER + 1][COORDS], int *n)
{
    static double y[NODES][COORDS];
    double t[NODES], column[NODES];
    for (int j = 0; j < NODES; j++) {
        t[j] = curve_node(j);
        if (!value_at(b, q, t[j], y[j], n))
            return false;
    }
    for (int i = 0; i < *n; i++) {
        long double poly[NODES];
        for (int j = 0; j < NODES; j++)
            column[j] = y[j][i];
        interpolate(poly, t, column);
        for (int k = 0; k <= ORDER; k++)
            c[k][i] = (double)poly[k];
    }
    return true;
}

/* ---- derivatives ----------------------------------------------------------------- */

bool has_derivative(answer *a, const subject *s, bool given)
{
    const char *kind = s->info.kind;
    a->why = !strcmp(kind, "random")                 ? NO_DRAW
             : s->c.path                             ? NO_DIFFERENCE
             : !strcmp(kind, "discrete") || !s->diff ? NO_SLOPE
             : !given                                ? NO_RULE
                                                     : ASKED;
    return a->why == ASKED;
}

static void note_all(answer *a, const double *have, const double *want, int n)
{
    for (int i = 0; i < n; i++)
        note_error(a, (long double)have[i], (long double)want[i]);
}

static agn_status unpack_all(agn_tensor **out, const bound *b,
                             double c[MOST_ARGS][COORDS])
{
    agn_status st = AGN_OK;
    for (int v = 0; !st && v < b->n_var; v++)
        st = unpack(&out[v], c[v], b->x[b->var[v]]);
    return st;
}

static void measure_jvp(answer *a, bound *b)
{
    static curve q;
    static double want[ORDER + 1][COORDS];
    double have[COORDS];
    int n, outs = b->s->n_out;
    agn_tensor *in[2 * MOST_ARGS] = {NULL}, *out[2 * MOST_OUT] = {NULL};
    bool fine = start_curve(&q, b);
    wiggle(&q, b, 1);
    fine = fine && !unpack_all(in, b, q.c[0]) &&
           !unpack_all(in + b->n_var, b, q.c[1]) && taylor(b, &q, want, &n) &&
           !call_transformed(b, agn_fn_jvp, out, in) &&
           pack_all(have, &n, out + outs, outs);
    if (fine)
        note_all(a, have, want[1], n);
    else
        fail(a, "jvp");
    release_all(out, 2 * MOST_OUT);
    release_all(in, 2 * MOST_ARGS);
}

/* cotangents with coordinates, and results of the op to shape them */
static bool make_cotangents(agn_tensor **g, double *coords, const bound *b)
{
    agn_tensor *y[MOST_OUT] = {NULL};
    int n = 0;
    bool fine = !apply(y, b->s, b->dtype, borrow(b->x));
    for (int o = 0; fine && o < b->s->n_out; o++) {
        int count = (int)agn_numel(y[o]) * (is_complex(agn_dtype_of(y[o])) ? 2 : 1);
        for (int k = 0; k < count; k++)
            coords[n + k] = sin(1.7 * (n + k) + 0.4);
        fine = !unpack(&g[o], coords + n, y[o]);
        n += count;
    }
    release_all(y, MOST_OUT);
    return fine;
}

/* every column of the Jacobian, times the cotangent */
static bool pull_back(const bound *b, curve *q, const double *g,
                      double want[MOST_ARGS][COORDS])
{
    static double column[ORDER + 1][COORDS];
    for (int v = 0; v < b->n_var; v++)
        for (int j = 0; j < q->n[v]; j++) {
            int n;
            q->c[1][v][j] = 1;
            if (!taylor(b, q, column, &n))
                return false;
            q->c[1][v][j] = 0;
            want[v][j] = 0;
            for (int i = 0; i < n; i++)
                want[v][j] += g[i] * column[1][i];
        }
    return true;
}

static void measure_vjp(answer *a, bound *b)
{
    static curve q;
    static double g[COORDS], want[MOST_ARGS][COORDS];
    double have[COORDS];
    int n, outs = b->s->n_out;
    agn_tensor *in[MOST_ARGS + MOST_OUT] = {NULL}, *out[MOST_ARGS + MOST_OUT] = {NULL};
    bool fine = start_curve(&q, b) && !unpack_all(in, b, q.c[0]) &&
                make_cotangents(in + b->n_var, g, b) && pull_back(b, &q, g, want) &&
                !call_transformed(b, agn_fn_vjp, out, in);
    for (int v = 0; fine && v < b->n_var; v++) {
        fine = pack_all(have, &n, out + outs + v, 1);
        if (fine)
            note_all(a, have, want[v], n);
    }
    if (!fine)
        fail(a, "vjp");
    release_all(out, MOST_ARGS + MOST_OUT);
    release_all(in, MOST_ARGS + MOST_OUT);
}

static agn_status jet_of_order(agn_fn **out, const agn_fn *f)
{
    return agn_fn_jet(out, f, ORDER);
}

static void measure_jet(answer *a, bound *b)
{
    enum { K = ORDER + 1 };
    static curve q;
    static double want[K][COORDS];
    double have[COORDS];
    int n, outs = b->s->n_out, at = 0;
    agn_tensor *in[K * MOST_ARGS] = {NULL}, *out[K * MOST_OUT] = {NULL};
    bool fine = start_curve(&q, b);
    wiggle(&q, b, ORDER);
    for (int v = 0; fine && v < b->n_var; v++)
        for (int k = 0; fine && k < K; k++)
            fine = !unpack(&in[v * K + k], q.c[k][v], b->x[b->var[v]]);
    fine = fine && taylor(b, &q, want, &n) &&
           !call_transformed(b, jet_of_order, out, in);
    for (int o = 0; fine && o < outs; o++) {
        for (int k = 0; fine && k < K; k++) {
            fine = pack_all(have, &n, out + o * K + k, 1);
            if (fine)
                note_all(a, have, want[k] + at, n);
        }
        at += n;
    }
    if (!fine)
        fail(a, "jet");
    release_all(out, K * MOST_OUT);
    release_all(in, K * MOST_ARGS);
}

/* what is not given is refused by name, and no zero */
static bool refused(const subject *s, void (*measure)(answer *a, bound *b))
{
    bound b;
    answer a = {0};
    if (!bind(&b, s, false, 0))
        measure(&a, &b);
    unbind(&b);
    return a.failed && strstr(a.message, s->info.name) &&
           (strstr(a.message, "has no rule for") || strstr(a.message, "not given"));
}

static void differentiate(answer *a, const subject *s, bool given, double allowed,
                          void (*measure)(answer *a, bound *b))
{
    if (!has_derivative(a, s, given)) {
        if (a->why == NO_RULE && !refused(s, measure))
            fail(a, "a mode that is not given is not refused");
        return;
    }
    bound b;
    a->allowed = allowed;
    if (bind(&b, s, false, 0)) {
        fail(a, "arguments");
        return;
    }
    measure(a, &b);
    unbind(&b);
}

void ask_jvp(answer *a, const subject *s, int k)
{
    (void)k;
    differentiate(a, s, s->info.jvp, 1e-10, measure_jvp);
}

void ask_vjp(answer *a, const subject *s, int k)
{
    (void)k;
    differentiate(a, s, s->info.vjp, 1e-10, measure_vjp);
}

void ask_jet(answer *a, const subject *s, int k)
{
    (void)k;
    differentiate(a, s, s->info.jet, 1e-7, measure_jet);
}
