/* tensor/matmul/matmul.c - matmul by our blocks and sums, the rest over the linked BLAS. The primitive takes [..., m, k] and
   [..., k, n] with leading axes that broadcast; 1-D operands become matrices before it. */
#include "tensor/cpu/level.h"
#include "tensor/matmul/gemv.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/rows/traits.h"

#include <cblas.h>
#include <complex.h>
#include <string.h>

static agn_status infer_matmul(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    if (a->ndim < 2 || b->ndim < 2)
        return agni_fail(AGN_ESHAPE, "matmul: matrices are needed: a is %s, b is %s", AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    int64_t m = a->shape[a->ndim - 2], k = a->shape[a->ndim - 1];
    int64_t k2 = b->shape[b->ndim - 2], n = b->shape[b->ndim - 1];
    if (k != k2)
        return agni_fail(AGN_ESHAPE, "matmul: inner dimensions differ: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agni_meta *o = c->meta;
    o->dtype = a->dtype;
    o->ndim = a->ndim - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "matmul: batches do not broadcast: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    o->shape[o->ndim] = m;
    o->shape[o->ndim + 1] = n;
    o->ndim += 2;
    int64_t size;
    return agni_shape_check("matmul", o->ndim, o->shape, &size);
}

/* ---- one matrix ------------------------------------------------------------------------ */

/* as BLAS wants a matrix: one stride 1, the other at least the row length */
static bool fits(const agn_array *x, int64_t rows, int64_t cols)
{
    int64_t rs = x->stride[x->ndim - 2], cs = x->stride[x->ndim - 1];
    if (cs == 1 || cols == 1)
        return (rs >= cols || rows == 1) && rs <= INT32_MAX;
    return (rs == 1 || rows == 1) && cs >= rows && cs <= INT32_MAX;
}

/* C = A B for one matrix pair; row-major result without gaps */
static void gemm(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                 agni_gemm_operand b, void *c)
{
    bool ta = !(a.cs == 1 || k == 1), tb = !(b.cs == 1 || n == 1);
    int64_t lda = ta ? a.cs : a.rs, ldb = tb ? b.cs : b.rs;
    lda = lda > (ta ? m : k) ? lda : ta ? m : k;
    ldb = ldb > (tb ? k : n) ? ldb : tb ? k : n;
    enum CBLAS_TRANSPOSE A = ta ? CblasTrans : CblasNoTrans, B = tb ? CblasTrans : CblasNoTrans;
    int M = (int)m, N = (int)n, K = (int)k, LA = (int)lda, LB = (int)ldb;
    const float complex one32 = 1, zero32 = 0;
    const double complex one64 = 1, zero64 = 0;
    const void *pa = a.p, *pb = b.p;
    switch (dtype) {
    case AGN_F32:
        cblas_sgemm(CblasRowMajor, A, B, M, N, K, 1, pa, LA, pb, LB, 0, c, N);
        break;
    case AGN_F64:
        cblas_dgemm(CblasRowMajor, A, B, M, N, K, 1, pa, LA, pb, LB, 0, c, N);
        break;
    case AGN_C64:
        cblas_cgemm(CblasRowMajor, A, B, M, N, K, &one32, pa, LA, pb, LB, &zero32, c, N);
        break;
    default:
        cblas_zgemm(CblasRowMajor, A, B, M, N, K, &one64, pa, LA, pb, LB, &zero64, c, N);
    }
}

#define PLAIN(T) \
    for (int64_t i = 0; i < m; i++) \
        for (int64_t j = 0; j < n; j++) { \
            T acc = 0; \
            for (int64_t q = 0; q < k; q++) \
                acc += ((const T *)a.p)[i * a.rs + q * a.cs] * ((const T *)b.p)[q * b.rs + j * b.cs]; \
            ((T *)c)[i * n + j] = acc; \
        } \
    break
/* any strides; integers wrap around. Also small float products, where BLAS costs more to
   call than to do without. */
static void plain(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                  agni_gemm_operand b, void *c)
{
    switch (dtype) {
    case AGN_I32: PLAIN(uint32_t);
    case AGN_I64: PLAIN(uint64_t);
    case AGN_F32: PLAIN(float);
    case AGN_F64: PLAIN(double);
    case AGN_C64: PLAIN(float complex);
    default: PLAIN(double complex);
    }
}

/* a row-major copy of one matrix */
static agni_gemm_operand packed(agni_gemm_operand x, int64_t rows, int64_t cols, int64_t bytes,
                                char *buf)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            memcpy(buf + (i * cols + j) * bytes, x.p + (i * x.rs + j * x.cs) * bytes,
                   (size_t)bytes);
    return (agni_gemm_operand){buf, cols, 1};
}

/* a matrix with the strides that its product reads it by */
typedef struct seen_as {
    agn_array x;
    int64_t shape[2], stride[2];
} seen_as;

typedef struct product {
    const agn_array *a, *b, *y;
    seen_as turned[3]; /* what these are, where columns are laid down as rows */
    int64_t m, n, k, bytes, batch;
    char *bufa, *bufb; /* one matrix, where BLAS cannot walk the strides */
    char *room;        /* of agni_gemm and agni_gemv_run, one for each worker */
    size_t room_bytes;
    const void *made;  /* operand `which` of agni_gemm, packed beforehand */
    int which;
    bool blas, large, vector; /* who works: the linked BLAS; agni_gemm; agni_gemv_run */
    const agni_vk_real *own; /* our kernels for small matrices, or NULL */
} product;

/* Our kernels spend nothing on a call, BLAS less on each product: where they meet, measured with
   OpenBLAS 0.3.21 on AVX2, lies near 80 x 80 x 80. Rows of b and of the result are whole vectors. */
static const agni_vk_real *own_kernels(const product *p)
{
    enum { MOST = 80 * 80 * 80 };
    const agni_vk *vk = agni_vk_get();
    int dtype = p->y->dtype;
    if ((dtype != AGN_F64 && dtype != AGN_F32) || p->m * p->n * p->k > MOST ||
        p->n * p->bytes % vk->vbytes || p->b->stride[p->b->ndim - 1] != 1)
        return NULL;
    return &vk->real[dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32];
}

static int64_t batch_offset(const agn_array *x, const agn_array *y, int64_t i)
{
    int64_t off = 0;
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (e >= 0 && x->shape[e] != 1)
            off += i % y->shape[d] * x->stride[e];
        i /= y->shape[d];
    }
    return off;
}

static agni_gemm_operand at(const agn_array *x, const agn_array *y, int64_t i, int64_t bytes)
{
    return (agni_gemm_operand){(const char *)x->data + batch_offset(x, y, i) * bytes,
                               x->stride[x->ndim - 2], x->stride[x->ndim - 1]};
}

/* y = a b, or y^T = b^T a^T, where b or a^T is a column */
static agni_gemv with_vector(const product *p, agni_gemm_operand a, agni_gemm_operand b, char *y)
{
    if (p->n == 1)
        return (agni_gemv){p->y->dtype, p->m, p->k, a, b.p, b.rs, y};
    return (agni_gemv){p->y->dtype, p->n, p->k, {b.p, b.cs, b.rs}, a.p, a.cs, y};
}

static void one_product(const product *p, int64_t i, int worker)
{
    agni_gemm_operand a = at(p->a, p->y, i, p->bytes), b = at(p->b, p->y, i, p->bytes);
    char *c = (char *)p->y->data + i * p->m * p->n * p->bytes;
    if (p->own) {
        p->own->prod((agni_vtile){c, p->n}, (agni_vmat){(void *)(uintptr_t)a.p, a.cs, a.rs},
                     (agni_vtile){(void *)(uintptr_t)b.p, b.rs}, p->k, p->m, p->n, false, NULL);
        return;
    }
    char *room = p->room + (size_t)worker * p->room_bytes;
    if (p->vector) {
        agni_gemv v = with_vector(p, a, b, c);
        agni_gemv_run(&v, room);
        return;
    }
    if (p->made) {
        agni_gemm_with(p->y->dtype, p->which, p->made, p->m, p->n, p->k, a, b, c, p->n, room);
        return;
    }
    if (p->large) {
        agni_gemm(p->y->dtype, p->m, p->n, p->k, a, b, c, p->n, room);
        return;
    }
    if (!p->blas) {
        plain(p->a->dtype, p->m, p->n, p->k, a, b, c);
        return;
    }
    if (p->bufa)
        a = packed(a, p->m, p->k, p->bytes, p->bufa);
    if (p->bufb)
        b = packed(b, p->k, p->n, p->bytes, p->bufb);
    gemm(p->a->dtype, p->m, p->n, p->k, a, b, c);
}

enum { JOB_PRODUCTS = 1 << 16 }; /* multiplications that are worth a job */

static int64_t products_in_job(const product *p)
{
    return 1 + JOB_PRODUCTS / (p->m * p->n * p->k);
}

static void job_products(void *user, int64_t job, int worker)
{
    const product *p = user;
    int64_t n = products_in_job(p), lo = job * n, hi = lo + n < p->batch ? lo + n : p->batch;
    for (int64_t i = lo; i < hi; i++)
        one_product(p, i, worker);
}

static bool is_real(const product *p)
{
    return p->y->dtype == AGN_F64 || p->y->dtype == AGN_F32;
}

/* Our blocks for what is no few columns, where the machine multiplies and adds at once; numbers few
   enough are as well multiplied plainly. */
static bool is_large(const product *p)
{
    enum { THIN = 4, FEW = 1 << 11 };
    return is_real(p) && agni_vk_get()->fma && p->m >= THIN && p->n >= THIN &&
           p->m * p->n * p->k > FEW;
}

/* Rows and columns, where the matrix is read along rows or columns; blocks, whose panels are packed,
   where it is not. */
static void choose_vector(product *p)
{
    enum { FEW = 64 };
    if (!is_real(p) || (p->m != 1 && p->n != 1) || p->m * p->n * p->k <= FEW)
        return;
    const agn_array *x = p->n == 1 ? p->a : p->b;
    int64_t r = x->stride[x->ndim - 2], c = x->stride[x->ndim - 1];
    p->vector = p->n == 1 ? agni_gemv_takes(p->m, p->k, r, c) : agni_gemv_takes(p->n, p->k, c, r);
    p->large = !p->vector;
}

/* with one right operand for the whole batch, is the batch more rows of the left one? */
static bool more_rows(const product *p)
{
    const agn_array *a = p->a, *b = p->b, *y = p->y;
    int64_t step = p->m * a->stride[a->ndim - 2];
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - b->ndim), f = d - (y->ndim - a->ndim);
        if ((e >= 0 && b->shape[e] != 1) || f < 0 || a->shape[f] != y->shape[d] ||
            (a->shape[f] != 1 && a->stride[f] != step))
            return false;
        step *= y->shape[d];
    }
    return true;
}

/* the distance of the batch's matrices in x, or 0: they are not evenly apart, or some are the same */
static int64_t batch_step(const agn_array *x, const agn_array *y)
{
    int64_t step = 0, many = 1;
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (y->shape[d] == 1)
            continue;
        if (e < 0 || x->shape[e] == 1 || x->stride[e] <= 0 ||
            (step && x->stride[e] != step * many))
            return 0;
        step = step ? step : x->stride[e];
        many *= y->shape[d];
    }
    return step;
}
static bool one_for_all(const agn_array *x)
{
    bool one = true;
    for (int d = 0; d < x->ndim - 2; d++)
        one = one && x->shape[d] == 1;
    return one;
}

static const agn_array *see(seen_as *t, const agn_array *x, int64_t rows, int64_t cols, int64_t rs,
                            int64_t cs)
{
    *t = (seen_as){*x, {rows, cols}, {rs, cs}};
    t->x.ndim = 2;
    t->x.shape = t->shape;
    t->x.stride = t->stride;
    return &t->x;
}

/* Columns times one matrix, each alone, would read it once for each. Laid down they are the rows of
   one product: y^T = b^T a^T, and the batch of columns of y lies in memory as these rows do. */
static void lay_down(product *p)
{
    const agn_array *a = p->a, *b = p->b;
    int64_t step = p->n == 1 && p->batch > 1 && one_for_all(a) ? batch_step(b, p->y) : 0;
    if (!step)
        return;
    int64_t m = p->m, rs = a->stride[a->ndim - 2], cs = a->stride[a->ndim - 1];
    p->a = see(&p->turned[0], b, p->batch, p->k, step, b->stride[b->ndim - 2]);
    p->b = see(&p->turned[1], a, p->k, m, cs, rs);
    p->y = see(&p->turned[2], p->y, p->batch, m, m, 1);
    p->m = p->batch;
    p->n = m;
    p->batch = 1;
}

/* the sizes, and who works */
static void choose(product *p, const agn_kernel_call *c)
{
    enum { CACHE = 1 << 15 };
    const agn_array *y = c->out;
    *p = (product){.a = c->in, .b = c->in + 1, .y = y, .batch = 1};
    p->m = y->shape[y->ndim - 2];
    p->n = y->shape[y->ndim - 1];
    p->k = p->a->shape[p->a->ndim - 1];
    p->bytes = agni_dtypes[y->dtype].bytes;
    for (int d = 0; d < y->ndim - 2; d++)
        p->batch *= y->shape[d];
    if (p->batch * p->m * p->n * p->k == 0)
        return;
    lay_down(p);
    bool rows = p->batch > 1 && more_rows(p);
    p->own = own_kernels(p);
    if (p->own && rows && p->k * p->n * p->bytes > CACHE) /* read b once */
        p->own = NULL;
    if (p->own)
        return;
    bool ours = is_real(p) && agni_vk_get()->fma;
    bool fit = y->dtype != AGN_I32 && y->dtype != AGN_I64 && p->m * p->batch <= INT32_MAX &&
               fits(p->a, p->m * p->batch, p->k) && fits(p->b, p->k, p->n);
    if (rows && (ours || (fit && p->m * p->n * p->k > 64))) {
        p->m *= p->batch;
        p->batch = 1;
    }
    p->large = is_large(p);
    choose_vector(p);
    p->blas = !p->large && !p->vector && y->dtype != AGN_I32 && y->dtype != AGN_I64 &&
              p->m * p->n * p->k > 64;
}

/* Of our blocks: threads share one product, or where it is of medium size each takes one. */
static bool one_for_each(const product *p)
{
    enum { MEDIUM = 256 * 256 * 256 };
    return p->batch > 1 && p->m * p->n * p->k < MEDIUM;
}

static size_t room_of_each(const product *p)
{
    if (p->vector)
        return agni_gemv_room(p->bytes, p->n == 1 ? p->m : p->n, p->k);
    return (agni_gemm_room(p->y->dtype, p->m, p->n, p->k) + 63) / 64 * 64;
}

static size_t matmul_scratch(const agn_kernel_call *c)
{
    product p;
    choose(&p, c);
    return p.large || p.vector ? room_of_each(&p) * (one_for_each(&p) ? (size_t)agni_parallel_width() : 1) : 0;
}

static agn_status own_products(product *p, const agn_kernel_call *c)
{
    size_t rooms = one_for_each(p) ? (size_t)agni_parallel_width() : 1;
    char *own = NULL;
    p->room_bytes = room_of_each(p);
    p->room = c->scratch;
    if (c->scratch_size < rooms * p->room_bytes &&
        !(p->room = own = agni_alloc_aligned(rooms * p->room_bytes)))
        return agni_nomem("matmul", rooms * p->room_bytes);
    if (one_for_each(p))
        agni_parallel((p->batch + products_in_job(p) - 1) / products_in_job(p), job_products, p);
    else
        for (int64_t i = 0; i < p->batch; i++)
            one_product(p, i, 0);
    agni_free(own);
    return AGN_OK;
}

static agn_status cpu_matmul(const agn_kernel_call *c)
{
    product p;
    choose(&p, c);
    if (p.batch * p.m * p.n == 0)
        return AGN_OK;
    if (p.k == 0) {
        memset(c->out->data, 0, (size_t)(p.batch * p.m * p.n * p.bytes));
        return AGN_OK;
    }
    if (p.own) {
        int64_t n = products_in_job(&p);
        agni_parallel((p.batch + n - 1) / n, job_products, &p);
        return AGN_OK;
    }
    if (p.large || p.vector)
        return own_products(&p, c);
    if (p.blas && (p.m > INT32_MAX || p.n > INT32_MAX || p.k > INT32_MAX))
        return agni_fail(AGN_EUNSUPPORTED, "matmul: %lld x %lld is beyond the sizes of BLAS",
                         (long long)p.m, (long long)p.n);
    if (p.blas && !fits(p.a, p.m, p.k))
        if (!(p.bufa = agni_alloc((size_t)(p.m * p.k * p.bytes))))
            return agni_nomem("matmul", (size_t)(p.m * p.k * p.bytes));
    if (p.blas && !fits(p.b, p.k, p.n))
        if (!(p.bufb = agni_alloc((size_t)(p.k * p.n * p.bytes)))) {
            agni_free(p.bufa);
            return agni_nomem("matmul", (size_t)(p.k * p.n * p.bytes));
        }
    for (int64_t i = 0; i < p.batch; i++)
        one_product(&p, i, 0);
    agni_free(p.bufa);
    agni_free(p.bufb);
    return AGN_OK;
}

/* ---- with an operand that stays the same --------------------------------------------------------- */

/* Is it one product of our blocks, and which side of it is operand i of the call? Columns that are laid
   down have changed sides. */
static bool holds(product *p, const agn_kernel_call *c, int i, int *which)
{
    choose(p, c);
    *which = (p->a == c->in) == (i == 0) ? AGNI_GEMM_A : AGNI_GEMM_B;
    return p->large && !p->own && p->batch == 1 && p->m * p->n * p->k > 0;
}
static size_t held_room(const agn_kernel_call *c, int i)
{
    product p;
    int which;
    return holds(&p, c, i, &which)
               ? agni_gemm_packed(c->out->dtype, which, p.m, p.n, p.k, at(p.a, p.y, 0, p.bytes),
                                  at(p.b, p.y, 0, p.bytes))
               : 0;
}
static void make_held(const agn_kernel_call *c, int i, void *to)
{
    product p;
    int which;
    if (holds(&p, c, i, &which))
        agni_gemm_pack(c->out->dtype, which, p.m, p.n, p.k,
                       at(which == AGNI_GEMM_A ? p.a : p.b, p.y, 0, p.bytes), to);
}
static agn_status run_held(const agn_kernel_call *c, int i, const void *made)
{
    product p;
    int which;
    if (!holds(&p, c, i, &which))
        return cpu_matmul(c);
    p.made = made;
    p.which = which;
    return own_products(&p, c);
}
static const agni_prepack holding_matmul = {held_room, make_held, run_held};

/* ---- derivative ------------------------------------------------------------------------------ */

static const agn_tensor *flipped(agn_scope *s, const agn_tensor *x)
{
    if (!x)
        return NULL;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        x = agni_apply_in(s, &agni_op_conj, NULL, 1, &x);
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}},
                         1, &x);
}

/* all rows of a batch of matrices as one matrix */
static const agn_tensor *all_rows(agn_scope *s, const agn_tensor *x)
{
    int64_t n = x->shape[x->ndim - 1], rows = 1;
    for (int d = 0; d < x->ndim - 1; d++)
        rows *= x->shape[d];
    return agni_reshape(s, x, 2, (int64_t[]){rows, n});
}

static const agn_tensor *matmul_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    const agn_tensor *a[2] = {g, g};
    if (i == 1 && r->x[1]->ndim == 2 && r->x[0]->ndim > 2) { /* one product, no sum over the batch */
        const agn_tensor *x = all_rows(s, r->x[0]), *y = all_rows(s, g);
        const agn_tensor *q[2] = {flipped(s, x), y};
        return q[0] && y ? agni_apply_in(s, &agni_op_matmul, NULL, 2, q) : NULL;
    }
    a[!i] = flipped(s, r->x[!i]);
    /* i = 0: g b^H, i = 1: a^H g */
    const agn_tensor *p[2] = {i == 0 ? g : a[0], i == 0 ? a[1] : g};
    return agni_unbroadcast(s, agni_apply_in(s, &agni_op_matmul, NULL, 2, p), r->x[i]);
}

static agni_slots slots_matmul;
const agni_op agni_op_matmul = {
    .name = "matmul",
    .takes = "a b",
    .cls = AGNI_MULTI,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_NUMBERS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_matmul,
    .cpu = cpu_matmul,
    .scratch = matmul_scratch,
    .holding = &holding_matmul,
    .transpose = matmul_transpose,
    .batch = agni_batch_aligned,
    .slots = &slots_matmul,
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .traits = AGNI_ZERO_LOST,
    .doc = "matrix product",
};

agn_status agn_matmul(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    if (!out || !a || !b)
        return agni_fail(AGN_ENULL, "matmul: %s is NULL", !out ? "out" : !a ? "a" : "b");
    if (a->ndim == 0 || b->ndim == 0)
        return agni_fail(AGN_ESHAPE, "matmul: 0-D operands have no rows: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (a->dtype == AGN_BOOL && b->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "matmul: not defined for bool, for numbers: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    bool row = a->ndim == 1, col = b->ndim == 1;
    if (!row && !col)
        return agni_public(out, &agni_op_matmul, NULL, 2, (const agn_tensor *[]){a, b});
    if (a->shape[a->ndim - 1] != b->shape[col ? 0 : b->ndim - 2])
        return agni_fail(AGN_ESHAPE, "matmul: inner dimensions differ: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *A = row ? agni_reshape(s, a, 2, (int64_t[]){1, a->shape[0]}) : a;
    const agn_tensor *B = col ? agni_reshape(s, b, 2, (int64_t[]){b->shape[0], 1}) : b;
    const agn_tensor *y = A && B ? agni_apply_in(s, &agni_op_matmul, NULL, 2,
                                                 (const agn_tensor *[]){A, B})
                                 : NULL;
    if (y) {
        int64_t shape[AGNI_MAX_RANK];
        int n = 0;
        for (int d = 0; d < y->ndim - 2; d++)
            shape[n++] = y->shape[d];
        if (!row)
            shape[n++] = y->shape[y->ndim - 2];
        if (!col)
            shape[n++] = y->shape[y->ndim - 1];
        y = agni_reshape(s, y, n, shape);
    }
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
