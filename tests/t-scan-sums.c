/* t-scan-sums - the derivative by a matrix that all steps of a loop share: one product behind the loop
   where its operands lie in memory, equal to that of the steps written out in every mode; of which
   steps it is so; what a step makes and then begins with is saved once. */
#include "tests/control.h"

typedef const agn_tensor *T;
enum { STEPS = 5, WIDE = 3, ROWS = 2 };

static double numbers[STEPS * WIDE * WIDE];
static agn_tensor *array(int n, const int64_t *shape)
{
    agn_tensor *x = NULL;
    CHECK(agn_from_host(&x, AGN_F64, n, shape, numbers));
    return x;
}

/* ---- steps: h and x of a step to the next h and a result; W is shared --------------------------- */

typedef struct cell {
    const char *name;
    agn_body *step;
    int rank; /* of h: [ROWS, WIDE], or WIDE alone */
    int columns;
    int behind; /* products behind the loop in its gradient */
} cell;
typedef struct shared {
    const cell *c;
    T W;
    agn_fn *loop;
    bool reverse;
    int steps;
} shared;
#define STEP(name)                                                                \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out)
#define W (((const shared *)user)->W)

STEP(rows)
{
    out[0] = ag_tanh(s, ag_add(s, in[1], ag_matmul(s, in[0], W)));
    out[1] = out[0];
    return AGN_OK;
}
STEP(columns)
{
    out[0] = ag_tanh(s, ag_add(s, in[1], ag_matmul(s, W, in[0])));
    out[1] = ag_mul(s, out[0], in[1]);
    return AGN_OK;
}
/* used twice, once turned, and beside that by its rows: terms that stay in the loop */
STEP(often)
{
    T once = ag_matmul(s, in[0], W), turned = ag_matmul(s, ag_sin(s, in[0]), ag_transpose(s, W)),
      row = ag_index_axis(s, W, 0, 1);
    out[0] = ag_tanh(s, ag_add(s, ag_add(s, once, row), ag_mul(s, turned, in[1])));
    out[1] = ag_square(s, once);
    return AGN_OK;
}
/* of what is joined and computed again going back */
STEP(joined)
{
    T parts[] = {ag_slice(s, in[0], 2, (int64_t[]){0, 1}, (int64_t[]){ROWS, WIDE}, (int64_t[]){1, 1}),
                 ag_slice(s, in[1], 2, (int64_t[]){0, 0}, (int64_t[]){ROWS, 1}, (int64_t[]){1, 1})};
    T z = ag_matmul(s, ag_concat(s, parts, 2, 1), W);
    out[0] = ag_mul(s, ag_sigmoid(s, z), ag_cos(s, ag_add(s, in[0], in[1])));
    out[1] = z;
    return AGN_OK;
}
/* of slices, and a result whose seeds are an operand */
STEP(of_slices)
{
    out[1] = ag_matmul(s, in[1], W);
    out[0] = ag_add(s, ag_mul_c(s, in[0], 0.5), ag_sin(s, out[1]));
    return AGN_OK;
}
/* the operand is the next state, which is saved for that */
STEP(next_one)
{
    out[0] = ag_tanh(s, ag_add(s, in[0], in[1]));
    out[1] = ag_matmul(s, out[0], W);
    return AGN_OK;
}
/* no product of its own: constants stay constants */
STEP(of_constants)
{
    out[0] = ag_tanh(s, ag_add(s, in[0], ag_matmul(s, ag_abs(s, W), W)));
    out[1] = in[1];
    return AGN_OK;
}
/* state by state the next one */
STEP(twins)
{
    T y = ag_exp(s, ag_mul_c(s, ag_add(s, in[0], ag_matmul(s, in[0], W)), -0.5));
    out[0] = ag_sin(s, y);
    out[1] = ag_mul(s, y, ag_cos(s, in[0]));
    return AGN_OK;
}
/* a product of no rows */
STEP(no_rows)
{
    T none = ag_slice(s, in[0], 2, (int64_t[]){0, 0}, (int64_t[]){0, WIDE}, (int64_t[]){1, 1});
    T y = ag_sum(s, ag_matmul(s, none, W), (int32_t[]){0}, 1, false);
    out[0] = ag_tanh(s, ag_add(s, ag_add(s, in[0], y), ag_matmul(s, in[1], W)));
    out[1] = ag_add(s, in[1], y);
    return AGN_OK;
}
#undef W

static const cell cells[] = {{"rows", rows, 2, 0, 1},
                             {"columns", columns, 2, 1, 1},
                             {"a vector", columns, 1, 0, 1},
                             {"used often", often, 2, 0, 2},
                             {"joined", joined, 2, 0, 1},
                             {"slices", of_slices, 2, 0, 1},
                             {"the next state", next_one, 2, 0, 1},
                             {"constants", of_constants, 3, 0, 0},
                             {"a state after a state", twins, 2, 0, 1},
                             {"no rows", no_rows, 2, 0, 1}};

/* ---- programs of a number ------------------------------------------------------------------------ */

static int64_t shape_of(const cell *c, int64_t shape[2])
{
    shape[0] = c->rank == 3 || c->columns || c->rank == 1 ? WIDE : ROWS;
    shape[1] = c->columns ? ROWS : WIDE;
    return c->rank == 1 ? 1 : 2;
}
static void begin(shared *q, agn_scope *s, T a, T *h, T *x)
{
    int64_t shape[2], slices[3] = {q->steps};
    int64_t n = shape_of(q->c, shape);
    memcpy(slices + 1, shape, (size_t)n * sizeof *shape);
    agn_tensor *w = array(2, (int64_t[]){WIDE, WIDE}), *y = array((int)n, shape),
               *z = array((int)n + 1, slices);
    T w0 = agn_scope_adopt(s, AGN_OK, &w), y0 = agn_scope_adopt(s, AGN_OK, &y),
      z0 = agn_scope_adopt(s, AGN_OK, &z);
    q->W = ag_sin(s, ag_add(s, ag_mul(s, w0, a), ag_flip(s, w0, NULL, 0)));
    *h = ag_mul(s, y0, ag_cos(s, a));
    *x = ag_add(s, z0, ag_mul(s, a, ag_square(s, z0)));
}
static void end(agn_scope *s, T h, T y, const agn_tensor **out)
{
    out[0] = ag_add(s, ag_sum_all(s, ag_square(s, h)), ag_sum_all(s, ag_sin(s, y)));
}
static agn_status looped(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    shared *q = user;
    T a[2], y[2];
    begin(q, s, in[0], &a[0], &a[1]);
    if (!agn_fn_apply(s, y, 2, q->loop, a, 2))
        end(s, y[0], y[1], out);
    return agn_scope_status(s);
}
static agn_status written_out(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    shared *q = user;
    T h, x, y[STEPS];
    begin(q, s, in[0], &h, &x);
    for (int t = 0; t < q->steps && !agn_scope_status(s); t++) {
        int at = q->reverse ? q->steps - 1 - t : t;
        T r[2], a[] = {h, ag_index_axis(s, x, 0, at)};
        if (q->c->step(q, s, a, r))
            break;
        h = r[0];
        y[at] = r[1];
    }
    if (!agn_scope_status(s))
        end(s, h, ag_stack(s, y, q->steps, 0), out);
    return agn_scope_status(s);
}

static agn_fn *function(agn_body *body, shared *q)
{
    agn_fn *f = NULL;
    CHECK(agn_fn_new(&f, body, q, NULL, 1, 1));
    return f;
}
static void open_shared(shared *q, const cell *c, int steps, bool reverse, int keep)
{
    agn_scan_options o = {.size = sizeof o, .reverse = reverse, .keep = keep};
    agn_fn *step = NULL;
    *q = (shared){.c = c, .reverse = reverse, .steps = steps};
    CHECK(agn_fn_new(&step, c->step, q, NULL, 2, 2));
    CHECK(agn_fn_scan_with(&q->loop, step, 1, 0, steps, &o));
    agn_fn_release(step);
}

static void test_modes(const agn_tensor *a)
{
    for (int k = 0; k < (int)(sizeof cells / sizeof *cells); k++)
        for (int how = 0; how < 3; how++) {
            static const char *const hows[] = {"", ", from the last", ", two states kept"};
            shared q;
            char name[64];
            snprintf(name, sizeof name, "%s%s", cells[k].name, hows[how]);
            open_shared(&q, &cells[k], STEPS, how == 1, how == 2 ? 2 : 0);
            agn_fn *f = function(looped, &q), *g = function(written_out, &q);
            same_in_all_modes(f, g, (T[]){a}, 1, 0, name);
            agn_fn_release(f);
            agn_fn_release(g);
            agn_fn_release(q.loop);
        }
}

/* ---- where the products are ---------------------------------------------------------------------- */

static agn_status sum_of_results(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    shared *q = user;
    T y[2];
    q->W = in[2];
    if (!agn_fn_apply(s, y, 2, q->loop, in, agn_fn_n_in(q->loop)))
        end(s, y[0], y[1], out);
    return agn_scope_status(s);
}
static int count(const char *text, const char *word)
{
    int n = 0;
    while ((text = strstr(text, word))) {
        n++;
        text += strlen(word);
    }
    return n;
}
/* products of the plan of the gradient by the matrix, outside of its loops */
static int products(shared *q, T *in, agn_tensor **grad)
{
    static char text[1 << 16];
    agn_fn *f = NULL, *df = NULL, *plan = NULL;
    CHECK(agn_fn_new(&f, sum_of_results, q, NULL, 3, 1));
    CHECK(agn_fn_grad(&df, f, (int32_t[]){2}, 1));
    CHECK(agn_fn_compile(&plan, df, NULL));
    CHECK(agn_fn_call(grad, agn_fn_n_out(plan), plan, in, agn_fn_n_in(plan)));
    CHECK(agn_plan_explain(text, sizeof text, NULL, plan));
    agn_fn_release(f);
    agn_fn_release(df);
    agn_fn_release(plan);
    return count(text, " matmul");
}
static void test_places(void)
{
    for (int k = 0; k < (int)(sizeof cells / sizeof *cells); k++) {
        shared q;
        int64_t shape[3] = {STEPS}, n = shape_of(&cells[k], shape + 1);
        agn_tensor *h = array((int)n, shape + 1), *x = array((int)n + 1, shape),
                   *w = array(2, (int64_t[]){WIDE, WIDE}), *g = NULL;
        open_shared(&q, &cells[k], STEPS, false, 0);
        int m = products(&q, (T[]){h, x, w}, &g);
        ok(m == cells[k].behind, "%s: %d products behind the loop, %d expected", cells[k].name, m,
           cells[k].behind);
        agn_tensor *all[] = {h, x, w, g};
        for (int i = 0; i < 4; i++)
            agn_release(all[i]);
        agn_fn_release(q.loop);
    }
    /* many rows are a long sum at each step; their operands would be more than the sums */
    shared q;
    open_shared(&q, &cells[0], STEPS, false, 0);
    agn_tensor *h = NULL, *x = NULL, *w = array(2, (int64_t[]){WIDE, WIDE}), *g = NULL;
    CHECK(agn_full(&h, AGN_F64, 2, (int64_t[]){64, WIDE}, 0.1));
    CHECK(agn_full(&x, AGN_F64, 3, (int64_t[]){STEPS, 64, WIDE}, 0.2));
    ok(products(&q, (T[]){h, x, w}, &g) == 0, "many rows: none");
    agn_tensor *all[] = {h, x, w, g};
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
    agn_fn_release(q.loop);
    /* no steps: a sum of none */
    open_shared(&q, &cells[0], 0, false, 0);
    h = array(2, (int64_t[]){ROWS, WIDE});
    w = array(2, (int64_t[]){WIDE, WIDE});
    g = x = NULL;
    CHECK(agn_zeros(&x, AGN_F64, 3, (int64_t[]){0, ROWS, WIDE}));
    products(&q, (T[]){h, x, w}, &g);
    double v[WIDE * WIDE] = {1}, most = 0;
    CHECK(agn_to_host(v, g, sizeof v));
    for (int i = 0; i < WIDE * WIDE; i++)
        most = fmax(most, fabs(v[i]));
    ok(most == 0, "no steps: zeros");
    agn_tensor *rest[] = {h, x, w, g};
    for (int i = 0; i < 4; i++)
        agn_release(rest[i]);
    agn_fn_release(q.loop);
}

/* ---- a matrix that is captured, and written ------------------------------------------------------- */

static agn_status of_state(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    T y[2];
    if (!agn_fn_apply(s, y, 2, ((shared *)user)->loop, in, agn_fn_n_in(((shared *)user)->loop)))
        end(s, y[0], y[1], out);
    return agn_scope_status(s);
}
static void test_written(void)
{
    for (int keep = 0; keep < 3; keep += 2) {
        shared q;
        agn_fn *f = NULL, *df = NULL, *plan = NULL;
        agn_tensor *h = array(2, (int64_t[]){ROWS, WIDE}), *g = NULL,
                   *x = array(3, (int64_t[]){STEPS, ROWS, WIDE}),
                   *w = array(2, (int64_t[]){WIDE, WIDE});
        T in[] = {h, x};
        void *p = NULL;
        open_shared(&q, &cells[0], STEPS, false, keep);
        q.W = w;
        CHECK(agn_fn_new(&f, of_state, &q, NULL, 2, 1));
        CHECK(agn_fn_grad(&df, f, NULL, 0));
        CHECK(agn_fn_compile(&plan, df, NULL));
        CHECK(agn_fn_call(&g, 1, plan, in, 2));
        agn_release(g);
        g = NULL;
        CHECK(agn_data_mut(&p, w));
        *(double *)p += 1;
        agn_status st = agn_fn_call(&g, 1, plan, in, 2);
        ok(st == AGN_ESTALE, "a captured matrix was written, %d states kept: status %d", keep,
           (int)st);
        agn_tensor *all[] = {h, x, w, g};
        for (int i = 0; i < 4; i++)
            agn_release(all[i]);
        agn_fn *fs[] = {f, df, plan, q.loop};
        for (int i = 0; i < 4; i++)
            agn_fn_release(fs[i]);
    }
}

int main(void)
{
    for (int i = 0; i < STEPS * WIDE * WIDE; i++)
        numbers[i] = sin(1.3 + 2 * i) / 2;
    agn_tensor *a = num(0.7);
    test_modes(a);
    test_places();
    test_written();
    agn_release(a);
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
