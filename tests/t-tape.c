/* tests/t-tape.c - the tape: what an unused x gets, values held constant, hooks, regions without
   gradients, and inner values kept in another form; the version check in all of them. */
#include "whole.h"

#include <stdio.h>

static agn_tensor *watched(const agn_tensor *x)
{
    agn_tensor *w = NULL;
    must(agn_watch(&w, x));
    return w;
}
static double first(const agn_tensor *x)
{
    return x ? peek(x, 0) : (double)NAN;
}

/* ---- gradients ---------------------------------------------------------------------------------- */

static void policies(void)
{
    tally t = {0, 0};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *one = scalar_of(AGN_F64, 3), *a = watched(one), *b = watched(one),
               *c = watched(one);
    agn_tensor *g[3] = {NULL}, *plain = scalar_of(AGN_F64, 1),
               *whole_number = scalar_of(AGN_I64, 1);
    T y = ag_mul(s, a, b), z = ag_add(s, y, ag_mul(s, a, ag_floor(s, c)));
    agn_gradient_options o = {.size = sizeof o, .unused = AGN_UNUSED_NONE};
    must(agn_gradient_with(g, &y, 1, (const T[]){a, c, b}, 3, NULL, &o));
    check(&t, first(g[0]) == 3 && !g[1] && first(g[2]) == 3, "none");
    agn_release(g[0]);
    agn_release(g[2]);
    must(agn_gradient_with(g, &z, 1, (const T[]){c, c}, 2, NULL, &o));
    check(&t, !g[0] && !g[1], "a way through a floor is none");
    o.unused = AGN_UNUSED_ZERO;
    must(agn_gradient_with(g, &y, 1, (const T[]){a, c, b}, 3, NULL, &o));
    check(&t, first(g[1]) == 0, "zeros");
    for (int i = 0; i < 3; i++)
        agn_release(g[i]);
    o.unused = AGN_UNUSED_ERROR;
    g[0] = g[1] = untouched;
    check(&t,
          refused(agn_gradient_with(g, &y, 1, (const T[]){a, c}, 2, NULL, &o), AGN_EARG,
                  "gradient", "xs[1]", "[]", g[0]) &&
              g[1] == untouched,
          "an error");
    /* y held constant: z = y + 3 a */
    o = (agn_gradient_options){.size = sizeof o, .n_constant = 1, .constants = &y};
    must(agn_gradient_with(g, &z, 1, (const T[]){a, b}, 2, NULL, &o));
    check(&t, first(g[0]) == 3 && first(g[1]) == 0, "a value held constant");
    agn_release(g[0]);
    agn_release(g[1]);
    must(agn_gradient_with(g, &z, 1, (const T[]){y, a}, 2, NULL, &o));
    check(&t, first(g[0]) == 1 && first(g[1]) == 3, "one that is asked for, too");
    agn_release(g[0]);
    agn_release(g[1]);
    g[0] = untouched;
#define NO(st, f1, f2, ...)                                                \
    check(&t,                                                              \
          refused(agn_gradient_with(g, &y, 1, (const T[]){a}, 1, NULL,     \
                                    &(agn_gradient_options){__VA_ARGS__}), \
                  st, "gradient", f1, f2, g[0]),                           \
          "%s", #__VA_ARGS__)
    NO(AGN_EARG, "4 bytes", "agn_gradient_options", .size = 4);
    NO(AGN_EARG, "policy 3", "2", .size = sizeof o, .unused = 3);
    NO(AGN_EARG, "-1 constants", NULL, .size = sizeof o, .n_constant = -1);
    NO(AGN_ENULL, "1 constants", "NULL", .size = sizeof o, .n_constant = 1);
    NO(AGN_ENULL, "constants[0]", "NULL", .size = sizeof o, .n_constant = 1,
       .constants = (const T[]){NULL});
    NO(AGN_EARG, "constants[0]", "not watched", .size = sizeof o, .n_constant = 1,
       .constants = (const T[]){plain});
    tell(&t, "H6: unused xs, constants");
    agn_tensor *drop[] = {one, a, b, c, plain, whole_number};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    is_int(agn_scope_close(s), AGN_OK, "the scope");
}

/* ---- hooks --------------------------------------------------------------------------------------- */

static double seen[8];
static int n_seen;
BODY(observe)
{
    (void)user;
    double v = (double)NAN;
    agn_status st = agn_item_f64(&v, in[0]);
    if (!st) /* there may be no value to see */
        seen[n_seen++ & 7] = v;
    out[0] = in[0];
    return st ? st : agn_scope_status(s);
}
FORMULA(twice, ag_mul_c(s, in[0], 2))
FORMULA(swap, s ? in[1] : NULL, in[0])
FORMULA(to_long,
        ag_concat(s,
                  (const T[]){ag_expand_dims(s, in[0], 0), ag_expand_dims(s, in[0], 0)},
                  2, 0))
FORMULA(to_complex, ag_complex(s, in[0], in[0]))
BODY(fails)
{
    (void)user, (void)s, (void)in, (void)out;
    return AGN_EDOMAIN;
}

/* x -> hooked sin x, times x */
BODY(with_hook)
{
    agn_tensor *h = NULL;
    T y = ag_sin(s, in[0]);
    if (y && !agn_scope_fail(s, agn_hook_add(&h, y, user)))
        out[0] = ag_mul(s, agn_scope_adopt(s, AGN_OK, &h), in[0]);
    return agn_scope_status(s);
}
FORMULA(same_back, s ? in[0] : NULL)

static void hooks(void)
{
    tally t = {0, 0};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *three = scalar_of(AGN_F64, 3), *x = watched(three), *h = NULL,
               *g[2] = {NULL};
    agn_fn *look = whole_fn(observe, NULL, 1, 1), *dbl = whole_fn(twice, NULL, 1, 1),
           *sw = whole_fn(swap, NULL, 2, 2);
    must(agn_hook_add(&h, x, look));
    T y = ag_add(s, ag_mul(s, h, h), h); /* three ways back */
    must(agn_gradient(g, &y, 1, (const T[]){x}, 1, NULL));
    check(&t, n_seen == 1 && seen[0] == 7 && first(g[0]) == 7,
          "one look at the sum: %d, %g", n_seen, seen[0]);
    agn_release(g[0]);
    agn_grads *map = NULL;
    must(agn_grads_new(&map));
    must(agn_backward(map, y, NULL));
    must(agn_backward(map, y, NULL));
    must(agn_grads_get(g, map, x));
    check(&t, n_seen == 3 && first(g[0]) == 14, "each walk back is looked at");
    agn_release(g[0]);
    agn_grads_release(map);
    agn_release(h);
    must(agn_hook_add(&h, x, dbl));
    y = ag_square(s, h);
    must(agn_gradient(g, &y, 1, (const T[]){x}, 1, NULL));
    check(&t, first(g[0]) == 12, "changed: %g", first(g[0]));
    agn_release(g[0]);
    agn_release(h);
    must(agn_hook_add(&h, three, dbl));
    check(&t, !agn_is_watched(h) && first(h) == 3,
          "on a value that is not watched, nothing");
    agn_release(h);
    /* two values through one function: their cotangents change places */
    agn_tensor *five = scalar_of(AGN_F64, 5), *v = watched(five), *p[2] = {NULL};
    must(agn_hook_add_all(p, (const T[]){x, v}, 2, sw));
    y = ag_add(s, ag_mul_c(s, p[0], 10), p[1]);
    must(agn_gradient(g, &y, 1, (const T[]){x, v}, 2, NULL));
    check(&t, first(g[0]) == 1 && first(g[1]) == 10, "together");
    agn_release(g[0]);
    agn_release(g[1]);
    y = ag_mul_c(s, p[0], 10); /* the other has none: zero */
    must(agn_gradient(g, &y, 1, (const T[]){x, v}, 2, NULL));
    check(&t, first(g[0]) == 0 && first(g[1]) == 10, "one of two");
    agn_release(g[0]);
    agn_release(g[1]);
    agn_release(p[0]);
    agn_release(p[1]);
    /* around a function: pre doubles, post doubles again */
    agn_fn *sq = whole_fn(with_hook, look, 1, 1),
           *around = MADE(agn_fn_hook(&made_, sq, dbl, dbl)),
           *plain = whole_fn(with_hook, dbl, 1, 1),
           *ga = MADE(agn_fn_grad(&made_, around, NULL, 0)),
           *gp = MADE(agn_fn_grad(&made_, sq, NULL, 0));
    double at[2];
    must(agn_fn_call(g, 1, ga, AGN_ARGS(three)));
    at[0] = first(g[0]);
    agn_release(g[0]);
    must(agn_fn_call(g, 1, gp, AGN_ARGS(three)));
    at[1] = first(g[0]);
    agn_release(g[0]);
    check(&t, at[0] == 4 * at[1], "before and after a function");
    tell(&t, "hooks on values and functions");

    /* an observing hook changes no derivative, in any mode; a changing one gives what it says */
    agn_fn *pass = whole_fn(same_back, NULL, 1, 1),
           *quiet = whole_fn(with_hook, pass, 1, 1);
    agn_tensor *vec = random_of(AGN_F64, 1, I64(3), 0.5, 1);
    whole(quiet, 1, (const T[]){vec}, 1e-6, "a hook that passes on");
    /* d/dx of (sin x) x with a doubled way through sin: 2 x cos x + sin x; lanes look the same */
    agn_fn *gd = MADE(agn_fn_grad(&made_, plain, NULL, 0)),
           *lanes = MADE(agn_fn_vmap(&made_, gd, NULL, 0, NULL, 0)),
           *over = MADE(agn_fn_vmap(&made_, plain, NULL, 0, NULL, 0)),
           *vjp = MADE(agn_fn_vjp(&made_, over)),
           *seeing = MADE(agn_fn_vmap(&made_, sq, NULL, 0, NULL, 0)),
           *seen_back = MADE(agn_fn_vjp(&made_, seeing)),
           *fast = MADE(agn_fn_compile(&made_, lanes, NULL));
    agn_tensor *all[3] = {NULL}, *ones = NULL, *pair[2] = {NULL};
    must(agn_full(&ones, AGN_F64, 1, I64(3), 1));
    must(agn_fn_call(all, 1, lanes, AGN_ARGS(vec)));
    must(agn_fn_call(all + 1, 1, fast, AGN_ARGS(vec)));
    must(agn_fn_call(pair, 2, vjp, AGN_ARGS(vec, ones)));
    t = (tally){0, 0};
    for (int i = 0; i < 3; i++) {
        double u = peek(vec, i), want = 2 * u * cos(u) + sin(u);
        check(&t,
              fabs(peek(all[0], i) - want) < 1e-15 &&
                  fabs(peek(all[1], i) - want) < 1e-15 &&
                  fabs(peek(pair[1], i) - want) < 1e-15,
              "lane %d", i);
    }
    agn_release(pair[0]);
    agn_release(pair[1]);
    n_seen = 0;
    must(agn_fn_call(pair, 2, seen_back, AGN_ARGS(vec, ones)));
    check(&t, n_seen == 3 && seen[1] == peek(vec, 1),
          "a hook that reads sees lanes one by one: %d", n_seen);
    agn_release(pair[0]);
    agn_release(pair[1]);
    tell(&t, "hooks under vmap and in plans");

    /* errors */
    t = (tally){0, 0};
    agn_fn *longer = whole_fn(to_long, NULL, 1, 1),
           *cplx = whole_fn(to_complex, NULL, 1, 1), *bad = whole_fn(fails, NULL, 1, 1),
           *out = (agn_fn *)(uintptr_t)0x5eed;
    agn_fn *const wrong[] = {longer, cplx, bad};
    const agn_status want[] = {AGN_ESHAPE, AGN_EDTYPE, AGN_EDOMAIN};
    for (int i = 0; i < 3; i++) {
        agn_tensor *hh = NULL;
        must(agn_hook_add(&hh, x, wrong[i]));
        T z = ag_square(s, hh);
        g[0] = untouched;
        check(&t,
              agn_gradient(g, &z, 1, (const T[]){x}, 1, NULL) == want[i] &&
                  g[0] == untouched &&
                  (i == 2 || strstr(agn_error_message(), "hook: ")),
              "hook %d: %s", i, agn_error_message());
        agn_release(hh);
    }
#define HOOK(st, op, f1, ...) \
    check(&t, refused(__VA_ARGS__, st, op, f1, NULL, untouched), "%s", #__VA_ARGS__)
    HOOK(AGN_ENULL, "hook_add", "out", agn_hook_add(NULL, x, dbl));
    HOOK(AGN_ENULL, "hook_add", "hook is", agn_hook_add(g, x, NULL));
    HOOK(AGN_ENULL, "hook_add", "xs", agn_hook_add_all(g, NULL, 1, dbl));
    HOOK(AGN_ENULL, "hook", "argument 0", agn_hook_add(g, NULL, dbl));
    HOOK(AGN_EARG, "hook_add", "2 arguments", agn_hook_add(g, x, sw));
    HOOK(AGN_EARG, "hook_add", "0 values", agn_hook_add_all(g, (const T[]){x}, 0, dbl));
    HOOK(AGN_EARG, "hook_add", "33 values",
         agn_hook_add_all(g, (const T[]){x}, 33, dbl));
    HOOK(AGN_ENULL, "fn_hook", "f is", agn_fn_hook(&out, NULL, dbl, dbl));
    HOOK(AGN_EARG, "fn_hook", "2 arguments", agn_fn_hook(&out, sq, sw, dbl));
    HOOK(AGN_EARG, "fn_hook", "2 arguments", agn_fn_hook(&out, sq, dbl, sw));
    agn_fn *wide = whole_fn(same_back, NULL, 40, 1);
    HOOK(AGN_EARG, "fn_hook", "40 arguments", agn_fn_hook(&out, wide, NULL, NULL));
    tell(&t, "refusals of hooks");

    /* flat memory over many hooked steps */
    int64_t blocks[2] = {0};
    const int steps = tap_scale(100000);
    for (int i = 0; i < steps; i++) {
        agn_tensor *hh = NULL, *w = watched(three), *z = NULL, *gg = NULL;
        must(agn_hook_add(&hh, w, dbl));
        must(agn_square(&z, hh));
        must(agn_gradient(&gg, (const T[]){z}, 1, (const T[]){w}, 1, NULL));
        agn_release(hh);
        agn_release(w);
        agn_release(z);
        agn_release(gg);
        agn_memory_live(NULL, &blocks[i > 100], NULL);
    }
    is_int(blocks[1], blocks[0], "H5: %d hooked steps", steps);
    agn_fn *fns[] = {look,   dbl,       sw,    sq,     around, plain, ga,
                     gp,     pass,      quiet, gd,     lanes,  over,  vjp,
                     seeing, seen_back, fast,  longer, cplx,   bad,   wide};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_tensor *drop[] = {three, x, five, v, vec, ones, all[0], all[1]};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    is_int(agn_scope_close(s), AGN_OK, "the scope");
}

/* ---- regions without gradients -------------------------------------------------------------------- */

FORMULA(square, ag_square(s, in[0]))
FORMULA(times_captured, ag_mul(s, in[0], (T)user))
/* x + no_grad(x^2) */
BODY(with_region)
{
    T y = NULL;
    if (!agn_fn_apply(s, &y, 1, user, in, agn_fn_n_in(user)))
        out[0] = ag_add(s, in[0], y);
    return agn_scope_status(s);
}

static void regions(void)
{
    tally t = {0, 0};
    agn_tensor *three = scalar_of(AGN_F64, 3), *x = watched(three), *y = NULL;
    agn_fn *sq = whole_fn(square, NULL, 1, 1), *off = MADE(agn_fn_no_grad(&made_, sq)),
           *cap = whole_fn(times_captured, x, 1, 1),
           *cap_off = MADE(agn_fn_no_grad(&made_, cap)),
           *f = whole_fn(with_region, off, 1, 1), *out = (agn_fn *)(uintptr_t)0x5eed;
    must(agn_fn_call(&y, 1, off, AGN_ARGS(x)));
    check(&t, first(y) == 9 && !agn_is_watched(y), "nothing is recorded");
    agn_release(y);
    must(agn_fn_call(&y, 1, cap_off, AGN_ARGS(three)));
    check(&t, first(y) == 9 && !agn_is_watched(y), "nor what it captures");
    agn_release(y);
    for (const char *m = "FRJV"; *m; m++) {
        agn_fn *d = *m == 'F'   ? MADE(agn_fn_jvp(&made_, f))
                    : *m == 'R' ? MADE(agn_fn_grad(&made_, f, NULL, 0))
                    : *m == 'J' ? MADE(agn_fn_jet(&made_, f, 1))
                                : MADE(agn_fn_vjp(&made_, f));
        agn_fn *fast = MADE(agn_fn_compile(&made_, d, NULL));
        agn_tensor *one = scalar_of(AGN_F64, 1), *z[2] = {NULL};
        for (int k = 0; k < 2; k++) {
            must(agn_fn_call(z, agn_fn_n_out(d), k ? fast : d, (const T[]){three, one},
                             agn_fn_n_in(d)));
            check(&t, first(z[*m != 'R']) == 1, "mode %c: %g", *m, first(z[*m != 'R']));
            agn_release(z[0]);
            if (*m != 'R')
                agn_release(z[1]);
        }
        agn_release(one);
        agn_fn_release(fast);
        agn_fn_release(d);
    }
    HOOK(AGN_ENULL, "fn_no_grad", "f is", agn_fn_no_grad(&out, NULL));
    tell(&t, "regions without gradients");
    agn_fn *fns[] = {sq, off, cap, cap_off, f};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_release(three);
    agn_release(x);
}

/* ---- inner values in another form ----------------------------------------------------------------- */

/* x, w: a chain of products and functions, what is captured counts */
FORMULA(
    chain,
    ag_sum_all(s, ag_tanh(s, ag_mul(s, ag_exp(s, ag_sin(s, ag_matmul(s, in[0], in[1]))),
                                    (T)user))))
static int packs, unpacks;
FORMULA(keep, (packs++, s) ? in[0] : NULL)
FORMULA(give_back, (unpacks++, s) ? in[0] : NULL)
FORMULA(halve, ag_cast(s, in[0], AGN_F16))
FORMULA(widen, ag_cast(s, in[0], AGN_F64))
FORMULA(shorter, ag_sum_all(s, in[0]))
FORMULA(imaginary, ag_complex(s, in[0], in[0]))

/* to files named by a number, which is the packed value */
static int files;
static const char *name_of(int64_t i)
{
    static char name[64];
    snprintf(name, sizeof name, "t-tape.tmp.%d.npy", (int)i);
    return name;
}
BODY(to_file)
{
    agn_tensor *number = NULL;
    (void)user;
    agn_status st = agn_npy_save(name_of(files), in[0]);
    if (!st)
        st = agn_full(&number, AGN_I64, 0, NULL, files++);
    out[0] = agn_scope_adopt(s, st, &number);
    return agn_scope_status(s);
}
BODY(from_file)
{
    int64_t i = -1;
    agn_tensor *x = NULL;
    (void)user;
    agn_status st = agn_item_i64(&i, in[0]);
    if (!st)
        st = agn_npy_load(&x, name_of(i));
    out[0] = agn_scope_adopt(s, st, &x);
    return agn_scope_status(s);
}

static void packing(void)
{
    tally t = {0, 0};
    agn_tensor *a = random_of(AGN_F64, 2, I64(4, 3), -1, 1),
               *w = random_of(AGN_F64, 2, I64(3, 2), -1, 1),
               *c = random_of(AGN_F64, 2, I64(4, 2), -1, 1);
    const T in[2] = {a, w};
    agn_fn *f = whole_fn(chain, c, 2, 1), *pk = whole_fn(keep, NULL, 1, 1),
           *un = whole_fn(give_back, NULL, 1, 1),
           *kept = MADE(agn_fn_pack(&made_, f, pk, un)),
           *g = MADE(agn_fn_grad(&made_, f, I32(0, 1), 2)),
           *gk = MADE(agn_fn_grad(&made_, kept, I32(0, 1), 2));
    whole_same(gk, in, g, in, 0, 1e-16, "packed as they are");
    ok(packs >= 4 && unpacks == packs, "%d values went out, %d came back", packs,
       unpacks);
    whole(kept, 2, in, 1e-6, "packed values");
    agn_fn *narrow = whole_fn(halve, NULL, 1, 1), *wide = whole_fn(widen, NULL, 1, 1),
           *half = MADE(agn_fn_pack(&made_, f, narrow, narrow)),
           *gh = MADE(agn_fn_grad(&made_, half, I32(0, 1), 2));
    agn_tensor *have[2] = {NULL}, *want[2] = {NULL};
    must(agn_fn_call(have, 2, gh, in, 2));
    must(agn_fn_call(want, 2, g, in, 2));
    for (int i = 0; i < 2; i++) {
        double e = modes_apart(have[i], want[i]);
        check(&t, e > 1e-8 && e < 5e-3 && agn_dtype_of(have[i]) == AGN_F64,
              "gradient %d from halves: apart %.1e", i, e);
        agn_release(have[i]);
        agn_release(want[i]);
    }
    tell(&t, "in half precision: close, not equal");
    /* files: the values leave memory, and a file that is gone is an error of the gradient */
    agn_fn *to = whole_fn(to_file, NULL, 1, 1), *from = whole_fn(from_file, NULL, 1, 1),
           *filed = MADE(agn_fn_pack(&made_, f, to, from)),
           *gf = MADE(agn_fn_grad(&made_, filed, I32(0, 1), 2));
    whole_same(gf, in, g, in, 0, 1e-16, "through files");
    t = (tally){0, 0};
    agn_tensor *aw = watched(a), *y = NULL, *ga = untouched;
    must(agn_fn_call(&y, 1, filed, AGN_ARGS(aw, w)));
    for (int i = 0; i < files; i++)
        remove(name_of(i));
    agn_status st = agn_gradient(&ga, (const T[]){y}, 1, (const T[]){aw}, 1, NULL);
    check(&t, st == AGN_EIO && ga == untouched, "a file that is gone: %s, %s",
          agn_status_name(st), agn_error_message());
    agn_release(y);
    agn_fn *out = (agn_fn *)(uintptr_t)0x5eed;
    agn_fn *const wrong[] = {whole_fn(shorter, NULL, 1, 1),
                             whole_fn(imaginary, NULL, 1, 1)};
    for (int i = 0; i < 2; i++) {
        agn_fn *p = MADE(agn_fn_pack(&made_, f, pk, wrong[i]));
        must(agn_fn_call(&y, 1, p, AGN_ARGS(aw, w)));
        check(&t,
              refused(agn_gradient(&ga, (const T[]){y}, 1, (const T[]){aw}, 1, NULL),
                      i ? AGN_EDTYPE : AGN_ESHAPE, "unpack", i ? "c128" : "[]", NULL,
                      ga),
              "a wrong unpack");
        agn_release(y);
        agn_fn_release(p);
        agn_fn_release(wrong[i]);
    }
    agn_fn *bad = whole_fn(fails, NULL, 1, 1),
           *p = MADE(agn_fn_pack(&made_, f, bad, un));
    y = untouched;
    check(&t, agn_fn_call(&y, 1, p, AGN_ARGS(aw, w)) == AGN_EDOMAIN && y == untouched,
          "pack fails");
    agn_fn_release(p);
    p = MADE(agn_fn_pack(&made_, f, pk, bad));
    must(agn_fn_call(&y, 1, p, AGN_ARGS(aw, w)));
    check(&t,
          agn_gradient(&ga, (const T[]){y}, 1, (const T[]){aw}, 1, NULL) ==
                  AGN_EDOMAIN &&
              ga == untouched,
          "unpack fails");
    agn_release(y);
    agn_fn_release(p);
    agn_fn *two = whole_fn(swap, NULL, 2, 2);
    HOOK(AGN_ENULL, "fn_pack", "f is", agn_fn_pack(&out, NULL, pk, un));
    HOOK(AGN_ENULL, "fn_pack", "unpack", agn_fn_pack(&out, f, pk, NULL));
    HOOK(AGN_ENULL, "fn_pack", "pack", agn_fn_pack(&out, f, NULL, un));
    HOOK(AGN_EARG, "fn_pack", "2 arguments", agn_fn_pack(&out, f, two, un));
    HOOK(AGN_EARG, "fn_pack", "unpack has 2", agn_fn_pack(&out, f, pk, two));
    tell(&t, "refusals of packing");
    agn_release(aw);
    agn_fn *fns[] = {f,    pk, un, kept, g,     gk, narrow, wide,
                     half, gh, to, from, filed, gf, bad,    two};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_release(a);
    agn_release(w);
    agn_release(c);
}

/* what a packed chain keeps alive between the value and its gradient */
FORMULA(long_chain,
        ag_sin(s,
               ag_sin(s, ag_sin(s, ag_sin(s, ag_sin(s, ag_sin(s, ag_sin(s, in[0]))))))))
static int64_t kept_bytes(bool packed)
{
    int64_t before, after;
    agn_tensor *big = random_of(AGN_F64, 1, I64(100000), -1, 1), *x = watched(big),
               *y = NULL;
    agn_fn *f = whole_fn(long_chain, NULL, 1, 1), *narrow = whole_fn(halve, NULL, 1, 1),
           *half = MADE(agn_fn_pack(&made_, f, narrow, narrow));
    agn_memory_live(&before, NULL, NULL);
    must(agn_fn_call(&y, 1, packed ? half : f, AGN_ARGS(x)));
    agn_memory_live(&after, NULL, NULL);
    agn_release(y);
    agn_release(x);
    agn_release(big);
    agn_fn_release(f);
    agn_fn_release(narrow);
    agn_fn_release(half);
    return after - before;
}

/* ---- values that are written after they were saved ----------------------------------------------------- */

/* y = f(x), x is written, then the gradient */
static agn_status write_between(const agn_fn *f, bool constants)
{
    double *data = malloc(3 * sizeof *data);
    agn_tensor *mine = NULL, *x, *y = NULL, *g = untouched;
    void *p = NULL;
    data[0] = 1, data[1] = 2, data[2] = 3;
    must(agn_wrap_host(&mine, AGN_F64, 1, I64(3), NULL, data, false, free, data));
    x = watched(mine);
    must(agn_fn_call(&y, 1, f, AGN_ARGS(x)));
    must(agn_data_mut(&p, mine));
    data[0] = 7;
    agn_tensor *other = watched(y);
    const T hold[1] = {other};
    agn_status st = agn_gradient_with(
        &g, (const T[]){y}, 1, (const T[]){x}, 1, NULL,
        &(agn_gradient_options){.size = sizeof(agn_gradient_options),
                                .unused = AGN_UNUSED_ERROR,
                                .n_constant = constants,
                                .constants = hold});
    if (!st)
        agn_release(g);
    else if (g != untouched)
        st = AGN_OK;
    agn_release(other);
    agn_release(y);
    agn_release(x);
    agn_release(mine);
    return st;
}
FORMULA(add_one, ag_add_c(s, in[0], 1))

static void versions(void)
{
    tally t = {0, 0};
    agn_fn *sq = whole_fn(square, NULL, 1, 1), *plus = whole_fn(add_one, NULL, 1, 1),
           *dbl = whole_fn(twice, NULL, 1, 1), *pass = whole_fn(same_back, NULL, 1, 1);
    agn_fn *const f[] = {sq, plus};
    for (int i = 0; i < 2; i++) {
        const agn_status want = i ? AGN_OK : AGN_ESTALE;
        agn_fn *hk = MADE(agn_fn_hook(&made_, f[i], dbl, dbl)),
               *pk = MADE(agn_fn_pack(&made_, f[i], pass, pass));
        check(&t, write_between(f[i], false) == want, "gradient_with");
        check(&t, write_between(f[i], true) == want, "with constants");
        check(&t, write_between(hk, false) == want, "through hooks");
        check(&t, write_between(pk, false) == want, "packed");
        agn_fn_release(hk);
        agn_fn_release(pk);
    }
    tell(&t, "x x refuses a write to x in between, x + 1 reads nothing");
    agn_fn *fns[] = {sq, plus, dbl, pass};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
}

static agn_status gradient_maker(void *user, agn_tensor **out)
{
    const T *q = user;
    return agn_gradient_with(out, q, 1, q + 1, 1, NULL, NULL);
}
static agn_status hook_maker(void *user, agn_tensor **out)
{
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, twice, NULL, NULL, 1, 1);
    if (!st)
        st = agn_hook_add(out, user, f);
    agn_fn_release(f);
    return st;
}

int main(void)
{
    policies();
    hooks();
    regions();
    packing();
    int64_t plain = kept_bytes(false), packed = kept_bytes(true);
    ok(packed < plain / 2,
       "seven functions keep %" PRId64 " bytes, packed in halves %" PRId64, plain,
       packed);
    versions();
    agn_tensor *one = scalar_of(AGN_F64, 1), *x = watched(one), *y = NULL;
    must(agn_square(&y, x));
    every_allocation(gradient_maker, (T[]){y, x}, "gradient_with");
    every_allocation(hook_maker, x, "hook_add");
    agn_release(y);
    agn_release(x);
    agn_release(one);
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
