/* tensor/matmul/gemm.c - large products: blocks that caches hold, packed and shared by our threads
   (Goto & van de Geijn 2008). */
#include "tensor/matmul/gemm.h"

#include "tensor/matmul/cpu/gemm.h"
#include "tensor/cpu/level.h"

/* Sizes of blocks in bytes or elements: a panel of b and one of a lie in the first cache beside
   each other, a block of a in the second, a strip of b in the third. */
enum {
    DEPTH_BYTES = 2048,    /* of a row of a block of a: 256 numbers of f64 */
    BLOCK_ROWS = 48,       /* of a block of a: a multiple of 6 and 8 */
    TALL = 32 * 48,        /* rows packed at once */
    WIDE = 3072,           /* columns packed at once */
    MOST_COLUMNS = 768,    /* of a job; halved, a multiple of every panel, */
    NEAR_COLUMNS = 96,     /* (from here on where a strip is used up where it was packed) */
    LEAST_COLUMNS = 48,    /* while there are */
    FEW_JOBS = 32,         /* jobs or less, so that no thread waits long for another's last */
    DIRECT_PANELS = 3,     /* of b that make packing a worth its while, and one */
    FEW_ROWS = 24,         /* or less: b is not packed where its rows are contiguous */
    NEAR_BLOCKS = 4,       /* of a, or less: a strip of b is used up where it was packed */
    WORTH_THREADS = 1 << 17
};

typedef struct block {
    const agni_vgemm *g;
    int64_t m, n, k, ldc, bytes;
    agni_gemm_operand a, b;
    char *c, *pa, *pb;
    int64_t columns, strips; /* of a job, and how many of them lie side by side */
    bool accumulate;
    bool direct; /* a is not packed: each number serves few columns; or */
    bool plain;  /* neither of them: each number of b serves few rows */
    bool held_a, held_b; /* packed beforehand */
    _Atomic uint64_t busy;   /* places of strips */
} block;

static int64_t pieces(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}
static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static const char *element(const agni_gemm_operand *x, int64_t bytes, int64_t i, int64_t j)
{
    return x->p + (i * x->rs + j * x->cs) * bytes;
}

/* jobs: blocks of a, then strips of b */
static void pack_job(void *user, int64_t job, int worker)
{
    const block *p = user;
    int64_t as = p->direct || p->held_a ? 0 : pieces(p->m, BLOCK_ROWS);
    int64_t i = job * BLOCK_ROWS, j = (job - as) * p->columns;
    (void)worker;
    if (job < as)
        p->g->pack_a(p->pa + i * p->k * p->bytes, element(&p->a, p->bytes, i, 0), p->a.rs, p->a.cs,
                     least(BLOCK_ROWS, p->m - i), p->k);
    else
        p->g->pack_b(p->pb + j * p->k * p->bytes, element(&p->b, p->bytes, 0, j), p->b.rs, p->b.cs,
                     p->k, least(p->columns, p->n - j));
}

static void multiply_job(void *user, int64_t job, int worker)
{
    const block *p = user;
    int64_t i = job / p->strips * BLOCK_ROWS, j = job % p->strips * p->columns;
    (void)worker;
    const char *a = p->direct ? element(&p->a, p->bytes, i, 0) : p->pa + i * p->k * p->bytes;
    p->g->block(p->c + (i * p->ldc + j) * p->bytes, p->ldc, a, p->direct ? p->a.rs : 0, p->a.cs,
                p->pb + j * p->k * p->bytes, 0, least(BLOCK_ROWS, p->m - i),
                least(p->columns, p->n - j), p->k, p->accumulate);
}

/* waking the threads is worth it from here on */
static void in_parallel(int64_t jobs, agni_job *job, block *p)
{
    if (p->m * p->n * p->k >= WORTH_THREADS)
        agni_parallel(jobs, job, p);
    else
        for (int64_t i = 0; i < jobs; i++)
            job(p, i, 0);
}

/* A place for a strip, the first that nobody uses: with one thread always the same memory, which
   stays in cache. There are no more jobs than places. */
static int take(block *p)
{
    uint64_t busy = atomic_load(&p->busy);
    int at;
    do {
        for (at = 0; busy >> at & 1; at++)
            ;
    } while (!atomic_compare_exchange_weak(&p->busy, &busy, busy | (uint64_t)1 << at));
    return at;
}
static void strip(block *p, int64_t j, int64_t n, const char *b, int64_t ldb)
{
    for (int64_t i = 0; i < p->m; i += BLOCK_ROWS) {
        const char *a = p->direct ? element(&p->a, p->bytes, i, 0) : p->pa + i * p->k * p->bytes;
        p->g->block(p->c + (i * p->ldc + j) * p->bytes, p->ldc, a, p->direct ? p->a.rs : 0,
                    p->a.cs, b, ldb, least(BLOCK_ROWS, p->m - i), n, p->k, p->accumulate);
    }
}

/* Few rows: a strip of b is packed and used up at once, and never leaves the second cache. Of very
   few, its whole vectors are used as they lie. */
static void strip_job(void *user, int64_t job, int worker)
{
    block *p = user;
    int64_t j = job * p->columns, n = least(p->columns, p->n - j);
    int64_t whole = p->plain ? n / p->g->lanes * p->g->lanes : 0;
    (void)worker;
    if (p->held_b) {
        strip(p, j, n, p->pb + j * p->k * p->bytes, 0);
        return;
    }
    if (whole)
        strip(p, j, whole, element(&p->b, p->bytes, 0, j), p->b.rs);
    if (whole == n)
        return;
    int at = take(p);
    char *pb = p->pb + at * p->columns * p->k * p->bytes;
    p->g->pack_b(pb, element(&p->b, p->bytes, 0, j + whole), p->b.rs, p->b.cs, p->k, n - whole);
    strip(p, j + whole, n - whole, pb, 0);
    atomic_fetch_and(&p->busy, ~((uint64_t)1 << at));
}

static const agni_vgemm *kernels(int dtype)
{
    return agni_vk_get()->gemm + (dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32);
}

/* of packed columns, whole strips and cache lines */
static int64_t room_b(const agni_vgemm *g, int64_t bytes, int64_t n, int64_t k)
{
    int64_t width = pieces(least(n, WIDE), LEAST_COLUMNS) * LEAST_COLUMNS;
    return (agni_gemm_width(g, width) * least(k, DEPTH_BYTES / bytes) * bytes + 63) / 64 * 64;
}

static int64_t room_of(const agni_vgemm *g, int64_t bytes, int64_t m, int64_t n, int64_t k)
{
    return room_b(g, bytes, n, k) + least(m, TALL) * least(k, DEPTH_BYTES / bytes) * bytes;
}

size_t agni_gemm_room(int dtype, int64_t m, int64_t n, int64_t k)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    const int64_t plain = room_of(kernels(dtype), bytes, m, n, k);
    const int64_t turned = m > FEW_ROWS ? 0 : room_of(kernels(dtype), bytes, n, m, k) + m * n * bytes + 64;
    return (size_t)(plain > turned ? plain : turned);
}

/* Few rows times columns that are contiguous: c turned is b turned times a turned, with b as it
   lies; packing it would cost as much as the product, of f32 half as much. The rows become lanes,
   of which few may be idle. The bits are the same. */
static bool turned_pays(const agni_vgemm *g, int64_t bytes, int64_t m, int64_t n,
                        const agni_gemm_operand *b)
{
    return m <= FEW_ROWS && n >= 4 * m && b->rs == 1 && b->cs != 1 &&
           4 * m > (bytes == 8 ? 2 : 3) * agni_gemm_width(g, m);
}
static void multiply_turned(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                            agni_gemm_operand b, void *c, int64_t ldc, char *room)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    char *made = room + (room_of(kernels(dtype), bytes, n, m, k) + 63) / 64 * 64;
    agni_gemm(dtype, n, m, k, (agni_gemm_operand){b.p, b.cs, b.rs},
              (agni_gemm_operand){a.p, a.cs, a.rs}, made, m, room);
    agni_vk_get()->real[dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32].turn(c, ldc, made, m, n, m);
}

/* Neither operand is packed: a few rows times rows that are contiguous. */
static bool is_plain(int64_t m, const agni_gemm_operand *a, const agni_gemm_operand *b)
{
    return a->rs && a->cs == 1 && b->cs == 1 && b->rs && m <= FEW_ROWS;
}

/* of packed operands, where the part of a block begins */
static int64_t place_a(int64_t bytes, int64_t m, int64_t q, int64_t i, int64_t depth)
{
    return (q * m + i * depth) * bytes;
}
static int64_t place_b(const agni_vgemm *g, int64_t bytes, int64_t k, int64_t q, int64_t j, int64_t n)
{
    return (j * k + q * agni_gemm_width(g, n)) * bytes;
}

/* held: NULL, or the operand `which` packed */
static void multiply(int dtype, int which, const void *held, int64_t m, int64_t n, int64_t k,
                     agni_gemm_operand a, agni_gemm_operand b, void *c, int64_t ldc, void *room)
{
    int64_t bytes = agni_dtypes[dtype].bytes, depth = DEPTH_BYTES / bytes;
    block p = {.g = kernels(dtype), .ldc = ldc, .bytes = bytes,
               .held_a = held && which == AGNI_GEMM_A, .held_b = held && which == AGNI_GEMM_B};
    char *packed = (char *)(uintptr_t)held, *pa = (char *)room + room_b(p.g, bytes, n, k);
    for (int64_t j = 0; j < n; j += WIDE)
        for (int64_t q = 0; q < k; q += depth)
            for (int64_t i = 0; i < m; i += TALL) {
                p.m = least(TALL, m - i);
                p.n = least(WIDE, n - j);
                p.k = least(depth, k - q);
                p.a = (agni_gemm_operand){element(&a, bytes, i, q), a.rs, a.cs};
                p.b = (agni_gemm_operand){element(&b, bytes, q, j), b.rs, b.cs};
                p.c = (char *)c + (i * ldc + j) * bytes;
                p.pa = p.held_a ? packed + place_a(bytes, m, q, i, p.k) : pa;
                p.pb = p.held_b ? packed + place_b(p.g, bytes, k, q, j, p.n) : room;
                p.accumulate = q > 0;
                p.plain = !held && is_plain(m, &p.a, &p.b);
                p.direct = p.plain || (!p.held_a && p.a.rs && n <= DIRECT_PANELS * p.g->cols);
                int64_t blocks = pieces(p.m, BLOCK_ROWS), as = p.direct || p.held_a ? 0 : blocks;
                bool near = blocks <= NEAR_BLOCKS && i == 0;
                p.columns = near ? NEAR_COLUMNS : MOST_COLUMNS;
                while (p.columns > LEAST_COLUMNS &&
                       (near ? 1 : blocks) * pieces(p.n, p.columns) < FEW_JOBS)
                    p.columns /= 2;
                p.strips = pieces(p.n, p.columns);
                if (near) {
                    in_parallel(as, pack_job, &p);
                    in_parallel(p.strips, strip_job, &p);
                    continue;
                }
                /* b is packed for the first rows and stays */
                in_parallel(as + (i || p.held_b ? 0 : p.strips), pack_job, &p);
                in_parallel(blocks * p.strips, multiply_job, &p);
            }
}

void agni_gemm(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a, agni_gemm_operand b,
               void *c, int64_t ldc, void *room)
{
    if (turned_pays(kernels(dtype), agni_dtypes[dtype].bytes, m, n, &b))
        multiply_turned(dtype, m, n, k, a, b, c, ldc, room);
    else
        multiply(dtype, AGNI_GEMM_A, NULL, m, n, k, a, b, c, ldc, room);
}

/* ---- with an operand packed beforehand ----------------------------------------------------------- */

size_t agni_gemm_packed(int dtype, int which, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                        agni_gemm_operand b)
{
    const agni_vgemm *g = kernels(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes;
    bool left = which == AGNI_GEMM_A;
    if (is_plain(m, &a, &b) || (left && turned_pays(g, bytes, m, n, &b)))
        return 0;
    return (size_t)((left ? m : agni_gemm_width(g, n)) * k * bytes);
}

void agni_gemm_pack(int dtype, int which, int64_t m, int64_t n, int64_t k, agni_gemm_operand x,
                    void *to)
{
    const agni_vgemm *g = kernels(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes, depth = DEPTH_BYTES / bytes;
    for (int64_t q = 0; q < k; q += depth) {
        int64_t d = least(depth, k - q);
        for (int64_t i = 0; which == AGNI_GEMM_A && i < m; i += TALL)
            g->pack_a((char *)to + place_a(bytes, m, q, i, d), element(&x, bytes, i, q), x.rs, x.cs,
                      least(TALL, m - i), d);
        for (int64_t j = 0; which == AGNI_GEMM_B && j < n; j += WIDE)
            g->pack_b((char *)to + place_b(g, bytes, k, q, j, least(WIDE, n - j)),
                      element(&x, bytes, q, j), x.rs, x.cs, d, least(WIDE, n - j));
    }
}

void agni_gemm_with(int dtype, int which, const void *packed, int64_t m, int64_t n, int64_t k,
                    agni_gemm_operand a, agni_gemm_operand b, void *c, int64_t ldc, void *room)
{
    multiply(dtype, which, packed, m, n, k, a, b, c, ldc, room);
}
