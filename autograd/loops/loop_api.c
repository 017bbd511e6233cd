/* loop_api.c - scan and while as functions. */
#include "autograd/loops/scan.h"

#include <agnesi/ag.h>
#include <agnesi/control.h>
#include <string.h>

/* What a loop function remembers. */
typedef struct loop_data {
    agn_fn *step, *cond; /* cond: of a while */
    agni_scan f;
    int64_t bytes; /* for kept states; 0: f.keep says */
} loop_data;
static void free_loop(void *data)
{
    loop_data *m = data;
    agn_fn_release(m->step);
    agn_fn_release(m->cond);
    agni_free(m);
}

/* the number of states that fit, at least 1 */
static int64_t states_within_bytes(int64_t bytes, int nc, const agn_tensor *const *carried)
{
    int64_t state = 0;
    for (int i = 0; i < nc; i++)
        state += agni_tensor_bytes(carried[i]);
    return state > 0 && bytes / state > 1 ? bytes / state : 1;
}

static agn_status check_keep(const char *op, int64_t keep, int64_t bytes)
{
    if (keep < AGN_KEEP_LOG || bytes < 0)
        return agni_fail(AGN_EARG, "%s: %lld states in %lld bytes cannot be kept", op,
                         (long long)keep, (long long)bytes);
    if (keep && bytes)
        return agni_fail(AGN_EARG,
                         "%s: states to keep are given twice: %lld, and %lld bytes", op,
                         (long long)keep, (long long)bytes);
    return AGN_OK;
}

/* ---- scan ------------------------------------------------------------------------ */

static agn_status run_scan(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const loop_data *m = f->data;
    agni_scan q = m->f;
    if (m->bytes)
        q.keep = states_within_bytes(m->bytes, q.nc, in);
    agni_scan_emit(s, agni_fn_body, m->step, q, in, out);
    return agn_scope_status(s);
}

agn_status agn_fn_scan_with(agn_fn **out, const agn_fn *step, int32_t n_carry,
                            int32_t n_constants, int64_t length, const agn_scan_options *opts)
{
    static const agn_scan_options none = {.size = sizeof none};
    if (!out || !step)
        return agni_fail(AGN_ENULL, "fn_scan: %s is NULL", out ? "step" : "out");
    if (n_carry < 0 || n_constants < 0 || n_carry > step->n_in ||
        n_constants > step->n_in - n_carry || n_carry > step->n_out || length < 0)
        return agni_fail(
            AGN_EARG,
            "fn_scan: %d carried values, %d constants and %lld steps do not fit a step of %d "
            "arguments and %d results",
            n_carry, n_constants, (long long)length, step->n_in, step->n_out);
    opts = opts ? opts : &none;
    if (agni_check_size("fn_scan", agn_scan_options, opts))
        return AGN_EARG;
    agn_status st = check_keep("fn_scan", opts->keep, opts->keep_bytes);
    if (st)
        return st;
    loop_data *m = agni_alloc(sizeof *m);
    if (!m)
        return agni_nomem("fn_scan", sizeof *m);
    *m = (loop_data){agn_fn_retain(step),
                     NULL,
                     {.nc = n_carry,
                      .nx = step->n_in - n_carry - n_constants,
                      .ny = step->n_out - n_carry,
                      .nk = n_constants,
                      .length = length,
                      .reverse = opts->reverse,
                      .keep = opts->keep},
                     opts->keep_bytes};
    st = agni_fn_make(out, run_scan, step->n_in, step->n_out, m, free_loop);
    if (st)
        free_loop(m);
    return st;
}

agn_status agn_fn_scan(agn_fn **out, const agn_fn *step, int32_t n_carry, int32_t n_constants,
                       int64_t length, bool reverse)
{
    return agn_fn_scan_with(
        out, step, n_carry, n_constants, length,
        &(agn_scan_options){.size = sizeof(agn_scan_options), .reverse = reverse});
}

/* ---- while ----------------------------------------------------------------------- */

static const agn_tensor *evaluate_condition(const loop_data *m, agn_scope *s,
                                            const agn_tensor *const *in)
{
    const agn_tensor *go = NULL;
    if (agni_fn_run_in(m->cond, s, in, &go))
        return NULL;
    if (go->dtype != AGN_BOOL || go->ndim)
        agn_scope_fail(
            s, agni_fail(go->ndim ? AGN_ESHAPE : AGN_EDTYPE,
                         "while: the condition gives %s %s, a bool [] is needed",
                         agni_dtypes[go->dtype].name, AGNI_SHAPE(go)));
    return agn_scope_status(s) ? NULL : go;
}

/* in[]: go on, steps, what the user carries, constants */
static agn_status while_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const loop_data *m = user;
    int n = m->f.nc - 2;
    const agn_tensor **a = agni_alloc((size_t)m->step->n_in * sizeof *a);
    if (!a)
        return agn_scope_fail(s,
                              agni_nomem("while", (size_t)m->step->n_in * sizeof *a));
    memcpy(a, in + 2, (size_t)m->step->n_in * sizeof *a);
    if (!agni_fn_run_in(m->step, s, in + 2, out + 2)) {
        memcpy(a, out + 2, (size_t)n * sizeof *a);
        out[AGNI_STEPS] = ag_add(s, in[AGNI_STEPS], agni_literal(s, 1));
        out[AGNI_GOES_ON] = evaluate_condition(m, s, a);
    }
    agni_free(a);
    return agn_scope_status(s);
}

static agn_status run_while(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const loop_data *m = f->data;
    agni_scan q = m->f;
    const agn_tensor **a = agni_alloc((size_t)(2 + f->n_in + q.nc) * sizeof *a),
                     **y = a + 2 + f->n_in;
    if (!a)
        return agn_scope_fail(
            s, agni_nomem("while", (size_t)(f->n_in + q.nc) * sizeof *a));
    if (m->bytes)
        q.keep = states_within_bytes(m->bytes, q.nc - 2, in);
    a[AGNI_GOES_ON] = evaluate_condition(m, s, in);
    a[AGNI_STEPS] = agni_full(s, 0, AGN_I64, 0, NULL);
    memcpy(a + 2, in, (size_t)f->n_in * sizeof *a);
    agni_scan_emit(s, while_body, (void *)(uintptr_t)m, q, a, y);
    for (int o = 0; o < f->n_out && !agn_scope_status(s); o++)
        out[o] = o + 1 < f->n_out ? y[2 + o] : y[AGNI_STEPS];
    agni_free(a);
    return agn_scope_status(s);
}

agn_status agn_fn_while(agn_fn **out, const agn_fn *cond, const agn_fn *body,
                        const agn_while_options *opts)
{
    static const agn_while_options none = {.size = sizeof none};
    if (!out || !cond || !body)
        return agni_fail(AGN_ENULL, "fn_while: %s is NULL",
                         !out    ? "out"
                         : !cond ? "cond"
                                 : "body");
    if (cond->n_in != body->n_in || cond->n_out != 1 || body->n_out > body->n_in)
        return agni_fail(
            AGN_EARG,
            "fn_while: a condition of %d arguments and %d results does not fit a body "
            "of %d and %d",
            cond->n_in, cond->n_out, body->n_in, body->n_out);
    opts = opts ? opts : &none;
    if (agni_check_size("fn_while", agn_while_options, opts))
        return AGN_EARG;
    agn_status st = check_keep("fn_while", opts->keep, opts->keep_bytes);
    if (!st && opts->max_steps < 0)
        st = agni_fail(AGN_EARG, "fn_while: at most %lld steps; 0 is for any number",
                       (long long)opts->max_steps);
    loop_data *m = st ? NULL : agni_alloc(sizeof *m);
    if (!m)
        return st ? st : agni_nomem("fn_while", sizeof *m);
    *m = (loop_data){agn_fn_retain(body),
                     agn_fn_retain(cond),
                     {.nc = 2 + body->n_out,
                      .nk = body->n_in - body->n_out,
                      .length = opts->max_steps ? opts->max_steps : -1,
                      .keep = opts->keep,
                      .open = true},
                     opts->keep_bytes};
    st = agni_fn_make(out, run_while, body->n_in, body->n_out + 1, m, free_loop);
    if (st)
        free_loop(m);
    return st;
}
