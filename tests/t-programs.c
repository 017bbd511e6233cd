/* tests/t-programs.c - programs as users write them that a plan once got wrong, each beside the same
   function made op by op. */
#include "nets.h"

typedef const agn_tensor *T;

/* ---- planned and made ---------------------------------------------------------------------- */

enum { MOST = 8 };

static bool close_to(T a, T b)
{
    agn_tensor *close = NULL;
    int64_t yes = 0;
    if (agn_ndim(a) != agn_ndim(b) || agn_numel(a) != agn_numel(b))
        return false;
    must(agn_allclose(&close, a, b, 1e-10, 1e-10, true));
    must(agn_item_i64(&yes, close));
    agn_release(close);
    return yes != 0;
}
static bool planned_as_made(const agn_fn *f, const T *in)
{
    agn_tensor *made[MOST] = {NULL}, *planned[MOST] = {NULL};
    agn_fn *plan = NULL;
    bool good = true;
    const int n = agn_fn_n_out(f);
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(made, agn_fn_n_out(f), f, in, agn_fn_n_in(f)));
    must(agn_fn_call(planned, agn_fn_n_out(plan), plan, in, agn_fn_n_in(plan)));
    for (int i = 0; i < n; i++) {
        bool close = close_to(planned[i], made[i]);
        if (!close)
            diag("result %d is off", i);
        good = good && close;
    }
    net_drop(made, n);
    net_drop(planned, n);
    agn_fn_release(plan);
    return good;
}

/* ---- rows of no elements -------------------------------------------------------------------- */

/* value, gradients and a product with the Hessian of the network of nets.h, whose sizes may be 0 */
static bool sized(int64_t n, int64_t d, int64_t h)
{
    static const int32_t weights[] = {1, 2, 3, 4};
    agn_tensor *t[NET_ARGS];
    agn_fn *f = NULL, *g = net_steps(), *hvp = NULL;
    t[0] = random_of(AGN_F64, 2, (int64_t[]){n, d}, -1, 1);
    t[1] = random_of(AGN_F64, 2, (int64_t[]){d, h}, -1, 1);
    t[2] = random_of(AGN_F64, 1, (int64_t[]){h}, -1, 1);
    t[3] = random_of(AGN_F64, 2, (int64_t[]){h, 2}, -1, 1);
    t[4] = random_of(AGN_F64, 1, (int64_t[]){2}, -1, 1);
    must(agn_fn_new(&f, net_loss, NULL, NULL, NET_ARGS, 1));
    must(agn_fn_hvp(&hvp, f, weights, 4));
    bool good = planned_as_made(g, (const T[]){t[0], t[1], t[2], t[3], t[4]}) &&
                planned_as_made(hvp, (const T[]){t[0], t[1], t[2], t[3], t[4], t[1], t[2], t[3],
                                                 t[4]});
    agn_fn_release(hvp);
    agn_fn_release(g);
    agn_fn_release(f);
    net_drop(t, NET_ARGS);
    return good;
}

/* the magnitude of a sum of no products is 0, whatever factor could stand before it */
static agn_status no_products(void *user, agn_scope *s, const T *in, T *out)
{
    T product = ag_mul(s, in[0], ag_mul(s, in[0], in[1]));
    (void)user;
    out[0] = ag_abs(s, ag_sum(s, product, (const int32_t[]){0}, 1, false));
    return agn_scope_status(s);
}
static bool sums_nothing(void)
{
    agn_tensor *in[2];
    agn_fn *f = NULL;
    in[0] = random_of(AGN_F64, 2, (int64_t[]){0, 3}, -1, 1);
    must(agn_full(&in[1], AGN_F64, 2, (int64_t[]){1, 3}, INFINITY));
    must(agn_fn_new(&f, no_products, NULL, NULL, 2, 1));
    bool good = planned_as_made(f, (const T *)in);
    agn_fn_release(f);
    net_drop(in, 2);
    return good;
}

/* ---- many columns of one product ------------------------------------------------------------- */

enum { COLUMNS = 240 };

/* z_0 z_1 + z_2 z_3 + ... of the columns z of a product: each is an operand of its own */
static agn_status columns(void *user, agn_scope *s, const T *in, T *out)
{
    T z = ag_tanh(s, ag_matmul(s, in[0], in[1])), y = NULL;
    (void)user;
    for (int k = 0; k < COLUMNS; k += 2) {
        T p = ag_mul(s, ag_index_axis(s, z, 1, k), ag_index_axis(s, z, 1, k + 1));
        y = y ? ag_add(s, y, p) : p;
    }
    out[0] = y;
    return agn_scope_status(s);
}
static bool many_columns(void)
{
    agn_tensor *t[2] = {random_of(AGN_F64, 2, (int64_t[]){100, 3}, -1, 1),
                        random_of(AGN_F64, 2, (int64_t[]){3, COLUMNS}, -1, 1)};
    agn_fn *f = NULL;
    must(agn_fn_new(&f, columns, NULL, NULL, 2, 1));
    bool good = planned_as_made(f, (const T[]){t[0], t[1]});
    agn_fn_release(f);
    net_drop(t, 2);
    return good;
}

/* ---- truths along an axis of none ------------------------------------------------------------ */

/* how many of x [0, 3] differ from a number, counted where both axes are one */
static agn_status count_of_none(void *user, agn_scope *s, const T *in, T *out)
{
    T differ = ag_cast(s, ag_ne(s, in[0], in[1]), AGN_F64);
    (void)user;
    out[0] = ag_sum(s, ag_reshape(s, differ, 1, (int64_t[]){0}), (int32_t[]){0}, 1, true);
    out[1] = ag_sum(s, ag_reshape(s, differ, 2, (int64_t[]){0, 7}), (int32_t[]){0}, 1, false);
    return agn_scope_status(s);
}
static bool counts_none(void)
{
    agn_tensor *t[2] = {random_of(AGN_F64, 2, (int64_t[]){0, 3}, -1, 1),
                        random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1)};
    agn_fn *f = NULL;
    must(agn_fn_new(&f, count_of_none, NULL, NULL, 2, 2));
    bool good = planned_as_made(f, (const T[]){t[0], t[1]});
    agn_fn_release(f);
    net_drop(t, 2);
    return good;
}

/* ---- zero times what has a finite range ------------------------------------------------------- */

/* 0 tanh(0 / 0) and 0 sign(log -1) are NaN, and so is what is made of them */
static agn_status bounded_of_none(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_exp(s, ag_mul_c(s, ag_tanh(s, ag_div(s, in[0], in[1])), 0));
    out[1] = ag_add_c(s, ag_mul_c(s, ag_sign(s, ag_log(s, in[0])), 0), 3);
    return agn_scope_status(s);
}
static bool keeps_no_numbers(void)
{
    int64_t n = 4;
    agn_tensor *t[2] = {NULL};
    agn_fn *f = NULL;
    must(agn_from_host(&t[0], AGN_F64, 1, &n, (double[]){0, -1, 2, 0.5}));
    must(agn_from_host(&t[1], AGN_F64, 1, &n, (double[]){0, 1, 0, 2}));
    must(agn_fn_new(&f, bounded_of_none, NULL, NULL, 2, 2));
    bool good = planned_as_made(f, (const T[]){t[0], t[1]});
    agn_fn_release(f);
    net_drop(t, 2);
    return good;
}

/* ---- zeros with a sign ------------------------------------------------------------------------ */

/* relu(-0) is -0, sign(-0) is 0 */
static agn_status poles_at_zero(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_reciprocal(s, ag_relu(s, in[0]));
    out[1] = ag_reciprocal(s, ag_sign(s, in[0]));
    return agn_scope_status(s);
}
static bool keeps_signs(int dtype, int64_t n)
{
    agn_tensor *wide = NULL, *x = NULL;
    agn_fn *f = NULL;
    void *at = NULL;
    must(agn_linspace(&wide, AGN_F64, -2, 2, n));
    must(agn_data_mut(&at, wide));
    for (int64_t i = 0; i < n; i += 3)
        ((double *)at)[i] = i % 2 ? -0.0 : 0.0;
    must(agn_cast(&x, wide, dtype));
    must(agn_fn_new(&f, poles_at_zero, NULL, NULL, 1, 2));
    bool good = planned_as_made(f, (const T[]){x});
    agn_fn_release(f);
    agn_release(x);
    agn_release(wide);
    return good;
}

int main(void)
{
    static const int64_t sizes[][3] = {{0, 3, 5},  {33, 0, 5},  {33, 3, 0}, {33, 0, 0},
                                       {129, 1, 0}, {129, 0, 1}, {0, 0, 0},  {129, 3, 5}};
    for (int k = 0; k < COUNT(sizes); k++)
        ok(sized(sizes[k][0], sizes[k][1], sizes[k][2]), "%d rows, %d inputs, %d units",
           (int)sizes[k][0], (int)sizes[k][1], (int)sizes[k][2]);
    ok(sums_nothing(), "sums of no products with infinity");
    ok(many_columns(), "the columns of one product, one by one");
    ok(counts_none(), "truths of no rows, counted along merged axes");
    ok(keeps_no_numbers(), "zero times a finite range of a NaN");
    for (int k = 0; k < 4; k++)
        ok(keeps_signs(k % 2 ? AGN_F32 : AGN_F64, k < 2 ? 5 : 1001), "relu and sign of zeros, %s",
           k < 2 ? "a few" : "many");
    return done();
}
