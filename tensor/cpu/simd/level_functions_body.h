/* level_functions_body.h - declarations for the element type bound by real.h: agni_vmap_exp_f64_avx2
 * and others. */

#define AGNI_DECL(name) agni_vmap AGNI_LV(FN(agni_vmap_##name));
AGNI_VMAPS(AGNI_DECL)
#undef AGNI_DECL
#define AGNI_DECL(name) agni_vloop AGNI_LV(FN(agni_vloop_##name));
AGNI_VLOOPS2(AGNI_DECL)
AGNI_VLOOPS3(AGNI_DECL)
#undef AGNI_DECL

void AGNI_LV(FN(agni_vsincos))(void *s, void *c, const void *x, int64_t n);
void AGNI_LV(FN(agni_vpack))(void *dst, agni_vmat W, int64_t K, int64_t J);
void AGNI_LV(FN(agni_vprod_packed))(agni_vtile C, const void *packed, agni_vtile X,
                                    int64_t K, int64_t J, int64_t T, bool accumulate);
void AGNI_LV(FN(agni_vchain))(const agni_vstep *step, int n_step, char **at, int moving,
                              int64_t n);
void AGNI_LV(FN(agni_vprods))(const agni_vprod *p, int n, const void *packed, int64_t K,
                              int64_t J, int64_t T);
void AGNI_LV(FN(agni_vprod))(agni_vtile C, agni_vmat W, agni_vtile X, int64_t K,
                             int64_t J, int64_t T, bool accumulate, void *buffer);
void AGNI_LV(FN(agni_vprod_rows))(agni_vtile C, const void *packed, const void *x,
                                  const int64_t *row, int64_t K, int64_t J, int64_t T,
                                  bool accumulate);
void AGNI_LV(FN(agni_vouter_rows))(agni_vmat D, const agni_vtile *X,
                                   const int64_t *row, const agni_vtile *G, int pairs,
                                   int64_t K, int64_t J, int64_t T);
void AGNI_LV(FN(agni_vouter))(agni_vmat D, const agni_vtile *X, const agni_vtile *G,
                              int pairs, int64_t K, int64_t J, int64_t T);
void AGNI_LV(FN(agni_vbprod))(void *C, const void *A, const void *B, int64_t I,
                              int64_t K, int64_t J, int64_t T, bool accumulate);
void AGNI_LV(FN(agni_vrowsum))(void *d, int64_t ldd, agni_vtile X, int64_t E,
                               int64_t T);
void AGNI_LV(FN(agni_vrowdot))(void *d, int64_t ldd, agni_vtile X, agni_vtile G,
                               int64_t E, int64_t T);
void AGNI_LV(FN(agni_vturn))(void *to, int64_t ldt, const void *from, int64_t ldf, int64_t m,
                             int64_t n);
void AGNI_LV(FN(agni_vturn_in))(char *const *to, int64_t at, const void *from, int64_t ldf, int64_t m,
                                int64_t n);
void AGNI_LV(FN(agni_vturn_out))(void *to, int64_t ldt, char *const *from, int64_t at, int64_t m,
                                 int64_t n);
