/* tests/fuzz/program-run.c - running a program that is data, also with roundings made larger
   on purpose. */
#include "program.h"

const int32_t fuzz_all[MOST_INPUTS] = {0, 1, 2, 3, 4, 5, 6, 7};

int fuzz_numbers(double *to, int room, T x)
{
    agn_tensor *y = NULL;
    if (!x)
        return -1;
    int dtype = agn_dtype_of(x);
    int parts = dtype == AGN_C128 || dtype == AGN_C64 ? 2 : 1;
    int n = (int)agn_numel(x) * parts;
    if (n > room || agn_cast(&y, x, parts > 1 ? AGN_C128 : AGN_F64))
        return -1;
    agn_status st = agn_to_host(to, y, (size_t)n * sizeof *to);
    agn_release(y);
    return st ? -1 : n;
}

double *fuzz_all_numbers(T x, int *n)
{
    int room = x ? 2 * (int)agn_numel(x) : 0;
    double *v = malloc(((size_t)room + 1) * sizeof *v);
    *n = v ? fuzz_numbers(v, room, x) : -1;
    if (*n >= 0)
        return v;
    free(v);
    return NULL;
}

double fuzz_number(T x)
{
    double v = (double)NAN;
    return x && !agn_item_f64(&v, x) ? v : (double)NAN;
}

agn_status fuzz_apply(agn_tensor **out, const step *q, const program *p, const T *in)
{
    if (q->op == &fuzz_loop)
        return fuzz_loop_apply(out, q, p, in);
    if (q->op == &fuzz_form)
        return fuzz_form_apply(out, q, in);
    if (q->op == &fuzz_call)
        return fuzz_call_apply(out, q, in);
    agni_attr at = {.ni = q->n_int, .nf = q->n_real, .i = q->ints, .f = q->reals, .obj = q->obj};
    return agni_apply(q->op, &at, q->n_in, in, q->n_out, out);
}

int fuzz_live(const program *p, bool *live)
{
    bool wanted[MOST_VALUES] = {false};
    int n = 0;
    for (int o = 0; o < p->n_out; o++)
        wanted[p->out[o]] = true;
    for (int i = p->n_step - 1; i >= 0; i--) {
        const step *q = &p->s[i];
        live[i] = false;
        for (int o = 0; o < q->n_out; o++)
            live[i] |= wanted[q->first + o];
        if (!live[i])
            continue;
        n += q->op != NULL;
        if (q->alias >= 0)
            wanted[q->alias] = true;
        for (int k = 0; q->op && k < q->n_in; k++)
            wanted[q->in[k]] = true;
    }
    return n;
}

/* y, each element changed by level times its own sign; apart: and times a number of y's */
static T rounded(agn_scope *s, const program *p, int value, T y)
{
    if (p->level == 0 || !p->noise[value] || agn_scope_status(s))
        return y;
    double own = p->apart ? (double)(fuzz_mix((uint64_t)value) >> 11) * 0x1p-52 - 1 : 1;
    T factor = ag_add_c(s, ag_mul_c(s, p->noise[value], own * p->level), 1);
    return ag_mul(s, y, factor);
}

static agn_status run_body(void *user, agn_scope *s, const T *in, T *out)
{
    const program *p = user;
    T v[MOST_VALUES], arg[MOST_ARGS];
    bool live[MOST_STEPS];
    fuzz_live(p, live);
    memcpy(v, in, (size_t)p->n_x * sizeof *v);
    for (int i = 0; i < p->n_step && !agn_scope_status(s); i++) {
        const step *q = &p->s[i];
        agn_tensor *y[MOST_ARGS] = {NULL};
        if (!live[i])
            continue;
        if (!q->op) {
            v[q->first] = q->alias >= 0 ? v[q->alias] : q->value;
            continue;
        }
        for (int k = 0; k < q->n_in; k++)
            arg[k] = v[q->in[k]];
        agn_status st = fuzz_apply(y, q, p, arg);
        for (int o = 0; o < q->n_out; o++)
            v[q->first + o] = rounded(s, p, q->first + o, agn_scope_adopt(s, st, &y[o]));
    }
    for (int o = 0; o < p->n_out; o++)
        out[o] = agn_scope_status(s) ? NULL : v[p->out[o]];
    return agn_scope_status(s);
}

agn_fn *fuzz_fn(const program *p)
{
    agn_fn *f = NULL;
    return agn_fn_new(&f, run_body, (void *)(uintptr_t)p, NULL, p->n_x, p->n_out) ? NULL : f;
}

/* Equal magnitudes get equal signs and small multiples of 1/8 none, so that ties stay ties
   and steps stay on their side. */
static agn_tensor *noise_of(T y)
{
    int dtype = agn_dtype_of(y), n = (int)agn_numel(y), parts = dtype == AGN_C128 ? 2 : 1, all;
    agn_tensor *x = NULL;
    if (dtype != AGN_F64 && dtype != AGN_C128)
        return NULL;
    double *v = fuzz_all_numbers(y, &all), *r = v;
    bool any = false;
    if (!v)
        return NULL;
    for (int i = 0; i < n; i++) {
        double m = parts == 2 ? hypot(v[2 * i], v[2 * i + 1]) : fabs(v[i]);
        uint64_t bits;
        memcpy(&bits, &m, sizeof bits);
        r[i] = floor(8 * m) == 8 * m ? 0 : fuzz_mix(bits) & 1 ? 1 : -1;
        any |= r[i] != 0;
    }
    if (any && agn_from_host(&x, AGN_F64, agn_ndim(y), agn_shape(y), r))
        x = NULL;
    free(v);
    return x;
}

bool fuzz_values(const program *p, agn_tensor **v)
{
    agn_status st = AGN_OK;
    for (int i = 0; i < p->n_x; i++)
        v[i] = agn_retain(p->x[i]);
    for (int i = 0; i < p->n_step && !st; i++) {
        const step *q = &p->s[i];
        T arg[MOST_ARGS];
        if (!q->op) {
            v[q->first] = agn_retain(q->alias >= 0 ? v[q->alias] : q->value);
            continue;
        }
        for (int k = 0; k < q->n_in; k++)
            arg[k] = v[q->in[k]];
        st = fuzz_apply(v + q->first, q, p, arg);
    }
    return !st;
}

bool fuzz_make_noise(program *p)
{
    agn_tensor *v[MOST_VALUES] = {NULL};
    bool good = fuzz_values(p, v);
    for (int i = 0; i < p->n_step && good; i++) {
        const step *q = &p->s[i];
        if (q->op == &fuzz_loop)
            good = fuzz_loop_noise(q);
        for (int o = 0; o < q->n_out; o++)
            if (q->op && !p->noise[q->first + o] && q->op->cls != AGNI_DISCRETE)
                p->noise[q->first + o] = noise_of(v[q->first + o]);
    }
    for (int i = 0; i < p->n_value; i++)
        agn_release(v[i]);
    return good;
}
