/* krylov/vectors.c - inner products, norms and combinations of the vectors of a Krylov method (Saad
   2003, 6): on the host by chunked sums, on a device by its kernel, of which two numbers come
   back. */
#include "krylov/krylov.h"
#include "krylov/vector_step.h"
#include "tensor/dispatch/op.h"

#include <math.h>
#include <string.h>

static const char kernel_name[] = AGNI_VECTOR_STEP;

int32_t agni_krylov_device(int32_t device, int dtype)
{
    return device != AGN_CPU && agni_find_named_kernel(device, kernel_name, dtype) ? device
                                                                                   : AGN_CPU;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t padded_bytes(const agni_krylov *k, int64_t n)
{
    return ((size_t)n * agn_dtype_size(k->dtype) + 63) / 64 * 64;
}
static bool room_bytes(const agni_krylov *k, int64_t count, int64_t n, int64_t *bytes)
{
    return agni_checked_mul((int64_t)padded_bytes(k, n) + 64, count, bytes);
}

void *agni_krylov_alloc(agni_krylov *k, int64_t count, int64_t n)
{
    int64_t bytes;
    void *p = NULL;
    agn_status st = AGN_OK;
    if (!room_bytes(k, count, n, &bytes))
        st = agni_nomem(k->op, padded_bytes(k, n));
    else if (k->device != AGN_CPU)
        st = agni_device_alloc(k->device, (size_t)bytes, &p);
    else if (!(p = agni_alloc_aligned((size_t)bytes)))
        st = agni_nomem(k->op, padded_bytes(k, n));
    agni_krylov_note(k, st);
    return p;
}

void agni_krylov_free(const agni_krylov *k, void *room, int64_t count, int64_t n)
{
    int64_t bytes;
    if (k->device == AGN_CPU)
        agni_free(room);
    else if (room && room_bytes(k, count, n, &bytes))
        agni_device_free(k->device, room, (size_t)bytes);
}

void *agni_krylov_vector_at(const agni_krylov *k, void *room, int64_t n, int64_t i)
{
    return (char *)room + (size_t)i * padded_bytes(k, n);
}

void agni_krylov_copy(agni_krylov *k, int64_t n, const void *x, void *y)
{
    agni_krylov_note(k, agni_device_copy(k->device, y, k->device, x,
                                         (size_t)n * agn_dtype_size(k->dtype)));
}

agn_status agni_krylov_store(int32_t device, void *to, int n, agn_tensor *const *x)
{
    char *at = to;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++) {
        size_t bytes = (size_t)x[i]->size * agn_dtype_size(x[i]->dtype);
        agn_tensor *dense = NULL;
        if (device == AGN_CPU)
            st = agn_to_host(at, x[i], bytes);
        else if (!agni_is_contiguous(x[i]))
            st = agn_copy(&dense, x[i]);
        const agn_tensor *from = dense ? dense : x[i];
        if (!st && device != AGN_CPU)
            st = agni_device_copy(device, at, from->st->device, from->data, bytes);
        agn_release(dense);
        at += bytes;
    }
    return st;
}

/* ---- a device ------------------------------------------------------------------------------- */

/* what: of AGNI_VECTOR_*; the sum or the largest part */
static agni_z run_step(agni_krylov *k, int64_t n, int what, agni_z a, const void *x, agni_z b,
                       void *y)
{
    const agn_kernel_entry *e = agni_find_named_kernel(k->device, kernel_name, k->dtype);
    const agn_backend *back = agni_backend_of(k->device);
    agn_status st = k->st;
    double result[2] = {0, 0};
    bool told = what & (AGNI_VECTOR_SUM | AGNI_VECTOR_MOST);
    if (!st && !k->sums)
        st = agni_device_alloc(k->device, AGNI_KRYLOV_SUMS, &k->sums);
    if (!st && n) {
        const int64_t shape[] = {n}, two[] = {2}, stride[] = {1}, ints[] = {what};
        const double reals[] = {creal(a), cimag(a), creal(b), cimag(b)};
        const agn_array in[] = {{(void *)(uintptr_t)x, k->dtype, 1, shape, stride},
                                {y, k->dtype, 1, shape, stride}},
                        out = {k->sums, AGN_F64, 1, two, stride};
        int32_t ordinal = agni_device_ordinal(k->device);
        agn_kernel_call c = {.size = sizeof c,
                             .op = k->op,
                             .n_in = 2,
                             .n_out = 1,
                             .in = in,
                             .out = &out,
                             .n_int = 1,
                             .n_real = 4,
                             .ints = ints,
                             .reals = reals,
                             .device = ordinal,
                             .stream = back->stream ? back->stream(ordinal) : NULL,
                             .context = AGNI_BACKEND_HAS(back, context) ? back->context : NULL};
        st = e->run(&c);
        if (!st && told)
            st = agni_device_copy(AGN_CPU, result, k->device, k->sums, sizeof result);
    }
    agni_krylov_note(k, st);
    union {
        double part[2];
        agni_z z;
    } u = {{st ? (double)NAN : result[0], result[1]}};
    return u.z;
}

void agni_krylov_end(agni_krylov *k)
{
    if (k->sums)
        agni_device_free(k->device, k->sums, AGNI_KRYLOV_SUMS);
    k->sums = NULL;
}

/* ---- either --------------------------------------------------------------------------------- */

agni_z agni_krylov_dot(agni_krylov *k, int64_t n, const void *x, const void *y)
{
    return k->device == AGN_CPU
               ? agni_vector_dot(k->dtype, n, x, y)
               : run_step(k, n, AGNI_VECTOR_SUM, 0, x, 0, (void *)(uintptr_t)y);
}
double agni_krylov_norm(agni_krylov *k, int64_t n, const void *x)
{
    return sqrt(creal(agni_krylov_dot(k, n, x, x)));
}
double agni_krylov_max_abs(agni_krylov *k, int64_t n, const void *x)
{
    return k->device == AGN_CPU
               ? agni_vector_max_abs(k->dtype, n, x)
               : creal(run_step(k, n, AGNI_VECTOR_MOST, 0, x, 0, (void *)(uintptr_t)x));
}
void agni_krylov_axpby(agni_krylov *k, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    if (k->device == AGN_CPU)
        agni_vector_axpby(k->dtype, n, a, x, b, y);
    else
        (void)run_step(k, n, AGNI_VECTOR_MIX, a, x, b, y);
}
double agni_krylov_axpby_norm(agni_krylov *k, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    return k->device == AGN_CPU
               ? agni_vector_axpby_norm(k->dtype, n, a, x, b, y)
               : sqrt(creal(run_step(k, n, AGNI_VECTOR_MIX | AGNI_VECTOR_SUM, a, x, b, y)));
}
void agni_krylov_zero(agni_krylov *k, int64_t n, void *y)
{
    if (k->device == AGN_CPU)
        memset(y, 0, (size_t)n * agn_dtype_size(k->dtype));
    else
        (void)run_step(k, n, AGNI_VECTOR_ZERO, 0, y, 0, y);
}
