/* t-nested - control ops within each other, compiled functions within functions and
   loops, and constants for derivatives, all in every mode against the same written out.
   */
#include "tests/control.h"

typedef const agn_tensor *T;

/* calls f of n arguments */
static void apply(const agn_fn *f, agn_scope *s, T *out, const T *in)
{
    agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
}

/* ---- small bodies ---------------------------------------------------------------- */

static agn_status bend(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    out[0] = ag_mul(s, ag_sin(s, in[0]), in[1]);
    return AGN_OK;
}
static agn_status grow(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    out[0] = ag_add(s, in[0], ag_mul(s, in[1], in[1]));
    return AGN_OK;
}
static agn_status below_two(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    out[0] = ag_lt(s, in[0], ag_lit(s, 2));
    return AGN_OK;
}

/* ---- a scan of switches of whiles and checkpoints -------------------------------- */

enum { STEPS = 6, TURNS = 5 };
typedef struct parts {
    agn_fn *choose, *loop;
} parts;

/* carried c, slices (i, x): branch i mod 3 of (c, x) */
static agn_status step(void *user, agn_scope *s, const T *in, T *out)
{
    const parts *p = user;
    apply(p->choose, s, out, (const T[]){in[1], in[0], in[2]});
    out[1] = ag_mul(s, out[0], in[2]);
    return AGN_OK;
}
/* a loop of at most TURNS: adds x^2 while below 2 */
static agn_status turn(void *loop, agn_scope *s, const T *in, T *out)
{
    T y[2] = {NULL, NULL};
    apply(loop, s, y, in);
    out[0] = ag_tanh(s, y[0]);
    return AGN_OK;
}
static agn_status turn_written_out(void *u, agn_scope *s, const T *in, T *out)
{
    T c = in[0], go, next;
    (void)u;
    for (int i = 0; i < TURNS; i++) {
        below_two(NULL, s, (const T[]){c, in[1]}, &go);
        grow(NULL, s, (const T[]){c, in[1]}, &next);
        c = ag_where(s, go, next, c);
    }
    out[0] = ag_tanh(s, c);
    return AGN_OK;
}

static T slices(agn_scope *s, T x)
{
    return ag_sin(s, ag_mul(s, ag_arange(s, AGN_F64, 1, STEPS + 1, 1), x));
}
static agn_status tower(void *scan, agn_scope *s, const T *in, T *out)
{
    T y[2] = {NULL, NULL};
    T which = ag_cast(
        s, ag_remainder(s, ag_arange(s, AGN_F64, 0, STEPS, 1), ag_lit(s, 3)), AGN_I64);
    apply(scan, s, y, (const T[]){in[0], which, slices(s, in[0])});
    out[0] = ag_add(s, y[0], ag_sum_all(s, y[1]));
    return AGN_OK;
}
static agn_status tower_written_out(void *u, agn_scope *s, const T *in, T *out)
{
    static agn_body *const body[3] = {bend, grow, turn_written_out};
    T c = in[0], xs = slices(s, in[0]), sum = ag_lit(s, 0);
    (void)u;
    for (int i = 0; i < STEPS; i++) {
        T x = ag_index_axis(s, xs, 0, i), next = NULL;
        body[i % 3](NULL, s, (const T[]){c, x}, &next);
        c = next;
        sum = ag_add(s, sum, ag_mul(s, c, x));
    }
    out[0] = ag_add(s, c, sum);
    return AGN_OK;
}

static void test_tower(void)
{
    agn_fn *f[12] = {NULL}, *plain = NULL, *tall = NULL;
    agn_while_options few = {.size = sizeof few, .max_steps = TURNS, .keep = 2};
    agn_scan_options some = {.size = sizeof some, .keep = 3};
    agn_tensor *x = num(0.8);
    CHECK(agn_fn_new(&f[0], bend, NULL, NULL, 2, 1));
    CHECK(agn_fn_checkpoint(&f[1], f[0]));
    CHECK(agn_fn_new(&f[2], grow, NULL, NULL, 2, 1));
    CHECK(agn_fn_compile(&f[3], f[2], NULL));
    CHECK(agn_fn_new(&f[4], below_two, NULL, NULL, 2, 1));
    CHECK(agn_fn_while(&f[5], f[4], f[3], &few));
    CHECK(agn_fn_new(&f[6], turn, f[5], NULL, 2, 1));
    CHECK(agn_fn_switch(&f[7], (const agn_fn *[]){f[1], f[3], f[6]}, 3));
    parts p = {f[7], f[5]};
    CHECK(agn_fn_new(&f[8], step, &p, NULL, 3, 2));
    CHECK(agn_fn_checkpoint(&f[9], f[8]));
    CHECK(agn_fn_new(&plain, tower_written_out, NULL, NULL, 1, 1));
    for (int kept = 0; kept < 2; kept++) {
        agn_fn *scan = NULL;
        CHECK(agn_fn_scan_with(&scan, f[8 + kept], 1, 0, STEPS, kept ? &some : NULL));
        CHECK(agn_fn_new(&tall, tower, scan, NULL, 1, 1));
        same_in_all_modes(
            tall, plain, (const T[]){x}, 1, 0,
            kept ? "scan, few states, of checkpoints of switches of whiles of plans"
                 : "scan of switches of whiles of plans");
        agn_fn_release(tall);
        agn_fn_release(scan);
    }
    for (int i = 0; i < 12; i++)
        agn_fn_release(f[i]);
    agn_fn_release(plain);
    agn_release(x);
}

/* ---- a while of scans of maps ---------------------------------------------------- */

static agn_status wavy(void *map, agn_scope *s, const T *in, T *out)
{
    T y = NULL; /* carried c, slice i: mean of sin(c + k i) over lanes k */
    apply(map, s, &y, (const T[]){ag_arange(s, AGN_F64, 0, 4, 1), in[0], in[1]});
    out[0] = ag_add(s, in[0], ag_mul_c(s, ag_mean_all(s, y), 0.5));
    return AGN_OK;
}
static agn_status lane(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    out[0] = ag_sin(s, ag_add(s, in[1], ag_mul(s, in[0], in[2])));
    return AGN_OK;
}
static agn_status sweep(void *scan, agn_scope *s, const T *in, T *out)
{
    apply(scan, s, out,
          (const T[]){in[0], ag_mul(s, ag_arange(s, AGN_F64, 1, 4, 1), in[1])});
    return AGN_OK;
}
static agn_status wide(void *loop, agn_scope *s, const T *in, T *out)
{
    T y[2] = {NULL, NULL};
    apply(loop, s, y, (const T[]){ag_mul_c(s, in[0], 0.3), in[0]});
    out[0] = ag_mul(s, y[0], ag_exp(s, in[0]));
    return AGN_OK;
}
static agn_status wide_written_out(void *u, agn_scope *s, const T *in, T *out)
{
    T c = ag_mul_c(s, in[0], 0.3);
    (void)u;
    for (int n = 0; n < TURNS; n++) {
        T go = ag_lt(s, c, ag_lit(s, 2)), old = c;
        for (int i = 1; i < 4; i++) {
            T sum = NULL, x = ag_mul_c(s, in[0], i);
            for (int k = 0; k < 4; k++) {
                T y = ag_sin(s, ag_add(s, c, ag_mul_c(s, x, k)));
                sum = sum ? ag_add(s, sum, y) : y;
            }
            c = ag_add(s, c, ag_mul_c(s, sum, 0.125));
        }
        c = ag_where(s, go, c, old);
    }
    out[0] = ag_mul(s, c, ag_exp(s, in[0]));
    return AGN_OK;
}

static void test_wide(void)
{
    agn_fn *f[8] = {NULL}, *g = NULL;
    agn_while_options few = {.size = sizeof few, .max_steps = TURNS};
    agn_tensor *x = num(0.6);
    CHECK(agn_fn_new(&f[0], lane, NULL, NULL, 3, 1));
    CHECK(
        agn_fn_map(&f[1], f[0], (int32_t[]){0, AGN_UNBATCHED, AGN_UNBATCHED}, 3, NULL, 0, 3));
    CHECK(agn_fn_new(&f[2], wavy, f[1], NULL, 2, 1));
    CHECK(agn_fn_scan(&f[3], f[2], 1, 0, 3, false));
    CHECK(agn_fn_new(&f[4], sweep, f[3], NULL, 2, 1));
    CHECK(agn_fn_new(&f[5], below_two, NULL, NULL, 2, 1));
    CHECK(agn_fn_while(&f[6], f[5], f[4], &few));
    CHECK(agn_fn_new(&f[7], wide, f[6], NULL, 1, 1));
    CHECK(agn_fn_new(&g, wide_written_out, NULL, NULL, 1, 1));
    same_in_all_modes(f[7], g, (const T[]){x}, 1, 0, "while of scans of maps");
    for (int i = 0; i < 8; i++)
        agn_fn_release(f[i]);
    agn_fn_release(g);
    agn_release(x);
}

/* ---- compiled functions ---------------------------------------------------------- */

static agn_status curve(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    out[0] = ag_exp(s, ag_mul(s, ag_sin(s, in[0]), in[0]));
    return AGN_OK;
}
static agn_status around(void *f, agn_scope *s, const T *in, T *out)
{
    T y = NULL, z = NULL;
    apply(f, s, &y, (const T[]){ag_mul(s, in[0], in[0])});
    apply(f, s, &z, (const T[]){ag_mul_c(s, y, 0.5)});
    out[0] = ag_add(s, ag_mul(s, y, in[0]), z);
    return AGN_OK;
}

static void test_compiled(void)
{
    agn_fn *f = NULL, *p = NULL, *pp = NULL, *a = NULL, *b = NULL, *c = NULL, *d = NULL,
           *dp = NULL;
    agn_tensor *x = num(0.7);
    CHECK(agn_fn_new(&f, curve, NULL, NULL, 1, 1));
    CHECK(agn_fn_compile(&p, f, NULL));
    CHECK(agn_fn_compile(&pp, p, NULL));
    CHECK(agn_fn_new(&a, around, f, NULL, 1, 1));
    CHECK(agn_fn_new(&b, around, p, NULL, 1, 1));
    CHECK(agn_fn_new(&c, around, pp, NULL, 1, 1));
    same_in_all_modes(b, a, (const T[]){x}, 1, 0, "a compiled function called");
    same_in_all_modes(c, a, (const T[]){x}, 1, 0, "a plan of a plan called");
    CHECK(agn_fn_grad(&d, p, NULL, 0)); /* a compiled gradient of a compiled function */
    CHECK(agn_fn_compile(&dp, d, NULL));
    agn_fn *da = NULL, *aa = NULL, *bb = NULL;
    CHECK(agn_fn_grad(&da, f, NULL, 0));
    CHECK(agn_fn_new(&aa, around, da, NULL, 1, 1));
    CHECK(agn_fn_new(&bb, around, dp, NULL, 1, 1));
    same_in_all_modes(bb, aa, (const T[]){x}, 1, 0, "a compiled gradient called");
    agn_fn *all[] = {f, p, pp, a, b, c, d, dp, da, aa, bb};
    for (int i = 0; i < 11; i++)
        agn_fn_release(all[i]);
    agn_release(x);
}

/* ---- constants for derivatives --------------------------------------------------- */

/* x^2 c, where c = sin(x0) is held */
static agn_status held(void *held_at, agn_scope *s, const T *in, T *out)
{
    T c = held_at ? ag_lit(s, *(double *)held_at)
                  : ag_stop_gradient(s, ag_sin(s, in[0]));
    out[0] = ag_mul(s, ag_mul(s, in[0], in[0]), c);
    return AGN_OK;
}
static agn_status by_body(void *f, agn_scope *s, const T *in, T *out)
{
    return agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
}

/* In orders and modes at one point; lanes have points of their own. */
static void test_held(void)
{
    double at = sin(0.7);
    agn_tensor *x = num(0.7);
    agn_fn *f = NULL, *g = NULL;
    CHECK(agn_fn_new(&f, held, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&g, held, &at, NULL, 1, 1));
    agn_fn *in_a[5] = {agn_fn_retain(f),
                       NULL}; /* plain, compiled, checkpointed, in a scan's place */
    CHECK(agn_fn_compile(&in_a[1], f, NULL));
    CHECK(agn_fn_checkpoint(&in_a[2], f));
    CHECK(agn_fn_scan(&in_a[3], f, 1, 0, 1, false));
    CHECK(agn_fn_new(&in_a[4], by_body, f, NULL, 1, 1));
    for (int i = 0; i < 5; i++) {
        agn_fn *df = agn_fn_retain(in_a[i]), *dg = agn_fn_retain(g);
        for (int o = 0; o <= 3; o++) {
            agn_fn *jf = NULL, *jg = NULL, *tf = NULL, *tg = NULL, *nf = NULL,
                   *ng = NULL, *plan = NULL;
            same(df, dg, (const T[]){x}, "held: reverse");
            CHECK(agn_fn_jvp(&jf, df));
            CHECK(agn_fn_jvp(&jg, dg));
            same(jf, jg, (const T[]){x, x}, "held: forward over reverse");
            CHECK(agn_fn_jet(&tf, df, 3));
            CHECK(agn_fn_jet(&tg, dg, 3));
            same(tf, tg, (const T[]){x, x, x, x}, "held: jets over reverse");
            CHECK(agn_fn_compile(&plan, jf, NULL));
            same(plan, jg, (const T[]){x, x}, "held: in a plan");
            agn_fn *vf = NULL, *vg = NULL;
            agn_tensor *xs = vec(2, (double[]){0.7, 0.7});
            CHECK(agn_fn_vmap(&vf, jf, NULL, 0, NULL, 0));
            CHECK(agn_fn_vmap(&vg, jg, NULL, 0, NULL, 0));
            same(vf, vg, (const T[]){xs, xs}, "held: lanes");
            agn_release(xs);
            CHECK(agn_fn_grad(&nf, df, NULL, 0));
            CHECK(agn_fn_grad(&ng, dg, NULL, 0));
            agn_fn *all[] = {df, dg, jf, jg, tf, tg, plan, vf, vg};
            for (int k = 0; k < 9; k++)
                agn_fn_release(all[k]);
            df = nf;
            dg = ng;
        }
        agn_fn_release(df);
        agn_fn_release(dg);
        agn_fn_release(in_a[i]);
    }
    agn_fn_release(f);
    agn_fn_release(g);
    agn_release(x);
}

int main(void)
{
    test_tower();
    test_wide();
    test_compiled();
    test_held();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
