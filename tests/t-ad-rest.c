/* tests/t-ad-rest.c - defects of derivatives that other libraries had (laws H) and that have no place to
   be here: what shows that they have none. */
#include "whole.h"

#include <fcntl.h>
#include <unistd.h>

static agn_tensor *watched(const agn_tensor *x)
{
    agn_tensor *w = NULL;
    must(agn_watch(&w, x));
    return w;
}

/* ---- H16: warnings, again and again ----------------------------------------------------------- */

/* bytes that a hundred questions for gradients that are none write to both streams */
static long words_said(void)
{
    const char *name = "t-ad-rest.tmp";
    agn_tensor *x = scalar_of(AGN_F64, 2), *unused = scalar_of(AGN_F64, 3), *w = watched(x),
               *u = watched(unused), *y = NULL, *n = NULL, *g[2] = {NULL};
    int file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600), kept[2] = {dup(1), dup(2)};
    fflush(stdout);
    dup2(file, 1);
    dup2(file, 2);
    must(agn_square(&y, w));
    must(agn_floor(&n, w));
    for (int i = 0; i < 100; i++)
        for (int policy = AGN_UNUSED_ZERO; policy <= AGN_UNUSED_ERROR; policy++) {
            agn_gradient_options o = {.size = sizeof o, .unused = policy};
            agn_status st = agn_gradient_with(g, (const T[]){i % 2 ? n : y}, 1, (const T[]){w, u}, 2, NULL, &o);
            for (int k = 0; !st && k < 2; k++)
                agn_release(g[k]);
        }
    fflush(stdout);
    fflush(stderr);
    long said = (long)lseek(file, 0, SEEK_END);
    for (int k = 0; k < 2; k++) {
        dup2(kept[k], k + 1);
        close(kept[k]);
    }
    close(file);
    unlink(name);
    agn_tensor *gone[] = {x, unused, w, u, y, n};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    return said;
}

/* ---- H17: parameters without a gradient --------------------------------------------------------- */

FORMULA(of_one, ag_sum_all(s, ag_square(s, in[0])))
static void steps(void)
{
    tally t = {0, 0};
    agn_fn *f = whole_fn(of_one, NULL, 2, 1), *vg = MADE(agn_fn_value_and_grad(&made_, f, I32(0, 1), 2));
    agn_tensor *p[2] = {random_of(AGN_F64, 1, I64(3), 1, 2), random_of(AGN_F64, 1, I64(4), 1, 2)};
    for (int kind = AGN_OPTIM_ADAM; kind <= AGN_OPTIM_SSBROYDEN; kind++) {
        agn_optim *o = NULL;
        agn_tensor *now[2] = {NULL};
        must(agn_optim_new(&o, kind, (const T *)p, 2, NULL));
        for (int i = 0; i < 3; i++)
            must(agn_optim_step(NULL, NULL, o, vg, NULL, 0));
        must(agn_optim_params(now, 2, o));
        check(&t, modes_apart(now[1], p[1]) == 0, "method %d leaves what the loss does not use", kind);
        check(&t, modes_apart(now[0], p[0]) > 1e-4, "method %d moves the other", kind);
        agn_release(now[0]);
        agn_release(now[1]);
        agn_optim_release(o);
    }
    agn_release(p[0]);
    agn_release(p[1]);
    agn_fn_release(f);
    agn_fn_release(vg);
    tell(&t, "H17: steps with a parameter that has no gradient");
}

/* ---- H24: copies ----------------------------------------------------------------------------------- */

/* in[0] counts, in[1] is held */
FORMULA(half_held, ag_sum_all(s, ag_mul(s, ag_square(s, in[0]), ag_stop_gradient(s, ag_exp(s, in[0])))))
static void copies(void)
{
    tally t = {0, 0};
    const char *name = "t-ad-rest.fn.tmp";
    agn_tensor *x = random_of(AGN_F64, 1, I64(3), 1, 2), *w = watched(x), *view = NULL, *copy = NULL, *same = NULL,
               *out = NULL;
    must(agn_copy(&copy, w));
    must(agn_reshape(&view, w, 2, I64(3, 1)));
    must(agn_stop_gradient(&out, w));
    same = agn_retain(w);
    check(&t, agn_is_watched(copy) && agn_is_watched(view) && agn_is_watched(same), "copies are watched");
    check(&t, !agn_is_watched(out) && !agn_is_watched(x), "what is stopped is not, nor is the original");
    /* programs: traced, compiled, saved and loaded, what is held is held */
    agn_fn *f = whole_fn(half_held, NULL, 1, 1), *plan = MADE(agn_fn_compile(&made_, f, NULL)), *loaded = NULL;
    must(agn_fn_save(name, f, AGN_ARGS(x)));
    must(agn_fn_load(&loaded, name));
    unlink(name);
    agn_fn *const all[] = {f, plan, loaded};
    for (int k = 0; k < COUNT(all); k++) {
        agn_fn *g = MADE(agn_fn_grad(&made_, all[k], NULL, 0)), *gp = MADE(agn_fn_compile(&made_, g, NULL));
        agn_tensor *y[2] = {NULL};
        must(agn_fn_call(y, 1, g, AGN_ARGS(x)));
        must(agn_fn_call(y + 1, 1, gp, AGN_ARGS(x)));
        for (int64_t i = 0; i < 3; i++) {
            double v = peek(x, i), want = 2 * v * exp(v);
            check(&t, fabs(peek(y[0], i) - want) < 1e-13 * want && fabs(peek(y[1], i) - want) < 1e-13 * want,
                  "program %d", k);
        }
        agn_release(y[0]);
        agn_release(y[1]);
        agn_fn_release(g);
        agn_fn_release(gp);
    }
    for (int k = 0; k < COUNT(all); k++)
        agn_fn_release(all[k]);
    agn_tensor *gone[] = {x, w, view, copy, same, out};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    tell(&t, "H24: copies keep what is watched, programs what is held");
}

/* ---- H26: what loops collect ------------------------------------------------------------------------- */

/* carried x; slices: x of each dtype, a count, a truth */
FORMULA(collects, ag_mul_c(s, in[0], 1.5), ag_cast(s, in[0], AGN_F32), ag_cast(s, ag_floor(s, in[0]), AGN_I32),
        ag_gt(s, in[0], ag_lit(s, 1)), ag_complex(s, in[0], ag_neg(s, in[0])))
BODY(of_lists)
{
    T y[5] = {NULL};
    agn_fn_apply(s, y, 5, user, in, agn_fn_n_in(user));
    out[0] = agn_scope_status(s) ? NULL
                                 : ag_add(s, ag_sum_all(s, ag_cast(s, y[1], AGN_F64)),
                                          ag_sum_all(s, ag_square(s, ag_imag(s, y[4]))));
    return agn_scope_status(s);
}
static void lists(void)
{
    static const int dtype[] = {AGN_F64, AGN_F32, AGN_I32, AGN_BOOL, AGN_C128};
    enum { TURNS = 4 };
    tally t = {0, 0};
    agn_tensor *x = scalar_of(AGN_F64, 0.75), *g[2] = {NULL};
    agn_fn *body = whole_fn(collects, NULL, 1, 5), *loop = MADE(agn_fn_scan(&made_, body, 1, 0,
                                                                            TURNS, false));
    agn_fn *f = whole_fn(of_lists, loop, 1, 1), *d = MADE(agn_fn_grad(&made_, f, NULL, 0));
    agn_fn *forms[] = {loop, MADE(agn_fn_compile(&made_, loop, NULL))}, *dp = MADE(agn_fn_compile(&made_, d, NULL));
    for (int k = 0; k < 2; k++) {
        agn_tensor *y[5] = {NULL};
        must(agn_fn_call(y, 5, forms[k], AGN_ARGS(x)));
        for (int o = 0; o < 5; o++) {
            check(&t, (int)agn_dtype_of(y[o]) == dtype[o] && agn_ndim(y[o]) == (o > 0), "list %d", o);
            agn_release(y[o]);
        }
    }
    /* sum_k 1.5^k x + (1.5^k x)^2 */
    double want = 0;
    for (int k = 0; k < TURNS; k++)
        want += pow(1.5, k) + 2 * pow(1.5, 2 * k) * 0.75;
    must(agn_fn_call(g, 1, d, AGN_ARGS(x)));
    must(agn_fn_call(g + 1, 1, dp, AGN_ARGS(x)));
    for (int k = 0; k < 2; k++) {
        check(&t, agn_dtype_of(g[k]) == AGN_F64 && fabs(peek(g[k], 0) - want) < 1e-6 * want, "gradient");
        agn_release(g[k]);
    }
    agn_fn *drop[] = {body, loop, forms[1], f, d, dp};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_release(x);
    tell(&t, "H26: lists of loops keep their dtypes, gradients that add up in them too");
}

int main(void)
{
    int64_t before, blocks;
    agn_memory_live(NULL, &before, NULL);
    ok(words_said() == 0, "H16: nothing is written anywhere, however often");
    steps();
    copies();
    lists();
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == before, "nothing is left: %" PRId64 " blocks", blocks - before);
    return done();
}
