/* tensor/matmul/cpu/tile_matmul_body.h - matrix products on tiles for the element type bound by
 * real.h; tensor/cpu/simd/kernel_table.h says what they compute. No guard.
 *
 * The micro-kernel holds RJ rows by RV vectors of the result in registers. Block sizes decide
 * which sums are computed together, never the order within one: they change no bit of the
 * result. */

/* The initial value of the sums of a block: bias[q step] for row q, C, or 0. */
typedef struct FN(initial_sums) {
    const REAL *bias;
    int64_t step;
    bool accumulate;
} FN(initial_sums);

/* C[q][.] = begin + sum_k w[k ldk + q ldj] X[k][.] for q < RJ and RV vectors, where row k of X
 * is at x + k ldx, or at x + row[k] if rows. Always inlined with constant RJ, RV and rows,
 * and for packed W also constant strides. */
AGNI_INLINE void FN(micro_kernel)(int RJ, int RV, REAL *c, int64_t ldc, const REAL *w, int64_t ldk,
                                  int64_t ldj, const REAL *x, int64_t ldx, bool rows,
                                  const int64_t *row, int64_t K, FN(initial_sums) begin)
{
    VEC a[AGNI_SUMS];
    AGNI_UNROLL
    for (int q = 0; q < RJ; q++) {
        const VEC b = begin.bias ? SPLAT(begin.bias[q * begin.step]) : (VEC){0};
        AGNI_UNROLL
        for (int r = 0; r < RV; r++)
            a[q * RV + r] = begin.accumulate ? LOAD(c + q * ldc + r * LANES) : b;
    }
    for (int64_t k = 0; k < K; k++, x += rows ? 0 : ldx, w += ldk) {
        const REAL *at = rows ? x + row[k] : x;
        VEC v[AGNI_WIDEST];
        AGNI_UNROLL
        for (int r = 0; r < RV; r++)
            v[r] = LOAD(at + r * LANES);
        AGNI_UNROLL
        for (int q = 0; q < RJ; q++) {
            const VEC b = SPLAT(w[q * ldj]);
            AGNI_UNROLL
            for (int r = 0; r < RV; r++)
                a[q * RV + r] = FMA(b, v[r], a[q * RV + r]);
        }
    }
    AGNI_UNROLL
    for (int q = 0; q < RJ; q++) {
        AGNI_UNROLL
        for (int r = 0; r < RV; r++)
            STORE(c + q * ldc + r * LANES, a[q * RV + r]);
    }
}

typedef void FN(micro_kernel_fn)(REAL *c, int64_t ldc, const REAL *w, int64_t ldk, int64_t ldj,
                                 const REAL *x, int64_t ldx, const int64_t *row, int64_t K,
                                 bool accumulate);

#undef BLOCK
#undef C_HAS
#undef ZERO
#define C_HAS ((FN(initial_sums)){NULL, 0, true})
#define ZERO ((FN(initial_sums)){NULL, 0, false})
#define BLOCK(rj, rv) \
    static void FN(agni_packed_##rj##_##rv)(REAL * c, int64_t ldc, const REAL *w, int64_t ldk, \
                                            int64_t ldj, const REAL *x, int64_t ldx, \
                                            const int64_t *row, int64_t K, bool accumulate) \
    { \
        (void)ldk, (void)ldj, (void)row; \
        if (accumulate) \
            FN(micro_kernel)(rj, rv, c, ldc, w, rj, 1, x, ldx, false, NULL, K, C_HAS); \
        else \
            FN(micro_kernel)(rj, rv, c, ldc, w, rj, 1, x, ldx, false, NULL, K, ZERO); \
    } \
    static void FN(agni_direct_##rj##_##rv)(REAL * c, int64_t ldc, const REAL *w, int64_t ldk, \
                                            int64_t ldj, const REAL *x, int64_t ldx, \
                                            const int64_t *row, int64_t K, bool accumulate) \
    { \
        (void)row; \
        FN(micro_kernel) \
        (rj, rv, c, ldc, w, ldk, ldj, x, ldx, false, NULL, K, \
         ((FN(initial_sums)){NULL, 0, accumulate})); \
    } \
    static void FN(agni_rows_##rj##_##rv)(REAL * c, int64_t ldc, const REAL *w, int64_t ldk, \
                                          int64_t ldj, const REAL *x, int64_t ldx, \
                                          const int64_t *row, int64_t K, bool accumulate) \
    { \
        (void)ldk, (void)ldj, (void)ldx; \
        FN(micro_kernel) \
        (rj, rv, c, ldc, w, rj, 1, x, 0, true, row, K, ((FN(initial_sums)){NULL, 0, accumulate})); \
    }
AGNI_BLOCKS(BLOCK)

#undef PACKED_ENTRY
#undef DIRECT_ENTRY
#undef ROWS_ENTRY
#define PACKED_ENTRY(rj, rv) [rj][rv] = FN(agni_packed_##rj##_##rv),
#define DIRECT_ENTRY(rj, rv) [rj][rv] = FN(agni_direct_##rj##_##rv),
#define ROWS_ENTRY(rj, rv) [rj][rv] = FN(agni_rows_##rj##_##rv),
typedef FN(micro_kernel_fn) *const FN(micro_kernel_table)[AGNI_RJ + 1][AGNI_WIDEST + 1];
static FN(micro_kernel_table) FN(packed_kernels) = {AGNI_BLOCKS(PACKED_ENTRY)};
static FN(micro_kernel_table) FN(unpacked_kernels) = {AGNI_BLOCKS(DIRECT_ENTRY)};
static FN(micro_kernel_table) FN(row_kernels) = {AGNI_BLOCKS(ROWS_ENTRY)};

/* nv vectors of RJ rows from packed W: whole blocks, then single vectors. */
AGNI_INLINE void FN(multiply_panel)(int RJ, REAL *c, int64_t ldc, const REAL *w, const REAL *x,
                                    int64_t ldx, int64_t K, int64_t nv, FN(initial_sums) begin)
{
    for (; nv >= AGNI_RV; nv -= AGNI_RV, c += AGNI_RV * LANES, x += AGNI_RV * LANES)
        FN(micro_kernel)(RJ, AGNI_RV, c, ldc, w, RJ, 1, x, ldx, false, NULL, K, begin);
    for (; nv > 0; nv--, c += LANES, x += LANES)
        FN(micro_kernel)(RJ, 1, c, ldc, w, RJ, 1, x, ldx, false, NULL, K, begin);
}

typedef void FN(panel_fn)(REAL *c, int64_t ldc, const REAL *w, const REAL *x, int64_t ldx,
                          int64_t K, int64_t nv, const REAL *bias, int64_t step);
#undef PANEL
#define PANEL(rj) \
    static void FN(agni_panel_##rj)(REAL * c, int64_t ldc, const REAL *w, const REAL *x, \
                                    int64_t ldx, int64_t K, int64_t nv, const REAL *bias, \
                                    int64_t step) \
    { \
        FN(multiply_panel)(rj, c, ldc, w, x, ldx, K, nv, (FN(initial_sums)){bias, step, false}); \
    }
AGNI_PANELS(PANEL)
#undef PANEL_ENTRY
#define PANEL_ENTRY(rj) [rj] = FN(agni_panel_##rj),
static FN(panel_fn) *const FN(panel_kernels)[AGNI_RJ + 1] = {AGNI_PANELS(PANEL_ENTRY)};

/* J rows make ceil(J / RJ) panels whose sizes differ by one at most, so that none is so thin that
 * the latency of its sums shows. Panel i begins at row i J / count. */
AGNI_INLINE int64_t FN(panel_count)(int64_t J)
{
    return (J + AGNI_RJ - 1) / AGNI_RJ;
}

void AGNI_LV(FN(agni_pack_weights))(void *dst, agni_simd_matrix W, int64_t K, int64_t J)
{
    const int64_t count = FN(panel_count)(J);
    REAL *d = dst;
    for (int64_t i = 0; i < count; i++) {
        const int64_t j0 = i * J / count, rj = (i + 1) * J / count - j0;
        const REAL *w = (const REAL *)W.p + j0 * W.ldj;
        for (int64_t k = 0; k < K; k++, w += W.ldk)
            for (int64_t q = 0; q < rj; q++)
                *d++ = w[q * W.ldj];
    }
}

/* One group of columns at a time over all panels: its K rows of X stay in cache. */
AGNI_INLINE void FN(multiply_tile)(agni_simd_tile C, const REAL *w, FN(micro_kernel_table) * table,
                                   int64_t ldk, int64_t ldj, agni_simd_tile X, const int64_t *row,
                                   int64_t K, int64_t J, int64_t T, bool accumulate)
{
    const bool packed = table != &FN(unpacked_kernels);
    const int64_t nv = T / LANES;
    /* Short rows of X are read whole, or in halves, for fewer rows of the result: an unpacked
       matrix streams from memory, at half the speed where a part of each row is read later. */
    static const int8_t rowwise[AGNI_WIDEST + 1][2] = AGNI_ROWWISE; /* rows, vectors of each */
    const int8_t *whole = rowwise[!packed && nv <= AGNI_WIDEST ? nv : 0];
    const int64_t count = whole[0] ? (J + whole[0] - 1) / whole[0] : FN(panel_count)(J);
    /* few rows take more columns at a time: enough sums to hide their latency */
    static const int8_t widest[AGNI_RJ + 1] = AGNI_WIDTHS;
    const int64_t most = whole[0] ? whole[1] : count == 1 ? widest[J] : AGNI_RV;
    for (int64_t v = 0; v < nv;) {
        const int64_t rv = nv - v < most ? nv - v : most;
        const REAL *x = (const REAL *)X.p + v * LANES;
        for (int64_t i = 0; i < count; i++) {
            const int64_t j0 = i * J / count, rj = (i + 1) * J / count - j0;
            REAL *c = (REAL *)C.p + j0 * C.ld + v * LANES;
            (*table)[rj][rv](c, C.ld, w + j0 * (packed ? K : ldj), ldk, ldj, x, X.ld, row,
                             K, accumulate);
        }
        v += rv;
    }
}

void AGNI_LV(FN(agni_packed_product))(agni_simd_tile C, const void *packed, agni_simd_tile X,
                                    int64_t K, int64_t J, int64_t T, bool accumulate)
{
    FN(multiply_tile)(C, packed, &FN(packed_kernels), 0, 0, X, NULL, K, J, T, accumulate);
}

void AGNI_LV(FN(agni_row_product))(agni_simd_tile C, const void *packed, const void *x,
                                  const int64_t *row, int64_t K, int64_t J, int64_t T,
                                  bool accumulate)
{
    const agni_simd_tile X = {(void *)(uintptr_t)x, 0};
    FN(multiply_tile)(C, packed, &FN(row_kernels), 0, 0, X, row, K, J, T, accumulate);
}

/* Columns v to v + nv of panels lo to hi. */
static void FN(multiply_panels)(const agni_shared_product *p, const REAL *w, int64_t lo, int64_t hi,
                                int64_t K, int64_t J, int64_t v, int64_t nv)
{
    const REAL *x = (const REAL *)p->X.p + v * LANES, *bias = p->bias;
    panels at = agni_panels_from(J, FN(panel_count)(J), lo);
    for (int64_t i = lo; i < hi; i++) {
        const int64_t j0 = at.row, rj = agni_panels_next(&at);
        FN(panel_kernels)
        [rj]((REAL *)p->C.p + j0 * p->C.ld + v * LANES, p->C.ld, w + j0 * K, x, p->X.ld, K, nv,
             bias ? bias + j0 * p->step : NULL, p->step);
    }
}

/* As many panels at a time as fit the second-level cache with the tiles, over all products: wide
 * weights are loaded once. Where K is large, one block of columns over these panels, so that its
 * rows of X stay in the first level. */
void AGNI_LV(FN(agni_shared_products))(const agni_shared_product *p, int n, const void *packed,
                                       int64_t K, int64_t J, int64_t T)
{
    enum { NEAR = 96 << 10, NEAREST = 24 << 10 };
    const int64_t count = FN(panel_count)(J), nv = T / LANES, row = (int64_t)sizeof(REAL) * K;
    const int64_t near = NEAR / (AGNI_RJ * row + 1) + 1;
    const int64_t wide = row * (AGNI_RJ + T) < NEAREST ? nv : AGNI_RV;
    for (int64_t lo = 0; lo < count; lo += near)
        for (int m = 0; m < n; m++)
            for (int64_t v = 0; v < nv; v += wide)
                FN(multiply_panels)
                (p + m, packed, lo, lo + near < count ? lo + near : count, K, J, v,
                 nv - v < wide ? nv - v : wide);
}

void AGNI_LV(FN(agni_unpacked_product))(agni_simd_tile C, agni_simd_matrix W, agni_simd_tile X,
                                      int64_t K, int64_t J, int64_t T, bool accumulate,
                                      void *buffer)
{
    /* packing costs about one vector's work per number, and saves a third */
    if (buffer && T >= 8 * LANES) {
        AGNI_LV(FN(agni_pack_weights))(buffer, W, K, J);
        AGNI_LV(FN(agni_packed_product))(C, buffer, X, K, J, T, accumulate);
    } else {
        FN(multiply_tile)
        (C, W.p, &FN(unpacked_kernels), W.ldk, W.ldj, X, NULL, K, J, T, accumulate);
    }
}

AGNI_INLINE const REAL *FN(operand_row)(const outer_operand *s, int m, int64_t i)
{
    return (const REAL *)s->tile[m].p + (s->row ? s->row[i] : i * s->tile[m].ld);
}

/* d[p ldk + q ldj] += the sum, over all tiles and their T columns, of x[k0 + p][.] g[j0 + q][.]
 * for p < PK, q < PJ; lanes are added once, at the end. */
AGNI_INLINE void FN(dot_block)(int PK, int PJ, REAL *d, int64_t ldk, int64_t ldj,
                               const outer_operand *X, int64_t k0, const outer_operand *G,
                               int64_t j0, int tiles, int64_t T)
{
    enum { ROOM = (AGNI_PK * AGNI_PJ + LANES - 1) / LANES * LANES };
    VEC a[ROOM];
    REAL sum[ROOM];
    AGNI_UNROLL
    for (int i = 0; i < ROOM; i++)
        a[i] = (VEC){0};
    for (int m = 0; m < tiles; m++) {
        const REAL *x[AGNI_PK], *g[AGNI_PJ];
        AGNI_UNROLL
        for (int p = 0; p < PK; p++)
            x[p] = FN(operand_row)(X, m, k0 + p);
        AGNI_UNROLL
        for (int q = 0; q < PJ; q++)
            g[q] = FN(operand_row)(G, m, j0 + q);
        for (int64_t t = 0; t < T; t += LANES) {
            VEC h[AGNI_PJ];
            AGNI_UNROLL
            for (int q = 0; q < PJ; q++)
                h[q] = LOAD(g[q] + t);
            AGNI_UNROLL
            for (int p = 0; p < PK; p++) {
                VEC b = LOAD(x[p] + t);
                AGNI_HELD(b);
                AGNI_UNROLL
                for (int q = 0; q < PJ; q++)
                    a[p * PJ + q] = FMA(b, h[q], a[p * PJ + q]);
            }
        }
    }
    AGNI_UNROLL
    for (int i = 0; i < PK * PJ; i += LANES)
        STORE(sum + i, FN(agni_sum_rows)(a + i));
    AGNI_UNROLL
    for (int p = 0; p < PK; p++) {
        AGNI_UNROLL
        for (int q = 0; q < PJ; q++)
            d[p * ldk + q * ldj] += sum[p * PJ + q];
    }
}

typedef void FN(dot_block_fn)(REAL *d, int64_t ldk, int64_t ldj, const outer_operand *X, int64_t k0,
                              const outer_operand *G, int64_t j0, int tiles, int64_t T);

#undef DOTS
#undef DOTS_ENTRY
#define DOTS(pk, pj) \
    static void FN(agni_dots_##pk##_##pj)( \
        REAL * d, int64_t ldk, int64_t ldj, const outer_operand *X, int64_t k0, \
        const outer_operand *G, int64_t j0, int tiles, int64_t T) \
    { \
        FN(dot_block)(pk, pj, d, ldk, ldj, X, k0, G, j0, tiles, T); \
    }
AGNI_DOTS(DOTS)
#define DOTS_ENTRY(pk, pj) [pk][pj] = FN(agni_dots_##pk##_##pj),
static FN(dot_block_fn) *const FN(dot_blocks)[AGNI_PK + 1][AGNI_PJ + 1] = {AGNI_DOTS(DOTS_ENTRY)};

/* As many rows of G at a time as stay in the first-level cache. */
static void FN(outer_by_dots)(agni_simd_matrix D, const outer_operand *X, const outer_operand *G,
                              int tiles, int64_t T)
{
    enum { NEAR = 16 << 10 };
    const int64_t nk = (X->n + AGNI_PK - 1) / AGNI_PK, nj = (G->n + AGNI_PJ - 1) / AGNI_PJ;
    const int64_t near = NEAR / (AGNI_PJ * tiles * T * (int64_t)sizeof(REAL) + 1) + 1;
    for (int64_t lo = 0; lo < nj; lo += near) {
        panels ks = agni_panels_from(X->n, nk, 0);
        const panels first = agni_panels_from(G->n, nj, lo);
        for (int64_t a = 0; a < nk; a++) {
            const int64_t k0 = ks.row, pk = agni_panels_next(&ks);
            panels js = first;
            for (int64_t b = lo; b < nj && b < lo + near; b++) {
                const int64_t j0 = js.row, pj = agni_panels_next(&js);
                REAL *d = (REAL *)D.p + k0 * D.ldk + j0 * D.ldj;
                FN(dot_blocks)[pk][pj](d, D.ldk, D.ldj, X, k0, G, j0, tiles, T);
            }
        }
    }
}

/* to[t ld + .] = element t0 + t of ld rows of each tile of the operand, T elements of one tile
 * after those of the other: whole vectors of n >= LANES rows from i0 on, the last of them the
 * last rows. */
static void FN(transpose_rows)(REAL *to, int64_t ld, const outer_operand *s, int64_t i0, int64_t n,
                               int m, int tiles, int64_t t0, int64_t T)
{
    for (const int end = m + tiles; m < end; m++, to += T * ld) {
        for (int64_t i = 0; i < ld; i += LANES) {
            const int64_t first = i0 + (i + LANES < n ? i : n - LANES);
            const REAL *row[LANES];
            for (int64_t l = 0; l < LANES; l++)
                row[l] = FN(operand_row)(s, m, first + l) + t0;
            for (int64_t t = 0; t < T; t += LANES) {
                VEC v[LANES];
                AGNI_UNROLL
                for (int l = 0; l < LANES; l++)
                    v[l] = LOAD(row[l] + t);
                FN(agni_transpose_square)(v);
                AGNI_UNROLL
                for (int l = 0; l < LANES; l++)
                    STORE(to + (t + l) * ld + i, v[l]);
            }
        }
    }
}

/* d[q ldd + .] += sum over tiles and t < T of x[k0 + q][t0 + t] g[t][.] for q < RJ and RV vectors,
 * the last of which ends with element n - 1 of the row, so that it may repeat some of the one
 * before, bit for bit; g is transposed. */
AGNI_INLINE void FN(outer_block)(int RJ, int RV, REAL *d, int64_t ldd, int64_t n,
                                 const outer_operand *X, int64_t k0, const REAL *g, int m,
                                 int tiles, int64_t t0, int64_t T)
{
    VEC a[AGNI_SUMS];
    AGNI_UNROLL
    for (int i = 0; i < RJ * RV; i++)
        a[i] = (VEC){0};
    for (const int end = m + tiles; m < end; m++) {
        const REAL *x[AGNI_RJ];
        AGNI_UNROLL
        for (int q = 0; q < RJ; q++)
            x[q] = FN(operand_row)(X, m, k0 + q) + t0;
        for (int64_t t = 0; t < T; t++, g += RV * LANES) {
            VEC v[AGNI_WIDEST];
            AGNI_UNROLL
            for (int r = 0; r < RV; r++)
                v[r] = LOAD(g + r * LANES);
            AGNI_UNROLL
            for (int q = 0; q < RJ; q++) {
                const VEC b = SPLAT(x[q][t]);
                AGNI_UNROLL
                for (int r = 0; r < RV; r++)
                    a[q * RV + r] = FMA(b, v[r], a[q * RV + r]);
            }
        }
    }
    AGNI_UNROLL
    for (int q = 0; q < RJ; q++, d += ldd) {
        AGNI_UNROLL
        for (int r = 0; r < RV; r++)
            a[q * RV + r] += LOAD(d + (r < RV - 1 ? r * LANES : n - LANES));
        AGNI_UNROLL
        for (int r = 0; r < RV; r++)
            STORE(d + (r < RV - 1 ? r * LANES : n - LANES), a[q * RV + r]);
    }
}

typedef void FN(outer_block_fn)(REAL *d, int64_t ldd, int64_t n, const outer_operand *X, int64_t k0,
                                const REAL *g, int m, int tiles, int64_t t0, int64_t T);
#undef SUMS
#undef SUMS_ENTRY
#define SUMS(rj, rv) \
    static void FN(agni_sums_##rj##_##rv)(REAL * d, int64_t ldd, int64_t n, \
                                          const outer_operand *X, int64_t k0, const REAL *g, \
                                          int m, int tiles, int64_t t0, int64_t T) \
    { \
        FN(outer_block)(rj, rv, d, ldd, n, X, k0, g, m, tiles, t0, T); \
    }
AGNI_BLOCKS(SUMS)
#define SUMS_ENTRY(rj, rv) [rj][rv] = FN(agni_sums_##rj##_##rv),
static FN(outer_block_fn) *const
    FN(outer_blocks)[AGNI_RJ + 1][AGNI_WIDEST + 1] = {AGNI_BLOCKS(SUMS_ENTRY)};

/* G is transposed, so many columns and elements at a time that they fit the first-level cache
 * with rows of X, whose elements are broadcast: no horizontal sum is left. A sum has TERMS terms
 * at most, as its error grows with them, faster where products are rounded. */
static void FN(outer_by_transposing)(REAL *d, int64_t ldd, const outer_operand *X,
                                     const outer_operand *G, int tiles, int64_t T)
{
    enum { NEAR = (16 << 10) / sizeof(REAL), TERMS = AGNI_HAS_FMA ? 256 : 64 };
    _Alignas(AGNI_VBYTES) REAL transposed[NEAR];
    const int64_t nv = (G->n + LANES - 1) / LANES, wide = nv < AGNI_RV ? 1 : nv / AGNI_RV;
    panels vs = agni_panels_from(nv, wide, 0);
    for (int64_t w = 0; w < wide; w++) {
        const int64_t j0 = vs.row * LANES, rv = agni_panels_next(&vs), ld = rv * LANES;
        const int64_t n = ld < G->n - j0 ? ld : G->n - j0;
        const int64_t most = AGNI_SUMS / rv < AGNI_RJ ? AGNI_SUMS / rv : AGNI_RJ;
        const int64_t nk = (X->n + most - 1) / most;
        const int64_t squares = (NEAR / ld < TERMS ? NEAR / ld : TERMS) / LANES;
        const int many = squares < tiles ? (int)squares : tiles;
        const int64_t nt = (T / LANES - 1) / (squares / many) + 1;
        for (int m = 0; m < tiles; m += many) {
            const int here = tiles - m < many ? tiles - m : many;
            panels ts = agni_panels_from(T / LANES, nt, 0);
            for (int64_t c = 0; c < nt; c++) {
                const int64_t t0 = ts.row * LANES, t = agni_panels_next(&ts) * LANES;
                FN(transpose_rows)(transposed, ld, G, j0, n, m, here, t0, t);
                panels ks = agni_panels_from(X->n, nk, 0);
                for (int64_t a = 0; a < nk; a++) {
                    const int64_t k0 = ks.row, rj = agni_panels_next(&ks);
                    FN(outer_blocks)
                    [rj][rv](d + k0 * ldd + j0, ldd, n, X, k0, transposed, m, here, t0, t);
                }
            }
        }
    }
}

/* Transposing pays where each element is used often, but needs whole vectors of J; dot products
 * need none, but a horizontal sum each. */
AGNI_INLINE bool FN(prefers_dots)(int64_t K, int64_t J, int tiles, int64_t T)
{
    const int64_t steps = tiles * (T / LANES), whole = (J + LANES - 1) / LANES * LANES;
    return K < AGNI_DOTS_BELOW || J < AGNI_DOTS_BELOW ||
           (K < AGNI_DOTS_UP_TO && J < AGNI_DOTS_UP_TO &&
            10 * steps * whole > 9 * (steps + AGNI_FOLD_COST) * J);
}

void AGNI_LV(FN(agni_outer_row_product))(agni_simd_matrix D, const agni_simd_tile *X,
                                         const int64_t *row, const agni_simd_tile *G, int tiles,
                                         int64_t K, int64_t J, int64_t T)
{
    const outer_operand x = {X, row, K}, g = {G, NULL, J};
    if (T <= 0 || tiles <= 0)
        return;
    if (D.ldj == 1 ? FN(prefers_dots)(K, J, tiles, T) : FN(prefers_dots)(J, K, tiles, T))
        FN(outer_by_dots)(D, &x, &g, tiles, T);
    else if (D.ldj == 1)
        FN(outer_by_transposing)(D.p, D.ldk, &x, &g, tiles, T);
    else
        FN(outer_by_transposing)(D.p, D.ldj, &g, &x, tiles, T);
}

void AGNI_LV(FN(agni_outer_product))(agni_simd_matrix D, const agni_simd_tile *X,
                                     const agni_simd_tile *G, int pairs, int64_t K, int64_t J,
                                     int64_t T)
{
    AGNI_LV(FN(agni_outer_row_product))(D, X, NULL, G, pairs, K, J, T);
}

/* Four columns of B at a time share the loads of A. */
AGNI_INLINE void FN(batched_dots)(int RJ, REAL *c, const REAL *a, const REAL *b, int64_t K,
                                  int64_t ldb, int64_t T, bool accumulate)
{
    for (int64_t t = 0; t < T; t += LANES) {
        VEC s[4];
        AGNI_UNROLL
        for (int q = 0; q < RJ; q++)
            s[q] = accumulate ? LOAD(c + q * T + t) : (VEC){0};
        for (int64_t k = 0; k < K; k++) {
            const VEC v = LOAD(a + k * T + t);
            AGNI_UNROLL
            for (int q = 0; q < RJ; q++)
                s[q] = FMA(v, LOAD(b + k * ldb + q * T + t), s[q]);
        }
        AGNI_UNROLL
        for (int q = 0; q < RJ; q++)
            STORE(c + q * T + t, s[q]);
    }
}

void AGNI_LV(FN(agni_batched_product))(void *C, const void *A, const void *B, int64_t I,
                              int64_t K, int64_t J, int64_t T, bool accumulate)
{
    for (int64_t i = 0; i < I; i++) {
        const REAL *a = (const REAL *)A + i * K * T, *b = B;
        REAL *c = (REAL *)C + i * J * T;
        int64_t j = 0;
        for (; j + 4 <= J; j += 4)
            FN(batched_dots)(4, c + j * T, a, b + j * T, K, J * T, T, accumulate);
        for (; j < J; j++)
            FN(batched_dots)(1, c + j * T, a, b + j * T, K, J * T, T, accumulate);
    }
}

/* Four rows at a time hide the additions' latency; each row sums along T in order. */
void AGNI_LV(FN(agni_add_row_sums))(void *dv, int64_t ldd, agni_simd_tile X, int64_t E,
                               int64_t T)
{
    REAL *d = dv;
    const REAL *x = X.p;
    for (int64_t e = 0; e < E; e += 4) {
        const int n = E - e < 4 ? (int)(E - e) : 4;
        const REAL *row[4];
        VEC s[4] = {{0}};
        for (int q = 0; q < 4; q++)
            row[q] = x + (e + (q < n ? q : 0)) * X.ld;
        for (int64_t t = 0; t < T; t += LANES) {
            AGNI_UNROLL
            for (int q = 0; q < 4; q++)
                s[q] += LOAD(row[q] + t);
        }
        for (int q = 0; q < n; q++)
            d[(e + q) * ldd] += FN(agni_hsum)(s[q]);
    }
}

void AGNI_LV(FN(agni_add_row_dots))(void *dv, int64_t ldd, agni_simd_tile X, agni_simd_tile G,
                               int64_t E, int64_t T)
{
    REAL *d = dv;
    const REAL *x = X.p, *g = G.p;
    for (int64_t e = 0; e < E; e += 4) {
        const int n = E - e < 4 ? (int)(E - e) : 4;
        int64_t row[4];
        VEC s[4] = {{0}};
        for (int q = 0; q < 4; q++)
            row[q] = e + (q < n ? q : 0);
        for (int64_t t = 0; t < T; t += LANES) {
            AGNI_UNROLL
            for (int q = 0; q < 4; q++)
                s[q] = FMA(LOAD(x + row[q] * X.ld + t), LOAD(g + row[q] * G.ld + t),
                           s[q]);
        }
        for (int q = 0; q < n; q++)
            d[(e + q) * ldd] += FN(agni_hsum)(s[q]);
    }
}
