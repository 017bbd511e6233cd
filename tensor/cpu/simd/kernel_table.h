/* kernel_table.h - the table of CPU kernels of one level: vector math, element-wise loops and
 * products on tiles. A caller takes the table once (tensor/cpu/level_dispatch.h) and indexes it by
 type and
 * operation.
 *
 * Tiles are stored [element][T], the batch innermost and contiguous. Results depend
 * on the values, the sizes and the level only: never on alignment, offset or
 * neighbours. */
#ifndef AGNI_KERNEL_TABLE_H
#define AGNI_KERNEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* y = f(x), n contiguous elements; y == x is allowed */
/* clang-format off */
#define AGNI_VMAPS(X) AGNI_VMAPS_FOUR(X) AGNI_VMAPS_PLAIN(X)
#define AGNI_VMAPS_FOUR(X) X(tanh) X(erf) X(exp) X(sin) X(cos)
#define AGNI_VMAPS_PLAIN(X) \
    X(expm1) X(log) X(log1p) X(sigmoid) X(softplus) X(tan) \
    X(erfc) X(gelu) X(sqrt) X(rsqrt) X(recip) X(neg) X(abs) X(square) X(relu) \
    X(sign) X(step) X(floor) X(ceil) X(trunc) X(rint) X(copy)
/* clang-format on */

/* y = f(a, b): mulz is 0 where either factor is 0; max and min keep NaN and the
 * first of equals; comparisons give 1 or 0 */
#define AGNI_VLOOPS2(X) \
    X(add) X(sub) X(mul) X(div) X(mulz) X(max) X(min) X(lt) X(le) X(eq) X(ne)

/* y = f(a, b, c): fma a b + c, fnma c - a b (fused where the level has it), fmaz
 * c + mulz(a, b), where a != 0 ? b : c, gate c < a ? b : c */
#define AGNI_VLOOPS3(X) X(fma) X(fnma) X(fmaz) X(where) X(gate)

#define AGNI_V_ENUM(name) AGNI_VM_##name,
enum { AGNI_VMAPS(AGNI_V_ENUM) AGNI_VMAP_COUNT };
#undef AGNI_V_ENUM
#define AGNI_V_ENUM(name) AGNI_V2_##name,
enum { AGNI_VLOOPS2(AGNI_V_ENUM) AGNI_VLOOP2_COUNT };
#undef AGNI_V_ENUM
#define AGNI_V_ENUM(name) AGNI_V3_##name,
enum { AGNI_VLOOPS3(AGNI_V_ENUM) AGNI_VLOOP3_COUNT };
#undef AGNI_V_ENUM

/* An operand of a loop over rows x n elements: row r begins at p + r row (in elements)
 * and advances by step, 1 or 0. A tile is {p, n, 1}, a uniform value {p, 1, 0} (one
 * number for each row), an immediate {p, 0, 0}. */
typedef struct agni_simd_operand {
    const void *p;
    int64_t row;
    int64_t step;
} agni_simd_operand;

typedef void agni_simd_map(void *y, const void *x, int64_t n);

/* Output row r begins at y + r yrow; y may be one of the operands, element for
 * element. */
typedef void agni_simd_loop(void *y, int64_t yrow, const agni_simd_operand *in, int64_t rows,
                        int64_t n);

/* A small matrix of numbers that are the same for the whole tile: W[k][j] at p + k
 * ldk + j ldj, so either order of storage and broadcasts (ld 0) are told alike. */
typedef struct agni_simd_matrix {
    void *p;
    int64_t ldk, ldj;
} agni_simd_matrix;

/* E rows of T contiguous numbers, T a multiple of the vector length: row e at p + e ld.
 * Rows a multiple of 4096 bytes apart share cache sets: products then lose up to half. */
typedef struct agni_simd_tile {
    void *p;
    int64_t ld;
} agni_simd_tile;

/* One of several products with the same weights: C = bias + W X, where bias has a number for
 * each row of C, step apart, or is NULL. */
typedef struct agni_shared_product {
    agni_simd_tile C, X;
    const void *bias;
    int64_t step;
} agni_shared_product;

/* A chain of element-wise steps, run block by block of AGNI_VBLOCK bytes, so that what one
 * step gives the next is still in cache. Slot i begins at at->p[i]; the first slots move along
 * rows of n numbers, the others have AGNI_VROOM bytes each: scratch, numbers repeated. Steps that
 * are loops of their own come in runs (fused_steps.def), in which a step hands its result to the
 * next in registers; only the last writes. Where there are several rows, as many as
 * have room run at once: as one long row, or row by row in a run of which a slot does not move from
 * one to the next, which stands beside each of the others. The longest tile has room for one.
 * The first `beside` of those that do not move hold a number for each row, at->row apart, which a
 * step reads where it takes a number N. */
enum { AGNI_VBLOCK = 2048, AGNI_VROOM = 2 * AGNI_VBLOCK + 128, AGNI_VSLOTS = 96 };
typedef struct agni_chain_places {
    char *p[AGNI_VSLOTS];
    int64_t row[AGNI_VSLOTS]; /* bytes from one row to the next */
} agni_chain_places;
#define NEAR(name, op, sum, number, value) AGNI_VC_##name,
enum {
#include "tensor/cpu/simd/fused_steps.def"
    AGNI_VC_MAP, /* f = AGNI_VM_..., and so on; of the steps before: the run that begins there */
    AGNI_VC_LOOP2,
    AGNI_VC_LOOP3,
    AGNI_VC_NONE
};
#undef NEAR
typedef struct agni_chain_step {
    uint8_t kind, f;
    uint8_t to, a, b, c;  /* slots */
    bool by_rows;         /* the run that begins here */
} agni_chain_step;

typedef struct agni_real_kernels {
    agni_simd_map *map[AGNI_VMAP_COUNT];
    agni_simd_loop *loop2[AGNI_VLOOP2_COUNT];
    agni_simd_loop *loop3[AGNI_VLOOP3_COUNT];
    /* s = sin x, c = cos x */
    void (*sincos)(void *s, void *c, const void *x, int64_t n);
    /* steps over rows of n numbers, a multiple of the vector length; at is written to */
    void (*chain)(const agni_chain_step *step, int n_step, agni_chain_places *at, int moving,
                  int beside, int64_t rows, int64_t n);
    /* K*J numbers at dst: W in the order in which shared_products reads it */
    void (*pack)(void *dst, agni_simd_matrix W, int64_t K, int64_t J);
    /* C[j][t] = bias[j] + sum_k W[k][j] X[k][t]; each sum runs over k in order */
    void (*shared_products)(const agni_shared_product *p, int n, const void *packed, int64_t K,
                            int64_t J, int64_t T);
    /* the same without a bias, plus C[j][t] if accumulate */
    void (*packed_product)(agni_simd_tile C, const void *packed, agni_simd_tile X, int64_t K,
                        int64_t J, int64_t T, bool accumulate);
    /* C[j][t] = sum_k W[k][j] X[k][t], plus C[j][t] if accumulate,
     * from W as it lies; buffer, if not NULL, holds K*J numbers for packing */
    void (*product)(agni_simd_tile C, agni_simd_matrix W, agni_simd_tile X, int64_t K, int64_t J,
                 int64_t T, bool accumulate, void *buffer);
    /* the same where row k of X is at x + row[k], in elements: windows where they lie */
    void (*row_product)(agni_simd_tile C, const void *packed, const void *x,
                      const int64_t *row, int64_t K, int64_t J, int64_t T,
                      bool accumulate);
    /* D[k][j] += sum_m sum_t X_m[k][t] G_m[j][t] over so many pairs of tiles (a
     * weight's gradient sums over the coefficients of a jet: one call is faster than
     * several); D.ldj or D.ldk is 1 */
    void (*outer_product)(agni_simd_matrix D, const agni_simd_tile *X, const agni_simd_tile *G,
                          int pairs, int64_t K, int64_t J, int64_t T);
    /* the same where row k of X_m is at X_m.p + row[k] */
    void (*outer_row_product)(agni_simd_matrix D, const agni_simd_tile *X, const int64_t *row,
                       const agni_simd_tile *G, int pairs, int64_t K, int64_t J, int64_t T);
    /* C[i][j][t] = sum_k A[i][k][t] B[k][j][t], all contiguous, plus C if accumulate */
    void (*batched_product)(void *C, const void *A, const void *B, int64_t I, int64_t K,
                  int64_t J, int64_t T, bool accumulate);
    /* d[e ldd] += sum_t X[e][t], and += sum_t X[e][t] G[e][t] */
    void (*add_row_sums)(void *d, int64_t ldd, agni_simd_tile X, int64_t E, int64_t T);
    void (*add_row_dots)(void *d, int64_t ldd, agni_simd_tile X, agni_simd_tile G, int64_t E,
                   int64_t T);
    /* to[j ldt + i] = from[i ldf + j] for i < m, j < n, apart from each other; the same where rows
     * lie anywhere, as to[j][at + i] and from[i][at + j] */
    void (*transpose)(void *to, int64_t ldt, const void *from, int64_t ldf, int64_t m, int64_t n);
    void (*transpose_in)(char *const *to, int64_t at, const void *from, int64_t ldf, int64_t m,
                         int64_t n);
    void (*transpose_out)(void *to, int64_t ldt, char *const *from, int64_t at, int64_t m,
                          int64_t n);
} agni_real_kernels;

/* Index into agni_simd_kernels.real */
enum { AGNI_SIMD_F64, AGNI_SIMD_F32, AGNI_SIMD_REALS };

typedef struct agni_simd_kernels {
    const char *name; /* "base", "avx2", "avx512" */
    int vbytes;       /* bytes of a vector: T is a multiple of vbytes / sizeof(real) */
    bool fma;
    agni_real_kernels real[AGNI_SIMD_REALS];
    const struct agni_vspecials *special; /* tensor/cpu/vmath/special_maps.h */
    const struct agni_vrandom *random; /* tensor/random/cpu/random.h */
    const struct agni_vsort *sort;     /* tensor/order/cpu/sort.h, by its types */
    const struct agni_vgemm *gemm;     /* tensor/matmul/cpu/gemm.h, by index into real */
    const struct agni_vsoftmax *softmax;      /* tensor/reduce/cpu/softmax.h, by index into real */
    const struct agni_vlanes *lanes;   /* linalg/cpu/lanes/lanes.h, by index into real */
    const struct agni_vdensity *density; /* distribution/cpu/density.h */
} agni_simd_kernels;

#endif
