/* t-join - values that a plan makes where a concat wants them: the same bits as without a plan,
   with tiles and without, for operands that occur twice, are results, are joined again, are
   small, or come from elsewhere. */
#include "laws.h"

typedef const agn_tensor *T;
enum { N = 1500, IN = 3, OUT = 3 };

static T joined(agn_scope *s, T a, T b, T c, int32_t axis)
{
    return ag_concat(s, (T[]){a, b, c}, 3, axis);
}

/* x, y [N], z [2, N] */
static void results(int which, agn_scope *s, T x, T y, T z, T *out)
{
    T a = ag_mul(s, ag_sin(s, x), y), b = ag_add_c(s, ag_mul(s, a, x), 1),
      c = ag_sub(s, b, a);
    T flat = ag_reshape(s, ag_mul(s, z, z), 1, (int64_t[]){2 * N}),
      two = ag_full_like(s, x, 2);
    T few = ag_slice(s, b, 1, (int64_t[]){3}, (int64_t[]){9}, NULL), all;
    out[1] = ag_sum_all(s, c);
    out[2] = ag_add(s, x, y);
    switch (which) {
    case 0:
        out[0] = joined(s, a, b, c, 0);
        break;
    case 1:
        out[0] = joined(s, a, b, a, 0);
        break; /* twice */
    case 2:    /* an operand that is a result, and one that is an argument */
        out[0] = joined(s, a, x, b, 0);
        out[1] = a;
        break;
    case 3:
        out[0] = joined(s, a, joined(s, b, few, c, 0), two, 0);
        break;
    case 4: /* joined twice */
        out[0] = joined(s, a, b, few, 0);
        out[1] = joined(s, b, c, a, 0);
        break;
    case 5:
        out[0] = joined(s, flat, a, flat, 0);
        break;
    case 6: /* read behind the concat, and beside it */
        all = joined(s, a, b, c, 0);
        out[0] = ag_mul(s, all, joined(s, c, a, b, 0));
        out[1] = ag_add(s, a, ag_flip(s, b, (int32_t[]){0}, 1));
        break;
    case 7: /* rows, and along the last axis */
        a = ag_reshape(s, a, 2, (int64_t[]){1, N});
        out[0] = joined(s, a, z, ag_reshape(s, c, 2, (int64_t[]){1, N}), 0);
        out[1] = joined(s, a, ag_reshape(s, c, 2, (int64_t[]){1, N}), a, 1);
        break;
    case 8: /* another dtype, nothing, a sum */
        out[0] = joined(s, a, ag_cast(s, b, AGN_F32),
                        ag_reshape(s, out[1], 1, (int64_t[]){1}), 0);
        out[1] = joined(s, ag_slice(s, c, 1, (int64_t[]){5}, (int64_t[]){5}, NULL), c,
                        b, 0);
        break;
    default: /* what was joined is cut again */
        all = joined(s, a, b, c, 0);
        out[0] = ag_exp(s,
                        ag_slice(s, all, 1, (int64_t[]){100}, (int64_t[]){4000}, NULL));
        out[1] = ag_matmul(s, ag_reshape(s, all, 2, (int64_t[]){3, N}),
                           ag_reshape(s, c, 2, (int64_t[]){N, 1}));
    }
}
enum { PROGRAMS = 10 };

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, T *out)
{
    results(*(const int *)user, s, in[0], in[1], in[2], out);
    return agn_scope_status(s);
}

static bool same_bits(T a, T b)
{
    return agn_dtype_of(a) == agn_dtype_of(b) && same_shapes(a, b) &&
           !memcmp(agn_data(a), agn_data(b),
                   (size_t)agn_numel(a) * agn_dtype_size(agn_dtype_of(a)));
}

/* another grouping of the same sums: the last bits may differ */
static bool close_to(T a, T b)
{
    bool good = agn_dtype_of(a) == agn_dtype_of(b) && same_shapes(a, b);
    for (int64_t k = 0; good && k < agn_numel(a); k++)
        good = fabs(peek(a, k) - peek(b, k)) <= 1e-12 * (1 + fabs(peek(b, k)));
    return good;
}

int main(void)
{
    tally q = {0, 0};
    const int64_t n[1] = {N}, m[2] = {2, N};
    for (int which = 0; which < PROGRAMS; which++)
        for (int mode = 0; mode < 4; mode++) {
            agn_compile_options o = {
                .size = sizeof o, .no_tiles = mode & 1, .no_simplify = mode & 2};
            agn_fn *f = NULL, *g = NULL;
            must(agn_fn_new(&f, body, &which, NULL, IN, OUT));
            must(agn_fn_compile(&g, f, &o));
            for (int again = 0; again < 3; again++) {
                agn_tensor *in[IN] = {random_of(AGN_F64, 1, n, -1, 1),
                                      random_of(AGN_F64, 1, n, -1, 1),
                                      random_of(AGN_F64, 2, m, -1, 1)};
                agn_tensor *have[OUT] = {NULL}, *once[OUT] = {NULL},
                           *want[OUT] = {NULL};
                must(agn_fn_call(want, OUT, f, (const agn_tensor *const *)in, IN));
                must(agn_fn_call(have, OUT, g, (const agn_tensor *const *)in, IN));
                must(agn_fn_call(once, OUT, g, (const agn_tensor *const *)in, IN));
                for (int k = 0; k < OUT; k++) {
                    check(&q, close_to(have[k], want[k]),
                          "program %d, mode %d, result %d", which, mode, k);
                    check(&q, same_bits(have[k], once[k]),
                          "program %d, mode %d, result %d: other bits in a second call",
                          which, mode, k);
                    agn_release(have[k]);
                    agn_release(once[k]);
                    agn_release(want[k]);
                }
                for (int k = 0; k < IN; k++)
                    agn_release(in[k]);
            }
            agn_fn_release(g);
            agn_fn_release(f);
        }
    tell(&q, "%d programs that join values, by plans of four kinds", PROGRAMS);
    return done();
}
