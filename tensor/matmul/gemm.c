/* tensor/matmul/gemm.c - blocked GEMM: the loops around packing and the macro-kernel, shared by our
   threads (Goto & van de Geijn 2008). */
#include "tensor/matmul/gemm.h"

#include "core/threads/cancel.h"
#include "tensor/matmul/cpu/gemm.h"
#include "tensor/cpu/level_dispatch.h"

/* Sizes of blocks in bytes or elements: a panel of a and one of b fit the first-level cache
   together, a block of a the second, a strip of b the third. */
enum {
    DEPTH_BYTES = 2048, /* of a row of a block of a: 256 numbers of f64 */
    BLOCK_ROWS = 48,    /* of a block of a: a multiple of 6 and 8 */
    TALL = 32 * 48,     /* rows packed at once */
    WIDE = 3072,        /* columns packed at once */
    MOST_COLUMNS = 768, /* of a job; halved while there are fewer than FEW_JOBS jobs, */
    NEAR_COLUMNS = 96,  /* (the first size where a job packs its own strip of b) */
    LEAST_COLUMNS = 48, /* down to this, a multiple of every panel */
    FEW_JOBS = 32,      /* balances the load of the threads */
    DIRECT_PANELS = 3,  /* of b at most: packing a does not pay */
    FEW_ROWS = 24,      /* at most: b is not packed if its rows are contiguous */
    NEAR_BLOCKS = 4,    /* of a at most: a job packs a strip of b and multiplies it at once */
    WORTH_THREADS = 1 << 17
};

typedef struct gemm_block {
    const agni_vgemm *g;
    int64_t m, n, k, ldc, bytes;
    agni_gemm_operand a, b;
    char *c, *pa, *pb;
    int64_t columns, strips; /* of a job; jobs along a row of blocks */
    bool accumulate;
    bool symmetric;    /* X^T X: blocks above the diagonal are not computed, but copied */
    int64_t row, column; /* of c, at which it begins */
    bool unpacked_a;               /* a is not packed: each number serves few columns; or */
    bool unpacked;                 /* neither of them: each number of b serves few rows */
    bool prepacked_a, prepacked_b; /* packed beforehand */
    _Atomic uint64_t busy;         /* bit set of the strip buffers in use */
} gemm_block;

static int64_t div_up(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}
static int64_t min_int(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static const char *element_address(const agni_gemm_operand *x, int64_t bytes, int64_t i, int64_t j)
{
    return x->p + (i * x->rs + j * x->cs) * bytes;
}

/* jobs: blocks of a, then strips of b */
static void pack_panels(void *user, int64_t job, int worker)
{
    const gemm_block *p = user;
    int64_t as = p->unpacked_a || p->prepacked_a ? 0 : div_up(p->m, BLOCK_ROWS);
    int64_t i = job * BLOCK_ROWS, j = (job - as) * p->columns;
    (void)worker;
    if (job < as)
        p->g->pack_a(p->pa + i * p->k * p->bytes, element_address(&p->a, p->bytes, i, 0), p->a.rs,
                     p->a.cs, min_int(BLOCK_ROWS, p->m - i), p->k);
    else
        p->g->pack_b(p->pb + j * p->k * p->bytes, element_address(&p->b, p->bytes, 0, j), p->b.rs,
                     p->b.cs, p->k, min_int(p->columns, p->n - j));
}

static void multiply_block(void *user, int64_t job, int worker)
{
    const gemm_block *p = user;
    int64_t i = job / p->strips * BLOCK_ROWS, j = job % p->strips * p->columns;
    int64_t n = min_int(p->columns, p->n - j);
    (void)worker;
    if (p->symmetric) /* whole panels up to the diagonal */
        n = min_int(n, p->row + i + BLOCK_ROWS - p->column - j);
    if (n <= 0)
        return;
    const char *a = p->unpacked_a ? element_address(&p->a, p->bytes, i, 0)
                                  : p->pa + i * p->k * p->bytes;
    p->g->macro_kernel(p->c + (i * p->ldc + j) * p->bytes, p->ldc, a, p->unpacked_a ? p->a.rs : 0,
                       p->a.cs, p->pb + j * p->k * p->bytes, 0, min_int(BLOCK_ROWS, p->m - i), n,
                       p->k, p->accumulate);
}

/* threads are woken for products of at least WORTH_THREADS multiplications */
static void run_jobs(int64_t jobs, agni_job *job, gemm_block *p)
{
    if (p->m * p->n * p->k >= WORTH_THREADS)
        agni_parallel_for(jobs, job, p);
    else
        for (int64_t i = 0; i < jobs; i++)
            job(p, i, 0);
}

/* The first strip buffer not in use: with one thread always the same memory, which stays in cache.
   There are as many buffers as jobs. */
static int acquire_strip(gemm_block *p)
{
    uint64_t busy = atomic_load(&p->busy);
    int at;
    do {
        for (at = 0; busy >> at & 1; at++)
            ;
    } while (!atomic_compare_exchange_weak(&p->busy, &busy, busy | (uint64_t)1 << at));
    return at;
}
static void multiply_strip(gemm_block *p, int64_t j, int64_t n, const char *b, int64_t ldb)
{
    for (int64_t i = 0; i < p->m; i += BLOCK_ROWS) {
        const char *a = p->unpacked_a ? element_address(&p->a, p->bytes, i, 0)
                                      : p->pa + i * p->k * p->bytes;
        p->g->macro_kernel(p->c + (i * p->ldc + j) * p->bytes, p->ldc, a,
                           p->unpacked_a ? p->a.rs : 0, p->a.cs, b, ldb,
                           min_int(BLOCK_ROWS, p->m - i), n, p->k, p->accumulate);
    }
}

/* Few rows: a strip of b is packed and multiplied at once, within the second-level cache; of
   very few rows, its whole vectors are read unpacked. */
static void pack_and_multiply_strip(void *user, int64_t job, int worker)
{
    gemm_block *p = user;
    int64_t j = job * p->columns, n = min_int(p->columns, p->n - j);
    int64_t whole = p->unpacked ? n / p->g->lanes * p->g->lanes : 0;
    (void)worker;
    if (p->prepacked_b) {
        multiply_strip(p, j, n, p->pb + j * p->k * p->bytes, 0);
        return;
    }
    if (whole)
        multiply_strip(p, j, whole, element_address(&p->b, p->bytes, 0, j), p->b.rs);
    if (whole == n)
        return;
    int at = acquire_strip(p);
    char *pb = p->pb + at * p->columns * p->k * p->bytes;
    p->g->pack_b(pb, element_address(&p->b, p->bytes, 0, j + whole), p->b.rs, p->b.cs, p->k,
                 n - whole);
    multiply_strip(p, j + whole, n - whole, pb, 0);
    atomic_fetch_and(&p->busy, ~((uint64_t)1 << at));
}

static const agni_vgemm *find_kernels(int dtype)
{
    return agni_simd_kernels_get()->gemm + (dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32);
}

/* bytes of packed columns, rounded up to whole strips and cache lines */
static int64_t packed_b_bytes(const agni_vgemm *g, int64_t bytes, int64_t n, int64_t k)
{
    int64_t width = div_up(min_int(n, WIDE), LEAST_COLUMNS) * LEAST_COLUMNS;
    return (agni_gemm_padded_columns(g, width) * min_int(k, DEPTH_BYTES / bytes) * bytes + 63) /
           64 * 64;
}

static int64_t workspace_bytes(const agni_vgemm *g, int64_t bytes, int64_t m, int64_t n, int64_t k)
{
    return packed_b_bytes(g, bytes, n, k) +
           min_int(m, TALL) * min_int(k, DEPTH_BYTES / bytes) * bytes;
}

size_t agni_gemm_workspace(int dtype, int64_t m, int64_t n, int64_t k)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    const int64_t plain = workspace_bytes(find_kernels(dtype), bytes, m, n, k);
    const int64_t transposed = m > FEW_ROWS ? 0
                                            : workspace_bytes(find_kernels(dtype), bytes, n, m, k) +
                                                  m * n * bytes + 64;
    return (size_t)(plain > transposed ? plain : transposed);
}

/* Few rows times a column-major b: c^T = b^T a^T reads b unpacked, where packing it would cost
   as much as the product (of f32 half as much). The rows of a become lanes, of which few may be
   idle. The bits are the same. */
static bool transposing_pays(const agni_vgemm *g, int64_t bytes, int64_t m, int64_t n,
                             const agni_gemm_operand *b)
{
    return m <= FEW_ROWS && n >= 4 * m && b->rs == 1 && b->cs != 1 &&
           4 * m > (bytes == 8 ? 2 : 3) * agni_gemm_padded_columns(g, m);
}
static void multiply_transposed(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                                agni_gemm_operand b, void *c, int64_t ldc, char *workspace)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    char *product = workspace +
                    (workspace_bytes(find_kernels(dtype), bytes, n, m, k) + 63) / 64 * 64;
    agni_gemm(dtype, n, m, k, (agni_gemm_operand){b.p, b.cs, b.rs},
              (agni_gemm_operand){a.p, a.cs, a.rs}, product, m, workspace);
    agni_simd_kernels_get()->real[dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32].transpose(
        c, ldc, product, m, n, m);
}

/* Neither operand is packed: few rows times contiguous rows. */
static bool is_unpacked(int64_t m, const agni_gemm_operand *a, const agni_gemm_operand *b)
{
    return a->rs && a->cs == 1 && b->cs == 1 && b->rs && m <= FEW_ROWS;
}

/* offsets of a block within an operand packed as a whole */
static int64_t packed_a_offset(int64_t bytes, int64_t m, int64_t q, int64_t i, int64_t depth)
{
    return (q * m + i * depth) * bytes;
}
static int64_t packed_b_offset(const agni_vgemm *g, int64_t bytes, int64_t k, int64_t q, int64_t j,
                               int64_t n)
{
    return (j * k + q * agni_gemm_padded_columns(g, n)) * bytes;
}

/* X^T X of enough rows, which is symmetric to the last bit: each sum runs over k in order */
static bool is_symmetric_product(int64_t m, int64_t n, const agni_gemm_operand *a,
                                 const agni_gemm_operand *b)
{
    return m == n && m > NEAR_BLOCKS * BLOCK_ROWS && a->p == b->p && a->rs == b->cs &&
           a->cs == b->rs;
}
static void mirror_row_of_blocks(void *user, int64_t job, int worker)
{
    const gemm_block *p = user;
    const int64_t i = job * BLOCK_ROWS, m = min_int(BLOCK_ROWS, p->m - i), z = p->bytes;
    (void)worker;
    for (int64_t j = i + BLOCK_ROWS; j < p->m; j += BLOCK_ROWS)
        agni_simd_kernels_get()->real[z == 8 ? AGNI_SIMD_F64 : AGNI_SIMD_F32].transpose(
            p->c + (i * p->ldc + j) * z, p->ldc, p->c + (j * p->ldc + i) * z, p->ldc,
            min_int(BLOCK_ROWS, p->m - j), m);
}

/* prepacked: NULL, or the operand `which`; add: to what c holds */
static void multiply_blocked(int dtype, int which, const void *prepacked, bool add, int64_t m,
                             int64_t n, int64_t k, agni_gemm_operand a, agni_gemm_operand b,
                             void *c, int64_t ldc, void *workspace)
{
    int64_t bytes = agni_dtypes[dtype].bytes, depth = DEPTH_BYTES / bytes;
    gemm_block p = {.g = find_kernels(dtype),
                    .ldc = ldc,
                    .bytes = bytes,
                    .symmetric = !prepacked && !add && is_symmetric_product(m, n, &a, &b),
                    .prepacked_a = prepacked && which == AGNI_GEMM_A,
                    .prepacked_b = prepacked && which == AGNI_GEMM_B};
    char *packed = (char *)(uintptr_t)prepacked,
         *pa = (char *)workspace + packed_b_bytes(p.g, bytes, n, k);
    for (int64_t j = 0; j < n; j += WIDE)
        for (int64_t q = 0; q < k; q += depth)
            for (int64_t i = 0; i < m; i += TALL) {
                if (j + q + i > 0 && agni_cancel_point())
                    return;
                p.m = min_int(TALL, m - i);
                p.n = min_int(WIDE, n - j);
                p.k = min_int(depth, k - q);
                p.a = (agni_gemm_operand){element_address(&a, bytes, i, q), a.rs, a.cs};
                p.b = (agni_gemm_operand){element_address(&b, bytes, q, j), b.rs, b.cs};
                p.c = (char *)c + (i * ldc + j) * bytes;
                p.pa = p.prepacked_a ? packed + packed_a_offset(bytes, m, q, i, p.k) : pa;
                p.pb = p.prepacked_b ? packed + packed_b_offset(p.g, bytes, k, q, j, p.n)
                                     : workspace;
                p.row = i;
                p.column = j;
                p.accumulate = add || q > 0;
                p.unpacked = !prepacked && is_unpacked(m, &p.a, &p.b);
                p.unpacked_a = p.unpacked ||
                               (!p.prepacked_a && p.a.rs && n <= DIRECT_PANELS * p.g->cols);
                int64_t blocks = div_up(p.m, BLOCK_ROWS),
                        as = p.unpacked_a || p.prepacked_a ? 0 : blocks;
                bool near = blocks <= NEAR_BLOCKS && i == 0 && !p.symmetric;
                p.columns = near ? NEAR_COLUMNS : MOST_COLUMNS;
                while (p.columns > LEAST_COLUMNS &&
                       (near ? 1 : blocks) * div_up(p.n, p.columns) < FEW_JOBS)
                    p.columns /= 2;
                p.strips = div_up(p.n, p.columns);
                if (near) {
                    run_jobs(as, pack_panels, &p);
                    run_jobs(p.strips, pack_and_multiply_strip, &p);
                    continue;
                }
                /* b is packed with the first rows and reused for the others */
                run_jobs(as + (i || p.prepacked_b ? 0 : p.strips), pack_panels, &p);
                run_jobs(blocks * p.strips, multiply_block, &p);
            }
    if (!p.symmetric)
        return;
    p.c = c;
    p.m = p.n = m;
    p.k = 1;
    run_jobs(div_up(m, BLOCK_ROWS), mirror_row_of_blocks, &p);
}

void agni_gemm(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a, agni_gemm_operand b,
               void *c, int64_t ldc, void *workspace)
{
    if (transposing_pays(find_kernels(dtype), agni_dtypes[dtype].bytes, m, n, &b))
        multiply_transposed(dtype, m, n, k, a, b, c, ldc, workspace);
    else
        multiply_blocked(dtype, AGNI_GEMM_A, NULL, false, m, n, k, a, b, c, ldc, workspace);
}

void agni_gemm_add(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                   agni_gemm_operand b, void *c, int64_t ldc, void *workspace)
{
    multiply_blocked(dtype, AGNI_GEMM_A, NULL, true, m, n, k, a, b, c, ldc, workspace);
}

/* ---- prepacked operands ---------------------------------------------------------------------- */

size_t agni_gemm_prepacked_bytes(int dtype, int which, int64_t m, int64_t n, int64_t k,
                                 agni_gemm_operand a, agni_gemm_operand b)
{
    const agni_vgemm *g = find_kernels(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes;
    bool left = which == AGNI_GEMM_A;
    if (is_unpacked(m, &a, &b) || (left && transposing_pays(g, bytes, m, n, &b)))
        return 0;
    return (size_t)((left ? m : agni_gemm_padded_columns(g, n)) * k * bytes);
}

void agni_gemm_prepack(int dtype, int which, int64_t m, int64_t n, int64_t k, agni_gemm_operand x,
                       void *to)
{
    const agni_vgemm *g = find_kernels(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes, depth = DEPTH_BYTES / bytes;
    for (int64_t q = 0; q < k; q += depth) {
        int64_t d = min_int(depth, k - q);
        for (int64_t i = 0; which == AGNI_GEMM_A && i < m; i += TALL)
            g->pack_a((char *)to + packed_a_offset(bytes, m, q, i, d),
                      element_address(&x, bytes, i, q), x.rs, x.cs, min_int(TALL, m - i), d);
        for (int64_t j = 0; which == AGNI_GEMM_B && j < n; j += WIDE)
            g->pack_b((char *)to + packed_b_offset(g, bytes, k, q, j, min_int(WIDE, n - j)),
                      element_address(&x, bytes, q, j), x.rs, x.cs, d, min_int(WIDE, n - j));
    }
}

void agni_gemm_prepacked(int dtype, int which, const void *packed, int64_t m, int64_t n, int64_t k,
                         agni_gemm_operand a, agni_gemm_operand b, void *c, int64_t ldc,
                         void *workspace)
{
    multiply_blocked(dtype, which, packed, false, m, n, k, a, b, c, ldc, workspace);
}
