/* tests/lapack-stops.h - LAPACK's iterations as routines that stop short on request: the same names
   before those of the library, which are called but for a wish. No matrix is known for which they
   do not converge. */
#ifndef AGN_TESTS_LAPACK_STOPS_H
#define AGN_TESTS_LAPACK_STOPS_H

#include <complex.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <dlfcn.h>
#include <lapacke.h>
#include <stdbool.h>

static bool lapack_stops; /* the next iterations do not converge: 1 value is missing */

typedef lapack_int N;
typedef double *D;
typedef double complex *Z;
typedef lapack_int *P;
typedef lapack_logical *B;

#define STOPS_IF(iterates, name, parameters, arguments) \
    __attribute__((visibility("default"))) lapack_int LAPACKE_##name##_work parameters \
    { \
        static __typeof__(&LAPACKE_##name##_work) real; \
        if (!real) \
            *(void **)&real = dlsym(RTLD_NEXT, "LAPACKE_" #name "_work"); \
        return lapack_stops && (iterates) ? 1 : real arguments; \
    }
/* a question for the size of the work space is no iteration */
#define STOPS(name, parameters, arguments) STOPS_IF(lwork != -1, name, parameters, arguments)

STOPS(dsyevd, (int layout, char jobz, char uplo, N n, D a, N lda, D w, D work, N lwork, P iwork,
        N liwork),
      (layout, jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork))
STOPS(zheevd, (int layout, char jobz, char uplo, N n, Z a, N lda, D w, Z work, N lwork, D rwork,
        N lrwork, P iwork, N liwork),
      (layout, jobz, uplo, n, a, lda, w, work, lwork, rwork, lrwork, iwork, liwork))
STOPS(dgeev, (int layout, char jobvl, char jobvr, N n, D a, N lda, D wr, D wi, D vl, N ldvl, D vr,
        N ldvr, D work, N lwork),
      (layout, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, work, lwork))
STOPS(zgeev, (int layout, char jobvl, char jobvr, N n, Z a, N lda, Z w, Z vl, N ldvl, Z vr,
        N ldvr, Z work, N lwork, D rwork),
      (layout, jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, lwork, rwork))
STOPS(dgees, (int layout, char jobvs, char sort, LAPACK_D_SELECT2 select, N n, D a, N lda, P sdim,
        D wr, D wi, D vs, N ldvs, D work, N lwork, B bwork),
      (layout, jobvs, sort, select, n, a, lda, sdim, wr, wi, vs, ldvs, work, lwork, bwork))
STOPS(zgees, (int layout, char jobvs, char sort, LAPACK_Z_SELECT1 select, N n, Z a, N lda, P sdim,
        Z w, Z vs, N ldvs, Z work, N lwork, D rwork, B bwork),
      (layout, jobvs, sort, select, n, a, lda, sdim, w, vs, ldvs, work, lwork, rwork, bwork))
STOPS(dgges, (int layout, char jobvsl, char jobvsr, char sort, LAPACK_D_SELECT3 selctg, N n, D a,
        N lda, D b, N ldb, P sdim, D alphar, D alphai, D beta, D vsl, N ldvsl, D vsr, N ldvsr,
        D work, N lwork, B bwork),
      (layout, jobvsl, jobvsr, sort, selctg, n, a, lda, b, ldb, sdim, alphar, alphai, beta, vsl,
        ldvsl, vsr, ldvsr, work, lwork, bwork))
STOPS(zgges, (int layout, char jobvsl, char jobvsr, char sort, LAPACK_Z_SELECT2 selctg, N n, Z a,
        N lda, Z b, N ldb, P sdim, Z alpha, Z beta, Z vsl, N ldvsl, Z vsr, N ldvsr, Z work,
        N lwork, D rwork, B bwork),
      (layout, jobvsl, jobvsr, sort, selctg, n, a, lda, b, ldb, sdim, alpha, beta, vsl, ldvsl,
        vsr, ldvsr, work, lwork, rwork, bwork))
STOPS(zggev, (int layout, char jobvl, char jobvr, N n, Z a, N lda, Z b, N ldb, Z alpha, Z beta,
        Z vl, N ldvl, Z vr, N ldvr, Z work, N lwork, D rwork),
      (layout, jobvl, jobvr, n, a, lda, b, ldb, alpha, beta, vl, ldvl, vr, ldvr, work, lwork,
        rwork))
STOPS(dgesdd, (int layout, char jobz, N m, N n, D a, N lda, D s, D u, N ldu, D vt, N ldvt, D work,
        N lwork, P iwork),
      (layout, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork))
STOPS(zgesdd, (int layout, char jobz, N m, N n, Z a, N lda, D s, Z u, N ldu, Z vt, N ldvt, Z work,
        N lwork, D rwork, P iwork),
      (layout, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, iwork))
STOPS(dgelsd, (int layout, N m, N n, N nrhs, D a, N lda, D b, N ldb, D s, double rcond, P rank,
        D work, N lwork, P iwork),
      (layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, lwork, iwork))
STOPS(dgelss, (int layout, N m, N n, N nrhs, D a, N lda, D b, N ldb, D s, double rcond, P rank,
        D work, N lwork),
      (layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, lwork))
STOPS(dstevd, (int layout, char jobz, N n, D d, D e, D z, N ldz, D work, N lwork, P iwork,
        N liwork),
      (layout, jobz, n, d, e, z, ldz, work, lwork, iwork, liwork))
STOPS(dsbevd, (int layout, char jobz, char uplo, N n, N kd, D ab, N ldab, D w, D z, N ldz, D work,
        N lwork, P iwork, N liwork),
      (layout, jobz, uplo, n, kd, ab, ldab, w, z, ldz, work, lwork, iwork, liwork))
STOPS(dorcsd, (int layout, char jobu1, char jobu2, char jobv1t, char jobv2t, char trans,
        char signs, N m, N p, N q, D x11, N ldx11, D x12, N ldx12, D x21, N ldx21, D x22, N ldx22,
        D theta, D u1, N ldu1, D u2, N ldu2, D v1t, N ldv1t, D v2t, N ldv2t, D work, N lwork,
        P iwork),
      (layout, jobu1, jobu2, jobv1t, jobv2t, trans, signs, m, p, q, x11, ldx11, x12, ldx12, x21,
        ldx21, x22, ldx22, theta, u1, ldu1, u2, ldu2, v1t, ldv1t, v2t, ldv2t, work, lwork, iwork))
STOPS_IF(true, dsteqr, (int layout, char compz, N n, D d, D e, D z, N ldz, D work),
         (layout, compz, n, d, e, z, ldz, work))
STOPS_IF(true, dbdsqr, (int layout, char uplo, N n, N ncvt, N nru, N ncc, D d, D e, D vt, N ldvt, D u,
                        N ldu, D c, N ldc, D work),
         (layout, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc, work))

#undef STOPS
#undef STOPS_IF

#endif
