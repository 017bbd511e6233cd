/* tests/deriv.h - what the tests of derivatives share: numbers, functions from a C body, and
   directional derivatives by one mode, which nest.

   derivative(mode, f, n, v) of a scalar function f is the function x -> d/dt f(x + t v) at 0,
   by one of
     F  agn_fn_jvp              R  agn_fn_grad, then the product with v
     J  agn_fn_jet of order 1   V  agn_fn_vjp with a cotangent of its own
   so that a word over these letters is a nesting of transforms. */
#ifndef AGN_DERIV_H
#define AGN_DERIV_H

#include "tap.h"
#include <agnesi/agnesi.h>
#include <agnesi/autograd.h>

typedef const agn_tensor *T;
enum { ARGS = 4 };

#if defined(__GNUC__)
#define UNUSED __attribute__((unused))
#else
#define UNUSED
#endif

/* ---- numbers ------------------------------------------------------------------------- */

static uint64_t deriv_seed = 1;

UNUSED static uint64_t draw(void)
{
    uint64_t z = deriv_seed += 0x9E3779B97F4A7C15u; /* splitmix64 (Steele et al. 2014) */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
UNUSED static double between(double lo, double hi)
{
    return lo + (hi - lo) * (double)(draw() >> 11) * 0x1p-53;
}
UNUSED static int below(int n)
{
    return (int)(draw() % (uint64_t)n);
}

UNUSED static bool is_complex(T x)
{
    return agn_dtype_of(x) == AGN_C128 || agn_dtype_of(x) == AGN_C64;
}

/* the elements as doubles, pairs for complex ones; their number, -1 on failure */
UNUSED static int numbers(double *to, int room, T x)
{
    agn_tensor *y = NULL;
    if (!x || agn_numel(x) * 2 > room)
        return -1;
    if (agn_cast(&y, x, is_complex(x) ? AGN_C128 : AGN_F64))
        return -1;
    int n = (int)agn_numel(x) * (is_complex(x) ? 2 : 1);
    agn_status st = agn_to_host(to, y, (size_t)n * sizeof *to);
    agn_release(y);
    return st ? -1 : n;
}
UNUSED static double number(T x)
{
    double v = NAN;
    return x && !agn_item_f64(&v, x) ? v : (double)NAN;
}
UNUSED static agn_tensor *vector(int n, const double *v)
{
    agn_tensor *x = NULL;
    if (agn_from_host(&x, AGN_F64, 1, (int64_t[]){n}, v))
        bail_out("no vector: %s", agn_error_message());
    return x;
}
UNUSED static agn_tensor *scalar(double v)
{
    agn_tensor *x = NULL;
    if (agn_from_host(&x, AGN_F64, 0, NULL, &v))
        bail_out("no scalar: %s", agn_error_message());
    return x;
}

/* ---- functions ------------------------------------------------------------------------ */

/* any op by name, in a scope */
UNUSED static T apply(agn_scope *s, const char *op, int n, const T *in, int n_int,
                      const int64_t *ints)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_op_apply(&y, 1, op, in, n, ints, n_int, NULL, 0);
    return agn_scope_adopt(s, st, &y);
}

/* Re<a, b> */
UNUSED static T pairing(agn_scope *s, T a, T b)
{
    T p = ag_mul(s, ag_conj(s, a), b);
    return ag_sum_all(s, p && is_complex(p) ? ag_real(s, p) : p);
}

typedef struct nested {
    char mode;
    int n;
    agn_fn *g;
    agn_tensor *v[ARGS]; /* NULL: no derivative with respect to this argument */
} nested;

enum { COTANGENT_8 = 6 }; /* the cotangent of mode V in eighths */

static agn_status nested_body(void *user, agn_scope *s, const T *in, T *out)
{
    const nested *q = user;
    T a[2 * ARGS], y[2 * ARGS], sum = NULL;
    int n = q->n;
    switch (q->mode) {
    case 'F':
        for (int i = 0; i < n; i++) {
            a[i] = in[i];
            a[n + i] = q->v[i];
        }
        agn_fn_apply(s, y, agn_fn_n_out(q->g), q->g, a, agn_fn_n_in(q->g));
        sum = y[1];
        break;
    case 'J':
        for (int i = 0; i < n; i++) {
            a[2 * i] = in[i];
            a[2 * i + 1] = q->v[i];
        }
        agn_fn_apply(s, y, agn_fn_n_out(q->g), q->g, a, agn_fn_n_in(q->g));
        sum = y[1];
        break;
    case 'R':
    case 'V':
        for (int i = 0; i < n; i++)
            a[i] = in[i];
        a[n] = q->mode == 'V' ? ag_lit(s, COTANGENT_8 / 8.0) : NULL;
        agn_fn_apply(s, y, agn_fn_n_out(q->g), q->g, a, agn_fn_n_in(q->g));
        for (int i = 0; i < n && !agn_scope_status(s); i++) {
            T p = pairing(s, q->v[i], y[i + (q->mode == 'V')]);
            sum = i ? ag_add(s, sum, p) : p;
        }
        if (q->mode == 'V' && !agn_scope_status(s))
            sum = ag_mul_c(s, sum, 8.0 / COTANGENT_8);
        break;
    default:
        return AGN_EARG;
    }
    out[0] = agn_scope_status(s) ? NULL : sum;
    return agn_scope_status(s);
}
static void nested_drop(void *user)
{
    nested *q = user;
    agn_fn_release(q->g);
    for (int i = 0; i < ARGS; i++)
        agn_release(q->v[i]);
    free(q);
}

/* NULL on failure; f may be released, v borrowed */
UNUSED static agn_fn *derivative(char mode, const agn_fn *f, int n, const T *v)
{
    static const int32_t all[ARGS] = {0, 1, 2, 3};
    nested *q = calloc(1, sizeof *q);
    agn_fn *d = NULL;
    if (!q)
        bail_out("no memory");
    q->mode = mode;
    q->n = n;
    for (int i = 0; i < n; i++)
        q->v[i] = agn_retain(v[i]);
    agn_status st = mode == 'F'   ? agn_fn_jvp(&q->g, f)
                    : mode == 'J' ? agn_fn_jet(&q->g, f, 1)
                    : mode == 'V' ? agn_fn_vjp(&q->g, f)
                                  : agn_fn_grad(&q->g, f, all, n);
    if (!st)
        st = agn_fn_new(&d, nested_body, q, nested_drop, n, 1);
    if (st) {
        diag("%c: %s", mode, agn_error_message());
        nested_drop(q);
    }
    return d;
}

/* the nesting word[0] of word[1] of ... of f, the innermost in direction v[0] */
UNUSED static agn_fn *nesting(const char *word, const agn_fn *f, int n, const T (*v)[ARGS])
{
    agn_fn *g = agn_fn_retain(f);
    for (int k = (int)strlen(word) - 1, o = 0; g && k >= 0; k--, o++) {
        agn_fn *d = derivative(word[k], g, n, v[o]);
        agn_fn_release(g);
        g = d;
    }
    return g;
}

UNUSED static double value_of(const agn_fn *f, const T *in)
{
    agn_tensor *y = NULL;
    if (!f || agn_fn_call(&y, 1, f, in, agn_fn_n_in(f)))
        return NAN;
    double v = number(y);
    agn_release(y);
    return v;
}

#endif
