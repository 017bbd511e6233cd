/* tests/t-vmap.c - random numbers under vmap: of each lane, or the same in all. */
#include "whole.h"

static agn_tensor *key;

FORMULA(draws, ag_add(s, in[0], ag_normal(s, in[1], AGN_F64, 1, I64(2))))
FORMULA(by_chance,
        ag_where(s,
                 ag_cast(s, ag_random_bernoulli(s, in[1], in[0], 1, I64(64)), AGN_BOOL),
                 ag_lit(s, 1), ag_lit(s, 0)))
BODY(calls)
{
    agn_fn_apply(s, out, agn_fn_n_out(user), user, in, agn_fn_n_in(user));
    return agn_scope_status(s);
}

static bool alike(const agn_tensor *y, const agn_tensor *x, bool lanes_differ)
{
    int64_t lanes = agn_shape(y)[0], n = agn_numel(y) / lanes;
    bool same = true;
    for (int64_t l = 1; l < lanes; l++)
        for (int64_t i = 0; i < n; i++)
            same &= peek(y, l * n + i) - peek(x, (l * n + i) % agn_numel(x)) ==
                    peek(y, i) - peek(x, i % agn_numel(x));
    return same != lanes_differ;
}

int main(void)
{
    tally t = {0, 0};
    agn_generator *g = NULL;
    must(agn_generator_new(&g, 7));
    must(agn_key(&key, g));
    const agn_vmap_options same = {.size = sizeof same, .same_random = true},
                           small = {.size = 2};
    agn_tensor *zero = NULL, *y = NULL, *one = NULL, *row = NULL;
    must(agn_full(&zero, AGN_F64, 2, I64(5, 2), 0));
    must(agn_index_axis(&row, zero, 0, 0));
    const int32_t axes[2] = {0, AGN_UNBATCHED};
    agn_fn *f = whole_fn(draws, NULL, 2, 1), *cp = MADE(agn_fn_checkpoint(&made_, f)),
           *cond = NULL, *nest = whole_fn(calls, cp, 2, 1);
    must(agn_fn_call(&one, 1, f, AGN_ARGS(row, key)));
    agn_fn *const fs[] = {f, cp, nest};
    for (int k = 0; k < 3; k++)
        for (int on = 0; on < 2; on++) {
            agn_fn *v = MADE(
                       agn_fn_vmap_with(&made_, fs[k], axes, 2, NULL, 0, on ? &same : NULL)),
                   *fast = MADE(agn_fn_compile(&made_, v, NULL));
            for (int c = 0; c < 2; c++) {
                must(agn_fn_call(&y, 1, c ? fast : v, AGN_ARGS(zero, key)));
                check(&t, alike(y, zero, !on), "function %d, %s", k,
                      on ? "the same" : "each its own");
                check(&t, !on || peek(y, 0) == peek(one, 0),
                      "what one lane draws by itself");
                agn_release(y);
            }
            agn_fn_release(v);
            agn_fn_release(fast);
        }
    tell(&t, "one stream or one for each lane, in calls and plans");

    /* keys that differ go their own way; a batched parameter beside one key */
    t = (tally){0, 0};
    agn_tensor *keys = NULL, *p = NULL;
    must(agn_key_split(&keys, key, 5));
    agn_fn *v = MADE(agn_fn_vmap_with(&made_, f, NULL, 0, NULL, 0, &same)),
           *u = MADE(agn_fn_vmap_with(&made_, f, axes, 2, NULL, 0, &same));
    must(agn_fn_call(&y, 1, v, AGN_ARGS(zero, keys)));
    check(&t, alike(y, zero, true), "keys that differ");
    agn_release(y);
    must(agn_fn_call(&y, 1, u, AGN_ARGS(zero, key)));
    check(&t, alike(y, zero, false), "one key for all");
    agn_release(y);
    agn_fn_release(v);
    agn_fn_release(u);
    must(agn_full(&p, AGN_F64, 1, I64(4), 0.5));
    agn_fn *b = whole_fn(by_chance, NULL, 2, 1);
    for (int on = 0; on < 2; on++) {
        v = MADE(agn_fn_vmap_with(&made_, b, axes, 2, NULL, 0, on ? &same : NULL));
        must(agn_fn_call(&y, 1, v, AGN_ARGS(p, key)));
        agn_tensor *none = scalar_of(AGN_F64, 0);
        check(&t, alike(y, none, !on), "a parameter of each lane");
        agn_release(none);
        agn_release(y);
        agn_fn_release(v);
    }
    /* lanes within lanes: the outer ones differ */
    v = MADE(agn_fn_vmap_with(&made_, f, axes, 2, NULL, 0, &same));
    u = MADE(agn_fn_vmap(&made_, v, axes, 2, NULL, 0));
    agn_tensor *cube = NULL, *first = NULL;
    must(agn_full(&cube, AGN_F64, 3, I64(3, 5, 2), 0));
    must(agn_fn_call(&y, 1, u, AGN_ARGS(cube, key)));
    check(&t, alike(y, zero, true), "outer lanes differ");
    must(agn_index_axis(&first, y, 0, 1));
    check(&t, alike(first, zero, false), "inner lanes do not");
    tell(&t, "keys, parameters, lanes within lanes");
    t = (tally){0, 0};
    cond = f;
    check(&t,
          refused(agn_fn_vmap_with(&cond, f, NULL, 0, NULL, 0, &small), AGN_EARG,
                  "fn_vmap_with", "2 bytes", "agn_vmap_options", untouched) &&
              cond == f,
          "size");
    check(&t,
          refused(agn_fn_vmap_with(&cond, f, NULL, 0, (int32_t[]){0, 0, 0}, 3, &same), AGN_EARG,
                  "fn_vmap_with", "axes of 3 results", "has", untouched) &&
              refused(agn_fn_vmap(&cond, f, (int32_t[]){0, 0, 0}, 9, NULL, 0), AGN_EARG,
                      "fn_vmap", "axes of 9 arguments", "has", untouched) &&
              cond == f,
          "numbers of axes");
    check(&t,
          refused(agn_fn_vmap_with(&cond, NULL, NULL, 0, NULL, 0, &same), AGN_ENULL,
                  "fn_vmap_with", "f is", NULL, untouched),
          "f");
    check(&t,
          refused(agn_fn_vmap_with(NULL, f, NULL, 0, NULL, 0, &same), AGN_ENULL,
                  "fn_vmap_with", "out is", NULL, untouched),
          "out");
    tell(&t, "refusals");
    every_allocation(whole_run, &(whole_call){v, (const T[]){zero, key}},
                     "lanes that share");
    agn_fn *fns[] = {f, cp, nest, b, v, u};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_tensor *drop[] = {key, zero, y, one, row, keys, p, cube, first};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_generator_release(g);
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
