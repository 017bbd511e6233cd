/* nn.c - a small network learns which of two spirals a point lies on */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 200, HIDDEN = 16, LAYERS = 3, PARAMS = 2 * LAYERS };
static const int64_t size[LAYERS + 1] = {2, HIDDEN, HIDDEN, 2};

static const agn_tensor *network(agn_scope *s, const agn_tensor *const *p,
                                 const agn_tensor *x)
{
    for (int k = 0; k < LAYERS; k++) {
        x = ag_nn_linear(s, x, p[2 * k], p[2 * k + 1]);
        x = k + 1 < LAYERS ? ag_nn_silu(s, x) : x;
    }
    return x;
}

/* arguments: weights and biases, points, labels; results: loss, part of right answers */
static agn_status objective(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *labels = in[PARAMS + 1], *y = network(s, in, in[PARAMS]);
    const agn_tensor *right = ag_eq(s, ag_argmax(s, y, 1, false), labels);
    out[0] = ag_nn_cross_entropy(s, y, labels, 1, NULL);
    out[1] = ag_mean_all(s, ag_cast(s, right, AGN_F64));
    return agn_scope_status(s);
}

static agn_status spirals(agn_tensor **points, agn_tensor **labels)
{
    double x[POINTS][2];
    int64_t label[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double t = 1 + 8 * (double)(i / 2) / (POINTS / 2), side = i % 2 ? 1 : -1;
        x[i][0] = side * t / 9 * cos(t);
        x[i][1] = side * t / 9 * sin(t);
        label[i] = i % 2;
    }
    agn_status st = agn_from_host(points, AGN_F64, 2, (int64_t[]){POINTS, 2}, x);
    return st ? st : agn_from_host(labels, AGN_I64, 1, (int64_t[]){POINTS}, label);
}

static agn_status start(agn_tensor **p)
{
    agn_generator *g = NULL;
    agn_status st = agn_generator_new(&g, 7);
    for (int k = 0; !st && k < LAYERS; k++) {
        agn_tensor *key = NULL;
        st = agn_key(&key, g);
        st = st ? st
                : agn_nn_init_xavier_normal(&p[2 * k], key, AGN_F64, 2,
                                            (int64_t[]){size[k + 1], size[k]}, 1);
        st = st ? st : agn_full(&p[2 * k + 1], AGN_F64, 1, &size[k + 1], 0);
        agn_release(key);
    }
    agn_generator_release(g);
    return st;
}

int main(void)
{
    agn_tensor *p[PARAMS] = {NULL}, *data[2] = {NULL}, *result[2] = {NULL};
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    int32_t every[PARAMS];
    for (int k = 0; k < PARAMS; k++)
        every[k] = k;
    agn_status st = spirals(&data[0], &data[1]);
    st = st ? st : start(p);
    st = st ? st : agn_fn_new(&f, objective, NULL, NULL, PARAMS + 2, 2);
    st = st ? st : agn_fn_value_and_grad(&df, f, every, PARAMS);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st
            : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)p, PARAMS, NULL);
    st = st ? st
            : agn_optim_minimise(NULL, o, fast, (const agn_tensor *const *)data, 2, 300,
                                 NULL, NULL);
    const agn_tensor *args[PARAMS + 2];
    agn_tensor *trained[PARAMS] = {NULL};
    st = st ? st : agn_optim_params(trained, PARAMS, o);
    for (int k = 0; k < PARAMS; k++)
        args[k] = trained[k];
    args[PARAMS] = data[0], args[PARAMS + 1] = data[1];
    st = st ? st : agn_fn_call(result, 2, f, args, PARAMS + 2);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("right: %.0f %%, loss below 0.01: %s\n",
               100 * *(const double *)agn_data(result[1]),
               *(const double *)agn_data(result[0]) < 0.01 ? "yes" : "no");
    for (int k = 0; k < PARAMS; k++) {
        agn_release(p[k]);
        agn_release(trained[k]);
    }
    for (int k = 0; k < 2; k++) {
        agn_release(data[k]);
        agn_release(result[k]);
    }
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st != AGN_OK;
}
