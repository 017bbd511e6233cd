/* A back end registered from outside: which kernel runs, what is refused and by which name,
   and that nothing moves between devices unless asked. The device's memory cannot be read by
   the host, so a silent read ends this program. */
#include "fake-backend.h"
#include "laws.h"

static int32_t dev0, dev1;

static bool says(const char *part)
{
    if (strstr(agn_error_message(), part))
        return true;
    diag("message: %s", agn_error_message());
    return false;
}

static agn_tensor *host(int ndim, const int64_t *shape)
{
    agn_tensor *x;
    double v[512];
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++)
        v[i] = rnd_in(-1, 1);
    must(agn_from_host(&x, AGN_F64, ndim, shape, v));
    return x;
}
static agn_tensor *on(const agn_tensor *x, int32_t device)
{
    agn_tensor *y;
    must(agn_to_device(&y, x, device));
    return y;
}
/* largest difference; -1 where shapes differ */
static double apart(const agn_tensor *x, const agn_tensor *y)
{
    double a[4096], b[4096], worst = 0;
    int64_t n = agn_numel(x);
    if (n != agn_numel(y) || agn_ndim(x) != agn_ndim(y) || n > COUNT(a))
        return -1;
    must(agn_to_host(a, x, (size_t)n * sizeof *a));
    must(agn_to_host(b, y, (size_t)n * sizeof *b));
    for (int64_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

typedef struct traffic {
    int in, out, copies, kernels;
} traffic;
static traffic count_from_here(void)
{
    fake.largest_in = 0;
    return (traffic){fake.to_device, fake.to_host, fake.strided_copies, fake.kernels};
}

/* ---- memory ------------------------------------------------------------------------------ */

static void test_memory(void)
{
    agn_tensor *h = host(2, (int64_t[]){3, 4}), *d = on(h, dev0), *e = on(d, dev1), *t, *b;
    void *p = NULL;
    ok(agn_device_of(d) == dev0 && agn_device_of(e) == dev1, "Q2: a tensor is on the device that was asked for");
    ok(agn_data(d) == NULL, "agn_data of device memory is NULL");
    is_int(agn_data_mut(&p, d), AGN_EDEVICE, "data_mut is refused");
    is_int(agn_data_contiguous(&(const void *){NULL}, d), AGN_EDEVICE, "so is data_contiguous");
    ok(p == NULL && says("fake:0"), "by the device's name");
    ok(apart(d, h) == 0 && apart(e, h) == 0, "to a device, to another one, and back");
    agn_tensor *narrow = NULL, *far = NULL, *back = NULL;
    must(agn_cast(&narrow, h, AGN_F32));
    must(agn_to_device(&far, narrow, dev1));
    must(agn_to_device(&back, far, AGN_CPU));
    agn_tensor *wide = NULL, *want = NULL;
    must(agn_cast(&wide, back, AGN_F64));
    must(agn_cast(&want, narrow, AGN_F64));
    ok(agn_dtype_of(far) == AGN_F32 && agn_device_of(far) == dev1 && apart(wide, want) == 0,
       "Q3: another dtype and another device");
    agn_release(narrow), agn_release(far), agn_release(back), agn_release(wide),
        agn_release(want);
    must(agn_transpose(&t, d));
    must(agn_to_device(&b, t, AGN_CPU));
    agn_tensor *th;
    must(agn_transpose(&th, h));
    ok(apart(b, th) == 0, "a view goes to the host in its own order");
    double v;
    agn_tensor *one;
    must(agn_slice(&one, d, 2, (int64_t[]){1, 2}, (int64_t[]){2, 3}, NULL));
    traffic was = count_from_here();
    agn_tensor *c;
    must(agn_cast(&c, one, AGN_F64));
    agn_release(c);
    ok(agn_item_f64(&v, one) == AGN_OK && v == ((const double *)agn_data(h))[6],
       "one element is read");
    is_int(fake.to_host - was.out, 1, "by one transfer");
    agn_tensor *gone;
    is_int(agn_to_device(&gone, h, 12345), AGN_EDEVICE, "there is no such device");
    agn_release(h), agn_release(d), agn_release(e), agn_release(t), agn_release(b);
    agn_release(th), agn_release(one);
}

static void test_print(void)
{
    char a[512], b[512];
    agn_tensor *h = host(2, (int64_t[]){3, 4}), *d = on(h, dev0);
    must(agn_format(a, sizeof a, NULL, h));
    must(agn_format(b, sizeof b, NULL, d));
    is_str(b, a, "a device's tensor prints like the host's");
    agn_release(h), agn_release(d);
}

/* ---- which kernel ------------------------------------------------------------------------- */

static void test_resolution(void)
{
    agn_tensor *h = host(2, (int64_t[]){3, 4}), *d = on(h, dev0), *t, *th, *y = NULL, *yh, *z;
    must(agn_transpose(&t, d));
    must(agn_transpose(&th, h));
    traffic was = count_from_here();
    must(agn_add(&y, t, t));
    ok(fake.kernels - was.kernels == 1 && fake.strided_copies == was.copies,
       "a kernel for any strides gets the view as it is");
    must(agn_add(&yh, th, th));
    ok(apart(y, yh) == 0, "with the right result");
    agn_release(y), agn_release(yh);
    was = count_from_here();
    must(agn_exp(&y, t));
    ok(fake.kernels - was.kernels == 2 && fake.strided_copies - was.copies == 1,
       "a contiguous-only kernel gets a copy");
    must(agn_exp(&yh, th));
    ok(apart(y, yh) < 1e-15, "with the right result");
    agn_release(y), agn_release(yh);
    was = count_from_here();
    must(agn_reshape(&y, t, 1, (int64_t[]){12}));
    ok(fake.kernels - was.kernels == 1 && fake.strided_copies - was.copies == 1,
       "reshape of a view decomposes into a copy");
    must(agn_reshape(&yh, th, 1, (int64_t[]){12}));
    ok(apart(y, yh) == 0, "with the right result");
    agn_release(yh);
    was = count_from_here();
    must(agn_flip(&z, d, NULL, 0));
    ok(fake.kernels == was.kernels, "views run nothing");
    agn_release(z);
    z = NULL;
    is_int(agn_sinh(&z, d), AGN_EUNSUPPORTED, "no kernel, no decomposition: refused");
    ok(!z && says("sinh: fake has no kernel for f64; it has: none"), "naming what there is");
    agn_tensor *i, *id;
    must(agn_arange(&i, AGN_I64, 0, 12, 1));
    id = on(i, dev0);
    is_int(agn_add(&z, id, id), AGN_EUNSUPPORTED, "a kernel, but not for this dtype: refused");
    ok(!z && says("add: fake has no kernel for i64; it has: f64"), "naming what there is");
    agn_release(h), agn_release(d), agn_release(t), agn_release(th), agn_release(y);
    agn_release(i), agn_release(id);
}

static void test_mixed(void)
{
    agn_tensor *h = host(1, (int64_t[]){3}), *d = on(h, dev0), *e = on(h, dev1), *i, *y = NULL;
    traffic was = count_from_here();
    is_int(agn_add(&y, d, h), AGN_EDEVICE, "device and host do not mix");
    ok(!y && says("add: arguments are on fake:0 and cpu"), "both are named");
    is_int(agn_mul(&y, e, d), AGN_EDEVICE, "nor do two devices");
    ok(!y && says("mul: arguments are on fake:1 and fake:0"), "both are named");
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){0, 2}));
    is_int(agn_gather(&y, d, i, 0), AGN_EDEVICE, "nor an index with its array");
    ok(!y && says("gather: arguments are on fake:0 and cpu"), "both are named");
    agn_tensor *zeros;
    must(agn_full(&zeros, AGN_F64, 0, NULL, 0));
    is_int(agn_add(&y, d, zeros), AGN_EDEVICE, "a 0-D tensor that is no literal is a tensor");
    ok(fake.to_device == was.in && fake.to_host == was.out, "nothing was moved");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sum = ag_add(s, d, ag_ones(s, AGN_F64, 1, (int64_t[]){3}));
    ok(sum && agn_device_of(sum) == dev0, "a constant of a scope follows the other operand");
    is_int(agn_scope_close(s), AGN_OK, "and no more");
    s = agn_scope_open(NULL);
    ok(!agn_scope_adopt_constant(s, AGN_OK, NULL) && agn_scope_status(s) == AGN_ENULL, "no constant: %s",
       agn_error_message());
    ok(agn_scope_close(s) == AGN_ENULL, "which the scope keeps");
    was = count_from_here();
    must(agn_add_c(&y, d, 2.5));
    ok(agn_device_of(y) == dev0 && fake.largest_in <= 8 && fake.to_host == was.out,
       "a literal lives anywhere");
    agn_tensor *want;
    must(agn_add_c(&want, h, 2.5));
    ok(apart(y, want) == 0, "and counts");
    agn_release(h), agn_release(d), agn_release(e), agn_release(i), agn_release(y);
    agn_release(want), agn_release(zeros);
}

/* ---- derivatives --------------------------------------------------------------------------- */

/* sum(tanh(x w) exp(-x)): products, broadcasts, a view and a reduction */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[0], in[1]));
    out[0] = ag_sum_all(s, ag_mul(s, ag_mul(s, h, ag_exp(s, ag_neg(s, in[0]))),
                                  ag_add_c(s, ag_transpose(s, in[1]), 0.5)));
    return agn_scope_status(s);
}

static agn_status curve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, ag_tanh(s, ag_mul_c(s, in[0], 0.7)), ag_exp(s, in[0]));
    return agn_scope_status(s);
}

/* f at host values and at device values: the same numbers, and only numbers moved */
static void compare(const agn_fn *f, int n, agn_tensor *const *h, const char *what)
{
    agn_tensor *d[4], *y[16] = {NULL}, *yh[16] = {NULL};
    int no = agn_fn_n_out(f);
    for (int i = 0; i < n; i++)
        d[i] = on(h[i], dev0);
    traffic was = count_from_here();
    agn_status st = agn_fn_call(y, agn_fn_n_out(f), f, (const agn_tensor *const *)d, agn_fn_n_in(f));
    if (!ok(!st, "%s runs on the device", what)) {
        diag("%s", agn_error_message());
        return;
    }
    ok(fake.to_host == was.out, "%s reads nothing back", what);
    ok(fake.largest_in <= 4096, "%s brings constants only (%zu bytes at most)", what,
       fake.largest_in);
    must(agn_fn_call(yh, agn_fn_n_out(f), f, (const agn_tensor *const *)h, agn_fn_n_in(f)));
    double worst = 0;
    bool there = true;
    for (int o = 0; o < no; o++) {
        double e = apart(y[o], yh[o]);
        worst = e < 0 ? (double)INFINITY : fmax(worst, e);
        there = there && agn_device_of(y[o]) == dev0;
        agn_release(y[o]), agn_release(yh[o]);
    }
    ok(there, "%s leaves its results there", what);
    ok(worst < 1e-13, "%s is that of the host (%g)", what, worst);
    for (int i = 0; i < n; i++)
        agn_release(d[i]);
}

static void test_derivatives(void)
{
    agn_fn *f, *g, *h2, *c, *jet, *map, *gg;
    agn_tensor *x[4] = {host(2, (int64_t[]){4, 4}), host(2, (int64_t[]){4, 4}),
                        host(2, (int64_t[]){4, 4}), NULL};
    must(agn_fn_new(&f, loss, NULL, NULL, 2, 1));
    must(agn_fn_grad(&g, f, (int32_t[]){0, 1}, 2));
    compare(f, 2, x, "a function");
    compare(g, 2, x, "its gradient");
    must(agn_fn_hvp(&h2, f, (int32_t[]){0}, 1));
    compare(h2, 3, x, "a Hessian-vector product");
    agn_fn *jac;
    must(agn_fn_new(&c, curve, NULL, NULL, 1, 1));
    must(agn_fn_jacobian(&jac, c, 0));
    agn_tensor *v[1] = {host(1, (int64_t[]){5})};
    compare(jac, 1, v, "a Jacobian");
    must(agn_fn_jet(&jet, c, 4));
    agn_tensor *row[5];
    for (int k = 0; k < 5; k++)
        row[k] = host(1, (int64_t[]){5});
    agn_tensor *d[5], *y[5], *yh[5];
    for (int k = 0; k < 5; k++)
        d[k] = on(row[k], dev0);
    agn_status st = agn_fn_call(y, 5, jet, (const agn_tensor *const *)d, 5);
    if (ok(!st, "a jet of order 4 runs on the device")) {
        double worst = 0;
        must(agn_fn_call(yh, 5, jet, (const agn_tensor *const *)row, 5));
        for (int k = 0; k < 5; k++)
            worst = fmax(worst, apart(y[k], yh[k])), agn_release(y[k]), agn_release(yh[k]);
        ok(worst < 1e-13, "with the host's coefficients (%g)", worst);
    } else {
        diag("%s", agn_error_message());
    }
    must(agn_fn_grad(&gg, f, (int32_t[]){0}, 1));
    must(agn_fn_vmap(&map, gg, (int32_t[]){0, AGN_UNBATCHED}, 2, NULL, 0));
    agn_tensor *b[2] = {host(3, (int64_t[]){3, 4, 4}), x[1]};
    compare(map, 2, b, "a mapped gradient");
    /* on the tape */
    agn_tensor *dx = on(x[0], dev0), *dw = on(x[1], dev0), *w, *grad = NULL;
    must(agn_watch(&w, dx));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *out;
    must(loss(NULL, s, (const agn_tensor *[]){w, dw}, &out));
    must(agn_gradient(&grad, &out, 1, (const agn_tensor *[]){w}, 1, NULL));
    must(agn_scope_close(s));
    agn_tensor *both[2];
    must(agn_fn_call(both, 2, g, (const agn_tensor *const *)x, 2));
    ok(agn_device_of(grad) == dev0 && apart(grad, both[0]) < 1e-13, "the tape runs there too");
    /* the gradient of a plain sum is made of numbers alone */
    agn_tensor *sum, *ones = NULL;
    must(agn_sum_all(&sum, w));
    must(agn_gradient(&ones, (const agn_tensor *[]){sum}, 1, (const agn_tensor *[]){w}, 1, NULL));
    ok(agn_device_of(ones) == dev0, "a gradient of ones lies with its argument");
    agn_release(both[0]), agn_release(both[1]), agn_release(dx), agn_release(dw);
    agn_release(w), agn_release(grad), agn_release(sum), agn_release(ones);
    for (int k = 0; k < 5; k++)
        agn_release(d[k]), agn_release(row[k]);
    for (int k = 0; k < 3; k++)
        agn_release(x[k]);
    agn_release(v[0]), agn_release(b[0]);
    agn_fn_release(f), agn_fn_release(g), agn_fn_release(h2), agn_fn_release(c);
    agn_fn_release(jet), agn_fn_release(map), agn_fn_release(gg), agn_fn_release(jac);
}

/* x <- tanh(x + u), and x - u stacked */
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    out[0] = ag_tanh(s, ag_add(s, in[0], in[1]));
    out[1] = ag_sub(s, in[0], in[1]);
    return agn_scope_status(s);
}

static void test_control(void)
{
    agn_fn *f, *loop;
    must(agn_fn_new(&f, step, NULL, NULL, 2, 2));
    must(agn_fn_scan(&loop, f, 1, 0, 6, false));
    agn_tensor *x[2] = {host(1, (int64_t[]){3}), host(2, (int64_t[]){6, 3})};
    compare(loop, 2, x, "a loop");
    agn_release(x[0]), agn_release(x[1]);
    agn_fn_release(f), agn_fn_release(loop);
}

/* what a plan captures of a device is not looked at while it is simplified: seeds of lanes, left and right */
enum { LANES = 2, POINTS = 64, WIDTH = 3, SEEDS = 2 };
static agn_status seeded(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *const *held = user;
    const agn_tensor *rows = ag_reshape(s, ag_tanh(s, in[0]), 2, (int64_t[]){LANES * POINTS, WIDTH});
    out[0] = ag_matmul(s, held[0], rows);
    out[1] = ag_matmul(s, ag_transpose(s, rows), held[1]);
    return agn_scope_status(s);
}
static void test_captured(void)
{
    agn_tensor *x = host(3, (int64_t[]){LANES, POINTS, WIDTH}), *d = on(x, dev0);
    agn_tensor *w[2], *held[2], *want[2] = {NULL}, *y[2] = {NULL};
    agn_fn *f, *plan;
    for (int k = 0; k < 2; k++) {
        w[k] = host(2, k ? (int64_t[]){LANES * POINTS, SEEDS} : (int64_t[]){SEEDS, LANES * POINTS});
        held[k] = on(w[k], dev0);
    }
    must(agn_fn_new(&f, seeded, held, NULL, 1, 2));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(want, 2, f, (const agn_tensor *const *)&d, 1));
    must(agn_fn_call(y, 2, plan, (const agn_tensor *const *)&d, 1));
    for (int k = 0; k < 2; k++) {
        double off = apart(y[k], want[k]);
        ok(off >= 0 && off < 1e-13, "a plan with seeds of lanes on the device, %s", k ? "right" : "left");
        agn_release(want[k]), agn_release(y[k]), agn_release(w[k]), agn_release(held[k]);
    }
    agn_release(x), agn_release(d);
    agn_fn_release(f), agn_fn_release(plan);
}

/* ---- marks, memory, faults -------------------------------------------------------------------- */

static void test_marks(void)
{
    agn_tensor *h = host(1, (int64_t[]){3}), *d = on(h, dev0), *y, *z;
    must(agn_add(&y, d, d));
    uint64_t mark = fake.mark;
    must(agn_add(&z, y, y));
    ok(fake.mark > mark, "a mark follows every kernel");
    double v[3];
    fake.waited = 0;
    must(agn_to_host(v, y, sizeof v));
    ok(fake.waited == mark, "a copy to the host waits for the last write, no more");
    agn_release(h), agn_release(d), agn_release(y), agn_release(z);
}

static bool let_go(void *user, size_t bytes)
{
    (void)bytes;
    (*(int *)user)++;
    fake.no_memory = false;
    return true;
}

static void test_memory_faults(void)
{
    agn_tensor *h = host(1, (int64_t[]){3}), *d = on(h, dev0), *y = NULL;
    int live = fake.live, asked = 0;
    fake.no_memory = true;
    is_int(agn_add(&y, d, d), AGN_ENOMEM, "the device is out of memory");
    ok(!y && says("add: fake:0 has no memory for 24 bytes"), "op, device and size are named");
    is_int(agn_to_device(&y, h, dev0), AGN_ENOMEM, "on the way there too");
    ok(!y && fake.live == live, "nothing is kept");
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .user = &asked,
                                    .memory_pressure = let_go}));
    ok(agn_add(&y, d, d) == AGN_OK && asked == 1, "Q8: the host is asked to let go, then tried again");
    must(agn_hooks_set(NULL));
    agn_release(y);
    /* the library's own allocations fail in turn */
    int64_t n = 0;
    for (;; n++) {
        y = NULL;
        agn_memory_fail_after(n);
        agn_status st = agn_exp(&y, d);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        if (st != AGN_ENOMEM || y || fake.live != live)
            break;
    }
    ok(y != NULL && n > 0, "each of %d allocations of an op may fail", (int)n);
    agn_release(y);
    agn_release(h), agn_release(d);
}

static void test_faults(void)
{
    agn_tensor *h = host(1, (int64_t[]){3}), *d = on(h, dev0), *i, *id, *y;
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){0, -1, 7}));
    id = on(i, dev0);
    is_int(agn_gather(&y, d, id, 0), AGN_OK, "an index on the device is not seen by the call");
    is_int(agn_device_synchronize(dev0), AGN_EINDEX, "waiting for the device tells");
    ok(says("gather: index 7 at place 2"), "which op and which entry");
    is_int(agn_device_synchronize(dev0), AGN_OK, "once");
    double v[3];
    must(agn_to_host(v, y, sizeof v));
    ok(isnan(v[2]) && !isnan(v[0]), "its result is NaN, the others stand");
    agn_release(h), agn_release(d), agn_release(i), agn_release(id), agn_release(y);
}

/* ---- what runs on the host -------------------------------------------------------------------- */

static int64_t runs_on_host(int64_t *reads)
{
    int64_t runs;
    agn_host_run_count(&runs, reads);
    return runs;
}

static void test_host_runs(void)
{
    agn_tensor *h = host(2, (int64_t[]){3, 3}), *d = on(h, dev0), *w = NULL, *v = NULL, *near = NULL;
    int64_t reads, reads_now, runs = runs_on_host(&reads);
    const char *why = NULL;
    ok(agn_host_run_name(0, &why) && why && !agn_host_run_name(-1, NULL) && !agn_host_run_name(1 << 20, NULL),
       "what may run on the host is listed, with reasons");
    traffic was = count_from_here();
    must(agn_linalg_matrix_exp(&w, d));
    ok(agn_device_of(w) == dev0 && fake.to_host - was.out == 1 && fake.to_device - was.in == 1,
       "an exponential comes from the host, by a copy either way");
    is_int(runs_on_host(&reads_now) - runs, 1, "which is counted");
    is_str(agn_host_run_last(), "linalg_matrix_exp", "and named");
    ok(reads_now == reads, "as a run, no read");
    must(agn_linalg_matrix_exp(&v, h));
    must(agn_to_device(&near, w, AGN_CPU));
    bool same = agn_dtype_of(v) == agn_dtype_of(near);
    for (int i = 0; i < 9; i++)
        same = same && ((const double *)agn_data(near))[i] == ((const double *)agn_data(v))[i];
    ok(same && runs_on_host(NULL) - runs == 1, "with the host's numbers, whose own call does not count");
    agn_release(w), agn_release(v), agn_release(near);
    w = NULL;
    ok(agn_host_run_allow(false), "it is allowed at first");
    is_int(agn_linalg_matrix_exp(&w, d), AGN_EUNSUPPORTED, "else refused");
    ok(says("linalg_matrix_exp: fake has no kernel"), "by name");
    agn_tensor *i = NULL, *far = NULL, *steps = NULL;
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){0, 2, 2}));
    far = on(i, dev0);
    is_int(agn_audio_edit_distance(&steps, far, far), AGN_EUNSUPPORTED, "functions, too");
    ok(!steps && says("audio_edit_distance"), "by name");
    ok(!agn_host_run_allow(true), "and allowed again");
    runs = runs_on_host(&reads);
    must(agn_audio_edit_distance(&steps, far, i));
    ok(agn_device_of(steps) == dev0 && runs_on_host(&reads_now) - runs == 1 && reads_now == reads,
       "a function runs on the host, its result comes back");
    int64_t n = -1;
    ok(agn_item_i64(&n, steps) == AGN_OK && n == 0, "with the right number");
    agn_tensor *dist = NULL, *watched = NULL, *out = NULL;
    must(agn_watch(&watched, d));
    is_int(agn_audio_dtw(&out, &dist, watched), AGN_EUNSUPPORTED, "an operand that is recorded is refused");
    ok(!out && !dist && says("audio_dtw"), "by name");
    agn_release(watched), agn_release(steps);
    agn_tensor *places = NULL, *at = NULL, *value = NULL, *coo = NULL;
    must(agn_from_host(&at, AGN_I64, 2, (int64_t[]){1, 3}, (int64_t[]){0, 1, 3}));
    places = on(at, dev0);
    value = host(1, (int64_t[]){3});
    agn_tensor *entries = on(value, dev0);
    runs = runs_on_host(&reads);
    must(agn_sparse_coo(&coo, 1, (int64_t[]){4}, places, entries));
    ok(runs_on_host(&reads_now) == runs && reads_now - reads == 1, "where entries are is read, once");
    is_str(agn_host_run_last(), "sparse_coo", "and named");
    agn_release(coo), agn_release(entries), agn_release(value), agn_release(places), agn_release(at);
    /* the library's own allocations fail in turn */
    int live = fake.live;
    for (n = 0;; n++) {
        agn_memory_fail_after(n);
        agn_status st = agn_linalg_matrix_exp(&w, d);
        if (!st)
            st = agn_audio_edit_distance(&steps, far, i);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        agn_release(w);
        w = NULL;
        if (st != AGN_ENOMEM || fake.live != live)
            break;
    }
    ok(w && n > 0, "each of %d allocations of a run on the host may fail", (int)n);
    agn_release(w), agn_release(steps), agn_release(far), agn_release(i), agn_release(h), agn_release(d);
}

static void test_declined(void)
{
    agn_tensor *h = host(2, (int64_t[]){3, 3}), *d = on(h, dev0), *t, *y = NULL, *z = NULL;
    int was = fake.declined;
    int64_t runs = runs_on_host(NULL);
    must(agn_transpose(&t, d));
    must(agn_reshape(&y, t, 1, (int64_t[]){9}));
    ok(fake.declined - was == 1 && agn_device_of(y) == dev0, "what a kernel declines is decomposed");
    agn_release(y);
    y = NULL;
    must(agn_linalg_schur(&y, &z, d));
    ok(fake.declined - was == 2 && runs_on_host(NULL) - runs == 1 && agn_device_of(y) == dev0 && agn_device_of(z) == dev0,
       "or runs on the host");
    agn_release(y), agn_release(z);
    y = NULL;
    is_int(agn_expm1(&y, d), AGN_EUNSUPPORTED, "or is refused");
    ok(!y && says("fake declines"), "in the kernel's words");
    agn_release(h), agn_release(d), agn_release(t);
}

/* ---- graphs ------------------------------------------------------------------------------------ */

static int destroyed;
static void count_destroyed(void *mirror)
{
    destroyed += *(int *)mirror;
}

static void test_graph_mirrors(void)
{
    agn_tensor *src, *dst, *x = host(1, (int64_t[]){2});
    agn_graph *g;
    agn_graph_view v;
    int one = 1, two = 10, key[2];
    must(agn_from_host(&src, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){0, 2, 1}));
    must(agn_from_host(&dst, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){1, 1, 0}));
    must(agn_graph_from_edges(&g, src, dst, 3, 2));
    must(agn_graph_read(&v, g));
    const int32_t *from = v.end[0], *to = v.end[1];
    ok(!v.wide && v.nodes[0] == 3 && v.nodes[1] == 2 && v.edges == 3 && from[1] == 2 && to[0] == 1,
       "a back end reads a graph");
    is_int(agn_graph_read(NULL, g), AGN_ENULL, "into something");
    is_int(agn_graph_read(&v, NULL), AGN_ENULL, "and not nothing");
    is_int(agn_graph_read(&v, x), AGN_EARG, "nor a tensor");
    ok(!agn_graph_mirror(g, &key[0]) && agn_graph_keep(g, &key[0], &one, count_destroyed) == &one &&
           agn_graph_mirror(g, &key[0]) == &one && !agn_graph_mirror(g, &key[1]),
       "what it keeps with it has a key");
    ok(agn_graph_keep(g, &key[0], &two, count_destroyed) == &one && destroyed == 10,
       "the first that came stays");
    ok(!agn_graph_mirror(x, &key[0]) && !agn_graph_keep(x, &key[0], &two, count_destroyed) && destroyed == 20,
       "a tensor keeps nothing");
    agn_graph_release(g);
    is_int(destroyed, 21, "until the graph is freed");
    agn_release(src), agn_release(dst), agn_release(x);
}

int main(void)
{
    must(agn_backend_register(&fake_backend));
    must(agn_device_find(&dev0, "fake"));
    must(agn_device_find(&dev1, "fake:1"));
    is_str(agn_device_name(dev1), "fake:1", "devices have names");
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    test_memory();
    test_print();
    test_resolution();
    test_mixed();
    test_derivatives();
    test_control();
    test_captured();
    test_marks();
    test_memory_faults();
    test_faults();
    test_host_runs();
    test_declined();
    test_graph_mirrors();
    agn_memory_live(&after, NULL, NULL);
    is_int(after, before, "no memory of the library is kept");
    is_int(fake.live, 0, "none of the device's either");
    return done();
}
