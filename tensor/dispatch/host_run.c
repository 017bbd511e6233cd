/* tensor/dispatch/host_run.c - ops and functions that run on the host for tensors of a device:
   their operands are copied there, their results back, and each such run is counted.
   Factorisations that few need on a device and loops that follow single numbers come to this (jax
   does so with eig). */
#include "tensor/dispatch/host_run.h"

#include "core/device/backend_registry.h"
#include "core/memory/scope.h"
#include "core/thread_record.h"
#include "tensor/value/trace_guards.h"

#include <stdatomic.h>
#include <string.h>

static atomic_bool refused;

/* ---- what is told ---------------------------------------------------------------------------- */

void agn_host_run_count(int64_t *runs, int64_t *reads)
{
    const agni_thread_record *a = agni_thread_record_own;
    if (runs)
        *runs = a ? a->host_runs : 0;
    if (reads)
        *reads = a ? a->host_reads : 0;
}

const char *agn_host_run_last(void)
{
    const agni_thread_record *a = agni_thread_record_own;
    return a && a->last_host_run ? a->last_host_run : "";
}

bool agn_host_run_allow(bool allow)
{
    return !atomic_exchange(&refused, !allow);
}

const char *agn_host_run_name(int32_t i, const char **why)
{
    if (i < 0 || i >= agni_n_host_rows)
        return NULL;
    if (why)
        *why = agni_host_rows[i].why;
    return agni_host_rows[i].name;
}

const agni_host_row *agni_find_host_row(const char *name)
{
    for (int i = 0; i < agni_n_host_rows && !atomic_load(&refused); i++)
        if (!strcmp(agni_host_rows[i].name, name))
            return agni_host_rows + i;
    return NULL;
}

static void note_run(const char *name)
{
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        a->host_runs++, a->last_host_run = name;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* x on another device, of its values alone */
static agn_status copy_values(agn_tensor **out, const char *op, const agn_tensor *x, int32_t device)
{
    agn_tensor *alias = agni_tensor_alias(x);
    if (!alias)
        return agni_nomem(op, sizeof *alias);
    agn_status st = agn_to_device(out, alias, device);
    agn_release(alias);
    return st;
}

static void release_each(int n, agn_tensor **x)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

/* ---- ops ---------------------------------------- */

/* y into the memory of out, which a plan has given */
static agn_status copy_into(const agn_tensor *out, const agn_tensor *y, const char *op)
{
    if (!agni_is_contiguous(out))
        return agni_fail(AGN_EUNSUPPORTED, "%s: runs on the host, and its result has gaps", op);
    agn_tensor *rows = NULL;
    agn_status st = agni_make_contiguous(&rows, y);
    if (!st)
        st = agni_wait_writable(out);
    if (!st)
        st = agni_device_copy(out->st->device, out->data, AGN_CPU, rows->data,
                              (size_t)out->size * (size_t)agni_dtypes[out->dtype].bytes);
    agn_release(rows);
    return st;
}

agn_status agni_run_on_host(const agni_call *c, const agni_host_row *row, int32_t device,
                            agn_tensor **out)
{
    size_t n = (size_t)(c->nin + 2 * c->nout);
    agn_tensor **t = agni_zalloc((n ? n : 1) * sizeof *t), **y = t ? t + c->nin : NULL,
               **moved = t ? y + c->nout : NULL;
    if (!t)
        return agni_nomem(c->op->name, n * sizeof *t);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < c->nin; i++)
        st = copy_values(&t[i], c->op->name, c->in[i], AGN_CPU);
    agni_call near = *c;
    near.in = (const agn_tensor *const *)t;
    if (!st)
        st = agni_run(&near, y);
    for (int i = 0; !st && i < c->nout; i++)
        st = out[i] ? copy_into(out[i], y[i], c->op->name)
                    : agn_to_device(&moved[i], y[i], device);
    for (int i = 0; !st && i < c->nout; i++)
        if (!out[i]) {
            out[i] = moved[i];
            moved[i] = NULL;
        }
    if (!st)
        note_run(row->name);
    release_each((int)n, t);
    agni_free(t);
    return st;
}

/* ---- functions ---------------------------------------- */

/* the values of a dense or sparse tensor on device */
static agn_status move_argument(agn_tensor **out, const char *name, const agn_tensor *x,
                                int32_t device)
{
    if (x->layout == AGN_DENSE)
        return agni_kind(x->dtype) <= AGNI_KIND_INT ? copy_values(out, name, x, device)
                                                    : agn_to_device(out, x, device);
    agn_tensor *far = NULL;
    agn_status st = agn_to_device(&far, agni_values_of(x), device);
    if (!st)
        st = agni_sparse.revalue(out, name, x, far);
    agn_release(far);
    return st;
}

static int32_t device_of(const agn_tensor *x)
{
    if (!x)
        return AGN_CPU;
    return agni_tensor_device(x->layout == AGN_DENSE ? x : agni_values_of(x));
}

bool agni_host_call_begin(agni_host_call *h, const char *name, int n, const agn_tensor *const *x)
{
    int32_t device = AGN_CPU;
    for (int i = 0; i < n && device == AGN_CPU; i++)
        device = device_of(x[i]);
    if (device == AGN_CPU)
        return false;
    memset(h, 0, sizeof *h);
    h->device = device;
    h->n = n;
    if (!agni_find_host_row(name))
        h->st = agni_fail(AGN_EUNSUPPORTED, "%s: %s has no kernel for it, and runs on the host are "
                                            "not allowed",
                          name, agn_device_name(device));
    for (int i = 0; !h->st && i < n; i++)
        if (device_of(x[i]) == AGN_CPU)
            h->in[i] = agni_tensor_ref(x[i]);
        else
            h->st = agni_rename_error(name, move_argument(&h->in[i], name, x[i], AGN_CPU));
    if (!h->st)
        note_run(name);
    return true;
}

agn_status agni_host_call_end(agni_host_call *h, agn_status st, int n_out,
                              agn_tensor **const *out)
{
    agn_tensor *far[AGNI_HOST_RESULTS] = {NULL};
    for (int i = 0; !st && i < n_out; i++)
        if (h->y[i])
            st = move_argument(&far[i], "to_device", h->y[i], h->device);
    for (int i = 0; !st && i < n_out; i++)
        if (out[i]) {
            *out[i] = far[i];
            far[i] = NULL;
        }
    release_each(AGNI_HOST_RESULTS, far);
    release_each(AGNI_HOST_RESULTS, h->y);
    release_each(h->n, h->in);
    return st;
}

/* ---- indices ---------------------------------------- */

void agni_note_read(const char *op)
{
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        a->host_reads++, a->last_host_run = op;
}

agn_status agni_read_on_host(agn_tensor **out, const agn_tensor *x, const char *op)
{
    if (!x || x->layout != AGN_DENSE || !x->st || x->stale || x->st->device == AGN_CPU) {
        agn_status st = agni_require_host(x, op);
        if (!st)
            *out = agni_tensor_ref(x);
        return st;
    }
    agn_status st = copy_values(out, op, x, AGN_CPU);
    if (!st)
        agni_note_read(op);
    return agni_rename_error(op, st);
}

const agn_tensor *agni_read_in(agn_scope *s, const char *op, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s) || !x)
        return NULL;
    agn_status st = agni_read_on_host(&y, x, op);
    return agn_scope_adopt(s, st, &y);
}

const agn_tensor *agni_beside(agn_scope *s, const agn_tensor *y, const agn_tensor *like)
{
    int32_t device = device_of(like);
    if (!y || !y->st || y->st->device == device)
        return y;
    agn_tensor *far = NULL;
    agn_status st = agn_to_device(&far, y, device);
    return agn_scope_adopt(s, st, &far);
}
