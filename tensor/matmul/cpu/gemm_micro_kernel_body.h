/* tensor/matmul/cpu/gemm_micro_kernel_body.h - the micro-kernel: a register block of the result
   as a sum of outer products (Van Zee & van de Geijn 2015), for the element type bound by
   real.h. No guard. */

/* s[q] += a[q rs] b for R rows and V vectors */
AGNI_INLINE void FN(add_outer_product)(int R, int V, VEC s[ROWS][VECS], const REAL *a, int64_t rs,
                                       const REAL *b)
{
    VEC v[VECS];
    AGNI_UNROLL
    for (int r = 0; r < V; r++)
        v[r] = LOAD(b + r * LANES);
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        const VEC w = SPLAT(a[q * rs]);
        AGNI_UNROLL
        for (int r = 0; r < V; r++)
            s[q][r] = FMA(w, v[r], s[q][r]);
    }
}

/* c[q][.] (+)= sum_p a[q rs + p cs] b[p ldb + .] for R rows and V vectors, held in registers; far:
   rows of the next panel of b are prefetched */
AGNI_INLINE void FN(micro_kernel)(int R, int V, bool far, REAL *c, int64_t ldc, const REAL *a,
                                  int64_t rs, int64_t cs, const REAL *b, int64_t ldb, int64_t k,
                                  bool accumulate)
{
    VEC s[ROWS][VECS];
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        __builtin_prefetch(c + q * ldc, 1);
        AGNI_UNROLL
        for (int r = 0; r < V; r++)
            s[q][r] = (VEC){0};
    }
    int64_t p = 0;
    for (; p <= k - STEPS; p += STEPS, a += STEPS * cs, b += STEPS * ldb) {
        AGNI_UNROLL
        for (int u = 0; u < STEPS; u++) {
            if (far)
                __builtin_prefetch(b + u * ldb + V * LANES);
            FN(add_outer_product)(R, V, s, a + u * cs, rs, b + u * ldb);
            __asm__ volatile("" ::: "memory"); /* hoisted loads would spill registers */
        }
    }
    for (; p < k; p++, a += cs, b += ldb)
        FN(add_outer_product)(R, V, s, a, rs, b);
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        AGNI_UNROLL
        for (int r = 0; r < V; r++) {
            REAL *to = c + q * ldc + r * LANES;
            STORE(to, accumulate ? LOAD(to) + s[q][r] : s[q][r]);
        }
    }
}

typedef void FN(micro_kernel_fn)(REAL *c, int64_t ldc, const REAL *a, int64_t rs, int64_t cs,
                                 const REAL *b, int64_t ldb, int64_t k, bool accumulate);

/* both operands packed, whose strides are constants; b packed alone; neither packed, with and
   without prefetch of b */
#undef MICRO_KERNEL
#undef MICRO_KERNELS
#undef PACKED_ENTRY
#undef UNPACKED_A_ENTRY
#undef PREFETCHED_ENTRY
#undef UNPACKED_ENTRY
#define MICRO_KERNEL(name, r, v, far, RS, CS, LDB) \
    static void FN(name##_##r##_##v)(REAL * c, int64_t ldc, const REAL *a, int64_t rs, int64_t cs, \
                                     const REAL *b, int64_t ldb, int64_t k, bool accumulate) \
    { \
        (void)rs, (void)cs, (void)ldb; \
        FN(micro_kernel)(r, v, far, c, ldc, a, RS, CS, b, LDB, k, accumulate); \
    }
#define MICRO_KERNELS(r, v) \
    MICRO_KERNEL(packed, r, v, false, 1, r, v *LANES) \
    MICRO_KERNEL(unpacked_a, r, v, false, rs, cs, v *LANES) \
    MICRO_KERNEL(prefetched, r, v, true, rs, 1, ldb) \
    MICRO_KERNEL(unpacked, r, v, false, rs, 1, ldb)
#define PACKED_ENTRY(r, v) [r][v] = FN(packed_##r##_##v),
#define UNPACKED_A_ENTRY(r, v) [r][v] = FN(unpacked_a_##r##_##v),
#define PREFETCHED_ENTRY(r, v) [r][v] = FN(prefetched_##r##_##v),
#define UNPACKED_ENTRY(r, v) [r][v] = FN(unpacked_##r##_##v),
SIZES(MICRO_KERNELS)
static FN(micro_kernel_fn) *const
    FN(micro_kernels)[][ROWS + 1][VECS + 1] = {[PACKED] = {SIZES(PACKED_ENTRY)},
                                               [UNPACKED_A] = {SIZES(UNPACKED_A_ENTRY)},
                                               [UNPACKED_PREFETCHED] = {SIZES(PREFETCHED_ENTRY)},
                                               [UNPACKED] = {SIZES(UNPACKED_ENTRY)}};
