/* epoch.c - a whole epoch of training as one call: points drawn, loss, gradient and step of Adam
   are one program, whose loop is planned; kept in a file, it goes on elsewhere */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { WIDE = 16, POINTS = 128, STEPS = 200, EPOCHS = 5, PARAMS = 4, STATE = 4 };

typedef const agn_tensor *T;

/* mean square of a network less sin 3x, at points that a key draws; in: w1 b1 w2 b2, key */
static agn_status loss(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T u = ag_uniform(s, in[4], AGN_F64, 2, (int64_t[]){POINTS, 1});
    T x = ag_sub_c(s, ag_mul_c(s, u, 2), 1); /* in [-1, 1] */
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, x, in[0]), in[1]));
    T y = ag_add(s, ag_matmul(s, h, in[2]), in[3]);
    T error = ag_sub(s, y, ag_sin(s, ag_mul_c(s, x, 3)));
    out[0] = ag_mean_all(s, ag_square(s, error));
    return agn_scope_status(s);
}

int main(void)
{
    static const int32_t params[] = {0, 1, 2, 3};
    static const int64_t in_wide[] = {1, WIDE}, wide[] = {WIDE}, wide_out[] = {WIDE, 1},
                         out[] = {1};
    static const char *file = "epoch.fn";
    agn_fn *f = NULL, *g = NULL, *step = NULL, *loop = NULL, *kept = NULL,
           *epoch = NULL;
    agn_tensor *first[STATE] = {NULL}, *next[STATE + 1], *now[STATE];
    agn_generator *random = NULL;
    double start = 0, end = 0;
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = agn_generator_new(&random, 1);
    T p[PARAMS] = {
        ag_normal(s, ag_key(s, random), AGN_F64, 2, in_wide),
        ag_zeros(s, AGN_F64, 1, wide),
        ag_mul_c(s, ag_normal(s, ag_key(s, random), AGN_F64, 2, wide_out), 0.25),
        ag_zeros(s, AGN_F64, 1, out)};
    T x = ag_optim_pack(s, p, PARAMS);
    T zero = x ? ag_zeros(s, AGN_F64, 1, agn_shape(x)) : NULL;
    agn_scope_return(s, &first[0], x);
    agn_scope_return(s, &first[1], zero);
    agn_scope_return(s, &first[2], zero);
    agn_scope_return(s, &first[3], ag_full(s, AGN_F64, 0, NULL, 0));

    agn_optim_options adam = {.size = sizeof adam, .rate = 0.02};
    st = st ? st : agn_fn_new(&f, loss, NULL, NULL, PARAMS + 1, 1);
    st = st ? st : agn_fn_value_and_grad(&g, f, params, PARAMS);
    st = st ? st : agn_fn_adam(&step, g, p, PARAMS, &adam);
    st = st ? st : agn_fn_scan(&loop, step, STATE, 0, STEPS, false);
    agn_status closed = agn_scope_close(s);
    st = st ? st : closed;

    for (int k = 0; k < EPOCHS && !st; k++) {
        agn_tensor *key = NULL, *keys = NULL;
        st = agn_key(&key, random);
        st = st ? st : agn_key_split(&keys, key, STEPS); /* one for each step */
        if (!st && !k) { /* what the file says is all that is needed to go on */
            const T in[] = {first[0], first[1], first[2], first[3], keys};
            st = agn_fn_save(file, loop, in, agn_fn_n_in(loop));
            st = st ? st : agn_fn_load(&kept, file);
            st = st ? st : agn_fn_compile(&epoch, kept, NULL);
            for (int i = 0; i < STATE; i++)
                now[i] = first[i];
        }
        const T in[] = {now[0], now[1], now[2], now[3], keys};
        st = st ? st : agn_fn_call(next, STATE + 1, epoch, in, 5);
        if (!st) {
            const double *value = agn_data(next[STATE]);
            start = k ? start : value[0];
            end = value[STEPS - 1];
            agn_release(next[STATE]);
            for (int i = 0; i < STATE; i++) {
                agn_release(now[i]);
                now[i] = next[i];
            }
        }
        agn_release(key);
        agn_release(keys);
    }
    if (!st)
        printf("%.0f steps in %d calls, the loss fell %s\n",
               *(const double *)agn_data(now[3]), EPOCHS,
               end < start / 100 ? "below a hundredth" : "too little");
    else
        fprintf(stderr, "epoch: %s\n", agn_error_message());
    for (int i = 0; i < STATE && !st; i++)
        agn_release(now[i]);
    remove(file);
    agn_fn *fs[] = {f, g, step, loop, kept, epoch};
    for (int i = 0; i < 6; i++)
        agn_fn_release(fs[i]);
    agn_generator_release(random);
    return st ? 1 : 0;
}
