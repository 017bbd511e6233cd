/* t-scalar-loops - steps of a plan on small arrays are loops over known addresses: they give the bits of the kernels,
   whatever the sizes, the shapes that meet, zeros of either sign, infinities and NaN. */
#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

#include "tests/tap.h"

#define must(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

typedef const agn_tensor *T;
enum { OPS = 14 };
static const char *const word[OPS] = {"add", "sub", "mul", "div", "neg", "square", "reciprocal", "where",
                                      "lt", "truth", "sum", "sum of products", "pow", "ge"};

typedef struct program {
    int op;
} program;

/* in: x, y of any shapes that broadcast */
static agn_status body(void *user, agn_scope *s, T const *in, T *out)
{
    const program *p = user;
    T x = in[0], y = in[1];
    T less = p->op == 7 || p->op == 9 ? ag_lt(s, x, y) : NULL;
    switch (p->op) {
    case 0: out[0] = ag_add(s, x, y); break;
    case 1: out[0] = ag_sub(s, x, y); break;
    case 2: out[0] = ag_mul(s, x, y); break;
    case 3: out[0] = ag_div(s, x, y); break;
    case 4: out[0] = ag_neg(s, x); break;
    case 5: out[0] = ag_square(s, x); break;
    case 6: out[0] = ag_reciprocal(s, x); break;
    case 7: out[0] = ag_where(s, less, x, y); break;
    case 8: out[0] = ag_lt(s, x, y); break;
    case 9:
        out[0] = ag_logical_or(s, ag_logical_not(s, less), ag_logical_and(s, less, ag_lt(s, y, x)));
        break;
    case 10: out[0] = ag_sum_all(s, x); break;
    case 11: out[0] = ag_sum_all(s, ag_mul(s, x, y)); break;
    case 12: out[0] = ag_pow(s, x, y); break; /* these have no loop of their own: that of the table */
    default: out[0] = ag_ge(s, x, y); break;
    }
    return agn_scope_status(s);
}

static agn_tensor *numbers(agn_dtype dtype, int ndim, const int64_t *shape, bool wild, unsigned seed)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_zeros(&x, AGN_F64, ndim, shape));
    void *at = NULL;
    must(agn_data_mut(&at, x));
    double *v = at;
    static const double odd[] = {-0.0, 0.0, INFINITY, -INFINITY, NAN, 1e-310, 1e300, -1e300};
    for (int64_t i = 0; i < agn_numel(x); i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = wild && seed >> 28 < 6 ? odd[seed >> 20 & 7] : ((double)(seed >> 8) * 0x1p-24 - 0.5) * 7;
    }
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    return y;
}

/* NaN is NaN, whatever its bits */
static bool same(T a, T b)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_cast(&x, a, AGN_F64));
    must(agn_cast(&y, b, AGN_F64));
    bool so = agn_numel(x) == agn_numel(y) && agn_dtype_of(a) == agn_dtype_of(b);
    const double *p = agn_data(x), *q = agn_data(y);
    for (int64_t i = 0; so && i < agn_numel(x); i++)
        so = (isnan(p[i]) && isnan(q[i])) || !memcmp(p + i, q + i, sizeof *p);
    agn_release(x);
    agn_release(y);
    return so;
}

static const struct {
    int na, nb;
    int64_t a[3], b[3];
} shapes[] = {{0, 0, {0}, {0}},       {1, 1, {1}, {1}},       {1, 1, {3}, {3}},       {1, 0, {8}, {0}},
              {0, 1, {0}, {8}},       {1, 1, {8}, {8}},       {1, 1, {7}, {1}},       {2, 1, {3, 5}, {5}},
              {2, 2, {3, 5}, {3, 1}}, {2, 2, {1, 5}, {4, 1}}, {1, 1, {31}, {31}},     {1, 1, {33}, {33}},
              {1, 1, {64}, {64}},     {1, 1, {65}, {65}},     {3, 3, {2, 3, 4}, {2, 1, 4}}};

int main(void)
{
    for (int op = 0; op < OPS; op++) {
        int wrong = 0, done = 0;
        program p = {op};
        agn_fn *f = NULL, *g = NULL;
        must(agn_fn_new(&f, body, &p, NULL, 2, 1));
        must(agn_fn_compile(&g, f, NULL));
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
            for (int round = 0; round < 12; round++) {
                agn_dtype dtype = round % 2 ? AGN_F32 : AGN_F64;
                agn_tensor *in[2] = {numbers(dtype, shapes[k].na, shapes[k].a, round % 3 > 0, 7u * (unsigned)round + 1),
                                     numbers(dtype, shapes[k].nb, shapes[k].b, round % 3 > 0, 9u * (unsigned)round + 5)};
                agn_tensor *y = NULL, *z = NULL;
                must(agn_fn_call(&y, 1, f, (T const *)in, 2));
                must(agn_fn_call(&z, 1, g, (T const *)in, 2));
                wrong += !same(y, z);
                done++;
                agn_release(in[0]);
                agn_release(in[1]);
                agn_release(y);
                agn_release(z);
            }
        is_int(wrong, 0, "%s: %d plans give the kernels' bits", word[op], done);
        agn_fn_release(f);
        agn_fn_release(g);
    }
    /* every length of a sum, zeros of the other sign alone too */
    program p = {10};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, body, &p, NULL, 2, 1));
    must(agn_fn_compile(&g, f, NULL));
    int wrong = 0;
    for (int64_t n = 1; n <= 70; n++)
        for (int kind = 0; kind < 3; kind++) {
            agn_tensor *x = numbers(kind == 2 ? AGN_F32 : AGN_F64, 1, &n, false, (unsigned)n), *y = NULL, *z = NULL;
            void *at = NULL;
            must(agn_data_mut(&at, x));
            for (int64_t i = 0; kind == 0 && i < n; i++)
                ((double *)at)[i] = -0.0;
            must(agn_fn_call(&y, 1, f, (T const[]){x, x}, 2));
            must(agn_fn_call(&z, 1, g, (T const[]){x, x}, 2));
            wrong += !same(y, z);
            agn_release(x);
            agn_release(y);
            agn_release(z);
        }
    is_int(wrong, 0, "sums of 1 to 70 numbers");
    agn_fn_release(f);
    agn_fn_release(g);
    return done();
}
