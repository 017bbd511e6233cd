/* attention.c - attention over a window: each of 4000 places looks at itself and the places up to
   four before it, so that scores are a band of 20 000 numbers and no 4000 x 4000 matrix is ever
   made. What a place has is a random direction of 16 numbers; it is to find the one two places
   before. Queries are keys of another place, turned by a matrix that the gradient learns.

   Keys carry the place modulo 8 as a cosine and a sine of each of 8 phases. */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { N = 4000, D = 16, WINDOW = 5, BACK = 2, STEPS = 20 };

typedef struct task {
    const agn_tensor *keys, *values, *mask, *want;
} task;

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const task *t = user;
    const agn_tensor *queries = ag_matmul(s, t->keys, in[0]);
    const agn_tensor *scores = ag_sparse_masked_matmul(s, queries, ag_transpose(s, t->keys),
                                                       t->mask);
    const agn_tensor *a = ag_sparse_softmax(s, ag_mul_c(s, scores, 1 / sqrt(D)), -1);
    const agn_tensor *off = ag_sub(s, ag_matmul(s, a, t->values), t->want);
    out[0] = ag_mul_c(s, ag_sum_all(s, ag_square(s, off)), 1.0 / N);
    return agn_scope_status(s);
}

/* keys [N, D]; the window as a sparse matrix; values, and those BACK places before */
static void posed(agn_scope *s, task *t)
{
    static double keys[N][D];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < D / 2; k++) {
            double phase = 2 * acos(-1) * i * (k + 1) / 8;
            keys[i][2 * k] = cos(phase);
            keys[i][2 * k + 1] = sin(phase);
        }
    const int64_t shape[2] = {N, D}, first[2] = {0, 0}, end[2] = {N - BACK, D};
    int64_t offsets[WINDOW];
    const agn_tensor *one = ag_lit(s, 1), *ones[WINDOW];
    for (int k = 0; k < WINDOW; k++) {
        offsets[k] = -k;
        ones[k] = ag_cast(s, one, AGN_F64);
    }
    agn_tensor *x = NULL, *key = NULL;
    agn_status st = agn_from_host(&x, AGN_F64, 2, shape, keys);
    t->keys = agn_scope_adopt(s, st, &x);
    agn_status made = agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){7, 0});
    t->mask = ag_sparse_diags(s, ones, offsets, WINDOW, N, N);
    t->values = ag_normal(s, agn_scope_adopt(s, made, &key), AGN_F64, 2, shape);
    const agn_tensor *before[2] = {ag_zeros(s, AGN_F64, 2, (int64_t[]){BACK, D}),
                                   ag_slice(s, t->values, 2, first, end, NULL)};
    t->want = ag_concat(s, before, 2, 0);
}

int main(void)
{
    task t = {0};
    agn_fn *f = NULL, *g = NULL, *run = NULL;
    agn_scope *s = agn_scope_open(NULL);
    posed(s, &t);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, loss, &t, NULL, 1, 1);
    st = st ? st : agn_fn_value_and_grad(&g, f, (int32_t[]){0}, 1);
    st = st ? st : agn_fn_compile(&run, g, NULL);
    const agn_tensor *w = ag_zeros(s, AGN_F64, 2, (int64_t[]){D, D});
    for (int k = 0; !st && k <= STEPS; k++) {
        agn_tensor *out[2] = {NULL, NULL};
        double value = 0;
        st = agn_fn_call(out, 2, run, &w, 1);
        st = st ? st : agn_item_f64(&value, out[0]);
        if (!st && k % 5 == 0)
            printf("step %2d: mean square %.3f\n", k, value);
        const agn_tensor *slope = agn_scope_adopt(s, st, &out[1]);
        agn_release(out[0]);
        w = st ? w : ag_sub(s, w, ag_mul_c(s, slope, 0.2));
        st = st ? st : agn_scope_status(s);
    }
    agn_fn_release(run);
    agn_fn_release(g);
    agn_fn_release(f);
    return agn_scope_close(s) || st;
}
