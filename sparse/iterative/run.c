/* sparse/iterative/run.c - Krylov methods for matrices: batches and columns one after the other.
   The methods work with A, also where the equation is that of least squares. */
#include "sparse/iterative/iterative.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

static const char op[] = "krylov_solve";

/* ---- preconditioners that are kept ----------------------------------------------------------- */

void agni_kept_precondition_free(agni_kept_precondition *c)
{
    if (!c)
        return;
    agni_precondition_free(c->m);
    agn_release(c->values);
    agni_free(c);
}

/* ---- products on arrays: the methods --------------------------------------------------------- */

/* One matrix of a batch. */
typedef struct part {
    const agni_iteration *q;
    const agn_tensor *given; /* values of the matrix, on the host where they are looked at */
    agn_tensor *v, *vh;      /* divided by unit; for the adjoint */
    agni_precondition *m;
    agni_krylov vectors; /* has nothing but where they are */
    int64_t rows, cols; /* of A, or of A^H where wide */
    double unit;        /* a power of two; 1 but for extreme values */
    double damp;        /* divided by unit, too */
    double *room;       /* for cosines, */
    void *read;         /* and for the vector where that is on a device */
} part;

/* vectors of one column: right-hand sides, what is found, and room */
enum { B1, GUESS, B2, R, X, Y, Z, E, D, VECTORS };

static agn_status multiply_matrix(void *user, bool adjoint, const void *x, void *y)
{
    const part *c = user;
    return agni_linear_operator_multiply(&c->q->a, c->v, c->vh, adjoint, x, y);
}

/* [A; damp] or its adjoint; A^H for A where wide */
static agn_status multiply_damped(void *user, bool adjoint, const void *x, void *y)
{
    part *c = user;
    int dt = c->v->dtype;
    size_t one = agn_dtype_size(dt);
    agn_status st = multiply_matrix(c, adjoint != c->q->wide, x, y);
    if (st || !(c->damp > 0))
        return st;
    agni_krylov *k = &c->vectors;
    if (adjoint)
        agni_krylov_axpby(k, c->cols, c->damp, (const char *)x + (size_t)c->rows * one, 1, y);
    else
        agni_krylov_axpby(k, c->cols, c->damp, x, 0, (char *)y + (size_t)c->rows * one);
    return k->st;
}

static agn_status apply_user_preconditioner(void *user, bool adjoint, const void *px, void *py)
{
    part *c = user;
    const agn_fn *f = adjoint && c->q->m_back ? c->q->m_back : c->q->m;
    agn_tensor *x = NULL, *z = NULL;
    int dt = c->v->dtype;
    agn_status st = agni_tensor_wrap(
        &x, op, dt, 1, &c->rows, NULL,
        &(agni_memory){c->vectors.device, (void *)(uintptr_t)px, true, NULL, NULL});
    if (!st)
        st = agn_fn_call(&z, 1, f, (const agn_tensor *const *)&x, 1);
    if (!st && (!agni_same_shape(x, z) || z->dtype != dt))
        st = agni_fail(AGN_ESHAPE, "%s: the preconditioner makes %s %s of %s %s", op,
                       agni_dtypes[z->dtype].name, AGNI_SHAPE(z), agni_dtypes[dt].name,
                       AGNI_SHAPE(x));
    if (!st)
        st = agni_krylov_store(c->vectors.device, py, 1, &z);
    if (!st && c->unit != 1) /* it stands for the matrix that the user has */
        agni_krylov_axpby(&c->vectors, c->rows, 0, py, c->unit, py);
    agn_release(x);
    agn_release(z);
    return st;
}

/* ---- one matrix ------------------------------------------------------------------------------ */

/* rows of a dense matrix, to be freed at indptr */
static agn_status dense_indices(agni_rows *a)
{
    int64_t n = a->n, *ints = n < INT32_MAX ? agni_alloc((size_t)(n + 1 + n * n) * sizeof *ints)
                                            : NULL;
    if (!ints)
        return agni_nomem(op, (size_t)n * sizeof *ints);
    for (int64_t i = 0; i <= n; i++)
        ints[i] = i * n;
    for (int64_t e = 0; e < n * n; e++)
        ints[n + 1 + e] = e % n;
    a->indptr = ints;
    a->index = ints + n + 1;
    return AGN_OK;
}

static agn_status precondition_for(const agni_iteration *q, const agn_tensor *v,
                                   agni_precondition **out)
{
    agni_rows a = {.n = q->a.rows};
    agn_status st = AGN_OK;
    const agni_wide *w = q->a.pattern ? agni_pattern_wide(q->a.pattern) : NULL;
    if (w) {
        a.indptr = w->indptr;
        a.index = w->index;
    } else
        st = q->a.pattern ? agni_nomem(op, (size_t)q->a.pattern->nnz * sizeof *a.index)
                          : dense_indices(&a);
    if (!st)
        st = agni_precondition_make(out, op, q->o.precondition, q->o.block ? q->o.block : 8,
                                    v->dtype, &a, v->data);
    if (!q->a.pattern)
        agni_free((void *)(uintptr_t)a.indptr);
    return st;
}

/* the cached one if it is of these values, else a new one */
static agn_status precondition_open(agni_iteration *q, const agn_tensor *v,
                                    agni_kept_precondition **out)
{
    agni_kept_precondition *c = atomic_exchange(&q->spare, NULL);
    if (c && c->values->data == v->data && c->values->st == v->st &&
        c->version == agni_tensor_version(v)) {
        *out = c;
        return AGN_OK;
    }
    agni_kept_precondition_free(c);
    c = agni_zalloc(sizeof *c);
    if (!c)
        return agni_nomem(op, sizeof *c);
    agn_status st = precondition_for(q, v, &c->m);
    if (st) {
        agni_kept_precondition_free(c);
        return st;
    }
    c->values = agni_tensor_ref(v);
    c->version = agni_tensor_version(v);
    *out = c;
    return AGN_OK;
}
static void precondition_close(agni_iteration *q, agni_kept_precondition *c)
{
    if (c)
        agni_kept_precondition_free(atomic_exchange(&q->spare, c));
}

/* element where part number b of a batch of shape[n] begins in row-major x, whose last own axes are
   one part */
static int64_t batch_offset(const agn_tensor *x, int own, int n, const int64_t *shape, int64_t b)
{
    int64_t at = 0;
    for (int d = n - 1; d >= 0; d--) {
        int e = d - n + x->ndim - own;
        if (e >= 0 && x->shape[e] != 1)
            at += b % shape[d] * x->stride[e];
        b /= shape[d];
    }
    return at;
}

/* column j of a row-major [n, k], and back; on a device of [k, n] */
static void load_column(agni_krylov *v, int64_t n, int64_t k, int64_t j, const void *from, void *to)
{
    size_t one = agn_dtype_size(v->dtype);
    const char *x = from;
    if (v->device != AGN_CPU)
        agni_krylov_copy(v, n, x + (size_t)(j * n) * one, to);
    else
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)to + (size_t)i * one, x + (size_t)(i * k + j) * one, one);
}
static void store_column(agni_krylov *v, int64_t n, int64_t k, int64_t j, const void *from,
                         void *to)
{
    size_t one = agn_dtype_size(v->dtype);
    char *y = to;
    if (v->device != AGN_CPU)
        agni_krylov_copy(v, n, from, y + (size_t)(j * n) * one);
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(y + (size_t)(i * k + j) * one, (const char *)from + (size_t)i * one, one);
}

/* ---- one system ------------------------------------------------------------------------------ */

static void report_worst(const agni_iteration *q, const agn_krylov_info *i)
{
    agn_krylov_info *r = q->report;
    if (!r)
        return;
    r->reason = i->reason > r->reason ? i->reason : r->reason;
    r->iterations = i->iterations > r->iterations ? i->iterations : r->iterations;
    r->residual = i->residual > r->residual ? i->residual : r->residual;
    r->target = i->target > r->target ? i->target : r->target;
    r->normal = i->normal > r->normal ? i->normal : r->normal;
    r->condition = i->condition > r->condition ? i->condition : r->condition;
    r->products += i->products;
}

static agn_status run_system(part *c, agni_krylov *k, bool shown, const void *b, const void *x0,
                             void *x)
{
    agn_status st = agni_krylov_defaults(op, &k->o, &c->q->o, k->dtype, k->n);
    k->o.damp = 0; /* it is in the operator */
    if (!st)
        st = agni_krylov_run(k, b, x0, x);
    if (shown)
        report_worst(c->q, &k->info);
    return st;
}

static agn_status solve_square(part *c, bool adjoint, const char *name, const void *b,
                               const void *x0, void *x)
{
    agni_krylov k = {.op = name,
                     .dtype = c->v->dtype,
                     .rows = c->rows,
                     .n = c->rows,
                     .unit = c->unit,
                     .a = {multiply_matrix, c},
                     .m = {c->m      ? agni_precondition_apply
                           : c->q->m ? apply_user_preconditioner
                                     : NULL,
                           c->m ? (void *)c->m : (void *)c},
                     .adjoint = adjoint,
                     .device = c->vectors.device};
    return run_system(c, &k, true, b, x0, x);
}

/* r is read from a device, once for each end that is checked; NaN where that fails */
static double largest_cosine(const part *c, bool rows, const void *r)
{
    const agni_linear_operator *a = &c->q->a;
    double damp = c->q->o.damp;
    int64_t n = rows ? a->cols : a->rows + (damp > 0 ? a->cols : 0);
    if (c->read && agni_device_copy(AGN_CPU, c->read, c->vectors.device, r,
                                    (size_t)n * agn_dtype_size(c->v->dtype)))
        return (double)NAN;
    return agni_linear_operator_cosine(a, c->given, rows, damp, c->read ? c->read : r, c->room);
}
static double column_cosine(void *user, const void *r)
{
    const part *c = user;
    return largest_cosine(c, c->q->wide, r);
}
static double row_cosine(void *user, const void *r)
{
    const part *c = user;
    return largest_cosine(c, !c->q->wide, r);
}

/* The z with [A; damp] z = unit y, which the method of y carried along: made better where rounding
   spoilt it, and NaN where that fails, so that derivatives are not wrong. Then y need not be the
   shortest either. */
static agn_status check_multiplier(part *c, const agni_krylov *primal, void *const *at)
{
    agni_krylov k = *primal, *w = &c->vectors;
    int dt = k.dtype;
    void *y = at[Y], *z = at[Z], *e = at[E];
    agn_status st = agni_krylov_defaults(op, &k.o, &c->q->o, dt, k.n);
    double size = agni_krylov_max_abs(w, k.rows, y), off = 0;
    double exact = fmax(10 * k.o.rtol, 1e3 * agni_krylov_eps(dt));
    bool accept = k.o.accept;
    k.o.damp = k.o.atol = 0;
    k.unit = 1;
    k.o.accept = true;
    k.o.monitor = NULL;
    for (int round = 0; !(st = st ? st : w->st); round++) {
        st = multiply_damped(c, false, z, e);
        agni_krylov_axpby(w, k.rows, 1, y, -1, e);
        off = agni_krylov_max_abs(w, k.rows, e);
        st = st ? st : w->st;
        if (st || off <= exact * size)
            return st;
        if (round == 2 || !isfinite(off))
            break;
        st = agni_krylov_run(&k, e, NULL, at[D]);
        if (!st)
            agni_krylov_axpby(w, k.n, 1, at[D], 1, z);
    }
    if (st)
        return st;
    agni_krylov_axpby(w, k.n, 0, z, (double)NAN, z);
    if (off <= sqrt(exact) * size || accept)
        return AGN_OK;
    if (c->q->report && c->q->wide)
        c->q->report->reason = AGN_KRYLOV_ILL_CONDITIONED;
    return agni_fail(AGN_ENOCONV,
                     "%s: ill conditioned: the solution is off the shortest one by %.3g "
                     "of its size, not %.3g",
                     k.op, off / size, sqrt(exact));
}

/* r and x of the system of twice the size, for b1 and b2: r = b1 - [A; damp] x1 + y, x = x1 - z,
   with [A; damp] x1 nearest to b1, y the shortest with [A; damp]^H y = b2, and [A; damp] z = y. A
   part of the right-hand side that is 0 asks for no solve, but for the one that is told of. */
static agn_status solve_least(part *c, const char *name, bool guess, void *const *at)
{
    int dt = c->v->dtype;
    agni_krylov *w = &c->vectors;
    int64_t all = c->rows + (c->damp > 0 ? c->cols : 0);
    bool wide = c->q->wide;
    agni_krylov k = {.op = name,
                     .dtype = dt,
                     .rows = all,
                     .n = c->cols,
                     .unit = c->unit,
                     .a = {multiply_damped, c},
                     .column_cosine = column_cosine,
                     .device = w->device};
    agn_status st = AGN_OK;
    agni_krylov_zero(w, all, at[R]);
    agni_krylov_zero(w, c->cols, at[X]);
    if (!wide || agni_krylov_max_abs(w, all, at[B1]) != 0) {
        agni_krylov nearest = k;
        nearest.residual = at[R];
        st = run_system(c, &nearest, !wide, at[B1], guess && !wide ? at[GUESS] : NULL, at[X]);
    }
    if (st || (!wide && agni_krylov_max_abs(w, c->cols, at[B2]) == 0))
        return st;
    agni_krylov dual = k;
    dual.adjoint = true;
    dual.rows = c->cols;
    dual.n = all;
    dual.z = at[Z];
    dual.column_cosine = row_cosine;
    st = run_system(c, &dual, wide, at[B2], NULL, at[Y]);
    if (st)
        return st;
    agni_krylov_axpby(w, all, 1, at[Y], 1, at[R]);
    st = check_multiplier(c, &k, at);
    agni_krylov_axpby(w, c->cols, -1 / c->unit, at[Z], 1, at[X]);
    return st;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* one column after the other of one part; b and x: those of the node, at this part */
static agn_status solve_columns(part *c, bool adjoint, int64_t b, int64_t batch, int64_t k,
                                const char *const *rhs, const char *guess, char *const *to)
{
    const agni_iteration *q = c->q;
    int64_t longest = c->rows + c->cols;
    agni_krylov *v = &c->vectors;
    void *room = agni_krylov_alloc(v, VECTORS, longest + 1), *at[VECTORS];
    if (!room)
        return v->st;
    for (int i = 0; i < VECTORS; i++)
        at[i] = agni_krylov_vector_at(v, room, longest + 1, i);
    agn_status st = AGN_OK;
    for (int64_t j = 0; !st && j < k; j++) {
        char name[AGNI_LINE_BYTES / 2];
        if (batch * k == 1)
            agni_format(name, sizeof name, "%s", op);
        else
            agni_format(name, sizeof name, "%s: system %lld of %lld", op,
                        (long long)(b * k + j), (long long)(batch * k));
        agni_krylov_zero(v, longest + 1, at[B1]);
        load_column(v, c->rows, k, j, rhs[0], at[B1]);
        int64_t n = q->least && q->wide ? c->rows : c->cols; /* of the solution */
        if (guess)
            load_column(v, n, k, j, guess, at[GUESS]);
        if (!q->least) {
            st = solve_square(c, adjoint, name, at[B1], guess ? at[GUESS] : NULL, at[X]);
        } else {
            load_column(v, c->cols, k, j, rhs[1], at[B2]);
            st = solve_least(c, name, guess != NULL, at);
            if (!st)
                store_column(v, c->rows, k, j, at[R], to[0]);
        }
        if (!st)
            store_column(v, c->cols, k, j, at[X], to[q->least]);
        st = st ? st : v->st;
    }
    agni_krylov_free(v, room, VECTORS, longest + 1);
    return st;
}

/* Values whose squares would overflow or vanish are divided by a power of two, which changes no
   other bit; those of f32 are summed in f64, but not kept there. */
static agn_status scale_values(part *c, const agn_tensor *given)
{
    int64_t n = given->size;
    double most = fmax(agni_krylov_max_abs(&c->vectors, n, given->data), c->damp);
    int e = most > 0 && isfinite(most) ? ilogb(most) : 0;
    int wide = given->dtype == AGN_F32 || given->dtype == AGN_C64 ? 40 : 300;
    c->unit = 1;
    if (e >= -wide && e <= wide) {
        c->v = agni_tensor_ref(given);
        return c->vectors.st;
    }
    agn_status st = agn_copy(&c->v, given);
    c->unit = ldexp(1, e);
    c->damp /= c->unit;
    for (int left = -e; !st && left;) { /* by factors that the dtype has */
        int now = left < -100 ? -100 : left > 100 ? 100 : left;
        agni_krylov_axpby(&c->vectors, n, 0, c->v->data, ldexp(1, now), c->v->data);
        left -= now;
    }
    return st ? st : c->vectors.st;
}

static agn_status solve_part(const agni_iteration_side *f, agn_tensor *const *in,
                             agn_tensor *const *x, int64_t b, int64_t batch)
{
    agni_iteration *q = f->q;
    int n = 1 + q->least, lead = in[0]->ndim - 2, own = q->a.pattern ? 1 : 2;
    const agn_tensor *values = in[n];
    int64_t k = in[0]->shape[lead + 1], shape[2] = {q->a.rows, q->a.cols};
    size_t one = agn_dtype_size(in[0]->dtype);
    part c = {.q = q, .damp = q->o.damp};
    c.vectors = (agni_krylov){.op = op, .dtype = values->dtype, .device = x[0]->st->device};
    agn_tensor *given = NULL, *near = NULL;
    c.rows = q->wide ? q->a.cols : q->a.rows;
    c.cols = q->wide ? q->a.rows : q->a.cols;
    if (q->a.pattern)
        shape[0] = q->a.pattern->nnz;
    agni_kept_precondition *m = NULL;
    agn_status st = agni_tensor_view(&given, values, own, shape,
                                     own == 1 ? (int64_t[]){1} : (int64_t[]){q->a.cols, 1},
                                     batch_offset(values, own, lead, in[0]->shape, b));
    c.given = given;
    if (!st)
        st = scale_values(&c, given);
    if (!st && q->least) {
        bool far = c.vectors.device != AGN_CPU;
        size_t all = (size_t)(c.rows + c.cols + 1), sums = 4 * all * sizeof *c.room;
        size_t bytes = sums + (far ? all * one : 0);
        st = (c.room = agni_alloc(bytes)) ? AGN_OK : agni_nomem(op, bytes);
        c.read = far && !st ? (char *)c.room + sums : NULL;
        if (far && !st)
            st = agn_to_device(&near, given, AGN_CPU);
        c.given = near ? near : given;
    }
    if (!st)
        st = agni_linear_operator_adjoint_values(&c.vh, &q->a, c.v);
    if (!st && q->o.precondition && k)
        st = precondition_open(q, c.v, &m);
    if (!st) {
        c.m = m ? m->m : NULL;
        const char *rhs[2] = {NULL, NULL}, *guess = NULL;
        char *to[2] = {NULL, NULL};
        for (int i = 0; i < n; i++) {
            int64_t size = in[i]->shape[lead] * k;
            rhs[i] = (const char *)in[i]->data + (size_t)(b * size) * one;
            to[i] = (char *)x[i]->data + (size_t)(b * size) * one;
        }
        if (q->guess)
            guess = (const char *)in[n + 1]->data +
                    (size_t)(b * in[n + 1]->shape[lead] * k) * one;
        st = solve_columns(&c, f->adjoint, b, batch, k, rhs, guess, to);
    }
    precondition_close(q, m);
    agni_krylov_end(&c.vectors);
    agn_release(given);
    agn_release(near);
    agn_release(c.v);
    agn_release(c.vh);
    agni_free(c.room);
    return st;
}

/* where the vectors are, for values of a device: there, or on the host */
static int32_t device_of_vectors(const agni_iteration *q, int32_t device, int dtype)
{
    return q->o.precondition ? AGN_CPU : agni_krylov_device(device, dtype);
}

/* Columns one after the other in the memory of a row-major [.., n, k], whose shape is left; and
   back. */
static agn_status turn_columns(agn_tensor **x, bool back)
{
    int64_t shape[AGNI_MAX_RANK];
    int nd = (*x)->ndim;
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    memcpy(shape, (*x)->shape, (size_t)nd * sizeof *shape);
    shape[nd - 2] = (*x)->shape[nd - 1];
    shape[nd - 1] = (*x)->shape[nd - 2];
    const agn_tensor *t = back ? ag_reshape(s, *x, nd, shape) : *x;
    t = ag_copy(s, ag_swapaxes(s, t, -1, -2));
    agn_scope_return(s, &y, back ? t : ag_reshape(s, t, nd, (*x)->shape));
    agn_status st = agn_scope_close(s);
    if (!st) {
        agn_release(*x);
        *x = y;
    }
    return st;
}

/* a constant of the library, whose device is that of what it meets */
static agn_status move_constant(agn_tensor **x, int32_t device)
{
    agn_tensor *y = NULL;
    if ((*x)->st->device == device)
        return AGN_OK;
    agn_status st = agn_to_device(&y, *x, device);
    if (!st) {
        agn_release(*x);
        *x = y;
    }
    return st;
}

agn_status agni_iteration_run(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agni_iteration_side *q = f->data;
    agn_tensor *v[4] = {NULL}, *x[2] = {NULL};
    int n = f->n_out;
    int64_t batch = 1;
    const agn_tensor *a = in[n];
    int32_t device = a->st ? device_of_vectors(q->q, a->st->device, a->dtype) : AGN_CPU;
    agn_status st = device == AGN_CPU ? agni_krylov_host_values(op, f->n_in, in, v)
                                      : agni_krylov_plain_values(f->n_in, in, v);
    for (int i = 0; !st && i < f->n_in; i++)
        st = move_constant(&v[i], device);
    for (int i = 0; !st && i < n; i++)
        st = agni_tensor_make(&x[i], op, v[i]->dtype, v[i]->ndim, v[i]->shape, device);
    for (int d = 0; !st && d < v[0]->ndim - 2; d++)
        batch *= v[0]->shape[d];
    bool turn = device != AGN_CPU && !st && v[0]->shape[v[0]->ndim - 1] > 1;
    for (int i = 0; turn && !st && i < n; i++)
        st = turn_columns(&v[i], false);
    if (turn && !st && q->q->guess)
        st = turn_columns(&v[n + 1], false);
    for (int64_t b = 0; !st && b < batch; b++)
        st = solve_part(q, v, x, b, batch);
    for (int i = 0; turn && !st && i < n; i++)
        st = turn_columns(&x[i], true);
    for (int i = 0; i < n; i++)
        out[i] = agn_scope_adopt(s, st, &(agn_tensor *){st ? NULL : x[i]});
    for (int i = 0; st && i < n; i++)
        agn_release(x[i]);
    for (int i = 0; i < f->n_in; i++)
        agn_release(v[i]);
    agn_scope_fail(s, st);
    return st;
}
