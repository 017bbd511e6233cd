/* tests/fake-backend.h - a device written from outside, with the public headers alone.

   Its memory is an arena that the host may not touch: mapped without access except while a
   function of this back end runs. Whoever reads it from elsewhere crashes. It counts what it
   is asked for, can run out of memory and can report a fault. */
#ifndef AGN_FAKE_BACKEND_H
#define AGN_FAKE_BACKEND_H

#include <agnesi/backend.h>
#include <agnesi/tensor.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { FAKE_DEVICES = 2, FAKE_ARENA = 64 << 20, FAKE_RANK = 32 };

static struct {
    char *arena[FAKE_DEVICES];
    size_t used[FAKE_DEVICES];
    int live, to_device, to_host, copies, kernels, open, declined;
    size_t largest_in;    /* most bytes that came from the host at once */
    int strided_copies;   /* of the kernel copy */
    bool no_memory;
    agn_status fault;     /* found by a kernel, told by the next wait for all */
    uint64_t mark, waited;
} fake;

static void fake_open(void)
{
    if (fake.open++ == 0)
        for (int i = 0; i < FAKE_DEVICES; i++)
            mprotect(fake.arena[i], FAKE_ARENA, PROT_READ | PROT_WRITE);
}
static void fake_close(void)
{
    if (--fake.open == 0)
        for (int i = 0; i < FAKE_DEVICES; i++)
            mprotect(fake.arena[i], FAKE_ARENA, PROT_NONE);
}

static int32_t fake_probe(char *why, size_t n)
{
    (void)why, (void)n;
    for (int i = 0; i < FAKE_DEVICES; i++) {
        fake.arena[i] = mmap(NULL, FAKE_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fake.arena[i] == MAP_FAILED)
            return 0;
    }
    return FAKE_DEVICES;
}
static agn_status fake_alloc(int32_t device, size_t bytes, void **p)
{
    size_t room = (bytes + 64) / 64 * 64;
    if (fake.no_memory || room > FAKE_ARENA - fake.used[device])
        return agn_backend_fail(AGN_ENOMEM, "fake: the arena is full");
    *p = fake.arena[device] + fake.used[device];
    fake.used[device] += room;
    fake.live++;
    return AGN_OK;
}
static void fake_free(int32_t device, void *p, size_t bytes)
{
    (void)p, (void)bytes;
    if (--fake.live == 0)
        fake.used[0] = fake.used[1] = 0;
    (void)device;
}
static agn_status fake_move(void *to, const void *from, size_t bytes)
{
    fake_open();
    memcpy(to, from, bytes);
    fake_close();
    return AGN_OK;
}
static agn_status fake_to_device(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    fake.to_device++;
    fake.largest_in = bytes > fake.largest_in ? bytes : fake.largest_in;
    return fake_move(to, from, bytes);
}
static agn_status fake_to_host(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    fake.to_host++;
    return fake_move(to, from, bytes);
}
static agn_status fake_copy(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    fake.copies++;
    return fake_move(to, from, bytes);
}
static void *fake_stream(int32_t device)
{
    return fake.arena[device];
}
static uint64_t fake_record(int32_t device)
{
    (void)device;
    return ++fake.mark;
}
static agn_status fake_wait(int32_t device, uint64_t mark)
{
    (void)device;
    fake.waited = mark;
    return mark <= fake.mark ? AGN_OK : agn_backend_fail(AGN_EDEVICE, "fake: no such mark");
}
static agn_status fake_synchronize(int32_t device)
{
    (void)device;
    agn_status st = fake.fault;
    fake.fault = AGN_OK;
    return st ? agn_backend_fail(st, "gather: index 7 at place 2 is out of range for size 3")
              : AGN_OK;
}

/* ---- kernels ---------------------------------------------------------------------------- */

static int64_t fake_size(const agn_array *x)
{
    int64_t n = 1;
    for (int d = 0; d < x->ndim; d++)
        n *= x->shape[d];
    return n;
}
/* place of element i of an array of y's shape in x, which broadcasts to it */
static int64_t fake_at(const agn_array *x, const agn_array *y, int64_t i)
{
    int64_t at = 0;
    for (int d = y->ndim - 1; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (e >= 0 && x->shape[e] != 1)
            at += i % y->shape[d] * x->stride[e];
        i /= y->shape[d];
    }
    return at;
}
#define F64(x, at) (((double *)(x)->data)[at])

#define FAKE_EW(name, expr) \
    static agn_status fake_##name(const agn_kernel_call *c) \
    { \
        const agn_array *y = c->out, *x = c->in, *z = c->in + c->n_in - 1; \
        fake_open(); \
        fake.kernels++; \
        for (int64_t i = 0, n = fake_size(y); i < n; i++) { \
            double a = F64(x, fake_at(x, y, i)), b = F64(z, fake_at(z, y, i)); \
            (void)b; \
            F64(y, fake_at(y, y, i)) = expr; \
        } \
        fake_close(); \
        return AGN_OK; \
    }
FAKE_EW(add, a + b)
FAKE_EW(sub, a - b)
FAKE_EW(mul, a *b)
FAKE_EW(mulz, a == 0 || b == 0 ? 0 : a * b)
FAKE_EW(div, a / b)
FAKE_EW(neg, -a)
FAKE_EW(exp, exp(a))
FAKE_EW(tanh, tanh(a))

static agn_status fake_ne(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *a = c->in, *b = c->in + 1;
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        ((bool *)y->data)[fake_at(y, y, i)] = F64(a, fake_at(a, y, i)) != F64(b, fake_at(b, y, i));
    fake_close();
    return AGN_OK;
}

static agn_status fake_where(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *m = c->in, *a = c->in + 1, *b = c->in + 2;
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        F64(y, fake_at(y, y, i)) = ((bool *)m->data)[fake_at(m, y, i)] ? F64(a, fake_at(a, y, i))
                                                                      : F64(b, fake_at(b, y, i));
    fake_close();
    return AGN_OK;
}

static agn_status fake_copy_kernel(const agn_kernel_call *c)
{
    static const int bytes[] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    const agn_array *x = c->in, *y = c->out;
    int64_t b = bytes[x->dtype];
    fake_open();
    fake.kernels++;
    fake.strided_copies++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        memcpy((char *)y->data + fake_at(y, y, i) * b, (char *)x->data + fake_at(x, y, i) * b,
               (size_t)b);
    fake_close();
    return AGN_OK;
}

/* takes contiguous operands only: the dispatcher must see to it */
static agn_status fake_sum(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    bool gone[FAKE_RANK] = {false};
    int64_t step[FAKE_RANK], unit = 1;
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    for (int d = x->ndim - 1; d >= 0; d--) {
        step[d] = gone[d] ? 0 : unit;
        unit *= gone[d] ? 1 : x->shape[d];
    }
    fake_open();
    fake.kernels++;
    memset(y->data, 0, (size_t)fake_size(y) * sizeof(double));
    for (int64_t i = 0, n = fake_size(x); i < n; i++) {
        int64_t at = 0, rest = i;
        for (int d = x->ndim - 1; d >= 0; d--) {
            at += rest % x->shape[d] * step[d];
            rest /= x->shape[d];
        }
        F64(y, at) += F64(x, i);
    }
    fake_close();
    return AGN_OK;
}

static agn_status fake_matmul(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *b = c->in + 1, *y = c->out;
    int64_t m = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1], k = a->shape[a->ndim - 1];
    int64_t batch = m && n ? fake_size(y) / (m * n) : 0;
    int64_t sa = fake_size(a) == m * k ? 0 : m * k, sb = fake_size(b) == k * n ? 0 : k * n;
    fake_open();
    fake.kernels++;
    for (int64_t i = 0; i < batch * m * n; i++) {
        int64_t l = i / (m * n), r = i / n % m, q = i % n;
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += F64(a, l * sa + r * k + j) * F64(b, l * sb + j * n + q);
        F64(y, i) = sum;
    }
    fake_close();
    return AGN_OK;
}

/* along the only axis of x; an index outside is a fault found later */
static agn_status fake_gather(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *idx = c->in + 1, *y = c->out;
    if (x->ndim != 1 || idx->dtype != AGN_I64)
        return agn_backend_fail(AGN_EUNSUPPORTED, "gather: fake picks from vectors by i64 only");
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++) {
        int64_t k = ((int64_t *)idx->data)[i];
        bool in = k >= -x->shape[0] && k < x->shape[0];
        if (!in)
            fake.fault = AGN_EINDEX;
        F64(y, i) = in ? F64(x, k < 0 ? k + x->shape[0] : k) : (double)NAN;
    }
    fake_close();
    return AGN_OK;
}
static agn_status fake_scatter_add(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *idx = c->in + 1, *v = c->in + 2, *y = c->out;
    fake_open();
    fake.kernels++;
    memcpy(y->data, x->data, (size_t)fake_size(y) * sizeof(double));
    for (int64_t i = 0, n = fake_size(v); i < n; i++) {
        int64_t k = ((int64_t *)idx->data)[i];
        F64(y, k < 0 ? k + x->shape[0] : k) += F64(v, i);
    }
    fake_close();
    return AGN_OK;
}

/* a kernel that takes nothing: what else there is runs */
static agn_status fake_decline(const agn_kernel_call *c)
{
    (void)c;
    fake.declined++;
    return agn_backend_fail(AGN_EUNSUPPORTED, "fake declines");
}

static const agn_kernel_entry fake_table[] = {
    {"add", AGN_F64, true, fake_add},
    {"sub", AGN_F64, true, fake_sub},
    {"mul", AGN_F64, true, fake_mul},
    {"mulz", AGN_F64, true, fake_mulz},
    {"div", AGN_F64, true, fake_div},
    {"neg", AGN_F64, true, fake_neg},
    {"exp", AGN_F64, false, fake_exp},
    {"tanh", AGN_F64, true, fake_tanh},
    {"ne", AGN_F64, true, fake_ne},
    {"where", AGN_F64, true, fake_where},
    {"copy", -1, true, fake_copy_kernel},
    {"sum", AGN_F64, false, fake_sum},
    {"matmul", AGN_F64, false, fake_matmul},
    {"gather", AGN_F64, false, fake_gather},
    {"scatter_add", AGN_F64, false, fake_scatter_add},
    {"reshape", AGN_F64, true, fake_decline},
    {"linalg_schur", AGN_F64, false, fake_decline},
    {"expm1", AGN_F64, true, fake_decline},
};

static const agn_backend fake_backend = {
    .size = sizeof(agn_backend),
    .abi = AGN_BACKEND_ABI,
    .name = "fake",
    .probe = fake_probe,
    .alloc = fake_alloc,
    .free = fake_free,
    .to_device = fake_to_device,
    .to_host = fake_to_host,
    .copy = fake_copy,
    .stream = fake_stream,
    .record = fake_record,
    .wait = fake_wait,
    .synchronize = fake_synchronize,
    .kernels = fake_table,
    .n_kernels = (int32_t)(sizeof fake_table / sizeof *fake_table),
};

#endif
