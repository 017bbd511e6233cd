/* tests/t-traps.c - defects that other libraries had, each by its number in tests/laws.rows, where
   no other program of the tests has a better place for it. */
#include "modes.h"

#include <agnesi/geometric.h>
#include <agnesi/nn.h>
#include <fenv.h>

#undef I /* of <complex.h> */

static agn_tensor *vector(int64_t n, const double *v)
{
    return of_reals(AGN_F64, 1, &n, v);
}
static agn_tensor *grad1(const agn_tensor *y, const agn_tensor *x, const agn_tensor *cotangent)
{
    agn_tensor *g = NULL;
    must(agn_gradient(&g, &y, 1, &x, 1, cotangent ? &cotangent : NULL));
    return g;
}

/* ---- contracts ----------------------------------------------------------------------------- */

static void test_contracts(void)
{
    tally t = {0};
    double v[3] = {0.5, -1.5, 2};
    enum { ORDERS = 4 };
    agn_tensor *level[ORDERS + 1] = {vector(3, v)}, *y = NULL;
    for (int k = 0; k < ORDERS; k++) /* the last is the innermost leaf */
        must(agn_watch(&level[k + 1], level[k]));
    must(agn_pow_c(&y, level[ORDERS], 4));
    for (int order = 1; order <= ORDERS; order++) {
        agn_tensor *s = NULL, *z = NULL;
        must(agn_sum_all(&s, y));
        agn_release(y);
        y = grad1(s, level[ORDERS + 1 - order], NULL);
        for (int i = 0; i < 3; i++) {
            double want = pow(v[i], 4 - order);
            for (int k = 0; k < order; k++)
                want *= 4 - k;
            check(&t, fabs(peek(y, i) - want) <= 1e-12 * fabs(want), "order %d of x^4 at %g", order,
                  v[i]);
        }
        must(agn_mul(&z, y, level[0])); /* and it is a tensor like any other */
        check(&t, agn_dtype_of(z) == AGN_F64 && has_shape(z, 1, (int64_t[]){3}), "g * x");
        agn_release(z), agn_release(s);
    }
    for (int k = 0; k <= ORDERS; k++)
        agn_release(level[k]);
    agn_release(y);
    tell(&t, "A4: a gradient is a tensor, to be fed to ops and differentiated");

    t = (tally){0};
    double d = 0;
    int64_t n = 0;
    for (int nd = 0; nd < 4; nd++) {
        agn_tensor *one = of_reals(AGN_F64, nd, (int64_t[]){1, 1, 1}, (double[]){7}),
                   *whole = of_reals(AGN_I64, nd, (int64_t[]){1, 1, 1}, (double[]){7});
        check(&t, !agn_item_f64(&d, one) && d == 7 && !agn_item_i64(&n, whole) && n == 7, "rank %d",
              nd);
        agn_release(one), agn_release(whole);
    }
    agn_tensor *two = vector(2, v);
    d = 3;
    check(&t, agn_item_f64(&d, two) == AGN_ESHAPE && strstr(agn_error_message(), "[2]") && d == 3,
          "two elements: %s", agn_error_message());
    agn_release(two);
    tell(&t, "A11: one element is a number, whatever the rank; two are not");
}

/* ---- broadcasting against arrays that hold every copy ------------------------------------------ */

typedef struct two_args {
    const char *op;
} two_args;

static agn_status apply_two(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, ((two_args *)user)->op, in, 2, NULL, 0, NULL, 0);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}
static agn_status summed(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    agn_status st = apply_two(user, s, in, out);
    if (!st)
        out[0] = ag_sum_all(s, ag_mul(s, out[0], in[2]));
    return st ? st : agn_scope_status(s);
}

/* x summed down to the shape of like */
static agn_tensor *summed_to(const agn_tensor *x, const agn_tensor *like)
{
    agn_tensor *y = agn_retain(x), *z = NULL;
    while (agn_ndim(y) > agn_ndim(like)) {
        must(agn_sum(&z, y, (int32_t[]){0}, 1, false));
        agn_release(y);
        y = z;
    }
    for (int k = 0; k < agn_ndim(like); k++)
        if (agn_shape(like)[k] == 1 && agn_shape(y)[k] != 1) {
            must(agn_sum(&z, y, (int32_t[]){k}, 1, true));
            agn_release(y);
            y = z;
        }
    return y;
}

static void test_broadcast(void)
{
    tally value = {0}, slope = {0};
    int ops = 0;
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, id));
        if (info.n_in != 2 || strcmp(info.kind, "element-wise") || !(info.dtypes >> AGN_F64 & 1))
            continue;
        ops++;
        two_args user = {info.name};
        agn_fn *f = NULL, *g = NULL;
        must(agn_fn_new(&f, summed, &user, NULL, 3, 1));
        must(agn_fn_grad(&g, f, (int32_t[]){0, 1}, 2));
        for (int rank = 1; rank <= 8; rank++)
            for (int side = 0; side < 2; side++) {
                int64_t full[8], a[8], b[8];
                for (int k = 0; k < rank; k++) {
                    full[k] = k % 3 == rank % 3 ? 3 : 2;
                    a[k] = k % 2 == side ? full[k] : 1;
                    b[k] = k % 2 == side ? (k % 4 < 2 ? 1 : full[k]) : full[k];
                }
                int skip = rank > 2 && !side; /* fewer axes on one side, too */
                double at = strcmp(info.name, "zeta") ? 0 : 1; /* whose order is above 1 */
                agn_tensor *x = random_of(AGN_F64, rank, a, at + 0.3, at + 0.9),
                           *y = random_of(AGN_F64, rank - skip, b + skip, 0.3, 0.9), *X = NULL,
                           *Y = NULL, *u = NULL, *v = NULL, *r = NULL;
                must(agn_op_apply(&r, 1, info.name, (const agn_tensor *[]){x, y}, 2, NULL, 0, NULL,
                                  0));
                must(agn_broadcast_to(&u, x, agn_ndim(r), agn_shape(r)));
                must(agn_broadcast_to(&v, y, agn_ndim(r), agn_shape(r)));
                must(agn_copy(&X, u));
                must(agn_copy(&Y, v));
                agn_release(u), agn_release(v);
                must(agn_op_apply(&u, 1, info.name, (const agn_tensor *[]){X, Y}, 2, NULL, 0, NULL,
                                  0));
                check(&value, same_values(r, u), "%s of %s and %s", info.name, SHAPE_TEXT(x),
                      SHAPE_TEXT(y));
                if (agn_dtype_of(r) == AGN_F64) {
                    agn_tensor *w = random_of(AGN_F64, agn_ndim(r), agn_shape(r), -1, 1),
                               *g1[2] = {NULL}, *g2[2] = {NULL};
                    must(agn_fn_call(g1, 2, g, AGN_ARGS(x, y, w)));
                    must(agn_fn_call(g2, 2, g, AGN_ARGS(X, Y, w)));
                    for (int k = 0; k < 2; k++) {
                        agn_tensor *want = summed_to(g2[k], k ? y : x);
                        check(&slope, modes_apart(g1[k], want) < 1e-13,
                              "gradient %d of %s of %s and %s", k, info.name, SHAPE_TEXT(x),
                              SHAPE_TEXT(y));
                        agn_release(want), agn_release(g1[k]), agn_release(g2[k]);
                    }
                    agn_release(w);
                }
                agn_release(r), agn_release(u), agn_release(x), agn_release(y), agn_release(X),
                    agn_release(Y);
            }
        agn_fn_release(f), agn_fn_release(g);
    }
    diag("%d ops of two arguments", ops);
    tell(&value, "D1 D8: values broadcast, to 8 axes, as if every copy were there");
    tell(&slope, "B10 D2: gradients of either argument, to 8 axes");
}

/* ---- numbers ------------------------------------------------------------------------------------ */

static void test_numbers(void)
{
    tally t = {0};
    static const int64_t one[1] = {3};
    static const struct {
        int dtype;
        int64_t v;
    } whole[] = {{AGN_I64, ((int64_t)1 << 53) + 1}, {AGN_I64, INT64_MIN}, {AGN_I64, INT64_MAX},
                 {AGN_U8, 255},  {AGN_I8, -128}, {AGN_I16, -32768}, {AGN_I32, INT32_MIN}};
    for (int k = 0; k < COUNT(whole); k++) {
        agn_tensor *x = NULL;
        must(agn_full_i64(&x, whole[k].dtype, 1, one, whole[k].v));
        check(&t, peek_int(x, 2) == whole[k].v, "%" PRId64 " as %s", whole[k].v,
              agn_dtype_name(whole[k].dtype));
        agn_release(x);
    }
    tell(&t, "D4: full of whole numbers is exact");
    t = (tally){0};
    static const double odd[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, -0.0};
    static const int floats[] = {AGN_F16, AGN_BF16, AGN_F32, AGN_F64, AGN_C64, AGN_C128};
    for (int k = 0; k < COUNT(odd); k++)
        for (int d = 0; d < COUNT(floats); d++) {
            agn_tensor *x = NULL;
            must(agn_full(&x, floats[d], 1, one, odd[k]));
            double got = peek(x, 1);
            check(&t, (got == odd[k] && signbit(got) == signbit(odd[k])) ||
                          (isnan(got) && isnan(odd[k])),
                  "%g as %s", odd[k], agn_dtype_name(floats[d]));
            agn_release(x);
        }
    tell(&t, "D6: full of infinities, NaN and -0");
    t = (tally){0};
    static const int ints[] = {AGN_BOOL, AGN_U8, AGN_I8, AGN_I16, AGN_I32, AGN_I64};
    for (int a = 0; a < COUNT(ints); a++)
        for (int b = 0; b < COUNT(ints); b++) {
            agn_tensor *x = scalar_of(ints[a], 1), *y = scalar_of(ints[b], ints[b] ? 2 : 1),
                       *q = NULL;
            agn_status st = agn_div(&q, x, y);
            check(&t, !st && agn_dtype_of(q) == AGN_F64 && peek(q, 0) == (ints[b] ? 0.5 : 1),
                  "%s / %s", agn_dtype_name(ints[a]), agn_dtype_name(ints[b]));
            agn_release(x), agn_release(y), agn_release(q);
        }
    agn_tensor *x = scalar_of(AGN_I64, 327), *y = scalar_of(AGN_I64, 80), *q = NULL;
    must(agn_div(&q, x, y));
    check(&t, peek(q, 0) == 4.0875, "327 / 80");
    agn_release(x), agn_release(y), agn_release(q);
    tell(&t, "A2 D7: / of integers is true division");
    t = (tally){0};
    static const double in[] = {-0.0, 0.0, (double)NAN, (double)INFINITY, -(double)INFINITY, -2, 3},
                        relu[] = {0, 0, (double)NAN, (double)INFINITY, 0, 0, 3};
    for (int k = 0; k < COUNT(in); k++) {
        x = scalar_of(AGN_F64, in[k]);
        must(agn_relu(&q, x));
        check(&t, peek(q, 0) == relu[k] || (isnan(relu[k]) && isnan(peek(q, 0))), "relu(%g)",
              in[k]);
        agn_release(x), agn_release(q);
    }
    tell(&t, "D17: relu at the ends");
    t = (tally){0};
    static const struct {
        const char *op;
        bool want;
    } compare[] = {{"eq", false}, {"ne", true}, {"lt", false}, {"le", false}, {"gt", false},
                   {"ge", false}};
    for (int k = 0; k < COUNT(compare); k++)
        for (int d = 0; d < COUNT(floats); d++)
            for (int side = 0; side < 3; side++) {
                if (k > 1 && floats[d] >= AGN_C64)
                    continue;
                x = scalar_of(floats[d], side == 1 ? 1 : (double)NAN);
                y = scalar_of(floats[d], side == 0 ? 1 : (double)NAN);
                must(agn_op_apply(&q, 1, compare[k].op, (const agn_tensor *[]){x, y}, 2, NULL, 0,
                                  NULL, 0));
                check(&t, (peek(q, 0) != 0) == compare[k].want, "%s of NaN in %s", compare[k].op,
                      agn_dtype_name(floats[d]));
                agn_release(x), agn_release(y), agn_release(q);
            }
    tell(&t, "D19: comparisons with NaN are false, but for !=");
}

/* ---- higher orders --------------------------------------------------------------------------------- */

static agn_status quotient(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_div(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status all_summed(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sum(s, ag_mul(s, in[0], ag_mul(s, in[0], in[0])), (int32_t[]){0}, 1, false);
    return AGN_OK;
}
static agn_status norm(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sqrt(s, ag_sum_all(s, ag_square(s, in[0])));
    return AGN_OK;
}
static agn_status turned(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *x = ag_permute(s, in[0], (int32_t[]){2, 0, 1}, 3);
    x = ag_slice(s, x, 3, (int64_t[]){AGN_BEGIN, 1, 0}, (int64_t[]){AGN_END, 3, 2},
                 (int64_t[]){-2, 1, 1});
    out[0] = ag_mul(s, ag_sin(s, x), ag_transpose(s, ag_transpose(s, x)));
    return AGN_OK;
}

/* X2-1: ops that stayed without second derivatives elsewhere, each within a power so that third ones
   are not zero; the places repeat */
static agn_status angle(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_atan2(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status across(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_pow_c(s, ag_cross(s, in[0], in[1], -1), 3);
    return AGN_OK;
}
static const int64_t places[] = {2, 0, 2};
static agn_status embedded(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *at = ag_from_host(s, AGN_I64, 1, (int64_t[]){3}, places);
    out[0] = ag_pow_c(s, ag_nn_embedding(s, at, in[0], -1), 3);
    return AGN_OK;
}
static agn_status scattered(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *at = ag_from_host(s, AGN_I64, 2, (int64_t[]){3, 1}, places);
    out[0] = ag_pow_c(s, ag_scatter_nd_add(s, in[0], at, in[1]), 3);
    return AGN_OK;
}

static void test_orders(void)
{
    static const struct {
        const char *name;
        agn_body *body;
        int n_in, rank;
    } f[] = {{"D9: x / y", quotient, 2, 1},
             {"D9: a sum", all_summed, 1, 2},
             {"D9: a norm", norm, 1, 1},
             {"B13: permuted and strided views", turned, 1, 3},
             {"X2-1: atan2", angle, 2, 1},
             {"X2-1: cross", across, 2, 1},
             {"X2-1: embedding", embedded, 1, 2},
             {"X2-1: scatter_nd_add", scattered, 2, 2}};
    for (int k = 0; k < COUNT(f); k++) {
        agn_fn *fn = NULL;
        must(agn_fn_new(&fn, f[k].body, NULL, NULL, f[k].n_in, 1));
        const agn_tensor *x[2] = {NULL};
        for (int i = 0; i < f[k].n_in; i++)
            x[i] = random_of(AGN_F64, f[k].rank, (int64_t[]){3, 4, 3}, 0.5, 1.5);
        in_every_mode(fn, f[k].n_in, x, 1e-2, 1e-7, f[k].name);
        for (int i = 0; i < f[k].n_in; i++)
            agn_release((agn_tensor *)(uintptr_t)x[i]);
        agn_fn_release(fn);
    }

    /* a cotangent of the user's at each order: <c, J w>, nested */
    tally t = {0};
    double v[3] = {0.4, 0.8, 1.2}, c[3] = {2, -1, 0.5};
    agn_tensor *level[4] = {vector(3, v)}, *w = vector(3, c), *y = NULL;
    for (int k = 0; k < 3; k++)
        must(agn_watch(&level[k + 1], level[k]));
    must(agn_sin(&y, level[3]));
    static const double sign[] = {1, -1, -1};
    for (int order = 1; order <= 3; order++) {
        agn_tensor *g = grad1(y, level[4 - order], w);
        for (int i = 0; i < 3; i++) {
            double want = pow(c[i], order) * sign[order - 1] * (order % 2 ? cos(v[i]) : sin(v[i]));
            check(&t, fabs(peek(g, i) - want) < 1e-14, "order %d, element %d", order, i);
        }
        agn_release(y);
        y = g;
    }
    for (int k = 0; k < 4; k++)
        agn_release(level[k]);
    agn_release(w), agn_release(y);
    tell(&t, "D11: the user's cotangent counts at orders 1 to 3");

    t = (tally){0};
    agn_tensor *x0 = random_of(AGN_F64, 2, (int64_t[]){3, 4}, -1, 1), *x = NULL;
    must(agn_watch(&x, x0));
    agn_tensor *whole[4] = {NULL};
    must(agn_argmax(&whole[0], x, 0, false));
    must(agn_argsort(&whole[1], x, 1, false));
    must(agn_cast(&whole[2], x, AGN_I64));
    must(agn_gt(&whole[3], x, x0));
    for (int k = 0; k < 4; k++) {
        check(&t, !agn_is_watched(whole[k]), "%s", agn_dtype_name(agn_dtype_of(whole[k])));
        agn_release(whole[k]);
    }
    agn_release(x), agn_release(x0);
    tell(&t, "B20: whole numbers and truth values carry no derivative");
}

/* ---- plans and bits --------------------------------------------------------------------------------- */

static agn_status program(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[0], in[1]));
    out[0] = ag_sum(s, ag_mul(s, h, ag_exp(s, ag_neg(s, h))), (int32_t[]){-1}, 1, true);
    return AGN_OK;
}

static void *poisoned_alloc(void *user, size_t bytes, size_t align)
{
    (void)user;
    void *p = aligned_alloc(align, (bytes + align - 1) / align * align);
    return p ? memset(p, 0xFF, bytes) : NULL; /* a NaN in every dtype */
}
static void poisoned_free(void *user, void *p, size_t bytes)
{
    (void)user;
    memset(p, 0xFF, bytes);
    free(p);
}

static void test_plans(void)
{
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_I64};
    static const agn_allocator poison = {.size = sizeof poison, .alloc = poisoned_alloc,
                                         .free = poisoned_free};
    tally key = {0}, reuse = {0};
    must(agn_allocator_set(&poison));
    agn_fn *f = NULL, *c = NULL;
    must(agn_fn_new(&f, program, NULL, NULL, 2, 1));
    must(agn_fn_compile(&c, f, NULL));
    for (int round = 0; round < 2; round++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int64_t n = 1; n < 300; n = 2 * n + 1)
                for (int l = 0; l < N_LAYOUTS; l++) {
                    agn_tensor *a0 = random_of(dtypes[d], 2, (int64_t[]){n, 5}, -2, 2),
                               *b0 = random_of(dtypes[d], 2, (int64_t[]){5, 3}, -2, 2),
                               *a = laid_out(a0, l), *b = laid_out(b0, (l + 1) % N_LAYOUTS),
                               *y = NULL, *z = NULL, *again = NULL;
                    const agn_tensor *in[2] = {a, b};
                    must(agn_fn_call(&y, 1, f, in, 2));
                    must(agn_fn_call(&z, 1, c, in, 2));
                    must(agn_fn_call(&again, 1, c, in, 2));
                    double eps = dtypes[d] == AGN_F32 ? 1e-5 : 1e-13;
                    check(&key, modes_apart(z, y) < eps, "%s, %" PRId64 " rows, %s",
                          agn_dtype_name(dtypes[d]), n, layout_names[l]);
                    check(&reuse, same_values(z, again), "twice, %s, %" PRId64 " rows",
                          agn_dtype_name(dtypes[d]), n);
                    agn_release(a0), agn_release(b0), agn_release(a), agn_release(b),
                        agn_release(y), agn_release(z), agn_release(again);
                }
    agn_fn_release(f), agn_fn_release(c);
    must(agn_allocator_set(NULL));
    tell(&key, "T9: one compiled function over dtypes, shapes and strides in turn");
    tell(&reuse, "T2 Q9: the same bits again, with memory that is poisoned when it is freed");
}

/* ---- empty arrays, no arguments, queries, devices ------------------------------------------------- */

typedef agn_status along_axis(agn_tensor **out, const agn_tensor *x, int32_t axis);

static void test_nothing(void)
{
    tally t = {0};
    static along_axis *const normal[] = {agn_nn_softmax, agn_nn_log_softmax};
    static const int64_t empty[3][2] = {{0, 3}, {3, 0}, {0, 0}};
    feclearexcept(FE_ALL_EXCEPT);
    for (int k = 0; k < 3; k++)
        for (int f = 0; f < COUNT(normal); f++)
            for (int axis = 0; axis < 2; axis++) {
                agn_tensor *x = random_of(AGN_F64, 2, empty[k], 0, 1), *y = NULL;
                check(&t, !normal[f](&y, x, axis) && same_shapes(x, y), "function %d of %s: %s", f,
                      SHAPE_TEXT(x), agn_error_message());
                agn_release(x), agn_release(y);
            }
    check(&t, !fetestexcept(FE_DIVBYZERO | FE_INVALID), "a floating-point exception was raised");
    tell(&t, "B5: softmax of nothing divides by nothing");

    t = (tally){0};
    agn_tensor *y = untouched;
    const agn_tensor *none[1] = {NULL};
    check(&t, refused(agn_concat(&y, none, 0, 0), AGN_EARG, "concat", "0", NULL, y), "concat");
    check(&t, refused(agn_stack(&y, none, 0, 0), AGN_EARG, "stack", "0", NULL, y), "stack");
    check(&t, refused(agn_add_n(&y, none, 0), AGN_EARG, "add_n", "0", NULL, y), "add_n");
    check(&t, refused(agn_concat(&y, none, 1, 0), AGN_ENULL, "concat", "NULL", NULL, y), "NULL");
    check(&t, refused(agn_concat(&y, NULL, 2, 0), AGN_ENULL, "concat", "NULL", NULL, y), "no list");
    tell(&t, "Q5: lists of nothing are refused");

    t = (tally){0};
    int cells = 0;
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, id));
        if (strcmp(info.kind, "element-wise") || info.n_in > 3 || strchr(agn_op_signature(id), ':'))
            continue;
        for (int d = 0; d < AGN_NDTYPES; d++) {
            if (!(info.dtypes >> d & 1))
                continue;
            agn_tensor *x[3], *z = NULL;
            for (int i = 0; i < info.n_in; i++)
                x[i] = random_of(d, 1, (int64_t[]){4}, fmax(info.lo, 0.3), fmin(info.hi, 0.9));
            agn_status st = agn_op_apply(&z, 1, info.name, (const agn_tensor *const *)x, info.n_in,
                                         NULL, 0, NULL, 0);
            check(&t, !st && (agn_dtype_of(z) == d || agn_dtype_of(z) == AGN_BOOL ||
                              kind_of(agn_dtype_of(z)) >= kind_of(AGN_F32)),
                  "%s of %s, which the table names: %s", info.name, agn_dtype_name(d),
                  agn_error_message());
            cells++;
            for (int i = 0; i < info.n_in; i++)
                agn_release(x[i]);
            agn_release(z);
        }
    }
    diag("%d pairs of op and dtype", cells);
    tell(&t, "P8: what the table says an op takes, it takes");
}

/* ---- a mean of many rows ---------------------------------------------------------------------------- */

static void test_many_rows(void)
{
    enum { ROWS = 1000000, SEGMENTS = 1000 };
    tally t = {0};
    for (int64_t cols = 1; cols <= 5; cols += 4) {
        int64_t n = ROWS / cols;
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){n, cols}, -1, 1), *src = NULL, *dst = NULL,
                   *y = NULL;
        int64_t *to = room_for((size_t)n * sizeof *to);
        double *want = calloc((size_t)(SEGMENTS * cols), sizeof *want);
        int64_t count[SEGMENTS] = {0};
        for (int64_t i = 0; i < n; i++) {
            to[i] = i * 7919 % (SEGMENTS - 1); /* the last segment stays empty */
            count[to[i]]++;
            for (int64_t c = 0; c < cols; c++)
                want[to[i] * cols + c] += peek(x, i * cols + c);
        }
        must(agn_arange(&src, AGN_I64, 0, (double)n, 1));
        must(agn_from_host(&dst, AGN_I64, 1, &n, to));
        must(agn_geometric_send_u_recv(&y, x, src, dst, SEGMENTS, AGN_GEOMETRIC_MEAN));
        for (int64_t i = 0; i < SEGMENTS * cols; i++) {
            double w = count[i / cols] ? want[i] / (double)count[i / cols] : 0;
            check(&t, fabs(peek(y, i) - w) < 1e-12, "segment %" PRId64, i / cols);
        }
        free(to), free(want);
        agn_release(x), agn_release(src), agn_release(dst), agn_release(y);
    }
    tell(&t, "F6 E13: means of 10^6 rows over unsorted segments, an empty one among them");
}

int main(void)
{
    test_contracts();
    test_nothing();
    test_many_rows();
    test_broadcast();
    test_numbers();
    test_orders();
    test_plans();
    return done();
}
