/* fft/fft.h - what the files of this module share.

   Primitives along one axis and more of them, unnormalised transforms times a scale, any leading
   batch axes:
     fft_r2c(x; axis, more; scale, w)     real n to n/2 + 1: scale (w inside) sum_j x_j e^-ijk
     fft_c2r(x; axis, n, more; scale, w)  n/2 + 1 to real n: scale times the sum over all n bins,
     the
                                          given ones times w inside, the others their conjugates
     fft_c2c(x; axis, sign, more; scale)  n to n
     fft_r2r(x; axis, kind, more; scale, before, after)
                                          scale after T before x, T one of FFTW's cosine or sine
                                          transforms, before and after numbers at its ends (r2r.c)
   Real data are halved along axis; more axes are transformed as complex ones, with the sign of the
   first. "Inside" is every bin but 0 and, for even n, n/2. Each is the adjoint of one of them. */
#ifndef AGNI_FFT_H
#define AGNI_FFT_H

#include "tensor/dispatch/op_helpers.h"

agni_transpose_fn agni_r2c_transpose, agni_c2r_transpose, agni_c2c_transpose, agni_r2r_transpose;
agn_kernel agni_cpu_r2c, agni_cpu_c2r, agni_cpu_c2c, agni_cpu_r2r;
agn_kernel agni_cpu_stft, agni_cpu_stft_adjoint, agni_cpu_stft_both,
    agni_cpu_stft_both_adjoint; /* ops of fft/signal (fft/cpu/short_time.c) */

/* The transforms of real numbers to real numbers (fft/r2r.c). before and after: which ends of an
   axis the numbers of that name multiply, 1 the first, 2 the last. The adjoint is dual with
   before' = twice after where twice, after' = half before where half. */
typedef struct agni_r2r_kind {
    int fftw, dual, before, after, twice, half;
    int longer; /* the period is 2 (n + longer) */
} agni_r2r_kind;
extern const agni_r2r_kind agni_r2r_kinds[8];

/* Short transforms of plain numbers along their last axis without dispatch
   (fft/cpu/small_transform.c): true where they are, with their status; op one of r2c, c2r and c2c,
   n its length, sign as in the key of a plan. */
bool agni_fft_run_small(agn_tensor **out, const char *name, const agni_op *op, int sign,
                        const agn_tensor *x, int64_t n, double scale, agn_status *st);

/* ---- arguments of public functions (fft/arguments.c) ------------------------------------ */

#define AGNI_FFT_MOST_POINTS (INT64_C(1) << 46) /* of a line: its angles are exact in doubles */

/* the axes of an n-dimensional transform and the length along each; messages begin with op */
typedef struct agni_fft_axes {
    const char *op;
    int count;
    int axis[AGN_MAX_RANK];    /* from the front */
    int64_t n[AGN_MAX_RANK];
} agni_fft_axes;
/* axes NULL: the last count ones, count 0: all; n NULL or 0 in it: that of x, and twice that of a
   half spectrum less two along the last axis where half */
agn_status agni_fft_find_axes(agni_fft_axes *a, const char *op, const agn_tensor *x, int32_t count,
                              const int32_t *axes, const int64_t *n, bool half);
agn_status agni_fft_check_norm(const char *op, int32_t norm);
/* the factor of a transform over n points; inverse says in which of the pair it stands */
double agni_fft_scale(double n, int32_t norm, bool inverse);
/* x cut off or padded with zeros at the end of an axis */
const agn_tensor *agni_fft_resize(agn_scope *s, const agn_tensor *x, int axis, int64_t n);
const agn_tensor *agni_fft_to_complex(agn_scope *s, const agn_tensor *x);
/* numbers of the host (pairs for complex dtypes) as a constant of a narrower dtype of their kind */
const agn_tensor *agni_fft_constant(agn_scope *s, int dtype, int64_t n, const double *v);
/* The least length of at least n with no prime factor above 7: those FFTW is made for. */
int64_t agni_fft_fast_length(int64_t n);

/* ---- plans (fft/cpu/planner.c) ------------------------------------------------------ */

enum { AGNI_R2C, AGNI_C2R, AGNI_C2C, AGNI_R2R, AGNI_TABLES }; /* the last has no plan of FFTW */
enum { AGNI_FFT_PLANS = 64 }; /* kept at most */

typedef struct agni_fft_dim {
    int64_t n, is, os;
} agni_fft_dim;

/* The key of the plan cache: rank axes that are transformed, then many of the batch. No padding:
   compared and hashed by bytes. sign is the kind of FFTW where kind is AGNI_R2R. */
typedef struct agni_fft_key {
    int32_t kind, sign, single, align_in, align_out, rank, many, in_place;
    agni_fft_dim dim[AGN_MAX_RANK];
} agni_fft_key;

typedef struct agni_fft_plan agni_fft_plan;
/* A plan to run between acquire and release; NULL without memory, or where FFTW has none. */
agni_fft_plan *agni_fft_acquire(const agni_fft_key *key, void *in, void *out);
void agni_fft_execute(const agni_fft_plan *p, void *in, void *out);
void agni_fft_release(agni_fft_plan *p);
/* kept, and made by the effort and wisdom of now */
bool agni_fft_is_current(const agni_fft_plan *p);
/* the plan that a thread keeps of its last short call (fft/cpu/small_transform.c) */
struct agni_thread_record;
void agni_fft_release_short(struct agni_thread_record *a);
int agni_fft_alignment(bool single, void *p);
/* what make gives for the key of a plan, as long as the plan is held; NULL without memory */
const void *agni_fft_get_table(agni_fft_plan *p, void *(*make)(const agni_fft_key *key));
/* Cosine and sine transforms of types 2 and 3 by one of real numbers (fft/cpu/cosines.c): whether
   kind has them, of so many points; and lines of them in one plan, times scale, the end that type 3
   reads alone times before, that which type 2 writes alone times after. False
   without memory or a plan. */
typedef struct agni_fft_factors {
    double scale, before, after;
} agni_fft_factors;
bool agni_fft_folds(int kind, int64_t n);
bool agni_fft_run_folded(const agni_fft_key *key, const agni_fft_factors *f, char *in, char *out);
/* Row-major numbers times f (fft/cpu/scales.c): all of them; bins of n points along an axis, pairs
   of reals, the inside ones by f w; the ends of an axis, 1 the first, 2 the last. */
void agni_fft_scale_run(bool single, char *p, int64_t reals, double f);
void agni_fft_scale_bins(bool single, char *p, int64_t outer, int64_t bins, int64_t inner,
                         int64_t n, double f, double w);
void agni_fft_scale_ends(bool single, char *p, const int64_t *shape, int ndim, int axis, int ends,
                         double f);
/* Lines whose neighbours lie side by side, as columns of a matrix do (fft/cpu/columns.c): the
   number of the batch axis across them, 0 where there is none; and their transform, some lines at a
   time, by run. False without memory or a plan. */
int agni_fft_find_columns(const agni_fft_key *key);
bool agni_fft_run_columns(const agni_fft_key *key, int across, char *in, char *out, int64_t bytes,
                          bool (*run)(const void *user, agni_fft_key *key, char *in, char *out),
                          const void *user);
/* Long transforms by short ones (fft/cpu/four_step.c): whether key is one, and all its lines, in
   and out alike or apart; false without memory. */
bool agni_fft_splits(const agni_fft_key *key);
bool agni_fft_run_split(const agni_fft_key *key, char *in, char *out);
/* effort: AGN_FFT_ESTIMATE, ...; both drop the plans that are not in use */
agn_status agni_fft_set_effort(const char *op, int effort, double seconds);
agn_status agni_fft_add_wisdom(const char *op, char *const text[2]);
/* texts of both precisions, f64 first; to be dropped, also after a failure */
agn_status agni_fft_get_wisdom(const char *op, char *text[2]);
void agni_fft_drop_wisdom(char *text[2]);
/* for tests: plans cached, and made so far; drops those not in use */
int agni_fft_plan_count(int64_t *made);
void agni_fft_clear_plans(void);

#endif
