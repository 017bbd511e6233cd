/* tensor/dispatch/run.c - execution of an op on prepared operands: a view, a kernel of the device
   (on contiguous operands where it walks no strides), the op's decomposition, a run on the host
   where the op is named for that, or a failure that names the kernels that exist. */
#include "core/threads/cancel.h"
#include "tensor/dispatch/host_run.h"

#include <string.h>

enum { FEW = 8 }; /* operands kept on the stack */

/* ---- devices ------------------------------------------------------------------------- */

agn_status agni_common_device(const agni_op *op, int nin, const agn_tensor *const *in,
                              int32_t *device)
{
    int32_t dev = -1, moved = AGN_CPU;
    for (int i = 0; i < nin; i++) {
        if (agni_is_uncommitted(in[i])) {
            moved = in[i]->st && in[i]->st->device != AGN_CPU ? in[i]->st->device
                                                              : moved;
            continue;
        }
        int32_t d = in[i]->st->device;
        if (dev >= 0 && d != dev)
            return agni_fail(AGN_EDEVICE, "%s: arguments are on %s and %s", op->name,
                             agn_device_name(dev), agn_device_name(d));
        dev = d;
    }
    *device = dev < 0 ? moved : dev;
    return AGN_OK;
}

/* ---- kernels ------------------------------------------------------------------------- */

static const agn_kernel_entry no_kernel;

static int kernel_dtype(const agni_call *c)
{
    if (c->op->cls == AGNI_RANDOM || !c->nin)
        return c->meta[0].dtype;
    for (int i = 0; i < c->nin && i < 32; i++)
        if (c->op->promote >> i & 1)
            return c->in[i]->dtype;
    return c->in[0]->dtype;
}

static const agn_kernel_entry *find_kernel(const agn_backend *b, const agni_op *op,
                                           int dtype, int index)
{
    _Atomic(const agn_kernel_entry *) *slot = op->slots
                                                  ? &op->slots->k[index - 1][dtype]
                                                  : NULL;
    const agn_kernel_entry *k = slot ? atomic_load_explicit(slot, memory_order_acquire)
                                     : NULL;
    if (!k) {
        k = &no_kernel;
        for (int i = 0; i < b->n_kernels; i++)
            if ((b->kernels[i].dtype < 0 || b->kernels[i].dtype == dtype) &&
                !strcmp(b->kernels[i].op, op->name)) {
                k = b->kernels + i;
                break;
            }
        if (slot)
            atomic_store_explicit(slot, k, memory_order_release);
    }
    return k == &no_kernel ? NULL : k;
}

const agn_kernel_entry *agni_find_device_kernel(const agni_call *c, int32_t device)
{
    return find_kernel(agni_backend_of(device), c->op, kernel_dtype(c), agni_backend_index(device));
}

const agn_kernel_entry *agni_find_named_kernel(int32_t device, const char *name, int dtype)
{
    const agn_backend *b = agni_backend_of(device);
    for (int i = 0; b && i < b->n_kernels; i++)
        if ((b->kernels[i].dtype < 0 || b->kernels[i].dtype == dtype) &&
            !strcmp(b->kernels[i].op, name))
            return b->kernels + i;
    return NULL;
}

static agn_array describe_array(const agn_tensor *x)
{
    return (agn_array){x->data, x->dtype, x->ndim, x->shape, x->stride};
}

/* Stores the stream's mark of this call in the memory of operands and results. */
static void record_marks(const agn_backend *b, const agni_call *c,
                        const agn_tensor *const *in, agn_tensor *const *out)
{
    uint64_t mark = b->record(agni_device_ordinal(out[0]->st->device));
    for (int i = 0; i < c->nin; i++)
        atomic_store_explicit(&in[i]->st->read_mark, mark, memory_order_release);
    for (int i = 0; i < c->nout; i++)
        atomic_store_explicit(&out[i]->st->write_mark, mark, memory_order_release);
}

/* What the kernel of a call wants to work in; scratch of 0 bytes is NULL. */
static agn_status lend_scratch(const agn_backend *b, int32_t device, agn_kernel_call *k)
{
    size_t bytes = 0;
    agn_status st = b->workspace(b->context, k, &bytes);
    if (!st && bytes)
        st = agni_device_alloc(device, bytes, &k->scratch);
    if (!st)
        k->scratch_size = bytes;
    return st;
}

/* donated: bit i is set where nobody reads in[i] afterwards */
static agn_status call_kernel(const agni_call *c, agn_kernel *run, int32_t device,
                              const agn_tensor *const *in, agn_tensor *const *out,
                              uint64_t donated)
{
    agn_array few[FEW], *a = few;
    int n = c->nin + c->nout;
    if (n > FEW && !(a = agni_alloc((size_t)n * sizeof *a)))
        return agni_nomem(c->op->name, (size_t)n * sizeof *a);
    for (int i = 0; i < c->nin; i++)
        a[i] = describe_array(in[i]);
    for (int i = 0; i < c->nout; i++)
        a[c->nin + i] = describe_array(out[i]);
    const agn_backend *b = agni_backend_of(device);
    agn_kernel_call k = {
        .size = sizeof k,
        .op = c->op->name,
        .n_in = c->nin,
        .n_out = c->nout,
        .in = a,
        .out = a + c->nin,
        .n_int = c->at ? c->at->ni : 0,
        .n_real = c->at ? c->at->nf : 0,
        .ints = c->at ? c->at->i : NULL,
        .reals = c->at ? c->at->f : NULL,
        .object = c->at ? c->at->obj : NULL,
        .device = agni_device_ordinal(device),
        .stream = device && b && b->stream ? b->stream(agni_device_ordinal(device))
                                           : NULL,
        .context = device != AGN_CPU && AGNI_BACKEND_HAS(b, context) ? b->context : NULL,
        .donated = donated,
    };
    agn_status st = AGN_OK;
    if (device != AGN_CPU && AGNI_BACKEND_HAS(b, workspace))
        st = lend_scratch(b, device, &k);
    if (!st)
        st = agni_cancel_end(c->op->name, run(&k));
    if (k.scratch)
        agni_device_free(device, k.scratch, k.scratch_size);
    if (a != few)
        agni_free(a);
    if (!st && device != AGN_CPU)
        record_marks(b, c, in, out);
    return st;
}

/* contiguous operands for a kernel that walks no strides */
static agn_status call_contiguous(const agni_call *c, agn_kernel *run, int32_t device,
                                  agn_tensor *const *out)
{
    agn_tensor **t = agni_zalloc((size_t)(c->nin ? c->nin : 1) * sizeof *t);
    if (!t)
        return agni_nomem(c->op->name, (size_t)c->nin * sizeof *t);
    agn_status st = AGN_OK;
    uint64_t donated = 0; /* the copies */
    for (int i = 0; !st && i < c->nin; i++) {
        agn_tensor *alias = agni_tensor_alias(c->in[i]); /* copies are not recorded */
        if (!alias) {
            st = agni_nomem(c->op->name, sizeof *alias);
            break;
        }
        st = agni_make_contiguous(&t[i], alias);
        if (!st && t[i]->st != alias->st && i < 64)
            donated |= (uint64_t)1 << i;
        agn_release(alias);
    }
    if (!st)
        st = call_kernel(c, run, device, (const agn_tensor *const *)t, out, donated);
    for (int i = 0; i < c->nin; i++)
        agn_release(t[i]);
    agni_free(t);
    return st;
}

agn_status agni_fail_no_kernel(const agni_call *c, int32_t device)
{
    const agn_backend *b = agni_backend_of(device);
    int dtype = kernel_dtype(c);
    char have[128] = "";
    size_t k = 0;
    for (int d = 0; d < AGN_NDTYPES; d++)
        for (int i = 0; i < b->n_kernels && k + 8 < sizeof have; i++)
            if (!strcmp(b->kernels[i].op, c->op->name) &&
                (b->kernels[i].dtype < 0 || b->kernels[i].dtype == d)) {
                size_t len = strlen(agni_dtypes[d].name);
                have[k++] = ' ';
                memcpy(have + k, agni_dtypes[d].name, len + 1);
                k += len;
                break;
            }
    return agni_fail(AGN_EUNSUPPORTED, "%s: %s has no kernel for %s; it has:%s",
                     c->op->name, b->name, agni_dtypes[dtype].name, k ? have : " none");
}

bool agni_is_empty_call(const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i]->size)
            return false;
    for (int i = 0; i < c->nout; i++) {
        bool empty = false;
        for (int d = 0; d < c->meta[i].ndim; d++)
            empty |= c->meta[i].shape[d] == 0;
        if (!empty)
            return false;
    }
    return true;
}

/* What a device has no kernel for, or its kernel has declined (AGN_EUNSUPPORTED), is decomposed;
   what the decomposition declines, or there is none, runs on the host. */
static agn_status run_other_way(const agni_call *c, int32_t device, agn_status st, agn_tensor **out)
{
    if (c->op->eval) {
        st = c->op->eval(c, out);
        if (st != AGN_EUNSUPPORTED || device == AGN_CPU)
            return st;
    }
    const agni_host_row *row = c->op->cpu ? agni_find_host_row(c->op->name) : NULL;
    return row ? agni_run_on_host(c, row, device, out) : st ? st : agni_fail_no_kernel(c, device);
}

agn_status agni_run(const agni_call *c, agn_tensor **out)
{
    int32_t device;
    if (c->op->cls == AGNI_CONTROL) /* the ops it calls check devices */
        return c->op->eval(c, out);
    agn_status st = agni_common_device(c->op, c->nin, c->in, &device);
    if (st)
        return st;
    if (c->op->view && !out[0]) {
        agn_tensor *v = NULL;
        st = c->op->view(c, &v);
        if (st || v) {
            out[0] = v;
            return st;
        }
    }
    const agn_backend *b = agni_backend_of(device);
    const agn_kernel_entry *k = NULL;
    agn_kernel *run = c->op->cpu;
    if (device != AGN_CPU) {
        k = find_kernel(b, c->op, kernel_dtype(c), agni_backend_index(device));
        run = k ? k->run : NULL;
    }
    if (!run)
        return run_other_way(c, device, AGN_OK, out);
    bool mine[FEW] = {false};
    for (int i = 0; !st && i < c->nout; i++)
        if (!out[i]) {
            st = agni_tensor_make(&out[i], c->op->name, c->meta[i].dtype,
                                  c->meta[i].ndim, c->meta[i].shape, device);
            mine[i] = !st;
        }
    if (!st && !agni_is_empty_call(c)) {
        if (k ? !k->strided : c->op->contiguous)
            st = call_contiguous(c, run, device, out);
        else
            st = call_kernel(c, run, device, c->in, out, 0);
    }
    bool declined = st == AGN_EUNSUPPORTED && k;
    for (int i = 0; st && i < c->nout; i++)
        if (mine[i]) {
            agn_release(out[i]);
            out[i] = NULL;
        } else {
            declined = false; /* the memory of a plan is for this kernel */
        }
    return declined ? run_other_way(c, device, st, out) : st;
}
