/* tools/measure.c - the questions of the op table, each answered by a measured error.

   eval   against an independent formula, on numbers of the op's test domain
   jvp, vjp, jet   against the op itself along a curve x(t): the polynomial through its values
          at the 13 Chebyshev points of [-R, R] has the Taylor coefficients to about eps / R^k
   vmap   three lanes at once against one after the other
   cpu    operands that lie backwards and with gaps in memory against contiguous ones
   cuda   the device against the host                                                        */
#include "verify.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OUT = 4, COORDS = 2 * MOST_ELEMENTS, ORDER = 3, LANES = 3, NODES = 13 };
static const double R = 0.04;

static bool is_complex(int dtype)
{
    return dtype == AGN_C64 || dtype == AGN_C128;
}

static bool is_integer(int dtype)
{
    return dtype <= AGN_I64;
}

/* ---- subjects -------------------------------------------------------------------------------- */

/* an op that takes more than tensors and numbers */
static reason beyond_reach(const subject *s)
{
    return !strcmp(s->info.kind, "control") ? NO_TENSOR
           : s->c.pattern                   ? NO_PATTERN
                                            : ASKED;
}

bool subject_of(subject *s, int32_t id)
{
    *s = (subject){.info.size = sizeof s->info};
    if (agn_op_describe(&s->info, id))
        return false;
    s->n_out = s->info.n_out;
    s->diff = s->info.diff;
    const op_case *c = case_of(s->info.name);
    if (c) {
        s->c = *c;
        if (c->run) {
            s->n_out = 1;
            s->diff = c->run_diff;
        }
        return true;
    }
    if (beyond_reach(s))
        return true;
    s->f = formula_of(s->info.name);
    if (!s->f || s->info.n_in < 1 || s->info.n_in > 2)
        return false;
    s->c = (op_case){.op = s->info.name,
                     .n_in = s->info.n_in,
                     .role = "DD",
                     .in = {{2, {2, 3}}, {1, {3}}},
                     .out = {2, {2, 3}},
                     .n_int = s->f->attribute != 0,
                     .ints = {s->f->attribute}};
    return true;
}

/* the dtype in which an op is differentiated, and the other questions are asked */
static int main_dtype(const subject *s)
{
    static const int order[] = {AGN_F64, AGN_C128, AGN_F32, AGN_C64,
                                AGN_I64, AGN_I32,  AGN_BOOL};
    for (int i = 0; i < 7; i++)
        if (s->info.dtypes >> order[i] & 1)
            return order[i];
    return AGN_F64;
}

/* ---- numbers ------------------------------------------------------------------------------------ */

static void note_error(answer *a, wide have, wide want)
{
    long double scale = cabsl(want) > 1 ? cabsl(want) : 1;
    double e = (double)(cabsl(have - want) / scale);
    if (creall(have) == creall(want) &&
        cimagl(have) == cimagl(want)) /* also infinities */
        e = 0;
    if (!(e <= a->error))
        a->error = e == e ? e : HUGE_VAL;
}

static void fail(answer *a, const char *what)
{
    a->failed = true;
    snprintf(a->message, sizeof a->message, "%s: %s", what, agn_error_message());
}

/* integers and reals alike; both are exact */
static agn_status read_wide(wide *dst, const agn_tensor *x)
{
    bool integer = is_integer(agn_dtype_of(x));
    union {
        int64_t i[LANES * MOST_ELEMENTS];
        double z[2 * LANES * MOST_ELEMENTS];
    } v;
    agn_tensor *c = NULL;
    int64_t n = agn_numel(x);
    agn_status st = agn_cast(&c, x, integer ? AGN_I64 : AGN_C128);
    if (!st)
        st = agn_to_host(&v, c, (size_t)n * (integer ? 8 : 16));
    agn_release(c);
    for (int64_t k = 0; !st && k < n; k++) {
        if (integer)
            dst[k] = (long double)v.i[k];
        else /* not a sum: infinity times i has a NaN */
            memcpy(
                &dst[k],
                (long double[]){(long double)v.z[2 * k], (long double)v.z[2 * k + 1]},
                sizeof *dst);
    }
    return st;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

static void domain(const subject *s, int i, double *lo, double *hi)
{
    *lo = s->info.lo;
    *hi = s->info.hi;
    if (s->f && i < 2 && s->f->lo[i] < s->f->hi[i]) {
        *lo = s->f->lo[i];
        *hi = s->f->hi[i];
    }
    if (!(*lo < *hi)) {
        *lo = -3;
        *hi = 3;
    }
}

/* Element k of an argument: no two equal, none near an end of the domain or near 0. */
static double value(const subject *s, int i, int64_t k, int lane)
{
    double lo, hi, golden = 0.61803398874989485;
    domain(s, i, &lo, &hi);
    double u = 0.37 + golden * (double)(k + 1) + 0.29 * i + 0.17 * lane;
    double x = lo + (hi - lo) * (0.15 + 0.7 * (u - floor(u)));
    if (lo < 0 && hi > 0 && fabs(x) < 0.25 * (hi < 1 ? hi : 1))
        x += copysign(0.3 * (hi < 1 ? hi : 1), x);
    return x;
}

static int64_t whole_value(const subject *s, int i, int64_t k, int lane)
{
    double lo, hi;
    domain(s, i, &lo, &hi);
    int64_t low = (int64_t)ceil(lo), high = (int64_t)floor(hi);
    if (i > 0 && low < 0) /* an integer power */
        low = 0;
    if (high < low)
        high = low;
    return low + (5 * k + 2 * i + lane) % (high - low + 1);
}

static agn_status make_data(agn_tensor **out, const subject *s, int i, int dtype,
                            int lane)
{
    const shape *h = &s->c.in[i];
    int64_t n = shape_count(h), whole[MOST_ELEMENTS];
    double z[2 * MOST_ELEMENTS];
    for (int64_t k = 0; k < n; k++) {
        if (is_integer(dtype))
            whole[k] = dtype == AGN_BOOL ? (k + i + lane) % 2
                                         : whole_value(s, i, k, lane);
        z[2 * k] = value(s, i, k, lane);
        z[2 * k + 1] = is_complex(dtype)
                           ? 0.8 * sin((double)(3 * k + 5 * i + 7 * lane + 1))
                           : 0;
    }
    agn_tensor *x = NULL;
    agn_status st;
    if (is_integer(dtype))
        st = agn_from_host(&x, AGN_I64, h->ndim, h->size, whole);
    else
        st = agn_from_host(&x, AGN_C128, h->ndim, h->size, z);
    if (!st)
        st = agn_cast(out, x, dtype);
    agn_release(x);
    return st;
}

static agn_status make_argument(agn_tensor **out, const subject *s, int i, int dtype,
                                int lane)
{
    const shape *h = &s->c.in[i];
    int64_t key[2] = {1748 + lane, 3}, number = 20 + lane;
    switch (s->c.role[i]) {
    case 'I':
        return agn_from_host(out, AGN_I64, h->ndim, h->size, s->c.index);
    case 'K':
        return agn_from_host(out, AGN_I64, h->ndim, h->size, key);
    case 'N':
        return agn_from_host(out, AGN_I64, h->ndim, h->size, &number);
    default:
        return make_data(out, s, i, s->c.role[i] == 'B' ? AGN_BOOL : dtype, lane);
    }
}

static void release_all(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(x[i]);
}

static agn_status make_arguments(agn_tensor **x, const subject *s, int dtype, int lane)
{
    agn_status st = AGN_OK;
    memset(x, 0, MOST_ARGS * sizeof *x);
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = make_argument(&x[i], s, i, dtype, lane);
    if (st)
        release_all(x, s->c.n_in);
    return st;
}

static agn_status apply(agn_tensor **out, const subject *s, int dtype,
                        const agn_tensor *const *in)
{
    if (s->c.run)
        return s->c.run(out, &s->c, dtype, in);
    int64_t ints[MOST_INTS];
    memcpy(ints, s->c.ints, sizeof ints);
    if (s->c.dtype_first)
        ints[0] = dtype;
    return agn_op_apply(out, s->n_out, s->info.name, in, s->c.n_in, ints, s->c.n_int,
                        s->c.reals, s->c.n_real);
}

static const agn_tensor *const *borrow(agn_tensor *const *x)
{
    return (const agn_tensor *const *)x;
}

/* ---- eval ------------------------------------------------------------------------------------------------- */

static bool has_shape(const agn_tensor *y, const shape *h)
{
    return agn_ndim(y) == h->ndim &&
           !memcmp(agn_shape(y), h->size, (size_t)h->ndim * sizeof *h->size);
}

static void expect(const subject *s, int dtype, wide *const *x, wide *y)
{
    if (!s->f) {
        s->c.want(&s->c, dtype, x, y);
        return;
    }
    for (int64_t k = 0; k < shape_count(&s->c.out); k++) {
        wide a = x[0][k], b = s->c.n_in > 1 ? x[1][k % s->c.in[1].size[0]] : 0;
        y[k] = s->f->real && !is_complex(dtype) ? s->f->real(creall(a), creall(b))
                                                : s->f->cplx(a, b);
    }
}

static void check_eval(answer *a, const subject *s, int dtype, agn_tensor *const *x,
                       const agn_tensor *y)
{
    static wide values[MOST_ARGS + 2][LANES * MOST_ELEMENTS];
    wide *in[MOST_ARGS], *have = values[MOST_ARGS], *want = values[MOST_ARGS + 1];
    agn_status st = read_wide(have, y);
    for (int i = 0; i < MOST_ARGS; i++) {
        in[i] = values[i];
        if (!st && i < s->c.n_in)
            st = read_wide(in[i], x[i]);
    }
    if (st) {
        fail(a, "reading");
        return;
    }
    expect(s, dtype, in, want);
    for (int64_t k = 0; k < agn_numel(y); k++)
        note_error(a, have[k], agn_dtype_of(y) == AGN_BOOL ? want[k] != 0 : want[k]);
}

void ask_eval(answer *a, const subject *s, int dtype)
{
    static const double allowed[AGN_NDTYPES] = {
        [AGN_F32] = 1e-6, [AGN_F64] = 4e-15, [AGN_C64] = 2e-6, [AGN_C128] = 4e-15};
    if (beyond_reach(s) || !(s->info.dtypes >> dtype & 1)) {
        a->why = beyond_reach(s) ? beyond_reach(s) : NO_DTYPE;
        return;
    }
    if (s->f && (is_complex(dtype) || !s->f->real) && !s->f->cplx) {
        a->why = NO_FORMULA;
        return;
    }
    a->allowed = allowed[dtype] * (s->f && s->f->slack > 0 ? s->f->slack : 1);
    agn_tensor *x[MOST_ARGS], *y[MOST_OUT] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    if (apply(y, s, dtype, borrow(x)))
        fail(a, "eval");
    else if (!has_shape(y[0], &s->c.out)) {
        a->failed = true;
        snprintf(a->message, sizeof a->message, "eval: the result has another shape");
    } else
        check_eval(a, s, dtype, x, y[0]);
    release_all(y, MOST_OUT);
    release_all(x, s->c.n_in);
}

/* ---- a function of the arguments that have a derivative ---------------------------------------------------- */

typedef struct bound {
    const subject *s;
    int dtype, n_var;
    int var[MOST_ARGS];
    agn_tensor *x[MOST_ARGS];
} bound;

static agn_status bind(bound *b, const subject *s, bool all, int lane)
{
    *b = (bound){.s = s, .dtype = main_dtype(s)};
    for (int i = 0; i < s->c.n_in; i++)
        if (all || (s->diff >> i & 1))
            b->var[b->n_var++] = i;
    return make_arguments(b->x, s, b->dtype, lane);
}

static void unbind(bound *b)
{
    release_all(b->x, b->s->c.n_in);
}

/* x[] with the variable ones replaced */
static void substitute(const bound *b, const agn_tensor *const *in,
                       const agn_tensor **x)
{
    for (int i = 0; i < b->s->c.n_in; i++)
        x[i] = b->x[i];
    for (int v = 0; v < b->n_var; v++)
        x[b->var[v]] = in[v];
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const bound *b = user;
    const agn_tensor *x[MOST_ARGS];
    agn_tensor *y[MOST_OUT] = {NULL};
    substitute(b, in, x);
    agn_status st = apply(y, b->s, b->dtype, x);
    for (int o = 0; o < b->s->n_out; o++)
        out[o] = agn_scope_adopt(s, st, y[o]);
    return agn_scope_status(s);
}

typedef agn_status transform(agn_fn **out, const agn_fn *f);

/* a transform of the op, called */
static agn_status call_transformed(bound *b, transform *t, agn_tensor **out,
                                   agn_tensor *const *in)
{
    agn_fn *f = NULL, *g = NULL;
    agn_status st = agn_fn_new(&f, body, b, NULL, b->n_var, b->s->n_out);
    if (!st)
        st = t(&g, f);
    if (!st)
        st = agn_fn_call(g, out, borrow(in));
    agn_fn_release(g);
    agn_fn_release(f);
    return st;
}

static agn_status jet_of_order(agn_fn **out, const agn_fn *f)
{
    return agn_fn_jet(out, f, ORDER);
}

static agn_status vmap_all(agn_fn **out, const agn_fn *f)
{
    return agn_fn_vmap(out, f, NULL, NULL);
}

/* ---- real coordinates: a complex number has two -------------------------------------------------------------- */

static int pack(double *dst, const agn_tensor *x)
{
    double z[2 * LANES * MOST_ELEMENTS];
    agn_tensor *c = NULL;
    int n = (int)agn_numel(x), step = is_complex(agn_dtype_of(x)) ? 2 : 1;
    if (agn_cast(&c, x, AGN_C128) || agn_to_host(z, c, (size_t)n * 16))
        n = -1;
    agn_release(c);
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
static void interpolate(long double *c, const double *t, const double *y)
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
        t[j] = R * cos(3.14159265358979323846 * (j + 0.5) / NODES);
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

/* ---- derivatives ------------------------------------------------------------------------------------------------ */

static bool has_derivative(answer *a, const subject *s, bool given)
{
    const char *kind = s->info.kind;
    a->why = !strcmp(kind, "random")                 ? NO_DRAW
             : beyond_reach(s)                       ? beyond_reach(s)
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

static void differentiate(answer *a, const subject *s, bool given, double allowed,
                          void (*measure)(answer *a, bound *b))
{
    if (!has_derivative(a, s, given))
        return;
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

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

/* the arguments number i of all lanes along a new first axis */
static agn_status stack(agn_tensor **out, const bound *lanes, int i)
{
    char data[LANES * MOST_ELEMENTS * 16];
    const agn_tensor *x = lanes[0].x[i];
    size_t bytes = (size_t)agn_numel(x) * agn_dtype_size(agn_dtype_of(x));
    int64_t size[MOST_AXES + 1] = {LANES};
    agn_status st = AGN_OK;
    for (int d = 0; d < agn_ndim(x); d++)
        size[d + 1] = agn_shape(x)[d];
    for (int l = 0; !st && l < LANES; l++)
        st = agn_to_host(data + (size_t)l * bytes, lanes[l].x[i], bytes);
    return st ? st : agn_from_host(out, agn_dtype_of(x), agn_ndim(x) + 1, size, data);
}

static bool compare_lanes(answer *a, const bound *lanes, const agn_tensor *y)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    int64_t n = agn_numel(y) / LANES;
    bool fine = !read_wide(have, y);
    for (int l = 0; fine && l < LANES; l++) {
        agn_tensor *one[MOST_OUT] = {NULL};
        fine = !apply(one, lanes[l].s, lanes[l].dtype, borrow(lanes[l].x)) &&
               agn_numel(one[0]) == n && !read_wide(want, one[0]);
        for (int64_t k = 0; fine && k < n; k++)
            note_error(a, have[l * n + k], want[k]);
        release_all(one, MOST_OUT);
    }
    return fine;
}

void ask_vmap(answer *a, const subject *s, int k)
{
    (void)k;
    if (beyond_reach(s) || !s->info.vmap) {
        a->why = beyond_reach(s) ? beyond_reach(s) : NO_RULE;
        return;
    }
    a->allowed = 1e-14;
    bound lanes[LANES] = {{.s = s}, {.s = s}, {.s = s}};
    agn_tensor *in[MOST_ARGS] = {NULL}, *out[MOST_OUT] = {NULL};
    bool fine = true;
    for (int l = 0; l < LANES; l++)
        fine = fine && !bind(&lanes[l], s, true, l);
    for (int i = 0; fine && i < s->c.n_in; i++)
        fine = !stack(&in[i], lanes, i);
    fine = fine && !call_transformed(&lanes[0], vmap_all, out, in) &&
           compare_lanes(a, lanes, out[0]);
    if (!fine)
        fail(a, "vmap");
    for (int l = 0; l < LANES; l++)
        unbind(&lanes[l]);
    release_all(out, MOST_OUT);
    release_all(in, MOST_ARGS);
}

/* ---- other memory ---------------------------------------------------------------------------------------------------- */

/* the op on other arguments gives the same */
static void compare_with(answer *a, const subject *s, int dtype, agn_tensor *const *x,
                         agn_tensor *const *other)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    agn_tensor *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
    if (apply(y, s, dtype, borrow(x)) || apply(z, s, dtype, borrow(other)) ||
        read_wide(want, y[0]) || read_wide(have, z[0]) ||
        agn_numel(y[0]) != agn_numel(z[0]))
        fail(a, "other memory");
    for (int64_t k = 0; !a->failed && k < agn_numel(y[0]); k++)
        note_error(a, have[k], want[k]);
    release_all(z, MOST_OUT);
    release_all(y, MOST_OUT);
}

/* the elements backwards, with gaps of one element between them that hold nonsense */
static agn_status backwards(agn_tensor **out, const agn_tensor *x, char *memory)
{
    char data[MOST_ELEMENTS * 16];
    size_t size = agn_dtype_size(agn_dtype_of(x)), n = (size_t)agn_numel(x);
    int64_t stride[MOST_AXES], step = -2;
    agn_status st = agn_to_host(data, x, n * size);
    if (st)
        return st;
    memset(memory, 1, 2 * n * size);
    for (size_t k = 0; k < n; k++)
        memcpy(memory + 2 * (n - 1 - k) * size, data + k * size, size);
    for (int d = agn_ndim(x) - 1; d >= 0; d--) {
        stride[d] = step;
        step *= agn_shape(x)[d];
    }
    return agn_wrap_host(out, agn_dtype_of(x), agn_ndim(x), agn_shape(x), stride,
                         memory + 2 * (n - 1) * size, true, NULL, NULL);
}

void ask_cpu(answer *a, const subject *s, int k)
{
    (void)k;
    if (beyond_reach(s) || !s->info.cpu) {
        a->why = beyond_reach(s) ? beyond_reach(s) : NO_KERNEL;
        return;
    }
    static _Alignas(16) char memory[MOST_ARGS][2 * MOST_ELEMENTS * 16];
    int dtype = main_dtype(s);
    a->allowed = 1e-15;
    agn_tensor *x[MOST_ARGS], *other[MOST_ARGS] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = backwards(&other[i], x[i], memory[i]);
    if (st)
        fail(a, "arguments");
    else
        compare_with(a, s, dtype, x, other);
    release_all(other, MOST_ARGS);
    release_all(x, s->c.n_in);
}

static void on_device(answer *a, const subject *s, int32_t device)
{
    int dtype = main_dtype(s);
    a->allowed = 1e-14;
    agn_tensor *x[MOST_ARGS], *other[MOST_ARGS] = {NULL}, *y[MOST_OUT] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = agn_to_device(&other[i], x[i], device);
    if (!st)
        st = apply(y, s, dtype, borrow(other));
    if (st == AGN_EUNSUPPORTED)
        a->why = NO_KERNEL;
    else if (st)
        fail(a, "device");
    else
        compare_with(a, s, dtype, x, other);
    release_all(y, MOST_OUT);
    release_all(other, MOST_ARGS);
    release_all(x, s->c.n_in);
}

void ask_cuda(answer *a, const subject *s, int k)
{
    (void)k;
    int32_t device = -1;
    if (beyond_reach(s))
        a->why = beyond_reach(s);
    else if (agn_backend_status("cuda", NULL) < 1 || agn_device_find(&device, "cuda"))
        a->why = NO_DEVICE;
    else
        on_device(a, s, device);
}
