/* tests/t-narrow.c - narrow dtypes are for storage: every op and every function that takes
   their wide dtype takes them, gives what the wide dtype gives, rounded once, and does so
   compiled and mapped over lanes (laws E12, P5). */
#include "laws.h"

#include <agnesi/ag.h>

typedef const agn_tensor *T;

static const agn_dtype narrow[] = {AGN_U8, AGN_I8, AGN_I16, AGN_F16, AGN_BF16};
static agn_dtype wide_of(agn_dtype d)
{
    return d == AGN_F16 || d == AGN_BF16 ? AGN_F32 : AGN_I32;
}

/* ---- a subject: results of one tensor, or of several alike -------------------------------- */

enum { MOST = 3, SIDE = 3 };

typedef struct subject {
    const char *name;
    T (*f)(agn_scope *s, T x); /* of one tensor, or NULL */
    const char *op;            /* by name, where f is NULL */
    char role[MOST + 1];       /* D data, I index, B bool */
    int n_in, n_int, n_real;
    int64_t ints[8];
    double reals[2];
} subject;

static agn_status run(void *user, agn_scope *s, const T *in, T *out)
{
    const subject *q = user;
    if (q->f) {
        out[0] = q->f(s, in[0]);
        return agn_scope_status(s);
    }
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, q->op, in, q->n_in, q->n_int ? q->ints : NULL,
                                 q->n_int, q->n_real ? q->reals : NULL, q->n_real);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

static agn_tensor *cast(const agn_tensor *x, agn_dtype d)
{
    agn_tensor *y = NULL;
    must(agn_cast(&y, x, d));
    return y;
}

/* numbers of dtype d within the domain, [2, SIDE, SIDE] with a strong diagonal; of a negative one, rows that
   ascend by so much from place to place: eigenvalues that no rounding makes equal */
static agn_tensor *data(agn_dtype d, double lo, double hi, double diagonal)
{
    double v[2 * SIDE * SIDE];
    bool whole = d != AGN_F16 && d != AGN_BF16;
    if (d == AGN_U8 && lo < 0)
        lo = 0;
    for (int i = 0; i < COUNT(v); i++) {
        v[i] = rnd_in(lo, hi);
        v[i] = whole ? ceil(lo) + floor(fabs(v[i] - lo)) : v[i];
        if (diagonal < 0)
            v[i] -= diagonal * (i % SIDE);
        else if (i % (SIDE * SIDE) % (SIDE + 1) == 0)
            v[i] += diagonal;
    }
    agn_tensor *x = of_reals(AGN_F64, 3, (const int64_t[]){2, SIDE, SIDE}, v),
               *y = cast(x, d);
    agn_release(x);
    return y;
}

static bool equal_numbers(const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *u = cast(a, AGN_C128), *v = cast(b, AGN_C128);
    bool same = same_values(u, v);
    agn_release(u), agn_release(v);
    return same;
}

/* but for the sign of a zero, which plans do not keep (graph/passes/rules/simplify.c) */
static bool equal_but_zeros(const agn_tensor *a, const agn_tensor *b)
{
    agn_scope *s = agn_scope_open(NULL);
    bool logical = agn_dtype_of(a) == AGN_BOOL;
    T u = logical ? a : ag_add_c(s, a, 0), v = logical ? b : ag_add_c(s, b, 0);
    bool same = u && v && same_values(u, v);
    return !agn_scope_close(s) && same;
}

/* x[lane] */
static agn_tensor *lane_of(const agn_tensor *x, int lane)
{
    agn_tensor *y = NULL;
    must(agn_index_axis(&y, x, 0, lane));
    return y;
}

static agn_tensor *lane_result(const subject *q, agn_tensor *const *in, int lane,
                               agn_fn *f)
{
    agn_tensor *a[MOST], *y = NULL;
    for (int i = 0; i < q->n_in; i++)
        a[i] = lane_of(in[i], lane);
    agn_status st = agn_fn_call(&y, 1, f, (const T *)a, agn_fn_n_in(f));
    for (int i = 0; i < q->n_in; i++)
        agn_release(a[i]);
    return st ? NULL : y;
}

/* true: the wide dtype is taken */
static bool sweep(tally *t, const subject *q, agn_dtype d, double lo, double hi,
                  double diagonal)
{
    agn_tensor *in[MOST] = {NULL}, *wide[MOST], *many = NULL;
    agn_fn *f = NULL, *plan = NULL, *lanes = NULL;
    must(agn_fn_new(&f, run, (void *)(uintptr_t)q, NULL, q->n_in, 1));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_vmap(&lanes, f, NULL, 0, NULL, 0));
    for (int i = 0; i < q->n_in; i++) {
        in[i] = q->role[i] == 'D' ? data(d, lo, hi, diagonal)
                                  : data(AGN_U8, 0, 1.5, 0); /* 0 and 1 */
        if (q->role[i] != 'D') {
            agn_tensor *z = cast(in[i], q->role[i] == 'B' ? AGN_BOOL : AGN_I64);
            agn_release(in[i]);
            in[i] = z;
        }
        wide[i] = q->role[i] == 'D' ? cast(in[i], wide_of(d)) : agn_retain(in[i]);
    }
    bool taken = false;
    if (agn_fn_call(&many, 1, lanes, (const T *)in, agn_fn_n_in(lanes)))
        many = NULL;
    for (int lane = 0; lane < 2; lane++) {
        agn_tensor *w = lane_result(q, wide, lane, f), *y = lane_result(q, in, lane, f);
        agn_tensor *z = y ? lane_result(q, in, lane, plan) : NULL;
        agn_tensor *z2 = y ? lane_result(q, in, lane, plan) : NULL;
        if (!w) {
            agn_release(y), agn_release(z), agn_release(z2);
            continue;
        }
        taken = true;
        check(t, y != NULL, "%s of %s: %s", q->name, agn_dtype_name(d),
              agn_error_message());
        if (y) {
            bool rounds = agn_dtype_of(w) == wide_of(d) && agn_dtype_of(y) == d;
            agn_tensor *want = rounds ? cast(w, d) : agn_retain(w),
                       *m = many ? lane_of(many, lane) : NULL;
            check(t, rounds || agn_dtype_of(y) == agn_dtype_of(w),
                  "%s of %s is %s, of %s %s", q->name, agn_dtype_name(d),
                  agn_dtype_name(agn_dtype_of(y)), agn_dtype_name(wide_of(d)),
                  agn_dtype_name(agn_dtype_of(w)));
            check(t, equal_numbers(y, want), "%s of %s is not the wide one rounded",
                  q->name, agn_dtype_name(d));
            check(t, z && z2 && equal_but_zeros(z, y) && equal_but_zeros(z2, y),
                  "%s of %s, compiled: %s", q->name, agn_dtype_name(d),
                  z ? "another value" : agn_error_message());
            check(t, m && same_values(m, y), "%s of %s, mapped: %s", q->name,
                  agn_dtype_name(d), m ? "another value" : agn_error_message());
            agn_release(want), agn_release(m);
        }
        agn_release(w), agn_release(y), agn_release(z), agn_release(z2);
    }
    agn_release(many);
    for (int i = 0; i < q->n_in; i++)
        agn_release(in[i]), agn_release(wide[i]);
    agn_fn_release(f), agn_fn_release(plan), agn_fn_release(lanes);
    return taken;
}

/* ---- the table of ops, by what each says it takes ------------------------------------------ */

/* roles and plain attributes from a signature; false: the op takes what a test has not */
static bool described(subject *q, int32_t id)
{
    static const char *const odd[] = {":o", "*", "key", "pivots", "factor", "("};
    const char *text = agn_op_signature(id);
    agn_op_info info = {.size = sizeof info};
    must(agn_op_describe(&info, id));
    for (int k = 0; k < COUNT(odd); k++)
        if (strstr(text, odd[k]) && strcmp(info.name, "concat") &&
            strcmp(info.name, "sum"))
            return false;
    *q = (subject){.name = info.name, .op = info.name};
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " ");
        const char *kind = memchr(p, ':', n);
        if (kind && kind[1] == 'r')
            q->reals[q->n_real++] = 1;
        else if (kind)
            q->ints[q->n_int++] = kind[1] == 'a'   ? -1
                                  : kind[1] == 'd' ? AGN_F64
                                                   : !strncmp(p, "sign", 4);
        else
            q->role[q->n_in++] = !strncmp(p, "idx", 3)    ? 'I'
                                 : !strncmp(p, "cond", 4) ? 'B'
                                                          : 'D';
        p += n + (p[n] == ' ');
    }
    if (!strcmp(info.name, "fft_c2r"))
        q->ints[1] = 2 * SIDE - 1;
    return q->n_in <= MOST && info.n_out == 1;
}

static void ops(void)
{
    for (int32_t id = 0; id < agn_op_count(); id++) {
        tally t = {0};
        subject q;
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, id));
        if (!described(&q, id))
            continue;
        rnd_stream("narrow", q.name);
        bool taken = false, matrix = !strncmp(q.name, "linalg", 6);
        for (int k = 0; k < COUNT(narrow); k++)
            taken |= sweep(&t, &q, narrow[k], matrix ? 0 : info.lo, matrix ? 1.2 : info.hi,
                           !strncmp(q.name, "linalg_tie", 10) ? -3 : matrix ? 4 : 0);
        if (taken)
            tell(&t, "%s of narrow dtypes: alone, compiled, mapped", q.name);
    }
}

/* ---- public functions that are more than one op ---------------------------------------------- */

static const int32_t last[] = {-1};
#define OF(name, expression)             \
    static T f_##name(agn_scope *s, T x) \
    {                                    \
        return expression;               \
    }
OF(sum, ag_sum(s, x, last, 1, false))
OF(sum_all, ag_sum_all(s, x))
OF(mean, ag_mean(s, x, last, 1, false))
OF(mean_all, ag_mean_all(s, x))
OF(prod, ag_prod(s, x, last, 1, false))
OF(max, ag_max(s, x, last, 1, true))
OF(min, ag_min(s, x, last, 1, false))
OF(logsumexp, ag_logsumexp(s, x, last, 1, false))
OF(argmin, ag_argmin(s, x, -1, false))
OF(sort, ag_sort(s, x, -1, true))
OF(argsort, ag_argsort(s, x, 0, false))
OF(matmul, ag_matmul(s, x, x))
OF(einsum, ag_einsum(s, "ij,kj,jk->i", ((T[]){x, x, x}), 3))
OF(trace, ag_einsum(s, "ii->", &x, 1))
OF(flip, ag_flip(s, x, last, 1))
OF(stack, ag_stack(s, ((T[]){x, x}), 2, 0))
OF(concat, ag_concat(s, ((T[]){x, x}), 2, 1))
OF(transpose, ag_transpose(s, x))
OF(index, ag_index_str(s, x, "::-1, 1:"))
OF(put, ag_index_put_str(s, x, "1", ag_index_axis(s, x, 0, 2)))
OF(add_at, ag_index_add_str(s, x, "[0, 0, 2]", x))
OF(take, ag_take_along_axis(s, x, ag_argsort(s, x, -1, false), -1))
OF(clamp, ag_minimum(s, ag_maximum_c(s, x, 1), ag_lit(s, 2)))
OF(half, ag_mul_c(s, x, 0.5))

static void functions(void)
{
#define F(name)                                    \
    {                                              \
#name, f_##name, NULL, "D", 1, 0, 0, {0 }, \
        {                                          \
            0                                      \
        }                                          \
    }
    static const subject all[] = {
        F(sum),    F(sum_all),   F(mean),   F(mean_all), F(prod),    F(max),
        F(min),    F(logsumexp), F(argmin), F(sort),     F(argsort), F(matmul),
        F(einsum), F(trace),     F(flip),   F(stack),    F(concat),  F(transpose),
        F(index),  F(put),       F(add_at), F(take),     F(clamp),   F(half)};
    for (int i = 0; i < COUNT(all); i++) {
        tally t = {0};
        bool taken = true;
        for (int k = 0; k < COUNT(narrow); k++)
            taken &= sweep(&t, &all[i], narrow[k], -3, 3, 0);
        check(&t, taken, "%s takes no wide dtype", all[i].name);
        tell(&t, "%s() of narrow dtypes: alone, compiled, mapped", all[i].name);
    }
}

int main(void)
{
    functions();
    ops();
    return done();
}
