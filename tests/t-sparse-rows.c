/* t-sparse-rows - tables of which few rows are used: gradients that name the rows, in every mode; what
   adds up; Adam moves these rows alone; the memory of a step does not grow with the table. */
#include "modes.h"

#include <agnesi/optim.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

static agn_tensor *numbers(int ndim, const int64_t *shape, const int64_t *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, ndim, shape, v));
    return x;
}
static bool equal(T a, T b)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_layout_of(a) == AGN_DENSE ? agn_copy(&x, a) : agn_sparse_to_dense(&x, a));
    must(agn_layout_of(b) == AGN_DENSE ? agn_copy(&y, b) : agn_sparse_to_dense(&y, b));
    bool same = modes_apart(x, y) < 1e-15;
    agn_release(x);
    agn_release(y);
    return same;
}

/* ---- gradients -------------------------------------------------------------------------------- */

enum { ROWS, GATHER, TWICE, MIXED, COMPUTED, LINEAR };
typedef struct use {
    T idx, other;
    int how;
} use;
static agn_status loss(void *user, agn_scope *s, T const *in, T *out)
{
    const use *u = user;
    T w = u->how == COMPUTED ? ag_sin(s, in[0]) : in[0];
    T y = u->how == GATHER ? ag_gather(s, w, u->idx, 0) : ag_sparse_embedding(s, w, u->idx);
    T z = u->how == LINEAR ? ag_sum_all(s, y) : ag_sum_all(s, ag_sin(s, ag_square(s, y)));
    if (u->how == TWICE)
        z = ag_add(s, z, ag_sum_all(s, ag_exp(s, ag_sparse_embedding(s, w, u->other))));
    if (u->how == MIXED)
        z = ag_add(s, z, ag_sum_all(s, ag_exp(s, ag_gather(s, w, u->other, 0))));
    out[0] = z;
    return agn_scope_status(s);
}

static agn_tensor *gradient_of(use u, T w)
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *y = NULL;
    must(agn_fn_new(&f, loss, &u, NULL, 1, 1));
    must(agn_fn_grad(&g, f, NULL, 0));
    must(agn_fn_call(&y, 1, g, &w, 1));
    agn_fn_release(f);
    agn_fn_release(g);
    return y;
}

static void test_gradients(void)
{
    agn_tensor *w = random_of(AGN_F64, 3, (int64_t[]){7, 3, 2}, -1, 1);
    agn_tensor *idx = numbers(2, (int64_t[]){2, 2}, (int64_t[]){5, -1, 5, 0});
    agn_tensor *other = numbers(1, (int64_t[]){2}, (int64_t[]){0, 3});
    use u = {idx, other, ROWS};
    agn_tensor *g = gradient_of(u, w), *d = gradient_of((use){idx, other, GATHER}, w);
    ok(agn_layout_of(g) == AGN_COO && agn_sparse_nnz(g) == 4 && agn_sparse_dim(g) == 1 &&
           agn_sparse_dense_dim(g) == 2 && agn_layout_of(d) == AGN_DENSE && equal(g, d),
       "one entry for each number; the sum is that of gather");
    agn_release(g);
    agn_release(d);
    g = gradient_of((use){idx, other, TWICE}, w);
    d = gradient_of((use){idx, other, MIXED}, w);
    ok(agn_layout_of(g) == AGN_COO && agn_layout_of(d) == AGN_DENSE && equal(g, d),
       "two uses add up sparsely; beside a dense one it is dense");
    agn_release(g);
    agn_release(d);
    g = gradient_of((use){idx, other, COMPUTED}, w);
    ok(agn_layout_of(g) == AGN_DENSE, "of a table that was computed it is dense");
    agn_release(g);

    agn_fn *f = NULL, *c = NULL, *v = NULL, *h = NULL;
    agn_tensor *y[2] = {NULL, NULL}, *t = modes_random_like(w);
    u.how = COMPUTED; /* so that gradients are dense, as the comparisons need them */
    must(agn_fn_new(&f, loss, &u, NULL, 1, 1));
    in_every_mode(f, 1, (T const *)&w, 1e-2, 1e-8, "rows by number");
    agn_fn_release(f);
    f = NULL;
    u.how = TWICE;
    must(agn_fn_new(&f, loss, &u, NULL, 1, 1));
    must(agn_fn_value_and_grad(&v, f, NULL, 0));
    must(agn_fn_compile(&c, v, NULL));
    must(agn_fn_call(y, 2, c, (T const *)&w, 1));
    g = gradient_of(u, w);
    ok(agn_layout_of(y[1]) == AGN_DENSE && equal(y[1], g), "in a plan it is dense, and the same");
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(g);
    must(agn_fn_hvp(&h, f, NULL, 0));
    g = d = NULL;
    must(agn_fn_call(&g, 1, h, AGN_ARGS(w, t)));
    agn_fn *q = NULL, *k = NULL;
    use dense = {idx, other, MIXED};
    must(agn_fn_new(&q, loss, &dense, NULL, 1, 1));
    must(agn_fn_hvp(&k, q, NULL, 0));
    must(agn_fn_call(&d, 1, k, AGN_ARGS(w, t)));
    ok(equal(g, d), "second derivatives");
    agn_fn_release(f);
    agn_fn_release(c);
    agn_fn_release(v);
    agn_fn_release(h);
    agn_fn_release(q);
    agn_fn_release(k);
    agn_release(g);
    agn_release(d);
    agn_release(t);
    agn_release(idx);
    agn_release(other);
    agn_release(w);
}

static void test_tape(void)
{
    agn_tensor *w = random_of(AGN_F32, 2, (int64_t[]){50, 3}, -1, 1), *leaf = NULL, *y = NULL, *g = NULL;
    agn_tensor *idx = numbers(1, (int64_t[]){3}, (int64_t[]){4, 40, 4});
    agn_grads *sum = NULL;
    agn_scope *s = agn_scope_open(NULL);
    must(agn_watch(&leaf, w));
    agn_scope_return(s, &y, ag_sum_all(s, ag_square(s, ag_sparse_embedding(s, leaf, idx))));
    must(agn_scope_close(s));
    must(agn_grads_new(&sum));
    must(agn_backward(sum, y, NULL));
    must(agn_backward(sum, y, NULL));
    must(agn_grads_get(&g, sum, leaf));
    agn_tensor *d = gradient_of((use){idx, NULL, LINEAR}, w);
    ok(agn_layout_of(g) == AGN_COO && agn_sparse_nnz(g) == 2 && agn_dtype_of(g) == AGN_F32,
       "on a tape, added up: the rows that there are");
    ok(agn_layout_of(d) == AGN_COO && agn_sparse_nnz(d) == 3, "of a linear function, too");
    agn_grads_release(sum);
    agn_release(w);
    agn_release(leaf);
    agn_release(y);
    agn_release(g);
    agn_release(d);
    agn_release(idx);
}

/* ---- Adam --------------------------------------------------------------------------------------- */

enum { TABLE = 12, WIDE = 3 };
static agn_status training(void *user, agn_scope *s, T const *in, T *out)
{
    const bool *dense = user; /* table, slope, numbers */
    T y = *dense ? ag_gather(s, in[0], in[2], 0) : ag_sparse_embedding(s, in[0], in[2]);
    out[0] = ag_sum_all(s, ag_square(s, ag_sub_c(s, ag_mul(s, y, in[1]), 0.25)));
    return agn_scope_status(s);
}

static agn_fn *objective(bool *dense)
{
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, training, dense, NULL, 3, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
    agn_fn_release(f);
    return g;
}

static void test_adam(int dtype)
{
    bool no = false, yes = true;
    agn_fn *rows = objective(&no), *dense = objective(&yes);
    agn_tensor *w = random_of(dtype, 2, (int64_t[]){TABLE, WIDE}, -1, 1);
    agn_tensor *b = random_of(dtype, 1, (int64_t[]){WIDE}, 0.5, 1);
    agn_tensor *all[TABLE] = {NULL}, *some = numbers(1, (int64_t[]){3}, (int64_t[]){7, 2, 7});
    int64_t every[TABLE];
    for (int i = 0; i < TABLE; i++)
        every[i] = i;
    all[0] = numbers(1, (int64_t[]){TABLE}, every);
    agn_optim *p = NULL, *q = NULL;
    agn_optim_options o = {.size = sizeof o, .rate = 0.05, .weight_decay = 0.01};
    must(agn_optim_new(&p, AGN_OPTIM_ADAM, (T[]){w, b}, 2, &o));
    must(agn_optim_new(&q, AGN_OPTIM_ADAM, (T[]){w, b}, 2, &o));
    double u, v;
    int32_t why, bad = 0;
    for (int k = 0; k < 5; k++) {
        must(agn_optim_step(&u, &why, p, rows, (T const *)all, 1));
        must(agn_optim_step(&v, &why, q, dense, (T const *)all, 1));
        bad += u != v;
    }
    agn_tensor *x[2], *y[2], *z[2];
    must(agn_optim_params(x, 2, p));
    must(agn_optim_params(y, 2, q));
    ok(!bad && modes_apart(x[0], y[0]) == 0 && modes_apart(x[1], y[1]) == 0,
       "Adam, %s: where every row is used, the bits of the dense one", agn_dtype_name((agn_dtype)dtype));
    /* rows 2 and 7 alone: as a table of these two */
    agn_tensor *two = numbers(1, (int64_t[]){2}, (int64_t[]){2, 7}), *small = NULL,
               *local = numbers(1, (int64_t[]){3}, (int64_t[]){1, 0, 1});
    agn_optim *r = NULL;
    agn_optim_release(p);
    p = NULL;
    must(agn_gather(&small, w, two, 0));
    must(agn_optim_new(&p, AGN_OPTIM_ADAM, (T[]){w, b}, 2, &o));
    must(agn_optim_new(&r, AGN_OPTIM_ADAM, (T[]){small, b}, 2, &o));
    agn_tensor *saved = NULL;
    for (int k = 0; k < 6; k++) {
        must(agn_optim_step(&u, &why, p, rows, (T const *)&some, 1));
        must(agn_optim_step(&v, &why, r, rows, (T const *)&local, 1));
        bad += u != v;
        if (k == 2) {
            must(agn_optim_state_get(&saved, p));
            must(agn_optim_state_set(p, saved));
        }
    }
    must(agn_optim_params(z, 2, p));
    for (int i = 0; i < 2; i++) {
        agn_release(y[i]);
        y[i] = NULL;
    }
    must(agn_optim_params(y, 2, r));
    agn_tensor *back = NULL;
    must(agn_gather(&back, z[0], two, 0));
    int moved = 0;
    for (int i = 0; i < TABLE * WIDE; i++)
        moved += i / WIDE != 2 && i / WIDE != 7 && peek(z[0], i) != peek(w, i);
    ok(!bad && modes_apart(back, y[0]) == 0 && modes_apart(z[1], y[1]) == 0 && !moved,
       "Adam, %s: two rows move as in a table of their own, the others stand still, across a saved "
       "state", agn_dtype_name((agn_dtype)dtype));
    agn_optim *l = NULL, *m = NULL;
    must(agn_optim_new(&l, AGN_OPTIM_LBFGS, (T[]){w, b}, 2, NULL));
    must(agn_optim_new(&m, AGN_OPTIM_LBFGS, (T[]){w, b}, 2, NULL));
    for (int k = 0; k < 4; k++) {
        must(agn_optim_step(&u, &why, l, rows, (T const *)&some, 1));
        must(agn_optim_step(&v, &why, m, dense, (T const *)&some, 1));
        bad += fabs(u - v) > 1e-9 * (1 + fabs(v));
    }
    ok(!bad, "L-BFGS, %s: a sparse gradient is one with zeros", agn_dtype_name((agn_dtype)dtype));
    agn_tensor *gone[] = {w, b, all[0], some, x[0], x[1], y[0], y[1], z[0], z[1], two, small, local,
                          saved, back};
    for (int k = 0; k < COUNT(gone); k++)
        agn_release(gone[k]);
    agn_optim *over[] = {p, q, r, l, m};
    for (int k = 0; k < COUNT(over); k++)
        agn_optim_release(over[k]);
    agn_fn_release(rows);
    agn_fn_release(dense);
}

/* ---- memory -------------------------------------------------------------------------------------- */

static void test_memory(void)
{
    enum { USED = 200, LONG = 64 };
    int64_t rows = tap_long(20000, 400000);
    bool no = false;
    agn_fn *f = objective(&no);
    agn_tensor *w = NULL, *b = NULL;
    int64_t at[USED];
    for (int k = 0; k < USED; k++)
        at[k] = k * 7919 % rows;
    agn_tensor *idx = numbers(1, (int64_t[]){USED}, at);
    must(agn_full(&w, AGN_F64, 2, (int64_t[]){rows, LONG}, 0.5));
    must(agn_full(&b, AGN_F64, 1, (int64_t[]){LONG}, 1));
    agn_tensor *solid = NULL;
    must(agn_contiguous(&solid, w));
    int64_t bytes, blocks, peak, before;
    agn_memory_reset_peak();
    agn_memory_live(&before, &blocks, &peak);
    agn_tensor *out[3] = {NULL, NULL, NULL};
    must(agn_fn_call(out, 3, f, AGN_ARGS(solid, b, idx)));
    agn_memory_live(&bytes, &blocks, &peak);
    double used = USED * LONG * sizeof(double);
    ok(agn_layout_of(out[1]) == AGN_COO && (double)(peak - before) < 16 * used,
       "value and gradient: %.1f times the rows used; the table is %.0f times them",
       (double)(peak - before) / used, (double)rows / USED);
    for (int k = 0; k < 3; k++)
        agn_release(out[k]);
    agn_optim *o = NULL;
    must(agn_optim_new(&o, AGN_OPTIM_ADAM, (T[]){solid, b}, 2, NULL));
    agn_memory_reset_peak();
    agn_memory_live(&before, &blocks, &peak);
    must(agn_optim_step(NULL, NULL, o, f, (T const *)&idx, 1));
    must(agn_optim_step(NULL, NULL, o, f, (T const *)&idx, 1));
    agn_memory_live(&bytes, &blocks, &peak);
    ok((double)(peak - before) < 20 * used, "a step of Adam: %.1f times the rows used",
       (double)(peak - before) / used);
    agn_optim_release(o);
    agn_release(w);
    agn_release(solid);
    agn_release(b);
    agn_release(idx);
    agn_fn_release(f);
}

/* ---- faults --------------------------------------------------------------------------------------- */

typedef struct making {
    T w, idx;
    bool grad;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    const making *m = user;
    agn_tensor *y = NULL, *leaf = NULL;
    if (!m->grad)
        return agn_sparse_embedding(out, m->w, m->idx);
    agn_status st = agn_watch(&leaf, m->w);
    if (!st)
        st = agn_sparse_embedding(&y, leaf, m->idx);
    if (!st)
        st = agn_gradient(out, (T const *)&y, 1, (T const *)&leaf, 1, NULL);
    agn_release(y);
    agn_release(leaf);
    return st;
}

static void test_faults(void)
{
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){4, 2}, -1, 1), *out = untouched, *a = NULL;
    agn_tensor *idx = numbers(1, (int64_t[]){2}, (int64_t[]){1, 4}), *number = scalar_of(AGN_F64, 1);
    agn_tensor *good = numbers(1, (int64_t[]){2}, (int64_t[]){1, -4}), *none = NULL, *y = NULL;
    static const char op[] = "sparse_embedding";
    ok(refused(agn_sparse_embedding(&out, w, idx), AGN_EINDEX, op, "4", "place 1", out), "a number too large");
    ok(refused(agn_sparse_embedding(&out, w, w), AGN_EDTYPE, op, "f64", NULL, out), "numbers f64");
    ok(refused(agn_sparse_embedding(&out, number, good), AGN_ESHAPE, op, "[]", NULL, out), "a 0-D table");
    ok(refused(agn_sparse_embedding(&out, NULL, good), AGN_ENULL, op, "table", NULL, out), "no table");
    ok(refused(agn_sparse_embedding(&out, w, NULL), AGN_ENULL, op, "idx", NULL, out), "no numbers");
    must(agn_sparse_to_csr(&a, w));
    ok(refused(agn_sparse_embedding(&out, a, good), AGN_EUNSUPPORTED, op, "sparse", NULL, out),
       "a sparse table");
    must(agn_zeros(&none, AGN_I64, 1, (int64_t[]){0}));
    must(agn_sparse_embedding(&y, w, none));
    agn_tensor *g = gradient_of((use){none, none, ROWS}, w);
    ok(agn_numel(y) == 0 && agn_layout_of(g) == AGN_COO && agn_sparse_nnz(g) == 0, "no rows");
    making m = {w, good, false};
    every_allocation(make, &m, op);
    m.grad = true;
    every_allocation(make, &m, "its gradient");
    agn_tensor *all[] = {w, a, idx, number, good, none, y, g};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

int main(void)
{
    test_gradients();
    test_tape();
    test_adam(AGN_F64);
    test_adam(AGN_F32);
    test_memory();
    test_faults();
    return done();
}
