/* S5: what is saved is all that a continuation needs. Minimisation with random batches and a falling
   rate, interrupted and carried on from a file, has the bits of one that was not. */
#include "tests/files.h"

enum { STEPS = 12, STOP = 5, N = 7 };

static agn_status distance(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *d = ag_sub(s, ag_tanh(s, in[0]), in[1]);
    out[0] = ag_sum_all(s, ag_square(s, d));
    return agn_scope_status(s);
}

typedef struct run {
    agn_fn *fn;
    agn_optim *o;
    agn_generator *g;
} run;

static run begin(int32_t kind, uint64_t seed)
{
    run r = {0};
    agn_fn *f = NULL;
    agn_tensor *x = NULL;
    agn_optim_options opts = {.size = sizeof opts, .rate = 0.1};
    must_hold(agn_fn_new(&f, distance, NULL, NULL, 2, 1));
    must_hold(agn_fn_value_and_grad(&r.fn, f, (int32_t[]){0}, 1));
    agn_fn_release(f);
    must_hold(agn_full(&x, AGN_F32, 1, (int64_t[]){N}, 0.25));
    must_hold(agn_optim_new(&r.o, kind, (const agn_tensor *const *)&x, 1, &opts));
    must_hold(agn_generator_new(&r.g, seed));
    agn_release(x);
    return r;
}

static void end(run *r)
{
    agn_optim_release(r->o);
    agn_generator_release(r->g);
    agn_fn_release(r->fn);
}

static void go_on(run *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        agn_tensor *key = NULL, *noise = NULL;
        must_hold(agn_key(&key, r->g));
        must_hold(agn_normal(&noise, key, AGN_F32, 1, (int64_t[]){N}));
        must_hold(agn_optim_step(NULL, NULL, r->o, r->fn,
                                 (const agn_tensor *const *)&noise, 1));
        must_hold(agn_optim_rate_set(r->o, 0.9 * agn_optim_rate(r->o)));
        agn_release(key);
        agn_release(noise);
    }
}

/* everything, as three tensors and a note */
static agn_dict *state_of(const run *r, bool note)
{
    agn_dict *d = NULL;
    agn_tensor *optim = NULL, *random = NULL, *params = NULL;
    uint64_t g[2];
    must_hold(agn_dict_new(&d));
    must_hold(agn_optim_state_get(&optim, r->o));
    must_hold(agn_generator_get(r->g, &g[0], &g[1]));
    must_hold(agn_from_host(&random, AGN_I64, 1, (int64_t[]){2}, g));
    must_hold(agn_optim_params(&params, 1, r->o));
    must_hold(agn_dict_put(d, "optim/state", optim));
    must_hold(agn_dict_put(d, "random/generator", random));
    must_hold(agn_dict_put(d, "params/0", params));
    if (note)
        must_hold(agn_dict_note_put(d, "step", "5"));
    agn_release(optim);
    agn_release(random);
    agn_release(params);
    return d;
}

static void restore(run *r, const agn_dict *d)
{
    agn_tensor *optim = NULL, *random = NULL;
    must_hold(agn_dict_get(&optim, d, "optim/state"));
    must_hold(agn_dict_get(&random, d, "random/generator"));
    const uint64_t *g = agn_data(random);
    must_hold(agn_optim_state_set(r->o, optim));
    must_hold(agn_generator_set(r->g, g[0], g[1]));
    agn_release(optim);
    agn_release(random);
}

/* The optimiser's state aside: it counts evaluations, and one more was needed where the arguments
   of the last step were not known any more. */
static bool same_dicts(const agn_dict *a, const agn_dict *b)
{
    static const char *const names[] = {"params/0", "random/generator"};
    bool yes = true;
    for (int i = 0; i < 2; i++) {
        agn_tensor *x = NULL, *y = NULL;
        must_hold(agn_dict_get(&x, a, names[i]));
        must_hold(agn_dict_get(&y, b, names[i]));
        yes = yes && agn_numel(x) == agn_numel(y) &&
              !memcmp(agn_data(x), agn_data(y),
                      (size_t)agn_numel(x) * agn_dtype_size(agn_dtype_of(x)));
        agn_release(x);
        agn_release(y);
    }
    return yes;
}

static void test_continue(int32_t kind, const char *name, bool npz)
{
    const char *file = in_folder("state");
    run a = begin(kind, 7), b = begin(kind, 99); /* b: of another seed, far off */
    agn_dict *saved = NULL;
    go_on(&a, STOP);
    agn_dict *d = state_of(&a, !npz);
    must_hold(npz ? agn_npz_save(file, d, false) : agn_safetensors_save(file, d));
    agn_dict_release(d);
    go_on(&a, STEPS - STOP);
    go_on(&b, 2);
    must_hold(npz ? agn_npz_load(&saved, file) : agn_safetensors_load(&saved, file));
    restore(&b, saved);
    agn_dict_release(saved);
    go_on(&b, STEPS - STOP);
    agn_dict *x = state_of(&a, false), *y = state_of(&b, false);
    ok(same_dicts(x, y) && agn_optim_rate(a.o) == agn_optim_rate(b.o),
       "S5 %s from a %s carries on with the same bits", name,
       npz ? ".npz file" : "safetensors file");
    agn_dict_release(x);
    agn_dict_release(y);
    end(&a);
    end(&b);
    unlink(file);
}

int main(void)
{
    static const struct {
        int32_t kind;
        const char *name;
    } rows[] = {{AGN_OPTIM_ADAM, "Adam"},
                {AGN_OPTIM_LBFGS, "L-BFGS"},
                {AGN_OPTIM_BFGS, "BFGS"},
                {AGN_OPTIM_SSBROYDEN, "SSBroyden"}};
    open_folder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int npz = 0; npz < 2; npz++)
            test_continue(rows[i].kind, rows[i].name, npz);
    close_folder();
    return done();
}
