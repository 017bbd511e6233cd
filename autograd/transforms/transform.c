/* transform.c - what all transforms share: checks of arguments, one recorded call, its results. */
#include "autograd/transforms/transform.h"

static void free_transform(void *data)
{
    agni_transform *m = data;
    agn_fn_release(m->f);
    agni_free(m->list);
    agni_free(m);
}

int32_t *agni_copy_list(const int32_t *list, int n)
{
    int32_t *copy = agni_alloc((size_t)(n ? n : 1) * sizeof *copy);
    if (copy && n)
        memcpy(copy, list, (size_t)n * sizeof *copy);
    return copy;
}

int32_t *agni_list_indices(const char *op, int n, agn_status *st)
{
    int32_t *list = agni_alloc((size_t)(n + 1) * sizeof *list);
    *st = list ? AGN_OK : agni_nomem(op, (size_t)n * sizeof *list);
    for (int i = 0; list && i < n; i++)
        list[i] = i;
    return list;
}

agn_status agni_transform_new(agn_fn **out, agni_fn_run *run, const agn_fn *f, int n_in, int n_out,
                              int n, const int32_t *list, int len, int order)
{
    agni_transform *m = agni_zalloc(sizeof *m);
    int32_t *copy = agni_copy_list(list, len);
    if (!m || !copy) {
        agni_free(m);
        agni_free(copy);
        return agni_nomem("transform", sizeof *m);
    }
    *m = (agni_transform){agn_fn_retain(f), n, order, copy, 0};
    agn_status st = agni_fn_make_derived(out, run, n_in, n_out, m, free_transform);
    if (st)
        free_transform(m);
    return st;
}

agn_status agni_check_handles(const char *op, const void *out, const agn_fn *f)
{
    if (!out || !f)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "f" : "out");
    return agni_check_handle(op, &f->head);
}

static const int32_t first_only[1] = {0};

agn_status agni_check_argnums(const char *op, const agn_fn *f, const int32_t **argnums,
                                int32_t *n)
{
    if (!*argnums) {
        *argnums = first_only;
        *n = 1;
    }
    if (*n < 1)
        return agni_fail(AGN_EARG, "%s: %d arguments are named; f has %d", op, *n, f->n_in);
    for (int i = 0; i < *n; i++) {
        int a = (*argnums)[i];
        if (a < 0 || a >= f->n_in)
            return agni_fail(AGN_EINDEX, "%s: there is no argument %d; f has %d", op, a, f->n_in);
        for (int k = 0; k < i; k++)
            if ((*argnums)[k] == a)
                return agni_fail(AGN_EARG, "%s: argument %d is named twice among %d", op, a, *n);
    }
    return AGN_OK;
}

/* a result of its own reference, so that it outlives the program */
const agn_tensor *agni_detach_result(agn_scope *s, const agn_tensor *x)
{
    return x ? agn_scope_adopt(s, AGN_OK, &(agn_tensor *){agni_tensor_ref(x)}) : NULL;
}

/* ---- one recorded call ---------------------------------------------------------------------- */

bool agni_record_call(agni_recorded *r, agn_scope *s, const agn_fn *f, const agn_tensor *const *in,
                   const bool *want)
{
    *r = (agni_recorded){.p = NULL};
    if (agn_scope_status(s) || agn_scope_fail(s, agni_trace(&r->p, &r->first, f, in, false)) ||
        agn_scope_fail(s, agni_factor_sums_of_call(&r->p, &r->first, in)))
        return false;
    return agni_traversal_open(&r->w, s, r->p, r->first, want);
}
void agni_recorded_close(agni_recorded *r)
{
    agni_traversal_close(&r->w);
    agni_prog_release(r->p);
}
const agn_tensor *agni_recorded_result(agni_recorded *r, agn_scope *s, int o)
{
    return agni_detach_result(s, r->w.prim[r->p->out[o]]);
}
const agn_tensor *agni_or_zero(agn_scope *s, const agn_tensor *x, const agn_tensor *like)
{
    return x ? agni_detach_result(s, x) : agni_zeros_like(s, like);
}

bool *agni_argnum_mask(agn_scope *s, int n_in, int n, const int32_t *list)
{
    bool *want = agni_zalloc((size_t)n_in + 1);
    if (!want)
        agn_scope_fail(s, agni_nomem("transform", (size_t)n_in));
    for (int i = 0; want && i < n; i++)
        want[list[i]] = true;
    return want;
}

const agn_tensor *agni_fit_seed(agn_scope *s, const char *op, const char *what, int i,
                                const agn_tensor *t, const agn_tensor *x)
{
    if (agn_scope_status(s))
        return NULL;
    agn_status st = AGN_OK;
    if (!agni_same_shape(t, x))
        st = agni_fail(AGN_ESHAPE, "%s: %s %d is %s, its value %s", op, what, i, AGNI_SHAPE(t),
                       AGNI_SHAPE(x));
    else if (agni_kind(t->dtype) > agni_kind(x->dtype)) /* no imaginary part is dropped */
        st = agni_fail(AGN_EDTYPE, "%s: %s %d is %s, its value %s", op, what, i,
                       agni_dtypes[t->dtype].name, agni_dtypes[x->dtype].name);
    return agn_scope_fail(s, st) ? NULL : agni_cast(s, t, x->dtype);
}

agn_status agni_check_argnum(const char *op, const void *out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_handles(op, out, f);
    if (!st && (argnum < 0 || argnum >= f->n_in))
        st = agni_fail(AGN_EINDEX, "%s: there is no argument %d; f has %d", op, argnum, f->n_in);
    return st;
}
