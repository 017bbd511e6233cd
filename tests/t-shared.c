/* tests/t-shared.c - what lanes of a loop share stays one: a result that does not differ between lanes
   may be asked for without their axis, and values and derivatives are those of the lanes by themselves. */
#include "whole.h"

enum { LANES = 3 };

/* carried: a matrix that all lanes share, x of the lane; slices: w, shared */
FORMULA(step, ag_tanh(s, ag_matmul(s, in[0], in[0])), ag_add(s, ag_matmul(s, in[0], in[1]), in[2]),
        ag_sum_all(s, in[0]), ag_sum_all(s, in[1]))
/* carried: how often, a matrix, x; constant: top */
FORMULA(more_to_do, ag_lt(s, in[0], in[3]))
FORMULA(once_more, ag_add_c(s, in[0], 1), ag_tanh(s, ag_matmul(s, in[1], in[1])),
        ag_matmul(s, in[1], in[2]))

FORMULA(handed_on, ag_add_c(s, in[0], 1), in[1], ag_matmul(s, in[1], in[2]))

/* vmap of f beside lanes one by one; results whose bit is set in shared have no lanes */
static void beside_single_lanes(const agn_fn *f, int n_in, const T *in, const int32_t *in_axes,
                                uint32_t shared, const char *name)
{
    int n_out = agn_fn_n_out(f);
    int32_t out_axes[8];
    agn_fn *v = NULL;
    agn_tensor *y[8] = {NULL}, *one[8] = {NULL}, *a[8] = {NULL};
    tally t = {0, 0};
    for (int o = 0; o < n_out; o++)
        out_axes[o] = shared >> o & 1 ? AGN_UNBATCHED : 0;
    must(agn_fn_vmap(&v, f, in_axes, agn_fn_n_in(f), out_axes, agn_fn_n_out(f)));
    agn_status st = agn_fn_call(y, agn_fn_n_out(v), v, in, agn_fn_n_in(v));
    check(&t, !st, "%s", st ? agn_error_message() : "");
    for (int l = 0; l < LANES && !st; l++) {
        for (int i = 0; i < n_in; i++)
            if (in_axes[i] == AGN_UNBATCHED)
                a[i] = agn_retain(in[i]);
            else
                must(agn_index_axis(&a[i], in[i], 0, l));
        must(agn_fn_call(one, agn_fn_n_out(f), f, (const T *)a, agn_fn_n_in(f)));
        for (int o = 0; o < n_out; o++) {
            agn_tensor *row = NULL;
            if (shared >> o & 1)
                row = agn_retain(y[o]);
            else
                must(agn_index_axis(&row, y[o], 0, l));
            check(&t, modes_apart(row, one[o]) < 1e-13, "lane %d, result %d", l, o);
            agn_release(row);
            agn_release(one[o]);
        }
        for (int i = 0; i < n_in; i++)
            agn_release(a[i]);
    }
    for (int o = 0; o < n_out; o++)
        agn_release(y[o]);
    agn_fn_release(v);
    tell(&t, "%s", name);
}

/* the gradient of the sum of all that the lanes give */
BODY(sum_of_results)
{
    T y[8] = {NULL};
    const agn_fn *f = user;
    agn_fn_apply(s, y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    for (int o = 0; o < agn_fn_n_out(f) && !agn_scope_status(s); o++)
        if (agn_dtype_of(y[o]) == AGN_F64) {
            T part = ag_sum_all(s, ag_square(s, y[o]));
            out[0] = out[0] ? ag_add(s, out[0], part) : part;
        }
    return agn_scope_status(s);
}

static void try_loop(agn_fn *f, int n_in, const T *in, const int32_t *axes, uint32_t shared, bool backwards,
                     const char *name)
{
    char text[80];
    beside_single_lanes(f, n_in, in, axes, shared, name);
    if (backwards) {
        agn_fn *sum = whole_fn(sum_of_results, f, n_in, 1), *g = NULL;
        /* in the matrix, which is shared, and in what differs */
        must(agn_fn_grad(&g, sum, I32(n_in == 3 ? 0 : 1, n_in == 3 ? 1 : 2), 2));
        snprintf(text, sizeof text, "%s, its gradient", name);
        beside_single_lanes(g, n_in, in, axes, 0, text);
        agn_fn_release(g);
        agn_fn_release(sum);
    }
    agn_fn_release(f);
}

int main(void)
{
    agn_tensor *m = random_of(AGN_F64, 2, I64(2, 2), -1, 1), *x = random_of(AGN_F64, 2, I64(LANES, 2), -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, I64(4, 2), -1, 1), *zero = NULL, *top = NULL, *tops = NULL;
    must(agn_full(&zero, AGN_I64, 0, NULL, 0));
    must(agn_full(&top, AGN_I64, 0, NULL, 4));
    must(agn_from_host(&tops, AGN_I64, 1, I64(LANES), (const int64_t[]){1, 4, 2}));
    agn_fn *body = whole_fn(step, NULL, 3, 4), *going = whole_fn(more_to_do, NULL, 4, 1),
           *again = whole_fn(once_more, NULL, 4, 3);
    const int32_t axes[] = {AGN_UNBATCHED, 0, AGN_UNBATCHED};
    for (int keep = 0; keep < 3; keep++) {
        agn_scan_options o = {.size = sizeof o, .keep = keep - 1, .reverse = keep == 2};
        /* the matrix and its sums are shared */
        try_loop(MADE(agn_fn_scan_with(&made_, body, 2, 0, 4, &o)), 3, (const T[]){m, x, w}, axes, 1 | 4, true,
                 keep == 1 ? "a scan" : "a scan that keeps few states");
    }
    const int32_t wide[] = {AGN_UNBATCHED, AGN_UNBATCHED, 0, AGN_UNBATCHED};
    agn_while_options o = {.size = sizeof o, .max_steps = 6};
    /* the count, the matrix and the steps */
    try_loop(MADE(agn_fn_while(&made_, going, again, &o)), 4, (const T[]){zero, m, x, top}, wide, 1 | 2 | 8, true,
             "a while whose lanes stop together");
    const int32_t each[] = {AGN_UNBATCHED, AGN_UNBATCHED, 0, 0};
    try_loop(MADE(agn_fn_while(&made_, going, again, &o)), 4, (const T[]){zero, m, x, tops}, each, 0, true,
             "a while whose lanes stop one by one");
    /* what is handed on as it is stays shared then, too */
    agn_fn *kept = whole_fn(handed_on, NULL, 4, 3);
    try_loop(MADE(agn_fn_while(&made_, going, kept, &o)), 4, (const T[]){zero, m, x, tops}, each, 2, false,
             "a matrix that no step changes");
    agn_fn *drop[] = {body, going, again, kept};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_tensor *gone[] = {m, x, w, zero, top, tops};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
