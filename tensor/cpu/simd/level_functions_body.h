/* level_functions_body.h - declarations for the element type bound by real.h:
   agni_vmap_exp_f64_avx2
 * and others. */

#define AGNI_DECL(name) agni_simd_map AGNI_LV(FN(agni_simd_map_##name));
AGNI_VMAPS(AGNI_DECL)
#undef AGNI_DECL
#define AGNI_DECL(name) agni_simd_loop AGNI_LV(FN(agni_simd_loop_##name));
AGNI_VLOOPS2(AGNI_DECL)
AGNI_VLOOPS3(AGNI_DECL)
#undef AGNI_DECL

void AGNI_LV(FN(agni_simd_sincos))(void *s, void *c, const void *x, int64_t n);
void AGNI_LV(FN(agni_pack_weights))(void *dst, agni_simd_matrix W, int64_t K, int64_t J);
void AGNI_LV(FN(agni_packed_product))(agni_simd_tile C, const void *packed, agni_simd_tile X,
                                    int64_t K, int64_t J, int64_t T, bool accumulate);
void AGNI_LV(FN(agni_run_chain))(const agni_chain_step *step, int n_step, agni_chain_places *at,
                                 int moving, int beside, int64_t rows, int64_t n);
void AGNI_LV(FN(agni_shared_products))(const agni_shared_product *p, int n, const void *packed,
                                       int64_t K, int64_t J, int64_t T);
void AGNI_LV(FN(agni_unpacked_product))(agni_simd_tile C, agni_simd_matrix W, agni_simd_tile X,
                                      int64_t K, int64_t J, int64_t T, bool accumulate,
                                      void *buffer);
void AGNI_LV(FN(agni_row_product))(agni_simd_tile C, const void *packed, const void *x,
                                  const int64_t *row, int64_t K, int64_t J, int64_t T,
                                  bool accumulate);
void AGNI_LV(FN(agni_outer_row_product))(agni_simd_matrix D, const agni_simd_tile *X,
                                   const int64_t *row, const agni_simd_tile *G, int pairs,
                                   int64_t K, int64_t J, int64_t T);
void AGNI_LV(FN(agni_outer_product))(agni_simd_matrix D, const agni_simd_tile *X,
                                     const agni_simd_tile *G, int pairs, int64_t K, int64_t J,
                                     int64_t T);
void AGNI_LV(FN(agni_batched_product))(void *C, const void *A, const void *B, int64_t I,
                              int64_t K, int64_t J, int64_t T, bool accumulate);
void AGNI_LV(FN(agni_add_row_sums))(void *d, int64_t ldd, agni_simd_tile X, int64_t E,
                               int64_t T);
void AGNI_LV(FN(agni_add_row_dots))(void *d, int64_t ldd, agni_simd_tile X, agni_simd_tile G,
                               int64_t E, int64_t T);
void AGNI_LV(FN(agni_transpose_rows))(void *to, int64_t ldt, const void *from, int64_t ldf,
                                      int64_t m, int64_t n);
void AGNI_LV(FN(agni_transpose_in))(char *const *to, int64_t at, const void *from, int64_t ldf,
                                    int64_t m, int64_t n);
void AGNI_LV(FN(agni_transpose_out))(void *to, int64_t ldt, char *const *from, int64_t at,
                                     int64_t m, int64_t n);
