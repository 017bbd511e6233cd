/* sparse/derivative/api.c - sparse Jacobians and Hessians as functions. For each combination of
   shapes and dtypes the pattern, the colouring, the program of the values and its plan are found
   once and kept in an append-only list; a later call looks them up without a lock and runs the
   plan. */
#include "sparse/derivative/derivative.h"

#include "graph/memory/plan.h"

#include <math.h>

enum { MAX_WAYS = 64 }; /* kept; beyond that a specialisation is made for every call */

/* All about one set of shapes and dtypes. */
typedef struct specialisation {
    agni_obj head;
    struct specialisation *next;
    agni_pattern *pattern;
    agn_fn *compiled; /* arguments to values */
    int32_t n_column, n_row;
    int n_tangent;        /* 0: by colours */
    atomic_bool trusted; /* the pattern was found, or compared with a product */
    int n_in;
    struct key {
        int8_t dtype, ndim;
        bool weak;
    } * key;
    int64_t *shape; /* of all arguments, one behind the other */
} specialisation;

typedef struct derivative {
    agn_fn *f; /* whose Jacobian it is */
    int argnum;
    bool symmetric;
    agni_pattern *given;
    agn_sparse_options opts;
    _Atomic(specialisation *) ways;
} derivative;

static const char *derivative_name(const derivative *m)
{
    return m->symmetric ? "sparse_hessian" : "sparse_jacobian";
}

static void destroy_specialisation(agni_obj *o)
{
    specialisation *w = (specialisation *)o;
    if (w->pattern)
        agni_obj_release(&w->pattern->head);
    agn_fn_release(w->compiled);
    agni_free(w->key);
    agni_free(w->shape);
    agni_free(w);
}
static const agni_obj_type specialisation_type = {.name = "way", .destroy = destroy_specialisation};

static void free_derivative(void *data)
{
    derivative *m = data;
    for (specialisation *w = atomic_load(&m->ways), *next; w; w = next) {
        next = w->next;
        agni_obj_release(&w->head);
    }
    if (m->given)
        agni_obj_release(&m->given->head);
    agn_fn_release(m->f);
    agni_free(m);
}

/* ---- pattern and values ------------------------------------------------------------ */

static agn_status check_real(const char *op, const char *what, const agn_tensor *x)
{
    if (x->dtype == AGN_F32 || x->dtype == AGN_F64)
        return AGN_OK;
    return agni_fail(AGN_EDTYPE, "%s: the %s is %s %s; f32 or f64 is needed", op, what,
                     agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
}

/* Records f at symbols: the program whose derivative is asked for. */
static bool record_function(agni_recorded *r, agn_scope *s, const char *op, const agn_fn *f,
                            int argnum, const agn_tensor *const *in)
{
    int32_t list = argnum;
    *r = (agni_recorded){.p = NULL};
    bool *want = agni_argnum_mask(s, f->n_in, 1, &list);
    if (want && !agn_scope_fail(s, check_real(op, "argument", in[argnum])) &&
        agni_record_call(r, s, f, in, want))
        agn_scope_fail(s, check_real(op, "result", r->p->val[r->p->out[0]]));
    agni_free(want);
    return !agn_scope_status(s);
}

typedef struct tracing {
    const derivative *m;
    specialisation *w;
} tracing;

static agn_status find_pattern(const derivative *m, specialisation *w, const agni_recorded *r)
{
    int64_t rows = r->p->val[r->p->out[0]]->size, cols = r->p->val[m->argnum]->size;
    const agni_pattern *p = m->given;
    if (!p)
        return agni_detect_pattern(&w->pattern, r->p, m->argnum, m->symmetric);
    if (p->rows != rows || p->cols != cols)
        return agni_fail(AGN_ESHAPE, "%s: the pattern is [%lld,%lld], the matrix [%lld,%lld]",
                         derivative_name(m), (long long)p->rows, (long long)p->cols,
                         (long long)rows, (long long)cols);
    w->pattern = (agni_pattern *)agni_obj_retain(&m->given->head);
    return AGN_OK;
}

static const agn_tensor *trace_values(const derivative *m, specialisation *w, agn_scope *s,
                                      agni_recorded *r)
{
    agn_colour_by by = m->opts.by;
    agni_colours c = {0};
    if (agn_scope_fail(s, find_pattern(m, w, r)))
        return NULL;
    if (w->pattern->nnz == 0)
        return agni_full(s, 0, r->p->val[r->p->out[0]]->dtype, 1, (int64_t[]){0});
    if (by == AGN_COLOUR_AUTO && m->symmetric)
        by = AGN_COLOUR_STAR;
    if (agn_scope_fail(s, agni_colour_pattern(&c, w->pattern, by, m->opts.order)))
        return NULL;
    const agn_tensor *v = NULL;
    if (!m->opts.coloured)
        v = agni_entries_by_tangents(s, r, m->argnum, w->pattern, c.n_column + c.n_row,
                                     &w->n_tangent);
    if (!v && !agn_scope_status(s))
        v = agni_entries_by_colours(s, r, m->argnum, w->pattern, &c, by == AGN_COLOUR_STAR);
    w->n_column = c.n_column;
    w->n_row = c.n_row;
    agni_colours_free(&c);
    return v;
}

static agn_status body_values(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const tracing *q = user;
    agni_recorded r;
    if (record_function(&r, s, derivative_name(q->m), q->m->f, q->m->argnum, in))
        out[0] = agni_detach_result(s, trace_values(q->m, q->w, s, &r));
    agni_recorded_close(&r);
    return agn_scope_status(s);
}

/* ---- the program of the values -------------------------------------------------- */

static agn_status keep_key(specialisation *w, int n, const agn_tensor *const *in)
{
    size_t axes = 0;
    for (int i = 0; i < n; i++)
        axes += (size_t)in[i]->ndim;
    w->n_in = n;
    w->key = agni_zalloc((size_t)n * sizeof *w->key);
    w->shape = agni_alloc((axes + 1) * sizeof *w->shape);
    if (!w->key || !w->shape)
        return agni_nomem("sparse_jacobian", axes * sizeof *w->shape);
    int64_t *to = w->shape;
    for (int i = 0; i < n; i++) {
        w->key[i] = (struct key){in[i]->dtype, in[i]->ndim, in[i]->weak};
        for (int d = 0; d < in[i]->ndim; d++)
            *to++ = in[i]->shape[d];
    }
    return AGN_OK;
}

static agn_status make_specialisation(const derivative *m, specialisation **out,
                                      const agn_tensor *const *in)
{
    agni_prog *live = NULL;
    agn_fn *values = NULL;
    uint64_t first;
    specialisation *w = agni_zalloc(sizeof *w);
    if (!w)
        return agni_nomem(derivative_name(m), sizeof *w);
    agni_ref_init(&w->head.ref);
    w->head.type = &specialisation_type;
    atomic_init(&w->trusted, !m->given);
    tracing q = {m, w};
    agn_status st = keep_key(w, m->f->n_in, in);
    if (!st)
        st = agni_trace_body(&live, &first, body_values, &q, m->f->n_in, in, 1, true);
    if (!st)
        st = agni_fn_from_program(&values, derivative_name(m), live);
    if (!st)
        st = agn_fn_compile(&w->compiled, values, NULL);
    agn_fn_release(values);
    agni_prog_release(live);
    if (st)
        agni_obj_release(&w->head);
    else
        *out = w;
    return st;
}

static bool matches_key(const specialisation *w, const agn_tensor *const *in)
{
    const int64_t *shape = w->shape;
    for (int i = 0; i < w->n_in; i++) {
        const agn_tensor *x = in[i];
        if (w->key[i].dtype != x->dtype || w->key[i].ndim != x->ndim ||
            w->key[i].weak != x->weak)
            return false;
        for (int d = 0; d < x->ndim; d++)
            if (*shape++ != x->shape[d])
                return false;
    }
    return true;
}

/* a reference to the specialisation for these shapes and dtypes */
static agn_status find_specialisation(derivative *m, specialisation **out,
                                      const agn_tensor *const *in)
{
    int n = 0;
    for (specialisation *w = atomic_load(&m->ways); w; w = w->next, n++)
        if (matches_key(w, in)) {
            *out = (specialisation *)agni_obj_retain(&w->head);
            return AGN_OK;
        }
    specialisation *w = NULL;
    agn_status st = make_specialisation(m, &w, in);
    if (st)
        return st;
    *out = w;
    if (n < MAX_WAYS) { /* two threads that make the same at once keep both */
        agni_obj_retain(&w->head);
        w->next = atomic_load(&m->ways);
        while (!atomic_compare_exchange_weak(&m->ways, &w->next, w))
            ;
    }
    return AGN_OK;
}

/* ---- a pattern of the user ------------------------------------------------------ */

static bool have_values(int n, const agn_tensor *const *in)
{
    for (int i = 0; i < n; i++)
        if (in[i]->node || !in[i]->st || in[i]->stale || in[i]->st->device != AGN_CPU)
            return false;
    return true;
}

/* of both as f64, on the host */
static agn_status compare_products(const derivative *m, const specialisation *w,
                                   const agn_tensor *const pair[2], const double *v)
{
    const agni_pattern *p = w->pattern;
    const double *j = pair[0]->data, *want = pair[1]->data;
    for (int64_t i = 0; i < p->rows; i++) {
        double sum = 0, size = fabs(want[i]);
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            sum += j[e] * v[agni_entry_col(p, e)];
            size += fabs(j[e] * v[agni_entry_col(p, e)]);
        }
        if (fabs(sum - want[i]) > 1e-3 * size)
            return agni_fail(AGN_EARG,
                             "%s: the pattern leaves out an entry: element %lld of a product "
                             "is %g, by the function %g",
                             derivative_name(m), (long long)i, sum, want[i]);
    }
    return AGN_OK;
}

/* Compares one product by the matrix and by the function: they differ if the pattern leaves out an
   entry. */
static agn_status check_given(const derivative *m, specialisation *w, const agn_tensor *const *in,
                              const agn_tensor *values)
{
    int n = m->f->n_in, no = m->f->n_out;
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *v = NULL, *wide[2] = {NULL, NULL}, *row[2] = {NULL, NULL};
    const agn_tensor *x = in[m->argnum];
    const agn_tensor **a = agni_zalloc((size_t)(n + no + 1) * sizeof *a);
    double *d = agni_alloc((size_t)(x->size + 1) * sizeof *d);
    int32_t list = m->argnum;
    bool *want = agni_argnum_mask(s, n, 1, &list);
    agn_status st = a && d && want ? AGN_OK
                                   : agni_nomem(derivative_name(m), (size_t)x->size * sizeof *d);
    for (int64_t k = 0; !st && k < x->size; k++)
        d[k] = 0.5 + fmod(0.6180339887498949 * (double)(k + 1), 1);
    agni_recorded r = {.p = NULL};
    if (!st)
        st = agn_from_host(&v, AGN_F64, x->ndim, x->shape, d);
    if (!agn_scope_fail(s, st) && agni_record_call(&r, s, m->f, in, want)) {
        a[m->argnum] = agni_cast(s, v, x->dtype);
        agni_traverse_jvp(&r.w, a, a + n);
        const agn_tensor *pair[2] = {values,
                                     agni_or_zero(s, a[n], r.w.prim[r.p->out[0]])};
        for (int k = 0; k < 2 && !agn_scope_status(s); k++) {
            st = agn_cast(&wide[k], pair[k], AGN_F64);
            agn_scope_fail(s, st ? st : agn_contiguous(&row[k], wide[k]));
        }
        if (!agn_scope_status(s))
            agn_scope_fail(s, compare_products(m, w, (const agn_tensor *const *)row, d));
    }
    agni_recorded_close(&r);
    for (int k = 0; k < 2; k++) {
        agn_release(wide[k]);
        agn_release(row[k]);
    }
    agn_release(v);
    agni_free(a);
    agni_free(d);
    agni_free(want);
    return agn_scope_close(s);
}

/* ---- calls ---------------------------------------------------------------------- */

static agn_status run(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    derivative *m = f->data;
    specialisation *w = NULL;
    for (int i = 0; i < f->n_in; i++) {
        agn_status st = agni_require_dense(in[i], derivative_name(m));
        if (st)
            return st;
    }
    agn_status st = find_specialisation(m, &w, in);
    if (st)
        return st;
    const agn_tensor *v = NULL;
    agn_tensor *y = NULL;
    st = agni_fn_run_in(w->compiled, s, in, &v);
    if (!st && !atomic_load(&w->trusted) && have_values(f->n_in, in)) {
        st = check_given(m, w, in, v);
        atomic_store(&w->trusted, !st);
    }
    if (!st)
        st = agni_csr_new(&y, derivative_name(m), w->pattern, v);
    agni_obj_release(&w->head);
    out[0] = agn_scope_adopt(s, st, &y);
    return st;
}

static agn_status check_options(const char *op, const agn_sparse_options *opts,
                                agn_sparse_options *o)
{
    *o = (agn_sparse_options){.size = sizeof *o};
    if (agni_check_size(op, agn_sparse_options, opts))
        return AGN_EARG;
    if (opts)
        *o = *opts;
    return agni_check_colouring(op, (int)o->by, (int)o->order);
}

/* f is taken as it is: a gradient for a Hessian */
static agn_status make_fn(agn_fn **out, const char *op, const agn_fn *f, int argnum,
                          const agn_tensor *pattern, const agn_sparse_options *opts,
                          bool symmetric)
{
    if (pattern)
        AGNI_BY_ROWS(op, pattern, make_fn(out, op, f, argnum, pattern, opts, symmetric));
    agn_sparse_options o;
    agn_status st = check_options(op, opts, &o);
    if (!st && pattern && pattern->layout == AGN_DENSE)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "%s: the pattern is dense, a sparse one is needed: %s %s", op,
                       agni_dtypes[pattern->dtype].name, AGNI_SHAPE(pattern));
    derivative *m = st ? NULL : agni_zalloc(sizeof *m);
    if (st || !m)
        return st ? st : agni_nomem(op, sizeof *m);
    m->f = agn_fn_retain(f);
    m->argnum = argnum;
    m->symmetric = symmetric;
    m->opts = o;
    atomic_init(&m->ways, NULL);
    if (pattern)
        m->given = (agni_pattern *)agni_obj_retain(
            &agni_csr_of(pattern)->pattern->head);
    st = agni_fn_make(out, run, f->n_in, 1, m, free_derivative);
    if (st)
        free_derivative(m);
    return st;
}

agn_status agn_fn_sparse_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum,
                                  const agn_tensor *pattern,
                                  const agn_sparse_options *opts)
{
    agn_status st = agni_check_argnum("fn_sparse_jacobian", out, f, argnum);
    return st ? st
              : make_fn(out, "fn_sparse_jacobian", f, argnum, pattern, opts, false);
}

agn_status agn_fn_sparse_hessian(agn_fn **out, const agn_fn *f, int32_t argnum,
                                 const agn_tensor *pattern,
                                 const agn_sparse_options *opts)
{
    agn_fn *g = NULL;
    agn_status st = agni_check_argnum("fn_sparse_hessian", out, f, argnum);
    if (!st)
        st = agn_fn_grad(&g, f, &argnum, 1);
    if (!st)
        st = make_fn(out, "fn_sparse_hessian", g, argnum, pattern, opts, true);
    agn_fn_release(g);
    return st;
}

/* ---- what was found ------------------------------------------------------------- */

typedef struct detection {
    const agn_fn *f;
    int argnum;
    agni_pattern *p;
    int dtype;
} detection;

static agn_status body_detect(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    detection *q = user;
    agni_recorded r;
    if (record_function(&r, s, "fn_pattern", q->f, q->argnum, in)) {
        q->dtype = r.p->val[r.p->out[0]]->dtype;
        agn_scope_fail(s, agni_detect_pattern(&q->p, r.p, q->argnum, false));
    }
    agni_recorded_close(&r);
    out[0] = in[q->argnum];
    return agn_scope_status(s);
}

agn_status agn_fn_pattern(agn_tensor **out, const agn_fn *f, int32_t argnum,
                          const agn_tensor *const *in, int32_t n_in)
{
    agn_status st = agni_check_argnum("fn_pattern", out, f, argnum);
    if (!st)
        st = agni_check_n_in("fn_pattern", f, in, n_in);
    for (int i = 0; !st && i < f->n_in; i++)
        if (!in[i])
            st = agni_fail(AGN_ENULL, "fn_pattern: argument %d of %d is NULL", i,
                           f->n_in);
    detection q = {f, argnum, NULL, 0};
    agni_prog *p = NULL;
    agn_tensor *v = NULL, *y = NULL;
    uint64_t first;
    if (!st)
        st = agni_trace_body(&p, &first, body_detect, &q, f->n_in, in, 1, true);
    if (!st)
        st = agn_ones(&v, (agn_dtype)q.dtype, 1, &q.p->nnz);
    if (!st)
        st = agni_csr_new(&y, "fn_pattern", q.p, v);
    if (!st)
        *out = y;
    agni_prog_release(p);
    agn_release(v);
    if (q.p)
        agni_obj_release(&q.p->head);
    return st;
}

static void say_plan(agni_text *t, const agn_fn *f)
{
    size_t need = 0;
    char *text = NULL;
    if (agn_plan_explain(NULL, 0, &need, f) || !(text = agni_alloc(need)))
        return; /* not called yet */
    if (!agn_plan_explain(text, need, NULL, f))
        for (const char *p = text, *end; *p; p = end + (*end != 0)) {
            for (end = p; *end && *end != '\n'; end++)
                ;
            agni_text_append(t, "  %.*s\n", (int)(end - p), p);
        }
    agni_free(text);
}

agn_status agn_fn_sparse_explain(char *buf, size_t n, size_t *need, const agn_fn *f)
{
    if (!f || (!buf && n))
        return agni_fail(AGN_ENULL, "fn_sparse_explain: %s is NULL", f ? "buf" : "f");
    if (f->run != run)
        return agni_fail(
            AGN_EARG,
            "fn_sparse_explain: a function of %d arguments that is no sparse "
            "derivative",
            f->n_in);
    const derivative *m = f->data;
    agni_text t = {NULL, 0, 0, false};
    agni_text_append(&t, "%s", "");
    for (const specialisation *w = atomic_load(&((derivative *)f->data)->ways); w; w = w->next) {
        const agni_pattern *p = w->pattern;
        agni_text_append(&t, "%s [%lld,%lld], %lld entries: ", derivative_name(m),
                         (long long)p->rows, (long long)p->cols, (long long)p->nnz);
        if (w->n_tangent)
            agni_text_append(&t, "%d sparse tangents", w->n_tangent);
        else
            agni_text_append(&t, "%d colours of columns, %d of rows", w->n_column, w->n_row);
        agni_text_append(&t, "\n");
        say_plan(&t, w->compiled);
    }
    return agni_text_copy_out("fn_sparse_explain", &t, buf, n, need);
}
