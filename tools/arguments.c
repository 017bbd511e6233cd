/* tools/arguments.c - what an op is called with: numbers of its test domain, in any
   dtype. */
#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- subjects -------------------------------------------------------------------- */

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
            if (c->run_dtypes)
                s->info.dtypes &= c->run_dtypes;
        }
        s->diff &= ~c->fixed;
        return true;
    }
    s->elementwise = find_oracle(&s->f, s->info.name);
    if (!s->elementwise || s->info.n_in < 1 || s->info.n_in > 3)
        return false;
    s->c = (op_case){.op = s->info.name,
                     .n_in = s->info.n_in,
                     .role = "DDD",
                     .in = {{2, {2, 3}}, {1, {3}}, {2, {2, 3}}},
                     .out = {2, {2, 3}},
                     .n_int = s->f.attribute != 0,
                     .ints = {s->f.attribute}};
    return true;
}

/* the dtype in which an op is differentiated, and the other questions are asked */
int main_dtype(const subject *s)
{
    static const int order[] = {AGN_F64, AGN_C128, AGN_F32, AGN_C64,
                                AGN_I64, AGN_I32,  AGN_BOOL};
    for (int i = 0; i < 7; i++)
        if (s->info.dtypes >> order[i] & 1)
            return order[i];
    return AGN_F64;
}

/* ---- numbers --------------------------------------------------------------------- */

void note_error(answer *a, wide have, wide want)
{
    long double scale = cabsl(want) > 1 ? cabsl(want) : 1;
    double e = (double)(cabsl(have - want) / scale);
    if (creall(have) == creall(want) &&
        cimagl(have) == cimagl(want)) /* also infinities */
        e = 0;
    if (!(e <= a->error))
        a->error = e == e ? e : HUGE_VAL;
}

/* a failure, unless this build leaves out the library that would answer */
void fail(answer *a, const char *what)
{
    if (strstr(agn_error_message(), "this library was built without")) {
        a->why = NO_LIBRARY;
        return;
    }
    a->failed = true;
    snprintf(a->message, sizeof a->message, "%s: %s", what, agn_error_message());
}

/* integers and reals alike; both are exact */
agn_status read_wide(wide *dst, const agn_tensor *x)
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

/* ---- arguments ------------------------------------------------------------------- */

static void domain(const subject *s, int i, double *lo, double *hi)
{
    *lo = s->info.lo;
    *hi = s->info.hi;
    if (s->elementwise && i < 3 && s->f.lo[i] < s->f.hi[i]) {
        *lo = s->f.lo[i];
        *hi = s->f.hi[i];
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

void release_all(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(x[i]);
}

agn_status make_arguments(agn_tensor **x, const subject *s, int dtype, int lane)
{
    agn_status st = AGN_OK;
    memset(x, 0, MOST_ARGS * sizeof *x);
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = make_argument(&x[i], s, i, dtype, lane);
    if (st)
        release_all(x, s->c.n_in);
    return st;
}

agn_status apply(agn_tensor **out, const subject *s, int dtype,
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

const agn_tensor *const *borrow(agn_tensor *const *x)
{
    return (const agn_tensor *const *)x;
}
